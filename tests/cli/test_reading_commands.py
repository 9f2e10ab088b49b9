"""`explain`, `show`, `dump`, `fmt`, `docs`: what they print, and how they end."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from rich.cells import cell_len

from rulelang.apps.cli import options
from rulelang.apps.cli.inspecting import CODE_STAGES, STAGES, code_stage
from rulelang.base.codes import CODES
from rulelang.base.terminal import display_width
from rulelang.compiler import program_cache
from rulelang.tools.docs_gen.manual import manual_pages
from tests.architecture.sources import ROOT
from tests.cli.helpers import RULES, no_traceback, run, tiny

# ---- explain


def test_explain_shows_the_page_of_a_code() -> None:
    result = run("explain", "N300")
    assert result.exit_code == 0
    assert result.output.startswith("N300: ")
    assert "Correct:" in result.output
    assert run("explain", "[n300]").output == result.output


def test_explain_without_a_code_lists_all() -> None:
    result = run("explain")
    assert all(f"{code}  {page.title}\n" in result.output for code, page in CODES.items())


def test_explain_suggests_near_codes() -> None:
    result = run("explain", "N30O")
    assert result.exit_code == 2
    assert "N300" in result.output


def test_explain_shows_pages_of_the_documentation() -> None:
    """What is written for users, from a checkout and from an installed package."""
    pages = manual_pages()
    assert {path.stem for path in (ROOT / "docs/language").glob("*.md")} - {"README"} < pages.keys()
    assert pages.keys() >= {"language", "editors", "builtins"}
    for name, path in pages.items():
        assert run("explain", name).output.rstrip() == path.read_text(encoding="utf-8").rstrip()
        assert f" {name}" in " ".join(run("explain").output.replace(",", " ").replace(".", " ").split())
    result = run("explain", "hoks")
    assert result.exit_code == 2
    assert "there is no page `hoks`; similar: hooks" in result.output


def test_an_installed_package_has_all_that_is_read() -> None:
    """Each folder that `data.paths` looks for goes into the wheel under the name by which it is looked for."""
    wanted = dict(re.findall(r'_beside\("(\w+)", "(\w+)"\)', (ROOT / "rulelang/data/folders.py").read_text()))
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert len(wanted) == 4
    assert built["force-include"] == {folder: f"rulelang/{inside}" for inside, folder in wanted.items()}


# ---- show


def test_show_a_trait_by_id_or_title() -> None:
    result = run("show", "evolution", "hard_shell")
    assert result.exit_code == 0
    for part in (
        "堅い殻",
        "modify defence(self): + shell",
        "traits/hard_shell.yaml:",
        "scenarios",
        "ev-trait-hard_shell-a: ",
    ):
        assert part in result.output
    assert run("show", "evolution", "堅い殻").output == result.output


def test_show_lists_a_ruleset_in_columns_of_cells() -> None:
    rows = [line for line in run("show", "evolution").output.split("\n") if line.endswith(" cards") and "  " in line]
    rows = [line for line in rows if line.startswith("  ")]
    assert len(rows) == 17
    assert len({cell_len(line[: line.rindex("  ")]) for line in rows if line.endswith("7 cards")}) <= 2
    starts = {cell_len(line.removesuffix(line.split("  ")[-1].lstrip())) for line in rows}
    assert len(starts) == 1, "the last column starts in one cell"


def test_show_a_value_with_all_that_modifies_it() -> None:
    result = run("show", "evolution", "defence")
    assert "modified by trait hard_shell   " in result.output
    assert "value defence(species s, species hunter)" in result.output


def test_show_a_number_for_all_numbers_of_players() -> None:
    first, second = run("show", "darwins_choice", "eras").output.splitlines()
    assert first.startswith("eras (number), ")
    assert first.endswith("components.yaml:5:3")
    assert second.split() == ["4"]
    assert run("show", "darwins_choice", "replaced").output.splitlines()[1:] == [
        "  2 players       1, 2, 2",
        "  3 or 4 players  2, 3, 3",
        "  5 or 6 players  3, 4, 4",
    ]
    assert "similar names: replaced" in run("show", "darwins_choice", "replace").output
    assert "numbers: eras, hand_size, " in run("show", "darwins_choice").output


def test_show_suggests_near_names() -> None:
    result = run("show", "evolution", "hard_shel")
    assert result.exit_code == 2
    assert "hard_shell" in result.output


# ---- dump


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_can_be_dumped(stage: str) -> None:
    result = run("dump", "evolution", "--stage", stage)
    no_traceback(result)
    assert result.exit_code == 0, result.output
    assert result.output.strip()


def test_whoever_takes_a_backend_takes_those_that_are_linked() -> None:
    assert {*options.BACKENDS, "auto"} == {*program_cache.BACKENDS}, "one of both tuples lacks a backend"
    assert {code_stage(name).target for name in CODE_STAGES} == {*options.BACKENDS}, (
        "each has a stage that shows its code"
    )


def test_data_is_json_and_python_is_python(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path / "tiny"))
    assert json.loads(run("dump", folder, "--stage", "data").output)["numbers"] == {"goal": 3}
    compile(run("dump", folder, "--stage", "python", "--players", "2").output, "dumped", "exec")


@pytest.mark.parametrize("stage", ["tree", "program", "ir", "hooks"])
def test_one_name_of_a_stage(tmp_path: Path, stage: str) -> None:
    folder = str(tiny(tmp_path / "tiny"))
    result = run("dump", folder, "--stage", stage, "--name", "work", "--players", "2")
    assert result.exit_code == 0, result.output
    assert "work" in result.output
    assert "invariant" not in result.output
    assert run("dump", folder, "--stage", stage, "--name", "wrok", "--players", "2").exit_code == 2


def test_woven_tells_who_contributes_and_where(tmp_path: Path) -> None:
    rules = RULES + "\nmodify pay(any): + 1\n\nforbid work when actor.coins > 5\n\nafter work: nothing\n"
    folder = str(tiny(tmp_path / "tiny", rules=rules))
    pay = run("dump", folder, "--name", "pay").output
    assert "modified by the rules of tiny" in pay
    assert "    modify pay(any): + 1\n" in pay
    assert "game.rules:19:1" in pay
    work = run("dump", folder, "--name", "work").output
    assert work.index("action work") < work.index("forbidden by") < work.index("hooked by")


def test_a_table_that_cannot_be() -> None:
    assert run("dump", "evolution", "--stage", "ir", "--players", "9").exit_code == 2
    assert run("dump", "evolution", "--stage", "ir", "--option", "nonsense=1").exit_code == 2
    assert run("dump", "evolution", "--stage", "ir", "--option", "nonsense").exit_code == 2


# ---- fmt


def test_fmt(tmp_path: Path) -> None:
    file = tmp_path / "a.rules"
    file.write_text("value one -> int:   1   \n\n\n\nvalue two -> int: 2\n")
    assert run("fmt", "--check", str(tmp_path)).exit_code == 1
    assert run("fmt", str(tmp_path)).exit_code == 0
    assert file.read_text() == "value one -> int: 1\n\nvalue two -> int: 2\n"
    assert run("fmt", "--check", str(tmp_path)).exit_code == 0


def test_fmt_leaves_mistakes_alone_and_tells_them(tmp_path: Path) -> None:
    file = tmp_path / "a.rules"
    file.write_text("value one -> int: (  \n")
    result = run("fmt", str(file))
    assert result.exit_code == 1
    assert "a.rules:1:" in result.output
    assert file.read_text() == "value one -> int: (  \n"


def test_fmt_refuses_other_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a: 1\n")
    assert run("fmt", str(tmp_path / "a.txt")).exit_code == 2
    assert run("fmt", str(tmp_path / "none.rules")).exit_code == 2
    (tmp_path / "b.rules").write_bytes(b"\xff\xfe\x00")
    result = run("fmt", str(tmp_path / "b.rules"))
    no_traceback(result)
    assert result.exit_code == 1


# ---- docs


def test_docs_are_written_and_compared(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    root = ("--root", str(tmp_path))
    stale = run("docs", "--check", *root)
    assert stale.exit_code == 1
    assert "docs/reference/commands.md" in stale.output
    assert run("docs", *root).exit_code == 0
    assert run("docs", "--check", *root).exit_code == 0
    text = (tmp_path / "docs/reference/commands.md").read_text(encoding="utf-8")
    assert "## play" in text
    assert "--bots" in text
    (tmp_path / "docs/reference/commands.md").write_text("old")
    assert run("docs", "--check", *root).exit_code == 1


def test_docs_need_a_clone(tmp_path: Path) -> None:
    assert run("docs", "--root", str(tmp_path)).exit_code == 2


def test_dump_of_a_trait_says_what_shows_it() -> None:
    result = run("dump", "evolution", "--name", "hard_shell")
    assert result.exit_code == 2
    assert "`rulelang show evolution hard_shell` shows what it is" in result.output


def test_show_says_what_is_printed_as_it_is_written() -> None:
    """A condition, and the rows that columns of traits name."""
    assert "requirement climb+fly>=1; adapt climb fly" in run("show", "darwins_choice", "cloud_forest").output
    about = run("show", "origin_of_species", "symbiosis").output
    assert "placement: own" in about
    assert about.count("pair: directed") == 1


def test_show_wraps_texts_at_the_terminal_in_every_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("show", "origin_of_species", "symbiosis").output.split("\n\n")[0].splitlines()[1:]
    assert len(lines) > 4
    assert all(display_width(line) <= 60 for line in lines)


@pytest.mark.parametrize(("stage", "head"), [("python", "def d_call_deal(S):"), ("c", "static "), ("ir", "pausing ")])
def test_code_of_one_name_is_functions(stage: str, head: str) -> None:
    """Not a line of all tables, because a path in it has the name."""
    result = run("dump", "evolution", "--stage", stage, "--name", "deal")
    assert result.output.startswith(head)
    assert max(map(len, result.output.splitlines())) < 1000
    result = run("dump", "evolution", "--stage", stage, "--name", "foraging")
    assert result.exit_code == 2
    assert "into other parts: see `rulelang show evolution foraging`" in result.output


def test_columns_by_a_list_are_shown_with_its_names() -> None:
    """What is not 0 of them."""
    assert "shows heat 1; dock_legs 0" in run("show", "darwins_choice", "plains_zebra.head").output
