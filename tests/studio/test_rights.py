"""A key opens what it is for at the moment of each message, and no longer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rulelang.apps.studio.tables import routes
from rulelang.apps.studio.tables.setup import look_alike, shown_name
from tests.studio.helpers import KEY, client, site
from tests.studio.test_rooms import PEBBLES, Seated, begin, enter, hub_of


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[TestClient]:
    with client(site(tmp_path, folder=Path(PEBBLES))) as opened:
        yield opened


def sit(asked: TestClient, made: dict[str, Any], seat: int, name: str) -> str:
    with enter(asked, made["room"], made["invite"]) as guest:
        token: str = guest.say("sit", seat=seat, name=name)["token"]
    return token


def ended(guest: Seated) -> int:
    """The code with which a connection is closed; nothing of the table comes before."""
    try:
        while True:
            said = guest.hear()
            assert "table" not in said
            assert "patch" not in said
    except WebSocketDisconnect as gone:
        return gone.code


@pytest.mark.parametrize("kind", ["open", "bot"])
def test_a_connection_ends_when_its_seat_is_given_away(asked: TestClient, kind: str) -> None:
    made = begin(asked, "you", "open", "open", game="evolution")
    token = sit(asked, made, 2, "Bea")
    with enter(asked, made["room"], made["token"]) as host, enter(asked, made["room"], token) as sent:
        assert host.say("arrange", seat=2, kind=kind, agent="first")["t"] == "done"
        assert ended(sent) == 4403
    with pytest.raises(WebSocketDisconnect) as gone, enter(asked, made["room"], token):
        pass
    assert gone.value.code == 4404


def test_a_message_that_comes_after_the_seat_was_given_away_does_nothing(
    asked: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection may not have learned of it: nothing wakes it here."""
    made = begin(asked, "you", "you")
    room = hub_of(asked).rooms[made["room"]]
    room.setup = replace(room.setup, host="")  # who is the host keeps those rights
    assert room.play is not None
    seat = room.play.state.decider
    with enter(asked, made["room"], made["tokens"][seat - 1]) as sent:
        at = sent.moves
        monkeypatch.setattr(room, "tell", lambda moved=(): None)
        room.setup = room.setup.arranged(seat, "bot", "first")
        sent.socket.send_json({"t": "play", "id": 1, "at": at, "option": 0})
        assert ended(sent) == 4403
        assert room.play.moves == at


def test_who_sits_where_the_host_sat_is_not_the_host(asked: TestClient) -> None:
    made = begin(asked, "you", "open")
    with enter(asked, made["room"], KEY) as author:
        assert author.say("arrange", seat=1, kind="open")["t"] == "done"
    token = sit(asked, made, 1, "Mallory")
    with enter(asked, made["room"], token) as guest:
        assert guest.room["host"] is False
        assert not {"invite", "watch"} & guest.room.keys()
        assert guest.say("arrange", seat=2, kind="bot", agent="first")["t"] == "no"
    with enter(asked, made["room"], made["token"]) as host:  # has the rights still, and no seat
        assert (host.room["you"], host.room["host"]) == (0, True)
        assert host.say("sit", seat=2, name="Ana")["token"] == made["token"]
    with enter(asked, made["room"], made["token"]) as host:
        assert (host.room["you"], host.room["host"]) == (2, True)


def test_a_connection_takes_one_seat(asked: TestClient) -> None:
    made = begin(asked, "you", "open", "open", game="evolution")
    with enter(asked, made["room"], made["invite"]) as guest, enter(asked, made["room"], made["token"]) as host:
        assert guest.say("sit", seat=2, name="Bea")["t"] == "done"
        assert guest.say("sit", seat=3, name="Bob")["text"] == "you already have a seat here"
        assert host.say("arrange", seat=2, kind="open")["t"] == "done"
        assert guest.say("sit", seat=2, name="Bea")["t"] == "done"


def test_people_who_look_on_do_not_shut_out_others(asked: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "MOST", 1)
    made = begin(asked, "you", "open")
    with enter(asked, made["room"], made["watch"]), enter(asked, made["room"], made["token"]):
        with pytest.raises(WebSocketDisconnect) as gone, enter(asked, made["room"], made["watch"]):
            pass
        assert gone.value.code == 4429
        with enter(asked, made["room"], made["invite"]), enter(asked, made["room"], made["token"]) as again:
            assert again.room["you"] == 1


LETTERS = [
    ("Ana", "Аna"), ("Ana", "Ａｎａ"), ("ana", "ANA"), ("Ana", "Αna"), ("Bob", "B0b"), ("Ali", "AIi"),
    ("Ann Lee", "AnnLee"), ("Oscar", "Օscar"), ("fi", "ﬁ"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), LETTERS)
def test_names_that_look_the_same(one: str, other: str) -> None:
    assert look_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ana", "Anna"), ("Ivo", "Ева"), ("Al", "Ai"), ("愛", "恋"), ("Zoe", "Zoë")]
)
def test_names_that_look_different(one: str, other: str) -> None:
    assert not look_alike(one, other)


@pytest.mark.parametrize("odd", ["\u034f", "\u115f", "\u3164", "\ufe0f", "\u00ad", "\u200d", "\u2800", "\U000e0100"])
def test_letters_that_cannot_be_seen_are_left_out(odd: str) -> None:
    assert shown_name(f"A{odd}na{odd}") == "Ana"


def test_marks_do_not_pile_up() -> None:
    assert len(shown_name("A" + "\u0323" * 20 + "b")) <= 4


@pytest.mark.parametrize("name", ["Аna", "Ａｎａ", "Ana\u034f", "Ana\u115f", "An\u00ada"])
def test_a_double_of_a_name_is_refused(asked: TestClient, name: str) -> None:
    made = begin(asked, "you", "open")
    with enter(asked, made["room"], made["invite"]) as guest:
        assert guest.say("sit", seat=2, name=name)["text"].endswith("is already called " + shown_name(name))
    answer = asked.post("/api/rooms", json={"game": "pebbles", "seats": ["you", "open"], "names": ["Ana", name]})
    assert answer.status_code == 400
