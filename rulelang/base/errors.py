"""Errors that public functions raise, and checks of the arguments that callers give them."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

from rulelang.base.diagnostics import Diagnostic

# ---- errors


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


# ---- checking arguments


def as_int(value: object, what: str, expected: str = "a whole number") -> int:
    """Return a whole number as a Python `int`; numbers of numpy count, truth values do not. TypeError for the rest."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        try:
            return operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise TypeError(f"{what} must be {expected}, not {describe_argument(value)}")


def as_text(value: object, what: str) -> str:
    """Return a text. TypeError for anything else."""
    if isinstance(value, str):
        return value
    raise TypeError(f"{what} must be a string, not {describe_argument(value)}")


def as_texts(value: object, what: str) -> list[str]:
    """Return the texts of a list. TypeError for one text, which would be read letter by letter, and for the rest."""
    return [as_text(item, f"each of {what}") for item in as_list(value, what)]


def as_list(value: object, what: str) -> list[Any]:
    """Return the items of a list. TypeError for a text, for a map, and for what has no items."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)):
        return [*value]
    raise TypeError(f"{what} must be a list, not {describe_argument(value)}")


def as_mapping(value: object, what: str) -> Mapping[str, Any]:
    """Return a map whose keys are texts. TypeError for anything else."""
    if isinstance(value, Mapping):
        for key in value:
            as_text(key, f"each key of {what}")
        return value
    raise TypeError(f"{what} must be a map, not {describe_argument(value)}")


def describe_argument(value: object) -> str:
    """Return a value as an error message shows it: `None`, or the type with the value, shortened."""
    if value is None:
        return "None"
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 40 else shown[:37] + '...'}"
