"""Manifests of rulesets and mods, with the place of every value, and the version ranges they name."""

from __future__ import annotations

import operator
import re
from functools import lru_cache
from pathlib import Path

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.folders import Folder, Missing, Unreadable, path_kind
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import YamlFile, read_yaml

# ---- versions

_PLAIN = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})*")
_CLAUSE = re.compile(rf"\s*(>=|<=|<|>|==|!=)\s*({_PLAIN.pattern})\s*")
_COMPARE = {
    ">=": operator.ge,
    "<=": operator.le,
    "<": operator.lt,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}

#: What is written for "any version"; an empty text means the same.
ANY = ("", "*", "any")


class NoRange(ValueError):
    """A text is no range of versions."""


def version_in_range(version: str, text: str) -> bool:
    """Whether a version lies in a range. NoRange; a version that is none (as is told elsewhere) lies in every range."""
    if text.strip() in ANY:
        return True
    clauses = [_CLAUSE.fullmatch(clause) for clause in text.split(",")]
    if _PLAIN.fullmatch(version) and all(clauses):  # as nearly all are: to import what reads others takes 14 ms
        own = _numbers(version)
        return all(_COMPARE[found[1]](own, _numbers(found[2])) for found in clauses if found)
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import Version

    try:
        allowed = SpecifierSet(text)
    except InvalidSpecifier:
        raise NoRange(text) from None
    try:
        return allowed.contains(Version(version), prereleases=True)
    except ValueError:  # also for so many digits that Python reads no number of them
        return True


def _numbers(version: str) -> list[int]:
    """To be compared: `1.0` is `1`."""
    numbers = [int(part) for part in version.split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers


def newest_first(versions: list[str]) -> list[int]:
    """The indices of the versions, the newest first; what is no version comes last."""
    from packaging.version import Version

    def rank(index: int) -> tuple[int, Version]:
        try:
            return 1, Version(versions[index])
        except ValueError:  # also for so many digits that Python reads no number of them
            return 0, Version("0")

    return sorted(range(len(versions)), key=rank, reverse=True)


# ---- manifests

LANGUAGE = 1
MANIFESTS = ("ruleset.yaml", "mod.yaml")
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*([a-z0-9.+\-]*)\Z")


@record
class Need:
    """What a manifest says of another ruleset or mod: its id with its place, and a range of versions with its place.

    `word` is the section, `extends`, `optional`, `after` or `conflicts`. `files`: what is read only if it is there.
    """

    word: str
    name: str
    range: str
    span: Span
    place: Span
    files: YamlNode | None = None


@record
class Manifest:
    """What `ruleset.yaml` or `mod.yaml` of one folder says. `root` keeps the places of all of it.

    `found`: what it was found as: "folder", "zip", "package" (an installed one) or "shipped" (with rulelang).
    """

    folder: Folder
    name: str
    file: YamlFile
    root: YamlMap
    data: bytes
    found: str = "folder"

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

    def needs(self, word: str) -> dict[str, Need]:
        """By id, what a section says: a map from id to a range of versions, or a list of ids."""
        section = self.root.get(word)
        if not isinstance(section, YamlMap):
            items = section.items if isinstance(section, YamlSeq) else (section,)
            ids = [item for item in items if isinstance(item, YamlScalar) and item.text]
            return {item.text: Need(word, item.text, "", item.span, item.span) for item in ids}
        found: dict[str, Need] = {}
        for key, value in section.items:
            said = value.get("version") if isinstance(value, YamlMap) else value
            files = value.get("files") if isinstance(value, YamlMap) else None
            text, place = (said.text, said.span) if isinstance(said, YamlScalar) else ("", key.span)
            found[key.text] = Need(word, key.text, text, key.span, place, files)
        return found

    @property
    def extends(self) -> dict[str, Need]:
        """What this mod builds on."""
        return self.needs("extends")


def is_ruleset(folder: Path) -> bool:
    """Whether a folder holds a ruleset or a mod."""
    return any(path_kind(str(folder / name)) == "file" for name in MANIFESTS)


def read_manifest(folder: Folder, diagnostics: Diagnostics, found_as: str = "") -> Manifest | None:
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
        message = "this folder contains neither a `ruleset.yaml` nor a `mod.yaml`"
        hint = "name the folder that contains a manifest, or create a game with `rulelang new ruleset NAME`"
        if found:
            message = "this folder contains both a `ruleset.yaml` and a `mod.yaml`"
            hint = "move the files of the mod to a folder of their own"
        because = "a folder needs exactly one manifest, which names the ruleset or mod and lists its files"
        diagnostics.error("Y131", place, message, because=because, hint=hint)
        return None
    name, data = found[0]
    file, told = _file(data, folder.display(name))
    diagnostics.extend(told)
    if isinstance(file.root, YamlMap):
        return Manifest(folder, name, file, file.root, data, found_as or ("zip" if folder.archive else "folder"))
    if not diagnostics.failed:
        hint = "write `id:`, `version:`, `language:` and `files:`, each on a line of its own"
        diagnostics.error("Y131", Span(file.path, 1, 1, 1, 1), f"`{name}` is empty or is not a map", hint=hint)
    return None


@lru_cache(64)
def _file(data: bytes, path: str) -> tuple[YamlFile, tuple[Diagnostic, ...]]:
    """Whoever looks for a game, reads its modes, or lays mods over it comes by the same manifests again and again."""
    own = Diagnostics()
    return read_yaml(data, path, own), tuple(own)


def check_versions(manifest: Manifest, diagnostics: Diagnostics) -> None:
    """The language version must be ours, the manifest's own version must look like one."""
    language = manifest.root.get("language")
    if isinstance(language, YamlScalar) and language.value != LANGUAGE:
        message = f"unsupported language {language.text}: this version of rulelang supports language {LANGUAGE}"
        diagnostics.error("Y135", language.span, message, hint=f"write `language: {LANGUAGE}`")
    version = manifest.root.get("version")
    if isinstance(version, YamlScalar) and not _VERSION.match(version.text):
        diagnostics.error(
            "Y136", version.span, f"`{version.text}` is not a valid version", hint="write it like `1.0.0`"
        )
