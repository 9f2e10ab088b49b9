"""Report an invariant that printed data breaks, with the rows that break it and the values that it read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from rulelang.base.diagnostics import Diagnostic, Related
from rulelang.base.errors import RuleError
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.compiler.lower.printed import Reads, table_words, tables
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Model, Row
from rulelang.language.semantics.state_layout import Config
from rulelang.language.semantics.tree import walk

#: So many rows are named in one message.
SHOWN = 5


class Places(Protocol):
    """Where what is printed stands; see `semantics.cell_spans`."""

    def cell(self, kind: str, row: Row, column: str) -> Span: ...

    def number(self, name: str) -> Span: ...


@record
class Example:
    """Something for which an invariant does not hold: in words, with the variables' handles and the conditions."""

    text: str
    found: tuple[tuple[tree.Local, int], ...]
    conditions: tuple[tree.Expr, ...]


#: By the name of each invariant that does not hold at a table: what for, or why it cannot be worked out. And the row of
#: each card of that table, by its handle.
Broken = tuple[Mapping[str, tuple[Example, ...] | RuleError], Sequence[Row | None]]


def breaches_of(
    model: Model,
    program: tree.Program,
    asked: Mapping[str, Reads],
    ask: Callable[[Config, Sequence[str]], Broken | None],
    places: Places,
) -> Iterator[Diagnostic]:
    """A diagnostic for each of these invariants (by id) that does not hold at some table.

    `ask` tests several at one table; None where that is too large to be played at all.
    """
    configs = {name: tables(model, reads) for name, reads in asked.items()}
    at: dict[str, tuple[Config, list[str]]] = {}
    for name, wanted in configs.items():
        for config in wanted:
            at.setdefault(repr(config), (config, []))[1].append(name)
    found: dict[str, list[tuple[Config, tuple[Example, ...] | RuleError, Sequence[Row | None]]]] = {}
    for config, names in at.values():
        answer = ask(config, names)
        for name, what in answer[0].items() if answer is not None else ():
            found.setdefault(name, []).append((config, what, answer[1] if answer is not None else ()))
    for invariant in (program.invariants[name] for name in asked):
        broken = found.get(invariant.name)
        if not broken:
            continue
        config, first, cards = broken[0]
        if isinstance(first, RuleError):
            yield first.diagnostic
            continue
        everywhere = len(broken) == len(configs[invariant.id]) and all(what == first for _, what, _ in broken)
        where = "" if everywhere else table_words(config, asked[invariant.id], model)
        yield _told(invariant, first, where, [*_places(first, cards, model, places)])


def _told(invariant: tree.Invariant, examples: Sequence[Example], where: str, related: Sequence[Related]) -> Diagnostic:
    texts = list(dict.fromkeys(example.text for example in examples if example.text))
    because = "; ".join(texts[:SHOWN])
    if len(texts) > SHOWN:
        because += f"; and {len(texts) - SHOWN} more"
    because = ": ".join(part for part in (where, because) if part)
    message = f"printed data breaks the invariant `{invariant.name}`"
    return Diagnostic("X613", invariant.span, message, because, related=tuple(related))


def _places(
    examples: Sequence[Example], cards: Sequence[Row | None], model: Model, places: Places
) -> Iterator[Related]:
    yield from _once([place for example in examples for place in _rows(example, cards, model, places)])[:SHOWN]
    yield from _once([place for example in examples for place in _numbers(example, places)])


def _once(found: Sequence[Related]) -> list[Related]:
    return [place for place in dict.fromkeys(found) if place.span.path]


def _rows(example: Example, cards: Sequence[Row | None], model: Model, places: Places) -> Iterator[Related]:
    read = [node for node in walk(list(example.conditions)) if isinstance(node, tree.ColumnRef)]
    for local, handle in example.found:
        row = _row(local, handle, cards, model)
        if row is None:
            continue
        columns = [n.column.name for n in read if isinstance(n.object, tree.LocalRef) and n.object.local == local]
        spans = [places.cell(local.type.name, row, name) for name in dict.fromkeys(columns)] or [row.span]
        called = f"`{row.name}`" if row.name else "this row"
        yield from (Related(span, f"{called} breaks it") for span in spans)


def _numbers(example: Example, places: Places) -> Iterator[Related]:
    for node in walk(list(example.conditions)):
        if isinstance(node, tree.NumberRef):
            yield Related(places.number(node.name), f"`{node.name}` is given here")


def _row(local: tree.Local, handle: int, cards: Sequence[Row | None], model: Model) -> Row | None:
    kind = local.type.name
    if local.type.tag != "ref" or handle <= 0:
        return None
    if kind in model.sorts:
        return cards[handle] if handle < len(cards) else None
    rows = model.lists[kind].rows if kind in model.lists else ()
    return rows[handle - 1] if handle <= len(rows) else None
