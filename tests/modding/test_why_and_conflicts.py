"""`rulelang mods why`, `conflicts` and `unused`: each layer's hand, where two meddle, and what made no difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.data.schema import schema_problems
from rulelang.tools.modding.conflicts import find_conflicts
from rulelang.tools.modding.unused import find_unused_parts
from rulelang.tools.modding.why import origin_stories, similar_names
from tests.cli.helpers import run, tiny
from tests.semantics.check_pond import FILES
from tests.spec.pages import write

HEAD = "id: {0}\nversion: 1.0.0\nlanguage: 1\ntitle: {{en: {0}}}\nextends: {{{1}: any}}\n{2}files: [{3}]\n"
STRIKE = "replace routine strike(fish hunter, fish prey): bite(hunter, prey)\n"


def mod(name: str, data: str = "", rules: str = "", extra: str = "", base: str = "pond") -> None:
    files = {"a.yaml": data, "a.rules": rules}
    files = {file: text for file, text in files.items() if text}
    write(Path(name), {**files, "mod.yaml": HEAD.format(name, base, extra, ", ".join(files))})


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path / "pond", FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hands(name: str, *mods: str) -> list[tuple[str, str, str, str | None, str | None]]:
    (story,) = origin_stories(Compilation("pond", mods), name)
    return [(h.verb, h.by, f"{h.span.path}:{h.span.line}", h.before, h.after) for h in story.hands]


# ---- why


def test_a_value_tells_who_declared_and_who_changed_it(place: Path) -> None:
    mod("wet", "set:\n  numbers.limit: 4\n")
    mod("dry", "set:\n  numbers.limit: 5\n", extra="after: [wet]\n")
    told = [
        ("declares", "pond 1.0.0", "pond/things.yaml:1", None, "3"),
        ("set", "wet 1.0.0", "wet/a.yaml:2", "3", "4"),
        ("set", "dry 1.0.0", "dry/a.yaml:2", "4", "5"),
    ]
    assert hands("numbers.limit", "dry", "wet") == told
    assert hands("limit", "dry", "wet") == told
    assert hands("limit") == told[:1]
    shown = run("mods", "pond", "wet,dry", "why", "limit").output
    assert shown.startswith("numbers.limit: 5\n  pond 1.0.0: declares   pond/things.yaml:1\n      3\n")
    assert "  dry 1.0.0: set   dry/a.yaml:2\n      4 -> 5\n" in shown


def test_rows_are_found_by_name_and_by_a_cell(place: Path) -> None:
    mod("wet", "set:\n  cards.tool.rows.net.cost: 5\n  cards.card.rows[face=shy].food: [2]\n")
    assert [hand[3:] for hand in hands("cards.tool.net.cost", "wet")] == [(None, "2"), ("2", "5")]
    assert [hand[3:] for hand in hands("cards.card.rows[face=shy].food", "wet")] == [(None, "[3]"), ("[3]", "[2]")]
    write(Path("net"), {"mod.yaml": HEAD.format("net", "pond", "", "")})  # the last word is what is asked, mod or not
    assert run("mods", "why", "pond", "wet", "net").output.startswith("cards.tool.rows.net: {cost: 5, need: swim>=1")
    whole = origin_stories(Compilation("pond", ["wet"]), "net")
    assert [story.name for story in whole] == ["cards.tool.rows.net", "cards.tool.rows.net.cost"]


def test_a_trait_tells_where_it_comes_from_what_was_changed_and_its_rules(place: Path) -> None:
    trait = "trait: finned\ntext: {en: It swims.}\nrules: |\n  modify hunger(self): + 1\n"
    Path("pond/traits/finned.yaml").write_text(trait, encoding="utf-8")
    mod("wet", "set:\n  traits.finned.text: {en: It hides.}\n")
    first, text, rules = origin_stories(Compilation("pond", ["wet"]), "finned")
    assert (first.name, [(h.verb, h.by, h.span.path) for h in first.hands]) == (
        "traits.finned",
        [("declares", "pond 1.0.0", "pond/traits/finned.yaml")],
    )
    assert (text.name, text.now) == ("traits.finned.text.en", "It hides.")
    assert [(hand.verb, hand.by) for hand in text.hands] == [("declares", "pond 1.0.0"), ("set", "wet 1.0.0")]
    assert (rules.what, rules.name) == ("rules of the trait", "finned")
    assert [(hand.verb, hand.by, hand.after) for hand in rules.hands] == [
        ("modify +", "pond 1.0.0", "modify hunger(self): + 1")
    ]
    assert "scenarios" not in str(first.now)


def test_what_was_removed_tells_by_whom(place: Path) -> None:
    mod("wet", "remove: [lists.light]\n")
    (story,) = origin_stories(Compilation("pond", ["wet"]), "lists.light")
    assert story.now is None
    assert [(hand.verb, hand.by) for hand in story.hands] == [("declares", "pond 1.0.0"), ("remove", "wet 1.0.0")]
    assert "lists.light: (removed)" in run("mods", "why", "pond", "wet", "lists.light").output


def test_rules_tell_who_replaced_and_who_hooked_them(place: Path) -> None:
    mod("wet", rules=STRIKE + "before strike(any, any): nothing\n")
    (story,) = origin_stories(Compilation("pond", ["wet"]), "strike")
    first = story.hands[0]
    assert (story.what, first.verb, first.by, first.span.path) == (
        "routine",
        "declares",
        "pond 1.0.0",
        "pond/game.rules",
    )
    assert [(h.verb, h.by) for h in story.hands if h.by.startswith("wet")] == [
        ("replace", "wet 1.0.0"),
        ("before", "wet 1.0.0"),
    ]
    assert "bite(hunter, prey)" in str(story.hands[1].after)


def test_a_name_that_there_is_not(place: Path) -> None:
    assert similar_names(Compilation("pond"), "numbers.limitt") == ["numbers.limit", "numbers.prices"]
    assert similar_names(Compilation("pond"), "strik")[0] == "strike"
    shown = run("mods", "why", "pond", "strik")
    assert (shown.exit_code, "similar names: strike" in shown.output) == (2, True)
    assert run("mods", "why", "pond").exit_code == 2


# ---- conflicts


def test_two_on_one_value_are_an_error_until_their_order_decides(place: Path) -> None:
    mod("wet", "set:\n  numbers.limit: 4\n")
    mod("dry", "set:\n  numbers.limit: 5\n")
    (clash,) = find_conflicts(Compilation("pond", ["wet", "dry"]))
    assert (clash.severity, clash.what, clash.name) == ("error", "Y142", "numbers.limit")
    assert [(p.mod, p.text) for p in clash.parties] == [("dry", "numbers.limit: 5"), ("wet", "numbers.limit: 4")]
    assert run("mods", "conflicts", "pond", "wet", "dry").exit_code == 1
    (note,) = find_conflicts(Compilation("pond", ["wet,dry"]))
    assert (note.severity, note.what, note.name, note.last) == ("note", "value", "numbers.limit", "dry")
    assert [party.text for party in note.parties] == ["set numbers.limit: 3 -> 4", "set numbers.limit: 4 -> 5"]
    shown = run("mods", "conflicts", "pond", "wet,dry")
    assert shown.exit_code == 0
    assert "note: `numbers.limit` is changed by `wet` and `dry`: `dry` has the last word" in shown.output
    assert shown.output.endswith("1 note\n")


def test_replaced_routines_hooks_and_values_that_are_set(place: Path) -> None:
    rules = STRIKE + "before strike(any, any): nothing\nmodify hunger(any): = {0}\nmodify hunger(any): + 1\n"
    mod("wet", rules=rules.format(1))
    mod("dry", rules=rules.format(2))
    found = {(c.severity, c.what, c.name) for c in find_conflicts(Compilation("pond", ["wet", "dry"]))}
    hook = ("note", "hook", "before strike")
    assert found == {
        ("error", "W504", "strike"),
        ("error", "W515", "hunger"),
        hook,
    }  # and nobody is said to come last where the two are a mistake
    settled = find_conflicts(Compilation("pond", ["wet,dry"]))
    assert [(c.severity, c.what, c.name, c.last) for c in settled] == [
        ("note", "rule", "strike", "dry"),
        ("note", "hook", "before strike", "dry"),
        ("note", "hook", "modify hunger: =", "dry"),
    ]


def test_mods_that_do_not_meddle(place: Path) -> None:
    mod("wet", "set:\n  numbers.limit: 4\n", "modify hunger(any): + 1\n")
    mod("dry", "numbers: {n: 5}\n", "modify hunger(any): + 1\n")
    assert find_conflicts(Compilation("pond", ["wet", "dry"])) == ()
    assert run("mods", "conflicts", "pond", "wet", "dry").output == "no two mods change the same thing\n"


# ---- unused


def test_what_makes_no_difference_is_found_by_leaving_it_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tiny(tmp_path / "tiny")
    rules = "modify pay(any): + 1\nmodify pay(p): + 5 when p.coins > 19\nbefore rest: nothing\n"
    mod("wet", "set:\n  numbers.goal: 9\n", rules, base="tiny")
    found = list(find_unused_parts(Compilation("tiny", ["wet"]), games=20, players=2))
    assert [(item.part.kind, item.part.text, item.state) for item in found] == [
        ("modify", "modify pay(any): + 1", "used"),
        ("modify", "modify pay(p): + 5 when p.coins > 19", "unused"),
        ("hook", "before rest: nothing", "unused"),
        ("set", "numbers.goal", "used"),
    ]
    shown = run("mods", "unused", "tiny", "wet", "-n", "20", "-p", "2").output
    assert "wet   wet/a.rules:2\n    modify pay(p): + 5 when p.coins > 19\n" in shown
    assert "20 games of 2 players, seed 0: 2 of 4 patches and hooks made no difference" in shown


def test_what_cannot_be_left_out_and_texts_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    things = "numbers: {goal: 3}\nkinds: {player: {attributes: {coins: {is: 0..20}}}}\n"
    things += "options:\n  o: {is: bool, default: false, text: x}\n"
    tiny(tmp_path / "tiny", things=things)
    mod("wet", "set:\n  options.o.text: y\nremove: [numbers.goal]\nnumbers: {goal: 4}\n", base="tiny")
    found = list(find_unused_parts(Compilation("tiny", ["wet"]), games=9, players=2))
    assert {(item.part.text, item.state) for item in found} == {("options.o.text", "text"), ("numbers.goal", "needed")}


# ---- JSON


def test_json_fits_its_schema(place: Path) -> None:
    mod("wet", "set:\n  numbers.limit: 4\n", STRIKE)
    mod("dry", "set:\n  numbers.limit: 5\n", STRIKE)
    for words in (
        ["why", "pond", "wet", "limit"],
        ["why", "pond", "wet", "strike"],
        ["conflicts", "pond", "wet", "dry"],
    ):
        report = json.loads(run("mods", *words, "--json").output)
        assert schema_problems("mods", report) == []
    tiny(place / "tiny")
    mod("rich", rules="modify pay(any): + 1\n", base="tiny")
    report = json.loads(run("mods", "unused", "tiny", "rich", "-n", "3", "-p", "2", "--json").output)
    assert schema_problems("mods", report) == []
    assert [part["state"] for part in report["parts"]] == ["used"]
