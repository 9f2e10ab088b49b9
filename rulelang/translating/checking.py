"""What is wrong with a catalogue: texts that are missing or left over, holes and forms that do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import NOWHERE, Span
from rulelang.data.catalogues import Entry
from rulelang.texts.phrase import Hole, counts, holes, pieces
from rulelang.texts.plurals import NoBabel, categories
from rulelang.translating.catalogue import Work

_WHY = "what a catalogue lacks is said in English"


def check(work: Work) -> Diagnostics:
    """All that is to be said about a catalogue. NoBabel if it has forms that numbers choose, and Babel is not there."""
    found = Diagnostics(list(work.diagnostics))
    if found.failed:
        return found
    _missing(work, found)
    found.extend(unused(work))
    for entry in work.entries.values():
        if entry.was:
            because = f"the English text was `{entry.was}`; until somebody has looked, English is said"
            message = f"what was said of `{entry.english}` may not fit any more"
            hint = "mend the text, and write it behind the key"
            found.warning("N404", entry.span, message, because=because, hint=hint)
        elif entry.said:
            _fits(work, entry, found)
    return found


def unused(work: Work) -> Diagnostics:
    """Report entries of a catalog that no text uses, each with the nearest text that lacks a translation."""
    found = Diagnostics()
    for entry in work.unused():
        hint = did_you_mean(entry.english, [text.english for text in work.missing()])
        because = "so its translation is never shown"
        found.warning("N401", entry.key, f"no text of the game is `{entry.english}`", because=because, hint=hint)
    return found


def _missing(work: Work, found: Diagnostics) -> None:
    entries = work.entries
    place = Span(str(work.path) if work.catalogue is None else work.catalogue.path, 1, 1, 1, 1)
    for text in work.missing():
        entry = entries.get(text.english)
        span = entry.key if entry is not None else text.span if text.span != NOWHERE else place
        message = f"`{text.english}` is not there in `{work.code}`"
        hint = "" if entry is not None else "`rulelang i18n extract` writes it into the catalogue"
        found.warning("N400", span, message, because=_WHY, hint=hint)


def _fits(work: Work, entry: Entry, found: Diagnostics) -> None:
    """Whether a translation tells what English tells, and has the forms that its language has."""
    told, wanted = holes(entry.said), holes(entry.english)
    for name in sorted(wanted - told):
        because = "a translation tells all that the English text tells; so the English one is said"
        found.error("N402", entry.span, f"`{{{name}}}` is missing here", because=because)
    numbers = wanted | counts(entry.english)
    for name in sorted((told - wanted) | (counts(entry.said) - numbers)):
        because = f"it has {_listed(numbers)}; so the English one is said"
        hint = did_you_mean(name, sorted(numbers))
        place = _place(work, entry, name)
        found.error("N402", place, f"the English text has nothing called `{{{name}}}`", because=because, hint=hint)
    for hole in _forms(entry.said):
        ways = _ways(work.code, hole, found, entry)
        if ways and len(hole.forms) not in (1, len(ways)):
            because = f"numbers in `{work.code}` take {_counted(len(ways))}: {', '.join(ways)}"
            place = _place(work, entry, f"{hole.name}:")
            found.error("N403", place, f"`{'|'.join(hole.forms)}` is {_counted(len(hole.forms))}", because=because)


def _forms(said: str) -> Iterator[Hole]:
    return (piece for piece in pieces(said) if isinstance(piece, Hole) and len(piece.forms) > 1)


def _ways(code: str, hole: Hole, found: Diagnostics, entry: Entry) -> tuple[str, ...]:
    try:
        return categories(code)
    except NoBabel:
        raise
    except ValueError as problem:
        found.error("N403", entry.span, f"nobody knows how `{code}` counts", because=str(problem))
        return ()


def _place(work: Work, entry: Entry, name: str) -> Span:
    """A hole in what is said, where it stands on one line; else all of it."""
    span = entry.span
    if work.catalogue is None or span.line != span.end_line:
        return span
    line = work.catalogue.text.split("\n")[span.line - 1]
    at = line.find(f"{{{name}", span.column - 1)
    end = line.find("}", at)
    return Span(span.path, span.line, at + 1, span.line, end + 2) if 0 <= at < end else span


def _listed(names: set[str]) -> str:
    return ", ".join(f"`{{{name}}}`" for name in sorted(names)) or "no holes"


def _counted(number: int) -> str:
    return f"{number} form{'' if number == 1 else 's'}"
