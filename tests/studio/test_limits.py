"""Connections, requests and values that go beyond what a server accepts are refused early, and in words."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from rulelang.apps.studio import guard
from rulelang.apps.studio.app import listening_socket, make_app, server_config
from rulelang.apps.studio.guard import LARGEST, Door, NotJson, Ticket, parse_json
from tests.studio.helpers import HERE, KEY, client, site
from tests.studio.test_rights import ended
from tests.studio.test_rooms import PEBBLES, begin, enter

# ---- which connections are held


class Wire(asyncio.Transport):
    """A connection from an address."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.ended = False

    def abort(self) -> None:
        self.ended = True


def entered(door: Door, *addresses: str) -> tuple[list[Wire], list[Ticket]]:
    wires = [Wire(address) for address in addresses]
    return wires, [door.enter(wire) for wire in wires]


def test_the_oldest_of_those_without_a_key_leaves() -> None:
    wires, _ = entered(Door(400), *["127.0.0.1"] * 103)
    assert [wire.ended for wire in wires] == [True] * 3 + [False] * 100


def test_an_address_leaves_places_for_others() -> None:
    wires, _ = entered(Door(4000), *["203.0.113.9"] * 70, "198.51.100.7")
    assert [wire.ended for wire in wires] == [True] * 6 + [False] * 65


def test_who_has_shown_a_key_stays() -> None:
    door = Door(400)
    (wire,), (ticket,) = entered(door, "127.0.0.1")
    assert ticket.admit()
    entered(door, *["127.0.0.1"] * 200)
    assert not wire.ended


def test_those_who_look_on_have_half_of_the_places() -> None:
    door = Door(400)
    wires, tickets = entered(door, *["127.0.0.1"] * 90)
    assert all(ticket.admit(onlooker=True) for ticket in tickets)
    more, others = entered(door, *["127.0.0.1"] * 90)
    assert all(ticket.admit(onlooker=True) for ticket in others)
    _, last = entered(door, *["127.0.0.1"] * 30)
    assert [ticket.admit(onlooker=True) for ticket in last] == [True] * 20 + [False] * 10
    assert all(ticket.admit() for ticket in last[20:])  # with the key of a seat
    door.leave(wires[0])
    assert last[29].admit(onlooker=True)
    assert not any(wire.ended for wire in [*wires, *more])


@contextmanager
def served(tmp_path: Path) -> Iterator[tuple[int, Door]]:
    """A real server."""
    door, sock = Door(400), listening_socket("127.0.0.1", 0)
    server = uvicorn.Server(server_config(make_app(site(tmp_path, folder=Path(PEBBLES))), door))
    thread = threading.Thread(target=server.run, args=([sock],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield sock.getsockname()[1], door
    finally:
        server.should_exit = True
        thread.join(10)


def raw(port: int, data: bytes, more: bytes = b"") -> bytes:
    """All that comes back until the server ends the connection; "" if it is cut off."""
    with socket.create_connection(("127.0.0.1", port), 5) as wire:
        found = b""
        try:
            wire.sendall(data)
            while chunk := wire.recv(65536):
                found += chunk
                if more:
                    wire.sendall(more)
        except ConnectionError:
            pass
        return found


def test_half_of_a_request_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "HEAD", 0.2)
    monkeypatch.setattr(guard, "WHOLE", 0.2)
    with served(tmp_path) as (port, door):
        begun = time.monotonic()
        for data in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX: "):
            assert raw(port, data) == b""
        key = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {KEY}\r\n".encode()
        assert raw(port, b"POST /api/rooms HTTP/1.1\r\n" + key + b"Content-Length: 99\r\n\r\n{") == b""
        assert time.monotonic() - begun < 5
        assert raw(port, b"GET /api/about HTTP/1.1\r\n" + key + b"Connection: close\r\n\r\n").startswith(
            b"HTTP/1.1 200"
        )
        assert door.tickets == {}


def test_a_large_head_or_body_is_refused(tmp_path: Path) -> None:
    with served(tmp_path) as (port, _):
        host = f"Host: 127.0.0.1:{port}\r\n".encode()
        assert b" 431 " in raw(port, b"GET / HTTP/1.1\r\n" + host + b"X: y\r\n" * 5000 + b"\r\n")[:30]
        for key in (b"", f"Authorization: Bearer {KEY}\r\n".encode()):
            head = b"POST /api/rooms HTTP/1.1\r\n" + host + key + b"Content-Length: 150000000\r\n\r\n"
            assert raw(port, head).startswith(b"HTTP/1.1 413 ")


def test_a_body_of_unknown_length_ends_at_the_limit(tmp_path: Path) -> None:
    heard = []

    def endless() -> Iterator[bytes]:
        for _ in range(200):
            heard.append(1)
            yield b" " * (LARGEST // 20)

    with client(site(tmp_path)) as asked:
        assert asked.post("/api/rooms", content=endless()).status_code == 413


def test_a_message_to_a_table_is_short(tmp_path: Path) -> None:
    with client(site(tmp_path, folder=Path(PEBBLES))) as asked:
        made = begin(asked, "you", "first")
        with enter(asked, made["room"], made["watch"]) as guest:
            guest.socket.send_text("x" * 70_000)
            assert ended(guest) == 1009


# ---- by which name, from which page


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:1; script-src *", "127.0.0.1:1 https://evil.example", "[::1]; script-src *", "localhost:8640;x",
        "localhost:99999", "localhost:", "localhost:8640\tx", "user@localhost", "localhost/x", "[", "[::1", "٣.0.0.1",
    ],
)  # fmt: skip
def test_a_host_is_a_name_and_a_port(tmp_path: Path, host: str) -> None:
    with client(site(tmp_path)) as asked:
        found = asked.get("/", headers={"Host": host.encode("utf-8")})
        assert found.status_code == 421
        assert "script-src *" not in str(found.headers)


