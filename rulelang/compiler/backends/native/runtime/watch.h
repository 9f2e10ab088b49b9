/* What is looked at now and then while a game runs. */
#ifndef WATCH_H
#define WATCH_H
#include "context.h"
#include "rules.h"

/* Decisions between two looks, where invariants are not tested at each; steps between two. */
enum { LOOK = 250, FIRST_PAUSE = STEP_LIMIT < 20000 ? STEP_LIMIT + 1 : 20000 };

static inline i64 due(const context *C, i64 decisions) {
    return C->holds || C->horizon ? 0 : least(C->most + 1, decisions + LOOK);
}

/* A decision at which something is due, before it is taken. */
static COLD void asked(context *C, const i32 *S, i64 site, i64 player) {
    i64 n = S[AT_DECISIONS];
    if (C->horizon && S[AT_ROUND] > C->horizon) { err(C, ERROR_ENOUGH, 0); return; }
    C->pause = FIRST_PAUSE; C->due = due(C, n);
    if (C->holds) hold(C, S);
    if (!C->error && n > C->most) { err(C, ERROR_MANY, site); C->values[0] = player; C->values_n = 1; }
    if ((!C->holds && !C->horizon) || n % LOOK == 0) polled(C, LOOK);
}
/* A step at which something is due: whether there were too many, or it is to stop. */
static COLD i64 still(context *C, const i32 *S) {
    C->pause += FIRST_PAUSE;
    return polled(C, LOOK) || S[AT_STEPS] > STEP_LIMIT;
}

#endif
