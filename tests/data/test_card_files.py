"""`from:`: tables as text, in sheets and in YAML are the same rows; what a spreadsheet did to a cell is told there."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.terminal import draw_frame
from rulelang.compiler.compilation import Compilation
from rulelang.data.ruleset import load_ruleset
from rulelang.data.schema import schema_problems
from rulelang.tools import reports
from rulelang.tools.reports import Report, Subject
from tests.data.conftest import Write
from tests.workbooks import workbook

COLUMNS = """\
    columns: {size: 0..9, diet: maybe diet, wild: bool, traits: set of skill, needs: condition on skill}
    unused_columns: [note]
"""
LISTS = "lists: {diet: [plants, meat], skill: [dig, climb]}\n"
CSV = """\
id,size,diet,wild,traits,needs,text.en,text.ja,note
wolf,3,meat,true,dig+climb,dig>=1,"A wolf, alone",狼,x
fox,2,,,,,,,
"""
YAML = """\
wolf:
  {size: 3, diet: meat, wild: true, traits: [dig, climb], needs: dig>=1, text: {en: "A wolf, alone", ja: 狼}, note: x}
fox: {size: 2}
"""
LISTED = """\
- {id: wolf, size: 3, diet: meat, wild: true, traits: dig+climb, needs: dig>=1, note: x,
   text: {en: "A wolf, alone", ja: 狼}}
