"""A rule of the linter, what it finds, and how that is mended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Diagnostic, Related
from rulelang.base.source import Span

if TYPE_CHECKING:
    from rulelang.tools.lint.subject import Subject


@dataclass(frozen=True, slots=True)
class Fix:
    """Text to put in the place of each of these spans, which lie in one line each. It keeps what the rules mean."""

    edits: tuple[tuple[Span, str], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One place where a rule has something to say. `cause`: what several places have in common, so that the first of
    them tells of all; None: it stands for itself."""

    span: Span
    message: str
    because: str = ""
    hint: str = ""
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    cause: object = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. `name` is what is written in `# lint: allow NAME`; `deep`: it plays scenarios, so it has to be asked for.

    `page` has a bad and a good example: rules, or a whole file, over the garden of the language reference.
    """

    name: str
    page: Page
    find: Callable[[Subject], Iterable[Found]]
    deep: bool = False

    @property
    def code(self) -> str:
        return self.page.code


@dataclass(frozen=True, slots=True)
class Advice:
    """What a rule has found, as it is shown, and how it is mended."""

    rule: Rule
    diagnostic: Diagnostic
    fix: Fix | None = None


def advice(rule: Rule, found: Found) -> Advice:
    """A finding as a warning with the rule's code."""
    item = Diagnostic(rule.code, found.span, found.message, found.because, found.hint, found.related, "warning")
    return Advice(rule, item, found.fix)
