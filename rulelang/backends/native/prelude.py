"""The fixed part of every generated C file: types, the error record, the generator, the lists of options and reasons.

An error sets the record (`E` its kind, `ENUM` a number, `EARG` values) and every function returns; on the way out each
notes its number in `TRAIL`. Kinds: see the constants below.
"""

from __future__ import annotations

FAIL, RANGE, STEPS, DEPTH, STACK, ENSURE, HOST, INTERNAL, MANY, UNTRUE = range(1, 11)

#: The internal error of a playout whose options do not fit into the buffer: it is played again with a larger one.
CROWDED = 9
#: The number of an internal error: a search tree needs more room.
TREE = 10

#: The internal error of a frame or a list in it that cannot be: the words are not those of a game.
BROKEN = 11

#: Rounds of an enumerator's outermost loop whose counts are noted; beyond them the decoder counts again.
MEMO = 128
#: Turns of loops between two decisions (of a playout: to its end) after which words that were altered lead nowhere.
ENDLESS = 100_000_000

TEXT = """\
typedef int i32;
typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;
#if defined(_WIN32)
#define API __declspec(dllexport)
#elif defined(__GNUC__) && !defined(__TINYC__)
#define API __attribute__((visibility("default")))
#else
#define API
#endif
#if defined(__GNUC__) && !defined(__TINYC__)
#define RARE(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((cold, noinline))
#else
#define RARE(x) (x)
#define COLD
#endif
#ifdef CHECKED  /* for words that may be none of a game: every address is tested, and every turn of a loop is counted */
static i64 outside(i64 i, i64 n);
static i64 within(i64 i, i64 n);
static i64 going(void);
#define I(i) outside(i, 1)
#define J(i, n) outside(i, n)
#define T(i, n) within(i, n)
#define GO going()
#else
#define I(i) (i)
#define J(i, n) (i)
#define T(i, n) (i)
#define GO 1
#endif
typedef struct { i64 n; i64 q[2 * MEMO]; } memo;
static i64 E, ENUM, ECOUNT, EARG[16], TRAILED, TRAIL[10000];
static i64 AUTO, COUNTS, CHOICE, LIVE, LISTING, LOGS, VALUE, ARGC, ARGV[64];
static i64 (*HOST)(i64 kind, i64 number, i64 n, i64 *args);
static i32 *OUT;
static i64 OCAP, OUSED, ON;
/* What is watched: decisions of a game at most, whether invariants are tested, the decision and the step from which on
   something is due, and what tells whether the user wants it to stop. */
static i64 MOST = 100000, HOLDS, DUE, PAUSE;
static int (*POLL)(void);
static COLD void err(i64 kind, i64 number) { if (!E) { E = kind; ENUM = number; ECOUNT = 0; } }
static COLD void trail(i64 function) { if (TRAILED < 10000) TRAIL[TRAILED++] = function; }
/* Whoever hears it may fail: then nothing more is told, and the call that led here answers that it failed. */
static COLD i64 tell(i64 kind, i64 number, i64 n, i64 *args) {
    i64 told = E ? -1 : HOST(kind, number, n, args);
    if (told == -2) err(7, 0);
    return told < 0 ? -1 : told;
}
static COLD i64 polled(void) { if (!E && POLL && POLL()) err(7, 0); return E; }
static void put(i64 value) { if (OUSED < OCAP) OUT[OUSED] = (i32)value; OUSED++; }
static inline i64 least(i64 a, i64 b) { return a <= b ? a : b; }
static inline i64 due(i64 decisions) { return HOLDS ? 0 : least(MOST + 1, decisions + 250); }
static inline i64 most(i64 a, i64 b) { return a >= b ? a : b; }
static inline i64 quotient(i64 a, i64 b) {
    i64 q;
    if (b == 0) return 0;
    q = a / b;
    return q - ((a % b != 0) & ((a < 0) != (b < 0)));
}
static inline i64 modulo(i64 a, i64 b) {
    i64 r;
    if (b == 0) return 0;
    r = a % b;
    return r + (((r != 0) & ((r < 0) != (b < 0))) ? b : 0);
}
static inline i64 draw(i32 *x, i32 *c, i64 n) {
    i64 a = *x, b = *c, t = a * 998578647 + b;
    *x = (i32)(t & 1073741823); *c = (i32)(t >> 30);
    return ((a ^ b) * n) >> 30;
}
static inline i64 nth(const i32 *S, i64 first, i64 next, i64 k) {
    while (k-- > 0 && GO) first = S[I(next + first)];
    return first;
}
static inline i64 has(const i32 *S, i64 zone, i64 value) {
    i64 i, n = S[I(zone)];
    for (i = 1; i <= n && GO; i++) if (S[I(zone + i)] == value) return 1;
    return 0;
}
static inline void note(memo *q, i64 count, i64 item) {
    if ((u64)q->n < 2 * MEMO) { q->q[q->n++] = count; q->q[q->n++] = item; }
    else q->n = -1;
}
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__wasm__)
static inline void copy(i32 *to, const i32 *from, i64 n) { __builtin_memcpy(to, from, n * sizeof(i32)); }
#else
static inline void copy(i32 *to, const i32 *from, i64 n) { i64 i; for (i = 0; i < n; i++) to[i] = from[i]; }
#endif
static inline void fill(i32 *to, i64 n, i32 value) {
    i64 i;
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__wasm__)
    if (value == 0) { __builtin_memset(to, 0, n * sizeof(i32)); return; }
#endif
    for (i = 0; i < n; i++) to[i] = value;
}
static inline void bury(i32 *S, i64 zone, i64 value) {
    i64 i, n = S[I(zone)];
    S[I(zone)] = (i32)(n + 1);
    for (i = n; i > 0 && GO; i--) S[I(zone + i + 1)] = S[I(zone + i)];
    S[I(zone + 1)] = (i32)value;
}
static inline i64 drop(i32 *S, i64 zone, i64 value) {  /* one loop without a jump that cannot be foretold */
    i64 i, to = 1, n = S[I(zone)];
    for (i = 1; i <= n && GO; i++) { i32 item = S[I(zone + i)]; S[I(zone + to)] = item; to += item != value; }
    if (to > n) return 0;
    S[I(zone)] = (i32)(n - 1);
    return 1;
}
static inline void deal(i32 *S, i64 from, i64 to, i64 n, i64 where, i64 id) {
    i64 i, top = S[I(from)], end = S[I(to)];
    for (i = 0; i < n && GO; i++) {
        i32 card = S[I(from + top - i)];
        S[I(to + end + 1 + i)] = card;
        S[I(where + card)] = (i32)id;
    }
    S[I(from)] = (i32)(top - n); S[I(to)] = (i32)(end + n);
}
static inline void pour(i32 *S, i64 from, i64 to, i64 where, i64 id, i64 bottom) {
    i64 i, n = S[I(from)], m = S[I(to)], at = bottom ? 1 : m + 1;
    if (bottom) for (i = m; i > 0 && GO; i--) S[I(to + i + n)] = S[I(to + i)];
    for (i = 0; i < n && GO; i++) {
        i32 card = S[I(from + 1 + i)];
        S[I(to + at + i)] = card;
        S[I(where + card)] = (i32)id;
    }
    S[I(from)] = 0; S[I(to)] = (i32)(m + n);
}
static inline void mix(i32 *S, i64 zone, i32 *x, i32 *c) {
    i64 i, a = *x, b = *c;  /* in registers: what is swapped might lie where the generator does */
    for (i = S[I(zone)]; i > 1 && GO; i--) {
        i64 k = ((a ^ b) * i) >> 30, t = a * 998578647 + b;
        i32 v = S[I(zone + 1 + k)];
        a = t & 1073741823; b = t >> 30;
        S[I(zone + 1 + k)] = S[I(zone + i)];
        S[I(zone + i)] = v;
    }
    *x = (i32)a; *c = (i32)b;
}
static u64 mixed(u64 z) {
    z += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
static void seed(i32 *x, i32 *c, u64 from) {
    u64 first = mixed(from);
    *x = (i32)(first & 1073741823u); *c = (i32)(mixed(first) % 998578645u + 1);
}
"""
