/* Observations, determinizations and rewards: `engine.secrets` and `agents.search.Searcher.rewards`, word for word and
   draw for draw. */
#ifndef SECRETS_H
#define SECRETS_H
#include "../native/runtime/library.c"
#include "game.h"

typedef struct { i64 zone, instance, card, stays; } place;
struct tape;
/* What is kept beside the words of a game, where the context says that there is more. */
typedef struct {
    i64 *tree, tree_room;        /* of searches: nodes, or tallies of options */
    place places[CARDS];         /* of cards that somebody does not see: `places_n` */
    i64 places_n, free[CARDS];   /* of one group: those whose cards may change places */
    unsigned char named[CARDS];  /* cards that frames or attributes name */
    i32 world[SIZE];             /* a state that may be the real one, to play on in */
    struct tape *tape;           /* what is noted of the game; or 0 */
} desk;
#define DESK ((desk *)C->more)

static i64 hides(const zone_row *zone, i64 instance, i64 seat) {
    if (zone->seen == SEEN_OWNER) return !seat || ZONE_PLAYER[zone->first_id + instance] != seat;
    return zone->seen != SEEN_EVERYONE;
}
static void hide(context *C, i64 number, i64 instance, i64 card) {
    place *found = &DESK->places[DESK->places_n];
    if (DESK->places_n >= CARDS) { err(C, ERROR_INTERNAL, INTERNAL_BROKEN); return; }
    found->zone = number; found->instance = instance; found->card = card;
    found->stays = ZONES[number].counted || !GROUPS[card] || DESK->named[card];
    DESK->places_n++;
}
/* Note all places whose cards a seat does not see, and those of some zones `too` (by zone id; or 0). */
static void hidden(context *C, const i32 *S, i64 seat, const i32 *too) {
    i64 i, k, number, o, card, end = frames_end(S);
    for (i = 0; i < CARDS; i++) DESK->named[i] = 0;
    for (i = STACK; i < end; i++) if (S[i] > 0 && S[i] < CARDS) DESK->named[S[i]] = 1;
    for (i = 0; i < REFERENCES_N; i++)
        for (k = 0; k < REFERENCES[i].words; k++) {
            card = S[REFERENCES[i].base + k];
            if (card > 0 && card < CARDS) DESK->named[card] = 1;
        }
    DESK->places_n = 0;
    for (number = 0; number < ZONES_N; number++) {
        const zone_row *z = &ZONES[number];
        if (z->seen == SEEN_BOX) continue;
        for (o = z->low; o <= z->high; o++) {
            if (!hides(z, o, seat) && !(too && too[z->first_id + o])) continue;
            if (z->array) {
                i64 base = z->base + o * z->stride;
                for (i = 1; i <= S[base]; i++) hide(C, number, o, S[base + i]);
            }
            else for (card = S[z->first + o]; card; card = S[AT_NEXT + card]) hide(C, number, o, card);
        }
    }
}
/* Put the cards into the places that were noted. */
static void lay_places(context *C, i32 *S) {
    i64 at, begun, before, card, number, o;
    place *places = DESK->places;
    for (at = 0; at < DESK->places_n;) {
        const zone_row *z = &ZONES[places[at].zone];
        number = places[at].zone; o = places[at].instance; begun = at; before = 0;
        for (; at < DESK->places_n && places[at].zone == number && places[at].instance == o; at++) {
            card = places[at].card;
            S[AT_WHERE + card] = (i32)(z->first_id + o);
            if (z->array) {
                S[z->base + o * z->stride + 1 + at - begun] = (i32)card;
                S[AT_PREV + card] = S[AT_NEXT + card] = 0;
            }
            else {
                S[before ? AT_NEXT + before : z->first + o] = (i32)card;
                S[AT_PREV + card] = (i32)before; S[AT_NEXT + card] = 0; S[z->last + o] = (i32)card;
            }
            before = card;
        }
    }
}
/* Have two places exchange their cards. */
static void exchange(place *one, place *other) {
    i64 card = one->card;
    one->card = other->card; other->card = card;
}
/* Make of the words any others that a seat could not tell from them. */
static void determinise(context *C, i32 *S, i64 seat, i32 *x, i32 *c) {
    i64 g, i, k, n;
    place *places = DESK->places;
    hidden(C, S, seat, 0);
    for (g = 1; g <= GROUPS_N; g++) {
        for (n = 0, i = 0; i < DESK->places_n; i++)
            if (!places[i].stays && GROUPS[places[i].card] == g) DESK->free[n++] = i;
        for (i = n - 1; i > 0; i--) {
            k = draw(x, c, i + 1);
            exchange(&places[DESK->free[i]], &places[DESK->free[k]]);
        }
    }
    lay_places(C, S);
    S[AT_RNG_X] = (i32)draw(x, c, 1 << 30); S[AT_RNG_C] = 1 + (i32)draw(x, c, 1 << 29);
    S[AT_POLICY_X] = (i32)draw(x, c, 1 << 30); S[AT_POLICY_C] = 1 + (i32)draw(x, c, 1 << 29);
}
static i64 knows(const i32 *S, const secret_word *word, i64 handle, i64 seat) {
    if (word->seen != SEEN_OWNER || !seat) return 0;
    if (word->whose == OF_PLAYER) return handle == seat;
    if (word->whose == OF_THING) return (handle - 1) / word->each + 1 == seat;
    return word->whose == OF_CARD && ZONE_PLAYER[S[AT_WHERE + handle]] == seat;
}
static void forget_card(i32 *S, i64 card) {
    i64 i;
    for (i = 0; i < COLUMNS_N; i++) S[COLUMNS[i] + card] = 0;
}
/* Make 0 of what a seat does not see. */
static void observe(i32 *S, i64 seat) {
    i64 i, k, h, number, o, card;
    for (i = 0; i < SECRETS_N; i++) {
        const secret_word *word = &SECRETS[i];
        for (h = word->whose ? 1 : 0; h <= word->count; h++)
            if (!knows(S, word, h, seat))
                for (k = 0; k < word->width; k++) S[word->base + h * word->width + k] = 0;
    }
    for (i = 0; i < TRAIT_WORDS_N; i++)
        if (!seat || ZONE_PLAYER[S[AT_WHERE + TRAIT_WORDS[i].card]] != seat) S[TRAIT_WORDS[i].at] = 0;
    for (number = 0; number < ZONES_N; number++) {
        const zone_row *z = &ZONES[number];
        for (o = z->low; o <= z->high; o++) {
            if (!hides(z, o, seat)) continue;
            if (z->array) {
                i64 base = z->base + o * z->stride, n = S[base];
                for (i = 1; i <= n; i++) { card = S[base + i]; S[base + i] = 0; forget_card(S, card); }
            } else {
                i64 following;
                for (card = S[z->first + o]; card; card = following) {
                    following = S[AT_NEXT + card];
                    forget_card(S, card);
                }
                S[z->first + o] = S[z->last + o] = 0;
            }
        }
    }
    S[AT_RNG_X] = S[AT_RNG_C] = S[AT_POLICY_X] = S[AT_POLICY_C] = 0;
    fill(S + STACK, SIZE - STACK, 0);
}
/* By team, each part of its rank: what its seats come to. */
static void ranked(context *C, const i32 *S, i64 (*rank)[PARTS]) {
    i64 part, seat;
    for (seat = 0; seat <= PLAYERS; seat++) for (part = 0; part < PARTS; part++) rank[seat][part] = 0;
    for (seat = 1; seat <= PLAYERS; seat++)
        for (part = 0; part < PARTS; part++) rank[TEAM[seat]][part] += rank_part(C, S, part, seat);
}
/* By seat, what the end of a game is worth to it: its share of the win, and by how much it leads. */
static void rewards(context *C, const i32 *S, i64 *reward) {
    i64 teams = 0, t, u, part, seat, best = 0, shares, rank[PLAYERS + 1][PARTS];
    for (seat = 1; seat <= PLAYERS; seat++) if (TEAM[seat] > teams) teams = TEAM[seat];
    ranked(C, S, rank);
    for (shares = 0, t = 1; t <= teams; t++) {
        for (part = 0; best && part < PARTS && rank[t][part] == rank[best][part]; part++);
        if (!best || (part < PARTS && rank[t][part] > rank[best][part])) { best = t; shares = 1; }
        else if (part == PARTS) shares++;
    }
    for (seat = 1; seat <= PLAYERS; seat++) {
        i64 other = 0, lead, any = 0;
        t = TEAM[seat];
        for (u = 1; u <= teams; u++) if (u != t && (!any || rank[u][0] > other)) { other = rank[u][0]; any = 1; }
        lead = most(-MARGIN, least(MARGIN, rank[t][0] - other));
        for (part = 0; part < PARTS && rank[t][part] == rank[best][part]; part++);
        reward[seat] = lead + (part == PARTS ? WIN / shares : 0);
    }
}

#endif
