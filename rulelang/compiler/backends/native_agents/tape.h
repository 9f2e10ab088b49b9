/* What is noted of games while they are played: the same as `rulelang.engine.noting`, number for number. All arrays are the
   caller's. Seats are bits of a word: that of seat s is 1 << s. */
#ifndef TAPE_H
#define TAPE_H
#include "../native/runtime/base.h"

enum { OPENED = 256, MOMENTS = 16, ON_BEARER = 2 };  /* events in each other; moments of a game at which it is noted who leads */

typedef struct { i32 *rows; i64 room, used, width; } tape_table;  /* `used` counts rows, those without room too */

typedef struct tape {
    /* What the caller lays out, in words of 64 bits, addresses among them (`rulelang.native_agents.noting`). First
       what is written down: moves of cards, events and decisions; no rows, no room: nothing. */
    tape_table moves, events, decisions;
    /* Of a table. By zone id: its place among those where cards are noted, or -1; whether what lies there is in force
       (ON_BEARER: for a thing that is no player), and whether it is a hand. By card: its trait, 0 for none or several. By site: the number of its first choice,
       which is to pass; its actions follow. By choice: bits of arguments that are cards. By template: whether it is an
       action. */
    const i32 *place, *force, *hand, *printed, *choice_at, *card_args, *acts;
    i64 places, traits, pairs, choices, face, actor;
    /* Of all games: by template, by choice; by template and card, how often it left a hand then. */
    i64 *reached, *offered, *taken, *used;
    /* Of a game: by place and card, who had it there; by place `places`, who played it;
       by trait, who had it in force; by card, in which zone it lies; by pair of traits, who had both on one bearer; who
       led halfway; whether it was arranged. */
    i32 *row;
    /* How a game is arranged at its first decision: 0 not at all; else none of these cards (by card) in the hand of
       the seat, and with 2 one of them in the place of another. */
    const unsigned char *wanted;
    i64 arranged;
    i32 *lay, *marks;  /* by card, where it lay; by choice, the decision at which it was offered last, from 1 */
    /* Of the game that is played. `open`: events that have not ended, `begun`: their
       templates. */
    const i32 *S;
    i64 game, number, open_n, open[OPENED], begun[OPENED], moments, step, asked, led[MOMENTS];
} tape;

#endif
