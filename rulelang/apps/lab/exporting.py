"""Figures as one long table, for programs: a row for each number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulelang.apps.lab.estimates import Estimate
from rulelang.apps.lab.figures import Figures

#: A row: what it is about (`game`, `seat`, `card`, `trait`, `pair`, `action`), which one by its id, what it is called,
#: which figure, its value with bounds, games and the chance of as much; whether it is called out; of which study.
COLUMNS = ("about", "id", "title", "figure", "value", "low", "high", "games", "p", "told", "study")


def rows(figures: Figures, study: str = "now") -> Iterator[dict[str, Any]]:
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

    found = [*rows(figures), *(rows(base, "base") if base is not None else ())]
    kinds = {
        "value": pyarrow.float64(), "low": pyarrow.float64(), "high": pyarrow.float64(), "p": pyarrow.float64(),
        "games": pyarrow.int64(), "told": pyarrow.bool_(),
    }  # fmt: skip
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(found, schema=schema), path)
