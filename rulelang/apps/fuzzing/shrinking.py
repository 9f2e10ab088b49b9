"""Shrink a game that breaks a rule to the smallest scenario, and keep it with a replay."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulelang.apps.fuzzing import playing
from rulelang.apps.fuzzing.playing import Finding, Wrong
from rulelang.base.errors import BadArgument, RuleError
from rulelang.base.files import write_atomically
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.runtime.decision import IllegalMove
from rulelang.runtime.game import Game
from rulelang.runtime.state import SaveError, State
from rulelang.testing.replay_writer import ReplayWriter
from rulelang.testing.scenarios.begin import begin_given
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.writer import CannotWrite, Written, write_scenario
from rulelang.testing.scenarios.yaml_forms import Given

# ---- shrink

#: So many smaller positions are tried, and for so long.
TRIES, SECONDS = 1500, 90.0
#: Names and values of a position that say where play begins: it is not tried without them.
FIXED = ("phase", "players")
#: What only the dearer tests find.
DEEP = ("saving", "looking", "texts", "legality")

Steps = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The scenario, what is wrong in it, and how large the position was at first and is now, in words and numbers."""

    scenario: Written
    wrong: Wrong
    tried: int
    before: int
    after: int


class Bench:
    """Lays positions, plays moves and tests what comes of it. `other`: a second backend, for where two differ."""

    def __init__(self, fixture: Fixture, other: str = "") -> None:
        self.fixture, self.other = fixture, other

    def wrong(self, given: Given, steps: Steps, deep: bool = False) -> Wrong | None:
        """What does not hold first, at the position or after one of the moves. None where all holds, and where the
        position or a move cannot be."""
        states: list[State] = []
        try:
            for backend in ("python", *([self.other] if self.other else [])):
                states.append(begin_given(self.fixture, self.fixture.game, given, backend).without_invariants())
            self.look(states, deep=deep)
            for player, move in steps:
                state = states[0]
                if state.over or state.players[state.decider - 1] != player:
                    return None
                found = state.find(move)
                if not isinstance(found, int):
                    return None
                for one in states:
                    one.play(found)
                self.look(states, deep=deep)
        except (LoadError, SaveError):
            return None
        except RuleError as error:
            return playing.rule_mistake(error)
        except Wrong as wrong:
            return wrong
        except (BadArgument, IllegalMove):
            return None
        except Exception as error:
            return Wrong("crash", f"{type(error).__name__}: {error}", type(error).__name__)
        return None

    def look(self, states: Sequence[State], *, deep: bool) -> None:
        state = states[0]
        program, words = state.table.program, program_words(state)
        keys = None if state.over else program.options(words)
        playing.check_quickly(state.table, words, keys)
        playing.check_listing(program, words, keys)
        for other in states[1:]:
            own = program_words(other)
            others = None if other.over else other.table.program.options(own)
            playing.check_same(words, own, keys, others, program.layout.stack)
        if deep:
            playing.check_deeply(self.fixture.game, state, "python")


def program_words(state: State) -> list[int]:
    """The words of a state as its program takes them."""
    return state.table.program.pack(list(state.words))


def shrink_finding(fixture: Fixture, finding: Finding, other: str = "") -> Shrunk | None:
    """The smallest scenario in which the same does not hold; None if it cannot be shown as one."""
    first = _first(fixture, finding)
    if first is None:
        return None
    bench = Bench(fixture, other if finding.kind == "backends" else "")
    deep = finding.kind in DEEP
    given, steps = first.given or first.start, first.steps
    wrong = bench.wrong(given, steps, deep)
    if wrong is None or wrong.same != finding.same:
        return None
    size, until = _size(given) + len(steps), time.monotonic() + SECONDS
    tried = 0
    smaller = True
    while smaller and tried < TRIES and time.monotonic() < until:
        smaller = False
        for candidate in _smaller(given, steps):
            tried += 1
            found = bench.wrong(*candidate, deep)
            if found is not None and found.same == finding.same:
                given, steps, wrong, smaller = *candidate, found, True
                break
            if tried >= TRIES or time.monotonic() >= until:
                break
    kept = replace(first, name=_name(wrong.what), start={}, given=given, steps=steps, then=("round >= 0",), left_out=())
    return Shrunk(kept, wrong, tried, size, _size(given) + len(steps))


def _first(fixture: Fixture, finding: Finding) -> Written | None:
    """The game as a scenario: from as late a beginning as can be written, up to the move after which it is wrong."""
    game = fixture.game
    state = game.start(game.table(finding.players, finding.options), finding.seed, invariants=False)
    for choice in finding.choices[:-1]:
        state.play(choice)
    setting = finding.setting
    heads: Given = {}
    if setting.mods:
        heads["mods"] = list(setting.mods)
    if setting.mode:
        heads["mode"] = setting.mode
    name = _name(finding.what)
    if not finding.choices:
        options = {option: game.options[option].value_of(number) for option, number in finding.options.items()}
        start: Given = {**({"options": options} if options else {}), "seed": finding.seed, "players": [*state.players]}
        return Written(name, start, {}, (), (), (), heads)
    try:
        found = write_scenario(fixture, state, name, 0, heads)
    except CannotWrite:
        return None
    decision = state.decision
    return replace(found, steps=(*found.steps, (decision.name, decision.options[finding.choices[-1]].text)))


