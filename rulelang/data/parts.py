"""One YAML file of a layer by itself, before anything is laid over anything: read, and held against its schema."""

from __future__ import annotations

from dataclasses import replace

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.nearest import did_you_mean
from rulelang.base.node import record
from rulelang.data.schema import mended
from rulelang.data.yaml_nodes import YamlMap, kind_of
from rulelang.data.yaml_reader import YamlFile, read_yaml


@record
class Part:
    """`root`: the tree to go on with; None where the file is empty, `broken`, or no map. `is_trait`: of a trait, else
    of sections. `sound`: it fits its schema."""

    file: YamlFile
    root: YamlMap | None
    broken: bool = False
    is_trait: bool = False
    sound: bool = False


def read_part(data: bytes, path: str, layer: int, diagnostics: Diagnostics) -> Part:
    """Read a file of sections or of a trait. It depends on what it is given, and on nothing else."""
    found = Diagnostics()
    file = read_yaml(data, path, found, layer)
    diagnostics.extend(found)
    if file.root is None:
        return Part(file, None, broken=len(found) > 0)
    if not isinstance(file.root, YamlMap):
        because = "a file of a ruleset contains sections (`numbers:`, `cards:`, ...) or a trait"
        hint = "begin it with a section, such as `numbers:`, or with `trait: NAME`; put scenarios in `scenarios/`"
        message = f"expected a map, found {kind_of(file.root)}"
        diagnostics.error("Y106", file.root.span, message, because=because, hint=hint)
        return Part(file, None)
    root = _meant_trait(file.root, diagnostics)
    is_trait = root.get("trait") is not None
    if is_trait:
        root, sound = mended("trait", replace(file, root=root), diagnostics)
    else:
        root, sound = mended("components", file, diagnostics)
    return Part(file, root, False, is_trait, sound)


def _meant_trait(root: YamlMap, diagnostics: Diagnostics) -> YamlMap:
    """A file with the key `trait` is a trait's; so is meant to be one with rules whose first key is like it."""
    first = root.items[0][0] if root.items else None
    hint = did_you_mean(first.text, ("trait",)) if first is not None else ""
    if first is None or not hint or root.get("trait") is not None or root.get("rules") is None:
        return root
    diagnostics.error(
        "Y120",
        first.span,
        f"unknown key `{first.text}`",
        because="a file with `rules:` is a trait file, which must begin with `trait: NAME`",
        hint=hint,
    )
    items = ((replace(first, text="trait"), root.items[0][1]), *root.items[1:])
    return YamlMap(items, root.span, root.layer)
