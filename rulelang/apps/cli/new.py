"""`rulelang new`: the first files of rulesets, mods, traits and scenarios."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.screen import CannotRun, say

if TYPE_CHECKING:
    from rulelang.tools.scaffolding.files import Written

TITLE_OPTION = "Set the title shown to players. (default: derived from the name)"
takes_home = click.option(
    "--in",
    "where",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Add to this ruleset or mod. (default: the one that contains the current folder)",
)


@click.group(no_args_is_help=True)
def new() -> None:
    """Create a game, mod, trait or scenario.

    The new files have comments and pass `rulelang check`. In a terminal, rulelang prompts for anything you leave out.
    It never overwrites files.
    """


@new.command()
@click.argument("name", required=False)
@click.option("--title", metavar="TITLE", help=TITLE_OPTION)
@click.option("--players", metavar="MIN-MAX", help="Set the number of players. (default: 2-4)")
def ruleset(name: str | None, title: str | None, players: str | None) -> None:
    """Create a small complete game in a new folder NAME."""
    name = _ask_required(name, "NAME", "What is the game called")
    title = _ask_with_default(title, "Which title do players see", _title_from_id(name))
    players = _ask_with_default(players, "How many people can play", "2-4")
    low, dash, high = players.partition("-")
    if not low.strip().isdecimal() or (dash and not high.strip().isdecimal()):
        raise click.UsageError(f"`{players}` is not a number of players; write `2-4` or `3`")
    from rulelang.tools.scaffolding.new import new_ruleset

    folder = _target_folder(name, "ruleset")
    written = _write_files(lambda: new_ruleset(folder, title=title, players=(int(low), int(high or low))))
    _print_next_steps(written, f"rulelang check {folder}", f"rulelang test {folder}", f"rulelang play {folder}")


@new.command()
@click.argument("name", required=False)
@click.option(
    "--game",
    shell_complete=completion.games,
    metavar="GAME",
    help="Create the mod for this game. (default: the game that contains the current folder)",
)
@click.option("--title", metavar="TITLE", help=TITLE_OPTION)
def mod(name: str | None, game: str | None, title: str | None) -> None:
    """Create a mod in a new folder NAME.

    If you run this in a game's folder, it creates the mod in `mods/`.
    """
    from rulelang.tools.scaffolding.files import ruleset_folder
    from rulelang.tools.scaffolding.new import new_mod

    home = ruleset_folder(Path.cwd())
    name = _ask_required(name, "NAME", "What is the mod called")
    if game is None and home is not None and (home / "ruleset.yaml").is_file():
        game, folder = str(home), _target_folder(name, "mod", _relative_path(home) / "mods")
    else:
        game = _ask_required(game, "--game", "Which game does it change")
        folder = _target_folder(name, "mod")
    title = _ask_with_default(title, "Which title do players see", _title_from_id(name))
    chosen = game
    written = _write_files(lambda: new_mod(folder, chosen, title=title))
    _print_next_steps(
        written, f"rulelang check {folder}", f"rulelang play {folder}", f"cd {folder} && rulelang new trait"
    )


@new.command()
@click.argument("name", required=False)
@takes_home
@click.option("--title", metavar="TITLE", help=TITLE_OPTION)
@click.option("--text", metavar="SENTENCE", help="Set the card text shown to players.")
@click.option(
    "--hook", metavar="NAME", help="Hook this value or event. (default: the one that other traits hook most often)"
)
@click.option(
    "--column",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a trait column that this game defines, such as a printed cost. Repeatable.",
)
@click.option(
    "--copies",
    type=click.IntRange(1),
    metavar="N",
    help="Create N cards with this trait. (default: as many as other traits have)",
)
def trait(
    name: str | None,
    where: Path | None,
    title: str | None,
    text: str | None,
    hook: str | None,
    pairs: tuple[str, ...],
    copies: int | None,
) -> None:
    """Create a trait NAME with cards, a rule and a scenario."""
    from rulelang.tools.scaffolding.new import new_trait

    home = _enclosing_ruleset(where)
    name = _ask_required(name, "NAME", "What is the trait called")
    title = _ask_with_default(title, "Which title do players see", _title_from_id(name))
    text = _ask_with_default(text, "What does it do (one sentence; optional)", "")
    hook = _ask_with_default(
        hook, "Which value or event does its rule hook (empty: the one that other traits hook most)", ""
    )
    columns = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"`{pair}` has no value; write `--column NAME=VALUE`")
        columns[key.strip()] = value.strip()
    if _can_prompt():
        columns |= _ask_columns(home, columns)
    called = name
    written = _write_files(
        lambda: new_trait(home, called, title=title, text=text, hook=hook, columns=columns, copies=copies or 0)
    )
    short = _relative_path(home)
    made = Path(written.files[0])
    _print_next_steps(written, f"rulelang test {short / made}", f"rulelang play {short} --with {made.stem}")


@new.command()
@click.argument("name", required=False)
@takes_home
@click.option("--phase", metavar="PHASE", help="Begin in this phase. (default: the phase with the most options)")
@click.option(
    "--players", metavar="NAMES", help="Name the players: ana,bob,... (default: the minimum number of players)"
)
def scenario(name: str | None, where: Path | None, phase: str | None, players: str | None) -> None:
    """Create a passing scenario NAME."""
    from rulelang.tools.scaffolding.new import new_scenario

    home = _enclosing_ruleset(where)
    name = _ask_required(name, "NAME", "What does the scenario show")
    phase = _ask_with_default(phase, "In which phase does it begin (empty: the phase with the most options)", "")
    seats = [player.strip() for player in (players or "").split(",") if player.strip()]
    called, begun = name, phase
    written = _write_files(lambda: new_scenario(home, called, phase=begun, players=seats))
    _print_next_steps(written, f"rulelang test {_relative_path(home) / written.files[0]}")


# ---- what is asked for


def _can_prompt() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _ask_required(said: str | None, name: str, question: str) -> str:
    """What was said, or is answered now; UsageError where nobody can be asked."""
    if said is not None and said.strip():
        return said
    if not _can_prompt():
        raise click.UsageError(f"{name} is missing: {question[0].lower()}{question[1:]}?")
    answer: str = click.prompt(question)
    return answer


def _ask_with_default(said: str | None, question: str, usual: str) -> str:
    """The same where something can be taken for granted."""
    if said is not None:
        return said
    if not _can_prompt():
        return usual
    answer: str = click.prompt(question, default=usual, show_default=bool(usual))
    return answer


def _ask_columns(home: Path, said: dict[str, str]) -> dict[str, str]:
    """What a trait has to say in this game, as it is answered."""
    from rulelang.compiler.compilation import Compilation
    from rulelang.tools.scaffolding.new import required_columns, usual_text
    from rulelang.tools.scaffolding.positions import model_of

    model = model_of(Compilation(home))
    found = {}
    for key, column in required_columns(model).items():
        if key not in said:
            found[key] = _ask_with_default(None, f"{key} ({column.type})", usual_text(column, model))
    return found


def _title_from_id(name: str) -> str:
    from rulelang.tools.scaffolding.files import title_of_name

    return title_of_name(name)


def _target_folder(name: str, what: str, within: Path | None = None) -> Path:
    """The folder of that name, which may be given as a path."""
    from rulelang.tools.scaffolding.files import CannotStart, valid_name

    path = Path(name)
    try:
        folder = path.with_name(valid_name(path.name, what))
    except CannotStart as problem:
        raise click.UsageError(str(problem)) from None
    return within / folder if within is not None else folder


def _enclosing_ruleset(where: Path | None) -> Path:
    """The ruleset or mod that somebody is in, or that was named."""
    from rulelang.tools.scaffolding.files import ruleset_folder

    found = ruleset_folder(where or Path.cwd())
    if found is None:
        raise CannotRun(
            f"no ruleset or mod in {where or 'this folder'} or its parent folders: go into one, or name it with --in"
        )
    return found


def _relative_path(folder: Path) -> Path:
    """A folder above or below as one would type it; another as it is."""
    here = Path.cwd()
    if folder.is_relative_to(here):
        return folder.relative_to(here)
    return Path(*[".."] * len(here.relative_to(folder).parts)) if here.is_relative_to(folder) else folder


def _write_files(work: Callable[[], Written]) -> Written:
    """What was written. CannotRun where nothing could be."""
    from rulelang.tools.scaffolding.files import CannotStart

    try:
        return work()
    except CannotStart as problem:
        raise CannotRun(str(problem)) from None


def _print_next_steps(written: Written, *commands: str) -> None:
    """What was written, and what to do with it."""
    folder = _relative_path(written.folder.absolute())
    for name in written.files:
        say(f"written: {folder / name}")
    for name in written.changed:
        say(f"changed: {folder / name}")
    for note in written.notes:
        say(f"  {note}")
    say("\nIt passes `rulelang check` and its scenarios. Next:")
    for command in commands:
        say(f"  {command}")
