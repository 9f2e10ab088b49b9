"""What the page to write on asks the server: files, the form, phrases, scenarios, games played in the background."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rulelang.api import load
from rulelang.apps.lab.figures import Effect
from rulelang.apps.lab.statistics import Estimate, unknown_estimate
from rulelang.apps.studio.workshop import balance, files, trait_verdicts
from rulelang.apps.studio.workshop.balance import Abandoned, Scales
from rulelang.apps.studio.workshop.form import NoForm, form_of, rules_of, text_with_field, with_rule, without_rule
from rulelang.apps.studio.workshop.form_data import NoPhrase, RulePhrases
from rulelang.apps.studio.workshop.project_session import ProjectSession
from rulelang.apps.studio.workshop.routes import make_scenario
from rulelang.base.languages import ENGLISH
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.state import State
from rulelang.testing.scenarios.writer import CannotWrite
from tests.scenarios.shore import game
from tests.studio.helpers import client, site

TRAIT = """\
# what it is for
trait: shy   # its name in rules
name: {en: Shy, de: 'Scheu, sehr'}
text:
  en: It hides.   # short
rules: |
  forbid eat(self) because "it hides"

scenarios:
  - name: it hides
    given: {phase: feeding, turn: ana, state: {water: 3}, players: {ana: {crab: [nip: {traits: [shy]}]}, bob: []}}
    then: [nip.weight == 1]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return game(tmp_path)


@pytest.fixture
def asking(home: Path, tmp_path: Path) -> Iterator[TestClient]:
    with client(site(tmp_path, home)) as found:
        yield found


# ---- files


def test_traits_are_cards_with_what_they_say_and_what_is_wrong_with_them(home: Path) -> None:
    (home / "traits/shy.yaml").write_text(TRAIT.replace("eat(self)", "eet(self)"), encoding="utf-8")
    found = ProjectSession(home).everything()
    finned, shy = found["traits"]
    assert (finned["id"], finned["text"], finned["copies"], finned["problems"]) == (
        "finned",
        {"en": "It eats more."},
        3,
        0,
    )
    assert (shy["path"], shy["problems"]) == ("traits/shy.yaml", 1)
    assert found["problems"][0]["line"] == 7
    assert found["files"] == ["game.rules", "rough.yaml", "ruleset.yaml", "things.yaml"]
    (home / "traits/shy.yaml").write_text(TRAIT, encoding="utf-8")
    desk = ProjectSession(home)
    assert [one["copies"] for one in desk.everything()["traits"]] == [3, 2]
    assert desk.everything()["scenarios"] == [
        {"id": "shy: it hides", "name": "it hides", "path": "traits/shy.yaml", "line": 10, "example": False}
    ]


def test_a_folder_without_a_game_is_listed_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("none", encoding="utf-8")
    found = ProjectSession(tmp_path).everything()
    assert (found["game"], found["files"]) == (None, ["notes.md"])


def test_a_folder_without_a_game_gets_one_to_begin_with(tmp_path: Path) -> None:
    folder = tmp_path / "tide_pools"
    folder.mkdir()
    with client(site(tmp_path, folder)) as asking:
        path = asking.post("/api/workshop/ruleset", json={"title": "Tide pools"}).json()["path"]
        assert path == "ruleset.yaml"
        found = asking.get("/api/workshop/files").json()
        assert (found["game"]["title"], found["problems"]) == ("Tide pools", [])
        assert asking.post("/api/rooms", json={"game": "tide_pools", "seats": ["you", "you"]}).status_code == 200
        again = asking.post("/api/workshop/ruleset", json={"title": "Tide pools"})
        assert (again.status_code, "already" in again.text) == (400, True)


def test_a_first_game_lies_below_a_folder_whose_name_cannot_be_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "2026 games"
    folder.mkdir()
    with client(site(tmp_path, folder)) as asking:
        path = asking.post("/api/workshop/ruleset", json={"title": "Tide pools"}).json()["path"]
        assert path == "tide_pools/ruleset.yaml"
        room = {"game": "2026 games", "seats": ["you", "you"]}
        assert asking.post("/api/rooms", json=room).json()["title"] == "Tide pools"


def test_the_game_that_is_written_is_the_one_that_is_played(tmp_path: Path, root: Path) -> None:
    """Even where its folder is called as a shipped one."""
    folder = Path(shutil.copytree(root / "examples/pebbles", tmp_path / "evolution"))
    with client(site(tmp_path, folder)) as asking:
        made = asking.post("/api/rooms", json={"game": "evolution", "seats": ["you", "you"]}).json()
        assert made["title"] == "Pebbles"


def test_what_cannot_be_read_at_all_is_a_problem_and_no_failure(home: Path) -> None:
    for name in ("ruleset.yaml", "things.yaml", "traits/shy.yaml"):
        text = (home / name).read_text(encoding="utf-8")
        (home / name).write_text("a: [\n", encoding="utf-8")
        found = ProjectSession(home).everything()
        assert [one["path"] for one in found["problems"]][:1] == [name], name
        (home / name).write_text(text, encoding="utf-8")


