"""Replay files: record whole games as decisions, read them back, and play them again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulelang.base.errors import BadArgument, RuleError
from rulelang.runtime.game import Game
from rulelang.runtime.position import position_digest
from rulelang.runtime.state import LARGEST_SAVE, SaveError, State, check_ruleset

# ---- records

FORMAT = 2
WHAT = "replay"
#: Between how many moves a digest of the position is written.
EVERY = 10


@dataclass(frozen=True, slots=True)
class Move:
    """`by`: the seat that was asked, from 1. `of` so many options `choice` was taken, from 0, which read `said` (in
    English). `at`: the digest of the position in which it was asked, "" where none was written."""

    by: int
    of: int
    choice: int
    said: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """What a game came to, by seat; `at`: the digest of its last position."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    at: str


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game. It began from its seed, or went on from a `saved` game. Without an `end` it was broken off."""

    players: int
    names: tuple[str, ...]
    options: Mapping[str, Any]
    seed: int | None
    saved: Mapping[str, Any] | None
    layout: str
    moves: tuple[Move, ...]
    end: GameEnd | None


@dataclass(frozen=True, slots=True)
class Replay:
    """A file of games. `identity` and `content` as of `GameInfo`; `torn`: its last line is not whole."""

    identity: Mapping[str, Any]
    content: str
    games: tuple[RecordedGame, ...]
    torn: bool

    @property
    def moves(self) -> int:
        return sum(len(game.moves) for game in self.games)


# ---- read and check files

#: The longest number that is read: longer ones take long to become numbers, and nobody counts so far.
DIGITS = 400


class ReplayError(SaveError):
    """A file that is no replay, or a line of it that is none; the text says which."""


def read(path: Path) -> Replay:
    """The games in a file. ReplayError if it holds none, OSError if it cannot be read."""
    with open(path, "rb") as stream:
        data = stream.read(LARGEST_SAVE + 1)
    if len(data) > LARGEST_SAVE:
        raise ReplayError(f"this replay is too large: the limit is {LARGEST_SAVE:,} bytes")
    return parse_replay(data)


def parse_replay(data: bytes) -> Replay:
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


def _games(lines: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[RecordedGame]:
    game: Mapping[str, Any] | None = None
    at = count = 0
    moves: list[Move] = []
    end: GameEnd | None = None
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


def _end(number: int, line: Mapping[str, Any]) -> GameEnd:
    scores, winners, at = line.get("scores"), line.get("winners"), line.get("at")
    if _numbers(scores) and _numbers(winners) and isinstance(at, str):
        return GameEnd(tuple(scores), tuple(winners), at)  # type: ignore[arg-type] # `_numbers` has looked
    raise ReplayError(f"line {number} of the replay is not an end: an end has `scores`, `winners` and `at`")


def _numbers(value: object) -> bool:
    return isinstance(value, list) and all(type(item) is int for item in value)


def _game(number: int, line: Mapping[str, Any], moves: list[Move], end: GameEnd | None) -> RecordedGame:
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
    return RecordedGame(
        players, tuple(names), options, started, saved if isinstance(saved, dict) else None, str(line.get("layout")),
        tuple(moves), end,
    )  # fmt: skip


# ---- play recorded games again


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where a game goes another way: at this move, from 1 (0: its beginning, one more than there are: its end).

    `since`: the last move before which it was seen to be as recorded.
    """

    move: int
    what: str
    since: int


class Diverged(Exception):
    """A recorded game cannot be played on, or is not what it was."""

    def __init__(self, parting: Divergence) -> None:
        super().__init__(parting.what)
        self.parting = parting


def rules_differences(replay: Replay, game: Game) -> str:
    """How the rules differ from those of the recording, in words; "" if they are the same to the letter."""
    try:
        check_ruleset({**replay.identity, "content_hash": replay.content}, game.info)
    except SaveError as error:
        return str(error)
    return ""


