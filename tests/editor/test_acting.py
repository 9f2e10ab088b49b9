"""Quick fixes, what is begun, extracted values, and scenarios run from the editor."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from rulelang.apps.editor.quick_fixes import (
    Fix,
    analysis_after_fix,
    edited_text,
    extract_value,
    lint_fixes,
    new_item_fixes,
    working_fixes,
)
from rulelang.apps.editor.scenario_runs import (
    command_line,
    failure_diagnostics,
    outcome_summary,
    play_command,
    run_scenarios,
    scenario_lenses,
)
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span
from rulelang.compiler.backends.python.on_demand import OnDemandProgram
from tests.cli.helpers import MANIFEST, RULES, SCENARIOS, THINGS, tiny
from tests.cli.helpers import run as cli
from tests.editor.helpers import Desk


def fixes(desk: Desk, name: str) -> list[Fix]:
    analysis = desk.analysis(name)
    items: list[Diagnostic] = [*analysis.diagnostics, *analysis.beyond()]
    return list(working_fixes(analysis, items))


def mended(desk: Desk, fix: Fix) -> None:
    """Do it; nothing is wrong any more."""
    for path in {str(Path(span.path).resolve()) for span, _ in fix.edits}:
        edits = [edit for edit in fix.edits if str(Path(edit[0].path).resolve()) == path]
        desk.workspace.change(path, edited_text(desk.workspace.text(path), edits))
    for path, text in fix.creates:
        desk.workspace.change(path, text)
    analysis = desk.analysis("game.rules")
    assert [item.message for item in (*analysis.diagnostics, *analysis.beyond())] == []


MISTAKES = [
    ("game.rules", RULES, "pay(actor)", "pai(actor)", "Change `pai` to `pay`"),
    ("game.rules", RULES, "p.coins >= goal", "p.coinz >= goal", "Change `coinz` to `coins`"),
    ("game.rules", RULES, "p.coins >= goal", "p.coins >= goall", "Change `goall` to `goal`"),
    ("game.rules", RULES, "action rest during earning", "action rest during erning", "Change `erning` to `earning`"),
    ("things.yaml", THINGS, "attributes:", "atributes:", "Change `atributes` to `attributes`"),
    ("ruleset.yaml", MANIFEST, "game.rules]", "gane.rules]", "Change `gane.rules` to `game.rules`"),
    ("scenarios/work.yaml", SCENARIOS, "[work]", "[worc]", "Change `worc` to `work`"),
    ("scenarios/work.yaml", SCENARIOS, "ana.coins == 1", "ana.coinz == 1", "Change `coinz` to `coins`"),
    ("scenarios/work.yaml", SCENARIOS, "ana.coins == 1", "annna.coins == 1", "Change `annna` to `ana`"),
    ("scenarios/work.yaml", SCENARIOS, "ana.coins == 1", "ana.coins = 1", "Write `==`"),
    ("game.rules", RULES, "pay(actor)", "min(pay(actor) 3)", "Put a comma before it"),
    ("game.rules", RULES, "value pay(player p) -> int: 1", "value pay(player p) -> bool: True", ""),
]


@pytest.mark.parametrize(("name", "text", "old", "new", "title"), MISTAKES, ids=[case[3] for case in MISTAKES])
def test_the_nearest_fix_is_offered_and_mends(
    tmp_path: Path, name: str, text: str, old: str, new: str, title: str
) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    assert old in text
    desk.put(name, text.replace(old, new, 1))
    found = fixes(desk, name)
    if not title:
        assert all("pay" not in fix.title for fix in found)
        return
    assert title in [fix.title for fix in found]
    mended(desk, found[0])


def test_a_missing_file_is_created(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny", manifest=MANIFEST.replace("game.rules]", "game.rules, more.rules]")))
    found = {fix.title: fix for fix in fixes(desk, "ruleset.yaml")}
    assert "Create more.rules" in found
    mended(desk, found["Create more.rules"])


def test_what_would_not_mend_is_not_offered(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny", rules=RULES.replace("pay(actor)", "paa(actor, actor)")))
    assert fixes(desk, "game.rules") == []  # `pay(actor, actor)` is as wrong


def test_a_scenario_is_begun(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    name = "scenarios/work.yaml"
    (fix,) = new_item_fixes(desk.analysis(name), desk.path(name), desk.read(name), 1, 1)
    assert fix.title == "Add a scenario"
    mended(desk, fix)
    assert desk.read(name).count("- name:") == 2


def test_a_numbered_rule_that_is_cited_is_begun(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", rules=RULES.replace("value pay", "#: t-2\nvalue pay"))
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "tiny.yaml").write_text(
        "ruleset: tiny\ndocument: its rules\nrules:\n  t-1:\n    text: Work pays.\n", encoding="utf-8"
    )
    desk = Desk(folder)
    place = desk.at("game.rules", "#: t-¦2")
    (fix,) = new_item_fixes(desk.analysis("game.rules"), desk.path("game.rules"), desk.read("game.rules"), *place)
    assert fix.title == "Add the numbered rule `t-2`"
    made, _ = analysis_after_fix(desk.analysis("game.rules"), fix)
    assert made is not None
    assert set(made.rules) == {"t-1", "t-2"}


def test_a_value_is_extracted(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    line, begin = desk.at("game.rules", "where ¦p.coins >= goal)")
    analysis = desk.analysis("game.rules")
    chosen = Span(analysis.display(desk.path("game.rules")), line, begin, line, begin + len("p.coins >= goal"))
    fix = extract_value(analysis, desk.path("game.rules"), chosen)
    assert fix is not None
    mended(desk, fix)
    assert "where new_value(p)): earning" in desk.read("game.rules")
    assert "value new_value(player p) -> bool: p.coins >= goal" in desk.read("game.rules")
    assert extract_value(analysis, desk.path("game.rules"), chosen._replace(column=begin + 1)) is None


def test_lint_mends_a_file(tmp_path: Path) -> None:
    rules = RULES.replace("require actor.coins > 0", "require not not has_coins(actor)")
    desk = Desk(tiny(tmp_path / "tiny", rules=rules + "value has_coins(player p) -> bool: p.coins > 0\n"))
    fix = lint_fixes(desk.analysis("game.rules"), desk.path("game.rules"))
    assert fix is not None
    assert "not not" not in edited_text(desk.read("game.rules"), fix.edits)


def test_scenarios_and_hooked_values_have_lenses(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny", rules=RULES + "modify pay(any): + 1\n"))
    name = "scenarios/work.yaml"
    found = [
        (lens.title, lens.scenario) for lens in scenario_lenses(desk.analysis(name), desk.path(name), desk.read(name))
    ]
    assert found == [("Run all 1", ""), ("Run", "work pays a coin"), ("Play from this position", "work pays a coin")]
    (lens,) = scenario_lenses(desk.analysis("game.rules"), desk.path("game.rules"), desk.read("game.rules"))
    assert (lens.title, len(lens.places)) == ("1 hook", 1)


def test_a_scenario_runs_on_what_is_typed(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    name = "scenarios/work.yaml"
    outcomes = run_scenarios(desk.analysis(name), desk.path(name), ["work pays a coin"])
    assert (outcome_summary(outcomes), failure_diagnostics(outcomes)) == ("1 scenario passed", [])
    desk.put("game.rules", RULES.replace("-> int: 1", "-> int: 2"))
    outcomes = run_scenarios(desk.analysis(name), desk.path(name))
    (item,) = failure_diagnostics(outcomes)
    assert outcome_summary(outcomes) == "1 of 1 scenario failed: work pays a coin"
    assert item.span.line == 5
    assert "2" in item.message


def test_a_scenario_waits_for_no_more_of_its_table_than_it_calls(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    name = "scenarios/work.yaml"
    analysis = desk.analysis(name)
    written: list[str] = []
    write = OnDemandProgram._write

    def writing(self: OnDemandProgram, function: str) -> object:
        written.append(function)
        return write(self, function)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OnDemandProgram, "_write", writing)
        assert all(outcome.passed for outcome in run_scenarios(analysis, desk.path(name)))
        assert any("do_work" in function for function in written)
        assert not any("do_rest" in function for function in written)
        written.clear()
        assert run_scenarios(analysis, desk.path(name))
        assert not any("work" in function for function in written), "what one request compiled, the next one finds"


def test_a_position_is_played_on_by_a_command(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "my game"))
    name = "scenarios/work.yaml"
    command = play_command(desk.analysis(name), desk.path(name), "work pays a coin")
    assert command == ["rulelang", "play", str(tmp_path / "my game"), "--from", "work: work pays a coin"]
    assert shlex.split(command_line(command)) == command
    found = cli(*command[1:], "--plain", stdin="quit\n")
    assert found.exit_code == 0, found.output
    assert "ana" in found.output
    # Of a scenario that no file has, what it is called is all that is known.
    assert play_command(desk.analysis(name), desk.path(name), "gone")[-1] == "gone"
