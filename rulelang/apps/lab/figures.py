"""The figures of a study: effects on winning, plain data, and one long table for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulelang.apps.lab.statistics import FEW, Estimate, estimate_mean, unknown_estimate

# ---- effects on winning

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Effect:
    """`won`: the share of the win of those that had it; `expected`: of those that did not, in games alike; `effect`:
    the difference."""

    won: Estimate
    expected: float
    effect: Estimate

    def as_json(self) -> dict[str, Any]:
        expected = round(self.expected, 6) if self.effect.known else None
        return {"won": self.won.as_json(), "expected": expected, "effect": self.effect.as_json()}


def equal_groups(*numbers: Ints) -> Ints:
    """What may be compared: the seat, and each of these numbers (games by seats). Rare ones join others."""
    games, seats = numbers[0].shape
    found = np.broadcast_to(np.arange(seats), (games, seats)).astype(np.int64)
    for each in numbers:
        lumped = _lumped(each)
        found = found * (int(lumped.max(initial=0)) + 1) + lumped
    numbered: Ints = np.unique(found, return_inverse=True)[1].reshape(games, seats)
    return numbered


def _lumped(numbers: Ints) -> Ints:
    """Numbers from 0, in their order; neighbours together until each has so many that something can be said."""
    flat = np.maximum(numbers.ravel(), 0)
    counts = np.bincount(flat)
    least = FEW * numbers.shape[1] // 2
    label, have, into = 0, 0, np.zeros(len(counts), dtype=np.int64)
    for value, count in enumerate(counts):
        if have >= least:
            label, have = label + 1, 0
        into[value] = label
        have += int(count)
    if have < least and label:
        into[into == label] = label - 1
    lumped: Ints = into[numbers.clip(0)]
    return lumped


def effect_of_having(y: Floats, have: Truths, alike: Ints, *, anytime: bool = False) -> Effect:
    """Having it against not having it. Where all or nobody have it nothing can be compared, and nothing is."""
    games = len(y)
    stratum, h, w = alike.ravel(), have.ravel(), y.ravel()
    n = int(stratum.max(initial=-1)) + 1
    ones, zeros = np.bincount(stratum, h, n), np.bincount(stratum, ~h, n)
    both = (ones > 0) & (zeros > 0)
    total = ones[both].sum()
    held = int((have & both[alike]).any(axis=1).sum())
    free = int((~have & both[alike]).any(axis=1).sum())
    if min(held, free) < FEW or not total:
        return Effect(unknown_estimate(held), 0.0, unknown_estimate(held))
    mean1 = np.divide(np.bincount(stratum, w * h, n), ones, out=np.zeros(n), where=both)
    mean0 = np.divide(np.bincount(stratum, w * ~h, n), zeros, out=np.zeros(n), where=both)
    weight = np.where(both, ones, 0) / total
    won, expected = float((weight * mean1).sum()), float((weight * mean0).sum())
    # What each seat adds to the error, summed by game.
    with np.errstate(divide="ignore", invalid="ignore"):
        down = np.where(both, ones / zeros, 0.0) / total
    up = np.where(both, 1.0, 0.0) / total
    # Errors are told from the mean of all that are alike: few with it or without would fit their own mean too well.
    rest = w - (np.bincount(stratum, w, n) / np.maximum(ones + zeros, 1))[stratum]
    of_won = np.where(h, up[stratum] * (w - won), 0.0).reshape(y.shape).sum(axis=1)
    centred = (np.where(h, up[stratum], -down[stratum]) * rest).reshape(y.shape).sum(axis=1)
    return Effect(
        estimate_mean(won, _error(of_won, games), held, anytime=anytime),
        expected,
        estimate_mean(won - expected, _error(centred, games), held, anytime=anytime),
    )


def effect_among(y: Floats, have: Truths, some: Truths, numbers: Sequence[Ints], *, anytime: bool = False) -> Estimate:
    """What having it does to some of the seats (games by seats), against others of these that are alike by these
    numbers; as `effect`, which asks about all seats."""
    games = some.any(axis=1)
    if int(games.sum()) < FEW:
        return unknown_estimate(int((have & some).any(axis=1).sum()))
    inside = some[games]
    # Who is not asked about is like nobody: each of those has it, or none of them has.
    alike = np.where(inside, equal_groups(*(each[games] for each in numbers)) + 1, 0)
    return effect_of_having(y[games], have[games] & inside, alike, anytime=anytime).effect


def _error(parts: Floats, games: int) -> float:
    return math.sqrt(float((parts**2).sum()) * games / max(1, games - 1))


def joint_effects(y: Floats, have: Truths, alike: Ints, *, anytime: bool = False) -> list[tuple[int, int, Estimate]]:
    """For each pair of many things (`have`: games by seats by things) how much more both together change the share of
    the win than each of them alone does, summed. A pair with too few games of any kind is left out."""
    games, seats, things = have.shape
    flat = have.reshape(games * seats, things).astype(np.float64)
    stratum, w = alike.ravel(), y.ravel()
    counts = np.bincount(stratum)
    rest = w - (np.bincount(stratum, w) / np.maximum(counts, 1))[stratum]
    n11, s11 = flat.T @ flat, flat.T @ (flat * rest[:, None])
    n1, s1, q = np.diag(n11), np.diag(s11), float((rest**2).mean())
    found = []
    for i in range(things):
        for j in range(i + 1, things):
            cells = np.array([n11[i, j], n1[i] - n11[i, j], n1[j] - n11[i, j], len(w) - n1[i] - n1[j] + n11[i, j]])
            if cells.min() < FEW:
                continue
            sums = np.array([s11[i, j], s1[i] - s11[i, j], s1[j] - s11[i, j], rest.sum() - s1[i] - s1[j] + s11[i, j]])
            means = sums / cells
            value = float(means[0] - means[1] - means[2] + means[3])
            error = math.sqrt(float((q / cells).sum()))
            if abs(value) > error:  # else it is nothing, and an exact error is not needed
                both, first, second = have[:, :, i] & have[:, :, j], have[:, :, i], have[:, :, j]
                cell = np.where(both, 0, np.where(first, 1, np.where(second, 2, 3)))
                sign = np.array([1.0, -1.0, -1.0, 1.0]) / cells
                parts = sign[cell] * (rest.reshape(games, seats) - means[cell])
                error = _error(parts.sum(axis=1), games)
            found.append((i, j, estimate_mean(value, error, int(n11[i, j]), anytime=anytime)))
    return found


# ---- figures

#: An effect smaller than this is not called out, however sure it is.
WORTH = 0.01


@dataclass(frozen=True, slots=True)
class CardFigures:
    """Cards of one name. A game: how many copies come to hands (`drawn`), are still somebody's at its end (`kept`), and
    how often one is named in an action by its owner, or chosen where no action names cards (`played`, and by action
    `uses`).

    `of_drawn`: of the times a player had it, in how many he played it. `held`: who had it in his hand, against who did
    not and drew as many cards. `when_played`: likewise of those who played it and as many others. `matched`: games
    played twice, with it in a starting hand and with another card in its place; None if that was not asked or cannot
    be. `told`: which of these are called out.
    """

    id: str
    title: str
    sort: str
    copies: int
    drawn: float
    played: float
    kept: float
    of_drawn: float
    uses: Mapping[str, float]
    held: Effect
    when_played: Effect
    matched: Estimate | None
    told: tuple[str, ...]

    @property
    def never(self) -> bool:
        """Whether it was drawn and never played."""
        return self.drawn > 0 and self.played == 0


@dataclass(frozen=True, slots=True)
class TraitFigures:
    """A trait. `borne`: of all seats in all games, the share that had it in force. `effect`: of these, against those
    who had as many traits without it."""

    id: str
    title: str
    copies: int
    borne: float
    effect: Effect
    told: bool


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two traits, or cards that were played: what having both adds to what each adds alone. With `bearer`, what things
    are called that bear traits: what having both on one of them adds to having both. `ids`: as the rules call them."""

    ids: tuple[str, str]
    first: str
    second: str
    effect: Estimate
    told: bool
    bearer: str = ""


