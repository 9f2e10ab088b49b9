"""A die is as secret as what it is written into, and so is an argument in a line that the log makes itself."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.runtime.changes import ChangeDescriber
from rulelang.runtime.state import State
from tests.backends.named import BACKENDS
from tests.secrecy.den import den
from tests.secrecy.telling import dice_shown

#: Ways to write a die, or a number that was chosen, into what others do not see; and whether its owner sees it there.
HIDDEN = {
    "straight into an attribute": ("  roll 1d6 as actor.gold\n", True),
    "several dice": ("  roll 3d6 as actor.gold\n", True),
    "a number of dice that play decides": ("  roll (actor.coins) d2 as actor.gold\n", True),
    "into an attribute of a thing": ("  for cub b of actor: roll 1d6 as b.fear\n", True),
    "through a name": ("  roll 1d6 as n\n  actor.gold = n\n", True),
    "through a second name": ("  roll 1d6 as n\n  let m = n + 2\n  actor.gold = m\n", True),
    "added to what was there": ("  roll 1d6 as n\n  actor.gold = 0\n  actor.gold += n\n", True),
    "through a condition": ("  roll 1d6 as n\n  if n > 3: actor.gold = 1\n  else: actor.gold = 2\n", True),
    "into a state value that nobody sees": ("  roll 1d6 as weather\n", False),
    "through a routine": ("  roll 1d6 as n\n  keep(actor, n)\nroutine keep(player p, int n): p.gold = n\n", False),
    "through a hook": (
        "  roll 1d6 as n\n  note(n)\nroutine note(int n): nothing\nafter note(n): weather = n\n", False,
    ),
    "for things that are found later": ("  roll 1d6 as n\n  for cub b of actor: b.fear = n\n", False),
    "for two owners": ("  roll 1d6 as n\n  actor.gold = n\n  next(actor).gold = n\n", False),
}  # fmt: skip

#: Dice that everyone sees: they flow into nothing that is hidden, or the rules show them.
OPEN = {
    "into what everyone sees": "  roll 1d6 as n\n  shown = n\n",
    "into a public attribute": "  roll 1d6 as actor.coins\n",
    "shown by the rules": '  roll 1d6 as n\n  tells "{actor} rolls {n}"\n  actor.gold = n\n',
    "which die decides what is drawn": "  roll 1d6 as n\n  if n > 3: draw 1 from deck to actor.hand\n",
}


def tossed(folder: Path, body: str, backend: str = "python") -> State:
    """The den at the first decision, with an action `toss` of this body."""
    game = load(den(folder / "den", f"action toss during day:\n{body}"))
    return game.new(2, 1, backend=backend)


def dice_of(state: State, seat: int | None) -> list[str]:
    return [str(event).strip() for event in state.log_for(seat) if " show" in str(event)]


@pytest.mark.parametrize("what", HIDDEN)
def test_a_hidden_die_is_shown_to_nobody_else(what: str, tmp_path: Path) -> None:
    body, own = HIDDEN[what]
    state = tossed(tmp_path, body)
    seat = state.decider
    state.play("toss")
    full = [str(event).strip() for event in state.log if " show" in str(event)]
    assert full
    assert not any("?" in line for line in full)
    for viewer in (3 - seat, None):
        lines = dice_of(state, viewer)
        assert len(lines) == len(full), "that dice were rolled is no secret"
        assert not any(character.isdigit() for line in lines for character in line), (viewer, lines)
    assert (dice_of(state, seat) == full) == own, dice_of(state, seat)


@pytest.mark.parametrize("what", OPEN)
def test_an_open_die_is_shown_to_everyone(what: str, tmp_path: Path) -> None:
    state = tossed(tmp_path, OPEN[what])
    state.play("toss")
    full = [str(event).strip() for event in state.log if " show" in str(event)]
    assert full
    assert all(dice_of(state, viewer) == full for viewer in (1, 2, None))


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_backends_roll_into_attributes(backend: str, tmp_path: Path) -> None:
    body = "  for cub b of actor: roll 1d6 as b.fear\n  roll 2d6 as actor.coins\n  roll 1d6 as met[actor, red]\n"
    state, plain = tossed(tmp_path, body, backend), tossed(tmp_path, body)
    for one in (state, plain):
        one.play("toss")
    assert [*state.words] == [*plain.words]
    assert [[str(e) for e in state.log_for(v)] for v in (1, 2, None)] == [
        [str(e) for e in plain.log_for(v)] for v in (1, 2, None)
    ]
    assert len(dice_of(state, None)) == 4


def test_a_card_that_is_not_seen_hides_the_die_of_its_attribute(tmp_path: Path) -> None:
    folder = den(tmp_path / "den", "action toss(card c in actor.hand) during day:\n  roll 1d6 as c.luck\n")
    things = folder / "things.yaml"
    things.write_text(things.read_text("utf-8").replace(
        "    rows:\n", "    attributes: {luck: 0..6}\n    rows:\n"), "utf-8")  # fmt: skip
    state = load(folder).new(2, 1)
    seat = state.decider
    state.play(next(option for option in state.decision.options if option.action == "toss"))
    assert dice_of(state, 3 - seat) == dice_of(state, None) == ["the die shows ?"]
    assert dice_of(state, seat) != ["the die shows ?"]


def test_a_log_that_is_kept_and_read_again_hides_the_same(tmp_path: Path) -> None:
    game = load(den(tmp_path / "den", "action toss during day:\n  roll 2d6 as actor.gold\n"))
    state = game.new(2, 1)
    state.play("toss")
    again = game.restore(state.save())
    for viewer in (1, 2, None):
        assert again.log_for(viewer).data() == state.log_for(viewer).data()


@pytest.mark.parametrize("shown", [False, True], ids=["as it is", "if the log showed all"])
@pytest.mark.parametrize("what", ["through a condition", "into an attribute of a thing", "through a routine"])
def test_other_dice_that_only_change_what_is_hidden_are_not_told(
    what: str, shown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control shows all dice, as the log once did: then others are told."""
    if shown:
        monkeypatch.setattr(ChangeDescriber, "sees_kept", lambda *_: True)
    state = tossed(tmp_path, HIDDEN[what][0])
    index = next(option.index for option in state.decision.options if option.action == "toss")
    assert bool(dice_shown(state, 3 - state.decider, index, random.Random(1))) == shown


