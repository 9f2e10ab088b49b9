"""A ruleset's folder or zip: listing and reading inside it, never outside."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rulelang.data.text import MAX_BYTES

MAX_FILES = 5_000


class Escape(Exception):
    """A path that leaves its folder; the text says how."""


@dataclass(frozen=True, slots=True)
class Folder:
    """The files of one ruleset or mod, by POSIX path relative to `root`. For a zip, `inner` is the folder inside it."""

    root: Path
    archive: bool = False
    inner: str = ""

    def display(self, name: str) -> str:
        """The path shown in messages: relative to the working directory if below it, else absolute."""
        return display_path(self.root / self.inner / name if self.archive else self.root / name)

    def files(self) -> list[str]:
        """All files, sorted, without hidden ones and compiled Python. At most `MAX_FILES` are listed."""
        return self._zip_files() if self.archive else self._walk()

    def read(self, name: str) -> bytes:
        """The bytes of a file. Raises Escape if the path leads outside, OSError or KeyError if there is none."""
        inside(name)
        if self.archive:
            with zipfile.ZipFile(self.root) as archive, archive.open(self.inner + name) as member:
                return member.read(MAX_BYTES + 1)
        path = self.root / name
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise Escape("a link leads out of the folder")
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)

    def _walk(self) -> list[str]:
        found: list[str] = []
        for here, folders, names in os.walk(self.root):
            folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__pycache__")
            relative = Path(here).relative_to(self.root)
            found.extend((relative / name).as_posix() for name in names if not name.startswith("."))
            if len(found) > MAX_FILES:
                break
        return sorted(found)[:MAX_FILES]

    def _zip_files(self) -> list[str]:
        with zipfile.ZipFile(self.root) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
        inner = [name.removeprefix(self.inner) for name in names if name.startswith(self.inner)]
        return sorted(n for n in inner if not any(p.startswith(".") or p == "__pycache__" for p in n.split("/")))[
            :MAX_FILES
        ]


def inside(name: str) -> None:
    """Raise Escape unless `name` is a relative path that stays below its folder, written with `/`."""
    path = PurePosixPath(name)
    if path.is_absolute() or (len(name) > 1 and name[1] == ":"):
        raise Escape("an absolute path")
    if ".." in path.parts:
        raise Escape("`..` leads out of the folder")
    if "\\" in name:
        raise Escape("a backslash; write `/` between folders")


def open_folder(path: Path) -> Folder:
    """A folder, or a zip whose manifest stands at its top or in its only folder. Raises OSError or BadZipFile."""
    if path.is_dir():
        return Folder(path)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    if not any(name in ("ruleset.yaml", "mod.yaml") for name in names):
        tops = {name.split("/", 1)[0] for name in names if "/" in name}
        for top in sorted(tops):
            if f"{top}/ruleset.yaml" in names or f"{top}/mod.yaml" in names:
                return Folder(path, True, f"{top}/")
    return Folder(path, True)


def display_path(path: Path) -> str:
    """A path as messages show it."""
    absolute = Path(os.path.abspath(path))
    try:
        return absolute.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return absolute.as_posix()
