"""Fixed numbers for what can be chosen at a table, known before any game.

Options are too many to be numbered one by one (an action on two things and a card has millions), so an option is
spelled: what is done, then each argument, each piece a number of its own below `Ids.count`. Pieces that all options
share are left out, so most decisions take a step or two, and many one. Pieces are those of `words.py`: things by their
places, cards by what they show, so nobody learns from a number which of two equal cards it is.

What is still open at the end (two equal cards in one place) is told apart by its place in the list of options.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulelang.apps.envs.words import CARD, NUMBER, Looking, Reader, Reading
from rulelang.base.phrases import flatten
from rulelang.runtime.decision import PASS
from rulelang.runtime.program import OptionTuple
from rulelang.runtime.table import Table

#: Pieces beside those of `words.py`: a constant, the zone of a card, whose zone that is, sign and digits of a number.
CONSTANT, ZONE, ZONE_OWNER, SIGN, DIGIT = range(6, 11)
#: Numbers are spelled in digits of four bits, the highest first.
BITS = 4
DIGITS = 32 // BITS


@dataclass(frozen=True, slots=True)
class Letters:
    """Ids `base` .. `base + size - 1` for one kind of piece."""

    name: str
    base: int
    size: int
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a spelled option: of the value `value` of its key, with ids from `base` on. `argument`: see `Reading`;
    of CONSTANT the id, of DIGIT the bits below it."""

    value: int
    code: int
    argument: int
    base: int


@dataclass(frozen=True, slots=True)
class Node:
    """Where a decision stands after some pieces: the ids that may come next, or the one option that is left (its index;
    -1 while there are several)."""

    legal: tuple[int, ...]
    option: int = -1


