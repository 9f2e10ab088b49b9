"""What runs of scenarios hung on: the functions of their tables that they met. Where these are as they were, a run
would go as it went, and need not be done again."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulelang.base.memo import Memo
from rulelang.compiler.backends.python.on_demand import OnDemandProgram
from rulelang.compiler.ir.dump import Fingerprints
from rulelang.compiler.lower.table import QUESTION_PREFIX, LoweredTable
from rulelang.language.semantics import tree
from rulelang.testing.scenarios.facts import Facts, kept_facts, unconcerned
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.records import Outcome, Scenario
from rulelang.testing.scenarios.run import Ready, Runner

#: An expression of a scenario, with the names in it.
Question = tuple[tree.Expr, tuple[tree.Local, ...]]


@dataclass(frozen=True, slots=True)
class Trace:
    """Of a scenario that passed. `table`: players and options; `whole`, `functions`, `answers`: likenesses of its table
    as a whole, of the functions that ran, and of those that answered its expressions."""

    facts: Facts
    table: tuple[int, Mapping[str, int]]
    whole: str
    functions: Mapping[str, str]
    questions: tuple[Question, ...]
    answers: tuple[str, ...]


class Tracing(Runner):
    """A runner that reads rulesets with a memo, and knows what was run of a table.

    Programs of other backends than Python leave no traces.
    """

    def __init__(
        self, where: str | Path, mods: Sequence[str | Path], mode: str | None, *, backend: str, memo: Memo
    ) -> None:
        self._likenesses: dict[int, tuple[LoweredTable, _Table]] = {}  # by identity
        super().__init__(where, mods, mode, backend=backend, memo=memo)

    def traced(self, scenario: Scenario, others: Sequence[Scenario]) -> tuple[Outcome, Trace | None]:
        """Run a scenario; its trace, if it passed without a word and its program leaves any."""
        ready = self.ready(scenario)
        if not isinstance(ready, Ready):
            return ready, None
        answers = self._answers_for(ready, others)
        programs = [
            program for program in (ready.table.program, answers.program) if isinstance(program, OnDemandProgram)
        ]
        for program in programs:
            program.forget()
        outcome = self.run(scenario, others)
        if len(programs) < 2 or not outcome.passed or outcome.mistakes:
            return outcome, None
        table = ready.table.players, ready.table.options
        known = self._known(self.fixture_of(scenario), table)
        assert known is not None  # it was played at
        questions = tuple(
            dict.fromkeys((e, formula.names) for formula in ready.formulas() for e in formula.expressions())
        )
        asked = tuple(
            known.likeness.of_question(answers.functions[question], QUESTION_PREFIX) for question in questions
        )
        ran = set[str]().union(*(program.called for program in programs))
        mine = known.lowered.module.functions
        functions = {
            name: known.likeness.of(name) for name in sorted(ran) if name in mine or QUESTION_PREFIX not in name
        }
        facts = kept_facts(self.fixture_of(scenario), self.memo)
        return outcome, Trace(facts, table, known.whole, functions, questions, asked)

    def holding(self, traces: Iterable[tuple[Scenario, Trace]]) -> dict[str, Trace]:
        """Those of some scenarios' traces that hold for the rules as they are now, by scenario."""
        found: list[tuple[Scenario, Trace, _Table]] = []
        for scenario, trace in traces:
            fixture = self.fixture_of(scenario)
            if not self.usable(fixture):
                continue
            facts = kept_facts(fixture, self.memo)
            if not unconcerned(trace.facts, facts, scenario, self.memo):
                continue
            table = self._known(fixture, trace.table)
            if table is not None and trace.whole == table.whole and table.game_alike(trace.functions):
                found.append((scenario, replace(trace, facts=facts), table))
        for table in {id(table): table for _, _, table in found}.values():
            table.ask(question for _, trace, its in found if its is table for question in trace.questions)
        return {
            scenario.id: trace
            for scenario, trace, table in found
            if table.alike(trace.functions) and trace.answers == tuple(map(table.answer, trace.questions))
        }

    def _known(self, fixture: Fixture, table: tuple[int, Mapping[str, int]]) -> _Table | None:
        whole, _ = fixture.compilation.whole(*table)
        if whole is None:
            return None
        if id(whole) not in self._likenesses:
            self._likenesses[id(whole)] = whole, _Table(whole)
        return self._likenesses[id(whole)][1]


class _Table:
    """One lowered table, and what its functions are like: those that only questions call, too."""

    def __init__(self, whole: LoweredTable) -> None:
        self.lowered = whole
        module, low = whole.module, whole.low
        more = replace(
            module, tables=low.tables, rows=low.rows, sites=low.sites, templates=low.templates, reasons=low.reasons
        )
        self.likeness = Fingerprints(more, ChainMap(module.functions, low.functions))
        self.whole = Fingerprints(module).whole()
        self._asked: dict[Question, str] = {}

    def ask(self, questions: Iterable[Question]) -> None:
        """Lower questions, so that it is known what answers them."""
        fresh = [question for question in dict.fromkeys(questions) if question not in self._asked]
        if fresh:
            _, names = self.lowered.ask(fresh)
            self._asked |= dict(zip(fresh, names, strict=True))

    def answer(self, question: Question) -> str:
        """What the function is like that answers a question that was asked."""
        return self.likeness.of_question(self._asked[question], QUESTION_PREFIX)

    def alike(self, functions: Mapping[str, str]) -> bool:
        """Whether functions are as they were."""
        return all(self.likeness.of(name) == was for name, was in functions.items())

    def game_alike(self, functions: Mapping[str, str]) -> bool:
        """The same of those that the game itself calls: what only questions call may not be lowered yet."""
        mine = self.lowered.module.functions
        return self.alike({name: was for name, was in functions.items() if name in mine})
