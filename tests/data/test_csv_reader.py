"""Card files of spreadsheets: cells with places, mistakes at their cell."""

from __future__ import annotations

import pytest

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.card_tables import CardTable, read_csv
from rulelang.data.yaml_nodes import YamlMap
from tests.timing import timed


def read(text: str | bytes) -> tuple[CardTable, Diagnostics]:
    diagnostics = Diagnostics()
    return read_csv(text if isinstance(text, bytes) else text.encode(), "f.csv", diagnostics, 1), diagnostics


def test_cells_keep_their_place() -> None:
    file, diagnostics = read('id,size, part\nwolf.head, 3 ,"a ""b"", c"\nfox,,x\n')
    assert not len(diagnostics)
    assert [c.text for c in file.columns] == ["id", "size", "part"]
    assert file.rows.plain() == {"wolf.head": {"size": "3", "part": 'a "b", c'}, "fox": {"size": "", "part": "x"}}
    wolf = file.rows.map("wolf.head")
    size, part = wolf.get("size"), wolf.get("part")
    assert size is not None
    assert part is not None
    assert size.span == ("f.csv", 2, 12, 2, 13)
    assert part.span == ("f.csv", 2, 15, 2, 27)
    assert part.layer == 1


def test_a_cell_may_hold_a_line_break() -> None:
    file, diagnostics = read('id,text\nwolf,"one\ntwo"\nfox,three\n')
    assert not len(diagnostics)
    assert file.rows.map("wolf").text("text") == "one\ntwo"
    fox = file.rows.map("fox").get("text")
    assert fox is not None
    assert fox.span == ("f.csv", 4, 5, 4, 10)


def test_what_spreadsheets_write() -> None:
    file, diagnostics = read(b"\xef\xbb\xbfid,size\r\nwolf,3\r\n\r\n,\r\n")
    assert not len(diagnostics)
    assert file.rows.plain() == {"wolf": {"size": "3"}}


def test_rows_without_ids_have_no_names() -> None:
    file, diagnostics = read("face,copies\nhorns,2\nhorns,3\n")
    assert not len(diagnostics)
    assert [key.value for key, _ in file.rows] == [None, None]
    first = file.rows.items[0][1]
    assert isinstance(first, YamlMap)
    assert first.plain() == {"face": "horns", "copies": "2"}


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "Y110", 1, 1),
        ("id;size,part\nwolf;3,head\n", "Y170", 1, 8),
        ("id\tsize;part\n", "Y170", 1, 8),
        ("Deck,,\nid,size,part\nwolf,3,head\n", "Y110", 1, 1),
        ("id,size,size\n", "Y110", 1, 9),
        ("id,,size\n", "Y110", 1, 4),
        ("ID,size\n", "Y110", 1, 1),
        ("id,size\nwolf\n", "Y111", 2, 1),
        ("id,size\nwolf,3,4\n", "Y111", 2, 8),
        ("id,size\n,3\n", "Y112", 2, 1),
        ("id,size\n3 wolves,3\n", "Y112", 2, 1),
        ("id,size\nwolf,3\nfox,1\nwolf,4\n", "Y112", 4, 1),
        ('id,size\nwolf,"3\n', "Y113", 2, 6),
        ('id,size\nwolf,"3" x\n', "Y113", 2, 9),
        (b"id,size\nw\xe4lf,3\n", "Y101", 2, 2),
        (b"id\nx\x00y\n", "Y101", 2, 2),
    ],
)
def test_mistakes_at_their_cell(text: str | bytes, code: str, line: int, column: int) -> None:
    _, diagnostics = read(text)
    assert [(d.code, d.span.line, d.span.column) for d in diagnostics] == [(code, line, column)]


def test_all_mistakes_in_one_run() -> None:
    file, diagnostics = read("id,size\nwolf\nfox,1\nfox,2\nbear,1,2\n")
    assert [d.code for d in diagnostics.sorted()] == ["Y111", "Y112", "Y111"]
    assert file.rows.plain() == {"fox": {"size": "1"}}


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("id,food\na,1\nb,2\n", True),
        ("id,food\na\nb,2\n", False),  # whoever names `a` is not wrong
        ("id,food\na!,1\nb,2\n", False),
        ("id,food\n,1\nb,2\n", False),
        ("id,food\na,1\na,2\n", True),  # both names are there
    ],
)
def test_whether_a_row_is_lost(text: str, whole: bool) -> None:
    assert read(text)[0].whole == whole


def test_three_thousand_cards() -> None:
    columns = ",".join(["id", *(f"c{i}" for i in range(17))])
    text = columns + "\n" + "".join(f"card_{i},{','.join('12345678901234567')}\n" for i in range(3000))
    (file, diagnostics), seconds = timed(lambda: read(text))
    assert seconds < 1  # 0.07 s on a quiet machine
    assert len(file.rows) == 3000
    assert not len(diagnostics)
