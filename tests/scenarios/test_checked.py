"""`rulelang check` reads scenarios wholly, plays none of them, and keeps what it found as long as no byte changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.compiler.backends.python import emit, link
from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.checking import check_scenarios
from tests.cli.helpers import run
from tests.scenarios.shore import game
from tests.scenarios.test_mistakes import GOOD, MISTAKES

EACH = {
    "C701": "then: [{over: maybe}]",
    "C702": "given: {phase: feding, players: {ana: {crab: [nip]}, bob: []}}",
    "C703": "given: {phase: feeding, players: {ana: {hand: [finned 9]}, bob: []}}",
    "C704": "given: {phase: feeding, players: {ana: {crab: [nip weight 12]}, bob: []}}",
    "C705": "when: [garze nip]",
    "C706": "given: {phase: feeding, players: {ana: {crab: [nip, nip]}, bob: []}}",
    "C707": "mode: ruff\n    given: {phase: feeding, players: {ana: [], bob: []}}",
    "C713": "when: [eat nip]",
    "C714": "when: [{graze nip: {refused: Nip}}]",
    "C715": "then: [{log: {not: [nip ate]}}]",
    "T412": "then: [water is much]",
}


def shore(folder: Path, *bodies: str) -> Path:
    home = game(folder)
    scenarios = home / "scenarios"
    scenarios.mkdir(exist_ok=True)
    lines = "".join(f"  - name: s{number}\n    {body}\n" for number, body in enumerate(bodies))
    (scenarios / "some.yaml").write_text(f"scenarios:\n{GOOD}{lines}", encoding="utf-8")
    return home


def test_one_mistake_of_each_kind(tmp_path: Path) -> None:
    assert set(EACH.values()) <= set(MISTAKES)
    home = shore(tmp_path, *EACH.values())
    for _ in range(2):  # the second time from the disk
        result = run("check", str(home))
        assert result.exit_code == 1, result.output
        for code in EACH:
            assert result.output.count(f"error[{code}]") == 1, result.output
        assert result.output.endswith(f"{len(EACH) + 1} scenarios: {len(EACH)} errors in 1 file\n")


def test_a_position_is_read_though_a_step_is_mistaken(tmp_path: Path) -> None:
    """All is told at once, and each once."""
    given = "given: {phase: feeding, players: {ana: {crab: [nip weight 12], hand: [fined]}, bob: []}}"
    home = shore(tmp_path, f"{given}\n    when: [garze nip]\n    then: [water is much]")
    assert [item.code for item in check_scenarios(Compilation(home)).diagnostics] == ["C704", "C702", "C705", "T412"]


def test_a_check_of_a_mode_is_of_the_scenarios_of_modes(tmp_path: Path) -> None:
    """Those that name none are for the usual game, and may speak of what a mode does not have."""
    given = "given: {phase: feeding, players: {ana: {crab: [nip weight 12]}, bob: []}}"
    home = shore(tmp_path, given)
    assert [item.code for item in check_scenarios(Compilation(home)).diagnostics] == ["C704"]
    assert not check_scenarios(Compilation(home, mode="rough")).diagnostics
    home = shore(tmp_path, f"mode: rough\n    {given}")
    assert [item.code for item in check_scenarios(Compilation(home, mode="rough")).diagnostics] == ["C704"]


def test_phases_that_nothing_leads_to(tmp_path: Path) -> None:
    """C720 and C721 need no play where no rule, or only an action, leads to the phase."""
    given = "{{phase: {}, turn: ana, players: {{ana: [], bob: []}}}}"
    home = shore(tmp_path, *(f"given: {given.format(phase)}" for phase in ("storm", "night", "rest")))
    rules = home / "game.rules"
    more = "phase storm: nothing\nphase night: nothing\naction sleep during feeding: night\n"
    rules.write_text(rules.read_text(encoding="utf-8") + more, encoding="utf-8")
    found = check_scenarios(Compilation(home)).diagnostics
    assert [(item.code, item.because) for item in found] == [
        ("C720", "no rule runs it"),
        ("C720", "only players' choices lead to this phase"),
    ]


def test_nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(emit, "emit", never)
    monkeypatch.setattr(link, "compile_source", never)
    assert len(check_scenarios(Compilation(shore(tmp_path, *EACH.values()))).diagnostics) == len(EACH)


SHARED = {
    "an error": ("given: &g {phase: feding, players: {ana: [], bob: []}}", "C702", ""),
    "an invariant": ("given: &g {phase: feeding, state: {water: 60}, players: {ana: [], bob: []}}", "C717", "check"),
    "a warning": ("given: &g {phase: rest, state: {glow: 5}, players: {ana: [], bob: []}}", "C718", ""),
}


@pytest.mark.parametrize("title", SHARED)
def test_a_mistake_that_scenarios_share_is_reported_once_with_their_number(title: str, tmp_path: Path) -> None:
    """`check` plays nothing, so it does not see that a position breaks an invariant."""
    body, code, unseen = SHARED[title]
    home = shore(tmp_path, body, "given: *g", "given: *g\n    when: [garze nip]")
    things = home / "things.yaml"
    text = things.read_text(encoding="utf-8").replace(
        "  water: number\n", "  water: number\n  glow: {is: 0..9, resets: rest}\n"
    )
    things.write_text(text, encoding="utf-8")
    for command in ("check", "test"):
        output = run(command, str(home)).output
        times = 0 if command == unseen else 1
        assert output.count(f"[{code}]") == times, output
        assert len(re.findall(r"\d scenarios have this mistake", output)) == times, output
        assert output.count("error[C705]") == 1


def test_a_failure_at_the_start_that_scenarios_share_is_reported_once(tmp_path: Path) -> None:
    """The rules go wrong where play begins, and every scenario begins there."""
    home = shore(tmp_path, "given: &g {phase: rest, players: {ana: [], bob: []}}", "given: *g", "given: *g")
    rules = home / "game.rules"
    text = rules.read_text(encoding="utf-8").replace("  water += 1\n", "  water += 1 / (water - water)\n", 1)
    rules.write_text(text, encoding="utf-8")
    output = run("test", str(home)).output
    assert output.count("a rule stopped with an error at the start") == 1, output
    assert "3 scenarios have this mistake" in output
    assert "1 passed, 3 failed" in output


def test_a_mistaken_ruleset_is_not_asked_for_its_scenarios(tmp_path: Path) -> None:
    home = shore(tmp_path, EACH["C705"])
    rules = next(home.glob("*.rules"))
    rules.write_text(rules.read_text(encoding="utf-8") + "\nvalue odd() -> int: nowhere_at_all\n", encoding="utf-8")
    result = run("check", str(home))
    assert result.exit_code == 1
    assert "nowhere_at_all" in result.output
    assert "C705" not in result.output


def test_sums_that_do_not_fit_hide_no_mistakes_of_scenarios(tmp_path: Path) -> None:
    """After a row is added, `check` and `test` report the sums (Y177) and all mistakes of scenarios in one pass."""
    home = shore(tmp_path, EACH["C705"], EACH["T412"])
    things = home / "things.yaml"
    text = things.read_text(encoding="utf-8").replace(
        "    rows:\n      - {face", "    expect: {count: 9}\n    rows:\n      - {face"
    )
    things.write_text(text, encoding="utf-8")
    for command in ("check", "test"):
        result = run(command, str(home))
        assert result.exit_code == 1
        assert [result.output.count(f"error[{code}]") for code in ("Y177", "C705", "T412")] == [1, 1, 1], result.output
    assert "1 passed, 2 failed" in result.output


def test_an_invariant_of_printed_cards_that_fails_hides_no_mistakes_of_scenarios(tmp_path: Path) -> None:
    home = shore(tmp_path, EACH["C705"])
    rules = home / "game.rules"
    more = "invariant cheap: no(tool t where t.cost > 1)\n"
    rules.write_text(rules.read_text(encoding="utf-8") + more, encoding="utf-8")
    result = run("check", str(home))
    assert result.output.count("error[C705]") == 1, result.output
    assert result.output.count("error[") == 2, result.output
    assert "0 passed in" in run("test", str(home)).output, "each would break the invariant"


def test_scenarios_of_mods_that_are_laid_over_it(tmp_path: Path) -> None:
    """Whoever checks a game with a mod is told of the mod's scenarios, which are counted with the game's."""
    home = shore(tmp_path / "game", "then: [water == 0]")
    mod = tmp_path / "deep"
    (mod / "scenarios").mkdir(parents=True)
    (mod / "mod.yaml").write_text(
        "id: deep\nversion: 1.0.0\nlanguage: 1\ntitle: Deep\nextends: {shore: any}\nfiles: [deep.yaml]\n",
        encoding="utf-8",
    )
    (mod / "deep.yaml").write_text("set: {numbers.meal: 3}\n", encoding="utf-8")
    (mod / "scenarios" / "some.yaml").write_text(f"scenarios:\n  - name: s\n    {EACH['C705']}\n", encoding="utf-8")
    result = run("check", str(home), str(mod))
    assert result.exit_code == 1
    assert result.output.count("error[C705]") == 1
    assert result.output.endswith("3 scenarios: 1 error in 1 file\n")


def test_a_mod_that_a_scenario_names_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    home = shore(tmp_path, "mods: [deep]\n    given: {phase: feeding, state: {depth: 1}, players: {ana: [], bob: []}}")
    missing = run("check", str(home))
    assert "error[C707]" in missing.output
    mod = tmp_path / "deep"
    mod.mkdir()
    (mod / "mod.yaml").write_text(
        "id: deep\nversion: 1.0.0\nlanguage: 1\nextends: {shore: '>=0'}\nfiles: [more.yaml]\n"
    )
    more = mod / "more.yaml"
    for name, code in (("depth", 0), ("width", 1), ("depth", 0)):
        more.write_text(f"state:\n  {name}: {{is: 0..9}}\n")
        result = run("check", str(home))
        assert result.exit_code == code, result.output
        assert ("`depth`" in result.output) == bool(code)


@pytest.mark.parametrize("name", ["evolved", "darwins_choice"])
def test_what_is_shipped_has_no_mistakes(name: str) -> None:
    assert check_scenarios(Compilation(name)).diagnostics == ()


def test_an_unknown_option_is_told_with_the_nearest(tmp_path: Path) -> None:
    given = "given: {{options: {{{}: true}}, phase: feeding, players: {{ana: [], bob: []}}}}"
    home = shore(tmp_path, given.format("strom"), given.format("quiet"))
    found = check_scenarios(Compilation(home)).diagnostics
    assert [(item.code, item.message, item.hint) for item in found] == [
        ("C702", "there is no option `strom`", "did you mean `storm`?"),
        ("C702", "there is no option `quiet`", ""),
    ]
    assert all("`storm`" in item.because for item in found)
