"""Rooms by their WebSocket: who may do what, who is told what, and what comes back after a connection is lost."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from rulelang.apps.studio.tables.hub import Hub
from rulelang.apps.studio.tables.room import Guest
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import RuleError
from rulelang.base.source import NOWHERE
from rulelang.presentation.view.document import patched
from tests.studio.helpers import KEY, client, site

PEBBLES = str(Path(__file__).parents[2] / "examples" / "pebbles")


def mistake_of_rules(text: str) -> RuleError:
    return RuleError(Diagnostic("X601", NOWHERE, text))


class Seated:
    """Somebody at a table, with the last of all that he was told."""

    def __init__(self, socket: WebSocketTestSession, lang: str = "en") -> None:
        self.socket, self.heard, self.last = socket, [], 0
        self.room: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.log: list[str] = []
        self.moves = -1
        self.heard: list[str] = []
        socket.send_json({"t": "hello", "lang": lang})
        self.hear()

    def hear(self) -> dict[str, Any]:
        text = self.socket.receive_text()
        self.heard.append(text)
        said: dict[str, Any] = json.loads(text)
        if said["t"] == "room":
            more = {name: said[name] for name in ("undo", "left") if name in said}
            self.room = {**said.get("room", self.room), **more}
            if "moves" in said:
                self.table = said["table"] if "table" in said else self.patched(said["patch"])
                self.moves = said["moves"]
                self.log = [*([] if said["fresh"] else self.log), *said["log"]]
        return said

    def patched(self, change: Any) -> Any:
        return self.table if change is None else patched(self.table, change)

    def say(self, t: str, **more: Any) -> dict[str, Any]:
        """What comes back of something that is said."""
        self.last += 1
        self.socket.send_json({"t": t, "id": self.last, **more})
        while (said := self.hear()).get("id") != self.last:
            pass
        return said

    def until(self, moves: int) -> None:
        while self.moves < moves:
            self.hear()

    def until_told_again(self) -> None:
        """Until a move was taken back."""
        while not self.hear().get("fresh"):
            pass

    def until_spoken(self, lang: str) -> None:
        while self.table["lang"] != lang:
            self.hear()

    def until_asked(self, after: int = -1) -> list[dict[str, Any]]:
        """The options, once he is asked after more than so many moves."""
        while self.moves <= after or not (self.table.get("question") or {}).get("options"):
            self.hear()
        options: list[dict[str, Any]] = self.table["question"]["options"]
        return options


@contextmanager
def enter(asked: TestClient, room: str, key: str, lang: str = "en") -> Iterator[Seated]:
    with asked.websocket_connect(
        f"ws://127.0.0.1:8640/rooms/{room}", subprotocols=["rulelang", f"key.{key}"]
    ) as socket:
        yield Seated(socket, lang)


def hub_of(asked: TestClient) -> Hub:
    hub: Hub = asked.app.state.hub  # type: ignore[attr-defined]
    return hub


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[TestClient]:
    with client(site(tmp_path, folder=Path(PEBBLES))) as opened:
        yield opened


def begin(asked: TestClient, *seats: str, game: str = "pebbles", **more: Any) -> dict[str, Any]:
    answer = asked.post("/api/rooms", json={"game": game, "seats": [*seats], "seed": 4, "speed": 0, **more})
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_a_game_against_bots_is_played_to_its_end(asked: TestClient) -> None:
    made = begin(asked, "you", "first")
    with enter(asked, made["room"], made["token"]) as ana:
        while not ana.table["over"]:
            if not (ana.table["question"] or {}).get("options"):
                ana.hear()
                continue
            option = ana.table["question"]["options"][-1]["index"]
            assert ana.say("play", at=ana.moves, option=option)["t"] == "done"
            while ana.table["question"] and ana.moves != hub_of(asked).rooms[made["room"]].play.moves:  # type: ignore[union-attr]
                ana.hear()
        assert all("score" in player for player in ana.table["players"])
        assert ana.say("play", at=ana.moves, option=0) == {
            "t": "no",
            "id": ana.last,
            "text": "there is no decision to make now",
        }


def test_nobody_answers_for_another_or_twice(asked: TestClient) -> None:
    made = begin(asked, "you", "open")
    with enter(asked, made["room"], made["invite"]) as guest:
        assert guest.room["begun"] is False
        token = guest.say("sit", seat=2, name="Bea")["token"]
    with enter(asked, made["room"], made["token"]) as ana, enter(asked, made["room"], token) as bea:
        assert [seat["name"] for seat in ana.room["seats"]] == ["Ana", "Bea"]
        one, other = (ana, bea) if ana.table["question"].get("options") else (bea, ana)
        assert "options" not in other.table["question"]
        assert other.say("play", at=other.moves, option=0)["t"] == "no"
        assert one.say("play", at=one.moves, option=99)["text"] == "there is no such option"
        at = one.moves
        assert one.say("play", at=at, option=0)["t"] == "done"
        assert one.say("play", at=at, option=0)["t"] == "no"  # the same answer again, as after a lost connection
        other.until(at + 1)
        assert other.log


def test_keys_say_who_may_do_what(asked: TestClient) -> None:
    made = begin(asked, "you", "open")
    room = made["room"]
    for key in ("", "wrong", made["token"] + "x"):
        with (
            asked.websocket_connect(
                f"ws://127.0.0.1:8640/rooms/{room}", subprotocols=["rulelang", f"key.{key}"]
            ) as socket,
            pytest.raises(WebSocketDisconnect) as gone,
        ):
            socket.receive_text()
        assert gone.value.code == 4404
    with enter(asked, room, made["watch"]) as watcher:
        assert watcher.say("sit", seat=2, name="Bea")["t"] == "no"
        assert watcher.say("pace", speed=1)["t"] == "no"
        assert not {"invite", "watch"} & watcher.room.keys()
    with enter(asked, room, made["invite"]) as guest:
        assert guest.say("arrange", seat=2, kind="bot", agent="first")["t"] == "no"
        assert guest.say("sit", seat=2, name="ana")["text"] == "another player here is already called ana"
        assert guest.say("sit", seat=1, name="Bea")["text"] == "this seat is taken"
    with enter(asked, room, KEY) as author:
        assert author.say("arrange", seat=2, kind="bot", agent="nobody")["t"] == "no"
        assert author.say("arrange", seat=2, kind="bot", agent="first")["t"] == "done"
        while "question" not in author.table:
            author.hear()
        assert "options" not in (author.table["question"] or {})


def test_rooms_are_opened_with_the_authors_key_only(tmp_path: Path) -> None:
    with client(site(tmp_path), key="") as stranger:
        assert stranger.post("/api/rooms", json={"game": "evolution", "seats": ["you", "first"]}).status_code == 401


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"game": "nothing", "seats": ["you", "first"]}, "this server has no game `nothing`"),
        ({"seats": ["you"]}, "is for 2 players"),
        ({"seats": ["you", "nobody"]}, "there is no agent `nobody`"),
        ({"seats": 3}, "choose `you`, `open` or a bot for each seat"),
        ({"seats": ["you", "first"], "names": ["Ana", "ana"]}, "two players have the same name"),
        ({"seats": ["you", "first"], "options": {"nothing": 1}}, "nothing"),
        ({"scenario": "there is none so called"}, "there is no scenario"),
        ({"given": {"players": "none"}}, ""),
    ],
)
def test_what_cannot_be_is_told(asked: TestClient, wanted: dict[str, Any], why: str) -> None:
    answer = asked.post("/api/rooms", json={"game": "pebbles", **wanted})
    assert answer.status_code == 400
    assert why in answer.text
    assert hub_of(asked).rooms == {}


def test_whoever_comes_back_finds_all_as_it_is(asked: TestClient) -> None:
    made = begin(asked, "you", "first")
    with enter(asked, made["room"], made["token"]) as ana:
        options = ana.until_asked()
        at = ana.moves
        ana.say("play", at=at, option=options[0]["index"])
        ana.until_asked(after=at)
        before = (ana.table, ana.log)
    with enter(asked, made["room"], made["token"]) as again:
        assert (again.table, again.log) == before


def test_what_cannot_be_told_is_written_down_and_the_page_comes_again(
    asked: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A mistake of the program: a page that heard nothing stayed empty for good."""
    made = begin(asked, "you", "first")

    def broken(self: Guest) -> dict[str, Any]:
        raise RuntimeError("planted")

    with monkeypatch.context() as planted:
        planted.setattr(Guest, "news", broken)
        with pytest.raises(WebSocketDisconnect) as closed, enter(asked, made["room"], made["token"]):
            pass
    assert closed.value.code == 1011
    assert "the news of a guest could not be made" in caplog.text
    assert "planted" in caplog.text
    with enter(asked, made["room"], made["token"]) as again:
        assert again.until_asked()


