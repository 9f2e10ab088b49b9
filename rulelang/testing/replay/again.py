"""Playing a recorded game again, and where it goes another way than it did."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from rulelang.base.errors import BadArgument, RuleError
from rulelang.runtime.game import Game
from rulelang.runtime.outcome import position
from rulelang.runtime.saving import SaveError, check_ruleset
from rulelang.runtime.state import State
from rulelang.testing.replay.records import Move, Recorded, Replay


@dataclass(frozen=True, slots=True)
class Parting:
    """Where a game goes another way: at this move, from 1 (0: its beginning, one more than there are: its end).

    `since`: the last move before which it was seen to be as recorded.
    """

    move: int
    what: str
    since: int


class Parted(Exception):
    """A recorded game cannot be played on, or is not what it was."""

    def __init__(self, parting: Parting) -> None:
        super().__init__(parting.what)
        self.parting = parting


def differences(replay: Replay, game: Game) -> str:
    """How the rules differ from those of the recording, in words; "" if they are the same to the letter."""
    try:
        check_ruleset({**replay.identity, "content_hash": replay.content}, game.info)
    except SaveError as error:
        return str(error)
    return ""


def begun(game: Game, recorded: Recorded, backend: str = "python", *, log: bool = True) -> State:
    """The position that a recorded game begins in. Parted if there is none."""
    try:
        if recorded.saved is not None:
            return game.restore(json.dumps(recorded.saved), backend)
        assert recorded.seed is not None
        return game.new(recorded.players, recorded.seed, recorded.names, recorded.options, backend, log=log)
    except (BadArgument, SaveError) as error:
        raise Parted(Parting(0, f"the game cannot start: {error}", 0)) from None
    except RuleError as error:
        raise Parted(Parting(0, f"the game cannot start: {error.diagnostic.message}", 0)) from None


def played(
    game: Game, recorded: Recorded, backend: str = "python", *, log: bool = True, same: bool = True
) -> Iterator[State]:
    """The positions of a recorded game, its first and one after each move: the same object each time. Parted where it
    goes another way.

    `same`: the rules are those of the recording, so options have their numbers; else they are known by their words.
    """
    state = begun(game, recorded, backend, log=log)
    alike = state.table.fingerprint == recorded.layout  # else digests say nothing
    since = 0
    yield state
    for number, move in enumerate(recorded.moves, 1):
        if state.over:
            raise Parted(Parting(number, f"the game is over before move {number}: {of_move(state, move)}", since))
        if state.decider != move.by:
            wrong = f"{state.players[state.decider - 1]} is asked now: {of_move(state, move)}"
            raise Parted(Parting(number, wrong, since))
        if move.at and alike:
            if position(state.table, state.words) != move.at:
                raise Parted(Parting(number, f"the position before move {number} differs", since))
            since = number
        _take(state, move, number, since, same=same)
        yield state
    if recorded.end is not None:
        _ended(state, recorded, since, alike=alike)


def _take(state: State, move: Move, number: int, since: int, *, same: bool) -> None:
    options = state.decision.options
    if same:
        index = move.choice
        wrong = ""
        if len(options) != move.of:
            wrong = f"; now there are {len(options)}"
        elif options[index].text != move.said:
            wrong = f"; now the one in its place is `{options[index].text}`"
        if wrong:
            raise Parted(Parting(number, f"{of_move(state, move)}{wrong}", since))
    else:
        found = state.find(move.said)
        if not isinstance(found, int):
            refused = "; ".join(str(reason) for reason in found)
            raise Parted(Parting(number, f"{of_move(state, move)}, and cannot now: {refused}", since))
        index = found
    try:
        state.play(index)
    except RuleError as error:
        wrong = f"{of_move(state, move)}, and the rules now fail: {error.diagnostic.message}"
        raise Parted(Parting(number, wrong, since)) from None
    except SaveError as error:
        raise Parted(Parting(number, str(error), since)) from None


def _ended(state: State, recorded: Recorded, since: int, *, alike: bool) -> None:
    assert recorded.end is not None
    last, end = len(recorded.moves) + 1, recorded.end
    if not state.over:
        raise Parted(Parting(last, "the game was over here, and now continues", since))
    if tuple(state.scores) != end.scores or tuple(state.winners) != end.winners:
        was, now = ", ".join(map(str, end.scores)), ", ".join(map(str, state.scores))
        raise Parted(Parting(last, f"the scores were {was} by seat, and are {now} now", since))
    if alike and position(state.table, state.words) != end.at:
        raise Parted(Parting(last, "the last position differs", since))


def of_move(state: State, move: Move) -> str:
    """Who took what, in words: `ana took "pass", of 3 options`."""
    name = state.players[move.by - 1] if 0 < move.by <= len(state.players) else f"seat {move.by}"
    return f"{name} took `{move.said}`, of {move.of} options"


def parting(game: Game, recorded: Recorded, backend: str = "python", *, same: bool = True) -> Parting | None:
    """Where a recorded game goes another way; None if it is what it was."""
    try:
        for _ in played(game, recorded, backend, log=False, same=same):
            pass
    except Parted as found:
        return found.parting
    return None
