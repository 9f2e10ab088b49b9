/* What a library keeps beside the words of a game. There is one context for each thread that plays, and nothing else
   that changes: whoever has a context of his own is disturbed by nobody.

   An error sets `error`, `number` and `values`, and every function returns; on the way out each notes its number in
   `trail`. Kinds of errors are the constants ERROR_...; `number` is an entry of the table of messages, of the source,
   or says what is wrong inside (INTERNAL_...). */
#ifndef CONTEXT_H
#define CONTEXT_H
#include "base.h"
#include "program.h"

enum {
    TRAIL = 10000,       /* functions that are noted on the way out of an error */
    PATIENCE = 20000,    /* decisions, about, after which it is asked again whether it is to stop */
    A_GAME = 100,        /* decisions of one */
    NOTES = 4096,        /* words that trials change, after which the whole state is kept */
    REMEMBERED = 9,      /* trials that are remembered: bits of their places */
    ENDLESS = 100000000  /* turns of loops between two decisions (of a playout: to its end), where they are counted */
};

/* Somebody who hears what is told, and is asked for fixed dice. -1: no answer; -2: it raised something. */
typedef i64 (*listener)(i64 kind, i64 number, i64 n, i64 *args);

enum { BRIEF = 1, WHOLE };  /* how offers tell, where something of each action is enough */
enum { TOLD_OPEN = 1, TOLD_LINE, TOLD_CLOSE };  /* kinds of what is told; of other kinds `backends.native.routines` */

/* Of the interpreter that calls, if one does: whether the user wants it to stop; let other threads have it meanwhile,
   and take it again. Each may be 0. */
typedef struct {
    int (*stop)(void);
    void *(*leave)(void);
    void (*enter)(void *);
} interpreter;

/* What came of a trial: the number of the last change before it; its routine and arguments. */
typedef struct { i64 since, answer, asked[TRIED]; } outcome;

typedef struct context {
    i64 error, number, values_n;
    /* Decisions by number: whether options are counted, not listed, and which is taken (`random`: any); `live` is the
       point whose counts are kept, or 0. */
    i64 counts, random, choice, live;
    /* What is watched: decisions of a game at most, whether invariants are tested, the decision and the step from which
       on something is due, and what tells whether the user wants it to stop. */
    i64 most, holds, due, pause, patience;
    i64 horizon;     /* of a search: the last round that it plays; 0: all */
    interpreter python;
    void *away;      /* while a long call has given the interpreter back: what it is taken again with */
    listener host;
    i64 logs;
    /* Who notes the game inside of the library, in the place of a host; or 0. */
    void (*noter)(struct context *C, i64 kind, i64 number, i64 n, const i64 *args);
    void *more;      /* of a room that plays in a way of its own: what it keeps */
    i64 value;       /* of the routine that returned last */
    i64 given_n;     /* the option that was taken: its tag, then its values */
    /* Options, each as `n, n words`, or reasons, each as `n, number, values`: `found` of them, `used` words of `room`.
       A value of a reason takes two words, its low half first. */
    i32 *out;
    i64 room, used, found;
    /* An offer is told briefly where that is enough: whether it is asked for, and what became of it (BRIEF or WHOLE; 0:
       not asked for). `only`: 0, or tags as bits, of which all is told, and of others nothing. */
    i64 brief;
    u64 only;
    i64 trusted;     /* the words are those of a game that began here */
    i64 turns;       /* of loops since the last decision, where they are counted */
    /* Where the words `fall_from` .. `fall_to` - 1 go as they are when the curtain of `secretly` falls, or 0. */
    i32 *fallen;
    i64 fall_from, fall_to;
    i64 given[64], values[VALUES];
    /* What trials have changed, to be taken back: words with what they were. If there are more, the state as it was
       then is `spare`, until the trial ends (`spared`). */
    struct { i32 at, was; } notes[NOTES];
    i64 noted, spared;
    i32 spare[SIZE];
    /* What came of trials, each where `recall` looks for it. It holds for the state as it was from one change on:
       `since` is the number of the last one (in a trial, of one of its own), `changes` the highest. */
    outcome outcomes[1 << REMEMBERED];
    i64 since, changes;
    struct kept kept;            /* counts of the pending decision */
    i64 trailed, trail[TRAIL];   /* functions on the way out of an error, the innermost first */
} context;

