"""What a path on the command line stands for."""

from __future__ import annotations

from pathlib import Path

from rulelang.scenarios.run import run_path
from tests.scenarios.shore import FILES, game

SCENARIO = "  - name: {}\n    given: {{phase: feeding, turn: ana, players: {{ana: {{crab: [nip]}}, bob: []}}}}\n"
SCENARIOS = "scenarios:\n" + SCENARIO.format("one") + SCENARIO.format("two")


def lay(folder: Path) -> Path:
    home = game(folder)
    (home / "scenarios").mkdir()
    (home / "scenarios" / "some.yaml").write_text(SCENARIOS, encoding="utf-8")
    (home / "traits" / "shy.yaml").write_text(FILES["traits/shy.yaml"] + SCENARIOS, encoding="utf-8")
    return home


def ids(path: Path | str, pattern: str | None = None) -> list[str]:
    report = run_path(path, pattern)
    assert report.ok, report.mistakes
    return [outcome.scenario.id for outcome in report.outcomes]


def test_rulesets_files_and_folders(tmp_path: Path) -> None:
    home = lay(tmp_path)
    everything = ["shy: one", "shy: two", "some: one", "some: two"]
    assert ids(home) == everything
    assert ids(tmp_path) == everything
    assert ids(home / "traits") == ["shy: one", "shy: two"]
    assert ids(home / "traits" / "shy.yaml") == ["shy: one", "shy: two"]
    assert ids(home / "scenarios" / "some.yaml") == ["some: one", "some: two"]
    assert ids(home, "two") == ["shy: two", "some: two"]
    assert ids(home, "some: [ot]n") == ["some: one"]
    assert ids(home, "some: [") == []


def test_a_mod_runs_its_own_scenarios(tmp_path: Path) -> None:
    lay(tmp_path)
    mod = tmp_path / "tide"
    (mod / "scenarios").mkdir(parents=True)
    manifest = 'id: tide\nversion: 1.0.0\nlanguage: 1\nextends: {shore: ">=1.0"}\nfiles: [more.yaml]\n'
    (mod / "mod.yaml").write_text(manifest, encoding="utf-8")
    (mod / "more.yaml").write_text("set: {numbers.meal: 2}\n", encoding="utf-8")
    (mod / "scenarios" / "tide.yaml").write_text(
        "- name: more to eat\n"
        "  given: {phase: feeding, turn: ana, state: {water: 1}, players: {ana: {crab: [nip]}, bob: []}}\n"
        "  when: [graze nip]\n"
        "  then: [nip.weight == 3]\n",
        encoding="utf-8",
    )
    assert ids(mod) == ["tide: more to eat"]


def test_what_is_not_there(tmp_path: Path) -> None:
    report = run_path(str(tmp_path / "nowhere"))
    assert not report.ok
    assert not report.outcomes
    assert not run_path(tmp_path).ok
