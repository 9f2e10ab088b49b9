"""Read files: a ruleset's folder or zip, unsaved editor texts, shipped folders, and a trail of every answer."""

from __future__ import annotations

import hashlib
import os
import stat
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from rulelang.base.limits import COUNT, SIZE, Limit
from rulelang.data.text import MAX_BYTES

if TYPE_CHECKING:
    import zipfile


# ---- shipped folders

#: The word for the lock of the game, in the current folder or above.
LOCKED = "*.lock"

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def schema_dir() -> Path:
    """The folder of the JSON Schemas: `rulelang/_schemas` when installed, `schemas/` beside it in a checkout."""
    return _beside("_schemas", "schemas")


@cache
def shipped_rulesets_dir() -> Path:
    """The folder of the rulesets that come with rulelang, one folder each (it may not exist)."""
    return _beside("_rulesets", "rulesets")


@cache
def seeds_dir() -> Path:
    """The folder of the numbered rules of the rulebooks, one YAML file each (it may not exist)."""
    return _beside("_seeds", "seeds")


def seeds_of(homes: Iterable[Path]) -> list[Path]:
    """Where the numbered rules of rulesets and mods in these folders may lie: in the shipped folder, and in `seeds/`
    beside and above theirs."""
    return [seeds_dir(), *(above / "seeds" for home in homes for above in (home.parent, home.parent.parent))]


@cache
def docs_dir() -> Path:
    """The folder of the documentation (it may not exist)."""
    return _beside("_docs", "docs")


def _beside(installed: str, checkout: str) -> Path:
    inside = _PACKAGE / installed
    return inside if inside.is_dir() else _PACKAGE.parent / checkout


# ---- unsaved texts

_UNSAVED: ContextVar[Mapping[str, bytes] | None] = ContextVar("held", default=None)


@contextmanager
def with_unsaved_texts(texts: Mapping[str, bytes]) -> Iterator[None]:
    """While it lasts, whoever reads a file in this thread finds these bytes (by absolute path) in its place."""
    token = _UNSAVED.set(texts)
    try:
        yield
    finally:
        _UNSAVED.reset(token)


def unsaved_text(path: Path) -> bytes | None:
    """What stands in the place of a file, if anything does."""
    texts = _UNSAVED.get()
    return texts.get(os.path.abspath(path)) if texts else None


def unsaved_below(folder: Path) -> list[str]:
    """The held files of a folder, by POSIX path relative to it, without those in hidden folders."""
    texts = _UNSAVED.get()
    if not texts:
        return []
    root = Path(os.path.abspath(folder))
    below = (Path(path).relative_to(root) for path in texts if Path(path).is_relative_to(root))
    return [path.as_posix() for path in below if not any(part.startswith(".") for part in path.parts)]


# ---- trail of answers

P = ParamSpec("P")
T = TypeVar("T")

#: The name of the function that asks and its arguments, which are texts and numbers.
Question = tuple[str | int, ...]
Trail = Mapping[Question, bytes]

_ASKING: dict[str, Callable[..., object]] = {}
_TRAIL: ContextVar[dict[Question, bytes] | None] = ContextVar("trail", default=None)


def record_answer(look: Callable[P, T]) -> Callable[P, T]:
    """Make a function that reads the file system write what it returns or raises into the trail."""
    _ASKING[look.__name__] = look

    def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        trail = _TRAIL.get()
        if trail is None:
            return look(*args, **kwargs)
        question: Question = (look.__name__, *args)  # type: ignore[arg-type]
        try:
            answer = look(*args, **kwargs)
        except Exception as problem:
            trail[question] = _digest(problem)
            raise
        trail[question] = _digest(answer)
        return answer

    return ask


@contextmanager
def record_trail() -> Iterator[Trail]:
    """Give the trail of what is asked meanwhile; a trail around it has the same questions."""
    own: dict[Question, bytes] = {}
    token = _TRAIL.set(own)
    try:
        yield own
    finally:
        _TRAIL.reset(token)
        add_to_trail(own)


