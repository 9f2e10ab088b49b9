"""How a difference between two games is printed."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any

from rulelang.apps.cli.screen import terminal_columns
from rulelang.base.terminal import wrap_text
from rulelang.compiler.compilation import Compilation
from rulelang.tools.modding.difference import Difference
from rulelang.tools.modding.facts import HOOK_SECTIONS, NAMED_SECTIONS

Line = tuple[str, dict[str, Any]]
_PLUS, _MINUS = {"fg": "green"}, {"fg": "red"}


def name_of(compilation: Compilation) -> str:
    """`garden 1.0.0 with wet 1.2.0`."""
    base, *above = [f"{layer.id} {layer.version}" for layer in compilation.source.layers if layer.kind != "mode"]
    return f"{base} with {', '.join(above)}" if above else base


def lines(before: Compilation, after: Compilation, found: Sequence[Difference]) -> Iterator[Line]:
    """Each section with what is not the same in it, and with a style for each line."""
    for line in wrap_text(f"{name_of(before)} -> {name_of(after)}", terminal_columns(), "", "    "):
        yield line, {}
    yield "", {}
    if not found:
        yield "no differences", {}
        return
    section = ""
    for item in found:
        if item.section != section:
            if section:
                yield "", {}
            section = item.section
            yield _title(section), {"bold": True}
        yield from _rule(item) if section in (*NAMED_SECTIONS, *HOOK_SECTIONS) else _value(item)
    yield "", {}
    tally = [(sum(item.how == how for item in found), how) for how in ("added", "removed", "changed")]
    yield ", ".join(f"{number} {how}" for number, how in tally if number), {}


def _title(section: str) -> str:
    return f"{section}s" if section in (*NAMED_SECTIONS, "hook") and section != "game" else section


def _value(item: Difference) -> Iterator[Line]:
    """A leaf on one line, if it fits: `~ limit: 3 -> 4`."""
    mark = {"added": "+", "removed": "-", "changed": "~"}[item.how]
    sides = [side.text for side in (item.before, item.after) if side is not None]
    text = f"{mark} {item.name}" + (f": {' -> '.join(sides)}" if any(sides) else "")
    style = {"+": _PLUS, "-": _MINUS}.get(mark, {})
    for line in wrap_text(text, terminal_columns(), "  ", "      "):
        yield line, style
    yield from _place(item)


def _rule(item: Difference) -> Iterator[Line]:
    """The lines of a rule that are not the same, among those that are."""
    before = item.before.text.split("\n") if item.before else []
    after = item.after.text.split("\n") if item.after else []
    whose = f" ({item.name})" if item.section in HOOK_SECTIONS and item.name.startswith(("trait ", "card ")) else ""
    for line in difflib.ndiff(before, after):
        if line[0] != "?":
            yield f"  {line}{whose}".rstrip(), {"+": _PLUS, "-": _MINUS}.get(line[0], {})
            whose = ""
    yield from _place(item)


def _place(item: Difference) -> Iterator[Line]:
    side = item.after or item.before
    assert side is not None
    yield f"      {side.by}, {side.span.path}:{side.span.line}", {"dim": True}
