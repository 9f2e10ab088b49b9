"""Values of the wrong shape in YAML: find the shape that would fit, and say how to write it.

Each likely other shape is tried: a list of maps without its dashes, a single value as a list, a number in quotes. So
hints need no knowledge of any key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from rulelang.base.nearest import did_you_mean
from rulelang.data.yaml_nodes import YamlNode, YamlScalar, YamlSeq

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]+")
_LONGEST = 50
_FROM_TO = re.compile(r"(\d{1,6})\s*(?:-|\.\.|to)\s*(\d{1,6})\Z")
#: Languages by name, as authors write them in place of the code.
_LANGUAGES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl", "polish": "pl",
    "portuguese": "pt", "russian": "ru", "japanese": "ja", "chinese": "zh", "korean": "ko",
}  # fmt: skip
#: Words that authors write in place of another.
_MEANT = {
    "all": "everyone", "everybody": "everyone", "public": "everyone", "none": "nobody", "hidden": "nobody",
    "private": "owner", "self": "owner", "left": "clockwise", "right": "counterclockwise",
    "anticlockwise": "counterclockwise",
}  # fmt: skip
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


def key_like(text: str) -> str:
    """Make a valid key of a text: the code of a language that it names, else a name."""
    return _LANGUAGES.get(text.strip().lower(), as_name(text))


def one_of(text: str, choices: Collection[str]) -> str:
    """Suggest the one of some words that a text means, or nothing."""
    meant = _MEANT.get(text.lower())
    return f"did you mean `{meant}`?" if meant in choices else did_you_mean(text, choices)


def _shapes(key: str, node: YamlNode) -> Iterator[tuple[Any, str]]:
    plain: Any = node.plain()
    if isinstance(node, YamlScalar):
        if not node.text:
            return
        if not isinstance(node.value, str):
            yield node.text, f'write it in quotes: `{key}: "{_short(node.text)}"`'
        if ends := _FROM_TO.match(node.text):
            yield [int(ends[1]), int(ends[2])], f"write `{key}: [{ends[1]}, {ends[2]}]`"
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