def test_a_file_is_kept_in_one_step_and_never_over_what_somebody_else_wrote(home: Path) -> None:
    read = files.read_file(home, "game.rules")
    version = files.save_file(home, "game.rules", read.text + "# mine\n", read.version)
    assert files.read_file(home, "game.rules").text.endswith("# mine\n")
    (home / "game.rules").write_text("# theirs\n", encoding="utf-8")
    with pytest.raises(files.Changed):
        files.save_file(home, "game.rules", "# mine again\n", version)
    assert (home / "game.rules").read_text(encoding="utf-8") == "# theirs\n"
    with pytest.raises(files.Changed):
        files.save_file(home, "game.rules", "# as if it were new\n", "")
    assert files.save_file(home, "new/one.yaml", "{}\n", "")
    assert not list(home.rglob("*.part"))


def test_line_ends_stay_as_they_are(home: Path) -> None:
    (home / "game.rules").write_bytes(b"# a\r\n# b\r\n")
    read = files.read_file(home, "game.rules")
    assert read.text == "# a\n# b\n"
    files.save_file(home, "game.rules", read.text + "# c\n", read.version)
    assert (home / "game.rules").read_bytes() == b"# a\r\n# b\r\n# c\r\n"


OUTSIDE = ("../x.yaml", "/etc/x.yaml", "a/../../x.yaml", ".git/x.yaml", "x.py", "", "c:/x.yaml", "link/x.yaml")


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_of_the_folder_is_read_or_written(path: str, home: Path, asking: TestClient) -> None:
    (home.parent / "x.yaml").write_text("secret", encoding="utf-8")
    (home / "link").symlink_to(home.parent)
    assert asking.get("/api/workshop/file", params={"path": path}).status_code == 400
    answer = asking.put("/api/workshop/file", json={"path": path, "text": "mine", "version": ""})
    assert answer.status_code == 400
    assert asking.post("/api/workshop/run", json={"path": path, "name": ""}).json()["outcomes"] == []
    assert (home.parent / "x.yaml").read_text(encoding="utf-8") == "secret"
    assert "link/x.yaml" not in asking.get("/api/workshop/files").json()["files"]


# ---- the form


def field(text: str, home: Path, *at: str | int) -> Any:
    model = Compilation(home).model
    return next(one for one in form_of(text, "traits/shy.yaml", model, ("en", "de")) if one.at == at)


@pytest.mark.parametrize(
    ("at", "value", "gone", "come"),
    [
        (("name", "en"), "Very: shy", "{en: Shy,", '{en: "Very: shy",'),
        (("name", "de"), "Scheu", "'Scheu, sehr'", "Scheu"),
        (("text", "en"), "It  hides well.", "It hides.", '"It hides well."'),
    ],
)
def test_a_field_changes_what_it_says_and_nothing_else(
    at: tuple[str, ...], value: str, gone: str, come: str, home: Path
) -> None:
    after = text_with_field(TRAIT, "traits/shy.yaml", field(TRAIT, home, *at), value)
    assert after == TRAIT.replace(gone, come)


def test_what_is_not_there_yet_is_put_where_it_belongs(home: Path) -> None:
    after = text_with_field(TRAIT, "traits/shy.yaml", field(TRAIT, home, "text", "de"), "Es versteckt sich.")
    assert after == TRAIT.replace("# short\n", '# short\n  de: "Es versteckt sich."\n')


def test_printed_numbers_and_copies_are_fields(tmp_path: Path, root: Path) -> None:
    text = "trait: claws\nname: {en: Claws}\ntext: {en: It scratches.}\ncards: [{food: [1, 2]}]   # two\n"
    model = Compilation(root / "rulesets/evolution").model
    food = next(one for one in form_of(text, "claws.yaml", model) if one.kind == "numbers")
    assert food.value == "1 2"
    assert "[{food: [3, 4, -1]}]   # two\n" in text_with_field(text, "claws.yaml", food, "3, 4 -1")
    with pytest.raises(NoForm, match="is not a whole number"):
        text_with_field(text, "claws.yaml", food, "3 or 4")


CARDS = """\
cards:
  card:
    columns: {face: trait, food: {is: int, by: copy}}
    rows:
      # those that eat
      - {face: finned, food: [1, 2, 2]}   # three
      - {face: shy, food: [3, 3]}
  tool:
    columns: {cost: int, hue: colour}
    rows:
      net: {cost: 2, hue: red, text: It catches.}
      rod: {cost: 1, hue: green, copies: 2}   # two
"""