@pytest.mark.parametrize("mistake", [RuntimeError("planted"), mistake_of_rules("planted")])
def test_a_bot_that_cannot_move_is_told(
    asked: TestClient, mistake: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It looks ahead, where rules may make mistakes; nobody knew why the game stood still."""

    def broken(*given: object) -> int:
        raise mistake

    monkeypatch.setattr("rulelang.apps.studio.tables.room.ask_agent", broken)
    made = begin(asked, "first", "you")
    with enter(asked, made["room"], made["token"]) as bob:
        while not bob.room["trouble"]:
            bob.hear()
        assert "planted" in bob.room["trouble"]
    assert ("planted" in caplog.text) == isinstance(mistake, RuntimeError)


def test_a_move_is_taken_back(asked: TestClient) -> None:
    made = begin(asked, "you", "first")
    with enter(asked, made["room"], made["token"]) as ana:
        options = ana.until_asked()
        at, table, log = ana.moves, ana.table, ana.log
        assert ana.say("undo")["t"] == "no"
        ana.say("play", at=at, option=options[0]["index"])
        ana.until_asked(after=at)
        assert ana.room["undo"] is True
        assert ana.say("undo")["t"] == "done"
        while ana.moves != at:
            ana.hear()
        assert (ana.table, ana.log) == (table, log)


def test_a_table_speaks_the_language_that_is_asked_for(asked: TestClient) -> None:
    made = begin(asked, "you", "first", game="evolution")
    with enter(asked, made["room"], made["token"], lang="zh") as ana:
        assert ana.table["lang"] == "zh"
        assert ana.table["summary"].startswith("第1輪")
        ana.socket.send_json({"t": "hello", "lang": "en"})
        ana.until_spoken("en")
        assert ana.table["summary"].startswith("round 1")


def test_what_cannot_be_is_said_in_ones_own_language(asked: TestClient) -> None:
    made = begin(asked, "you", "first", game="evolution")
    with enter(asked, made["room"], made["token"], lang="ja") as ana:
        assert ana.say("undo")["text"] == "取り消せる手はない。またはその後でだれかが何かを知った"
        assert ana.say("play", at=ana.moves, option=999)["text"] == "その選択肢はない"
        ana.socket.send_json({"t": "hello", "lang": "en"})
        ana.until_spoken("en")
        assert ana.say("play", at=ana.moves, option=999)["text"] == "there is no such option"


def test_a_closed_table_is_gone(asked: TestClient) -> None:
    made = begin(asked, "you", "first")
    with enter(asked, made["room"], made["token"]) as ana:
        assert asked.delete(f"/api/rooms/{made['room']}").status_code == 200
        with pytest.raises(WebSocketDisconnect):
            ana.until(99)
    assert asked.get("/api/rooms").json() == []


def test_nonsense_is_survived(asked: TestClient) -> None:
    made = begin(asked, "you", "first")
    with enter(asked, made["room"], made["token"]) as ana:
        for text in ("", "[", "[]", "3", '{"t": 3}', "[" * 50_000, '{"t": "play"}', "x" * 60_000):
            ana.socket.send_text(text)
        ana.last = 6
        assert ana.say("play", at="now", option=None)["text"] == "`at` is not a number"
        assert ana.say("why", part="player:99", picked=[{}])["reasons"] == []
        assert ana.say("play", at=ana.moves, option=True)["t"] == "no"


def test_a_bot_plays_for_who_is_away_and_when_his_time_is_over(asked: TestClient) -> None:
    made = begin(asked, "you", "you")
    room = hub_of(asked).rooms[made["room"]]
    room.setup = replace(room.setup, away=0.05)
    with enter(asked, made["room"], made["watch"]) as watcher:
        watcher.until(2)  # nobody sits there
        room.setup = replace(room.setup, away=0.0)
        at = watcher.moves
    with enter(asked, made["room"], made["tokens"][0]) as ana, enter(asked, made["room"], made["tokens"][1]) as bob:
        assert ana.say("pace", turn=0.1)["t"] == "done"
        ana.until(at + 2)  # both are there, and neither answers
        assert "left" in ana.room
        bob.until(at + 2)


def test_nobody_plays_for_who_is_away_where_the_page_says_so(asked: TestClient) -> None:
    for away, waits in (({}, True), ({"away": 0}, False)):
        made = asked.post("/api/rooms", json={"game": "evolution", "seats": ["you", "you"], **away}).json()
        assert (hub_of(asked).rooms[made["room"]].due() is not None) is waits


def test_one_server_has_the_game_that_it_hosts_only(tmp_path: Path) -> None:
    given = site(tmp_path)
    with client(dataclasses.replace(given, game=PEBBLES)) as asked:
        assert [offer["title"] for offer in asked.get("/api/games").json()] == ["Pebbles"]
        assert asked.post("/api/rooms", json={"game": "evolution", "seats": ["you", "first"]}).status_code == 400


def test_only_pictures_that_the_game_names_are_served(tmp_path: Path) -> None:
    home = Path(shutil.copytree(PEBBLES, tmp_path / "pebbles"))
    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    for name in ("heap.svg", "other.svg"):
        (home / name).write_text(svg, encoding="utf-8")
    rules = (home / "ruleset.yaml").read_text(encoding="utf-8")
    assert "look:" not in rules
    (home / "look.yaml").write_text("look: {player: {picture: heap.svg}}   # not other.svg\n", encoding="utf-8")
    (home / "ruleset.yaml").write_text(rules.replace("files: [", "files: [look.yaml, "), encoding="utf-8")
    with client(site(tmp_path, home)) as asked:
        made = asked.post("/api/rooms", json={"game": "pebbles", "seats": ["you", "you"]}).json()
        there = f"/rooms/{made['room']}/pictures"
        found = asked.get(f"{there}/heap.svg", headers={"Authorization": ""})
        assert (found.text, found.headers["content-type"]) == (svg, "image/svg+xml")
        assert "default-src 'none'" in found.headers["content-security-policy"]
        for name in ("other.svg", "look.yaml", "..%2fheap.svg", "%2e%2e/pebbles/heap.svg"):
            assert asked.get(f"{there}/{name}").status_code == 404
        assert asked.get("/rooms/00/pictures/heap.svg").status_code == 404
