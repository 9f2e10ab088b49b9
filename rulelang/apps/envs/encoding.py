"""Positions as numbers for programs that learn, and a game taken in steps of one id at a time."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property

from rulelang.apps.envs.layout import (
    ALL,
    ARRAY,
    ASKED,
    BAG,
    CARDS,
    CHOSEN,
    COUNT,
    NUMBER,
    OTHERS,
    OWN,
    PLAYERS,
    ROWS,
    SEAT,
    SELF,
    SLOT,
    THEIRS,
    VALUE,
    CellReader,
    Family,
    Ids,
    Node,
    Op,
    Plan,
    Schema,
    SeatObserver,
)
from rulelang.base.phrases import flatten
from rulelang.runtime.game import Game
from rulelang.runtime.hidden_information import zone_cards
from rulelang.runtime.state import State, packed_cells, packed_public_cells
from rulelang.runtime.table import Table

# ---- encodings

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
        self.reader = CellReader(table.program.layout, things)
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

    def looking(self, state: State, seat: int) -> SeatObserver:
        return SeatObserver(self.reader, packed_cells(state), packed_public_cells(state), seat)

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

    def _subjects(self, state: State, looking: SeatObserver) -> list[int]:
        """What the question speaks of, as ids; numbers as digits."""
        program, site = self.table.program, self.table.site(looking.now)
        found: list[int] = []
        if site.asks:
            for number, args in program.why(list(looking.now), site.asks, program.told(looking.now)):
                kinds = dict(part for part in flatten(program.reasons[number].text) if not isinstance(part, str))
                found += [self._subject(looking, kinds.get(k, ""), word) for k, word in enumerate(args)]
        return found[:ASKED]

    def _subject(self, looking: SeatObserver, kind: str, word: int) -> int:
        letters = self.ids.letters_of(kind)
        if letters is None or letters.reading is None:
            return self.ids.digits.base + max(0, min(self.ids.digits.size - 1, word)) if kind == "int" else -1
        return letters.base + looking.read(letters.reading.code, letters.reading.argument, word)

    def _family(self, family: Family, looking: SeatObserver, found: array[int]) -> None:
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

    def _things(self, family: Family, looking: SeatObserver, found: array[int]) -> None:
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

    def _cards(self, family: Family, looking: SeatObserver, found: array[int]) -> None:
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

    def _keeps(self, family: Family, looking: SeatObserver, S: Sequence[int], card: int) -> bool:
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
        self, family: Family, looking: SeatObserver, S: Sequence[int], handle: int, found: array[int], base: int
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

    def _card(self, looking: SeatObserver, S: Sequence[int], card: int, found: array[int], at: int) -> None:
        found[at] = self.reader.looks[card]
        face = self.table.program.layout.card_face
        if face and card:
            found[at + 1] = S[face + card]

    def _start(self, op: Op, looking: SeatObserver, handle: int) -> int | None:
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

    def _addresses(self, op: Op, looking: SeatObserver, start: int) -> list[int]:
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
        return zone_cards(row, owner, S, self.table.program.layout.card_next)


# ---- steps


class Steps:
    """A game, and what was chosen so far of the pending decision. The state that it is given stays as it is.

    `asked`: the seat that chooses, 0 when the game is over. `legal`: the ids that it may choose, ascending.
    """

    def __init__(self, encoding: Encoding, state: State, chosen: tuple[int, ...] = ()) -> None:
        self.encoding = encoding
        self.state = state.clone()
        self.chosen = chosen
        self.legal: tuple[int, ...] = ()
        self._list()

    @classmethod
    def new(cls, encoding: Encoding, game: Game, seed: int) -> Steps:
        """A new game at the table of the encoding, without a log."""
        return cls(encoding, game.start(encoding.table, seed, log=False, invariants=False))

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def asked(self) -> int:
        return self.state.decider

    def _list(self) -> None:
        self.legal = () if self.state.over else self.encoding.node(self.state, self.chosen).legal

    def take(self, id: int) -> None:
        """Choose an id. ValueError for one that is not legal, RuntimeError when the game is over."""
        if self.state.over:
            raise RuntimeError("the game is over: there is no action to choose")
        if id not in self.legal:
            raise ValueError(f"the action id {id} is not legal here: `legal` lists the legal ids")
        chosen = (*self.chosen, id)
        node = self.encoding.node(self.state, chosen)
        if node.option < 0:
            self.chosen, self.legal = chosen, node.legal
            return
        self.choose(node.option)

    def choose(self, option: int) -> None:
        """Take an option by its index, whatever was chosen so far."""
        self.state.play(option)
        self.chosen = ()
        self._list()

    def play(self, ids: Sequence[int]) -> None:
        """Choose several, one after the other."""
        for id in ids:
            self.take(id)

    def observe(self, seat: int) -> array[int]:
        """What a seat sees; what was chosen so far only if it is the one that chooses."""
        return self.encoding.observe(self.state, seat, self.chosen)

    def mask(self) -> bytearray:
        """By id, whether it may be chosen."""
        found = bytearray(self.encoding.actions)
        for id in self.legal:
            found[id] = 1
        return found

    def __deepcopy__(self, memo: object) -> Steps:
        return self.clone()

    def clone(self) -> Steps:
        """An independent copy."""
        new = Steps.__new__(Steps)
        new.encoding, new.state, new.chosen, new.legal = self.encoding, self.state.clone(), self.chosen, self.legal
        return new

    @property
    def rewards(self) -> list[float]:
        """By seat, what the end of the game is worth (see `rewards`); zeros until it is over."""
        return rewards(self.state.winners, self.state.table.players)


def rewards(winners: Sequence[int], players: int) -> list[float]:
    """By seat: 1 for whoever wins alone, and so much less for the others that all sum up to 0: -1 for the loser of two,
    -1/3 for the losers of four. Who win together, as a team or for a tie, share. Zeros where nobody has won, or all."""
    if not winners or players < 2:
        return [0.0] * players
    return [
        ((players / len(winners) if seat in winners else 0.0) - 1) / (players - 1) for seat in range(1, players + 1)
    ]
