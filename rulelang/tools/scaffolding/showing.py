"""The scenario of a trait: a position and a step in which its rules make a difference, and that difference.

Each candidate is played twice, with the rules of the trait and without them. What differs is asserted, so the scenario
fails when the rules are removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, product
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.semantics.model import BOOL, INT, PLAYER, Model, Type, ref
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import Outcome
from rulelang.testing.scenarios.yaml_forms import given_lines, yaml_flow
from rulelang.tools.scaffolding.hooks import Hookable, example_name
from rulelang.tools.scaffolding.positions import Bearer, Laid

#: Replaces a number that playing finds, and which no rule results in.
ASKED = "-987654"
#: A condition that fails: only then is what happened noted.
NEVER = "round < 0"
#: How many candidates are played at once, the likeliest first; and how many for one rule, soon and at last.
AT_ONCE = 24
PLAYED = (24, 192)
#: How many ways to fill the parameters of an event or value are tried in one position.
WAYS = 8


@dataclass(frozen=True, slots=True)
class Probe:
    """An expression whose value may differ. `number`: it is compared with a number; else it is a condition.

    `negated`: a scenario may say that the condition is not true.
    """

    text: str
    number: bool = False
    negated: bool = False

    @property
    def asked(self) -> str:
        return f"{self.text} == {ASKED}" if self.number else self.text


@dataclass(frozen=True, slots=True)
class Try:
    """A scenario without what holds at its end. `step`: a line of `when:`, or nothing."""

    laid: Laid
    step: str
    probes: tuple[Probe, ...] = ()


@dataclass(slots=True)
class _Seen:
    """What a candidate led to. `values`: of probes, as text; of conditions "true" or "false"."""

    log: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)


def showing(
    folder: Path, file: str, text: str, trait: str, tries: Iterable[Try], most: int = PLAYED[-1]
) -> list[str] | None:
    """Find the first candidate in which the rules of a trait's file make a difference, as lines of a list of scenarios.

    `text`: the file, without this scenario. It is written while candidates are played; the caller writes the result.
    """
    bare = without_rules(text, file)
    waiting = islice(tries, most)
    while some := list(islice(waiting, AT_ONCE)):
        with_rules = _play(folder, file, text, some)
        found = [one for one, seen in zip(some, with_rules, strict=True) if seen is not None]
        if not found:
            continue
        kept = [seen for seen in with_rules if seen is not None]
        for one, seen, without in zip(found, kept, _play(folder, file, bare, found), strict=True):
            if without is not None and (then := _difference(one, seen, without)):
                return _scenario(example_name(trait), one, [then])
    return None


def without_rules(text: str, path: str) -> str:
    """A trait's file without its rules, and without scenarios."""
    edits = TextEdits(text)
    root = read_yaml_text(text, path, Diagnostics()).root
    if isinstance(root, YamlMap):
        keys = [key for key, _ in root]
        ends = [*(key.span.line - 1 for key in keys[1:]), text.count("\n") + 1]
        for key, end in zip(keys, ends, strict=True):
            if key.text in ("rules", "scenarios"):
                edits.drop_lines(key.span.line, end)
    return edits.result()


def _difference(one: Try, seen: _Seen, without: _Seen) -> str:
    """What is true with the rules and false without them, as a line of `then:`; empty if nothing is."""
    for probe in one.probes:
        value, other = seen.values.get(probe.text), without.values.get(probe.text)
        if value is None or other is None or value == other:
            continue
        if probe.number:
            return flow_safe(f"{probe.text} == {value}")
        if value == "true" or probe.negated:
            return flow_safe(probe.text if value == "true" else f"not {probe.text}")
    new = [line for line in seen.log if line not in without.log]
    told = [line for line in new if not re.match(r"[\w' -]+: (?:after|before|instead of|react to) ", line)] or new
    return f"log: {yaml_flow(told[0])}" if told else ""


def _scenario(name: str, one: Try, then: Sequence[str]) -> list[str]:
    return [
        f"  - name: {yaml_flow(name)}",
        *given_lines(one.laid.given, "    "),
        *(["    when:", f"      - {one.step}"] if one.step else []),
        "    then:",
        *(f"      - {line}" for line in then),
    ]


