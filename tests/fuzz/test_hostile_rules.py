"""Rules that mean harm, or harm without meaning it: they waste a step budget, and are told where."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.base.errors import RuleError
from rulelang.compiler.compilation import LoadError
from rulelang.runtime.state import State
from tests.fuzz.outcome import in_time, outcome, sound
from tests.fuzz.tiny import write

#: Rules, the code of what goes wrong, and what the message says of the cycle.
TROUBLES = {
    "an endless loop": ("routine trouble:\n  repeat until total < 0: total += 1", "X605", ""),
    "an endless loop of nothing": ("routine trouble:\n  repeat until total < 0: nothing", "X605", ""),
    "endless rounds": ("routine trouble:\n  rounds until false: nothing", "X605", ""),
    "itself": ("routine trouble: trouble", "X606", "trouble → trouble"),
    "two by turns": (
        "routine trouble: ping\nroutine ping: pong\nroutine pong: ping", "X606", "ping → pong → ping",
    ),
    "a runaway chain": (
        "routine trouble:\n  for fish f: hit(f)\nroutine hit(fish f): total += 1\n"
        "routine again(fish f):\n  for fish g where g != f: hit_back(g)\nroutine hit_back(fish g): again(g)\n"
        "after hit(f): again(f)",
        "X606",
        "again → hit_back → again",
    ),
    "the game in the game": ("routine trouble: total += 1\nafter trouble: wake\nroutine wake: main\n"
                             "before main when total > 0: trouble", None, ""),
    "remainder by zero": ("routine trouble: total = 3 % (total - total)", "X602", ""),
    "out of range": ("routine trouble: small += 7", "X601", ""),
    "out of range in a loop": ("routine trouble:\n  for fish f: f.weight += 20", "X601", ""),
    "a full control stack": ("routine trouble:\n  choose fish f\n  total += f.weight\n  trouble", "X608",
                             "trouble → trouble"),
    "a full control stack with arguments": (
        "routine trouble: deeper(1)\nroutine deeper(int n):\n  choose player p\n  deeper(n + 1)\n  total += n",
        "X608", "deeper → deeper",
    ),
    "a full slot": ("routine trouble:\n  for card c in actor.hand: move c to north.tool", "X603", ""),
    "an invariant": ("routine trouble: total = 100\ninvariant few: total < 10", "X607", ""),
    "too many things": ("routine trouble:\n  repeat 1000 times: create fish of actor", None, ""),
    "more cards than there are": ("routine trouble: draw 1000000 from deck to actor.hand", None, ""),
    "fewer cards than none": ("routine trouble: draw total - 5 from deck to actor.hand", None, ""),
    "onto itself": ("routine trouble:\n  draw 3 from deck to deck\n  move all deck to deck", None, ""),
    "gone twice": ("routine trouble:\n  for fish f: remove f\n  for fish f: f.weight += 1", None, ""),
    "gone in the loop": ("routine trouble:\n  for fish f:\n    remove f\n    f.weight += 1\n    remove f", None, ""),
    "dying after dying": ("after lose(f): lose(f)\nroutine lose(fish f): remove f\nroutine trouble:\n"
                          "  for fish f: lose(f)", None, ""),
    "instead of itself": ("instead of trouble: trouble\nroutine trouble: nothing", None, ""),
    "answering itself": ("react to trouble: redirect trouble\nroutine trouble: total += 1", None, ""),
    "thousands of options": ("routine trouble:\n  choose int n from 1 to 5000\n  total = n", None, ""),
    "a secret in a secret": ("routine trouble:\n  secretly for player p:\n    choose card c in p.hand by p\n"
                             "    secretly for player q: nothing", None, ""),
}  # fmt: skip
#: Rules that would take for ever, or numbers that would grow for ever.
ENDLESS = {
    "a long count": ("routine trouble:\n  repeat 1000000 times:\n    repeat 1000000 times: total = 1", "X605"),
    "a long query": ("routine trouble: total = sum(int n from 1 to 99999, int m from 1 to 99999: n * m)", "X605"),
    "millions of options": ("routine trouble:\n  choose int n from 1 to 5000, int m from 1 to 5000", "X605"),
    "a huge number": ("routine trouble:\n  total = 999999999\n  repeat 5 times: total = total * total", "X601"),
    "growing for ever": ("routine trouble:\n  total = 7\n  repeat 1000 times: total = total * total", "X601"),
    "many dice": ("routine trouble:\n  roll 99999999d6 as x\n  total = x", "X614"),
}


def play_on(state: State) -> None:
    """Do `go`, and answer what is asked until the turn goes on."""
    state.play("go")
    for _ in range(400):
        if state.over or state.decision.kind == "offer":
            break
        state.play(0)
    state.save()
    state.hash()


@pytest.mark.parametrize("name", TROUBLES)
def test_trouble_is_told(name: str, tmp_path: Path) -> None:
    rules, code, cycle = TROUBLES[name]
    folder = write(tmp_path / "tiny", rules)
    with in_time():
        game = load(folder)
        state = game.new(2, 1)
        if code is None:
            try:
                play_on(state)
            except RuleError as error:
                sound(error.diagnostic, [folder.resolve()], of_a_game=True)
        else:
            with pytest.raises(RuleError) as caught:
                play_on(state)
            found = caught.value.diagnostic
            assert found.code == code
            assert cycle in found.because
            assert Path(found.span.path).name == "game.rules"
            sound(found, [folder.resolve()], of_a_game=True)
        outcome(folder, decisions=30)
        try:  # the same at a stretch
            game.simulate(2, 2, seed=1)
        except RuleError as error:
            sound(error.diagnostic, [folder.resolve()], of_a_game=True)


@pytest.mark.parametrize("name", ENDLESS)
def test_what_would_not_end_is_told(name: str, tmp_path: Path) -> None:
    rules, code = ENDLESS[name]
    folder = write(tmp_path / "tiny", rules)
    with in_time(10):
        try:
            state = load(folder).new(2, 1)
        except LoadError:
            return
        with pytest.raises(RuleError) as caught:
            play_on(state)
    assert caught.value.diagnostic.code == code
    sound(caught.value.diagnostic, [folder.resolve()], of_a_game=True)


BROKEN_FLOWS = {
    "nothing at all": "game: nothing",
    "no end": "game:\n  rounds until false: nothing",
    "itself": "game: again\nroutine again: again",
    "nobody can do anything": "game: main\nphase main:\n  turns p from start until all pass: offer one action to p",
    "cards in the box": "game:\n  draw 100 from deck to north.tool",
    "only chance": "game:\n  repeat 1000 times:\n    roll 2d6 as x\n    total = x",
}


@pytest.mark.parametrize("name", BROKEN_FLOWS)
def test_a_flow_that_goes_nowhere(name: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny", game=BROKEN_FLOWS[name] + "\n")
    with in_time():
        assert outcome(folder) in ("mistakes", "rule error", "played")
