"""Positions as numbers for programs that learn: what a seat sees, and what may be chosen.

This is the plain reading of the tables that `plan.py`, `ids.py` and `words.py` make; the native library reads the same
tables (`learn.c`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property

from rulelang.apps.envs.fields import Schema
from rulelang.apps.envs.ids import Ids, Node
from rulelang.apps.envs.plan import (
    ALL,
    ARRAY,
    ASKED,
    BAG,
    CARDS,
    CHOSEN,
    COUNT,
    OTHERS,
    OWN,
    PLAYERS,
    ROWS,
    SELF,
    SLOT,
    THEIRS,
    VALUE,
    Family,
    Op,
    Plan,
)
from rulelang.apps.envs.words import NUMBER, SEAT, Looking, Reader
from rulelang.base.phrases import flatten
from rulelang.runtime.packed import public_of, words_of
from rulelang.runtime.secrets import cards_in
from rulelang.runtime.state import State
from rulelang.runtime.table import Table

#: Things of an owner, and cards of a zone, that are shown one by one, at most, unless somebody wants more.
THINGS, CARDS_SHOWN = 16, 8


class Encoding:
    """How positions of a table become numbers. It is known before any game, and the same for every game at the table.

    `ids`: the numbers of what can be chosen. `schema`: the fields of an observation. Of each owner the first `things`
    things of a kind have places of their own (along the line, where they stand in one; else in the order of their
    slots), and of a zone that belongs to a thing the first `cards` cards are shown; how many there are is always shown.
    """

    def __init__(self, table: Table, things: int = THINGS, cards: int = CARDS_SHOWN) -> None:
        if things < 1 or cards < 1:
            raise ValueError("an encoding needs at least one thing per owner and one card per zone")
        self.table = table
        self.reader = Reader(table.program.layout, things)
        self.ids = Ids(table, self.reader)
        self.plan = Plan(table, self.reader, self.ids, cards)

    @property
    def schema(self) -> Schema:
        return self.plan.schema

    @property
    def size(self) -> int:
        """Numbers of an observation."""
        return self.plan.size

    @property
    def actions(self) -> int:
        """How many action ids there are: 0 to one less."""
        return self.ids.count

    @cached_property
    def initial(self) -> list[int]:
        return list(self.table.program.initial)

    # ---- choosing

    def looking(self, state: State, seat: int) -> Looking:
        return Looking(self.reader, words_of(state), public_of(state), seat)

    def node(self, state: State, chosen: Sequence[int] = ()) -> Node:
        """The ids that may be chosen at the pending decision, after those that were; or the option that they come to.

        ValueError for one that was not legal; RuntimeError when the game is over.
        """
        if state.over:
            raise RuntimeError("the game is over: there is no decision")
        layout = self.table.program.layout
        looking = self.looking(state, state.decider)
        return self.ids.node(looking, looking.now[layout.cells.site], state.keys, chosen)

    def spell(self, state: State, option: int) -> tuple[int, ...]:
        """The ids that choose an option of the pending decision, by its index."""
        looking = self.looking(state, state.decider)
        return self.ids.spell(looking, looking.now[self.table.program.layout.cells.site], state.keys, option)

    # ---- observing

    def observe(self, state: State, seat: int, chosen: Sequence[int] = ()) -> array[int]:
        """What a seat sees, as `schema` lays it out: 16-bit numbers. `chosen`: the ids of its unfinished choice."""
        layout = self.table.program.layout
        cells, looking, found = layout.cells, self.looking(state, seat), array("h", bytes(2 * self.size))
        now, public = looking.now, looking.public
        asked = state.decider
        found[0] = looking.place(asked) + 1 if asked else 0
        found[1] = looking.read(SEAT, 0, public[cells.active])
        found[2] = looking.read(NUMBER, 0, public[cells.round])
        found[3] = public[cells.phase]
        if asked == seat:
            found[4] = now[cells.site]
            for k, id in enumerate(self._subjects(state, looking)):
                found[5 + k] = id + 1
            for k, id in enumerate(chosen[-CHOSEN:]):
                found[5 + ASKED + k] = id + 1
        for family in self.plan.families:
            self._family(family, looking, found)
        return found

    def _subjects(self, state: State, looking: Looking) -> list[int]:
        """What the question speaks of, as ids; numbers as digits."""
        program, site = self.table.program, self.table.site(looking.now)
        found: list[int] = []
        if site.asks:
            for number, args in program.why(list(looking.now), site.asks, program.told(looking.now)):
                kinds = dict(part for part in flatten(program.reasons[number].text) if not isinstance(part, str))
                found += [self._subject(looking, kinds.get(k, ""), word) for k, word in enumerate(args)]
        return found[:ASKED]

    def _subject(self, looking: Looking, kind: str, word: int) -> int:
        letters = self.ids.letters_of(kind)
        if letters is None or letters.reading is None:
            return self.ids.digits.base + max(0, min(self.ids.digits.size - 1, word)) if kind == "int" else -1
        return letters.base + looking.read(letters.reading.code, letters.reading.argument, word)

    def _family(self, family: Family, looking: Looking, found: array[int]) -> None:
        code, size = family.code, family.size
        if code in (OWN, THEIRS):
            self._things(family, looking, found)
        elif code == CARDS:
            self._cards(family, looking, found)
        else:
            for record in range(family.count):
                handle, S = 0, looking.public
                if code in (SELF, OTHERS):
                    handle = looking.player(record + (code == OTHERS))
                    S = looking.words_of(handle)
                elif code == ROWS:
                    handle = record + 1
                self._record(family, looking, S, handle, found, family.at + record * size)

    def _things(self, family: Family, looking: Looking, found: array[int]) -> None:
        made = self.reader.kinds[family.argument]
        kind = made.layout
        owners = family.count // made.shown
        for place in range(owners):
            owner = looking.player(place + (family.code == THEIRS))
            S = looking.words_of(owner)
            found[family.at - owners + place] = S[kind.count + owner]
            first = (place + (family.code == THEIRS)) * made.shown
            for k, handle in enumerate(looking.order[family.argument][first : first + made.shown]):
                if handle:
                    at = family.at + (place * made.shown + k) * family.size
                    found[at] = 1
                    self._record(family, looking, S, handle, found, at)

    def _cards(self, family: Family, looking: Looking, found: array[int]) -> None:
        layout, records = self.table.program.layout, []
        for card in self.plan.candidates[family.argument : family.argument + family.more]:
            zone = looking.zone_of(card)
            if not looking.sees(card):
                continue
            S = looking.words_of(layout.zone_player[zone])
            if not self._keeps(family, looking, S, card):
                continue
            record = array("h", bytes(2 * family.size))
            record[0] = self.reader.looks[card]
            record[1] = self.ids.zone_number[zone]
            letters = self.ids.zone_owner(record[1])
            if letters is not None and letters.reading is not None:
                owner = layout.zone_owner[zone]
                record[2] = letters.base + looking.read(letters.reading.code, letters.reading.argument, owner) + 1
            self._record(family, looking, S, card, record, 0)
            records.append(record)
        for k, record in enumerate(sorted(records)[: family.count]):
            found[family.at + k * family.size : family.at + (k + 1) * family.size] = record

    def _keeps(self, family: Family, looking: Looking, S: Sequence[int], card: int) -> bool:
        """Whether anything of a card is not as it was before the game."""
        for op in self.plan.ops[family.first : family.last]:
            if op.idle:
                continue
            if op.code in (VALUE, ARRAY):
                start = self._start(op, looking, card)
                if start is not None and list(S[start : start + op.stride]) != self.initial[start : start + op.stride]:
                    return True
            elif self._pile(op.base, card, S):
                return True
        return False

    # ---- records

    def _record(
        self, family: Family, looking: Looking, S: Sequence[int], handle: int, found: array[int], base: int
    ) -> None:
        for op in self.plan.ops[family.first : family.last]:
            at = base + op.at
            if op.code in (VALUE, ARRAY):
                start = self._start(op, looking, handle)
                if start is not None:
                    for k, address in enumerate(self._addresses(op, looking, start)):
                        found[at + k] = looking.read(op.reading, op.argument, S[address]) if address else 0
                continue
            cards = self._pile(op.base, handle, S)
            if op.code == SLOT:
                self._card(looking, S, cards[0] if cards else 0, found, at)
                continue
            found[at] = len(cards)
            if op.code == COUNT:
                continue
            if op.code == BAG:
                found[at + 1] = self.reader.looks[cards[-1]] if cards else 0
                for card in cards:
                    found[at + 1 + self.reader.looks[card]] += 1
            else:
                width = 1 + bool(self.table.program.layout.card_face)
                for k, card in enumerate(cards[: op.count]):
                    self._card(looking, S, card, found, at + 1 + k * width)

    def _card(self, looking: Looking, S: Sequence[int], card: int, found: array[int], at: int) -> None:
        found[at] = self.reader.looks[card]
        face = self.table.program.layout.card_face
        if face and card:
            found[at + 1] = S[face + card]

    def _start(self, op: Op, looking: Looking, handle: int) -> int | None:
        """Where the words of a thing begin; None if it has none that the seat sees."""
        layout = self.table.program.layout
        if op.own and layout.zone_player[looking.zone_of(handle)] != looking.seat:
            return None
        row = handle
        if op.rows >= 0:
            row = self.plan.rows[op.rows + handle]
            if not row:
                return None
        return op.base + row * op.stride

    def _addresses(self, op: Op, looking: Looking, start: int) -> list[int]:
        """Of its words, in their order; 0 for those of a place that nothing has."""
        found = [start]
        for dim in self.plan.dims[op.first : op.first + op.count] if op.code == ARRAY else ():
            if dim.code == ALL:
                handles = list(range(1, dim.argument + 1))
            elif dim.code == PLAYERS:
                handles = [looking.player(place) for place in range(dim.argument)]
            else:
                handles = looking.order[dim.argument]
            found = [a + h * dim.stride if a and h else 0 for a in found for h in handles]
        return found

    def _pile(self, zone: int, owner: int, S: Sequence[int]) -> list[int]:
        """The cards in a zone of an owner, bottom (or first) to top."""
        row = self.plan.piles[zone]
        return cards_in(row, owner, S, self.table.program.layout.card_next)
