"""How a library tells a host what happens: one callback for each thread, whoever listens."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from rulelang.compiler.backends.native.direct import CLOSE, CURTAIN, DIE, LINE, OPEN, SETTLE
from rulelang.runtime.program import ROLL, Host

if TYPE_CHECKING:
    from rulelang.compiler.backends.native.context import Context

_I64 = ctypes.c_longlong
_HOST = ctypes.PYFUNCTYPE(_I64, _I64, _I64, _I64, ctypes.POINTER(_I64))
NOBODY = _HOST()
#: What the callback answers if the host raised something.
_RAISED = -2


class Ear:
    """The callback of one context. `host`: who listens now. `words`: a state that is a list, which is to be as the
    library has it at each moment that he is told of; None of a packed one, on which the library works itself."""

    def __init__(self, here: Context) -> None:
        self.here = here
        self.host: Host | None = None
        self.words: list[int] | None = None
        self.call = _HOST(self.tell)

    def listen(self, host: Host | None, words: list[int] | None) -> tuple[Host | None, list[int] | None]:
        """Who listens from now on; answers who did before."""
        before = self.host, self.words
        self.host, self.words = host, words
        return before

    def tell(self, kind: int, number: int, count: int, args: Any) -> int:
        host = self.host
        try:
            assert host is not None
            if kind == DIE:
                value = host.die(number)
                return ROLL if value < 0 else value
            if self.words is not None:
                self.here.leave(self.words)
            if kind == CLOSE:
                host.close()
            elif kind == OPEN:
                host.open(number, tuple(args[:count]))
            elif kind == LINE:
                host.line(number, tuple(args[:count]))
            elif kind == SETTLE:
                host.settle()
            elif kind == CURTAIN:
                host.curtain()
            else:
                host.curtain_end()
        except BaseException as problem:  # it goes on above the library
            self.here.raised = problem
            return _RAISED
        return 0
