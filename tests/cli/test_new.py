"""`new` writes files that are sound at once, in any game, and nothing over what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulelang.apps.cli.new as module
from rulelang.compiler.compilation import Compilation
from rulelang.tools.scaffolding.hooks import hookables
from rulelang.tools.scaffolding.new import GAME_FOLDER, new_trait
from tests.cli.helpers import run
from tests.spec.pages import garden
from tests.spec.pages import write as write_files

ROOT = Path(__file__).resolve().parents[2]


def sound(place: Path) -> None:
    """What every new file is: checked, tested, tidy, and no cause for remarks."""
    for command in (("check",), ("test",), ("fmt", "--check"), ("lint",)):
        result = run(*command, str(place))
        assert result.exit_code == 0, (command, result.output)
    assert "no warnings" in run("lint", str(place)).output


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_game_that_new_rulesets_are_copied_from_is_sound() -> None:
    sound(GAME_FOLDER)


@pytest.mark.parametrize("players", ["2-4", "1-2", "3-6", "5"])
def test_a_ruleset(tmp_path: Path, players: str) -> None:
    result = run("new", "ruleset", "Stone soup", "--players", players)
    assert result.exit_code == 0, result.output
    assert "written: stone_soup/ruleset.yaml" in result.output
    sound(tmp_path / "stone_soup")
    text = (tmp_path / "stone_soup" / "ruleset.yaml").read_text()
    assert "id: stone_soup" in text
    assert 'title: {en: "Stone soup"}' in text
    many = players[0] if players[0] != "1" else "2"
    assert run("play", "stone_soup", "--bots", many, "--seed", "1").exit_code == 0


def test_a_ruleset_a_trait_a_scenario_and_a_mod_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("new", "ruleset", "soup").exit_code == 0
    monkeypatch.chdir(tmp_path / "soup")
    for arguments in (("trait", "sweet"), ("trait", "bitter"), ("scenario", "a first go"), ("mod", "hot")):
        result = run("new", *arguments)
        assert result.exit_code == 0, result.output
    sound(tmp_path / "soup")
    sound(tmp_path / "soup" / "mods" / "hot")
    monkeypatch.chdir(tmp_path / "soup" / "mods" / "hot")
    result = run("new", "trait", "sour")
    assert result.exit_code == 0, result.output
    assert "changed: mod.yaml" in result.output
    sound(tmp_path / "soup" / "mods" / "hot")


@pytest.mark.parametrize("game", ["evolution", "origin_of_species", "evolved", "darwins_choice"])
def test_a_mod_of_a_shipped_game(game: str, tmp_path: Path) -> None:
    assert run("new", "mod", "fresh", "--game", game).exit_code == 0
    sound(tmp_path / "fresh")


@pytest.mark.parametrize(
    ("game", "rule"), [("evolution", "modify defence(self): + 1"), ("origin_of_species", "modify spare(self): + 1")]
)
def test_a_trait_of_a_shipped_game(game: str, rule: str, tmp_path: Path) -> None:
    assert run("new", "mod", "fresh", "--game", game).exit_code == 0
    result = run("new", "trait", "Thick skin", "--in", "fresh")
    assert result.exit_code == 0, result.output
    assert f"  {rule}\n" in (tmp_path / "fresh" / "traits" / "thick_skin.yaml").read_text()
    sound(tmp_path / "fresh")


def test_a_trait_has_what_traits_of_this_game_print(tmp_path: Path) -> None:
    """The guild's traits have columns, its files lie in `people/`, and its cards lie on nothing."""
    source = Path(__file__).resolve().parents[2] / "examples" / "guild"
    files = {str(p.relative_to(source)): p.read_text() for p in source.rglob("*.*")}
    write_files(tmp_path / "guild", files)
    result = run("new", "trait", "miller", "--in", "guild", "--column", "price=3", "--copies", "4", "--hook", "serve")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "guild" / "people" / "miller.yaml").read_text()
    assert "sort: person\nprice: 3\n" in text
    assert "cards: [{copies: 4}]" in text
    assert "  after serve(self): tells" in text
    sound(tmp_path / "guild")


