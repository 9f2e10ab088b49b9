"""Whatever stands in a saved game or a replay, what is said of it is in our own words, and never in Python's.

Each part of a record, and each part of these, is replaced by values that nobody expects, left out, and cut in half.
"""

from __future__ import annotations

import copy
import json
import linecache
import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from rulelang.runtime.game import Game
from rulelang.runtime.state import SaveError
from rulelang.testing.replay import find_divergence, parse_replay
from tests.hostile.cases import games
from tests.hostile.test_hostile_values import ODD

#: Of a list as many items are changed: those behind them are read alike.
ITEMS = 3


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:ITEMS]) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def changed(record: Any) -> Iterator[tuple[str, Any]]:
    """Each way in which a record is spoiled, and what comes of it."""
    for path in places(record):
        spoiled: list[Any] = [odd for odd in ODD if not isinstance(odd, dict) or all(type(key) is str for key in odd)]
        for odd in [*spoiled, ..., [[1, 2, 3]], [[1, 2, 3, 4, 5, 6]], {"0": 0}]:
            whole = copy.deepcopy(record)
            inner = whole
            for key in path[:-1]:
                inner = inner[key]
            if odd is ...:
                del inner[path[-1]]
            else:
                inner[path[-1]] = odd
            yield f"{path} = {str(odd)[:40]}", whole


def raised(error: BaseException | None) -> Iterator[BaseException]:
    """What an error came of."""
    while error is not None:
        yield error
        error = error.__context__


def ours(error: BaseException) -> bool:
    """Whether a `raise` of rulelang has raised it, and not Python itself."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    file = frame.f_code.co_filename
    return "/rulelang/" in file and linecache.getline(file, line).strip().startswith("raise ")


def check(error: SaveError, where: str) -> None:
    for cause in raised(error.__context__):
        assert ours(cause) or not str(cause) or str(cause) not in str(error), f"{where}: {error}"


def test_of_saved_games() -> None:
    game, save, _ = games()
    record = json.loads(save)
    record["called"] = [["crab", 1, "Nob"]]
    refused = 0
    for where, spoiled in changed(record):
        try:
            game.restore(json.dumps(spoiled))
        except SaveError as error:
            refused += 1
            check(error, where)
    assert refused > 1000


def games_of(game: Game, data: bytes) -> None:
    for one in parse_replay(data).games:
        for same in (True, False):
            found = find_divergence(game, one, same=same)
            if found is not None:
                raise SaveError(found.what)


@pytest.mark.parametrize("line", [0, 1, 2, -2])
def test_of_replays(line: int) -> None:
    game, _, replay = games()
    lines = replay.split(b"\n")
    refused = 0
    for where, spoiled in changed(json.loads(lines[line])):
        lines[line] = json.dumps(spoiled).encode()
        try:
            games_of(game, b"\n".join(lines))
        except SaveError as error:
            refused += 1
            check(error, where)
    assert refused > 10


def test_of_records_of_games() -> None:
    game, _, _ = games()
    state = game.new(2, 3)
    state.play(0)
    refused = 0
    for where, spoiled in changed(game.record(state)):
        try:
            game.replay(spoiled)
        except SaveError as error:
            refused += 1
            check(error, where)
    assert refused > 100