static COLD void err(context *C, i64 kind, i64 number) {
    if (!C->error) { C->error = kind; C->number = number; C->values_n = 0; }
}
static COLD void trail(context *C, i64 function) { if (C->trailed < TRAIL) C->trail[C->trailed++] = function; }

/* Whether nothing can go on: the host or the user wants it to stop, or the library is at fault. Other errors are of the
   game that is played, and a search goes on with the next one. */
static inline i64 stopped(const context *C) { return C->error == ERROR_HOST || C->error == ERROR_INTERNAL; }

/* Whoever hears it may fail: then nothing more is told, and the call that led here answers that it failed. */
static COLD i64 tell(context *C, i64 kind, i64 number, i64 n, i64 *args) {
    i64 told;
    if (C->noter) { if (!C->error) C->noter(C, kind, number, n, args); return -1; }
    told = C->error ? -1 : C->host(kind, number, n, args);
    if (told == -2) err(C, ERROR_HOST, 0);
    return told < 0 ? -1 : told;
}
/* Whether it is to stop. Asking takes time, so it is done once in so many decisions, about; `done`: those since. */
static COLD i64 polled(context *C, i64 done) {
    if (C->error || !C->python.stop || (C->patience -= done) > 0) return C->error;
    C->patience = PATIENCE;
    if (C->away) C->python.enter(C->away);
    if (C->python.stop()) err(C, ERROR_HOST, 0);
    if (C->away) C->away = C->python.leave();
    return C->error;
}
/* The curtain falls; within it, it cannot fall again. */
static COLD void fall(context *C, const i32 *S) {
    if (S[AT_CURTAIN] == 1) copy(C->fallen + C->fall_from, S + C->fall_from, C->fall_to - C->fall_from);
}
/* Around a long call that hears no host. */
static inline void leave(context *C) { C->away = C->python.leave ? C->python.leave() : 0; }
static inline void enter(context *C) { if (C->away) { C->python.enter(C->away); C->away = 0; } }

/* ---- lists of options and of reasons */

static inline void put(context *C, i64 value) {
    if (C->used < C->room) C->out[C->used] = (i32)value;
    C->used++;
}
static inline void put_value(context *C, i64 value) { put(C, value); put(C, value >> 32); }
static inline void option(context *C, const i32 *from) {
    i64 i;
    C->given_n = from[0];
    for (i = 0; i < C->given_n && i < 64; i++) C->given[i] = from[1 + i];
}
/* A trial was refused: that is one of the reasons. */
static COLD void refused(context *C) {
    i64 i;
    put(C, 2 * C->values_n + 1); put(C, C->number);
    for (i = 0; i < C->values_n; i++) put_value(C, C->values[i]);
    C->found++; C->error = 0; C->trailed = 0;
}

/* ---- addresses: for words that may be none of a game each is tested, and every turn of a loop is counted */

#ifdef CHECKED
static COLD i64 broken(context *C) { err(C, ERROR_INTERNAL, INTERNAL_BROKEN); return 0; }
static SMALL i64 outside(context *C, i64 i, i64 n) { return RARE(i < 0 || i + n > SIZE) ? broken(C) : i; }
static SMALL i64 within(context *C, i64 i, i64 n) { return RARE(i < 0 || i >= n) ? broken(C) : i; }
static SMALL i64 going(context *C) {
    if (RARE(++C->turns > ENDLESS)) broken(C);
    return !C->error;
}
#define I(i) outside(C, i, 1)
#define J(i, n) outside(C, i, n)
#define T(i, n) within(C, i, n)
#define GO going(C)
#define BEGIN (C->turns = 0)
#define FILLED(row, n) all_bits(n)
#define ABOVE(row, n, word) all_bits(n)
#define TOTAL(row, n) total(&S[J(row, n)], n)
#else
#define I(i) (i)
#define J(i, n) (i)
#define T(i, n) (i)
#define GO 1
#define BEGIN (void)0
#define FILLED(row, n) filled(&S[row], n)
#define ABOVE(row, n, word) above(&S[row], n, (i32)(word))
#define TOTAL(row, n) total(&S[row], n)
#endif

#endif
