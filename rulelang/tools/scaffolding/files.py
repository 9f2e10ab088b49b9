"""Files that are to be written for somebody: all of them or none, and never over what is there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.languages import PhrasedError
from rulelang.base.phrases import phrase
from rulelang.base.wording import with_article
from rulelang.data.folders import open_folder
from rulelang.data.manifest import Manifest, is_ruleset, read_manifest
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlScalar, YamlSeq

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class CannotStart(PhrasedError, ValueError):
    """Nothing can be written; the message says why in one sentence."""


@dataclass(slots=True)
class Written:
    """What was written. `folder`: the ruleset or mod in which it stands; `files`: new ones, by their paths in it;
    `changed`: what a file held before that was changed; `notes`: what else there is to know, a sentence each."""

    folder: Path
    files: list[str] = field(default_factory=list)
    changed: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def change(self, name: str, text: str) -> None:
        """Another text for a file that is there."""
        path = self.folder / name
        self.changed.setdefault(name, path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")

    def take_back(self) -> None:
        """All is again as it was, but for empty folders."""
        for name in self.files:
            (self.folder / name).unlink(missing_ok=True)
        for name, before in self.changed.items():
            (self.folder / name).write_text(before, encoding="utf-8")
        self.files, self.changed, self.notes = [], {}, []


def valid_name(name: str, what: str) -> str:
    """A name as files and rules write it (`Thick fur` is `thick_fur`). CannotStart for what cannot be one."""
    found = re.sub(r"[\s-]+", "_", name.strip()).casefold()
    if not _NAME.fullmatch(found):
        kinds = {"trait": phrase("a trait"), "ruleset": phrase("a ruleset"), "mod": phrase("a mod")}
        raise CannotStart(
            phrase(
                "`{name}` cannot be the name of {what}: "
                "start with a letter from a to z, then use letters, digits and `_`",
                name=name,
                what=kinds.get(what) or with_article(what),
            )
        )
    return found


def title_of_name(name: str) -> str:
    """What people read for a name: `thick_fur` is `Thick fur`; capitals stay as they were written."""
    plain = name.replace("_", " ").strip()
    return plain.capitalize() if plain == plain.lower() else plain


def write_files(folder: Path, files: Mapping[str, str], changes: Mapping[str, str] | None = None) -> Written:
    """Write new files into a folder, and change some that are there. CannotStart if one of the new ones is there."""
    there = [name for name in files if (folder / name).exists()]
    if there:
        raise CannotStart(
            phrase("`{file}` already exists, and `new` never overwrites files", file=str(folder / there[0]))
        )
    root = folder.resolve()
    if out := [name for name in (*files, *(changes or {})) if not (folder / name).resolve().is_relative_to(root)]:
        raise CannotStart(phrase("`{file}` leads out of the folder through a link", file=str(folder / out[0])))
    done = Written(folder)
    try:
        for name, text in (changes or {}).items():
            done.change(name, text)
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "x", encoding="utf-8") as stream:
                done.files.append(name)
                stream.write(text)
    except BaseException:
        done.take_back()
        raise
    return done


def ruleset_folder(place: Path) -> Path | None:
    """The folder of the ruleset or mod in which a place lies."""
    place = place.absolute()
    return next((folder for folder in (place, *place.parents) if is_ruleset(folder)), None)


def manifest_of(folder: Path) -> Manifest:
    """The manifest of a folder that has one. CannotStart if it cannot be read."""
    out = Diagnostics()
    found = read_manifest(open_folder(folder), out)
    if found is None:
        told = next(iter(out), None)
        raise CannotStart(f"{folder}: {told.message if told else 'no ruleset or mod here'}")
    return found


def listed_files(manifest: Manifest) -> list[str]:
    """What stands under `files:`."""
    return [node.text for node in manifest.root.seq("files") if isinstance(node, YamlScalar)]


def manifest_with_file(manifest: Manifest, name: str) -> dict[str, str]:
    """The manifest with one more entry under `files:`, as a change for `write`; none if it stands there."""
    if name in listed_files(manifest):
        return {}
    text = manifest.data.decode("utf-8")
    edits = TextEdits(text)
    node = manifest.root.get("files")
    if node is None:
        edits.append_line(f"files: [{name}]")
    elif not isinstance(node, YamlSeq):
        raise CannotStart(f"`files:` of {manifest.file.path} is not a list; write `files: [{name}]`")
    elif edits.part(node.span).startswith("["):
        comma = ", " if node.items else ""
        end = edits.at(node.span.end_line, node.span.end_column) - 1
        edits.cut(end, end, f"{comma}{name}")
    else:
        last = node.items[-1].span
        edits.insert_line(last.end_line, f"{' ' * (node.span.column - 1)}- {name}")
    return {manifest.name: edits.result()}
