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

/* ---- playouts for each option, half of the options left after each round */

static i64 flat(context *C, const i32 *S, i64 seat, i64 playouts, u64 seed_) {
    i64 n, i, k, j, at, alive, each, world = 0, rounds = 1, end = frames_end(S), index, reward[PLAYERS + 1];
    i64 *options, *visits, *total, *order;
    copy(C->world, S, end);
    if (listed(C, C->world) != PAUSED) return stopped(C) ? FAILED : 0;
    n = C->found;
    if (n * (OPTION + 3) > C->tree_room) { err(C, ERROR_INTERNAL, INTERNAL_TREE); return FAILED; }
    options = C->tree; visits = options + n * OPTION; total = visits + n; order = total + n;
    for (i = at = 0; i < n; i++, at += C->out[at] + 1) {
        keep_option(options + i * OPTION, C->out + at);
        visits[i] = total[i] = 0; order[i] = i;
    }
    while ((i64)1 << rounds < n) rounds++;
    for (alive = n; alive > 1; alive = (alive + 1) / 2) {
        each = most(1, playouts / (alive * rounds));
        for (j = 0; j < each; j++, world++)
            for (i = 0; i < alive; i++) {
                i32 x, c;
                if (polled(C, A_GAME)) return FAILED;
                seed(&x, &c, mixed(seed_ + (u64)world));
                copy(C->world, S, end);
                determinise(C, C->world, seat, &x, &c);
                k = listed(C, C->world) == PAUSED ? where_told(C, options + order[i] * OPTION, &index) : -1;
                if (stopped(C)) return FAILED;
                if (k >= 0) {
                    k = taken(C, C->world, index, 1);
                    while (k == PAUSED) k = drive(C, C->world);
                }
                if (stopped(C)) return FAILED;
                if (!k && !C->error) {
                    rewards(C, C->world, reward);
                    visits[order[i]]++; total[order[i]] += reward[seat];
                }
                forget(C);
            }
        for (i = 1; i < alive; i++) {  /* the best first; of equals the one that was listed first */
            i64 mine = order[i], mean = visits[mine] ? quotient(total[mine] * 1024, visits[mine]) : -((i64)1 << 60);
            for (j = i; j > 0; j--) {
                i64 o = order[j - 1], other = visits[o] ? quotient(total[o] * 1024, visits[o]) : -((i64)1 << 60);
                if (other > mean || (other == mean && o < mine)) break;
                order[j] = o;
            }
            order[j] = mine;
        }
    }
    return order[0];
}

/* ---- a tree of what was tried in many worlds */

