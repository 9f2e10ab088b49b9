/* What a program tells the rest of the library: the functions that are made from a ruleset. Numbers of functions are
   those of the error record. Answers of what may wait: PAUSED, with the options told; FAILED; else ENDED. */
#ifndef RULES_H
#define RULES_H
#include "context.h"

/* Begin a routine, with its frame at `base`; go on with the frame that waits at the point `pc`. */
static i64 start(context *C, i32 *S, i64 number, i64 base, i64 *args);
static i64 step(context *C, i32 *S, i64 frame, i64 pc);
/* Tell the options of the decision at that point, of a frame that waits there: PAUSED, or FAILED. */
static i64 again(context *C, const i32 *S, i64 frame, i64 pc);
/* A value; why an action is refused; a routine that never waits. */
static i64 pure(context *C, const i32 *S, i64 number, i64 *args);
static i64 why(context *C, const i32 *S, i64 number, i64 *args);
static i64 plain(context *C, i32 *S, i64 number, i64 *args);
/* A whole game, each decision drawn by rejection where that pays. */
static void sampled(context *C, i32 *S);
/* The invariants: the error ERROR_UNTRUE if one does not hold. */
static void hold(context *C, const i32 *S);
/* A seat's score (part 0), or its tiebreaks. */
static i64 rank_part(context *C, const i32 *S, i64 part, i64 seat);

#endif
