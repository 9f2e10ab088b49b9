"""Run scenarios again while somebody edits: only those that an edit can have changed."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from rulelang.base.disk_cache import digest
from rulelang.base.limits import garbage_collection_paused
from rulelang.base.memo import Memo
from rulelang.compiler.backends.python.on_demand import OnDemandProgram
from rulelang.compiler.ir.dump import Fingerprints
from rulelang.compiler.lower.table import QUESTION_PREFIX, LoweredTable
from rulelang.data.ruleset_source import RulesetSource
from rulelang.language.semantics import tree
from rulelang.testing.scenarios.checking import RulesetFacts, is_unaffected, kept_facts
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.run import Ready, Runner, Watch, is_wanted, test_targets
from rulelang.testing.scenarios.scenario import Outcome, Report, Scenario

# ---- traces of runs

#: An expression of a scenario, with the names in it.
Question = tuple[tree.Expr, tuple[tree.Local, ...]]


@dataclass(frozen=True, slots=True)
class Trace:
    """Of a scenario that passed. `table`: players and options; `whole`, `functions`, `answers`: likenesses of its table
    as a whole, of the functions that ran, and of those that answered its expressions."""

    facts: RulesetFacts
    table: tuple[int, Mapping[str, int]]
    whole: str
    functions: Mapping[str, str]
    questions: tuple[Question, ...]
    answers: tuple[str, ...]


class TracingRunner(Runner):
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
            if not is_unaffected(trace.facts, facts, scenario, self.memo):
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


# ---- incremental runs

#: A text in quotes, which stays; or a remark.
_REMARK = re.compile(r'("[^"]*")|#[^\n]*')


@dataclass(frozen=True, slots=True)
class Rerun:
    """What came of those that were run. `spared`: so many passed the last time, and nothing of theirs has changed."""

    report: Report
    spared: int


class IncrementalRun:
    """The scenarios of one path, as `run_path` has them. What was read and parsed is kept from one run to the next, and
    what runs hung on: those that would go as they went are not run."""

    def __init__(
        self,
        path: str | Path,
        pattern: str | None = None,
        *,
        mods: Sequence[str | Path] = (),
        mode: str | None = None,
        backend: str = "python",
    ) -> None:
        self.path, self.pattern, self.mods, self.mode, self.backend = path, pattern, tuple(mods), mode, backend
        self.roots: tuple[str, ...] = ()
        self._memos: dict[str, Memo] = {}
        self._passed: dict[tuple[str, str], _Passed] = {}  # by ruleset and scenario
        self._failed: set[tuple[str, str]] = set()

    def run(self, changed: Collection[Path] = (), watch: Watch | None = None) -> Rerun:
        """Run what may come out otherwise than the last time. `watch` sees each outcome as it comes: what stands in
        `changed` files (resolved paths) first, then what failed, what names a trait of these files, and the rest."""
        with garbage_collection_paused():
            return self._run(changed, watch)

    def _run(self, changed: Collection[Path], watch: Watch | None) -> Rerun:
        began = perf_counter()
        report = Report((), ())
        spared = 0
        roots: dict[str, None] = {}
        for where, only in test_targets(self.path):
            memo = self._memos.setdefault(str(where), Memo())
            memo.turn()
            runner = TracingRunner(where, self.mods, self.mode, backend=self.backend, memo=memo)
            roots |= dict.fromkeys(runner.fixture.compilation.checked.roots)
            mine = [one for one in runner.scenarios if is_wanted(one, only, self.pattern)]
            state = _surroundings_key(runner.fixture.compilation.source) if mine else ""
            due = {one.id: (_scenario_text(one), state) for one in mine}
            before = {one.id: self._passed.get((str(where), one.id)) for one in mine}
            # What a mode or mods of its own bring is not in the state of the ruleset.
            waiting = [one for one in mine if one.mods or one.mode or not _is_unchanged(before[one.id], due[one.id])]
            spared += len(mine) - len(waiting)
            outcomes = []
            for batch in self._in_order(runner, waiting, changed, str(where)):
                traced = ((one, before[one.id]) for one in batch)
                holding = runner.holding(
                    (one, known.trace)
                    for one, known in traced
                    if known is not None and known.trace is not None and known.text == due[one.id][0]
                )
                for one in batch:
                    if one.id in holding:
                        self._passed[str(where), one.id] = _Passed(*due[one.id], holding[one.id])
                spared += len(holding)
                left = [one for one in batch if one.id not in holding]
                for some in (left[:1], left[1:]):  # for the first one somebody waits
                    for scenario in some:
                        outcome, trace = runner.traced(scenario, some)
                        outcomes.append(outcome)
                        key = str(where), scenario.id
                        self._passed.pop(key, None)
                        self._failed.discard(key)
                        if outcome.passed and not outcome.mistakes:
                            self._passed[key] = _Passed(*due[scenario.id], trace)
                        else:
                            self._failed.add(key)
                        if watch is not None:
                            watch(outcome)
            report = Report(
                (*report.outcomes, *outcomes),
                (*report.mistakes, *runner.diagnostics),
                {**report.sources, **runner.sources},
                perf_counter() - began,
            )
        self.roots = tuple(roots) or self.roots
        return Rerun(report, spared)

    def _in_order(
        self, runner: Runner, waiting: Sequence[Scenario], changed: Collection[Path], where: str
    ) -> Iterator[list[Scenario]]:
        """Scenarios in batches, the first of which somebody waits for. Those at one table stand together: none of them
        is played before it is compiled."""
        names = [t.id for t in runner.fixture.compilation.source.traits if Path(t.path).resolve() in changed]
        naming = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b") if names else None

        def urgency(one: Scenario) -> int:
            if Path(one.path).resolve() in changed:
                return 0
            if (where, one.id) in self._failed:
                return 1
            return 2 if naming is not None and naming.search(str(one.node.plain())) else 3

        groups: dict[Hashable, list[Scenario]] = {}
        for one in waiting:
            groups.setdefault(runner.group(one), []).append(one)
        urgent = {one.id: urgency(one) for one in waiting}
        for group in sorted(groups.values(), key=lambda some: (min(urgent[one.id] for one in some), -len(some))):
            first = sorted((one for one in group if urgent[one.id] < 3), key=lambda one: urgent[one.id])
            if first:
                yield first
        for group in sorted(groups.values(), key=lambda some: (min(urgent[one.id] for one in some), -len(some))):
            yield [one for one in group if urgent[one.id] == 3]


@dataclass(frozen=True, slots=True)
class _Passed:
    """A scenario that passed: its text, and the state of all else that it depends on; what its run hung on."""

    text: str
    state: str
    trace: Trace | None


def _is_unchanged(passed: _Passed | None, due: tuple[str, str]) -> bool:
    return passed is not None and (passed.text, passed.state) == due


def _surroundings_key(source: RulesetSource) -> str:
    """Changes with all that scenarios depend on but themselves: not with lines that move, remarks, nor with other
    scenarios."""
    traits = [
        [(key.text, node.plain()) for key, node in t.node if key.text not in ("scenarios", "rules")]
        for t in source.traits
    ]
    rules = [(_code_text(text.text), text.layer, text.owner) for text in source.rules]
    layers = [(layer.kind, layer.id, layer.version) for layer in source.layers]
    return digest(source.tree.plain(), traits, rules, layers, source.manifest.plain())


def _code_text(rules: str) -> str:
    """A text of rules without its remarks and empty lines."""
    bare = _REMARK.sub(lambda found: found[1] or "", rules)
    return "\n".join(line.rstrip() for line in bare.splitlines() if line.strip())


def _scenario_text(scenario: Scenario) -> str:
    """What a scenario says, wherever it stands."""
    settings = [(word.text, node.plain()) for word, node in scenario.options]
    mode = scenario.mode.text if scenario.mode else None
    return digest(scenario.node.plain(), settings, mode, [row.plain() for row in scenario.rows])
