"""What a server tells of a ruleset: the mistakes of `check`, at the places where an editor has them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from rulelang.apps.editor.diagnostics import as_lsp_diagnostic, diagnostic_text, diagnostics_by_file, path_of, uri_of
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span
from tests.cli.helpers import MANIFEST, RULES, THINGS, run, tiny
from tests.editor.helpers import Desk


def told(desk: Desk, name: str) -> list[tuple[str, lsp.Diagnostic]]:
    project = desk.workspace.project(desk.path(name))
    assert project is not None
    found = diagnostics_by_file(desk.workspace.everything(project), desk.places)
    return [(Path(path_of(uri)).name, item) for uri, items in found.items() for item in items]


def test_columns_count_utf16_units(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny", rules=RULES.replace("{actor} works", "🐎🐎 {no_such}")))
    ((file, item),) = [found for found in told(desk, "game.rules") if "no_such" in found[1].message]
    line = desk.read("game.rules").split("\n")[item.range.start.line]
    units = line.encode("utf-16-le")
    assert file == "game.rules"
    begin, end = item.range.start.character, item.range.end.character
    assert units[2 * begin : 2 * end].decode("utf-16-le") == "no_such"


@pytest.mark.parametrize(
    ("name", "old", "new", "guilty"),
    [
        ("things.yaml", "is: 0..20", "is: 0..oops", "oops"),
        ("game.rules", "pay(actor)", "pai(actor)", "pai"),
        ("ruleset.yaml", "game.rules]", "gane.rules]", "gane.rules"),
    ],
)
def test_every_kind_of_file_has_exact_places(tmp_path: Path, name: str, old: str, new: str, guilty: str) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    desk.put(name, desk.read(name).replace(old, new))
    found = [(file, item) for file, item in told(desk, name) if file == name]
    assert found, "nothing was told"
    lines = desk.read(name).split("\n")
    texts = [lines[i.range.start.line][i.range.start.character : i.range.end.character] for _, i in found]
    assert any(guilty in text for text in texts), texts


def test_a_table_of_cards_has_exact_places(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", manifest=MANIFEST.replace("files: [", "files: [cards.yaml, "))
    (folder / "cards.yaml").write_text("cards:\n  card:\n    columns: {value: int}\n    from: deck.csv\n")
    (folder / "deck.csv").write_text("id,value\nan_ox,3\na_cow,x\n")
    desk = Desk(folder)
    ((_, item),) = [found for found in told(desk, "deck.csv") if found[0] == "deck.csv"]
    assert item.range == lsp.Range(lsp.Position(2, 6), lsp.Position(2, 7))
    desk.put("deck.csv", "id,value\nan_ox,3\na_cow,4\n")
    assert [found for found in told(desk, "deck.csv") if found[0] == "deck.csv"] == []


def test_the_words_are_those_of_check(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", rules=RULES.replace("pay(actor)", "pai(actor)"))
    desk = Desk(folder)
    printed = run("check", str(folder)).output
    found = told(desk, "game.rules")
    assert found
    for _, item in found:
        for line in item.message.split("\n"):
            assert " ".join(line.split(": ", 1)[-1].split()) in " ".join(printed.split())


def test_a_document_that_is_not_saved_yet_counts(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", manifest=MANIFEST.replace("game.rules]", "game.rules, new.rules]"))
    desk = Desk(folder)
    assert [item.code for _, item in told(desk, "game.rules")] == ["Y132"]
    desk.put("new.rules", "value bonus(player p) -> int: 2\n")
    assert told(desk, "new.rules") == []


def test_a_mod_brings_the_game_it_extends(tmp_path: Path) -> None:
    tiny(tmp_path / "tiny")
    mod = tmp_path / "more"
    mod.mkdir()
    (mod / "mod.yaml").write_text(
        'id: more\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: ">=1"}\nfiles: [more.rules]\n', encoding="utf-8"
    )
    (mod / "more.rules").write_text("modify pay(any): + bonus\n", encoding="utf-8")
    desk = Desk(mod)
    ((file, item),) = told(desk, "more.rules")
    assert (file, item.code) == ("more.rules", "N350")
    desk.put("more.rules", "modify pay(any): + 2\n")
    assert told(desk, "more.rules") == []


def test_a_mistake_in_what_a_mode_reads_is_told_when_its_file_is_open(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", manifest=MANIFEST + "modes: {long: {files: [long.rules]}}\n")
    (folder / "long.rules").write_text("modify pay(any): + bonus\n", encoding="utf-8")
    desk = Desk(folder)
    assert told(desk, "game.rules") == []
    desk.put("long.rules", "modify pay(any): + bonus\n")
    assert [(file, item.code) for file, item in told(desk, "long.rules")] == [("long.rules", "N350")]


def test_words_have_reason_and_hint() -> None:
    from rulelang.base.diagnostics import Diagnostic
    from rulelang.base.source import NOWHERE

    assert diagnostic_text(Diagnostic("N350", NOWHERE, "wrong", "since", "do")) == "wrong\nbecause: since\nhint: do"


def test_addresses_and_paths(tmp_path: Path) -> None:
    path = str(tmp_path / "a b ü.rules")
    assert path_of(uri_of(path)) == path
    assert path_of("untitled:1") == "untitled:1"


def test_what_stands_there_is_asked_of_the_document(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    desk.put("things.yaml", THINGS.replace("goal: 3", "goal: 5"))
    assert desk.analysis("things.yaml").model.numbers["goal"].by_players[2] == 5
    desk.workspace.close(desk.path("things.yaml"))
    assert desk.analysis("things.yaml").model.numbers["goal"].by_players[2] == 3


@pytest.mark.parametrize("path", ["deck.csv", 'deck.xlsx, sheet "Deck"'])
def test_of_a_cell_of_a_workbook_it_is_said_that_it_is_mended_there(tmp_path: Path, path: str) -> None:
    """An editor of texts offers no fix for it; without a hint there is nothing that could be offered."""
    desk = Desk(tiny(tmp_path / "tiny"))
    span = Span(str(tmp_path / "tiny" / path), 2, 3, 2, 4)
    assert span.is_cell == (".xlsx" in path)
    hinted = Diagnostic("Y172", span, "there is no such row", "", "did you mean `x`?")
    assert ("workbook" in as_lsp_diagnostic(hinted, desk.places).message) == span.is_cell
    assert "workbook" not in as_lsp_diagnostic(replace(hinted, hint=""), desk.places).message
