"""Rules in test rows of scenarios: editors treat them as those in rows of data files."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rulelang.apps.editor.completions import complete
from rulelang.apps.editor.decorations import call_at, inlay_hints
from rulelang.apps.editor.navigation import (
    RenameRefused,
    definition_of,
    hover_text,
    references_to,
    rename_edits,
    text_with_word,
)
from rulelang.base.source import Span
from rulelang.tools.incremental import Incremental
from tests.cli.helpers import THINGS, tiny
from tests.editor.helpers import Desk, shipped

TOOLS = """lists:
  tool:
    rows:
      hoe:
        rules: |
          modify pay(any): + 0
"""
RULES = """game:
  rounds until any(player p where p.coins >= goal): earning

phase earning:
  turns p from first(player q) once each: offer one action to p or pass

action work during earning:
  earn(actor)

routine earn(player p):
  p.coins += pay(p)

value pay(player p) -> int: 1

value score(player p) -> int: p.coins
"""
FILE = "scenarios/work.yaml"
ROWS = """rows:
  tool:
    spade:
      rules: |
        after earn(p):
          let more = pay(p) + 1
          dig(p, more)
        routine dig(player p, int deep):
          p.coins += deep
    rake: {rules: "modify pay(p): + p.coins"}
scenarios:
  - name: with both
    given: {phase: earning, turn: ana, players: {ana: [], bob: []}}
    when: [work]
    then: [ana.coins == 4]
  - name: one more
    rows: {tool: {fork: {rules: "before spade.dig(p, deep): p.coins += pay(p) + deep"}}}
    given: {phase: earning, turn: ana, players: {ana: [], bob: []}}
    then: [ana.coins == 0]
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tiny(tmp_path / "tiny", things=THINGS + TOOLS, rules=RULES, tests=ROWS))


def stands(desk: Desk, spans: list[Span]) -> list[tuple[str, str]]:
    found = []
    for span in spans:
        path = os.path.relpath(span.path, desk.folder)
        found.append((path, desk.read(path).split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]))
    return found


#: A marked place in test rows, and where what stands there is declared.
PLACES = [
    ("after ea¦rn(p):", "game.rules", "earn"),
    ("let more = pa¦y(p) + 1", "game.rules", "pay"),
    ("let more = pay(¦p) + 1", FILE, "p"),
    ("di¦g(p, more)", FILE, "dig"),
    ("dig(p, mo¦re)", FILE, "more"),
    ("p.coins += de¦ep", FILE, "deep"),
    ("p.co¦ins += deep", "things.yaml", "coins"),
    ("modify pay(p): + p.co¦ins", "things.yaml", "coins"),
    ("modify pa¦y(p): + p", "game.rules", "pay"),
    ("before spa¦de.dig(", FILE, "spade"),
    ("before spade.di¦g(", FILE, "dig"),
]


@pytest.mark.parametrize(("marked", "where", "text"), PLACES, ids=[place[0] for place in PLACES])
def test_names_lead_to_their_declaration(desk: Desk, marked: str, where: str, text: str) -> None:
    found = definition_of(desk.analysis(FILE), desk.path(FILE), *desk.at(FILE, marked))
    assert stands(desk, found) == [(where, text)]


def test_the_scenarios_are_sound(desk: Desk) -> None:
    analysis = desk.analysis(FILE)
    assert [item.message for item in (*analysis.diagnostics, *analysis.beyond())] == []


def test_references_of_what_rules_declare_include_test_rows(desk: Desk) -> None:
    found = references_to(desk.analysis("game.rules"), desk.path("game.rules"), *desk.at("game.rules", "value pa¦y("),
                       declarations=False)  # fmt: skip
    files = [file for file, _ in stands(desk, found)]
    assert files == ["game.rules", *[FILE] * 3, "things.yaml"]


def renamed(desk: Desk, file: str, marked: str, new: str) -> dict[str, str]:
    edits = rename_edits(desk.analysis(file), desk.path(file), *desk.at(file, marked), new)
    return {
        os.path.relpath(p, desk.folder): text_with_word(Path(p).read_text(), spans, new) for p, spans in edits.items()
    }


