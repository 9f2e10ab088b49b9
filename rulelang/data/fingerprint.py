"""What the outcome of a check depends on, as one number: the files of folders and zips, and what lies beside them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rulelang.base.memo import FORGETFUL, Forgetful
from rulelang.data.folders import Unreadable, open_folder, read_file


def fingerprint(roots: Sequence[str], watched: Sequence[str] = (), memo: Forgetful = FORGETFUL) -> str:
    """Changes with any byte of any file in these folders or zips, and with what lies beside the folders of mods; with
    the bytes of watched files, and with the names of what lies in watched folders. `memo` keeps what single folders
    hold: variants of a ruleset that are checked one after the other mostly have the same."""
    whole = hashlib.sha256()
    for root in roots:
        whole.update(memo.kept("bytes of folders", root, partial(_held, Path(root))))
        if len(roots) > 1:
            try:
                beside = sorted(os.listdir(Path(root).parent))
            except OSError as problem:
                beside = [f"{problem!r}"]
            whole.update("\0".join(beside).encode("utf-8", "surrogateescape"))
    for place in map(Path, watched):
        try:
            seen = sorted(os.listdir(place)) if place.is_dir() else [read_file(place).hex()]
        except (Unreadable, OSError) as problem:
            seen = [f"{problem!r}"]
        whole.update("\0".join([str(place), *seen]).encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def _held(root: Path) -> bytes:
    """The same for all files of one folder or zip."""
    whole = hashlib.sha256()
    try:
        folder = open_folder(root)
        for name in folder.files():
            try:
                data = folder.read(name)
            except Unreadable as problem:  # a link out of the folder, a pipe: as good as any other content
                data = f"{problem!r} {_touched(root / name)}".encode("utf-8", "surrogateescape")
            whole.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
            whole.update(data)
    except (Unreadable, OSError) as problem:  # a broken zip
        whole.update(f"{problem!r} {_touched(root)}".encode("utf-8", "backslashreplace"))
    return whole.digest()


def _touched(path: Path) -> str:
    """What changes with a file that is not read."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{status.st_size} {status.st_mtime_ns}"


def root_of(manifest: str) -> str:
    """The folder or zip in which a manifest stands."""
    path = Path(os.path.abspath(manifest)).parent
    while not path.exists() and path != path.parent:
        path = path.parent  # inside a zip
    return str(path)
