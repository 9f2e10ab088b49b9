"""`--watch`: what is saved is answered, and nothing that cannot have changed is run again."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir.nodes import Module
from rulelang.testing.scenarios.rerun import IncrementalRun
from tests.cli.helpers import RULES, SCENARIOS, run, tiny

MORE = (
    SCENARIOS
    + """\
  - name: two coins
    given: {phase: earning, turn: ana, players: {ana: {coins: 1}, bob: []}}
    when: [work]
    then: [ana.coins == 2]
"""
)
OTHER = """\
- name: rest
  given: {phase: earning, turn: ana, players: {ana: {coins: 1}, bob: []}}
  when: [rest]
  then: [ana.coins == 1]
"""

RICH = """\
- name: everybody is rich
  mode: rich
  given: {phase: taking, turn: ana, state: {pile: 5}, players: [ana, bob]}
  then: [score(bob) == 10]
"""
PEBBLES = Path(__file__).resolve().parents[2] / "examples" / "pebbles"


# ---- which scenarios are run again


def test_only_what_an_edit_can_have_changed_is_run_again(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", tests=MORE)
    (folder / "scenarios" / "other.yaml").write_text(OTHER)
    again = IncrementalRun(folder)

    def ran(*changed: Path) -> tuple[list[str], int]:
        done = again.run({path.resolve() for path in changed})
        assert not done.report.mistakes
        return [outcome.scenario.name for outcome in done.report.outcomes], done.spared

    assert ran() == (["rest", "work pays a coin", "two coins"], 0)
    assert ran() == ([], 3)
    tests = folder / "scenarios" / "work.yaml"
    tests.write_text("# a remark, which moves all lines\n" + MORE)
    assert ran(tests) == ([], 3)
    tests.write_text(MORE.replace("coins == 2", "coins == 3"))
    assert ran(tests) == (["two coins"], 2)
    assert ran() == (["two coins"], 2), "what failed is run until it passes"
    tests.write_text(MORE)
    assert ran(tests) == (["two coins"], 2)
    (folder / "game.rules").write_text(RULES.replace("-> int: 1", "-> int: 2"))
    assert ran() == (["work pays a coin", "two coins"], 1), "who rests meets nothing that has changed"
    (folder / "game.rules").write_text(RULES)
    (folder / "scenarios" / "other.yaml").write_text(OTHER.replace("coins == 1", "coins == 2"))
    other = folder / "scenarios" / "other.yaml"
    assert ran(other) == (["rest", "work pays a coin", "two coins"], 0), "what stands in a changed file comes first"


def test_rules_of_a_mode_concern_its_scenarios(tmp_path: Path) -> None:
    folder = tmp_path / "pebbles"
    shutil.copytree(PEBBLES, folder)
    manifest = folder / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8") + "modes:\n  rich: {files: [rich.rules]}\n", "utf-8")
    rules = folder / "rich.rules"
    rules.write_text("modify score(any): + 10\n")
    (folder / "scenarios" / "rich.yaml").write_text(RICH)
    again = IncrementalRun(folder)

    def failed() -> list[str]:
        report = again.run().report
        assert not report.mistakes
        return [outcome.scenario.name for outcome in report.outcomes if not outcome.passed or outcome.mistakes]

    assert failed() == []
    rules.write_text("modify score(any): + 20\n")
    assert failed() == ["everybody is rich"]
    rules.write_text("modify score(any): + 10\n")
    assert failed() == []


def test_outcomes_are_those_of_a_run_from_nothing(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", tests=MORE)
    again = IncrementalRun(folder)
    assert again.run().report.passed == 2
    (folder / "game.rules").write_text(RULES.replace("-> int: 1", "-> int: 2"))
    done = again.run().report
    fresh = IncrementalRun(folder).run().report
    assert [(o.scenario.id, o.failures, o.mistakes) for o in done.outcomes] == [
        (o.scenario.id, o.failures, o.mistakes) for o in fresh.outcomes
    ]
    assert done.failed == 2
    (folder / "game.rules").write_text(RULES.replace("-> int: 1", "-> int: nonsense"))
    assert [item.code for item in again.run().report.mistakes] == [
        item.code for item in IncrementalRun(folder).run().report.mistakes
    ]


def test_a_remark_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny(tmp_path / "tiny", tests=MORE)
    again = IncrementalRun(folder)
    assert again.run().report.ok

    def compiling(self: Compilation, players: int, options: Mapping[str, int], **more: bool) -> Module:
        raise AssertionError("a table was compiled")

    monkeypatch.setattr(Compilation, "ready", compiling)
    said = RULES.replace("\n\n", '\n\n# "half a text\n').replace("-> int: 1", '-> int: 1   # one "coin"\n')
    (folder / "game.rules").write_text(said)
    done = again.run()
    assert (done.report.outcomes, done.spared) == ((), 2)
    (folder / "game.rules").write_text(RULES.replace('"{actor} works"', '"{actor} works # hard"'))
    with pytest.raises(AssertionError, match="a table was compiled"):
        again.run()


def test_what_somebody_waits_for_is_not_kept_waiting_by_other_tables(tmp_path: Path) -> None:
    """First what failed, at a table that is compiled alone; then the rest, table by table."""
    three = """\
