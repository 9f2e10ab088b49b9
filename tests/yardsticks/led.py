"""A yardstick in C that is led by a compiled game, which chooses and draws for it."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.plain_c import FOLDER
from rulelang.compiler.backends.native.build import available_compilers
from tests.yardsticks.compiled import PLAYERS, Act, Compiled

ASK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
LARGEST = 4096  # words that a table tells


def built(name: str, folder: Path) -> ctypes.CDLL:
    """The yardstick as a library that follows."""
    made = folder / f"{name}.so"
    source = Path(__file__).parent / f"follow_{name}.c"
    subprocess.run([*available_compilers()[0].command, "-I", str(FOLDER), "-o", str(made), str(source)], check=True)
    return ctypes.CDLL(str(made))


class Led:
    """One game of it. It names its options only by their order, so they are compared in number; what each does shows
    in the position at the next decision."""

    def __init__(self, library: ctypes.CDLL, leader: Compiled) -> None:
        self.library, self.leader = library, leader

    def position(self) -> Any:
        """In the words of the leader. Keeps whatever `order` asks for."""
        raise NotImplementedError

    def order(self, act: Act) -> Any:
        """Options stand in the order of these."""
        raise NotImplementedError

    def ordered(self, acts: Sequence[Act]) -> list[Act]:
        """As the options stand that do them."""
        return sorted(acts, key=self.order)

    def drawn(self, seat: int) -> int:
        """The card that a seat draws, in the numbers of the yardstick."""
        raise NotImplementedError

    def told(self) -> Sequence[int]:
        found = (ctypes.c_int * LARGEST)()
        return found[: self.library.tell(found)]

    def play(self, first: int) -> None:
        failed: list[BaseException] = []

        def guarded(answer: Callable[[int], int]) -> Callable[[int], int]:
            def answered(asked: int) -> int:
                try:
                    return answer(asked) if not failed else 0
                except BaseException as error:  # C would swallow it
                    failed.append(error)
                    return 0

            return answered

        totals = (ctypes.c_int * (2 + PLAYERS))()
        self.library.follow(first, ASK(guarded(self.asked)), ASK(guarded(self.drawn)), totals)
        if failed:
            raise failed[0]
        decisions, rounds, *scores = totals
        self.leader.ends(scores, rounds, decisions)

    def asked(self, count: int) -> int:
        position = self.position()
        acts = self.ordered([self.leader.act(option) for option in self.leader.state.decision.options])
        return acts.index(self.leader.ask(position, count=count))
