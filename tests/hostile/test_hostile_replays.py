"""Replays that somebody has written by hand, or that a disk has eaten: told what they are, in little time."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest

from rulelang.api import load
from rulelang.runtime.game import Game
from rulelang.testing.replay import Diverged, ReplayError, find_divergence, parse_replay, played
from rulelang.testing.replay_stepper import Walk
from rulelang.testing.replay_writer import record_series
from tests.replaying.games import dice

#: Values that nobody expects.
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 7, 10**6, 10**30, -(10**30), 1.5, 1e308, "", "x", "\x00", "\x1b[2J", "pass",
    "é" * 300, [], [[]], [1, "x"], {}, {"x": {}}, [None] * 50, "9" * 300, "-1",
)  # fmt: skip


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return load(dice(tmp_path_factory.mktemp("hostile") / "tiny"))


@pytest.fixture(scope="module")
def rows(game: Game, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    path = tmp_path_factory.mktemp("rows") / "g.jsonl"
    record_series(game, path, 2, 2, seed=3)
    lines = [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
    state = game.new(2, 4)
    state.play(0)
    saved = {"game": 3, "players": 2, "names": ["ana", "bob"], "options": {}, "layout": state.table.fingerprint,
             "saved": json.loads(state.save())}  # fmt: skip
    return [*lines[:12], {"back": 3}, *({**line, "move": 4 + n} for n, line in enumerate(lines[5:9])),
            {**saved, "game": 2}, {"move": 1, "by": 2, "of": 2, "choice": 0, "said": "work"}]  # fmt: skip


def altered(rows: list[dict[str, Any]], chance: random.Random) -> bytes:
    """The file with a few things changed: values, keys, lines, bytes."""
    lines: list[Any] = json.loads(json.dumps(rows))
    for _ in range(chance.choice((1, 1, 2, 4))):
        place = chance.randrange(len(lines))
        line = lines[place]
        match chance.randrange(6):
            case 0 | 1 if isinstance(line, dict) and line:
                inner = line
                while (deeper := [v for v in inner.values() if isinstance(v, dict) and v]) and chance.random() < 0.6:
                    inner = chance.choice(deeper)
                inner[chance.choice([*inner])] = chance.choice(ODD)
            case 2 if isinstance(line, dict) and line:
                del line[chance.choice([*line])]
            case 3:
                lines[place] = chance.choice(ODD)
            case 4:
                lines.insert(chance.randrange(len(lines)), lines[place])
            case _:
                del lines[place]
        if not lines:
            return b""
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    if chance.random() < 0.2:
        at = chance.randrange(len(data))
        data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    return data


def survives(data: bytes, game: Game) -> str:
    """What comes of a file: "no replay", "another game" or "the same". Whatever else comes of it is raised."""
    began = time.process_time()
    try:
        replay = parse_replay(data)
    except ReplayError:
        return "no replay"
    found = "the same"
    for recorded in replay.games:
        for same in (True, False):
            parted = find_divergence(game, recorded, same=same)
            if parted is not None:
                assert parted.what
                found = "another game"
        try:
            walk = Walk(game, recorded)
            walk.go(walk.last)
            assert walk.state.choices is not None
        except Diverged:
            pass
    assert time.process_time() - began < 2
    return found


def test_replays_that_were_altered(rows: list[dict[str, Any]], game: Game) -> None:
    chance = random.Random(5)
    assert survives(b"".join(json.dumps(row).encode() + b"\n" for row in rows), game) == "the same"
    found = [survives(altered(rows, chance), game) for _ in range(150)]
    assert {*found} == {"no replay", "another game", "the same"}


@pytest.mark.slow
def test_many_replays_that_were_altered(rows: list[dict[str, Any]], game: Game) -> None:
    chance = random.Random(6)
    for _ in range(20_000):
        survives(altered(rows, chance), game)


def test_a_position_in_the_midst(rows: list[dict[str, Any]], game: Game) -> None:
    """A replay that goes on from a saved game is one that begins there."""
    replay = parse_replay(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    assert [len(list(played(game, one))) for one in replay.games] == [len(one.moves) + 1 for one in replay.games]
