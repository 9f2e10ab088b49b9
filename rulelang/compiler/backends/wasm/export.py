"""Build the WebAssembly of one table, and write it with its data and its JavaScript wrapper into a folder.

The C text of the native backend needs no library, so the compiler of the package `ziglang` builds it as it is. The
wrapper (`rulelang.mjs`, with the types of `rulelang.d.ts`) reads everything else from `table.json`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from rulelang.base.errors import BuildError
from rulelang.base.layout import DecisionPoint, Layout
from rulelang.compiler.backends.native import shared
from rulelang.compiler.backends.native.build import installed, run_compiler
from rulelang.compiler.backends.native.emit import Emitted, emit
from rulelang.compiler.ir import nodes as ir
from rulelang.runtime.display_names import Names, player_names

#: The version of `table.json`; the wrapper refuses another one.
FORMAT = 1
#: The stack is as large as that of a native program.
FLAGS = (
    *("-target", "wasm32-freestanding", "-std=c99", "-w", "-O2", "-fwrapv", "-fvisibility=hidden", "-nostdlib"),
    *("-Wl,--no-entry", "-Wl,--export-dynamic", "-Wl,-z,stack-size=8388608"),
)
#: What is written as it is, beside the two files made from the ruleset.
WRAPPER = ("rulelang.mjs", "rulelang.d.ts")
MISSING_COMPILER = "building WebAssembly needs the package ziglang: pip install 'rulelang[zig]'"


def export(module: ir.Module, about: Mapping[str, object], folder: Path) -> list[Path]:
    """Write the four files of a table into a folder, which is made if it is missing, and return their paths.

    `about` becomes part of `table.json`: the game's title, version and content, the players, the options.
    BuildError if there is no compiler or it fails; OSError if the folder cannot be written.
    """
    emitted = emit(module)
    code = build(emitted.source)
    folder.mkdir(parents=True, exist_ok=True)
    table = json.dumps(described(module, emitted, about), ensure_ascii=False, separators=(",", ":"))
    contents = {"rules.wasm": code, "table.json": table.encode("utf-8")}
    contents |= {name: Path(__file__).with_name(name).read_bytes() for name in WRAPPER}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]


def build(source: str) -> bytes:
    """Return the WebAssembly of a C text. BuildError if `ziglang` is missing, or fails."""
    if not installed("ziglang"):
        raise BuildError(MISSING_COMPILER)
    with tempfile.TemporaryDirectory() as work:
        text, library = Path(work, "rules.c"), Path(work, "rules.wasm")
        text.write_text(source, encoding="ascii")
        try:
            trouble = run_compiler("zig", (sys.executable, "-m", "ziglang", "cc", *FLAGS), library, str(text))
        except (OSError, subprocess.SubprocessError) as problem:
            raise BuildError(f"the C compiler zig could not be run: {problem}") from None
        if trouble is not None:
            raise trouble
        return library.read_bytes()


def described(module: ir.Module, emitted: Emitted, about: Mapping[str, object]) -> dict[str, Any]:
    """Return what the wrapper needs to know of a table, as JSON-able data.

    Labels are the English ones; a page that shows another language takes them from `Game.catalogue`.
    """
    layout, info = module.layout, emitted.link_info
    numbers = {name: number for number, name in enumerate(info.names)}
    ranks = [numbers[name] for name in (module.score, *module.tiebreak) if name in numbers]
    return {
        "format": FORMAT,
        **about,
        "size": layout.size,
        "initial": module.initial,
        "cells": {field.name: getattr(layout.cells, field.name) for field in fields(layout.cells)},
        "ranks": ranks,
        "sites": [_site(site) for site in module.sites],
        "labels": _labels(module.sites, layout),
        "attributes": [
            {"kind": a.kind, "name": a.name, "base": a.base, "width": a.width, "type": a.type, "seenBy": a.seen_by}
            for a in layout.attributes
            if not a.trait
        ],
        "zones": {name: _zone(name, layout) for name in layout.zones},
        "where": layout.where,
        "cardNext": layout.card_next,
        "cards": [{"type": card.sort, "row": card.row, "label": card.label} for card in layout.cards],
        "errors": list(shared.ERRORS),
        "fails": [{"code": code, "text": text} for code, _, text in info.fails],
        "ranges": [{"name": name, "low": low, "high": high} for name, low, high, _ in info.ranges],
    }


def _site(site: DecisionPoint) -> dict[str, Any]:
    actions = [{"id": a.id, "name": a.name, "types": list(a.types)} for a in site.actions]
    return {"kind": site.kind, "prompt": site.prompt, "actions": actions}


def _labels(sites: Iterable[DecisionPoint], layout: Layout) -> dict[str, list[str]]:
    """Return the labels of the values that options have, by kind, then by handle from 0."""
    names = Names(layout, player_names(layout.players))
    kinds = {kind for site in sites for action in site.actions for kind in action.types if kind and kind != "int"}
    counts = {kind: len(rows) for kind, rows in layout.lists.items()}
    counts |= {kind: 1 + made.owners * made.per_owner for kind, made in layout.kinds.items()}
    counts |= {"player": layout.players + 1, "bool": 2}
    found = {kind: [names.text(kind, handle) for handle in range(counts[kind])] for kind in kinds & counts.keys()}
    for kind in kinds & layout.sorts.keys():
        _, last = layout.sorts[kind]
        found[kind] = [names.text(kind, handle) for handle in range(last + 1)]
    return found


def _zone(name: str, layout: Layout) -> dict[str, Any]:
    zone = layout.zones[name]
    return {field.name: getattr(zone, field.name) for field in fields(zone) if field.name != "name"}
