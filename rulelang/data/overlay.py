"""Texts that stand in the place of files: what an editor holds and has not saved yet."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_HELD: ContextVar[Mapping[str, bytes] | None] = ContextVar("held", default=None)


@contextmanager
def overlaid(texts: Mapping[str, bytes]) -> Iterator[None]:
    """While it lasts, whoever reads a file in this thread finds these bytes (by absolute path) in its place."""
    token = _HELD.set(texts)
    try:
        yield
    finally:
        _HELD.reset(token)


def held(path: Path) -> bytes | None:
    """What stands in the place of a file, if anything does."""
    texts = _HELD.get()
    return texts.get(os.path.abspath(path)) if texts else None


def held_below(folder: Path) -> list[str]:
    """The held files of a folder, by POSIX path relative to it, without those in hidden folders."""
    texts = _HELD.get()
    if not texts:
        return []
    root = Path(os.path.abspath(folder))
    below = (Path(path).relative_to(root) for path in texts if Path(path).is_relative_to(root))
    return [path.as_posix() for path in below if not any(part.startswith(".") for part in path.parts)]
