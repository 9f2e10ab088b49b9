"""What one thread plays with: a context of the library, and arrays for words, options and errors.

The library changes nothing but what it is given. So threads that have a context each play at once: long calls give the
interpreter back meanwhile (`leave` and `enter` in `runtime/context.h`), and short ones keep it.
"""

from __future__ import annotations

import ctypes
import re
import threading
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from rulelang.compiler.backends.native import prelude
from rulelang.compiler.backends.native.hearing import Ear
from rulelang.compiler.backends.native.library import sources
from rulelang.compiler.backends.program import Program
from rulelang.compiler.backends.words import own_words, packed
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.abstract.possible_values import Possible
from rulelang.compiler.passes.abstract.validate_frames import Standing
from rulelang.runtime.program import Backend, OptionTuple
from rulelang.runtime.threads import broken_off
from rulelang.runtime.watch import MOST

_I64 = ctypes.c_longlong
#: What a long call asks in a thread that is not the main one.
_STOP = ctypes.PYFUNCTYPE(ctypes.c_int)(broken_off)
#: Words of the error record before its values.
_RECORD = 6
#: How a function is declared in C: what it answers, its name, what it takes.
_DECLARED = re.compile(r"^API (\w+) (rl_\w+)\((.*?)\) \{", re.MULTILINE | re.DOTALL)
#: By the first word of a declaration; all else is an address.
_KINDS: dict[str, Any] = {"i64": _I64, "u64": ctypes.c_ulonglong, "void": None}


@cache
def prototypes(backend: Backend, more: tuple[tuple[str, str], ...] = ()) -> dict[str, tuple[Any, list[Any]]]:
    """By the name of each function that a library of this backend may have: what it answers, and what it takes.
    `more`: see `library.sources`."""
    return {
        name: (_KINDS[answer], [_kind(given) for given in taken.split(",") if given != "void"])
        for answer, name, taken in _DECLARED.findall("\n".join(sources(backend, more)))
    }


def _kind(given: str) -> Any:
    return ctypes.c_void_p if "*" in given else _KINDS.get(given.split()[0], ctypes.c_void_p)


def loaded(path: Path, backend: Backend, more: tuple[tuple[str, str], ...]) -> Any:
    """The library of this backend. It is called with the interpreter held, and told of an exception that is pending
    afterwards: a signal's handler may have raised one."""
    lib: Any = ctypes.PyDLL(str(path))
    for name, (answer, taken) in prototypes(backend, more).items():
        if hasattr(lib, name):
            function = getattr(lib, name)
            function.restype, function.argtypes = answer, taken
    return lib


def place(words: array[int]) -> int:
    """The address of an array."""
    return words.buffer_info()[0]


class Unsound(Exception):
    """What C behind a library (`engine.program.Extended`) found wrong: a number of its own, and the words there."""

    def __init__(self, number: int, words: list[int]) -> None:
        super().__init__(number)
        self.number, self.words = number, words


