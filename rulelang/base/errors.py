"""The ways in which playing a game can fail: an argument that cannot be used, a run-time diagnostic of the rules, a
backend that cannot be had on this machine, or not yet."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostic


class BadArgument(ValueError):
    """An argument cannot be used. The text says why, in words for the person who gave it.

    Only this class becomes a usage error of the command line. Any other ValueError is a bug, and is reported as one.
    """


class RuleError(Exception):
    """Raised during a game if its rules fail: for example, a division by 0, a broken invariant or an endless game.

    Attributes:
        diagnostic: the code (X...), the line of the rule in its `span`, the message, and why.

        try:
            state.play(0)
        except rulelang.RuleError as error:
            print(error.diagnostic.code, error.diagnostic.span, error.diagnostic.message)

    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.span}: {diagnostic.code}: {diagnostic.message}")
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[RuleError], tuple[Diagnostic]]:
        return RuleError, (self.diagnostic,)  # from a process that helps


class BuildError(Exception):
    """Raised if the backend that you named is not available because the compiler is missing or failed. The message
    says which.

    Attributes:
        why: the reason, in one line.
        said: the first lines that the compiler printed.

        try:
            state = game.new(backend="native")
        except rulelang.BuildError:
            state = game.new()

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