def add_to_trail(trail: Trail) -> None:
    """Add the questions of a result that was kept to the trail around it."""
    around = _TRAIL.get()
    if around is not None:
        around.update(trail)


def still_holds(trail: Trail) -> bool:
    """Ask all questions of a trail again: whether each has its old answer."""
    for question, answer in trail.items():
        try:
            found = _digest(_ASKING[str(question[0])](*question[1:]))
        except Exception as problem:  # what a question raises is its answer
            found = _digest(problem)
        if found != answer:
            return False
    add_to_trail(trail)
    return True


def trail_fingerprint(trail: Trail) -> str:
    """Return a hash that changes with each answer, and with the folder from which relative paths go."""
    whole = hashlib.sha256(os.fsencode(os.getcwd()))
    for question in sorted(trail, key=repr):
        whole.update(_bytes(question) + trail[question])
    return whole.hexdigest()


def _digest(answer: object) -> bytes:
    return hashlib.sha256(answer if isinstance(answer, bytes) else _bytes(answer)).digest()


def _bytes(answer: object) -> bytes:
    return repr(answer).encode("utf-8", "surrogateescape")


# ---- folders and zips

_MEMBER = 300  # bytes of a zip's list for each of its members
_OPEN = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"))


class Unreadable(Exception):
    """A file cannot be read; the text says why."""


class Missing(Unreadable):
    """There is no such file."""


class PathEscape(Unreadable):
    """A path that leaves its folder; the text says how."""


class TooLarge(Unreadable):
    """One file of so many bytes."""

    def __init__(self, size: int) -> None:
        super().__init__(f"it has {size:,} bytes, and at most {MAX_BYTES:,} are read")
        self.size = size


class TooMuch(Unreadable):
    """More than a ruleset may hold; the text says of what. `hint`: how to move the limit, where that is possible."""

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.hint = hint

    @classmethod
    def of(cls, limit: Limit) -> TooMuch:
        return cls(limit.exceeded, limit.hint)


@dataclass(slots=True)
class _Used:
    """What was read so far; the archive, once it was opened."""

    total: int = 0
    archive: zipfile.ZipFile | None = None
    real: dict[str, str] = field(default_factory=dict)  # of folders, without links


