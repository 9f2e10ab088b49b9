"""How much of a catalogue is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulelang.tools.i18n.catalogue import Work
from rulelang.tools.i18n.texts import SORTS, Sort, Text


@dataclass(frozen=True, slots=True)
class Count:
    """Of texts of one sort: how many there are, how many are said in the language, how many wait to be looked at."""

    texts: int
    said: int
    waiting: int

    @property
    def missing(self) -> int:
        return self.texts - self.said - self.waiting


def counts(work: Work) -> Mapping[Sort, Count]:
    """By sort, for those that there are."""
    found: dict[Sort, Count] = {}
    for sort in SORTS:
        group = [text for text in work.texts.values() if text.sort == sort]
        if group:
            states = [_state(work, text) for text in group]
            found[sort] = Count(len(group), states.count("said"), states.count("waiting"))
    return found


def _state(work: Work, text: Text) -> str:
    entry = work.entries.get(text.english)
    if entry is not None and entry.was:
        return "waiting"
    return "said" if (entry is not None and entry.said) or text.english in work.below else "missing"


def total(found: Mapping[Sort, Count]) -> Count:
    """Over all sorts."""
    each = found.values()
    return Count(sum(n.texts for n in each), sum(n.said for n in each), sum(n.waiting for n in each))
