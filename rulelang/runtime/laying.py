"""A game in which somebody has laid something by hand."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.runtime.state import State
from rulelang.runtime.watch import check_invariants


def changed(state: State, change: Callable[[list[int]], None]) -> State:
    """A clone whose words `change` has altered. What is asked is listed again; there is no replay of it, and nothing to
    undo. RuleError if an invariant of the rules does not hold any more."""
    new = state.clone()
    program, words = state._table.program, list(state._words)
    change(words)
    check_invariants(state._table, words, state._names, state._host)
    new._words = program.pack(words)
    new._host = state._host.copy(new._words)
    if state._keys is not None:
        new._keys = program.options(new._words)
    new._past, new._seed, new._decision = (), None, None
    return new
