"""Questions for marks in the same word, one after the other, stand under one question for any of the marks.

What works on a thing is a bit in its word (see `state.masks`), and most things have few: one look answers for all.
"""

from __future__ import annotations

from typing import Any

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import assigned, conjuncts, locals_read, statements, with_blocks


def mark_of(test: ir.Expr) -> tuple[ir.Cell, int] | None:
    """If a condition asks for marks: their word, and their bits."""
    match test:
        case ir.Arith("&", ir.Cell() as word, ir.Const(bits)):
            return word, bits
        case _:
            return None


def under_one(word: ir.Cell, bits: int, members: list[Any]) -> list[Any]:
    """Statements that do nothing without one of the marks, under one question if there are several."""
    return members if len(members) == 1 else [ir.Branch(ir.Arith("&", word, ir.Const(bits)), tuple(members))]


def merge_bit_tests(block: ir.Block) -> ir.Block:
    """The block of a function that only reads."""
    found: list[ir.Stmt] = []
    run: list[Any] = []
    known: tuple[ir.Cell, int] | None = None
    for inner in _in_groups([with_blocks(stmt, merge_bit_tests) for stmt in block]):
        mark = _asked(inner)
        if known is not None and (mark is None or mark[0] != known[0]):
            found += under_one(*known, run)
            run, known = [], None
        if mark is None:
            found.append(inner)
        else:
            run.append(inner)
            known = mark if known is None else (known[0], known[1] | mark[1])
    return tuple(found) if known is None else (*found, *under_one(*known, run))


def _in_groups(block: list[Any]) -> list[Any]:
    """The block with questions for the same word together, where any of several may come first: where all that they
    can do is to end the function with the same answer."""
    found: list[Any] = []
    alike: list[tuple[ir.Cell, Any]] = []
    answers: set[ir.Expr | None] = set()

    def close() -> None:
        words = [word for word, _ in alike]
        found.extend(stmt for _, stmt in sorted(alike, key=lambda pair: words.index(pair[0])))
        alike.clear()
        answers.clear()

    for stmt in block:
        mark = _asked(stmt)
        more = None if mark is None else _answers(stmt)
        if more is None or len(answers | more) > 1:
            close()
        if mark is None or more is None:
            found.append(stmt)
        else:
            alike.append((mark[0], stmt))
            answers |= more
    close()
    return found


def _answers(stmt: ir.Branch) -> set[ir.Expr | None] | None:
    """The constants that a statement may return, if that is all it does."""
    inside = [s for s in statements((stmt,)) if not isinstance(s, ir.Branch)]
    if not all(isinstance(s, ir.Return) and isinstance(s.value, ir.Const) for s in inside):
        return None
    return {s.value for s in inside if isinstance(s, ir.Return)}


def _asked(stmt: Any) -> tuple[ir.Cell, int] | None:
    """The marks that a statement asks for before all else, if it leaves the place of their word alone."""
    if not isinstance(stmt, ir.Branch) or stmt.otherwise:
        return None
    found = mark_of(conjuncts(stmt.test)[0])
    if found is None or locals_read(found[0]) & {name for s in statements((stmt,)) for name in assigned(s)}:
        return None
    return found
