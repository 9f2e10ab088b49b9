"""Diagnostics as data: codes, places, reasons and hints; limit, fold and filter a list of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal

from rulelang.base.node import record
from rulelang.base.source import Span

# ---- diagnostics

Severity = Literal["error", "warning"]
#: A place and the text to write there instead; an empty place to insert it.
Edit = tuple[Span, str]

#: Mistakes of one check. Loops over what users wrote stop here (`Diagnostics.full`): nobody reads more.
MOST_DIAGNOSTICS = 1_000


@record
class Related:
    """A second place that explains the first: where the clashing thing was declared, what removed the target."""

    span: Span
    note: str


@record
class Diagnostic:
    """One mistake: a stable code, the guilty place, what is wrong, what was expected and why, and the nearest fix.

    `edits` is the hint as edits for an editor, one group for each thing that the author may mean; empty if the words of
    the hint are enough to work them out.
    """

    code: str
    span: Span
    message: str
    because: str = ""
    hint: str = ""
    related: tuple[Related, ...] = ()
    severity: Severity = "error"
    edits: tuple[tuple[Edit, ...], ...] = ()


@dataclass(slots=True)
class Diagnostics:
    """A growing list of diagnostics that travels beside a result. The same mistake at the same place counts once."""

    items: list[Diagnostic] = field(default_factory=list)
    _known: set[Diagnostic] = field(default_factory=set, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._known.update(self.items)

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        because: str = "",
        hint: str = "",
        related: Iterable[Related] = (),
        edits: Iterable[tuple[Edit, ...]] = (),
    ) -> None:
        """Add an error. `code` must be in the table of codes (a test checks that)."""
        self.add(Diagnostic(code, span, message, because, hint, tuple(related), "error", tuple(edits)))

    def warning(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        because: str = "",
        hint: str = "",
        related: Iterable[Related] = (),
    ) -> None:
        """Add a warning: it is shown, and does not make a check fail."""
        self.add(Diagnostic(code, span, message, because, hint, tuple(related), "warning"))

    def add(self, item: Diagnostic) -> None:
        if item not in self._known:
            self._known.add(item)
            self.items.append(item)

    def extend(self, others: Iterable[Diagnostic]) -> None:
        for item in others:
            self.add(item)

    @property
    def failed(self) -> bool:
        """True if any error (not only warnings) is in the list."""
        return any(d.severity == "error" for d in self.items)

    @property
    def full(self) -> bool:
        """True if there are as many mistakes as are shown: what comes after need not be looked at."""
        return len(self.items) > MOST_DIAGNOSTICS

    def sorted(self) -> list[Diagnostic]:
        """By file, line, column, then code: the order in which they are shown."""
        return sorted(self.items, key=lambda d: (d.span.path, d.span.line, d.span.column, d.code))

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def limit_diagnostics(items: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the first mistakes by place, errors before warnings, and Y108 for those that are left out."""
    found = Diagnostics([*items]).sorted()
    if len(found) <= MOST_DIAGNOSTICS:
        return found
    kept = sorted(found, key=lambda item: item.severity)[:MOST_DIAGNOSTICS]
    last = kept[-1]
    message = (
        f"there are more than {MOST_DIAGNOSTICS:,} errors and warnings; only the first {MOST_DIAGNOSTICS:,} are shown"
    )
    because = "a file with so many errors is not checked to the end"
    more = Diagnostic("Y108", last.span, message, because, "fix the first ones and check again", (), last.severity)
    return Diagnostics([*kept, more]).sorted()


#: How many places or names of one message are listed.
SHOWN = 6
#: Names in a message.
_NAMED = re.compile(r"`[^`]*`")


