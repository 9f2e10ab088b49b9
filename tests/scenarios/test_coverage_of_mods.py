"""Coverage of one document by a ruleset and a mod for it, and by the files of modes."""

from __future__ import annotations

from pathlib import Path

from rulelang.testing.scenarios.citations import coverage_lines, measure_rule_coverage
from tests.scenarios.shore import FILES, game

RULES = """\
ruleset: shore
rules:
  sh-1: {text: Crabs graze.}
  sh-2: {text: When it is rough they graze more.}
  sh-3: {text: At night they do not., ruleset: night}
"""

MOD = "id: night\nversion: 1.0.0\nlanguage: 1\ntitle: Night\nextends: {shore: '>=1.0'}\nfiles: [night.rules]\n"


def laid(folder: Path) -> Path:
    home = game(folder)
    (home / "game.rules").write_text(FILES["game.rules"] + "\n#: sh-1\nroutine cited: nothing\n", encoding="utf-8")
    (home / "rough.yaml").write_text("#: sh-2\n" + FILES["rough.yaml"], encoding="utf-8")
    files = {"seeds/shore.yaml": RULES, "night/mod.yaml": MOD, "night/night.rules": "#: sh-3\nroutine dark: nothing\n"}
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return home


def test_the_base_answers_for_its_own_rules_and_its_modes_for_theirs(tmp_path: Path) -> None:
    report = measure_rule_coverage(laid(tmp_path))
    assert list(report.rules) == ["sh-1", "sh-2"]
    assert not report.uncoded
    assert not report.mistakes


def test_a_mod_answers_for_its_own(tmp_path: Path) -> None:
    laid(tmp_path)
    report = measure_rule_coverage(tmp_path / "night")
    assert list(report.rules) == ["sh-3"]
    assert not report.uncoded
    assert [rule.id for rule in report.untested] == ["sh-3"]
    assert not report.mistakes


def test_a_game_with_a_mod_answers_for_the_rules_of_both(tmp_path: Path) -> None:
    home = laid(tmp_path)
    report = measure_rule_coverage(home, [tmp_path / "night"])
    assert list(report.rules) == ["sh-1", "sh-2", "sh-3"]
    assert not report.uncoded
    assert not report.mistakes


def test_without_numbered_rules_nothing_is_called_covered(tmp_path: Path) -> None:
    laid(tmp_path)
    (tmp_path / "seeds" / "shore.yaml").unlink()
    lines = list(coverage_lines(measure_rule_coverage(tmp_path / "shore", [tmp_path / "night"])))
    assert lines == ["no document in seeds/ has rules of shore or night"]
