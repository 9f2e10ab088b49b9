"""What functions do, whatever module they stand in: told apart by what they say, and not by their lines or numbers.

Where all functions that have run in a game are alike in another module, and what is said of the modules as a whole,
the same game goes there as it went here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from typing import Any

from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import statements

#: By kind of node the field that has the number or the name of something that the module keeps apart, and where.
_KEPT = {
    ir.Pick: ("site", "sites"),
    ir.Stop: ("site", "sites"),
    ir.Decided: ("site", "sites"),
    ir.Forced: ("site", "sites"),
    ir.Log: ("template", "templates"),
    ir.Ensure: ("reason", "reasons"),
    ir.Blame: ("reason", "reasons"),
    ir.Table: ("name", "tables"),
    ir.FirstLike: ("table", "tables"),
    ir.DistinctList: ("table", "tables"),
    ir.ForArray: ("distinct", "tables"),
    ir.ForTable: ("row", "rows"),
    ir.RowLength: ("row", "rows"),
    ir.RowItem: ("row", "rows"),
}
_NUMBERED = {"sites": 1, "templates": 0, "reasons": 0}
_FIELDS: dict[type, tuple[str, ...]] = {}


class Likeness:
    """Of the functions of one lowered module, each by a text that is the same for those that are alike. `functions`:
    all of them, where more are lowered later."""

    def __init__(self, module: ir.Module, functions: Mapping[str, ir.Function] | None = None) -> None:
        self.module = module
        self.functions = module.functions if functions is None else functions
        self._known: dict[str, str] = {}
        self._things: dict[tuple[str, object], Any] = {}

    def of(self, name: str) -> str:
        """Of a function; "" where the module has none of this name."""
        if name not in self._known and name in self.functions:
            self._known[name] = _short(self._said(self.functions[name]))
        return self._known.get(name, "")

    def of_question(self, name: str, asked: str) -> str:
        """Of a function that was asked for by a number, with all that were made for questions and that it calls: their
        names, in which `asked` stands, tell nothing."""
        made = re.compile(rf"\w*{asked}\w*")
        found, said = [name], list[str]()

        def numbered(its: re.Match[str]) -> str:
            return str(found.index(its[0])) if its[0] in found else its[0]

        for one in found:  # it grows meanwhile
            text = repr(self._said(self.functions[one]))
            found += [new for new in dict.fromkeys(made.findall(text)) if new in self.functions and new not in found]
            said.append(made.sub(numbered, text))
        return _short(said)

    def whole(self) -> str:
        """Of what is said outside of functions: how states lie and begin, what is called from outside."""
        module = self.module
        actions = {(a.id, a.name, a.types, a.params, a.source) for s in module.sites for a in s.actions}
        names = module.main, module.score, module.tiebreak, [one[:2] for one in module.invariants]
        calls = sorted(module.why.items()), sorted(module.callable.items())
        return _short(
            (_flat(module.layout), module.initial, sorted(actions), names, calls, module.teams, module.limits)
        )

    def _said(self, function: ir.Function) -> list[Any]:
        head = function.kind, function.params, sorted(function.lists), function.results, function.keeps, function.title
        said: list[Any] = [head, self._node(function.body)]
        # What lists the options of a decision is put into the function that takes it.
        sources = (s for stmt in statements(function.body) if isinstance(stmt, ir.Pick) for s in stmt.sources)
        said += [self.of(source.enumerator) for source in sources]
        if function.name == self.module.why.get(ir.MORE):  # it is told reasons by their numbers
            said += [self._thing("reasons", number) for number in range(len(self.module.reasons))]
        return said

    def _node(self, node: Any) -> Any:
        kind = type(node)
        if kind is tuple:
            return [self._node(item) for item in node]
        if kind is Span:
            return None
        if kind is frozenset:
            return sorted(node)
        if kind is int or kind is str or node is None or kind is bool:
            return node
        found = [kind.__name__]
        kept, where = _KEPT.get(kind, ("", ""))
        for name in _names(kind):
            value = getattr(node, name)
            found.append(self._thing(where, value) if name == kept else self._node(value))
        return found

    def _thing(self, where: str, key: Any) -> Any:
        """What the module keeps apart from its functions, without its place in the rules."""
        if (where, key) not in self._things:
            kept = None if key is None else getattr(self.module, where)
            number = key - _NUMBERED[where] if where in _NUMBERED else key
            self._things[where, key] = None if kept is None else _short(_flat(kept[number]))
        return self._things[where, key]


def _names(kind: Any) -> Sequence[str]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind))
    return _FIELDS[kind]


def _flat(value: Any) -> Any:
    """Records as lists, without places in the rules."""
    kind = type(value)
    if kind is Span:
        return None
    if kind is tuple or kind is list:
        return [_flat(item) for item in value]
    if kind is frozenset or kind is set:
        return sorted(map(repr, value))
    if isinstance(value, dict):
        return [(key, _flat(item)) for key, item in value.items()]
    if hasattr(kind, "__dataclass_fields__"):
        return [kind.__name__, *(_flat(getattr(value, name)) for name in _names(kind))]
    return value


def _short(said: Any) -> str:
    return sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()
