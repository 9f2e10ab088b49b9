"""`check`: summaries, frames, JSON, exit codes, and input that no author meant to write."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.helpers import RULES, THINGS, no_traceback, run, tiny


def test_a_sound_ruleset(tmp_path: Path) -> None:
    result = run("check", str(tiny(tmp_path / "tiny")))
    assert result.exit_code == 0, result.output
    assert result.output == f"{tmp_path / 'tiny'}: 1 scenario: no mistakes\n"


def test_the_shipped_one_is_counted() -> None:
    result = run("check", "evolution")
    assert result.exit_code == 0
    assert result.output.startswith("evolution: 17 traits, 129 cards, ")
    assert result.output.endswith("scenarios: no mistakes\n")


def test_all_mistakes_are_framed_and_counted(tmp_path: Path) -> None:
    rules = RULES.replace("actor.coins += pay(actor)", "actor.coinz += pay(actor)").replace(
        "pay(player p)", "pay(playr p)"
    )
    result = run("check", str(tiny(tmp_path / "tiny", rules=rules, things=THINGS.replace("numbers:", "numberz:"))))
    assert result.exit_code == 1
    assert "coinz" in result.output
    assert "game.rules:9:" in result.output
    assert "things.yaml:5:1" in result.output
    assert result.output.rstrip().endswith("errors in 2 files")
    assert "\x1b[" not in result.output, "colours are for terminals"


def test_json(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", rules=RULES.replace("pay(actor)", "pey(actor)"))
    result = run("check", "--json", str(folder))
    assert result.exit_code == 1
    (report,) = json.loads(result.output)["games"]
    (found,) = report["diagnostics"]
    assert found["severity"] == "error"
    assert found["code"][0] in "NT"
    assert found["span"]["path"].endswith("game.rules")
    assert found["span"]["line"] == 9
    assert report["counts"]["scenario"] == 1
    assert json.loads(run("check", "--json", "evolution").output)["games"][0]["diagnostics"] == []


@pytest.mark.parametrize("place", ["nowhere", "no/such/folder", "evolutoin"])
def test_what_is_not_there_could_not_be_checked(place: str) -> None:
    result = run("check", place)
    no_traceback(result)
    assert result.exit_code == 2
    assert place in result.output


def test_an_empty_folder_could_not_be_checked(tmp_path: Path) -> None:
    result = run("check", str(tmp_path))
    no_traceback(result)
    assert result.exit_code == 2
    assert "ruleset.yaml" in result.output


# Each line holds the one before eight times.
BOMB = "a: &a [1,1,1,1,1,1,1,1]\n" + "".join(
    f"{new}: &{new} [{','.join(['*' + old] * 8)}]\n" for old, new in pairwise("abcdefghijklm")
)
HOSTILE: dict[str, bytes] = {
    "binary": bytes(range(256)) * 10,
    "utf-16": "id: tiny".encode("utf-16"),
    "an open bracket": b"id: tiny\nfiles: [a, b\n",
    "a tab": b"id:\n\t- tiny\n",
    "not a map": b"- 1\n- 2\n",
    "nothing": b"",
    "a bomb": BOMB.encode(),
    "too deep": b"a: " + b"[" * 5000 + b"]" * 5000,
}


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("name", ["ruleset.yaml", "things.yaml", "game.rules", "scenarios/work.yaml"])
@pytest.mark.parametrize("command", ["check", "test", "show"])
def test_hostile_files_are_mistakes_at_most(tmp_path: Path, what: str, name: str, command: str) -> None:
    folder = tiny(tmp_path / "tiny")
    (folder / name).write_bytes(HOSTILE[what])
    result = run(command, str(folder))
    no_traceback(result)
    assert result.exit_code in (0, 1, 2)
    if command == "check" and not name.startswith("scenarios") and what != "nothing":
        assert result.exit_code == 1, result.output


def test_bad_usage() -> None:
    assert run("check").exit_code == 2
    assert run("check", "--no-such-option", "evolution").exit_code == 2
    assert run("nonsense").exit_code == 2
    assert run("check", "evolution", "--mode", "nonsense").exit_code == 1


def test_a_warm_check_imports_little(root: Path) -> None:
    program = (
        "import sys\nfrom rulelang.apps.cli.main import main\n"
        "try: main(['check', 'evolution'])\n"
        "finally: print(sorted({'lark', 'yaml', 'rich', 'jsonschema', 'rulelang.language.semantics.check.program'} & "
        "sys.modules.keys()))"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("[]\n"), done.stdout


def test_help_is_there_at_once(root: Path) -> None:
    best = 9.0
    for _ in range(3):
        start = sum(os.times()[2:4])  # of children: the machine may be busy with something else
        done = subprocess.run(
            [sys.executable, "-c", "from rulelang.apps.cli.main import main; main()", "--help"],
            cwd=root, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        best = min(best, sum(os.times()[2:4]) - start)
    assert done.returncode == 0
    assert done.stdout.index("check") < done.stdout.index("explain")
    assert best < 0.5  # a tenth of a second on an idle machine


@pytest.mark.parametrize(("wanted", "painted"), [({}, False), ({"FORCE_COLOR": "1"}, True),
                                                 ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)])  # fmt: skip
def test_colours_are_for_who_asks(tmp_path: Path, wanted: dict[str, str], painted: bool) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")} | wanted
    command = [sys.executable, "-m", "rulelang", "check", str(tmp_path / "nothing")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert ("\x1b[" in done.stdout + done.stderr) == painted


SEED = "document: Tiny\nruleset: tiny\nrules:\n  t-1: {text: Work pays.}\n  t-2: {text: Rest is for the rich.}\n"


def test_a_citation_that_no_document_has_is_told_in_code_and_in_scenarios(tmp_path: Path) -> None:
    """Also where it was well before, and only the document has changed; without documents one cites as one likes."""
    folder = tiny(tmp_path / "tiny", rules=RULES.replace("action work", "#: t-1\naction work"))
    scenario = "- name: nobody has gone to work\n  rule: t-2\n  then: [any(player p where p.coins == 0)]\n"
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "scenarios/cited.yaml").write_text(scenario, encoding="utf-8")
    assert run("check", str(folder)).exit_code == 0
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/tiny.yaml").write_text(SEED, encoding="utf-8")
    assert run("check", str(folder)).exit_code == 0
    (tmp_path / "seeds/tiny.yaml").write_text(SEED.replace("t-1", "t-3").replace("t-2", "t-4"), encoding="utf-8")
    result = run("check", str(folder))
    assert result.exit_code == 1
    assert result.output.count("error[C710]") == 2, result.output
    assert "no document contains the rule `t-1`" in result.output
    assert f"{folder / 'scenarios/cited.yaml'}:2:9" in result.output


MOD = "id: {id}\nversion: 1.0.0\nlanguage: 1\ntitle: {{en: More}}\nextends: {{tiny: '>=1'}}\nfiles: [more.rules]\n"


@pytest.mark.parametrize(
    ("cited", "document", "told"),
    [
        ("mo-1", "", ["C722"]),  # its own, without a document
        ("mo-1 mo-2 mo-3 mo-4", "", ["C722"]),  # once for the mod
        ("t-1", "", []),  # the game's
        ("t-9", "", ["C710"]),  # as the game numbers its own: a slip
        ("t-1 t-9 mo-1", "", ["C710", "C722"]),
        ("mo-1", "mo-1", []),
        ("mo-2", "mo-1", ["C710"]),  # it has a document, so this is a slip
        ("zz-2", "mo-1", ["C710"]),
    ],
)
def test_a_mod_may_cite_rules_of_its_own_before_it_has_a_document(
    tmp_path: Path, cited: str, document: str, told: list[str]
) -> None:
    tiny(tmp_path / "tiny", rules=RULES.replace("action work", "#: t-1 t-2\naction work"))
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/tiny.yaml").write_text(SEED, encoding="utf-8")
    mod = tmp_path / "more"
    (mod / "scenarios").mkdir(parents=True)
    (mod / "mod.yaml").write_text(MOD.format(id="more"), encoding="utf-8")
    (mod / "more.rules").write_text(f"#: {cited}\nmodify pay(p): + 1 when p.coins > 1\n", encoding="utf-8")
    again = f"- name: again\n  rule: [{', '.join(cited.split())}]\n  then: [any(player p where p.coins == 0)]\n"
    (mod / "scenarios/again.yaml").write_text(again, encoding="utf-8")
    if document:
        (tmp_path / "seeds/more.yaml").write_text(
            SEED.replace("tiny", "more").replace("t-1", document), encoding="utf-8"
        )
        text = (tmp_path / "seeds/more.yaml").read_text(encoding="utf-8").replace("t-2", "mo-7")
        (tmp_path / "seeds/more.yaml").write_text(text, encoding="utf-8")
    result = run("check", str(tmp_path / "tiny"), str(mod))
    assert result.exit_code == int("C710" in told), result.output
    codes = [code for code in ("C710", "C722") if f"[{code}]" in result.output]
    assert codes == told
    assert result.output.count("[C722]") == told.count("C722")
    if "C722" in told:
        assert "`seeds/more.yaml` next to its folder" in result.output
    assert [f"[{code}]" in run("coverage", str(tmp_path / "tiny"), str(mod)).output for code in told] == [True] * len(
        told
    )


def test_what_a_mods_warning_says_to_do_mends_it(tmp_path: Path) -> None:
    tiny(tmp_path / "tiny")
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/tiny.yaml").write_text(SEED, encoding="utf-8")
    mod = tmp_path / "mods" / "more"
    mod.mkdir(parents=True)
    (mod / "mod.yaml").write_text(MOD.format(id="more"), encoding="utf-8")
    (mod / "more.rules").write_text("#: mo-1\nmodify pay(p): + 1 when p.coins > 1\n", encoding="utf-8")
    assert "C722" in run("check", str(tmp_path / "tiny"), str(mod)).output
    (mod.parent / "seeds").mkdir()
    rule = "ruleset: more\nrules:\n  mo-1: {text: More is paid to the rich.}\n"
    (mod.parent / "seeds/more.yaml").write_text(rule, encoding="utf-8")
    result = run("check", str(tmp_path / "tiny"), str(mod))
    assert (result.exit_code, "C7" in result.output) == (0, False), result.output
