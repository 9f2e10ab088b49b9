"""Rules compiled with probes, in Python, and scenarios and games that run them. Whoever does not ask has none of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.errors import BadArgument
from rulelang.base.limits import garbage_collection_paused
from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import PythonProgram, link
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.probes import ProbePlace, Probes, probe_table
from rulelang.compiler.lower.program_graph import ProgramGraph
from rulelang.compiler.lower.table import Config, LoweredTable, lower_table_with_questions
from rulelang.compiler.passes.checked_arithmetic import check_arithmetic
from rulelang.compiler.passes.suspension import size_control_stack
from rulelang.runtime.game import Game
from rulelang.runtime.options import choose_options
from rulelang.runtime.program import Backend, LinkedProgram
from rulelang.runtime.rng import Generator, game_seed
from rulelang.runtime.watch import MOST, watched
from rulelang.testing.scenarios.fixture import Asked, Fixture
from rulelang.testing.scenarios.run import Runner


class Seen:
    """What was noted, by place: how often it came out false and true."""

    def __init__(self) -> None:
        self.places: dict[ProbePlace, None] = {}
        self.false: Counter[ProbePlace] = Counter()
        self.true: Counter[ProbePlace] = Counter()


class _Noting:
    """Stands for the table of a probe."""

    __slots__ = ("plain", "seen", "values")

    def __init__(self, place: ProbePlace, values: Sequence[int], seen: Seen) -> None:
        self.values = tuple(values)
        self.plain = place.kind == "line"
        self.seen = (seen.true, seen.true, place) if self.plain else (seen.false, seen.true, place)

    def __getitem__(self, index: int) -> int:
        self.seen[1 if index else 0][self.seen[2]] += 1  # type: ignore[index]
        return self.values[index]


class ProbedCompilation(Compilation):
    """A ruleset whose tables note in `seen` what runs. Only for one without mistakes; its tables are in Python."""

    def __init__(
        self, where: str | Path, mods: Sequence[str | Path] = (), mode: str | None = None, seen: Seen | None = None
    ) -> None:
        super().__init__(where, mods, mode)
        self.seen = seen or Seen()

    @cached_property
    def probes(self) -> Probes:
        return Probes(self.program)

    @cached_property
    def graph(self) -> ProgramGraph:
        return ProgramGraph(self.model, self.probes.program)

    def whole(self, players: int, options: Mapping[str, int]) -> tuple[LoweredTable | None, Diagnostics]:
        key = f"{players} {sorted(options.items())}"
        if key not in self._tables:
            config = Config(players, dict(options))
            self._tables[key] = lower_table_with_questions(
                self.graph, config, self.source.sources, self.probes.dispatch
            )
        return self._tables[key]

    def link(self, players: int, options: Mapping[str, int], backend: Backend) -> LinkedProgram:
        with garbage_collection_paused():
            module, found = self.lowered(players, options)
            assert not found.failed
            check_arithmetic(module)
            size_control_stack(module)
            program = link(emit(module).source, module)
        self.note(program, module)
        return program

    def note(self, program: PythonProgram, module: ir.Module) -> None:
        """Let a program made of these rules note what runs."""
        for number, place in enumerate(self.probes.places):
            name = f"T_{probe_table(number)}"
            if name in program.names:
                program.names[name] = _Noting(place, module.tables[probe_table(number)], self.seen)


class _ProbedFixture(Fixture):
    """What a claim asks runs as well."""

    def __init__(self, compilation: ProbedCompilation) -> None:
        super().__init__(compilation)
        self.probed = compilation

    def linked(self, module: ir.Module) -> Asked:
        program = link(emit(module).source, module)
        self.probed.note(program, module)
        return program


class ProbedRunner(Runner):
    """Scenarios on rules with probes."""

    def __init__(self, where: str | Path, mods: Sequence[str | Path], mode: str | None, seen: Seen) -> None:
        self.seen = seen
        super().__init__(where, mods, mode, mods_too=True)

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        return _ProbedFixture(ProbedCompilation(self.where, mods, mode, self.seen))


def play_games(compilation: ProbedCompilation, games: int, seed: int = 0) -> None:
    """So many random games, of all numbers of players and options by lot. RuleError as of any game."""
    summary = compilation.summary
    game = Game(summary.info, summary.players, summary.options, compilation.link)
    low, high = game.players
    for number in range(games):
        chance = Generator(game_seed(~seed, number // 4))
        players = low + chance.below(high - low + 1)
        given: dict[str, object] = {}
        for name, option in game.options.items():
            most = len(option.values) or (2 if option.switch else 0)
            given[name] = (1 + chance.below(most) if option.values else chance.below(2)) if most else option.low
        try:
            options = choose_options(game.options, players, given)
        except BadArgument:  # so many form no such teams
            options = choose_options(game.options, players, {})
        board = game.table(players, options)
        words = board.program.initial
        own = game_seed(seed, number)
        board.seed_game(words, own)
        board.seed_policy(words, own)
        with watched(board.program, MOST, False):
            board.program.playout(words)
