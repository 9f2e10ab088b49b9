"""Scenarios that are run again and again, while somebody edits: only those that an edit can have changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rulelang.base.memo import Memo
from rulelang.compile import Compilation, digest
from rulelang.data.records import RulesetSource
from rulelang.scenarios.fixture import Fixture
from rulelang.scenarios.records import Report, Scenario
from rulelang.scenarios.run import Runner, Watch, targets, wanted


@dataclass(frozen=True, slots=True)
class Rerun:
    """What came of those that were run. `spared`: so many passed the last time, and nothing of theirs has changed."""

    report: Report
    spared: int


class Again:
    """The scenarios of one path, as `run_path` has them. What was read and parsed is kept from one run to the next."""

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
        self._passed: dict[tuple[str, str], str] = {}  # by ruleset and scenario: all that it depends on

    def run(self, changed: Collection[Path] = (), watch: Watch | None = None) -> Rerun:
        """Run what may come out otherwise than the last time. First what stands in `changed` files (resolved paths),
        then the rest; `watch` sees each outcome as it comes."""
        began = perf_counter()
        report = Report((), ())
        spared = 0
        roots: dict[str, None] = {}
        for where, only in targets(self.path):
            memo = self._memos.setdefault(str(where), Memo())
            memo.turn()
            runner = _Keeping(where, self.mods, self.mode, backend=self.backend, memo=memo)
            roots |= dict.fromkeys(runner.fixture.compilation.checked.roots)
            mine = [one for one in runner.scenarios if wanted(one, only, self.pattern)]
            state = _state(runner.fixture.compilation.source) if mine else ""
            outcomes = []
            for scenario in sorted(mine, key=lambda one: Path(one.path).resolve() not in changed):
                key, now = (str(where), scenario.id), f"{state} {_text(scenario)}"
                if self._passed.get(key) == now and not scenario.mods:
                    spared += 1
                    continue
                outcome = runner.run(scenario)
                outcomes.append(outcome)
                self._passed.pop(key, None)
                if outcome.passed and not outcome.mistakes:
                    self._passed[key] = now
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


class _Keeping(Runner):
    """A runner whose rulesets are read with a memo."""

    def __init__(
        self, where: str | Path, mods: Sequence[str | Path], mode: str | None, *, backend: str, memo: Memo
    ) -> None:
        self.memo = memo
        super().__init__(where, mods, mode, backend=backend)

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        return Fixture(Compilation(self.where, mods, mode, self.memo))


def _state(source: RulesetSource) -> str:
    """Changes with all that scenarios depend on but themselves: not with lines that move, nor with other scenarios."""
    traits = [[(key.text, node.plain()) for key, node in t.node if key.text != "scenarios"] for t in source.traits]
    rules = [(text.text, text.layer, text.owner) for text in source.rules]
    layers = [(layer.kind, layer.id, layer.version) for layer in source.layers]
    return digest(source.tree.plain(), traits, rules, layers, source.manifest.plain())


def _text(scenario: Scenario) -> str:
    """What a scenario says, wherever it stands."""
    settings = [(word.text, node.plain()) for word, node in scenario.options]
    mode = scenario.mode.text if scenario.mode else None
    return digest(scenario.node.plain(), settings, mode, [row.plain() for row in scenario.rows])
