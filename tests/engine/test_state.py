"""The public API of a game in progress, on a game that no compiler made."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from rulelang.base.errors import RuleError
from rulelang.runtime.decision import IllegalMove, Option
from rulelang.runtime.rng import Generator, policy_seed
from rulelang.runtime.state import SaveError, State
from tests.engine.fake import FORBIDDEN, HERE, Fake, fake_game

GAME = fake_game()


def laying(players: int = 3, seed: int = 5, **more: object) -> State:
    """The first open turn: each player has kept the first card of his hand."""
    state = GAME.new(players, seed, **more)  # type: ignore[arg-type]
    for _ in range(players):
        state.play(0)
    return state


def finish(state: State, seed: int = 1) -> State:
    chance = Generator(seed)
    while not state.over:
        state.play(chance.below(state.option_count))
    return state


def size(state: State, creature: int) -> int:
    return state.table.program.pure(list(state.words), "size", [creature])


def texts(state: State) -> list[str]:
    return [option.text for option in state.decision.options]


def test_a_game_begins_at_its_first_decision() -> None:
    state = GAME.new(players=3, seed=5)
    assert not state.over
    assert (state.decision.player, state.decision.name, state.decision.prompt) == (1, "ana", "keep a card")
    assert (state.round, state.phase, state.active, state.decider) == (0, "keeping", 0, 1)
    assert state.players == ("ana", "bob", "cleo")
    assert state.option_count == len(state.decision.options) == 3


def test_names_are_given_or_made_up() -> None:
    assert GAME.new(3, names=["Zoe", "bob"]).players == ("Zoe", "bob", "ana")
    with pytest.raises(ValueError, match="same name"):
        GAME.new(2, names=["Zoe", "zoe"])
    with pytest.raises(ValueError, match="3 names for 2 players"):
        GAME.new(2, names=["a", "b", "c"])


def test_what_a_table_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="Fake is for 2 to 4 players, not 5"):
        GAME.new(5)
    with pytest.raises(ValueError, match="did you mean `limit`"):
        GAME.new(2, options={"limi": 3})
    with pytest.raises(ValueError, match="from 2 to 9, not 12"):
        GAME.new(2, options={"limit": 12})
    with pytest.raises(ValueError, match="one of island, coast, not `cost`; did you mean `coast`"):
        GAME.new(2, options={"map": "cost"})
    with pytest.raises(ValueError, match="true or false"):
        GAME.new(2, options={"teams": "perhaps"})
    with pytest.raises(ValueError, match="no backend `slow`"):
        GAME.new(2, backend="slow")
    assert dict(GAME.new(2, options={"map": "coast", "teams": True}).table.options) == {
        "limit": 6, "teams": 1, "map": 2,
    }  # fmt: skip


def test_a_move_is_an_option_its_text_a_beginning_or_its_index() -> None:
    after = []
    for choice in (5, "grow wolf 2", " Grow  WOLF 2 ", "grow wolf 2"):
        state = laying()
        assert texts(state)[5] == "grow wolf 2"
        state.play(choice)
        after.append(state.hash())
    state = laying()
    state.play(state.decision.options[5])
    assert {*after, state.hash()} == {after[0]}
    assert laying().find("pas") == 6


def test_cards_of_one_row_are_told_apart_by_what_is_printed() -> None:
    assert texts(GAME.new(3, 5)) == ["claw 2", "tail", "claw 1"]
    state = laying()  # the claw of 2 is kept: there is one claw left to name
    assert texts(state)[2] == "lay claw wolf"
    assert state.find("lay claw 1 wolf") == 2


def test_cards_alike_are_numbered() -> None:
    state = GAME.new(3, 5)
    state.play(0)
    assert texts(state) == ["wing #1", "tail", "wing #2"]


@pytest.mark.parametrize("choice", ["attack wolf", "grow crab", 99, -1, "grow", "", "lay tail", "lay horn wolf"])
def test_a_refused_move_changes_nothing(choice: str | int) -> None:
    state = laying()
    before = state.hash()
    with pytest.raises(IllegalMove) as caught:
        state.play(choice)
    assert caught.value.reasons
    assert state.try_play(choice) == list(caught.value.reasons)
    assert (state.hash(), state.choices) == (before, [0, 0, 0])


def test_an_option_of_another_decision_is_refused() -> None:
    old = GAME.new(3, 5).decision.options[0]
    with pytest.raises(IllegalMove, match="belongs to another decision"):
        laying().play(Option(old.text, old.index, (7, 7, 7)))


def test_why_not_names_the_rule() -> None:
    state = laying()
    assert state.why_not("grow wolf") == []
    (refusal,) = state.why_not("grow crab")
    assert (refusal.text, refusal.source, refusal.span) == ("it is not yours", "", HERE)
    (refusal,) = state.why_not("gorw wolf")
    assert "there is no action `gorw`; did you mean `grow`?" in refusal.text
    (refusal,) = state.why_not("grow wulf")
    assert refusal.text == "there is no creature `wulf` here; did you mean `wolf`?"
    (refusal,) = state.why_not("grow")
    assert "could be `grow wolf`, `grow wolf 2`" in refusal.text
    (refusal,) = state.why_not("lay claw")
    assert "is ambiguous" in refusal.text
    (refusal,) = state.why_not("grow wolf wolf")
    assert refusal.text == "`grow` does not need `wolf`"
    assert str(state.why_not("bow bob 3")[0]).startswith("you cannot bow now (ana: your turn")
    assert state.why_not("bow bob x")[0].text == "`x` is not a number"
    assert state.why_not("bow bob")[0].text == "`bow` needs a number"
    assert state.why_not("grow wolf", "bob")[0].text == "it is ana's turn to choose, not bob's"
    assert finish(state).why_not("grow wolf")[0].text == "the game is over"


def test_why_not_gives_every_reason_with_source_and_line() -> None:
    state = laying()
    state.play("lay tail wolf")
    state.play("pass")
    state.play("pass")
    words = list(state.words)
    program = state.table.program
    assert isinstance(program, Fake)
    words[program.size_at + 1] = 6
    tail = next(card for card in range(1, 13) if program.layout.cards[card].row == "tail" and
                words[program.layout.where + card] == program.layout.zones["deck"].first_id)  # fmt: skip
    program._move(words, tail, "hand", 1)
    full = state.altered(words)
    reasons = full.why_not("lay tail wolf")
    assert [str(reason) for reason in reasons] == [
        "wolf cannot grow beyond 6 [fake.rules:3:1]",
        "a tail cannot be laid on wolf (tail) [fake.yaml:9:5]",
    ]
    assert reasons[1].span == FORBIDDEN
    assert full.why_not_call("lay", (tail, 1)) == reasons


def test_another_players_hidden_card_cannot_be_probed() -> None:
    state = laying()  # bob holds a wing; ana does not
    assert state.why_not("lay wing wolf")[0].text == "you see no wing now"


def test_scores_and_winners() -> None:
    state = laying()
    assert (state.scores, state.winners) == ([2, 2, 2], [])
    while not state.over:
        state.play("pass" if state.decider == 2 else state.decision.options[-2])
    assert state.scores == [4, 2, 4]
    assert state.winners == [1, 3]  # equal scores and hands: they share
    with pytest.raises(RuntimeError, match="the game is over"):
        _ = state.decision
    with pytest.raises(IllegalMove, match="the game is over"):
        state.play(0)


def test_teams_are_summed() -> None:
    state = laying(4, options={"teams": True})
    while not state.over:
        state.play("grow" if False else state.decision.options[-2] if state.decider == 1 else "pass")
    assert state.scores == [6, 4, 6, 4]
    assert state.winners == [1, 3]


def test_the_same_seed_is_the_same_game() -> None:
    hashes = {finish(GAME.new(4, 11)).hash() for _ in range(3)}
    assert len(hashes) == 1
    assert finish(GAME.new(4, 12)).hash() not in hashes


def test_a_clone_is_independent() -> None:
    state = laying()
    other = state.clone()
    other.play("grow wolf")
    assert state.hash() != other.hash()
    assert len(other.log) == len(state.log) + 1
    state.play("grow wolf")
    assert (state.hash(), [e.text for e in state.log]) == (other.hash(), [e.text for e in other.log])


def test_cloning_is_quick() -> None:
    state = laying()
    best = 1.0
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(100):
            state.clone()
        best = min(best, (time.perf_counter() - start) / 100)
    assert best < 10e-6


def test_undo_goes_back_move_by_move() -> None:
    state = GAME.new(3, 5)
    hashes, logs = [state.hash()], [len(state.log)]
    while not state.over:
        state.play(0)
        hashes.append(state.hash())
        logs.append(len(state.log))
    while len(hashes) > 1:
        hashes.pop()
        logs.pop()
        assert state.undo() == 1
        assert (state.hash(), len(state.log), len(state.choices)) == (hashes[-1], logs[-1], len(hashes) - 1)
    assert state.undo() == 0
    assert texts(state) == ["claw 2", "tail", "claw 1"]
    state.play(0)
    state.play(0)
    assert state.undo(5) == 2


def test_every_decision_can_be_saved_and_restored() -> None:
    state = GAME.new(3, 9, names=["x", "y", "z"], options={"limit": 5})
    chance = Generator(3)
    while not state.over:
        again = GAME.restore(state.save())
        assert again.hash() == state.hash()
        assert texts(again) == texts(state)
        assert [str(e) for e in again.log] == [str(e) for e in state.log]
        assert [again.view(p) for p in (None, 1, 2, 3)] == [state.view(p) for p in (None, 1, 2, 3)]
        choice = chance.below(state.option_count)
        state.play(choice)
        again.play(choice)
        assert again.hash() == state.hash()
    assert GAME.restore(state.save()).over


def test_a_blob_of_other_rules_or_a_damaged_one_is_refused() -> None:
    blob = laying().save()
    with pytest.raises(SaveError, match="began with other rules"):
        fake_game("changed").restore(blob)
    with pytest.raises(SaveError, match="not JSON"):
        GAME.restore(blob[:-20])
    with pytest.raises(SaveError, match="not a saved game"):
        GAME.restore(b"[]")
    record = json.loads(blob)
    for key, value in {
        "words": record["words"][:-1], "players": 9, "hash": "x", "log": [[99, [], -1, 0, []]], "format": 9,
        "names": 3, "options": {"limit": 77}, "choices": None, "curtain": [1], "called": [1], "opened": [99],
    }.items():  # fmt: skip
        with pytest.raises(SaveError):
            GAME.restore(json.dumps({**record, key: value}))
    record["words"][5] ^= 1
    with pytest.raises(SaveError, match="damaged"):
        GAME.restore(json.dumps(record))


def behind_the_curtain() -> State:
    state = GAME.new(3, 21)
    while state._host.curtain_words is None:
        state.play(0)
    return state


@pytest.mark.parametrize("number", [1e308, 1.0, True, "0", None, -1, 1 << 31, 1 << 70, 10**4000, [], float("nan")])
@pytest.mark.parametrize("key", ["curtain_from", "took", "opened", "choices", "dice", "called", "log", "players"])
def test_a_number_of_a_save_has_its_type_and_range(key: str, number: object) -> None:
    """`curtain_from: 1e308` was accepted, and the log raised IndexError later."""
    record = json.loads(behind_the_curtain().save())
    entry = record["log"][0]
    spoiled = {
        "curtain_from": number, "players": number, "took": [0, number], "opened": [number], "choices": [number],
        "dice": [number], "called": [["crab", number, "Nob"]], "log": [[number, *entry[1:]], *record["log"][1:]],
    }[key]  # fmt: skip
    with pytest.raises(SaveError):
        GAME.restore(json.dumps({**record, key: spoiled}))


def test_the_curtain_of_a_save_falls_where_the_log_says() -> None:
    record = json.loads(behind_the_curtain().save())
    assert GAME.restore(json.dumps(record)).log_for(1) is not None
    for number in range(len(record["log"]) + 1):
        if number != record["curtain_from"]:
            with pytest.raises(SaveError, match="damaged"):
                GAME.restore(json.dumps({**record, "curtain_from": number}))


def test_a_replay_leads_to_the_same_end() -> None:
    state = finish(GAME.new(3, 21))
    data = json.loads(json.dumps(GAME.record(state)))
    again = GAME.replay(data)
    assert (again.hash(), again.scores, again.choices) == (state.hash(), state.scores, state.choices)
    with pytest.raises(SaveError, match="other rules"):
        fake_game("changed").replay(data)
    assert fake_game("changed").replay(data, any_version=True).scores == state.scores
    with pytest.raises(SaveError, match="choice 1 of the replay, `99`, is not possible"):
        GAME.replay({**data, "choices": [99]})
    with pytest.raises(SaveError, match="does not end"):
        GAME.replay({**data, "choices": data["choices"][:-1]})
    with pytest.raises(SaveError, match="cannot be read"):
        GAME.replay({"format": 1, "ruleset": "fake", "content_hash": "abc"})


@pytest.mark.parametrize(
    "other",
    [
        None, 7, "{}", b"x", [], {}, {"format": 2}, {"format": [1]}, {"ruleset": 3}, {"players": "3"},
        {"players": None}, {"players": [3]}, {"players": 99}, {"players": True}, {"seed": None},
        {"seed": "a"}, {"seed": 1.5},
        {"names": "ana"}, {"names": [1]}, {"names": ["a", "a"]}, {"names": {"a": 1}}, {"options": []},
        {"options": {1: 2}}, {"options": {"map": ["coast"]}}, {"options": {"map": None}}, {"choices": None},
        {"choices": "abc"}, {"choices": [None]}, {"choices": [[0]]}, {"choices": [1.5]}, {"choices": {"0": 1}},
        {"choices": [-1]}, {"choices": [1 << 80]}, {"choices": [""]}, {"hash": 5},
    ],
)  # fmt: skip
@pytest.mark.parametrize("any_version", [False, True])
def test_what_is_no_replay_is_a_save_error(other: object, any_version: bool) -> None:
    data = {**GAME.record(GAME.new(3, 21)), **other} if isinstance(other, dict) and other else other
    if any_version and other in ({"ruleset": 3}, {"hash": 5}):
        return  # of another version these are not looked at
    with pytest.raises(SaveError):
        GAME.replay(data, any_version=any_version)


def test_replays_and_views_fit_their_schemas(root: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    state = laying()
    schema = json.loads((root / "schemas/replay.schema.json").read_text())
    jsonschema.validate(json.loads(json.dumps(GAME.record(state))), schema)
    schema = json.loads((root / "schemas/view.schema.json").read_text())
    for position in (GAME.new(3, 5), state, finish(laying(4))):
        for viewer in (None, 1, "bob"):
            jsonschema.validate(json.loads(json.dumps(position.view(viewer))), schema)


def test_a_failing_rule_leaves_the_state_as_it_was() -> None:
    state = laying()
    words = list(state.words)
    program = state.table.program
    assert isinstance(program, Fake)
    words[program.size_at + 3] = 41  # bob's: breaks the invariant at the next step
    broken = state.altered(words)
    before = broken.hash()
    with pytest.raises(RuleError) as caught:
        broken.play("grow wolf")
    assert (caught.value.diagnostic.code, caught.value.diagnostic.span) == ("X607", HERE)
    assert broken.hash() == before
    words[program.size_at + 3] = 51
    with pytest.raises(RuleError, match="a size of more than 50"):
        state.altered(words).play("grow wolf")


def test_scenarios_can_prepare_call_and_fix_dice() -> None:
    def grow(words: list[int], table: object) -> None:
        words[GAME.table(3).program.size_at + 1] = 4  # type: ignore[attr-defined]

    state = GAME.new(3, 5, prepare=grow)
    assert size(state, 1) == 1  # the set-up creates it anew
    with pytest.raises(ValueError, match="cannot be saved as a replay"):
        GAME.record(state)
    state.call("inflate", (2, 3))
    assert (size(state, 2), state.over) == (4, False)
    state.undo()
    assert (size(state, 2), state.over) == (1, False)
    with pytest.raises(KeyError):
        state.call("nothing", ())
    named = GAME.start(GAME.table(3), 5, called={("creature", 1): "ox"}, dice=[0, 1, 2])
    assert (named.names.text("creature", 1), named.view()["state"]["goal"], named.seed) == ("ox", "blue", None)
    renamed = state.altered(list(state.words), state.names.renamed("creature", 1, "rex"))
    assert renamed.view(1)["players"][0]["things"]["creature"][0]["name"] == "rex"
    assert GAME.restore(renamed.save()).names.text("creature", 1) == "rex"


def test_a_playout_is_the_random_agents_game() -> None:
    state = laying()
    before = state.hash()
    scores = state.playout(3)
    assert state.hash() == before
    chance = Generator(policy_seed(3))
    while not state.over:
        state.play(chance.below(state.option_count))
    assert state.scores == scores


def test_events_tell_what_they_are_about_and_viewers_what_they_saw() -> None:
    state = finish(GAME.new(3, 5))
    told = 0
    for whole, *seen in zip(state.log, *(state.log_for(seat) for seat in (None, 1, 2, 3)), strict=True):
        assert len(whole.args) == len(whole.kinds)
        for event in seen:
            assert event.kinds == whole.kinds
            for value, kind, real in zip(event.args, event.kinds, whole.args, strict=True):
                assert value in (0, real)
                assert kind or not value
                told += bool(value)
            assert ("a card" in event.text) <= (event.args != whole.args)
    assert told
