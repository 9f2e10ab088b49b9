"""Views and logs: what a player sees does not depend on what he must not see."""

from __future__ import annotations

import json

from rulelang.runtime.state import State
from tests.engine.fake import Fake, fake_game
from tests.engine.test_state import laying

GAME = fake_game()


def with_other_secrets(state: State, viewer: int) -> State:
    """The same position with the deck, and the others' hidden cards and numbers, changed."""
    words = list(state.words)
    program = state.table.program
    assert isinstance(program, Fake)
    layout = program.layout
    hidden = []
    for zone, owners in (("deck", [0]), ("hand", range(1, 4)), ("kept", range(1, 4))):
        laid = layout.zones[zone]
        for owner in owners:
            if owner != viewer:
                start = laid.base + owner * laid.stride
                hidden += [start + 1 + i for i in range(words[start])]
    cards = [words[at] for at in hidden]
    places = [words[layout.where + card] for card in cards]
    for at, card, place in zip(hidden, [*cards[1:], cards[0]], places, strict=True):
        words[at] = card
        words[layout.where + card] = place
        words[program.mark_at + card] ^= 1
    for player in range(1, 4):
        words[program.bag_at + player] += player != viewer
    words[layout.cells.rng_x] ^= 5
    return state.altered(words)


def test_others_secrets_do_not_show() -> None:
    state = laying()
    state.play("grow wolf")
    for viewer in (1, 3):  # bob is asked, and sees his own options
        assert with_other_secrets(state, viewer).view(viewer) == state.view(viewer)
    other = with_other_secrets(state, 2)
    assert other.view(2) == state.view(2)
    assert other.view(None) != state.view(2)


def test_one_sees_ones_own() -> None:
    view = laying().view("ana")
    ana, bob, _ = view["players"]
    assert [card["label"] for card in ana["zones"]["hand"]["cards"]] == ["claw", "tail"][::-1] or ana["zones"]["hand"]
    assert len(ana["zones"]["hand"]["cards"]) == ana["zones"]["hand"]["count"] == 2
    assert bob["zones"]["hand"] == {"count": 2}
    assert "bag" in ana["attributes"]
    assert "bag" not in bob["attributes"]
    assert view["zones"] == {"box": {"count": 0}, "deck": {"count": 3}}
    assert view["decision"]["options"]
    assert laying().view("bob")["decision"] == {"player": 1}
    assert laying().view()["viewer"] is None
    assert view["tables"] == {"seen": [[0, 0, 0]] * 3}
    assert view["state"]["goal"] in ("red", "green", "blue")


def test_behind_the_curtain_others_stand_still() -> None:
    state = GAME.new(3, 5)
    before = {viewer: state.view(viewer)["players"] for viewer in (None, 1, 2, 3)}
    state.play(0)  # ana keeps a card
    assert state.view(1)["players"][0]["zones"]["kept"]["count"] == 1
    assert state.view(2)["players"] == before[2]
    assert state.view(None)["players"] == before[None]
    assert len(state.log_for(2)) == len(state.log) - 1
    state.play(0)
    state.play(0)
    assert state.view(2)["players"][0]["zones"]["kept"] == {"count": 1}
    assert [event.text for event in state.log_for(2)][1:] == [
        "ana keeps a card", "bob keeps wing", "cleo keeps a card",
    ]  # fmt: skip
    assert state.log_for(None)[1].args == (1, 0)


def test_hidden_cards_are_shown_in_the_log_once_they_lie_open() -> None:
    state = laying()
    state.play("lay claw wolf")
    assert state.log_for("bob")[-1].text == "claw is laid on wolf"
    assert "claw" not in json.dumps(laying().view("bob"))


def test_events_tell_their_causes() -> None:
    state = laying()
    state.play("pass")
    state.play("lay wing crab")
    *_, laid, flies, grows = state.log
    assert [grows.text, *(event.text for event in grows.causes())] == [
        "crab grows by 0", "crab flies", "wing is laid on crab",
    ]  # fmt: skip
    assert (flies.source, flies.what, flies.depth, flies.parent, str(flies.span)) == (
        "wing", "hook", 1, laid.number, "fake.yaml:9:5",
    )  # fmt: skip
    assert laid.parent is None
    assert str(flies) == "  crab flies  [wing]"
    assert state.log[-2:] == [flies, grows] or [e.text for e in state.log[-2:]] == [flies.text, grows.text]


def test_without_a_log_nothing_is_noted() -> None:
    assert len(GAME.new(3, 5, log=False).log) == 0
    state = laying()
    search = state.without_log()
    search.play("grow wolf")
    assert len(search.log) == len(state.log)
    assert GAME.restore(GAME.new(3, 5, log=False).save()).option_count == 3
