"""Finding rulesets and mods, reading their manifests, and putting mods in order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.data.folders import Folder, Missing, TooMuch, Unreadable, open_folder
from rulelang.data.paths import shipped_rulesets_dir
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.data.yaml_reader import YamlFile, read_yaml

LANGUAGE = 1
MANIFESTS = ("ruleset.yaml", "mod.yaml")
PARTS = (".yaml", ".rules", ".csv")  # what rulesets are made of
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*([a-z0-9.+\-]*)\Z")
_MAX_NEIGHBOURS = 500


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `ruleset.yaml` or `mod.yaml` of one folder says. `root` keeps the places of all of it."""

    folder: Folder
    name: str
    file: YamlFile
    root: YamlMap
    data: bytes

    @property
    def is_mod(self) -> bool:
        return self.name == "mod.yaml"

    @property
    def id(self) -> str:
        return self.root.text("id") or ""

    @property
    def version(self) -> str:
        return self.root.text("version") or "0"

    @property
    def span(self) -> Span:
        key = self.root.get("id")
        return key.span if key is not None else Span(self.file.path, 1, 1, 1, 1)

    @property
    def extends(self) -> dict[str, tuple[YamlScalar, str]]:
        """Ids this mod builds on, each with its key (for the place) and the range of versions."""
        found = self.root.map("extends")
        return {key.text: (key, found.text(key.text) or "") for key, _ in found.items}

    @property
    def after(self) -> tuple[str, ...]:
        return tuple(item.text for item in self.root.seq("after") if isinstance(item, YamlScalar))


def locate(where: str | Path, diagnostics: Diagnostics) -> Folder | None:
    """The folder or zip of a shipped id, a path (of the folder or its manifest), or an installed package."""
    span = Span(str(where), 1, 1, 1, 1)
    path = Path(where)
    if path.name in MANIFESTS and path.is_file():
        path = path.parent
    if isinstance(where, str) and re.fullmatch(r"[\w-]+", where) and not is_ruleset(path):
        shipped = shipped_rulesets_dir() / where
        if is_ruleset(shipped):
            return Folder(shipped)
    if path.suffix in PARTS and path.is_file():
        message = f"`{where}` cannot be read by itself"
        because = "rules, cards and scenarios need a ruleset or a mod around them"
        hint = "put it into a folder with a `ruleset.yaml` or a `mod.yaml`"
        diagnostics.error("Y130", span, message, because=because, hint=hint)
        return None
    if path.exists():
        try:
            return open_folder(path)
        except Unreadable as mistake:
            hint = mistake.hint if isinstance(mistake, TooMuch) else ""
            message = f"`{where}` is neither a folder nor a zip that can be read: {mistake}"
            diagnostics.error("Y130", span, message, hint=hint)
            return None
    if isinstance(where, str) and where.isidentifier():
        spec = find_spec(where)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            if is_ruleset(Path(place)):
                return Folder(Path(place))
    hint = did_you_mean(str(where), shipped_ids())
    because = "a ruleset is a shipped id, a folder, a zip or an installed package"
    diagnostics.error("Y130", span, f"no ruleset or mod `{where}` was found", because=because, hint=hint)
    return None


def is_ruleset(folder: Path) -> bool:
    """Whether a folder holds a ruleset or a mod."""
    return any((folder / name).is_file() for name in MANIFESTS)


def shipped_ids() -> list[str]:
    """The ids of the rulesets and mods that come with rulelang, sorted."""
    root = shipped_rulesets_dir()
    if not root.is_dir():
        return []
    return sorted(f.name for f in root.iterdir() if is_ruleset(f))


def read_manifest(folder: Folder, diagnostics: Diagnostics) -> Manifest | None:
    """Read `ruleset.yaml` or `mod.yaml` of a folder. None after a diagnostic if there is none or it is no map."""
    found: list[tuple[str, bytes]] = []
    for name in MANIFESTS:
        try:
            found.append((name, folder.read(name)))
        except Missing:
            continue
        except Unreadable as mistake:
            place = Span(folder.display(name), 1, 1, 1, 1)
            diagnostics.error("Y132", place, f"`{name}` cannot be read: {mistake}")
            return None
    place = Span(folder.display(""), 1, 1, 1, 1)
    if len(found) != 1:
        message = "this folder holds no `ruleset.yaml` and no `mod.yaml`"
        if found:
            message = "this folder holds both a `ruleset.yaml` and a `mod.yaml`"
        because = "the one manifest names the ruleset or mod and lists its files"
        diagnostics.error("Y131", place, message, because=because)
        return None
    name, data = found[0]
    file = read_yaml(data, folder.display(name), diagnostics)
    if isinstance(file.root, YamlMap):
        return Manifest(folder, name, file, file.root, data)
    if not diagnostics.failed:
        because = "a manifest is a map with `id:`, `version:`, `language:` and `files:`"
        diagnostics.error("Y131", Span(file.path, 1, 1, 1, 1), f"`{name}` is empty or no map", because=because)
    return None


def check_versions(manifest: Manifest, diagnostics: Diagnostics) -> None:
    """The language version must be ours, the manifest's own version must look like one."""
    language = manifest.root.get("language")
    if isinstance(language, YamlScalar) and language.value != LANGUAGE:
        message = f"this is written in language {language.text}, and this rulelang reads language {LANGUAGE}"
        diagnostics.error("Y135", language.span, message)
    version = manifest.root.get("version")
    if isinstance(version, YamlScalar) and not _VERSION.match(version.text):
        diagnostics.error("Y136", version.span, f"`{version.text}` is no version", hint="write it like `1.0.0`")


