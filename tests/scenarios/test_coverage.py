"""Citations against the numbered rules of documents."""

from __future__ import annotations

from pathlib import Path

from rulelang.testing.scenarios.citations import CoverageReport, coverage_lines, measure_rule_coverage
from tests.scenarios.shore import FILES, game

RULES = """\
ruleset: shore
document: "1"
rules:
  sh-1: {text: Crabs graze.}
  sh-2: {text: Whoever has most points wins.}
  sh-3: {text: The shore is nice., enforced: false, because: nobody can be held to it}
  sh-4: {text: A bag counts.}
"""

SCENARIOS = """\
- name: a crab grazes
  rule: [sh-1]
  given: {phase: feeding, turn: ana, state: {water: 3}, players: {ana: {crab: [nip]}, bob: {crab: [nob]}}}
  when: [graze nip]
  then: [nip.weight == 2]
- name: this does not pass
  rule: sh-2
  given: {phase: feeding, turn: ana, players: {ana: {crab: [nip]}, bob: {crab: [nob]}}}
  then: [score(ana) == 7]
"""


def covered(folder: Path, rules: str, code: str = "#: sh-1 sh-2\nroutine cited: nothing\n") -> CoverageReport:
    home = game(folder)
    (home / "game.rules").write_text(FILES["game.rules"] + "\n" + code, encoding="utf-8")
    for name, text in (("scenarios/some.yaml", SCENARIOS), ("../seeds/shore.yaml", rules)):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    return measure_rule_coverage(home)


def test_what_is_missing(tmp_path: Path) -> None:
    report = covered(tmp_path, RULES)
    assert [rule.id for rule in report.uncoded] == ["sh-4"]
    assert [rule.id for rule in report.untested] == ["sh-2", "sh-4"]
    assert not report.ok
    assert not report.mistakes
    assert list(report.scenarios) == ["sh-1"]
    assert report.scenarios["sh-1"] == ("some: a crab grazes",)
    assert [span.path.endswith("game.rules") for span in report.code["sh-2"]] == [True]
    assert list(coverage_lines(report))[-1] == "3 rules are enforced (1 need no code); 1 of 2 scenarios pass"


def test_citations_in_data_and_in_traits_count(tmp_path: Path) -> None:
    home = game(tmp_path)
    things = FILES["things.yaml"].replace("numbers:", "#: sh-1\nnumbers:", 1)
    (home / "things.yaml").write_text(things, encoding="utf-8")
    trait = FILES["traits/shy.yaml"].replace("  forbid", "  #: sh-2\n  forbid")
    (home / "traits/shy.yaml").write_text(trait, encoding="utf-8")
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/shore.yaml").write_text(RULES, encoding="utf-8")
    report = measure_rule_coverage(home)
    assert [rule.id for rule in report.uncoded] == ["sh-4"]


def test_a_citation_of_nothing(tmp_path: Path) -> None:
    report = covered(tmp_path, RULES, "#: sh-1 sh-5\nroutine cited: nothing\n")
    (found,) = report.mistakes
    assert found.code == "C710"
    assert "sh-5" in found.message
    assert found.span.path.endswith("game.rules")
    assert not report.ok


def test_documents_that_are_wrong(tmp_path: Path) -> None:
    assert [d.code for d in covered(tmp_path, "ruleset: shore\nrules: [a]\n").mistakes] == ["C712"]
    broken = "ruleset: shore\nrules:\n  sh-1: {section: a}\n  sh-2: {text: b, enforced: false}\n"
    found = [d for d in covered(tmp_path, broken).mistakes if d.code == "C712"]
    assert [d.message for d in found] == [
        "the rule `sh-1` has no `text`",
        "the rule `sh-2` is not enforced, and its `because` is missing",
    ]


def test_one_id_in_two_documents(tmp_path: Path) -> None:
    home = game(tmp_path)
    (tmp_path / "seeds").mkdir()
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / "seeds" / name).write_text("ruleset: shore\nrules:\n  sh-1: {text: a}\n", encoding="utf-8")
    (found,) = measure_rule_coverage(home).mistakes
    assert found.code == "C711"
    assert found.related[0].span.path.endswith("a.yaml")


def test_documents_of_other_games_are_left_alone(tmp_path: Path) -> None:
    report = covered(tmp_path, RULES.replace("ruleset: shore", "ruleset: lake"))
    assert not report.rules
    assert report.ok
