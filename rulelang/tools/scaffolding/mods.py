"""A new mod: its manifest, a file for rules that names what can be hooked, and a scenario of the game."""

from __future__ import annotations

import json
from pathlib import Path

from rulelang.compiler.compilation import Compilation
from rulelang.tools.scaffolding.files import CannotStart, Written, named, titled, write
from rulelang.tools.scaffolding.hooks import hookables, hooked_comment
from rulelang.tools.scaffolding.positions import model_of, seated
from rulelang.tools.scaffolding.scenarios import HEAD, begun, passes, texts

MANIFEST = """\
# The mod's title, the game that it changes, and its files.
id: {id}
version: 0.1.0
language: 1
title: {{en: {title}}}
extends: {{{game}: ">={version}"}}
files: [{id}.rules]
"""
RULES = """\
# Rules that this mod adds to {game}. Text after # is a comment. To try the example below, remove its # and run
# `rulelang check {id}`. `rulelang explain hooks` shows what else you can write, and `rulelang new trait` in this folder
# adds cards with a trait.
#
"""


def new_mod(folder: Path, game: str, *, title: str = "") -> Written:
    """Write a mod of a game into a new folder, which gives it its name. LoadError, CannotStart."""
    name = named(folder.name, "mod")
    base = Compilation(game)
    model = model_of(base)
    if base.source.mods:
        raise CannotStart(f"`{game}` is a mod itself; name the game that it changes")
    said = json.dumps(title or titled(name), ensure_ascii=False)
    found = hookables(base.program)
    comment = hooked_comment(found)
    example = next((one for one in found if one.type is not None and str(one.type) == "int"), None)
    if example is not None:
        comment += ["#", f"# modify {example.name}{'(any)' if example.params else ''}: + 1"]
    files = {
        "mod.yaml": MANIFEST.format(id=name, title=said, game=model.id, version=model.version),
        f"{name}.rules": RULES.format(game=model.id, id=name) + "\n".join(comment) + "\n",
    }
    laid = begun(game, seated(model))
    for text in texts(base, laid, f"{model.id} still starts as before"):
        written = write(folder, files | {f"scenarios/{name}.yaml": HEAD + text})
        if passes(folder, f"scenarios/{name}.yaml"):
            return written
        written.take_back()
    written = write(folder, files)
    fails = Compilation(folder).diagnostics.failed
    if fails:
        written.take_back()
        raise CannotStart(f"`{folder}` cannot find the game `{model.id}`; put the mod next to it, or into its `mods/`")
    return written