@dataclass(frozen=True, slots=True)
class DeedFigures:
    """An action: in how many decisions it was offered, and how often it was taken, unasked too, in all games."""

    id: str
    title: str
    offered: int
    taken: int


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """A rule that was never reached: what it is (routine, hook, action), its name, where it stands."""

    what: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class Figures:
    """`played`: what was (see `Result.played`), with `seed` and `players`. `anytime`: what kind of intervals these are.
    `seats`: the share of the win of each. A game: `rounds`, `decisions`, `margin` (points between the best and the next
    side). `ties`: games with a shared win; `comebacks`: games won by who did not lead after half of the decisions."""

    title: str
    played: Mapping[str, Any]
    games: int
    players: int
    seed: int
    anytime: bool
    seats: tuple[Estimate, ...]
    points: tuple[Estimate, ...]
    rounds: Estimate
    decisions: Estimate
    ties: Estimate
    comebacks: Estimate
    cards: tuple[CardFigures, ...]
    traits: tuple[TraitFigures, ...]
    pairs: tuple[PairFigures, ...]
    beside: tuple[PairFigures, ...]  # on one bearer
    deeds: tuple[DeedFigures, ...]
    unreached: tuple[RuleFigures, ...]
    matched: int  # pairs of games for each card

    @property
    def fairness(self) -> float:
        """How far the share of the win of a seat is from an even one, at most."""
        return max(abs(seat.value - 1 / self.players) for seat in self.seats)

    @property
    def width(self) -> float:
        """Half of the widest interval of a seat's share."""
        return max(seat.half for seat in self.seats)

    @property
    def idle(self) -> tuple[CardFigures, ...]:
        """Cards that were drawn and never played, where cards are played at all."""
        return tuple(card for card in self.cards if card.never) if any(card.played for card in self.cards) else ()

    @property
    def untaken(self) -> tuple[DeedFigures, ...]:
        return tuple(deed for deed in self.deeds if not deed.taken)

    def as_json(self) -> dict[str, Any]:
        """JSON-able."""
        found: dict[str, Any] = _plain(self)
        return found