def test_a_trait_in_a_folder_of_its_own(tmp_path: Path) -> None:
    """A list of files in block style is gone on with."""
    files = dict(garden())
    files["ruleset.yaml"] = files["ruleset.yaml"].replace(
        "files: [things.yaml, garden.rules, traits/]", "files:\n  - things.yaml\n  - garden.rules\n  - traits/"
    )
    write_files(tmp_path / "garden", files)
    mod = "id: pests\nversion: 0.1.0\nlanguage: 1\ntitle: {en: Pests}\nextends: {garden: '>=1.0'}\n"
    mod += "files:\n  - pests.yaml\n"
    write_files(tmp_path / "pests", {"mod.yaml": mod, "pests.yaml": "numbers: {bites: 1}\n"})
    written = new_trait(tmp_path / "pests", "thorns", hook="hold")
    assert written.files == ["traits/thorns.yaml"]
    assert (tmp_path / "pests" / "mod.yaml").read_text() == mod + "  - traits/\n"
    text = (tmp_path / "pests" / "traits" / "thorns.yaml").read_text()
    assert "modify hold(self): + 1" in text
    assert "weight: [1, 2, 2]" in text or "weight: [1, 2, 3]" in text


def test_a_game_that_counts_its_cards_expects_those_of_a_new_trait_too(tmp_path: Path) -> None:
    assert run("new", "ruleset", "soup").exit_code == 0
    things = tmp_path / "soup" / "things.yaml"
    text = things.read_text()
    assert "    rows: []\n" in text
    counted = "    expect:\n      count: 12      # bees and apples\n      count where face == bee: 4\n      rows: 2\n"
    things.write_text(text.replace("    rows: []\n", f"    rows: []\n{counted}"))
    sound(tmp_path / "soup")
    result = run("new", "trait", "salt", "--in", "soup", "--copies", "3")
    assert result.exit_code == 0, result.output
    assert "changed: soup/things.yaml\n  `count` of `card` must now be 15, not 12\n" in result.output
    assert counted.replace("12 ", "15 ").replace("rows: 2", "rows: 3") in things.read_text()
    sound(tmp_path / "soup")


def test_a_trait_that_the_game_does_not_take_says_why(tmp_path: Path) -> None:
    assert run("new", "ruleset", "soup").exit_code == 0
    rules = tmp_path / "soup" / "game.rules"
    rules.write_text(rules.read_text() + "\ninvariant few: count(card c where c.points >= 0) <= 12\n")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    result = run("new", "trait", "salt", "--in", "soup")
    assert result.exit_code == 2
    assert "the trait would cause an error, soup/game.rules:" in result.output
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


#: Hooks of each kind: an event that needs a larger hunter, one without a body or a thing, one that removes its thing,
#: and values of a thing, of a player and of neither.
SAMPLE = ["strike", "store", "reveal_food", "extinct", "hungry", "score", "stock"]
#: Called in the middle of a question, `set_up` takes away the cards that could have been chosen.
EMPTIED = "set_up"


def hooks_of(game: str) -> list[str]:
    return [one.name for one in hookables(Compilation(ROOT / "rulesets" / game).program)]


def shows_its_rule(game: str, hook: str, folder: Path) -> str:
    """Write a trait that hooks this, and return its rule, which its scenario needs; empty if nothing is written."""
    assert run("new", "mod", str(folder), "--game", game).exit_code == 0
    result = run("new", "trait", "sample", "--in", str(folder), "--hook", hook)
    place = folder / "traits" / "sample.yaml"
    if result.exit_code:
        assert result.exit_code == 2, result.output
        assert re.search("found no (scenario|rule)", " ".join(result.output.split()))
        assert not place.exists()
        return ""
    text = place.read_text(encoding="utf-8")
    assert run("test", str(place)).exit_code == 0
    rule = re.search(r"^rules: \|\n((?:  .*\n)+)", text, re.MULTILINE)
    assert rule is not None
    place.write_text(text.replace(rule[0], ""), encoding="utf-8")
    assert "1 of 1 failed" in run("test", str(place)).output or run("test", str(place)).exit_code == 1
    return rule[1].strip()