- name: three at the table
  given: {phase: earning, turn: ana, players: {ana: [], bob: [], cleo: []}}
  when: [work]
  then: [ana.coins == 1]
- name: three, wrong
  given: {phase: earning, turn: ana, players: {ana: [], bob: [], cleo: []}}
  when: [work]
  then: [ana.coins == 5]
"""
    folder = tiny(tmp_path / "tiny", tests=MORE)
    (folder / "scenarios" / "other.yaml").write_text(three)
    again = IncrementalRun(folder)
    assert again.run().report.failed == 1
    (folder / "game.rules").write_text(RULES.replace("-> int: 1", "-> int: 2"))
    compiled: list[int] = []
    ready = Compilation.ready

    def counting(self: Compilation, players: int, options: Mapping[str, int], **more: bool) -> Module:
        compiled.append(players)
        return ready(self, players, options, **more)  # type: ignore[arg-type]

    seen: list[tuple[str, list[int]]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Compilation, "ready", counting)
        again.run({folder / "game.rules"}, lambda outcome: seen.append((outcome.scenario.name, [*compiled])))
    assert seen == [
        ("three, wrong", [3]),
        ("three at the table", [3]),
        ("work pays a coin", [3, 2]),
        ("two coins", [3, 2]),
    ]


# ---- the commands


class Watched:
    """A command that watches, as somebody at a pipe reads it."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulelang", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | {"COLUMNS": "80", "NO_COLOR": "1"},
        )  # fmt: skip

    def answer(self, seconds: float = 60) -> str:
        """What it prints until it waits again."""
        assert self.process.stdout is not None
        text, end = "", time.monotonic() + seconds
        while not re.search(r"watching for changes\. Press Ctrl-C to stop\.\n$", text):
            assert time.monotonic() < end, text
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                part = os.read(self.process.stdout.fileno(), 65536).decode()
                assert part, text
                text += part
        return text

    def end(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        out, _ = self.process.communicate(timeout=30)
        return self.process.returncode, out.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny(tmp_path / "tiny", tests=MORE)


@pytest.fixture
def watched() -> Iterator[list[Watched]]:
    begun: list[Watched] = []
    yield begun
    for one in begun:
        one.process.kill()
        one.process.communicate()


def test_check_answers_each_save_and_ends_quietly(folder: Path, watched: list[Watched]) -> None:
    one = Watched("check", str(folder), "--watch")
    watched.append(one)
    assert "2 scenarios: no mistakes" in one.answer()
    rules = folder / "game.rules"
    rules.write_text(RULES.replace("coins += pay", "coinz += pay"))
    said = one.answer()
    assert said.startswith("-" * 80 + "\n")
    assert "error[" in said
    assert "did you mean `coins`?" in said
    rules.write_text(RULES)
    assert "no mistakes" in one.answer()
    assert one.end() == (0, "\n")


def test_test_answers_each_save(folder: Path, watched: list[Watched]) -> None:
    one = Watched("test", str(folder), "--watch")
    watched.append(one)
    assert "2 passed in" in one.answer()
    tests = folder / "scenarios" / "work.yaml"
    tests.write_text(MORE.replace("coins == 2", "coins == 3"))
    said = one.answer()
    assert "FAILED work: two coins" in said
    assert "1 failed, 1 unchanged in" in said
    tests.write_text(MORE)
    assert "1 passed, 1 unchanged in" in one.answer()
    tests.write_text(MORE + "# a remark\n")
    assert "\n2 unchanged in" in one.answer()
    assert one.end() == (0, "\n")


def test_what_watch_does_not_go_with(folder: Path) -> None:
    for arguments in (("check", str(folder), "--json"), ("test", str(folder), "--format", "junit"), ("test", "--each")):
        result = run(*arguments, "--watch")
        assert (result.exit_code, "--watch cannot be combined" in result.output) == (2, True), result.output


@pytest.mark.parametrize("command", ["check", "test"])
def test_what_is_not_there_is_not_waited_for(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(command, "nowhere", "--watch")
    assert result.exit_code == 2
    assert "no ruleset or mod `nowhere` was found" in result.output


def test_a_missing_library_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    result = run("check", str(folder), "--watch")
    assert result.exit_code == 2
    assert "--watch needs watchfiles; install it with: pip install 'rulelang[editor]'" in result.output