@pytest.mark.parametrize(("file", "marked", "old", "new", "times"), [
    ("game.rules", "value pa¦y(", "pay", "wage", 3),
    ("game.rules", "routine ea¦rn(", "earn", "gain", 1),
    ("things.yaml", "co¦ins:", "coins", "money", 5),
    (FILE, "routine di¦g(", "dig", "delve", 3),
    (FILE, "let mo¦re =", "more", "much", 2),
    (FILE, "    spa¦de:", "spade", "shovel", 2),
])  # fmt: skip
def test_renaming_changes_test_rows_too(
    desk: Desk, file: str, marked: str, old: str, new: str, times: int
) -> None:  # fmt: skip
    texts = renamed(desk, file, marked, new)
    assert FILE in texts
    assert not re.search(rf"\b{old}\b", texts[FILE].replace("one more", ""))
    assert texts[FILE].count(new) == times
    for name, text in texts.items():
        (desk.folder / name).write_text(text)
    again = Incremental(desk.folder, (), None, {}, None)
    assert again.check().diagnostics == ()
    assert again.scenarios().diagnostics == ()


def test_what_cannot_be_read_in_a_test_row_keeps_a_name(desk: Desk) -> None:
    text = ROWS.replace("let more = pay(p) + 1", "let more == pay(p) + 1")
    desk.put(FILE, text)
    with pytest.raises(RenameRefused, match=r"may use `pay`; fix it first.*work\.yaml"):
        rename_edits(desk.analysis(FILE), desk.path("game.rules"), *desk.at("game.rules", "value pa¦y("), "wage")


def test_folded_rules_of_a_test_row_keep_a_name(desk: Desk) -> None:
    """They have no lines of their own, so their names have no place."""
    desk.put(
        FILE,
        ROWS.replace(
            'rake: {rules: "modify pay(p): + p.coins"}', "rake:\n      rules: >\n        modify pay(p): + p.coins"
        ),
    )
    with pytest.raises(RenameRefused, match=r"may use `pay`; fix it first.*work\.yaml:11"):
        rename_edits(desk.analysis(FILE), desk.path("game.rules"), *desk.at("game.rules", "value pa¦y("), "wage")


def test_hover_tells_what_is_known(desk: Desk) -> None:
    analysis, path = desk.analysis(FILE), desk.path(FILE)
    for marked, wanted in (
        ("let more = pa¦y(p) + 1", "value pay(player p) -> int"),
        ("    spa¦de:", "routine dig(player p, int deep)"),
        ("before spade.di¦g(", "routine dig(player p, int deep)"),
        ("af¦ter earn(p):", "after"),
    ):
        found = hover_text(analysis, path, *desk.at(FILE, marked))
        assert found is not None
        assert wanted in found[0]


@pytest.mark.parametrize(("marked", "wanted"), [
    ("p.coins += de¦ep", {"deep"}),
    ("let more = pa¦y(p) + 1", {"pay"}),
    ("modify pay(p): + p.co¦ins", {"coins"}),
    ("before spade.dig(p, deep): p.coins += pa¦y(p) + deep", {"pay", "deep"}),
    ("di¦g(p, more)", {"dig", "earn"}),
])  # fmt: skip
def test_rules_of_test_rows_are_completed(desk: Desk, marked: str, wanted: set[str]) -> None:
    found = complete(desk.analysis(FILE), desk.path(FILE), desk.read(FILE), *desk.at(FILE, marked))
    assert wanted <= {item.label for item in found}


def test_calls_and_types_are_told_beside_them(desk: Desk) -> None:
    analysis, path = desk.analysis(FILE), desk.path(FILE)
    call = call_at(analysis, path, ROWS, *desk.at(FILE, "dig(p, mo¦re)"))
    assert call is not None
    assert (call.signature, call.at) == ("routine dig(player p, int deep)", 1)
    assert [item.text for item in inlay_hints(analysis, path, 1, 20)] == [": int"]


def test_those_of_a_shipped_game_lead_to_its_rules() -> None:
    desk = shipped("darwins_choice")
    path = desk.path("scenarios/food.yaml")
    found = definition_of(desk.analysis("scenarios/food.yaml"), path,
                       *desk.at("scenarios/food.yaml", 'no_meat: {rules: "modify meat¦_on: at most 0"}'))  # fmt: skip
    assert [os.path.basename(span.path) for span in found] == ["food.rules"]
