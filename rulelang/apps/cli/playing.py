"""Play in the terminal and repeat recorded games: `rulelang play`, `replay` and `diff-games`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.options import (
    default_players,
    game_language,
    load_game,
    parse_options,
    table_options,
    takes_backend,
    takes_language,
    takes_mode,
    takes_mods,
    takes_options,
    takes_players,
    takes_seed,
)
from rulelang.apps.cli.screen import (
    FINE,
    MISTAKES,
    CannotRun,
    can_draw_screen,
    counted,
    is_not_installed,
    say,
    terminal_columns,
)
from rulelang.base.errors import BadArgument
from rulelang.base.files import why_unwritable, write_atomically
from rulelang.base.terminal import escape_controls, wrap_text
from rulelang.runtime.program import soonest

if TYPE_CHECKING:
    from rulelang.base.languages import Language
    from rulelang.presentation.console import Keeper, Match
    from rulelang.runtime.game import Game
    from rulelang.runtime.seating import Agent
    from rulelang.runtime.state import State
    from rulelang.testing.divergence import SeriesDivergence
    from rulelang.testing.replay import Divergence, RecordedGame, Replay
    from rulelang.testing.replay_stepper import Walk
    from rulelang.testing.scenarios.fixture import Fixture
    from rulelang.testing.scenarios.writer import Written
    from rulelang.testing.scenarios.yaml_forms import Given


# ---- `play`

PLAYER_NAMES = ("Ana", "Bob", "Cleo", "Dan", "Eve", "Finn")
LARGEST_FILE = 200_000_000  # bytes of a saved game
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)


#: How the log is told at the end.
LOG_KINDS = ("folded", "full")


class _PlayCommand(click.Command):
    """Takes a GAME behind `--log` for the game, and not for how the log is told."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        alone = [arg == "--log" and after not in LOG_KINDS for arg, after in zip(args, [*args, ""][1:], strict=True)]
        said = [f"--log={LOG_KINDS[0]}" if by_itself else arg for arg, by_itself in zip(args, alone, strict=True)]
        return super().parse_args(ctx, said)


@click.command(cls=_PlayCommand)
@click.argument("game", shell_complete=completion.games)
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
    type=click.Choice(LOG_KINDS),
    is_flag=False,
    flag_value=LOG_KINDS[0],
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
    language = game_language(loaded, lang)
    if load_file is not None:
        state = _load_game_state(loaded, load_file, backend)
    elif scenario is not None:
        from rulelang.testing.scenarios.opening import NotFound, at_scenario

        try:
            state = at_scenario(game, scenario, mods, mode, backend)
        except NotFound as problem:
            raise CannotRun(str(problem)) from None
    else:
        seats = bots or (default_players(loaded) if players is None else players)
        state = _begin_game(loaded, seats, names, seed, options, backend)
    count = len(state.players)
    if not 1 <= seat <= count:
        raise click.UsageError(f"there is no seat {seat}: seats are numbered from 1 to {count}")
    agents = _seated_agents(agent, count, state.seed or 0)
    begun_with = state.seed
    for place, card in enumerate(cards):
        state = _with_card_in_hand(state, card, seat, cards[:place])
    from rulelang.presentation.view import in_words

    state = in_words(state.spoken(language))
    keeper = _replay_writer(record_file, loaded, state)
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
        play_in_terminal(
            match, title, plain, save_file, partial(_rules_about, language, game, mods, mode), full=log == "full"
        )
        state = match.state
    if log and bots is None:
        from rulelang.base.terminal import fold_lines
        from rulelang.presentation.story import Story

        for part in fold_lines(Story(None if state.over else seat, full=log == "full").news(state), terminal_columns()):
            say(part)
    if save_file is not None:
        write_atomically(save_file, state.save())
        say(language.say("Saved to {file}.", file=str(save_file)))


def _replay_writer(file: Path | None, game: Game, state: State) -> Keeper | None:
    """Who writes down the game that stands so, if anybody is to."""
    if file is None:
        return None
    from rulelang.testing.replay_writer import ReplayWriter

    writer = ReplayWriter(file, game.info)
    writer.begin(state)
    return writer


