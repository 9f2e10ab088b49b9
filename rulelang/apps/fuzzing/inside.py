"""Random games that look for mistakes inside of the compiled rules: many more than decision by decision.

In a library (`prove.c`) every decision is tested: invariants, bounds, where each card lies,
lines, chains, counts, every address; and again and again the game goes on from its words alone. Elsewhere invariants
are tested at every decision, and the rest where a game ends. A share of the games is tested in depth as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rulelang.apps.fuzzing import checks
from rulelang.apps.fuzzing.checks import Wrong
from rulelang.apps.fuzzing.playing import PLAYOUT, Counts, Finding, Player, Setting, drawn_table, fresh
from rulelang.apps.fuzzing.proving import PROVING, Proving
from rulelang.apps.fuzzing.shrinking import DEEP
from rulelang.base.errors import RuleError
from rulelang.compiler.backends.native.link import NativeProgram
from rulelang.runtime.game import Game
from rulelang.runtime.program import LinkedProgram, guarded
from rulelang.runtime.rng import Generator, drawn, game_seed
from rulelang.runtime.saving import SaveError
from rulelang.runtime.table import Table
from rulelang.runtime.watch import MOST, watched

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
        self.players, self.options = drawn_table(self.game, chance)
        self.proves = player.backend == "native"
        self.backend = PROVING if self.proves else guarded(player.backend)
        self.table: Table = self.game.table(self.players, self.options, self.backend)
        self.second: LinkedProgram | None = None
        if player.other:
            self.second = self.game.table(self.players, self.options, player.other).program

    def play(self, first: int, number: int) -> None:
        """So many games, each of which is a finding where something does not hold; and one decision by decision."""
        with watched(self.table.program, MOST, True):
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
                checks.quick(self.table, words, None)
                self.counts.decisions += words[self.table.program.layout.cells.decisions]
            if deep:
                self.halfway(own, words)
            if other is not None:
                checks.alike(words, self.ended(other, own), None, None, self.table.program.layout.stack)
                self.counts.both += 1
        except (RuleError, Wrong, SaveError) as problem:
            self.found(own, _wrong(problem))

    def ended(self, program: LinkedProgram, own: int) -> list[int]:
        """The words at the end of a game."""
        words = fresh(self.table, own)
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
        state = checks.state_of(self.table, words, keys, own)
        checks.quick(self.table, words, keys)
        checks.listed(program, words, keys)
        again = program.pack([*checks.deep(self.game, state, self.backend).words])
        program.playout(again)
        self.counts.deep += 1
        if self.compared(again) != self.compared(end):
            raise Wrong("saving", "saved and restored, the game ends otherwise than at a stretch")

    def reached(self, own: int, number: int) -> list[int]:
        """The words of a game at the decision with this number, or at its end."""
        program = self.table.program
        words = fresh(self.table, own)
        self.table.seed_policy(words, own)
        words = program.pack(words)
        if self.proves:
            self.proving().prove_until(words, number)
            return words
        cells, keys = program.layout.cells, program.begin(words, None)
        while keys is not None and words[cells.decisions] < number:
            keys = program.resume(words, None, keys[drawn(words, cells.policy_x, cells.policy_c, len(keys))])
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
        return checks.of_rules(problem)
    if isinstance(problem, Wrong):
        return problem
    return Wrong(getattr(problem, "kind", "state"), str(problem))