def fold_repeated(items: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Show once what three or more diagnostics say: the first of them, with the places of the others.

    So a name that is misspelt where it is declared is one message, however often it is used. Warnings also count as the
    same if only one name in their messages differs, as in one warning for each trait: then the names are listed.
    """
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for item in items:
        groups.setdefault((item.code, item.message, item.because, item.hint, item.related), []).append(item)
    single: dict[tuple[object, ...], list[Diagnostic]] = {}
    found = []
    for group in groups.values():
        if len(group) > 2:
            found.append(_with_places(group))
        elif group[0].severity == "warning" and not group[0].related:
            first = group[0]
            single.setdefault((first.code, _NAMED.sub("`", first.message), first.because, first.hint), []).extend(group)
        else:
            found.extend(group)
    for group in single.values():
        found.extend([_with_names(group)] if len(group) > 2 and _differ_in_one_name(group) else group)
    return Diagnostics(found).sorted()


def _with_places(group: Sequence[Diagnostic]) -> Diagnostic:
    """The first of diagnostics that say the same, with the places of the others."""
    first, *others = group
    return _with_more(
        first, f"the same in {len(others)} more places: {_short_list([_place_of(o.span, first.span) for o in others])}"
    )


def _with_names(group: Sequence[Diagnostic]) -> Diagnostic:
    """The first of diagnostics whose messages differ in one name, with the other names and their places."""
    first, *others = sorted(group, key=lambda d: (d.span.path, d.span.line, d.span.column))
    at = _differing_name(group)
    names = [f"{_NAMED.findall(other.message)[at]} ({_place_of(other.span, first.span)})" for other in others]
    return _with_more(first, f"the same for {len(others)} more: {_short_list(names)}")


def _differing_name(group: Sequence[Diagnostic]) -> int:
    """The number of the one name in which messages differ; -1 if they differ in several."""
    columns = list(zip(*(_NAMED.findall(item.message) for item in group), strict=True))
    different = [at for at, names in enumerate(columns) if len(set(names)) > 1]
    return different[0] if len(different) == 1 else -1


def _differ_in_one_name(group: Sequence[Diagnostic]) -> bool:
    return _differing_name(group) >= 0


def _with_more(first: Diagnostic, more: str) -> Diagnostic:
    return replace(first, because=f"{first.because}\n{more}" if first.because else more)


def _short_list(texts: Sequence[str]) -> str:
    """The first texts, and how many there are beyond them."""
    more = len(texts) - SHOWN
    return ", ".join(texts[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _place_of(span: Span, first: Span) -> str:
    return f"line {span.line}" if span.path == first.path else f"{span.path}:{span.line}"


def affected_texts(items: Iterable[Diagnostic], sources: Mapping[str, str]) -> dict[str, str]:
    """Those of the texts in which something is wrong, or that what is wrong points to."""
    paths = {span.path for item in items for span in (item.span, *(related.span for related in item.related))}
    return {path: sources[path] for path in sorted(paths & sources.keys())}


# ---- follow-up mistakes

#: What a schema tells, and of it that a key is unknown, so that nothing below it is read.
SCHEMA, UNKNOWN_KEY, WRONG_VALUE = ("Y120", "Y121", "Y122"), "Y120", "Y121"
#: The key of a wrong value, or the name that a wrong key was meant to be.
_NOT_READ = re.compile(r"(?:^|\bwrite )`(\w+):?`(?= must be|\Z)", re.MULTILINE)
#: A zone whose declaration is wrong (N303), and one that is missed (T407).
_WRONG_ZONE, _NO_ZONE = re.compile(r"\bzone `(\w+)`"), re.compile(r"\bno zone `(\w+)`")
#: How its hint begins where a comma has split a text in two.
SPLIT = "put the text in quotes: a comma splits it"
#: Somebody says a name that is declared nowhere.
_NOWHERE = frozenset(("N303", "N305", "N306", "N309", "N319", "N350", "N355"))


def without_follow_ups(
    found: Iterable[Diagnostic], read: Iterable[Diagnostic], sources: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """Of what later phases found, all but what comes of mistakes in how the files are made (`read`, of the first
    phase): the same place again; a name that stands below a key that was not read; half of a text that a comma split.
    `sources`: the texts by path."""
    told = [item for item in read if item.code in SCHEMA]
    spans = {item.span for item in told}
    halves = {(item.span.path, item.span.line): item.span.column for item in told if item.hint.startswith(SPLIT)}
    names: set[str] = set()
    lines: dict[str, list[str]] = {}
    for item in told:
        if item.code == UNKNOWN_KEY and "did you mean" not in item.hint:
            if item.span.path not in lines:
                lines[item.span.path] = sources.get(item.span.path, "").splitlines()
            names |= _below(lines[item.span.path], item.span.line)
        if item.code == WRONG_VALUE:  # the key was not read
            names.update(_NOT_READ.findall(f"{item.message}\n{item.hint}"))
    found = list(found)
    zones = {name for item in found if item.code == "N303" for name in _WRONG_ZONE.findall(item.because)}
    for item in found:
        if item.span in spans or (item.code == "T407" and zones.intersection(_NO_ZONE.findall(item.message))):
            continue
        if item.code.startswith("S") and item.span.column < halves.get((item.span.path, item.span.line), 0):
            continue
        if item.code in _NOWHERE and names.intersection(re.findall(r"`(\w+)`", item.message)):
            continue
        yield item


def _below(lines: Sequence[str], line: int) -> set[str]:
    """The words of a key's line and of the lines further in after it."""
    if line > len(lines):
        return set()
    first = lines[line - 1]
    margin = len(first) - len(first.lstrip())
    found = set(re.findall(r"\w+", first))
    for other in islice(lines, line, None):
        if other.strip() and len(other) - len(other.lstrip()) <= margin:
            break
        found.update(re.findall(r"\w+", other))
    return found


# ---- manual pages


@dataclass(frozen=True, slots=True)
class Page:
    """`title`: what is wrong, in a few words; `text`: what was expected and how to fix it; a bad and a good example."""

    code: str
    title: str
    text: str
    bad: str = ""
    good: str = ""
