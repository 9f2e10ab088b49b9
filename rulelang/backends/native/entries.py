"""What a generated library exports: functions that start with `rl_`, each with numbers and arrays only."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.backends.native import prelude
from rulelang.backends.native.unit import NativeUnit
from rulelang.backends.native.writer import Writer
from rulelang.program import ir
from rulelang.program.passes.frames import RETURN, RETURN_SIZE

#: Answers of `rl_begin`, `rl_resume`, `rl_options`, `rl_call`.
ENDED, PAUSED, FAILED = 0, 1, -1


def entries(unit: NativeUnit) -> list[str]:
    """The lines of all exported functions."""
    out = Writer()
    module, cells, functions = unit.module, unit.cells, unit.module.functions
    _dispatch(unit, out, "pure", lambda f: f.kind == "pure", "p_", "const i32 *S")
    _dispatch(unit, out, "why", lambda f: f.kind == "why", "w_", "const i32 *S")
    _dispatch(unit, out, "plain", lambda f: f.name in unit.direct, "d_", "i32 *S")
    _dispatch(unit, out, "heard", lambda f: f.name in unit.heard, "r_", "i32 *S")
    with out.inside("static i64 start(i32 *S, i64 number, i64 base, i64 *a)"):
        out("i64 st = 0;")
        with out.inside("switch (number)"):
            for name in unit.frames:
                if not functions[name].lists:
                    call = unit.call(name, "r_", "base", "0", *_args(unit, name))
                    out(f"case {unit.numbers[name]}: st = {call}; if (st == 1) S[base + 1] = 0; return st;")
            heard = "".join(f"case {unit.numbers[name]}: " for name in functions if name in unit.heard)
            if heard:
                out(f"{heard}heard(S, number, a); return E ? -1 : 0;")
            out("default: plain(S, number, a); return E ? -1 : 0;")
    with out.inside("static i64 step(i32 *S, i64 frame, i64 pc)"):
        with out.inside("switch (pc)"):
            for name, frame in unit.frames.items():
                cases = " ".join(f"case {p.pc}:" for p in frame.points.values())
                function = functions[name]
                zeros = [zero for p in function.params for zero in (("0", "0") if p in function.lists else ("0",))]
                out(f"{cases} return {unit.call(name, 'r_', 'frame', 'pc', *zeros, *unit.outermost(name))};")
        out("err(8, 4); return -1;")
    out(f"static const i32 SIZES[] = {{{', '.join(map(str, frame_sizes(unit)))}}};")
    main = unit.numbers.get(module.main, -1)
    places = {
        "STEPS": cells.steps, "FRAME": cells.frame, "SITE": cells.site, "DECIDER": cells.decider, "OVER": cells.over,
        "ROUND": cells.round, "DECISIONS": cells.decisions, "FORCED": cells.forced, "RNG_X": cells.rng_x,
        "RNG_C": cells.rng_c, "POLICY_X": cells.policy_x, "POLICY_C": cells.policy_c,
    }  # fmt: skip
    text = _FIXED
    for name, place in places.items():
        text = text.replace(f"@{name}@", str(place))
    seats = range(1, module.layout.players + 1)
    scored = [name for name in (module.score, *module.tiebreak) if name in functions]
    values = [_row(unit, name, seat) for name in scored for seat in seats]
    rows = [f"row[{at}] = {value};" for at, value in enumerate(values, 3)]
    drawn = unit.call(module.main, "s_" if module.main in unit.sampling.routines else "d_")
    for name, value in {
        "STACK": module.layout.stack, "SIZE": module.layout.size, "MAIN": main, "SAMPLED": drawn,
        "BROKEN": prelude.BROKEN, "WIDTH": 3 + len(rows), "ROW": "\n        ".join(rows),
    }.items():  # fmt: skip
        text = text.replace(f"@{name}@", str(value))
    return [*out.lines, *text.splitlines()]


def frame_sizes(unit: NativeUnit) -> tuple[int, ...]:
    """By pc, the words that a frame takes."""
    sizes = {p.pc: frame.size for frame in unit.frames.values() for p in frame.points.values()}
    return (0, RETURN_SIZE, *(sizes.get(pc, 0) for pc in range(RETURN + 1, max(sizes, default=1) + 1)))


def _args(unit: NativeUnit, name: str) -> tuple[str, ...]:
    return (*(f"a[{i}]" for i in range(len(unit.module.functions[name].params))), *unit.outermost(name))


def _row(unit: NativeUnit, name: str, seat: int) -> str:
    return unit.call(name, "p_", str(seat), *unit.outermost(name))


def _dispatch(
    unit: NativeUnit, out: Writer, name: str, wanted: Callable[[ir.Function], bool], prefix: str, state: str
) -> None:
    with out.inside(f"static i64 {name}({state}, i64 number, i64 *a)"):
        with out.inside("switch (number)"):
            for function in unit.module.functions.values():
                if wanted(function) and not function.lists:
                    text = unit.call(function.name, prefix, *_args(unit, function.name))
                    out(f"case {unit.numbers[function.name]}: return {text};")
        out("(void)S; (void)a;")
        out("err(8, 5); return 0;")


_FIXED = """\
static i64 TRUSTED;  /* the words are those of a game that began here */
static void fresh(void) {
    PAUSE = FIRST; DUE = due(0);
    E = TRAILED = OUSED = ON = AUTO = COUNTS = LIVE = LISTING = LOGS = TRUSTED = 0; HOST = 0;
}
static void hear(i64 (*host)(i64, i64, i64, i64 *), i64 logs) { HOST = host; LOGS = logs && host; }
static void close_game(i32 *S) { S[@OVER@] = 1; S[@SITE@] = S[@DECIDER@] = S[@FRAME@] = 0; }
static i64 standing(const i32 *S, i64 frame) {  /* whether a frame lies there; words of a saved game may be anything */
    i64 pc;
    if (frame >= @STACK@ && frame + 1 < @SIZE@) {
        pc = S[frame];
        if (pc > 0 && pc < (i64)(sizeof(SIZES) / sizeof(*SIZES)) && SIZES[pc] && frame + SIZES[pc] <= @SIZE@) return 1;
    }
    err(8, @BROKEN@);
    return 0;
}
#ifdef CHECKED
#define BEGIN TURNS = 0
#else
#define BEGIN
#endif
static i64 ask(i32 *S) {
    i64 frame = S[@FRAME@], st;
    BEGIN;
    if (!frame) return 0;
    if (!standing(S, frame)) return -1;
    OUSED = ON = 0; LISTING = 1;
    st = step(S, frame, S[frame]);
    LISTING = 0;
    return st;
}
static i64 back(i32 *S, i64 frame) {
    S[@SITE@] = S[frame + 2]; S[@DECIDER@] = S[frame + 3]; S[@FRAME@] = S[frame + 4];
    return ask(S);
}
static i64 drive(i32 *S) {
    i64 frame = S[@FRAME@];
    BEGIN;
    S[@SITE@] = S[@DECIDER@] = S[@FRAME@] = 0;
    while (frame) {
        i64 pc, st;
        if (!TRUSTED && !standing(S, frame)) return -1;
        pc = S[frame];
        if (pc == 1) return back(S, frame);
        st = step(S, frame, pc);
        if (st) return st;
        if (!TRUSTED && S[frame + 1] >= frame) { err(8, @BROKEN@); return -1; }
        frame = S[frame + 1];
    }
    close_game(S);
    return 0;
}
API void rl_buffer(i32 *out, i64 room) { OUT = out; OCAP = room; }
API void rl_watch(i64 most, i64 holds, void *poll) { MOST = most; HOLDS = holds; POLL = (int (*)(void))poll; }
API i64 rl_begin(i32 *S, i64 (*host)(i64, i64, i64, i64 *), i64 logs) {
    i64 st;
    fresh(); hear(host, logs);
    S[@STEPS@] = 0;
    st = start(S, @MAIN@, @STACK@, 0);
    if (!st) close_game(S);
    return E ? -1 : st;
}
API i64 rl_resume(i32 *S, i64 (*host)(i64, i64, i64, i64 *), i64 logs, const i64 *given, i64 n) {
    i64 i;
    fresh(); hear(host, logs);
    ARGC = n;
    for (i = 0; i < n && i < 64; i++) ARGV[i] = given[i];
    i = drive(S);
    return E ? -1 : i;
}
API i64 rl_options(i32 *S) { fresh(); return ask(S); }
API i64 rl_call(i32 *S, i64 (*host)(i64, i64, i64, i64 *), i64 logs, i64 number, i64 *args, i64 pauses) {
    i64 waiting = S[@FRAME@], base = @STACK@, st;
    fresh(); hear(host, logs);
    if (waiting && !standing(S, waiting)) return -1;
    if (waiting) base = waiting + SIZES[S[waiting]];
    S[@STEPS@] = 0;
    if (!pauses) { st = start(S, number, base, args); return E ? -1 : st ? st : ask(S); }
    if (base + 5 > @SIZE@) { err(5, 0); return -1; }
    S[base] = 1; S[base + 1] = 0; S[base + 2] = S[@SITE@]; S[base + 3] = S[@DECIDER@]; S[base + 4] = (i32)waiting;
    S[@SITE@] = S[@DECIDER@] = S[@FRAME@] = 0;
    st = start(S, number, base + 5, args);
    if (E) return -1;
    if (!st) return back(S, base);
    if (st == 1) S[base + 6] = (i32)base;
    return st;
}
API i64 rl_pure(i32 *S, i64 number, i64 *args) { fresh(); return pure(S, number, args); }
API i64 rl_plain(i32 *S, i64 number, i64 *args) { fresh(); return plain(S, number, args); }
API i64 rl_why(i32 *S, i64 number, i64 *args) { fresh(); why(S, number, args); return E ? -1 : ON; }
API i64 rl_playout(i32 *S, i64 mode) {  /* 0: count and decode, 1: by rejection, 2: pause at every decision */
    i64 st;
    fresh();
    if (mode == 1 && !S[@FRAME@]) {
        S[@STEPS@] = 0;
        @SAMPLED@;
        if (E) return -1;
        close_game(S);
        if (HOLDS) hold(S);
        return E ? -1 : 0;
    }
    COUNTS = 1;
    if (S[@FRAME@]) { st = ask(S); AUTO = mode != 2; }
    else { TRUSTED = 1; AUTO = mode != 2; S[@STEPS@] = 0; st = start(S, @MAIN@, @STACK@, 0); if (!st) close_game(S); }
    while (st == 1) {  /* without a pause at each: once, but for decisions under a host's call */
        if (RARE(S[@DECISIONS@] >= DUE)) { asked(S, S[@SITE@], S[@DECIDER@]); if (E) return -1; }
        CHOICE = draw(&S[@POLICY_X@], &S[@POLICY_C@], ON);
        st = drive(S);
    }
    if (HOLDS && !st && !E) hold(S);
    return E ? -1 : st;
}
API i64 rl_width(void) { return @WIDTH@; }
API i64 rl_size(void) { return @SIZE@; }
API i64 rl_play_many(i32 *S, const i32 *initial, u64 series, i64 first, i64 n, i64 mode, i64 *rows) {
    i64 i;
    for (i = 0; i < n; i++) {
        i64 *row = rows + i * @WIDTH@;
        u64 own = mixed(mixed(series) + (u64)(first + i));
        E = 0;
        if (RARE(polled())) return i;
        copy(S, initial, @STACK@);
        seed(&S[@RNG_X@], &S[@RNG_C@], own);
        seed(&S[@POLICY_X@], &S[@POLICY_C@], mixed(own ^ 0x706F6C696379ull));
        if (rl_playout(S, mode)) return i;
        row[0] = S[@DECISIONS@]; row[1] = S[@FORCED@]; row[2] = S[@ROUND@];
        @ROW@
        if (E) return i;
    }
    return n;
}
API i64 rl_error(i64 *into) {
    i64 i;
    into[0] = E; into[1] = ENUM; into[2] = ECOUNT; into[3] = TRAILED; into[4] = ON; into[5] = OUSED;
    for (i = 0; i < 16; i++) into[6 + i] = EARG[i];
    return E;
}
API void rl_trail(i64 *into) { i64 i; for (i = 0; i < TRAILED; i++) into[i] = TRAIL[i]; }
"""
