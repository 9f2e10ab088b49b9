"""`rulelang coverage --rules --branches`: what of the rules ran is what a reading of the rules says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulelang.base.source import Span
from rulelang.testing.coverage import Branches, ProbedCompilation, coverage_html, measure_branches, play_probed_games
from rulelang.testing.scenarios.run import run_path
from tests.cli.helpers import run
from tests.fuzzing.pool import pool
from tests.spec.pages import write

SCENARIOS = """\
- name: one eats
  given: {phase: feeding, turn: ana, state: {water: 3}, players: {ana: [nip: [armed 2]], bob: [nob]}}
  when: [graze nip]
  then: [nip.weight == 2, ana.bag == 1]
- name: nothing is there
  given: {phase: feeding, turn: ana, state: {water: 0}, players: {ana: {crab: [nip], hand: [shy 1]}, bob: [nob]}}
  when: [graze nip: {refused: the pool is dry}]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = pool(tmp_path_factory.mktemp("branches") / "pool", sound=True)
    (home / "scenarios").mkdir()
    (home / "scenarios" / "a.yaml").write_text(SCENARIOS, "utf-8")
    return home


@pytest.fixture(scope="module")
def report(folder: Path) -> Branches:
    return measure_branches(folder)


def missing(report: Branches, text: str) -> list[str]:
    """What is missing of the places that read so."""
    found = [one.missing for one in report.ran if report.text(one.place.span) == text]
    assert found, text
    return found


def test_what_ran(report: Branches, folder: Path) -> None:
    assert report.scenarios == (2, 2)
    assert missing(report, "water > 0") == [""]
    assert missing(report, "can eat(c)") == ["never refused"]
    assert missing(report, "c.weight < 20") == ["never refused"]
    assert missing(report, "e.face == d.face")[0] in ("never asked", "never true")
    assert missing(report, "water -= 1") == [""]
    assert missing(report, "shuffle deck") == ["never ran"]
    assert missing(report, "move d to deck") == ["never ran"]
    assert missing(report, "self.weight > 9") == ["never asked"]  # nobody is shy
    assert missing(report, "after eat(self): self.owner.bag += 1") == [""]
    assert missing(report, "modify gain(self): + 2") == ["never counted"]
    water = next(one for one in report.ran if report.text(one.place.span) == "water -= 1")
    assert water.true == 1
    assert {Path(path).name for path in report.files} >= {"game.rules", "shy.yaml", "armed.yaml"}


def test_games_run_the_rest(folder: Path) -> None:
    more = measure_branches(folder, games=6)
    assert missing(more, "shuffle deck") == [""]
    assert missing(more, "move d to deck") == [""]
    assert missing(more, "modify gain(self): + 2") == [""]
    few, many = measure_branches(folder).count(measure_branches(folder).ran), more.count(more.ran)
    assert few[0] < many[0]
    assert (few[1], few[3]) == (many[1], many[3])


def test_the_same_games_with_probes_as_without(root: Path) -> None:
    """Probes change nothing: each scenario of a shipped game comes to what it comes to anyway."""
    found = measure_branches(root / "examples" / "pebbles")
    plain = run_path(root / "examples" / "pebbles")
    assert found.scenarios == (sum(one.passed for one in plain.outcomes), len(plain.outcomes))


def test_a_mod_over_it(folder: Path, tmp_path: Path) -> None:
    mod = tmp_path / "mud"
    mod.mkdir()
    text = 'id: mud\nversion: 1.0.0\nlanguage: 1\ntitle: Mud\nextends: {pool: ">=1.0, <2"}\nfiles: [mud.rules]\n'
    (mod / "mod.yaml").write_text(text, "utf-8")
    (mod / "mud.rules").write_text("after graze(c):\n  if c.weight > 25: water -= 1\n", "utf-8")
    found = measure_branches(folder, [mod])
    assert found.given == ("pool", "mud")
    assert missing(found, "c.weight > 25") == ["never true"]
    assert missing(found, "if c.weight > 25: water -= 1") == [""]


