"""The one door to the cache folder. A cache that is missing, broken, not ours or cannot be written only costs time.

What lies there is trusted: pickles and shared libraries run code when they are read, and the outcome of a check is
believed. So only files are read that belong to the user, in folders that belong to the user, neither of which anybody
else may write to; links are not followed. A folder that is made here is for the user alone, whatever the umask. What
is refused is told once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from rulelang.base.visible import visible

KEPT = 256  # entries of one sort; the oldest go first
_MAGIC = b"rulelang1\n"
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_SURE = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))
_READ = os.O_RDONLY | _SURE | getattr(os, "O_NONBLOCK", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SURE


def cache_dir() -> Path:
    """The folder for whatever may be thrown away. The environment variable RULELANG_CACHE overrides it."""
    chosen = os.environ.get("RULELANG_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("rulelang", appauthor=False))


@cache
def say_once(text: str) -> None:
    """One line on the error stream; processes that were started to help stay silent."""
    started = sys.modules.get("multiprocessing.process")  # a process that was started to help has it
    if started is None or started.parent_process() is None:
        print(visible(text), file=sys.stderr)


class NotPrivate(OSError):
    """A folder of the cache that somebody else owns or may write to; the text says so."""


# ---- what was computed once


def recall(sort: str, key: str) -> object | None:
    """What was kept under this key, or None."""
    data = read(sort, key)
    head = len(_MAGIC) + 32
    if data is None or not data.startswith(_MAGIC):
        return None
    if hashlib.sha256(data[head:]).digest() != data[len(_MAGIC) : head]:
        return None
    try:
        found: object = pickle.loads(data[head:])
    except Exception:  # whatever another version left there
        return None
    return found


def keep(sort: str, key: str, value: object) -> None:
    """Keep a value that can be pickled, replacing what was there in one step."""
    try:
        data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, RecursionError):
        return
    write(sort, key, _MAGIC + hashlib.sha256(data).digest() + data)


def read(sort: str, key: str) -> bytes | None:
    """The bytes of an entry, or None."""
    path = cache_dir() / sort / key
    try:
        if not path.parent.is_dir():
            return None
        private_folder(path.parent)
        return read_private(path)
    except OSError as problem:
        _told(problem)
        return None


_UNWRITTEN: ContextVar[bool] = ContextVar("unwritten", default=False)


@contextlib.contextmanager
def unwritten() -> Iterator[None]:
    """While it lasts nothing is kept: what came of a text between two keystrokes would only push out the rest."""
    token = _UNWRITTEN.set(True)
    try:
        yield
    finally:
        _UNWRITTEN.reset(token)


def write(sort: str, key: str, data: bytes) -> None:
    """Keep bytes, replacing what was there in one step; the oldest entries of the sort go."""
    if _UNWRITTEN.get():
        return
    try:
        folder = private_folder(cache_dir() / sort)
        temporary = folder / os.urandom(16).hex()  # `tempfile` takes 3 ms to import
        with open(os.open(temporary, _WRITE, 0o600), "wb") as file:  # for the user alone
            file.write(data)
        os.replace(temporary, folder / key)
        _forget_oldest(folder)
    except OSError as problem:
        _told(problem)


# ---- who may have written it


def private_folder(folder: Path) -> Path:
    """The folder, made if it is missing, with those above it. OSError if that fails, NotPrivate if others may write.

    In the folder above, nobody else may put another one into its place.
    """
    _make(folder)
    if not private(folder):
        raise NotPrivate(f"the cache folder {folder} belongs to another user, or other users can write to it")
    if not _guards(folder.parent):
        raise NotPrivate(f"the cache folder {folder.parent} belongs to another user, or other users can write to it")
    return folder


def private(path: Path) -> bool:
    """Whether a file or folder (no link) belongs to the user, and nobody else may write to it."""
    try:
        return _ours(os.stat(path, follow_symlinks=False))
    except OSError:
        return False


def read_private(path: Path) -> bytes | None:
    """The bytes of a file in a private folder; None if there is none. NotPrivate if it is not ours, or no file."""
    try:
        handle = os.open(path, _READ)
    except FileNotFoundError:
        return None
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not (stat.S_ISREG(status.st_mode) and _ours(status)):
            raise NotPrivate(f"the file {path} in the cache belongs to another user, or other users can write to it")
        return file.read()


def _ours(status: os.stat_result) -> bool:
    if not hasattr(os, "getuid"):
        return True  # there the folder is protected by where it lies
    return status.st_uid == os.getuid() and not status.st_mode & _OTHERS and not stat.S_ISLNK(status.st_mode)


def _guards(folder: Path) -> bool:
    """Whether nobody else can rename what we own in this folder: as in a home, or in `/tmp` with its sticky bit."""
    if not hasattr(os, "getuid"):
        return True
    status = os.stat(folder)
    return status.st_uid in (0, os.getuid()) and not (status.st_mode & _OTHERS and not status.st_mode & stat.S_ISVTX)


def _make(folder: Path) -> None:
    """Folders that only we may enter. (`mkdir` asks the umask, and for those above it does not even ask the mode.)"""
    if folder.is_dir():
        return
    if folder.parent != folder:
        _make(folder.parent)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not folder.is_dir():
            raise
        return  # another process was faster
    folder.chmod(0o700)


def _told(problem: OSError) -> None:
    if isinstance(problem, NotPrivate):
        say_once(f"rulelang: {problem}; it is not used, so rulelang is slower")


def surplus(paths: Iterable[Path], kept: int) -> list[Path]:
    """Of some files all but those that were written or touched last, so many; not those that are gone meanwhile."""
    found: list[tuple[float, Path]] = []
    for path in paths:
        with contextlib.suppress(OSError):
            found.append((path.lstat().st_mtime, path))
    return [path for _, path in sorted(found)[:-kept]]


def _forget_oldest(folder: Path) -> None:
    for path in surplus(folder.iterdir(), KEPT):
        with contextlib.suppress(OSError):
            path.unlink()
