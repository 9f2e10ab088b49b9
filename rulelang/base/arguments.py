"""What callers of the public functions give them: wrong types are reported where they come in, in plain words."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any


def whole(value: object, what: str, expected: str = "a whole number") -> int:
    """Return a whole number as a Python `int`; numbers of numpy count, truth values do not. TypeError for the rest."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        try:
            return operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise TypeError(f"{what} must be {expected}, not {said(value)}")


def text(value: object, what: str) -> str:
    """Return a text. TypeError for anything else."""
    if isinstance(value, str):
        return value
    raise TypeError(f"{what} must be a string, not {said(value)}")


def texts(value: object, what: str) -> list[str]:
    """Return the texts of a list. TypeError for one text, which would be read letter by letter, and for the rest."""
    return [text(item, f"each of {what}") for item in listed(value, what)]


def listed(value: object, what: str) -> list[Any]:
    """Return the items of a list. TypeError for a text, for a map, and for what has no items."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)):
        return [*value]
    raise TypeError(f"{what} must be a list, not {said(value)}")


def mapped(value: object, what: str) -> Mapping[str, Any]:
    """Return a map whose keys are texts. TypeError for anything else."""
    if isinstance(value, Mapping):
        for key in value:
            text(key, f"each key of {what}")
        return value
    raise TypeError(f"{what} must be a map, not {said(value)}")


def said(value: object) -> str:
    """Return a value as an error message shows it: `None`, or the type with the value, shortened."""
    if value is None:
        return "None"
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 40 else shown[:37] + '...'}"