def _play(folder: Path, file: str, text: str, tries: Sequence[Try]) -> list[_Seen | None]:
    """Play candidates together; None for each that cannot be played."""
    lines = ["scenarios:"]
    for number, one in enumerate(tries):
        asked = [flow_safe(probe.asked) for probe in one.probes]
        lines += _scenario(f"candidate {number}", one, [*asked, NEVER])
    text = text.rstrip("\n") + "\n"
    (folder / file).write_text(text + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    runner = Runner(folder)
    if runner.fixture.diagnostics.failed:
        return [None] * len(tries)
    path = (folder / file).resolve()
    mine = {one.name: one for one in runner.scenarios if Path(one.path).resolve() == path}
    found: list[_Seen | None] = []
    for number, one in enumerate(tries):
        scenario = mine.get(f"candidate {number}")
        found.append(None if scenario is None else _read(runner.run(scenario, ()), one))
    return found


def _read(outcome: Outcome, one: Try) -> _Seen | None:
    if any(item.severity == "error" for item in outcome.mistakes):
        return None
    seen = _Seen([re.sub(r"  \[[^\]]*\]$", "", line).strip() for line in outcome.log])
    for probe in one.probes:
        seen.values[probe.text] = "true" if not probe.number else ""
    for failure in outcome.failures:
        if failure.what == NEVER:
            continue
        asked = next((probe for probe in one.probes if probe.asked == failure.what), None)
        if asked is None:
            return None
        number = re.search(r"-?\d+", " ".join(failure.found))
        seen.values[asked.text] = "false" if not asked.number else number[0] if number else ""
    seen.values = {text: value for text, value in seen.values.items() if value}
    return seen


# ---- candidates


def tries(
    hooked: Hookable, place: int | None, trait: str, bearer: Bearer, model: Model, laid: Iterable[Laid], add: int = 0
) -> Iterator[Try]:
    """Candidates in which a rule on a value or event may make a difference. `add`: what it adds to a value."""
    for position in laid:
        yield from islice(_here(hooked, place, trait, bearer, model, position, add), WAYS)


def _here(
    hooked: Hookable, place: int | None, trait: str, bearer: Bearer, model: Model, laid: Laid, add: int
) -> Iterator[Try]:
    words = _Words(trait, bearer, model, laid)
    ways = [f"({', '.join(way)})" if way else "" for way in words.ways(hooked, place)]
    type_ = hooked.type.sure() if hooked.type is not None else None
    if type_ is None:
        if hooked.name == laid.given.get("phase"):
            yield Try(laid, "run: to the end of phase")
        for args in words.ways(hooked, place):
            yield Try(laid, " ".join([hooked.name, *args]))
    elif type_ == INT and not bearer.kind and place is not None:
        zone = f"{words.first}.{bearer.zone.short_name}" if bearer.zone.of else bearer.zone.short_name
        for args in words.ways(hooked, place, mine="c"):
            text = f"sum({bearer.sort.name} c in {zone}: {hooked.name}({', '.join(args)}))"
            yield Try(laid, "", (Probe(text, number=True),))
    elif type_ == INT:
        for way, other in zip(ways, words.ways(hooked, place, mirrored=True), strict=False):
            compared = f"{hooked.name}{way} == {hooked.name}({', '.join(other)}) {'-' if add < 0 else '+'} {abs(add)}"
            probes = (Probe(compared),) if add and other else ()
            yield Try(laid, "", (*probes, Probe(f"{hooked.name}{way}", number=True)))
    elif type_ == BOOL:
        yield from (Try(laid, "", (Probe(f"{hooked.name}{way}", negated=True),)) for way in ways)
    elif type_.name in model.lists:
        rows = [row.name for row in model.lists[type_.name].rows if row.name]
        for way in ways:
            yield Try(laid, "", tuple(Probe(f"{hooked.name}{way} == {row}") for row in rows[:WAYS]))


@dataclass(slots=True)
class _Words:
    """What a scenario calls the things of a position."""

    trait: str
    bearer: Bearer
    model: Model
    laid: Laid

    @property
    def first(self) -> str:
        return self.laid.state.players[0]

    def ways(
        self, hooked: Hookable, place: int | None, *, mirrored: bool = False, mine: str = ""
    ) -> Iterator[tuple[str, ...]]:
        """Ways to fill the parameters, the likeliest first. `mirrored`: as another player sees it."""
        parts = []
        for at, param in enumerate(hooked.params):
            sure = param.type.sure()
            if at == place:
                parts.append([self._other() if mirrored else mine or self._mine()])
            else:
                parts.append(list(self._choices(sure, at, mirrored=mirrored, beside=place is not None)))
        return product(*parts)

    def _mine(self) -> str:
        return self.laid.things[self.first] if self.bearer.kind else self.trait

    def _other(self) -> str:
        return self.laid.things[self.laid.state.players[-1]] if self.bearer.kind else self.trait

    def _choices(self, type_: Type, at: int, *, mirrored: bool, beside: bool) -> Iterable[str]:
        first, last = self.laid.state.players[0], self.laid.state.players[-1]
        if type_ == INT:
            return ("1",)
        if type_ == BOOL:
            return ("true", "false")
        if type_ == PLAYER:
            return (last, first) if mirrored else (first, last)
        if self.bearer.kind and type_ == ref(self.bearer.kind):
            both = (self._mine(), self._other()) if mirrored or not beside else (self._other(), self._mine())
            return both if not self.laid.second else (self.laid.second, *both)
        if type_ == ref(self.bearer.sort.name):
            return chain((self.trait,), self.laid.hand)
        if type_.name == "trait":
            return chain((self.trait,), self.laid.hand)
        rows = self.model.lists[type_.name].rows if type_.tag == "ref" and type_.name in self.model.lists else ()
        return [row.name for row in rows if row.name][:3]


def flow_safe(text: str) -> str:
    """An expression as a scalar of YAML: in quotes if it holds a colon."""
    return f'"{text}"' if ": " in text else text