def begin_recorded_game(game: Game, recorded: RecordedGame, backend: str = "python", *, log: bool = True) -> State:
    """The position that a recorded game begins in. Parted if there is none."""
    try:
        if recorded.saved is not None:
            return game.restore(json.dumps(recorded.saved), backend)
        assert recorded.seed is not None
        return game.new(recorded.players, recorded.seed, recorded.names, recorded.options, backend, log=log)
    except (BadArgument, SaveError) as error:
        raise Diverged(Divergence(0, f"the game cannot start: {error}", 0)) from None
    except RuleError as error:
        raise Diverged(Divergence(0, f"the game cannot start: {error.diagnostic.message}", 0)) from None


def played(
    game: Game, recorded: RecordedGame, backend: str = "python", *, log: bool = True, same: bool = True
) -> Iterator[State]:
    """The positions of a recorded game, its first and one after each move: the same object each time. Parted where it
    goes another way.

    `same`: the rules are those of the recording, so options have their numbers; else they are known by their words.
    """
    state = begin_recorded_game(game, recorded, backend, log=log)
    alike = state.table.fingerprint == recorded.layout  # else digests say nothing
    since = 0
    yield state
    for number, move in enumerate(recorded.moves, 1):
        if state.over:
            raise Diverged(
                Divergence(number, f"the game is over before move {number}: {move_text(state, move)}", since)
            )
        if state.decider != move.by:
            wrong = f"{state.players[state.decider - 1]} is asked now: {move_text(state, move)}"
            raise Diverged(Divergence(number, wrong, since))
        if move.at and alike:
            if position_digest(state.table, state.words) != move.at:
                raise Diverged(Divergence(number, f"the position before move {number} differs", since))
            since = number
        _take_move(state, move, number, since, same=same)
        yield state
    if recorded.end is not None:
        _check_end(state, recorded, since, alike=alike)


def _take_move(state: State, move: Move, number: int, since: int, *, same: bool) -> None:
    options = state.decision.options
    if same:
        index = move.choice
        wrong = ""
        if len(options) != move.of:
            wrong = f"; now there are {len(options)}"
        elif options[index].text != move.said:
            wrong = f"; now the one in its place is `{options[index].text}`"
        if wrong:
            raise Diverged(Divergence(number, f"{move_text(state, move)}{wrong}", since))
    else:
        found = state.find(move.said)
        if not isinstance(found, int):
            refused = "; ".join(str(reason) for reason in found)
            raise Diverged(Divergence(number, f"{move_text(state, move)}, and cannot now: {refused}", since))
        index = found
    try:
        state.play(index)
    except RuleError as error:
        wrong = f"{move_text(state, move)}, and the rules now fail: {error.diagnostic.message}"
        raise Diverged(Divergence(number, wrong, since)) from None
    except SaveError as error:
        raise Diverged(Divergence(number, str(error), since)) from None


def _check_end(state: State, recorded: RecordedGame, since: int, *, alike: bool) -> None:
    assert recorded.end is not None
    last, end = len(recorded.moves) + 1, recorded.end
    if not state.over:
        raise Diverged(Divergence(last, "the game was over here, and now continues", since))
    if tuple(state.scores) != end.scores or tuple(state.winners) != end.winners:
        was, now = ", ".join(map(str, end.scores)), ", ".join(map(str, state.scores))
        raise Diverged(Divergence(last, f"the scores were {was} by seat, and are {now} now", since))
    if alike and position_digest(state.table, state.words) != end.at:
        raise Diverged(Divergence(last, "the last position differs", since))


def move_text(state: State, move: Move) -> str:
    """Who took what, in words: `ana took "pass", of 3 options`."""
    name = state.players[move.by - 1] if 0 < move.by <= len(state.players) else f"seat {move.by}"
    return f"{name} took `{move.said}`, of {move.of} options"


def find_divergence(
    game: Game, recorded: RecordedGame, backend: str = "python", *, same: bool = True
) -> Divergence | None:
    """Where a recorded game goes another way; None if it is what it was."""
    try:
        for _ in played(game, recorded, backend, log=False, same=same):
            pass
    except Diverged as found:
        return found.parting
    return None
