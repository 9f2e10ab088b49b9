"""Look for mistakes in random games that run inside the compiled rules or the native library."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from rulelang.apps.fuzzing import playing
from rulelang.apps.fuzzing.playing import PLAYOUT, Counts, Finding, Player, Setting, Wrong, fresh_cells, sampled_table
from rulelang.apps.fuzzing.shrinking import DEEP
from rulelang.base.errors import RuleError
from rulelang.compiler.backends.native.link import NativeProgram, UnsoundState, array_address
from rulelang.runtime.game import Game
from rulelang.runtime.program import Extended, LinkedProgram, guarded
from rulelang.runtime.rng import Generator, game_seed, sample_below
from rulelang.runtime.running import MOST_DECISIONS, watching_limits
from rulelang.runtime.state import SaveError
from rulelang.runtime.table import Table
from rulelang.runtime.validate_state import InvalidState, check_values, check_words, validation_tables

# ---- games in the native library

#: The native backend with what this needs.
PROVING = Extended("rulelang.apps.fuzzing", "prove.c", guarded=True)
#: What a library says of a position that cannot be, by number: what was tested, and how it is told.
_WRONG = {
    2: ("options", "options listed anew are others than those that were asked"),
    3: ("options", "an option is there twice"),
    4: ("options", "listing the options changes the state"),
    5: ("backends", "played at one go the game ends otherwise than paused at every decision"),
}
#: Words for options: more than are ever listed, so that all are compared.
_ROOM = 1 << 18


@dataclass(frozen=True, slots=True)
class Proved:
    """So many games, of so many decisions, hold; `remade`: times that one went on from its words alone; `both`: games
    played at one go as well. `problem`: what ended the game behind them."""

    games: int
    decisions: int
    remade: int
    both: int
    problem: RuleError | Wrong | ValueError | None


class Proving:
    """Games of a table in its library. `tested`: the tables, as `prove.c` reads them."""

    def __init__(self, program: NativeProgram) -> None:
        self.program, self.lib, self.layout = program, program.lib, program.layout
        self.tested = array("i", validation_tables(self.layout))

    def prove_many(self, series: int, first: int, games: int, every: int) -> Proved:
        """Random games with the seeds of a series, tested at every decision; once in `every` decisions from the words
        alone, and one in `every` games at one go as well. It ends with the first that fails."""
        program, here = self.program, self.program.here
        if len(here.out) < _ROOM:
            here.room(_ROOM)
        told, other = array("q", bytes(24)), array("i", bytes(4 * self.layout.size))
        kept = self.kept()
        at = map(array_address, (other, kept, program.start, self.tested))
        done: int = self.lib.rl_prove_many(here.C, here.at, *at, series, first, games, every, array_address(told))
        problem: RuleError | Wrong | ValueError | None = None
        if done < games:
            try:
                program.raise_error()
            except (RuleError, ValueError) as found:
                problem = found
            except UnsoundState as found:
                problem = self.wrong(found)
        decisions, remade, both = told
        return Proved(done, decisions, remade, both, problem)

    def prove_until(self, words: list[int], number: int) -> None:
        """Play a random game on, whose words are fresh, to the decision with this number, or to its end."""
        self.program.played(words, self.lib.rl_prove_until, number)

    def kept(self) -> array[int]:
        """Room for the words of a position that was sound, and for marks of zones."""
        return array("i", bytes(4 * (self.layout.stack + 2 * max(len(self.layout.zone_names), 1))))

    def sound_after(self, before: list[int], words: list[int]) -> bool:
        """The same as `sound`, for what has changed since a position that is."""
        kept, own = self.kept(), array("i", before)
        assert self.lib.rl_keep(array_address(self.tested), array_address(own), array_address(kept))
        own = array("i", words)
        return bool(self.lib.rl_sound_still(array_address(self.tested), array_address(own), array_address(kept)))

    def sound(self, words: list[int]) -> bool:
        """Whether words can be those of a position, as `engine.validate_state` says."""
        own = array("i", words)
        return bool(self.lib.rl_sound(array_address(self.tested), array_address(own)))

    def wrong(self, found: UnsoundState) -> Wrong:
        """What a library found. AssertionError if it is sound by `engine.validate_state`."""
        if found.number in _WRONG:
            return Wrong(*_WRONG[found.number])
        try:
            check_words(self.layout, found.words)
            check_values(self.layout, found.words)
        except InvalidState as problem:
            return Wrong(problem.kind, str(problem))
        raise AssertionError("the library finds a position unsound that is not")


# ---- games in compiled rules

#: One game in so many is played on another backend as well.
ALIKE = 500
#: One in so many is tested in depth at a decision drawn by lot, saved there, restored, and played to its end.
HALFWAY = 500
#: In a library, a game goes on from its words alone once in so many decisions, and one in so many is played at one go.
EVERY = 8
#: One decision in so many is tested in depth where nothing is to be found by it.
RARELY = 1 << 20


class Inside:
    """Games of one table, from `first` on."""

    def __init__(self, player: Player, seed: int, first: int, counts: Counts) -> None:
        self.player, self.seed, self.counts = player, seed, counts
        chance = Generator(game_seed(~seed, first))
        self.setting: Setting = player.setting(chance)
        self.game: Game = player.game(self.setting)
        self.players, self.options = sampled_table(self.game, chance)
        self.proves = player.backend == "native"
        self.backend = PROVING if self.proves else guarded(player.backend)
        self.table: Table = self.game.table(self.players, self.options, self.backend)
        self.second: LinkedProgram | None = None
        if player.other:
            self.second = self.game.table(self.players, self.options, player.other).program

    def play(self, first: int, number: int) -> None:
        """So many games, each of which is a finding where something does not hold; and one decision by decision."""
        with watching_limits(self.table.program, MOST_DECISIONS, True):
            if self.proves:
                self.proved(first, number)
            for index in range(first, first + number):
                self.tried(index)
        self.counts.games += number
        self.counts.inside += number
        whole = Counts()
        self.player.play(self.seed, first // number, whole)  # each time another one chooses
        whole.games = 0  # it is beside the series
        self.counts.join(whole)

    def proved(self, first: int, number: int) -> None:
        """All of them in the library."""
        proving = self.proving()
        while number > 0:
            found = proving.prove_many(self.seed, first, number, EVERY)
            self.counts.proved += found.games
            self.counts.decisions += found.decisions
            self.counts.remade += found.remade
            self.counts.forms += found.both
            if found.problem is None:
                return
            self.found(game_seed(self.seed, first + found.games), _wrong(found.problem))
            first, number = first + found.games + 1, number - found.games - 1

    def proving(self) -> Proving:
        return Proving(cast(NativeProgram, self.table.program))

    def tried(self, index: int) -> None:
        """What one game of the series is tested for beside."""
        own = game_seed(self.seed, index)
        deep = index % HALFWAY == 0
        other = self.second if index % ALIKE == 0 else None
        if self.proves and not deep and other is None:
            return
        try:
            words = self.ended(self.table.program, own)
            if not self.proves:
                playing.check_quickly(self.table, words, None)
                self.counts.decisions += words[self.table.program.layout.cells.decisions]
            if deep:
                self.halfway(own, words)
            if other is not None:
                playing.check_same(words, self.ended(other, own), None, None, self.table.program.layout.stack)
                self.counts.both += 1
        except (RuleError, Wrong, SaveError) as problem:
            self.found(own, _wrong(problem))

    def ended(self, program: LinkedProgram, own: int) -> list[int]:
        """The words at the end of a game."""
        words = fresh_cells(self.table, own)
        self.table.seed_policy(words, own)
        words = program.pack(words)
        program.playout(words)
        return words

    def halfway(self, own: int, end: list[int]) -> None:
        """Play the game to a decision drawn by lot, test that in depth, save, restore, and play on: it ends as it did
        at a stretch."""
        program = self.table.program
        most = end[program.layout.cells.decisions]
        words = self.reached(own, Generator(~own).below(max(1, most)))
        keys = program.options(words)
        if keys is None:
            return
        state = playing.state_at(self.table, words, keys, own)
        playing.check_quickly(self.table, words, keys)
        playing.check_listing(program, words, keys)
        again = program.pack([*playing.check_deeply(self.game, state, self.backend).words])
        program.playout(again)
        self.counts.deep += 1
        if self.compared(again) != self.compared(end):
            raise Wrong("saving", "saved and restored, the game ends otherwise than at a stretch")

    def reached(self, own: int, number: int) -> list[int]:
        """The words of a game at the decision with this number, or at its end."""
        program = self.table.program
        words = fresh_cells(self.table, own)
        self.table.seed_policy(words, own)
        words = program.pack(words)
        if self.proves:
            self.proving().prove_until(words, number)
            return words
        cells, keys = program.layout.cells, program.begin(words, None)
        while keys is not None and words[cells.decisions] < number:
            keys = program.resume(words, None, keys[sample_below(words, cells.policy_x, cells.policy_c, len(keys))])
        return words

    def compared(self, words: Sequence[int]) -> list[int]:
        """The words that do not depend on how a game was played: without frames, steps, and who draws the choices."""
        layout, found = self.table.program.layout, list(words)
        for cell in (layout.cells.policy_x, layout.cells.policy_c, layout.cells.steps):
            found[cell] = 0
        return found[: layout.stack]

    def found(self, own: int, wrong: Wrong) -> None:
        """Play it again, decision by decision, up to where it shows: the same choices lead there. What shows only
        inside is told as it was found, with the whole game."""
        choices: list[int] = []
        deep_in, both = 1 if wrong.kind in DEEP else RARELY, bool(self.player.other) and wrong.kind == "backends"
        game = self.player.positions(
            self.game, self.players, self.options, own, PLAYOUT, Generator(own), choices, both=both, deep_in=deep_in
        )
        try:
            for _ in game:
                pass
        except Wrong as here:
            wrong = here
        self.counts.findings.append(
            Finding(self.setting, self.players, self.options, own, tuple(choices), wrong.kind, wrong.what, wrong.same)
        )


def _wrong(problem: Exception) -> Wrong:
    """What a test, the rules or a library say."""
    if isinstance(problem, RuleError):
        return playing.rule_mistake(problem)
    if isinstance(problem, Wrong):
        return problem
    return Wrong(getattr(problem, "kind", "state"), str(problem))
