"""What goes wrong in rules while they run, in words: as every program says it that Python links."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import RuleError
from rulelang.base.source import Span

#: What there may be too much of between two decisions, by code.
BUDGETS = {
    "X605": "the rules ran too long without a decision",
    "X606": "the rules' calls are nested too deeply",
    "X608": "too many routines are waiting for this decision: the control stack is full",
}


def out_of_range(what: str, low: int | None, high: int | None, span: Span, value: int) -> RuleError:
    """A word would become what it may not be; `low` or `high` is None where only the other one bounds it."""
    allowed = f"at most {high}" if low is None else f"at least {low}" if high is None else f"{low} to {high}"
    return RuleError(Diagnostic("X601", span, f"{what} would become {value}, but must be {allowed}"))


def over_budget(code: str, span: Span, running: Sequence[str]) -> RuleError:
    """`running` are the titles of the routines that are at work, the innermost first."""
    return RuleError(Diagnostic(code, span, BUDGETS[code], because=describe_cycle(running)))


def describe_cycle(titles: Sequence[str]) -> str:
    """The cycle that the innermost routine stands in, or where it stands: `a → b → a`."""
    if not titles:
        return ""
    inner, *outer = titles
    if inner not in outer:
        return f"the running rules were {' → '.join(reversed(titles[:8]))}"
    end = outer.index(inner) + 1
    return f"the cycle is {' → '.join(reversed(titles[: end + 1]))}"
