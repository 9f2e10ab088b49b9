/* What yardsticks in C have in common where another game leads them. Included behind the yardstick. */
static Table table;
static int (*asked)(int count), (*drawn)(int seat);

/* One game that this seat begins. `totals` becomes decisions, rounds, then the score of each seat. */
SEEN void follow(int first, int (*ask)(int), int (*draw)(int), int *totals) {
    asked = ask, drawn = draw;
    table.decisions = table.forced = 0, table.x = table.c = 1;
    set_up(&table);
    totals[1] = play(&table, first);
    totals[0] = (int)table.decisions;
    for (int seat = 0; seat < PLAYERS; seat++) totals[2 + seat] = score(&table.players[seat]);
}
