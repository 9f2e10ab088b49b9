/* Stands for what is made from a ruleset (`rulelang/compiler/backends/native/emit.py`), so that an editor, and a test, can
   compile these files: the constants and tables of a game with one card and two players, in which nothing happens. */
#ifndef PROGRAM_H
#define PROGRAM_H
#include "base.h"

enum {
    /* errors, and answers */
    ERROR_FAIL = 1, ERROR_RANGE, ERROR_STEPS, ERROR_DEPTH, ERROR_STACK, ERROR_ENSURE, ERROR_HOST, ERROR_INTERNAL,
    ERROR_MANY, ERROR_UNTRUE, ERROR_ENOUGH, ERROR_UNSOUND,
    INTERNAL_POINT = 4, INTERNAL_FUNCTION, INTERNAL_CROWDED = 9, INTERNAL_BROKEN = 11,
    ENDED = 0, PAUSED = 1, FAILED = -1,
    /* steps between two decisions; the state: its words, where its control stack begins, where single words lie */
    STEP_LIMIT = 100000, SIZE = 40, STACK = 20,
    AT_ROUND = 0, AT_STEPS, AT_FRAME, AT_SITE, AT_DECIDER, AT_OVER, AT_DECISIONS, AT_FORCED, AT_CURTAIN,
    AT_RNG_X, AT_RNG_C, AT_POLICY_X, AT_POLICY_C,
    /* the routine that is the whole game; seats; the score and its tiebreaks; words that are told of a game */
    MAIN = 0, PLAYERS = 2, PARTS = 1, WIDTH = 3 + PARTS * PLAYERS,
    /* values that an error tells at most */
    VALUES = 16,
    /* words of a trial at most: its routine, and its arguments */
    TRIED = 4,
    /* cards, card 0 among them, and where lies of each its zone, and its neighbours there; words of an option at most */
    CARDS = 2, AT_WHERE = 12, AT_NEXT = 14, AT_PREV = 16, OPTION = 4
};
static const unsigned char SIZES[] = {0, 5};  /* of frames, by the point where they wait; 0: there is no such point */

/* What stays of a count until an option is taken: the arrays of the functions that pause. */
struct kept { i64 none; };

#endif
