"""`rulelang mods`: which mods are laid and why, what they do to a game, where they clash; packing and locking them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulelang.cli import completing
from rulelang.cli.mods import takes_mods
from rulelang.cli.screen import FINE, MISTAKES, CannotRun, counted, say, say_json, terminal_columns
from rulelang.cli.tables import takes_options

if TYPE_CHECKING:
    from rulelang.compile import Compilation

JSON = click.option("--json", "json_", is_flag=True, help="Print it as JSON, as schemas/mods.schema.json describes.")
GAME = click.argument("game", shell_complete=completing.games)


class Verbs(click.Group):
    """The verb may stand first, or behind the game and its mods: `mods GAME MODS why NAME`. Without one: `list`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = next((i for i, word in enumerate(args) if word in self.commands), None)
        if at is not None:
            args = [args[at], *args[:at], *args[at + 1 :]]
        elif args and not set(args) & {"-h", "--help"}:
            args = ["list", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def _note_mistakes(compilation: Compilation, told: int = 0) -> None:
    """Mistakes elsewhere do not keep one from looking, but one should know. `told`: how many are told anyway."""
    if sum(item.severity == "error" for item in compilation.diagnostics) > told:
        say("(there are mistakes in it, so not all may be shown: see `rulelang check`)\n", err=True)


@click.group(cls=Verbs)
def mods() -> None:
    """What MODS do to a GAME: their order, what they change, where they clash; packing and locking them.

    The verb stands first, or behind the game and its mods: `rulelang mods why GAME MODS NAME` is `rulelang mods GAME
    MODS why NAME`. Without one, `list`.
    """


@mods.command("list")
@GAME
@takes_mods()
@JSON
def list_(game: str, mods: tuple[str, ...], json_: bool) -> None:
    """The GAME and its MODS in the order in which they are laid, where each was found, and why it stands there."""
    from rulelang.modding.listing import listing
    from rulelang.texts.wrapping import wrapped

    found = listing(game, mods)
    if json_:
        say_json({"mods": "list", "game": game, "layers": [layer.as_json() for layer in found]})
        return
    for layer in found:
        how = "" if layer.found == "folder" else f" ({layer.found})"
        say(f"{layer.number:>2}  {layer.id} {layer.version}  ", nl=False, bold=True)
        say(f"{layer.path}{how}")
        reasons = [f"{text} ({item.span})" for text, item in zip(layer.why()[1:], layer.follows, strict=True)]
        for text in [] if layer.number == 0 else [layer.why()[0], *reasons]:
            for line in wrapped(text, terminal_columns(), "    ", "      "):
                say(line)


@mods.command()
@GAME
@takes_mods(locked=False)
@click.option("--output", "-o", metavar="PATH", help="The zip or a folder for it. (default: ID-VERSION.zip, here)")
def pack(game: str, mods: tuple[str, ...], output: str | None) -> None:
    """Check a mod or GAME with its scenarios, and put it into one zip: the same files give the same bytes.

    MODS are laid over it for the check.
    """
    from rulelang.modding.packing import pack as packed

    made = packed(game, mods, output)
    say(f"{made.path}: {made.id} {made.version}, {counted(made.files, 'file')}, sha256 {made.sha256}")


@mods.command()
@GAME
@takes_mods(locked=False)
@click.option("--output", "-o", metavar="PATH", help="The lock or a folder for it. (default: ID.lock, here)")
def lock(game: str, mods: tuple[str, ...], output: str | None) -> None:
    """Write down which MODS are laid over a GAME, their versions and contents, for `--locked` to hold.

    `--locked` finds `ID.lock` in the current folder or above; a lock elsewhere is given in place of a mod.
    """
    from rulelang.modding.packing import lock as locked

    say(f"{locked(game, mods, output)} is written")


@mods.command()
@GAME
@takes_mods()
@click.option("--mode", shell_complete=completing.modes, help="Compare it in this mode.")
@JSON
def diff(game: str, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """What MODS change of a GAME, by meaning: traits, cards, numbers, texts, values, routines and hooks.

    With two versions of a game, or of a mod, in two folders or zips: what the second changed of the first.
    """
    from rulelang.cli.differing import lines, name_of
    from rulelang.modding.difference import difference, two_games

    before, after = two_games(game, mods, mode)
    found = difference(before, after)
    if json_:
        report = {"mods": "diff", "game": game, "before": name_of(before), "after": name_of(after)}
        say_json({**report, "differences": [item.as_json() for item in found]})
        return
    for line, style in lines(before, after, found):
        say(line, **style)


@mods.command()
@GAME
@takes_mods(name=True, named=True)
@click.option("--mode", help="Look at it in this mode.")
@JSON
def why(game: str, name: str | None, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """Each layer's hand in a value, row, text, routine, action or value of the rules, by its path or NAME.

    `numbers.limit`, `limit`, `cards.card.rows[face=horns].food`, `traits.horns.text.en`, `horns`, `strike`: who
    declared it, who changed it, hooked it or replaced it, and where.
    """
    from rulelang.cli.telling import story_lines
    from rulelang.compile import Compilation
    from rulelang.modding.why import near
    from rulelang.modding.why import why as stories

    if name is None:
        raise click.UsageError("say what you ask about: a path such as `numbers.limit`, or a name, behind the mods")
    compilation = Compilation(game, mods, mode)
    found = stories(compilation, name)
    if not found:
        like = near(compilation, name)
        hint = f"; near it: {', '.join(like)}" if like else f"; `rulelang show {game}` lists what there is"
        raise CannotRun(f"nothing is called `{name}` in {game}{hint}")
    _note_mistakes(compilation)
    if json_:
        say_json({"mods": "why", "game": game, "name": name, "stories": [story.as_json() for story in found]})
        return
    for number, story in enumerate(found):
        for line, style in story_lines(story, blank=number > 0):
            say(line, **style)


@mods.command()
@GAME
@takes_mods()
@click.option("--mode", help="Look at it in this mode.")
@JSON
@click.pass_context
def conflicts(ctx: click.Context, game: str, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """Where two MODS meddle with one thing of a GAME: a value, a name, a hook's slot, a routine.

    Errors where what one of them does would be lost, and nobody says whose it is; notes where their order decides.
    """
    from rulelang.cli.telling import conflict_lines
    from rulelang.compile import Compilation
    from rulelang.modding.conflicts import conflicts as clashes

    compilation = Compilation(game, mods, mode)
    found = clashes(compilation)
    _note_mistakes(compilation, sum(item.severity == "error" for item in found))
    if json_:
        say_json({"mods": "conflicts", "game": game, "conflicts": [item.as_json() for item in found]})
    else:
        for line, style in conflict_lines(found):
            say(line, **style)
    ctx.exit(MISTAKES if any(item.severity == "error" for item in found) else FINE)


@mods.command()
@GAME
@takes_mods()
@click.option("--mode", help="Play it in this mode.")
@click.option("--number", "-n", type=click.IntRange(min=1), default=200, show_default=True, help="How many games.")
@click.option("--players", "-p", type=int, help="How many play. (default: four, if the game allows)")
@click.option("--seed", "-s", type=int, default=0, show_default=True, help="The same seed gives the same games.")
@takes_options()
@JSON
def unused(
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    number: int,
    players: int | None,
    seed: int,
    options: tuple[str, ...],
    json_: bool,
) -> None:
    """Which patches and hooks of MODS made no difference in random games.

    Each is left out in turn, and the same games are played again: what changes none of them was never used, or does
    nothing. Texts are passed over, for no game shows them.
    """
    from rulelang.cli.tables import check_table, load_game, options_of, usual_players
    from rulelang.cli.telling import unused_lines
    from rulelang.compile import Compilation
    from rulelang.modding.unused import unused as found_out

    loaded = load_game(game, mods, mode)
    count = usual_players(loaded) if players is None else players
    chosen = options_of(options)
    check_table(loaded, count, chosen)
    found = list(found_out(Compilation(game, mods, mode), number, count, seed, chosen))
    played = {"games": number, "players": count, "seed": seed}
    if json_:
        say_json({"mods": "unused", "game": game, **played, "parts": [item.as_json() for item in found]})
        return
    for line, style in unused_lines(found, number, count, seed):
        say(line, **style)
