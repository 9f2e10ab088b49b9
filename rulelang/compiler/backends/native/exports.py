"""What the rest of the library asks of the functions of a ruleset: the definitions that `runtime/rules.h` declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulelang.compiler.backends.braces import Writer
from rulelang.compiler.backends.native import prelude
from rulelang.compiler.backends.native.tables import ranked
from rulelang.compiler.backends.native.trials import CHANGED
from rulelang.compiler.backends.native.unit import NativeUnit
from rulelang.compiler.ir import nodes as ir


def entries(unit: NativeUnit) -> list[str]:
    """Their lines."""
    out = Writer()
    module, functions = unit.module, unit.module.functions
    _dispatch(unit, out, "pure", lambda f: f.kind == "pure", "p_", "const i32 *S")
    _dispatch(unit, out, "why", lambda f: f.kind == "why", "w_", "const i32 *S")
    _dispatch(unit, out, "plain", lambda f: f.name in unit.direct and f.name not in unit.only_tried, "d_", "i32 *S")
    _dispatch(unit, out, "heard", lambda f: f.name in unit.heard, "r_", "i32 *S")
    with out.inside(_head("start", "i32 *S", "i64 number", "i64 base", "i64 *a")):
        out("(void)base; (void)a;")
        with out.inside("switch (number)"):
            for name in unit.frames:
                if not functions[name].lists:
                    with out.inside(f"case {unit.numbers[name]}:"):
                        out(f"i64 status = {unit.call(name, 'r_', 'base', '0', *_args(unit, name))};")
                        out("if (status == PAUSED) S[base + 1] = 0;")
                        out("return status;")
            heard = "".join(f"case {unit.numbers[name]}: " for name in functions if name in unit.heard)
            if heard:
                out(f"{heard}heard(C, S, number, a); break;")
            out("default: plain(C, S, number, a);")
        out("return C->error ? FAILED : ENDED;")
    with _by_number(out, "step", ("i32 *S", "i64 frame", "i64 pc"), "pc"):
        for name, frame in unit.frames.items():
            cases = " ".join(f"case {p.pc}:" for p in frame.points.values())
            function = functions[name]
            zeros = [zero for p in function.params for zero in (("0", "0") if p in function.lists else ("0",))]
            out(f"{cases} return {unit.call(name, 'r_', 'frame', 'pc', *zeros, *unit.outermost(name))};")
    with _by_number(out, "again", ("const i32 *S", "i64 frame", "i64 pc"), "pc"):
        for decision in unit.decisions.values():
            name = decision.relister.name
            out(f"case {decision.pc}: return {unit.call(name, 'a_', 'frame', *unit.outermost(name))};")
    with out.inside(_head("sampled", "i32 *S", result="void")):
        prefix = "s_" if module.main in unit.drawn else "d_"
        out(f"{unit.call(module.main, prefix)};" if module.main in functions else "(void)C; (void)S;")
    with out.inside(_head("rank_part", "const i32 *S", "i64 part", "i64 seat")):
        out("(void)S; (void)seat;")
        out(CHANGED)
        with out.inside("switch (part)"):
            for part, name in enumerate(ranked(unit)):
                out(f"case {part}: return {unit.call(name, 'p_', 'seat', *unit.outermost(name))};")
            out("default: return 0;")
    with out.inside(_head("hold", "const i32 *S", result="void")):
        out("(void)S;")
        out(CHANGED)
        for number, (_, name, _) in enumerate(module.invariants):
            test = f"!{unit.call(name, 'p_', *unit.outermost(name))}"
            out(f"if ({test}) {{ err(C, {prelude.error(prelude.UNTRUE)}, {number}); return; }}")
    return out.lines


def _head(name: str, *params: str, result: str = "i64") -> str:
    return f"static {result} {name}({', '.join(('context *C', *params))})"


def _args(unit: NativeUnit, name: str) -> tuple[str, ...]:
    return (*(f"a[{i}]" for i in range(len(unit.module.functions[name].params))), *unit.outermost(name))


def _dispatch(
    unit: NativeUnit, out: Writer, name: str, wanted: Callable[[ir.Function], bool], prefix: str, state: str
) -> None:
    with _by_number(out, name, (state, "i64 number", "i64 *a"), "number", "FUNCTION", "0"):
        for function in unit.module.functions.values():
            if wanted(function) and not function.lists and function.results == 1:
                text = unit.call(function.name, prefix, *_args(unit, function.name))
                out(f"case {unit.numbers[function.name]}: return {text};")


@contextmanager
def _by_number(
    out: Writer, name: str, params: tuple[str, ...], number: str, error: str = "POINT", failed: str = "FAILED"
) -> Iterator[None]:
    """A function whose cases, of a number, are written meanwhile; any other number is an error."""
    with out.inside(_head(name, *params)):
        out(" ".join(f"(void){param.split()[-1].lstrip('*')};" for param in params))
        with out.inside(f"switch ({number})"):
            yield
            out("default: break;")
        out(f"err(C, ERROR_INTERNAL, INTERNAL_{error});")
        out(f"return {failed};")