def _with_card_in_hand(state: State, name: str, seat: int, keep: Sequence[str]) -> State:
    """The same with that card in somebody's hand, and word of where it lies now."""
    from rulelang.testing.scenarios.opening import NotFound, with_card

    try:
        state, where = with_card(state, name, seat, keep)
    except NotFound as problem:
        raise CannotRun(str(problem)) from None
    say(f"{state.players[seat - 1]} begins with {name}: {where}.")
    return state


def play_in_terminal(
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

    if not plain and can_draw_screen():
        try:
            from rulelang.apps.terminal import TableApp
        except ImportError as problem:
            if not is_not_installed(problem, "rich", "textual"):
                raise
            say("(for the full screen: pip install 'rulelang[play]')")
        else:
            TableApp(match, title, save_to=save_to, rules=rules).run()
            for line in score_lines(match.state) if match.state.over else ():
                say(line)
            return
    say(match.state.names.language.say("Type a number or the text of an option, or `help`."))
    Session(match, say, ask_line, terminal_columns(), full=full).run()


def _rules_about(language: Language, game: str, mods: tuple[str, ...], mode: str | None, name: str) -> Sequence[str]:
    """What `rulelang show` tells of a name."""
    from rulelang.apps.cli.descriptions import lines_about, read_ruleset

    return lines_about(read_ruleset(game, mods, mode), name, language)


def ask_line(prompt: str) -> str | None:
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


def _begin_game(
    game: Game, players: int, names: str | None, seed: int | None, pairs: Sequence[str], backend: str
) -> State:
    from random import SystemRandom

    options = parse_options(pairs)
    table_options(game, players, options)
    called = [name.strip() for name in names.split(",")] if names else []
    called += [name for name in PLAYER_NAMES if name.casefold() not in {given.casefold() for given in called}]
    called = called[: max(players, len(names.split(",")) if names else 0)]
    try:
        seed = SystemRandom().randrange(1 << 30) if seed is None else seed
        return game.new(players, seed, called, options, backend)
    except BadArgument as error:
        raise click.UsageError(str(error)) from None


def _load_game_state(game: Game, file: Path, backend: str) -> State:
    from rulelang.runtime.state import SaveError

    with open(file, "rb") as stream:
        blob = stream.read(LARGEST_FILE + 1)
    try:
        return game.restore(blob, backend)
    except SaveError as error:
        raise CannotRun(f"{file}: {error}") from None


def _seated_agents(name: str, count: int, seed: int) -> list[Agent]:
    from rulelang.runtime.agents import make_agent
    from rulelang.runtime.seating import begin_agent

    try:
        agents = [make_agent(name) for _ in range(count)]
    except BadArgument as error:
        raise click.UsageError(str(error)) from None
    for place, agent in enumerate(agents):
        begin_agent(agent, seed + place)
    return agents


# ---- `replay`


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--game",
    metavar="GAME",
    shell_complete=completion.games,
    help="Use the rules in this folder or zip, or with this id. (default: the id in the file)",
)
@takes_mods()
@takes_mode("the one in the file")
@click.option("--nth", type=click.IntRange(min=1), metavar="N", help="Play only game N in the file.")
@click.option("--step", is_flag=True, help="Step through a game, back and forth.")
@click.option(
    "--to-scenario",
    metavar="K",
    type=click.IntRange(min=1),
    help="Write decision K and the recorded move as a scenario.",
)
@click.option("--name", metavar="NAME", help="Name the scenario. (default: a name based on its move)")
@click.option(
    "--output",
    "-o",
    metavar="FILE.yaml",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append the scenario to this file. (default: print it)",
)
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
    to_scenario: int | None,
    name: str | None,
    output: Path | None,
    backend: str,
) -> None:
    """Play recorded games again, step by step.

    FILE is a recording from `play --record` or `sim --record`. Every move must be possible, and every position must
    match the recorded one. If the rules have changed, replay reports that and matches moves by their text. If FILE
    contains several games, --step and --to-scenario use the first; to choose another game, use --nth.
    """
    from rulelang.runtime.state import SaveError
    from rulelang.testing.replay import read, rules_differences

    _check_options(step=step, number=to_scenario, name=name, output=output)
    try:
        found = read(file)
    except SaveError as error:
        raise CannotRun(f"{file}: {error}") from None
    where = game or str(found.identity["ruleset"])
    over = mods or tuple(str(mod) for mod in found.identity["mods"])
    mode = mode if mode is not None else found.identity["mode"]
    loaded = load_game(where, over, mode)
    if nth is not None and nth > len(found.games):
        raise click.UsageError(f"there is no game {nth} in {file}: it has {len(found.games)}")
    if not found.games:
        raise CannotRun(f"{file} contains no games")
    changed = rules_differences(found, loaded)
    aside = to_scenario is not None  # what is printed then is a file
    if found.torn:
        _say_fitted(f"The last line of {file} is incomplete and was skipped.", err=aside)
    if changed:
        _say_fitted(
            f"The rules have changed since the recording: {changed}. Moves are matched by their text.", err=aside
        )
    if step or to_scenario is not None:
        walk = _walk_replay(loaded, found.games[(nth or 1) - 1], same=not changed)
        writer = _ScenarioWriter(walk, where, over, mode)
        if to_scenario is None:
            _step_to(walk, writer)
        else:
            writer.write(to_scenario, name or "", output)
        return
    chosen = [(nth, found.games[nth - 1])] if nth is not None else list(enumerate(found.games, 1))
    wrong = _count_verified(loaded, found, chosen, backend, same=not changed)
    ctx.exit(MISTAKES if wrong else FINE)


