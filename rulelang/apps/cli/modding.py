"""Explain, lock and pack mods: `rulelang mods` and its verbs."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.options import (
    VerbGroup,
    takes_games,
    takes_json,
    takes_mode,
    takes_mods,
    takes_options,
    takes_players,
    takes_seed,
)
from rulelang.apps.cli.screen import FINE, MISTAKES, CannotRun, counted, say, say_json, terminal_columns
from rulelang.base.terminal import wrap_text
from rulelang.tools.modding.facts import HOOK_SECTIONS, NAMED_SECTIONS

if TYPE_CHECKING:
    from rulelang.compiler.compilation import Compilation
    from rulelang.tools.modding.conflicts import Conflict
    from rulelang.tools.modding.difference import Difference
    from rulelang.tools.modding.unused import PartUse
    from rulelang.tools.modding.why import Hand, Story


# ---- Lines about the effects of mods

StyledLine = tuple[str, dict[str, Any]]


def story_lines(story: Story, *, blank: bool) -> Iterator[StyledLine]:
    """What it is now, then each hand in it: who, how, where; below it the text."""
    if blank:
        yield "", {}
    if story.what == "data":
        now = "(removed)" if story.now is None else story.now or "(nothing)"
        for line in wrap_text(f"{story.name}: {now}", terminal_columns(), "", "    "):
            yield line, {"bold": True}
    else:
        yield f"{story.what} {story.name}", {"bold": True}
    for hand in story.hands:
        yield f"  {hand.by}: {hand.verb}   {hand.span.path}:{hand.span.line}", {}
        yield from _text_lines(hand)


def _text_lines(hand: Hand) -> Iterator[StyledLine]:
    if hand.before is None and hand.after is None:
        return
    if hand.before is not None or hand.after is None:
        text = " -> ".join("nothing" if side is None else side or "(empty)" for side in (hand.before, hand.after))
        yield from ((line, {}) for line in wrap_text(text, terminal_columns(), "      ", "        "))
        return
    for line in hand.after.split("\n"):
        if "\n" in hand.after:
            yield f"      {line}", {}
        else:
            yield from ((part, {}) for part in wrap_text(line, terminal_columns(), "      ", "        "))


def conflict_lines(found: Sequence[Conflict]) -> Iterator[StyledLine]:
    """Each with those who meddle."""
    for item in found:
        colour = "red" if item.severity == "error" else "yellow"
        head = f"{item.severity}[{item.what}]: {item.message}"
        if item.severity == "note":
            head = f"note: `{item.name}` is {item.message}"
        for line in wrap_text(head, terminal_columns(), "", "    "):
            yield line, {"fg": colour}
        for party in item.parties:
            yield f"  {party.mod}   {party.span.path}:{party.span.line}", {}
            for line in wrap_text(party.text, terminal_columns(), "      ", "        "):
                yield line, {}
        yield "", {}
    errors = sum(item.severity == "error" for item in found)
    parts = [counted(n, word) for n, word in ((errors, "error"), (len(found) - errors, "note")) if n]
    yield " and ".join(parts) if parts else "no two mods change the same thing", {}


def unused_lines(found: Sequence[PartUse], games: int, players: int, seed: int) -> Iterator[StyledLine]:
    """What made no difference, then how much did."""
    series = f"{counted(games, 'game')} of {players} players, seed {seed}"
    idle = [item for item in found if item.state == "unused"]
    tried = [item for item in found if item.state != "text"]
    for item in idle:
        part = item.part
        yield f"{part.mod}   {part.span.path}:{part.span.line}", {"fg": "yellow"}
        kind = "" if part.text.startswith(part.kind) or part.kind == "hook" else f"{part.kind} "
        for line in f"{kind}{part.text}".split("\n"):
            yield f"    {line}", {}
    if idle:
        yield "", {}
    if not found:
        yield "there is nothing to try: no mod changes or hooks anything", {}
        return
    yield f"{series}: {len(idle)} of {counted(len(tried), 'patch or hook', 'patches and hooks')} made no difference", {}
    needed, texts = (sum(item.state == state for item in found) for state in ("needed", "text"))
    if needed:
        yield f"{needed} cannot be left out: the game has errors without them", {}
    if texts:
        yield f"{counted(texts, 'text')} skipped: no game shows them", {}


# ---- Lines about the differences of two games

_PLUS, _MINUS = {"fg": "green"}, {"fg": "red"}


def game_with_mods(compilation: Compilation) -> str:
    """`garden 1.0.0 with wet 1.2.0`."""
    base, *above = [f"{layer.id} {layer.version}" for layer in compilation.source.layers if layer.kind != "mode"]
    return f"{base} with {', '.join(above)}" if above else base


def difference_lines(before: Compilation, after: Compilation, found: Sequence[Difference]) -> Iterator[StyledLine]:
    """Each section with what is not the same in it, and with a style for each line."""
    for line in wrap_text(f"{game_with_mods(before)} -> {game_with_mods(after)}", terminal_columns(), "", "    "):
        yield line, {}
    yield "", {}
    if not found:
        yield "no differences", {}
        return
    section = ""
    for item in found:
        if item.section != section:
            if section:
                yield "", {}
            section = item.section
            yield _entry_title(section), {"bold": True}
        yield from _rule_lines(item) if section in (*NAMED_SECTIONS, *HOOK_SECTIONS) else _value_lines(item)
    yield "", {}
    tally = [(sum(item.how == how for item in found), how) for how in ("added", "removed", "changed")]
    yield ", ".join(f"{number} {how}" for number, how in tally if number), {}


def _entry_title(section: str) -> str:
    return f"{section}s" if section in (*NAMED_SECTIONS, "hook") and section != "game" else section


def _value_lines(item: Difference) -> Iterator[StyledLine]:
    """A leaf on one line, if it fits: `~ limit: 3 -> 4`."""
    mark = {"added": "+", "removed": "-", "changed": "~"}[item.how]
    sides = [side.text for side in (item.before, item.after) if side is not None]
    text = f"{mark} {item.name}" + (f": {' -> '.join(sides)}" if any(sides) else "")
    style = {"+": _PLUS, "-": _MINUS}.get(mark, {})
    for line in wrap_text(text, terminal_columns(), "  ", "      "):
        yield line, style
    yield from _entry_place(item)


def _rule_lines(item: Difference) -> Iterator[StyledLine]:
    """The lines of a rule that are not the same, among those that are."""
    before = item.before.text.split("\n") if item.before else []
    after = item.after.text.split("\n") if item.after else []
    whose = f" ({item.name})" if item.section in HOOK_SECTIONS and item.name.startswith(("trait ", "card ")) else ""
    for line in difflib.ndiff(before, after):
        if line[0] != "?":
            yield f"  {line}{whose}".rstrip(), {"+": _PLUS, "-": _MINUS}.get(line[0], {})
            whose = ""
    yield from _entry_place(item)


def _entry_place(item: Difference) -> Iterator[StyledLine]:
    side = item.after or item.before
    assert side is not None
    yield f"      {side.by}, {side.span.path}:{side.span.line}", {"dim": True}


# ---- `mods`

TAKES_JSON = takes_json()
GAME_ARGUMENT = click.argument("game", shell_complete=completion.games)


def _note_mistakes(compilation: Compilation, told: int = 0) -> None:
    """Mistakes elsewhere do not keep one from looking, but one should know. `told`: how many are told anyway."""
    if sum(item.severity == "error" for item in compilation.diagnostics) > told:
        say("(this game has errors, so some parts may be missing: see `rulelang check`)\n", err=True)


@click.group(cls=VerbGroup, default="list")
def mods() -> None:
    """Compare, order, lock and pack mods.

    You can write the verb before or after the game and its mods: `rulelang mods why GAME MODS NAME` and `rulelang
    mods GAME MODS why NAME` do the same. Without a verb, the command lists the mods.
    """


@mods.command("list")
@GAME_ARGUMENT
@takes_mods()
@TAKES_JSON
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
@GAME_ARGUMENT
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
@GAME_ARGUMENT
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
@GAME_ARGUMENT
@takes_mods()
@takes_mode()
@TAKES_JSON
def diff(game: str, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """List what mods change in a game.

    Compares by meaning: traits, cards, numbers, texts, values, routines and hooks. To see what changed between two
    versions of a game or mod, give two folders or zips.
    """
    from rulelang.tools.modding.difference import find_differences, two_games

    before, after = two_games(game, mods, mode)
    found = find_differences(before, after)
    if json_:
        report = {"mods": "diff", "game": game, "before": game_with_mods(before), "after": game_with_mods(after)}
        say_json({**report, "differences": [item.as_json() for item in found]})
        return
    for line, style in difference_lines(before, after, found):
        say(line, **style)


@mods.command()
@GAME_ARGUMENT
@takes_mods(name=True, named=True)
@takes_mode()
@TAKES_JSON
def why(game: str, name: str | None, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """Show who declared or changed a value, row or rule.

    NAME is a path or a name: `numbers.limit`, `cards.card.rows[face=horns].food`, `traits.horns.text.en`, `horns`,
    `strike`. Lists which game or mod declared it, and which mods changed, hooked or replaced it, with files and
    lines.
    """
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
@GAME_ARGUMENT
@takes_mods()
@takes_mode()
@TAKES_JSON
@click.pass_context
def conflicts(ctx: click.Context, game: str, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """Find where two mods change the same thing.

    Reports an error if one mod's effect would be lost, and a note if the result depends on the order of the mods.
    """
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
@GAME_ARGUMENT
@takes_mods()
@takes_mode()
@takes_games(200, "--number")
@takes_players()
@takes_seed()
@takes_options()
@TAKES_JSON
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
    from rulelang.apps.cli.options import default_players, load_game, parse_options, table_options
    from rulelang.compiler.compilation import Compilation
    from rulelang.tools.modding.unused import find_unused_parts as found_out

    loaded = load_game(game, mods, mode)
    count = default_players(loaded) if players is None else players
    chosen = parse_options(options)
    table_options(loaded, count, chosen)
    found = list(found_out(Compilation(game, mods, mode), number, count, seed, chosen))
    played = {"games": number, "players": count, "seed": seed}
    if json_:
        say_json({"mods": "unused", "game": game, **played, "parts": [item.as_json() for item in found]})
        return
    for line, style in unused_lines(found, number, count, seed):
        say(line, **style)
