/* plain_origin_of_species.c, led by another game: it asks that one what is chosen, drawn and rolled, and tells it its
   table. */
#define FOLLOW
#include "../../benchmarks/plain_origin_of_species.c"
#define score(p) score(&table, (int)((p) - table.players))
#include "follow.h"

static int pick(Table *t, int count) {
    if (count == 1) return t->forced++, 0;
    return t->decisions++, asked(count);
}

static int top(Table *t, int seat) {
    int look = drawn(seat), place = t->in_deck - 1;
    while (place > 0 && t->deck[place] != look) place--;
    t->deck[place] = t->deck[--t->in_deck];
    return look;
}

static int die(Table *t) { return (void)t, drawn(-1); }

/* Where an animal stands, as seat * CARDS + place in the line. */
static int where(int animal) {
    const Player *p = &table.players[table.animals[animal].owner];
    int at = 0;
    while (p->line[at] != animal) at++;
    return (int)(p - table.players) * CARDS + at;
}

/* A card on an animal: its face, where its partner stands or -1, and what is kept of it. */
static int *tell_card(int *o, const Card *card) {
    const Animal *a = &table.animals[card->on];
    *o++ = card->face;
    *o++ = card->partner == card->on ? -1 : where(card->partner);
    *o++ = card->face == FAT_TISSUE ? card->fat : card->face == HIBERNATION ? a->slept : card->face == PIRACY ? a->robbed : 0;
    return o;
}

SEEN int tell(int *out) {
    int *o = out;
    *o++ = table.base, *o++ = table.last_round;
    for (int seat = 0; seat < PLAYERS; seat++) {
        const Player *p = &table.players[seat];
        *o++ = p->looks;
        for (int i = 0; i < p->looks; i++) *o++ = p->hand[i], *o++ = p->copies[p->hand[i]];
        *o++ = p->discards, *o++ = p->animals;
        for (int i = 0; i < p->animals; i++) {
            const Animal *a = &table.animals[p->line[i]];
            *o++ = a->red, *o++ = a->blue, *o++ = a->hunted, *o++ = a->poisoned, *o++ = a->look, *o++ = a->cards;
            for (int k = 0; k < a->cards; k++) o = tell_card(o, &table.cards[a->card[k]]);
            *o++ = a->joined;
            for (int k = 0; k < a->joined; k++) *o++ = table.cards[a->join[k]].face, *o++ = where(table.cards[a->join[k]].on);
        }
    }
    *o++ = table.waits;
    for (int i = 0; i < table.waits; i++) {
        const Card *card = &table.cards[table.waiting[i].card];
        *o++ = card->face, *o++ = where(card->on), *o++ = where(card->partner), *o++ = where(table.waiting[i].other);
    }
    for (int i = 0; i < table.in_deck; i++) *o++ = table.deck[i];
    return (int)(o - out);
}
