/* Trials: an action is run on the state itself, and taken back. What its functions change they note before. */
#ifndef TRIALS_H
#define TRIALS_H
#include "zones.h"

/* What a trial begins with. `words`: those that change in many places, and are not noted. */
typedef struct {
    i64 noted, spared, logs, since, refused;
    listener host;
    i32 words[8];
} trial;

static COLD void spare(context *C, const i32 *S) { copy(C->spare, S, STACK); C->spared = 1; }
/* Where a trial runs that begins when there is no room for notes: on a copy. */
static COLD i32 *apart(context *C, const i32 *S, i32 *place) {
    if (!C->spared) spare(C, S);
    copy(place, S, STACK);
    return place;
}
static SMALL void note(context *C, const i32 *S, i64 at) {
    if (RARE(C->noted == NOTES)) { if (!C->spared) spare(C, S); return; }
    C->notes[C->noted].at = (i32)at; C->notes[C->noted++].was = S[at];
}
static inline void note_run(context *C, const i32 *S, i64 at, i64 n) {
    i64 i;
    for (i = 0; i < n && GO; i++) note(C, S, I(at + i));
}

static inline trial attempt(context *C, const i32 *S) {
    trial t = {C->noted, C->spared, C->logs, C->since, 0, C->host, {
        S[AT_STEPS], S[AT_DECISIONS], S[AT_FORCED], S[AT_CURTAIN],
        S[AT_RNG_X], S[AT_RNG_C], S[AT_POLICY_X], S[AT_POLICY_C]}};
    C->host = 0; C->logs = 0;
    return t;
}
/* The state is what it was before the trial. */
static inline void take_back(context *C, i32 *S, const trial *t) {
    i64 i;
    if (RARE(C->spared > t->spared)) { copy(S, C->spare, STACK); C->spared = 0; }
    for (i = C->noted; i > t->noted; i--) S[C->notes[i - 1].at] = C->notes[i - 1].was;
    C->noted = t->noted;
    S[AT_STEPS] = t->words[0]; S[AT_DECISIONS] = t->words[1]; S[AT_FORCED] = t->words[2]; S[AT_CURTAIN] = t->words[3];
    S[AT_RNG_X] = t->words[4]; S[AT_RNG_C] = t->words[5]; S[AT_POLICY_X] = t->words[6]; S[AT_POLICY_C] = t->words[7];
    C->host = t->host; C->logs = t->logs; C->since = t->since;
}
/* ---- what came of trials, for whoever asks the same again while nothing has changed */

static inline void changed(context *C) { C->since = ++C->changes; }
/* Where it is kept what came of a routine and its arguments. */
static inline outcome *recall(context *C, const i64 *asked) {
    u64 h = 0;
    i64 i;
    for (i = 0; i < TRIED; i++) h = (h ^ (u64)asked[i]) * 0x9E3779B97F4A7C15ull;
    return &C->outcomes[h >> (64 - REMEMBERED)];
}
static inline i64 same(const outcome *kept, const i64 *asked) {
    i64 i, other = 0;
    for (i = 0; i < TRIED; i++) other |= kept->asked[i] ^ asked[i];
    return !other;
}
static inline i64 keep(context *C, outcome *kept, const i64 *asked, i64 answer) {
    i64 i;
    if (C->error) return answer;
    for (i = 0; i < TRIED; i++) kept->asked[i] = asked[i];
    kept->since = C->since; kept->answer = answer;
    return answer;
}
/* ---- what changes zones, noted */

static inline i64 try_drop(context *C, i32 *S, i64 zone, i64 value) {
    i64 i, n = S[I(zone)];
    for (i = 1; i <= n && GO; i++) if (S[I(zone + i)] == value) break;
    if (i > n) return 0;
    note(C, S, I(zone));
    S[I(zone)] = (i32)(n - 1);
    for (; i < n && GO; i++) { note(C, S, I(zone + i)); S[I(zone + i)] = S[I(zone + i + 1)]; }
    return 1;
}
static inline void try_push(context *C, i32 *S, i64 zone, i64 value) {
    i64 n = S[I(zone)] + 1;
    note(C, S, I(zone)); note(C, S, I(zone + n));
    S[I(zone)] = (i32)n; S[I(zone + n)] = (i32)value;
}
static inline void try_bury(context *C, i32 *S, i64 zone, i64 value) {
    note_run(C, S, zone, S[I(zone)] + 2);
    bury(C, S, zone, value);
}
static inline void note_where(context *C, const i32 *S, i64 from, i64 n, i64 where) {
    i64 i;
    for (i = 0; i < n && GO; i++) note(C, S, I(where + S[I(from + i)]));
}
static inline void try_deal(context *C, i32 *S, i64 from, i64 to, i64 n, i64 where, i64 id) {
    note(C, S, I(from)); note(C, S, I(to));
    note_run(C, S, to + S[I(to)] + 1, n);
    note_where(C, S, from + S[I(from)] - n + 1, n, where);
    deal(C, S, from, to, n, where, id);
}
static inline void try_pour(context *C, i32 *S, i64 from, i64 to, i64 where, i64 id, i64 bottom) {
    i64 n = S[I(from)], m = S[I(to)];
    note(C, S, I(from)); note(C, S, I(to));
    note_run(C, S, bottom ? to + 1 : to + m + 1, bottom ? m + n : n);
    note_where(C, S, from + 1, n, where);
    pour(C, S, from, to, where, id, bottom);
}
static inline void try_mix(context *C, i32 *S, i64 zone, i32 *x, i32 *c) {
    note_run(C, S, zone + 1, S[I(zone)]);
    mix(C, S, zone, x, c);
}

#endif
