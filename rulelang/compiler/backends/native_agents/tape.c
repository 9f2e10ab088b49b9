/* Games that are noted while they are played: where cards lie, which options are taken, what is reached. */
#include "search.c"
#include "tape.h"

static i32 *written(tape_table *table) {
    i64 at = table->used++;
    return at < table->room ? table->rows + at * table->width : 0;
}
/* A card has left a hand: in the innermost action, or else in the innermost event. */
static void left(tape *t, const i32 *S, i64 card, i64 player) {
    i64 i = least(t->open_n, OPENED);
    if (!i) return;
    while (i && !t->acts[t->begun[i - 1]]) i--;
    if (i && S[t->actor] == player) t->row[t->places * CARDS + card] |= 1 << player;
    t->used[t->begun[(i ? i : least(t->open_n, OPENED)) - 1] * CARDS + card]++;
}
/* A trait has come to a bearer: it is there with all others that he has. */
static COLD void beside(tape *t, const i32 *S, i64 zone, i64 card, i64 face, i64 player) {
    i32 *pairs = t->row + (t->places + 2) * CARDS + t->traits + 1;
    i64 other;
    for (other = 1; other < CARDS; other++) {
        i64 known, low, high;
        if (S[AT_WHERE + other] != zone || other == card) continue;
        known = t->face ? S[t->face + other] : t->printed[other];
        low = least(face, known); high = most(face, known);
        if (low && low != high) pairs[(high - 1) * (high - 2) / 2 + low - 1] |= 1 << player;
    }
}
#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
__attribute__((optimize("O3")))
#endif
/* Note the cards that lie elsewhere than before. */
static void look(tape *t, const i32 *S) {
    const i32 *now = S + AT_WHERE;
    i32 *lay = t->lay, differs = 0, *row;
    i64 card;
    for (card = 0; card < CARDS; card++) differs |= now[card] ^ lay[card];
    if (!differs) return;
    for (card = 1; card < CARDS; card++) {
        i64 zone = now[card], player = ZONE_PLAYER[zone], face = t->face ? S[t->face + card] : t->printed[card];
        if (zone == lay[card]) continue;
        if (t->hand[lay[card]]) left(t, S, card, ZONE_PLAYER[lay[card]]);
        if (player && t->place[zone] >= 0) t->row[t->place[zone] * CARDS + card] |= 1 << player;
        if (player && t->force[zone] && face) {
            t->row[(t->places + 1) * CARDS + face] |= 1 << player;
            if (t->force[zone] == ON_BEARER) beside(t, S, zone, card, face, player);
        }
        if (t->moves.room && lay[card] && (row = written(&t->moves))) {
            row[0] = (i32)t->game; row[1] = (i32)t->asked;
            row[2] = t->open_n ? (i32)t->open[least(t->open_n, OPENED) - 1] : -1;
            row[3] = (i32)card; row[4] = lay[card]; row[5] = (i32)zone; row[6] = (i32)face;
        }
        lay[card] = (i32)zone;
    }
}
/* Who hears nothing: what is told comes to the tape before. */
static i64 deaf(i64 kind, i64 number, i64 n, i64 *args) { (void)kind; (void)number; (void)n; (void)args; return -1; }
/* An event begins or ends, or a line is told. */
static COLD void taped(context *C, i64 kind, i64 number, i64 n, const i64 *args) {
    tape *t = DESK->tape;
    i64 i;
    i32 *row;
    look(t, t->S);
    if (kind == TOLD_CLOSE) { if (t->open_n) t->open_n--; return; }
    if (kind != TOLD_OPEN && kind != TOLD_LINE) return;
    t->reached[number]++;
    if (t->events.room && (row = written(&t->events))) {
        row[0] = (i32)t->game; row[1] = (i32)t->number; row[2] = (i32)t->asked;
        row[3] = t->open_n ? (i32)t->open[least(t->open_n, OPENED) - 1] : -1;
        row[4] = (i32)t->open_n; row[5] = (i32)number;
        for (i = 6; i < t->events.width; i++) row[i] = i - 6 < n ? (i32)args[i - 6] : 0;
    }
    if (kind == TOLD_OPEN) {
        if (t->open_n < OPENED) { t->open[t->open_n] = t->number; t->begun[t->open_n] = number; }
        t->open_n++;
    }
    t->number++;
}
/* Who leads by the score, as things stand; 0 if that cannot be said. */
static i32 leaders(context *C, const i32 *S) {
    i64 total[PLAYERS + 1] = {0}, seat, best = 0, any = 0;
    i32 found = 0;
    for (seat = 1; seat <= PLAYERS; seat++) total[TEAM[seat]] += rank_part(C, S, 0, seat);
    if (C->error) { C->error = C->trailed = 0; return 0; }
    for (seat = 1; seat <= PLAYERS; seat++)
        if (!any || total[TEAM[seat]] > best) { best = total[TEAM[seat]]; any = 1; }
    for (seat = 1; seat <= PLAYERS; seat++) if (total[TEAM[seat]] == best) found |= 1 << seat;
    return found;
}
/* At every `step`-th decision; ever fewer of them, so that there is always room. */
static void lead(context *C, tape *t, const i32 *S) {
    i64 i;
    if (t->asked % t->step) return;
    if (t->moments == MOMENTS) {
        for (i = 0; i < MOMENTS / 2; i++) t->led[i] = t->led[2 * i];
        t->moments = MOMENTS / 2; t->step *= 2;
        if (t->asked % t->step) return;
    }
    t->led[t->moments++] = leaders(C, S);
}
/* Of the options that are told one is taken. */
static void chosen(context *C, tape *t, const i32 *S, i64 k) {
    i64 site = S[AT_SITE] - 1, seat = S[AT_DECIDER], i, at = 0, taken_at = 0, choice_, first = t->choice_at[site];
    i64 count = t->choice_at[site + 1] - first;
    const i32 *told;
    i32 *row;
    for (i = 0; i < C->found; i++, at += C->out[at] + 1) {
        if (i == k) taken_at = at;
        choice_ = first + 1 + C->out[at + 1];
        if (choice_ >= first && choice_ < first + count && t->marks[choice_] != t->asked + 1) {
            t->marks[choice_] = (i32)t->asked + 1; t->offered[choice_]++;
        }
    }
    told = C->out + taken_at;
    option(C, told);
    choice_ = first + 1 + told[1];
    if (choice_ < first || choice_ >= first + count) return;
    t->taken[choice_]++;
    for (i = 0; i < told[0] - 1; i++)
        if (t->card_args[choice_] >> i & 1) {
            i64 card = told[2 + i];
            if (card <= 0 || card >= CARDS) continue;
            if (ZONE_PLAYER[S[AT_WHERE + card]] == seat) t->row[t->places * CARDS + card] |= 1 << seat;
        }
    if (t->decisions.room && (row = written(&t->decisions))) {
        row[0] = (i32)t->game; row[1] = (i32)t->asked; row[2] = S[AT_ROUND]; row[3] = (i32)seat; row[4] = (i32)site;
        row[5] = (i32)C->found; row[6] = (i32)k; row[7] = told[1];
        for (i = 8; i < t->decisions.width; i++) row[i] = i - 8 < told[0] - 1 ? told[2 + i - 8] : 0;
    }
}
/* One of some places, those with a card in the hand of a seat or others, with a wanted card or others; -1 for none. Of
   those only with a card of the group are looked at, if one is named. */