def _count_verified(
    game: Game, found: Replay, chosen: list[tuple[int, RecordedGame]], backend: str, *, same: bool
) -> int:
    """Play games again and tell which are not what they were; how many that are."""
    from rulelang.runtime.simulate import MANY
    from rulelang.runtime.simulate import chosen_backend as backend_for
    from rulelang.testing.replay import find_divergence

    moves = sum(len(one.moves) for _, one in chosen)
    used = backend_for(backend, MANY if moves > 50 * MANY else 1, None)
    wrong = 0
    for number, one in chosen:
        parted = find_divergence(game, one, used, same=same)
        if parted is not None:
            wrong += 1
            which = f"game {number} of {len(found.games)}, " if len(found.games) > 1 else ""
            _say_fitted(f"{which}{_divergence_text(one, parted)}")
    open_ = sum(one.end is None for _, one in chosen)
    say(f"{game.title} {game.version}: {counted(len(chosen), 'game')}, {counted(moves, 'move')}")
    if wrong:
        say(f"{wrong} differ from the recording, {len(chosen) - wrong} match")
    else:
        say("as recorded" + (f"; {open_} unfinished" if open_ else ""))
    return wrong


def _divergence_text(recorded: RecordedGame, parting: Divergence) -> str:
    last = len(recorded.moves)
    if not parting.move:
        return f"at the start: {parting.what}"
    where = f"after the last of {last} moves" if parting.move > last else f"move {parting.move} of {last}"
    seen = f" (everything matched up to move {parting.since})" if 0 < parting.since < parting.move else ""
    return f"{where}: {parting.what}{seen}"


def _check_options(*, step: bool, number: int | None, name: str | None, output: Path | None) -> None:
    """UsageError for options that say nothing together."""
    if number is None and (name is not None or output is not None):
        raise click.UsageError(f"{'--name' if output is None else '--output'} needs --to-scenario")
    if number is not None and step:
        raise click.UsageError("--step and --to-scenario cannot be combined; with --step, type `scenario`")


def _walk_replay(game: Game, recorded: RecordedGame, *, same: bool) -> Walk:
    from rulelang.testing.replay import Diverged
    from rulelang.testing.replay_stepper import Walk

    try:
        return Walk(game, recorded, same=same)
    except Diverged as error:
        raise CannotRun(str(error)) from None


