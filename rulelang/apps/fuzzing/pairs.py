"""Which ordered pairs of traits have met in one move, and recorded games in which new pairs meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from rulelang.api import load
from rulelang.apps.fuzzing.meetings import EventSink, Meetings, Pair, can_meet, counting_traits
from rulelang.apps.fuzzing.parallel_search import fuzz
from rulelang.compiler.compilation import LoadError
from rulelang.runtime.game import Game
from rulelang.runtime.rng import Generator, game_seed
from rulelang.runtime.running import MOST_DECISIONS
from rulelang.runtime.state import State
from rulelang.runtime.table import Table
from rulelang.testing.replay import RecordedGame, played, read
from rulelang.testing.replay_writer import ReplayWriter
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.session import Session
from rulelang.testing.scenarios.yaml_forms import Given, block_lines, yaml_flow
from rulelang.tools.scaffolding.positions import sample_positions

# ---- recorded games in which traits meet

#: Of so many games the one is kept in which most pairs meet for the first time, for its length.
OF = 40
#: So many times in a row nothing is found before it is given up.
PATIENCE = 12


@dataclass(frozen=True, slots=True)
class GoldenGame:
    """A game as far as something new meets in it, and the pairs that do."""

    players: int
    seed: int
    choices: tuple[int, ...]
    met: frozenset[Pair]

    @property
    def worth(self) -> float:
        return len(self.met) / (50 + len(self.choices))


def pairs_in_recorded(
    game: Game, recorded: RecordedGame, counts: Mapping[str, frozenset[str]], backend: str = "python"
) -> Iterator[set[Pair]]:
    """The pairs that meet in each move of a recorded game. Parted where it cannot be played any more."""
    states = played(game, recorded, backend, log=False)
    state = next(states)
    program, meetings = state.table.program, Meetings(state.table, counts)
    for move in recorded.moves:
        before, keys = list(state.words), state.keys
        next(states)  # or it cannot be made any more
        ear, key = EventSink(), keys[move.choice]
        program.resume(program.pack(list(before)), ear, key)
        yield meetings.of_move(before, key, ear.heard)


def find_games(
    game: Game,
    counts: Mapping[str, frozenset[str]],
    wanted: Collection[Pair],
    players: int,
    backend: str = "python",
    seed: int = 0,
) -> Iterator[GoldenGame]:
    """Games in which all wanted pairs meet, or as many as are found."""
    left = set(wanted)
    table = game.table(players, None, backend)
    meetings = Meetings(table, counts)
    number = missed = 0
    while left and missed < PATIENCE:
        best: GoldenGame | None = None
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


def _game(table: Table, meetings: Meetings, seed: int, wanted: Collection[Pair]) -> GoldenGame:
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
    while keys is not None and len(choices) < MOST_DECISIONS:
        choice = _choice(meetings, words, keys, chance, left, liked)
        before, key, ear = list(words), keys[choice], EventSink()
        keys = program.resume(words, ear, key)
        choices.append(choice)
        new = meetings.of_move(before, key, ear.heard) & left
        if new:
            left -= new
            met |= new
            last = len(choices)
    return GoldenGame(table.players, seed, tuple(choices[:last]), frozenset(met))


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


def write_games(game: Game, path: Path, golden: Sequence[GoldenGame], backend: str = "python") -> None:
    """Write the games as a replay. OSError where it cannot be written."""
    with ReplayWriter(path, game.info) as writer:
        for one in golden:
            state = game.new(one.players, one.seed, backend=backend, log=False)
            writer.begin(state)
            for choice in one.choices:
                writer.move(state, choice)
                state.play(choice)


# ---- pairs that have met

#: Who plays in skeletons of scenarios.
SEATED = ("ana", "bob")


@dataclass(frozen=True, slots=True)
class PairReport:
    """`can`: the pairs that can meet. `scenarios`: by pair, the passing ones in which it met; `recorded`: those that
    met in recorded games. `games`: how often it met in `played` games."""

    traits: tuple[str, ...]
    can: frozenset[Pair]
    scenarios: dict[Pair, tuple[str, ...]]
    recorded: frozenset[Pair]
    games: Counter[Pair]
    played: int

    @property
    def pairs(self) -> list[Pair]:
        """All that can meet, in the order of the traits."""
        return [pair for pair in permutations(self.traits, 2) if pair in self.can]

    @property
    def untested(self) -> list[Pair]:
        """Those that met in no scenario and no recorded game; those that met in games most often first."""
        shown = self.scenarios.keys() | self.recorded
        return sorted((pair for pair in self.pairs if pair not in shown), key=lambda pair: -self.games[pair])

    @property
    def never(self) -> list[Pair]:
        """Those that met nowhere."""
        return [pair for pair in self.untested if not self.games[pair]]

    def as_json(self) -> dict[str, Any]:
        return {
            "traits": list(self.traits),
            "games": self.played,
            "pairs": [
                {"first": first, "second": second, "can": (first, second) in self.can,
                 "scenarios": list(self.scenarios.get((first, second), ())),
                 "recorded": (first, second) in self.recorded, "games": self.games[first, second]}
                for first, second in permutations(self.traits, 2)
            ],
        }  # fmt: skip


def measure_pairs(
    where: str, mods: Sequence[str] = (), mode: str | None = None, games: int = 0, seed: int = 0, jobs: int = 1,
    replays: Sequence[Path] = (),
) -> PairReport:  # fmt: skip
    """Run all scenarios of a ruleset, play so many games of it and those of `replays`, and see which traits meet.
    LoadError for mistakes; ReplayError, and Parted for a game that cannot be played any more."""
    runner = Runner(where, mods, mode, mods_too=True)
    if runner.diagnostics.failed:
        raise LoadError(runner.diagnostics, runner.sources)
    compilation = runner.fixture.compilation
    counts = counting_traits(compilation.graph)
    met: dict[Pair, list[str]] = {}
    meetings: dict[int, Meetings] = {}

    def look(session: Session) -> None:
        state = session.here.state
        found = meetings.setdefault(id(state.table), Meetings(state.table, counts))
        for pair in pairs_in_scenario(found, state):
            seen.add(pair)

    for scenario in runner.scenarios:
        seen: set[Pair] = set()
        if runner.run(scenario, look=look).passed:
            for pair in seen:
                met.setdefault(pair, []).append(scenario.id)
    traits, can = tuple(compilation.model.traits), can_meet(counts)
    recorded: set[Pair] = set()
    if replays:
        game = load(where, mods, mode)
        for file in replays:
            for one in read(file).games:
                recorded.update(*pairs_in_recorded(game, one, counts))
    played = fuzz(where, mods, mode, games, seed=seed, jobs=jobs) if games else None
    return PairReport(
        traits,
        can,
        {pair: tuple(names) for pair, names in met.items() if pair in can},
        frozenset(recorded & can),
        Counter({pair: n for pair, n in played.pairs.items() if pair in can}) if played else Counter(),
        games,
    )


def pairs_in_scenario(meetings: Meetings, end: State) -> Iterator[Pair]:
    """The pairs that met in the moves that led to a state, as far back as it remembers."""
    after = end
    while True:
        before = after.clone()
        if not before.undo():
            return
        words = list(before.words)
        sources = [event.source for event in after.log[len(before.log) :]]
        key: tuple[int, ...] = (-1,)
        if len(after.choices) == len(before.choices) + 1:
            keys = before.table.program.options(before.table.program.pack(words))
            key = keys[after.choices[-1]] if keys else key
        yield from meetings.met(words, key, [source for source in sources if source in meetings.known])
        after = before


# ---- scenarios to be written


def scenario_skeletons(where: str, wanted: Sequence[Pair]) -> Iterator[str]:
    """The beginning of a scenario for each pair: a position in which the first player's thing bears the first trait and
    the second's the second, to be finished by hand. Nothing where no thing bears traits."""
    laid = sample_positions(where, SEATED)
    if not laid or not laid[0].things:
        return
    given = laid[0].given
    for pair in wanted:
        yield f"- name: {yaml_flow(f'{pair[0]} meets {pair[1]}')}\n"
        yield "  given:\n"
        borne = dict(zip(SEATED, pair, strict=True))
        players = given["players"]
        assert isinstance(players, dict)
        owned: Given = {name: _bearing(owns, laid[0].things[name], borne[name]) for name, owns in players.items()}
        for key, value in {**given, "players": owned}.items():
            yield "".join(f"{line}\n" for line in block_lines(key, value, "    "))
        yield "  when: []\n  then: []\n"


