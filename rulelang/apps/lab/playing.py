"""Play the games of a study as arrays, and name the cards, traits and deeds that it asks about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulelang.base.errors import BadArgument
from rulelang.base.hidden_state import exchange_groups
from rulelang.base.labels import NO_LABEL, in_english, name_in_words
from rulelang.base.layout import CardInfo, DecisionPoint, Layout, LogTemplate
from rulelang.base.trace_plan import HandArrangement, Trace, TracePlan, hand_zones, make_trace_plan
from rulelang.base.wording import did_you_mean
from rulelang.runtime.game import Game
from rulelang.runtime.program import NATIVE_OR_PYTHON
from rulelang.runtime.running import MOST_DECISIONS, watching_limits
from rulelang.runtime.seating import Agent
from rulelang.runtime.simulate import native_agents
from rulelang.runtime.table import Table
from rulelang.runtime.trace_recorder import traced_games

# ---- subjects


@dataclass(frozen=True, slots=True)
class Subject:
    """A trait, or cards of one name (`sort` is "" for a trait). `id`: as the rules call it; `title`: as people do.
    `handles`: the cards that are it or bear it."""

    id: str
    title: str
    sort: str
    handles: tuple[int, ...]

    @property
    def copies(self) -> int:
        return len(self.handles)


def cards_of(layout: Layout) -> tuple[Subject, ...]:
    """All cards that are drawn or lie in zones, by name."""
    found: dict[tuple[str, str], list[int]] = {}
    first: dict[tuple[str, str], CardInfo] = {}
    for handle, card in enumerate(layout.cards):
        if handle:
            key = card.sort, card.row or card.label
            found.setdefault(key, []).append(handle)
            first.setdefault(key, card)
    return _distinct(
        [Subject(name, _card_title(layout, first[sort, name]), sort, tuple(handles))
         for (sort, name), handles in found.items()]
    )  # fmt: skip


def traits_of(layout: Layout) -> tuple[Subject, ...]:
    """All traits that cards bear."""
    names = layout.lists.get("trait", ("none",))
    found = []
    for number, name in enumerate(names):
        handles = tuple(handle for handle, card in enumerate(layout.cards) if number and number in card.faces)
        if handles:
            found.append(Subject(name, row_title(layout, "trait", name), "", handles))
    return _distinct(found)


def row_title(layout: Layout, kind: str, name: str) -> str:
    """What a row is called in English."""
    label = layout.labels.rows.get(kind, {}).get(name, NO_LABEL)
    said = in_english(label.name) or layout.trait_titles.get(name, {}).get("en", "") if kind == "trait" else in_english(
        label.name
    )  # fmt: skip
    return said or name_in_words(name).capitalize()


def bearer_of(layout: Layout) -> str:
    """What those are called in English that bear traits and are no players: `thing` if they are of several kinds."""
    kinds = {zone.of for zone in layout.zones.values() if zone.in_force and zone.of not in ("", "player")}
    return thing_title(layout, kinds.pop()) if len(kinds) == 1 else "thing"


def thing_title(layout: Layout, name: str) -> str:
    """What a zone, an action or a kind is called in English."""
    return in_english(layout.labels.things.get(name, NO_LABEL).name) or name_in_words(name)


def _card_title(layout: Layout, card: CardInfo) -> str:
    label = in_english(layout.labels.rows.get(card.sort, {}).get(card.row, NO_LABEL).name)
    if label:
        return label
    if card.faces and not card.row:
        traits = layout.lists["trait"]
        return " / ".join(row_title(layout, "trait", traits[face]) for face in card.faces)
    return name_in_words(card.row or card.label).capitalize()


def _distinct(subjects: Sequence[Subject]) -> tuple[Subject, ...]:
    """Two of one title are told apart by their names in the rules."""
    times = Counter(subject.title for subject in subjects)
    return tuple(
        replace(subject, title=f"{subject.title} ({name_in_words(subject.id)})")
        if times[subject.title] > 1
        else subject
        for subject in subjects
    )


def can_be_dealt(layout: Layout, subject: Subject) -> bool:
    """Whether one of these cards can be put into a starting hand in the place of another: see `Arranged`."""
    group = exchange_groups(layout)
    return bool(hand_zones(layout)) and any(group[card] for card in subject.handles)


def check_named(table: Table, name: str) -> None:
    """ValueError, with the nearest, if no card and no trait of the table is called so in the rules."""
    layout = table.program.layout
    known = [subject.id for subject in (*cards_of(layout), *traits_of(layout))]
    if name not in known:
        hint = did_you_mean(name, known)
        raise BadArgument(f"no card or trait is called `{name}` in the rules{'; ' + hint if hint else ''}")


@dataclass(frozen=True, slots=True)
class Deed:
    """An action, at all sites that offer it together, or a routine in which cards leave hands. `id`: as the rules call
    it; `choices`: its numbers in a plan; `templates`: what the log calls it."""

    id: str
    title: str
    choices: tuple[int, ...]
    templates: tuple[int, ...]


def deeds_of(plan: TracePlan, sites: Sequence[DecisionPoint], templates: Sequence[LogTemplate]) -> tuple[Deed, ...]:
    """All actions and reactions that may be offered; not the answers to questions, which are no actions."""
    choices: dict[str, list[int]] = {}
    titles: dict[str, str] = {}
    for number, site in enumerate(sites):
        for tag, action in enumerate(site.actions):
            if site.kind in ("offer", "react"):
                choices.setdefault(action.id, []).append(plan.choice_at[number] + 1 + tag)
                titles[action.id] = _deed_title(plan.layout, action.name, action.source)
    told: dict[str, list[int]] = {}
    for number, template in enumerate(templates):
        if template.what == "action":
            told.setdefault(template.name, []).append(number)
    return tuple(Deed(id_, titles[id_], tuple(choices[id_]), tuple(told.get(id_, ()))) for id_ in choices)


def events_of(layout: Layout, templates: Sequence[LogTemplate]) -> tuple[Deed, ...]:
    """All events in which cards may leave hands: actions, routines, hooks."""
    return tuple(
        Deed(template.name, _deed_title(layout, template.name.split(".")[-1], template.source), (), (number,))
        for number, template in enumerate(templates)
        if template.name
    )


def _deed_title(layout: Layout, name: str, source: str) -> str:
    title = thing_title(layout, name)
    return f"{title} ({row_title(layout, 'trait', source)})" if source else title


# ---- games as arrays


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
    max_decisions: int = MOST_DECISIONS

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


def joined_games(parts: Sequence[Games]) -> Games:
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
    many, known = getattr(table.program, "noted_many", None), native_agents(task.agents)
    if many is None or known is None:
        return traced_games(
            table, plan, task.seed, range(first, first + games), task.agents, arranged, written=written,
            invariants=task.invariants, max_decisions=task.max_decisions,
        )  # fmt: skip
    with watching_limits(table.program, task.max_decisions, task.invariants):
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
