"""Records that are defined by the hundred and made by the ten thousand: syntax nodes, checked trees, the IR, YAML."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[_T]) -> type[_T]:
    """A dataclass with slots that compares and hashes by its fields.

    Nobody may assign to its fields, and mypy sees to it. At run time they are not frozen: a frozen dataclass takes
    three times as long to make, and twice as long to define, which was a fifth of a check.
    """
    cls.__repr__ = _repr  # type: ignore[method-assign]
    return dataclass(slots=True, unsafe_hash=True, repr=False)(cls)


def _repr(self: Any) -> str:
    """As dataclasses have it: one function for all, as it takes time to make one for each."""
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
