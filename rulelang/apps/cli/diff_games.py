"""`rulelang diff-games`: the first decision in which games of two versions of a ruleset part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.options import takes_players, takes_seed
from rulelang.apps.cli.screen import FINE, MISTAKES, CannotRun, counted, say, terminal_columns
from rulelang.apps.cli.tables import check_table, load_game, options_of, takes_options, usual_players
from rulelang.base.errors import BadArgument
from rulelang.base.terminal import wrap_text

if TYPE_CHECKING:
    from rulelang.runtime.game import Game
    from rulelang.testing.divergence import SeriesDivergence


@click.command("diff-games")
@click.argument("a", shell_complete=completing.games)
@click.argument("b", shell_complete=completing.games)
@click.option(
    "--mod-a", metavar="MOD", multiple=True, shell_complete=completing.mods, help="Apply this mod to A. Repeatable."
)
@click.option(
    "--mod-b", metavar="MOD", multiple=True, shell_complete=completing.mods, help="Apply this mod to B. Repeatable."
)
@click.option(
    "--games", "-n", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="Play N games."
)
@takes_players()
@takes_seed()
@takes_options()
@click.option(
    "--replay",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Play the games in this file instead of random games.",
)
@click.pass_context
def diff_games(
    ctx: click.Context,
    a: str,
    b: str,
    mod_a: tuple[str, ...],
    mod_b: tuple[str, ...],
    games: int,
    players: int | None,
    seed: int,
    options: tuple[str, ...],
    file: Path | None,
) -> None:
    """Find where two versions of a game diverge.

    Plays the same games under the rules of A and of B, with the same seeds and decisions. Before each decision, it
    compares the log, each seat's view, the deciding player and the options. A and B are folders, zips or ids. To
    compare a game with and without a mod, run `rulelang diff-games evolution evolution --mod-b house_rules`.
    """
    first, second = load_game(a, mod_a, None), load_game(b, mod_b, None)
    if file is not None:
        found = _recorded(first, second, file)
    else:
        from rulelang.testing.divergence import diverging_series

        count = usual_players(first) if players is None else players
        chosen = options_of(options)
        # An option that only one of them has is for that one.
        own = tuple({k: v for k, v in chosen.items() if k in game.options or k not in other.options}
                    for game, other in ((first, second), (second, first)))  # fmt: skip
        for game, given in zip((first, second), own, strict=True):
            check_table(game, count, given)
        found = list(diverging_series(first, second, seed, games, count, (own[0], own[1])))
    parted = [(number, one) for number, (one, _) in enumerate(found, 1) if one is not None]
    moves = sum(same for _, same in found)
    if not parted:
        say(f"{counted(len(found), 'game')} with {counted(moves, 'decision')} are the same in both")
        ctx.exit(FINE)
    earliest = min(parted, key=lambda pair: pair[1].moves)
    say(f"{len(parted)} of {counted(len(found), 'game')} diverge; the earliest divergence:")
    _tell(*earliest, file)
    ctx.exit(MISTAKES)


def _recorded(first: Game, second: Game, file: Path) -> list[tuple[SeriesDivergence | None, int]]:
    from rulelang.runtime.state import SaveError
    from rulelang.testing.divergence import first_divergence
    from rulelang.testing.replay import read

    try:
        games = read(file).games
    except SaveError as error:
        raise CannotRun(f"{file}: {error}") from None
    found = []
    for one in games:
        if one.seed is None:
            raise CannotRun(f"{file}: one of its games continues a saved game, which only its own rules can read")
        given: Sequence[dict[str, object]] = [
            {name: value for name, value in one.options.items() if name in game.options} for game in (first, second)
        ]
        said = [move.said for move in one.moves]
        try:
            found.append(first_divergence(first, second, one.seed, one.players, (given[0], given[1]), said))
        except BadArgument as error:
            raise CannotRun(f"{file}: {error}") from None
    return found


def _tell(number: int, parted: SeriesDivergence, file: Path | None) -> None:
    which = f"game {number} of {file}" if file is not None else f"game {number}, seed {parted.seed}"
    where = f" ({parted.where})" if parted.where else ""
    _say(f"{which}: they diverge before decision {parted.moves + 1}{where}")
    if parted.last:
        _say(f"last move   {parted.last}")
    for line in parted.differs:
        _say(line)


def _say(text: str) -> None:
    for line in wrap_text(text, terminal_columns(), "  ", "      "):
        say(line)
