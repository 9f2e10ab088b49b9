"""Find what an event sets to one value for a thing, or for all of a kind: nothing can be learned from it afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rulelang.language.semantics import tree
from rulelang.language.semantics.dataflow import inner_blocks
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.parameters import local_name

#: An attribute: of which kind, and its name.
Key: TypeAlias = tuple[str, str]
#: An attribute of what a local name refers to; of all of its kind if the name is ALL.
Place: TypeAlias = tuple[str, Key]
ALL = ""  # as `local_name` calls what is no variable


@dataclass(frozen=True, slots=True)
class Reset:
    """The value that an event leaves, as a number and as text, and the routines called on the way to it."""

    value: int
    text: str
    by: tuple[str, ...] = ()


@dataclass(slots=True)
class _Frame:
    """What is known in a block: attributes with a known value, locals that hold an attribute, and what was written.

    `anything` is true if it may have written any attribute.
    """

    known: dict[Place, Reset] = field(default_factory=dict)
    holding: dict[str, Place] = field(default_factory=dict)
    written: set[Place] = field(default_factory=set)
    anything: bool = False

    def inner(self) -> _Frame:
        return _Frame({**self.known}, {**self.holding})

    def write(self, place: Place) -> None:
        """Forget an attribute of everything of its kind: two names may refer to one thing."""
        self.written.add(place)
        self.known = {other: reset for other, reset in self.known.items() if other[1] != place[1]}
        self.holding = {name: other for name, other in self.holding.items() if other[1] != place[1]}

    def forget(self) -> None:
        self.anything = True
        self.known, self.holding = {}, {}

    def after(self, block: _Frame, but: str = "") -> None:
        """Take over what a block may have written; what it wrote of its own local `but` may be of any thing."""
        for name, key in block.written:
            self.write((ALL if name == but else name, key))
        if block.anything:
            self.forget()

    def holds(self, e: tree.Expr) -> Place | None:
        """Return the attribute that an expression has the value of."""
        if isinstance(e, tree.LocalRef):
            return self.holding.get(e.local.name)
        return place_of(e) if isinstance(e, tree.AttributeRef) and isinstance(e.object, tree.LocalRef) else None


class Resets:
    """Work out what events of a program set to one value."""

    def __init__(self, program: tree.Program) -> None:
        self._events: Mapping[str, tree.Routine | tree.Action] = {**program.routines, **program.actions}
        self._values = program.values
        self._frames: dict[tuple[str, frozenset[tuple[str, Place]]], _Frame] = {}
        self._reads: dict[str, frozenset[Place]] = {}

    def of(self, event: str) -> Mapping[Place, Reset]:
        """Return what an event sets, by its parameters."""
        return self._frame(event, frozenset()).known if event in self._events else {}

    def written(self, block: tree.Block) -> set[Key]:
        """Return the attributes that a block may write."""
        frame = _Frame()
        self._block(block, frame)
        return {key for _, key in frame.written}

    def read(self, value: str) -> frozenset[Place]:
        """Return the attributes that a value reads, by its parameters, also through other values."""
        if value not in self._reads:
            self._reads[value] = frozenset()  # what calls itself reads no more by that
            found: set[Place] = set()
            declared = self._values[value]
            params = {param.name for param in declared.params}
            for name, key in self.read_in(declared.body):
                found.add((name if name in params else ALL, key))
            self._reads[value] = frozenset(found)
        return self._reads[value]

    def read_in(self, e: object) -> set[Place]:
        """Return the attributes that an expression reads, by local names."""
        found: set[Place] = set()
        for node in walk(e):
            found |= self.read_by(node)
        return found

    def read_by(self, node: object) -> set[Place]:
        """Return the attributes that one node reads: an attribute, or a call of a value that reads some."""
        if isinstance(node, tree.AttributeRef):
            return {place_of(node)}
        if not isinstance(node, tree.ValueCall):
            return set()
        params = self._values[node.value].params
        named = {p.name: local_name(arg) for p, arg in zip(params, node.args, strict=False)}
        return {(named.get(name, ALL), key) for name, key in self.read(node.value)}

    # ---- what happens

    def _frame(self, event: str, holding: frozenset[tuple[str, Place]]) -> _Frame:
        """Return what is known after an event whose parameters hold these attributes."""
        asked = (event, holding)
        if asked not in self._frames:
            self._frames[asked] = _Frame(anything=True)  # what calls itself may do anything meanwhile
            frame = _Frame(holding=dict(holding))
            self._block(self._events[event].body, frame)
            self._frames[asked] = frame
        return self._frames[asked]

    def _block(self, block: tree.Block, frame: _Frame) -> None:
        for line in block:
            self._line(line, frame)

    def _line(self, line: tree.Statement, frame: _Frame) -> None:
        match line:
            case tree.Let(local=local, value=value):
                place = frame.holds(value)
                if place is not None:
                    frame.holding[local.name] = place
            case tree.Assign(target=tree.AttributeRef() as target):
                place = place_of(target)
                left = self._assigned(line, place, frame)
                frame.write(place)
                if left is not None and place[0] != ALL:
                    text = str(left) if target.type.tag == "int" else ("false", "true")[left]
                    frame.known[place] = Reset(left, text)
            case tree.Roll(target=tree.AttributeRef() as target):
                frame.write(place_of(target))
            case tree.CallRoutine():
                self._called(line, frame)
            case tree.If():
                self._either(line, frame)
            case tree.For():
                self._each(line, frame)
            case tree.Create(kind=kind):
                frame.known = {at: reset for at, reset in frame.known.items() if at[0] != ALL or at[1][0] != kind}
            case tree.Offer() | tree.Redirect():
                frame.forget()
            case _:
                for block in inner_blocks(line):
                    inner = frame.inner()
                    self._block(block, inner)
                    frame.after(inner)

    def _assigned(self, line: tree.Assign, place: Place, frame: _Frame) -> int | None:
        """Return the value that an attribute has after an assignment, if that is always the same."""
        if line.op == "=" and isinstance(line.value, tree.Const) and line.value.type.tag in ("int", "bool"):
            return line.value.value
        return 0 if line.op == "-=" and frame.holds(line.value) == place else None

    def _called(self, call: tree.CallRoutine, frame: _Frame) -> None:
        event = self._events.get(call.routine)
        if not isinstance(event, tree.Routine):
            frame.forget()
            return
        names = ((local_name(arg), param.name) for param, arg in zip(event.params, call.args, strict=False))
        given = {name: param for name, param in names if name}
        back = {param: name for name, param in given.items()}
        holding = set()
        for param, arg in zip(event.params, call.args, strict=False):
            place = frame.holds(arg)
            if place is not None and place[0] in given:
                holding.add((param.name, (given[place[0]], place[1])))
        inner = self._frame(call.routine, frozenset(holding))
        for name, key in inner.written:
            frame.write((back.get(name, ALL), key))
        if inner.anything:
            frame.forget()
        for (name, key), reset in inner.known.items():
            if (name == ALL or name in back) and _happens(event, (name, key), reset, dict(holding)):
                frame.known[back.get(name, ALL), key] = replace(reset, by=(call.routine, *reset.by))

    def _either(self, line: tree.If, frame: _Frame) -> None:
        then, otherwise = frame.inner(), frame.inner()
        self._block(line.then, then)
        self._block(line.otherwise, otherwise)
        frame.after(then)
        frame.after(otherwise)
        for place, reset in then.known.items():
            other = otherwise.known.get(place)
            if other is not None and other.value == reset.value:
                frame.known[place] = min(reset, other, key=lambda one: len(one.by))

    def _each(self, line: tree.For, frame: _Frame) -> None:
        """What is set for each of a kind is set for all of them, unless a later one is the reason for another value."""
        inner, last = frame.inner(), line.binders[-1]
        self._block(line.body, inner)
        mine = last.local.name
        frame.after(inner, but=mine)
        if inner.anything or not _goes_over_all(line.binders):
            return
        for (name, key), reset in inner.known.items():
            if name == mine and all(other == mine for other, written in inner.written if written == key):
                frame.known[ALL, key] = reset


def place_of(e: tree.AttributeRef) -> Place:
    """Return whose attribute it is; ALL if that is not a local name."""
    return local_name(e.object), (e.kind, e.attribute.name)


def _happens(event: tree.Routine, place: Place, reset: Reset, holding: Mapping[str, Place]) -> bool:
    """Whether an attribute has that value after a call even if a `require` stops it: `n > 0`, where n is its value."""
    for require in event.requires:
        match require.condition:
            case tree.Compare(op=">", left=tree.LocalRef(local=local), right=tree.Const(value=0)):
                if reset.value != 0 or holding.get(local.name) != place:
                    return False
            case _:
                return False
    return True


def _goes_over_all(binders: tuple[tree.Binder, ...]) -> bool:
    """Whether the last of these variables becomes each thing of its kind, each player or each row."""
    if any(binder.where is not None or binder.extreme is not None for binder in binders):
        return False
    *others, last = (binder.domain for binder in binders)
    if not all(isinstance(domain, tree.Players) for domain in others):
        return False
    if isinstance(last, tree.Things):
        owner = last.owner
        named = isinstance(owner, tree.LocalRef) and owner.local in [binder.local for binder in binders]
        return last.place is None and (owner is None or named)
    return isinstance(last, tree.Players | tree.Rows)


__all__ = ["ALL", "Key", "Place", "Reset", "Resets", "place_of"]
