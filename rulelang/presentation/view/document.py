"""The table as one seat sees it, as a document (see `records`); and documents of a game as it goes on.

A part that depends on words of the state is made by way of `Parts`, which keeps it until these change. What else it is
made of (labels, what is printed) stays as it is; who is asked, whose turn it is and what the question says is worked
out for every document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any, TypeVar, cast

from rulelang.base.layout import KindLayout
from rulelang.presentation.view.asking import Asking
from rulelang.presentation.view.book import Book
from rulelang.presentation.view.happened import Traces
from rulelang.presentation.view.ids import GAME, Ids
from rulelang.presentation.view.leaves import Leaves
from rulelang.presentation.view.look import Look
from rulelang.presentation.view.lying import Lying
from rulelang.presentation.view.parts import Key, Pad, Parts
from rulelang.presentation.view.patches import Patch, Patches
from rulelang.presentation.view.records import (
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
from rulelang.presentation.view.words import Words
from rulelang.presentation.view.worked import Worked
from rulelang.runtime.packed import public_of, words_of
from rulelang.runtime.state import State
from rulelang.runtime.views import alive

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

    def __init__(self, state: State, book: Book | None = None, *, traced: bool = True) -> None:
        self.table = state.table
        self.book = book or Book()
        self.words = Words(state.table.program.layout, state.names.spoken(state.names.language.labelled()))
        self.worked = Worked(state.table)
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
        self.turn(words_of(state), public_of(state))
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


class Composer(Lying):
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
        now, public = words_of(state), public_of(state)
        return Ids(Look(state.table, state.names, now, public, self.seat, Pad(), self.look.worked))

    def question(self) -> Question:
        if self.state.decider == self.seat:
            return self.asking()
        if "question" not in self.alike:
            self.alike["question"] = self.asking()
        asked: Question = self.alike["question"]
        return asked

    def asking(self) -> Question:
        return Asking(self.state, self.seat, self.ids, self.words, self.asked, self.book).question()

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
        return [self.thing(made, handle, owner) for handle in alive(made, owner, self.look.words_of(owner))]

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
