"""Define the arguments and options that several commands share, and read their values."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.screen import CannotRun, say
from rulelang.base.errors import BadArgument
from rulelang.base.node import record
from rulelang.base.wording import player_count_text
from rulelang.data.folders import LOCKED

if TYPE_CHECKING:
    from rulelang.apps.lab.workers import Workers
    from rulelang.base.languages import Language
    from rulelang.runtime.game import Game
    from rulelang.tools.reports import Report


# ---- Mods

Command = Callable[..., Any]


def takes_mods(
    *,
    behind: bool = True,
    apart: bool = False,
    name: bool = False,
    named: bool = False,
    locked: bool = True,
    text: str = "Apply this mod.",
) -> Callable[[Command], Command]:
    """A command that takes mods, as its parameter `mods`: with `--mod`, and (`behind`) behind the game.

    `apart`: those of `--mod` as its parameter `laid`, for they are laid over every game that stands there.
    `name`: behind these stands what is asked for, its parameter `name`; None if nothing is. `named`: the last word is
    that, whatever it is.
    `locked`: it has the option `--locked`, which adds the mods of a lock.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*args: Any, laid: tuple[str, ...], mods: tuple[str, ...] = (), **rest: Any) -> Any:
            if rest.pop("held", False):
                laid = (*laid, LOCKED)
            if name:
                mods, rest["name"] = _split_last_name(mods, "" if named else str(rest["game"]))
            if apart:
                return command(*args, mods=mods, laid=laid, **rest)
            return command(*args, mods=(*mods, *laid), **rest)

        said = f"{text} Repeatable."
        known = completion.mods
        found = click.option("--mod", "laid", metavar="MOD", multiple=True, shell_complete=known, help=said)(run)
        if locked:
            said = "Apply exactly the mods listed in ID.lock (in this folder or a parent folder)."
            found = click.option("--locked", "held", is_flag=True, help=said)(found)
        metavar = "[MODS]... [NAME]" if name else None
        return click.argument("mods", nargs=-1, metavar=metavar, shell_complete=known)(found) if behind else found

    return decorate