@pytest.mark.parametrize(
    "origin",
    [
        "http://[bad", "http://a]b[", "file://127.0.0.1:8640", "http://127.0.0.1:8640/", "http://x@127.0.0.1:8640", "",
        "127.0.0.1:8640", "null", "ftp://127.0.0.1:8640", "http://127.0.0.1",
    ],
)  # fmt: skip
def test_an_origin_is_that_of_the_page(tmp_path: Path, origin: str) -> None:
    with client(site(tmp_path)) as asked:
        assert asked.get("/api/about", headers={"Origin": origin}).status_code == 403
        assert asked.get("/api/about", headers=[("Origin", HERE), ("Origin", origin)]).status_code == 403
        for own in (HERE, HERE.replace("http", "https")):
            assert asked.get("/api/about", headers={"Origin": own}).status_code == 200


# ---- values in requests

ODD = [
    b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 20_000 + b"1" + b"}" * 20_000, b'{"a":' * 100 + b"1" + b"}" * 100,
    b'{"seed": 1' + b"0" * 5000 + b"}", b'{"seed": 99999999999999999999}', b'{"seed": NaN}', b'{"seed": -Infinity}',
    b'{"game": "\\ud800"}', b'{"\\udfff": 1}', b'{"names": ["\\ud800a"]}', b'{"game": "\xff\xfe"}', b"", b"{", b"[]",
]  # fmt: skip


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(site(tmp_path_factory.mktemp("author"), folder=Path(PEBBLES))) as opened:
        yield opened


@pytest.mark.parametrize("body", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("path", ["/api/rooms", "/api/workshop/form", "/api/workshop/file"])
def test_what_is_no_request_is_refused(author: TestClient, path: str, body: bytes) -> None:
    method = "PUT" if path.endswith("file") else "POST"
    found = author.request(method, path, content=body)
    assert found.status_code == 400
    assert found.text.startswith("this request cannot be read: ")


@pytest.mark.parametrize(
    "wanted",
    [
        {"seats": ["you"] * 100_000}, {"seats": {"a": 1}}, {"seats": ["you", "mc:1000000000x"]},
        {"scenario": "../../x"}, {"card": "\0"},
        {"given": {"players": [[[[1]]]]}}, {"options": {"pebbles": {"a": [1]}}},
        {"options": {"pebbles": 1 << 62}}, {"seats": ["you", "mc:banana"]},
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_opened_is_refused_soon(author: TestClient, wanted: dict[str, Any]) -> None:
    begun = time.monotonic()
    found = author.post("/api/rooms", json={"game": "pebbles", "seats": ["you", "you"], **wanted})
    assert found.status_code == 400
    assert time.monotonic() - begun < 5


def test_a_message_that_cannot_be_read_is_answered(author: TestClient) -> None:
    made = begin(author, "you", "first")
    with enter(author, made["room"], made["token"]) as ana:
        for text in ('{"t": "play", "id": 7, "at": 1%s}' % ("0" * 5000), '{"id": 7, "t": "\\ud800"}'):
            ana.socket.send_text(text)
            while (said := ana.hear()).get("id") != 7:
                pass
            assert said["t"] == "no"
            assert said["text"].startswith("this message cannot be read: ")


@pytest.mark.parametrize("text", ["1e5", "-12", str((1 << 63) - 1), '"\\ud83d\\ude00"', "[" * 64 + "]" * 64, "null"])
def test_usual_json_is_read(text: str) -> None:
    parse_json(text)
    with pytest.raises(NotJson):
        parse_json(text + "]")
