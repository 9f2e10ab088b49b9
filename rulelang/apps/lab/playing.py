"""Pieces of a study: games played and noted, made into arrays.

A piece depends on what is played and on its games alone: it does not matter where, when or how often it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulelang.apps.lab.subjects import Subject, cards_of, traits_of
from rulelang.base.trace_plan import HandArrangement, Trace, TracePlan, hand_zones, make_trace_plan
from rulelang.runtime.game import Game
from rulelang.runtime.noting import noted_games
from rulelang.runtime.program import NATIVE_OR_PYTHON
from rulelang.runtime.seating import Agent
from rulelang.runtime.simulate import inner
from rulelang.runtime.table import Table
from rulelang.runtime.watch import MOST, watched


@dataclass(frozen=True)
class Task:
    """What is played: all that another process needs. `agents` by seat, repeated if fewer."""

    game: Game
    players: int
    seed: int
    agents: Sequence[Agent]
    options: Mapping[str, object] | None = None
    backend: str = "auto"
    invariants: bool = True
    max_decisions: int = MOST

    @property
    def table(self) -> Table:
        backend = NATIVE_OR_PYTHON if self.backend == "auto" else self.backend
        return self.game.table(self.players, self.options, backend)


@dataclass(slots=True)
class Games:
    """Some games of a study as arrays; the first axis is the game, the second, where there is one, the seat.

    `wins`: shares of the win. `leads`: whether the seat led, alone or not, after half of the decisions. `shared`: how
    many share the win. `drawn`: how many cards of a name came to the hand; `used`: how many of them the seat played;
    `kept`: how many are its at the end. `borne`: whether the seat had the trait in force. `ready`: whether it could be
    arranged. `beside`, by pair of traits (those of the array `borne` i < j: number j * (j - 1) / 2 + i): seats that had
    both in force on one bearer at once, as bits from 1 << 0; no pairs where bearers are players. Sums over all
    games: `reached`, `offered`, `taken`, `spent` (by template and name of card).
    """

    wins: NDArray[np.float64]
    scores: NDArray[np.int64]
    rounds: NDArray[np.int64]
    decisions: NDArray[np.int64]
    forced: NDArray[np.int64]
    leads: NDArray[np.bool_]
    shared: NDArray[np.int64]
    drawn: NDArray[np.uint8]
    used: NDArray[np.uint8]
    kept: NDArray[np.uint8]
    borne: NDArray[np.bool_]
    ready: NDArray[np.bool_]
    beside: NDArray[np.uint16]
    reached: NDArray[np.int64]
    offered: NDArray[np.int64]
    taken: NDArray[np.int64]
    spent: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.wins)


#: Fields that are sums.
SUMS = ("reached", "offered", "taken", "spent")


def joined(parts: Sequence[Games]) -> Games:
    """All these games, in their order."""
    found: dict[str, Any] = {}
    for field in fields(Games):
        values = [getattr(part, field.name) for part in parts]
        found[field.name] = sum(values[1:], values[0]) if field.name in SUMS else np.concatenate(values)
    return Games(**found)


def play_piece(task: Task, first: int, games: int, arranged: HandArrangement | None = None) -> Games:
    """Play games of a task, from the number `first` on. RuleError as `Game.simulate`."""
    table = task.table
    plan = plan_for(table)
    noted = noted_piece(task, table, plan, first, games, arranged)
    return as_arrays(plan, noted, table)


def plan_for(table: Table) -> TracePlan:
    program = table.program
    return make_trace_plan(program.layout, program.sites, program.templates)


def noted_piece(
    task: Task, table: Table, plan: TracePlan, first: int, games: int, arranged: HandArrangement | None = None, *,
    written: bool = False,
) -> Trace:  # fmt: skip
    """As `play_piece`, as it is noted; `written`: with moves, events and decisions."""
    many, known = getattr(table.program, "noted_many", None), inner(task.agents)
    if many is None or known is None:
        return noted_games(
            table, plan, task.seed, range(first, first + games), task.agents, arranged, written=written,
            invariants=task.invariants, max_decisions=task.max_decisions,
        )  # fmt: skip
    with watched(table.program, task.max_decisions, task.invariants):
        found: Trace = many(plan, task.seed, first, games, known, arranged, written=written)
    return found


def as_arrays(plan: TracePlan, noted: Trace, table: Table) -> Games:
    """What was noted, by seat and by name of card."""
    layout, players, n = plan.layout, table.players, noted.games
    rows = np.frombuffer(noted.rows, dtype=np.int64).reshape(n, -1)
    notes = np.frombuffer(noted.notes, dtype=np.int32).reshape(n, plan.width)
    parts = rows[:, 3:].reshape(n, -1, players)
    wins, shared = shares_won(parts, table.program.teams, players)
    cards, traits = cards_of(layout), traits_of(layout)
    size = len(plan.places) * plan.cards
    by_place = notes[:, :size].reshape(n, len(plan.places), plan.cards)
    hands = [i for i, name in enumerate(plan.places) if name in hand_zones(layout)]
    in_hand = np.bitwise_or.reduce(by_place[:, hands], axis=1) if hands else np.zeros((n, plan.cards), np.int32)
    named = notes[:, size : size + plan.cards]
    force = notes[:, size + plan.cards : size + plan.cards + plan.traits + 1]
    ends = size + 2 * plan.cards + plan.traits + 1
    last, beside = notes[:, ends - plan.cards : ends], notes[:, ends:-2]
    owner = np.array([p if place >= 0 else 0 for p, place in zip(layout.zone_player, plan.place, strict=True)])[last]
    member = np.zeros((plan.cards, len(cards)), np.float32)
    for k, subject in enumerate(cards):
        member[list(subject.handles), k] = 1
    numbers = [layout.lists["trait"].index(trait.id) for trait in traits]
    seats = range(1, players + 1)

    def by_name(of_seat: list[Any]) -> Any:
        counts = np.stack([(mine.astype(np.float32) @ member) for mine in of_seat], axis=1)
        return counts.clip(0, 255).astype(np.uint8)

    def summed(words: Any) -> Any:
        return np.frombuffer(words, dtype=np.int64).copy()

    return Games(
        wins=wins,
        scores=parts[:, 0].copy(),
        rounds=rows[:, 2].copy(),
        decisions=rows[:, 0].copy(),
        forced=rows[:, 1].copy(),
        leads=np.stack([notes[:, -2] >> seat & 1 for seat in seats], axis=1).astype(bool),
        shared=shared,
        drawn=by_name([in_hand >> seat & 1 for seat in seats]),
        used=by_name([named >> seat & 1 for seat in seats]),
        kept=by_name([owner == seat for seat in seats]),
        borne=np.stack([force[:, numbers] >> seat & 1 for seat in seats], axis=1).astype(bool),
        ready=notes[:, -1] > 0,
        beside=(beside[:, _pairs_of(numbers) if plan.pairs else []] >> 1).astype(np.uint16),
        reached=summed(noted.reached),
        offered=summed(noted.offered),
        taken=summed(noted.taken),
        spent=summed(noted.used).reshape(plan.templates, plan.cards) @ member.astype(np.int64),
    )


def _pairs_of(numbers: Sequence[int]) -> list[int]:
    """Of traits with these numbers each pair in the words of a game (`Plan.pairs`)."""
    both = [sorted((numbers[i], numbers[j])) for j in range(len(numbers)) for i in range(j)]
    return [(high - 1) * (high - 2) // 2 + low - 1 for low, high in both]


def shares_won(parts: Any, teams: Sequence[Sequence[int]], players: int) -> tuple[Any, Any]:
    """The share of the win by seat, and how many share it, from the score and its tiebreaks (games, parts, seats)."""
    sides = teams or [(seat,) for seat in range(1, players + 1)]
    ranks = np.stack([parts[:, :, [seat - 1 for seat in side]].sum(axis=2) for side in sides], axis=2)
    best = np.ones((len(parts), len(sides)), bool)
    for part in range(ranks.shape[1]):
        left = np.where(best, ranks[:, part], np.iinfo(np.int64).min)
        best &= left == left.max(axis=1, keepdims=True)
    won = np.zeros((len(parts), players))
    for k, side in enumerate(sides):
        won[:, [seat - 1 for seat in side]] = best[:, [k]]
    return won / won.sum(axis=1, keepdims=True), best.sum(axis=1)


def subjects_of(table: Table) -> tuple[tuple[Subject, ...], tuple[Subject, ...]]:
    """The cards and the traits that arrays are about, in their order."""
    layout = table.program.layout
    return cards_of(layout), traits_of(layout)
