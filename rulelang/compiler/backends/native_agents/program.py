"""Search, observe and play games between agents inside a native library."""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

from rulelang.base import hidden_state
from rulelang.base.hidden_state import (
    SecretWord,
    ZoneRow,
    card_references,
    exchange_groups,
    secret_words,
    trait_words,
    zone_rows,
)
from rulelang.base.layout import Layout
from rulelang.base.search_params import DEEPEST, EXPLORE, EXPLORING, MARGIN, PRIOR, SEARCH_SETTINGS, WIN
from rulelang.base.trace_plan import DECISIONS, EVENTS, MOVES, HandArrangement, Trace, TracePlan, empty_trace
from rulelang.compiler.backends.native import shared
from rulelang.compiler.backends.native.build import lines_behind
from rulelang.compiler.backends.native.emit import Emitted, constant_table, emit
from rulelang.compiler.backends.native.link import Context, NativeProgram, array_address
from rulelang.compiler.ir import nodes as ir

# ---- tables for agents

#: Agents of the library.
AGENT_KINDS = {"random": 0, "first": 1, "greedy": 2, "mc": 3, "ismcts": 4}
#: An internal error of a library (`backends.native.shared`): a search tree needs more room.
TREE_FULL = 10


def game_header(module: ir.Module) -> list[str]:
    """The lines."""
    layout = module.layout
    manners = ", ".join(f"{{{', '.join(map(str, manner))}}}" for manner in SEARCH_SETTINGS.values())
    return [
        f"enum {{ {', '.join(f'{name} = {value}' for name, value in agent_constants(layout).items())} }};",
        "#define SEARCHES 1",
        f"#define SEARCHING {manners}",
        _row_table("zone_row", "ZONES", _grouped_by_name(zone_rows(layout))),
        _row_table("secret_word", "SECRETS", _grouped_by_name(secret_words(layout))),
        _row_table("trait_word", "TRAIT_WORDS", ({"at": at, "card": card} for at, card in trait_words(layout))),
        _row_table(
            "reference", "REFERENCES", ({"base": base, "words": words} for base, words in card_references(layout))
        ),
        constant_table("COLUMNS", _telling_columns(layout)),
        constant_table("GROUPS", exchange_groups(layout)),
        constant_table("ZONE_PLAYER", layout.zone_player),
        constant_table("TEAM", _team_numbers(module.teams, layout.players)),
    ]


def agent_constants(layout: Layout) -> dict[str, int]:
    """By name."""
    return {
        **{f"SEEN_{name}": getattr(hidden_state, name) for name in ("EVERYONE", "OWNER", "NOBODY", "BOX")},
        **{f"OF_{name}": getattr(hidden_state, name) for name in ("STATE", "PLAYER", "THING", "CARD")},
        **{f"AGENT_{name.upper()}": number for name, number in AGENT_KINDS.items()},
        "ZONES_N": len(layout.zones), "SECRETS_N": len(secret_words(layout)),
        "TRAIT_WORDS_N": len(trait_words(layout)), "REFERENCES_N": len(card_references(layout)),
        "COLUMNS_N": len(_telling_columns(layout)), "GROUPS_N": max(exchange_groups(layout), default=0),
        "INTERNAL_TREE": TREE_FULL, "WIN": WIN, "MARGIN": MARGIN, "EXPLORE": EXPLORE,
        "DEEPEST": DEEPEST, "EXPLORING": EXPLORING, "PRIOR": PRIOR,
    }  # fmt: skip


def _telling_columns(layout: Layout) -> list[int]:
    """Where words lie that tell of a card where it is."""
    return [c for c in (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.silent) if c]


def _team_numbers(teams: Sequence[Sequence[int]], players: int) -> list[int]:
    """By seat, the number of its team."""
    found = [0] * (players + 1)
    for number, team in enumerate(teams or [(seat,) for seat in range(1, players + 1)], 1):
        for seat in team:
            found[seat] = number
    return found


def _grouped_by_name(rows: Iterable[ZoneRow | SecretWord]) -> Iterable[dict[str, int]]:
    return ({field.name: getattr(row, field.name) for field in fields(row)} for row in rows)


def _row_table(kind: str, name: str, rows: Iterable[dict[str, int]]) -> str:
    """C knows no empty arrays."""
    texts = ["{" + ", ".join(f".{field} = {value}" for field, value in row.items()) + "}" for row in rows]
    return f"static const {kind} {name}[] = {{{', '.join(texts or ['{0}'])}}};"