@dataclass(frozen=True, slots=True)
class Folder:
    """The files of one ruleset or mod, by POSIX path relative to `root`. For a zip, `inner` is the folder inside it."""

    root: Path
    archive: bool = False
    inner: str = ""
    _used: _Used = field(default_factory=_Used, compare=False, repr=False)

    def display(self, name: str) -> str:
        """The path shown in messages: relative to the working directory if below it, else absolute."""
        return display_path(self.root / self.inner / name if self.archive else self.root / name)

    def files(self) -> list[str]:
        """All files, sorted, without hidden ones and compiled Python. TooMuch if there are more than `COUNT` allows."""
        return sorted(self._zip_files() if self.archive else walk_files(str(self.root), COUNT.most))

    def read(self, name: str) -> bytes:
        """The bytes of a file. Unreadable (Missing, Escape, TooLarge, TooMuch) if that cannot be."""
        check_inside(name)
        if self.archive:
            data = self._member(name)
        else:
            path = self.root / name
            try:
                if not self._is_within(path):
                    raise PathEscape("a link leads out of the folder")
            except (OSError, RuntimeError, ValueError) as problem:  # links in a circle
                raise Unreadable(_problem_text(problem)) from None
            data = read_file(path)
        self._count(len(data))
        return data

    def _is_within(self, path: Path) -> bool:
        """Whether a file lies in this folder where links lead. Files of a folder mostly are none: it is looked at once.

        RuntimeError where links go round."""
        if is_link(str(path)):
            return Path(real_path(str(path))).is_relative_to(self._real(self.root))
        return Path(self._real(path.parent)).is_relative_to(self._real(self.root))

    def _real(self, folder: Path) -> str:
        known = self._used.real.get(str(folder))
        if known is None:
            known = self._used.real[str(folder)] = real_path(str(folder))
        return known

    def _count(self, size: int) -> None:
        self._used.total += size
        if self._used.total > SIZE.most * 2**20:
            raise TooMuch.of(SIZE)

    def _zip_files(self) -> list[str]:
        names = {info.filename for info in self._zip().infolist() if not info.is_dir()}
        inner = [name.removeprefix(self.inner) for name in names if name.startswith(self.inner)]
        found = [n for n in inner if not any(p.startswith(".") or p == "__pycache__" for p in n.split("/"))]
        if len(found) > COUNT.most:
            raise TooMuch.of(COUNT)
        return found

    def _zip(self) -> zipfile.ZipFile:
        if self._used.archive is None:
            self._used.archive = open_zip(self.root)
        return self._used.archive

    def _member(self, name: str) -> bytes:
        archive = self._zip()
        try:
            info = archive.getinfo(self.inner + name)
        except KeyError:
            raise Missing("it does not exist") from None
        if info.flag_bits & 1:
            raise Unreadable("it is encrypted")
        if info.file_size > MAX_BYTES:
            raise TooLarge(info.file_size)
        if self._used.total + info.file_size > SIZE.most * 2**20:
            self._count(info.file_size)
        try:
            with archive.open(info) as member:
                return member.read(MAX_BYTES + 1)
        except Exception as problem:  # whatever its decompressor says: it may be any
            raise Unreadable(f"its part of the zip is broken: {_problem_text(problem)}") from None


def read_file(path: Path) -> bytes:
    """Return the bytes of a regular file, or what an editor holds in its place (`overlay`).

    Nothing is read that has no end, or waits. Missing, TooLarge or Unreadable."""
    return read_regular_file(str(path))


# ---- questions to the file system, each of which a trail can ask again


@record_answer
def read_regular_file(name: str) -> bytes:
    """Return the bytes of a regular file of allowed size. Missing, TooLarge or Unreadable."""
    data = unsaved_text(Path(name))
    if data is not None:
        if len(data) > MAX_BYTES:
            raise TooLarge(len(data))
        return data
    try:
        handle = os.open(name, _OPEN)
    except FileNotFoundError:
        raise Missing("it does not exist") from None
    except (OSError, ValueError) as problem:
        raise Unreadable(_problem_text(problem)) from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(f"it is {_kind(status.st_mode)}, not a file")
        if status.st_size > MAX_BYTES:
            raise TooLarge(status.st_size)
        with open(handle, "rb", closefd=False) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise Unreadable(_problem_text(problem)) from None
    finally:
        os.close(handle)
    if len(data) > MAX_BYTES:  # it grew
        raise TooLarge(len(data))
    return data


@record_answer
def walk_files(root: str, most: int) -> list[str]:
    """List the files below a folder by POSIX path, without hidden ones and compiled Python. TooMuch for more than
    `most`."""
    found: list[str] = []
    for here, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__pycache__")
        relative = Path(here).relative_to(root)
        found.extend((relative / name).as_posix() for name in names if not name.startswith("."))
        if len(found) > most:
            break
    found += [name for name in unsaved_below(Path(root)) if not os.path.exists(os.path.join(root, name))]
    if len(found) > most:
        raise TooMuch.of(COUNT)
    return sorted(found)


@record_answer
def path_kind(path: str) -> str:
    """Return "file", "folder" or "other" for what is at a path, where links lead; "" for nothing."""
    if os.path.isfile(path):
        return "file"
    return "folder" if os.path.isdir(path) else "other" if os.path.exists(path) else ""


@record_answer
def is_link(path: str) -> bool:
    """Return whether a path is that of a symbolic link."""
    return os.path.islink(path)


@record_answer
def real_path(path: str) -> str:
    """Return the absolute path without links. RuntimeError or OSError for links in a circle."""
    return str(Path(path).resolve())