class Ids:
    """The numbers of one table."""

    def __init__(self, table: Table, reader: Reader) -> None:
        self.table, self.reader = table, reader
        self.letters: list[Letters] = []
        self.count = 0
        self._by_type: dict[str, Letters] = {}
        self._claim("pass", 1)
        program, layout = table.program, table.program.layout
        sites = [site for site in program.sites if site.kind != "stop"]
        self.actions = tuple(dict.fromkeys(a.id for site in sites if site.kind != "choose" for a in site.actions))
        self._claim("action", len(self.actions))
        types = dict.fromkeys(kind for site in sites for action in site.actions for kind in action.types if kind)
        types |= dict.fromkeys(zone.of for zone in layout.zones.values() if zone.of)
        asked = (part[1] for reason in program.reasons for part in flatten(reason.text) if not isinstance(part, str))
        types |= dict.fromkeys(kind for kind in asked if self.spelled(kind))
        for name in types:
            if self.spelled(name):
                reading = reader.reading(name)
                self._by_type[name] = self._claim(name, reading.high + 1, reading)
        self.zones = self._claim("zone", len(layout.zones))
        self.signs = self._claim("sign", 2)
        self.digits = self._claim("digit", 1 << BITS)
        self.zone_number = [reader.zone_numbers.get(name, 0) for name in layout.zone_names]
        self.shapes = [
            [self._shape(site.kind != "choose", action.id, action.types) for action in site.actions]
            for site in program.sites
        ]

    def _claim(self, name: str, size: int, reading: Reading | None = None) -> Letters:
        found = Letters(name, self.count, size, reading)
        self.letters.append(found)
        self.count += size
        return found

    def spelled(self, type_: str) -> bool:
        """Whether values of a type are one piece."""
        return bool(type_) and not type_.startswith(":") and self.reader.reading(type_).code != NUMBER

    def letters_of(self, type_: str) -> Letters | None:
        """The ids for values of a type: the base stands for none (or false)."""
        return self._by_type.get(type_)

    def zone_owner(self, zone: int) -> Letters | None:
        """The ids for the owners of a zone, by its number; None for a zone of the game."""
        return self._by_type.get([*self.reader.layout.zones.values()][zone].of)

    def _shape(self, named: bool, action: str, types: Sequence[str]) -> list[Piece]:
        found = [Piece(0, CONSTANT, 1 + self.actions.index(action), 0)] if named else []
        for value, type_ in enumerate(types, 1):
            letters = self._by_type.get(type_)
            if letters is not None:
                assert letters.reading is not None
                found.append(Piece(value, letters.reading.code, letters.reading.argument, letters.base))
                if letters.reading.code == CARD:
                    found += [Piece(value, ZONE, 0, self.zones.base), Piece(value, ZONE_OWNER, 0, 0)]
            elif type_:  # a number
                found.append(Piece(value, SIGN, 0, self.signs.base))
                found += [Piece(value, DIGIT, BITS * k, self.digits.base) for k in reversed(range(DIGITS))]
        return found

    # ---- what is meant by an id

    def says(self, id: int) -> str:
        """An id in words of the rules. IndexError for what is none."""
        letters = next((found for found in self.letters if found.base <= id < found.base + found.size), None)
        if letters is None:
            raise IndexError(f"there is no action id {id}: ids are 0 to {self.count - 1}")
        at = id - letters.base
        match letters.name:
            case "pass":
                return "pass"
            case "action" if letters.reading is None:
                return self.actions[at]
            case "zone" if letters.reading is None:
                return f"in {[*self.reader.layout.zones][at]}"
            case "sign" if letters.reading is None:
                return "negative" if at else "not negative"
            case "digit" if letters.reading is None:
                return f"digit {at}"
        assert letters.reading is not None
        return self.reader.says(letters.reading, at)

    # ---- spelling

    def piece(self, look: Looking, piece: Piece, key: OptionTuple) -> int:
        """The id of a piece of an option."""
        word = key[piece.value]
        match piece.code:
            case 6:  # CONSTANT
                return piece.argument
            case 7:  # ZONE
                return piece.base + (self.zone_number[look.zone_of(word)] if word else 0)
            case 8:  # ZONE_OWNER
                zone = look.zone_of(word) if word else 0
                letters = self.zone_owner(self.zone_number[zone])
                if not zone or letters is None or letters.reading is None:
                    return 0
                owner = self.reader.layout.zone_owner[zone]
                return letters.base + look.read(letters.reading.code, letters.reading.argument, owner)
            case 9:  # SIGN
                return piece.base + (word < 0)
            case 10:  # DIGIT
                return piece.base + (abs(word) >> piece.argument & (1 << BITS) - 1)
            case _:
                return piece.base + look.read(piece.code, piece.argument, word)

    def node(self, look: Looking, site: int, keys: Sequence[OptionTuple], chosen: Sequence[int]) -> Node:
        """Where the decision at a site stands after the ids that were chosen. ValueError for one that was not legal."""
        found, _ = self._walk(look, site, keys, list(chosen), None)
        return found

    def spell(self, look: Looking, site: int, keys: Sequence[OptionTuple], option: int) -> tuple[int, ...]:
        """The ids that choose an option, by its index."""
        _, path = self._walk(look, site, keys, [], option)
        return tuple(path)

    def _walk(
        self, look: Looking, site: int, keys: Sequence[OptionTuple], chosen: list[int], goal: int | None
    ) -> tuple[Node, list[int]]:
        left = list(range(len(keys)))
        path: list[int] = []
        shapes = self.shapes[site - 1]
        at = 0  # of the piece; behind the last ones, of the digits of the place among what is left
        listed: list[int] | None = None
        while len(left) > 1:
            if listed is None:
                ids = []
                ended = True
                for k in left:
                    shape = shapes[keys[k][0]] if keys[k][0] != PASS else ()
                    ended = ended and at >= len(shape)
                    ids.append(self.piece(look, shape[at], keys[k]) if at < len(shape) else 0)
                if ended:
                    listed, at = list(left), _digits(len(left))
                    continue
                at += 1
            else:
                at -= 1
                ids = [self.digits.base + (listed.index(k) >> BITS * at & (1 << BITS) - 1) for k in left]
            if len(set(ids)) == 1:
                continue
            if goal is not None:
                wanted = ids[left.index(goal)]
            elif len(path) < len(chosen):
                wanted = chosen[len(path)]
            else:
                return Node(tuple(sorted(set(ids)))), path
            left = [k for k, id in zip(left, ids, strict=True) if id == wanted]
            if not left:
                raise ValueError(f"the action id {wanted} is not legal here")
            path.append(wanted)
        return Node((), left[0] if left else -1), path


def _digits(count: int) -> int:
    """Digits of the numbers below `count`."""
    return max(1, -(-(count - 1).bit_length() // BITS))
