"""`rulelang play`: a person against bots in the terminal, or a game between bots to watch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_mode, takes_players
from rulelang.apps.cli.screen import CannotRun, full_screen, not_installed, say, terminal_columns
from rulelang.apps.cli.speaking import language_of, takes_language
from rulelang.apps.cli.tables import check_table, load_game, options_of, takes_backend, takes_options, usual_players
from rulelang.base.errors import BadArgument
from rulelang.base.files import why_unwritable, write_atomically
from rulelang.base.terminal import escape_controls
from rulelang.runtime.program import soonest

if TYPE_CHECKING:
    from rulelang.base.languages import Language
    from rulelang.presentation.console import Keeper, Match
    from rulelang.runtime.game import Game
    from rulelang.runtime.seating import Agent
    from rulelang.runtime.state import State

NAMES = ("Ana", "Bob", "Cleo", "Dan", "Eve", "Finn")
BIGGEST = 200_000_000  # bytes of a saved game
OLD_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)


#: How the log is told at the end.
LOGS = ("folded", "full")


class _Play(click.Command):
    """Takes a GAME behind `--log` for the game, and not for how the log is told."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        alone = [arg == "--log" and after not in LOGS for arg, after in zip(args, [*args, ""][1:], strict=True)]
        said = [f"--log={LOGS[0]}" if by_itself else arg for arg, by_itself in zip(args, alone, strict=True)]
        return super().parse_args(ctx, said)


@click.command(cls=_Play)
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@takes_mode()
@takes_players()
@click.option("--bots", type=int, metavar="N", help="Watch N bots play instead.")
@click.option(
    "--agent",
    default="random",
    show_default=True,
    metavar="AGENT",
    help="Play against these bots: random, greedy, first, mc or ismcts. You can add a budget, as in mc:500.",
)
@click.option(
    "--hot-seat", is_flag=True, help="Let all players share this keyboard, with a blank screen between turns."
)
@click.option(
    "--plain",
    is_flag=True,
    help="Print plain lines of text instead of using the full screen, for pipes and screen readers.",
)
@click.option("--seat", type=int, default=1, show_default=True, metavar="N", help="Sit in seat N.")
@click.option("--names", metavar="NAMES", help="Name the players: ana,bob,...")
@click.option(
    "--seed",
    metavar="N",
    type=int,
    help="Set the random seed. The same seed gives the same result. (default: a new one each time)",
)
@takes_options()
@takes_backend()
@click.option(
    "--log",
    type=click.Choice(LOGS),
    is_flag=False,
    flag_value=LOGS[0],
    help="Print the log at the end. `--log full` prints each change as it happens, with the source line of its rule.",
)
@click.option(
    "--with",
    "cards",
    metavar="TRAIT",
    multiple=True,
    help="Begin with a card that has this trait or name in your hand. Repeatable.",
)
@click.option(
    "--from",
    "scenario",
    metavar="SCENARIO",
    help="Begin at the position of this scenario (its name or part of its name).",
)
@takes_language()
@click.option(
    "--load",
    "load_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Continue a saved game.",
)
@click.option(
    "--save",
    "save_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save the game to this file at the end.",
)
@click.option(
    "--record",
    "record_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Record each move in this file, for `rulelang replay`.",
)
def play(
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    players: int | None,
    bots: int | None,
    agent: str,
    hot_seat: bool,
    plain: bool,
    seat: int,
    names: str | None,
    seed: int | None,
    options: tuple[str, ...],
    backend: str,
    log: str | None,
    cards: tuple[str, ...],
    scenario: str | None,
    lang: str | None,
    load_file: Path | None,
    save_file: Path | None,
    record_file: Path | None,
) -> None:
    """Play against bots, or watch them play.

    Type `help` during the game to see what you can type.
    """
    if bots is not None and players is not None:
        raise click.UsageError("--players and --bots cannot be combined: --bots N watches a game of N bots")
    if bots is not None and bots < 1:
        raise click.UsageError(f"--bots takes 1 or more, not {bots}; to play against bots, leave it out")
    if scenario is not None and (load_file or players or names or seed or options or bots):
        raise click.UsageError("--from uses the players, names, options and seed of the scenario; leave yours out")
    if cards and load_file:
        raise click.UsageError("--with and --load cannot be combined: --with starts a new game")
    if bots is not None and hot_seat:
        raise click.UsageError("--hot-seat and --bots cannot be combined: --bots only watches")
    if save_file is not None and (why := why_unwritable(save_file)):
        raise click.UsageError(f"the game cannot be saved to {save_file}: {why}")
    if record_file is not None and (why := why_unwritable(record_file)):
        raise click.UsageError(f"the game cannot be recorded in {record_file}: {why}")
    loaded = load_game(game, mods, mode)
    backend = soonest(backend)
    language = language_of(loaded, lang)
    if load_file is not None:
        state = _restored(loaded, load_file, backend)
    elif scenario is not None:
        from rulelang.testing.scenarios.opening import NotFound, at_scenario

        try:
            state = at_scenario(game, scenario, mods, mode, backend)
        except NotFound as problem:
            raise CannotRun(str(problem)) from None
    else:
        seats = bots or (usual_players(loaded) if players is None else players)
        state = _begun(loaded, seats, names, seed, options, backend)
    count = len(state.players)
    if not 1 <= seat <= count:
        raise click.UsageError(f"there is no seat {seat}: seats are numbered from 1 to {count}")
    agents = _agents(agent, count, state.seed or 0)
    begun_with = state.seed
    for place, card in enumerate(cards):
        state = _with_card(state, card, seat, cards[:place])
    from rulelang.presentation.view import in_words

    state = in_words(state.spoken(language))
    keeper = _keeper(record_file, loaded, state)
    if bots is not None:
        from rulelang.presentation.console import watch_game

        title = language.word(loaded.title)
        say(language.say("{title}, {n} players, seed {seed}", title=title, n=count, seed=str(begun_with)))
        watch_game(state, agents, say, terminal_columns(), full=log == "full", keeper=keeper)
    else:
        from rulelang.presentation.console import Match

        people = frozenset(range(1, count + 1)) if hot_seat else frozenset({seat})
        match = Match(state, people, agents, keeper=keeper)
        title = language.word(loaded.title)
        sit_down(match, title, plain, save_file, partial(_rules, language, game, mods, mode), full=log == "full")
        state = match.state
    if log and bots is None:
        from rulelang.base.terminal import fold_line
        from rulelang.presentation.story import Story

        for line in Story(None if state.over else seat, full=log == "full").news(state):
            for part in fold_line(line, terminal_columns()):
                say(part)
    if save_file is not None:
        write_atomically(save_file, state.save())
        say(language.say("Saved to {file}.", file=str(save_file)))


