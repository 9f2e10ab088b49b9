"""The ways in which playing a game can fail: an argument that cannot be used, a run-time diagnostic of the rules, a
backend that cannot be had on this machine, or not yet."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostic


class BadArgument(ValueError):
    """An argument cannot be used. The text says why, in words for the person who gave it.

    Only this class becomes a usage error of the command line. Any other ValueError is a bug, and is reported as one.
    """


class RuleError(Exception):
    """A rule went wrong while a game was played. `diagnostic` has the code, the author's line and what happened."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.span}: {diagnostic.code}: {diagnostic.message}")
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[RuleError], tuple[Diagnostic]]:
        return RuleError, (self.diagnostic,)  # from a process that helps


class BuildError(Exception):
    """A backend cannot be had: no compiler is there, or none made a library; or no Node. The text says which and why.

    `said`: the first lines of what the compiler said.
    """

    def __init__(self, why: str, said: tuple[str, ...] = ()) -> None:
        super().__init__("\n    ".join((why, *said)))
        self.why = why
        self.said = said

    def __reduce__(self) -> tuple[type[BuildError], tuple[str, tuple[str, ...]]]:
        return BuildError, (self.why, self.said)  # from a process that helps


class NotYet(Exception):
    """A backend is being made, beside what this thread does. Whoever asks again will have it, some time."""


class EnsureFailed(Exception):
    """An `ensure` was false. In a trial it means that the action is refused; else the caller did not try first.

    `reason` is its number in the program's `reasons`, `values` what its text shows.
    """

    def __init__(self, reason: int, args: tuple[int, ...] = ()) -> None:
        super().__init__(f"refused by reason {reason}")
        self.reason = reason
        self.values = args
