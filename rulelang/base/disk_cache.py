"""The cache folder: make keys, and read and write entries. A missing or broken cache only costs time."""

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

from rulelang.base.terminal import escape_controls

# ---- keys

#: Folders beside the code that nothing cached is made from; that of npm holds thousands of files.
NOT_OUR_FOLDERS = {"__pycache__", "_rulesets", "_seeds", "node_modules"}


def digest(*parts: object) -> str:
    """A key for the cache."""
    return hashlib.sha256("\0".join(str(part) for part in parts).encode("utf-8", "surrogateescape")).hexdigest()


@cache
def program_hash() -> str:
    """Changes with rulelang itself (sizes and times of its files) and with the version of Python."""
    package = Path(__file__).parents[1]
    found = []
    for folder in (package, package / "_schemas", package.parent / "schemas"):
        for here, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if name not in NOT_OUR_FOLDERS]
            for name in names:
                if name.endswith((".py", ".lark", ".json", ".c", ".h")):
                    status = os.stat(os.path.join(here, name))
                    found.append(f"{here}/{name} {status.st_size} {status.st_mtime_ns}")
    return digest(sys.version, *sorted(found))


# ---- entries

MOST_ENTRIES = 256  # entries of one sort; the oldest go first
_MAGIC = b"rulelang1\n"
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_SAFE_FLAGS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))
_READ = os.O_RDONLY | _SAFE_FLAGS | getattr(os, "O_NONBLOCK", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE_FLAGS


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
        print(escape_controls(text), file=sys.stderr)


class NotPrivate(OSError):
    """A folder of the cache that somebody else owns or may write to; the text says so."""


# ---- what was computed once


def load(sort: str, key: str) -> object | None:
    """What was kept under this key, or None."""
    data = read_bytes(sort, key)
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


def store(sort: str, key: str, value: object) -> None:
    """Keep a value that can be pickled, replacing what was there in one step."""
    try:
        data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, RecursionError):
        return
    write_bytes(sort, key, _MAGIC + hashlib.sha256(data).digest() + data)


def read_bytes(sort: str, key: str) -> bytes | None:
    """The bytes of an entry, or None."""
    path = cache_dir() / sort / key
    try:
        if not path.parent.is_dir():
            return None
        private_folder(path.parent)
        return read_private(path)
    except OSError as problem:
        _report_problem(problem)
        return None


_WRITING_OFF: ContextVar[bool] = ContextVar("unwritten", default=False)


@contextlib.contextmanager
def without_writing() -> Iterator[None]:
    """While it lasts nothing is kept: what came of a text between two keystrokes would only push out the rest."""
    token = _WRITING_OFF.set(True)
    try:
        yield
    finally:
        _WRITING_OFF.reset(token)


def write_bytes(sort: str, key: str, data: bytes) -> None:
    """Keep bytes, replacing what was there in one step; the oldest entries of the sort go."""
    if _WRITING_OFF.get():
        return
    try:
        folder = private_folder(cache_dir() / sort)
        temporary = folder / os.urandom(16).hex()  # `tempfile` takes 3 ms to import
        with open(os.open(temporary, _WRITE, 0o600), "wb") as file:  # for the user alone
            file.write(data)
        os.replace(temporary, folder / key)
        _forget_oldest(folder)
    except OSError as problem:
        _report_problem(problem)


# ---- who may have written it


def private_folder(folder: Path) -> Path:
    """The folder, made if it is missing, with those above it. OSError if that fails, NotPrivate if others may write.

    In the folder above, nobody else may put another one into its place.
    """
    _make_private(folder)
    if not is_private(folder):
        raise NotPrivate(f"the cache folder {folder} belongs to another user, or other users can write to it")
    if not _is_guarded(folder.parent):
        raise NotPrivate(f"the cache folder {folder.parent} belongs to another user, or other users can write to it")
    return folder


def is_private(path: Path) -> bool:
    """Whether a file or folder (no link) belongs to the user, and nobody else may write to it."""
    try:
        return _is_ours(os.stat(path, follow_symlinks=False))
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
        if not (stat.S_ISREG(status.st_mode) and _is_ours(status)):
            raise NotPrivate(f"the file {path} in the cache belongs to another user, or other users can write to it")
        return file.read()


def _is_ours(status: os.stat_result) -> bool:
    if not hasattr(os, "getuid"):
        return True  # there the folder is protected by where it lies
    return status.st_uid == os.getuid() and not status.st_mode & _OTHERS and not stat.S_ISLNK(status.st_mode)


def _is_guarded(folder: Path) -> bool:
    """Whether nobody else can rename what we own in this folder: as in a home, or in `/tmp` with its sticky bit."""
    if not hasattr(os, "getuid"):
        return True
    status = os.stat(folder)
    return status.st_uid in (0, os.getuid()) and not (status.st_mode & _OTHERS and not status.st_mode & stat.S_ISVTX)


def _make_private(folder: Path) -> None:
    """Folders that only we may enter. (`mkdir` asks the umask, and for those above it does not even ask the mode.)"""
    if folder.is_dir():
        return
    if folder.parent != folder:
        _make_private(folder.parent)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not folder.is_dir():
            raise
        return  # another process was faster
    folder.chmod(0o700)


def _report_problem(problem: OSError) -> None:
    if isinstance(problem, NotPrivate):
        say_once(f"rulelang: {problem}; it is not used, so rulelang is slower")


def oldest_beyond(paths: Iterable[Path], kept: int) -> list[Path]:
    """Of some files all but those that were written or touched last, so many; not those that are gone meanwhile."""
    found: list[tuple[float, Path]] = []
    for path in paths:
        with contextlib.suppress(OSError):
            found.append((path.lstat().st_mtime, path))
    return [path for _, path in sorted(found)[:-kept]]


def _forget_oldest(folder: Path) -> None:
    for path in oldest_beyond(folder.iterdir(), MOST_ENTRIES):
        with contextlib.suppress(OSError):
            path.unlink()
