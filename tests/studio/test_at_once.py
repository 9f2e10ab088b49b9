"""Behind the curtain of `secretly` several seats choose at once, in whatever order they like."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.hooks.small import write
from tests.studio.helpers import client, site
from tests.studio.test_rooms import Seated, begin, enter, hub_of

FILES = {
    "things.yaml": """\
cards:
  card:
    columns: {worth: int}
    rows: [{worth: 1, copies: 3}, {worth: 2, copies: 3}, {worth: 3, copies: 3}, {worth: 4, copies: 3}]
kinds:
  player: {attributes: {points: {is: int, start: 0}}}
zones:
  deck: {holds: card, seen_by: nobody}
  hand: {of: player, holds: card, seen_by: owner}
  bid: {of: player, holds: card, seen_by: owner}
  gone: {holds: card, seen_by: everyone}
state: {first_player: player}
""",
    "game.rules": """\
game:
  for card c: move c to deck
  shuffle deck
  for player p: draw 4 from deck to p.hand
  rounds until round >= 3: bidding
phase bidding:
  secretly for player p:
    choose card c in p.hand by p "to bid":
      move c to p.bid
    choose card d in p.hand by p "to throw away":
      move d to gone
  for player p:
    p.points += sum(card c in p.bid: c.worth)
    tells "{p} has bid {sum(card c in p.bid: c.worth)}"
    move all p.bid to gone
value score(player p) -> int: p.points
""",
}
DRAWING = FILES["game.rules"].replace(
    "      move d to gone\n", "      move d to gone\n      draw 1 from deck to p.hand\n", 1
)


@contextmanager
def seated(asked: TestClient, made: dict[str, Any]) -> Iterator[list[Seated]]:
    with ExitStack() as stack:
        yield [stack.enter_context(enter(asked, made["room"], token)) for token in made["tokens"]]


def opened(tmp_path: Path, rules: str = FILES["game.rules"]) -> tuple[Path, Path]:
    return write(tmp_path / "bids", {**FILES, "game.rules": rules}), tmp_path / "rooms.db"


def options(seat: Seated) -> list[str]:
    return [one["sentence"] for one in (seat.table["question"] or {}).get("options", [])]


def choose(seat: Seated, number: int = 0) -> None:
    at = seat.moves
    assert seat.say("play", at=at, option=number)["t"] == "done"
    while seat.moves == at and seat.table["question"]:
        seat.hear()


def test_the_last_may_choose_first_and_all_of_it_counts(tmp_path: Path) -> None:
    folder, kept = opened(tmp_path)
    with client(site(tmp_path, folder=folder, kept=kept)) as asked:
        made = begin(asked, "you", "you", "you", game="bids")
        room = hub_of(asked).rooms[made["room"]]
        with seated(asked, made) as (ana, bob, cleo):
            assert ana.moves == 0
            assert bob.moves < 0
            assert cleo.moves < 0
            assert all(len(options(one)) > 1 for one in (ana, bob, cleo))
            chosen = options(cleo)[-1]  # as `card 3`
            choose(cleo, len(options(cleo)) - 1)
            choose(cleo)
            assert 3 in cleo.room["answered"]
            choose(bob)
            assert room.play is not None
            assert room.play.moves == 0
            choose(ana)
            while not options(ana):
                ana.hear()
            ana.say("play", at=ana.moves, option=0)
            bob.until_asked()
            assert 2 not in bob.room["answered"]
            assert room.play.moves == 3  # what Bob has answered was taken at once
            bob.say("play", at=bob.moves, option=0)
            assert room.play.moves == 6  # and all of Cleo's, who is not asked any more
            assert room.ahead.answers == {}
            assert room.play.state.round == 2
            bids = [event.text for event in room.play.state.log if "has bid" in event.text]
            assert bids[2] == f"Cleo has bid {chosen.split()[-1]}"


def test_nothing_shows_of_what_others_choose(tmp_path: Path) -> None:
    """To Bob it is all one what Ana and Cleo have chosen, and that they have."""
    folder, _ = opened(tmp_path)
    heard = []
    for number in (0, -1):
        with client(site(tmp_path, folder=folder)) as asked:
            made = begin(asked, "you", "you", "you", game="bids")
            with seated(asked, made) as (ana, bob, cleo):
                choose(cleo, number % len(options(cleo)))
                choose(ana, number % len(options(ana)))
                choose(bob)
                heard.append([json.loads(text.replace(made["room"], "ROOM")) for text in bob.heard])
    for one in heard:
        for said in one:
            said.pop("room", None)
    first, second = ([json.dumps(said) for said in one if len(said) > 1] for one in heard)
    assert first == second


def test_early_answers_can_be_taken_back_and_outlive_the_server(tmp_path: Path) -> None:
    folder, kept = opened(tmp_path)
    with client(site(tmp_path, folder=folder, kept=kept)) as asked:
        made = begin(asked, "you", "you", game="bids")
        with seated(asked, made) as (_, bob):
            before = options(bob)
            choose(bob, 1)
            assert options(bob) != before
            assert bob.room["undo"] is True
            at = bob.moves
            assert bob.say("undo")["t"] == "done"
            while bob.moves == at:
                bob.hear()
            assert options(bob) == before
            choose(bob, 1)
            choose(bob, 0)
            answers = dict(hub_of(asked).rooms[made["room"]].ahead.answers)
            assert [len(keys) for keys in answers.values()] == [2]
    with client(site(tmp_path, folder=folder, kept=kept)) as asked:
        room = hub_of(asked).rooms[made["room"]]
        assert room.ahead.answers == answers
        with seated(asked, made) as (ana, bob):
            choose(ana)
            ana.say("play", at=ana.moves, option=0)
            assert room.play is not None
            assert room.play.moves == 4
            assert bob.say("undo")["t"] == "no"


def test_whoever_was_asked_early_may_still_answer_when_it_is_his_turn(tmp_path: Path) -> None:
    folder, _ = opened(tmp_path)
    with client(site(tmp_path, folder=folder)) as asked:
        made = begin(asked, "you", "you", game="bids")
        room = hub_of(asked).rooms[made["room"]]
        with seated(asked, made) as (ana, bob):
            early = bob.moves
            assert early < 0
            choose(ana)
            ana.say("play", at=ana.moves, option=0)
            assert room.play is not None
            assert (room.play.moves, room.play.state.decider) == (2, 2)
            assert bob.say("play", at=early, option=0)["t"] == "done"  # said before he has heard of it
            assert room.play.moves == 3
            assert bob.say("play", at=early, option=0)["t"] == "no"


@pytest.mark.parametrize("drawn", [False, True])
def test_whoever_would_see_a_card_has_to_wait(tmp_path: Path, drawn: bool) -> None:
    folder, _ = opened(tmp_path, DRAWING if drawn else FILES["game.rules"])
    with client(site(tmp_path, folder=folder)) as asked:
        made = begin(asked, "you", "you", game="bids")
        with seated(asked, made) as (_, bob):
            assert (bob.moves < 0) is not drawn
