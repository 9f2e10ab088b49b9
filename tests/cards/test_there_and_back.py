"""What is exported and imported again changes nothing; what is changed outside becomes so in the files of the game."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulelang.compiler.compilation import Compilation
from rulelang.tools.cards.plan_import import ImportPlan, carry_out, game_tables, plan_import
from rulelang.tools.cards.tables import CardTypeTable, check_read_back, to_csv, to_json, to_xlsx
from tests.cards.games import CELLS, KINDS, NUMBERS, rows, write

#: No shrinking: what fails is small, and each example writes a game.
SOME = settings(
    max_examples=4,
    deadline=None,
    derandomize=False,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow],
)
FORMATS = ("csv", "xlsx", "json")
Cards = dict[str, dict[str, Any]]
#: Rows that stay, so that no column loses its last cell.
KEPT: Cards = {
    "zz": {
        "size": 1, "level": 2, "diet": "meat", "kind": "meat", "wild": True, "tame": "x", "skills": ["dig"],
        "needs": "dig>=1", "hours": {"weed": 1, "water": 2}, "steps": [1, 2, 3], "note": "x", "by hand": "y",
        "text": {"en": "a", "ja": "b", "de": "c"}, "copies": 2,
    },
    "zy": {"size": 1, "text": "plain", "food": [1, 1]},
}  # fmt: skip


def exported(one: Compilation, folder: Path, kind: str) -> Path:
    tables = game_tables(one)
    if kind == "xlsx":
        data = to_xlsx(tables, one.model)
    else:
        data = (to_json(tables) if kind == "json" else to_csv(tables["animal"])).encode()
    if kind != "json":
        check_read_back(tables["animal"], data, kind)
    path = folder / f"animal.{kind}"
    path.write_bytes(data)
    return path


def bytes_of(game: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in game.iterdir()}


def table(game: Path) -> CardTypeTable:
    return game_tables(Compilation(game))["animal"]


def told(plan: ImportPlan) -> list[str]:
    return [f"{d.span} {d.code} {d.message}" for d in plan.diagnostics if d.severity == "error"]


@pytest.mark.parametrize(("kind", "form"), list(itertools.product(KINDS, FORMATS)))
@given(cards=rows())
@SOME
def test_an_export_that_is_imported_changes_nothing(kind: str, form: str, cards: Cards) -> None:
    with tempfile.TemporaryDirectory() as name:
        game = write(Path(name), kind, cards)
        before = bytes_of(game)
        one = Compilation(game)
        assert [f"{d.span} {d.message}" for d in (*one.read[1], *one.declared[1])] == []
        plan = plan_import(one, str(exported(one, Path(name), form)))
        assert told(plan) == []
        assert [change for changes in plan.every.values() for change in changes.rows] == []
        assert plan.contents == {}
        assert bytes_of(game) == before


@pytest.mark.parametrize("kind", KINDS)
@given(cards=rows())
@SOME
def test_an_export_is_a_file_of_the_game(kind: str, cards: Cards) -> None:
    """A game that reads the table in the place of its own file has the same cards."""
    with tempfile.TemporaryDirectory() as name:
        one = Compilation(write(Path(name), kind, cards))
        if kind == "list":
            cards = {str(number): row for number, row in enumerate(cards.values())}
        again = Compilation(write(Path(name) / "again", "csv", {}))
        (Path(name) / "again" / "deck" / "cards.csv").write_text(to_csv(game_tables(one)["animal"]), encoding="utf-8")
        assert [d.message for d in again.declared[1] if d.code != "N331"] == []
        mine, theirs = one.model.sorts["animal"].rows, again.model.sorts["animal"].rows
        assert [(r.name, r.columns, r.copies, r.text.strip()) for r in mine] == [
            (r.name, r.columns, r.copies, r.text.strip()) for r in theirs
        ]


@pytest.mark.parametrize(("kind", "form"), list(itertools.product(KINDS, FORMATS)))
@given(cards=rows(2), data=st.data())
@SOME
def test_what_is_changed_outside_becomes_so(kind: str, form: str, cards: Cards, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        cards = {**cards, **KEPT}
        game = write(Path(name) / "mine", kind, cards)
        wanted = {key: dict(row) for key, row in cards.items()}
        for key in data.draw(st.sets(st.sampled_from(sorted(cards.keys() - KEPT)))):
            column = data.draw(st.sampled_from([c for c in wanted[key] if c not in ("food", "copies")]))
            wanted[key][column] = data.draw(CELLS[column])
        gone = data.draw(st.sampled_from([None, *sorted(cards.keys() - KEPT)]))
        if gone is not None and kind != "list":
            del wanted[gone]
        for number in range(data.draw(st.integers(0, 2))):
            fresh = {"size": data.draw(NUMBERS), "copies": 2, "note": "new"}
            wanted[f"new_{number}"] = fresh | {"skills": ["dig", "swim"], "hours": {"weed": 4}}
        theirs = write(Path(name) / "theirs", kind if kind == "list" else "map", wanted)
        other = Compilation(theirs)
        plan = plan_import(Compilation(game), str(exported(other, Path(name), form)), removing=True)
        assert told(plan) == []
        carry_out(plan)
        found = [dict(row.cells) for row in table(game).rows]
        assert sorted(map(plain, found)) == sorted(map(plain, (dict(row.cells) for row in table(theirs).rows)))
        again = plan_import(Compilation(game), str(Path(name) / f"animal.{form}"), removing=True)
        assert [change for changes in again.every.values() for change in changes.rows] == []


def plain(cells: dict[str, str]) -> list[tuple[str, str]]:
    return sorted((name, text) for name, text in cells.items() if (name, text) != ("copies", "1"))
