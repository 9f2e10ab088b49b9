"""The table as one seat sees it, as a document; documents of a game as it goes on; patches between two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, TypeVar, cast

from rulelang.base.layout import KindLayout
from rulelang.presentation.view.contents import ZoneParts
from rulelang.presentation.view.document_types import (
    Cell,
    Document,
    Fact,
    Grid,
    Group,
    Listing,
    Matrix,
    Named,
    Player,
    Question,
    Row,
    Thing,
    Zone,
)
from rulelang.presentation.view.events import Traces
from rulelang.presentation.view.look import GAME, Ids, Look, WorkedValues
from rulelang.presentation.view.parts import Key, Leaves, Pad, Parts
from rulelang.presentation.view.question import PendingQuestion
from rulelang.presentation.view.words import SharedTexts, Words
from rulelang.runtime.state import State, packed_cells, packed_public_cells
from rulelang.runtime.views import living_things

# ---- labelled states


def in_words(state: State) -> State:
    """The state with its log, options and reasons in the words of `look:`, in the language that it speaks."""
    return state.spoken(state.names.language.labelled())


# ---- patches

Patch = dict[str, Any]


#: What is told as a whole if anything in it is otherwise: the next question has little of the last one.
_WHOLE = frozenset(("question",))
#: No value of a document.
_NOTHING = object()


def patch(old: Any, new: Any) -> Patch | None:
    """What makes `new` of `old`; None if they are equal."""
    return Patches().of(old, new)


class Patches:
    """Patches between documents that share parts: what has become of a part is worked out once, whoever sees it."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], tuple[Any, Any, Patch | None]] = {}  # with the parts, which live as long

    def of(self, old: Any, new: Any) -> Patch | None:
        """As `patch`."""
        if old is new:
            return None
        kind = type(new)
        if kind is type(old):
            if kind is dict:
                if old.get("id") == new.get("id"):
                    return self._object(old, new)
            elif kind is list and old and new:
                return self._list(old, new)
            if old == new:
                return None
        return {"is": new}

    def _object(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Patch | None:
        key = (id(old), id(new))
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = (old, new, self._changed(old, new))
        return found[2]

    def _changed(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Patch | None:
        changed: Patch = {}
        added = 0
        for key, value in new.items():
            was = old.get(key, _NOTHING)
            if was is value:
                continue
            if was is _NOTHING:
                added += 1
                changed[key] = {"is": value}
            elif key in _WHOLE:
                if was != value:
                    changed[key] = {"is": value}
            elif type(value) is dict or type(value) is list:
                if (one := self.of(was, value)) is not None:
                    changed[key] = one
            elif was != value or type(was) is not type(value):
                changed[key] = {"is": value}
        gone = [key for key in old if key not in new] if len(old) + added > len(new) else []
        if not changed and not gone:
            return None
        return {"in": changed, "no": gone} if gone else {"in": changed}

    def _list(self, old: Sequence[Any], new: Sequence[Any]) -> Patch | None:
        most, start, end = min(len(old), len(new)), 0, 0
        while start < most and old[start] is new[start]:
            start += 1
        while end < most - start and old[-1 - end] is new[-1 - end]:
            end += 1
        pieces: list[Any] = [[0, start]] if start else []
        known = _places(old[start : len(old) - end])
        for place, value in enumerate(new[start : len(new) - end]):
            at = (
                known.get(_name(value, place))
                if known is not None
                else place
                if place < len(old) - end - start
                else None
            )
            change = {"is": value} if at is None else self.of(old[start + at], value)
            if change is None and at is not None:
                _keep(pieces, start + at, 1)
            elif change is not None:
                pieces.append(change if "is" in change or at is None else {"at": start + at, "now": change})
        if end:
            _keep(pieces, len(old) - end, end)
        return None if pieces == [[0, len(old)]] else {"of": pieces}


def _keep(pieces: list[Any], at: int, count: int) -> None:
    """So many of the old list from this place on."""
    last = pieces[-1] if pieces else None
    if isinstance(last, list) and last[0] + last[1] == at:
        last[1] += count
    else:
        pieces.append([at, count])


def _places(values: Sequence[Any]) -> dict[str | int, int] | None:
    """By id where each is; None if they are known by their places."""
    found = {_name(value, place): place for place, value in enumerate(values)}
    return found if len(found) == len(values) else None


def _name(value: Any, place: int) -> str | int:
    return value.get("id", place) if type(value) is dict else place


def patched(old: Any, change: Patch) -> Any:
    """The new value. The old one stays as it is; what has not changed is in both."""
    if "is" in change:
        return change["is"]
    if "of" in change:
        new: list[Any] = []
        for piece in change["of"]:
            if isinstance(piece, list):
                new += old[piece[0] : piece[0] + piece[1]]
            else:
                new.append(piece["is"] if "is" in piece else patched(old[piece["at"]], piece["now"]))
        return new
    gone = change.get("no", ())
    kept = {key: value for key, value in old.items() if key not in gone}
    return {**kept, **{key: patched(old.get(key), one) for key, one in change["in"].items()}}


# ---- documents

T = TypeVar("T")


def document(state: State, viewer: int | str | None = None) -> Document:
    """The table as a player (a seat or a name; None: a spectator) sees it, with what is asked of him, in the
    language that the state speaks (`State.spoken`).

    There is nothing in it that he may not know. ValueError if there is no such player.
    """
    return Documents(state).of(state, state.seat(viewer))


class Documents:
    """The documents of one game as it goes on (or back), in the language that its first state speaks.

    What is equal in two of them is mostly the same object in both, whoever they are for: they are to be read, never
    changed. `book` may be shared by games of one table, which are told in one language. `traced`: they say which entry
    of the log changed a part last, which costs a quarter of them.
    """

    def __init__(self, state: State, book: SharedTexts | None = None, *, traced: bool = True) -> None:
        self.table = state.table
        self.book = book or SharedTexts()
        self.words = Words(state.table.program.layout, state.names.spoken(state.names.language.labelled()))
        self.worked = WorkedValues(state.table)
        self.parts = Parts(self.worked.size)
        self.now: Sequence[int] = ()
        self.public: Sequence[int] = ()
        self.last: dict[int, Document] = {}
        self.shared: dict[object, Any] = {}  # of this position: what whoever looks sees alike
        self.traces: dict[int, Traces] | None = {} if traced else None
        self.patches = Patches()
        self.leaves = Leaves()

    def of(self, state: State, seat: int) -> Document:
        """The table as a seat (0: a spectator) sees it; of a state that speaks the same language."""
        self.turn(packed_cells(state), packed_public_cells(state))
        differing = self.worked.look(seat)
        if differing:
            self.parts.turn(differing)
            self.shared = {}
        if seat not in self.last:
            self.last[seat] = Composer(self, state, seat).document()
        return self.last[seat]

    def patch(self, old: Document, new: Document) -> Patch | None:
        """What has changed between two of them, of which the new one is of the last state."""
        return self.patches.of(old, new)

    def turn(self, now: Sequence[int], public: Sequence[int]) -> None:
        if now is self.now and public is self.public:
            return
        found = {*self.table.changed(self.now, now)} if self.now else {*range(len(now))}
        if self.now and (public is not now or self.public is not self.now):
            found.update(self.table.changed(self.public, public))
        self.now, self.public = now, public
        found.update(self.worked.turn(public))
        self.parts.turn(found)
        self.last = {}
        self.shared = {}
        self.patches = Patches()


class Composer(ZoneParts):
    """One look at one state."""

    def __init__(self, whole: Documents, state: State, seat: int) -> None:
        look = Look(state.table, state.names, whole.now, whole.public, seat, whole.parts.pad, whole.worked)
        super().__init__(look, Ids(look), whole.words, whole.book, whole.parts, whole.leaves)
        self.state = state
        self.alike = whole.shared
        self.traces = None if whole.traces is None else whole.traces.setdefault(seat, Traces(seat))

    def shared(self, key: Key, make: Callable[[], T], player: int = 0) -> T:
        """A part of the whole document, which is the same object in those of all others, if all see it alike."""
        if key in self.alike and player != self.seat:
            known: T = self.alike[key]
            return known
        found = self.part(key, make, player)
        if player != self.seat and self.parts.common(self.seat, key):
            self.alike[key] = found
        return found

    def document(self) -> Document:
        players = [self.seated(seat) for seat in range(1, self.state.table.players + 1)]
        facts, zones, nobody, lists, grids, tables = self.shared(("around",), self.around)
        stands = self.alike.get("stands")
        if stands is None:
            stands = self.alike["stands"] = self.stands()
        shown = {
            **stands,
            "viewer": self.ids.part("player", self.seat),
            "options": self.shared(("options",), self.facts.options),
            "facts": facts,
            "zones": zones,
            "players": players,
            "nobody": nobody,
            "lists": lists,
            "grids": grids,
            "tables": tables,
            "question": None if self.state.over else self.question(),
        }
        made = cast(Document, shown)
        if self.traces is not None:
            made["log"] = self.traces.happened(self.state, self.apart(), self.words)
        return made

    def stands(self) -> dict[str, Any]:
        """What game it is and where it stands, as all know it. Who looks is told later, in this place."""
        state, info = self.state, self.state.table.info
        return {
            "format": 1,
            "game": info.identity,
            "title": self.words.language.word(info.title),
            "lang": self.words.language.code,
            "viewer": None,
            "summary": self.summary(),
            "over": state.over,
            "round": state.round,
            "phase": self.phase(),
            "active": self.ids.part("player", state.active),
        }

    def around(self) -> tuple[list[Fact], list[Zone], list[Group], list[Listing], list[Grid], list[Matrix]]:
        """What is nobody's."""
        return (
            self.kept("", 0, 0),
            self.zones("", 0, 0),
            self.groups(self.state.table.players + 1),
            self.part(("lists",), self.lists),
            self.part(("grids",), lambda: [self.grid(name) for name in self.layout.grids]),
            self.part(("tables",), lambda: [self.table(name) for name in self.layout.tables]),
        )

    def apart(self) -> Ids:
        """The ids of a look of its own: what is read for them belongs to no part."""
        state = self.state
        now, public = packed_cells(state), packed_public_cells(state)
        return Ids(Look(state.table, state.names, now, public, self.seat, Pad(), self.look.worked))

    def question(self) -> Question:
        if self.state.decider == self.seat:
            return self.asking()
        if "question" not in self.alike:
            self.alike["question"] = self.asking()
        asked: Question = self.alike["question"]
        return asked

    def asking(self) -> Question:
        return PendingQuestion(self.state, self.seat, self.ids, self.words, self.asked, self.book).question()

    # ---- where the game stands

    def phase(self) -> Named | None:
        name = self.state.phase
        return {"id": f"phase:{name}", "label": self.words.named(name)} if name else None

    def summary(self) -> str:
        parts = [self.words.phrase("round", number=self.state.round)] if self.state.round else []
        parts += [self.words.named(self.state.phase)] if self.state.phase else []
        return self.words.language.row([*parts, *([self.words.phrase("over")] if self.state.over else [])])

    # ---- whose things are

    def seated(self, seat: int) -> Player:
        """A player: what is worked out for every document of him is in the key of the part."""
        state = self.state
        if state.over:
            return self.player(seat)
        key = ("player", seat, seat == state.active, seat == state.decider)
        return self.shared(key, lambda: self.player(seat), seat)

    def player(self, seat: int) -> Player:
        state = self.state
        facts, zones, groups = self.part(("of player", seat), lambda: self.of_player(seat), seat)
        shown: Player = {
            "id": f"player:{seat}",
            "kind": "player",
            "label": self.words.value("player", seat),
            "seat": seat,
            "you": seat == self.seat,
            "active": seat == state.active,
            "asked": seat == state.decider,
            "facts": facts,
            "zones": zones,
            "groups": groups,
        }
        if state.over:
            shown["score"] = state.scores[seat - 1]
        return shown

    def of_player(self, seat: int) -> tuple[list[Fact], list[Zone], list[Group]]:
        """What is his."""
        return self.kept("player", seat, seat), self.zones("player", seat, seat), self.groups(seat)

    def groups(self, owner: int) -> list[Group]:
        """What somebody has, kind by kind; the owner behind the last player is nobody."""
        return self.part(("groups", owner), lambda: self._groups(owner), owner)

    def _groups(self, owner: int) -> list[Group]:
        return [
            {"kind": made.name, "label": self.words.plural(made.name), "things": self.things(made, owner)}
            for made in self.layout.kinds.values()
            if owner <= made.owners
        ]

    def things(self, made: KindLayout, owner: int) -> list[Thing]:
        return [self.thing(made, handle, owner) for handle in living_things(made, owner, self.look.words_of(owner))]

    def thing(self, made: KindLayout, handle: int, owner: int) -> Thing:
        return self.part(("thing", made.name, handle), lambda: self._thing(made, handle, owner), owner)

    def _thing(self, made: KindLayout, handle: int, owner: int) -> Thing:
        S = self.look.words_of(owner)
        return {
            "id": f"{made.name}:{handle}",
            "kind": made.name,
            "label": self.words.value(made.name, handle),
            "number": (handle - 1) % made.per_owner + 1,
            "owner": f"player:{owner}" if owner <= self.state.table.players else None,
            "place": self.ids.part(made.place_kind, S[made.place + handle]) if made.place else None,
            "facts": self.kept(made.name, handle, owner),
            "zones": self.zones(made.name, handle, owner),
        }

    # ---- lists, boards and tables

    def lists(self) -> list[Listing]:
        """Lists whose rows keep something: attributes or zones."""
        layout = self.layout
        kinds = {a.kind for a in layout.attributes} | {zone.of for zone in layout.zones.values()}
        skip = {*layout.sorts, *layout.kinds, *layout.grids, "player", ""}
        found: list[Listing] = []
        for kind in layout.lists:
            if kind in kinds - skip and not self.words.thing(kind).hidden:
                rows = [self.row(kind, handle) for handle in range(1, len(layout.lists[kind]))]
                label = self.words.plural(kind)
                found.append({"id": f"list:{kind}", "kind": "list", "name": kind, "label": label, "rows": rows})
        return found

    def row(self, kind: str, handle: int) -> Row:
        name = self.layout.lists[kind][handle]
        return {
            "id": self.ids.part(kind, handle) or "",
            "kind": kind,
            "label": self.words.value(kind, handle),
            "text": self.words.row_text(kind, name),
            "facts": self.facts.of_row(kind, name, self.ids.part(kind, handle) or ""),
            "kept": self.kept(kind, handle, 0),
            "zones": self.zones(kind, handle, 0),
        }

    def grid(self, name: str) -> Grid:
        grid = self.layout.grids[name]
        spaces: list[Row] = []
        for place in range(grid.width * grid.height):
            space = self.row(name, place + 1)
            space["facts"] = self.facts.on_space(name, place, space["id"])
            space["x"], space["y"] = place % grid.width, place // grid.width
            spaces.append(space)
        return {
            "id": f"grid:{name}",
            "kind": "grid",
            "name": name,
            "label": self.words.plural(name),
            "width": grid.width,
            "height": grid.height,
            "round": grid.round,
            "spaces": spaces,
        }

    def table(self, name: str) -> Matrix:
        return self.part(("table", name), lambda: self.matrix(name))

    def matrix(self, name: str) -> Matrix:
        table = self.layout.tables[name]
        label = self.words.thing(name)
        cells: list[Cell] = []
        words = self.look.public[table.base : table.base + prod(table.dims)]
        sizes = [range(size) for size in table.dims]
        for at, value in zip(product(*sizes), words, strict=True):
            if value and all(at):
                of = [*zip(table.of, at, strict=True)]
                stands = [self.ids.part(kind, handle) or "" for kind, handle in of]
                cells.append({
                    "id": self.ids.cell(name, stands),
                    "at": stands,
                    "labels": [self.words.value(kind, handle) for kind, handle in of],
                    "value": value,
                    "text": self.words.number(value, label),
                })  # fmt: skip
        return {
            "id": f"table:{name}",
            "kind": "table",
            "name": name,
            "label": self.words.named(name),
            "of": [*table.of],
            "cells": cells,
        }


__all__ = ["GAME", "Composer", "Documents", "document"]
