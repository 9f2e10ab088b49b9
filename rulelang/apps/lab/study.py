"""A study of a game: series that can go on, and figures about seats, cards and traits made from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulelang.apps.lab.figures import (
    WORTH,
    CardFigures,
    DeedFigures,
    Effect,
    Figures,
    PairFigures,
    RuleFigures,
    TraitFigures,
    effect_among,
    effect_of_having,
    equal_groups,
    joint_effects,
)
from rulelang.apps.lab.playing import (
    Deed,
    Games,
    Subject,
    Task,
    bearer_of,
    can_be_dealt,
    cards_of,
    check_named,
    deeds_of,
    events_of,
    joined_games,
    plan_for,
    subjects_of,
    traits_of,
)
from rulelang.apps.lab.statistics import FEW, Estimate, estimate_mean, estimate_share, significant_of, unknown_estimate
from rulelang.apps.lab.workers import Workers, pieces_of, workers_for
from rulelang.base.errors import BadArgument
from rulelang.base.trace_plan import HandArrangement
from rulelang.runtime.game import Game
from rulelang.runtime.running import MOST_DECISIONS
from rulelang.runtime.seating import Seated
from rulelang.runtime.simulate import played_rules
from rulelang.runtime.table import Table

# ---- figures from games


def figures_of(
    task: Task,
    table: Table,
    games: Games,
    matched: Mapping[str, tuple[Games, Games]],
    pairs: int,
    played: Mapping[str, Any],
    *,
    anytime: bool,
) -> Figures:
    """All figures of a study's games."""
    n = len(games)
    cards, traits = subjects_of(table)
    program = table.program
    deeds = deeds_of(plan_for(table), program.sites, program.templates)
    events = events_of(program.layout, program.templates)
    mean = _Means(anytime)
    won = games.wins > 0
    behind = ~(won & games.leads).any(axis=1)
    return Figures(
        task.game.title, played, n, task.players, task.seed, anytime,
        tuple(mean(games.wins[:, seat], True) for seat in range(task.players)),
        tuple(mean(games.scores[:, seat]) for seat in range(task.players)),
        mean(games.rounds), mean(games.decisions),
        estimate_share(int((games.shared > 1).sum()), n, anytime=anytime),
        estimate_share(int((behind & games.leads.any(axis=1)).sum()), n, anytime=anytime),
        _cards(games, cards, events, matched, anytime),
        _traits(games, traits, anytime),
        _pairs(games, cards, traits, anytime),
        _beside(games, table, traits, anytime),
        tuple(
            DeedFigures(
                deed.id,
                deed.title,
                _sum(games.offered, deed.choices),
                max(_sum(games.taken, deed.choices), _sum(games.reached, deed.templates)),
            )
            for deed in deeds
        ),
        _unreached(games, table),
        pairs,
    )  # fmt: skip


class _Means:
    """Means over games."""

    def __init__(self, anytime: bool) -> None:
        self.anytime = anytime

    def __call__(self, numbers: NDArray[Any], a_share: bool = False) -> Estimate:
        n = len(numbers)
        if n < 2:
            return unknown_estimate(n)
        error = float(numbers.std(ddof=1)) / n**0.5
        if a_share:
            return estimate_share(float(numbers.sum()), n, max(error, 1 / n), anytime=self.anytime)
        return estimate_mean(float(numbers.mean()), error, n, anytime=self.anytime)


