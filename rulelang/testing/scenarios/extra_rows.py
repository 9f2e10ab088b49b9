"""Test rows: rows of lists and card sorts that exist in some scenarios only, laid over the ruleset as a small mod."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.disk_cache import cache_dir, private_folder, read_private
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics.model import Model
from rulelang.testing.scenarios.tokens import pairs, unknown

ID = "test_rows"


def rows_text(nodes: Sequence[YamlMap], model: Model, out: Diagnostics) -> str:
    """The rows as a data file of a mod. C702 for a list or sort that the ruleset does not have."""
    sections: dict[str, dict[str, list[str]]] = {}
    for node in nodes:
        for word, rows in pairs(out, node, "a map from list or card type to rows"):
            listing = model.lists.get(word.text)
            if listing is None and word.text not in model.sorts:
                unknown(out, word, "list or card type", [*model.lists, *model.sorts])
                continue
            section = "cards" if listing is None else "ladders" if listing.ladder else "lists"
            lines = sections.setdefault(section, {}).setdefault(word.text, [f"  {word.text}:", "    rows:"])
            for row, columns in pairs(out, rows, "a map from row to its columns", "NAME: {column: value}"):
                lines.append(f"      {json.dumps(row.text)}:{'' if isinstance(columns, YamlMap) else ' {}'}")
                lines += [line for key, value in pairs(out, columns, "a map from column to value")
                          for line in _column(key.text, value)]  # fmt: skip
    found = [
        line
        for name, sorts in sections.items()
        for line in (f"{name}:", *(text for texts in sorts.values() for text in texts))
    ]
    return "\n".join(found) + "\n"


def rows_mod(text: str, base: str) -> Path:
    """The folder of a mod that brings these rows. OSError if it cannot be written."""
    shelf = private_folder(cache_dir() / ID)
    folder = private_folder(shelf / hashlib.sha256(f"{base}\0{text}".encode()).hexdigest()[:24])
    manifest = f"id: {ID}\nversion: 1.0.0\nlanguage: 1\nextends: {{{base}: '>=0'}}\nfiles: [rows.yaml]\n"
    for name, content in (("rows.yaml", text), ("mod.yaml", manifest)):
        path = folder / name
        if read_private(path) != content.encode():
            new = folder / f".{name}.{os.getpid()}"  # another process may be reading
            new.write_bytes(content.encode())
            new.chmod(0o600)
            os.replace(new, path)
    return folder


def _column(key: str, node: YamlNode) -> list[str]:
    """One column as lines of YAML. Rules keep their lines, so that they can be read; all else is JSON."""
    if isinstance(node, YamlScalar) and isinstance(node.value, str) and key == "rules":
        return [f"        {key}: |", *(f"          {line}" for line in node.text.rstrip("\n").split("\n"))]
    return [f"        {json.dumps(key)}: {json.dumps(node.plain(), ensure_ascii=False)}"]
