"""Nodes with another word in the place of a name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from rulelang.language.syntax.nodes import Node

#: Fields that hold texts for people; names stand in their braces only.
_PROSE = frozenset({"because", "text"})
_BRACES = re.compile(r"\{[^{}]*\}")
_N = TypeVar("_N", bound=Node)


def renamed(node: _N, old: str, new: str) -> _N:
    """The node with `new` wherever it says `old` as a name, of whatever sort: so what belongs together stays so."""
    word = re.compile(rf"(?<![\w\-])(?<!\w\.){re.escape(old)}(?![\w\-])")

    def in_prose(text: str) -> str:
        return _BRACES.sub(lambda braces: word.sub(new, braces.group()), text)

    return cast(_N, _changed(node, lambda text: new if text == old else text, in_prose))


def _changed(part: Any, name: Callable[[str], str], prose: Callable[[str], str]) -> Any:
    if isinstance(part, str):
        return name(part)
    if isinstance(part, Node):
        new = {}
        for field in fields(part):
            if field.name.endswith("span") or field.name == "cites":
                continue
            old = getattr(part, field.name)
            text = field.name in _PROSE and isinstance(old, str)
            changed = prose(old) if text else _changed(old, name, prose)
            if changed is not old:
                new[field.name] = changed
        return replace(cast(Any, part), **new) if new else part
    if isinstance(part, tuple) and type(part) is tuple:
        items = tuple(_changed(item, name, prose) for item in part)
        return items if any(a is not b for a, b in zip(items, part, strict=True)) else part
    return part
