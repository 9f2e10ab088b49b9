"""The scenario of a new trait: a position in which it is in force, and what its rule makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulelang.scenarios.flow import flow, given_lines
from rulelang.scenarios.records import Outcome
from rulelang.scenarios.run import Runner
from rulelang.semantics.model import Model
from rulelang.semantics.types import BOOL, INT, PLAYER, Type, ref
from rulelang.starters.hooks import Rule, example_name, said
from rulelang.starters.positions import Bearer, Laid

#: Stands for a number that is found out by playing, and is not one that a rule would come to.
ASKED = "-987654"


def with_scenario(folder: Path, file: str, text: str, lines: Sequence[str]) -> bool:
    """Write a trait's file with a scenario behind it; whether the game is sound with it and the scenario passes."""
    outcome = _played(folder, file, text, lines)
    if outcome is not None and not outcome.passed and any(ASKED in line for line in lines):
        found = re.search(r"-?\d+", " ".join(part for failure in outcome.failures for part in failure.found))
        lines = [line.replace(ASKED, found[0] if found else ASKED) for line in lines]
        outcome = _played(folder, file, text, lines)
    return outcome is not None and outcome.passed


def _played(folder: Path, file: str, text: str, lines: Sequence[str]) -> Outcome | None:
    (folder / file).write_text(text + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    runner = Runner(folder)
    path = (folder / file).resolve()
    mine = [scenario for scenario in runner.scenarios if Path(scenario.path).resolve() == path]
    return runner.run(mine[0]) if mine and not runner.diagnostics.failed else None


def shown(trait: str, rule: Rule | None, bearer: Bearer, model: Model, laid: Laid) -> Iterator[list[str]]:
    """Scenarios that may show a rule, as lines of YAML, the likeliest first. Without a rule: that it is there."""
    for step, then in _seen(trait, rule, bearer, model, laid):
        yield [
            "scenarios:",
            f"  - name: {flow(example_name(trait))}",
            *given_lines(laid.given, "    "),
            *(["    when:", f"      - {step}"] if step else []),
            "    then:",
            f"      - {then}",
        ]


def _seen(trait: str, rule: Rule | None, bearer: Bearer, model: Model, laid: Laid) -> Iterator[tuple[str, str]]:
    """A step, or none, and what holds after it."""
    first, last = laid.state.players[0], laid.state.players[-1]
    zone = f"{first}.{bearer.zone.short_name}" if bearer.zone.of else bearer.zone.short_name
    mine, other = (laid.things[first], laid.things[last]) if bearer.kind else (trait, trait)
    if rule is None:
        has = f"{mine} has {trait}" if bearer.kind else f"any({bearer.sort.name} c in {zone} where c.face == {trait})"
        yield "", has
    elif rule.hooked.type is None:
        words = _arguments(rule, model, bearer, mine, other, first)
        if words is not None:
            yield " ".join([rule.hooked.name, *words]), f"log: shows its {said(trait)}"
    elif rule.hooked.type == INT and bearer.kind:
        here = _arguments(rule, model, bearer, mine, other, first)
        there = _arguments(rule, model, bearer, other, mine, last)
        if here is not None and there is not None:
            yield "", f"{rule.hooked.name}({', '.join(here)}) == {rule.hooked.name}({', '.join(there)}) + {rule.number}"
    elif rule.hooked.type == INT:
        words = _arguments(rule, model, bearer, "c", "c", first)
        if words is not None:
            yield (
                "",
                flow_safe(f"sum({bearer.sort.name} c in {zone}: {rule.hooked.name}({', '.join(words)})) == {ASKED}"),
            )
    elif bearer.kind:
        here = _arguments(rule, model, bearer, mine, other, first)
        if here is not None:
            yield "", f"not {rule.hooked.name}({', '.join(here)})"
            yield "", f"{rule.hooked.name}({', '.join(here)})"


def flow_safe(text: str) -> str:
    """An expression as a scalar of YAML: in quotes if it holds a colon."""
    return f'"{text}"' if ": " in text else text


def _arguments(rule: Rule, model: Model, bearer: Bearer, mine: str, other: str, player: str) -> list[str] | None:
    """What stands for the parameters in a scenario; None if that is not known for one of them."""
    kind = bearer.kind or bearer.sort.name
    found = [
        mine if place == rule.place else _argument(param.type, model, kind, other, player)
        for place, param in enumerate(rule.hooked.params)
    ]
    return None if None in found else [word for word in found if word is not None]


def _argument(type_: Type, model: Model, kind: str, other: str, player: str) -> str | None:
    sure = type_.sure()
    if sure == INT:
        return "1"
    if sure == BOOL:
        return "true"
    if sure == PLAYER:
        return player
    if sure == ref(kind):
        return other
    rows = model.lists[sure.name].rows if sure.tag == "ref" and sure.name in model.lists else ()
    return rows[0].name if rows else None
