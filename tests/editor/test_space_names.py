"""What editors know of the spaces of a grid that rules name."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.apps.editor.completions import complete
from rulelang.apps.editor.navigation import RenameRefused, definition_of, hover_text, references_to, renamable_thing
from tests.editor.helpers import Desk
from tests.semantics.test_space_names import written


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(written(tmp_path))


def test_hover_shows_the_space(desk: Desk) -> None:
    found = hover_text(
        desk.analysis("game.rules"), desk.path("game.rules"), *desk.at("game.rules", "middle -> field: b¦1")
    )
    assert found is not None
    assert "b1: field" in found[0]
    assert "- m: high: false" in found[0]


def test_its_declaration_is_its_grid(desk: Desk) -> None:
    place = desk.at("game.rules", "after visit(any, c¦1)")
    (found,) = definition_of(desk.analysis("game.rules"), desk.path("game.rules"), *place)
    assert found.line == desk.at("things.yaml", "¦  field:")[0]


def test_references_are_all_places_that_name_it(desk: Desk) -> None:
    place = desk.at("game.rules", "value middle -> field: b¦1")
    found = references_to(desk.analysis("game.rules"), desk.path("game.rules"), *place, declarations=True)
    assert len(found) == 6
    assert {Path(span.path).name for span in found} == {"game.rules", "things.yaml"}


def test_a_space_cannot_be_renamed(desk: Desk) -> None:
    with pytest.raises(RenameRefused):
        renamable_thing(desk.analysis("game.rules"), desk.path("game.rules"), *desk.at("game.rules", "-> field: b¦1"))


@pytest.mark.parametrize("typed", ["king == ¦", "visit(actor, ¦", "king == a¦"])
def test_spaces_are_proposed(typed: str, desk: Desk) -> None:
    rule = f"routine probe:\n  if {typed}" if "==" in typed else f"action probe during day: {typed}"
    text = desk.read("game.rules") + rule.replace("¦", "") + "\n"
    desk.analysis("game.rules")
    desk.put("game.rules", text)
    line = text.rstrip("\n").count("\n") + 1
    column = len(text.rstrip("\n").rsplit("\n", 1)[1]) + 1
    proposals = complete(desk.analysis("game.rules"), desk.path("game.rules"), text, line, column)
    assert {"a1", "c2"} <= {item.label for item in proposals}
