/* Rows of the tables that tell what a player does not see: see `rulelang.base.secrets`. */
#ifndef ROWS_H
#define ROWS_H
#include "../native/runtime/base.h"

typedef struct { i64 array, base, stride, first, last, count, first_id, low, high, seen, counted; } zone_row;
typedef struct { i64 base, width, count, seen, whose, each; } secret_word;
typedef struct { i64 at, card; } trait_word;
typedef struct { i64 base, words; } reference;

#endif
