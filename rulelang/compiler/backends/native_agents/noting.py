"""Games that the library notes while it plays them: `tape.c`."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulelang.base.trace_plan import DECISIONS, EVENTS, MOVES, HandArrangement, Trace, TracePlan, empty_trace
from rulelang.compiler.backends.native.context import Context, place
from rulelang.compiler.backends.native_agents.searching import Inner, Searching, arrays

#: Rows of each table that a game is given room for at first.
_ROOM = 1000
#: What of a plan the library reads as it is, in its order.
_PLANNED = ("place", "force", "hand", "printed", "choice_at", "card_args", "acts")
#: Words of a table in a tape: its rows, for how many there is room, how many there are, how wide each is.
_TABLE, _USED = 4, 2


class NativeAgents(Searching):
    """A native program between whose agents games are played and noted."""

    def noted_many(
        self,
        plan: TracePlan,
        series: int,
        first: int,
        games: int,
        agents: Sequence[Inner],
        arranged: HandArrangement | None = None,
        *,
        written: bool = False,
    ) -> Trace:
        """Whole games between agents, as `between_many`, and what is noted of them; `written`: also all moves of cards,
        events and decisions. RuleError of the first game that fails."""
        kinds, budgets, most = arrays(agents)
        chance = array("i", bytes(8 * len(agents)))
        known: dict[str, int] = self.threads.__dict__.setdefault("room", dict.fromkeys(_widths(plan), _ROOM))
        room = {name: each * games if written else 0 for name, each in known.items()}
        made, tables, used = empty_trace(plan, games, self.width), _tables(plan, room), dict[str, int]()

        def go(here: Context) -> int:
            # What is counted is of one attempt: with more room it begins anew.
            nonlocal made, tables, used
            made, tables = empty_trace(plan, games, self.width), _tables(plan, room)
            given, kept = _tape(plan, made, tables, room, arranged)
            tape = array("q", given) + array("q", bytes(self.lib.rl_tape_size() - 8 * len(given)))
            done = self.lib.rl_noted_many(
                here.C, here.at, place(self.start), series, first, games, len(agents), place(kinds), place(budgets),
                place(chance), place(made.rows), place(tape),
            )  # fmt: skip
            used = dict(zip(tables, tape[_USED::_TABLE], strict=False))
            del kept
            return 0 if done == games else -1

        while True:
            self.with_room(go, most)
            if not written or all(used[name] <= room[name] for name in tables):
                break
            room = {name: max(room[name], used[name] + 1000) for name in tables}
        if written:
            # so that the next ones have room at once
            known |= {name: max(known[name], 5 * used[name] // (4 * games) + 1) for name in tables}
            for name, width in _widths(plan).items():
                setattr(made, name, tables[name][: used[name] * width])
        return made


def _widths(plan: TracePlan) -> dict[str, int]:
    return {
        "moves": len(MOVES),
        "events": len(EVENTS) + plan.arguments,
        "decisions": len(DECISIONS) + plan.values,
    }


def _tables(plan: TracePlan, room: dict[str, int]) -> dict[str, array[int]]:
    return {name: array("i", (0,)) * (room[name] * width) for name, width in _widths(plan).items()}


def _tape(
    plan: TracePlan, made: Trace, tables: dict[str, array[int]], room: dict[str, int], arranged: HandArrangement | None
) -> tuple[list[int], list[array[int]]]:
    """The words of a tape over these arrays (`tape.h`), and what has to live as long as it does."""
    wanted = array("B", (arranged is not None and card in arranged.wanted for card in range(plan.cards)))
    planned = [array("i", getattr(plan, name)) for name in _PLANNED]
    beside = [array("i", bytes(4 * plan.cards)), array("i", bytes(4 * plan.choices + 4))]
    words = [word for name, table in tables.items() for word in (place(table), room[name], 0, _widths(plan)[name])]
    words += [
        *map(place, planned),
        len(plan.places), plan.traits, plan.pairs, plan.choices, plan.layout.card_face, plan.layout.cells.actor,
        *map(place, (made.reached, made.offered, made.taken, made.used, made.notes, wanted)),
        0 if arranged is None else 1 + arranged.given, *map(place, beside),
    ]  # fmt: skip
    return words, [*planned, *beside, wanted]
