"""One mistake is one message: a misspelt key is read as it was meant, and what is said often is said once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostic, fold_repeated
from rulelang.base.source import Span
from tests.cli.helpers import MANIFEST, RULES, THINGS, run, tiny
from tests.semantics.check_pond import FILES as POND
from tests.spec.pages import garden, write


def codes(output: str) -> list[str]:
    return [line.split("[")[1][:4] for line in output.split("\n") if line.startswith(("error[", "warning["))]


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("things.yaml", "numbers:", "numbres:"),
        ("things.yaml", "kinds:", "knids:"),
        ("things.yaml", "columns:", "colunms:"),
        ("things.yaml", "attributes:", "atributes:"),
        ("things.yaml", "zones:", "zonse:"),
        ("things.yaml", "rows:", "rosw:"),
        ("things.yaml", "in_force", "in_foce"),
        ("things.yaml", "holds: card, seen_by: everyone, in_force", "hold: card, seen_by: everyone, in_force"),
        ("traits/shell.yaml", "trait:", "triat:"),
        ("traits/shell.yaml", "scenarios:", "scenarois:"),
    ],
)
def test_a_misspelt_key_is_one_mistake(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    files = dict(garden())
    name = file if file in files else next(n for n in files if n.endswith(".yaml") and right in files[n])
    assert right in files[name]
    write(tmp_path / "garden", files | {name: files[name].replace(right, wrong, 1)})
    result = run("check", str(tmp_path / "garden"))
    assert len(codes(result.output)) == 1, result.output
    assert f"did you mean `{right.split(':')[0].strip()}`?" in result.output


@pytest.mark.parametrize("blanks", [2, 4])
@pytest.mark.parametrize("section", ["lists", "kinds", "zones", "tables", "state"])
def test_a_section_too_far_in_is_one_mistake(tmp_path: Path, section: str, blanks: int) -> None:
    moved = POND["things.yaml"].replace(f"\n{section}:", f"\n{' ' * blanks}{section}:")
    assert moved != POND["things.yaml"]
    write(tmp_path / "pond", POND | {"things.yaml": moved})
    result = run("check", str(tmp_path / "pond"))
    assert codes(result.output) in (["Y153"], ["Y102"]), result.output


def test_sections_as_far_in_as_another_are_read_as_they_were_meant(tmp_path: Path) -> None:
    text = POND["things.yaml"]
    cut = text.index("\nzones:") + 1
    behind = "".join(f"  {line}\n" for line in text[cut:].splitlines())
    write(tmp_path / "pond", POND | {"things.yaml": text[:cut] + behind})
    assert codes(run("check", str(tmp_path / "pond")).output) == ["Y153"] * 3


def test_what_the_schema_tells_is_told_by_nothing_else(tmp_path: Path) -> None:
    pairs = "options:\n  pairs: {is: bool, default: false, text: in teams}"
    teams = "teams: {when: option.pairs, size: 2, seats: oposite}\n"
    manifest = POND["ruleset.yaml"].replace("options:", pairs) + teams
    write(tmp_path / "pond", POND | {"ruleset.yaml": manifest})
    assert codes(run("check", str(tmp_path / "pond")).output) == ["Y121"]


def test_a_section_in_the_manifest_is_one_mistake(tmp_path: Path) -> None:
    section = THINGS[THINGS.index("numbers:") :]
    result = run("check", str(tiny(tmp_path, manifest=MANIFEST + section, things=THINGS.replace(section, ""))))
    assert codes(result.output) == ["Y120"], result.output
    assert "move it to a file that `files:` lists" in result.output


def test_what_belongs_into_an_entry_is_one_mistake_at_the_left_edge(tmp_path: Path) -> None:
    rules = RULES.replace("game:\n", "game:\n  for player p: p.gold = 1\n", 1)
    things = THINGS + "attributes:\n  player: {gold: number}\n"
    result = run("check", str(tiny(tmp_path, things=things, rules=rules)))
    assert codes(result.output) == ["Y120"], result.output
    assert "it belongs in an entry of `lists:`, `grids:`, `cards:` or `kinds:`" in result.output


def test_a_formula_that_a_comma_splits_is_one_mistake(tmp_path: Path) -> None:
    look = "look:\n  player:\n    show:\n      all: {is: max(1, 2), name: both}\n"
    result = run("check", str(tiny(tmp_path, things=THINGS + look)))
    assert codes(result.output) == ["Y120"], result.output
    assert 'write `"max(1, 2)"`' in result.output


def test_what_stands_below_a_misspelt_key_is_checked_as_well(tmp_path: Path) -> None:
    wrong = THINGS.replace("goal: 3", "goal: three")
    right = codes(run("check", str(tiny(tmp_path / "right", things=wrong))).output)
    result = run("check", str(tiny(tmp_path / "wrong", things=wrong.replace("numbers:", "numbres:"))))
    assert sorted(codes(result.output)) == sorted([*right, "Y120"])
    assert "Y121" in right


def test_a_name_misspelt_where_it_is_declared_is_one_message(tmp_path: Path) -> None:
    rules = RULES.replace("value pay(", "value paay(").replace(
        "actor.coins += pay(actor)", "\n  ".join(["actor.coins += pay(actor)"] * 29)
    )
    result = run("check", str(tiny(tmp_path / "tiny", rules=rules)))
    assert codes(result.output) == ["N356"], result.output
    assert "the same in 28 more places: line 10, line 11" in result.output
    assert " more" in result.output.split("the same in")[1][12:]


def test_folding_keeps_what_differs() -> None:
    def said(line: int, message: str = "x") -> Diagnostic:
        return Diagnostic("N300", Span("a", line, 1, line, 2), message)

    assert fold_repeated([said(1), said(2)]) == [said(1), said(2)]
    assert fold_repeated([said(1), said(2, "y"), said(3)]) == [said(1), said(2, "y"), said(3)]
    first, other = fold_repeated([said(1), said(2), said(3), said(4, "y")])
    assert (first.span.line, first.because) == (1, "the same in 2 more places: line 2, line 3")
    assert other == said(4, "y")


@pytest.mark.parametrize(
    ("right", "wrong", "meant"),
    [("else:", "ese:", "else"), ("else:", "elsee:", "else")],
)
def test_misspelt_words_of_the_language(tmp_path: Path, right: str, wrong: str, meant: str) -> None:
    rules = RULES.replace(
        'tells "{actor} works"',
        "if any(player p where p.coins > 1):\n    actor.coins += 1\n  else:\n    actor.coins += 2",
    )
    result = run("check", str(tiny(tmp_path / "tiny", rules=rules.replace(right, wrong))))
    assert f"did you mean `{meant}`?" in result.output


def test_what_a_routine_that_cannot_be_read_is_given_is_used(tmp_path: Path) -> None:
    rules = (
        RULES
        + """
