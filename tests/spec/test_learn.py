"""The pages to learn by do what they show, in an empty folder. `UPDATE_GOLDEN=1` writes what is printed."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from rulelang.apps.studio.workshop.form import rules_of, without_rule
from rulelang.testing.scenarios.run import Runner
from rulelang.tools.docs_gen.manual import manual_pages, search_manual
from tests.cli.helpers import run
from tests.spec.pages import PAGES, write
from tests.spec.played import fresh

LEARN = sorted(page for page in (PAGES.parent / "learn").glob("*.md") if page.name != "README.md")
WISHES = sorted(page for page in (PAGES.parent / "wishes").glob("*.md") if page.name != "README.md")
MOD = "id: wish\nversion: 0.1.0\nlanguage: 1\ntitle: {en: A wish}\nextends: {evolution: '>=1.0'}\nfiles: [traits/]\n"
FILE = re.compile(r'^```yaml title="(traits/\w+\.yaml)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", LEARN, ids=lambda page: page.stem)
def test_each_step_does_what_it_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    shown = fresh(page)
    wrong = re.findall(r"^.*(?:failed in|bug in rulelang|Usage:|^Error:).*$", shown, re.MULTILINE)
    assert wrong == []
    assert shown.count("$ rulelang") >= 3


def test_every_page_is_in_its_index() -> None:
    for pages in (LEARN, WISHES):
        index = (pages[0].parent / "README.md").read_text(encoding="utf-8")
        assert [page.name for page in pages if f"]({page.name})" not in index] == []
    for before, after in pairwise(ORDER):
        assert f"]({after})" in (LEARN[0].parent / before).read_text(encoding="utf-8").rsplit("\n\n", 1)[-1], before


ORDER = re.findall(r"\]\(([\w-]+\.md)\)", (PAGES.parent / "learn" / "README.md").read_text(encoding="utf-8"))


def files(page: Path) -> dict[str, str]:
    return dict(FILE.findall(page.read_text(encoding="utf-8")))


EVERY_TRAIT = {file: text for page in WISHES for file, text in files(page).items()}


@pytest.fixture(scope="module")
def wishes(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """All of them in one mod."""
    folder = tmp_path_factory.mktemp("wishes") / "wish"
    write(folder, {"mod.yaml": MOD} | {file: text for page in WISHES for file, text in files(page).items()})
    return Runner(folder)


@pytest.mark.parametrize("page", WISHES, ids=lambda page: page.stem)
def test_a_wish_comes_true(page: Path, wishes: Runner) -> None:
    """Its trait is sound, its scenarios pass, and it says what else people call it."""
    assert [f"{item.span}: {item.message}" for item in wishes.diagnostics] == []
    (file,) = files(page)
    outcomes = [wishes.run(scenario) for scenario in wishes.scenarios if scenario.path.endswith(file)]
    assert [(o.scenario.id, o.failures, o.mistakes) for o in outcomes if not o.passed] == []
    assert outcomes
    assert re.search(r"^Also: [^.\n]+\.$", page.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", WISHES, ids=lambda page: page.stem)
def test_every_rule_of_a_wish_shows_in_a_scenario(page: Path, tmp_path: Path) -> None:
    """A scenario fails, or the file has a mistake, when any one of its rules is left out."""
    ((file, text),) = files(page).items()
    needed = {name: other for name, other in EVERY_TRAIT.items() if re.search(rf"\b{Path(name).stem}\b", text)}
    unshown = []
    for number, rule in enumerate(rules_of(text, file)):
        folder = tmp_path / str(number)
        write(folder, {"mod.yaml": MOD} | needed | {file: without_rule(text, file, number)})
        runner = Runner(folder)
        own = [scenario for scenario in runner.scenarios if scenario.path.endswith(file)]
        if not runner.diagnostics.failed and all(runner.run(scenario, ()).passed for scenario in own):
            unshown.append(rule)
    assert unshown == []


def test_there_are_many_wishes() -> None:
    assert len(WISHES) >= 25


# ---- found by words


@pytest.mark.parametrize("page", WISHES, ids=lambda page: page.stem)
def test_explain_finds_a_wish_by_its_title_and_by_what_else_it_is_called(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    title = text.split("\n")[0].removeprefix("# ")
    assert run("explain", title).output == text.rstrip() + "\n"
    for other in re.findall(r"^Also: (.+)\.$", text, re.MULTILINE)[0].split(", "):
        assert page.stem in [hit.name for hit in search_manual(other)][:12], other


def test_words_that_several_pages_have_list_them() -> None:
    output = run("explain", "attack").output
    assert "hurts-its-attacker" in output
    assert "nobody-may-attack-it-while" in output
    assert all(len(line) <= 80 for line in output.splitlines())
    assert run("explain", "xylophone", "quartz").exit_code == 2


def test_no_page_hides_another() -> None:
    pages = manual_pages()
    assert len(set(pages.values())) == len(pages)
    assert {"hooks", "learn", "learn/hooks", "first-trait", "wishes", "mods", "docs/mods"} <= pages.keys()