class _ScenarioWriter:
    """Writes decisions of a game as scenarios; the rules are read for it when the first is asked for."""

    def __init__(self, walk: Walk, where: str, mods: tuple[str, ...], mode: str | None) -> None:
        self.walk, self.where, self.mods, self.mode = walk, where, mods, mode

    @cached_property
    def fixture(self) -> Fixture:
        from rulelang.compiler.compilation import Compilation
        from rulelang.testing.scenarios.fixture import Fixture

        return Fixture(Compilation(self.where, self.mods, self.mode))

    def decision(self, number: int, name: str) -> Written:
        from rulelang.testing.replay_stepper import as_scenario

        heads: Given = {}
        if self.mods:
            heads["mods"] = list(self.mods)
        if self.mode:
            heads["mode"] = self.mode
        return as_scenario(self.fixture, self.walk, number, name, heads)

    def text(self, number: int, name: str) -> str:
        from rulelang.testing.scenarios.writer import HEAD

        return HEAD + self.decision(number, name).text("  ")

    def write(self, number: int, name: str, output: Path | None) -> None:
        """Print a scenario, or write it into a file."""
        from rulelang.testing.replay_stepper import add_scenario
        from rulelang.testing.scenarios.writer import CannotWrite

        try:
            if output is None:
                say(self.text(number, name), nl=False)
                return
            line, called = add_scenario(output, self.decision(number, name))
        except (CannotWrite, UnicodeDecodeError) as error:
            told = str(error) if isinstance(error, CannotWrite) else f"`{output}` is not a UTF-8 file"
            raise CannotRun(told) from None
        except OSError as error:
            raise CannotRun(f"{output} cannot be written: {error.strerror or error}") from None
        _say_fitted(f"written: {output}:{line}, `{called}`")


def _step_to(walk: Walk, writer: _ScenarioWriter) -> None:
    from rulelang.testing.replay_stepper import ReplayStepper

    ReplayStepper(walk, say, ask_line, writer.text, terminal_columns()).run()


def _say_fitted(text: str, *, err: bool = False) -> None:
    for line in wrap_text(text, terminal_columns(), "", "    "):
        say(line, err=err)


# ---- `diff-games`


@click.command("diff-games")
@click.argument("a", shell_complete=completion.games)
@click.argument("b", shell_complete=completion.games)
@click.option(
    "--mod-a", metavar="MOD", multiple=True, shell_complete=completion.mods, help="Apply this mod to A. Repeatable."
)
@click.option(
    "--mod-b", metavar="MOD", multiple=True, shell_complete=completion.mods, help="Apply this mod to B. Repeatable."
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
        found = _compare_recorded(first, second, file)
    else:
        from rulelang.testing.divergence import diverging_series

        count = default_players(first) if players is None else players
        chosen = parse_options(options)
        # An option that only one of them has is for that one.
        own = tuple({k: v for k, v in chosen.items() if k in game.options or k not in other.options}
                    for game, other in ((first, second), (second, first)))  # fmt: skip
        for game, given in zip((first, second), own, strict=True):
            table_options(game, count, given)
        found = list(diverging_series(first, second, seed, games, count, (own[0], own[1])))
    parted = [(number, one) for number, (one, _) in enumerate(found, 1) if one is not None]
    moves = sum(same for _, same in found)
    if not parted:
        say(f"{counted(len(found), 'game')} with {counted(moves, 'decision')} are the same in both")
        ctx.exit(FINE)
    earliest = min(parted, key=lambda pair: pair[1].moves)
    say(f"{len(parted)} of {counted(len(found), 'game')} diverge; the earliest divergence:")
    _print_divergence(*earliest, file)
    ctx.exit(MISTAKES)


def _compare_recorded(first: Game, second: Game, file: Path) -> list[tuple[SeriesDivergence | None, int]]:
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


def _print_divergence(number: int, parted: SeriesDivergence, file: Path | None) -> None:
    which = f"game {number} of {file}" if file is not None else f"game {number}, seed {parted.seed}"
    where = f" ({parted.where})" if parted.where else ""
    _say_wrapped(f"{which}: they diverge before decision {parted.moves + 1}{where}")
    if parted.last:
        _say_wrapped(f"last move   {parted.last}")
    for line in parted.differs:
        _say_wrapped(line)


def _say_wrapped(text: str) -> None:
    for line in wrap_text(text, terminal_columns(), "  ", "      "):
        say(line)
