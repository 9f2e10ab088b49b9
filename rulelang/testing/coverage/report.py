"""Which lines and branches of the rules ran in scenarios, and in random games beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rulelang.base.source import Span
from rulelang.compiler.compilation import LoadError
from rulelang.compiler.lower.probes import FALSE, TRUE, Kind, ProbePlace
from rulelang.language.semantics import tree
from rulelang.testing.coverage.probed import ProbedCompilation, ProbedRunner, Seen, play_games

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
class Ran:
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
class Line:
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
    ran: tuple[Ran, ...]
    spans: tuple[Span, ...]
    sources: Mapping[str, str]
    scenarios: tuple[int, int]
    games: int

    @cached_property
    def files(self) -> dict[str, list[Ran]]:
        found: dict[str, list[Ran]] = {}
        for one in self.ran:
            found.setdefault(one.place.span.path, []).append(one)
        return found

    def lines(self, path: str, *, branches: bool) -> Iterator[Line]:
        """The lines of a file that belong to declarations. `branches`: conditions count with both their ways."""
        texts = self.sources.get(path, "").split("\n")
        wanted = {n for span in self.spans if span.path == path for n in range(span.line, _last(span) + 1)}
        at: dict[int, list[Ran]] = {}
        for one in self.files[path]:
            at.setdefault(one.place.span.line, []).append(one)
        for number in sorted(wanted | at.keys()):
            here = at.get(number, [])
            text = texts[number - 1] if number <= len(texts) else ""
            times = max((one.true + one.false for one in here), default=0)
            if not here:
                yield Line(number, text, "", 0, ())
            elif not times:
                yield Line(number, text, "-", 0, ())
            else:
                gaps = [one for one in here if one.missing and (branches or not one.asked)]
                yield Line(number, text, "~" if gaps else " ", times, tuple(self._gap(one) for one in gaps))

    def _gap(self, one: Ran) -> str:
        return f"{one.missing}: {self.text(one.place.span)}"

    def text(self, span: Span) -> str:
        """The words of a stretch, of several lines the first."""
        texts = self.sources.get(span.path, "").split("\n")
        line = texts[span.line - 1] if span.line <= len(texts) else ""
        if span.end_line == span.line:
            return line[span.column - 1 : span.end_column - 1]
        return f"{line[span.column - 1 :].rstrip()} ..."

    def count(self, ran: Sequence[Ran]) -> tuple[int, int, int, int]:
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


def branches(
    where: str | Path, mods: Sequence[str | Path] = (), mode: str | None = None, games: int = 0, seed: int = 0
) -> Branches:
    """Run all scenarios of a ruleset, and so many random games, and see what of its rules ran. LoadError for mistakes;
    RuleError for those that show themselves in games. What scenarios ran before they failed counts."""
    seen = Seen()
    runner = ProbedRunner(where, mods, mode, seen)
    if runner.diagnostics.failed:
        raise LoadError(runner.diagnostics, runner.sources)
    passed = sum(runner.run(scenario).passed for scenario in runner.scenarios)
    compilations = [f.compilation for f in runner.fixtures.values() if isinstance(f.compilation, ProbedCompilation)]
    main = compilations[0]
    play_games(main, games, seed)
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
    ran = [Ran(place, seen.true[place], seen.false[place]) for place in places]
    ran.sort(key=lambda one: (one.place.span, one.place.kind))
    return Branches(source.given, tuple(ran), tuple(spans), sources, (passed, len(runner.scenarios)), games)


def _declared(program: tree.Program) -> Iterator[tree.Declared]:
    if program.game is not None:
        yield program.game
    yield from (*program.routines.values(), *program.actions.values(), *program.values.values())
    yield from program.invariants.values()
    yield from program.hooks


def _last(span: Span) -> int:
    """The last line with a character of it."""
    return span.end_line if span.end_column > 1 or span.end_line == span.line else span.end_line - 1
