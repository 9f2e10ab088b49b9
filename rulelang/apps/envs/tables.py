"""The tables of an encoding as one array of integers, as `learn.c` reads it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from typing import Any, cast

from rulelang.apps.envs.encoding import Encoding
from rulelang.apps.envs.plan import ASKED, CHOSEN
from rulelang.apps.envs.words import NUMBER
from rulelang.base.phrases import flatten

#: What stands first in the array, in this order: numbers, and of each table where it begins.
HEADER = (
    "size", "ids", "kinds_n", "kinds", "looks", "seen", "owner", "number", "letters", "sites", "shapes",
    "pieces", "ops", "dims", "families_n", "families", "rows", "candidates", "piles", "asks", "told", "tolds",
    "reasons", "subjects", "face", "digits", "active", "phase", "asked", "chosen", "room", "things", "places", "stride",
    "near", "beyond",
)  # fmt: skip
#: Words for the options of a game that are kept between two steps of a decision; more are listed again.
ROOM = 2048


class Tables:
    """`words`: the array. `stride`: words of one game in the caller's memory. `fixed`: those that the library wants
    beside what the tables need; `asks`: by site the number of the function that tells of its question, or -1."""

    def __init__(self, encoding: Encoding, fixed: int, asks: Sequence[int]) -> None:
        self._at: dict[str, int] = {}
        self.words = array("i", [0] * len(HEADER))
        reader, ids, plan = encoding.reader, encoding.ids, encoding.plan
        layout, program = reader.layout, encoding.table.program
        kinds, things, places = [], 0, 0
        for made in reader.kinds:
            kind = made.layout
            kinds.append((kind.owners, kind.per_owner, made.shown, kind.alive, kind.next, kind.first, kind.count,
                          things, places))  # fmt: skip
            things += kind.owners * made.shown
            places += kind.owners * kind.per_owner + 1
        self.rows("kinds", kinds)
        self.rows("looks", [reader.looks])
        self.rows("seen", [reader.zone_seen])
        self.rows("owner", [layout.zone_owner])
        self.rows("number", [ids.zone_number])
        self.rows("letters", [self._letters(ids.zone_owner(zone)) for zone in range(len(layout.zones))])
        shapes = [shape for site in ids.shapes for shape in site]
        firsts = _starts(len(site) for site in ids.shapes)
        self.rows("sites", [(0, *firsts[:-1])])
        self.rows("shapes", zip(_starts(map(len, shapes)), map(len, shapes), strict=False))
        self.rows("pieces", (astuple(piece) for shape in shapes for piece in shape))
        self.rows("ops", map(astuple, plan.ops))
        self.rows("dims", map(astuple, plan.dims))
        self.rows("families", map(astuple, plan.families))
        self.rows("rows", [plan.rows])
        self.rows("candidates", [plan.candidates])
        self.rows("piles", [(pile.array, pile.base, pile.stride, pile.first, pile.count) for pile in plan.piles])
        self.rows("asks", [(-1, *asks)])
        told = [cast(Any, standing)[7] for standing in program.standings]
        self.rows("told", zip(_starts(map(len, told)), map(len, told), strict=False))
        self.rows("tolds", (pair for pairs in told for pair in pairs))
        subjects = [self._subjects(encoding, flatten(reason.text)) for reason in program.reasons]
        self.rows("reasons", zip(_starts(map(len, subjects)), map(len, subjects), strict=False))
        self.rows("subjects", (row for rows in subjects for row in rows))
        self.stride = fixed + things + places + ROOM
        # What ids are made of, of the words that lie behind a curtain: where cards lie, and the order of things.
        blocks = [(layout.where, len(layout.cards))]
        for kind in (made.layout for made in reader.kinds):
            blocks.append((kind.next or kind.alive, kind.owners * kind.per_owner + 1))
            if kind.next:
                blocks.append((kind.first, kind.owners + 1))
        near, beyond = [at for at, _ in blocks], [at + size for at, size in blocks]
        self._at |= {
            "size": encoding.size, "ids": ids.count, "kinds_n": len(kinds), "families_n": len(plan.families),
            "face": layout.card_face, "digits": ids.digits.base, "active": layout.cells.active,
            "phase": layout.cells.phase, "asked": ASKED, "chosen": CHOSEN, "room": ROOM, "things": things,
            "places": places, "stride": self.stride, "near": min(near), "beyond": max(beyond),
        }  # fmt: skip
        self.words[: len(HEADER)] = array("i", [self._at[name] for name in HEADER])
        self.spare = max((family.size for family in plan.families), default=1)

    def rows(self, name: str, rows: Iterable[Iterable[int]]) -> None:
        """Put a table at the end."""
        self._at[name] = len(self.words)
        for row in rows:
            self.words.extend(row)

    def _letters(self, letters: Any) -> tuple[int, int, int]:
        if letters is None or letters.reading is None:
            return -1, 0, 0
        return letters.reading.code, letters.reading.argument, letters.base

    def _subjects(self, encoding: Encoding, text: Sequence[str | tuple[int, str]]) -> list[tuple[int, int, int]]:
        kinds = dict(part for part in text if not isinstance(part, str))
        found = []
        for at in range(max(kinds, default=-1) + 1):
            kind = kinds.get(at, "")
            letters = encoding.ids.letters_of(kind)
            found.append((NUMBER, 0, encoding.ids.digits.base) if kind == "int" else self._letters(letters))
        return found


def _starts(lengths: Iterable[int]) -> list[int]:
    """Where each of several pieces begins, one behind the other; the end of the last."""
    found = [0]
    for length in lengths:
        found.append(found[-1] + length)
    return found
