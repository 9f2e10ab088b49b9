"""The first position of a game: words from a seed, run to the first decision."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.runtime.names import Names
from rulelang.runtime.program import OptionTuple
from rulelang.runtime.recorder import Recorder
from rulelang.runtime.table import Table
from rulelang.runtime.watch import check_invariants

#: The value of the word `stepping` of a game that asks forced decisions.
ASKS_FORCED = 2


def seeded(table: Table, seed: int, *, ask_forced: bool = False) -> list[int]:
    """Return the initial words of a game with this seed."""
    words = table.program.initial
    table.seed_game(words, seed)
    if ask_forced:
        words[table.program.layout.cells.stepping] = ASKS_FORCED
    return words


def begun(
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