@pytest.mark.parametrize(
    ("at", "value", "gone", "come"),
    [
        (("cards", "card", "rows", 0, "food"), "1 4 2", "[1, 2, 2]", "[1, 4, 2]"),
        (("cards", "tool", "rows", "rod", "copies"), "3", "copies: 2}", "copies: 3}"),
        (("cards", "tool", "rows", "net", "copies"), "2", "It catches.}", "It catches., copies: 2}"),
        (("cards", "tool", "rows", "net", "hue"), "green", "hue: red", "hue: green"),
        (("cards", "tool", "rows", "net", "text"), "It takes.", "text: It catches.", 'text: "It takes."'),
        (
            ("cards", "tool", "rows", "net", "text", "de"),
            "Es fängt.", "text: It catches.", 'text: {en: "It catches.", de: "Es fängt."}',
        ),
        (("cards", "tool", "rows", "rod", "text", "de"), "Fisch", "copies: 2}", "copies: 2, text: {de: Fisch}}"),
    ],
)  # fmt: skip
def test_rows_of_cards_have_a_form_that_changes_nothing_else(
    at: tuple[str | int, ...], value: str, gone: str, come: str, home: Path
) -> None:
    things = (home / "things.yaml").read_text(encoding="utf-8")
    start, end = things.index("cards:"), things.index("kinds:")
    text = things[:start] + CARDS + things[end:]
    (home / "things.yaml").write_text(text, encoding="utf-8")
    model = Compilation(home).model
    found = next(one for one in form_of(text, "things.yaml", model, ("en", "de")) if one.at == at)
    after = text_with_field(text, "things.yaml", found, value)
    assert after == text.replace(gone, come)
    (home / "things.yaml").write_text(after, encoding="utf-8")
    assert not Compilation(home).diagnostics.failed


def test_the_form_of_a_trait_has_its_cards_wherever_they_stand(home: Path, asking: TestClient) -> None:
    text = (home / "traits/finned.yaml").read_text(encoding="utf-8")
    given = {"path": "traits/finned.yaml", "text": text, "languages": ["en"]}
    form = asking.post("/api/workshop/form", json=given).json()
    food = next(one for one in form["fields"] if one["path"])
    assert (food["path"], food["value"], food["kind"]) == ("things.yaml", "1 2 2", "numbers")
    assert asking.get("/api/workshop/files").json()["forms"] == ["things.yaml"]
    things = (home / "things.yaml").read_text(encoding="utf-8")
    given = {"path": "things.yaml", "text": things, "at": food["at"], "value": "1 2 4"}
    assert asking.post("/api/workshop/form", json=given).json()["text"] == things.replace("[1, 2, 2]", "[1, 2, 4]")


EXPECTED = "    expect: {count: 5, sum of food: 11, rows: 3}   # rows are not right\n"
#: What may be wrong when the page opens: a file, what stands there, what is put there, the code, and whether rules are
#: still told in words and phrases offered.
WRONG = [
    ("things.yaml", "    rows:\n      - {face", EXPECTED + "    rows:\n      - {face", "Y177", True),
    ("game.rules", "game:", "invariant scarce: count(card c) < 3\ngame:", "X613", True),
    ("game.rules", "phase rest:", "phase reest:", "N356", False),
    ("traits/shy.yaml", "forbid eat(self)", "forbid eat(self", "S208", False),
    ("things.yaml", "{face: shy, food", "{face: shie, food", "N305", False),
    ("things.yaml", "weight: {is: 0..9", "weight: {is: 0..", "N306", False),
    ("ruleset.yaml", "files: [", "files: [more.yaml, ", "Y132", False),
    ("rough.yaml", "set:", "sett:", "", True),
    ("things.yaml", "hand: {of: player", "hand: {of: player}, {", "Y102", False),
]


@pytest.mark.parametrize(("file", "old", "new", "code", "told"), WRONG, ids=[f"{w[0]}: {w[2]}"[:40] for w in WRONG])
def test_a_form_is_open_whatever_else_is_wrong(
    home: Path, asking: TestClient, file: str, old: str, new: str, code: str, told: bool
) -> None:
    """A form needs what is declared, as far as that can be understood, and its own file."""
    (home / "traits/shy.yaml").write_text(TRAIT, encoding="utf-8")
    whole = (home / file).read_text(encoding="utf-8")
    assert old in whole
    (home / file).write_text(whole.replace(old, new, 1), encoding="utf-8")
    codes = {one["code"] for one in asking.get("/api/workshop/files").json()["problems"]}
    assert codes == ({code} if code else set())
    text = (home / "traits/shy.yaml").read_text(encoding="utf-8")
    answer = asking.post("/api/workshop/form", json={"path": "traits/shy.yaml", "text": text, "languages": ["en"]})
    assert answer.status_code == 200, answer.text
    made = answer.json()
    assert [one["value"] for one in made["fields"] if one["at"] == ["name", "en"]] == ["Shy"]
    assert bool(made["rules"] and made["rules"][0]["said"]) == told
    assert bool(asking.get("/api/workshop/phrases").json()) == told
    changed = {"path": "traits/shy.yaml", "text": text, "at": ["name", "en"], "value": "Timid"}
    assert "name: {en: Timid" in asking.post("/api/workshop/form", json=changed).json()["text"]


