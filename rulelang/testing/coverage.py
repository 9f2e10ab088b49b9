"""Measure which lines and branches of the rules ran, and show them as lines or as one HTML file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.errors import BadArgument
from rulelang.base.limits import garbage_collection_paused
from rulelang.base.source import Span
from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import PythonProgram, link
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.probes import FALSE, TRUE, Kind, ProbePlace, Probes, probe_table
from rulelang.compiler.lower.program_graph import ProgramGraph
from rulelang.compiler.lower.table import Config, LoweredTable, lower_table_with_questions
from rulelang.compiler.passes.checked_arithmetic import check_arithmetic
from rulelang.compiler.passes.suspension import size_control_stack
from rulelang.language.semantics import tree
from rulelang.runtime.game import Game
from rulelang.runtime.program import Backend, LinkedProgram
from rulelang.runtime.rng import Generator, game_seed
from rulelang.runtime.running import MOST_DECISIONS, watching_limits
from rulelang.runtime.table import choose_options
from rulelang.testing.scenarios.fixture import Fixture, QuestionModule
from rulelang.testing.scenarios.run import Runner

# ---- rules compiled with probes


class ProbeCounts:
    """What was noted, by place: how often it came out false and true."""

    def __init__(self) -> None:
        self.places: dict[ProbePlace, None] = {}
        self.false: Counter[ProbePlace] = Counter()
        self.true: Counter[ProbePlace] = Counter()


class _ProbeTable:
    """Stands for the table of a probe."""

    __slots__ = ("plain", "seen", "values")

    def __init__(self, place: ProbePlace, values: Sequence[int], seen: ProbeCounts) -> None:
        self.values = tuple(values)
        self.plain = place.kind == "line"
        self.seen = (seen.true, seen.true, place) if self.plain else (seen.false, seen.true, place)

    def __getitem__(self, index: int) -> int:
        self.seen[1 if index else 0][self.seen[2]] += 1  # type: ignore[index]
        return self.values[index]


class ProbedCompilation(Compilation):
    """A ruleset whose tables note in `seen` what runs. Only for one without mistakes; its tables are in Python."""

    def __init__(
        self,
        where: str | Path,
        mods: Sequence[str | Path] = (),
        mode: str | None = None,
        seen: ProbeCounts | None = None,
    ) -> None:
        super().__init__(where, mods, mode)
        self.seen = seen or ProbeCounts()

    @cached_property
    def probes(self) -> Probes:
        return Probes(self.program)

    @cached_property
    def graph(self) -> ProgramGraph:
        return ProgramGraph(self.model, self.probes.program)

    def whole(self, players: int, options: Mapping[str, int]) -> tuple[LoweredTable | None, Diagnostics]:
        key = f"{players} {sorted(options.items())}"
        if key not in self._tables:
            config = Config(players, dict(options))
            self._tables[key] = lower_table_with_questions(
                self.graph, config, self.source.sources, self.probes.dispatch
            )
        return self._tables[key]

    def link(self, players: int, options: Mapping[str, int], backend: Backend) -> LinkedProgram:
        with garbage_collection_paused():
            module, found = self.lowered(players, options)
            assert not found.failed
            check_arithmetic(module)
            size_control_stack(module)
            program = link(emit(module).source, module)
        self.note(program, module)
        return program

    def note(self, program: PythonProgram, module: ir.Module) -> None:
        """Let a program made of these rules note what runs."""
        for number, place in enumerate(self.probes.places):
            name = f"T_{probe_table(number)}"
            if name in program.names:
                program.names[name] = _ProbeTable(place, module.tables[probe_table(number)], self.seen)


class _ProbedFixture(Fixture):
    """What a claim asks runs as well."""

    def __init__(self, compilation: ProbedCompilation) -> None:
        super().__init__(compilation)
        self.probed = compilation

    def linked(self, module: ir.Module) -> QuestionModule:
        program = link(emit(module).source, module)
        self.probed.note(program, module)
        return program


class ProbedRunner(Runner):
    """Scenarios on rules with probes."""

    def __init__(self, where: str | Path, mods: Sequence[str | Path], mode: str | None, seen: ProbeCounts) -> None:
        self.seen = seen
        super().__init__(where, mods, mode, mods_too=True)

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        return _ProbedFixture(ProbedCompilation(self.where, mods, mode, self.seen))


def play_probed_games(compilation: ProbedCompilation, games: int, seed: int = 0) -> None:
    """So many random games, of all numbers of players and options by lot. RuleError as of any game."""
    summary = compilation.summary
    game = Game(summary.info, summary.players, summary.options, compilation.link)
    low, high = game.players
    for number in range(games):
        chance = Generator(game_seed(~seed, number // 4))
        players = low + chance.below(high - low + 1)
        given: dict[str, object] = {}
        for name, option in game.options.items():
            most = len(option.values) or (2 if option.switch else 0)
            given[name] = (1 + chance.below(most) if option.values else chance.below(2)) if most else option.low
        try:
            options = choose_options(game.options, players, given)
        except BadArgument:  # so many form no such teams
            options = choose_options(game.options, players, {})
        board = game.table(players, options)
        words = board.program.initial
        own = game_seed(seed, number)
        board.seed_game(words, own)
        board.seed_policy(words, own)
        with watching_limits(board.program, MOST_DECISIONS, False):
            board.program.playout(words)


# ---- what ran

#: What is missing where a condition never came out true, never false.
MISSING: Mapping[Kind, tuple[str, str]] = {
    "line": ("never ran", ""),
    "if": ("never true", "never false"),
    "where": ("never true", "never false"),
    "require": ("never passed", "never refused"),
    "rule": ("never counted", "never rejected"),
    "until": ("never true", "never false"),
}


@dataclass(frozen=True, slots=True)
class PlaceCount:
    """A place and how often it came out true (or ran) and false."""

    place: ProbePlace
    true: int
    false: int

    @property
    def asked(self) -> bool:
        return bool(self.true or self.false)

    @property
    def ways(self) -> int:
        """How many there are: two of a condition, one of what only runs."""
        return self.place.wanted.bit_count()

    @property
    def gone(self) -> int:
        """How many of them it went."""
        return (bool(self.place.wanted & TRUE) and self.true > 0) + (bool(self.place.wanted & FALSE) and self.false > 0)

    @property
    def missing(self) -> str:
        """What did not come about; "" if nothing is missing."""
        if not self.asked:
            return MISSING[self.place.kind][0] if self.ways == 1 else "never asked"
        words = MISSING[self.place.kind]
        return words[0] if not self.true else words[1] if self.gone < self.ways else ""


@dataclass(frozen=True, slots=True)
class CoverageLine:
    """A line of a file with rules in it. `mark`: "-" nothing of it ran, "~" a part, " " all; "" nothing is to run.
    `missing`: of its branches, each with its text."""

    number: int
    text: str
    mark: str
    times: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Branches:
    """`given`: the ids of the ruleset and of mods over it. `ran`: every place of their rules, in order. `spans`: of all
    declarations. `games`: so many were played; of the `scenarios` some passed."""

    given: tuple[str, ...]
    ran: tuple[PlaceCount, ...]
    spans: tuple[Span, ...]
    sources: Mapping[str, str]
    scenarios: tuple[int, int]
    games: int

    @cached_property
    def files(self) -> dict[str, list[PlaceCount]]:
        found: dict[str, list[PlaceCount]] = {}
        for one in self.ran:
            found.setdefault(one.place.span.path, []).append(one)
        return found

    def lines(self, path: str, *, branches: bool) -> Iterator[CoverageLine]:
        """The lines of a file that belong to declarations. `branches`: conditions count with both their ways."""
        texts = self.sources.get(path, "").split("\n")
        wanted = {n for span in self.spans if span.path == path for n in range(span.line, _last_line(span) + 1)}
        at: dict[int, list[PlaceCount]] = {}
        for one in self.files[path]:
            at.setdefault(one.place.span.line, []).append(one)
        for number in sorted(wanted | at.keys()):
            here = at.get(number, [])
            text = texts[number - 1] if number <= len(texts) else ""
            times = max((one.true + one.false for one in here), default=0)
            if not here:
                yield CoverageLine(number, text, "", 0, ())
            elif not times:
                yield CoverageLine(number, text, "-", 0, ())
            else:
                gaps = [one for one in here if one.missing and (branches or not one.asked)]
                yield CoverageLine(number, text, "~" if gaps else " ", times, tuple(self._gap(one) for one in gaps))

    def _gap(self, one: PlaceCount) -> str:
        return f"{one.missing}: {self.text(one.place.span)}"

    def text(self, span: Span) -> str:
        """The words of a stretch, of several lines the first."""
        texts = self.sources.get(span.path, "").split("\n")
        line = texts[span.line - 1] if span.line <= len(texts) else ""
        if span.end_line == span.line:
            return line[span.column - 1 : span.end_column - 1]
        return f"{line[span.column - 1 :].rstrip()} ..."

    def count(self, ran: Sequence[PlaceCount]) -> tuple[int, int, int, int]:
        """Statements and rules that ran, of how many; ways of conditions that were gone, of how many."""
        plain = [one for one in ran if one.ways == 1]
        forks = [one for one in ran if one.ways == 2]
        return (
            sum(one.gone for one in plain), len(plain), sum(one.gone for one in forks), sum(one.ways for one in forks),
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        done = self.count(self.ran)
        return {
            "ruleset": self.given[0],
            "mods": list(self.given[1:]),
            "scenarios": {"passed": self.scenarios[0], "of": self.scenarios[1]},
            "games": self.games,
            "lines": {"ran": done[0], "of": done[1]},
            "branches": {"ran": done[2], "of": done[3]},
            "places": [
                {"kind": one.place.kind, "at": str(one.place.span), "text": self.text(one.place.span), "true": one.true,
                 "false": one.false if one.ways == 2 else None, "missing": one.missing}
                for one in self.ran
            ],
        }  # fmt: skip


def measure_branches(
    where: str | Path, mods: Sequence[str | Path] = (), mode: str | None = None, games: int = 0, seed: int = 0
) -> Branches:
    """Run all scenarios of a ruleset, and so many random games, and see what of its rules ran. LoadError for mistakes;
    RuleError for those that show themselves in games. What scenarios ran before they failed counts."""
    seen = ProbeCounts()
    runner = ProbedRunner(where, mods, mode, seen)
    if runner.diagnostics.failed:
        raise LoadError(runner.diagnostics, runner.sources)
    passed = sum(runner.run(scenario).passed for scenario in runner.scenarios)
    compilations = [f.compilation for f in runner.fixtures.values() if isinstance(f.compilation, ProbedCompilation)]
    main = compilations[0]
    play_probed_games(main, games, seed)
    source = main.source
    # Rules of the ruleset and its mods; of a mode where scenarios play it; not those that scenarios add for themselves.
    own = {layer.index for layer in source.layers if layer.of in source.given}
    sources = dict(source.sources)
    places: dict[ProbePlace, None] = {}
    spans: dict[Span, None] = {}
    for compilation in compilations:
        if compilation is not main and compilation.mods != main.mods:
            continue
        sources |= compilation.source.sources
        declared = [d for d in _declared(compilation.program) if d.origin.layer in own]
        spans.update(dict.fromkeys(d.span for d in declared))
        files = {d.span.path for d in declared}
        places.update(dict.fromkeys(place for place in compilation.probes.places if place.span.path in files))
    ran = [PlaceCount(place, seen.true[place], seen.false[place]) for place in places]
    ran.sort(key=lambda one: (one.place.span, one.place.kind))
    return Branches(source.given, tuple(ran), tuple(spans), sources, (passed, len(runner.scenarios)), games)


def _declared(program: tree.Program) -> Iterator[tree.Declared]:
    if program.game is not None:
        yield program.game
    yield from (*program.routines.values(), *program.actions.values(), *program.values.values())
    yield from program.invariants.values()
    yield from program.hooks


def _last_line(span: Span) -> int:
    """The last line with a character of it."""
    return span.end_line if span.end_column > 1 or span.end_line == span.line else span.end_line - 1


# ---- as lines for a terminal


def coverage_listing(report: Branches, width: int, *, both: bool, whole: bool) -> Iterator[str]:
    """`both`: conditions count with both ways; `whole`: lines are shown too of which nothing is missing."""
    yield f"{_count_text(report, report.ran, both=both)} of {' and '.join(report.given)} ran"
    passed, of = report.scenarios
    games = f", and {report.games:,} random game{'s' * (report.games != 1)}" if report.games else ""
    which = f" ({passed} pass)" if passed < of else ", all of which pass" if of > 1 else ""
    yield f"in {of} scenario{'s' * (of != 1)}{which}{games}"
    shown = False
    for path, ran in report.files.items():
        found = [line for line in report.lines(path, branches=both) if whole or line.mark in ("-", "~")]
        if not found:
            continue
        shown = True
        yield ""
        yield f"{os.path.relpath(path)}: {_count_text(report, ran, both=both)}"
        before = found[0].number
        for line in found:
            if line.number > before + 1:
                yield "       ..." if whole else ""
            before = line.number
            yield _cut_text(f"{line.number:5} {line.mark or ' '} {line.text}", width)
            for missing in line.missing:
                yield _cut_text(f"        {missing}", width)
    if shown:
        yield ""
        yield "- did not run   ~ ran in part: the line below shows what is missing"


def _count_text(report: Branches, ran: tuple[PlaceCount, ...] | list[PlaceCount], *, both: bool) -> str:
    done, of, ways, forks = report.count(ran)
    return f"{done} of {of} lines" + (f", {ways} of {forks} branches" if both else "")


def _cut_text(text: str, width: int) -> str:
    text = text.rstrip()
    return text if len(text) <= width else f"{text[: width - 3]}..."


# ---- as an HTML page

_STYLE = """\
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #1f2328; --quiet: #57606a; --line: #d8d4ca;
  --none: #fbdcd6; --part: #fbf0c9; }