class Context:
    """`C`: the library's context. `words`: a state that is a list lies here while the library works on it; `at` is its
    address. `places`: room for as many addresses of words. `raised`: what a host's callback raised."""

    def __init__(self, lib: Any, size: int) -> None:
        self.lib = lib
        self.memory = (_I64 * (lib.rl_context_size() // ctypes.sizeof(_I64) + 1))()
        self.C = ctypes.c_void_p(ctypes.addressof(self.memory))
        lib.rl_context(self.C)
        python = ctypes.pythonapi
        main = threading.current_thread() is threading.main_thread()
        stop = python.PyErr_CheckSignals if main else _STOP  # signals reach the main thread alone
        lib.rl_interpreter(self.C, stop, python.PyEval_SaveThread, python.PyEval_RestoreThread)
        self.words = array("i", bytes(4 * size))
        self.at = place(self.words)
        self.places = array("i", bytes(4 * size))
        self.places_at = place(self.places)
        self.record = array("q", bytes(8 * (_RECORD + lib.rl_values())))
        self.record_at = place(self.record)
        self.raised: BaseException | None = None
        if hasattr(lib, "rl_more"):
            self.more = ctypes.create_string_buffer(lib.rl_more_size())
            lib.rl_more(self.C, self.more)
        self.ear = Ear(self)
        self.room(4096)
        self.watch(MOST, False)

    def room(self, words: int) -> None:
        """Make room for options."""
        self.out = array("i", bytes(4 * words))
        self.lib.rl_buffer(self.C, place(self.out), words)

    def watch(self, most: int, invariants: bool) -> None:
        self.most = most
        self.lib.rl_watch(self.C, most, invariants)

    def enter(self, S: Sequence[int]) -> None:
        self.words[:] = packed(S)

    def leave(self, S: list[int]) -> None:
        own = own_words(S)
        if own is None:
            S[:] = self.words.tolist()
        else:
            own[:] = self.words

    @property
    def failed(self) -> bool:
        """Whether the last call ended with an error."""
        return bool(self.lib.rl_error(self.C, self.record_at))

    def error(self) -> list[int]:
        """The error record: kind, number, how many values, length of the trail, options, words used, values."""
        self.lib.rl_error(self.C, self.record_at)
        return self.record.tolist()

    def trail(self, length: int) -> list[int]:
        """Numbers of the functions on the way out of an error, the innermost first."""
        into = (_I64 * max(length, 1))()
        self.lib.rl_trail(self.C, into)
        return into[:length]

    def tuples(self, count: int, used: int) -> list[OptionTuple]:
        """The first options or reasons that were told, in so many words."""
        found: list[OptionTuple] = []
        out, at = self.out[:used].tolist(), 0
        for _ in range(count):
            end = at + 1 + out[at]
            found.append(tuple(out[at + 1 : end]))
            at = end
        return found


class Library(Program):
    """A program that a library plays. It keeps nothing of a game: all is in `S`. Threads may use it at once. `width`:
    numbers that are told of a game that has ended; `start`: the words of a new one; `more`: files that a room has
    behind it (`library.sources`)."""

    more: ClassVar[tuple[tuple[str, str], ...]] = ()

    def __init__(
        self, path: Path, module: ir.Module, standings: Sequence[Standing], known: Callable[[], Possible] | None,
        backend: Backend,
    ) -> None:  # fmt: skip
        super().__init__(module, standings, known)
        self.path, self.lib = path, loaded(path, backend, self.more)
        if int(self.lib.rl_size()) != self.layout.size:
            raise OSError(f"{path} belongs to another table")
        self.width: int = self.lib.rl_width()
        self.start = array("i", module.initial)
        self.threads = threading.local()

    @property
    def here(self) -> Context:
        """That of this thread."""
        try:
            found: Context = self.threads.context
        except AttributeError:
            found = self.threads.context = Context(self.lib, self.layout.size)
        return found

    def raise_error(self) -> NoReturn:
        """Raise what the error record tells."""
        raise NotImplementedError

    def ask(self, S: Sequence[int], function: Any, *given: object) -> int:
        """What a function of the library answers of the words of a game. It may have changed those of the context."""
        here = self.here
        here.enter(S)
        answer: int = function(here.C, here.at, *given)
        return answer

    def act(self, S: list[int], function: Any, *given: object) -> int:
        """The same of one that changes the words, in place."""
        answer = self.ask(S, function, *given)
        self.here.leave(S)
        return answer

    def played(self, words: list[int], function: Any, number: int) -> None:
        """Have a function of the library play on with the words of a game. Raises what it tells where it fails."""
        if self.act(words, function, number) == prelude.FAILED:
            self.raise_error()

    def answer(self, found: int) -> int:
        """What a call answered, if it did not fail."""
        if found < 0:
            self.raise_error()
        return found

    def games(self, rows: array[int]) -> list[tuple[int, ...]]:
        """What is told of games, one after the other."""
        return [tuple(rows[i : i + self.width]) for i in range(0, len(rows), self.width)]
