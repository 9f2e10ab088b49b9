"""`rulelang mods`: which mods are laid and why, what they do to a game, where they clash; packing and locking them."""

from __future__ import annotations

import click

from rulelang.cli import completing
from rulelang.cli.mods import takes_mods
from rulelang.cli.screen import counted, say, say_json, terminal_columns

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
    from rulelang.play.wrapping import wrapped

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
@click.option("--mode", help="Compare it in this mode.")
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