def _bearing(owns: object, thing: str, trait: str) -> object:
    """What a player has, with the trait on one of his things."""
    if isinstance(owns, dict):
        return {key: _bearing(value, thing, trait) for key, value in owns.items()}
    if isinstance(owns, list):
        return [{item: [trait]} if isinstance(item, str) and item.split(" ")[0] == thing else item for item in owns]
    return owns


def pair_lines(report: PairReport, most: int = 20) -> Iterator[str]:
    """The report as text."""
    total = len(report.pairs)
    if not total:
        yield "no two traits can meet"
        return
    met = len(report.scenarios)
    yield f"{len(report.traits)} traits make {total:,} ordered pairs that can meet; {met:,} met in passing scenarios"
    if report.recorded:
        yield f"{len(report.recorded - report.scenarios.keys()):,} more met in recorded games"
    if report.played:
        more = sum(1 for pair in report.untested if report.games[pair])
        yield f"{more:,} more met in {report.played:,} games, {len(report.never):,} never met"
    where = "no scenario and no recorded game" if report.recorded else "no scenario"
    yield f"pairs that met in {where}: {len(report.untested) or 'none'}"
    for first, second in report.untested[:most]:
        often = report.games[first, second]
        yield f"  {first} before {second}" + (f" ({often:,} times in games)" if often else "")
    if len(report.untested) > most:
        yield f"  and {len(report.untested) - most:,} more: --json lists all, --skeletons FILE starts scenarios"


__all__ = ["PairReport", "measure_pairs", "scenario_skeletons"]
