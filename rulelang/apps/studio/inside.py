"""Paths as pages give them, which lead nowhere but into one folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from rulelang.base.languages import PhrasedError
from rulelang.base.phrases import phrase


class Outside(PhrasedError, ValueError):
    """A path that leads out of the folder."""


def inside(folder: Path, name: str) -> Path:
    """The file of a relative path with slashes. Outside for one that leads out of the folder, by `..`, as an absolute
    path, by a drive or by a link."""
    parts = PurePosixPath(name).parts
    odd = not parts or any(part in ("..", "/") or "\\" in part or ":" in part or "\0" in part for part in parts)
    found = folder.joinpath(*parts) if not odd else folder
    root = folder.resolve()
    if odd or not found.resolve().is_relative_to(root) or found.resolve() == root:
        raise Outside(phrase("`{name}` is not a file in this folder", name=name))
    return found
