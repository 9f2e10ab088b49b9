"""The one exception of a running game: a rule did what it must not do."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostic


class RuleError(Exception):
    """A run-time diagnostic (X6xx): a value out of range, a runaway chain, a failed invariant. The author's mistake."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.span}: {diagnostic.code}: {diagnostic.message}")
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[RuleError], tuple[Diagnostic]]:
        # Simulations in several processes hand it back whole.
        return RuleError, (self.diagnostic,)
