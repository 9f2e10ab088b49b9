"""Bots inside the library: observations, determinizations, searches, and whole games between agents.

The same as `engine.secrets` and `agents.search` word for word and draw for draw: a test compares both. So a series of
games between bots never crosses into Python per step.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.backends.native import secrets
from rulelang.backends.native.unit import NativeUnit, narrow, numbers
from rulelang.base.secrets import (
    BOX,
    CARD,
    EVERYONE,
    OWNER,
    PLAYER,
    THING,
    ZoneRow,
    as_numbers,
    groups,
    references,
    secret_words,
    trait_words,
    zone_rows,
)
from rulelang.base.tuning import EXPLORE, MARGIN, WIN

#: Agents by their numbers in the library.
KINDS = {"random": 0, "first": 1, "greedy": 2, "mc": 3, "ismcts": 4}
#: Words of a node of a search tree before its option.
NODE = 8
#: A search spends its time in the games it plays, so gcc need not take long over the search itself.
_GCC = "#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)"
_LESS = (_GCC, "#pragma GCC push_options", '#pragma GCC optimize ("O1")', "#endif")
_AGAIN = (_GCC, "#pragma GCC pop_options", "#endif")


def search(unit: NativeUnit) -> list[str]:
    """The lines of the tables and functions."""
    module, layout, cells = unit.module, unit.module.layout, unit.cells
    if not layout.zones or module.score not in module.functions:
        return []  # a program built by hand
    width = max((shape.arity for shape in unit.shapes.values()), default=0) + 2
    zones, words, traits = zone_rows(layout), secret_words(layout), trait_words(layout)
    found = [
        _table("ZONES", [n for row in zones for n in as_numbers(row)]),
        _table("SECRETS", [n for word in words for n in as_numbers(word)]),
        _table("TRAIT_WORDS", [n for pair in traits for n in pair]),
        _table("REFERENCES", [n for pair in references(layout) for n in pair]),
        _table("GROUPS", groups(layout)),
        _table("ZONE_PLAYER", layout.zone_player),
        _table("TEAM", _teams(module.teams, layout.players)),
    ]
    scored = [name for name in (module.score, *module.tiebreak) if name in module.functions]
    for part, name in enumerate(scored):
        cases = " ".join(
            f"case {seat}: return {unit.call(name, 'p_', str(seat), *unit.outermost(name))};"
            for seat in range(1, layout.players + 1)
        )
        found.append(f"static i64 part_{part}(const i32 *S, i64 seat) {{ switch (seat) {{ {cases} }} return 0; }}")
    parts = " ".join(f"case {part}: return part_{part}(S, seat);" for part in range(len(scored)))
    found.append(f"static i64 rank_part(const i32 *S, i64 part, i64 seat) {{ switch (part) {{ {parts} }} return 0; }}")
    columns = [c for c in (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.silent) if c]
    text = secrets.TEXT + _TEXT
    for name, value in {
        "CARDS": len(layout.cards), "ZONES": len(zones), "ZONE": len(ZoneRow.__dataclass_fields__), "BOX": BOX,
        "EVERYONE": EVERYONE, "OWNER": OWNER, "PLAYER": PLAYER, "THING": THING, "CARD": CARD, "SECRETS": len(words),
        "TRAITS": len(traits), "REFERENCES": len(references(layout)), "GROUPS": max(groups(layout), default=0),
        "WHERE": layout.where, "NEXT": layout.card_next, "PREV": layout.card_prev, "PARTS": len(scored),
        "PLAYERS": layout.players, "WIN": WIN, "MARGIN": MARGIN, "EXPLORE": EXPLORE, "NODE": NODE, "OPTION": width,
        "SIZE": layout.size, "STACK": layout.stack, "FRAME": cells.frame, "DECIDER": cells.decider, "SITE": cells.site,
        "RNG_X": cells.rng_x, "RNG_C": cells.rng_c, "POLICY_X": cells.policy_x, "POLICY_C": cells.policy_c,
        "STEPS": cells.steps, "MAIN": unit.numbers.get(module.main, -1), "DECISIONS": cells.decisions,
        "FORCED": cells.forced, "ROUND": cells.round, "ROWS": 3 + layout.players * len(scored),
        "BLANK": " ".join(f"S[{column} + card] = 0;" for column in columns),
    }.items():  # fmt: skip
        text = text.replace(f"@{name}@", str(value))
    return [*found, *_LESS, *text.splitlines(), *_AGAIN]


def _table(name: str, values: Sequence[int]) -> str:
    return f"static const {narrow(values)} {name}[] = {{{numbers(values)}}};"


def _teams(teams: Sequence[Sequence[int]], players: int) -> list[int]:
    """By seat, the number of its team."""
    found = [0] * (players + 1)
    for number, team in enumerate(teams or [(seat,) for seat in range(1, players + 1)], 1):
        for seat in team:
            found[seat] = number
    return found


_TEXT = """\
static void forget(void) { E = TRAILED = ECOUNT = 0; COUNTS = AUTO = LISTING = LIVE = 0; }
static i64 listed(i32 *S) {  /* the options of a paused state, in OUT */
    i64 st;
    COUNTS = AUTO = LIVE = 0;
    st = ask(S);
    if (OUSED > OCAP) { err(8, 9); return -1; }
    return st;
}
static i64 where_in_out(const i64 *wanted, i64 *number) {
    i64 at = 0, i, k;
    for (i = 0; i < ON; i++, at += OUT[at] + 1) {
        for (k = 0; k <= wanted[0] && OUT[at + k] == wanted[k]; k++);
        if (k > wanted[0]) { *number = i; return at; }
    }
    return -1;
}
static void keep_option(i64 *into, const i32 *from) { i64 k; for (k = 0; k <= from[0]; k++) into[k] = from[k]; }
static i64 flat(const i32 *S, i64 seat, i64 playouts, u64 seed_) {
    i64 n, i, k, j, at, alive, each, world = 0, rounds = 1, end = frames_end(S), index, reward[@PLAYERS@ + 1];
    i64 *option, *visits, *total, *order;
    copy(WORLD, S, end);
    if (listed(WORLD) != 1) return (E == 7 || E == 8) ? -1 : 0;
    n = ON;
    if (n * (@OPTION@ + 3) > TCAP) { err(8, 10); return -1; }
    option = TREE; visits = TREE + n * @OPTION@; total = visits + n; order = total + n;
    for (i = at = 0; i < n; i++, at += OUT[at] + 1) {
        keep_option(option + i * @OPTION@, OUT + at);
        visits[i] = total[i] = 0; order[i] = i;
    }
    while ((i64)1 << rounds < n) rounds++;
    for (alive = n; alive > 1; alive = (alive + 1) / 2) {
        each = most(1, playouts / (alive * rounds));
        for (j = 0; j < each; j++, world++)
            for (i = 0; i < alive; i++) {
                i32 x, c;
                seed(&x, &c, mixed(seed_ + (u64)world));
                copy(WORLD, S, end);
                determinise(WORLD, seat, &x, &c);
                k = listed(WORLD) == 1 ? where_in_out(option + order[i] * @OPTION@, &index) : -1;
                if (E == 7 || E == 8) return -1;
                if (k >= 0) {
                    COUNTS = AUTO = 1; CHOICE = index;
                    for (k = 1; k == 1;) k = drive(WORLD);
                }
                if (E == 7 || E == 8) return -1;
                if (!k && !E) {
                    rewards(WORLD, reward);
                    visits[order[i]]++; total[order[i]] += reward[seat];
                }
                forget();
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
static i64 tried(i64 node, i64 at) {  /* whether the option in OUT is a child of the node */
    i64 child, k;
    for (child = TREE[node]; child; child = TREE[child + 2]) {
        for (k = 0; k <= OUT[at] && TREE[child + @NODE@ + k] == OUT[at + k]; k++);
        if (k > OUT[at]) return 1;
    }
    return 0;
}
/* Nodes: first child, last child, next sibling, visits, times it could be chosen, total, who chose it; the option. */
static i64 ismcts(const i32 *S, i64 seat, i64 iterations, u64 seed_) {
    i64 step_ = @NODE@ + @OPTION@, used = step_, it, i, end = frames_end(S), reward[@PLAYERS@ + 1], best, index;
    for (i = 0; i < step_; i++) TREE[i] = 0;
    if (step_ > TCAP) { err(8, 10); return -1; }
    for (it = 0; it < iterations; it++) {
        i32 x, c;
        i64 node = 0, path[512], depth = 0, st;
        seed(&x, &c, mixed(seed_ + (u64)it));
        copy(WORLD, S, end);
        determinise(WORLD, seat, &x, &c);
        st = listed(WORLD);
        while (st == 1 && depth < 500) {
            i64 at, fresh_ = 0, chosen = 0, high = 0, mover = WORLD[@DECIDER@], child;
            for (i = at = 0; i < ON; i++, at += OUT[at] + 1) fresh_ += !tried(node, at);
            for (child = TREE[node]; child; child = TREE[child + 2]) {
                if (where_in_out(TREE + child + @NODE@, &index) < 0) continue;
                TREE[child + 4]++;
                if (!fresh_) {
                    i64 n = TREE[child + 3], value = !n ? (i64)1 << 60 : quotient(TREE[child + 5] * 1024, n)
                        + ((@EXPLORE@ * (i64)root_of(((u64)ln16(TREE[child + 4]) << 16) / (u64)n)) >> 6);
                    if (!chosen || value > high) { chosen = child; high = value; }
                }
            }
            if (fresh_) {
                i64 wanted = draw(&x, &c, fresh_);
                for (i = at = 0; i < ON; i++, at += OUT[at] + 1) if (!tried(node, at) && !wanted--) break;
                if (used + step_ > TCAP) { err(8, 10); return -1; }
                chosen = used; used += step_;
                for (i = 0; i < step_; i++) TREE[chosen + i] = 0;
                TREE[chosen + 4] = 1; TREE[chosen + 6] = mover;
                keep_option(TREE + chosen + @NODE@, OUT + at);
                if (TREE[node]) TREE[TREE[node + 1] + 2] = chosen; else TREE[node] = chosen;
                TREE[node + 1] = chosen;
            }
            path[depth++] = chosen;
            where_in_out(TREE + chosen + @NODE@, &index);
            COUNTS = 1; AUTO = fresh_ > 0; CHOICE = index; LIVE = 0;
            st = drive(WORLD);
            while (st == 1 && AUTO) st = drive(WORLD);
            if (st == 1) st = listed(WORLD);
            node = chosen;
        }
        if (E == 7 || E == 8) return -1;
        if (!E) {
            if (st == 1) { COUNTS = AUTO = 1; LIVE = 0; st = ask(WORLD);
                while (st == 1) { CHOICE = draw(&WORLD[@POLICY_X@], &WORLD[@POLICY_C@], ON); st = drive(WORLD); } }
            if (E == 7 || E == 8) return -1;
        }
        if (!E) {
            rewards(WORLD, reward);
            for (i = 0; i < depth; i++) { TREE[path[i] + 3]++; TREE[path[i] + 5] += reward[TREE[path[i] + 6]]; }
        }
        forget();
    }
    copy(WORLD, S, end);
    if (listed(WORLD) != 1) return E ? -1 : 0;
    for (best = 0, i = TREE[0]; i; i = TREE[i + 2])
        if (where_in_out(TREE + i + @NODE@, &index) >= 0
            && (!best || TREE[i + 3] > TREE[best + 3]
                || (TREE[i + 3] == TREE[best + 3] && TREE[i + 5] > TREE[best + 5]))) best = i;
    if (!best) return 0;
    where_in_out(TREE + best + @NODE@, &index);
    return index;
}
static i64 greedy(const i32 *S, i64 n, i32 *x, i32 *c) {
    i64 k, count = 0, high = 0, seat = S[@DECIDER@], end = frames_end(S), chance = draw(x, c, 1 << 30), i;
    if (n > TCAP) { err(8, 10); return -1; }
    for (k = 0; k < n; k++) {
        i64 lead = 0, other = 0, any = 0, score[@PLAYERS@ + 1];
        copy(WORLD, S, end);
        seed(&WORLD[@RNG_X@], &WORLD[@RNG_C@], (u64)chance);
        COUNTS = 1; AUTO = LIVE = 0; CHOICE = k;
        drive(WORLD);
        if (E == 7 || E == 8) return -1;
        if (E) { forget(); continue; }
        for (i = 1; i <= @PLAYERS@; i++) score[i] = rank_part(WORLD, 0, i);
        for (i = 1; i <= @PLAYERS@; i++) {
            i64 total = 0, s;
            if (TEAM[i] == TEAM[seat]) { lead += score[i]; continue; }
            for (s = 1; s <= @PLAYERS@; s++) if (TEAM[s] == TEAM[i]) total += score[s];
            if (!any || total > other) { other = total; any = 1; }
        }
        forget();
        lead -= any ? other : 0;
        if (!count || lead > high) { high = lead; count = 0; }
        if (lead == high) TREE[count++] = k;
    }
    return count ? TREE[draw(x, c, count)] : 0;
}
API void rl_tree(i64 *words, i64 room) { TREE = words; TCAP = room; }
API i64 rl_search(const i32 *S, i64 kind, i64 seat, i64 budget, u64 seed_) {
    i64 found;
    fresh();
    found = kind == 3 ? flat(S, seat, budget, seed_) : ismcts(S, seat, budget, seed_);
    return E ? -1 : found;
}
API void rl_determinise(i32 *S, i64 seat, u64 seed_) {
    i32 x, c;
    fresh(); seed(&x, &c, seed_); determinise(S, seat, &x, &c);
}
API void rl_observe(i32 *S, i64 seat) { fresh(); observe(S, seat); }
API i64 rl_count(i32 *S) { i64 st; fresh(); COUNTS = 1; st = ask(S); return E ? -1 : st == 1 ? ON : 0; }
API i64 rl_choose(i32 *S, i64 k) {
    i64 st;
    fresh(); COUNTS = 1; CHOICE = k;
    st = drive(S);
    return E ? -1 : st == 1 ? ON : 0;
}
static i64 choice(const i32 *S, i64 kind, i64 budget, i32 *x, i32 *c) {
    switch (kind) {
        case 1: return 0;
        case 2: return greedy(S, ON, x, c);
        case 3: return flat(S, S[@DECIDER@], budget, (u64)draw(x, c, 1 << 30));
        case 4: return ismcts(S, S[@DECIDER@], budget, (u64)draw(x, c, 1 << 30));
    }
    return draw(x, c, ON);
}
/* From a decision on to the end: agents by seat, each with its generator (words 2a, 2a + 1 of `chance`). */
static i64 between(i32 *S, i64 n, const i64 *kinds, const i64 *budgets, i32 *chance) {
    while (S[@FRAME@]) {
        i64 a, k, holds = HOLDS;
        forget(); COUNTS = 1;
        if (S[@DECISIONS@] >= DUE) asked(S, S[@SITE@], S[@DECIDER@]);
        if (polled() || ask(S) < 0) return -1;
        a = (S[@DECIDER@] - 1) % n;
        HOLDS = 0; DUE = due(S[@DECISIONS@]);  /* what a search only imagines is not tested */
        k = choice(S, kinds[a], budgets[a], &chance[2 * a], &chance[2 * a + 1]);
        HOLDS = holds; DUE = due(S[@DECISIONS@]);
        if (k < 0) return -1;
        forget(); COUNTS = 1; CHOICE = k;
        if (drive(S) < 0 || E) return -1;
    }
    if (HOLDS) hold(S);
    return E ? -1 : 0;
}
API i64 rl_between(i32 *S, i64 n, const i64 *kinds, const i64 *budgets, i32 *chance) {
    fresh();
    return between(S, n, kinds, budgets, chance);
}
API i64 rl_between_many(i32 *S, const i32 *initial, u64 series, i64 first, i64 games, i64 n, const i64 *kinds,
                        const i64 *budgets, i32 *chance, i64 *rows) {
    i64 i, a, part, seat;
    for (i = 0; i < games; i++) {
        i64 *row = rows + i * @ROWS@;
        u64 own = mixed(mixed(series) + (u64)(first + i));
        fresh(); COUNTS = 1;
        copy(S, initial, @SIZE@);  /* the stack too: determinizations look at all words of frames */
        seed(&S[@RNG_X@], &S[@RNG_C@], own);
        for (a = 0; a < n; a++) seed(&chance[2 * a], &chance[2 * a + 1], mixed(own ^ 0x706F6C696379ull));
        S[@STEPS@] = 0;
        a = start(S, @MAIN@, @STACK@, 0);
        if (a < 0 || E) return i;
        if (!a) close_game(S);
        if (between(S, n, kinds, budgets, chance)) return i;
        row[0] = S[@DECISIONS@]; row[1] = S[@FORCED@]; row[2] = S[@ROUND@];
        for (part = 0; part < @PARTS@; part++)
            for (seat = 1; seat <= @PLAYERS@; seat++)
                row[2 + part * @PLAYERS@ + seat] = rank_part(S, part, seat);
        if (E) return i;
    }
    return games;
}
"""
