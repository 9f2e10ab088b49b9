/* Searches, and whole games between agents: the same as `agents.search`, draw for draw. A search spends its time in the
   games it plays, so gcc need not take long over the search itself. */
#include "secrets.h"
#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
#pragma GCC push_options
#pragma GCC optimize ("O1")
#endif

static void forget(context *C) {
    C->error = C->trailed = C->values_n = 0;
    C->counts = C->random = C->live = 0;
}
/* Tell the options of a paused state. */
static i64 listed(context *C, i32 *S) {
    i64 status;
    C->counts = C->random = C->live = 0;
    status = ask(C, S);
    if (C->used > C->room) { err(C, ERROR_INTERNAL, INTERNAL_CROWDED); return FAILED; }
    return status;
}
/* Take the option with a number, and go on to the next decision of somebody (`random`: to the end). */
static i64 taken(context *C, i32 *S, i64 choice, i64 random) {
    C->counts = 1; C->random = random; C->live = 0; C->choice = choice;
    return drive(C, S);
}
/* Where an option is among those told, and which of them it is; -1 if it is none. */
static i64 where_told(const context *C, const i64 *wanted, i64 *number) {
    i64 at = 0, i, k;
    for (i = 0; i < C->found; i++, at += C->out[at] + 1) {
        for (k = 0; k <= wanted[0] && C->out[at + k] == wanted[k]; k++);
        if (k > wanted[0]) { *number = i; return at; }
    }
    return -1;
}
static void keep_option(i64 *into, const i32 *from) { i64 k; for (k = 0; k <= from[0]; k++) into[k] = from[k]; }

/* How an agent searches: a row of `agents.search.MANNERS`. */
typedef struct { i64 grows, rounds, further, sure, worlds, habits; } manner;
static const manner MANNERS[] = {SEARCHING};
/* How much: games, or (with a clock) nanoseconds. `tallies`: 0, or where to tell of every option how often it was tried
   and what that came to. */
typedef struct { i64 games, (*clock)(void), begun, nanoseconds, asked, passed, *tallies; } budget;

/* Whether the part of the time is over that so many of all phases have. The clock is not asked every time. */
static i64 late(budget *given, i64 phase, i64 phases) {
    if (!given->clock) return 0;
    if (!(given->asked++ & 3)) given->passed = given->clock() - given->begun;
    return given->passed * phases >= given->nanoseconds * phase;
}

/* ---- a tree of what was tried in many worlds */

/* Words of a node; its option follows them. `by`: who chose it. */
enum { CHILD, LAST_CHILD, SIBLING, VISITS, CHANCES, TOTAL, BY, NODE_OPTION = 8, NODE_WORDS = NODE_OPTION + OPTION };

static i64 ln16(i64 v) {  /* 65536 times the natural logarithm */
    i64 k = 0, fraction = 0, i;
    u64 y;
    while (v >> (k + 1)) k++;
    y = ((u64)v << 30) >> k;
    for (i = 0; i < 16; i++) {
        y = y * y >> 30; fraction <<= 1;
        if (y >> 31) { y >>= 1; fraction |= 1; }
    }
    return ((k << 16) + fraction) * 45426 >> 16;
}
static u64 root_of(u64 v) {
    u64 found = 0, bit = (u64)1 << 62;
    while (bit > v) bit >>= 2;
    for (; bit; bit >>= 2) {
        if (v >= found + bit) { v -= found + bit; found = (found >> 1) + bit; }
        else found >>= 1;
    }
    return found;
}
/* What is known of a node, and how little. */
static i64 promise(const i64 *node) {
    i64 n = node[VISITS];
    if (!n) return (i64)1 << 60;
    return quotient(node[TOTAL] * 1024, n) + ((EXPLORE * (i64)root_of(((u64)ln16(node[CHANCES]) << 16) / (u64)n)) >> 6);
}
/* Whether an option that was told is a child of a node. */
static i64 tried(const context *C, i64 node, i64 at) {
    const i64 *tree = DESK->tree;
    i64 child, k;
    for (child = tree[node + CHILD]; child; child = tree[child + SIBLING]) {
        for (k = 0; k <= C->out[at] && tree[child + NODE_OPTION + k] == C->out[at + k]; k++);
        if (k > C->out[at]) return 1;
    }
    return 0;
}
/* A new child of a node for the option at `at`; FAILED if there is no room. */
static i64 grown(context *C, i64 *used, i64 node, i64 at, i64 mover) {
    i64 *tree = DESK->tree, child = *used, i;
    if (child + NODE_WORDS > DESK->tree_room) { err(C, ERROR_INTERNAL, INTERNAL_TREE); return FAILED; }
    *used += NODE_WORDS;
    for (i = 0; i < NODE_WORDS; i++) tree[child + i] = 0;
    tree[child + CHANCES] = 1; tree[child + BY] = mover;
    keep_option(tree + child + NODE_OPTION, C->out + at);
    if (tree[node + CHILD]) tree[tree[node + LAST_CHILD] + SIBLING] = child; else tree[node + CHILD] = child;
    tree[node + LAST_CHILD] = child;
    return child;
}
static i64 mean(const i64 *node) {
    return node[VISITS] ? quotient(node[TOTAL] * 1024, node[VISITS]) : -((i64)1 << 60);
}
/* The child of a node to go on with at the decision whose options are told: one that was not tried, any; else the most
   promising. FAILED if there is no room. */
