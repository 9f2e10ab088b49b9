"""A module in JavaScript becomes an engine program: what `engine.program.LinkedProgram` asks for, by a Node process.

Each call sends the words and takes them back, so a state stays a list of integers. It is not fast; it is how scenarios
and differential tests run what a page would.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, cast

from rulelang.backends.javascript.emit import Emitted
from rulelang.backends.javascript.node import Message, Node, running
from rulelang.backends.program import Program
from rulelang.backends.words import own_words, packed
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.base.source import NOWHERE, Span
from rulelang.engine.program import ROLL, Host, OptionTuple
from rulelang.engine.watch import MOST, broken
from rulelang.ir import nodes as ir
from rulelang.transform.abstract.possible_values import Possible


class JavaScriptProgram(Program):
    """One program for one table. It keeps nothing of a game: all is in `S`. Threads take turns. `guarded`: every
    address is tested that it goes to, for words that may be none of a game."""

    def __init__(
        self, emitted: Emitted, module: ir.Module, known: Callable[[], Possible] | None = None, guarded: bool = False
    ) -> None:
        super().__init__(module, emitted.link_info.standings, known)
        self.source, self.info, self.guarded = emitted.source, emitted.link_info, guarded
        self.watched: tuple[int, bool] = (MOST, False)
        self.home: tuple[Node, int] | None = None
        self.at_home()

    def at_home(self) -> tuple[Node, int]:
        """The process that has the program, and its number there; another one is given it first."""
        node = running()
        if self.home is None or self.home[0] is not node:
            number = node.ask({"do": "load", "text": self.source})[0]["found"]
            self.home = node, number
            most, invariants = self.watched
            node.ask({"do": "watch", "program": number, "most": most, "invariants": invariants})
        return self.home

    def pack(self, S: list[int]) -> list[int]:
        """An array, whose bytes are sent as they are."""
        return cast("list[int]", packed(S))

    # ---- playing

    def begin(self, S: list[int], host: Host | None) -> list[OptionTuple] | None:
        return _options(self.play(S, host, "begin"))

    def resume(self, S: list[int], host: Host | None, option: OptionTuple) -> list[OptionTuple] | None:
        return _options(self.play(S, host, "resume", option=option))

    def options(self, S: list[int]) -> list[OptionTuple] | None:
        return _options(self.ask(S, "options")) if S[self.cells.frame] else None

    def call(self, S: list[int], host: Host | None, routine: str, args: Sequence[int]) -> list[OptionTuple] | None:
        """As `backends.python.link.PythonProgram.call`."""
        if routine not in self.module.callable:
            raise KeyError(routine)
        return _options(self.play(S, host, "call", name=routine, args=args))

    def playout(self, S: list[int]) -> None:
        self.play(S, None, "playout")

    def sample(self, S: list[int]) -> None:
        """A random game from its start, the same as on the other backends."""
        self.play(S, None, "sample")

    def call_plain(self, S: list[int], function: str, args: Sequence[int]) -> int:
        """Run a routine that never waits, by the name of its function, and give what it returns (0: nothing)."""
        if function not in self.info.routines:
            raise KeyError(function)
        return int(self.play(S, None, "callPlain", name=function, args=args))

    def watch(self, most: int, invariants: bool) -> None:
        self.watched = most, invariants and bool(self.module.invariants)
        self.ask(self.initial, "watch", most=most, invariants=self.watched[1])

    # ---- asking

    def why(self, S: list[int], routine: str, args: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        if routine not in self.module.why:
            raise KeyError(routine)
        return [(number, tuple(given)) for number, given in self.ask(S, "why", name=routine, args=args)]

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int:
        if function not in self.info.pure:
            raise KeyError(function)
        return int(self.ask(S, "pure", name=function, args=args))

    # ---- there and back

    def ask(self, S: list[int], what: str, **more: object) -> Any:
        """What is found out about a state, which stays as it is."""
        node, number = self.at_home()
        answer, _ = node.ask({"do": what, "program": number, "guarded": self.guarded, **more}, packed(S))
        return answer["found"] if "failed" not in answer else self.fail(answer["failed"], S)

    def play(self, S: list[int], host: Host | None, what: str, **more: object) -> Any:
        """What comes of a request that changes the state."""
        node, number = self.at_home()
        raised: list[BaseException] = []

        def hears(message: Message, words: array[int]) -> Message:
            """The host sees the words as they are at that moment."""
            _lay(S, words)
            try:
                return {"do": "go", "value": _tell(cast(Host, host), message)}
            except BaseException as problem:  # it goes on here, when Node has left the rules
                raised.append(problem)
                return {"do": "stop"}

        request = {"do": what, "program": number, "guarded": self.guarded, "hears": bool(host), **more}
        answer, words = node.ask({**request, "logs": bool(getattr(host, "enabled", True))}, packed(S), hears)
        _lay(S, words)
        if raised:
            raise raised[0]
        return answer["found"] if "failed" not in answer else self.fail(answer["failed"], S)

    def fail(self, failed: Message, S: list[int]) -> NoReturn:
        """Raise what went wrong in the rules."""
        if failed["kind"] == "refused":
            raise EnsureFailed(failed["number"], tuple(failed["args"]))
        if failed["kind"] != "rule":
            raise AssertionError(f"the JavaScript program met {failed['text']}")
        if failed["code"] == "X607":
            told = broken(self, S)  # with the values that it fails for
            if told is not None:
                raise told
        place = NOWHERE if failed["span"] is None else Span(*failed["span"])
        raise RuleError(Diagnostic(failed["code"], place, failed["text"], because=failed["because"]))


def _tell(host: Host, message: Message) -> int:
    """Tell a host what the program does, by its own names for it."""
    kind, number = message["kind"], message["number"]
    if kind == "die":
        value = host.die(number)
        return ROLL if value < 0 else value
    getattr(host, kind)(*((number, tuple(message["args"])) if kind in ("open", "line") else ()))
    return 0


def _options(found: list[list[int]] | None) -> list[OptionTuple] | None:
    return None if found is None else [tuple(option) for option in found]


def _lay(S: list[int], words: array[int]) -> None:
    own = own_words(S)
    if own is None:
        S[:] = words.tolist()
    else:
        own[:] = words
