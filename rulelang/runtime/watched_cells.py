"""Which words of a state the log watches, and what a difference between two states means for players.

Cards that moved are told by the zones between which they did; things by whether they live; values word by word. What
only keeps order (links, places in a zone, generators, frames) is not watched, and neither are values that name cards.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import prod

from rulelang.base.layout import AttributeLayout, KindLayout, Layout, TableLayout
from rulelang.base.node import record

#: (what it is, its arguments, of its cards zone and face): an entry of the log without its place there.
WatchedChange = tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]


#: What an entry is that no template tells of. Only `PASS` is an event; the others have no number.
CLOSE = -1  # an event ends: `parent` is its number


MOVE = -2  # cards moved: from a zone id to a zone id, then the cards; `snapshots` have their faces


MADE = -3  # a thing was made: the place of its kind among all kinds, its handle


GONE = -4  # a thing was removed: likewise


SET = -5  # a value changed: the place of its attribute among those watched, handle, place in its width, old, new


CURTAIN = -6  # what follows is `secretly` done


PASS = -7  # a player passed: his seat, the decision site, 1 if he had done something in the same offer


ROUND = -8  # a round begins: its number


#: So many words between two blocks are compared with them rather than left out.
NEAR = 8


@record
class CellBlock:
    """Words of one kind that lie together: from `start` to before `end`."""

    start: int
    end: int


class WatchedCells:
    """The watched words of one layout. `attributes`: those whose values are told; where a thing stands is one, too, and
    a table is one of the first kind that it is read by (`tables`: by where it begins)."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.kinds = tuple(layout.kinds.values())
        self.attributes = (
            *(a for a in layout.attributes if a.type not in layout.sorts),
            *(AttributeLayout(k.name, "place", k.place, _thing_slots(k), k.place_kind) for k in self.kinds if k.place),
            *map(_table_attribute, layout.tables.values()),
        )
        self.tables = {table.base: table for table in layout.tables.values()}
        self.cards = CellBlock(layout.where + 1, layout.where + len(layout.cards))
        self.living = [CellBlock(k.alive + 1, k.alive + _thing_slots(k) + 1) for k in self.kinds]
        self.values = [CellBlock(a.base, a.base + (a.count + 1) * a.width) for a in self.attributes]
        self.bearers = [{row: card for card, row in (a.rows or {}).items()} for a in self.attributes]
        blocks = [*self.living, self.cards, *self.values]
        self.runs = _merged_runs(blocks)
        self.bounds = array("i", [at for run in self.runs for at in (run.start, run.stop)])
        #: By word of a run: the blocks that it lies in, and where there.
        self.places: dict[int, list[tuple[int, int]]] = {
            at: [] for run in self.runs for at in range(run.start, run.stop)
        }
        for number, block in enumerate(blocks):
            for place, at in enumerate(range(block.start, block.end)):
                self.places[at].append((number, place))

    def same(self, old: Sequence[int], new: Sequence[int]) -> bool:
        """Whether no watched word has changed."""
        return all(old[run] == new[run] for run in self.runs)

    def changes(self, old: Sequence[int], new: Sequence[int], differing: Sequence[int]) -> list[WatchedChange] | None:
        """What has changed: things that are made, cards that moved, values, things that are gone; None if no watched
        word has. `differing`: the addresses at which the words differ, in their order."""
        found: dict[int, list[int]] = {}  # by block, where it has changed
        places = self.places
        watched = False
        for at in differing:
            if at in places:
                watched = True
                for number, place in places[at]:
                    found.setdefault(number, []).append(place)
        if not found:
            return [] if watched else None
        living = len(self.living)
        if len(found) == 1 and living in found:
            return self._moves(old, new, found[living])
        flipped = [(k, 1 + place) for k in range(living) for place in found.pop(k, ())]
        noted: list[WatchedChange] = [
            (MADE, (k, handle), ()) for k, handle in flipped if new[self.kinds[k].alive + handle]
        ]
        if living in found:
            noted += self._moves(old, new, found.pop(living))
        for number in sorted(found):
            noted += self._sets(number - living - 1, old, new, found[number])
        noted += [(GONE, (k, handle), ()) for k, handle in flipped if old[self.kinds[k].alive + handle]]
        return noted

    def moved(self, differing: Sequence[int]) -> list[int]:
        """The cards that lie elsewhere, where words differ at these addresses."""
        return [at - self.cards.start + 1 for at in differing if self.cards.start <= at < self.cards.end]

    def _moves(self, old: Sequence[int], new: Sequence[int], places: Sequence[int]) -> list[WatchedChange]:
        """`places`: of the cards that moved, behind that of the first one."""
        where, faces = self.layout.where + 1, self.layout.card_face
        moved: dict[tuple[int, int], list[int]] = {}
        for place in places:
            moved.setdefault((old[where + place], new[where + place]), []).append(place + 1)
        noted: list[WatchedChange] = []
        for (from_, to), together in moved.items():
            shown = [new[faces + card] or old[faces + card] if faces else 0 for card in together]
            noted.append((MOVE, (from_, to, *together), tuple([(to, face) for face in shown])))
        return noted

    def _sets(
        self, number: int, old: Sequence[int], new: Sequence[int], places: Sequence[int]
    ) -> Iterator[WatchedChange]:
        layout = self.layout
        attribute, start = self.attributes[number], self.values[number].start
        of_card = attribute.kind in layout.sorts
        for place in places:
            handle, index = divmod(place, attribute.width)
            if attribute.trait:
                handle = self.bearers[number].get(handle, 0)
            if not self._lasts(attribute, handle, index, old, new):
                continue  # it begins, or what was kept of it is cleared
            if not handle and attribute.kind:
                continue  # the word of nothing
            face = new[layout.card_face + handle] if of_card and layout.card_face else 0
            seen = ((new[layout.where + handle], face),) if of_card else ()
            yield SET, (number, handle, index, old[start + place], new[start + place]), seen

    def _lasts(
        self, attribute: AttributeLayout, handle: int, index: int, old: Sequence[int], new: Sequence[int]
    ) -> bool:
        """Whether all things of which a value is kept were in play before and are now."""
        if not attribute.of:
            lives = self.layout.kinds.get(attribute.kind)
            return lives is None or bool(old[lives.alive + handle] and new[lives.alive + handle])
        at = [(attribute.kind, handle)]
        for kind, size in zip(reversed(attribute.of), reversed(attribute.dims), strict=True):
            index, row = divmod(index, size)
            at.append((kind, row))
        made = [self.layout.kinds[kind].alive + row for kind, row in at if kind in self.layout.kinds]
        return all(old[place] and new[place] for place in made)

    def wrong(self, template: int, args: Sequence[int], snapshots: int) -> bool:
        """Whether this, with so many snapshots of cards, could not be told: something is out of its bounds."""
        zones, cards = len(self.layout.zone_names), len(self.layout.cards)
        match template, [*args]:
            case _, [from_, to, *moved] if template == MOVE:
                lies = 0 <= from_ < zones and 0 <= to < zones and all(0 < card < cards for card in moved)
                return not lies or snapshots != len(moved)
            case _, [number, handle] if template in (MADE, GONE):
                return not 0 <= number < len(self.kinds) or not 0 < handle <= _thing_slots(self.kinds[number])
            case _, [number] if template == ROUND:
                return number < 1 or snapshots != 0
            case _, [number, handle, index, _, _] if template == SET and 0 <= number < len(self.attributes):
                attribute = self.attributes[number]
                of_card = attribute.kind in self.layout.sorts
                most = cards - 1 if of_card else attribute.count
                return not (0 <= handle <= most and 0 <= index < attribute.width and snapshots == of_card)
        return True


def _table_attribute(table: TableLayout) -> AttributeLayout:
    """The numbers of a table as an attribute."""
    (kind, *of), (first, *dims) = table.of, table.dims
    return AttributeLayout(
        kind, table.name, table.base, first - 1, "int", dims=tuple(dims), width=prod(dims), of=tuple(of)
    )


def _merged_runs(blocks: Sequence[CellBlock]) -> list[slice]:
    """The same words in as few pieces: what lies side by side, or nearly so, is compared at once."""
    runs: list[slice] = []
    for block in sorted(blocks, key=lambda block: block.start):
        if runs and block.start <= runs[-1].stop + NEAR:
            runs[-1] = slice(runs[-1].start, max(runs[-1].stop, block.end))
        else:
            runs.append(slice(block.start, block.end))
    return runs


def _thing_slots(kind: KindLayout) -> int:
    return kind.owners * kind.per_owner
