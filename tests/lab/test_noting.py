"""What is noted of games: the library notes what Python notes, and it is what happened."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.base.trace_plan import HandArrangement, Trace, TracePlan, make_trace_plan
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.trace_recorder import traced_games
from tests.lab.duel import duel
from tests.native.machine import needs_compiler

ROOT = Path(__file__).resolve().parents[2] / "rulesets"


def plan_for(game: Game, players: int) -> TracePlan:
    program = game.table(players).program
    return make_trace_plan(program.layout, program.sites, program.templates)


@needs_compiler
@pytest.mark.parametrize(
    ("name", "agents"),
    [
        ("evolution", ["random"]),
        pytest.param("evolution", ["greedy", "random"], marks=pytest.mark.slow),
        pytest.param("origin_of_species", ["random"], marks=pytest.mark.slow),
        pytest.param("darwins_choice", ["random"], marks=pytest.mark.slow),
        pytest.param("evolved", ["random"], marks=pytest.mark.slow),
    ],
)
def test_the_library_notes_what_python_notes(name: str, agents: list[str]) -> None:
    game = rulelang.load(ROOT / name)
    plan = plan_for(game, 3)
    inside = game.table(3, backend="native").program
    seated = [make_agent(agent) for agent in agents]
    known = [agent.inner for agent in seated]  # type: ignore[attr-defined]
    for arranged in (None, HandArrangement(frozenset({1, 2, 3}), True)):
        library = inside.noted_many(plan, 5, 2, 1, known, arranged, written=True)  # type: ignore[attr-defined]
        python = traced_games(game.table(3), plan, 5, range(2, 3), seated, arranged, written=True)
        for field in Trace.__slots__:  # type: ignore[attr-defined]
            assert getattr(library, field) == getattr(python, field), (arranged, field)
        assert len(library.decisions) > 0


@needs_compiler
def test_they_are_the_games_of_a_series() -> None:
    """Whoever only plays them, for a series, plays the same ones."""
    game = rulelang.load(ROOT / "evolution")
    program = game.table(3, backend="native").program
    noted = program.noted_many(plan_for(game, 3), 3, 4, 5, [("random", 0)])  # type: ignore[attr-defined]
    played = program.between_many(3, 4, 5, [("random", 0)])  # type: ignore[attr-defined]
    width = len(played[0])
    assert [tuple(noted.rows[i : i + width]) for i in range(0, 5 * width, width)] == played


def test_every_card_is_followed(tmp_path: Path) -> None:
    """Two seats are dealt four cards each and play all of them, also the last, which is no choice."""
    game = duel(tmp_path)
    plan = plan_for(game, 2)
    found = traced_games(game.table(2), plan, 1, range(3), [make_agent("random")], written=True)
    assert plan.places == ("hand",)
    for number in range(3):
        words = found.notes[number * plan.width : (number + 1) * plan.width]
        hand, played = words[: plan.cards], words[plan.cards : 2 * plan.cards]
        assert [sum(word >> seat & 1 for word in hand) for seat in (1, 2)] == [4, 4]
        assert played == hand
    plays = [number for number, template in enumerate(game.table(2).program.templates) if template.name == "play"]
    assert [found.reached[number] for number in plays] == [3 * 8]
    assert sum(found.used) == 3 * 8
    # Three of each hand are chosen among others; the last is played unasked.
    assert sum(found.taken) == 3 * 6
    moves = [tuple(found.moves[i : i + 7]) for i in range(0, len(found.moves), 7)]
    pile = plan.layout.zone_names.index("pile")
    assert sum(move[5] == pile for move in moves) == 3 * 8


@pytest.mark.parametrize("given", [False, True])
def test_a_card_is_dealt_or_not(tmp_path: Path, given: bool) -> None:
    game = duel(tmp_path)
    plan = plan_for(game, 2)
    wanted = frozenset(n for n, card in enumerate(plan.layout.cards) if card.row == "card_c")
    found = traced_games(game.table(2), plan, 1, range(40), [make_agent("random")], HandArrangement(wanted, given))
    for number in range(40):
        words = found.notes[number * plan.width : (number + 1) * plan.width]
        assert words[-1] == 1
        seat = number % 2 + 1
        # Before it was arranged it may have been in the hand for a moment; what he plays is what he was dealt.
        played = [card for card in wanted if words[plan.cards + card] >> seat & 1]
        assert len(played) == int(given)
        assert sum(words[plan.cards + card] >> seat & 1 for card in range(plan.cards)) == 4
