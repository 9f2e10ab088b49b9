"""Replays: what is written as games are played, played again, looked at, and told apart from what it was."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.data.schema import schema_problems
from rulelang.runtime.game import Game
from rulelang.testing.replay import ReplayError, find_divergence, parse_replay, played, read
from rulelang.testing.replay_stepper import Walk
from rulelang.testing.replay_writer import record_series
from tests.cli.helpers import lines, run
from tests.replaying.games import dice, other


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dice(tmp_path_factory.mktemp("replays") / "tiny")


@pytest.fixture(scope="module")
def game(folder: Path) -> Game:
    return load(folder)


@pytest.fixture(scope="module")
def file(folder: Path, game: Game) -> Path:
    path = folder.parent / "games.jsonl"
    record_series(game, path, 3, 2, seed=5)
    return path


def changed(file: Path, number: int, **values: object) -> bytes:
    """The file with other values in one of its lines, from 1."""
    rows = file.read_bytes().split(b"\n")
    rows[number - 1] = json.dumps(json.loads(rows[number - 1]) | values).encode()
    return b"\n".join(rows)


def test_games_come_to_what_they_came_to(file: Path, game: Game) -> None:
    replay = read(file)
    assert len(replay.games) == 3
    assert not replay.torn
    for recorded in replay.games:
        assert recorded.end is not None
        for backend in ("python", "native"):
            assert find_divergence(game, recorded, backend) is None
        last = list(played(game, recorded))[-1]
        assert last.scores == list(recorded.end.scores)


def test_what_was_altered_is_found(file: Path, game: Game) -> None:
    first = read(file).games[0]
    assert first.moves[0].by == 1
    # Lines 1 and 2 are the head and the game, so move n stands in line n + 2.
    for number, values, move, what in (
        (7, {"choice": 1 - first.moves[4].choice}, 5, "now the one in its place is"),
        (7, {"of": 9}, 5, "now there are "),
        (7, {"by": 3 - first.moves[4].by}, 5, "is asked now"),
        (13, {"at": "0" * 16}, 11, "the position before move 11 differs"),
        (2, {"seed": 8}, 1, "the position before move 1 differs"),
        (2, {"players": 9}, 0, "the game cannot start"),
    ):
        found = find_divergence(game, parse_replay(changed(file, number, **values)).games[0])
        assert found is not None, values
        assert (found.move, what in found.what) == (move, True), (values, found)
        assert found.since <= found.move
    ends = len(first.moves) + 3
    found = find_divergence(game, parse_replay(changed(file, ends, scores=[1, 1])).games[0])
    assert found is not None
    assert found.what.startswith("the scores were 1, 1 by seat")


def test_a_line_that_is_not_whole_is_not_read(file: Path, game: Game) -> None:
    """Cut off anywhere, a file tells of whole moves only, and all of those that were written."""
    data = file.read_bytes()
    ends = [place for place, byte in enumerate(data) if byte == 10]
    for cut in range(ends[0] + 1, ends[12], 7):
        replay = parse_replay(data[:cut])
        whole = sum(end < cut for end in ends)
        assert replay.torn == (cut - 1 not in ends)
        assert replay.moves == max(whole - 2, 0)
        assert all(find_divergence(game, one) is None for one in replay.games)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is empty"),
        (b'{"rulelang": "replay"', "no complete line"),
        (b"[]\n", "line 1 of the replay is not a map"),
        (b"{}\n", "not a replay of rulelang"),
        (b'{"rulelang": "replay", "format": 9}\n', "format 9"),
        (b"\xff\xfe\n", "not JSON"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'{"rulelang": "replay", "format": ' + b"1" * 5000 + b"}\n", "not JSON"),
        (b'{"rulelang": "replay", "format": 2, "ruleset": 3, "mods": {}}\n', "does not name its ruleset"),
    ],
)
def test_what_is_no_replay(data: bytes, why: str) -> None:
    with pytest.raises(ReplayError, match=why):
        parse_replay(data)


def test_lines_out_of_their_order(file: Path) -> None:
    rows = file.read_bytes().split(b"\n")
    for places, why in (
        ((0, 2), "line 2 of the replay does not belong to a game"),
        ((0, 1, 3), "has move 2; it should be move 1"),
        ((0, 1, 1), "line 3 of the replay starts game 1; it should be game 2"),
        ((0, 0, 1), "does not belong to a game"),
    ):
        with pytest.raises(ReplayError, match=why):
            parse_replay(b"".join(rows[place] + b"\n" for place in places))
    for line in (b"{}", b'{"back": 1}', b'{"back": -1}', b'{"back": null}', b'{"end": 1}', b'{"move": 1, "by": true}'):
        with pytest.raises(ReplayError, match="line 3 of the replay"):
            parse_replay(b"\n".join((*rows[:2], line, b"")))


def test_walking_both_ways(file: Path, game: Game) -> None:
    recorded = read(file).games[1]
    there = [state.hash() for state in played(game, recorded)]
    walk = Walk(game, recorded)
    assert walk.last == len(recorded.moves)
    for number in (walk.last, 9, 8, 7, 0, 1, walk.last - 1):
        walk.go(number)
        assert walk.state.hash() == there[number]
    walk.go(-4)
    assert walk.at == 0


def misfits(data: bytes) -> list[str]:
    """What does not fit the schema of lines."""
    return [problem for line in data.splitlines() for problem in schema_problems("replay_lines", json.loads(line))]


def test_lines_fit_their_schema(file: Path, folder: Path, tmp_path: Path) -> None:
    assert misfits(file.read_bytes()) == []
    record, saved = tmp_path / "a.jsonl", tmp_path / "a.json"
    stdin = "1\n1\nundo\n1\nquit\n"
    run("play", str(folder), "-p", "2", "--seed", "3", "--record", str(record), "--save", str(saved), stdin=stdin)
    more = tmp_path / "b.jsonl"
    run("play", str(folder), "--load", str(saved), "--record", str(more), stdin="1\nquit\n")
    assert b'{"back":' in record.read_bytes()
    assert b'"saved":' in more.read_bytes()
    assert misfits(record.read_bytes() + more.read_bytes()) == []


def test_lines_that_are_none_do_not_fit_their_schema(file: Path) -> None:
    rows = [json.loads(line) for line in file.read_bytes().splitlines()]
    ends = next(place for place, row in enumerate(rows) if "end" in row)
    for place, values in (
        (0, {"format": 1}),
        (0, {"mods": []}),
        (1, {"saved": {}}),
        (1, {"seed": None}),
        (2, {"by": 0}),
        (2, {"said": 3}),
        (2, {"more": 1}),
        (ends, {"scores": ["1"]}),
    ):
        assert misfits(json.dumps(rows[place] | values).encode()), values
        for key in rows[place]:
            if key != "at" or place == ends:
                without = {name: value for name, value in rows[place].items() if name != key}
                assert misfits(json.dumps(without).encode()), key


# ---- commands


def test_played_with_moves_taken_back(folder: Path, tmp_path: Path) -> None:
    """A person's game, with moves taken back, broken off; begun again from where it was saved."""
    record, saved = tmp_path / "a.jsonl", tmp_path / "a.json"
    run("play", str(folder), "-p", "2", "--seed", "3", "--record", str(record), "--save", str(saved),
        stdin="1\nundo\n1\n1\nundo\nundo\n1\n1\nquit\n")  # fmt: skip
    assert b'{"back":' in record.read_bytes()
    told = lines(run("replay", str(record), "--game", str(folder)))
    assert told[0].startswith("Tiny 1.0.0: 1 game, ")
    assert told[1] == "as recorded; 1 unfinished"
    more = tmp_path / "b.jsonl"
    run("play", str(folder), "--load", str(saved), "--record", str(more), stdin="1\nquit\n")
    assert lines(run("replay", str(more), "--game", str(folder)))[1] == "as recorded; 1 unfinished"


