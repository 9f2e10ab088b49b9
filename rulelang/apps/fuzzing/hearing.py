"""What runs while a move is carried out: the rules, and the traits that meet in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.apps.fuzzing.can_meet import Pair
from rulelang.runtime.noting import Silent
from rulelang.runtime.secrets import cards_in
from rulelang.runtime.table import Table

#: The number of a template, and its arguments.
Heard = tuple[int, tuple[int, ...]]


@dataclass(slots=True)
class Ear(Silent):
    """A host that notes what runs, in order: numbers of templates, with their arguments."""

    heard: list[Heard] = field(default_factory=list)

    def open(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append((template, args))

    def line(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append((template, args))


class Meetings:
    """Which traits meet in the moves at a table.

    Two traits have met, in this order, in a move in which a rule of the first ran before one of the second; or which
    named two things (the one that acts before the one that it acts on) of which the first bears the first and the
    second the second; or one thing that bears both, and then in both orders; or in which a rule of one ran before
    something happened to a thing that bears both, in both orders too.

    `counting`: by action, the traits that can count in it (`can_meet.counting`); others are not met there. None: all.
    """

    def __init__(self, table: Table, counting: Mapping[str, frozenset[str]] | None = None) -> None:
        self.table = table
        self.counting = counting
        layout = table.program.layout
        self.traits = layout.lists.get("trait", ("none",))
        self.known = frozenset(self.traits[1:])
        self.sources = [t.source if t.source in self.known else "" for t in table.program.templates]
        self.zones = {
            kind: [zone for zone in layout.zones.values() if zone.of == kind and zone.in_force] for kind in layout.kinds
        }

    def borne(self, words: Sequence[int], kind: str, thing: int) -> list[str]:
        """The traits in force on a thing."""
        layout = self.table.program.layout
        found = []
        for zone in self.zones[kind]:
            for card in cards_in(zone, thing, words, layout.card_next):
                face = words[layout.card_face + card] if layout.card_face else 0
                faces = layout.cards[card].faces
                number = face or (faces[0] if faces else 0)
                if number:
                    found.append(self.traits[number])
        return found

    def of_move(self, words: Sequence[int], key: Sequence[int], heard: Sequence[Heard]) -> set[Pair]:
        """The pairs that met in a move: `words` before it, the key of its option, what ran."""
        found = self.met(words, key, [self.sources[template] for template, _ in heard if self.sources[template]])
        ran: set[str] = set()
        for template, args in heard:
            ran.add(self.sources[template])
            for part in self.table.program.templates[template].parts:
                if isinstance(part, str) or part[1] not in self.zones or not args[part[0]]:
                    continue
                borne = self.borne(words, part[1], args[part[0]])
                for source in ran.intersection(borne):
                    found.update(pair for b in borne if b != source for pair in ((source, b), (b, source)))
        return found

    def met(self, words: Sequence[int], key: Sequence[int], sources: Sequence[str]) -> set[Pair]:
        """The same, with the traits whose rules ran, in order."""
        found = set(_in_order(sources))
        if key[0] < 0:
            return found
        action = self.table.site(words).actions[key[0]]
        counts = self.known if self.counting is None else self.counting.get(action.id, frozenset())
        named = [
            [trait for trait in self.borne(words, kind, value) if trait in counts]
            for kind, value in zip(action.types, key[1:], strict=False)
            if kind in self.zones and value
        ]
        for place, first in enumerate(named):
            found.update((a, b) for a in first for b in first if a != b)
            found.update((a, b) for second in named[place + 1 :] for a in first for b in second)
        return found


def _in_order(sources: Sequence[str]) -> Iterator[Pair]:
    """Each trait with each that came after it."""
    before: list[str] = []
    for source in sources:
        yield from ((other, source) for other in before if other != source)
        if source not in before:
            before.append(source)
