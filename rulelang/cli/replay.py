"""`rulelang replay`: recorded games played again, to be tested or looked at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.cli import completing
from rulelang.cli.mods import takes_mods
from rulelang.cli.play import ask
from rulelang.cli.screen import FINE, MISTAKES, CannotRun, counted, say, terminal_columns
from rulelang.cli.tables import load_game, takes_backend
from rulelang.play.wrapping import wrapped

if TYPE_CHECKING:
    from rulelang.engine.game import Game
    from rulelang.replaying.again import Parting
    from rulelang.replaying.records import Recorded, Replay


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--game",
    metavar="GAME",
    shell_complete=completing.games,
    help="Play it by the rules of this folder, zip or id. (default: the id in the file)",
)
@takes_mods()
@click.option("--mode", shell_complete=completing.modes, help="Play it in this mode. (default: that of the file)")
@click.option("--nth", type=click.IntRange(min=1), help="Only this game of the file, from 1.")
@click.option("--step", is_flag=True, help="Look at a game move by move, forth and back.")
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
    backend: str,
) -> None:
    """Play the games of a FILE again, which `play --record` or `sim --record` has written.

    Every move must be possible, every position and the end must be what they were. If the rules have changed since, it
    says so, and moves are known by their words.
    """
    from rulelang.engine.saving import SaveError
    from rulelang.replaying.again import differences
    from rulelang.replaying.reading import read

    try:
        found = read(file)
    except SaveError as error:
        raise CannotRun(f"{file}: {error}") from None
    name = str(found.identity["ruleset"])
    over = mods or tuple(str(mod) for mod in found.identity["mods"])
    loaded = load_game(game or name, over, mode if mode is not None else found.identity["mode"])
    if nth is not None and nth > len(found.games):
        raise click.UsageError(f"there is no game {nth} in {file}: it has {len(found.games)}")
    if not found.games:
        raise CannotRun(f"{file}: no game was begun in it")
    changed = differences(found, loaded)
    if found.torn:
        _say(f"The last line of {file} was not written whole; it is left out.")
    if changed:
        _say(f"The rules are not those of the recording: {changed}. Moves are known by their words.")
    if step:
        _step(loaded, found.games[(nth or 1) - 1], same=not changed)
        return
    chosen = [(nth, found.games[nth - 1])] if nth is not None else list(enumerate(found.games, 1))
    wrong = _verified(loaded, found, chosen, backend, same=not changed)
    ctx.exit(MISTAKES if wrong else FINE)


def _verified(game: Game, found: Replay, chosen: list[tuple[int, Recorded]], backend: str, *, same: bool) -> int:
    """Play games again and tell which are not what they were; how many that are."""
    from rulelang.engine.simulate import MANY
    from rulelang.engine.simulate import chosen as backend_for
    from rulelang.replaying.again import parting

    moves = sum(len(one.moves) for _, one in chosen)
    used = backend_for(backend, MANY if moves > 50 * MANY else 1, None)
    wrong = 0
    for number, one in chosen:
        parted = parting(game, one, used, same=same)
        if parted is not None:
            wrong += 1
            which = f"game {number} of {len(found.games)}, " if len(found.games) > 1 else ""
            _say(f"{which}{_told(one, parted)}")
    open_ = sum(one.end is None for _, one in chosen)
    say(f"{game.title} {game.version}: {counted(len(chosen), 'game')}, {counted(moves, 'move')}")
    if wrong:
        say(f"{wrong} not as recorded, {len(chosen) - wrong} as recorded")
    else:
        say("as recorded" + (f"; {open_} broken off before the end" if open_ else ""))
    return wrong


def _told(recorded: Recorded, parting: Parting) -> str:
    last = len(recorded.moves)
    if not parting.move:
        return f"at the beginning: {parting.what}"
    where = f"behind the last of {last} moves" if parting.move > last else f"move {parting.move} of {last}"
    seen = f" (all was as recorded up to move {parting.since})" if 0 < parting.since < parting.move else ""
    return f"{where}: {parting.what}{seen}"


def _step(game: Game, recorded: Recorded, *, same: bool) -> None:
    from rulelang.replaying.again import Parted
    from rulelang.replaying.stepping import Stepping
    from rulelang.replaying.walking import Walk

    try:
        walk = Walk(game, recorded, same=same)
    except Parted as error:
        raise CannotRun(str(error)) from None
    Stepping(walk, say, ask, terminal_columns()).run()


def _say(text: str) -> None:
    for line in wrapped(text, terminal_columns(), "", "    "):
        say(line)