# ---- the C text

#: Those with functions that are called from elsewhere.
EXPORTING = tuple((__package__, name) for name in ("search.c", "tape.c"))


def with_agents(module: ir.Module) -> Emitted:
    """A program of the native backend, with this room behind it."""
    emitted = emit(module)
    return replace(emitted, source=emitted.source + agents_text(module))


def agents_text(module: ir.Module) -> str:
    """Nothing for a module without zones, or without a score: one built by hand."""
    if not module.layout.zones or module.score not in module.functions:
        return ""
    files = (lines_behind(__package__, name) for name in ("secrets.h", "tape.h", "search.c", "tape.c"))
    lines = (*lines_behind(__package__, "rows.h"), *game_header(module), *(line for file in files for line in file), "")
    return "\n".join(lines)


# ---- searches

#: What tells the library the time that its thread has had of a core, in nanoseconds.
CLOCK = ctypes.CFUNCTYPE(ctypes.c_longlong)(time.thread_time_ns)

#: An agent of the library: its name there, and its budget (playouts or iterations; 0 for those without).
Inner = tuple[str, int]


class SearchingProgram(NativeProgram):
    """A native program that has it."""

    more = EXPORTING

    # ---- by number

    def count(self, S: list[int]) -> int:
        """How many options the pending decision has; 0 if there is none."""
        return self.answer(self.ask(S, self.lib.rl_count))

    def choose(self, S: list[int], k: int) -> int:
        """Take the option with this number, in place; the number of options of the next decision, 0 at the end."""
        return self.answer(self.act(S, self.lib.rl_choose, k))

    # ---- secrets

    def observe(self, S: Sequence[int], seat: int) -> list[int]:
        """As `engine.secrets.Secrets.observe`."""
        self.ask(S, self.lib.rl_observe, seat)
        return self.here.words.tolist()

    def observed(self, S: Sequence[int], seat: int) -> list[int] | None:
        """The same, packed; None of a program without zones, in which searches are left out."""
        if not hasattr(self.lib, "rl_observe"):
            return None
        self.ask(S, self.lib.rl_observe, seat)
        found: Any = self.here.words[:]
        return found  # type: ignore[no-any-return]

    def determinise(self, S: list[int], seat: int, seed: int) -> None:
        """As `engine.secrets.Secrets.determinise`, with a generator of this seed."""
        self.act(S, self.lib.rl_determinise, seat, seed)

    # ---- bots

    def search(
        self, kind: str, S: Sequence[int], seat: int, games: int, seed: int, milliseconds: int = 0
    ) -> tuple[int, list[tuple[int, int]]]:
        """The index of the option that an agent of this kind chooses, and of each option how often it was tried and
        what that came to: as `agents.search.Searcher.search`. `milliseconds`: how long, if not so many `games`."""
        tallies = array("q")

        def go(here: Context) -> int:
            nonlocal tallies
            tallies = array("q", bytes(16 * max(self.ask(S, self.lib.rl_count), 0)))
            most, clock = 1_000_000 * milliseconds, CLOCK if milliseconds else None
            return self.ask(
                S, self.lib.rl_search, AGENT_KINDS[kind], seat, games, seed, clock, most, array_address(tallies)
            )

        found = self.with_room(go, games or 100 * milliseconds)
        return found, list(zip(tallies[::2], tallies[1::2], strict=True))

    def between(self, S: list[int], agents: Sequence[Inner], chance: Sequence[tuple[int, int]]) -> None:
        """Play on to the end between agents, in place. `chance`: each agent's generator."""
        kinds, budgets, most = agent_arrays(agents)

        def go(here: Context) -> int:
            words = array("i", [word for pair in chance for word in pair])
            return self.ask(
                S, self.lib.rl_between, len(agents), array_address(kinds), array_address(budgets), array_address(words)
            )

        self.with_room(go, most)
        self.here.leave(S)

    def between_many(self, series: int, first: int, games: int, agents: Sequence[Inner]) -> list[tuple[int, ...]]:
        """Whole games between agents by seat (repeated if fewer), told as by `play_many`: the games of a series."""
        kinds, budgets, most = agent_arrays(agents)
        rows, words = array("q", bytes(8 * self.width * games)), array("i", bytes(8 * len(agents)))

        def go(here: Context) -> int:
            done = self.lib.rl_between_many(
                here.C,
                here.at,
                array_address(self.start),
                series,
                first,
                games,
                len(agents),
                array_address(kinds),
                array_address(budgets),
                array_address(words),
                array_address(rows),
            )
            return 0 if done == games else -1

        self.with_room(go, most)
        return self.games(rows)

    def with_room(self, go: Callable[[Context], int], budget: int) -> int:
        """What a call answers, with ever more room for options and nodes until it is enough."""
        here, nodes = self.here, max(4096, 64 * (budget + 2))
        while True:
            tree = array("q", bytes(8 * nodes))
            self.lib.rl_tree(here.C, array_address(tree), nodes)
            found = go(here)
            if found >= 0:
                return found
            match here.error()[:2]:
                case [shared.INTERNAL, shared.CROWDED]:
                    here.room(8 * len(here.out))
                case [shared.INTERNAL, number] if number == TREE_FULL:
                    nodes *= 4
                case _:
                    self.raise_error()