@record_answer
def list_names(folder: str) -> list[str]:
    """List what is in a folder, sorted; nothing where it cannot be listed."""
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []


@record_answer
def _archived(path: str, most: int) -> bytes:
    """Return the hash of a zip's bytes. Unreadable, TooMuch for more than `most` MiB."""
    import hashlib

    with open(os.open(path, _OPEN), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(f"it is {_kind(status.st_mode)}, not a file")
        if status.st_size > most * 2**20:
            raise TooMuch.of(SIZE)
        return hashlib.file_digest(file, "sha256").digest()


# ---- zips


def open_zip(path: Path) -> zipfile.ZipFile:
    """Open a zip of bearable size. Unreadable, TooMuch."""
    import zipfile

    try:
        _archived(str(path), SIZE.most)
        _check_member_list(path)
        return zipfile.ZipFile(path)
    except Unreadable:
        raise
    except Exception as problem:  # a broken zip raises whatever it likes
        raise Unreadable(_problem_text(problem)) from None


def _check_member_list(path: Path) -> None:
    """Look at how long the list of members says it is before it is read: each takes a thousand bytes of memory."""
    with open(path, "rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - 66_000))
        tail = file.read()
    at = len(tail) - 22 if tail[-22:-18] == b"PK\x05\x06" else tail.rfind(b"PK\x05\x06")
    if at < 0 or at + 22 > len(tail):
        return  # no zip, as will be said
    if tail[max(0, at - 20) : at].startswith(b"PK\x06\x07"):
        raise TooMuch("more than a plain zip can contain (it is in the format ZIP64)")
    if struct.unpack_from("<L", tail, at + 12)[0] > COUNT.most * _MEMBER:
        raise TooMuch.of(COUNT)


def _kind(mode: int) -> str:
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
    return next((name for fits, name in kinds if fits(mode)), "a device")


def _problem_text(problem: Exception) -> str:
    """What went wrong, in a few words without the path."""
    text = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
    text = text.split("\n")[0][:100]
    return text[:1].lower() + text[1:] if text else type(problem).__name__


def check_inside(name: str) -> None:
    """Raise Escape unless `name` is a relative path that stays below its folder, written with `/`."""
    path = PurePosixPath(name)
    if path.is_absolute() or (len(name) > 1 and name[1] == ":"):
        raise PathEscape("it is an absolute path")
    if ".." in path.parts:
        raise PathEscape("`..` leads out of the folder")
    if "\\" in name:
        raise PathEscape("it contains a backslash; write `/` between folders")


def open_folder(path: Path) -> Folder:
    """A folder, or a zip whose manifest stands at its top or in its only folder. Unreadable."""
    if path_kind(str(path)) == "folder":
        return Folder(path)
    archive = open_zip(path)
    names = archive.namelist()
    used = _Used(archive=archive)
    if not any(name in ("ruleset.yaml", "mod.yaml") for name in names):
        known = set(names)
        tops = {name.split("/", 1)[0] for name in names if "/" in name}
        for top in sorted(tops):
            if f"{top}/ruleset.yaml" in known or f"{top}/mod.yaml" in known:
                return Folder(path, True, f"{top}/", used)
    return Folder(path, True, "", used)


def display_path(path: Path) -> str:
    """A path as messages show it."""
    absolute, here = os.path.abspath(path), os.getcwd()
    if os.sep == "/" and absolute.startswith(f"{here}/"):
        return absolute[len(here) + 1 :]
    try:
        return Path(absolute).relative_to(here).as_posix()
    except ValueError:
        return Path(absolute).as_posix()


def root_of(manifest: str) -> str:
    """Return the folder or zip that a manifest is in."""
    path = os.path.dirname(os.path.abspath(manifest))
    while not path_kind(path) and path != os.path.dirname(path):
        path = os.path.dirname(path)  # inside a zip
    return path
