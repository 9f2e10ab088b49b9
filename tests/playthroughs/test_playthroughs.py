"""Whole games of every shipped ruleset as text: each decision, what was chosen, all that followed, the final scores.

A change of rules, of the log's words or of the order of options shows here as a difference to be read.
`UPDATE_GOLDEN=1 pytest tests/playthroughs` writes the files anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.runtime.agents import Random

HERE = Path(__file__).parent
RULESETS = HERE.parents[1] / "rulesets"
SHIPPED = sorted(path.parent.name for path in RULESETS.glob("*/ruleset.yaml"))
NAME = re.compile(r"(?P<ruleset>\w+)-(?P<players>\d+)p-seed(?P<seed>\d+)")
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))


def expected_names() -> list[str]:
    """Two for every ruleset in `rulesets/`, and whatever else lies here."""
    found = {path.stem for path in HERE.glob("*.txt")}
    for ruleset in SHIPPED:
        low, high = load(RULESETS / ruleset).players
        if sum(name.startswith(f"{ruleset}-") for name in found) < 2:
            found |= {f"{ruleset}-{low}p-seed1", f"{ruleset}-{min(4, high)}p-seed2"}
    return sorted(found)


def played(ruleset: str, players: int, seed: int) -> Iterator[str]:
    """The lines of a game between players who choose at random."""
    game = load(RULESETS / ruleset)
    state, agent = game.new(players, seed), Random(seed)
    yield f"{game.title}, {players} players, seed {seed}"
    told = 0
    number = 0
    while True:
        for event in state.log[told:]:
            yield f"    {event}"
        told = len(state.log)
        if state.over:
            break
        decision = state.decision
        option = decision.options[agent.choose(state)]
        number += 1
        where = " ".join(part for part in (f"round {state.round}" if state.round else "", state.phase) if part)
        asked = f"{decision.name}, {decision.prompt}" if decision.prompt else decision.name
        count = len(decision.options)
        yield f"{number} [{where}] {asked}: {option.text} ({count} {'option' if count == 1 else 'options'})"
        state.play(option)
    yield "the end: " + ", ".join(f"{name} {score}" for name, score in zip(state.players, state.scores, strict=True))
    yield "won by " + ", ".join(state.players[seat - 1] for seat in state.winners)


@pytest.mark.parametrize("name", expected_names() if UPDATE else sorted(path.stem for path in HERE.glob("*.txt")))
def test_the_game_goes_as_it_went(name: str) -> None:
    parts = NAME.fullmatch(name)
    assert parts, f"{name} is not RULESET-PLAYERSp-seedSEED"
    assert parts["ruleset"] in SHIPPED, f"there is no ruleset for {name}"
    lines = list(played(parts["ruleset"], int(parts["players"]), int(parts["seed"])))
    path = HERE / f"{name}.txt"
    if UPDATE:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_ruleset_has_two(ruleset: str) -> None:
    found = [path for path in HERE.glob("*.txt") if path.stem.startswith(f"{ruleset}-")]
    assert len(found) >= 2, f"write them with UPDATE_GOLDEN=1 pytest {Path(__file__).name}"
