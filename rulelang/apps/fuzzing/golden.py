"""Recorded games in which traits meet: found by one who seeks pairs that did not meet yet, cut behind the last of them,
and played again to see that they still do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulelang.apps.fuzzing.can_meet import Pair
from rulelang.apps.fuzzing.hearing import Ear, Meetings
from rulelang.runtime.game import Game
from rulelang.runtime.rng import Generator, game_seed
from rulelang.runtime.table import Table
from rulelang.runtime.watch import MOST
from rulelang.testing.replay.again import played
from rulelang.testing.replay.records import Recorded
from rulelang.testing.replay.writing import ReplayWriter

#: Of so many games the one is kept in which most pairs meet for the first time, for its length.
OF = 40
#: So many times in a row nothing is found before it is given up.
PATIENCE = 12


@dataclass(frozen=True, slots=True)
class Golden:
    """A game as far as something new meets in it, and the pairs that do."""

    players: int
    seed: int
    choices: tuple[int, ...]
    met: frozenset[Pair]

    @property
    def worth(self) -> float:
        return len(self.met) / (50 + len(self.choices))


def in_recorded(
    game: Game, recorded: Recorded, counts: Mapping[str, frozenset[str]], backend: str = "python"
) -> Iterator[set[Pair]]:
    """The pairs that meet in each move of a recorded game. Parted where it cannot be played any more."""
    states = played(game, recorded, backend, log=False)
    state = next(states)
    program, meetings = state.table.program, Meetings(state.table, counts)
    for move in recorded.moves:
        before, keys = list(state.words), state.keys
        next(states)  # or it cannot be made any more
        ear, key = Ear(), keys[move.choice]
        program.resume(program.pack(list(before)), ear, key)
        yield meetings.of_move(before, key, ear.heard)


def find(
    game: Game,
    counts: Mapping[str, frozenset[str]],
    wanted: Collection[Pair],
    players: int,
    backend: str = "python",
    seed: int = 0,
) -> Iterator[Golden]:
    """Games in which all wanted pairs meet, or as many as are found."""
    left = set(wanted)
    table = game.table(players, None, backend)
    meetings = Meetings(table, counts)
    number = missed = 0
    while left and missed < PATIENCE:
        best: Golden | None = None
        for _ in range(OF):
            found = _game(table, meetings, game_seed(seed, number), left)
            number += 1
            if best is None or found.worth > best.worth:
                best = found
        assert best is not None
        missed = 0 if best.met else missed + 1
        if best.met:
            left -= best.met
            yield best


def _game(table: Table, meetings: Meetings, seed: int, wanted: Collection[Pair]) -> Golden:
    """Play one game after new meetings: it is kept up to the last one."""
    program, chance = table.program, Generator(seed)
    words = program.initial
    table.seed_game(words, seed)
    words = program.pack(words)
    keys = program.begin(words, None)
    left, met = {*wanted}, set[Pair]()
    choices: list[int] = []
    liked: dict[str, bool] = {}
    last = 0
    while keys is not None and len(choices) < MOST:
        choice = _choice(meetings, words, keys, chance, left, liked)
        before, key, ear = list(words), keys[choice], Ear()
        keys = program.resume(words, ear, key)
        choices.append(choice)
        new = meetings.of_move(before, key, ear.heard) & left
        if new:
            left -= new
            met |= new
            last = len(choices)
    return Golden(table.players, seed, tuple(choices[:last]), frozenset(met))


def _choice(
    meetings: Meetings,
    words: Sequence[int],
    keys: Sequence[tuple[int, ...]],
    chance: Generator,
    wanted: set[Pair],
    liked: dict[str, bool],
) -> int:
    """What makes most wanted pairs meet by who is named; else anything, by an action that is liked in this game: which
    are is drawn by lot, as games in which everybody does everything undo what they build."""
    gains = [len(meetings.met(words, key, ()) & wanted) for key in keys]
    best = max(gains)
    if best:
        places = [place for place, gain in enumerate(gains) if gain == best]
    else:
        actions = meetings.table.site(words).actions
        names = ["" if key[0] < 0 else actions[key[0]].id for key in keys]
        for name in dict.fromkeys(names):
            liked.setdefault(name, chance.below(2) == 0)
        places = [place for place, name in enumerate(names) if liked[name]]
        if not places or chance.below(8) == 0:
            places = [*range(len(keys))]
    return places[chance.below(len(places))]


def write(game: Game, path: Path, golden: Sequence[Golden], backend: str = "python") -> None:
    """Write the games as a replay. OSError where it cannot be written."""
    with ReplayWriter(path, game.info) as writer:
        for one in golden:
            state = game.new(one.players, one.seed, backend=backend, log=False)
            writer.begin(state)
            for choice in one.choices:
                writer.move(state, choice)
                state.play(choice)
