/* Stands for what is made from a ruleset, as `program.h` does: a game that is over at once. */
#include "rules.h"

static i64 start(context *C, i32 *S, i64 number, i64 base, i64 *args) {
    (void)S; (void)base; (void)args;
    if (number == MAIN) return ENDED;
    err(C, ERROR_INTERNAL, INTERNAL_FUNCTION);
    return FAILED;
}
static i64 step(context *C, i32 *S, i64 frame, i64 pc) {
    (void)S; (void)frame; (void)pc;
    err(C, ERROR_INTERNAL, INTERNAL_POINT);
    return FAILED;
}
static i64 again(context *C, const i32 *S, i64 frame, i64 pc) {
    (void)S; (void)frame; (void)pc;
    err(C, ERROR_INTERNAL, INTERNAL_POINT);
    return FAILED;
}
static i64 pure(context *C, const i32 *S, i64 number, i64 *args) {
    (void)S; (void)number; (void)args;
    err(C, ERROR_INTERNAL, INTERNAL_FUNCTION);
    return 0;
}
static i64 why(context *C, const i32 *S, i64 number, i64 *args) { return pure(C, S, number, args); }
static i64 plain(context *C, i32 *S, i64 number, i64 *args) { return pure(C, S, number, args); }
static void sampled(context *C, i32 *S) { (void)C; (void)S; }
static void hold(context *C, const i32 *S) { (void)C; (void)S; }
static i64 rank_part(context *C, const i32 *S, i64 part, i64 seat) {
    (void)C; (void)S; (void)part;
    return seat;
}
