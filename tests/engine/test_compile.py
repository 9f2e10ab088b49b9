"""The pipeline: what it reports, and when it trusts what it kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

import rulelang
from rulelang import LoadError
from rulelang.base.errors import RuleError
from rulelang.compiler import program_cache
from rulelang.compiler.backends.python.link import PythonProgram
from rulelang.compiler.backends.python.on_demand import OnDemandProgram
from rulelang.compiler.compilation import Compilation
from rulelang.data.folders import root_of
from rulelang.runtime.program import PYTHON_SOON
from tests.backends.named import BACKENDS
from tests.fuzz.tiny import write

EXAMPLES = Path(__file__).parent.parent / "fixtures" / "examples"


@pytest.fixture
def ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a ruleset that may be changed, with a cache of its own."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    return Path(shutil.copytree(EXAMPLES / "evolution", tmp_path / "game"))


def was_read(compilation: Compilation) -> bool:
    return "read" in vars(compilation)


def test_a_check_is_repeated_only_when_something_changed(ruleset: Path) -> None:
    first, found = rulelang.check(ruleset)
    assert not found.failed
    assert was_read(first)
    assert first.summary.info.id == "evolution"
    second, found = rulelang.check(ruleset)
    assert not was_read(second)
    assert second.summary == first.summary
    (ruleset / "new.txt").write_text("what nothing reads")
    third, found = rulelang.check(ruleset)
    assert was_read(third)
    assert found.failed
    (ruleset / "new.txt").unlink()
    assert not rulelang.check(ruleset)[1].failed


def test_mistakes_are_kept_with_their_texts(ruleset: Path) -> None:
    rules = ruleset / "game.rules"
    rules.write_text(rules.read_text() + "\nroutine lost(species s): s.colour = 3\n")
    for known in (False, True):
        compilation, found = rulelang.check(ruleset)
        assert was_read(compilation) != known
        assert found.failed
        (mistake,) = (item for item in found if item.severity == "error")
        assert "s.colour" in compilation.checked.sources[mistake.span.path].splitlines()[mistake.span.line - 1]
        with pytest.raises(LoadError) as caught:
            _ = compilation.summary
        assert list(caught.value.diagnostics) == list(found)
        assert str(caught.value).startswith(str(mistake.span))
    with pytest.raises(LoadError):
        rulelang.load(ruleset)


def test_what_is_not_there_is_a_diagnostic() -> None:
    compilation, found = rulelang.check("no_such_game")
    assert [item.code for item in found] == ["Y130"]
    assert compilation.checked.roots == ()
    with pytest.raises(LoadError, match="no ruleset or mod `no_such_game`"):
        rulelang.load("no_such_game")


def test_a_broken_or_forbidden_cache_is_survived(
    ruleset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulelang.check(ruleset)
    (kept,) = (tmp_path / "cache" / "checks").iterdir()
    kept.write_bytes(b"rubbish")
    compilation, found = rulelang.check(ruleset)
    assert was_read(compilation)
    assert not found.failed
    monkeypatch.setenv("RULELANG_CACHE", os.devnull)
    assert not rulelang.check(ruleset)[1].failed


def test_a_warm_check_imports_no_parser(ruleset: Path, root: Path) -> None:
    code = (
        "import rulelang, sys; rulelang.check(sys.argv[1]);"
        "late = 'lark', 'rulelang.language.syntax.grammar', 'yaml', 'jsonschema', 'rulelang.language.semantics';"
        "print(*[m for m in late if m in sys.modules])"
    )
    for expected in ("rulelang.language.syntax.grammar yaml rulelang.language.semantics", ""):
        command = [sys.executable, "-c", code, str(ruleset)]
        shown = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
        assert shown.strip() == expected


def test_mods_count_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir(mode=0o700)  # what lies beside a mod counts
    for name in ("darwins_choice", "darwins_choice_colossal"):
        shutil.copytree(EXAMPLES / name, tmp_path / name)
    mod = tmp_path / "darwins_choice_colossal"
    first, found = rulelang.check(mod)
    assert not found.failed
    assert first.checked.roots == (str(tmp_path / "darwins_choice"), str(mod))
    assert not was_read(rulelang.check(mod)[0])
    rules = tmp_path / "darwins_choice" / "game.rules"
    rules.write_text(rules.read_text() + "\n# a remark\n")
    assert was_read(rulelang.check(mod)[0])


def test_roots(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no zip")
    assert root_of(str(tmp_path / "a.zip" / "inner" / "ruleset.yaml")) == str(tmp_path / "a.zip")
    assert root_of(str(tmp_path / "ruleset.yaml")) == str(tmp_path)


@pytest.mark.parametrize("backend", BACKENDS)
def test_equal_rules_in_two_places_each_name_their_own(backend: str, tmp_path: Path) -> None:
    """The code of both is kept on the disk, by the rules and by where they stand."""
    rules = "routine trouble: total += 1\ninvariant few: total < 3\n"
    for place in ("here", "there"):
        game = rulelang.load(write(tmp_path / place, rules))
        with pytest.raises(RuleError) as caught:
            game.simulate(30, 2, seed=1, backend=backend)
        assert caught.value.diagnostic.span.path.startswith(str(tmp_path / place))


def test_who_waits_for_a_first_question_plays_the_same_game_and_leaves_its_code(
    ruleset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Callable[[], object]] = []

    class Later:
        """A timer that runs when the test says so."""

        def __init__(self, seconds: float, work: Callable[..., object], args: tuple[object, ...]) -> None:
            self.start = lambda: written.append(partial(work, *args))
            self.daemon = False

    monkeypatch.setattr(program_cache, "Timer", Later)
    soon, game = rulelang.load(ruleset), rulelang.load(ruleset)
    played = soon.new(3, seed=5, backend=PYTHON_SOON)
    assert type(played.table.program) is OnDemandProgram
    usual = game.new(3, seed=5)
    assert type(usual.table.program) is PythonProgram
    assert type(rulelang.load(ruleset).table(3, None, PYTHON_SOON).program) is PythonProgram  # it is on the disk by now
    chance = Random(1)
    while not usual.over:
        at = chance.randrange(len(usual.decision.options))
        assert played.words == usual.words
        assert [str(option) for option in played.decision.options] == [str(option) for option in usual.decision.options]
        played.play(at)
        usual.play(at)
    assert played.over
    restored = game.restore(soon.new(3, seed=5, backend=PYTHON_SOON).save())
    assert restored.words == soon.new(3, seed=5).words

    assert type(soon.table(4, None, PYTHON_SOON).program) is OnDemandProgram
    assert (
        type(rulelang.load(ruleset).table(4, None, PYTHON_SOON).program) is OnDemandProgram
    )  # nothing was written yet
    for work in written:
        work()
    assert type(rulelang.load(ruleset).table(4, None, PYTHON_SOON).program) is PythonProgram
    assert type(rulelang.load(ruleset).table(4).program) is PythonProgram
