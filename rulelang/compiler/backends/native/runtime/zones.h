/* Array zones (`[count, items ...]`, the bottom first) and chains of the state. */
#ifndef ZONES_H
#define ZONES_H
#include "context.h"

enum { A_FEW = 16 };  /* cards of a zone that are all looked at where one leaves */

static inline i64 has(context *C, const i32 *S, i64 zone, i64 value) {
    i64 i, n = S[I(zone)];
    (void)C;
    for (i = 1; i <= n && GO; i++) if (S[I(zone + i)] == value) return 1;
    return 0;
}
static SMALL void push(context *C, i32 *S, i64 zone, i64 value) {
    i64 n = S[I(zone)] + 1;
    (void)C;
    S[I(zone)] = (i32)n;
    S[I(zone + n)] = (i32)value;
}
static inline void bury(context *C, i32 *S, i64 zone, i64 value) {
    i64 i, n = S[I(zone)];
    (void)C;
    S[I(zone)] = (i32)(n + 1);
    for (i = n; i > 0 && GO; i--) S[I(zone + i + 1)] = S[I(zone + i)];
    S[I(zone + 1)] = (i32)value;
}
static i64 drop_of_many(context *C, i32 *S, i64 zone, i64 value) {
    i64 i, n = S[I(zone)];
    (void)C;
    for (i = 1; i <= n && GO; i++) if (S[I(zone + i)] == value) break;
    if (i > n) return 0;
    slide(&S[J(zone + i, n - i + 1)], &S[J(zone + i, n - i + 1)] + 1, n - i);
    S[I(zone)] = (i32)(n - 1);
    return 1;
}
static inline i64 drop(context *C, i32 *S, i64 zone, i64 value) {  /* without a jump that cannot be foretold */
    i64 i, to = 1, n = S[I(zone)];
#if defined(WORDS_AT_ONCE) && !defined(CHECKED)
    if (SIZE - STACK > SOON && n <= SOON) {
        if (!taken_out(&S[zone + 1], n, (i32)value)) return 0;
        S[zone] = (i32)(n - 1);
        return 1;
    }
#endif
    if (n > A_FEW) return drop_of_many(C, S, zone, value);
    for (i = 1; i <= n && GO; i++) { i32 item = S[I(zone + i)]; S[I(zone + to)] = item; to += item != value; }
    if (to > n) return 0;
    S[I(zone)] = (i32)(n - 1);
    return 1;
}
static inline void deal(context *C, i32 *S, i64 from, i64 to, i64 n, i64 where, i64 id) {
    i64 i, top = S[I(from)], end = S[I(to)];
    (void)C;
    for (i = 0; i < n && GO; i++) {
        i32 card = S[I(from + top - i)];
        S[I(to + end + 1 + i)] = card;
        S[I(where + card)] = (i32)id;
    }
    S[I(from)] = (i32)(top - n); S[I(to)] = (i32)(end + n);
}
static inline void pour(context *C, i32 *S, i64 from, i64 to, i64 where, i64 id, i64 bottom) {
    i64 i, n = S[I(from)], m = S[I(to)], at = bottom ? 1 : m + 1;
    (void)C;
    if (bottom) for (i = m; i > 0 && GO; i--) S[I(to + i + n)] = S[I(to + i)];
    for (i = 0; i < n && GO; i++) {
        i32 card = S[I(from + 1 + i)];
        S[I(to + at + i)] = card;
        S[I(where + card)] = (i32)id;
    }
    S[I(from)] = 0; S[I(to)] = (i32)(m + n);
}
static inline void mix(context *C, i32 *S, i64 zone, i32 *x, i32 *c) {
    i64 i, a = *x, b = *c;  /* in registers: what is swapped might lie where the generator does */
    (void)C;
    for (i = S[I(zone)]; i > 1 && GO; i--) {
        i64 k = ((a ^ b) * i) >> 30, t = a * 998578647 + b;
        i32 v = S[I(zone + 1 + k)];
        a = t & 1073741823; b = t >> 30;
        S[I(zone + 1 + k)] = S[I(zone + i)];
        S[I(zone + i)] = v;
    }
    *x = (i32)a; *c = (i32)b;
}

/* ---- items that look alike, by a table that has the look of each as a number from 0 on: functions of a table */

/* Of the items of a zone those whose look did not come before; none where that is no zone. `words`: that have a bit for
   each look. */
#define DISTINCT(name, looks, words) \
static i64 name(context *C, const i32 *S, i64 zone, i64 *out) { \
    i64 n = 0, i, end; \
    u64 seen[words]; \
    (void)C; \
    if (zone < 0 || zone >= SIZE) return 0; \
    end = S[zone]; \
    if (end < 0 || zone + end >= SIZE) return 0; \
    for (i = 0; i < words; i++) seen[i] = 0; \
    for (i = 1; i <= end; i++) { \
        i64 item = S[zone + i], look; \
        if (item < 0 || item >= (i64)(sizeof(looks) / sizeof(*looks))) return 0; \
        look = looks[item]; \
        out[n] = item; n += ~(seen[look >> 6] >> (look & 63)) & 1;  /* no jump: nobody foretells what is new */ \
        seen[look >> 6] |= (u64)1 << (look & 63); \
    } \
    return n; \
}
/* Whether an item of a zone is the first there of those that look like it. */
#define FIRST(kind, name, looks) \
static kind i64 name(context *C, const i32 *S, i64 zone, i64 value) { \
    i64 i, look = looks[value]; \
    (void)C; \
    for (i = zone + 1; S[I(i)] != value; i++) if (looks[S[I(i)]] == look) return 0; \
    return 1; \
}

#endif
