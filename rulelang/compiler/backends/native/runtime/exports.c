/* What the library exports for playing: functions that start with `rl_`, each with numbers and arrays only. */
#include "play.h"

API i64 rl_size(void) { return SIZE; }
API i64 rl_width(void) { return WIDTH; }
/* How many bytes a context takes, and make one of them. They begin at an address that a pointer may have. */
API i64 rl_context_size(void) { return sizeof(context); }
API void rl_context(context *C) {
    unsigned char *bytes = (unsigned char *)C;
    i64 i;
    for (i = 0; i < (i64)sizeof(context); i++) bytes[i] = 0;
    C->most = 100000;
}

API void rl_buffer(context *C, i32 *out, i64 room) { C->out = out; C->room = room; }
API void rl_watch(context *C, i64 most, i64 holds) { C->most = most; C->holds = holds; }
API void rl_interpreter(context *C, int (*stop)(void), void *(*leave)(void), void (*enter)(void *)) {
    C->python.stop = stop; C->python.leave = leave; C->python.enter = enter;
}

API i64 rl_begin(context *C, i32 *S, listener host, i64 logs) {
    i64 status;
    fresh(C); hear(C, host, logs);
    status = begin(C, S);
    return C->error ? FAILED : status;
}
API i64 rl_resume(context *C, i32 *S, listener host, i64 logs, const i64 *given, i64 n) {
    i64 i;
    fresh(C); hear(C, host, logs);
    C->given_n = n;
    for (i = 0; i < n && i < 64; i++) C->given[i] = given[i];
    i = drive(C, S);
    return C->error ? FAILED : i;
}
API i64 rl_options(context *C, i32 *S) { fresh(C); return ask(C, S); }

/* Run a routine above the pending decision, which is pending again when the routine has ended. */
API i64 rl_call(context *C, i32 *S, listener host, i64 logs, i64 number, i64 *args, i64 pauses) {
    i64 waiting = S[AT_FRAME], base = STACK, status;
    fresh(C); hear(C, host, logs);
    if (waiting && !standing(C, S, waiting)) return FAILED;
    if (waiting) base = waiting + SIZES[S[waiting]];
    S[AT_STEPS] = 0;
    if (!pauses) {
        status = start(C, S, number, base, args);
        return C->error ? FAILED : status ? status : ask(C, S);
    }
    if (base + SIZES[1] > SIZE) { err(C, ERROR_STACK, 0); return FAILED; }
    S[base] = 1; S[base + 1] = 0; S[base + 2] = S[AT_SITE]; S[base + 3] = S[AT_DECIDER]; S[base + 4] = (i32)waiting;
    S[AT_SITE] = S[AT_DECIDER] = S[AT_FRAME] = 0;
    status = start(C, S, number, base + SIZES[1], args);
    if (C->error) return FAILED;
    if (!status) return back(C, S, base);
    if (status == PAUSED) S[base + SIZES[1] + 1] = (i32)base;
    return status;
}
API i64 rl_pure(context *C, i32 *S, i64 number, i64 *args) { fresh(C); return pure(C, S, number, args); }
/* Many of them for one state: of each call its function and what it is given, at most one number. For each the value,
   then whether it failed. */
API void rl_pures(context *C, i32 *S, i64 n, i64 *calls, i64 *into) {
    i64 i;
    for (i = 0; i < 2 * n; i += 2) {
        fresh(C);
        into[i] = pure(C, S, calls[i], calls + i + 1);
        into[i + 1] = C->error != 0;
    }
}
API i64 rl_plain(context *C, i32 *S, i64 number, i64 *args) { fresh(C); return plain(C, S, number, args); }
API i64 rl_why(context *C, i32 *S, i64 number, i64 *args) {
    fresh(C); why(C, S, number, args);
    return C->error ? FAILED : C->found;
}

/* Play on to the end. `mode` 0: options are counted, and one is found again; 1: by rejection; 2: as 0, but pausing at
   every decision. */
