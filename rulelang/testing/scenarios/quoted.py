"""Recognizes a line in quotes that would be a map without them: a step, a claim or a thing that YAML reads as text."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.data.yaml_reader import read_yaml_text


def unquoted(node: YamlNode) -> YamlMap | None:
    """Return the map with one key that a text in quotes would be without them, if it would be one."""
    if not isinstance(node, YamlScalar) or node.style not in ("single", "double") or ":" not in node.text:
        return None
    out = Diagnostics()
    root = read_yaml_text(node.text, node.span.path, out).root
    return root if isinstance(root, YamlMap) and len(root) == 1 and not out.failed else None


def quoted(out: Diagnostics, node: YamlNode, what: str) -> None:
    """Add C701 for such a text, with the line to write."""
    assert isinstance(node, YamlScalar)
    out.error(
        "C701",
        node.span,
        f"expected {what}, found quoted text",
        because="the quotes turn the key and its value into one text",
        hint=f"write it without the quotes: `- {node.text}`",
    )