static i64 some(context *C, const tape *t, i64 seat, i64 hand, i64 wanted, i64 group, i32 *x, i32 *c) {
    i64 i, n = 0;
    for (i = 0; i < DESK->places_n; i++) {
        const place *p = &DESK->places[i];
        i64 zone = ZONES[p->zone].first_id + p->instance, own = t->hand[zone] && ZONE_PLAYER[zone] == seat;
        if (p->stays || own != hand || t->wanted[p->card] != wanted || (group && GROUPS[p->card] != group)) continue;
        DESK->free[n++] = i;
    }
    return n ? DESK->free[draw(x, c, n)] : -1;
}
/* At the first decision: none of the wanted cards in the hand of a seat, or one of them in the place of another. What
   takes their place comes from another hand, or from where nobody sees it. Whether both can be had. */
static COLD i64 arrange(context *C, const tape *t, i32 *S, i64 seat, u64 own) {
    i64 mine, other, group = 0, card;
    i32 x, c;
    seed(&x, &c, mixed(own ^ 0x617272616E6765ull));
    hidden(C, S, 0, t->hand);
    for (card = 1; card < CARDS; card++) if (t->wanted[card]) group = most(group, GROUPS[card]);
    if (!group) return 0;
    while ((mine = some(C, t, seat, 1, 1, group, &x, &c)) >= 0) {
        if ((other = some(C, t, seat, 0, 0, group, &x, &c)) < 0) return 0;
        exchange(&DESK->places[mine], &DESK->places[other]);
    }
    mine = some(C, t, seat, 1, 0, group, &x, &c);
    other = some(C, t, seat, 0, 1, group, &x, &c);
    if (mine < 0 || other < 0) return 0;
    if (t->arranged == 2) exchange(&DESK->places[mine], &DESK->places[other]);
    lay_places(C, S);
    return 1;
}
static i64 noted(context *C, i32 *S, i64 n, const i64 *kinds, const i64 *budgets, i32 *chance, tape *t) {
    while (S[AT_FRAME]) {
        i64 a, k, holds = C->holds, status;
        looked_after(C, S);
        if (polled(C, 1)) return FAILED;
        if (C->used > C->room) { err(C, ERROR_INTERNAL, INTERNAL_CROWDED); return FAILED; }
        look(t, S);
        lead(C, t, S);
        a = (S[AT_DECIDER] - 1) % n;
        if (kinds[a] == AGENT_RANDOM) k = draw(&chance[2 * a], &chance[2 * a + 1], C->found);
        else {  /* what an agent only imagines is neither noted nor tested */
            hear(C, 0, 0); C->holds = 0; C->due = due(C, S[AT_DECISIONS]); C->counts = 1; C->live = 0;
            if (ask(C, S) < 0) return FAILED;
            k = choice(C, S, kinds[a], budgets[a], &chance[2 * a], &chance[2 * a + 1]);
            C->holds = holds; C->due = due(C, S[AT_DECISIONS]);
            if (k < 0) return FAILED;
            forget(C);
            if (listed(C, S) != PAUSED) return FAILED;
            hear(C, deaf, 1);
        }
        chosen(C, t, S, k);
        t->asked++;
        status = drive(C, S);
        if (status < 0 || C->error) return FAILED;
    }
    look(t, S);
    if (C->holds) hold(C, S);
    return C->error ? FAILED : ENDED;
}