def _cards(
    games: Games,
    cards: Sequence[Subject],
    events: Sequence[Deed],
    matched: Mapping[str, tuple[Games, Games]],
    anytime: bool,
) -> tuple[CardFigures, ...]:
    n = len(games)
    alike = {sort: equal_groups(numbers) for sort, numbers in _drawn(games, cards).items()}
    alike_played = equal_groups(games.used.sum(axis=2, dtype=np.int64))
    held, when_played, twice = [], [], []
    for k, card in enumerate(cards):
        held.append(effect_of_having(games.wins, games.drawn[:, :, k] > 0, alike[card.sort], anytime=anytime))
        when_played.append(effect_of_having(games.wins, games.used[:, :, k] > 0, alike_played, anytime=anytime))
        twice.append(_matched(matched[card.id], anytime) if card.id in matched else None)
    told = {
        "held": _mark_significant([each.effect for each in held]),
        "played": _mark_significant([each.effect for each in when_played]),
        "matched": _mark_significant([each or unknown_estimate(0) for each in twice]),
    }
    found = []
    for k, card in enumerate(cards):
        had = int((games.drawn[:, :, k] > 0).sum())
        spent: dict[str, float] = {}
        for event in events:
            if times := _sum(games.spent[:, k], event.templates):
                spent[event.title] = spent.get(event.title, 0.0) + times / n
        found.append(
            CardFigures(
                card.id,
                card.title,
                card.sort,
                card.copies,
                float(games.drawn[:, :, k].sum(dtype=np.int64)) / n,
                float(games.used[:, :, k].sum(dtype=np.int64)) / n,
                float(games.kept[:, :, k].sum(dtype=np.int64)) / n,
                float(((games.used[:, :, k] > 0) & (games.drawn[:, :, k] > 0)).sum()) / had if had else 0.0,
                spent,
                held[k],
                when_played[k],
                twice[k],
                tuple(name for name, which in told.items() if which[k]),
            )
        )
    return tuple(found)


def effect_of(games: Games, table: Table, name: str, *, anytime: bool) -> Effect:
    """Of one card or trait: what `figures_of` says of holding it, or of having it in force."""
    cards, traits = subjects_of(table)
    for k, card in enumerate(cards):
        if card.id == name:
            drawn = _drawn(games, cards)[card.sort]
            return effect_of_having(games.wins, games.drawn[:, :, k] > 0, equal_groups(drawn), anytime=anytime)
    k = next(k for k, trait in enumerate(traits) if trait.id == name)
    return effect_of_having(
        games.wins, games.borne[:, :, k], equal_groups(games.borne.sum(axis=2, dtype=np.int64)), anytime=anytime
    )


def _drawn(games: Games, cards: Sequence[Subject]) -> dict[str, NDArray[np.int64]]:
    """By sort of cards how many of them came to a hand."""
    return {
        sort: games.drawn[:, :, [k for k, card in enumerate(cards) if card.sort == sort]].sum(axis=2, dtype=np.int64)
        for sort in {card.sort for card in cards}
    }


def held_with(games: Games, table: Table, trait: str, *, anytime: bool) -> Effect:
    """Who held a card that bears the trait, against who drew as many cards of these kinds without one."""
    cards, traits = subjects_of(table)
    bearing = {handle for one in traits if one.id == trait for handle in one.handles}
    mine = [k for k, card in enumerate(cards) if bearing & set(card.handles)]
    sorts = {cards[k].sort for k in mine}
    drawn = games.drawn[:, :, [k for k, card in enumerate(cards) if card.sort in sorts]].sum(axis=2, dtype=np.int64)
    have: NDArray[np.bool_] = games.drawn[:, :, mine].sum(axis=2, dtype=np.int64) > 0
    return effect_of_having(games.wins, have, equal_groups(drawn), anytime=anytime)


def _matched(pair: tuple[Games, Games], anytime: bool) -> Estimate:
    """What it does to win a card in the starting hand, in games that were played with it and without."""
    without, given = pair
    ready = without.ready & given.ready
    numbers = np.arange(len(ready))
    seats = numbers % without.wins.shape[1]
    differences = (given.wins - without.wins)[numbers, seats][ready]
    n = len(differences)
    if n < FEW:
        return unknown_estimate(n)
    error = max(float(differences.std(ddof=1)) / n**0.5, 0.5 / n)
    return estimate_mean(float(differences.mean()), error, n, anytime=anytime)


def _traits(games: Games, traits: Sequence[Subject], anytime: bool) -> tuple[TraitFigures, ...]:
    if not traits:
        return ()
    alike = equal_groups(games.borne.sum(axis=2, dtype=np.int64))
    effects = [effect_of_having(games.wins, games.borne[:, :, k], alike, anytime=anytime) for k in range(len(traits))]
    told = _mark_significant([each.effect for each in effects])
    return tuple(
        TraitFigures(
            trait.id, trait.title, trait.copies, float(games.borne[:, :, k].mean()), effects[k], told[k]
        )
        for k, trait in enumerate(traits)
    )  # fmt: skip


