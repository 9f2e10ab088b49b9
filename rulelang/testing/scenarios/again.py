"""Scenarios that are run again and again, while somebody edits: only those that an edit can have changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rulelang.base.disk_cache import digest
from rulelang.base.limits import garbage_collection_paused
from rulelang.base.memo import Memo
from rulelang.data.ruleset_source import RulesetSource
from rulelang.testing.scenarios.records import Report, Scenario
from rulelang.testing.scenarios.run import Runner, Watch, targets, wanted
from rulelang.testing.scenarios.traces import Trace, Tracing

#: A text in quotes, which stays; or a remark.
_REMARK = re.compile(r'("[^"]*")|#[^\n]*')


@dataclass(frozen=True, slots=True)
class Rerun:
    """What came of those that were run. `spared`: so many passed the last time, and nothing of theirs has changed."""

    report: Report
    spared: int


class Again:
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
        for where, only in targets(self.path):
            memo = self._memos.setdefault(str(where), Memo())
            memo.turn()
            runner = Tracing(where, self.mods, self.mode, backend=self.backend, memo=memo)
            roots |= dict.fromkeys(runner.fixture.compilation.checked.roots)
            mine = [one for one in runner.scenarios if wanted(one, only, self.pattern)]
            state = _state(runner.fixture.compilation.source) if mine else ""
            due = {one.id: (_text(one), state) for one in mine}
            before = {one.id: self._passed.get((str(where), one.id)) for one in mine}
            # What a mode or mods of its own bring is not in the state of the ruleset.
            waiting = [one for one in mine if one.mods or one.mode or not _same(before[one.id], due[one.id])]
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


def _same(passed: _Passed | None, due: tuple[str, str]) -> bool:
    return passed is not None and (passed.text, passed.state) == due


def _state(source: RulesetSource) -> str:
    """Changes with all that scenarios depend on but themselves: not with lines that move, remarks, nor with other
    scenarios."""
    traits = [
        [(key.text, node.plain()) for key, node in t.node if key.text not in ("scenarios", "rules")]
        for t in source.traits
    ]
    rules = [(_said(text.text), text.layer, text.owner) for text in source.rules]
    layers = [(layer.kind, layer.id, layer.version) for layer in source.layers]
    return digest(source.tree.plain(), traits, rules, layers, source.manifest.plain())


def _said(rules: str) -> str:
    """A text of rules without its remarks and empty lines."""
    bare = _REMARK.sub(lambda found: found[1] or "", rules)
    return "\n".join(line.rstrip() for line in bare.splitlines() if line.strip())


def _text(scenario: Scenario) -> str:
    """What a scenario says, wherever it stands."""
    settings = [(word.text, node.plain()) for word, node in scenario.options]
    mode = scenario.mode.text if scenario.mode else None
    return digest(scenario.node.plain(), settings, mode, [row.plain() for row in scenario.rows])
