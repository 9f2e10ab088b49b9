"""Messages for common mistakes name what was meant and show the line to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostic, Diagnostics, fold_repeated
from rulelang.base.source import Span
from rulelang.data.schema import check_schema
from rulelang.data.yaml_reader import read_yaml
from tests.cli.helpers import run
from tests.semantics.check_pond import checked, first
from tests.syntax.texts import mistakes


@pytest.mark.parametrize(
    ("rule", "code", "message", "hint"),
    [
        (
            "modify weight(any): + 2",
            "W501",
            "`weight` is an attribute of a `fish`",
            "modify a value that uses it: `hunger`",
        ),
        (
            "modify water: + 2",
            "W501",
            "`water` is an entry of `state:`",
            "change it in an event, as in `after EVENT: water += 2`",
        ),
        ("modify limit: + 2", "W501", "`limit` is an entry of `numbers:`", "set: {numbers.limit: ...}"),
        ("modify deck: + 2", "W501", "`deck` is a zone", ""),
        ("forbid weight(any)", "W501", "`weight` is an attribute of a `fish`", "an event that changes it: `eat`"),
        ("after finned: nothing", "W501", "`finned` is a trait", "`when X has finned`"),
        ("modify hunger(any): 2", "S230", "missing operator before `2`", "write `+ 2` to add, `= 2` to set"),
        ("modify hunger(any): += 2", "S230", "`+=` is not an operator of `modify`", "write `+ 2`"),
        ("modify hunger(any) += 2", "S230", "missing `:` before `+=`", "write `: + 2`"),
        ("modify hunger(any) at most 2", "S230", "missing `:` before `at`", "write `: at most 2`"),
        ("routine r(fish f):\n  f.eat(plant, 2)", "S231", "`f.eat(...)` cannot be called", "write `eat(f, plant, 2)`"),
        (
            "once per round after strike(any, any): nothing",
            "S223",
            "`once` cannot begin a rule",
            "write `after strike(any, any) once per round: ...`",
        ),
        ('forbid strike(f, any) when f.name == "wolf"', "T406", "a `fish` cannot be compared by name", "another fish"),
        ('forbid strike(f, any) when f == "wolf"', "T406", "a `fish` cannot be compared by name", "another fish"),
        ('forbid strike(f, any) when f.weight == "2"', "T406", "with the text `2`", "without quotes"),
    ],
)
def test_rules(rule: str, code: str, message: str, hint: str) -> None:
    found = mistakes(rule + "\n")[0] if code[0] == "S" else first(rule)
    assert found.code == code
    assert message in found.message
    assert hint in found.hint


def test_phases_and_rows_may_be_compared_in_quotes() -> None:
    _, found = checked('# in a trait\nvalue v(card c) -> bool: phase == "feeding" and c.face == "shy"\n')
    assert not [d.code for d in found]


@pytest.mark.parametrize(
    ("text", "code", "message", "hint"),
    [
        ("trait: t\nrules: modify hunger(any): + 2\n", "Y102", "`rules` must be a block", "write `rules: |`"),
        ("trait: t\nrules: [a]\n", "Y121", "`rules` must be a block of rules, not a list", "write `rules: |`"),
        ("trait: Sharp Spines\n", "Y121", "is not valid as the trait's id", "write `trait: sharp_spines`"),
        ("trait: t\ntext: it hides: always\n", "Y102", "contains a second `: `", '`text: "it hides: always"`'),
        (
            "trait: t\nscenarios:\n  - name: a\n    given:\n      players:\n        - ana: [ada]\n        - bob: []\n",
            "Y121",
            "`players` must be a map, not a list",
            "remove the dashes: `ana: [ada]`",
        ),
        ("trait: t\nneeds: horns\n", "Y121", "`needs` must be a list", "`needs: [horns]`"),
        ("trait: t\nscenarios:\n  - name: a\n    given: {turn: 3}\n", "Y121", "`turn` must be", '`turn: "3"`'),
        ("trait: t\nscenarios:\n  - name: a\n    given: {phase: [dawn]}\n", "Y121", "`phase` must be", "`phase: dawn`"),
    ],
)
def test_yaml(text: str, code: str, message: str, hint: str) -> None:
    found = Diagnostics()
    file = read_yaml(text.encode(), "f.yaml", found)
    if file.root is not None:
        check_schema("trait", file, found)
    (one,) = found
    assert one.code == code
    assert message in one.message
    assert hint in one.hint


def test_a_bare_number_of_cards_shows_the_column(tmp_path: Path) -> None:
    head = "id: patch\nversion: 1.0.0\nlanguage: 1\ntitle: P\nextends: {evolution: any}\nfiles: [a.yaml]\n"
    (tmp_path / "mod.yaml").write_text(head, encoding="utf-8")
    (tmp_path / "a.yaml").write_text("trait: quick\ncards: 3\n", encoding="utf-8")
    output = run("check", "evolution", str(tmp_path)).output
    assert "3 cards need a value in the column `food`" in output
    assert "write `cards: [{food: [1, 1, 1]}]`" in output


def test_warnings_that_differ_in_one_name_are_shown_once() -> None:
    items = [
        Diagnostic(
            "L819", Span(f"t{k}.yaml", 1, 1, 1, 2), f"no scenario shows the trait `t{k}`", "why", severity="warning"
        )
        for k in range(9)
    ]
    (one,) = fold_repeated(items)
    assert one.message == "no scenario shows the trait `t0`"
    assert "the same for 8 more: `t1` (t1.yaml:1)" in one.because
    assert one.because.endswith("`t6` (t6.yaml:1) and 2 more")
    assert len(fold_repeated(items[:2])) == 2
