"""A whole game on the reference interpreter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.tree import walk
from tests.reference.events import Events
from tests.reference.options import Question, Run
from tests.reference.world import Scope


class Reference(Events):
    """`begin` and `answer` run to the next question, which is None once the game is over."""

    def __init__(self, model: Model, program: tree.Program, players: int, options: Mapping[str, int],
                 slots: Mapping[str, int], seed: tuple[int, int]) -> None:  # fmt: skip
        super().__init__(model, players, options, slots)
        self.ready(program)
        self.x, self.c = seed
        self.dice, self.stepping = [], 0
        rules = [program.routines.values(), program.actions.values(), program.triggers]
        self.removing = any(isinstance(n, tree.Remove) for some in rules for n in walk(list(some)))
        self.runs: list[Run] = []
        self.questions: list[Question | None] = []

    def begin(self) -> Question | None:
        game = self.program.game
        assert game is not None
        bound = [n.local for n in walk(game.body) if isinstance(n, tree.Let | tree.Create | tree.Binder)]
        kinds = frozenset(local.type.name for local in bound if local is not None)
        return self.enter(self.block(game.body, Scope(game=True, kinds=kinds)))

    # ---- what a position comes to

    def score(self, seat: int) -> int:
        return int(self.call_value("score", (seat,), {}))

    def tiebreak(self, seat: int) -> tuple[int, ...]:
        return self.order_of(self.call_value("tiebreak", (seat,), {})) if "tiebreak" in self.program.values else ()

    def broken(self) -> list[tree.Invariant]:
        """The invariants that do not hold."""
        return [one for one in self.program.invariants.values() if not self.cond(one.body, Scope())]

    # ---- questions

    def enter(self, run: Run) -> Question | None:
        self.runs.append(run)
        self.questions.append(None)
        return self.answer(None)

    def answer(self, number: Any) -> Question | None:
        """Runs on; when a call of a routine has ended, what was asked before it is asked again."""
        try:
            self.questions[-1] = self.runs[-1].send(number)
        except StopIteration:
            self.runs.pop()
            self.questions.pop()
            if self.questions and self.questions[-1] is not None:
                self.questions[-1].options = self.questions[-1].again()
        return self.questions[-1] if self.questions else None
