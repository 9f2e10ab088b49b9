"""Any tree of dataclasses as indented text: one node a line, small nodes whole, with the line it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from rulelang.base.source import Span

#: Nodes whose text fits into so many characters stand on one line.
SHORT = 100
#: A text dump of deeper trees helps nobody.
DEEPEST = 80


def lines_of(value: object, indent: int = 0, label: str = "") -> Iterator[str]:
    """The lines for one value. Empty fields are left out; `label` is the name of the field that it is the value of."""
    head = f"{'  ' * indent}{label}{': ' if label else ''}"
    short = _short(value, SHORT - len(head))
    if short is not None or indent > DEEPEST:
        yield head + (short if short is not None else "...") + _place(value)
        return
    if isinstance(value, Mapping):
        yield head.rstrip()
        for key, item in value.items():
            yield from lines_of(item, indent + 1, str(key))
    elif isinstance(value, (tuple, list)):
        if label:
            yield head.rstrip()
        for item in value:
            yield from lines_of(item, indent + bool(label))
    elif is_dataclass(value) and not isinstance(value, type):
        small, large = [], []
        for name, item in _parts(value):
            text = _short(item, SHORT // 2)
            (large.append((name, item)) if text is None else small.append(f"{name}={text}"))
        yield f"{head}{type(value).__name__} {' '.join(small)}".rstrip() + _place(value)
        for name, item in large:
            yield from lines_of(item, indent + 1, name)
    else:
        yield head + repr(value)


def _short(value: object, room: int) -> str | None:
    """The text of a value on one line, or None if there is no room for it."""
    if room < 0:
        return None
    if isinstance(value, str):
        text = value if value.isidentifier() or (value and " " not in value) else repr(value)
        return text if len(text) <= room else None
    if value is None or isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, Mapping):
        return "{}" if not value else None
    if isinstance(value, (tuple, list, frozenset, set)):
        items = sorted(value, key=str) if isinstance(value, (frozenset, set)) else value
        return _joined(((_short(item, room), "") for item in items), "(", ")", room)
    if is_dataclass(value) and not isinstance(value, type):
        parts = ((_short(item, room), f"{name}=") for name, item in _parts(value))
        return _joined(parts, f"{type(value).__name__}(", ")", room)
    return None


def _joined(parts: Iterator[tuple[str | None, str]], first: str, last: str, room: int) -> str | None:
    words: list[str] = []
    used = len(first) + len(last)
    for text, name in parts:
        if text is None:
            return None
        words.append(name + text)
        used += len(words[-1]) + 2
        if used > room:
            return None
    return first + ", ".join(words) + last


def _parts(node: object) -> Iterator[tuple[str, object]]:
    """The fields of a node that say something."""
    for field in fields(node):  # type: ignore[arg-type]
        value = getattr(node, field.name)
        if field.name.startswith("_") or isinstance(value, Span) or value is None or value is False or value == ():
            continue
        yield field.name, value


def _place(value: object) -> str:
    span = getattr(value, "span", None)
    return f"   {span}" if isinstance(span, Span) and span.path else ""