CHOSEN = {
    "a number": ("toss(int n from 1 to 6)", "  actor.gold = n\n"),
    "a number, added": ("toss(int n from 1 to 6)", "  actor.gold += n\n"),
    "a number through a routine": ("toss(int n from 1 to 6)", "  keep(n)\nroutine keep(int n): weather = n\n"),
    "a row": ("toss(colour k)", "  actor.pick = k\n"),
    "a player": ("toss(player p)", "  actor.vote = p\n"),
}


@pytest.mark.parametrize("what", CHOSEN)
def test_what_is_chosen_and_hidden_is_not_in_a_line_without_words(what: str, tmp_path: Path) -> None:
    head, body = CHOSEN[what]
    folder = den(tmp_path / "den", f"action {head} during day:\n{body}")
    things = folder / "things.yaml"
    more = "      pick: {is: maybe colour, seen_by: owner}\n      vote: {is: maybe player, seen_by: owner}\n"
    things.write_text(things.read_text("utf-8").replace("      coins:", f"{more}      coins:"), "utf-8")
    state = load(folder).new(2, 1)
    seat = state.decider
    told = []
    options = [option for option in state.decision.options if option.action == "toss"]
    for option in options:
        after = state.clone()
        after.play(option)
        told.append(([str(e) for e in after.log_for(3 - seat)], after.log_for(3 - seat).data()["entries"]))
    assert all(one == told[0] for one in told)
    assert any("toss ?" in line for line in told[0][0])
    assert len(options) > 1


def test_a_thing_whose_hidden_value_changes_is_still_named(tmp_path: Path) -> None:
    folder = den(tmp_path / "den", "action toss(cub b of actor) during day: b.fear += 1\n")
    state = load(folder).new(2, 1)
    option = next(option for option in state.decision.options if option.action == "toss")
    state.play(option)
    assert str(state.log_for(None)[-1]).strip() == option.text
