"""Values of the wrong shape in YAML: find the shape that would fit, and say how to write it.

Each likely other shape is tried: a list of maps without its dashes, a single value as a list, a number in quotes. So
hints need no knowledge of any key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulelang.data.yaml_nodes import YamlNode, YamlScalar, YamlSeq

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]+")
_LONGEST = 50
#: Whether a value would fit at a path.
Fits = Callable[[Sequence[str | int], Any], bool]


def other_shape(key: str, node: YamlNode, path: Sequence[str | int], fits: Fits) -> str:
    """Say how to write a value so that it fits; nothing if none of the shapes tried does."""
    return next((hint for value, hint in _shapes(key, node) if fits(path, value)), "")


def without_dashes(node: YamlNode, path: Sequence[str | int], fits: Fits) -> str:
    """Say how to write a list of maps as one map, if that fits; else nothing."""
    merged: dict[str, Any] = {}
    for item in node.items if isinstance(node, YamlSeq) else ():
        inner: Any = item.plain()
        if not isinstance(inner, dict) or merged.keys() & inner.keys():
            return ""
        merged |= inner
    if not merged or not fits(path, merged):
        return ""
    name, value = next(iter(merged.items()))
    return f"remove the dashes: `{_short(f'{name}: {_flow(value)}')}`"


def as_name(text: str) -> str:
    """Make a valid name of a text: `sharp_spines` of `Sharp Spines`; empty if nothing is left."""
    name = _NOT_IN_NAMES.sub("_", text.strip()).strip("_").lower()
    return f"_{name}" if name[:1].isdigit() else name


def _shapes(key: str, node: YamlNode) -> Iterator[tuple[Any, str]]:
    plain: Any = node.plain()
    if isinstance(node, YamlScalar):
        if not node.text:
            return
        if not isinstance(node.value, str):
            yield node.text, f'write it in quotes: `{key}: "{_short(node.text)}"`'
        if not isinstance(node.value, bool):
            yield [plain], f"write a list: `{key}: [{_short(_flow(plain))}]`"
    elif isinstance(node, YamlSeq):
        if len(node.items) == 1:
            yield plain[0], f"remove the dash or the brackets: `{key}: {_short(_flow(plain[0]))}`"
    elif node.items:
        name, value = next(iter(plain.items()))
        yield [{k: v} for k, v in plain.items()], f"write a list: `- {_short(f'{name}: {_flow(value)}')}`"
        yield [plain], f"write a list: begin with a dash, `- {_short(f'{name}: {_flow(value)}')}`"
        if all(isinstance(inner, dict) for inner in plain.values()):
            yield (
                [{"name": k, **v} for k, v in plain.items()],
                f"write a list: `- name: {_short(name)}`, and the rest below",
            )
        yield list(plain), f"write a list: `{key}: [{_short(', '.join(map(str, plain)))}]`"


def _flow(value: Any) -> str:
    """A value on one line, as YAML."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_flow(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: ""}[value]
    return str(value)


def _short(text: str) -> str:
    first = text.split("\n", 1)[0]
    return first if len(first) <= _LONGEST and first == text else f"{first[: _LONGEST - 4]} ..."
