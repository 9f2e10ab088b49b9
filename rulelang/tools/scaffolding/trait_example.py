"""The example scenario of a trait: a position and a step in which its rules make a difference.

Each candidate is played twice, with the rules of the trait and without them. The scenario asserts what differs, so it
fails when the rules are removed. Its author may regenerate or remove it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, product
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.phrases import phrase
from rulelang.compiler.compilation import Compilation
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL, INT, PLAYER, Model, Type, ref
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import Outcome
from rulelang.testing.scenarios.yaml_forms import given_lines, yaml_flow
from rulelang.tools.scaffolding.files import CannotStart
from rulelang.tools.scaffolding.hooks import Hookable, example_name, hookables
from rulelang.tools.scaffolding.positions import (
    Bearer,
    SamplePosition,
    bearer_of,
    model_of,
    player_names,
    varied_positions,
)

# ---- find an example

#: Replaces a number that playing finds, and which no rule results in.
UNLIKELY_NUMBER = "-987654"
#: A condition that fails: only then is what happened noted.
NEVER_TRUE = "round < 0"
#: How many candidates are played at once, the likeliest first; and how many for one rule, soon and at last.
AT_ONCE = 24
MOST_PLAYED = (24, 192)
#: How many ways to fill the parameters of an event or value are tried in one position.
MOST_WAYS = 8


@dataclass(frozen=True, slots=True)
class Probe:
    """An expression whose value may differ. `number`: it is compared with a number; else it is a condition.

    `negated`: a scenario may say that the condition is not true.
    """

    text: str
    number: bool = False
    negated: bool = False

    @property
    def claim(self) -> str:
        return f"{self.text} == {UNLIKELY_NUMBER}" if self.number else self.text


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scenario without what holds at its end. `step`: a line of `when:`, or nothing."""

    laid: SamplePosition
    step: str
    probes: tuple[Probe, ...] = ()


@dataclass(slots=True)
class _Observed:
    """What a candidate led to. `values`: of probes, as text; of conditions "true" or "false"."""

    log: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)


def find_example(
    folder: Path, file: str, text: str, trait: str, tries: Iterable[Candidate], most: int = MOST_PLAYED[-1]
) -> list[str] | None:
    """Find the first candidate in which the rules of a trait's file make a difference, as lines of a list of scenarios.

    `text`: the file, without this scenario. It is written while candidates are played; the caller writes the result.
    """
    bare = without_rules(text, file)
    waiting = islice(tries, most)
    while some := list(islice(waiting, AT_ONCE)):
        with_rules = _play_candidates(folder, file, text, some)
        found = [one for one, seen in zip(some, with_rules, strict=True) if seen is not None]
        if not found:
            continue
        kept = [seen for seen in with_rules if seen is not None]
        for one, seen, without in zip(found, kept, _play_candidates(folder, file, bare, found), strict=True):
            if without is not None and (then := _difference_line(one, seen, without)):
                return _scenario_lines(example_name(trait), one, [then])
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


def _difference_line(one: Candidate, seen: _Observed, without: _Observed) -> str:
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


def _scenario_lines(name: str, one: Candidate, then: Sequence[str]) -> list[str]:
    return [
        f"  - name: {yaml_flow(name)}",
        *given_lines(one.laid.given, "    "),
        *(["    when:", f"      - {one.step}"] if one.step else []),
        "    then:",
        *(f"      - {line}" for line in then),
    ]


