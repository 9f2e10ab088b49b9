"""`--format` of `check` and `test`: each format says all that was found, in the shape that its readers accept."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from rulelang.apps.cli.options import REPORT_FORMATS
from rulelang.base.diagnostics import Diagnostics
from rulelang.data.schema import schema_problems
from rulelang.tools import reports
from tests.cli.helpers import MANIFEST, RULES, SCENARIOS, no_traceback, run, tiny

MISTAKEN = RULES.replace("pay(actor)", "pey(actor)")
FAILING = (
    SCENARIOS
    + """\
  - name: work pays, "100 %"
    given: {phase: earning, turn: ana, players: {ana: [], bob: []}}
    when: [work]
    then: [ana.coins == 2]
"""
)


def report(*arguments: str, code: int) -> Any:
    result = run(*arguments, "--format", "json")
    no_traceback(result)
    assert result.exit_code == code, result.output
    found = json.loads(result.output)
    assert schema_problems("report", found) == []
    return found


def test_the_table_of_formats_is_that_of_the_option() -> None:
    assert tuple(reports.FORMATS) == REPORT_FORMATS


def test_json_fits_its_schema_and_says_everything(tmp_path: Path) -> None:
    sound, mistaken = tiny(tmp_path / "sound"), tiny(tmp_path / "mistaken", rules=MISTAKEN)
    found = report("check", str(sound), str(mistaken), code=1)
    assert [game["game"] for game in found["games"]] == [str(sound), str(mistaken)]
    assert (found["command"], found["ok"]) == ("check", False)
    assert found["games"][0]["diagnostics"] == []
    (diagnostic,) = found["games"][1]["diagnostics"]
    assert diagnostic["span"]["line"] == 9
    assert report("check", str(sound), code=0)["ok"] is True


def test_json_of_tests_has_every_scenario(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", tests=FAILING)
    found = report("test", str(folder), code=1)
    (game,) = found["games"]
    passed, failed = game["scenarios"]
    assert passed["passed"]
    assert passed["problems"] == []
    assert not failed["passed"]
    (problem,) = failed["problems"]
    assert problem["span"]["line"] == 9
    assert "> ana.coins == 2" in problem["details"]


def test_json_is_stable(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny", tests=FAILING, rules=RULES))
    seen = [re.sub(r'"seconds": [\d.]+', "", run("test", folder, "--format", "json").output) for _ in range(2)]
    assert seen[0] == seen[1]


def test_github_notes_stand_at_their_lines_and_nothing_breaks_out(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", tests=FAILING)
    (line,) = run("test", str(folder), "--format", "github").output.splitlines()
    match = re.fullmatch(r"::error file=([^,:]*),line=9,endLine=9,col=\d+,endColumn=\d+,title=([^,:]*)::(.*)", line)
    assert match, line
    assert match[1].endswith("work.yaml")
    assert 'the scenario `work: work pays, "100 %25"` failed' in match[3]
    assert "%0A> ana.coins == 2" in match[3]


def test_github_has_nothing_to_say_of_a_sound_game(tmp_path: Path) -> None:
    assert run("check", str(tiny(tmp_path / "tiny")), "--format", "github").output == ""


def test_gitlab_has_a_path_and_a_fingerprint_for_each(tmp_path: Path) -> None:
    twice = RULES.replace("pay(actor)", "pey(actor)\n  actor.coins += pey(actor)")
    folder = tiny(tmp_path / "tiny", rules=twice)
    rows = json.loads(run("check", str(folder), "--format", "gitlab").output)
    assert [row["location"]["lines"]["begin"] for row in rows] == [9, 10]
    assert len({row["fingerprint"] for row in rows}) == len(rows) == 2
    assert {row["severity"] for row in rows} == {"major"}
    (gone,) = json.loads(run("check", str(tmp_path / "nowhere"), "--format", "gitlab").output)
    assert gone["location"]["path"]


def test_fingerprints_do_not_change_with_the_lines_above(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", rules=MISTAKEN)
    before = json.loads(run("check", str(folder), "--format", "gitlab").output)
    (folder / "game.rules").write_text("# a remark\n\n" + MISTAKEN, encoding="utf-8")
    after = json.loads(run("check", str(folder), "--format", "gitlab").output)
    assert [row["fingerprint"] for row in before] == [row["fingerprint"] for row in after]
    assert before[0]["location"] != after[0]["location"]


def test_sarif_points_to_rules_places_and_related_places(tmp_path: Path) -> None:
    clash = RULES + "\nvalue pay(player p) -> int: 2\n"
    folder = tiny(tmp_path / "tiny", rules=clash)
    found = json.loads(run("check", str(folder), "--format", "sarif").output)
    (once,) = found["runs"]
    assert (found["version"], once["columnKind"]) == ("2.1.0", "unicodeCodePoints")
    rules = once["tool"]["driver"]["rules"]
    assert once["results"]
    for result in once["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning")
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].startswith("file:///"), "outside of the folder that one is in"
        assert place["region"]["startLine"] >= 1
    assert any(result.get("relatedLocations") for result in once["results"])


def test_sarif_paths_are_relative_and_encoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny(tmp_path / "my games" / "größe", rules=MISTAKEN)
    monkeypatch.chdir(tmp_path)
    found = json.loads(run("check", "my games/größe", "--format", "sarif").output)
    place = found["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "my%20games/gr%C3%B6%C3%9Fe/game.rules", "uriBaseId": "%SRCROOT%"}


def test_junit_counts_and_can_be_parsed(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", tests=FAILING)
    root = ElementTree.fromstring(run("test", str(folder), "--format", "junit").output)
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "0")
    (failure,) = root.iter("failure")
    assert "> ana.coins == 2" in (failure.text or "")
    root = ElementTree.fromstring(
        run("check", str(tiny(tmp_path / "mistaken", rules=MISTAKEN)), "--format", "junit").output
    )
    assert (root.get("tests"), root.get("errors")) == ("1", "1")


def test_junit_holds_no_character_that_xml_cannot(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", manifest=MANIFEST + "\x01: 1\n")
    output = run("check", str(folder), "--format", "junit").output
    assert int(ElementTree.fromstring(output).get("errors") or 0) == 1


@pytest.mark.parametrize("format_", REPORT_FORMATS)
@pytest.mark.parametrize("command", ["check", "test"])
def test_a_report_goes_into_a_file_beside_what_people_read(tmp_path: Path, command: str, format_: str) -> None:
    folder, file = tiny(tmp_path / "tiny", rules=MISTAKEN), tmp_path / "report"
    plain = run(command, str(folder))
    result = run(command, str(folder), "--format", format_, "--output", str(file))
    assert result.exit_code == plain.exit_code == 1
    cut = re.compile(r"in [\d.]+ s")
    assert cut.sub("", result.output) == cut.sub("", plain.output)
    assert "pey" in file.read_text(encoding="utf-8")


def test_what_does_not_go_together_is_told(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny"))
    for arguments in (("--output", "x"), ("--json", "--format", "sarif")):
        result = run("check", folder, *arguments)
        assert result.exit_code == 2
        assert "format" in result.output
    result = run("check", folder, "--format", "json", "--output", str(tmp_path / "no" / "such" / "file"))
    no_traceback(result)
    assert result.exit_code == 2


def test_several_games_each_with_its_mods() -> None:
    result = run("check", "darwins_choice", "darwins_choice_colossal", "evolution")
    assert result.exit_code == 0
    first, second = result.output.splitlines()
    assert first.startswith("darwins_choice darwins_choice_colossal: ")
    assert second.startswith("evolution: ")


def test_each_by_itself_files_standing_for_their_ruleset(tmp_path: Path) -> None:
    one, two = tiny(tmp_path / "one"), tiny(tmp_path / "two", rules=MISTAKEN)
    files = [str(one / "game.rules"), str(one / "things.yaml"), str(two / "scenarios" / "work.yaml")]
    found = report("check", "--each", *files, code=1)
    assert [game["game"] for game in found["games"]] == [str(one), str(two)]


@pytest.mark.parametrize("command", ["check", "test"])
def test_files_that_belong_to_no_ruleset(tmp_path: Path, command: str) -> None:
    """Whoever names all changed files names some that are none of ours; rules are ours wherever they stand."""
    workflow, stray = tmp_path / "workflow.yaml", tmp_path / "stray.rules"
    workflow.write_text("on: push\n", encoding="utf-8")
    stray.write_text("value x -> int: 1\n", encoding="utf-8")
    result = run(command, "--each", str(workflow))
    assert result.exit_code == 0, result.output
    assert "workflow.yaml: it is not in a ruleset or mod" in result.output
    result = run(command, "--each", str(workflow), str(stray))
    no_traceback(result)
    assert result.exit_code == 1
    assert "cannot be read on its own" in result.output


def test_each_runs_all_scenarios_of_a_changed_file_s_ruleset(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", tests=FAILING)
    result = run("test", "--each", str(folder / "things.yaml"), str(folder / "game.rules"))
    assert result.exit_code == 1
    assert "1 passed, 1 failed" in result.output


def test_the_hooks_of_pre_commit_are_commands_that_run(root: Path, tmp_path: Path) -> None:
    from rulelang.data.yaml_reader import read_yaml  # the project has no other reader of YAML

    folder = tiny(tmp_path / "tiny")
    files = {"rulelang-fmt": ["game.rules", "things.yaml"]}
    (tmp_path / "other.yaml").write_text("a:   [ 1 ]\n", encoding="utf-8")
    found = read_yaml((root / ".pre-commit-hooks.yaml").read_bytes(), "hooks", Diagnostics()).root
    assert found is not None
    for hook in found.plain():
        program, *arguments = hook["entry"].split()
        assert program == "rulelang"
        names = files.get(hook["id"], ["game.rules", "things.yaml", "scenarios/work.yaml"])
        assert all(re.search(hook["files"], name) for name in names)
        result = run(*arguments, *(str(folder / name) for name in names), str(tmp_path / "other.yaml"))
        assert result.exit_code == 0, result.output
        assert "other.yaml: it is not in a ruleset or mod" in result.output
    assert (tmp_path / "other.yaml").read_text(encoding="utf-8") == "a:   [ 1 ]\n"


def test_lint_speaks_the_same_formats_with_the_pages_of_its_rules(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", rules=RULES + "\nvalue idle_value(player p) -> int: 1\n")
    result = run("lint", str(folder))
    assert result.exit_code == 1
    assert "warning[L801]" in result.output
    assert result.output.endswith("1 warning\n")
    found = report("lint", str(folder), code=1)
    assert [item["code"] for item in found["games"][0]["diagnostics"]] == ["L801"]
    sarif = json.loads(run("lint", str(folder), "--format", "sarif").output)
    (rule,) = sarif["runs"][0]["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == "value that nothing reads"
    assert "L801" in run("lint", "--rules").output
    assert "value that nothing reads" in run("explain", "L801").output
    assert "did you mean `unused-value`?" in run("lint", str(folder), "-s", "unused-valeu").output
    assert run("lint", str(tiny(tmp_path / "broken", rules=MISTAKEN))).exit_code == 1


def test_lint_mends_what_it_can(tmp_path: Path) -> None:
    wrong = RULES.replace("require actor.coins > 0", "require not (actor.coins <= 0)")
    folder = tiny(tmp_path / "tiny", rules=wrong)
    assert "--fix can fix 1" in run("lint", str(folder)).output
    result = run("lint", str(folder), "--fix")
    assert "1 fixed" in result.output
    assert (folder / "game.rules").read_text(encoding="utf-8") == RULES
    assert run("lint", str(folder)).exit_code == 0
