/* A game goes on: from frame to frame, until somebody is asked or it is over. */
#ifndef PLAY_H
#define PLAY_H
#include "trials.h"
#include "watch.h"

static void fresh(context *C) {
    BEGIN;
    C->pause = FIRST_PAUSE; C->due = due(C, 0);
    C->error = C->trailed = C->used = C->found = 0;
    C->random = C->counts = C->live = C->logs = C->trusted = C->brief = C->only = 0;
    C->host = 0;
    changed(C);
}
static void hear(context *C, listener host, i64 logs) { C->host = host; C->logs = logs && host; }
static void close_game(i32 *S) { S[AT_OVER] = 1; S[AT_SITE] = S[AT_DECIDER] = S[AT_FRAME] = 0; }

/* Whether a frame lies there; words of a saved game may be anything. */
static i64 standing(context *C, const i32 *S, i64 frame) {
    i64 pc;
    if (frame >= STACK && frame + 1 < SIZE) {
        pc = S[frame];
        if (pc > 0 && pc < (i64)(sizeof(SIZES) / sizeof(*SIZES)) && SIZES[pc] && frame + SIZES[pc] <= SIZE) return 1;
    }
    err(C, ERROR_INTERNAL, INTERNAL_BROKEN);
    return 0;
}
/* The first word behind all frames. */
static inline i64 frames_end(const i32 *S) {
    i64 frame = S[AT_FRAME];
    return frame ? frame + SIZES[S[frame]] : STACK;
}

/* Copy a game: all at once, which takes less than to leave out what zones have room for. */
static inline void clone(i32 *to, const i32 *from) { copy(to, from, frames_end(from)); }

/* Have the pending decision told once more. */
static i64 ask(context *C, const i32 *S) {
    i64 frame = S[AT_FRAME];
    BEGIN;
    if (!frame) return ENDED;
    if (!standing(C, S, frame)) return FAILED;
    C->used = C->found = 0;
    return again(C, S, frame, S[frame]);
}
/* The decision that was pending when a host called a routine is pending again. */
static i64 back(context *C, i32 *S, i64 frame) {
    S[AT_SITE] = S[frame + 2]; S[AT_DECIDER] = S[frame + 3]; S[AT_FRAME] = S[frame + 4];
    return ask(C, S);
}
/* Go on with the option that was taken. */
static i64 drive(context *C, i32 *S) {
    i64 frame = S[AT_FRAME];
    if (C->counts && frame && C->live != S[frame] && ask(C, S) < 0) return FAILED;  /* what was counted is needed */
    BEGIN;
    S[AT_SITE] = S[AT_DECIDER] = S[AT_FRAME] = 0;
    while (frame) {
        i64 pc, status;
        if (!C->trusted && !standing(C, S, frame)) return FAILED;
        pc = S[frame];
        if (pc == 1) return back(C, S, frame);
        status = step(C, S, frame, pc);
        if (status) return status;
        if (!C->trusted && S[frame + 1] >= frame) { err(C, ERROR_INTERNAL, INTERNAL_BROKEN); return FAILED; }
        frame = S[frame + 1];
    }
    close_game(S);
    return ENDED;
}
static i64 begin(context *C, i32 *S) {
    i64 status;
    S[AT_STEPS] = 0;
    status = start(C, S, MAIN, STACK, 0);
    if (!status) close_game(S);
    return status;
}
/* A decision has come: what is due is done. Whether nothing went wrong. */
static inline i64 looked_after(context *C, const i32 *S) {
    if (RARE(S[AT_DECISIONS] >= C->due)) asked(C, S, S[AT_SITE], S[AT_DECIDER]);
    return !C->error;
}
/* Any option of those that were counted is taken. */
static i64 any_taken(context *C, i32 *S) {
    C->choice = draw(&S[AT_POLICY_X], &S[AT_POLICY_C], C->found);
    return drive(C, S);
}
/* The words of a new game, with the generators of its seed. */
static void deal_out(i32 *S, const i32 *initial, i64 n, u64 seed_) {
    copy(S, initial, n);
    seed(&S[AT_RNG_X], &S[AT_RNG_C], seed_);
}
/* The seed of a game of a series. */
static inline u64 own_seed(u64 series, i64 number) { return mixed(mixed(series) + (u64)number); }
/* The generator of whoever decides in the game with this seed. */
static inline u64 policy_seed(u64 seed_) { return mixed(seed_ ^ 0x706F6C696379ull); }

/* What is told of a game: decisions, forced ones, rounds, then each part of the rank by seat. */
static void tell_game(context *C, const i32 *S, i64 *row) {
    i64 part, seat;
    row[0] = S[AT_DECISIONS]; row[1] = S[AT_FORCED]; row[2] = S[AT_ROUND];
    for (part = 0; part < PARTS; part++)
        for (seat = 1; seat <= PLAYERS; seat++) row[2 + part * PLAYERS + seat] = rank_part(C, S, part, seat);
}

#endif