static i64 followed(context *C, i64 node, i64 mover, i32 *x, i32 *c, i64 *used) {
    i64 i, at, untried = 0, chosen = 0, high = 0, child, index, *tree = DESK->tree;
    for (i = at = 0; i < C->found; i++, at += C->out[at] + 1) untried += !tried(C, node, at);
    for (child = tree[node + CHILD]; child; child = tree[child + SIBLING]) {
        if (where_told(C, tree + child + NODE_OPTION, &index) < 0) continue;
        tree[child + CHANCES]++;
        if (!untried) {
            i64 value = promise(tree + child);
            if (!chosen || value > high) { chosen = child; high = value; }
        }
    }
    if (!untried) return chosen;
    untried = draw(x, c, untried);
    for (i = at = 0; i < C->found; i++, at += C->out[at] + 1) if (!tried(C, node, at) && !untried--) break;
    return grown(C, used, node, at, mover);
}
/* What a search has used of the tree's room, and how many moves are kept in its table. */
typedef struct { i64 used, kept; } searched;

/* ---- what is known of moves wherever they are made (`agents.habits`) */

/* At the front of the tree's room: for each seat how many games there were and what they came to, then a table of moves:
   each its key, how often it was made, what that came to. */
enum { SUMS = 2 * (PLAYERS + 1), SLOTS = 4096, MOVES = SUMS + 3 * SLOTS, HABITS = 3072, NOTED = 600 };

static u64 move_key(const context *C, const i32 *S, i64 at) {
    u64 key = (u64)S[AT_SITE] * 1000003u + (u64)S[AT_DECIDER];
    i64 k;
    for (k = 0; k <= C->out[at]; k++) {
        key = (key ^ (u64)(i64)C->out[at + k]) * 0x9E3779B97F4A7C15ull;
        key ^= key >> 29;
    }
    return key | 1;
}
/* The slot of a move, or the free one where it would stand. */
static i64 *slot(i64 *habits, u64 key) {
    i64 i = (i64)(key >> 20) % SLOTS;
    while (habits[SUMS + 3 * i] && (u64)habits[SUMS + 3 * i] != key) i = (i + 1) % SLOTS;
    return habits + SUMS + 3 * i;
}
/* Where the option stands that is chosen in a playout. */
static i64 habitual(context *C, i32 *S) {
    i64 i, at = 0, best = 0, high = 0, equal = 0, usual, mover = S[AT_DECIDER], *habits = DESK->tree;
    if (draw(&S[AT_POLICY_X], &S[AT_POLICY_C], 1024) < EXPLORING) {
        i = draw(&S[AT_POLICY_X], &S[AT_POLICY_C], C->found);
        while (i--) at += C->out[at] + 1;
        return at;
    }
    usual = habits[2 * mover] ? quotient(habits[2 * mover + 1], habits[2 * mover]) : 0;
    for (i = 0; i < C->found; i++, at += C->out[at] + 1) {
        const i64 *known = slot(habits, move_key(C, S, at));
        i64 value = quotient((known[2] + PRIOR * usual) * 64, known[1] + PRIOR);
        if (!i || value > high) { high = value; best = at; equal = 1; }
        else if (value == high && !draw(&S[AT_POLICY_X], &S[AT_POLICY_C], ++equal)) best = at;
    }
    return best;
}
/* A game has come to so much: keep it of every move that was made in it. */
static void learnt(i64 *habits, i64 *kept, const i64 *reward, i64 n, const u64 *keys, const i64 *movers) {
    i64 i;
    for (i = 0; i < n; i++) {
        i64 *known = slot(habits, keys[i]);
        if (!known[0]) {
            if (*kept >= HABITS) continue;
            known[0] = (i64)keys[i]; ++*kept;
        }
        known[1]++; known[2] += reward[movers[i]];
    }
    for (i = 1; i <= PLAYERS; i++) { habits[2 * i]++; habits[2 * i + 1] += reward[i]; }
}

