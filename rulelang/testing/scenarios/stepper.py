"""Step through the game of a scenario, and name things in messages as authors and players do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from rulelang.base.node import record
from rulelang.runtime.decision import normalized_text
from rulelang.runtime.display_names import Names
from rulelang.runtime.running import MOST_FORCED, endless_game_error

if TYPE_CHECKING:
    from rulelang.runtime.state import State


# ---- names in messages

_SIGNS = re.compile(r"[\W_]+")


def in_player_words(state: State) -> State:
    """The state as players read it."""
    return state.spoken(state.names.language.labelled())


def named_value(names: Names, kind: str, handle: int) -> str:
    """A value of a kind: `Long Neck (long_neck)`, `4`."""
    name, words = names.text(kind, handle), names.spoken(names.language.labelled()).text(kind, handle)
    return name if name.casefold() == words.casefold() else f"{words} ({name})"


def with_player_words(written: str, words: str) -> str:
    """A text as scenarios write it, and behind it as players read it where that says more: other words, and not only
    capitals and signs."""
    return written if _plain(written) == _plain(words) else f"{written}  ({words})"


def option_lines(state: State, most: int | None = None) -> list[str]:
    """The options of a question, the first so many of them."""
    spoken = in_player_words(state).decision.options
    pairs = zip(state.decision.options, spoken, strict=True)
    return [with_player_words(option.text, said.text) for option, said in islice(pairs, most)]


def log_lines(state: State, first: int) -> Iterator[str]:
    """The lines of the log from an event on, each further in than its cause."""
    names = state.names.spoken(state.names.language.labelled())
    for event, read in zip(state.log[first:], state.log_in(names, None)[first:], strict=True):
        said = with_player_words(event.text, read.text) if event.told else event.text
        source = f"  [{with_player_words(event.source, names.source(event.source))}]" if event.source else ""
        yield f"{'  ' * event.depth}{said}{source}"


def _plain(text: str) -> str:
    return " ".join(_SIGNS.split(text.casefold())).strip()


# ---- moments

#: The things that a scenario names, by name: kind and handle.
Cast = Mapping[str, tuple[str, int]]

#: What play can be told to run to, and how the end of it is told.
ENDS = {"turn": "the turn ends", "phase": "the phase ends", "round": "the round ends", "game": "the game ends"}
QUESTION = "question"
#: The same with questions, as scenarios write it.
PLACES = {QUESTION: "the next question", **{end: f"the end of the {end}" for end in ENDS}}


@record
class Moment:
    """A position of a scenario's game at which it pauses.

    `gone`: the scenario's things that have left the game. `told`: the log, as (text, text with its causes), up to where
    the last of them lost its name, because another thing took its place. `passed`: what happened unasked on the way;
    `forced`: the pauses in a row, up to here, at which nobody had a choice.
    """

    state: State
    cast: Cast
    gone: frozenset[str] = frozenset()
    told: tuple[tuple[str, str], ...] = ()
    passed: tuple[str, ...] = ()
    forced: int = 0

    # ---- what kind of pause it is

    @property
    def stop(self) -> str:
        """What has ended here (one of `Stopped`); "" where somebody is asked and when the game is over."""
        if self.state.over:
            return ""
        site = self.state.table.site(self.state.words)
        return site.prompt if site.kind == "stop" else ""

    @property
    def asks(self) -> bool:
        """Whether somebody has a question before him, be it one with a single answer."""
        return not self.state.over and not self.stop and not self.single

    @property
    def single(self) -> bool:
        """Whether it is to be told which effect comes next, and there is only one: that is no question to anybody."""
        return self.state.option_count == 1 and self.state.table.site(self.state.words).kind == "order"

    @property
    def choice(self) -> bool:
        """Whether play waits: somebody has a choice, or a question has lost its options to what was called."""
        return self.state.option_count > 1 or (self.asks and not self.state.option_count)

    @property
    def inside(self) -> bool:
        """Whether it lies within an action that was taken, or within a call."""
        return self.state.table.program.in_action(self.state.words)

    @property
    def asked(self) -> str:
        return self.state.players[self.state.decider - 1] if self.asks else "nobody"

    def knows(self, name: str) -> bool:
        """Whether a thing of this name (`normal`) is there, or the log speaks of it, as of one that has gone."""
        names, words = self.state.names, self.state.words
        there = (names.text(kind, handle) for kind in names.layout.kinds for handle in names.handles(kind, words))
        if name in map(normalized_text, there):
            return True
        return any(f" {name} " in f" {normalized_text(text)} " for text, _ in self.story())

    # ---- going on

    def play(self, index: int) -> Moment:
        """Take an option."""
        state = self.state.clone()
        state.play(index)
        return self.reached(state)

    def reached(self, state: State) -> Moment:
        """The moment that a state is which play has come to from this one. Names of what has gone stay with it."""
        kinds, words = state.table.program.layout.kinds, state.words
        gone, told = self.gone, self.told
        for name, (kind, handle) in self.cast.items():
            if not words[kinds[kind].alive + handle]:
                gone |= {name}
            elif name in gone and state.names.overrides.get((kind, handle)) == name:
                told = self.story()
                state = state_with_name(state, kind, handle, self.cast)
        return replace(self, state=state, gone=gone, told=told, passed=(), forced=0)

    def on(self) -> Moment:
        """The next pause, with what is forced taken unasked. RuleError X611 where that has no end."""
        before, stop = self.state, self.stop
        if self.forced >= MOST_FORCED:
            table, words = before.table, before.words
            what = "questions, turns and phases in a row at which nobody had a choice"
            raise endless_game_error(
                table.program, words, self.forced, words[table.program.layout.cells.site], before.decider, what
            )
        if self.asks:
            passed = f"{self.asked} had only `{option_lines(before)[0]}`"
        elif stop == "phase ends":
            passed = f"{before.phase} ended"
        else:
            passed = ""
        after = self.play(0)
        way = [*self.passed, *([passed] if passed else [])]
        if after.state.over:
            way.append("the game ended")
        elif after.state.round != before.round:
            way.append(f"round {after.state.round} began")
        return replace(after, passed=tuple(way), forced=self.forced + 1)

    def ended(self) -> Moment:
        """Where the step that led here has ended: what is forced within its action, or its call, is done."""
        here = self
        while not here.state.over and not here.choice and (here.inside or here.single or here.stop == "turn begins"):
            here = here.on()
        return here

    def questions(self) -> Iterator[Moment]:
        """All questions from here on, to the first that leaves a choice. None: the game ends without any."""
        here = self
        while True:
            if here.asks:
                yield here
            if here.state.over or here.choice:
                return
            here = here.on()

    def question(self) -> Moment:
        """The next question that leaves a choice, or the end of the game."""
        here = self
        while not here.state.over and not here.choice:
            here = here.on()
        return here

    def run(self, target: str) -> Moment:
        """Run on to the end of something. Where it stops before that, somebody has a choice, or the game is over."""
        here = self
        while not here.state.over and not here.choice:
            here = here.on()
            if here.stop == target and not here.inside:
                break
        return here

    def ran(self, target: str) -> Moment | None:
        """Where the step `run` to a target leads; None if somebody has a choice, or the game ends, before that."""
        there = self.question() if target == QUESTION else self.run(target)
        return there if target == QUESTION or there.reaches(target) else None

    def reaches(self, target: str) -> bool:
        """Whether a run to the end of something has come to it."""
        return self.stop == target or (target == "game" and self.state.over)

    def asking(self, options: int) -> Moment:
        """The question of which so many options are told: where it is one, the first from here on."""
        return next(self.questions(), self.question()) if options == 1 else self.question()

    # ---- telling

    def way(self) -> tuple[str, ...]:
        """What happened unasked on the way here, in one line, if anything did."""
        passed, most = self.passed, 6
        if not passed:
            return ()
        shown = [*passed[: most // 2], "...", *passed[-most // 2 :]] if len(passed) > most else list(passed)
        listed = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
        return (f"nobody had a choice: {listed}",)

    def story(self) -> tuple[tuple[str, str], ...]:
        """All lines of the log: each alone, and with its causes."""
        log = self.state.log
        return (*self.told, *((event.text, str(event)) for event in log[len(self.told) :]))


def state_with_name(state: State, kind: str, handle: int, cast: Cast) -> State:
    """The state with another name for a thing that took the place of one of the scenario's."""
    plain = Names(state.table.program.layout, state.players).text(kind, handle)
    used = {*cast, *state.players, *state.names.overrides.values()}
    name, count = plain, 1
    while name in used:
        count += 1
        name = f"{plain} {count}"
    return state.altered(list(state.words), state.names.renamed(kind, handle, name), state.dice)
