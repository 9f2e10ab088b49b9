"""A whole game on the reference interpreter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulelang.semantics import tree
from rulelang.semantics.model import Model
from rulelang.semantics.walk import walk
from tests.reference.events import Events
from tests.reference.options import Question, Run
from tests.reference.scope import Scope
from tests.reference.seeking import Leads
from tests.reference.world import World


class Reference(Events):
    """`begin` and `answer` run to the next question, which is None once the game is over."""

    def __init__(self, model: Model, program: tree.Program, players: int, options: Mapping[str, int],
                 slots: Mapping[str, int], seed: tuple[int, int]) -> None:  # fmt: skip
        super().__init__(World(model, players, options, slots), program)
        self.world.x, self.world.c = seed
        self.dice = []
        self.stepping = False
        self.removes = {n.kind for n in walk([list(program.routines.values()), list(program.actions.values()),
                                              program.triggers]) if isinstance(n, tree.Remove)}  # fmt: skip
        self.leads = Leads(program)
        self.runs: list[Run] = []
        self.questions: list[Question | None] = []

    def begin(self) -> Question | None:
        return self.enter(self.flow())

    def flow(self) -> Run:
        assert self.program.game is not None
        yield from self.block(self.program.game.body, Scope(game=True, speaks=self.speaks_of_things()))

    def speaks_of_things(self) -> bool:
        """Whether a variable in the block of the game does."""
        assert self.program.game is not None
        bound = [n.local for n in walk(self.program.game.body) if isinstance(n, tree.Let | tree.Create | tree.Binder)]
        return any(local is not None and local.type.name in self.world.model.made for local in bound)

    def enter(self, run: Run) -> Question | None:
        self.runs.append(run)
        self.questions.append(None)
        return self.go(None)

    def answer(self, number: int) -> Question | None:
        return self.go(number)

    def go(self, answer: Any) -> Question | None:
        """Runs on; when a call of a routine has ended, what was asked before it is asked again."""
        while self.runs:
            try:
                self.questions[-1] = self.runs[-1].send(answer)
                return self.questions[-1]
            except StopIteration:
                self.runs.pop()
                self.questions.pop()
                question = self.questions[-1] if self.runs else None
                if question is not None:
                    question.options = question.again()
                return question
        return None

    # ---- the end

    def score(self, seat: int) -> int:
        return int(self.call_value("score", (seat,), {}))

    def tiebreak(self, seat: int) -> Sequence[int]:
        return self.order_of(self.call_value("tiebreak", (seat,), {})) if "tiebreak" in self.program.values else ()