/* Take the option that stands there and go on, with options told again. */
static i64 resumed(context *C, i32 *S, i64 at) {
    C->counts = C->random = C->live = 0;
    option(C, C->out + at);
    at = drive(C, S);
    if (C->used > C->room) { err(C, ERROR_INTERNAL, INTERNAL_CROWDED); return FAILED; }
    return at;
}
/* The last round that a playout in this world plays; 0: all. */
static i64 last_round(const i32 *S, const manner *how, i64 world, u64 seed_) {
    i64 last = most(S[AT_ROUND], 1) + how->rounds - 1;
    u64 luck = mixed(seed_ ^ 0x726F756E6473ull);
    if (!how->rounds) return 0;
    for (; world >= how->sure && (i64)(luck & 1023) < how->further; luck = mixed(luck)) last++;
    return last;
}
/* Go down the tree in the world of this number, from the child `first` of the root; play on; keep what came of it. FAILED if nothing
   can go on. */
static i64 iteration(context *C, const i32 *S, const manner *how, i64 seat, i64 number, u64 seed_, i64 first, searched *held) {
    i64 i, at, node = first, path[DEEPEST], depth = 0, status, index, leaf = 0, reward[PLAYERS + 1], *tree = DESK->tree;
    i64 noted = 0, movers[NOTED];
    u64 keys[NOTED];
    i32 x, c, *world = DESK->world;
    if (polled(C, A_GAME)) return FAILED;
    seed_ += (u64)number;
    seed(&x, &c, mixed(seed_));
    clone(world, S);
    determinise(C, world, seat, &x, &c);
    C->horizon = last_round(S, how, number, seed_);
    if (C->horizon) C->due = 0;
    status = listed(C, world);
    while (status == PAUSED && (how->habits || !leaf)) {
        if (depth && C->horizon && world[AT_ROUND] > C->horizon) break;
        if (leaf) {
            if (world[AT_DECISIONS] > C->most) { forget(C); return 0; }
            at = habitual(C, world);
        } else {
            if (depth) {
                node = followed(C, node, world[AT_DECIDER], &x, &c, &held->used);
                if (node < 0) return FAILED;
            }
            at = where_told(C, tree + node + NODE_OPTION, &index);
            if (at < 0) { forget(C); return 0; }
            leaf = !how->grows || tree[node + VISITS] < how->grows || depth + 1 == DEEPEST;
            path[depth++] = node;
        }
        if (how->habits) {
            if (noted < NOTED) { keys[noted] = move_key(C, world, at); movers[noted++] = world[AT_DECIDER]; }
            status = resumed(C, world, at);
        } else {
            status = taken(C, world, index, leaf);
            if (status == PAUSED && !leaf) status = listed(C, world);
        }
    }
    while (status == PAUSED && C->random && !C->error) status = any_taken(C, world);  /* only under a host's call */
    if (stopped(C)) return FAILED;
    if (C->error == ERROR_ENOUGH) C->error = 0;
    if (!C->error && depth) {
        rewards(C, world, reward);
        for (i = 0; i < depth; i++) {
            tree[path[i] + VISITS]++; tree[path[i] + TOTAL] += reward[tree[path[i] + BY]];
        }
        if (how->habits) learnt(tree, &held->kept, reward, noted, keys, movers);
    }
    forget(C);
    return 0;
}
/* Which option a search chooses: see `agents.search.Searcher.search`. */
static i64 halved(context *C, const i32 *S, const manner *how, i64 seat, budget *given, u64 seed_) {
    i64 root = how->habits ? MOVES : 0, n, i, j, k, at, alive, each, world = 0, phase, phases = 1, *tree = DESK->tree, *order;
    searched held = {root + NODE_WORDS, 0};
    i32 x, c;
    if (held.used > DESK->tree_room) { err(C, ERROR_INTERNAL, INTERNAL_TREE); return FAILED; }
    for (i = 0; i < held.used; i++) tree[i] = 0;
    clone(DESK->world, S);
    if (listed(C, DESK->world) != PAUSED) return stopped(C) ? FAILED : 0;
    n = C->found;
    for (i = at = 0; i < n; i++, at += C->out[at] + 1) if (grown(C, &held.used, root, at, seat) < 0) return FAILED;
    order = tree + held.used;  /* children of the root, the best first */
    held.used += n;
    if (held.used > DESK->tree_room) { err(C, ERROR_INTERNAL, INTERNAL_TREE); return FAILED; }
    for (i = 0; i < n; i++) order[i] = root + NODE_WORDS * (i + 1);
    seed(&x, &c, mixed(~seed_));
    for (i = n - 1; i > 0; i--) {  /* any order: of equals it is the one that comes first */
        i64 swapped = order[i];
        k = draw(&x, &c, i + 1);
        order[i] = order[k]; order[k] = swapped;
    }
    while (!how->worlds && (i64)1 << phases < n) phases++;
    for (alive = n, phase = 1; alive > 1; phase++, alive = how->worlds ? 1 : (alive + 1) / 2) {
        each = how->worlds ? how->worlds : given->clock ? (i64)1 << 40 : most(1, given->games / (alive * phases));
        for (j = 0; j < each && !late(given, phase, phases); j++, world++)
            for (i = 0; i < alive && !late(given, phases, phases); i++)
                if (iteration(C, S, how, seat, world, seed_, order[i], &held)) return FAILED;
        for (i = 1; i < alive; i++) {  /* the best first; equals stay in their order */
            i64 mine = order[i], value = mean(tree + mine);
            for (j = i; j > 0 && mean(tree + order[j - 1]) < value; j--) order[j] = order[j - 1];
            order[j] = mine;
        }
    }
    for (i = 0; given->tallies && i < n; i++) {
        given->tallies[2 * i] = tree[root + NODE_WORDS * (i + 1) + VISITS];
        given->tallies[2 * i + 1] = tree[root + NODE_WORDS * (i + 1) + TOTAL];
    }
    return (order[0] - root) / NODE_WORDS - 1;
}
/* The same; what a search only imagines is not tested. */
static i64 search(context *C, const i32 *S, i64 kind, i64 seat, budget *given, u64 seed_) {
    i64 found, holds = C->holds;
    C->holds = 0; C->due = due(C, S[AT_DECISIONS]);
    found = halved(C, S, &MANNERS[kind - AGENT_GREEDY], seat, given, seed_);
    C->horizon = 0; C->holds = holds; C->due = due(C, S[AT_DECISIONS]);
    return found;
}

