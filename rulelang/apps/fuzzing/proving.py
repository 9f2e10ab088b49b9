"""Games that look for mistakes, inside of the library: `prove.c`."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from rulelang.apps.fuzzing.checks import Wrong
from rulelang.base.errors import RuleError
from rulelang.compiler.backends.native.link import NativeProgram, UnsoundState, array_address
from rulelang.runtime.program import Extended
from rulelang.runtime.sound_tables import tables
from rulelang.runtime.validate_state import InvalidState, check_values, check_words

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
        self.tested = array("i", tables(self.layout))

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
