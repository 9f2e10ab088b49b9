"""What is wrong with a catalogue: texts that are missing or left over, holes and forms that do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.phrases import Hole, NoBabel, count_names, hole_names, plural_categories, template_pieces
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import did_you_mean
from rulelang.data.catalogues import Entry
from rulelang.tools.i18n.catalogue import Work

_WHY = "until you translate it, players see the English text"


def check(work: Work) -> Diagnostics:
    """All that is to be said about a catalogue. NoBabel if it has forms that numbers choose, and Babel is not there."""
    found = Diagnostics(list(work.diagnostics))
    if found.failed:
        return found
    _missing(work, found)
    found.extend(unused(work))
    for entry in work.entries.values():
        if entry.was:
            because = (
                f"the English text was `{entry.was}`; until you check the translation, players see the English text"
            )
            message = f"the translation of `{entry.english}` may be outdated"
            hint = "correct the translation, and write it after the key"
            found.warning("N404", entry.span, message, because=because, hint=hint)
        elif entry.said:
            _fits(work, entry, found)
    return found


def unused(work: Work) -> Diagnostics:
    """Report entries of a catalog that no text uses, each with the nearest text that lacks a translation."""
    found = Diagnostics()
    for entry in work.unused():
        hint = did_you_mean(entry.english, [text.english for text in work.missing()])
        because = "the game does not contain this English text"
        found.warning("N401", entry.key, f"unused translation of `{entry.english}`", because=because, hint=hint)
    return found


def _missing(work: Work, found: Diagnostics) -> None:
    entries = work.entries
    place = Span(str(work.path) if work.catalogue is None else work.catalogue.path, 1, 1, 1, 1)
    for text in work.missing():
        entry = entries.get(text.english)
        span = entry.key if entry is not None else text.span if text.span != NOWHERE else place
        message = f"`{text.english}` has no `{work.code}` translation"
        hint = (
            "write the translation after the `:`"
            if entry is not None
            else "add it to the catalog with `rulelang i18n extract`"
        )
        found.warning("N400", span, message, because=_WHY, hint=hint)


def _fits(work: Work, entry: Entry, found: Diagnostics) -> None:
    """Whether a translation tells what English tells, and has the forms that its language has."""
    told, wanted = hole_names(entry.said), hole_names(entry.english)
    for name in sorted(wanted - told):
        because = "a translation needs all placeholders of the English text, so players see the English text"
        message, hint = f"missing placeholder `{{{name}}}`", f"add `{{{name}}}` to the translation"
        found.error("N402", entry.span, message, because=because, hint=hint)
    numbers = wanted | count_names(entry.english)
    for name in sorted((told - wanted) | (count_names(entry.said) - numbers)):
        because = f"the English text has {_listed(numbers)}, so players see the English text"
        hint = did_you_mean(name, sorted(numbers))
        if not hint and len(numbers) == 1:
            hint = f"did you mean `{min(numbers)}`?"
        place = _place(work, entry, name)
        found.error("N402", place, f"unknown placeholder `{{{name}}}`", because=because, hint=hint)
    for hole in _forms(entry.said):
        ways = _ways(work.code, hole, found, entry)
        if ways and len(hole.forms) not in (1, len(ways)):
            because = f"`{work.code}` needs {_counted(len(ways))}: {', '.join(ways)}"
            place = _place(work, entry, f"{hole.name}:")
            message = f"`{'|'.join(hole.forms)}` has {_counted(len(hole.forms))}"
            hint = f"write {_counted(len(ways))}, or one form if the word never changes"
            found.error("N403", place, message, because=because, hint=hint)


def _forms(said: str) -> Iterator[Hole]:
    return (piece for piece in template_pieces(said) if isinstance(piece, Hole) and len(piece.forms) > 1)


def _ways(code: str, hole: Hole, found: Diagnostics, entry: Entry) -> tuple[str, ...]:
    try:
        return plural_categories(code)
    except NoBabel:
        raise
    except ValueError as problem:
        found.error("N403", entry.span, f"rulelang does not know the plural forms of `{code}`", because=str(problem))
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
    return ", ".join(f"`{{{name}}}`" for name in sorted(names)) or "no placeholders"


def _counted(number: int) -> str:
    return f"{number} form{'' if number == 1 else 's'}"