@media (prefers-color-scheme: dark) { :root { --paper: #16191d; --ink: #e6e8ea; --quiet: #a3abb4; --line: #3a4048;
  --none: #54241f; --part: #4a3f14; } }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .4rem; overflow-wrap: anywhere; }
a { color: inherit; } table { border-collapse: collapse; width: 100%; }
.files { width: auto; } .files td, .files th { padding: .15rem 1rem .15rem 0; text-align: left; }
.code { font: .85rem/1.5 ui-monospace, monospace; table-layout: fixed; }
.code td { padding: 0 .5rem; vertical-align: top; }
.code td:nth-child(-n+3) { width: 4rem; text-align: right; color: var(--quiet); user-select: none; }
.code td:nth-child(3) { width: 1.6rem; } .code pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.none { background: var(--none); } .part { background: var(--part); }
.gap { color: var(--ink); font-style: italic; padding-left: 2rem; } .quiet { color: var(--quiet); }
.bar { display: inline-block; padding: 0 .5rem; }
"""
_MARKS = {"-": ("none", "did not run"), "~": ("part", "ran in part"), " ": ("", ""), "": ("", "")}


def coverage_html(report: Branches) -> str:
    """The page: a table of files, then each with its rules line by line: how often, whether wholly, what is missing."""
    title = f"Coverage of the rules of {' and '.join(report.given)}"
    done, of, ways, forks = report.count(report.ran)
    passed, scenarios = report.scenarios
    games = f" and {report.games:,} random games" if report.games else ""
    parts = [
        "<!doctype html>", '<html lang="en">', '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>", f"<style>\n{_STYLE}</style></head>", "<body>", "<main>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{done} of {of} lines and {ways} of {forks} branches ran in {scenarios} scenarios ({passed} pass)"
        f"{games}.</p>",
        '<p class="quiet"><span class="bar none">- did not run</span> <span class="bar part">~ ran in part</span></p>',
        '<table class="files"><tr><th scope="col">file</th><th scope="col">lines</th>'
        '<th scope="col">branches</th></tr>',
    ]  # fmt: skip
    for number, (path, ran) in enumerate(report.files.items()):
        done, of, ways, forks = report.count(ran)
        name = escape(os.path.relpath(path))
        parts.append(
            f'<tr><td><a href="#f{number}">{name}</a></td><td>{done} of {of}</td><td>{ways} of {forks}</td></tr>'
        )
    parts.append("</table>")
    for number, path in enumerate(report.files):
        parts.append(f'<h2 id="f{number}">{escape(os.path.relpath(path))}</h2>')
        parts.append('<table class="code">')
        for line in report.lines(path, branches=True):
            style, said = _MARKS[line.mark]
            gaps = "".join(f'<div class="gap">{escape(gap)}</div>' for gap in line.missing)
            often = f"{line.times}×" if line.times else ""
            parts.append(
                f'<tr class="{style}"><td>{line.number}</td><td>{often}</td><td title="{said}">{line.mark.strip()}</td>'
                f"<td><pre>{escape(line.text)}</pre>{gaps}</td></tr>"
            )
        parts.append("</table>")
    return "\n".join([*parts, "</main>", "</body>", "</html>", ""])
