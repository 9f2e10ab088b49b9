"""A document in its canonical form, as `rulelang fmt` writes it."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Placement
from rulelang.data.yaml_format import format_yaml
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.syntax.format import format_text
from rulelang.language.syntax.parse import parse


def tidied(path: str, text: str) -> str:
    """The text itself where it cannot be read, or is of another kind."""
    found = Diagnostics()
    if path.endswith(".rules"):
        found.extend(parse(text, Placement(path))[1])
        return text if found.failed else format_text(text)
    if path.endswith((".yaml", ".yml")):
        read_yaml_text(text, path, found)
        return text if found.failed else format_yaml(text, format_text)
    return text