def test_a_form_is_closed_where_its_own_file_or_the_manifest_cannot_be_read(home: Path, asking: TestClient) -> None:
    given = {"path": "traits/shy.yaml", "text": TRAIT, "languages": ["en"]}
    manifest = (home / "ruleset.yaml").read_text(encoding="utf-8")
    (home / "ruleset.yaml").write_text("id: [", encoding="utf-8")
    closed = asking.post("/api/workshop/form", json=given)
    assert (closed.status_code, "there is no readable game here" in closed.text) == (400, True)
    (home / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    assert asking.post("/api/workshop/form", json=given).status_code == 200
    assert "this file cannot be read" in asking.post("/api/workshop/form", json={**given, "text": "trait: ["}).text


def test_the_scenario_of_a_new_trait_follows_its_rule_or_goes(home: Path, asking: TestClient) -> None:
    path = asking.post("/api/workshop/trait", json={"name": "Thick fur"}).json()["path"]
    place = home / path
    made = place.read_text(encoding="utf-8")

    def passes() -> bool:
        return all(one["passed"] for one in asking.post("/api/workshop/run", json={"path": path}).json()["outcomes"])

    (listed,) = [one for one in asking.get("/api/workshop/files").json()["scenarios"] if one["path"] == path]
    assert listed["example"]
    assert passes()
    rule = next(line for line in made.splitlines() if line.startswith("  modify "))
    more = "  - name: another\n    then: [round == 0]\n"
    for other in (rule.rpartition("+ ")[0] + "+ 9", '  after eat(self): tells "{self} is full"'):
        place.write_text(made.replace(rule, other) + more, encoding="utf-8")
        answer = asking.post("/api/workshop/example", json={"path": path})
        assert answer.status_code == 200, answer.text
        again = place.read_text(encoding="utf-8")
        assert again.endswith(more)
        assert other in again
        outcomes = asking.post("/api/workshop/run", json={"path": path}).json()["outcomes"]
        assert outcomes[0]["passed"], outcomes
        assert "+ 9" in again.partition("scenarios:")[2] or "is full" in again.partition("scenarios:")[2]
        place.write_text(again.replace(other, "  modify gain(self): + 0"), encoding="utf-8")
        outcomes = asking.post("/api/workshop/run", json={"path": path}).json()["outcomes"]
        assert not outcomes[0]["passed"], "the example passes without the rule"
    unshown = made.replace(rule, "  forbid eat(self) when round > 99") + more
    place.write_text(unshown, encoding="utf-8")
    answer = asking.post("/api/workshop/example", json={"path": path})
    assert (answer.status_code, "found no scenario in which" in answer.text) == (400, True)
    assert place.read_text(encoding="utf-8") == unshown
    assert asking.post("/api/workshop/example", json={"path": path, "drop": True}).status_code == 200
    assert place.read_text(encoding="utf-8").partition("scenarios:\n")[2] == more
    gone = asking.post("/api/workshop/example", json={"path": path})
    assert (gone.status_code, "this scenario no longer exists" in gone.text) == (400, True)
    place.write_text(made, encoding="utf-8")
    asking.post("/api/workshop/example", json={"path": path, "drop": True})
    assert place.read_text(encoding="utf-8") == made.partition("scenarios:\n")[0]


def test_what_files_expect_of_their_cards_follows_the_form(home: Path, asking: TestClient) -> None:
    asking.get("/api/workshop/files")  # while all was well
    things = (home / "things.yaml").read_text(encoding="utf-8")
    things = things.replace("    rows:\n      - {face", EXPECTED + "    rows:\n      - {face")
    (home / "things.yaml").write_text(things, encoding="utf-8")
    at = ["cards", "card", "rows", 0, "food"]
    given = {"path": "things.yaml", "text": things, "at": at, "value": "1 2 2 3"}
    found = asking.post("/api/workshop/form", json=given).json()
    grown = things.replace("[1, 2, 2]", "[1, 2, 2, 3]")
    assert found["text"] == grown.replace("count: 5, sum of food: 11", "count: 6, sum of food: 14")
    assert found["also"] == []
    assert found["notes"] == [
        "`count` of `card` must now be 6, in things.yaml",
        "`sum of food` of `card` must now be 14, in things.yaml",
    ]
    back = asking.post("/api/workshop/form", json={**given, "text": found["text"], "value": "1 2 2"}).json()
    assert back["text"] == things
    assert asking.post("/api/workshop/form", json={**given, "at": at, "value": "2 2 1"}).json()["notes"] == []


def test_what_another_file_expects_follows_too_also_where_it_is_not_saved_yet(home: Path, asking: TestClient) -> None:
    path = "traits/grown.yaml"
    trait = "trait: grown\ntext: {en: It grows.}\ncards: {card: [{food: [1, 1]}]}\n"
    things = (home / "things.yaml").read_text(encoding="utf-8")
    summed = things.replace("    rows:\n      - {face", "    expect: {count: 7}\n    rows:\n      - {face")
    (home / path).write_text(trait, encoding="utf-8")
    (home / "things.yaml").write_text(summed, encoding="utf-8")
    given = {"path": path, "text": trait, "at": ["cards", "card", 0, "food"], "value": "1 1 1"}
    found = asking.post("/api/workshop/form", json=given).json()
    assert found["text"] == trait.replace("[1, 1]", "[1, 1, 1]")
    assert found["also"] == [{"path": "things.yaml", "text": summed.replace("count: 7", "count: 8")}]
    held = summed.replace("count: 7", "count: 8") + "# more\n"
    given |= {"text": found["text"], "value": "1 1 1 1", "unsaved": {"things.yaml": held, path: found["text"]}}
    found = asking.post("/api/workshop/form", json=given).json()
    assert found["also"] == [{"path": "things.yaml", "text": held.replace("count: 8", "count: 9")}]
    assert asking.get("/api/workshop/files").json()["problems"] == []  # nothing is left of what was only tried


CATALOGUE = """\
# by hand
texts:
  finned: mit Flossen
  "It eats more.":
  It hides.: {said: Es war weg., was: It hid.}   # to be looked at
"""


@pytest.mark.parametrize(
    ("trait", "english", "said", "gone", "come"),
    [
        ("finned", "finned", "mit Flossen", "finned: mit Flossen", 'finned: "so: neu"'),
        ("finned", "It eats more.", "", '"It eats more.":', '"It eats more.": "so: neu"'),
        ("shy", "It hides.", "", "{said: Es war weg., was: It hid.}", '"so: neu"'),
        ("shy", "Shy: very", "", "# to be looked at\n", '# to be looked at\n  "Shy: very": "so: neu"\n'),
    ],
)
def test_a_form_says_in_other_languages_what_their_catalogues_say(
    trait: str, english: str, said: str, gone: str, come: str, home: Path, asking: TestClient
) -> None:
    (home / "lang").mkdir()
    (home / "lang/de.yaml").write_text(CATALOGUE, encoding="utf-8")
    shy = TRAIT.replace("name: {en: Shy, de: 'Scheu, sehr'}", "name: 'Shy: very'")
    (home / "traits/shy.yaml").write_text(shy, encoding="utf-8")
    assert asking.get("/api/workshop/files").json()["languages"] == ["en", "de"]
    text = (home / f"traits/{trait}.yaml").read_text(encoding="utf-8")
    given = {"path": f"traits/{trait}.yaml", "text": text, "languages": ["en", "de"]}
    fields = asking.post("/api/workshop/form", json=given).json()["fields"]
    (found,) = [one for one in fields if one["at"] == ["texts", english]]
    assert (found["path"], found["value"], found["group"], found["kind"]) == ("lang/de.yaml", said, "de", "text")
    given = {"path": "lang/de.yaml", "text": CATALOGUE, "at": found["at"], "value": "so: neu"}
    changed_ = asking.post("/api/workshop/form", json=given).json()["text"]
    assert changed_ == CATALOGUE.replace(gone, come)


def test_rules_are_listed_one_by_one_and_can_be_taken_out() -> None:
    rule = 'forbid eat(self) because "it hides"'
    text = TRAIT.replace(
        f"  {rule}\n",
        f'  #: a-1\n  {rule}\n\n  # at last\n  after eat(self):\n    tells "x"\n  modify gain(self): + 1\n',
    )
    assert rules_of(text, "shy.yaml") == [
        f"#: a-1\n{rule}", '# at last\nafter eat(self):\n  tells "x"', "modify gain(self): + 1"
    ]  # fmt: skip
    assert without_rule(text, "shy.yaml", 0) == text.replace(f"  #: a-1\n  {rule}\n\n", "")
    without = without_rule(text, "shy.yaml", 1)
    assert without == text.replace('  # at last\n  after eat(self):\n    tells "x"\n', "")
    last = without_rule(without, "shy.yaml", 1)
    assert last == text.split("  # at last")[0] + TRAIT[TRAIT.index("\nscenarios") :]
    assert without_rule(TRAIT, "shy.yaml", 0) == TRAIT.replace(f"rules: |\n  {rule}\n", "")
    with pytest.raises(NoForm):
        without_rule(TRAIT, "shy.yaml", 1)


def test_rules_are_told_in_words(asking: TestClient, home: Path) -> None:
    """For whoever does not read rules: as a rulebook has them, of the file that was saved, in one's own language."""
    rules = """\
rules: |
  #: a-1
  forbid eat(self) because "it hides"

  after eat(self) when self.weight > 2:
    self.weight += 1
  value hidden(crab c) -> bool: c has shy
"""
    shy = TRAIT.replace('rules: |\n  forbid eat(self) because "it hides"\n', rules)
    (home / "traits/shy.yaml").write_text(shy, encoding="utf-8")

    def told(text: str, lang: str = "en") -> list[list[str]]:
        given = {"path": "traits/shy.yaml", "text": text}
        answer = asking.post("/api/workshop/form", json=given, headers={"Accept-Language": lang})
        assert answer.status_code == 200, answer.text
        found = answer.json()["rules"]
        return [rule["said"] for rule in found]

    hides, grows, none = told(shy)
    assert hides == ["Eat: forbidden – it hides"]
    assert grows == ["Eat: after: the weight of the bearer rises by 1 – the weight of the bearer is more than 2"]
    assert none == []
    assert told(shy.replace('because "it hides"', 'because "it sleeps"')) == [[], grows, []]  # is not saved yet
    assert "forbidden" not in told(shy, "ja")[0][0]
    (home / "traits/shy.yaml").write_text(shy.replace("eat(self) because", "eet(self) because"), encoding="utf-8")
    assert told(shy) == [[], [], []]  # who knows what is meant


def test_a_rule_is_added_below_the_others(home: Path) -> None:
    after = with_rule(TRAIT, "traits/shy.yaml", "modify gain(self): + 1")
    assert after == TRAIT.replace('"it hides"\n\n', '"it hides"\n  modify gain(self): + 1\n\n', 1)
    bare = "trait: shy\ntext: {en: It hides.}\n"
    assert with_rule(bare, "shy.yaml", "modify gain(self): + 1") == bare + "rules: |\n  modify gain(self): + 1\n"


def test_every_phrase_of_a_game_makes_rules_that_the_check_takes(home: Path) -> None:
    desk = ProjectSession(home)
    rules = (home / "game.rules").read_text(encoding="utf-8")
    (home / "game.rules").write_text(
        f"{rules}routine push(crab by, int n, crab it): by.weight += n\n", encoding="utf-8"
    )
    made = desk.checked()
    assert made is not None
    phrases = RulePhrases(made[1].model, made[1].program)
    known = {"more", "less", "forbid", "forbid_by", "cost", "own", "gains", "earns", "happens"}
    assert {one.id for one in phrases.all} == known
    alone = {"meeting": "push@2", "whom": "count(crab x of OTHER.owner) == 1", "because": "it hides"}
    lonely = 'forbid push(by, any, self) when count(crab x of by.owner) == 1 because "it hides"'
    assert phrases.rule("forbid_by", alone) == lonely
    assert phrases.rule("forbid_by", {**alone, "meeting": "push"}).startswith(
        "forbid push(self, any, it) when count(crab"
    )
    assert phrases.rule("gains", {"event": "push@2", "kept": "weight"}).startswith("after push(any, any, self):")
    for phrase in phrases.all:
        for hole in phrase.holes:
            for value, _ in hole.choices or (("2" if hole.kind == "number" else "it is late", ""),):
                given = {other.name: other.choices[0][0] if other.choices else other.usual for other in phrase.holes}
                rule = phrases.rule(phrase.id, given | {hole.name: value})
                (home / "traits/shy.yaml").write_text(
                    with_rule("trait: shy\ntext: {en: x}\n", "x", rule), encoding="utf-8"
                )
                again = desk.checked()
                assert again is not None
                assert not again[1].diagnostics.failed, f"{rule}: {again[1].diagnostics.sorted()[0]}"
    with pytest.raises(NoPhrase):
        phrases.rule("more", {"value": "remove self"})


def test_no_phrase_makes_a_rule_that_does_nothing(home: Path) -> None:
    """A routine without a body does nothing by itself, and a thing that an event removes can gain nothing after it."""
    desk = ProjectSession(home)
    game = home / "game.rules"
    rules = game.read_text(encoding="utf-8")
    more = "routine idle(crab it)\nroutine drown(crab it): sink(it)\nroutine sink(crab it): remove it\n"
    game.write_text(rules + more, encoding="utf-8")
    made = desk.checked()
    assert made is not None
    phrases = {one.id: one for one in RulePhrases(made[1].model, made[1].program).all}
    offered = {
        (id_, hole.name): [value for value, _ in hole.choices] for id_, one in phrases.items() for hole in one.holes
    }
    assert "idle" not in offered["happens", "routine"]
    assert "drown" in offered["happens", "routine"]
    for id_ in ("happens", "gains"):
        assert not {"drown", "sink"} & {*offered[id_, "event"]}
        assert "idle" in offered[id_, "event"]
    assert "drown" in offered["forbid", "event"]


def test_the_form_reports_a_rule_without_effect_beside_it(home: Path, asking: TestClient) -> None:
    game = home / "game.rules"
    rules = game.read_text(encoding="utf-8")
    game.write_text(rules + "routine drown(crab it): sink(it)\nroutine sink(crab it): remove it\n", encoding="utf-8")
    text = (
        "trait: shy\ntext: {en: It hides.}\ncards: [{copies: 2, food: 1}]\nrules: |\n"
        "  modify gain(self): + 1\n  after drown(it): it.weight += 1\n"
    )
    (home / "traits/shy.yaml").write_text(text, encoding="utf-8")
    given = {"path": "traits/shy.yaml", "text": text, "languages": ["en"]}
    fine, wrong = asking.post("/api/workshop/form", json=given).json()["rules"]
    assert fine["notes"] == []
    assert [note.partition(":")[0] for note in wrong["notes"]] == ["`it.weight` is always missing here"]
    assert "hook `before drown`" in wrong["notes"][0]


# ---- scenarios


def at_sea(home: Path) -> State:
    players = {"ana": {"crab": ["nip"]}, "bob": {"crab": ["nob"]}}
    return load(home).position({"phase": "feeding", "turn": "ana", "state": {"water": 9}, "players": players})


def test_a_position_becomes_a_scenario_at_the_end_of_a_file(home: Path) -> None:
    (home / "traits/shy.yaml").write_text(TRAIT, encoding="utf-8")
    state = at_sea(home)
    state.play("graze nip")
    desk = ProjectSession(home)
    line, found = make_scenario(desk, state, "it hides", "traits/shy.yaml")
    text = (home / "traits/shy.yaml").read_text(encoding="utf-8")
    assert text.startswith(TRAIT)
    assert text.split("\n")[line - 1] == "  - name: it hides 2"
    assert found.steps == (("ana", "graze nip"),)
    made, _ = make_scenario(desk, state, "new", "scenarios/made.yaml")
    assert made == 2
    outcomes = desk.run("traits/shy.yaml")["outcomes"] + desk.run("scenarios/made.yaml")["outcomes"]
    assert [one["passed"] for one in outcomes] == [True, True, True]


def test_of_a_game_with_mistakes_no_scenario_is_made(home: Path) -> None:
    state = at_sea(home)
    (home / "traits/shy.yaml").write_text(TRAIT.replace("eat(self)", "eet(self)"), encoding="utf-8")
    with pytest.raises(CannotWrite, match="the game has errors"):
        make_scenario(ProjectSession(home), state, "one", "scenarios/made.yaml")
    assert not (home / "scenarios").exists()


def test_what_fails_is_told_at_its_line(home: Path, asking: TestClient) -> None:
    (home / "traits/shy.yaml").write_text(TRAIT.replace("== 1", "== 2"), encoding="utf-8")
    (outcome,) = asking.post("/api/workshop/run", json={"path": "traits/shy.yaml", "name": "it hides"}).json()[
        "outcomes"
    ]
    (failure,) = outcome["failures"]
    assert (failure["path"], failure["line"], failure["expected"], failure["found"]) == (
        "traits/shy.yaml",
        12,
        ["2"],
        ["1"],
    )


# ---- the balance strip


@pytest.mark.slow
def test_what_a_change_does_is_weighed_in_a_process_that_can_be_left(home: Path) -> None:
    async def weighed() -> None:
        scales = Scales(home, games=150)
        first = await scales.weigh()
        assert (first["games"], first["change"]) == (150, None)
        (home / "game.rules").write_text((home / "game.rules").read_text().replace("round == 4", "round == 2"))
        left = asyncio.create_task(scales.weigh())
        await asyncio.sleep(0.05)
        second = await scales.weigh()
        with pytest.raises(Abandoned):
            await left
        assert any(one["differs"] for one in second["change"])
        assert second["change"] == second["since_opened"]
        again = await scales.weigh()
        assert again["change"] == second["change"]
        judged = await scales.judge()
        assert judged["games"] == 150
        assert set(judged["traits"]) == {"finned", "shy"}
        scales.stop()

    asyncio.run(weighed())


def test_the_first_answer_is_sharpened_and_states_are_compared_by_the_same_games(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balance, "STEPS", (4, 10, 20))
    monkeypatch.setattr(balance, "NATIVE_OR_PYTHON", "python")  # so few games take no time
    stops: list[int] = []
    scales = Scales(home, games=20)
    series = balance.Series(load(home))
    scales._learn(series.play(20, 0.0, lambda: stops.append(1)))
    told = scales.told()
    assert (told["games"], told["more"], told["change"], stops) == (4, True, None, [1])
    scales._learn(series.play(20, time.monotonic() + 60, lambda: None))
    assert (scales.told()["games"], scales.told()["more"]) == (20, False)
    whole = load(home).simulate(20, series.players, balance.SEED, backend="python")
    assert scales.told()["points"] == [round(spread.mean, 2) for spread in whole.scores]
    assert {games: len(result.points) for games, result in series.results.items()} == {4: 4, 10: 10, 20: 20}
    (home / "game.rules").write_text((home / "game.rules").read_text().replace("round == 4", "round == 2"))
    scales._learn(balance.Series(load(home)).play(20, 0.0, lambda: None))
    told = scales.told()
    assert told["games"] == 4
    assert {one["what"]: one["base"]["value"] for one in told["change"]}["rounds"] == 4.0
    assert told["change"] == told["since_opened"]

    def broken() -> None:
        raise balance.Broken

    with pytest.raises(balance.Broken):
        series.play(30, 0.0, broken)


def effect(value: float, games: int = 3000, half: float = 0.014) -> Effect:
    if games < 50:
        return Effect(unknown_estimate(games), 0.0, unknown_estimate(games))
    won, found = 0.25 + value, Estimate(value, value - half, value + half, games)
    return Effect(Estimate(won, won - half, won + half, games), 0.25, found)


@pytest.mark.parametrize(
    ("held", "force", "said"),
    [
        (effect(0.029), effect(0.0), "Fur: stronger than others. "
         "Players who held it won 27.9 % (26.5 to 29.3, 3,000 games); expected 25.0 %."),
        (effect(-0.03), effect(0.05), "Fur: weaker than others. "
         "Players who held it won 22.0 % (20.6 to 23.4, 3,000 games); expected 25.0 %."),
        (effect(0.01), effect(0.05), "Fur: stronger than others. "
         "Players who had it in force won 30.0 % (28.6 to 31.4, 3,000 games); expected 25.0 %."),
        (effect(0.01), effect(0.01), "Fur: about as strong as others. "
         "Players who held it won 26.0 % (24.6 to 27.4, 3,000 games); expected 25.0 %."),
        (effect(0.01, 60, 0.1), effect(0.0, 12), "Fur: too early to say whether it is stronger or weaker than others. "
         "Players who held it won 26.0 % (16.0 to 36.0, 60 games); expected 25.0 %."),
        (effect(0.0, 12), effect(0.0, 12), "Fur: too few games with and without it to judge its strength."),
    ],
)  # fmt: skip
def test_a_sentence_says_whether_a_trait_is_too_strong(held: Effect, force: Effect, said: str) -> None:
    assert ENGLISH.render(trait_verdicts.short_verdict(trait_verdicts.Trait("Fur", held, force), "Fur")) == said


def test_what_a_trait_does_is_said_beside_what_it_did(home: Path) -> None:
    """The second state has a trait more; what is said of the first trait has its earlier figures."""
    now = trait_verdicts.judge_traits(load(home), 60)
    assert (set(now.traits), now.games) == ({"finned", "shy"}, 60)
    bare = replace(now, content="before", traits={"finned": now.traits["finned"]})
    strong = trait_verdicts.Trait("Shy", effect(0.05), effect(0.05))
    known = replace(now, traits=now.traits | {"shy": strong})
    told = trait_verdicts.trait_verdicts([bare, known])["traits"]["shy"]
    assert told["sure"]
    assert told["said"][-1] == "As you found the game: this trait did not exist."
    later = trait_verdicts.trait_verdicts([bare, known, known])["traits"]["shy"]["said"]
    assert later[-1] == "Before the last change: 30.0 %, expected 25.0 %."


# ---- playing with a card


def holds(state: State, trait: str) -> bool:
    """Whether the first seat has a card of that trait in hand."""
    layout = state.table.program.layout
    number, place = layout.lists["trait"].index(trait), layout.zones["hand"].first_id + 1
    return any(
        number in card.faces and state.words[layout.where + handle] == place
        for handle, card in enumerate(layout.cards)
        if handle
    )


def test_a_table_begins_with_the_card_in_the_hand_of_the_first_seat(root: Path, tmp_path: Path) -> None:
    home = root / "rulesets/evolution"
    with client(site(tmp_path, home)) as asking:
        hub: Any = asking.app.state.hub  # type: ignore[attr-defined]
        without = 0
        for seed in range(3):
            asked = {"game": "evolution", "seats": ["you", "you"], "seed": seed}
            made = [asking.post("/api/rooms", json=asked | more).json() for more in ({}, {"card": "long_neck"})]
            usual, dealt = [holds(hub.rooms[one["room"]].state, "long_neck") for one in made]
            assert dealt, seed
            without += not usual
        assert without  # that it is dealt otherwise is chance
        refused = asking.post("/api/rooms", json=asked | {"card": "long_nek"})
        assert (refused.status_code, "long_neck" in refused.text) == (400, True)


# ---- a trait more


def test_sums_that_a_file_expects_of_its_cards_follow_a_new_trait(home: Path, asking: TestClient) -> None:
    things = home / "things.yaml"
    text = things.read_text(encoding="utf-8")
    sort = "    columns: {face: trait, food: {is: int, by: copy}}\n"
    things.write_text(text.replace(sort, f"{sort}    expect: {{count: 5, rows: 2}}   # as printed\n"), encoding="utf-8")
    made = asking.post("/api/workshop/trait", json={"name": "Thick fur"}).json()
    assert made == {"path": "traits/thick_fur.yaml"}
    assert not Compilation(home).diagnostics.failed
    assert "rows: 3}   # as printed" in things.read_text(encoding="utf-8")
    assert asking.post("/api/workshop/trait", json={"name": "Thick fur"}).status_code == 400
