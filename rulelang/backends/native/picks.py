"""Decisions taken on the spot by a generator: uniform, by counting the options and decoding one of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from rulelang.backends.native import prelude
from rulelang.backends.native.enumerate import distinct_list
from rulelang.backends.native.stmts import Body
from rulelang.backends.python.fuse import Fusion, fusible
from rulelang.base.source import NOWHERE
from rulelang.program import ir
from rulelang.program.passes.shapes import Shape, single_option
from rulelang.program.passes.walk import substitute


@dataclass(slots=True)
class Counted:
    """One source after its count. `count` is a local; `decode` a call that fills `o_`, or `values` tell themselves.

    `kept`: the array that holds the options' values, as long as they are `KEPT` at most.
    """

    source: ir.Source
    shape: Shape
    count: str
    decode: str
    values: tuple[str, ...] = ()
    kept: str = ""


#: Options that are kept while they are counted, so that none has to be found again.
KEPT = 32


class CFusion(Fusion):
    """Counts sources together."""

    def write(self) -> None:
        body: Any = self.body
        for name in (*self.zeros, *(count for _, count in self.lists)):
            body.out(f"{name} = 0;")
        for name in self.memos:
            body.memos.append(name)
            body.out(f"{name}->n = 0;")
        body.block(tuple(self.block))


def pick_now(body: Body, stmt: ir.Pick, fuses: bool) -> None:
    """Set the tag and the targets of a pick by the policy's generator (of a chance pick: by the game's)."""
    out, names = body.out, body.names
    shapes = body.unit.shapes
    can_pass = stmt.may_pass != ir.Const(0)
    compels = can_pass and any(shapes[s.enumerator].compels for s in stmt.sources)
    total, k = names.once("n_"), names.once("k_")
    counted = total_options(body, stmt, compels, fuses)
    with out.inside(f"if ({total} > 1)"):
        if not stmt.chance:
            decided(body, stmt)
        out(f"{k} = draw({generator(body, stmt.chance)}, {total});")
    with out.inside(f"else if ({total})"):
        out(f"{k} = 0;")
        if not stmt.chance:
            forced(body, stmt)
    if stmt.may_pass == ir.Const(1):  # the one option is pass, unless it compels
        with out.inside(f"if ({total} > 1{' || m_' if compels else ''})"):
            take(body, stmt, counted, can_pass)
        with out.inside("else"):
            store(body, stmt, -1, ())
        return
    with out.inside(f"if ({total})"):
        take(body, stmt, counted, can_pass)
    with out.inside("else"):
        store(body, stmt, -2, ())


def total_options(body: Body, stmt: ir.Pick, compels: bool, fuses: bool) -> list[Counted]:
    """Count the sources of a decision; the local `n_` is how many options there are, pass included."""
    out, total = body.out, body.names.once("n_")
    if compels:
        out(f"{body.names.once('m_')} = 0;")
    counted = count_sources(body, stmt, compels, fuses)
    out(f"{total} = {' + '.join(c.count for c in counted) or '0'};")
    if stmt.may_pass != ir.Const(0):
        test = body.cond(stmt.may_pass)
        out(f"{total} += {f'!m_ && {test}' if compels else f'!!{test}' if test != '1' else '1'};")
    return counted


def generator(body: Body, chance: bool) -> str:
    cells = body.cells
    x, c = (cells.rng_x, cells.rng_c) if chance else (cells.policy_x, cells.policy_c)
    return f"&S[{x}], &S[{c}]"


def count_decision(body: Body) -> str:
    """The text that counts a decision: its number."""
    if body.unit.steps:
        body.out(f"S[{body.cells.steps}] = 0;")
    return f"++S[{body.cells.decisions}]"


def decided(body: Body, stmt: ir.Pick) -> None:
    """Count a decision that is taken on the spot. What is watched is looked at where it is due."""
    number = count_decision(body)
    player = "0" if stmt.player is None else body.ex(stmt.player)
    with body.out.inside(f"if (RARE({number} >= C->due))"):
        body.out(f"asked(C, S, {stmt.site}, {player});")
        body.check()


def forced(body: Body, stmt: ir.Pick) -> None:
    """One option, taken unasked. It counts as a step: nothing else bounds a loop of such decisions."""
    body.out(f"S[{body.cells.forced}]++;")
    if body.unit.steps:
        sites = body.unit.module.sites
        span = body.unit.span(sites[stmt.site - 1].span if stmt.site <= len(sites) else NOWHERE)
        count_step(body, span)


def count_step(body: Body, span: int) -> None:
    body.error(prelude.STEPS, span, test=f"++S[{body.cells.steps}] >= C->pause && still(C, S)")


def count_sources(body: Body, stmt: ir.Pick, compels: bool, fuses: bool) -> list[Counted]:
    found: list[Counted] = []
    fusion = CFusion(cast(Any, body), compels) if fuses else None
    hoisted: dict[tuple[ir.Expr, str], str] = {}
    for source in stmt.sources:
        function, shape = body.unit.module.functions[source.enumerator], body.unit.shapes[source.enumerator]
        single = single_option(function, source.args)
        if single is not None:
            test, values = single
            count = body.names.temporary("n")
            body.out(f"{count} = {'1' if test is None else f'!!{body.cond(test)}'};")
            found.append(Counted(source, shape, count, "", tuple(map(body.ex, values))))
            continue
        lists: tuple[str, ...] = ()
        named: dict[tuple[ir.Expr, str], str] = {}
        for zone, table in shape.hoisted:
            key = (substitute(zone, function.params, source.args), table)
            if key not in hoisted:
                hoisted[key] = name = distinct_list(body, key[0], table)
                body.names.given[name] = name
            named[zone, table] = hoisted[key]
            lists += (hoisted[key], f"{hoisted[key]}_n")
        args = tuple(simple(body, arg) for arg in source.args)
        if fusion is not None and fusible(function, shape):
            count, memo = fusion.add(function, shape, args, named)
            kept = memo if fusion.collects(shape) else ""
            if kept:
                body.arrays[kept] = KEPT * shape.arity
            decode = decode_call(body, source, args, "()" if kept else memo, lists)
            found.append(Counted(source, shape, count, decode, kept=kept))
            continue
        memo = "()"
        if shape.memo is not None:
            memo = body.names.temporary("q")
            body.memos.append(memo)
        count = body.names.temporary("n")
        pointer = "0" if memo == "()" else memo
        body.out(f"{count} = {body.ex.call(source.enumerator, 'c_', args, (pointer,), lists)};")
        if source.enumerator in body.unit.fallible:
            body.check()
        if shape.compels:
            body.out(f"if ({count} < 0) {{ {count} = -{count};{' m_ = 1;' if compels else ''} }}")
        found.append(Counted(source, shape, count, decode_call(body, source, args, memo, lists)))
    if fusion is not None:
        fusion.write()
    return found


def decode_call(body: Body, source: ir.Source, args: tuple[ir.Expr, ...], memo: str, lists: tuple[str, ...]) -> str:
    pointer = "0" if memo == "()" else memo
    return body.ex.call(source.enumerator, "k_", args, ("k_", pointer, "o_"), lists)


def simple(body: Body, arg: ir.Expr) -> ir.Expr:
    """An argument that can be told twice."""
    if isinstance(arg, (ir.Local, ir.Const)):
        return arg
    name = body.names.temporary("a")
    body.names.given[name] = name
    body.out(f"{name} = {body.ex(arg)};")
    body.checked(arg)
    return ir.Local(name)


def take(body: Body, stmt: ir.Pick, counted: list[Counted], can_pass: bool) -> None:
    """Set tag and targets to option `k_`."""
    before = ""
    for i, each in enumerate(counted):
        if before:
            body.out(f"else if ((k_ -= {before}), k_ < {each.count}) {{")
        else:
            body.out(f"if (k_ < {each.count}) {{")
        body.out.level += 1
        chosen(body, stmt, each)
        body.out.level -= 1
        body.out("}")
        before = counted[i].count
    if can_pass:
        body.out("else {" if counted else "{")
        store(body, stmt, -1, ())
        body.out("}")


def chosen(body: Body, stmt: ir.Pick, each: Counted) -> None:
    arity = each.shape.arity
    if each.kept:
        with body.out.inside(f"if ({each.count} <= {KEPT})"):
            at = f"k_ * {arity} + " if arity > 1 else "k_ + "
            store(body, stmt, each.source.tag, tuple(f"{each.kept}[{at}{i}]" for i in range(arity)))
        with body.out.inside("else"):
            chosen(body, stmt, replace(each, kept=""))
    elif each.decode and arity:
        room(body, each.shape.arity)
        body.error(prelude.INTERNAL, 7, test=f"!{each.decode}")
        store(body, stmt, each.source.tag, tuple(f"o_[{i}]" for i in range(each.shape.arity)))
    else:
        store(body, stmt, each.source.tag, each.values)


def room(body: Body, arity: int) -> None:
    """The array that a decoder fills."""
    body.arrays[body.names.once("o_")] = max(body.arrays.get("o_", 1), arity)


def store(body: Body, stmt: ir.Pick, tag: int, values: tuple[str, ...]) -> None:
    texts = [*values, *(["0"] * (len(stmt.targets) - len(values)))]
    for target, text in zip(stmt.targets, texts, strict=True):
        body.out(f"{body.names[target]} = {text};")
    body.out(f"{body.names[stmt.tag]} = {tag};")
