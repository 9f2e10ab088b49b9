"""The README tells the truth: its commands exist and run, its files load, its Python runs."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.architecture.sources import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CLI = "from rulelang.apps.cli.main import main; main()"

# Commands that are only looked up, with the reason.
NOT_RUN = {"rulelang play evolution": "it waits for a person"}


class Fence(NamedTuple):
    """One code block: its language, the file that its title names, its text. An indented block has neither."""

    language: str
    title: str
    text: str


def fences() -> list[Fence]:
    marked = re.findall(r'^```(\w*)(?: title="([^"]*)")?\n(.*?)^```$', README, re.MULTILINE | re.DOTALL)
    indented = re.findall(
        r"(?:^    .*\n)+", re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    return [Fence(*parts) for parts in marked] + [Fence("", "", text) for text in indented]


def commands(program: str) -> list[str]:
    """Every command line of the program in a block of the README, without its comment."""
    lines = [line.split("#")[0].strip() for fence in fences() if not fence.title for line in fence.text.splitlines()]
    return sorted({line for line in lines if line.startswith(program + " ")})


def named(program: str) -> list[str]:
    """Every command that the text of the README names; these may lack their arguments."""
    inline = re.findall(r"`((?:make|rulelang) [^`]+)`", README)
    return sorted({*commands(program), *(line for line in inline if line.startswith(program + " "))})


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the README shows, and with the shipped rulesets, where its commands can be run."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "rulesets").symlink_to(ROOT / "rulesets", target_is_directory=True)
    for fence in fences():
        if fence.title:
            path = folder / fence.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fence.text, encoding="utf-8")
    return folder


def run(arguments: list[str], folder: Path, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,  # machines are shared: this ends what hangs, it measures nothing
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_the_two_commands_of_a_clone_come_first() -> None:
    """The package is not on an index, so a newcomer begins with a clone."""
    first = next(fence.text for fence in fences() if not fence.language)
    assert [line.split("#")[0].strip() for line in first.splitlines()] == ["make demo", "make test"]


def test_links_lead_somewhere() -> None:
    """Every path that the README names in a link exists."""
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert len(targets) > 20
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_error_message_is_what_check_prints(desk: Path, tmp_path: Path) -> None:
    """The message that the README shows is the one for its own trait, with a letter left out."""
    shown = next(fence.text for fence in fences() if fence.text.startswith("error["))
    shutil.copytree(desk / "hard_times", tmp_path / "hard_times")
    trait = tmp_path / "hard_times" / "traits" / "stink.yaml"
    trait.write_text(trait.read_text(encoding="utf-8").replace("self.food", "self.fod"), encoding="utf-8")
    assert shown.strip() in run(["-c", CLI, "check", "hard_times"], tmp_path, code=1)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_completion_for_bash_works(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    line = re.findall(r"^```bash\n(.*?)#.*\n```$", page, re.MULTILINE)[0].strip()
    program = tmp_path / "rulelang"
    program.write_text(f"#!{sys.executable}\n{CLI}\n", encoding="utf-8")
    program.chmod(0o755)
    words = "COMP_WORDS=(rulelang play evolve)\nCOMP_CWORD=2"
    asked = f"{line}\n{words}\n_rulelang_completion rulelang\necho ${{COMPREPLY[@]}}"
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        ["bash", "--norc", "-c", asked],
        env=os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout.split() == ["evolved"], done.stderr


@pytest.mark.parametrize("command", named("make"))
def test_make_targets_exist(command: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(command.split()[1])}:.*## ", makefile, re.MULTILINE)


@pytest.mark.parametrize("command", named("rulelang"))
def test_subcommands_exist(command: str) -> None:
    from rulelang.apps.cli.main import all_commands

    assert command.split()[1] in all_commands().commands


@pytest.mark.parametrize("command", [command for command in commands("rulelang") if command not in NOT_RUN])
def test_commands_run(command: str, desk: Path) -> None:
    assert run(["-c", CLI, *shlex.split(command)[1:]], desk).strip()


@pytest.mark.parametrize("program", [fence.text for fence in fences() if fence.language == "python"])
def test_the_python_runs(program: str, desk: Path) -> None:
    assert run(["-c", program], desk).strip()


def test_the_files_are_a_sound_mod_with_passing_scenarios(desk: Path) -> None:
    mods = sorted({Path(fence.title).parts[0] for fence in fences() if fence.title})
    assert mods
    for mod in mods:
        run(["-c", CLI, "check", mod], desk)
        run(["-c", CLI, "test", mod], desk)