/* ---- agents */

static i64 choice(context *C, const i32 *S, i64 kind, i64 games, i32 *x, i32 *c) {
    budget given = {0};
    given.games = games;
    if (kind == AGENT_FIRST) return 0;
    if (kind == AGENT_RANDOM) return draw(x, c, C->found);
    return search(C, S, kind, S[AT_DECIDER], &given, (u64)draw(x, c, 1 << 30));
}
/* From a decision on to the end: agents by seat, each with its generator (words 2a, 2a + 1 of `chance`). */
static i64 between(context *C, i32 *S, i64 n, const i64 *kinds, const i64 *budgets, i32 *chance) {
    while (S[AT_FRAME]) {
        i64 a, k;
        forget(C); C->counts = 1;
        looked_after(C, S);
        if (polled(C, 1) || ask(C, S) < 0) return FAILED;
        a = (S[AT_DECIDER] - 1) % n;
        k = choice(C, S, kinds[a], budgets[a], &chance[2 * a], &chance[2 * a + 1]);
        if (k < 0) return FAILED;
        forget(C);
        if (taken(C, S, k, 0) < 0 || C->error) return FAILED;
    }
    if (C->holds) hold(C, S);
    return C->error ? FAILED : ENDED;
}

/* ---- exports */

/* Have a context keep there what this room keeps: so many bytes, of which nobody needs to know what they are. */
API i64 rl_more_size(void) { return sizeof(desk); }
API void rl_more(context *C, void *place) { C->more = place; DESK->tape = 0; }
API void rl_tree(context *C, i64 *words, i64 room) { DESK->tree = words; DESK->tree_room = room; }
/* `clock`: 0, or what tells nanoseconds. */
API i64 rl_search(context *C, const i32 *S, i64 kind, i64 seat, i64 games, u64 seed_, i64 (*clock)(void),
                  i64 nanoseconds, i64 *tallies) {
    i64 found;
    budget given = {0};
    leave(C); fresh(C);
    given.games = games; given.clock = clock; given.nanoseconds = nanoseconds; given.tallies = tallies;
    if (clock) given.begun = clock();
    found = search(C, S, kind, seat, &given, seed_);
    enter(C);
    return C->error ? FAILED : found;
}
API void rl_determinise(context *C, i32 *S, i64 seat, u64 seed_) {
    i32 x, c;
    fresh(C); seed(&x, &c, seed_); determinise(C, S, seat, &x, &c);
}
API void rl_observe(context *C, i32 *S, i64 seat) { (void)C; observe(S, seat); }
/* How many options the pending decision has; take one of them by its number. */
API i64 rl_count(context *C, i32 *S) {
    i64 status;
    fresh(C); C->counts = 1;
    status = ask(C, S);
    return C->error ? FAILED : status == PAUSED ? C->found : 0;
}
API i64 rl_choose(context *C, i32 *S, i64 k) {
    i64 status;
    fresh(C);
    status = taken(C, S, k, 0);
    return C->error ? FAILED : status == PAUSED ? C->found : 0;
}
API i64 rl_between(context *C, i32 *S, i64 n, const i64 *kinds, const i64 *budgets, i32 *chance) {
    i64 status;
    leave(C); fresh(C);
    status = between(C, S, n, kinds, budgets, chance);
    enter(C);
    return status;
}
/* The words of a game of a series, and the generators of its agents. */
static void seated(context *C, i32 *S, const i32 *initial, u64 own, i64 n, i32 *chance) {
    i64 a;
    fresh(C);
    deal_out(S, initial, SIZE, own);  /* the stack too: determinizations look at all words of frames */
    for (a = 0; a < n; a++) seed(&chance[2 * a], &chance[2 * a + 1], policy_seed(own));
}
/* Whole games between agents, as `rl_play_many`. */
API i64 rl_between_many(context *C, i32 *S, const i32 *initial, u64 series, i64 first, i64 games, i64 n,
                        const i64 *kinds, const i64 *budgets, i32 *chance, i64 *rows) {
    i64 i;
    leave(C);
    for (i = 0; i < games; i++) {
        seated(C, S, initial, own_seed(series, first + i), n, chance);
        C->counts = 1;
        if (begin(C, S) < 0 || C->error) break;
        if (between(C, S, n, kinds, budgets, chance)) break;
        tell_game(C, S, rows + i * WIDTH);
        if (C->error) break;
    }
    enter(C);
    return i;
}

#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
#pragma GCC pop_options
#endif

/* Copy a game so many times, to learn what that takes. */
API void rl_clone(context *C, const i32 *S, i64 times) {
    i64 i;
    for (i = 0; i < times; i++) clone(DESK->world, S);
}
