"""`rulelang cards GAME export` and `import`: what is printed, what is written, what is refused."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.helpers import lines, no_traceback, run
from tests.workbooks import workbook

MANIFEST = (
    "id: deck\nversion: 1.0.0\nlanguage: 1\ntitle: Deck\nplayers: {count: [2, 4]}\nfiles: [things.yaml, game.rules]\n"
)
RULES = "game:\n  for card c: move c to box\n  for tile t: move t to box\n"
THINGS = """\
# The deck.
lists: {diet: [plants, meat]}
cards:
  card:
    from: cards.csv
    columns: {food: 0..9, diet: maybe diet}
  tile:
    columns: {size: int}   # in metres
    rows:
      #: t-1
      lake: {size: 3,  text: "A lake: deep"}  # the first
      #: t-2
      hill:
        size: 2
        text: |
          Up
          and down.
"""
CSV = "id;food;diet\r\nwolf;3;meat\r\nfox;2;\r\n"


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "deck"
    game.mkdir()
    for name, text in {"ruleset.yaml": MANIFEST, "game.rules": RULES, "things.yaml": THINGS}.items():
        (game / name).write_text(text, encoding="utf-8")
    (game / "cards.csv").write_bytes(b"\xef\xbb\xbf" + CSV.encode())
    return game


def test_a_sort_is_printed(deck: Path) -> None:
    assert lines(run("cards", "deck", "export", "--sort", "card")) == ["id,food,diet", "wolf,3,meat", "fox,2,", ""]
    data = json.loads(run("cards", "deck", "export", "--to", "json").output)
    assert data["cards"]["tile"][1] == {"id": "hill", "size": 2, "text": "Up\nand down.\n"}


def test_several_sorts_go_to_a_folder(deck: Path) -> None:
    refused = run("cards", "deck", "export")
    assert refused.exit_code == 2
    assert "there are 2 card types (card, tile): give `--sort` or `--output FOLDER`" in refused.output
    assert run("cards", "deck", "export", "-o", "out").exit_code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["card.csv", "tile.csv"]


def test_cells_are_changed_in_place(deck: Path) -> None:
    Path("new.json").write_text(
        json.dumps(
            {
                "cards": {
                    "card": [{"id": "wolf", "food": 4, "diet": "meat"}, {"id": "fox", "food": 2, "diet": "plants"}],
                    "tile": [
                        {"id": "lake", "size": 30, "text": "A lake: deeper"},
                        {"id": "hill", "size": 2, "text": "Up\nand\ndown.\n"},
                    ],
                }
            }
        )
    )
    result = run("cards", "deck", "import", "new.json")
    assert lines(result) == [
        "card: 2 rows changed",
        "  ~ wolf: food 3 -> 4",
        "  ~ fox: diet (empty) -> plants",
        "tile: 2 rows changed",
        "  ~ lake: size 3 -> 30, text A lake: deep -> A lake: deeper",
        "  ~ hill: text Up and down.  -> Up and down. ",
        "written: deck/cards.csv, deck/things.yaml",
        "",
    ]
    assert (deck / "cards.csv").read_bytes() == b"\xef\xbb\xbf" + CSV.replace("3", "4").replace(
        "2;", "2;plants"
    ).encode()
    expected = THINGS.replace("size: 3,", "size: 30,").replace("deep", "deeper")
    assert (deck / "things.yaml").read_text() == expected.replace("and down", "and\n          down")


def test_rows_are_added_and_removed_where_they_belong(deck: Path) -> None:
    Path("card.csv").write_text("id,food,diet\nwolf,3,meat\nhare,1,plants\n")
    result = run("cards", "deck", "import", "card.csv")
    assert result.exit_code == 1
    assert (
        "card: the file lacks 1 row of the game (fox): give --remove or --keep\nnothing was written\n" in result.output
    )
    assert lines(run("cards", "deck", "import", "card.csv", "--remove"))[:3] == [
        "card: 1 row added, 1 row removed", "  + hare: food 1, diet plants", "  - fox"
    ]  # fmt: skip
    assert (deck / "cards.csv").read_bytes() == b"\xef\xbb\xbfid;food;diet\r\nwolf;3;meat\r\nhare;1;plants\r\n"
    Path("tile.csv").write_text('id,size,text\nhill,2,"Up\nand down.\n"\ndune,7,\n')
    assert run("cards", "deck", "import", "tile.csv", "--remove").exit_code == 0
    assert (deck / "things.yaml").read_text() == THINGS.replace(
        '      #: t-1\n      lake: {size: 3,  text: "A lake: deep"}  # the first\n', ""
    ) + "      dune: {size: 7}\n"


def test_nothing_is_written_with_a_mistake(deck: Path) -> None:
    before = {path: path.read_bytes() for path in deck.iterdir()}
    Path("new.xlsx").write_bytes(workbook("[card]\nid,food,diet\nwolf,30,meet\nfox,2,\n[tile]\nid,size\nlake,3\n"))
    result = run("cards", "deck", "import", "new.xlsx", "--keep")
    assert result.exit_code == 1
    assert '--> new.xlsx, sheet "card", cell B2' in result.output
    assert '--> new.xlsx, sheet "card", cell C2' in result.output
    assert "new.xlsx: 2 errors in 1 file; nothing was written" in result.output
    assert {path: path.read_bytes() for path in deck.iterdir()} == before


def test_a_dry_run_writes_nothing(deck: Path) -> None:
    Path("card.csv").write_text("id,food\nfox,2\nwolf,4\n")
    result = run("cards", "deck", "import", "-n", "card.csv")
    assert lines(result) == [
        "card: 1 row changed",
        "  ~ wolf: food 3 -> 4",
        "card: the file lacks the columns diet; these columns are unchanged",
        "card: the file has its rows in a different order; the order in the game's files is unchanged",
        "would write: deck/cards.csv",
        "",
    ]
    assert (deck / "cards.csv").read_bytes().endswith(CSV.encode())
    data = json.loads(run("cards", "deck", "import", "-n", "--json", "card.csv").output)
    assert data["changes"]["card"] == [
        {"what": "changed", "id": "wolf", "cells": {"food": {"before": "3", "after": "4"}}}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["import", "x.csv"], "name the one of `x.csv` with `--sort`"),
        (["import", "--sort", "crad", "x.csv"], "the game has no card type `crad`: it has `card` and `tile`"),
        (["import", "x.txt"], "`x.txt` is not a file of rows"),
        (["export", "--to", "xlsx"], "a workbook cannot be printed: give `--output cards.xlsx`"),
        (["export", "--sort", "tlie"], "the game has no card type `tlie`; did you mean `tile`?"),
    ],
)
def test_what_cannot_be_done_is_told(arguments: list[str], words: str, deck: Path) -> None:
    for name in ("x.csv", "x.txt"):
        Path(name).write_text("id,food\nwolf,3\n")
    result = run("cards", "deck", *arguments)
    no_traceback(result)
    assert result.exit_code == 2
    assert words in result.output


def test_a_workbook_is_written_too(deck: Path) -> None:
    (deck / "cards.csv").unlink()
    (deck / "things.yaml").write_text(THINGS.replace("cards.csv", "cards.xlsx"))
    (deck / "cards.xlsx").write_bytes(workbook("id,food,diet\nwolf,3,meat\nfox,2,\n"))
    Path("card.csv").write_text("id,food,diet\nwolf,4,meat\nfox,2,plants\n")
    assert lines(run("cards", "deck", "import", "card.csv"))[-2] == "written: deck/cards.xlsx"
    table = run("cards", "deck", "export", "--sort", "card")
    assert lines(table) == ["id,food,diet", "wolf,4,meat", "fox,2,plants", ""]


def test_outcomes_of_formulas_are_not_lost(deck: Path) -> None:
    """What writes workbooks works nothing out: one with formulas is left to the spreadsheet."""
    (deck / "cards.csv").unlink()
    (deck / "things.yaml").write_text(THINGS.replace("cards.csv", "cards.xlsx"))
    whole = workbook("id,food,diet\nwolf,3,meat\nfox,=1+1,\n")
    (deck / "cards.xlsx").write_bytes(with_outcome(whole))
    Path("card.csv").write_text("id,food,diet\nwolf,4,meat\nfox,2,\n")
    result = run("cards", "deck", "import", "card.csv")
    assert result.exit_code == 1
    assert "the formula `=1+1` has no saved result" in result.output
    assert (deck / "cards.xlsx").read_bytes() == with_outcome(whole)


def with_outcome(data: bytes) -> bytes:
    """The workbook as a spreadsheet saves it: the only formula has the outcome 2."""
    whole = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(whole, "w") as new:
        for name in old.namelist():
            part = old.read(name).replace(b"<f>1+1</f><v />", b"<f>1+1</f><v>2</v>")
            new.writestr(zipfile.ZipInfo(name), part)
    return whole.getvalue()
