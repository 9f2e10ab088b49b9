"""A new scenario: a position of the game, the first thing that can be done there, and what came of it when played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulelang.compiler.compilation import Compilation
from rulelang.runtime.decision import Option
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.yaml_forms import given_lines, yaml_flow
from rulelang.tools.scaffolding.files import CannotStart, Written, named, write
from rulelang.tools.scaffolding.positions import Laid, at_start, lay, model_of, seated

HEAD = """\
# Tests in the words of the game. `rulelang explain scenarios` describes everything that you can write here.
scenarios:
"""
#: Of other options so many are named in a comment.
OTHERS = 4
WIDE = 110


def new_scenario(folder: Path, name: str, *, phase: str = "", players: Sequence[str] = ()) -> Written:
    """Write a scenario of the ruleset or mod in a folder into a file of its own. LoadError, CannotStart."""
    file = f"scenarios/{named(name, 'scenario')}.yaml"
    compilation = Compilation(folder)
    laid = begun(str(folder), seated(model_of(compilation), players), phase)
    if phase and not laid.given:
        raise CannotStart(f"in a simple position, no player can act in the phase `{phase}`; leave out `--phase`")
    if laid.state.over:
        raise CannotStart("the game ends before any player has a decision, so there is nothing to test")
    for text in texts(compilation, laid, name.strip()):
        written = write(folder, {file: HEAD + text})
        if passes(folder, file):
            return written
        written.take_back()
    raise CannotStart("cannot find a passing scenario for this game; write one by hand (`rulelang explain scenarios`)")


def begun(where: str, players: Sequence[str], phase: str = "") -> Laid:
    """A position in which the first player has something to do; else the very start of a game."""
    laid = lay(where, players, phase)
    return laid[0] if laid and laid[0].choices else at_start(where, players)


def texts(compilation: Compilation, laid: Laid, name: str) -> Iterator[str]:
    """The scenario, with the likeliest thing to hold at the end first."""
    state = laid.state
    options = state.decision.options
    first = next((option for option in options if not option.is_pass), options[0])
    asked = state.decision.name
    before = len(state.log)
    after = state.clone()
    after.play(first)
    happened = [event.text for event in after.log[before:] if event.told]
    step = [f"    when:                 {_others(options, first)}", f"      - {asked}: {yaml_flow(first.text)}"]
    for then in (*(f"log: {yaml_flow(text)}" for text in happened[:1]), f"round == {state.round}"):
        lines = [f"  - name: {yaml_flow(name)}", *_given(compilation, laid), *step, "    then:", f"      - {then}"]
        yield "\n".join(line.rstrip() for line in lines) + "\n"


def _given(compilation: Compilation, laid: Laid) -> Iterator[str]:
    if not laid.given:
        # Without a position: the very start of a game.
        yield f"    players: {yaml_flow(list(laid.state.players))}"
        return
    here = laid.given["phase"]
    program = compilation.program
    rest = [name for name, routine in program.routines.items() if routine.phase and name != here]
    note = f"   # or {', '.join(rest)}" if rest else ""
    yield from given_lines(laid.given, "    ", note if len(note) < WIDE - 30 else "")


def _others(options: Sequence[Option], first: Option) -> str:
    """What else could have been done, as a comment."""
    rest = [option.text for option in options if option is not first]
    said = ", ".join(f"`{text}`" for text in rest[:OTHERS])
    more = " ..." if len(rest) > OTHERS else ""
    note = f"# or {said}{more}" if rest else ""
    return note if len(note) < WIDE - 25 else ""


def passes(folder: Path, file: str) -> bool:
    """Whether the game is sound, and the scenarios of a file in it pass."""
    runner = Runner(folder)
    if runner.diagnostics.failed:
        return False
    path = (folder / file).resolve()
    mine = [scenario for scenario in runner.scenarios if Path(scenario.path).resolve() == path]
    return bool(mine) and all(runner.run(scenario).passed for scenario in mine)
