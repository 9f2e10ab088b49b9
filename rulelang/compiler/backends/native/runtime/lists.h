/* Lists in the order of keys: `keys` are so `many` arrays, each with a key for every item; the first one counts most. */
#ifndef LISTS_H
#define LISTS_H
#include "base.h"

/* Whether the keys at `a` come strictly before those at `b`. */
static inline i64 before(i64 *const *keys, i64 many, i64 a, i64 b) {
    i64 k;
    for (k = 0; k < many; k++) if (keys[k][a] != keys[k][b]) return keys[k][a] < keys[k][b];
    return 0;
}
static inline void swap(i64 *items, i64 a, i64 b) { i64 held = items[a]; items[a] = items[b]; items[b] = held; }

/* Small keys first, and items with the same keys as they were. By insertion: lists are short. */
static inline void order(i64 *items, i64 n, i64 *const *keys, i64 many) {
    i64 at, to, k;
    for (at = 1; at < n; at++)
        for (to = at; to > 0 && before(keys, many, to, to - 1); to--) {
            swap(items, to, to - 1);
            for (k = 0; k < many; k++) swap(keys[k], to, to - 1);
        }
}
/* The items with the largest keys, as they were; answers how many. The keys stay where they are. */
static inline i64 best(i64 *items, i64 n, i64 *const *keys, i64 many) {
    i64 at, most_ = 0, kept = 0;
    for (at = 1; at < n; at++) if (before(keys, many, most_, at)) most_ = at;
    for (at = 0; at < n; at++)
        if (!before(keys, many, at, most_)) items[kept++] = items[at];
    return kept;
}

#endif
