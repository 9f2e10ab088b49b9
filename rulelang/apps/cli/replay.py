"""`rulelang replay`: recorded games played again, to be tested or looked at."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_mode
from rulelang.apps.cli.play import ask
from rulelang.apps.cli.screen import FINE, MISTAKES, CannotRun, counted, say, terminal_columns
from rulelang.apps.cli.tables import load_game, takes_backend
from rulelang.base.terminal import wrap_text

if TYPE_CHECKING:
    from rulelang.runtime.game import Game
    from rulelang.testing.replay import Divergence, RecordedGame, Replay
    from rulelang.testing.replay_stepper import Walk
    from rulelang.testing.scenarios.fixture import Fixture
    from rulelang.testing.scenarios.writer import Written
    from rulelang.testing.scenarios.yaml_forms import Given


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--game",
    metavar="GAME",
    shell_complete=completing.games,
    help="Use the rules in this folder or zip, or with this id. (default: the id in the file)",
)
@takes_mods()
@takes_mode("the one in the file")
@click.option("--nth", type=click.IntRange(min=1), metavar="N", help="Play only game N in the file.")
@click.option("--step", is_flag=True, help="Step through a game, back and forth.")
@click.option(
    "--to-scenario",
    metavar="K",
    type=click.IntRange(min=1),
    help="Write decision K and the recorded move as a scenario.",
)
@click.option("--name", metavar="NAME", help="Name the scenario. (default: a name based on its move)")
@click.option(
    "--output",
    "-o",
    metavar="FILE.yaml",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append the scenario to this file. (default: print it)",
)
@takes_backend("auto", auto=True)
@click.pass_context
def replay(
    ctx: click.Context,
    file: Path,
    game: str | None,
    mods: tuple[str, ...],
    mode: str | None,
    nth: int | None,
    step: bool,
    to_scenario: int | None,
    name: str | None,
    output: Path | None,
    backend: str,
) -> None:
    """Play recorded games again, step by step.

    FILE is a recording from `play --record` or `sim --record`. Every move must be possible, and every position must
    match the recorded one. If the rules have changed, replay reports that and matches moves by their text. If FILE
    contains several games, --step and --to-scenario use the first; to choose another game, use --nth.
    """
    from rulelang.runtime.state import SaveError
    from rulelang.testing.replay import read, rules_differences

    _fits(step=step, number=to_scenario, name=name, output=output)
    try:
        found = read(file)
    except SaveError as error:
        raise CannotRun(f"{file}: {error}") from None
    where = game or str(found.identity["ruleset"])
    over = mods or tuple(str(mod) for mod in found.identity["mods"])
    mode = mode if mode is not None else found.identity["mode"]
    loaded = load_game(where, over, mode)
    if nth is not None and nth > len(found.games):
        raise click.UsageError(f"there is no game {nth} in {file}: it has {len(found.games)}")
    if not found.games:
        raise CannotRun(f"{file} contains no games")
    changed = rules_differences(found, loaded)
    aside = to_scenario is not None  # what is printed then is a file
    if found.torn:
        _say(f"The last line of {file} is incomplete and was skipped.", err=aside)
    if changed:
        _say(f"The rules have changed since the recording: {changed}. Moves are matched by their text.", err=aside)
    if step or to_scenario is not None:
        walk = _walk(loaded, found.games[(nth or 1) - 1], same=not changed)
        writer = _Writer(walk, where, over, mode)
        if to_scenario is None:
            _step(walk, writer)
        else:
            writer.write(to_scenario, name or "", output)
        return
    chosen = [(nth, found.games[nth - 1])] if nth is not None else list(enumerate(found.games, 1))
    wrong = _verified(loaded, found, chosen, backend, same=not changed)
    ctx.exit(MISTAKES if wrong else FINE)


def _verified(game: Game, found: Replay, chosen: list[tuple[int, RecordedGame]], backend: str, *, same: bool) -> int:
    """Play games again and tell which are not what they were; how many that are."""
    from rulelang.runtime.simulate import MANY
    from rulelang.runtime.simulate import chosen_backend as backend_for
    from rulelang.testing.replay import find_divergence

    moves = sum(len(one.moves) for _, one in chosen)
    used = backend_for(backend, MANY if moves > 50 * MANY else 1, None)
    wrong = 0
    for number, one in chosen:
        parted = find_divergence(game, one, used, same=same)
        if parted is not None:
            wrong += 1
            which = f"game {number} of {len(found.games)}, " if len(found.games) > 1 else ""
            _say(f"{which}{_told(one, parted)}")
    open_ = sum(one.end is None for _, one in chosen)
    say(f"{game.title} {game.version}: {counted(len(chosen), 'game')}, {counted(moves, 'move')}")
    if wrong:
        say(f"{wrong} differ from the recording, {len(chosen) - wrong} match")
    else:
        say("as recorded" + (f"; {open_} unfinished" if open_ else ""))
    return wrong


def _told(recorded: RecordedGame, parting: Divergence) -> str:
    last = len(recorded.moves)
    if not parting.move:
        return f"at the start: {parting.what}"
    where = f"after the last of {last} moves" if parting.move > last else f"move {parting.move} of {last}"
    seen = f" (everything matched up to move {parting.since})" if 0 < parting.since < parting.move else ""
    return f"{where}: {parting.what}{seen}"


def _fits(*, step: bool, number: int | None, name: str | None, output: Path | None) -> None:
    """UsageError for options that say nothing together."""
    if number is None and (name is not None or output is not None):
        raise click.UsageError(f"{'--name' if output is None else '--output'} needs --to-scenario")
    if number is not None and step:
        raise click.UsageError("--step and --to-scenario cannot be combined; with --step, type `scenario`")


def _walk(game: Game, recorded: RecordedGame, *, same: bool) -> Walk:
    from rulelang.testing.replay import Diverged
    from rulelang.testing.replay_stepper import Walk

    try:
        return Walk(game, recorded, same=same)
    except Diverged as error:
        raise CannotRun(str(error)) from None


class _Writer:
    """Writes decisions of a game as scenarios; the rules are read for it when the first is asked for."""

    def __init__(self, walk: Walk, where: str, mods: tuple[str, ...], mode: str | None) -> None:
        self.walk, self.where, self.mods, self.mode = walk, where, mods, mode

    @cached_property
    def fixture(self) -> Fixture:
        from rulelang.compiler.compilation import Compilation
        from rulelang.testing.scenarios.fixture import Fixture

        return Fixture(Compilation(self.where, self.mods, self.mode))

    def found(self, number: int, name: str) -> Written:
        from rulelang.testing.replay_stepper import as_scenario

        heads: Given = {}
        if self.mods:
            heads["mods"] = list(self.mods)
        if self.mode:
            heads["mode"] = self.mode
        return as_scenario(self.fixture, self.walk, number, name, heads)

    def text(self, number: int, name: str) -> str:
        from rulelang.testing.scenarios.writer import HEAD

        return HEAD + self.found(number, name).text("  ")

    def write(self, number: int, name: str, output: Path | None) -> None:
        """Print a scenario, or write it into a file."""
        from rulelang.testing.replay_stepper import add_scenario
        from rulelang.testing.scenarios.writer import CannotWrite

        try:
            if output is None:
                say(self.text(number, name), nl=False)
                return
            line, called = add_scenario(output, self.found(number, name))
        except (CannotWrite, UnicodeDecodeError) as error:
            told = str(error) if isinstance(error, CannotWrite) else f"`{output}` is not a UTF-8 file"
            raise CannotRun(told) from None
        except OSError as error:
            raise CannotRun(f"{output} cannot be written: {error.strerror or error}") from None
        _say(f"written: {output}:{line}, `{called}`")


def _step(walk: Walk, writer: _Writer) -> None:
    from rulelang.testing.replay_stepper import ReplayStepper

    ReplayStepper(walk, say, ask, writer.text, terminal_columns()).run()


def _say(text: str, *, err: bool = False) -> None:
    for line in wrap_text(text, terminal_columns(), "", "    "):
        say(line, err=err)
