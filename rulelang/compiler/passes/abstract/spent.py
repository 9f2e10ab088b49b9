"""When nothing of a function speaks of a local any more: from there on nobody need know what it may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import LOOPS, assigned, blocks, locals_read

#: From the body of a function inwards: the number of a block, and that of a statement in it.
_Path = tuple[tuple[int, int], ...]


def spent(function: ir.Function, waits: Mapping[int, frozenset[str]]) -> Mapping[int, frozenset[str]]:
    """By the identity of each statement: the locals that are not read behind it, as all that mentions them stands in
    its block and ends with it. Of a loop also those that only its body mentions.

    `waits`: by the identity of each statement that waits, the locals that its frame keeps. What is kept anywhere but
    between its first mention and its last is never spent: in a loop a frame keeps what was there in an earlier turn.
    """
    return _Mentions(function).spent(waits)


def chosen(tag: str, number: int, target: str) -> str:
    """By what name it is kept what a local of a decision may be if the option taken is of this number."""
    return f"{target} of {tag} {number}"


class _Mentions:
    def __init__(self, function: ir.Function) -> None:
        self.blocks: list[ir.Block] = []
        self.places: dict[int, list[tuple[int, _Path]]] = {}  # by statement: it may stand in several
        self.first: dict[str, int] = {}  # by local: the number of the statement in the text
        self.last: dict[str, _Path] = {}  # the innermost block that holds all that mentions it, and the last there
        self.told_apart: dict[str, set[str]] = {}  # by the tag of a decision
        self.count = 0
        for name in function.params if function.body else ():
            self.first[name], self.last[name] = 0, ((0, 0),)
        self._block(function.body, ())

    def _block(self, block: ir.Block, path: _Path) -> None:
        number = len(self.blocks)
        self.blocks.append(block)
        for at, stmt in enumerate(block):
            here = (*path, (number, at))
            self.count += 1
            self.places.setdefault(id(stmt), []).append((self.count, here))
            for name in _mentioned(stmt):
                self.first.setdefault(name, self.count)
                last = self.last.get(name)
                self.last[name] = here if last is None else _joint(last, here)
            if isinstance(stmt, ir.Pick):
                names = {chosen(stmt.tag, source.tag, target) for source in stmt.sources for target in stmt.targets}
                self.told_apart.setdefault(stmt.tag, set()).update(names)
            for inner in blocks(stmt):
                self._block(inner, here)

    def spent(self, waits: Mapping[int, frozenset[str]]) -> Mapping[int, frozenset[str]]:
        found: dict[int, set[str]] = {}
        elsewhere = {name for stmt, names in waits.items() for name in names if not self._between(stmt, name)}
        for name, path in self.last.items():
            if name in elsewhere:
                continue
            for depth, (number, at) in enumerate(path, 1):
                stmt = self.blocks[number][at]
                if (depth == len(path) or isinstance(stmt, LOOPS)) and len(self.places[id(stmt)]) == 1:
                    found.setdefault(id(stmt), set()).update((name, *self.told_apart.get(name, ())))
        return {stmt: frozenset(names) for stmt, names in found.items()}

    def _between(self, stmt: int, name: str) -> bool:
        """Whether a statement stands between the first mention of a local and the last."""
        if name not in self.last:
            return False
        *around, (number, end) = self.last[name]
        depth = len(around)
        return all(
            order >= self.first[name]
            and len(path) > depth
            and list(path[:depth]) == around
            and path[depth][0] == number
            and path[depth][1] <= end
            for order, path in self.places.get(stmt, ())
        )


def _joint(one: _Path, other: _Path) -> _Path:
    """Of two places, the second later in the text: the last statement of the innermost block that holds both."""
    for depth, (mine, its) in enumerate(zip(one, other, strict=False)):
        if mine != its:
            return other[: depth + 1] if mine[0] == its[0] else other[:depth]
    return min(one, other, key=len)


def _mentioned(stmt: ir.Stmt) -> Iterator[str]:
    yield from locals_read(stmt)
    yield from assigned(stmt)
    name = getattr(stmt, "list", None)
    if isinstance(name, str):
        yield name
    if isinstance(stmt, ir.Sort | ir.KeepBest):
        yield stmt.name