def test_a_game_that_was_watched(folder: Path, tmp_path: Path) -> None:
    record = tmp_path / "w.jsonl"
    run("play", str(folder), "--bots", "2", "--seed", "4", "--record", str(record))
    assert lines(run("replay", str(record), "--game", str(folder)))[1] == "as recorded"


def test_another_version_says_what_differs(file: Path, tmp_path: Path) -> None:
    told = run("replay", str(file), "--game", str(other(tmp_path / "other")))
    assert told.exit_code == 1
    text = " ".join(told.output.split())
    assert "The rules have changed since the recording: this game began with other rules: `tiny` 1.0.0; its" in text
    assert "and cannot now: " in text
    assert "has nothing to rest on" in text


def test_commands_say_what_they_cannot_do(file: Path, folder: Path, tmp_path: Path) -> None:
    own = str(folder)
    (tmp_path / "none.jsonl").write_text("{}\n")
    assert "not a replay of rulelang" in run("replay", str(tmp_path / "none.jsonl")).output
    assert "there is no game 9" in run("replay", str(file), "--game", own, "--nth", "9").output
    assert ".jsonl file" in run("sim", own, "-n", "1", "--record", str(tmp_path / "x.txt")).output
    assert "leave --jobs out" in run("sim", own, "--jobs", "2", "--record", str(tmp_path / "x.jsonl")).output
    assert "there is no folder" in run("play", own, "--record", str(tmp_path / "no" / "x.jsonl")).output


def test_looking_at_a_game_move_by_move(file: Path, folder: Path) -> None:
    done = run(
        "replay", str(file), "--game", str(folder), "--step",
        stdin="\n\ngo 36\nwhy\ngo 2\nwhy not rest\noptions\nback\ngo 9999\ngo end\ngo x\nnonsense\nview\nview bob\n"
        "view nobody\nwhy not\nquit\n",
    )  # fmt: skip
    text = done.output
    assert done.exit_code == 0
    for said in ("Move 1: ana: pass", "Move 2: ", "has nothing to rest on.", "Chosen: ", "is the last.",
                 "The game is over.", "Name a move", "There is no command `nonsense`.",
                 "Name the option that you ask about", "bob (you)", "There is no player 'nobody'"):  # fmt: skip
        assert said in text, text
    assert re.search(r"bob works\s+\S*game\.rules:\d+", text), "the tree of causes tells which rule it was"


def test_where_two_versions_part(folder: Path, file: Path, tmp_path: Path) -> None:
    second = str(other(tmp_path / "other"))
    assert "are the same in both" in run("diff-games", str(folder), str(folder), "-n", "3").output
    for extra in (("-n", "5"), ("--replay", str(file))):
        done = run("diff-games", str(folder), second, *extra)
        assert done.exit_code == 1
        text = " ".join(done.output.split())
        assert "diverge before decision" in text
        assert "options of A alone: `rest`" in text
        assert "last move" in text
