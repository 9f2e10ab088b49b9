"""What a path on the command line stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.testing.scenarios.run import run_path
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
    assert ids(home, "some: on|some: tn") == ["some: one"]
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


MANIFEST = 'id: {0}\nversion: 1.0.0\nlanguage: 1\ntitle: {0}\nextends: {{shore: ">=1.0"}}\nfiles: [{0}.yaml]\n'
GRAZED = (
    "- name: {}\n"
    "  given: {{phase: feeding, turn: ana, state: {{water: 1}}, players: {{ana: {{crab: [nip]}}, bob: []}}}}\n"
    "  when: [graze nip]\n"
    "  then: [nip.weight == {}]\n"
)


def lay_mods(folder: Path) -> None:
    """A game and two mods: with `tide` a crab that grazes weighs 3 and not 2, `calm` changes nothing."""
    home = lay(folder)
    (home / "scenarios" / "some.yaml").write_text(GRAZED.format("base", 2), encoding="utf-8")
    (home / "traits" / "shy.yaml").write_text(FILES["traits/shy.yaml"], encoding="utf-8")
    for name, data, weight in (("tide", "set: {numbers.meal: 2}\n", 3), ("calm", "numbers: {nothing: 1}\n", 2)):
        (folder / name / "scenarios").mkdir(parents=True)
        (folder / name / "mod.yaml").write_text(MANIFEST.format(name), encoding="utf-8")
        (folder / name / f"{name}.yaml").write_text(data, encoding="utf-8")
        (folder / name / "scenarios" / f"{name}.yaml").write_text(GRAZED.format(name, weight), encoding="utf-8")


def outcomes(path: Path, *mods: Path) -> dict[str, bool]:
    report = run_path(path, mods=mods)
    assert not report.mistakes
    return {outcome.scenario.name: outcome.passed for outcome in report.outcomes}


def test_whose_scenarios_are_run(tmp_path: Path) -> None:
    """Those of what is named, under the mods that are given; the others of the same table are not."""
    lay_mods(tmp_path)
    shore, tide, calm = (tmp_path / name for name in ("shore", "tide", "calm"))
    assert outcomes(shore) == {"base": True}
    assert outcomes(shore, tide) == {"base": False}
    assert outcomes(shore, calm) == {"base": True}
    assert outcomes(tide) == {"tide": True}
    assert outcomes(tide, calm) == {"tide": True}
    assert outcomes(calm, tide) == {"calm": False}


def test_what_a_mod_extends_lies_beside_it_wherever_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_mods(tmp_path)
    for place, path in (
        ("tide", "."),
        ("tide/scenarios", ".."),
        ("tide", "mod.yaml"),
        (".", "tide"),
        ("calm", "../tide"),
    ):
        monkeypatch.chdir(tmp_path / place)
        assert ids(path) == ["tide: tide"]


def test_a_path_that_exists_comes_before_a_shipped_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_mods(tmp_path)
    (tmp_path / "shore").rename(tmp_path / "evolution")
    (tmp_path / "evolved").mkdir()  # neither a ruleset nor a mod: the shipped one is meant
    monkeypatch.chdir(tmp_path)
    assert load("evolution").id == "shore"
    assert load("evolved").id == "evolved"


def test_a_file_that_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "some.yaml").write_text(SCENARIOS, encoding="utf-8")
    (mistake,) = run_path(tmp_path / "some.yaml").mistakes
    assert mistake.code == "Y130"
    assert "ruleset or a mod" in mistake.because