def _keeper(file: Path | None, game: Game, state: State) -> Keeper | None:
    """Who writes down the game that stands so, if anybody is to."""
    if file is None:
        return None
    from rulelang.testing.replay_writer import ReplayWriter

    writer = ReplayWriter(file, game.info)
    writer.begin(state)
    return writer


def _with_card(state: State, name: str, seat: int, keep: Sequence[str]) -> State:
    """The same with that card in somebody's hand, and word of where it lies now."""
    from rulelang.testing.scenarios.opening import NotFound, with_card

    try:
        state, where = with_card(state, name, seat, keep)
    except NotFound as problem:
        raise CannotRun(str(problem)) from None
    say(f"{state.players[seat - 1]} begins with {name}: {where}.")
    return state


def sit_down(
    match: Match,
    title: str,
    plain: bool,
    save_to: Path | None,
    rules: Callable[[str], Sequence[str]],
    *,
    full: bool = False,
) -> None:
    """Play on the full screen where there is one, else line by line."""
    from rulelang.presentation.console import Session
    from rulelang.presentation.console_output import score_lines

    if not plain and full_screen():
        try:
            from rulelang.apps.terminal import TableApp
        except ImportError as problem:
            if not not_installed(problem, "rich", "textual"):
                raise
            say("(for the full screen: pip install 'rulelang[play]')")
        else:
            TableApp(match, title, save_to=save_to, rules=rules).run()
            for line in score_lines(match.state) if match.state.over else ():
                say(line)
            return
    say(match.state.names.language.say("Type a number or the text of an option, or `help`."))
    Session(match, say, ask, terminal_columns(), full=full).run()


def _rules(language: Language, game: str, mods: tuple[str, ...], mode: str | None, name: str) -> Sequence[str]:
    """What `rulelang show` tells of a name."""
    from rulelang.apps.cli.reading import read
    from rulelang.apps.cli.showing import lines_about

    return lines_about(read(game, mods, mode), name, language)


def ask(prompt: str) -> str | None:
    """A line that was typed; None at the end of input, or if the person breaks off."""
    try:
        if not sys.stdin.isatty():
            # What is piped in is shown, so that the output reads like a session.
            line = sys.stdin.readline()
            if not line:
                return None
            say(f"{prompt}{line.rstrip()}")
            return line
        return input(escape_controls(prompt))
    except (EOFError, KeyboardInterrupt, UnicodeDecodeError):
        return None


def _begun(game: Game, players: int, names: str | None, seed: int | None, pairs: Sequence[str], backend: str) -> State:
    from random import SystemRandom

    options = options_of(pairs)
    check_table(game, players, options)
    called = [name.strip() for name in names.split(",")] if names else []
    called += [name for name in NAMES if name.casefold() not in {given.casefold() for given in called}]
    called = called[: max(players, len(names.split(",")) if names else 0)]
    try:
        seed = SystemRandom().randrange(1 << 30) if seed is None else seed
        return game.new(players, seed, called, options, backend)
    except BadArgument as error:
        raise click.UsageError(str(error)) from None


def _restored(game: Game, file: Path, backend: str) -> State:
    from rulelang.runtime.state import SaveError

    with open(file, "rb") as stream:
        blob = stream.read(BIGGEST + 1)
    try:
        return game.restore(blob, backend)
    except SaveError as error:
        raise CannotRun(f"{file}: {error}") from None


def _agents(name: str, count: int, seed: int) -> list[Agent]:
    from rulelang.runtime.agents import make_agent
    from rulelang.runtime.seating import begin_agent

    try:
        agents = [make_agent(name) for _ in range(count)]
    except BadArgument as error:
        raise click.UsageError(str(error)) from None
    for place, agent in enumerate(agents):
        begin_agent(agent, seed + place)
    return agents