def _pairs(games: Games, cards: Sequence[Subject], traits: Sequence[Subject], anytime: bool) -> tuple[PairFigures, ...]:
    """Pairs that were in force together; of cards that were played where no trait was in force. The strongest first."""
    have, subjects = (games.borne, traits) if games.borne.any() else (games.used > 0, cards)
    if not len(subjects):
        return ()
    alike = equal_groups(have.sum(axis=2, dtype=np.int64))
    found = joint_effects(games.wins, have, alike, anytime=anytime)
    told = _mark_significant([each for _, _, each in found])
    pairs = [
        PairFigures((subjects[i].id, subjects[j].id), subjects[i].title, subjects[j].title, each, which)
        for (i, j, each), which in zip(found, told, strict=True)
    ]
    return _strongest_first(pairs)


def _strongest_first(pairs: Sequence[PairFigures]) -> tuple[PairFigures, ...]:
    return tuple(sorted(pairs, key=lambda pair: (not pair.told, pair.effect.p)))


def _beside(games: Games, table: Table, traits: Sequence[Subject], anytime: bool) -> tuple[PairFigures, ...]:
    """Pairs that were in force on one bearer, against who had both on different ones, and as many traits and cards that
    he played. The strongest first; pairs of which too few games know both are left out."""
    if not games.beside.shape[1]:
        return ()
    have = games.borne.sum(axis=2, dtype=np.int64), games.used.sum(axis=2, dtype=np.int64)
    seats = np.arange(games.borne.shape[1])
    found = []
    for j in range(len(traits)):
        for i in range(j):
            same = (games.beside[:, [j * (j - 1) // 2 + i]] >> seats & 1).astype(bool)
            both = games.borne[:, :, i] & games.borne[:, :, j]
            each = effect_among(games.wins, same, both, have, anytime=anytime)
            if each.known:
                found.append((i, j, each))
    told = _mark_significant([each for _, _, each in found])
    bearer = bearer_of(table.program.layout)
    return _strongest_first(
        [
            PairFigures((traits[i].id, traits[j].id), traits[i].title, traits[j].title, each, which, bearer)
            for (i, j, each), which in zip(found, told, strict=True)
        ]
    )


def _mark_significant(effects: Sequence[Estimate]) -> list[bool]:
    """Which of them are called out. Those of too few games are no questions."""
    asked = [i for i, each in enumerate(effects) if each.known]
    found = dict(zip(asked, significant_of([effects[i].p for i in asked]), strict=True))
    return [found.get(i, False) and abs(each.value) >= WORTH for i, each in enumerate(effects)]


def _unreached(games: Games, table: Table) -> tuple[RuleFigures, ...]:
    """Routines, hooks and actions that never began."""
    found = []
    for number, template in enumerate(table.program.templates):
        if not games.reached[number] and template.what in ("routine", "hook", "action"):
            found.append(RuleFigures(template.what, template.name, str(template.span)))
    return tuple(found)


def _sum(numbers: NDArray[np.int64], choices: Sequence[int]) -> int:
    return int(numbers[list(choices)].sum())


# ---- subjects that somebody asks about

#: What stands for all cards and traits of a game, and what joins two of them.
ALL, AND = "all", "+"


@dataclass(frozen=True, slots=True)
class Known:
    """A figure by what a page calls it."""

    title: str
    found: Estimate


def named_subjects(table: Table, about: str) -> tuple[str, ...]:
    """The cards and traits (ids) that `about` names: one, two of a sort (`horns+fat_tissue`), or none (`all`).
    ValueError, with the nearest, for what is none."""
    cards, traits = subjects_of(table)
    ids = {subject.id for subject in (*cards, *traits)}
    if about == ALL and ALL not in ids:
        return ()
    names = (about,) if about in ids else tuple(name.strip() for name in about.split(AND))
    for name in names:
        check_named(table, name)
    if len(names) > 2 or len(set(names)) < len(names):
        raise BadArgument(f"`{about}` is not a pair: write two names with `{AND}` between them")
    if len(names) == 2 and not any(set(names) <= {one.id for one in sort} for sort in (traits, cards)):
        raise BadArgument(f"`{about}` is not a pair: name two traits, or two cards")
    return names


def known_figures(games: Games, table: Table, about: str, *, anytime: bool) -> list[Known]:
    """The figures that `about` names, as a page tells them; of `all` those of which enough games know. Of a card it is
    what it does to hold it, of a trait to have it in force; of a pair what both together add."""
    cards, traits = subjects_of(table)
    names = named_subjects(table, about)
    if len(names) == 2:
        return [_pair(games, traits if set(names) <= {one.id for one in traits} else cards, names, anytime)]
    held = {card.id for card in cards}
    titles = {one.id: one.title for one in (*traits, *cards)}
    found = []
    for name in names or dict.fromkeys(one.id for one in (*cards, *traits)):
        title = f"holding {titles[name]}" if name in held else f"{titles[name]} in force"
        each = Known(title, effect_of(games, table, name, anytime=anytime).effect)
        if names or each.found.known:
            found.append(each)
    return found


def widest_estimate(found: Sequence[Known]) -> Known:
    """That of which least is known; nothing is known of no figures."""
    return max(found, key=lambda each: each.found.half, default=Known("", unknown_estimate(0)))


def is_narrow(found: Sequence[Known], half: float) -> bool:
    """Whether all of these are known to this much to either side."""
    least = widest_estimate(found).found.half
    return math.isfinite(least) and least <= half


def _pair(games: Games, subjects: Sequence[Subject], names: Sequence[str], anytime: bool) -> Known:
    have = games.borne if subjects and not subjects[0].sort else games.used > 0
    both = [next(k for k, one in enumerate(subjects) if one.id == name) for name in names]
    alike = equal_groups(have.sum(axis=2, dtype=np.int64))
    found = joint_effects(games.wins, have[:, :, both], alike, anytime=anytime)
    title = " and ".join(subjects[k].title for k in both) + " together"
    return Known(title, found[0][2] if found else unknown_estimate(int(have[:, :, both].all(axis=2).sum())))


# ---- the study

#: How many play, if the game allows and nothing is said.
USUAL = 4
#: Games before the first look whether intervals are narrow enough, and at most.
FIRST, LAST = 400, 1_000_000


class Study:
    """Games between agents, noted while they are played. It can go on at any time; what it says depends on the seed and
    the number of games, not on how they came about.

    `agents` by seat, repeated if there are fewer: names ("mc:50"), objects or classes. `players`: four, or as many as
    the game allows. `jobs`: processes; `workers` in their place: who plays. ValueError for what cannot be, as
    `Game.simulate`.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        agents: Sequence[Seated] = ("greedy",),
        seed: int = 0,
        options: Mapping[str, object] | None = None,
        backend: str = "auto",
        jobs: int = 1,
        *,
        workers: Workers | None = None,
        invariants: bool = True,
        max_decisions: int = MOST_DECISIONS,
    ) -> None:
        low, high = game.players
        count = min(high, max(low, USUAL)) if players is None else players
        seated = tuple(game.seated(agents))
        self.task = Task(game, count, seed, seated, options, backend, invariants, max_decisions)
        self.table = self.task.table
        self.cards = cards_of(self.table.program.layout)
        self.workers = workers or workers_for(jobs)
        self._parts: list[Games] = []
        self._matched: dict[str, tuple[list[Games], list[Games]]] = {}

    @property
    def games(self) -> int:
        """How many were played, without those that were played twice."""
        return sum(map(len, self._parts))

    @property
    def matches(self) -> int:
        """How many pairs of games there are for each card that was asked about: the fewest."""
        return min((sum(map(len, given)) for _, given in self._matched.values()), default=0)

    @property
    def played(self) -> dict[str, Any]:
        """What is played, JSON-able: see `Result.played`."""
        task = self.task
        return played_rules(task.game, task.players, task.agents, task.options)

    # ---- playing

    def play(self, games: int, progress: Callable[[int], None] | None = None) -> int:
        """Play so many more; how many there are now. `progress` is called with these. What was played stays if it is
        interrupted. RuleError as `Game.simulate`."""
        for part in self.workers.play(self.task, pieces_of(self.games, games)):
            self._parts.append(part)
            if progress is not None:
                progress(self.games)
        return self.games

    def play_until(
        self, half: float, progress: Callable[[int], None] | None = None, most: int = LAST, about: str = ""
    ) -> int:
        """Play on until the share of the win of every seat is known to this much to either side (0.005: half a
        percent), or until there are `most` games. `about`: what is to be known as well as that in the place of the
        seats, as `known` takes it. Look at it with `anytime=True`: it was looked at again and again. ValueError for
        what is none."""
        if about:
            named_subjects(self.table, about)
        more = FIRST - self.games
        while self.games < most:
            self.play(min(max(more, 100), most - self.games), progress)
            if is_narrow(self.known(about, anytime=True), half) if about else self.width <= half:
                break
            more = min(self.games // 4, 20_000)
        return self.games

    @property
    def width(self) -> float:
        """How much to either side the share of the win of a seat is unknown, at any time."""
        wins = joined_games(self._parts).wins
        errors = wins.std(axis=0, ddof=1) / len(wins) ** 0.5
        return max(estimate_mean(0.0, float(error), len(wins), anytime=True).half for error in errors)

    def match(
        self, pairs: int, cards: Sequence[str] | None = None, progress: Callable[[int], None] | None = None
    ) -> int:
        """Play so many more games twice for each card (by id; None: all that can be dealt), with it in a starting hand
        and with another card in its place. How many pairs there are for each; `progress` is called with the number of
        games that were played."""
        done = 0
        for subject in self._dealt(cards):
            both = self._matched.setdefault(subject.id, ([], []))
            for given, parts in enumerate(both):
                arranged = HandArrangement(frozenset(subject.handles), bool(given))
                first = sum(map(len, parts))
                for part in self.workers.play(self.task, pieces_of(first, pairs, arranged)):
                    parts.append(part)
                    done += len(part)
                    if progress is not None:
                        progress(done)
        return self.matches

    def dealt(self, cards: Sequence[str] | None = None) -> int:
        """Of how many cards `match` plays games."""
        return len(self._dealt(cards))

    def _dealt(self, cards: Sequence[str] | None) -> list[Subject]:
        """Those of these that can be in a starting hand; the cards that bear a trait stand for it."""
        layout = self.table.program.layout
        named = set(cards or ())
        bearing = {handle for trait in traits_of(layout) if trait.id in named for handle in trait.handles}
        return [
            card
            for card in self.cards
            if can_be_dealt(layout, card) and (cards is None or card.id in named or bearing & set(card.handles))
        ]

    # ---- what it says

    def figures(self, *, anytime: bool = False) -> Figures:
        """What there is to say so far. `anytime`: with intervals that hold however long one looked and whenever one
        stops; without, for a number of games that was chosen beforehand. ValueError if none was played."""
        if not self._parts:
            raise BadArgument("no game has been played yet, so there is nothing to report")
        self._parts = [joined_games(self._parts)]
        matched = {
            name: (joined_games(without), joined_games(given))
            for name, (without, given) in self._matched.items()
            if given
        }
        return figures_of(self.task, self.table, self._parts[0], matched, self.matches, self.played, anytime=anytime)

    def effect(self, about: str, *, anytime: bool = False) -> Effect:
        """What a card or a trait (by id) does to winning, as the figures tell it: of a card who held it, of a trait who
        had it in force. `anytime` as `figures`. ValueError if none was played, and for what is no card or trait."""
        check_named(self.table, about)
        if not self._parts:
            raise BadArgument("no game has been played yet, so there is nothing to report")
        self._parts = [joined_games(self._parts)]
        return effect_of(self._parts[0], self.table, about, anytime=anytime)

    def known(self, about: str, *, anytime: bool = False) -> list[Known]:
        """What is known of a card or trait (by id), of a pair (`horns+fat_tissue`), or of all cards and traits (`all`);
        `anytime` as `figures`. ValueError if none was played, and for what is none of these."""
        named_subjects(self.table, about)
        if not self._parts:
            raise BadArgument("no game has been played yet, so there is nothing to report")
        self._parts = [joined_games(self._parts)]
        return known_figures(self._parts[0], self.table, about, anytime=anytime)

    def held(self, trait: str, *, anytime: bool = False) -> Effect:
        """Who held a card that bears the trait (by id), whatever else stands on it, against who drew as many cards of
        these kinds without one. `anytime` as `figures`. ValueError if none was played."""
        if not self._parts:
            raise BadArgument("no game has been played yet, so there is nothing to report")
        self._parts = [joined_games(self._parts)]
        return held_with(self._parts[0], self.table, trait, anytime=anytime)
