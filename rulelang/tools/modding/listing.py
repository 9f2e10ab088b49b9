"""`listing`: the game and its mods in the order in which they are laid, and why each stands where it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.compiler.compilation import LoadError
from rulelang.data.folders import display_path
from rulelang.data.manifest import Manifest
from rulelang.data.mods import GivenMods, Link, gather_mods
from rulelang.data.ruleset import read_affected_texts, title_of

_HOW = {"extends": "it extends `{0}`{1}", "optional": "it works with `{0}`{1}", "after": "it says `after: {0}`{1}"}


@dataclass(frozen=True, slots=True)
class Follows:
    """One that a mod comes after: its id, the section of the manifest that says so ("order": the player did), where,
    and the range of versions."""

    id: str
    word: str
    span: Span
    range: str

    def text(self) -> str:
        if self.word == "order":
            return f"you listed it after `{self.id}`"
        versions = f" {self.range}" if self.range else ""
        return _HOW[self.word].format(self.id, versions)


@dataclass(frozen=True, slots=True)
class Listed:
    """One layer. `found`: "folder", "zip", "package" or "shipped"; `path`: where. `number`: its place, 0 for the game.

    `given`: its place among those that were named, from 1; 0 if it was not. `needed_by`: then who extends it.
    """

    number: int
    id: str
    version: str
    title: str
    found: str
    path: str
    given: int
    needed_by: str
    follows: tuple[Follows, ...]

    def why(self) -> list[str]:
        """The reasons for its place, in words."""
        if self.number == 0:
            return ["the game"]
        here = f"here because `{self.needed_by}` extends it" if not self.given else f"given as number {self.given}"
        return [here, *(item.text() for item in self.follows)]

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "found": self.found,
            "path": self.path,
            "given": self.given,
            "needed_by": self.needed_by,
            "follows": [{"id": f.id, "word": f.word, "range": f.range, "span": f.span._asdict()} for f in self.follows],
            "why": self.why(),
        }


def listing(where: str | Path, mods: Sequence[str | Path] = ()) -> tuple[Listed, ...]:
    """The game first, then its mods in their order. LoadError with all that is wrong with the order."""
    given = gathered(where, mods)
    stack = given.stack
    named = {name: number for number, name in reversed(list(enumerate(dict.fromkeys(given.ids), 1)))}
    first = 0 if given.first.is_mod else 1  # mods are counted, not the game
    found = [_listed(0, stack.base, 0, "", ())]
    for number, mod in enumerate(stack.mods, 1):
        links = stack.follows.get(mod.id, {})
        follows = tuple(_follows(mod, name, link) for name, link in links.items() if name in stack.known)
        at = named.get(mod.id, first) - first
        found.append(_listed(number, mod, at, stack.needed_by.get(mod.id, ""), follows))
    return tuple(found)


def gathered(where: str | Path, mods: Sequence[str | Path]) -> GivenMods:
    """The base and its mods in order. LoadError if anything is wrong with that."""
    out = Diagnostics()
    given = gather_mods(where, mods, out)
    if given is None or out.failed:
        raise LoadError(out, read_affected_texts(out))
    return given


def _listed(number: int, manifest: Manifest, given: int, needed_by: str, follows: tuple[Follows, ...]) -> Listed:
    root = manifest.folder.root
    return Listed(
        number, manifest.id, manifest.version, title_of(manifest.root), manifest.found, display_path(root), given,
        needed_by, follows,
    )  # fmt: skip


def _follows(mod: Manifest, name: str, link: Link) -> Follows:
    need = mod.needs(link.word).get(name)
    return Follows(name, link.word, link.span, need.range if need is not None else "")
