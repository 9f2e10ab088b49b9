"""A recorded editing session, replayed: how soon an author sees what is wrong after a keystroke.

A trait is typed into Origin of Species, then a scenario of its is mended and a rule of the game is changed; and a cell
of 3,000 cards is typed anew. After each keystroke the ruleset is checked as an editor checks it; and what may stand
behind the letter is asked for.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from time import process_time

from benchmarks.figures import Figure, Target, Unmeasured
from benchmarks.many_cards import write_many_cards
from benchmarks.measures import YARDSTICK, YARDSTICK_SECONDS, empty_cache, python
from rulelang.apps.editor.analysis import Workspace
from rulelang.apps.editor.completions import complete
from rulelang.tools.incremental import Incremental

ROOT = Path(__file__).resolve().parent.parent
GAME = ROOT / "rulesets" / "origin_of_species"

MEDIAN = Target("a keystroke in a trait, checked again: median", "ms", 100.0, "less than")
SLOWEST = Target("the same, 95th percentile", "ms", 250.0, "less than")
SCENARIOS = Target("the same with the scenarios: 95th percentile", "ms")
COMPLETED = Target("what may stand behind a keystroke in a trait: median", "ms", 50.0, "less than")
COMPLETED_LATE = Target("the same, 95th percentile", "ms")
MANY = Target("a keystroke in a cell of 3,000 cards: median", "ms", 300.0, "less than")

TRAIT = """\
# A trait that is typed letter by letter.
trait: spines
name: {en: Spines, zh: 棘刺}
text: {en: "While it is fed it cannot be attacked; hunters are stung.", zh: 長滿尖刺。}
rules: |
  forbid strike(any, self) when self is fed because "its spines are up"
  react to strike(hunter, self) unless hunter has massive:
    tells "{hunter} is stung by {self}"
cards: [{copies: 2}]
scenarios:
  - name: spines keep a hunter away
    rule: oos-13.4.1
    given:
      phase: feeding
      turn: ana
      state: {base: 5}
      players:
        ana: [wolf: carnivore, hare]
        bob: [goat red 1: spines, crab]
    when:
      - hunt wolf goat: {refused: its spines are up}
    then: [goat is present]
