"""Rename, formatting, colours, hints and arguments."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from rulelang.apps.editor.decorations import call_at, inlay_hints, semantic_tokens
from rulelang.apps.editor.navigation import (
    RenameRefused,
    moved_file,
    references_to,
    renamable_thing,
    rename_edits,
    text_with_word,
)
from rulelang.apps.editor.server import formatted_text
from rulelang.base.diagnostics import Diagnostics
from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.checking import check_scenarios
from tests.cli.helpers import MANIFEST, RULES, SCENARIOS, THINGS, tiny
from tests.editor.helpers import Desk, shipped

LISTS = "lists:\n  colour: [red, blue]\n"
CARDS = f"{LISTS}cards:\n  card:\n    columns: {{colour: colour, value: int}}\n    from: deck.csv\n"
#: Cards that players bear, with traits on them.
TRAITS = """\
traits: {}
cards: {card: {columns: {face: trait}}}
zones: {row: {of: player, holds: card, in_force: true}}
"""
DECK = "id,colour,value\nan_ox,red,1\na_cow,blue,2\n"


def game(folder: Path) -> Desk:
    """The tiny game with cards in a table."""
    tiny(
        folder,
        manifest=MANIFEST.replace("[things.yaml", "[things.yaml, cards.yaml"),
        things=THINGS + "zones:\n  deck: {holds: card}\n",
        rules=RULES + "\nvalue reds -> int: count(card c in deck where c.colour == red)\n"
        "modify pay(any): + 1 when reds > goal\n"
        "value richer(player p) -> int: count(player q where q.coins > p.coins)\n",
    )
    (folder / "cards.yaml").write_text(CARDS, encoding="utf-8")
    (folder / "deck.csv").write_text(DECK, encoding="utf-8")
    return Desk(folder)


#: File, the marked name, its new name, the files that change, how many places.
RENAMES = [
    ("things.yaml", "co¦ins:", "money", {"things.yaml", "game.rules", "scenarios/work.yaml"}, 8),
    ("game.rules", "value pa¦y(player", "wage", {"game.rules"}, 3),
    ("game.rules", "action wo¦rk during", "toil", {"game.rules", "scenarios/work.yaml"}, 2),
    ("game.rules", "during ear¦ning:\n  tells", "labour", {"game.rules", "scenarios/work.yaml"}, 5),
    ("things.yaml", "go¦al: 3", "aim", {"things.yaml", "game.rules"}, 3),
    ("cards.yaml", "[r¦ed,", "scarlet", {"cards.yaml", "game.rules", "deck.csv"}, 3),
    ("deck.csv", "id,col¦our,", "hue", {"cards.yaml", "game.rules", "deck.csv"}, 3),
    ("things.yaml", "de¦ck: {holds", "pile", {"things.yaml", "game.rules"}, 2),
    ("game.rules", "value score(player ¦p)", "who", {"game.rules"}, 2),
]  # fmt: skip


@pytest.mark.parametrize(("file", "marked", "new", "files", "count"), RENAMES, ids=[case[2] for case in RENAMES])
def test_a_name_is_changed_everywhere(
    tmp_path: Path, file: str, marked: str, new: str, files: set[str], count: int
) -> None:
    desk = game(tmp_path / "tiny")
    edits = rename_edits(desk.analysis(file), desk.path(file), *desk.at(file, marked), new)
    assert {str(Path(path).relative_to(desk.folder)) for path in edits} == files
    assert sum(map(len, edits.values())) == count
    for path, spans in edits.items():
        Path(path).write_text(text_with_word(desk.workspace.text(path), spans, new), encoding="utf-8")
    compilation = Compilation(desk.folder)
    assert [str(item) for item in (*compilation.diagnostics, *check_scenarios(compilation).diagnostics)] == []


REFUSALS = [
    ("game.rules", "value pa¦y(player", "score", "declared twice"),
    ("game.rules", "value pa¦y(player", "3x", "not a valid name"),
    ("game.rules", "value pa¦y(player", "count", "condition"),
    ("game.rules", "require ac¦tor.coins", "who", "keyword of the language"),
    ("things.yaml", "ki¦nds:", "sorts", "there is no name here"),
    ("game.rules", "richer(player ¦p)", "q", "something else"),
]


@pytest.mark.parametrize(("file", "marked", "new", "why"), REFUSALS, ids=[f"{case[2]}: {case[3]}" for case in REFUSALS])
def test_what_would_not_hold_is_refused(tmp_path: Path, file: str, marked: str, new: str, why: str) -> None:
    desk = game(tmp_path / "tiny")
    with pytest.raises(RenameRefused, match=why):
        rename_edits(desk.analysis(file), desk.path(file), *desk.at(file, marked), new)


def test_nothing_is_renamed_while_something_cannot_be_read(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny", rules=RULES + "value more -> int: pay(\n"))
    with pytest.raises(RenameRefused, match=r"fix it first: .*game\.rules:\d+"):
        rename_edits(
            desk.analysis("game.rules"), desk.path("game.rules"), *desk.at("game.rules", "value pa¦y(player"), "wage"
        )


BROKEN = SCENARIOS + "  - name: [x\n    when: [work]\n"
UNREAD = [
    ("a file of scenarios", "", BROKEN, r"cannot be read .*work\.yaml:7"),
    ("the same beside other mistakes", "value more -> int: true\n", BROKEN, r"cannot be read .*work\.yaml:7"),
    (
        "a condition",
        "",
        SCENARIOS.replace("ana.coins == 1", "can work( == 1"),
        r"may use `work`; fix it first: .*work\.yaml:5",
    ),
]


@pytest.mark.parametrize(("more", "tests", "why"), [case[1:] for case in UNREAD], ids=[case[0] for case in UNREAD])
def test_nothing_is_renamed_that_an_unread_scenario_may_name(tmp_path: Path, more: str, tests: str, why: str) -> None:
    desk = Desk(tiny(tmp_path / "tiny", rules=RULES + more, tests=tests))
    with pytest.raises(RenameRefused, match=why):
        rename_edits(
            desk.analysis("game.rules"), desk.path("game.rules"), *desk.at("game.rules", "action wo¦rk during"), "toil"
        )
    place = desk.path("game.rules"), *desk.at("game.rules", "value pa¦y(player")
    assert rename_edits(desk.analysis("game.rules"), *place, "wage"), "what is not named there can be renamed"


@pytest.mark.parametrize("more", ["", "value more -> int: true\n"])
def test_steps_name_actions_without_regard_to_case(tmp_path: Path, more: str) -> None:
    tests = SCENARIOS.replace("when: [work]", "when: [Work]")
    desk = Desk(tiny(tmp_path / "tiny", rules=RULES + more, tests=tests))
    place = desk.path("game.rules"), *desk.at("game.rules", "action wo¦rk during")
    edits = rename_edits(desk.analysis("game.rules"), *place, "toil")
    assert {Path(path).name: len(spans) for path, spans in edits.items()} == {"game.rules": 1, "work.yaml": 1}


@pytest.mark.parametrize("listed", ["traits/", "traits/fast.yaml"])
def test_the_file_of_a_trait_is_called_as_the_trait_is(tmp_path: Path, listed: str) -> None:
    things = THINGS + TRAITS
    folder = tiny(tmp_path / "tiny", manifest=MANIFEST.replace("game.rules]", f"game.rules, {listed}]"), things=things)
    (folder / "traits").mkdir()
    (folder / "traits" / "fast.yaml").write_text("trait: fast\nname: {en: Fast}\ncards: [{copies: 2}]\n")
    desk = Desk(folder)
    name = "traits/fast.yaml"
    analysis = desk.analysis(name)
    assert [str(item) for item in analysis.diagnostics] == []
    thing = renamable_thing(analysis, desk.path(name), *desk.at(name, "trait: fa¦st")).thing
    found = moved_file(analysis, thing, "swift")
    assert found is not None
    assert (Path(found.old).name, Path(found.new).name) == ("fast.yaml", "swift.yaml")
    assert [text for _, text in found.named] == ([] if listed == "traits/" else ["traits/swift.yaml"])
    for path, spans in rename_edits(analysis, desk.path(name), *desk.at(name, "trait: fa¦st"), "swift").items():
        Path(path).write_text(text_with_word(desk.workspace.text(path), spans, "swift"), encoding="utf-8")
    for span, text in found.named:
        path = folder / "ruleset.yaml"
        path.write_text(text_with_word(path.read_text(), [span], text), encoding="utf-8")
    Path(found.old).rename(found.new)
    assert [str(item) for item in Compilation(folder).diagnostics] == []
    (folder / "traits" / "other.yaml").write_text("trait: other\nname: {en: Other}\ncards: [{copies: 2}]\n")
    assert moved_file(Desk(folder).analysis(name), thing, "other") is None, "another file is called so"


def test_a_mod_does_not_rename_what_its_game_declares(tmp_path: Path) -> None:
    tiny(tmp_path / "tiny")
    mod = tmp_path / "more"
    mod.mkdir()
    manifest = 'id: more\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: ">=1"}\nfiles: [more.rules]\n'
    (mod / "mod.yaml").write_text(manifest, encoding="utf-8")
    (mod / "more.rules").write_text("modify pay(any): + 1\n", encoding="utf-8")
    desk = Desk(mod)
    with pytest.raises(RenameRefused, match=r"tiny/game\.rules"):
        rename_edits(desk.analysis("more.rules"), desk.path("more.rules"), *desk.at("more.rules", "pa¦y"), "wage")


@pytest.mark.parametrize(
    ("file", "marked", "looked"),
    [
        ("traits/horns.yaml", "trait: ho¦rns", "horns: {icon"),
        ("components.yaml", "  disc¦ards:", "discards: {name"),
        ("cards.yaml", "food¦: {is", "food: {text"),
        ("ruleset.yaml", "quick_¦play: {is", ""),
        ("game.rules", "action play_trait(species ¦s of", "play {c} on {s}"),
        ("game.rules", "value hung¦er(", "{is: hunger(this)"),
    ],
)  # fmt: skip
def test_what_a_game_declares_is_renamed_in_its_look_claims_and_options(file: str, marked: str, looked: str) -> None:
    """Renaming is tried on the game with all its scenarios, so what is not found is refused."""
    desk = shipped("evolution")
    edits = rename_edits(desk.analysis(file), desk.path(file), *desk.at(file, marked), "so_called")
    look = text_with_word(desk.read("look.yaml"), edits.get(desk.path("look.yaml"), []), "so_called")
    name = marked.replace("¦", "")
    if looked:
        assert looked in desk.read("look.yaml"), name
        assert looked not in look


def test_a_card_with_a_dot_in_its_name_is_renamed_in_scenarios() -> None:
    desk = shipped("darwins_choice")
    edits = rename_edits(
        desk.analysis("animals.csv"),
        desk.path("animals.csv"),
        *desk.at("animals.csv", "plains_¦zebra.head,"),
        "zeb.head",
    )
    (file,) = (Path(path) for path in edits if path.endswith(".yaml"))
    text = file.read_text("utf-8")
    assert text.count("plains_zebra.head") == len(edits[str(file)])
    assert "plains_zebra.head" not in text_with_word(text, edits[str(file)], "zeb.head")


def test_what_only_a_mode_says_is_renamed_too(tmp_path: Path) -> None:
    modes = "modes:\n  rich: {files: [rich.rules], text: more}\n  poor: {files: [poor.rules], text: less}\n"
    folder = tiny(tmp_path / "tiny", manifest=MANIFEST + modes)
    (folder / "rich.rules").write_text("modify pay(any): + 2\n", encoding="utf-8")
    (folder / "poor.rules").write_text("modify pay(any): - 1\n", encoding="utf-8")
    desk = Desk(folder)
    edits = rename_edits(
        desk.analysis("game.rules"), desk.path("game.rules"), *desk.at("game.rules", "value pa¦y(player"), "wage"
    )
    assert {desk.path("rich.rules"), desk.path("poor.rules")} < edits.keys()
    at = desk.at("poor.rules", "modify pa¦y")
    assert rename_edits(desk.analysis("poor.rules"), desk.path("poor.rules"), *at, "wage") == edits
    used = references_to(desk.analysis("poor.rules"), desk.path("poor.rules"), *at, declarations=False)
    assert {Path(span.path).name for span in used} >= {"rich.rules", "poor.rules", "game.rules"}


def test_a_document_is_formatted_as_fmt_does() -> None:
    assert formatted_text("a.rules", "value x -> int:   1 + 2  \n") == "value x -> int: 1 + 2\n"
    assert formatted_text("a.yaml", "a:   [1,2]\n") != "a:   [1,2]\n"
    assert formatted_text("a.rules", "value x ->\n") == "value x ->\n"  # what cannot be read stays
    assert formatted_text("a.csv", "a,  b\n") == "a,  b\n"


def test_words_have_the_colour_of_what_they_stand_for() -> None:
    desk = shipped("origin_of_species")
    path, text = desk.path("traits/camouflage.yaml"), desk.read("traits/camouflage.yaml")
    rows = text.split("\n")
    found = [
        (rows[c.line - 1][c.column - 1 : c.column - 1 + c.length], c.type)
        for c in semantic_tokens(desk.analysis("traits/camouflage.yaml"), path, text)
    ]
    for wanted in [("forbid", "keyword"), ("strike", "method"), ("hunter", "parameter"), ("sharp_vision", "class"),
                   ("oos-card-camouflage", "macro"), ('"{hunter} cannot see {self}"', "string")]:  # fmt: skip
        assert wanted in found


def test_colours_never_overlap() -> None:
    desk = shipped("evolution")
    found = semantic_tokens(desk.analysis("game.rules"), desk.path("game.rules"), desk.read("game.rules"))
    places = [(c.line, c.column, c.line, c.column + c.length) for c in found]
    assert all(a[2:] <= b[:2] for a, b in pairwise(places))
    assert len(places) > 500


def test_types_of_let_and_cards_of_a_trait_stand_beside() -> None:
    desk = shipped("evolution")
    name = "traits/carnivore.yaml"
    found = [item.text for item in inlay_hints(desk.analysis(name), desk.path(name), 1, 400)]
    assert " 17 cards" in found
    rules = [item.text for item in inlay_hints(desk.analysis("game.rules"), desk.path("game.rules"), 1, 400)]
    assert rules
    assert set(rules) <= {": int", ": species", ": card", ": player", ": source", ": food"}


@pytest.mark.parametrize(
    ("marked", "name", "at"),
    [("value x -> int: stock(¦", "value stock(source place) -> int", 0), ("value x -> int: min(1, ¦", "min(", 0),
     ("after eat(any, ¦", "routine eat(", 1), ("value x -> int: (¦", None, 0)],
)  # fmt: skip
def test_arguments_are_told_while_typing(marked: str, name: str | None, at: int) -> None:
    desk = shipped("evolution")
    text = desk.read("game.rules") + "\n" + marked.replace("¦", "")
    line = text.count("\n") + 1
    found = call_at(desk.analysis("game.rules"), desk.path("game.rules"), text, line, len(text.split("\n")[-1]) + 1)
    if name is None:
        assert found is None
    else:
        assert found is not None
        assert found.signature.startswith(name)
        assert found.at == at


def test_what_is_asked_has_no_mistakes_of_its_own(tmp_path: Path) -> None:
    assert not Diagnostics(list(game(tmp_path / "tiny").analysis("game.rules").diagnostics)).items