- {id: fox, size: 2}
"""


def things(source: str, columns: str = COLUMNS) -> str:
    return f"{LISTS}cards:\n  animal:\n    from: {source}\n{columns}"


def told(folder: Path) -> list[Diagnostic]:
    return mistakes(Compilation(folder))


def mistakes(one: Compilation) -> list[Diagnostic]:
    found = [*one.read[1], *(one.declared[1] if one.source.complete else ())]
    return sorted(found, key=lambda d: d.span)


SHEET = "[Deck]\n" + CSV.replace("狼,x", "狼,x").replace("true", "TRUE")

FILES: dict[str, tuple[str, str | bytes]] = {
    "commas": ("f.csv", CSV),
    "semicolons": ("f.csv", CSV.replace(",", ";").replace("A wolf; alone", "A wolf, alone")),
    "tabs": ("f.tsv", CSV.replace(",", "\t").replace("A wolf\t alone", "A wolf, alone")),
    "said by the file": ("f.csv", "sep=;\n" + CSV.replace(",", ";").replace("A wolf; alone", "A wolf, alone")),
    "said": ('{file: f.csv, separator: "|"}', CSV.replace(",", "|").replace("A wolf| alone", "A wolf, alone")),
    "mark and line ends": ("f.csv", b"\xef\xbb\xbf" + CSV.replace("\n", "\r\n").encode()),
    "empty lines and columns": ("f.csv", "\n" + CSV.replace("\n", ",,\n\n,,,,,,,,,,\n")),
    "UTF-16": ("{file: f.csv, encoding: utf-16}", CSV.encode("utf-16")),
    "another encoding": ("{file: f.csv, encoding: shift_jis}", CSV.encode("shift_jis")),
    "a sheet": ("f.xlsx", SHEET),
    "a sheet beside a hidden one": ("f.xlsx", "[Old hidden]\nid,x\n" + SHEET),
    "a named sheet": ("{file: f.xlsx, sheet: Deck}", "[Notes]\nto do\n" + SHEET),
    "a map": ("f.yaml", YAML),
    "a list": ("f.yaml", LISTED),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_all_kinds_of_files_are_the_same_rows(name: str, write: Write) -> None:
    source, text = FILES[name]
    file = source.removeprefix("{file: ").partition(",")[0]
    data = workbook(text) if file.endswith(".xlsx") and isinstance(text, str) else text
    folder = write("tiny", {"things.yaml": things(source)})
    (folder / file).write_bytes(data if isinstance(data, bytes) else data.encode())
    one = Compilation(folder)
    assert mistakes(one) == []
    wolf, fox = one.model.sorts["animal"].rows
    skills = one.model.lists["skill"].rows
    assert (wolf.name, wolf.text) == ("wolf", "A wolf, alone")
    assert {**wolf.columns, "needs": str(wolf.columns["needs"])[:9]} == {
        "size": 3, "diet": 2, "wild": 1, "traits": (1, len(skills)), "needs": "Condition"
    }  # fmt: skip
    assert (fox.columns["size"], fox.columns["diet"], fox.columns["wild"], fox.columns["traits"]) == (2, 0, 0, ())
    row = one.source.tree.map("cards").map("animal").map("rows").map("wolf")
    assert row.map("text").plain() == {"en": "A wolf, alone", "ja": "狼"}


def sheet_of(write: Write, text: str, columns: str = COLUMNS) -> list[Diagnostic]:
    folder = write("tiny", {"things.yaml": things("f.xlsx", columns)})
    (folder / "f.xlsx").write_bytes(workbook(text))
    return told(folder)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("2026-03-01", "this cell contains the date 2026-03-01"),
        ("=1+1", "the formula `=1+1` has no saved result"),
        ("#DIV/0!", "this cell contains the error `#DIV/0!`"),
        ("^", "the cells B2 to B3 are merged"),
        ("2.5", "expected a whole number, found the text `2.5`"),
        ("two", "expected a whole number, found the text `two`"),
        ("12", "12 is out of range"),
        ("", "`fox` has no value in the column `size`"),
    ],
)
def test_a_cell_that_cannot_be_read_is_told_once(cell: str, words: str, write: Write) -> None:
    (found,) = sheet_of(write, f"[Deck]\nid,size\nwolf,3\nfox,{cell}\nbear,4\n", "    columns: {size: 0..9}\n")
    assert found.message == words
    cell_name = "B2" if cell == "^" else "B3"
    assert str(found.span) == f'tiny/f.xlsx, sheet "Deck", cell {cell_name}'
    assert (found.span.file, found.span.sheet, found.span.cell) == ("tiny/f.xlsx", "Deck", cell_name)
    if cell and cell != "^":
        assert "`size` of `fox`" in found.because


def test_mistakes_of_a_sheet_are_all_told_at_once(write: Write) -> None:
    text = "[Deck]\nid,size,diet\nwolf,two,meet\nfox,#REF!,plants\nfox,1,\nbad id,1,\n,4,\n(hidden) bear,4,meat\n"
    folder = write("tiny", {"things.yaml": things("f.xlsx", "    columns: {size: 0..9, diet: maybe diet}\n")})
    (folder / "f.xlsx").write_bytes(workbook(text))
    one = Compilation(folder)
    found = {(d.code, d.span.cell) for d in (*one.read[1], *one.declared[1])}
    assert found == {
        ("N304", "B2"), ("N305", "C2"), ("Y174", "B3"), ("Y112", "A4"), ("Y112", "A5"), ("Y112", "A6"), ("Y175", "A7"),
    }  # fmt: skip


def test_odd_cells_that_no_rule_reads_do_no_harm(write: Write) -> None:
    text = "[Deck]\nid,size,note\nwolf,3,2026-03-01\nfox,2,=1+1\nbear,2,#REF!\nhare,1,<\n"
    assert sheet_of(write, text, "    columns: {size: 0..9}\n    unused_columns: [note]\n") == []


@pytest.mark.parametrize("word", ["id", "copies", "text"])
def test_odd_cells_in_columns_with_a_meaning_are_told(word: str, write: Write) -> None:
    columns = {"id": "a", "size": "3", "copies": "2", "text": "words", word: "#REF!"}
    text = f"[Deck]\n{','.join(columns)}\n{','.join(columns.values())}\nb,1,1,x\n"
    assert [(d.code, d.span.line) for d in sheet_of(write, text, "    columns: {size: 0..9}\n")] == [("Y174", 2)]


def test_a_frame_shows_the_row(write: Write) -> None:
    folder = write("tiny", {"things.yaml": things("f.xlsx", "    columns: {size: 0..9, title: bool}\n")})
    (folder / "f.xlsx").write_bytes(workbook("[大きな札]\nid,title,size\nw,狼 山,3\n"))
    (found,) = [d for d in told(folder) if d.code == "N304"]
    lines = draw_frame(found, load_ruleset(folder)[0].sources).split("\n")  # type: ignore[union-attr]
    assert lines[1:5] == [
        ' --> tiny/f.xlsx, sheet "大きな札", cell B2', "  |", "2 | w | 狼 山 | 3", "  |     ^^^^^"
    ]  # fmt: skip


def test_what_lies_far_out_fills_no_memory(write: Write) -> None:
    (found,) = sheet_of(write, "[Deck]\nid\n" + "," * 16000 + "1\n" * 2 + "\n" * 80_000 + "x\n")
    assert (found.code, found.message) == ("Y104", "the last cell of this sheet is WQK80004")


def test_a_workbook_that_unpacks_to_too_much_is_not_unpacked(write: Write) -> None:
    folder = write("tiny", {"things.yaml": things("f.xlsx")})
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * (300 * 2**20))
    (folder / "f.xlsx").write_bytes(whole.getvalue())
    assert [d.code for d in told(folder)] == ["Y104"]


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        ("f.xls", "Y176", "`f.xls` is not a file of rows"),
        ("{file: f.csv, sheet: Deck}", "Y176", "`sheet` does not apply to a `.csv` file"),
        ("{file: f.yaml, separator: ';'}", "Y176", "`separator` does not apply to a `.yaml` file"),
        ("{file: f.xlsx, sheet: Dek}", "Y173", "this workbook has no sheet `Dek`"),
        ("{sheet: Deck}", "Y122", "missing key `file` in `from`"),
        ("{file: f.csv, encoding: latin}", "Y121", "`encoding` must be `utf-8` or `utf-16`"),
    ],
)
def test_what_is_said_of_a_file_must_fit_it(source: str, code: str, words: str, write: Write) -> None:
    folder = write("tiny", {"things.yaml": things(source)})
    for name in ("f.csv", "f.xls"):
        if name in source:
            (folder / name).write_text("id,size\nwolf,3\n")
    if "f.yaml" in source:
        (folder / "f.yaml").write_text(YAML)
    if "f.xlsx" in source:
        (folder / "f.xlsx").write_bytes(workbook("[Deck]\nid,size\nwolf,3\n[Notes]\nx\n"))
    found = [d for d in told(folder) if d.code == code]
    assert [d.message[: len(words)] for d in found] == [words]


def test_a_file_in_another_encoding_is_told_with_what_it_may_read(write: Write) -> None:
    folder = write("tiny", {"things.yaml": things("f.csv")})
    (folder / "f.csv").write_bytes("id,size,note\nwolf,3,graues Fell\nfox,2,großer Bär\n".encode("cp1252"))
    (found,) = told(folder)
    assert (found.code, found.span.line) == ("Y101", 3)
    assert "if this word is `großer Bär`" in found.hint
    assert "encoding: windows-1252" in found.hint
    (folder / "things.yaml").write_text(things("{file: f.csv, encoding: windows-1252}"))
    assert told(folder) == []


@pytest.mark.parametrize(
    ("cell", "hint"),
    [
        ("3.0", "write `3`"),
        ('"3,0"', "write `3`"),
        ('"2,5"', "there are no fractions; use a smaller unit, such as tenths"),
        ("1.000", "write `1000`, without separators between digits"),
        ("1 000", "write `1000`, without separators between digits"),
        ("−3", "write `-3`"),
        ("+3", "write `3`"),
        ("３", "write `3`"),
        ("three", ""),
    ],
)
def test_numbers_as_they_are_written_elsewhere(cell: str, hint: str, write: Write) -> None:
    folder = write("tiny", {"things.yaml": things("f.csv", "    columns: {size: int}\n")})
    (folder / "f.csv").write_text(f"id,size\nwolf,{cell}\n")
    (found,) = told(folder)
    assert (found.code, found.hint) == ("N304", hint)


def test_a_decimal_comma_between_commas_is_told(write: Write) -> None:
    folder = write("tiny", {"things.yaml": things("f.csv", "    columns: {size: int}\n")})
    (folder / "f.csv").write_text("id,size\nwolf,2,5\n")
    (found,) = told(folder)
    assert found.code == "Y111"
    assert "if `2,5` is one number, write a whole number instead" in found.hint


def test_without_the_package_workbooks_are_told(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    (found,) = sheet_of(write, "id,size\nwolf,3\n")
    assert (found.code, found.hint) == ("Y171", "install it with `pip install 'rulelang[sheets]'`")


def test_several_values_stand_in_one_cell(write: Write) -> None:
    columns = "    columns: {food: {is: int, by: copy}, steps: {is: int, by: 1..3}}\n"
    folder = write("tiny", {"things.yaml": things("f.csv", columns)})
    (folder / "f.csv").write_text("id,food,steps\nwolf,0 1  -2,4 5 6\nfox,7,1 1 1\nbear,1 two,1 2\n")
    one = Compilation(folder)
    assert [(d.code, d.span.column, d.span.end_column) for d in one.declared[1]] == [("N304", 8, 11), ("N320", 12, 15)]
    wolf, fox, _ = one.model.sorts["animal"].rows
    assert (wolf.copies, wolf.columns["food"], wolf.columns["steps"]) == (3, (0, 1, -2), (4, 5, 6))
    assert (fox.copies, fox.columns["food"]) == (1, (7,))


def test_rules_stand_in_cells(write: Write) -> None:
    rules = "value worth(animal a) -> int: 2\nvalue odd(animal a) -> int: nonsense"
    folder = write("tiny", {"things.yaml": things("f.csv", "    columns: {size: int}\n")})
    (folder / "f.csv").write_text(f'id,size,rules\nwolf,3,"{rules}"\n')
    one = Compilation(folder)
    assert mistakes(one) == []
    assert ("N350", 3, 29) in [(d.code, d.span.line, d.span.column) for d in one.typed[1]]
    (folder / "things.yaml").write_text(things("f.xlsx", "    columns: {size: int}\n"))
    (folder / "f.csv").unlink()
    (folder / "f.xlsx").write_bytes(workbook("id,size,rules\nwolf,3,value odd -> int: nonsense\n"))
    one = Compilation(folder)
    assert mistakes(one) == []
    (found,) = [d for d in one.typed[1] if d.code == "N350"]
    assert str(found.span) == 'tiny/f.xlsx, sheet "Sheet1", cell C2:1:19'
    assert draw_frame(found, one.source.sources).split("\n")[3:5] == [
        "1 | value odd -> int: nonsense", "  |                   ^^^^^^^^"
    ]  # fmt: skip


def test_reports_name_file_sheet_and_cell(write: Write) -> None:
    (found,) = sheet_of(write, "[Deck]\nid,size\nwolf,two\n", "    columns: {size: int}\n")
    report = Report("check", "1", (Subject("tiny", diagnostics=(found,)),))
    data = json.loads(reports.json_report(report))
    assert schema_problems("report", data) == []
    assert data["games"][0]["diagnostics"][0]["span"] == {
        "path": "tiny/f.xlsx", "sheet": "Deck", "cell": "B2", "line": 2, "column": 2, "end_line": 2, "end_column": 3
    }  # fmt: skip
    assert reports.github_commands(report).startswith("::error file=tiny/f.xlsx,title=N304")
    assert '::sheet "Deck", cell B2: expected a whole number, found the text `two`' in reports.github_commands(report)
    assert '"uri": "tiny/f.xlsx"' in reports.sarif_report(report)
    assert '"path": "tiny/f.xlsx"' in reports.gitlab_report(report)
