"""Series as Parquet: what is written is what happened, and the queries and the notebook of the examples run on it."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pyarrow.parquet
import pytest

import rulelang
from rulelang.apps.lab.recording import FILES, record
from tests.cli.helpers import run
from tests.lab.duel import duel

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
QUERIES = sorted((EXAMPLES / "queries").glob("*.sql"))


def rows(folder: Path, name: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = pyarrow.parquet.read_table(folder / f"{name}.parquet").to_pylist()
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short series of a game with traits, in a folder."""
    folder = tmp_path_factory.mktemp("played")
    record(rulelang.load("evolution"), folder, 20, 3, seed=1)
    return folder


@pytest.mark.parametrize("backend", ["python", "native"])
def test_what_is_written_is_what_happened(tmp_path: Path, backend: str) -> None:
    (tmp_path / "game").mkdir()
    folder = tmp_path / "tables"
    result = record(duel(tmp_path / "game"), folder, 150, 2, seed=4, agents=["random"], backend=backend)
    assert sorted(path.stem for path in folder.iterdir()) == sorted(FILES)
    games, seats = rows(folder, "games"), rows(folder, "seats")
    assert [game["game"] for game in games] == list(range(150))
    assert [game["decisions"] for game in games] == result.decisions_each
    assert [[seat["points"] for seat in seats[i : i + 2]] for i in range(0, 300, 2)] == result.points
    assert sum(seat["won"] for seat in seats if seat["seat"] == 1) == pytest.approx(result.wins[0])  # type: ignore[misc]
    decisions = rows(folder, "decisions")
    assert len(decisions) == sum(result.decisions_each)
    assert {row["action"] for row in decisions} == {"play"}
    assert all(row["arg1"].startswith("card_") for row in decisions)  # type: ignore[attr-defined]
    played = [row for row in rows(folder, "moves") if row["to"] == "pile"]
    assert len(played) == 150 * 8
    assert all(row["from"] == "hand" and row["from_seat"] in (1, 2) for row in played)
    events = rows(folder, "events")
    told = [row for row in events if row["what"] == "action"]
    assert [row["arg1"] for row in told] == [row["card"] for row in played]
    by_number = {(row["game"], row["event"]): row for row in events}
    assert by_number[told[0]["game"], told[0]["cause"]]["name"] == "duel"
    # Whoever moved it stands in its row.
    assert [row["event"] for row in played] == [row["event"] for row in told]


def test_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    duel(tmp_path / "game")
    done = run("sim", str(tmp_path / "game"), "-n", "120", "-q", "--record", str(tmp_path / "tables"), "--jobs", "2")
    assert done.exit_code == 0, done.output
    assert "120 games of 2 players" in done.output
    assert f"written: {tmp_path / 'tables'}" in done.output.replace("\n", "")
    assert len(rows(tmp_path / "tables", "games")) == 120
    wrong = run("sim", str(tmp_path / "game"), "--record", "tables.csv")
    assert wrong.exit_code == 2
    assert "tables.csv is neither" in " ".join(wrong.output.split())


@pytest.mark.parametrize("query", QUERIES, ids=[path.stem for path in QUERIES])
def test_queries(played: Path, monkeypatch: pytest.MonkeyPatch, query: Path) -> None:
    monkeypatch.chdir(played)
    text = query.read_text(encoding="utf-8")
    assert text.startswith("-- ")
    assert duckdb.sql(text).fetchall()


def test_there_are_ten_of_them() -> None:
    assert len(QUERIES) == 10


@pytest.mark.slow
def test_the_notebook_runs() -> None:
    book = json.loads((EXAMPLES / "lab.ipynb").read_text(encoding="utf-8"))
    known: dict[str, object] = {}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "lab.ipynb", "exec"), known)
    assert "best" in known
