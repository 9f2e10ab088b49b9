"""What one thread plays with: a context of the library, and arrays for words, options and errors.

The library changes nothing but what it is given. So threads that have a context each play at once: long calls give the
interpreter back meanwhile (`leave` and `enter` in `runtime/context.h`), and short ones keep it.
"""

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulelang.backends.words import own_words, packed
from rulelang.engine.program import OptionTuple
from rulelang.engine.threads import broken_off
from rulelang.engine.watch import MOST

_I64 = ctypes.c_longlong
_WORDS = ctypes.POINTER(ctypes.c_int)
#: What a long call asks in a thread that is not the main one.
_STOP = ctypes.PYFUNCTYPE(ctypes.c_int)(broken_off)
#: Words of the error record before its values.
_RECORD = 6
#: What answers a number.
_NUMBERS = (
    "context_size", "size", "width", "begin", "resume", "options", "call", "pure", "plain", "why", "playout",
    "play_many", "error", "values",
)  # fmt: skip
#: The same in a library where games look for mistakes.
_PROVING = ("prove_many", "sound")
_SEARCHES = (
    "count",
    "choose",
    "search",
    "between",
    "between_many",
    "noted_many",
    "tape_size",
    "learn",
    "learn_words",
    "learn_serve",
    "learn_await",
)  # not in a program without zones


def loaded(path: Path) -> Any:
    """The library. It is called with the interpreter held, and told of an exception that is pending afterwards: a
    signal's handler may have raised one."""
    lib: Any = ctypes.PyDLL(str(path))
    for name in (*_NUMBERS, *(name for name in (*_SEARCHES, *_PROVING) if hasattr(lib, f"rl_{name}"))):
        getattr(lib, f"rl_{name}").restype = _I64
    return lib


class Context:
    """`C`: the library's context. `words`: a state that is a list lies here while the library works on it; `at` is its
    address. `raised`: what a host's callback raised."""

    def __init__(self, lib: Any, size: int) -> None:
        self.lib = lib
        self.memory = (_I64 * (lib.rl_context_size() // ctypes.sizeof(_I64) + 1))()
        self.C = ctypes.c_void_p(ctypes.addressof(self.memory))
        lib.rl_context(self.C)
        python = ctypes.pythonapi
        main = threading.current_thread() is threading.main_thread()
        stop = python.PyErr_CheckSignals if main else _STOP  # signals reach the main thread alone
        given = (stop, python.PyEval_SaveThread, python.PyEval_RestoreThread)
        lib.rl_interpreter(self.C, *(ctypes.cast(function, ctypes.c_void_p) for function in given))
        self.words = array("i", bytes(4 * size))
        self.at = ctypes.cast(self.words.buffer_info()[0], _WORDS)
        self.record = (_I64 * (_RECORD + lib.rl_values()))()
        self.raised: BaseException | None = None
        self.room(4096)
        self.watch(MOST, False)

    def room(self, words: int) -> None:
        """Make room for options."""
        self.out = array("i", bytes(4 * words))
        self.lib.rl_buffer(self.C, ctypes.c_void_p(self.out.buffer_info()[0]), _I64(words))

    def watch(self, most: int, invariants: bool) -> None:
        self.most = most
        self.lib.rl_watch(self.C, _I64(most), _I64(invariants))

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
        self.lib.rl_error(self.C, self.record)
        return bool(self.record[0])

    def error(self) -> list[int]:
        """The error record: kind, number, how many values, length of the trail, options, words used, values."""
        self.lib.rl_error(self.C, self.record)
        return list(self.record)

    def trail(self, length: int) -> list[int]:
        """Numbers of the functions on the way out of an error, the innermost first."""
        into = (_I64 * max(length, 1))()
        self.lib.rl_trail(self.C, into)
        return into[:length]

    def tuples(self, count: int) -> list[OptionTuple]:
        """The first options or reasons that were told."""
        found: list[OptionTuple] = []
        out, at = self.out, 0
        for _ in range(count):
            end = at + 1 + out[at]
            found.append(tuple(out[at + 1 : end]))
            at = end
        return found
