"""Scenarios run from the editor, what failed as remarks at its line; and what may be run or looked at where."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.navigation import OutlineSymbol, document_outline, hooks_of
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span
from rulelang.base.wording import counted
from rulelang.compiler.compilation import Compilation
from rulelang.data.folders import with_unsaved_texts
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.lazy_fixture import LazyFixture
from rulelang.testing.scenarios.run import Runner, own_layers
from rulelang.testing.scenarios.scenario import Failure, Outcome, Scenario, read_scenarios, with_counts


@dataclass(frozen=True, slots=True)
class ScenarioLens:
    """Something to click at a place: `scenario` to be run (empty: all of the file), or its position `played` on from,
    or `places` to be shown."""

    span: Span
    title: str
    scenario: str | None = None
    places: tuple[Span, ...] = ()
    played: bool = False


def scenario_lenses(analysis: Analysis | None, path: str, text: str) -> Iterator[ScenarioLens]:
    """Scenarios to run, and hooks of what is declared here."""
    found = [*_scenario_lenses(document_outline(path, text))]
    if found:
        yield ScenarioLens(
            found[0].place._replace(line=1, column=1, end_line=1, end_column=1), f"Run all {len(found)}", ""
        )
    for item in found:
        yield ScenarioLens(item.place, "Run", item.name)
        yield ScenarioLens(item.place, "Play from this position", item.name, played=True)
    if analysis is None:
        return
    for named in index_of(analysis).by_file.get(path, ()):
        if named.declares and named.thing.what in ("value", "routine", "phase", "action"):
            hooks = hooks_of(analysis, named.thing)
            if hooks:
                yield ScenarioLens(named.span, counted(len(hooks), "hook"), None, tuple(hooks))


def _scenario_lenses(symbols: list[OutlineSymbol]) -> Iterator[OutlineSymbol]:
    for symbol in symbols:
        if symbol.what == "scenario":
            yield symbol
        yield from _scenario_lenses(symbol.parts)


def own_scenarios(analysis: Analysis) -> list[Scenario]:
    """The scenarios of the ruleset or mod itself, by file; those of a game below are not its own."""
    with with_unsaved_texts(analysis.held):
        found, _ = read_scenarios(analysis.source, analysis.compilation.memo)
    own = own_layers(analysis.source)
    return [scenario for scenario in found if scenario.layer in own]


def run_scenarios(analysis: Analysis, path: str, names: Collection[str] = ()) -> list[Outcome]:
    """What came of some scenarios of a file, or of all of them (no names)."""
    with (
        analysis.playing,
        with_unsaved_texts(analysis.held),
    ):  # a request at a time: what one compiles, the next one finds
        runner = _AnalysisRunner(analysis)
        wanted = [s for s in runner.scenarios if absolute(s.path) == path and (not names or s.name in names)]
        runner.scenarios = wanted  # what the others ask needs no compiling
        return [runner.run(scenario) for scenario in wanted]


class _AnalysisRunner(Runner):
    """A runner over what was read and checked already, which keeps what it compiled of tables with it."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        super().__init__(analysis.where, (), analysis.compilation.mode, memo=analysis.compilation.memo)

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        own = self.analysis.compilation
        if mods or mode != own.mode:
            return LazyFixture(Compilation(self.where, mods, mode, self.memo))
        kept = self.analysis.kept.get("fixture")
        if not isinstance(kept, Fixture):
            kept = self.analysis.kept["fixture"] = LazyFixture(own)
        return kept


def play_command(analysis: Analysis, path: str, name: str) -> list[str]:
    """The command that plays on from a scenario's position in a terminal, word for word."""
    found = [one for one in own_scenarios(analysis) if absolute(one.path) == path and one.name == name]
    mode = analysis.compilation.mode
    own_mode = any(one.mode is not None for one in found)
    return [
        *("rulelang", "play", absolute(analysis.where)),
        *("--from", found[0].id if found else name),
        *(("--mode", mode) if mode and not own_mode else ()),
    ]


def command_line(command: Sequence[str]) -> str:
    """A command as it is typed into a shell."""
    return shlex.join(command)


def failure_diagnostics(outcomes: list[Outcome]) -> list[Diagnostic]:
    """Return what failed, at the lines that it failed at; what several scenarios share once, with their number."""
    found: list[Diagnostic] = []
    for outcome in with_counts(outcomes):
        found += outcome.mistakes
        for failure in outcome.failures:
            found.append(
                Diagnostic(
                    _FAILURE_CODE,
                    failure.span,
                    f"{failure.message}{_difference_text(failure)}",
                    "\n".join(failure.notes),
                )
            )
            if failure.diagnostic is not None:
                found.append(failure.diagnostic)
    return list(dict.fromkeys(found))


#: What failed in a scenario has no page of its own.
_FAILURE_CODE = "scenario"


def _difference_text(failure: Failure) -> str:
    expected = [f"expected: {line}" for line in failure.expected]
    return "".join(f"\n{line}" for line in (*expected, *(f"found: {line}" for line in failure.found)))


def outcome_summary(outcomes: list[Outcome]) -> str:
    """In a line, how they came out."""
    passed = sum(outcome.passed for outcome in outcomes)
    if not outcomes:
        return "this scenario does not exist"
    if passed == len(outcomes):
        return f"{counted(passed, 'scenario')} passed"
    failed = [outcome.scenario.name for outcome in outcomes if not outcome.passed]
    return f"{len(failed)} of {counted(len(outcomes), 'scenario')} failed: {', '.join(failed[:3])}"
