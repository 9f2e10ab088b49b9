"""The files of the folder that the page edits: list, read and save them, inside that folder only."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rulelang.base.languages import PhrasedError
from rulelang.base.phrases import phrase
from rulelang.data.manifest import is_ruleset

# ---- paths inside a folder


class OutsideFolder(PhrasedError, ValueError):
    """A path that leads out of the folder."""


def path_inside(folder: Path, name: str) -> Path:
    """The file of a relative path with slashes. Outside for one that leads out of the folder, by `..`, as an absolute
    path, by a drive or by a link."""
    parts = PurePosixPath(name).parts
    odd = not parts or any(part in ("..", "/") or "\\" in part or ":" in part or "\0" in part for part in parts)
    found = folder.joinpath(*parts) if not odd else folder
    root = folder.resolve()
    if odd or not found.resolve().is_relative_to(root) or found.resolve() == root:
        raise OutsideFolder(phrase("`{name}` is not a file in this folder", name=name))
    return found


# ---- files

#: What can be written here. Everything else of the folder is left alone.
ENDINGS = (".yaml", ".yml", ".rules", ".csv", ".tsv", ".md")
#: So many characters a file may have.
LARGEST = 2_000_000
#: So many files are listed.
MOST = 2_000


class Changed(Exception):
    """The file on the disk is another one than the page has seen."""


class Unreadable(PhrasedError):
    """The file cannot be read or written; the text says why."""


@dataclass(frozen=True, slots=True)
class File:
    """A text, and the `version` by which it is known that nobody has changed it since; "" for one that is not there."""

    path: str
    text: str
    version: str


def version_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:20]


def home_of(folder: Path) -> Path | None:
    """The ruleset or mod that is written in a folder: the folder itself, or the only one in it."""
    if is_ruleset(folder):
        return folder
    below = sorted(child for child in folder.iterdir() if is_ruleset(child)) if folder.is_dir() else []
    return next((child for child in below if child.resolve().is_relative_to(folder.resolve())), None)


def list_files(folder: Path) -> list[str]:
    """The files that can be written here, by paths with slashes; hidden ones and links that lead out left out."""
    return sorted(_walk(folder, folder))[:MOST]


def _walk(folder: Path, root: Path) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.name.startswith((".", "__")):
            continue
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in ("node_modules", "build", "dist"):
                yield from _walk(path, root)
        elif entry.name.endswith(ENDINGS) and entry.is_file():
            name = path.relative_to(root).as_posix()
            try:
                path_inside(root, name)
            except OutsideFolder:
                continue
            yield name


def read_file(folder: Path, path: str) -> File:
    """Outside, Unreadable."""
    place = written_here(folder, path)
    try:
        if place.exists() and (not place.is_file() or place.stat().st_size > 4 * LARGEST):
            raise Unreadable(phrase("`{path}` cannot be written here", path=path))  # a pipe, a device; or it has no end
        data = place.read_bytes()
        return File(path, data.decode("utf-8-sig").replace("\r\n", "\n"), version_of(data))
    except UnicodeDecodeError:
        raise Unreadable(phrase("`{path}` is not a UTF-8 text file", path=path)) from None
    except OSError as error:
        raise Unreadable(phrase("`{path}` cannot be read: {why}", path=path, why=_why(error))) from None


def save_file(folder: Path, path: str, text: str, version: str) -> str:
    """Write a text in one step, over the version that was read ("": it is new); the new version.

    Changed if another one lies there; Outside, Unreadable.
    """
    place = written_here(folder, path)
    if len(text) > LARGEST:
        raise Unreadable(phrase("`{path}` would be longer than {n} characters", path=path, n=LARGEST))
    try:
        if place.exists() and not place.is_file():
            raise Unreadable(phrase("`{path}` cannot be written here", path=path))
        there = version_of(place.read_bytes()) if place.exists() else ""
        if there != version:
            raise Changed(path)
        crlf = version and b"\r\n" in place.read_bytes()
        data = (text.replace("\n", "\r\n") if crlf else text).encode("utf-8")
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, place.stat().st_mode & 0o777 if version else 0o644)
            os.replace(temporary, place)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Unreadable(phrase("`{path}` cannot be written: {why}", path=path, why=_why(error))) from None
    return version_of(data)


def written_here(folder: Path, path: str) -> Path:
    """The place of a file that may be written. Outside, also for what is no file of a game or is hidden."""
    place = path_inside(folder, path)
    if not path.endswith(ENDINGS) or any(part.startswith(".") for part in Path(path).parts):
        raise OutsideFolder(phrase("`{path}` is not a file of a game", path=path))
    return place


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