def _plain(value: Any) -> Any:
    if isinstance(value, (Estimate, Effect)):
        return value.as_json()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return round(value, 6) if isinstance(value, float) else value


# ---- one long table

#: A row: what it is about (`game`, `seat`, `card`, `trait`, `pair`, `action`), which one by its id, what it is called,
#: which figure, its value with bounds, games and the chance of as much; whether it is called out; of which study.
COLUMNS = ("about", "id", "title", "figure", "value", "low", "high", "games", "p", "told", "study")


def figure_rows(figures: Figures, study: str = "now") -> Iterator[dict[str, Any]]:
    """All numbers of a study."""

    def row(about: str, id_: str, title: str, figure: str, found: Estimate | float, told: bool = False) -> Any:
        values: tuple[Any, ...] = (float(found), None, None, figures.games, None) if isinstance(
            found, (int, float)
        ) else (found.value, found.low, found.high, found.games, found.p) if found.known else (
            None, None, None, found.games, None
        )  # fmt: skip
        return dict(zip(COLUMNS, (about, id_, title, figure, *values, told, study), strict=True))

    for seat, share in enumerate(figures.seats, 1):
        yield row("seat", str(seat), f"seat {seat}", "won", share)
    for seat, mean in enumerate(figures.points, 1):
        yield row("seat", str(seat), f"seat {seat}", "points", mean)
    for name in ("rounds", "decisions", "ties", "comebacks"):
        yield row("game", name, name, name, getattr(figures, name))
    for card in figures.cards:
        for name in ("drawn", "played", "kept", "of_drawn"):
            yield row("card", card.id, card.title, name, getattr(card, name))
        yield row("card", card.id, card.title, "held", card.held.effect, "held" in card.told)
        yield row("card", card.id, card.title, "won by holders", card.held.won)
        yield row("card", card.id, card.title, "when played", card.when_played.effect, "played" in card.told)
        if card.matched is not None:
            yield row("card", card.id, card.title, "matched", card.matched, "matched" in card.told)
    for trait in figures.traits:
        yield row("trait", trait.id, trait.title, "borne", trait.borne)
        yield row("trait", trait.id, trait.title, "effect", trait.effect.effect, trait.told)
    for pair in (*figures.pairs, *figures.beside):
        yield row("pair", "+".join(pair.ids), f"{pair.first} and {pair.second}",
                  f"on one {pair.bearer}" if pair.bearer else "together", pair.effect, pair.told)  # fmt: skip
    for deed in figures.deeds:
        yield row("action", deed.id, deed.title, "offered", deed.offered)
        yield row("action", deed.id, deed.title, "taken", deed.taken)


def write_parquet(path: Path, figures: Figures, base: Figures | None = None) -> None:
    """All numbers as one Parquet file. ImportError without pyarrow."""
    import pyarrow
    import pyarrow.parquet

    found = [*figure_rows(figures), *(figure_rows(base, "base") if base is not None else ())]
    kinds = {
        "value": pyarrow.float64(), "low": pyarrow.float64(), "high": pyarrow.float64(), "p": pyarrow.float64(),
        "games": pyarrow.int64(), "told": pyarrow.bool_(),
    }  # fmt: skip
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(found, schema=schema), path)
