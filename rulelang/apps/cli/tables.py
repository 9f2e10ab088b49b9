"""Playable games, as commands get them: loaded, with the options of a table read from `NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.code_stages import code_stage
from rulelang.apps.cli.mods import Command
from rulelang.base.errors import BadArgument
from rulelang.base.wording import player_count_text

if TYPE_CHECKING:
    from rulelang.runtime.game import Game

#: What can run a game, by its name (`rulelang.linking` has them too; it takes long to import).
BACKENDS = ("python", "native")
#: Behind all passes: every routine in each of its forms, with its decisions and its waiting as plain statements.
FORMS = "forms"


def takes_backend(default: str = BACKENDS[0], *, auto: bool = False) -> Callable[[Command], Command]:
    """A command that takes the name of a backend, as its parameter `backend`."""
    return click.option(
        "--backend",
        type=click.Choice([*(["auto"] if auto else []), *BACKENDS]),
        default=default,
        show_default=True,
        help="Run the rules in Python or as compiled C.",
    )


def takes_options(
    text: str = "Set an option of the game. Repeatable.", *, short: bool = True
) -> Callable[[Command], Command]:
    """Add `--option NAME=VALUE`, any number of times, as the parameter `options`. `short`: `-o` too."""
    return click.option(
        "--option", *(["-o"] if short else []), "options",
        multiple=True, metavar="NAME=VALUE", shell_complete=completing.options, help=text,
    )  # fmt: skip


def load_game(where: str, mods: Sequence[str], mode: str | None) -> Game:
    """The game. LoadError, which the group of commands draws, if its rules have mistakes."""
    from rulelang.api import load

    return load(where, mods, mode)


def options_of(pairs: Sequence[str]) -> dict[str, object]:
    """`["quick=true"]` as a map. UsageError for what has no `=`, or an option that is given twice."""
    found: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"`{pair}` does not set an option; write `--option NAME=VALUE`")
        if name.strip() in found:
            raise click.UsageError(f"the option `{name.strip()}` is given twice")
        found[name.strip()] = value.strip()
    return found


def check_table(game: Game, players: int, options: dict[str, object]) -> dict[str, int]:
    """Return the number of every option at a table.

    UsageError if that many cannot play, or if an option or its value is unknown.
    """
    from rulelang.runtime.table import choose_options

    low, high = game.players
    if not low <= players <= high:
        raise click.UsageError(f"{game.title} is for {player_count_text(low, high)}, not {players}")
    try:
        return choose_options(game.options, players, options)
    except BadArgument as error:
        raise click.UsageError(str(error)) from None


def usual_players(game: Game) -> int:
    """How many sit at a table if nothing else is said: four, or as near to that as the game allows."""
    return min(max(4, game.players[0]), game.players[1])


def compiled_text(
    where: str, mods: Sequence[str], mode: str | None, stage: str, players: int, pairs: Sequence[str], after: str = ""
) -> str:
    """The IR (`ir`) of a table, or its code in one of the stages of `CODE`: what is run, but for IR `after` an earlier
    pass, or as backends print it (`FORMS`)."""
    from rulelang.compiler.compilation import Compilation
    from rulelang.compiler.passes.pipeline import STAGES

    if after and after not in (*STAGES, FORMS):
        raise click.UsageError(f"there is no pass `{after}`; the passes are {', '.join((*STAGES, FORMS))}")
    compilation = Compilation(where, mods, mode)
    chosen = check_table(load_game(where, mods, mode), players, options_of(pairs))
    if stage == "ir":
        from rulelang.compiler.ir.dump import dump

        if after == FORMS:
            from rulelang.compiler.backends.unit import Unit

            return dump(Unit(compilation.ready(players, chosen)).unfolded())
        return dump(compilation.ready(players, chosen, after))
    code = code_stage(stage)
    return code.text(compilation.ready(players, chosen, target=code.target))


def timed_text(
    where: str, mods: Sequence[str], mode: str | None, stage: str, players: int, pairs: Sequence[str]
) -> list[str]:
    """How long each stage takes to come to that text, as lines of a table."""
    from rulelang.apps.cli.timings import lines, timings

    game = load_game(where, mods, mode)
    chosen = check_table(game, players, options_of(pairs))
    return lines(timings(where, mods, mode, stage, players, chosen))
