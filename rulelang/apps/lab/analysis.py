"""From games as arrays to figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulelang.apps.lab.effects import Effect, alike_by, among, effect, together
from rulelang.apps.lab.estimates import FEW, Estimate, called_out, estimate, share, unknown
from rulelang.apps.lab.figures import WORTH, CardFigures, DeedFigures, Figures, PairFigures, RuleFigures, TraitFigures
from rulelang.apps.lab.playing import Games, Task, plan_for, subjects_of
from rulelang.apps.lab.subjects import Deed, Subject, bearer_of, deeds_of, events_of
from rulelang.runtime.table import Table


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
        share(int((games.shared > 1).sum()), n, anytime=anytime),
        share(int((behind & games.leads.any(axis=1)).sum()), n, anytime=anytime),
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
            return unknown(n)
        error = float(numbers.std(ddof=1)) / n**0.5
        if a_share:
            return share(float(numbers.sum()), n, max(error, 1 / n), anytime=self.anytime)
        return estimate(float(numbers.mean()), error, n, anytime=self.anytime)


def _cards(
    games: Games,
    cards: Sequence[Subject],
    events: Sequence[Deed],
    matched: Mapping[str, tuple[Games, Games]],
    anytime: bool,
) -> tuple[CardFigures, ...]:
    n = len(games)
    alike = {sort: alike_by(numbers) for sort, numbers in _drawn(games, cards).items()}
    alike_played = alike_by(games.used.sum(axis=2, dtype=np.int64))
    held, when_played, twice = [], [], []
    for k, card in enumerate(cards):
        held.append(effect(games.wins, games.drawn[:, :, k] > 0, alike[card.sort], anytime=anytime))
        when_played.append(effect(games.wins, games.used[:, :, k] > 0, alike_played, anytime=anytime))
        twice.append(_matched(matched[card.id], anytime) if card.id in matched else None)
    told = {
        "held": _told([each.effect for each in held]),
        "played": _told([each.effect for each in when_played]),
        "matched": _told([each or unknown(0) for each in twice]),
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
            return effect(games.wins, games.drawn[:, :, k] > 0, alike_by(drawn), anytime=anytime)
    k = next(k for k, trait in enumerate(traits) if trait.id == name)
    return effect(games.wins, games.borne[:, :, k], alike_by(games.borne.sum(axis=2, dtype=np.int64)), anytime=anytime)


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
    return effect(games.wins, have, alike_by(drawn), anytime=anytime)


def _matched(pair: tuple[Games, Games], anytime: bool) -> Estimate:
    """What it does to win a card in the starting hand, in games that were played with it and without."""
    without, given = pair
    ready = without.ready & given.ready
    numbers = np.arange(len(ready))
    seats = numbers % without.wins.shape[1]
    differences = (given.wins - without.wins)[numbers, seats][ready]
    n = len(differences)
    if n < FEW:
        return unknown(n)
    error = max(float(differences.std(ddof=1)) / n**0.5, 0.5 / n)
    return estimate(float(differences.mean()), error, n, anytime=anytime)


def _traits(games: Games, traits: Sequence[Subject], anytime: bool) -> tuple[TraitFigures, ...]:
    if not traits:
        return ()
    alike = alike_by(games.borne.sum(axis=2, dtype=np.int64))
    effects = [effect(games.wins, games.borne[:, :, k], alike, anytime=anytime) for k in range(len(traits))]
    told = _told([each.effect for each in effects])
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
    alike = alike_by(have.sum(axis=2, dtype=np.int64))
    found = together(games.wins, have, alike, anytime=anytime)
    told = _told([each for _, _, each in found])
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
            each = among(games.wins, same, both, have, anytime=anytime)
            if each.known:
                found.append((i, j, each))
    told = _told([each for _, _, each in found])
    bearer = bearer_of(table.program.layout)
    return _strongest_first(
        [
            PairFigures((traits[i].id, traits[j].id), traits[i].title, traits[j].title, each, which, bearer)
            for (i, j, each), which in zip(found, told, strict=True)
        ]
    )


def _told(effects: Sequence[Estimate]) -> list[bool]:
    """Which of them are called out. Those of too few games are no questions."""
    asked = [i for i, each in enumerate(effects) if each.known]
    found = dict(zip(asked, called_out([effects[i].p for i in asked]), strict=True))
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
