"""What was computed once, kept in the cache folder under a key. A cache that is missing, broken, not ours or cannot be
written only costs time.

Entries are pickles, which can run code when they are read. So only files are read that belong to the user, in a folder
that nobody else may write to.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import tempfile
from pathlib import Path

from rulelang.data.places import cache_dir

KEPT = 256  # entries of one sort; the oldest go first
_MAGIC = b"rulelang1\n"


def recall(sort: str, key: str) -> object | None:
    """What was kept, or None."""
    path = cache_dir() / sort / key
    try:
        if not (_is_private(path.parent) and _is_private(path)):
            return None
        data = path.read_bytes()
        head = len(_MAGIC) + 32
        if not data.startswith(_MAGIC) or hashlib.sha256(data[head:]).digest() != data[len(_MAGIC) : head]:
            return None
        found: object = pickle.loads(data[head:])
        return found
    except Exception:  # whatever another version or a failing disk left there
        return None


def keep(sort: str, key: str, value: object) -> None:
    """Keep a value that can be pickled, replacing what was there in one step."""
    try:
        folder = cache_dir() / sort
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(folder):
            return
        data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
        handle, temporary = tempfile.mkstemp(dir=folder)
        with open(handle, "wb") as file:
            file.write(_MAGIC + hashlib.sha256(data).digest() + data)
        os.replace(temporary, folder / key)
        _forget_oldest(folder)
    except (OSError, pickle.PicklingError, RecursionError):
        return


def _is_private(path: Path) -> bool:
    """Whether a file or folder belongs to the user, and nobody else may write to it."""
    if not hasattr(os, "getuid"):
        return True  # there the folder is protected by where it lies
    found = os.stat(path, follow_symlinks=False)
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _forget_oldest(folder: Path) -> None:
    with os.scandir(folder) as entries:
        found = [(entry.stat().st_mtime, entry.path) for entry in entries]
    for _, path in sorted(found)[:-KEPT]:
        with contextlib.suppress(OSError):
            os.unlink(path)