/* Words of a node; its option follows them. `by`: who chose it. */
enum { CHILD, LAST_CHILD, SIBLING, VISITS, CHANCES, TOTAL, BY, NODE_OPTION = 8, NODE_WORDS = NODE_OPTION + OPTION };
enum { DEEPEST = 500 };  /* decisions of a path in the tree */

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
    const i64 *tree = C->tree;
    i64 child, k;
    for (child = tree[node + CHILD]; child; child = tree[child + SIBLING]) {
        for (k = 0; k <= C->out[at] && tree[child + NODE_OPTION + k] == C->out[at + k]; k++);
        if (k > C->out[at]) return 1;
    }
    return 0;
}
/* A new child of a node for the option at `at`; FAILED if there is no room. */
static i64 grown(context *C, i64 *used, i64 node, i64 at, i64 mover) {
    i64 *tree = C->tree, child = *used, i;
    if (child + NODE_WORDS > C->tree_room) { err(C, ERROR_INTERNAL, INTERNAL_TREE); return FAILED; }
    *used += NODE_WORDS;
    for (i = 0; i < NODE_WORDS; i++) tree[child + i] = 0;
    tree[child + CHANCES] = 1; tree[child + BY] = mover;
    keep_option(tree + child + NODE_OPTION, C->out + at);
    if (tree[node + CHILD]) tree[tree[node + LAST_CHILD] + SIBLING] = child; else tree[node + CHILD] = child;
    tree[node + LAST_CHILD] = child;
    return child;
}
static i64 ismcts(context *C, const i32 *S, i64 seat, i64 iterations, u64 seed_) {
    i64 used = NODE_WORDS, it, i, end = frames_end(S), reward[PLAYERS + 1], best, index;
    i64 *tree = C->tree;
    i32 *world = C->world;
    if (NODE_WORDS > C->tree_room) { err(C, ERROR_INTERNAL, INTERNAL_TREE); return FAILED; }
    for (i = 0; i < NODE_WORDS; i++) tree[i] = 0;
    for (it = 0; it < iterations; it++) {
        i32 x, c;
        i64 node = 0, path[DEEPEST], depth = 0, status;
        if (polled(C, A_GAME)) return FAILED;
        seed(&x, &c, mixed(seed_ + (u64)it));
        copy(world, S, end);
        determinise(C, world, seat, &x, &c);
        status = listed(C, world);
        while (status == PAUSED && depth < DEEPEST) {
            i64 at, untried = 0, chosen = 0, high = 0, mover = world[AT_DECIDER], child;
            for (i = at = 0; i < C->found; i++, at += C->out[at] + 1) untried += !tried(C, node, at);
            for (child = tree[node + CHILD]; child; child = tree[child + SIBLING]) {
                if (where_told(C, tree + child + NODE_OPTION, &index) < 0) continue;
                tree[child + CHANCES]++;
                if (!untried) {
                    i64 value = promise(tree + child);
                    if (!chosen || value > high) { chosen = child; high = value; }
                }
            }
            if (untried) {
                i64 wanted = draw(&x, &c, untried);
                for (i = at = 0; i < C->found; i++, at += C->out[at] + 1) if (!tried(C, node, at) && !wanted--) break;
                chosen = grown(C, &used, node, at, mover);
                if (chosen < 0) return FAILED;
            }
            path[depth++] = chosen;
            where_told(C, tree + chosen + NODE_OPTION, &index);
            status = taken(C, world, index, untried > 0);
            while (status == PAUSED && C->random) status = drive(C, world);
            if (status == PAUSED) status = listed(C, world);
            node = chosen;
        }
        if (stopped(C)) return FAILED;
        if (!C->error && status == PAUSED) {  /* the path is as long as may be: the rest at random */
            C->counts = C->random = 1; C->live = 0;
            status = ask(C, world);
            while (status == PAUSED) {
                C->choice = draw(&world[AT_POLICY_X], &world[AT_POLICY_C], C->found);
                status = drive(C, world);
            }
            if (stopped(C)) return FAILED;
        }
        if (!C->error) {
            rewards(C, world, reward);
            for (i = 0; i < depth; i++) {
                tree[path[i] + VISITS]++; tree[path[i] + TOTAL] += reward[tree[path[i] + BY]];
            }
        }
        forget(C);
    }
    copy(world, S, end);
    if (listed(C, world) != PAUSED) return C->error ? FAILED : 0;
    for (best = 0, i = tree[CHILD]; i; i = tree[i + SIBLING])
        if (where_told(C, tree + i + NODE_OPTION, &index) >= 0
            && (!best || tree[i + VISITS] > tree[best + VISITS]
                || (tree[i + VISITS] == tree[best + VISITS] && tree[i + TOTAL] > tree[best + TOTAL]))) best = i;
    if (!best) return 0;
    where_told(C, tree + best + NODE_OPTION, &index);
    return index;
}

/* ---- agents */

