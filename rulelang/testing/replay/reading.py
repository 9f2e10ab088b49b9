"""Reading replays: whoever wrote a file may have written anything, so each line is tested before it is believed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rulelang.runtime.saving import LARGEST, SaveError
from rulelang.testing.replay.records import FORMAT, WHAT, End, Move, Recorded, Replay

#: The longest number that is read: longer ones take long to become numbers, and nobody counts so far.
DIGITS = 400


class ReplayError(SaveError):
    """A file that is no replay, or a line of it that is none; the text says which."""


def read(path: Path) -> Replay:
    """The games in a file. ReplayError if it holds none, OSError if it cannot be read."""
    with open(path, "rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ReplayError(f"this replay is too large: the limit is {LARGEST:,} bytes")
    return parse(data)


def parse(data: bytes) -> Replay:
    """The games in the bytes of a file. ReplayError if they hold none."""
    *whole, rest = data.split(b"\n")  # behind the last line that ends stands one that was not written whole
    lines = [(number, _map(number, line)) for number, line in enumerate(whole, 1)]
    if not lines:
        raise ReplayError(
            "this is not a replay: it has no complete line" if data else "this is not a replay: it is empty"
        )
    head = lines[0][1]
    if head.get("rulelang") != WHAT:
        raise ReplayError(f"this is not a replay of rulelang: its first line has no `rulelang: {WHAT}`")
    if head.get("format") != FORMAT:
        raise ReplayError(f"this replay has format {head.get('format')}; this version of rulelang reads {FORMAT}")
    if not isinstance(head.get("ruleset"), str) or not isinstance(head.get("mods"), dict):
        raise ReplayError("line 1 of the replay does not name its ruleset and mods")
    identity = {key: head.get(key) for key in ("ruleset", "version", "mods", "mode")}
    return Replay(identity, str(head.get("content_hash")), tuple(_games(lines[1:])), bool(rest))


def _map(number: int, line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line, parse_int=_number)
    except (ValueError, RecursionError):
        raise ReplayError(f"line {number} of the replay is not JSON") from None
    if not isinstance(found, dict):
        raise ReplayError(f"line {number} of the replay is not a map")
    return found


def _number(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(f"a number has {len(text)} digits")
    return int(text)


def _games(lines: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[Recorded]:
    game: Mapping[str, Any] | None = None
    at = count = 0
    moves: list[Move] = []
    end: End | None = None
    for number, line in lines:
        if "game" in line:
            if game is not None:
                yield _game(at, game, moves, end)
            count += 1
            game, at, moves, end = line, number, [], None
            if line["game"] != count:
                raise ReplayError(f"line {number} of the replay starts game {line['game']}; it should be game {count}")
        elif game is None:
            raise ReplayError(f"line {number} of the replay does not belong to a game")
        elif "back" in line:
            back = line["back"]
            if type(back) is not int or not 0 <= back <= len(moves):
                raise ReplayError(
                    f"line {number} of the replay undoes back to move {back}, but there are {len(moves)} moves"
                )
            del moves[back:]
            end = None
        elif end is not None:
            raise ReplayError(f"line {number} of the replay comes after the end of its game")
        elif "move" in line:
            moves.append(_move(number, line, len(moves) + 1))
        elif "end" in line:
            end = _end(number, line)
        else:
            raise ReplayError(f"line {number} of the replay is neither a game nor a move, `back` or `end`")
    if game is not None:
        yield _game(at, game, moves, end)


def _move(number: int, line: Mapping[str, Any], due: int) -> Move:
    by, of, choice, said, at = (line.get(key) for key in ("by", "of", "choice", "said", "at"))
    if line["move"] != due:
        raise ReplayError(f"line {number} of the replay has move {line['move']}; it should be move {due}")
    if type(by) is int and type(of) is int and type(choice) is int and isinstance(said, str) and 0 <= choice < of:
        return Move(by, of, choice, said, at if isinstance(at, str) else "")
    raise ReplayError(f"line {number} of the replay is not a move: a move has `by`, `of`, `choice` and `said`")


def _end(number: int, line: Mapping[str, Any]) -> End:
    scores, winners, at = line.get("scores"), line.get("winners"), line.get("at")
    if _numbers(scores) and _numbers(winners) and isinstance(at, str):
        return End(tuple(scores), tuple(winners), at)  # type: ignore[arg-type] # `_numbers` has looked
    raise ReplayError(f"line {number} of the replay is not an end: an end has `scores`, `winners` and `at`")


def _numbers(value: object) -> bool:
    return isinstance(value, list) and all(type(item) is int for item in value)


def _game(number: int, line: Mapping[str, Any], moves: list[Move], end: End | None) -> Recorded:
    players, names, options = line.get("players"), line.get("names"), line.get("options")
    seed, saved = line.get("seed"), line.get("saved")
    if not (
        type(players) is int
        and isinstance(names, list)
        and all(isinstance(name, str) for name in names)
        and isinstance(options, dict)
        and (type(seed) is int or isinstance(saved, dict))
    ):
        raise ReplayError(
            f"line {number} of the replay is not a game: a game has `players`, `names`, `options` and `seed`"
        )
    started = None if isinstance(saved, dict) else seed
    return Recorded(
        players, tuple(names), options, started, saved if isinstance(saved, dict) else None, str(line.get("layout")),
        tuple(moves), end,
    )  # fmt: skip