class VerbGroup(click.Group):
    """Group whose verb may come first or after its GAME: `mods why GAME` and `mods GAME why` do the same.

    `default` is the verb that runs if none is named.
    """

    def __init__(self, *args: Any, default: str = "", **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Move the verb to the front."""
        at = next((i for i, word in enumerate(args) if word in self.commands), None)
        if at is not None:
            args = [args[at], *args[:at], *args[at + 1 :]]
        elif args and not set(args) & {"-h", "--help"}:
            if not self.default:
                raise click.UsageError(f"choose a command: {', '.join(self.commands)}", ctx)
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the verbs in the order of their declaration."""
        return list(self.commands)


def _split_last_name(words: tuple[str, ...], where: str) -> tuple[tuple[str, ...], str | None]:
    """Mods, and the name behind them: the last word; not if that is a mod over `where`, if this is given."""
    if not words or (where and is_mod(words[-1], where)):
        return words, None
    return words[:-1], words[-1]


def is_mod(word: str, where: str = "") -> bool:
    """Whether a word stands for mods: a folder, zip or id of one, several joined by commas, or a file that lists some.
    Ids are also looked for near the game `where`."""
    from rulelang.data.mods import is_list

    parts = [part.strip() for part in word.split(",")]
    return is_list(Path(word)) or all(_has_manifest(part, "mod.yaml", where) for part in parts)


def is_ruleset(word: str) -> bool:
    """Whether a word is the folder, zip or id of a game."""
    return _has_manifest(word, "ruleset.yaml")


def _has_manifest(word: str, manifest: str, where: str = "") -> bool:
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.data.finder import Finder
    from rulelang.data.folders import Unreadable

    finder = Finder()
    game = finder.locate(where, Diagnostics()) if where else None
    if game is not None:
        finder.beside(game.folder)
    try:
        found = finder.locate(word, Diagnostics())
        return found is not None and manifest in found.folder.files()
    except Unreadable:
        return False


# ---- `--each`

#: Every ruleset has such files; others have them as well.
SHARED_FILES = (".yaml", ".yml", ".csv", ".xlsx", ".json")


def takes_each() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option, as the parameter `each`."""
    text = "Treat each argument separately. For a file, use the ruleset or mod that contains it."
    return click.option("--each", is_flag=True, help=text)


def ruleset_folders(words: Sequence[str]) -> list[str]:
    """Each ruleset and mod once, in the order in which it is named first.

    A file of a common kind that belongs to none is told, and left out: who names all changed files names it too.
    """
    found: dict[str, None] = {}
    for word in words:
        home = _ruleset_folder(word)
        if home is not None:
            found[home] = None
        elif Path(word).suffix in SHARED_FILES:
            say(f"skipped {word}: it is not in a ruleset or mod", err=True)
        else:
            found[word] = None
    return list(found)


def files_in_rulesets(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Those files and folders that stand in a ruleset or mod, or are one; files that do not are told, and left out."""
    found = []
    for path in paths:
        if _ruleset_folder(str(path)) is None:
            say(f"skipped {path}: it is not in a ruleset or mod", err=True)
        else:
            found.append(path)
    return tuple(found)


def _ruleset_folder(word: str) -> str | None:
    """The ruleset or mod of a file, as a path; what is no file as it is. None for a file that stands in none."""
    from rulelang.data.manifest import is_ruleset

    path = Path(word)
    if not path.is_file() or path.suffix == ".zip":
        return word
    return next((str(folder) for folder in path.parents if is_ruleset(folder)), None)


# ---- Options with one wording everywhere

Decorator = Callable[[Command], Command]


def takes_mode(default: str = "") -> Decorator:
    """Add `--mode`, as the parameter `mode`. `default` says what happens without it, if that is not obvious."""
    text = "Use this mode of the game." + (f" (default: {default})" if default else "")
    return click.option("--mode", metavar="MODE", shell_complete=completion.modes, help=text)


def takes_players(default: str = "four, if the game allows") -> Decorator:
    """Add `--players`, as the parameter `players`: a number, or None."""
    text = f"Set the number of players. (default: {default})"
    return click.option("--players", "-p", metavar="N", type=int, help=text)


def takes_seed() -> Decorator:
    """Add `--seed`, as the parameter `seed`."""
    text = "Set the random seed. The same seed gives the same result."
    return click.option("--seed", "-s", metavar="N", type=int, default=0, show_default=True, help=text)


def takes_games(default: int, flag: str = "--games") -> Decorator:
    """Add `--games` or `--number`, with `-n`, as the parameter of that name."""
    least = click.IntRange(min=1)
    return click.option(flag, "-n", metavar="N", type=least, default=default, show_default=True, help="Play N games.")


def takes_jobs() -> Decorator:
    """Add `--jobs`, as the parameter `jobs`."""
    least = click.IntRange(min=1)
    return click.option("--jobs", "-j", metavar="N", type=least, default=1, show_default=True, help="Use N cores.")


def takes_quiet(text: str = "Print problems only.") -> Decorator:
    """Add `--quiet`, as the parameter `quiet`."""
    return click.option("--quiet", "-q", is_flag=True, help=text)


def takes_json() -> Decorator:
    """Add `--json`, as the parameter `json_`."""
    return click.option("--json", "json_", is_flag=True, help="Print the result as JSON.")


def takes_sort() -> Decorator:
    """Add `--sort`, as the parameter `sort`: the name of a card type."""
    return click.option("--sort", metavar="TYPE", help="Use only cards of this card type.")


# ---- `--lang`


def takes_language() -> Callable[[Command], Command]:
    """A command that takes a language, as its parameter `lang`."""
    return click.option(
        "--lang", metavar="CODE", help="Use this language: en, zh, ja ... (default: from the environment)"
    )


def game_language(game: Game, lang: str | None) -> Language:
    """The language of that tag, or of which it is a variety; without one, the best that the environment asks for.
    UsageError if there is none of that tag."""
    from rulelang.base.languages import choose_language, language_tag, nearest_language
    from rulelang.base.phrases import NoBabel

    there = game.languages
    code = choose_language(os.environ, there) if lang is None else nearest_language(language_tag(lang), there)
    if code is None:
        hint = "start a catalog with `rulelang i18n extract`"
        raise click.UsageError(
            f"{game.title} has no `{lang}` translation; available languages: {', '.join(there)}; {hint}"
        )
    try:
        return game.language(code)
    except NoBabel as problem:
        raise CannotRun(str(problem)) from None


def label_language(lang: str | None, game: str, mods: tuple[str, ...], mode: str | None) -> Language:
    """The language of that tag for what is shown of a ruleset, English without one. CannotRun if there is none."""
    from rulelang.base.languages import ENGLISH

    if lang is None:
        return ENGLISH
    from rulelang.api import Spoken
    from rulelang.base.languages import language_tag, nearest_language
    from rulelang.compiler.compilation import Compilation

    spoken = Spoken(Compilation(game, mods, mode))
    code = nearest_language(language_tag(lang), spoken.codes)
    if code is None:
        raise CannotRun(f"{game} has no `{lang}` translation; available languages: {', '.join(spoken.codes)}")
    return spoken.language(code)


# ---- `--format` and `--output`

#: As in `rulelang.reports.formats`, which is imported late; a test holds that they are the same.
REPORT_FORMATS = ("json", "github", "gitlab", "sarif", "junit")


@record
class ReportOutput:
    """What shall be reported. `format` is `text` where nothing but what people read is wanted; `output`: a file."""

    format: str
    output: str | None

    @property
    def text(self) -> bool:
        """Whether people read the screen: then it shows what it always does."""
        return self.format == "text" or self.output is not None

    def write(self, make: Callable[[], Report]) -> None:
        """The report to the screen or into the file, if one is wanted."""
        if self.format == "text":
            return
        from rulelang.tools.reports import FORMATS as WRITERS

        text = WRITERS[self.format](make())
        if self.output is None:
            click.echo(text, nl=False)
            return
        try:
            Path(self.output).write_text(text, encoding="utf-8")
        except OSError as error:
            raise CannotRun(f"the report cannot be written to `{self.output}`: {error.strerror or error}") from None


def takes_report(*, json_too: bool = False) -> Callable[[Command], Command]:
    """A command with `--format` and `--output`, as its parameter `wanted`. `json_too`: `--json` is a short form."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*args: Any, format_: str, output: str | None, json_: bool = False, **rest: Any) -> Any:
            if json_ and format_ not in ("text", "json"):
                raise click.UsageError(f"--json and --format {format_} cannot be combined")
            wanted = ReportOutput("json" if json_ else format_, output)
            if output is not None and wanted.format == "text":
                raise click.UsageError("--output needs a --format: " + ", ".join(REPORT_FORMATS))
            return command(*args, wanted=wanted, **rest)

        said = "Print in this format: text for people, the others for programs."
        file = "Write the report to this file, and also print it as text."
        choice = click.Choice(("text", *REPORT_FORMATS))
        found = click.option("--output", metavar="FILE", help=file)(run)
        found = click.option("--format", "format_", type=choice, default="text", help=said, show_default=True)(found)
        if json_too:
            found = click.option("--json", "json_", is_flag=True, help="The same as --format json.")(found)
        return found

    return decorate


def version() -> str:
    """The version of rulelang; empty where it is run from its source without being installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("rulelang")
    except PackageNotFoundError:
        return ""


# ---- `--on`: here or on a cluster

INSTALL_RAY = 'pip install "rulelang[ray]"'


def takes_workers() -> Callable[[Command], Command]:
    """A command that takes where it plays, as its parameter `on`."""
    return click.option(
        "--on",
        metavar="ray[:ADDRESS]",
        help="Play on a Ray cluster: a local one, or the cluster at ADDRESS. The results don't change.",
    )


def workers_on(on: str | None, jobs: int) -> Workers | None:
    """The workers of a cluster; None where nothing is said. UsageError for what is none, and with `--jobs`."""
    if on is None:
        return None
    kind, _, address = on.partition(":")
    if kind != "ray":
        raise click.UsageError(f"`{on}` is not a cluster: write `--on ray`, or `--on ray:ADDRESS` for a running one")
    if jobs > 1:
        raise click.UsageError("--jobs and --on cannot be combined: --on plays on a cluster")
    try:
        from rulelang.apps.lab.workers import Ray

        return Ray(address or None)
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("rulelang"):
            raise
        raise CannotRun(f"a cluster needs `{problem.name}`; install it with: {INSTALL_RAY}") from None
    except ConnectionError as problem:
        raise CannotRun(f"no Ray cluster responds at {address}: {problem}") from None


# ---- Games and the options of a table

#: What can run a game, by its name (`rulelang.linking` has them too; it takes long to import).
BACKENDS = ("python", "native")


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
        multiple=True, metavar="NAME=VALUE", shell_complete=completion.options, help=text,
    )  # fmt: skip


def load_game(where: str, mods: Sequence[str], mode: str | None) -> Game:
    """The game. LoadError, which the group of commands draws, if its rules have mistakes."""
    from rulelang.api import load

    return load(where, mods, mode)


def parse_options(pairs: Sequence[str]) -> dict[str, object]:
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


def table_options(game: Game, players: int, options: dict[str, object]) -> dict[str, int]:
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


def default_players(game: Game) -> int:
    """How many sit at a table if nothing else is said: four, or as near to that as the game allows."""
    return min(max(4, game.players[0]), game.players[1])
