/* The native library of one table of a game: what `rulelang.backends.native.library` writes into one file, in this
   order. `program.h` and `rules.c` stand for what is made from a ruleset; all others are taken as they are.
   Rooms that play in a library in a way of their own have C behind all of it. */
#include "base.h"
#include "program.h"
#include "context.h"
#include "zones.h"
#include "lists.h"
#include "trials.h"
#include "watch.h"
#include "rules.c"
#include "play.h"
#include "exports.c"