def _name(what: str) -> str:
    """The beginning of what is wrong, as the name of a scenario."""
    told = " ".join(what.replace("`", "").split())
    return told if len(told) <= 80 else f"{told[:80].rpartition(' ')[0]} ..."


# ---- what is smaller


def _smaller(given: Given, steps: Steps) -> Iterator[tuple[Given, Steps]]:
    """Positions and moves with less in them, those that leave out most first."""
    for place in range(len(steps) - 1, 0, -1):
        yield {**given, "turn": steps[place][0]}, steps[place:]
    for count in _halves(len(steps)):
        for place in range(0, len(steps), count):
            yield given, steps[:place] + steps[place + count :]
    for part in sorted(_parts(given), key=_size):
        yield part, steps


def _parts(value: Any, *, top: bool = True) -> Iterator[Any]:
    """The value with one part left out or made smaller, in all ways."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not (top and key in FIXED):
                yield {name: other for name, other in value.items() if name != key}
            for part in _parts(item, top=False):
                yield {**value, key: part}
    elif isinstance(value, (list, tuple)):
        for count in _halves(len(value)):
            for place in range(0, len(value), count):
                yield [*value[:place], *value[place + count :]]
        for place, item in enumerate(value):
            for part in _parts(item, top=False):
                yield [*value[:place], part, *value[place + 1 :]]
    elif isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int):
        yield from (smaller for smaller in dict.fromkeys((0, value // 2, value - 1)) if 0 <= smaller < value)
    elif isinstance(value, str):
        yield from _fewer_words(value)


def _fewer_words(text: str) -> Iterator[str]:
    """`wolf body 3 food 2` without a value, or with a smaller one; `3 x claw` as one, or two."""
    words = text.split(" ")
    if words[0].isdecimal() and words[1:2] == ["x"]:
        yield from (" ".join(words[2:]) if n == 1 else f"{n} x {' '.join(words[2:])}" for n in range(1, int(words[0])))
        return
    if '"' in text or "'" in text:
        return
    for place in range(1, len(words) - 1, 2):
        yield " ".join(words[:place] + words[place + 2 :])
        if words[place + 1].isdecimal() and words[place + 1] != "0":
            less = str(int(words[place + 1]) - 1)
            yield " ".join([*words[: place + 1], less, *words[place + 2 :]])


def _halves(count: int) -> Iterator[int]:
    while count:
        yield count
        count //= 2


def _size(value: Any) -> int:
    """How much there is in a position: names, and numbers as what they are up to ten."""
    if isinstance(value, Mapping):
        return sum(1 + _size(item) for item in value.values())
    if isinstance(value, (list, tuple)):
        return sum(map(_size, value))
    if isinstance(value, int):
        return min(int(value), 10)
    words = str(value).split(" ")
    return sum(min(int(word), 10) if word.isdecimal() else 1 for word in words)


# ---- write findings


def free_number(folder: Path) -> int:
    """The first number behind those of the findings that lie in a folder: what was found before is not written over."""
    numbers = [path.stem.removeprefix("finding-") for path in folder.glob("finding-*")]
    return 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)


def keep_finding(
    folder: Path, number: int, finding: Finding, game: Game, other: str = ""
) -> tuple[list[Path], Shrunk | None]:
    """Write a finding into a folder: the files, and the scenario, if it can be shown as one."""
    folder.mkdir(parents=True, exist_ok=True)
    setting = finding.setting
    replay = folder / f"finding-{number}.jsonl"
    _write_replay(replay, finding, game)
    fixture = Fixture(Compilation(setting.where, setting.mods, setting.mode))
    small = shrink_finding(fixture, finding, other)
    if small is None:
        return [replay], None
    scenario = folder / f"finding-{number}.yaml"
    text = "".join(f"# {line}".rstrip() + "\n" for line in _head(finding, small)) + small.scenario.text()
    write_atomically(scenario, text.encode())
    return [scenario, replay], small


def _head(finding: Finding, small: Shrunk) -> Iterator[str]:
    yield f"{small.wrong.kind}: {' '.join(small.wrong.what.split())}"
    yield (
        f"Found with {finding.players} players in {finding.setting}, seed {finding.seed}, after move "
        f"{len(finding.choices)}; minimized to {small.after} of {small.before} parts."
    )


def _write_replay(path: Path, finding: Finding, game: Game) -> None:
    """The whole game up to the move after which it is wrong."""
    state = game.start(game.table(finding.players, finding.options), finding.seed, log=False, invariants=False)
    with ReplayWriter(path, game.info) as writer:
        writer.begin(state)
        for number, choice in enumerate(finding.choices, 1):
            writer.move(state, choice)
            if number < len(finding.choices):
                state.play(choice)
