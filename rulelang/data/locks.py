"""Locks: the versions and contents of a game and its mods, written down and held; and what a mod's contents are."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.data.folders import Folder, Unreadable
from rulelang.data.manifest import MANIFESTS, Manifest
from rulelang.data.modlists import LOCK, Lists
from rulelang.data.order import Stack, Wanted
from rulelang.data.yaml_nodes import YamlMap, YamlScalar


def contents(folder: Folder) -> list[str]:
    """The files that make up a ruleset or mod, sorted: without those of others inside it, Python, locks and lists.

    They are the same for a folder, for the zip that `pack` makes of it, and for a package that holds it. Unreadable.
    """
    files = folder.files()
    nested = {PurePosixPath("mods")} | {
        PurePosixPath(f).parent for f in files if PurePosixPath(f).name in MANIFESTS and "/" in f
    }
    return [
        name
        for name in files
        if not name.endswith((".py", LOCK, ".zip")) and not nested & set(PurePosixPath(name).parents)
    ]


def digest(folder: Folder) -> str:
    """SHA-256 over the names and bytes of its contents: the same for a folder and for its zip. Unreadable."""
    whole = hashlib.sha256()
    fresh = Folder(folder.root, folder.archive, folder.inner)  # what was read before does not count for its limit
    for name in contents(fresh):
        data = fresh.read(name)
        whole.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        whole.update(data)
    return whole.hexdigest()


def lock_text(stack: Stack, met: Mapping[str, Mapping[str, str]], home: Path) -> str:
    """A lock of what is laid, in its order, as a file in the folder `home` holds it. Unreadable.

    `met`: by mod, what each of its patches found in its place, by the path.
    """

    def entry(manifest: Manifest) -> str:
        parts = {"id": manifest.id, "version": manifest.version, "from": _from(manifest, home)}
        parts["sha256"] = digest(manifest.folder)
        return ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in parts.items())

    lines = [
        "# Written by `rulelang mods lock`: what is laid over the game, in this order, and what it was.",
        "lock: 1",
        f"game: {{{entry(stack.base)}}}",
        "mods:" if stack.mods else "mods: []",
    ]
    for mod in stack.mods:
        patches = [
            f"      {json.dumps(p)}: {json.dumps(t, ensure_ascii=False)}" for p, t in met.get(mod.id, {}).items()
        ]
        first, *rest = entry(mod).split(", ")
        lines += [f"  - {first}", *(f"    {part}" for part in rest), *(["    met:", *patches] if patches else [])]
    return "\n".join(lines) + "\n"


def _from(manifest: Manifest, home: Path) -> str:
    """How a lock finds it again: a path from its folder; the id of what is shipped or installed."""
    if manifest.found in ("shipped", "package"):
        return manifest.id
    path = os.path.relpath(os.path.abspath(manifest.folder.root), os.path.abspath(home))
    return PurePosixPath(Path(path)).as_posix()


def hold(stack: Stack, wanted: Sequence[Wanted], lists: Lists, diagnostics: Diagnostics) -> None:
    """Y161 for whatever is not as a lock, or the entry of a list, says."""
    if lists.game is not None and lists.game.items:
        _held(stack.base, lists.game, diagnostics)
    for item in wanted:
        if item.held is not None:
            _held(item.manifest, item.held, diagnostics)
    if lists.whole is None:
        return
    locked = {item.held.text("id") for item in wanted if item.held is not None}
    for mod in stack.mods:
        if mod.id not in locked:
            message = f"the lock does not list `{mod.id}`, which is also applied"
            related = [Related(lists.whole, "this is the lock")]
            diagnostics.error("Y161", mod.span, message, because=_HELD, hint=_HINT, related=related)


_HELD = "a lock records which mods are applied, their versions and their exact contents"
_HINT = "if you want this change, update the lock with `rulelang mods lock`"


def _held(manifest: Manifest, entry: YamlMap, diagnostics: Diagnostics) -> None:
    """Of one mod, the first thing that differs: its id, its version, or else what its files hold."""
    related = [Related(manifest.span, "this is what was found")]
    for word, now in (("id", manifest.id), ("version", manifest.version)):
        said = entry.get(word)
        if isinstance(said, YamlScalar) and said.text != now:
            what = f"`{now}`" if word == "id" else f"`{manifest.id}` {now}"
            before = f"`{said.text}`" if word == "id" else said.text
            message = f"found {what}, but the lock records {before}"
            diagnostics.error("Y161", said.span, message, because=_HELD, hint=_HINT, related=related)
            return
    said = entry.get("sha256")
    if not isinstance(said, YamlScalar):
        return
    try:
        same = digest(manifest.folder) == said.text
    except Unreadable as problem:
        message = f"the files of `{manifest.id}` cannot be read: {problem}"
        diagnostics.error("Y161", said.span, message, because=_HELD, related=related)
        return
    if not same:
        message = f"the files of `{manifest.id}` have changed since they were locked, but its version has not"
        diagnostics.error("Y161", said.span, message, because=_HELD, hint=_HINT, related=related)
