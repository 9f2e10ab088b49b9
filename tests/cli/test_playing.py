"""`test`, `play`, `sim`: games and scenarios from the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulelang.apps.cli import screen
from rulelang.apps.cli.main import all_commands, main
from tests.cli.helpers import RULES, SCENARIOS, lines, no_traceback, run, tiny

# ---- watching


def test_bots_play_a_whole_game_that_can_be_read() -> None:
    result = run("play", "evolution", "--bots", "4", "--seed", "7")
    text = lines(result)
    assert text[0] == "Evolution, 4 players, seed 7"
    assert "Scores" in text
    assert re.search(r"(wins with|share the win with) \d+ points", text[-2])
    assert any(re.search(r"attacks \w+  \[Carnivore\]$", line) for line in text)
    assert any(line.startswith("      ") and "loses 1 population" in line for line in text), "causes are indented"
    for name in ("Ana", "Bob", "Cleo", "Dan"):
        assert sum(line.strip().startswith(f"{name} ") for line in text[-8:]) >= 1
    assert result.output == run("play", "evolution", "--bots", "4", "--seed", "7").output


def test_a_game_behind_log_is_the_game(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny"))
    said = run("play", "--log", folder, "--bots", "2", "--seed", "1")
    assert said.exit_code == 0
    assert said.output == run("play", folder, "--bots", "2", "--seed", "1", "--log").output
    full = run("play", "--log", "full", folder, "--bots", "2", "--seed", "1")
    assert full.exit_code == 0
    assert full.output != said.output


def test_rounds_and_phases_are_headings(tmp_path: Path) -> None:
    text = lines(run("play", str(tiny(tmp_path / "tiny")), "--bots", "2", "--seed", "1"))
    assert "Round 1" in text
    assert "  Earning" in text
    assert text.index("Round 1") + 1 == text.index("  Earning")
    assert [line for line in text if line.startswith("Round")] == [
        f"Round {i}" for i in range(1, 1 + sum(line.startswith("Round") for line in text))
    ]


# ---- playing


def test_a_person_plays_to_the_end(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny"))
    result = run("play", folder, "--players", "2", "--seed", "1", stdin="1\n" * 3)
    text = "\n".join(lines(result))
    assert "Ana (you)" in text
    assert "Ana works" in text
    assert "Ana wins with 3 points" in text or "share the win" in text or "Bob wins" in text


def test_commands_of_a_session(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny"))
    saved = tmp_path / "game.save"
    typed = ["help", "why not rest", "why not", "why not work", "9", "dance", "", "work", "undo", "undo", "wor", "log",
             "view", "options", f"save {saved}", "save", f"save {tmp_path}", "quit"]  # fmt: skip
    result = run("play", folder, "--players", "2", "--seed", "1", stdin="\n".join(typed) + "\n")
    text = "\n".join(lines(result))
    assert "Ana has nothing to rest on" in text
    assert "game.rules:" not in text, "no player asks for the line of a rule"
    assert "You can do that" in text
    assert "There is no option 9: options are numbered from 1 to 2." in text
    assert "Your last move has been undone." in text
    assert "You have no move to undo." in text
    assert f"Saved to {saved}." in " ".join(text.split())  # a long way is on a line of its own
    assert "Type a file name" in text
    assert "cannot be saved" in text
    assert text.rstrip().endswith("Goodbye.")
    again = run("play", folder, "--load", str(saved), stdin="")
    assert again.exit_code == 0
    assert "coins 1" in again.output


def test_moves_from_before_a_load_can_be_taken_back(tmp_path: Path) -> None:
    folder, saved = str(tiny(tmp_path / "tiny")), tmp_path / "game.save"
    run("play", folder, "--players", "2", "--seed", "1", stdin=f"work\nsave {saved}\nquit\n")
    result = run("play", folder, "--load", str(saved), stdin="undo\nundo\nwork\nquit\n")
    text = "\n".join(lines(result))
    loaded, _, after = text.partition("Your last move has been undone.")
    assert "Ana works" in loaded
    assert "You have no move to undo." in after
    assert after.count("Ana works") == 1, "it is logged once more, and what came before it is not"


def test_who_is_told_all_is_told_where_the_rule_stands(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny"))
    told = run("play", folder, "--players", "2", "--seed", "1", "--log", "full", stdin="why not rest\nquit\n")
    assert re.search(r"Ana has nothing to rest on\.\s+\S*game\.rules:12:\d+\n", told.output)


def test_the_end_of_input_ends_politely() -> None:
    result = run("play", "evolution", stdin="")
    no_traceback(result)
    assert result.exit_code == 0
    assert "The input ended" in result.output


def test_a_secret_hand_is_not_shown_to_others() -> None:
    output = run("play", "evolution", "--seed", "5", stdin="").output
    assert output.split("\n").count("  hand:") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--players", "7"), ("--bots", "1"), ("--players", "2", "--bots", "2"), ("--seat", "9"), ("--option", "x"),
        ("--option", "x=1"), ("--agent", "nobody"), ("--names", "a,a"), ("--names", "a,b,c,d,e"), ("--load", "none"),
        ("--bots", "0"), ("--bots", "-1"), ("--players", "0"), ("--save", "nowhere/game"), ("--save", "."),
    ],
)  # fmt: skip
def test_tables_that_cannot_be(arguments: tuple[str, ...]) -> None:
    result = run("play", "evolution", *arguments, stdin="")
    no_traceback(result)
    assert result.exit_code == 2, result.output


def test_a_file_that_is_no_saved_game(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"\x00\xff")
    result = run("play", "evolution", "--load", str(file), stdin="")
    no_traceback(result)
    assert result.exit_code == 2


def test_where_the_game_is_to_be_saved_is_looked_at_first(tmp_path: Path) -> None:
    result = run("play", "evolution", "--bots", "2", "--save", str(tmp_path / "missing" / "game"))
    assert result.exit_code == 2
    assert "there is no folder" in result.output
    assert "Round 1" not in result.output
    done = run("play", "evolution", "--bots", "2", "--seed", "3", "--save", str(tmp_path / "game"))
    assert done.exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["game"]


def test_a_ruleset_with_mistakes_is_not_played(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny", rules=RULES.replace("p.coins >= goal", "p.coinz >= goal")))
    for command in ("play", "sim"):
        result = run(command, folder)
        no_traceback(result)
        assert result.exit_code == 1
        assert "coinz" in result.output


def test_a_rule_that_goes_wrong_in_play_shows_its_line(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny", rules=RULES.replace("+= pay(actor)", "+= 30")))
    result = run("play", folder, "--bots", "2", "--seed", "1")
    no_traceback(result)
    assert result.exit_code == 1
    assert "error[X6" in result.output
    assert "game.rules:9:" in result.output


# ---- sim


def test_sim_prints_a_table() -> None:
    text = lines(run("sim", "evolution", "-n", "6", "--players", "3", "--seed", "1"))
    assert text[0] == "Evolution: 6 games of 3 players, seed 1"
    assert sum("random" in line for line in text) == 3
    assert any("games/s" in line for line in text)


def test_sim_as_json_is_the_same_for_the_same_seed() -> None:
    arguments = ("sim", "evolution", "-n", "4", "--seed", "3", "--agents", "greedy,random", "--json", "--players", "2")
    first, second = (json.loads(run(*arguments).output) for _ in range(2))
    assert first["agents"] == ["greedy", "random"]
    assert sum(first["wins"]) == pytest.approx(4)
    timed = {"seconds", "games_per_second", "decisions_per_second"}
    assert {k: v for k, v in first.items() if k not in timed} == {k: v for k, v in second.items() if k not in timed}


def test_sim_tells_partners_together() -> None:
    arguments = (
        "sim",
        "origin_of_species",
        "-n",
        "6",
        "--players",
        "4",
        "-o",
        "teams=true",
        "--agents",
        "greedy,random",
    )
    text = lines(run(*arguments))
    heading = next(i for i, line in enumerate(text) if line.startswith("  partners"))
    first, second = text[heading + 1 : heading + 3]
    assert first.startswith("  1 and 3 ")
    assert second.startswith("  2 and 4 ")
    told = json.loads(run(*arguments, "--json").output)
    assert told["teams"] == [[1, 3], [2, 4]]
    assert f"{told['wins'][0] + told['wins'][2]:.1f}" in first
    assert f"{told['wins'][1] + told['wins'][3]:.1f}" in second
    assert sum(told["wins"]) == pytest.approx(6)
    assert "teams" not in json.loads(run("sim", "evolution", "-n", "1", "--json").output)


def test_sim_that_cannot_be() -> None:
    for arguments in (("-n", "0"), ("--players", "9"), ("--agents", "nobody"), ("--backend", "abacus"), ("-o", "x=1")):
        result = run("sim", "evolution", "-n", "1", *arguments)
        no_traceback(result)
        assert result.exit_code == 2, result.output


def test_the_commands_know_the_backends() -> None:
    from rulelang.apps.cli.options import BACKENDS
    from rulelang.compiler.program_cache import BACKENDS as KNOWN

    assert {*BACKENDS, "auto"} == set(KNOWN)


# ---- test


def test_scenarios_pass(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny")
    text = lines(run("test", str(folder)))
    assert text[0].endswith("work.yaml .")
    assert text[1].startswith("1 passed in ")
    verbose = lines(run("test", "-v", str(folder / "scenarios/work.yaml")))
    assert verbose[0].startswith("passed ")


def test_a_failure_shows_what_was_expected_and_found(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny", tests=SCENARIOS.replace("== 1", "== 2")))
    result = run("test", folder)
    assert result.exit_code == 1
    text = result.output
    assert "work.yaml F" in text
    assert "> ana.coins == 2" in text
    assert "expected 2" in text
    assert "found    1" in text
    assert "0 passed" not in text
    assert "1 failed" in text
    assert run("test", folder, "-x").output.rstrip().endswith("stopped at the first failure")


def test_nothing_to_run(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny"))
    assert run("test", folder, "-k", "nonsense").exit_code == 2
    assert run("test", str(tmp_path / "none")).exit_code == 2


# ---- the group itself


def test_our_own_mistake_is_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr("rulelang.apps.cli.documents._wrapped_page", broken)
    result = run("explain", "N300")
    assert result.exit_code == 2
    assert "a bug in rulelang, not in your files: ZeroDivisionError: of ours" in result.output
    assert "Traceback" not in result.output
    with pytest.raises(ZeroDivisionError):
        main(["--debug", "explain", "N300"], standalone_mode=False)


def test_colours_stay_away_from_what_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert screen.uses_colour(Terminal())  # type: ignore[arg-type]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not screen.uses_colour(Terminal())  # type: ignore[arg-type]


def test_a_frame_keeps_its_text_under_its_colours() -> None:
    from click import unstyle

    frame = "error[Y101]: bad\n --> a.yaml:1:1\n  |\n1 | id: x\n  | ^^\n  |\n  = because: so"
    assert unstyle(screen._painted_frame(frame)) == frame
    assert "\x1b[" in screen._painted_frame(frame)


def test_commands_have_help() -> None:
    for name, command in all_commands().commands.items():
        assert command.help, name
        assert run(name, "--help").exit_code == 0


# ---- coverage


def test_every_numbered_rule_is_covered() -> None:
    result = run("coverage", "evolution")
    assert result.exit_code == 0, result.output
    assert "rules that no code cites: none" in result.output


def test_where_failing_scenarios_are_seen(tmp_path: Path) -> None:
    """With the mods and mode under which they fail."""
    folder = tiny(tmp_path / "tiny")
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/tiny.yaml").write_text("ruleset: tiny\ndocument: house\nrules: {}\n", encoding="utf-8")
    mod = tmp_path / "high"
    mod.mkdir()
    (mod / "mod.yaml").write_text(
        "id: high\nversion: 1.0.0\nlanguage: 1\ntitle: x\nextends: {tiny: '*'}\nfiles: [more.rules]\n", encoding="utf-8"
    )
    (mod / "more.rules").write_text("modify pay(any): + 1\n", encoding="utf-8")
    result = run("coverage", str(folder), str(mod))
    assert f"see `rulelang test {folder} --mod {mod}`" in result.output
    assert run("test", str(folder), "--mod", str(mod)).exit_code == 1


def test_gaps_are_listed(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny")
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/tiny.yaml").write_text(
        "ruleset: tiny\ndocument: house\nrules:\n  t-1: {section: Work, text: Work pays.}\n", encoding="utf-8"
    )
    result = run("coverage", str(folder))
    no_traceback(result)
    assert result.exit_code == 1, result.output
    assert "t-1  Work pays." in result.output
    report = json.loads(run("coverage", "--json", str(folder)).output)
    assert report["uncoded"] == report["untested"] == ["t-1"]
    assert run("coverage", str(tmp_path / "none")).exit_code == 2