def test_how_it_is_told(folder: Path, report: Branches, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("coverage", str(folder), "--branches", "--html", str(page))
    assert done.exit_code == 0, done.output
    assert "in 2 scenarios, all of which pass" in done.output
    assert all(
        len(line) <= 80 for line in done.output.splitlines() if page.name not in line and folder.name not in line
    )
    assert "never refused: c.weight < 20" in done.output
    plain = run("coverage", str(folder), "--rules").output
    assert "never refused" not in plain
    assert " branches\n" not in plain
    whole = run("coverage", str(folder), "--rules", "--all").output
    assert len(whole.splitlines()) > len(plain.splitlines())
    text = page.read_text("utf-8")
    assert text == coverage_html(report)
    assert "<script" not in text
    assert "http" not in text
    assert "prefers-color-scheme: dark" in text
    assert "e.face == d.face" in text
    told = json.loads(run("coverage", str(folder), "--branches", "--json").output)
    assert told["branches"]["ran"] == report.count(report.ran)[2]
    assert {place["kind"] for place in told["places"]} >= {"line", "where", "require", "rule"}


@pytest.mark.parametrize(
    "given",
    [["--pairs", "--rules"], ["--html", "x.html"], ["--all"], ["--games", "3"], ["--replays", "pyproject.toml"]],
)
def test_what_does_not_go_together(given: list[str], folder: Path) -> None:
    assert run("coverage", str(folder), *given).exit_code == 2


def written(file: Path, span: Span) -> str:
    """What the beginning of a place reads."""
    line = file.read_text("utf-8").split("\n")[span.line - 1]
    return line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else None]


def test_what_the_state_tells_at_once_elsewhere_is_asked_of_each_card(root: Path) -> None:
    """Sums over the cards on a thing, and whether they work, where no rule silences any."""
    found = ProbedCompilation(root / "rulesets" / "origin_of_species")
    play_probed_games(found, 1)
    read = {place: written(root / place.span.path, place.span) for place in found.probes.places}
    (working,) = (place for place, text in read.items() if text == "c is working")
    assert found.seen.true[working]


def test_what_is_lowered_at_once_elsewhere_is_seen_piece_by_piece(root: Path) -> None:
    """All cards of a deck are laid there by one statement where nobody looks; and only neighbours are asked whether
    they are neighbours. With probes each card is laid, and everybody is asked."""
    found = ProbedCompilation(root / "rulesets" / "evolution")
    play_probed_games(found, 20)
    read = {place: written(root / place.span.path, place.span) for place in found.probes.places}
    (laid,) = (place for place, text in read.items() if text == "move c to deck")
    assert found.seen.true[laid] > 100
    (near,) = (place for place, text in read.items() if text == "prey in neighbours(self)")
    assert found.seen.false[near]
    assert found.seen.true[near]


def test_what_a_claim_asks_ran_and_an_action_that_does_nothing_is_a_line(root: Path, tmp_path: Path) -> None:
    place = tmp_path / "tiny"
    write(place, {
        "ruleset.yaml": "id: tiny\nversion: 1.0.0\nlanguage: 1\ntitle: {en: Tiny}\nplayers: {count: 2, from: start}\n"
        "files: [things.yaml, game.rules]\n",
        "things.yaml": "state: {start: player, water: number}\n",
        "game.rules": "game: wait\nphase wait:\n  turns p from start once each: offer one action to p or pass\n"
        "action rest during wait: nothing\naction drink during wait: nothing\nvalue score(player p) -> int: water\n",
        "scenarios/one.yaml": "- name: nobody has won yet\n  given: {phase: wait, turn: ana, players: [ana, bob]}\n"
        "  when: [ana: rest]\n  then: [score(ana) == 0]\n",
    })  # fmt: skip
    report = measure_branches(place)
    marks = {line.number: line.mark for path in report.files for line in report.lines(path, branches=False)}
    assert (marks[4], marks[5], marks[6]) == (" ", "-", " ")
