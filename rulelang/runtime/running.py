"""Run a game to its first decision, and watch that games end and keep their invariants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import RuleError
from rulelang.base.source import NOWHERE
from rulelang.runtime.display_names import Names, player_names
from rulelang.runtime.event_log import Log
from rulelang.runtime.program import LinkedProgram, OptionTuple
from rulelang.runtime.recorder import Recorder
from rulelang.runtime.table import Table

# ---- limits and invariants

#: Decisions of a game, unless more are allowed.
MOST_DECISIONS = 100_000
#: Pauses of a scenario's game in a row at which nobody has a choice.
MOST_FORCED = 5_000
#: Lines of the log that are told with an invariant that does not hold.
LINES_SHOWN = 5


def endless_game_error(
    program: LinkedProgram, S: Sequence[int], most: int, site: int, player: int, what: str = "decisions"
) -> RuleError:
    """A game has more decisions (or `what` of them) than are allowed: where it stands."""
    cells, layout = program.layout.cells, program.layout
    phases = layout.lists.get("phase", ())
    phase = phases[S[cells.phase]] if 0 < S[cells.phase] < len(phases) else ""
    inside = f", phase `{phase}`" if phase else ""
    asked = f"player {player} is asked: {program.sites[site - 1].prompt}" if 0 < site <= len(program.sites) else ""
    span = program.sites[site - 1].span if 0 < site <= len(program.sites) else NOWHERE
    return RuleError(
        Diagnostic(
            "X611",
            span,
            f"the game does not end: there were {most:,} {what}",
            because=f"the game is in round {S[cells.round]:,}{inside}{', and ' if asked else ''}{asked}",
        )
    )


def broken_invariant(
    program: LinkedProgram, S: list[int], names: Names | None = None, log: Log | None = None
) -> RuleError | None:
    """The first invariant that does not hold, with the values that it fails for; None if all hold."""
    failed = program.invariants(S)
    if not failed:
        return None
    name, span = failed[0]
    texts = names or Names(program.layout, player_names(program.layout.players, None))
    found: list[str] = []
    for number, args in program.why(S, f"invariant {name}", ()):
        found.append(texts.render(program.reasons[number].text, args))
    because = "; ".join(dict.fromkeys(found)) or "an invariant must be true after every step of the game"
    if log:
        told = [event.text for event in log if event.told][-LINES_SHOWN:]
        because += f"; the log before it: {'; '.join(told)}" if told else ""
    return RuleError(Diagnostic("X607", span, f"the invariant `{name}` is broken", because=because))


def check_invariants(table: Table, words: list[int], names: Names | None = None, host: Recorder | None = None) -> None:
    """RuleError for the first invariant that fails, with the last lines of what `host` has heard."""
    if table.program.invariants(words):
        log = None if names is None or host is None else Log(host, names)
        failed = broken_invariant(table.program, words, names, log)
        if failed is not None:
            raise failed


@contextmanager
def watching_limits(program: LinkedProgram, most: int, invariants: bool) -> Iterator[None]:
    """While it lasts, games that the program plays by itself have so many decisions at most, and test invariants."""
    program.watch(most, invariants)
    try:
        yield
    finally:
        program.watch(MOST_DECISIONS, False)


# ---- the first position

#: The value of the word `stepping` of a game that asks forced decisions.
ASKS_FORCED = 2


def seeded_cells(table: Table, seed: int, *, ask_forced: bool = False) -> list[int]:
    """Return the initial words of a game with this seed."""
    words = table.program.initial
    table.seed_game(words, seed)
    if ask_forced:
        words[table.program.layout.cells.stepping] = ASKS_FORCED
    return words


def begin_game(
    table: Table, words: list[int], texts: Names, *, log: bool = True, dice: Sequence[int] = (), invariants: bool = True
) -> tuple[list[int], Recorder, list[OptionTuple] | None]:
    """Run a game from its initial words to the first decision: words, recorder, options. RuleError for a mistake in the
    rules that shows before."""
    words = table.program.pack(words)
    host = Recorder(table, words, log)
    host.dice = tuple(dice)
    keys = table.program.begin(words, host)
    host.settle()
    if invariants:
        check_invariants(table, words, texts, host)
    return words, host, keys
