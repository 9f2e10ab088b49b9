"""`can ACTION(...)`: just what an offer tests, asked from wherever a rule may ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.runtime.state import State
from tests.backends.named import BACKENDS
from tests.hooks.small import codes, play, started, unoptimised, write

__all__ = ["unoptimised"]
pytestmark = pytest.mark.usefixtures("unoptimised")


THINGS = """\
kinds:
  pawn: {of: player, line: true, at_most: 4, names: [a, b, c, d, e, f], attributes: {size: {is: 0..9, start: 1}}}
cards:
  card: {columns: {face: trait}, rows: [{face: mute, copies: 2}, {face: horn, copies: 2}]}
zones:
  gear: {of: pawn, holds: card, seen_by: everyone, in_force: true}
  hand: {of: player, holds: card, seen_by: owner}
state: {first_player: player, total: number, answers: number, limit: {is: number, start: 3}}
"""
FLOW = """\
game:
  for player p: create pawn of p
  for player p: create pawn of p
  for pawn x: x.size = x.number
  for card c in box where c.number < 3: move c to first_player.hand
  for card c in box where c.number == 3: move c to first(pawn x of first_player).gear
  day
phase day: turns p from first_player once each: offer any actions to p or pass
phase dusk: nothing
value score(player p) -> int: 0
value told_of(bool yes) -> int: 1 if yes else 0
"""

#: By what an action may hang on: the action, its argument, and the numbers for which it is possible.
ACTIONS = {
    "nothing": ("action act(int n from 1 to 4) during day: total = n\n", [1, 2, 3, 4]),
    "its group": ("action act(int n from 2 to 3) during day: total = n\n", [2, 3]),
    "where": ("action act(int n from 1 to 4 where n % 2 == 0) during day: total = n\n", [2, 4]),
    "the best": ("action act(int n from 1 to 4 with most n % 3) during day: total = n\n", [2]),
    "require": ("action act(int n from 1 to 4) during day:\n  require n > 2\n  total = n\n", [3, 4]),
    "ensure": ("action act(int n from 1 to 4) during day:\n  total = n\n  ensure total < limit\n", [1, 2]),
    "a call": ("action act(int n from 1 to 4) during day: go(n)\nroutine go(int n):\n  require n != 2\n  total = n\n",
               [1, 3, 4]),
    "a ban": ("action act(int n from 1 to 4) during day: total = n\nforbid act(n) when n > 3\n", [1, 2, 3]),
    "a ban of a trait": ("action act(int n from 1 to 4) during day: total = n\n", [1, 2, 4]),
    "steps": ("action act(int n from 1 to 4) during day in steps:\n  require n < 2\n  total = n\n", [1]),
}  # fmt: skip
ASKED = {
    "a value": "value may(int n) -> bool: can act(n)\n"
               "action ask(int n from 1 to 4) during day: answers += told_of(may(n))\n",
    "an action": "action ask(int n from 1 to 4) during day:\n  require can act(n)\n  answers += 1\n",
    "a hook": "action ask(int n from 1 to 4) during day: asking(n)\nroutine asking(int n)\n"
              "after asking(n) when can act(n): answers += 1\n",
    "a trait": "action ask(int n from 1 to 4) during day: asking(n)\nroutine asking(int n)\n",
}  # fmt: skip


def game(folder: Path, rules: str, mute: str = "", horn: str = "") -> Path:
    plain = "  modify worth(self): + 1\n"
    return write(
        folder / "pawns",
        {
            "things.yaml": THINGS,
            "game.rules": FLOW + "value worth(pawn x) -> int: 1\n" + rules,
            "traits/mute.yaml": "trait: mute\ntext: mute\nrules: |\n" + (mute or plain),
            "traits/horn.yaml": "trait: horn\ntext: horn\nrules: |\n" + (horn or plain),
        },
    )


def options(state: State) -> list[str]:
    return [option.text for option in state.decision.options]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("what", ACTIONS)
def test_it_is_asked_as_an_offer_asks(tmp_path: Path, what: str, asked: str, backend: str) -> None:
    rules, possible = ACTIONS[what]
    horn = "  forbid act(n) when n == 3\n" if what == "a ban of a trait" else ""
    horn += "  after asking(n) when can act(n): answers += 1\n" if asked == "a trait" else ""
    rules += ASKED[asked] + "action done during day:\n  require answers > 0\n  answers = 0\n"
    state = started(game(tmp_path, rules, horn=horn), backend=backend)
    if what != "steps":
        assert [text for text in options(state) if text.startswith("act")] == [f"act {n}" for n in possible]
    yes = []
    for n in (1, 2, 3, 4):
        if f"ask {n}" not in options(state):
            assert asked == "an action"
            assert state.why_not(f"ask {n}")
            continue
        play(state, f"ask {n}")
        if "done" in options(state):
            yes.append(n)
            play(state, "done")
    assert yes == possible


@pytest.mark.parametrize("backend", BACKENDS)
def test_things_cards_and_what_is_done_once(tmp_path: Path, backend: str) -> None:
    """Whose a thing is, where a card lies (equal ones too), what may be missing, and a flag that is spent."""
    rules = (
        "action feed(pawn x of actor, maybe card c in actor.hand) during day once per turn: x.size += 1\n"
        "action ask(pawn x, maybe card c) during day:\n  require can feed(x, c)\n  answers += 1\n"
        "action bid(pawn x) during day:\n  require can feed(x, none)\n  answers += 1\n"
    )
    state = started(game(tmp_path, rules), backend=backend)
    asked = [option for option in state.decision.options if option.text.startswith("ask")]
    assert len(asked) == 2 * 3  # two pawns of the actor; two equal cards, which this action tells apart, and none
    assert [reason.text for reason in state.why_not("bid b")] == ["b belongs to bob, not to ana"]
    play(state, "feed a none")
    # Now ana can do nothing more.
    assert [text for text in options(state) if text.startswith("ask")] == ["ask b none", "ask d none"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_action_of_a_trait_asks_for_its_own_bearer(tmp_path: Path, backend: str) -> None:
    """Of two bearers the one that may, by its own size and by its own flag."""
    horn = (
        "  action toot(int n from 1 to 2) during day once per turn:\n    require n == self.size\n    total += n\n"
        "  value able(int n) -> bool: can toot(n)\n"
        "  action ask(int n from 1 to 2) during day:\n    require able(n) and can toot(n)\n    answers += 1\n"
    )
    state = started(game(tmp_path, "", horn=horn), backend=backend)
    assert options(state) == ["toot a 1", "ask a 1", "pass"]
    play(state, "toot a 1")
    assert state.over  # no other option is left to anybody


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_ensure_may_ask_it(tmp_path: Path, backend: str) -> None:
    rules = (
        "action act(int n from 1 to 3) during day:\n  total = n\n  ensure total < limit\n"
        "action ask(int n from 1 to 3) during day:\n  total = n\n  ensure can act(n)\n"
    )
    state = started(game(tmp_path, rules), backend=backend)
    assert options(state) == ["act 1", "act 2", "ask 1", "ask 2", "pass"]
    assert state.why_not("ask 3")


@pytest.mark.parametrize(
    "rules",
    [
        "action act during day:\n  require can act\n  total = 1\n",
        "action act during day:\n  total = 1\n  ensure not can act\n",
        "action act during day: go\nroutine go:\n  require not can act\n  total = 1\n",
        "action act during day:\n  go\n  ensure total > 0\nroutine go: total = 1\nbefore go when can act: total = 2\n",
    ],
)
def test_an_action_that_asks_itself_has_no_end(tmp_path: Path, rules: str) -> None:
    assert codes(game(tmp_path, rules)) == ["W507"]