def agent_arrays(agents: Sequence[Inner]) -> tuple[array[int], array[int], int]:
    """Kinds of agents, their budgets, and the largest of these."""
    kinds, budgets = [AGENT_KINDS[name] for name, _ in agents], [budget for _, budget in agents]
    return array("q", kinds), array("q", budgets), max(budgets)


# ---- recorded games

#: Rows of each table that a game is given room for at first.
_INITIAL_ROWS = 1000
#: What of a plan the library reads as it is, in its order.
_PLAN_FIELDS = ("place", "force", "hand", "printed", "choice_at", "card_args", "acts")
#: Words of a table in a tape: its rows, for how many there is room, how many there are, how wide each is.
_TABLE_WORDS, _USED_WORD = 4, 2


class NativeAgents(SearchingProgram):
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
        kinds, budgets, most = agent_arrays(agents)
        chance = array("i", bytes(8 * len(agents)))
        known: dict[str, int] = self.threads.__dict__.setdefault(
            "room", dict.fromkeys(_column_widths(plan), _INITIAL_ROWS)
        )
        room = {name: each * games if written else 0 for name, each in known.items()}
        made, tables, used = empty_trace(plan, games, self.width), _plan_tables(plan, room), dict[str, int]()

        def go(here: Context) -> int:
            # What is counted is of one attempt: with more room it begins anew.
            nonlocal made, tables, used
            made, tables = empty_trace(plan, games, self.width), _plan_tables(plan, room)
            given, kept = _tape(plan, made, tables, room, arranged)
            tape = array("q", given) + array("q", bytes(self.lib.rl_tape_size() - 8 * len(given)))
            done = self.lib.rl_noted_many(
                here.C,
                here.at,
                array_address(self.start),
                series,
                first,
                games,
                len(agents),
                array_address(kinds),
                array_address(budgets),
                array_address(chance),
                array_address(made.rows),
                array_address(tape),
            )
            used = dict(zip(tables, tape[_USED_WORD::_TABLE_WORDS], strict=False))
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
            for name, width in _column_widths(plan).items():
                setattr(made, name, tables[name][: used[name] * width])
        return made


def _column_widths(plan: TracePlan) -> dict[str, int]:
    return {
        "moves": len(MOVES),
        "events": len(EVENTS) + plan.arguments,
        "decisions": len(DECISIONS) + plan.values,
    }


def _plan_tables(plan: TracePlan, room: dict[str, int]) -> dict[str, array[int]]:
    return {name: array("i", (0,)) * (room[name] * width) for name, width in _column_widths(plan).items()}


def _tape(
    plan: TracePlan, made: Trace, tables: dict[str, array[int]], room: dict[str, int], arranged: HandArrangement | None
) -> tuple[list[int], list[array[int]]]:
    """The words of a tape over these arrays (`tape.h`), and what has to live as long as it does."""
    wanted = array("B", (arranged is not None and card in arranged.wanted for card in range(plan.cards)))
    planned = [array("i", getattr(plan, name)) for name in _PLAN_FIELDS]
    beside = [array("i", bytes(4 * plan.cards)), array("i", bytes(4 * plan.choices + 4))]
    words = [
        word
        for name, table in tables.items()
        for word in (array_address(table), room[name], 0, _column_widths(plan)[name])
    ]
    words += [
        *map(array_address, planned),
        len(plan.places), plan.traits, plan.pairs, plan.choices, plan.layout.card_face, plan.layout.cells.actor,
        *map(array_address, (made.reached, made.offered, made.taken, made.used, made.notes, wanted)),
        0 if arranged is None else 1 + arranged.given, *map(array_address, beside),
    ]  # fmt: skip
    return words, [*planned, *beside, wanted]
