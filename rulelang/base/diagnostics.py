"""Mistakes of the user as data. Nothing here draws or words anything: see `frame` for drawing, `codes` for pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rulelang.base.node import record
from rulelang.base.source import Span

Severity = Literal["error", "warning"]


@record
class Related:
    """A second place that explains the first: where the clashing thing was declared, what removed the target."""

    span: Span
    note: str


@record
class Diagnostic:
    """One mistake: a stable code, the guilty place, what is wrong, what was expected and why, and the nearest fix."""

    code: str
    span: Span
    message: str
    because: str = ""
    hint: str = ""
    related: tuple[Related, ...] = ()
    severity: Severity = "error"


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
    ) -> None:
        """Add an error. `code` must stand in the table of codes (a test holds that)."""
        self.add(Diagnostic(code, span, message, because, hint, tuple(related)))

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

    def sorted(self) -> list[Diagnostic]:
        """By file, line, column, then code: the order in which they are shown."""
        return sorted(self.items, key=lambda d: (d.span.path, d.span.line, d.span.column, d.code))

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


#: So many places of the same message are named below the first.
SHOWN = 6


def folded(items: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The same, where three or more say the same at several places only the first of them, with the others' places.

    So a name that is misspelt where it is declared is one message, however often it is used.
    """
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for item in items:
        groups.setdefault((item.code, item.message, item.because, item.hint, item.related), []).append(item)
    found = []
    for group in groups.values():
        first, *others = group
        if len(others) < 2:
            found.extend(group)
            continue
        places = [f"{_there(item.span, first.span)}" for item in others[:SHOWN]]
        more = " ..." if len(others) > SHOWN else ""
        same = f"the same in {len(others)} more places: {', '.join(places)}{more}"
        found.append(replace(first, because=f"{first.because}\n{same}" if first.because else same))
    return Diagnostics(found).sorted()


def _there(span: Span, first: Span) -> str:
    return f"line {span.line}" if span.path == first.path else f"{span.path}:{span.line}"


def texts_behind(items: Iterable[Diagnostic], sources: Mapping[str, str]) -> dict[str, str]:
    """Those of the texts in which something is wrong, or that what is wrong points to."""
    paths = {span.path for item in items for span in (item.span, *(related.span for related in item.related))}
    return {path: sources[path] for path in sorted(paths & sources.keys())}
