"""Games that the library notes while it plays them: `runtime/tape.c`."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence

from rulelang.backends.native.context import Context, place
from rulelang.backends.native.search_api import Inner, Inside, arrays
from rulelang.base.noting import DECISIONS, EVENTS, MOVES, Arranged, Noted, Plan, fresh

_I64 = ctypes.c_longlong
_OPENED, _MOMENTS = 256, 16  # as in `tape.h`
#: Rows of each table that a game is given room for at first.
_ROOM = 1000


class _Table(ctypes.Structure):
    _fields_ = (("rows", ctypes.c_void_p), ("room", _I64), ("used", _I64), ("width", _I64))


class _Tape(ctypes.Structure):
    """As `tape` in `tape.h`."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("place", "force", "hand", "printed", "choice_at", "card_args", "acts")),
        *((name, _I64) for name in ("places", "traits", "pairs", "choices", "face", "actor")),
        *((name, ctypes.c_void_p) for name in ("reached", "offered", "taken", "used", "row", "wanted")),
        ("arranged", _I64),
        *((name, _Table) for name in ("moves", "events", "decisions")),
        ("S", ctypes.c_void_p),
        *((name, _I64) for name in ("game", "number", "open_n")),
        ("open", _I64 * _OPENED),
        ("begun", _I64 * _OPENED),
        *((name, _I64) for name in ("moments", "step", "asked")),
        ("lay", ctypes.c_void_p),
        ("marks", ctypes.c_void_p),
        ("led", ctypes.c_int * _MOMENTS),
    )


class Noting(Inside):
    """What a native program has of it."""

    def noted_many(
        self,
        plan: Plan,
        series: int,
        first: int,
        games: int,
        agents: Sequence[Inner],
        arranged: Arranged | None = None,
        *,
        written: bool = False,
    ) -> Noted:
        """Whole games between agents, as `between_many`, and what is noted of them; `written`: also all moves of cards,
        events and decisions. RuleError of the first game that fails."""
        if self.lib.rl_tape_size() != ctypes.sizeof(_Tape):
            raise OSError("the library and rulelang mean different tapes")
        kinds, budgets, most = arrays(agents)
        chance = array("i", bytes(8 * len(agents)))
        known: dict[str, int] = self.threads.__dict__.setdefault("room", dict.fromkeys(_widths(plan), _ROOM))
        room = {name: each * games if written else 0 for name, each in known.items()}
        made, tables, tape = fresh(plan, games, self.width), _tables(plan, room), _Tape()

        def go(here: Context) -> int:
            # What is counted is of one attempt: with more room it begins anew.
            nonlocal made, tables, tape
            made, tables = fresh(plan, games, self.width), _tables(plan, room)
            tape, kept = _tape(plan, made, tables, room, arranged)
            done = self.lib.rl_noted_many(
                here.C, here.at, place(self.start), series, first, games, len(agents), place(kinds), place(budgets),
                place(chance), place(made.rows), ctypes.byref(tape),
            )  # fmt: skip
            del kept
            return 0 if done == games else -1

        while True:
            self.with_room(go, most)
            used = {name: int(getattr(tape, name).used) for name in tables}
            if not written or all(used[name] <= room[name] for name in tables):
                break
            room = {name: max(room[name], used[name] + 1000) for name in tables}
        if written:  # so that the next ones have room at once
            known |= {name: max(known[name], 5 * used[name] // (4 * games) + 1) for name in tables}
        if written:
            for name, width in _widths(plan).items():
                setattr(made, name, tables[name][: used[name] * width])
        return made


def _widths(plan: Plan) -> dict[str, int]:
    return {
        "moves": len(MOVES),
        "events": len(EVENTS) + plan.arguments,
        "decisions": len(DECISIONS) + plan.values,
    }


def _tables(plan: Plan, room: dict[str, int]) -> dict[str, array[int]]:
    return {name: array("i", (0,)) * (room[name] * width) for name, width in _widths(plan).items()}


def _tape(
    plan: Plan, made: Noted, tables: dict[str, array[int]], room: dict[str, int], arranged: Arranged | None
) -> tuple[_Tape, list[object]]:
    """A tape over these arrays, and what has to live as long as it does."""
    tape = _Tape()
    kept: dict[str, array[int]] = {
        name: array("i", getattr(plan, name))
        for name in ("place", "force", "hand", "printed", "choice_at", "card_args", "acts")
    }
    kept["lay"], kept["marks"] = array("i", bytes(4 * plan.cards)), array("i", bytes(4 * plan.choices + 4))
    kept |= {name: getattr(made, name) for name in ("reached", "offered", "taken", "used")}
    kept["row"] = made.notes
    for name, words in kept.items():
        setattr(tape, name, words.buffer_info()[0])
    wanted = bytes(arranged is not None and card in arranged.wanted for card in range(plan.cards))
    tape.wanted = ctypes.cast(ctypes.c_char_p(wanted), ctypes.c_void_p).value
    tape.arranged = 0 if arranged is None else 1 + arranged.given
    tape.places, tape.traits, tape.pairs, tape.choices = len(plan.places), plan.traits, plan.pairs, plan.choices
    tape.face, tape.actor = plan.layout.card_face, plan.layout.cells.actor
    for name, table in tables.items():
        setattr(tape, name, _Table(table.buffer_info()[0], room[name], 0, _widths(plan)[name]))
    return tape, [kept, wanted]