@pytest.mark.parametrize("hook", SAMPLE)
def test_the_scenario_of_a_new_trait_fails_without_its_rule(hook: str, tmp_path: Path) -> None:
    rule = shows_its_rule("evolution", hook, tmp_path / "fresh")
    assert hook in rule
    if hook == "extinct":  # after it the bearer is gone
        assert rule.startswith("before")


def test_a_question_that_loses_its_options_stops_the_search(tmp_path: Path) -> None:
    shows_its_rule("evolution", EMPTIED, tmp_path / "fresh")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "hook"),
    [(game, hook) for game in ("evolution", "origin_of_species") for hook in hooks_of(game)],
)
def test_every_hook_has_a_rule_that_shows_or_none(game: str, hook: str, tmp_path: Path) -> None:
    shows_its_rule(game, hook, tmp_path / "fresh")


# ---- what is refused


def test_nothing_is_written_over(tmp_path: Path) -> None:
    assert run("new", "ruleset", "soup").exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    for arguments in (("ruleset", "soup"), ("trait", "bee", "--in", "soup"), ("scenario", "game", "--in", "soup")):
        result = run("new", *arguments)
        assert result.exit_code == 2, arguments
        assert "already exists" in result.output
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_what_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("new", "ruleset", "soup").exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    monkeypatch.setattr("rulelang.tools.scaffolding.new.find_example", lambda *_: None)
    result = run("new", "trait", "salt", "--in", "soup")
    assert result.exit_code == 2
    assert "found no scenario in which a rule that hooks" in " ".join(result.output.split())
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("ruleset",), "NAME is missing: what is the game called?"),
        (("ruleset", "9 lives"), "`9 lives` cannot be the name of a ruleset"),
        (("ruleset", "x", "--players", "many"), "`many` is not a number of players"),
        (("ruleset", "x", "--players", "4-2"), "`4-2` is not a valid number of players"),
        (("mod", "x"), "--game is missing: which game does it change?"),
        (("mod", "x", "--game", "evolutoin"), "did you mean `evolution`?"),
        (("mod", "x", "--game", "soup/mods/hot"), "is a mod itself"),
        (("trait", "x"), "no ruleset or mod in this folder"),
        (("trait", "x", "--in", "soup", "--hook", "wrth"), "no value or event called `wrth`"),
        (("trait", "x", "--in", "soup", "--column", "a=1"), "have no column `a`"),
        (("trait", "x", "--in", "soup", "--column", "a"), "write `--column NAME=VALUE`"),
        (("scenario", "x", "--in", "soup", "--phase", "dawn"), "there is no phase `dawn`; the phases are: playing"),
        (("scenario", "x", "--in", "soup", "--players", "ana"), "a game for 2 to 4 players cannot start with 1"),
    ],
)
def test_what_cannot_be_is_told(arguments: tuple[str, ...], said: str) -> None:
    if "soup" in " ".join(arguments):
        assert run("new", "ruleset", "soup").exit_code == 0
        assert run("new", "mod", "soup/mods/hot", "--game", "soup").exit_code == 0
    result = run("new", *arguments)
    assert result.exit_code in (1, 2)
    assert said in " ".join(result.output.split())


def test_a_game_without_traits_says_so(tmp_path: Path) -> None:
    assert run("new", "mod", "x", "--game", "evolved").exit_code == 0
    assert "evolved has no traits" in run("new", "trait", "y", "--in", "x").output


# ---- at a terminal


def test_what_is_missing_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_can_prompt", lambda: True)
    result = run("new", "ruleset", stdin="Stone soup\n\n3\n")
    assert result.exit_code == 0, result.output
    assert "What is the game called: " in result.output
    assert "Which title do players see [Stone soup]: " in result.output
    assert "players: {count: [3, 3]," in (tmp_path / "stone_soup" / "ruleset.yaml").read_text()
    result = run("new", "trait", "--in", "stone_soup", stdin="salt\nSea salt\nIt keeps.\nworth\n")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "stone_soup" / "traits" / "salt.yaml").read_text()
    assert "name: {en: Sea salt}" in text
    assert 'text: {en: "It keeps."}' in text
