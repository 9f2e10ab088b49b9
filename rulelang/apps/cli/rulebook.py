"""The numbered rules of a ruleset's documents, as `show` quotes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulelang.apps.editor.reading import Reading
from rulelang.base.diagnostics import Diagnostics
from rulelang.data.folders import Unreadable, read_file, seeds_dir
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.data.yaml_reader import read_yaml


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule in our own words; `ruling` says how an open text is read."""

    id: str
    text: str
    ruling: str = ""


def rulebook(reading: Reading) -> dict[str, Rule]:
    """By id, the rules in the shipped files for this ruleset or its mods, and in the file that its `source:` names."""
    ids = {layer.of or layer.id for layer in reading.source.layers}
    found: dict[str, Rule] = {}
    for path in _files(reading):
        try:
            root = read_yaml(read_file(path), str(path), Diagnostics()).root
        except Unreadable:
            continue
        if isinstance(root, YamlMap) and root.text("ruleset") in ids:
            for key, node in root.map("rules"):
                if isinstance(node, YamlMap):
                    found[key.text] = Rule(key.text, node.text("text") or "", node.text("ruling") or "")
                elif isinstance(node, YamlScalar):
                    found[key.text] = Rule(key.text, node.text)
    return found


def _files(reading: Reading) -> list[Path]:
    named = [manifest.text("source") for manifest in (reading.source.manifest, *reading.source.mods)]
    beside = Path(reading.source.manifest.span.path).parent
    files = [path for name in named if name for path in (beside / name,) if path.is_file()]
    return [*sorted(seeds_dir().glob("*.yaml")), *files]
