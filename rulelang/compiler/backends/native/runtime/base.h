/* Types, arithmetic as the rules have it, and the generator of random numbers. */
#ifndef BASE_H
#define BASE_H

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
#define COLD __attribute__((cold, noinline, unused))
#define SMALL inline __attribute__((always_inline))  /* put in place at every level */
#else
#define RARE(x) (x)
#define COLD
#define SMALL inline
#endif

#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
#define LEVEL(n) __attribute__((optimize(n)))
#else
#define LEVEL(n)
#endif
#ifdef LOOPS_FIRST
#define LOOPING LEVEL("O3")
#else
#define LOOPING
#endif
#ifdef DECISIONS_FIRST
#define DECIDING LEVEL("O2")
#else
#define DECIDING
#endif

static SMALL i64 least(i64 a, i64 b) { return a <= b ? a : b; }
static SMALL i64 most(i64 a, i64 b) { return a >= b ? a : b; }

/* Rounded down; 0 for a division by 0, which the rules' guards have refused before. */
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

/* No library is linked: not even memcpy, where the compiler does not know it by itself. */
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__wasm__)
static inline void copy(i32 *to, const i32 *from, i64 n) { __builtin_memcpy(to, from, n * sizeof(i32)); }
#else
static inline void copy(i32 *to, const i32 *from, i64 n) { i64 i; for (i = 0; i < n; i++) to[i] = from[i]; }
#endif
/* The same where both overlap, and `to` comes first. */
static inline void slide(i32 *to, const i32 *from, i64 n) {
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__wasm__)
    __builtin_memmove(to, from, n * sizeof(i32));
#else
    i64 i;
    for (i = 0; i < n; i++) to[i] = from[i];
#endif
}
/* Whether `n` words are the same. */
static inline i64 equal_words(const i32 *one, const i32 *other, i64 n) {
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__wasm__)
    return !__builtin_memcmp(one, other, n * sizeof(i32));
#else
    i64 i;
    for (i = 0; i < n && one[i] == other[i]; i++) continue;
    return i == n;
#endif
}
static inline void fill(i32 *to, i64 n, i32 value) {
    i64 i;
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__wasm__)
    if (value == 0) { __builtin_memset(to, 0, n * sizeof(i32)); return; }
#endif
    for (i = 0; i < n; i++) to[i] = value;
}

/* ---- words of a row: as bits of a word where there are 4 to 64 */

enum { SOON = 8 };  /* words out of which one is taken without a loop */

/* The place of the lowest bit; there is one. */
static SMALL i64 lowest(u64 bits) {
#if defined(__GNUC__) && !defined(__TINYC__)
    return __builtin_ctzll(bits);
#else
    i64 i = 0;
    while (!(bits >> i & 1)) i++;
    return i;
#endif
}
static SMALL u64 all_bits(i64 n) { return ~(u64)0 >> (64 - n); }
#if defined(__SSE2__) && defined(__GNUC__) && !defined(__TINYC__)
typedef i32 four __attribute__((vector_size(16), aligned(4), may_alias));
typedef float four_floats __attribute__((vector_size(16)));
static SMALL u64 bits_of_four(four words) { return (u64)__builtin_ia32_movmskps((four_floats)words); }
static SMALL u64 empty_of_four(const i32 *row) { return bits_of_four(*(const four *)row == 0); }
/* Those that are not 0. The last four may have been looked at before. */
static SMALL u64 filled(const i32 *row, i64 n) {
    u64 empty = empty_of_four(row + n - 4) << (n - 4);
    i64 i;
    for (i = 0; i < n - 4; i += 4) empty |= empty_of_four(row + i) << i;
    return ~empty & all_bits(n);
}
/* Those that are more than a word. */
static SMALL u64 above(const i32 *row, i64 n, i32 word) {
    four words = {word, word, word, word};
    u64 found = bits_of_four(*(const four *)(row + n - 4) > words) << (n - 4);
    i64 i;
    for (i = 0; i < n - 4; i += 4) found |= bits_of_four(*(const four *)(row + i) > words) << i;
    return found;
}
/* What they come to, which is a word, too. */
static SMALL i64 total(const i32 *row, i64 n) {
    four sums = {0, 0, 0, 0};
    i64 found = 0, i;
    for (i = 0; i + 4 <= n; i += 4) sums += *(const four *)(row + i);
    for (; i < n; i++) found += row[i];
    return found + sums[0] + sums[1] + sums[2] + sums[3];
}
#define WORDS_AT_ONCE
/* Take a word out of the first `n`, at most `SOON`: those behind it move up, and the last place stays as it is. Whether
   it was there. Reads one word beyond `SOON`, and writes those as they were that stay. */
static SMALL i64 taken_out(i32 *row, i64 n, i32 word) {
    const four words = {word, word, word, word}, low = {0, 1, 2, 3}, high = {4, 5, 6, 7}, end = low - low + (i32)n - 1;
    four one = *(const four *)row, two = *(const four *)(row + 4), place;
    four one_up = *(const four *)(row + 1), two_up = *(const four *)(row + 5);
    u64 found = (bits_of_four(one == words) | bits_of_four(two == words) << 4) & (((u64)1 << n) - 1);
    if (RARE(!found)) return 0;
    place = low - low + (i32)lowest(found);
    *(four *)row = one ^ ((one ^ one_up) & (low >= place) & (low < end));
    *(four *)(row + 4) = two ^ ((two ^ two_up) & (high >= place) & (high < end));
    return 1;
}
#else
static SMALL u64 filled(const i32 *row, i64 n) {
    u64 found = 0;
    i64 i;
    for (i = 0; i < n; i++) found |= (u64)(row[i] != 0) << i;
    return found;
}
static SMALL u64 above(const i32 *row, i64 n, i32 word) {
    u64 found = 0;
    i64 i;
    for (i = 0; i < n; i++) found |= (u64)(row[i] > word) << i;
    return found;
}
static SMALL i64 total(const i32 *row, i64 n) {
    i64 found = 0, i;
    for (i = 0; i < n; i++) found += row[i];
    return found;
}
#endif
/* ---- the generator: two words below 2**30, stepped alike by every backend */

static inline i64 draw(i32 *x, i32 *c, i64 n) {
    i64 a = *x, b = *c, t = a * 998578647 + b;
    *x = (i32)(t & 1073741823); *c = (i32)(t >> 30);
    return ((a ^ b) * n) >> 30;
}
static inline u64 mixed(u64 z) {
    z += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
static inline void seed(i32 *x, i32 *c, u64 from) {
    u64 first = mixed(from);
    *x = (i32)(first & 1073741823u); *c = (i32)(mixed(first) % 998578645u + 1);
}

#endif
