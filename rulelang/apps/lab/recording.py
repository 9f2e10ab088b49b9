"""Series written down as Parquet: games, seats, decisions, events and moves of cards, for whoever asks by SQL.

They are noted inside of the native library where that is there, and put into words column by column.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulelang.apps.lab.playing import Task, noted_piece, plan_for, shares_won
from rulelang.apps.lab.workers import Piece, Workers, pieces_of, workers_for
from rulelang.base.layout import handles_of
from rulelang.base.trace_plan import DECISIONS, EVENTS, MOVES, Trace, TracePlan
from rulelang.runtime.display_names import Names, player_names
from rulelang.runtime.game import Game
from rulelang.runtime.rng import game_seed
from rulelang.runtime.running import MOST_DECISIONS
from rulelang.runtime.seating import Seated, label_of
from rulelang.runtime.simulate import Result, Totals, played_rules
from rulelang.runtime.table import Table

Ints = NDArray[np.int32]
#: A table: its columns by name, numbers or `Texts`.
Columns = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Texts:
    """A column of texts: for each row which of them it is, below 0 for none."""

    codes: Any
    texts: Sequence[str]


#: The files that are written, by what a row is.
FILES = ("games", "seats", "decisions", "events", "moves")
#: Numbers of events, below 0 for none.
MAY_BE_NONE = ("cause", "event")


def record(
    game: Game,
    folder: Path,
    games: int,
    players: int,
    seed: int = 0,
    agents: Sequence[Seated] | None = None,
    options: Mapping[str, object] | None = None,
    backend: str = "auto",
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
    *,
    workers: Workers | None = None,
    invariants: bool = True,
    max_decisions: int = MOST_DECISIONS,
    totals: Totals | None = None,
) -> Result:
    """Play a series, as `simulate` (None: agents that are random), and write it into a folder, a file a table of
    `FILES`. What was written stays, and can be read, if it is interrupted. ModuleNotFoundError without pyarrow;
    ValueError and RuleError as `simulate`, OSError where nothing can be written."""
    task = Task(
        game, players, seed, tuple(game.seated(agents or ["random"])), options, backend, invariants, max_decisions
    )
    table, plan = task.table, plan_for(task.table)
    totals, writing = Totals(players) if totals is None else totals, _Writing(folder)
    labels = [label_of(agent) for agent in task.agents]
    words = Wording(table, plan, seed, [labels[seat % len(labels)] for seat in range(players)])
    start = time.perf_counter()
    first = 0
    try:
        for noted in (workers or workers_for(jobs)).play(task, pieces_of(0, games), written_piece):
            width = len(noted.rows) // noted.games
            for at in range(0, len(noted.rows), width):
                totals.take(table, noted.rows[at : at + width])
            writing.write(words.tables(noted, first))
            first += noted.games
            if progress is not None:
                progress(first)
    finally:
        writing.close()
    return totals.result(seed, time.perf_counter() - start, played_rules(game, players, task.agents, options))


def written_piece(task: Task, piece: Piece) -> Trace:
    """The games of a piece, with all that is written down of them."""
    table = task.table
    return noted_piece(task, table, plan_for(table), *piece, written=True)


class Wording:
    """What is noted at one table, in words. Names are those of the rules; titles would differ by language."""

    def __init__(self, table: Table, plan: TracePlan, seed: int, agents: Sequence[str]) -> None:
        self.table, self.plan, self.seed, self.agents = table, plan, seed, agents
        layout = self.layout = plan.layout
        self.names = Names(layout, player_names(table.players, None))
        self.known = cache(self._known)
        self.owners = np.array(layout.zone_player, dtype=np.int32)
        self.cards = [card.row or card.label for card in layout.cards]

    def tables(self, noted: Trace, first: int) -> dict[str, Columns]:
        """All tables of some games, the first of which has that number."""
        n, players = noted.games, self.table.players
        rows = np.frombuffer(noted.rows, dtype=np.int64).reshape(n, -1)
        numbers = np.arange(first, first + n, dtype=np.int32)
        points = rows[:, 3 : 3 + players]
        won, _ = shares_won(rows[:, 3:].reshape(n, -1, players), self.table.program.teams, players)
        seeds = np.array([game_seed(self.seed, int(number)) for number in numbers], dtype=np.uint64)
        return {
            "games": {
                "game": numbers, "seed": seeds, "rounds": rows[:, 2], "decisions": rows[:, 0], "forced": rows[:, 1],
            },
            "seats": {
                "game": np.repeat(numbers, players),
                "seat": np.tile(np.arange(1, players + 1, dtype=np.int32), n),
                "agent": Texts(np.tile(np.arange(players, dtype=np.int32), n), self.agents),
                "points": points.ravel(), "won": won.ravel(),
            },
            "decisions": self._decisions(_rows(noted.decisions, len(DECISIONS) + self.plan.values)),
            "events": self._events(_rows(noted.events, len(EVENTS) + self.plan.arguments)),
            "moves": self._moves(_rows(noted.moves, len(MOVES))),
        }  # fmt: skip

    def _decisions(self, rows: Ints) -> Columns:
        sites = self.table.program.sites
        found: Columns = {name: rows[:, DECISIONS.index(name)] for name in ("game", "decision", "round", "seat")}
        site, tag = rows[:, DECISIONS.index("site")], rows[:, DECISIONS.index("tag")]
        found["question"] = Texts(site, [each.prompt for each in sites])
        found["kind"] = Texts(site, [each.kind for each in sites])
        found["options"] = rows[:, DECISIONS.index("options")]
        starts = np.array(self.plan.choice_at)
        actions = [text for each in sites for text in ("pass", *(action.id for action in each.actions))]
        kinds = [types for each in sites for types in ((), *(action.types for action in each.actions))]
        choice = starts[site] + 1 + tag
        found["action"] = Texts(choice, actions)
        return {**found, **self._arguments(rows[:, len(DECISIONS) :], choice, kinds)}

    def _events(self, rows: Ints) -> Columns:
        templates = self.table.program.templates
        found: Columns = {name: rows[:, EVENTS.index(name)] for name in ("game", "event", "decision")}
        found["cause"] = rows[:, EVENTS.index("cause")]
        found["depth"] = rows[:, EVENTS.index("depth")]
        template = rows[:, EVENTS.index("template")]
        found["what"] = Texts(template, [each.what for each in templates])
        for name in ("name", "source"):
            texts = [getattr(each, name) for each in templates]
            found[name] = Texts(
                np.where(np.array([not text for text in texts]), -1, np.arange(len(texts)))[template], texts
            )
        kinds = []
        for each in templates:
            of = {part[0]: part[1] for part in each.parts if not isinstance(part, str)}
            kinds.append(tuple(of.get(place, "") for place in range(self.plan.arguments)))
        return {**found, **self._arguments(rows[:, len(EVENTS) :], template, kinds)}

    def _moves(self, rows: Ints) -> Columns:
        at = {name: rows[:, place] for place, name in enumerate(MOVES)}
        zones = self.layout.zone_names
        return {
            "game": at["game"], "decision": at["decision"], "event": at["event"],
            "card": Texts(at["card"], self.cards), "copy": at["card"],
            "from": Texts(at["from"], zones), "from_seat": self.owners[at["from"]],
            "to": Texts(at["to"], zones), "to_seat": self.owners[at["to"]],
            "face": Texts(np.where(at["face"] > 0, at["face"], -1), self.layout.lists.get("trait", ("none",))),
        }  # fmt: skip

    def _arguments(self, values: Ints, which: Any, kinds: Sequence[Sequence[str]]) -> Columns:
        """Columns of arguments in words: `arg1` and so on. `which`, by row: which of the `kinds` it has."""
        found: Columns = {}
        for place in range(values.shape[1]):
            codes, texts = np.full(len(values), -1, dtype=np.int32), list[str]()
            of = [types[place] if place < len(types) else "" for types in kinds]
            for kind in sorted(set(of) - {""}):
                here = np.array([each == kind for each in of])[which]
                given = values[here, place]
                if kind in ("int", "bool"):
                    numbers, given = np.unique(given, return_inverse=True)
                    known = [str(number) for number in numbers]
                else:
                    known = self.known(kind)
                    given = np.where((given > 0) & (given < len(known)), given, -1 - len(texts))
                codes[here] = given + len(texts)
                texts += known
            found[f"arg{place + 1}"] = Texts(codes, texts)
        return found

    def _known(self, kind: str) -> list[str]:
        """The names of all of a kind, by handle."""
        if kind in self.layout.sorts:
            return self.cards
        ends = handles_of(self.layout, kind)
        return ["", *(self.names.text(kind, value) for value in range(1, (ends[1] if ends is not None else 0) + 1))]


def _rows(words: Any, width: int) -> Ints:
    return np.frombuffer(words, dtype=np.int32).reshape(-1, width)


class _Writing:
    """Parquet files that grow."""

    def __init__(self, folder: Path) -> None:
        import pyarrow
        import pyarrow.parquet

        folder.mkdir(parents=True, exist_ok=True)
        self.arrow, self.folder, self.open = pyarrow, folder, {}  # type: ignore[var-annotated]

    def write(self, tables: Mapping[str, Columns]) -> None:
        for name, columns in tables.items():
            arrays = {column: self._array(column, values) for column, values in columns.items()}
            made = self.arrow.table(arrays)
            if name not in self.open:
                path = self.folder / f"{name}.parquet"
                self.open[name] = self.arrow.parquet.ParquetWriter(path, made.schema, compression="snappy")
            self.open[name].write_table(made)

    def _array(self, name: str, values: Any) -> Any:
        if isinstance(values, Texts):
            codes = np.asarray(values.codes, dtype=np.int32)
            return self.arrow.DictionaryArray.from_arrays(
                self.arrow.array(codes, mask=codes < 0), self.arrow.array([*values.texts], self.arrow.string())
            )
        return self.arrow.array(values, mask=values < 0 if name in MAY_BE_NONE else None)

    def close(self) -> None:
        for writer in self.open.values():
            writer.close()