"""


@dataclass(frozen=True, slots=True)
class Step:
    """From now on a file has this text. `typed`: a key was struck; else the text was there at once."""

    path: Path
    text: str
    typed: bool = True


def typing(folder: Path) -> Iterator[Step]:
    """The session in a copy of Origin of Species: a new trait and its cards, its scenario, and a rule of the game."""
    trait = folder / "traits" / "spines.yaml"
    yield from (Step(trait, TRAIT[:end]) for end in range(1, len(TRAIT) + 1))
    cards = folder / "cards.yaml"
    yield from retyped(cards, cards.read_text("utf-8"), "count: 84", "count: 86", back=False)
    yield from retyped(trait, TRAIT, "goat red 1: spines", "goat red 2: spines")
    yield from retyped(trait, TRAIT, "when self is fed because", "unless self is hungry because")
    rules = folder / "game.rules"
    written = rules.read_text("utf-8")
    yield from retyped(rules, written, "red food is added", "food is added: red")
    scenario = folder / "scenarios" / "hunting.yaml"
    written = scenario.read_text("utf-8")
    yield from retyped(scenario, written, "wolf.attacks == 1", "wolf.attacks == 12")


def cell(folder: Path) -> Iterator[Step]:
    """A cell in the middle of a card file: a colour is rubbed out, and a word typed that is none."""
    cards = folder / "cards.csv"
    written = cards.read_text("utf-8")
    lines = written.split("\n")
    row = lines[len(lines) // 2]
    colour = row.split('"')[2].split(",")[1]
    yield from retyped(cards, written, row, row.replace(f",{colour},", ",transparent,", 1))


def retyped(path: Path, text: str, old: str, new: str, *, back: bool = True) -> Iterator[Step]:
    """A piece of a text is rubbed out letter by letter as far as the new one differs, which is then typed. `back`: then
    the text is as it was."""
    if old not in text:
        raise Unmeasured(f"`{old}` does not stand in {path.name} any more")
    before, after = text.split(old, 1)
    head = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    rest = old[len(old) - tail :]
    for end in range(len(old) - tail, head - 1, -1):
        yield Step(path, before + old[:end] + rest + after)
    for end in range(head, len(new) - tail + 1):
        yield Step(path, before + new[:end] + rest + after)
    if back:
        yield Step(path, text, typed=False)


def editing(rounds: int) -> list[Figure]:
    """The session in Origin of Species. Scenarios are checked after every tenth keystroke, as by an editor that waits
    for a pause: all of them where what the log can say has changed, few or none else."""
    with tempfile.TemporaryDirectory() as home:
        folder = shutil.copytree(GAME, Path(home) / GAME.name)
        rules, whole = [], []
        pace = [_pace()]
        for _ in range(rounds):
            found, more = _replay(folder, typing(folder), scenarios_every=10)
            rules += found
            whole += more
            pace.append(_pace())
    note = _note(rules, pace, f"{len(rules):,} keystrokes")
    return [
        Figure(MEDIAN, 1000 * median(rules) / median(pace), note),
        Figure(SLOWEST, 1000 * _late(rules) / median(pace)),
        Figure(SCENARIOS, 1000 * _late(whole) / median(pace), f"median {1000 * median(whole) / median(pace):.0f} ms"),
    ]


def completing(rounds: int) -> list[Figure]:
    """What an editor proposes behind each letter of the trait, by the game as it is with that letter."""
    with tempfile.TemporaryDirectory() as home:
        folder = shutil.copytree(GAME, Path(home) / GAME.name)
        pace, taken, proposed = [_pace()], [], 0
        for _ in range(rounds):
            workspace = Workspace()
            workspace.analysis(str(folder / "game.rules"))
            for step in islice(typing(folder), len(TRAIT)):
                path, lines = str(step.path), step.text.split("\n")
                workspace.change(path, step.text)
                begun = process_time()
                analysis = workspace.analysis(path)
                found = complete(analysis, path, step.text, len(lines), len(lines[-1]) + 1) if analysis else []
                taken.append(process_time() - begun)
                proposed += len(found)
            pace.append(_pace())
    if not proposed:
        raise Unmeasured("nothing was proposed")
    note = _note(
        taken, pace, f"{len(taken):,} keystrokes, {proposed / len(taken):.0f} proposals each, checking included"
    )
    late = 1000 * _late(taken) / median(pace)
    return [Figure(COMPLETED, 1000 * median(taken) / median(pace), note), Figure(COMPLETED_LATE, late)]


def editing_many(rounds: int) -> Figure:
    """A cell of 3,000 cards."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        write_many_cards(folder, cards=3000, edit=1)
        pace, taken = [_pace()], []
        for _ in range(rounds):
            taken += _replay(folder, cell(folder))[0]
            pace.append(_pace())
    return Figure(MANY, 1000 * median(taken) / median(pace), _note(taken, pace, f"{len(taken):,} keystrokes"))


def _replay(folder: Path, steps: Iterator[Step], scenarios_every: int = 0) -> tuple[list[float], list[float]]:
    """Seconds of the processor for each keystroke: of the rules and data, and of these with the scenarios."""
    session = Incremental(folder)
    if session.check().summary is None:
        raise Unmeasured(f"{folder.name} is mistaken before anybody typed")
    session.scenarios()
    rules: list[float] = []
    whole: list[float] = []
    said: set[str] = set()
    for number, step in enumerate(steps):
        session.update(step.path, step.text)
        taken = _seconds(session.check)
        said |= {item.code for item in session.compilation.checked.diagnostics}
        if step.typed:
            rules.append(taken)
        if scenarios_every and number % scenarios_every == 0:
            whole.append(taken + _seconds(session.scenarios))
    if not said:
        raise Unmeasured("nothing was told of texts that were half typed")
    if session.check().summary is None:
        raise Unmeasured("the game is mistaken when all is typed")
    return rules, whole


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def _pace() -> float:
    with empty_cache() as cache:
        return python(YARDSTICK, [], cache).processor / YARDSTICK_SECONDS


def _late(taken: list[float]) -> float:
    return quantiles(taken, n=20)[-1]


def _note(taken: list[float], pace: list[float], what: str) -> str:
    slowest, unpaced = 1000 * max(taken) / median(pace), 1000 * median(taken)
    slow = f"the slowest {slowest:.0f} ms; unpaced median {unpaced:.1f} ms"
    return f"{what}; {slow}; the yardstick took {median(pace):.2f} of its time"
