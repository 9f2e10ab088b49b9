"""Decisions taken on the spot by a generator: uniform, by counting the options and decoding one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulelang.backends.python.fuse import Fusion, fusible
from rulelang.backends.python.stmts import Body
from rulelang.base.source import NOWHERE
from rulelang.program import ir
from rulelang.program.passes.shapes import Shape, single_option
from rulelang.program.passes.walk import substitute


@dataclass(slots=True)
class Counted:
    """One source after its count: `count` is a local."""

    source: ir.Source
    shape: Shape
    count: str
    decode: str  # text of the values' tuple (or the value), "" if there are none


def pick_now(body: Body, stmt: ir.Pick, shapes: dict[str, Shape]) -> None:
    """Set the tag and the targets of a pick by the policy's generator (of a chance pick: by the game's)."""
    out = body.out
    compels = stmt.may_pass != ir.Const(0) and any(shapes[s.enumerator].compels for s in stmt.sources)
    can_pass = "" if stmt.may_pass == ir.Const(0) else body.ex.cond(stmt.may_pass, 4)
    if compels:
        out("m_ = 0")
        can_pass = "not m_" if can_pass == "1" else f"not m_ and {can_pass}"
    if len(stmt.sources) == 1 and shapes[stmt.sources[0].enumerator].flat:
        counted = [_list(body, stmt.sources[0], shapes)]
    else:
        counted = count_sources(body, stmt, shapes, compels)
    total = " + ".join(c.count for c in counted) or "0"
    out(f"n_ = {total}")
    if stmt.may_pass == ir.Const(1) and not stmt.chance:  # there is always something to take
        with out.inside("if not n_:"):
            take_option(body, stmt, "-1", 0, "")
            forced(body, stmt)
        with out.inside("else:"):
            out(f"if {can_pass}: n_ += 1" if compels else "n_ += 1")
            _draw(body, stmt, sure=not compels)
            _take(body, stmt, counted, True)
        return
    if can_pass:
        out(f"if {can_pass}: n_ += 1")
    with out.inside("if n_:"):
        _draw(body, stmt)
        _take(body, stmt, counted, bool(can_pass))
    with out.inside("else:"):
        take_option(body, stmt, "-2", 0, "")


def _draw(body: Body, stmt: ir.Pick, sure: bool = False) -> None:
    """Set `k_` below `n_` (at least 1; `sure`: 2), and count the decision."""
    if sure:
        _count_and_draw(body, stmt)
        return
    with body.out.inside("if n_ > 1:"):
        _count_and_draw(body, stmt)
    with body.out.inside("else:"):
        body.out("k_ = 0")
        if not stmt.chance:
            forced(body, stmt)


def _count_and_draw(body: Body, stmt: ir.Pick) -> None:
    cells = body.cells
    if stmt.chance:
        draw(body, "n_", cells.rng_x, cells.rng_c)
        return
    decided(body, stmt)
    draw(body, "n_")


def decided(body: Any, stmt: ir.Pick) -> None:
    """Count a decision. What is watched (see `link`) is looked at where it is due."""
    cells = body.cells
    steps = f"; S[{cells.steps}] = 0" if body.unit.steps else ""
    body.out(f"dn_ = S[{cells.decisions}] + 1; S[{cells.decisions}] = dn_{steps}")
    player = "0" if stmt.player is None else body.ex.value(stmt.player)
    body.out(f"if dn_ >= DUE_: asked_(S, {stmt.site}, {player})")


def draw(body: Any, bound: str, x: int | None = None, c: int | None = None) -> None:
    """Set `k_` below a bound by a generator: that of the policy, or the one whose words are given."""
    x, c = body.cells.policy_x if x is None else x, body.cells.policy_c if c is None else c
    body.out(f"x_ = S[{x}]; c_ = S[{c}]; k_ = (x_ ^ c_) * {bound} >> 30")
    body.out(f"t_ = x_ * 998578647 + c_; S[{x}] = t_ & 1073741823; S[{c}] = t_ >> 30")


def forced(body: Any, stmt: ir.Pick) -> None:
    """One option, taken unasked. It counts as a step: nothing else bounds a loop of such decisions."""
    body.out(f"S[{body.cells.forced}] += 1")
    if body.unit.steps:
        body.count(
            body.unit.span(
                body.unit.module.sites[stmt.site - 1].span if stmt.site <= len(body.unit.module.sites) else NOWHERE
            )
        )


def _list(body: Body, source: ir.Source, shapes: dict[str, Shape]) -> Counted:
    items, count = body.names.temporary("o"), body.names.temporary("n")
    body.out(f"{items} = {body.unit.function(source.enumerator, 'v_')}(S{body.ex.args(source.args)})")
    body.out(f"{count} = len({items})")
    return Counted(source, shapes[source.enumerator], count, f"{items}[k_]")


def count_sources(body: Body, stmt: ir.Pick, shapes: dict[str, Shape], compels: bool) -> list[Counted]:
    """Count every source into a local of its own."""
    found: list[Counted] = []
    fusion = Fusion(body, compels) if body.fuses else None
    hoisted: dict[tuple[ir.Expr, str], str] = {}
    for source in stmt.sources:
        function, shape = body.unit.module.functions[source.enumerator], shapes[source.enumerator]
        count = body.names.temporary("n")
        single = single_option(function, source.args)
        if single is not None:
            test, values = single
            body.out(f"{count} = 1" if test is None else f"{count} = 1 if {body.ex.cond(test, 2)} else 0")
            texts = [body.ex.value(v) for v in values]
            found.append(Counted(source, shape, count, texts[0] if len(texts) == 1 else ", ".join(texts)))
            continue
        lists = ""
        for zone, table in shape.hoisted:
            key = (substitute(zone, function.params, source.args), table)
            if key not in hoisted:
                hoisted[key] = name = body.names.temporary("h")
                body.names.given[name] = name
                body.out(f"{hoisted[key]} = distinct_(S, {body.ex.num(key[0])}, {body.unit.table(table)})")
            lists += f", {hoisted[key]}"
        args = tuple(_simple(body, arg) for arg in source.args)
        if fusion is not None and fusible(function, shape):
            named = {h: hoisted[substitute(h[0], function.params, source.args), h[1]] for h in shape.hoisted}
            count, memo = fusion.add(function, shape, args, named)
            if fusion.collects(shape):
                found.append(Counted(source, shape, count, f"{memo}[k_]"))
                continue
        else:
            memo = "()"
            if shape.memo is not None:
                memo = body.names.temporary("q")
                body.out(f"{memo} = []")
            body.out(f"{count} = {body.unit.function(source.enumerator, 'c_')}(S, {memo}{body.ex.args(args)}{lists})")
            if shape.compels:
                body.out(f"if {count} < 0: {count} = -{count}{'; m_ = 1' if compels else ''}")
        decode = f"{body.unit.function(source.enumerator, 'k_')}(S, k_, {memo}{body.ex.args(args)}{lists})"
        found.append(Counted(source, shape, count, decode if shape.arity else ""))
    if fusion is not None:
        fusion.write()
    return found


def _simple(body: Body, arg: ir.Expr) -> ir.Expr:
    """An argument that can be told twice."""
    if isinstance(arg, (ir.Local, ir.Const)):
        return arg
    name = body.names.temporary("a")
    body.names.given[name] = name
    body.out(f"{name} = {body.ex.value(arg)}")
    return ir.Local(name)


def _take(body: Body, stmt: ir.Pick, counted: list[Counted], can_pass: bool) -> None:
    """Set tag and targets to option `k_`."""
    if not counted:
        take_option(body, stmt, "-1", 0, "")
        return
    word, before = "if", ""
    for i, each in enumerate(counted):
        last = i == len(counted) - 1 and not can_pass
        left = f"(k_ := k_ - {before})" if before else "k_"
        if last and i == 0:
            take_option(body, stmt, str(each.source.tag), each.shape.arity, each.decode)
            return
        if last:
            with body.out.inside("else:"):
                if each.decode.find("k_") >= 0:
                    body.out(f"k_ -= {before}")
                take_option(body, stmt, str(each.source.tag), each.shape.arity, each.decode)
            return
        with body.out.inside(f"{word} {left} < {each.count}:"):
            take_option(body, stmt, str(each.source.tag), each.shape.arity, each.decode)
        word, before = "elif", each.count
    with body.out.inside("else:"):
        take_option(body, stmt, "-1", 0, "")


def take_option(body: Body, stmt: ir.Pick, tag: str, arity: int, values: str) -> None:
    """Set tag and targets; `values`: the text of a tuple, or of the value where there is one."""
    targets = [body.names[t] for t in stmt.targets]
    if arity:
        body.out(f"{', '.join(targets[:arity])} = {values}")
    unused = targets[arity:]
    body.out(f"{' = '.join([*unused, ''])}{'0; ' if unused else ''}{body.names[stmt.tag]} = {tag}")