/* The option after which the seat leads by most; of equals any. */
static i64 greedy(context *C, const i32 *S, i64 n, i32 *x, i32 *c) {
    i64 k, count = 0, high = 0, seat = S[AT_DECIDER], end = frames_end(S), chance = draw(x, c, 1 << 30), i;
    i32 *world = C->world;
    if (n > C->tree_room) { err(C, ERROR_INTERNAL, INTERNAL_TREE); return FAILED; }
    for (k = 0; k < n; k++) {
        i64 lead = 0, other = 0, any = 0, score[PLAYERS + 1];
        copy(world, S, end);
        seed(&world[AT_RNG_X], &world[AT_RNG_C], (u64)chance);
        taken(C, world, k, 0);
        if (stopped(C)) return FAILED;
        if (C->error) { forget(C); continue; }
        for (i = 1; i <= PLAYERS; i++) score[i] = rank_part(C, world, 0, i);
        for (i = 1; i <= PLAYERS; i++) {
            i64 total = 0, s;
            if (TEAM[i] == TEAM[seat]) { lead += score[i]; continue; }
            for (s = 1; s <= PLAYERS; s++) if (TEAM[s] == TEAM[i]) total += score[s];
            if (!any || total > other) { other = total; any = 1; }
        }
        forget(C);
        lead -= any ? other : 0;
        if (!count || lead > high) { high = lead; count = 0; }
        if (lead == high) C->tree[count++] = k;
    }
    return count ? C->tree[draw(x, c, count)] : 0;
}
static i64 choice(context *C, const i32 *S, i64 kind, i64 budget, i32 *x, i32 *c) {
    switch (kind) {
        case AGENT_FIRST: return 0;
        case AGENT_GREEDY: return greedy(C, S, C->found, x, c);
        case AGENT_MC: return flat(C, S, S[AT_DECIDER], budget, (u64)draw(x, c, 1 << 30));
        case AGENT_ISMCTS: return ismcts(C, S, S[AT_DECIDER], budget, (u64)draw(x, c, 1 << 30));
        default: return draw(x, c, C->found);
    }
}
/* From a decision on to the end: agents by seat, each with its generator (words 2a, 2a + 1 of `chance`). */
static i64 between(context *C, i32 *S, i64 n, const i64 *kinds, const i64 *budgets, i32 *chance) {
    while (S[AT_FRAME]) {
        i64 a, k, holds = C->holds;
        forget(C); C->counts = 1;
        if (S[AT_DECISIONS] >= C->due) asked(C, S, S[AT_SITE], S[AT_DECIDER]);
        if (polled(C, 1) || ask(C, S) < 0) return FAILED;
        a = (S[AT_DECIDER] - 1) % n;
        C->holds = 0; C->due = due(C, S[AT_DECISIONS]);  /* what a search only imagines is not tested */
        k = choice(C, S, kinds[a], budgets[a], &chance[2 * a], &chance[2 * a + 1]);
        C->holds = holds; C->due = due(C, S[AT_DECISIONS]);
        if (k < 0) return FAILED;
        forget(C);
        if (taken(C, S, k, 0) < 0 || C->error) return FAILED;
    }
    if (C->holds) hold(C, S);
    return C->error ? FAILED : ENDED;
}

/* ---- exports */

API void rl_tree(context *C, i64 *words, i64 room) { C->tree = words; C->tree_room = room; }
API i64 rl_search(context *C, const i32 *S, i64 kind, i64 seat, i64 budget, u64 seed_) {
    i64 found;
    leave(C); fresh(C);
    found = kind == AGENT_MC ? flat(C, S, seat, budget, seed_) : ismcts(C, S, seat, budget, seed_);
    enter(C);
    return C->error ? FAILED : found;
}
API void rl_determinise(context *C, i32 *S, i64 seat, u64 seed_) {
    i32 x, c;
    fresh(C); seed(&x, &c, seed_); determinise(C, S, seat, &x, &c);
}
API void rl_observe(i32 *S, i64 seat) { observe(S, seat); }
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
/* Whole games between agents, as `rl_play_many`. */
API i64 rl_between_many(context *C, i32 *S, const i32 *initial, u64 series, i64 first, i64 games, i64 n,
                        const i64 *kinds, const i64 *budgets, i32 *chance, i64 *rows) {
    i64 i, a;
    leave(C);
    for (i = 0; i < games; i++) {
        u64 own = mixed(mixed(series) + (u64)(first + i));
        fresh(C); C->counts = 1;
        deal_out(S, initial, SIZE, own);  /* the stack too: determinizations look at all words of frames */
        for (a = 0; a < n; a++) seed(&chance[2 * a], &chance[2 * a + 1], policy_seed(own));
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
