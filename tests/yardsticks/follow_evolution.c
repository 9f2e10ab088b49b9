/* plain_evolution.c, led by another game: it asks that one what is chosen and drawn, and tells it its table. */
#define FOLLOW
#include "../../benchmarks/plain_evolution.c"
#include "follow.h"

static int pick(Table *t, int count) {
    if (count == 1) return t->forced++, 0;
    return t->decisions++, asked(count);
}

static Card top(Table *t, const Player *p) {
    Card card = (Card)drawn((int)(p - t->players));
    int place = t->in_deck - 1;
    while (place > 0 && t->deck[place] != card) place--;
    t->deck[place] = t->deck[--t->in_deck];
    return card;
}

SEEN int tell(int *out) {
    int *o = out;
    *o++ = table.hole;
    for (int seat = 0; seat < PLAYERS; seat++) {
        const Player *p = &table.players[seat];
        *o++ = p->bag, *o++ = p->looks;
        for (int i = 0; i < p->looks; i++) *o++ = p->hand[i], *o++ = p->copies[p->hand[i]];
        *o++ = p->species;
        for (int i = 1; i <= p->species; i++) {
            const Species *s = &p->line[i];
            *o++ = s->population, *o++ = s->body, *o++ = s->food, *o++ = s->fat, *o++ = s->cards;
            for (int k = 0; k < s->cards; k++) *o++ = s->card[k];
        }
    }
    for (int i = 0; i < table.in_deck; i++) *o++ = table.deck[i];
    return (int)(o - out);
}
