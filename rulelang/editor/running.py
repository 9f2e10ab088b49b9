"""Scenarios run from the editor, what failed as remarks at its line; and what may be run or looked at where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.english import counted
from rulelang.base.source import Span
from rulelang.data.overlay import overlaid
from rulelang.editor.analysis import Analysis, absolute
from rulelang.editor.index import index_of
from rulelang.editor.navigating import hooks_of
from rulelang.editor.outline import Symbol, outline
from rulelang.scenarios.records import Failure, Outcome
from rulelang.scenarios.run import Runner


@dataclass(frozen=True, slots=True)
class Lens:
    """Something to click at a place: `scenario` to be run (empty: all of the file), or `places` to be shown."""

    span: Span
    title: str
    scenario: str | None = None
    places: tuple[Span, ...] = ()


def lenses(analysis: Analysis | None, path: str, text: str) -> Iterator[Lens]:
    """Scenarios to run, and hooks of what is declared here."""
    found = [*_scenarios(outline(path, text))]
    if found:
        yield Lens(found[0].place._replace(line=1, column=1, end_line=1, end_column=1), f"Run all {len(found)}", "")
    for item in found:
        yield Lens(item.place, "Run", item.name)
    if analysis is None:
        return
    for named in index_of(analysis).by_file.get(path, ()):
        if named.declares and named.thing.what in ("value", "routine", "phase", "action"):
            hooks = hooks_of(analysis, named.thing)
            if hooks:
                yield Lens(named.span, counted(len(hooks), "hook"), None, tuple(hooks))


def _scenarios(symbols: list[Symbol]) -> Iterator[Symbol]:
    for symbol in symbols:
        if symbol.what == "scenario":
            yield symbol
        yield from _scenarios(symbol.parts)


def run(analysis: Analysis, path: str, name: str) -> list[Outcome]:
    """What came of a scenario of a file, or of all of them (no name)."""
    with overlaid(analysis.held):
        runner = Runner(analysis.where, (), analysis.compilation.mode)
        wanted = [s for s in runner.scenarios if absolute(s.path) == path and name in ("", s.name)]
        return [runner.run(scenario) for scenario in wanted]


def told(outcomes: list[Outcome]) -> list[Diagnostic]:
    """What failed, at the lines that it failed at."""
    found: list[Diagnostic] = []
    for outcome in outcomes:
        found += outcome.mistakes
        for failure in outcome.failures:
            found.append(
                Diagnostic(_CODE, failure.span, f"{failure.message}{_difference(failure)}", "\n".join(failure.notes))
            )
            if failure.diagnostic is not None:
                found.append(failure.diagnostic)
    return found


#: What failed in a scenario has no page of its own.
_CODE = "scenario"


def _difference(failure: Failure) -> str:
    expected = [f"expected: {line}" for line in failure.expected]
    return "".join(f"\n{line}" for line in (*expected, *(f"found: {line}" for line in failure.found)))


def summary(outcomes: list[Outcome]) -> str:
    """In a line, how they came out."""
    passed = sum(outcome.passed for outcome in outcomes)
    if not outcomes:
        return "there is no such scenario"
    if passed == len(outcomes):
        return f"{counted(passed, 'scenario')} passed"
    failed = [outcome.scenario.name for outcome in outcomes if not outcome.passed]
    return f"{len(failed)} of {counted(len(outcomes), 'scenario')} failed: {', '.join(failed[:3])}"
