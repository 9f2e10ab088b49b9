"""Who chooses in games that look for mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulelang.apps.fuzzing.hearing import Ear, Heard, Meetings
from rulelang.runtime.program import OptionTuple
from rulelang.runtime.rng import Generator
from rulelang.runtime.table import Table

#: So many options are tried at each decision.
TRIED = 6


class Curiosity:
    """Counts what ran at the tables of one game, over all games: rules, and pairs of traits that met."""

    def __init__(self) -> None:
        self.rules: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self._named: dict[int, list[str]] = {}
        self._meetings: dict[int, Meetings] = {}
        self._tables: list[Table] = []  # so that identities stay

    def at(self, table: Table) -> Meetings:
        if id(table) not in self._meetings:
            self._tables.append(table)
            self._meetings[id(table)] = Meetings(table)
            self._named[id(table)] = [f"{t.what} {t.name} {t.source} {t.span}" for t in table.program.templates]
        return self._meetings[id(table)]

    def note(self, table: Table, words: Sequence[int], key: OptionTuple, heard: Sequence[Heard]) -> None:
        """A move was made."""
        meetings, named = self.at(table), self._named[id(table)]
        self.rules.update({named[template] for template, _ in heard})
        self.pairs.update(meetings.of_move(words, key, heard))

    def rarity(self, table: Table, words: Sequence[int], key: OptionTuple, heard: Sequence[Heard]) -> float:
        """How seldom what a move does was seen."""
        meetings, named = self.at(table), self._named[id(table)]
        rules = sum(1 / (1 + self.rules[named[template]]) for template in {template for template, _ in heard})
        return rules + sum(1 / (1 + self.pairs[pair]) for pair in meetings.of_move(words, key, heard))

    def rarest(self, table: Table, words: list[int], keys: Sequence[OptionTuple], chance: Generator) -> int:
        """The option, of a few, whose move does what was seen least."""
        places = [*range(len(keys))]
        for place in range(min(TRIED, len(places))):
            other = place + chance.below(len(places) - place)
            places[place], places[other] = places[other], places[place]
        best: int = places[0]
        most = -1.0
        for place in places[:TRIED]:
            ear, S = Ear(), words[:]
            table.program.resume(S, ear, keys[place])
            found = self.rarity(table, words, keys[place], ear.heard)
            if found > most:
                best, most = place, found
        return best
