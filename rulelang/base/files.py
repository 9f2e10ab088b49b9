"""Write files whole, so that a power cut leaves the old one or the new one; and read files that may be missing."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Put a file into its place in one step. OSError if it cannot be written; then the old one is as it was."""
    path = path.resolve()  # a link stays one
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    try:
        with open(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    if hasattr(os, "O_DIRECTORY"):  # so that the new name lasts too; where folders cannot be opened, they need no call
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with contextlib.suppress(OSError):  # some file systems have none of it
                os.fsync(folder)
        finally:
            os.close(folder)


def read_if_possible(path: Path) -> str | None:
    """Return the text of a file; None if the file is missing, unreadable or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _mode(path: Path) -> int:
    """Who may read it: as before, or as for any new file."""
    with contextlib.suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def why_unwritable(path: Path) -> str:
    """Why a file cannot be put there, in words; "" if it seems that it can."""
    folder = path.resolve().parent
    if path.is_dir():
        return "it is a folder"
    if not folder.is_dir():
        return f"there is no folder {folder}"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{folder} is not writable"
    return ""