routine give(player p, int n):
  if n = 1: p.coins += n
after pay_out(p, more): give(p, more)
routine pay_out(player p, int n):
  let twice = n + n
  give(p, twice)
"""
    )
    folder = tiny(tmp_path / "tiny", rules=rules.replace("actor.coins += pay(actor)", "pay_out(actor, pay(actor))"))
    assert codes(run("check", str(folder)).output) == ["S212"]


def test_the_look_of_an_action_that_cannot_be_read_stays(tmp_path: Path) -> None:
    look = "look:\n  rest: {name: sit down}\n"
    folder = tiny(tmp_path / "tiny", things=THINGS + look, rules=RULES.replace("actor.coins > 0", "actor.coins = 0"))
    assert codes(run("check", str(folder)).output) == ["S212"]


def test_of_the_value_of_an_unknown_key_nothing_is_said(tmp_path: Path) -> None:
    files = dict(garden())
    name = next(n for n in files if n.startswith("traits/") and "\ntext:" in files[n])
    head, _, rest = files[name].partition("\ntext:")
    rest = rest.partition("\n")[2]
    write(tmp_path / "garden", files | {name: f"{head}\ntxet: {{en: What it does.}}\n{rest}"})
    assert codes(run("check", str(tmp_path / "garden")).output) == ["Y120"]
