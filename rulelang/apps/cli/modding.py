"""`rulelang mods`: which mods are laid and why, what they do to a game, where they clash; packing and locking them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import Verbs, takes_mods
from rulelang.apps.cli.options import takes_games, takes_json, takes_mode, takes_players, takes_seed
from rulelang.apps.cli.screen import FINE, MISTAKES, CannotRun, counted, say, say_json, terminal_columns
from rulelang.apps.cli.tables import takes_options

if TYPE_CHECKING:
    from rulelang.compiler.compilation import Compilation

JSON = takes_json()
GAME = click.argument("game", shell_complete=completing.games)


def _note_mistakes(compilation: Compilation, told: int = 0) -> None:
    """Mistakes elsewhere do not keep one from looking, but one should know. `told`: how many are told anyway."""
    if sum(item.severity == "error" for item in compilation.diagnostics) > told:
        say("(this game has errors, so some parts may be missing: see `rulelang check`)\n", err=True)


@click.group(cls=Verbs, default="list")
def mods() -> None:
    """Compare, order, lock and pack mods.

    You can write the verb before or after the game and its mods: `rulelang mods why GAME MODS NAME` and `rulelang
    mods GAME MODS why NAME` do the same. Without a verb, the command lists the mods.
    """


@mods.command("list")
@GAME
@takes_mods()
@JSON
def list_(game: str, mods: tuple[str, ...], json_: bool) -> None:
    """List the mods in load order, and explain each position."""
    from rulelang.base.terminal import wrap_text
    from rulelang.tools.modding.listing import list_layers

    found = list_layers(game, mods)
    if json_:
        say_json({"mods": "list", "game": game, "layers": [layer.as_json() for layer in found]})
        return
    for layer in found:
        how = "" if layer.found == "folder" else f" ({layer.found})"
        say(f"{layer.number:>2}  {layer.id} {layer.version}  ", nl=False, bold=True)
        say(f"{layer.path}{how}")
        reasons = [f"{text} ({item.span})" for text, item in zip(layer.why()[1:], layer.follows, strict=True)]
        for text in [] if layer.number == 0 else [layer.why()[0], *reasons]:
            for line in wrap_text(text, terminal_columns(), "    ", "      "):
                say(line)


@mods.command()
@GAME
@takes_mods(locked=False)
@click.option(
    "--output",
    "-o",
    metavar="PATH",
    help="Write to this zip file or folder. (default: ID-VERSION.zip in the current folder)",
)
def pack(game: str, mods: tuple[str, ...], output: str | None) -> None:
    """Check a mod or game, and pack it into a zip.

    The same files always produce the same zip, byte for byte. MODS apply only to the check.
    """
    from rulelang.tools.modding.listing import pack as packed

    made = packed(game, mods, output)
    say(f"{made.path}: {made.id} {made.version}, {counted(made.files, 'file')}, sha256 {made.sha256}")


@mods.command()
@GAME
@takes_mods(locked=False)
@click.option(
    "--output", "-o", metavar="PATH", help="Write to this lock file or folder. (default: ID.lock in the current folder)"
)
def lock(game: str, mods: tuple[str, ...], output: str | None) -> None:
    """Record the versions and contents of mods.

    Other commands then require exactly these mods if you pass `--locked`. They look for `ID.lock` in the current
    folder and its parent folders. To use a lock file from elsewhere, name it in place of a mod.
    """
    from rulelang.tools.modding.listing import lock as locked

    say(f"{locked(game, mods, output)} is written")


@mods.command()
@GAME
@takes_mods()
@takes_mode()
@JSON
def diff(game: str, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """List what mods change in a game.

    Compares by meaning: traits, cards, numbers, texts, values, routines and hooks. To see what changed between two
    versions of a game or mod, give two folders or zips.
    """
    from rulelang.apps.cli.differing import lines, name_of
    from rulelang.tools.modding.difference import find_differences, two_games

    before, after = two_games(game, mods, mode)
    found = find_differences(before, after)
    if json_:
        report = {"mods": "diff", "game": game, "before": name_of(before), "after": name_of(after)}
        say_json({**report, "differences": [item.as_json() for item in found]})
        return
    for line, style in lines(before, after, found):
        say(line, **style)


@mods.command()
@GAME
@takes_mods(name=True, named=True)
@takes_mode()
@JSON
def why(game: str, name: str | None, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """Show who declared or changed a value, row or rule.

    NAME is a path or a name: `numbers.limit`, `cards.card.rows[face=horns].food`, `traits.horns.text.en`, `horns`,
    `strike`. Lists which game or mod declared it, and which mods changed, hooked or replaced it, with files and
    lines.
    """
    from rulelang.apps.cli.telling import story_lines
    from rulelang.compiler.compilation import Compilation
    from rulelang.tools.modding.why import origin_stories as stories
    from rulelang.tools.modding.why import similar_names

    if name is None:
        raise click.UsageError("name what to look up after the mods: a path such as `numbers.limit`, or a name")
    compilation = Compilation(game, mods, mode)
    found = stories(compilation, name)
    if not found:
        like = similar_names(compilation, name)
        hint = f"; similar names: {', '.join(like)}" if like else f"; `rulelang show {game}` lists what there is"
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
@takes_mode()
@JSON
@click.pass_context
def conflicts(ctx: click.Context, game: str, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """Find where two mods change the same thing.

    Reports an error if one mod's effect would be lost, and a note if the result depends on the order of the mods.
    """
    from rulelang.apps.cli.telling import conflict_lines
    from rulelang.compiler.compilation import Compilation
    from rulelang.tools.modding.conflicts import find_conflicts as clashes

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
@takes_mode()
@takes_games(200, "--number")
@takes_players()
@takes_seed()
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
    """Find patches and hooks that have no effect.

    Leaves out each part of the MODS in turn, and plays the same random games again. If no game changes, the part
    never applied or does nothing. The command does not test texts.
    """
    from rulelang.apps.cli.tables import check_table, load_game, options_of, usual_players
    from rulelang.apps.cli.telling import unused_lines
    from rulelang.compiler.compilation import Compilation
    from rulelang.tools.modding.unused import find_unused_parts as found_out

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