def _play_candidates(folder: Path, file: str, text: str, tries: Sequence[Candidate]) -> list[_Observed | None]:
    """Play candidates together; None for each that cannot be played."""
    lines = ["scenarios:"]
    for number, one in enumerate(tries):
        asked = [flow_safe(probe.claim) for probe in one.probes]
        lines += _scenario_lines(f"candidate {number}", one, [*asked, NEVER_TRUE])
    text = text.rstrip("\n") + "\n"
    (folder / file).write_text(text + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    runner = Runner(folder)
    if runner.fixture.diagnostics.failed:
        return [None] * len(tries)
    path = (folder / file).resolve()
    mine = {one.name: one for one in runner.scenarios if Path(one.path).resolve() == path}
    found: list[_Observed | None] = []
    for number, one in enumerate(tries):
        scenario = mine.get(f"candidate {number}")
        found.append(None if scenario is None else _read_outcome(runner.run(scenario, ()), one))
    return found


def _read_outcome(outcome: Outcome, one: Candidate) -> _Observed | None:
    if any(item.severity == "error" for item in outcome.mistakes):
        return None
    seen = _Observed([re.sub(r"  \[[^\]]*\]$", "", line).strip() for line in outcome.log])
    for probe in one.probes:
        seen.values[probe.text] = "true" if not probe.number else ""
    for failure in outcome.failures:
        if failure.what == NEVER_TRUE:
            continue
        asked = next((probe for probe in one.probes if probe.claim == failure.what), None)
        if asked is None:
            return None
        number = re.search(r"-?\d+", " ".join(failure.found))
        seen.values[asked.text] = "false" if not asked.number else number[0] if number else ""
    seen.values = {text: value for text, value in seen.values.items() if value}
    return seen


# ---- candidates


def example_candidates(
    hooked: Hookable,
    place: int | None,
    trait: str,
    bearer: Bearer,
    model: Model,
    laid: Iterable[SamplePosition],
    add: int = 0,
) -> Iterator[Candidate]:
    """Candidates in which a rule on a value or event may make a difference. `add`: what it adds to a value."""
    for position in laid:
        yield from islice(_candidates_in_position(hooked, place, trait, bearer, model, position, add), MOST_WAYS)


def _candidates_in_position(
    hooked: Hookable, place: int | None, trait: str, bearer: Bearer, model: Model, laid: SamplePosition, add: int
) -> Iterator[Candidate]:
    words = _PositionWords(trait, bearer, model, laid)
    ways = [f"({', '.join(way)})" if way else "" for way in words.ways(hooked, place)]
    type_ = hooked.type.sure() if hooked.type is not None else None
    if type_ is None:
        if hooked.name == laid.given.get("phase"):
            yield Candidate(laid, "run: to the end of phase")
        for args in words.ways(hooked, place):
            yield Candidate(laid, " ".join([hooked.name, *args]))
    elif type_ == INT and not bearer.kind and place is not None:
        zone = f"{words.first}.{bearer.zone.short_name}" if bearer.zone.of else bearer.zone.short_name
        for args in words.ways(hooked, place, mine="c"):
            text = f"sum({bearer.sort.name} c in {zone}: {hooked.name}({', '.join(args)}))"
            yield Candidate(laid, "", (Probe(text, number=True),))
    elif type_ == INT:
        for way, other in zip(ways, words.ways(hooked, place, mirrored=True), strict=False):
            compared = f"{hooked.name}{way} == {hooked.name}({', '.join(other)}) {'-' if add < 0 else '+'} {abs(add)}"
            probes = (Probe(compared),) if add and other else ()
            yield Candidate(laid, "", (*probes, Probe(f"{hooked.name}{way}", number=True)))
    elif type_ == BOOL:
        yield from (Candidate(laid, "", (Probe(f"{hooked.name}{way}", negated=True),)) for way in ways)
    elif type_.name in model.lists:
        rows = [row.name for row in model.lists[type_.name].rows if row.name]
        for way in ways:
            yield Candidate(laid, "", tuple(Probe(f"{hooked.name}{way} == {row}") for row in rows[:MOST_WAYS]))


@dataclass(slots=True)
class _PositionWords:
    """What a scenario calls the things of a position."""

    trait: str
    bearer: Bearer
    model: Model
    laid: SamplePosition

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


# ---- regenerate or remove an example

#: How many positions are tried for each value or event that the trait hooks.
MOST_POSITIONS = 24


def without_example(text: str, path: str, trait: str) -> str:
    """A trait's file without its example. CannotStart if there is none."""
    return _cut_example(text, path, trait)[0]


def regenerate_example(folder: Path, file: str, trait: str) -> str:
    """Write the example of a trait's file again, by the rules that it has now, and return the text.

    CannotStart, with the file as it was, if the game has mistakes or no scenario is found that shows a rule.
    """
    place = folder / file
    before = place.read_text(encoding="utf-8")
    plain, head, tail = _cut_example(before, file, trait)
    try:
        compilation = Compilation(folder)
        if compilation.diagnostics.failed:
            raise CannotStart(phrase("the game has errors: fix them first"))
        model = model_of(compilation)
        bearer = bearer_of(model)
        if bearer is not None and trait in model.traits:
            laid = [*islice(varied_positions(str(folder), player_names(model), trait), MOST_POSITIONS)]
            some = chain.from_iterable(
                example_candidates(
                    hooked, hooked.place_of(bearer.kind or bearer.sort.name), trait, bearer, model, laid, add
                )
                for hooked, add in _hooked_by_trait(compilation.program, trait)
            )
            lines = find_example(folder, file, _without_scenarios(plain, file), trait, some)
            if lines is not None:
                text = head + "".join(f"{line}\n" for line in lines) + tail
                place.write_text(text, encoding="utf-8")
                if _example_passes(folder, place, trait):
                    return text
    except BaseException:
        place.write_text(before, encoding="utf-8")
        raise
    place.write_text(before, encoding="utf-8")
    raise CannotStart(phrase("found no scenario in which a rule of this trait has a visible effect: write one by hand"))


def _hooked_by_trait(program: tree.Program, trait: str) -> Iterator[tuple[Hookable, int]]:
    """What the rules of a trait hook, in the order of their text, with the number that they always add to it, or 0."""
    found = {one.name: one for one in hookables(program)}
    mine = [one for one in program.hooks if one.origin.what == "trait" and one.origin.name == trait]
    added: dict[str, int] = {}
    for hook in sorted(mine, key=lambda one: one.span.line):
        number = hook.value if isinstance(hook, tree.Modify) and hook.guard is None and hook.op in "+-" else None
        sign = -1 if isinstance(hook, tree.Modify) and hook.op == "-" else 1
        added.setdefault(hook.pattern.event, sign * number.value if isinstance(number, tree.Const) else 0)
    yield from ((found[name], add) for name, add in added.items() if name in found)


def _cut_example(text: str, path: str, trait: str) -> tuple[str, str, str]:
    """The text without the example; what stands before it and behind it. CannotStart if there is none."""
    root = read_yaml_text(text, path, Diagnostics()).root
    node = root.get("scenarios") if isinstance(root, YamlMap) else None
    items = node.items if isinstance(node, YamlSeq) else ()
    for at, item in enumerate(items):
        name = item.get("name") if isinstance(item, YamlMap) else None
        if isinstance(name, YamlScalar) and name.text == example_name(trait):
            lines = text.splitlines(keepends=True)
            last = len(lines) if at + 1 == len(items) else items[at + 1].span.line - 1
            if at + 1 == len(items):
                last = next((n for n in range(item.span.line, len(lines)) if lines[n][:1].strip(" \n#")), len(lines))
            head, tail = "".join(lines[: item.span.line - 1]), "".join(lines[last:])
            edits = TextEdits(text)
            key = root.key("scenarios") if isinstance(root, YamlMap) else None
            edits.drop_lines(key.span.line if len(items) == 1 and key is not None else item.span.line, last)
            return edits.result(), head, tail
    raise CannotStart(phrase("this scenario no longer exists"))


def _without_scenarios(text: str, path: str) -> str:
    root = read_yaml_text(text, path, Diagnostics()).root
    key = root.key("scenarios") if isinstance(root, YamlMap) else None
    if key is None or not isinstance(root, YamlMap):
        return text
    edits = TextEdits(text)
    later = [other.span.line for other, _ in root if other.span.line > key.span.line]
    edits.drop_lines(key.span.line, min(later) - 1 if later else text.count("\n") + 1)
    return edits.result()


def _example_passes(folder: Path, place: Path, trait: str) -> bool:
    runner = Runner(folder)
    mine = [
        one for one in runner.scenarios
        if Path(one.path).resolve() == place.resolve() and one.name == example_name(trait)
    ]  # fmt: skip
    return bool(mine) and not runner.diagnostics.failed and runner.run(mine[0]).passed
