/* Stands for what is made from a ruleset (`rulelang/compiler/backends/native_agents/program.py`), so that an editor, and a test, can compile
   these files: what not all see of a game with one card and two players (`runtime/program.h`). */
#ifndef GAME_H
#define GAME_H
#include "../native/runtime/program.h"
#include "rows.h"

enum {
    /* see `rulelang.base.secrets` and `rulelang.base.search_params` */
    SEEN_EVERYONE = 0, SEEN_OWNER, SEEN_NOBODY, SEEN_BOX,
    OF_STATE = 0, OF_PLAYER, OF_THING, OF_CARD,
    AGENT_RANDOM = 0, AGENT_FIRST, AGENT_GREEDY, AGENT_MC, AGENT_ISMCTS,
    ZONES_N = 1, SECRETS_N = 1, TRAIT_WORDS_N = 1, REFERENCES_N = 1, COLUMNS_N = 1, GROUPS_N = 1,
    INTERNAL_TREE = 10, WIN = 1000, MARGIN = 200, EXPLORE = 700, DEEPEST = 500, EXPLORING = 256, PRIOR = 4
};
#define SEARCHES 1
#define SEARCHING {0, 1, 0, 0, 4, 0}, {0, 0, 0, 0, 0, 0}, {1000, 1, 512, 256, 0, 1}

static const zone_row ZONES[] = {{.array = 1, .base = 18, .seen = SEEN_NOBODY}};
static const secret_word SECRETS[] = {{.base = 10, .width = 1, .seen = SEEN_OWNER, .whose = OF_PLAYER}};
static const trait_word TRAIT_WORDS[] = {{.at = 11, .card = 1}};
static const reference REFERENCES[] = {{.base = 11, .words = 1}};
static const unsigned char COLUMNS[] = {AT_WHERE}, GROUPS[] = {0, 1}, ZONE_PLAYER[] = {0}, TEAM[] = {0, 1, 2};

#endif