def find_by_id(name: str, near: Iterable[Path]) -> Manifest | None:
    """The ruleset or mod of that id in the folders beside those given (which come first) or among the shipped ones."""
    quiet = Diagnostics()
    for root in (*near, shipped_rulesets_dir()):
        if not root.is_dir():
            continue
        for path in sorted(root.iterdir())[:_MAX_NEIGHBOURS]:
            if is_ruleset(path):
                found = read_manifest(Folder(path), quiet)
                if found is not None and found.id == name:
                    return found
    return None


def resolve(
    first: Manifest, given: Sequence[Manifest], diagnostics: Diagnostics
) -> tuple[Manifest, list[Manifest]] | None:
    """The base ruleset and all mods in the order of their layers: by dependency and `after:`, then by id.

    What a mod extends and nobody gave is looked for beside it and among the shipped rulesets.
    """
    base = None if first.is_mod else first
    mods: dict[str, Manifest] = {}
    queue = [m for m in (first, *given) if m is not base]
    while queue:
        mod = queue.pop(0)
        if not mod.is_mod:
            message = f"`{mod.id}` is a ruleset, not a mod"
            diagnostics.error("Y131", mod.span, message, because="only mods can be laid over a ruleset")
            continue
        same = mods.get(mod.id)
        if same is not None:
            if same.folder != mod.folder:
                related = [Related(same.span, "and this one")]
                diagnostics.error("Y131", mod.span, f"two mods have the id `{mod.id}`", related=related)
            continue
        mods[mod.id] = mod
        for name, (key, _) in mod.extends.items():
            known = {m.id: m for m in (*mods.values(), *queue, *([base] if base else []))}
            if name in known:
                continue
            found = find_by_id(name, [Path(os.path.abspath(mod.folder.root)).parent])  # `.` has no parent
            if found is None:
                message = f"`{mod.id}` extends `{name}`, which was not found"
                because = "it is looked for among the shipped rulesets, the mods given and the folders beside this one"
                diagnostics.error(
                    "Y137", key.span, message, because=because, hint=did_you_mean(name, [*known, *shipped_ids()])
                )
            elif found.is_mod:
                queue.append(found)
            elif base is None:
                base = found
            else:
                diagnostics.error(
                    "Y137", key.span, f"`{mod.id}` extends `{name}`, and the ruleset loaded is `{base.id}`"
                )
    if base is None:
        if not diagnostics.failed:
            message = f"the mod `{first.id}` leads to no ruleset"
            diagnostics.error("Y137", first.span, message, because="a mod says in `extends:` which ruleset it changes")
        return None
    _check_ranges(base, mods, diagnostics)
    ordered = _order(mods, diagnostics)
    for mod in ordered:
        if base.id not in ancestors(mod.id, mods):
            message = f"the mod `{mod.id}` does not extend `{base.id}`"
            diagnostics.error(
                "Y137",
                mod.span,
                message,
                because=f"it would be laid over `{base.id}`",
                hint=f'write `extends: {{{base.id}: ">={base.version}"}}`',
            )
    return base, ordered


def ancestors(name: str, mods: dict[str, Manifest], *, after: bool = False) -> set[str]:
    """The ids that a mod builds on, directly or not; with `after`, also those it asks to follow."""
    found: set[str] = set()
    queue = [name]
    while queue:
        mod = mods.get(queue.pop())
        if mod is not None:
            fresh = {*mod.extends, *(mod.after if after else ())} - found
            found |= fresh
            queue.extend(fresh)
    return found


def _check_ranges(base: Manifest, mods: dict[str, Manifest], diagnostics: Diagnostics) -> None:
    if not mods:
        return
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion, Version

    known = {base.id: base, **mods}
    for mod in mods.values():
        for name, (key, text) in mod.extends.items():
            value = mod.root.map("extends").get(name)
            place = value.span if value is not None else key.span
            try:
                allowed = SpecifierSet("" if text in ("*", "any") else text)
            except InvalidSpecifier:
                diagnostics.error(
                    "Y136", place, f"`{text}` is no range of versions", hint='write it like `">=1.0, <2"`'
                )
                continue
            target = known.get(name)
            if target is None:
                continue
            try:
                fits = allowed.contains(Version(target.version), prereleases=True)
            except InvalidVersion:
                continue
            if not fits:
                related = [Related(target.span, f"`{name}` is version {target.version}")]
                message = f"`{mod.id}` needs `{name}` {text}, and version {target.version} is here"
                diagnostics.error("Y137", place, message, related=related)


def _order(mods: dict[str, Manifest], diagnostics: Diagnostics) -> list[Manifest]:
    before = {name: ({*mod.extends, *mod.after} & mods.keys()) for name, mod in mods.items()}
    ordered: list[Manifest] = []
    while before:
        ready = sorted(name for name, needs in before.items() if not needs)
        if not ready:
            cycle = _cycle(before)
            mod = mods[cycle[0]]
            because = "each waits for the other: " + " -> ".join([*cycle, cycle[0]])
            steps = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
            extend = all(other in mods[name].extends for name, other in steps)
            message = f"these mods {'extend' if extend else 'follow'} each other in a circle"
            hint = "" if extend else "take one of the `after:` out"
            diagnostics.error("Y138", mod.span, message, because=because, hint=hint)
            ready = [cycle[0]]
        name = ready[0]
        ordered.append(mods[name])
        del before[name]
        for needs in before.values():
            needs.discard(name)
    return ordered


def _cycle(before: dict[str, set[str]]) -> list[str]:
    walk = [sorted(before)[0]]
    while True:
        step = sorted(before[walk[-1]])[0]
        if step in walk:
            return walk[walk.index(step) :]
        walk.append(step)
