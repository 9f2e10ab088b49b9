"""Lines of generated source, with the author's line that each came from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.base.source import NOWHERE, Span


class Writer:
    """Call it with a line; `with writer.inside("if x:")` indents what follows."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.spans: dict[int, Span] = {}
        self.level = 0
        self.span = NOWHERE

    def __call__(self, text: str) -> None:
        self.lines.append("    " * self.level + text)
        if self.span is not NOWHERE:
            self.spans[len(self.lines)] = self.span

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """An indented block under `head`; `pass` if nothing is written in it."""
        self(head)
        self.level += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self("pass")
        self.level -= 1

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """What is written inside came from `span` (if that is known)."""
        before = self.span
        if span is not NOWHERE:
            self.span = span
        yield
        self.span = before