static i64 playout(context *C, i32 *S, i64 mode) {
    i64 status;
    fresh(C);
    if (mode == 1 && !S[AT_FRAME]) {
        S[AT_STEPS] = 0;
        sampled(C, S);
        if (C->error) return FAILED;
        close_game(S);
        if (C->holds) hold(C, S);
        return C->error ? FAILED : ENDED;
    }
    C->counts = 1;
    if (S[AT_FRAME]) { status = ask(C, S); C->random = mode != 2; }
    else { C->trusted = 1; C->random = mode != 2; status = begin(C, S); }
    while (status == PAUSED) {  /* without a pause at each: once, but for decisions under a host's call */
        if (!looked_after(C, S)) return FAILED;
        status = any_taken(C, S);
    }
    if (C->holds && !status && !C->error) hold(C, S);
    return C->error ? FAILED : status;
}
API i64 rl_playout(context *C, i32 *S, i64 mode) {
    i64 status;
    leave(C);
    status = playout(C, S, mode);
    enter(C);
    return status;
}
/* The words of the next game of a series; nothing if it is to stop. */
static i64 next_game(context *C, i32 *S, const i32 *initial, u64 own) {
    C->error = 0;
    if (RARE(polled(C, A_GAME))) return 0;
    deal_out(S, initial, STACK, own);
    seed(&S[AT_POLICY_X], &S[AT_POLICY_C], policy_seed(own));
    return 1;
}
/* Whole games of a series, from the `first` on; answers how many, less than `n` if one fails. */
API i64 rl_play_many(context *C, i32 *S, const i32 *initial, u64 series, i64 first, i64 n, i64 mode, i64 *rows) {
    i64 i;
    leave(C);
    for (i = 0; i < n; i++) {
        if (!next_game(C, S, initial, own_seed(series, first + i)) || playout(C, S, mode)) break;
        tell_game(C, S, rows + i * WIDTH);
        if (C->error) break;
    }
    enter(C);
    return i;
}
/* Of each row of a series the seat that wins alone, by score, then by each tiebreak; 0 where several do. */
API void rl_winners(const i64 *rows, i64 n, unsigned char *winners) {
    i64 i, part, seat;
    for (i = 0; i < n; i++, rows += WIDTH) {
        i64 best = 1, even = 0;
        for (seat = 2; seat <= PLAYERS; seat++) {
            i64 more = 0;
            for (part = 0; part < PARTS && !more; part++) {
                const i64 *by_seat = rows + 2 + part * PLAYERS;
                more = by_seat[seat] - by_seat[best];
            }
            if (more > 0) { best = seat; even = 0; }
            else if (!more) even = 1;
        }
        winners[i] = (unsigned char)(even ? 0 : best);
    }
}

static i64 differing(const i32 *S, const i32 *other, i64 begin, i64 stop, i32 *into) {
    i64 i, end, n = 0;
    for (; begin < stop; begin = end) {
        end = begin + 64 < stop ? begin + 64 : stop;
        if (equal_words(S + begin, other + begin, end - begin)) continue;
        for (i = begin; i < end; i++)
            if (S[i] != other[i]) into[n++] = (i32)i;
    }
    return n;
}
/* Where the words of two states differ; answers at how many places. */
API i64 rl_changed(const i32 *S, const i32 *other, i32 *into) { return differing(S, other, 0, SIZE, into); }
/* The same of some runs of words, each from where it begins to before where it ends. */
API i64 rl_changed_in(const i32 *S, const i32 *other, const i32 *runs, i64 n, i32 *into) {
    i64 i, found = 0;
    for (i = 0; i < n; i++) found += differing(S, other, runs[2 * i], runs[2 * i + 1], into + found);
    return found;
}

API i64 rl_values(void) { return VALUES; }
/* The error record: kind, number, how many values, length of the trail, options, words used, values. */
API i64 rl_error(context *C, i64 *into) {
    i64 i;
    into[0] = C->error; into[1] = C->number; into[2] = C->values_n; into[3] = C->trailed;
    into[4] = C->found; into[5] = C->used;
    for (i = 0; i < VALUES; i++) into[6 + i] = C->values[i];
    return C->error;
}
API void rl_trail(context *C, i64 *into) { i64 i; for (i = 0; i < C->trailed; i++) into[i] = C->trail[i]; }
