"""Plays games that look for mistakes, with everything tested on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulelang.api import load
from rulelang.apps.fuzzing import checks
from rulelang.apps.fuzzing.checks import Wrong
from rulelang.apps.fuzzing.choosing import Curiosity
from rulelang.apps.fuzzing.hearing import Ear
from rulelang.base.errors import BadArgument, RuleError
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.options import TableOption, choose_options
from rulelang.runtime.rng import Generator, game_seed
from rulelang.runtime.seating import begin
from rulelang.runtime.table import Table
from rulelang.runtime.watch import MOST, endless

#: Who chooses, by turns: game k has the one at k modulo their number.
CHOOSERS = ("random", "curious", "curious", "search", "random", "curious", "curious", "random")
#: Who chooses as a playout of the same seed does.
PLAYOUT = "playout"
#: What the searching agent is: a dear one plays too few games.
SEARCH = "greedy"
#: One in so many decisions is tested with what costs more.
DEEP = 16
#: So many games are played at one table, since to compile another takes as long as some games.
BLOCK = 16
#: The games of one in so many blocks are played on two backends in step.
BOTH = 3


@dataclass(frozen=True, slots=True)
class Setting:
    """A ruleset with mods and in a mode."""

    where: str
    mods: tuple[str, ...] = ()
    mode: str | None = None

    def __str__(self) -> str:
        return " ".join([self.where, *self.mods, *([f"--mode {self.mode}"] if self.mode else [])])


@dataclass(frozen=True, slots=True)
class Finding:
    """A game in which something does not hold, and how to come there: the seed, and the index of each option taken.

    `same`: equal for mistakes that seem to have one cause.
    """

    setting: Setting
    players: int
    options: Mapping[str, int]
    seed: int
    choices: tuple[int, ...]
    kind: str
    what: str
    same: tuple[str, str]


@dataclass(slots=True)
class Counts:
    """What was played. `deep`: decisions tested with what costs more; `both`: games on two backends; `inside`: games at
    a stretch, of which `proved` were tested at every decision by their library, which went on from the words alone at
    `remade` decisions, and played `forms` of them at one go as well."""

    games: int = 0
    decisions: int = 0
    deep: int = 0
    both: int = 0
    inside: int = 0
    proved: int = 0
    remade: int = 0
    forms: int = 0
    findings: list[Finding] = field(default_factory=list)

    def join(self, other: Counts) -> None:
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.findings += other.findings


#: What is counted, by name.
COUNTED = ("games", "decisions", "deep", "both", "inside", "proved", "remade", "forms")


class Player:
    """Plays games of one ruleset: of random sets of its `mods`, modes, numbers of players and options.

    `backend` plays; `other` plays some games in step with it ("" for none).
    """

    def __init__(
        self, where: str, mods: Sequence[str] = (), mode: str | None = None, backend: str = "python", other: str = ""
    ) -> None:
        self.where, self.mods, self.mode = where, tuple(mods), mode
        self.backend, self.other = backend, other
        self.curious = Curiosity()
        self.games: dict[Setting, Game | None] = {}

    # ---- what is played

    @property
    def whole(self) -> Setting:
        """With all mods, in the mode that was named."""
        return Setting(self.where, self.mods, self.mode)

    @cached_property
    def modes(self) -> tuple[str | None, ...]:
        """The modes that there are to be drawn from; None for the usual game."""
        if self.mode is not None:
            return (self.mode,)
        source = Compilation(self.where, self.mods).read[0]
        return (None, *(source.modes if source is not None else ()))

    def setting(self, chance: Generator) -> Setting:
        """Mods and a mode drawn by lot; all mods as often as any other number of them together."""
        every = chance.below(2) == 0
        mods = tuple(mod for mod in self.mods if every or chance.below(2))
        return Setting(self.where, mods, self.modes[chance.below(len(self.modes))])

    def game(self, setting: Setting) -> Game:
        """The game of a setting; that with all mods where it cannot be (a mod that needs another)."""
        if setting not in self.games:
            try:
                self.games[setting] = load(setting.where, setting.mods, setting.mode)
            except LoadError:
                if setting == self.whole:
                    raise
                self.games[setting] = None
        found = self.games[setting]
        return found if found is not None else self.game(self.whole)

    def play(self, seed: int, number: int, counts: Counts) -> None:
        """One game of a series, tested after every decision."""
        own, block = game_seed(seed, number), number // BLOCK
        drawn, chance = Generator(game_seed(~seed, block)), Generator(own)
        setting = self.setting(drawn)
        game = self.game(setting)
        players, options = drawn_table(game, drawn)
        chooser = CHOOSERS[number % len(CHOOSERS)]
        both = bool(self.other) and block % BOTH == 0
        choices: list[int] = []
        try:
            for deep in self.positions(game, players, options, own, chooser, chance, choices, both=both):
                counts.decisions += 1
                counts.deep += deep
        except Wrong as wrong:
            counts.findings.append(
                Finding(setting, players, options, own, tuple(choices), wrong.kind, wrong.what, wrong.same)
            )
        counts.games += 1
        counts.both += both

    def positions(
        self,
        game: Game,
        players: int,
        options: Mapping[str, int],
        seed: int,
        chooser: str,
        chance: Generator,
        choices: list[int],
        *,
        both: bool,
        deep_in: int = DEEP,
    ) -> Iterator[bool]:
        """Play one game and test each position: whether that was tested in depth, as one in `deep_in` is. `choices`
        grows with the game. Wrong where something does not hold."""
        table = game.table(players, options, self.backend)
        second = game.table(players, options, self.other).program if both and self.other else None
        program, layout = table.program, table.program.layout
        words = fresh(table, seed)
        others = list(words)
        agent = make_agent({"search": SEARCH, PLAYOUT: "random"}[chooser]) if chooser in ("search", PLAYOUT) else None
        if agent is not None:
            begin(agent, seed)
        try:
            words = program.pack(words)
            keys = program.begin(words, Ear())
            if second is not None:
                others = second.pack(others)
                checks.alike(words, others, keys, second.begin(others, None), layout.stack)
            while True:
                checks.quick(table, words, keys)
                checks.listed(program, words, keys)
                deep = keys is None or chance.below(deep_in) == 0
                if deep:
                    checks.deep(game, checks.state_of(table, words, keys, seed), self.backend)
                yield deep
                if keys is None:
                    return
                if len(choices) > MOST:
                    raise endless(program, words, MOST, words[layout.cells.site], words[layout.cells.decider])
                if agent is not None:
                    choice = agent.choose(checks.state_of(table, words, keys, seed).without_log())
                elif chooser == "curious":
                    choice = self.curious.rarest(table, words, keys, chance)
                else:
                    choice = chance.below(len(keys))
                choices.append(choice)
                before, key, ear = words[:], keys[choice], Ear()
                keys = program.resume(words, ear, key)
                self.curious.note(table, before, key, ear.heard)
                if second is not None:
                    checks.alike(words, others, keys, second.resume(others, None, key), layout.stack)
        except RuleError as error:
            raise checks.of_rules(error) from None
        except (Wrong, MemoryError):
            raise
        except Exception as error:  # whatever else comes of it is a mistake of ours
            raise Wrong("crash", f"{type(error).__name__}: {error}", type(error).__name__) from error


def fresh(table: Table, seed: int) -> list[int]:
    words = table.program.initial
    table.seed_game(words, seed)
    return words


def drawn_table(game: Game, chance: Generator) -> tuple[int, dict[str, int]]:
    """How many play and with which options, drawn by lot among what may be."""
    low, high = game.players
    while True:
        players = low + chance.below(high - low + 1)
        options: dict[str, object] = {name: _value(option, chance) for name, option in game.options.items()}
        try:
            return players, choose_options(game.options, players, options)
        except BadArgument:  # so many form no such teams
            continue


def _value(option: TableOption, chance: Generator) -> int:
    if option.values:
        return 1 + chance.below(len(option.values))
    return chance.below(2) if option.switch else option.low + chance.below(option.high - option.low + 1)
