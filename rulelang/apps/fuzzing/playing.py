"""Play games that look for mistakes, and test every position on the way."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulelang.api import load
from rulelang.apps.fuzzing.meetings import EventSink, Heard, Meetings
from rulelang.base.errors import BadArgument, RuleError
from rulelang.base.wording import counted
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.runtime.agents import make_agent
from rulelang.runtime.display_names import Names, player_names
from rulelang.runtime.game import Game
from rulelang.runtime.program import Backend, LinkedProgram, OptionTuple
from rulelang.runtime.recorder import Recorder
from rulelang.runtime.rng import Generator, game_seed
from rulelang.runtime.running import MOST_DECISIONS, broken_invariant, endless_game_error
from rulelang.runtime.seating import begin_agent
from rulelang.runtime.state import SaveError, State
from rulelang.runtime.table import Table, TableOption, choose_options
from rulelang.runtime.validate_state import InvalidState, check_values, check_words

# ---- checks of a position

Keys = Sequence[OptionTuple] | None


class Wrong(Exception):
    """A requirement that is not met. `kind` is what was tested; `where` is equal for equal causes."""

    def __init__(self, kind: str, what: str, where: str = "") -> None:
        super().__init__(what)
        self.kind, self.what, self.where = kind, what, where or what

    @property
    def same(self) -> tuple[str, str]:
        """A key that is equal for mistakes with the same apparent cause."""
        return self.kind, "".join("#" if char.isdigit() else char for char in self.where)

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


def rule_mistake(error: RuleError) -> Wrong:
    """Return an error of the rules that happened in play."""
    found = error.diagnostic
    kind = "invariant" if found.code == "X607" else "rules"
    because = f" ({found.because})" if found.because else ""
    return Wrong(kind, f"{found.code}: {found.message}{because}, {found.span}", f"{found.code} {found.span}")


def check_quickly(table: Table, words: Sequence[int], keys: Keys) -> None:
    """Run the cheap checks; raise Wrong for the first that fails.

    They check that each card is in one place, chains, counts, handles, ranges of values, distinct options and
    invariants.
    """
    program = table.program
    layout = program.layout
    S = list(words)
    try:
        check_words(layout, S)
        check_values(layout, S)
    except InvalidState as error:
        raise Wrong(error.kind, str(error), error.where) from None
    failed = broken_invariant(program, S)
    if failed is not None:
        raise rule_mistake(failed)
    if (keys is None) != bool(S[layout.cells.over]):
        raise Wrong("options", "the game is over, but a player is asked; or it is not over, and nobody is asked")
    if keys is not None:
        if len(keys) < 2 and not S[layout.cells.stepping]:
            raise Wrong("options", f"a question has only {counted(len(keys), 'option')}")
        if len({*keys}) < len(keys):
            raise Wrong("options", "an option is duplicated")


def check_listing(program: LinkedProgram, words: list[int], keys: Keys) -> None:
    """Check that listing the options again gives the same ones, and changes nothing."""
    if keys is None:
        return
    before = list(words)
    if list(program.options(words) or ()) != list(keys):
        raise Wrong("options", "listing the options again gives other options")
    if list(words) != before:
        raise Wrong("options", "listing the options changes the state")


def check_same(one: Sequence[int], other: Sequence[int], keys: Keys, others: Keys, stack: int) -> None:
    """Check that two backends have the same words and options."""
    if list(one) != list(other):
        at = next(place for place, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
        where = "the stack" if at >= stack else "the state"
        raise Wrong("backends", f"word {at} of {where} is {one[at]} in one backend and {other[at]} in the other", where)
    if keys != others and list(keys or ()) != list(others or ()):
        raise Wrong("backends", "two backends list different options")


def state_at(table: Table, words: Sequence[int], keys: Keys, seed: int) -> State:
    """A state of these words, whose log begins here."""
    S = table.program.pack(list(words))
    found = None if keys is None else list(keys)
    return State(
        table, Names(table.program.layout, player_names(table.players)), S, Recorder(table, S, True), found, seed
    )


def check_deeply(game: Game, state: State, backend: Backend) -> State:
    """Run the expensive checks, and return the restored game.

    Saving and restoring gives the same game; the view of each seat is JSON, and viewing changes nothing; the texts of
    options differ, each text selects its option, and no reason refuses it.
    """
    before = list(state.words)
    try:
        again = game.restore(state.save(), backend)
    except SaveError as error:
        raise Wrong("saving", f"the saved game cannot be restored: {error}") from None
    if again.hash() != state.hash() or again.option_count != state.option_count:
        raise Wrong("saving", "the restored game differs from the saved one")
    for viewer in (None, *range(1, state.table.players + 1)):
        view = state.view(viewer)
        if again.view(viewer) != view:
            raise Wrong(
                "saving", f"after restoring, {f'player {viewer}' if viewer else 'a spectator'} sees something else"
            )
        json.dumps(view)
    if not state.over:
        _options(state)
    if list(state.words) != before:
        raise Wrong("looking", "viewing a position changes it")
    return again


def _options(state: State) -> None:
    options = state.decision.options
    texts = [option.text for option in options]
    if len({*texts}) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise Wrong("texts", f"two options have the text `{twice}`", "two options have the same text")
    for option in options[:: max(1, len(options) // 8)]:
        if state.find(option.text) != option.index:
            raise Wrong(
                "texts", f"the text `{option.text}` does not select its option", "an option cannot be found by its text"
            )
        site = state.table.site(state.words)
        if site.kind == "offer" and not option.is_pass and (told := state.why_not_call(option.action, option.key[1:])):
            raise Wrong(
                "legality", f"`{option.text}` is offered, but refused: {told[0]}", f"{option.action} {told[0].span}"
            )
    clone = state.clone()
    refused = clone.try_play("no such thing at all")
    if not refused or clone.hash() != state.hash():
        raise Wrong("legality", "a refused move has changed the state")


# ---- the choice of moves

#: So many options are tried at each decision.
TRIED = 6


class Curiosity:
    """Counts what ran at the tables of one game, over all games: rules, and pairs of traits that met."""

    def __init__(self) -> None:
        self.rules: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self._named: dict[int, list[str]] = {}
        self._meetings: dict[int, Meetings] = {}
        self._tables: list[Table] = []  # so that identities stay

    def at(self, table: Table) -> Meetings:
        if id(table) not in self._meetings:
            self._tables.append(table)
            self._meetings[id(table)] = Meetings(table)
            self._named[id(table)] = [f"{t.what} {t.name} {t.source} {t.span}" for t in table.program.templates]
        return self._meetings[id(table)]

    def note(self, table: Table, words: Sequence[int], key: OptionTuple, heard: Sequence[Heard]) -> None:
        """A move was made."""
        meetings, named = self.at(table), self._named[id(table)]
        self.rules.update({named[template] for template, _ in heard})
        self.pairs.update(meetings.of_move(words, key, heard))

    def rarity(self, table: Table, words: Sequence[int], key: OptionTuple, heard: Sequence[Heard]) -> float:
        """How seldom what a move does was seen."""
        meetings, named = self.at(table), self._named[id(table)]
        rules = sum(1 / (1 + self.rules[named[template]]) for template in {template for template, _ in heard})
        return rules + sum(1 / (1 + self.pairs[pair]) for pair in meetings.of_move(words, key, heard))

    def rarest(self, table: Table, words: list[int], keys: Sequence[OptionTuple], chance: Generator) -> int:
        """The option, of a few, whose move does what was seen least."""
        places = [*range(len(keys))]
        for place in range(min(TRIED, len(places))):
            other = place + chance.below(len(places) - place)
            places[place], places[other] = places[other], places[place]
        best: int = places[0]
        most = -1.0
        for place in places[:TRIED]:
            ear, S = EventSink(), words[:]
            table.program.resume(S, ear, keys[place])
            found = self.rarity(table, words, keys[place], ear.heard)
            if found > most:
                best, most = place, found
        return best


# ---- games

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
        players, options = sampled_table(game, drawn)
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
        words = fresh_cells(table, seed)
        others = list(words)
        agent = make_agent({"search": SEARCH, PLAYOUT: "random"}[chooser]) if chooser in ("search", PLAYOUT) else None
        if agent is not None:
            begin_agent(agent, seed)
        try:
            words = program.pack(words)
            keys = program.begin(words, EventSink())
            if second is not None:
                others = second.pack(others)
                check_same(words, others, keys, second.begin(others, None), layout.stack)
            while True:
                check_quickly(table, words, keys)
                check_listing(program, words, keys)
                deep = keys is None or chance.below(deep_in) == 0
                if deep:
                    check_deeply(game, state_at(table, words, keys, seed), self.backend)
                yield deep
                if keys is None:
                    return
                if len(choices) > MOST_DECISIONS:
                    raise endless_game_error(
                        program, words, MOST_DECISIONS, words[layout.cells.site], words[layout.cells.decider]
                    )
                if agent is not None:
                    choice = agent.choose(state_at(table, words, keys, seed).without_log())
                elif chooser == "curious":
                    choice = self.curious.rarest(table, words, keys, chance)
                else:
                    choice = chance.below(len(keys))
                choices.append(choice)
                before, key, ear = words[:], keys[choice], EventSink()
                keys = program.resume(words, ear, key)
                self.curious.note(table, before, key, ear.heard)
                if second is not None:
                    check_same(words, others, keys, second.resume(others, None, key), layout.stack)
        except RuleError as error:
            raise rule_mistake(error) from None
        except (Wrong, MemoryError):
            raise
        except Exception as error:  # whatever else comes of it is a mistake of ours
            raise Wrong("crash", f"{type(error).__name__}: {error}", type(error).__name__) from error


def fresh_cells(table: Table, seed: int) -> list[int]:
    words = table.program.initial
    table.seed_game(words, seed)
    return words


def sampled_table(game: Game, chance: Generator) -> tuple[int, dict[str, int]]:
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