/* Whole games between agents, as `rl_between_many`, and what is noted of each: the rows of `t` move on. Where they are
   arranged, game i is so for the seat i modulo the number of players. */
API i64 rl_noted_many(context *C, i32 *S, const i32 *initial, u64 series, i64 first, i64 games, i64 n,
                      const i64 *kinds, const i64 *budgets, i32 *chance, i64 *rows, tape *t) {
    i64 i, a, width = (t->places + 2) * CARDS + t->traits + t->pairs + 3;
    i32 *row = t->row;
    leave(C);
    for (i = 0; i < games; i++) {
        u64 own = own_seed(series, first + i);
        i64 status, ready = 0;
        seated(C, S, initial, own, n, chance);
        t->row = row + i * width; t->S = S; t->game = first + i;
        t->number = t->open_n = t->moments = t->asked = 0; t->step = 1;
        fill(t->lay, CARDS, 0); fill(t->marks, t->choices, 0);
        DESK->tape = t; C->noter = taped; C->trusted = 1; hear(C, deaf, 1);
        status = begin(C, S);
        if (status < 0 || C->error) break;
        if (t->arranged && S[AT_FRAME]) {
            ready = arrange(C, t, S, (first + i) % PLAYERS + 1, own);
            if (ask(C, S) < 0) break;
        }
        if (noted(C, S, n, kinds, budgets, chance, t)) break;
        for (a = 0; a < CARDS; a++) t->row[(t->places + 1) * CARDS + t->traits + 1 + a] = S[AT_WHERE + a];
        t->row[width - 2] = !t->moments ? 0 : (i32)t->led[least(t->asked / 2 / t->step, t->moments - 1)];
        t->row[width - 1] = (i32)ready;
        tell_game(C, S, rows + i * WIDTH);
        if (C->error) break;
    }
    t->row = row; DESK->tape = 0; C->noter = 0; hear(C, 0, 0);
    enter(C);
    return i;
}
API i64 rl_tape_size(void) { return sizeof(tape); }
