"""Documents: their format, their ids, and that they speak in words."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulelang import load
from rulelang.presentation.view import document, in_words
from rulelang.presentation.view.document_types import Catalogue, Document
from rulelang.presentation.view.json_schema import schema_of
from rulelang.runtime.agents import Random
from rulelang.runtime.state import State
from tests.spec.pages import write

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = {"document": Document, "game_catalogue": Catalogue}
GAMES = sorted(path.parent.name for path in (ROOT / "rulesets").glob("*/ruleset.yaml"))


def played(name: str, moves: int, seed: int = 5) -> Iterator[State]:
    """Some positions of a game in which options are taken all over."""
    state = load(name).new(3, seed)
    for number in range(moves):
        if number % 25 == 0:
            yield state
        if state.over:
            return
        state.play(number * 7 % state.option_count)
    yield state


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Everything in a document that has an id."""
    if isinstance(value, dict):
        if "id" in value:
            yield value
        for inner in value.values():
            yield from parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from parts(inner)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_those_of_the_types(name: str) -> None:
    file = ROOT / "schemas" / f"{name}.schema.json"
    text = json.dumps(schema_of(SCHEMAS[name]), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text, "UPDATE_GOLDEN=1 writes it anew"


@pytest.mark.parametrize("name", GAMES)
def test_documents_fit_the_schema_and_have_ids(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(schema_of(Document))
    for state in played(name, 100):
        for viewer in (None, 1, 2, 3):
            shown: Any = json.loads(json.dumps(document(state, viewer)))
            validator.validate(shown)
            assert shown == document(state, viewer)
            # Items name rows, traits stand on every card that bears them: all else is in one place.
            found = [part["id"] for part in parts(shown) if {"value", "text"} != part.keys() - {"id", "label"}]
            found = [part for part in found if not part.startswith("trait:")]
            assert len(found) == len(set(found)), [one for one in found if found.count(one) > 1][:3]


@pytest.mark.parametrize("name", GAMES)
def test_options_lead_to_parts_of_the_document(name: str) -> None:
    lists = ("int", "bool")
    for state in played(name, 150):
        if state.over:
            continue
        shown: Any = document(state, state.decider)
        there = {part["id"] for part in parts({**shown, "question": shown["question"]["cards"]})}
        layout = state.table.program.layout
        question = shown["question"]
        assert [option["index"] for option in question["options"]] == [*range(state.option_count)]
        assert [option["typed"] for option in question["options"]] == [o.text for o in state.decision.options]
        assert len({option["id"] for option in question["options"]}) == state.option_count
        for option in question["options"]:
            for parameter in option["parameters"]:
                kind, value = parameter["kind"], parameter["value"]
                if kind in lists or value is None:
                    continue
                assert value in there or kind in layout.lists, value


@pytest.mark.parametrize("name", GAMES)
def test_documents_speak_in_words(name: str) -> None:
    for state in played(name, 60):
        shown = document(state, state.decider or 1)
        for part in parts(shown):
            for key in ("label", "text", "phrase", "sentence"):
                assert "_" not in str(part.get(key, "")), part
            if "phrase" in part and part["kind"] == "reference" and part["value"]:
                assert not part["text"].isdigit(), part


def test_only_who_is_asked_sees_what() -> None:
    state = load("evolution").new(3, 5)
    mine, other = document(state, state.decider), document(state, state.decider % 3 + 1)
    assert mine["question"] is not None
    assert other["question"] is not None
    assert mine["question"]["options"]
    assert other["question"].keys() == {"id", "player", "sentence"}
    assert [player["asked"] for player in other["players"]] == [seat == state.decider for seat in (1, 2, 3)]


def test_a_card_keeps_its_id_when_others_leave_its_zone() -> None:
    state = load("darwins_choice").new(3, 5)
    while state.phase != "acting":
        state.play(0)

    def hand(position: State) -> list[str]:
        zone = document(position, 1)["players"][0]["zones"][0]
        return [card["id"] for card in zone["cards"]]

    before = hand(state)
    state.play(next(o for o in state.decision.options if o.action == "trade"))
    after = hand(state)
    assert len(set(before) - set(after)) == 1
    assert len(set(before) & set(after)) == len(before) - 1


@pytest.mark.parametrize("joined", [True, False])
def test_a_grid_says_whether_its_edges_are_joined(joined: bool) -> None:
    """As the options of this table have it."""
    grid = document(load("evolved").new(3, 5, options={"round": joined}), 1)["grids"][0]
    assert grid["round"] is joined
    assert (grid["width"], grid["height"], len(grid["spaces"])) == (6, 6, 36)


def test_words_of_printed_values() -> None:
    game = load("darwins_choice")
    state = game.new(3, 5)
    cards = {
        card["row"]: {fact["name"]: fact for fact in card["facts"]}
        for part in parts(document(state, 1))
        if part.get("kind") == "zone" and part["name"] in ("biome", "market")
        for card in part.get("cards", ())
    }
    lake = cards["hot_desert"]
    assert lake["requirement"]["kind"] == "condition"
    assert [term["text"] for term in lake["requirement"]["terms"]] == lake["requirement"]["text"].split("; ")
    assert lake["adapt"]["kind"] == "set"
    assert all(str(value).startswith("measure:") for value in lake["adapt"]["value"])


@pytest.mark.parametrize("name", GAMES)
def test_catalogues_list_all_that_there_is(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    game = load(name)
    for lang in {"en", "zh"} & {*game.languages}:
        shown: Any = json.loads(json.dumps(game.catalogue(lang, 3)))
        jsonschema.Draft202012Validator(schema_of(Catalogue)).validate(shown)
        assert shown["lang"] == lang
    layout = game.table(3).program.layout
    assert sum(card["copies"] for card in shown["cards"]) == len(layout.cards) - 1
    assert [trait["id"] for trait in shown["traits"]] == [f"trait:{row}" for row in layout.lists["trait"][1:]]
    assert {zone["name"] for zone in shown["zones"]} == layout.zones.keys() - {"box"}
    assert {action["name"] for action in shown["actions"]} == {a.name for a in game.table(3).actions.values()}
    state = game.new(3, 1)
    for part in parts(document(state, 1)):
        if "traits" in part and part["row"]:
            assert f"{part['kind']}:{part['row']}" in {card["id"] for card in shown["cards"]}


def test_a_catalogue_says_what_is_printed_on_rows() -> None:
    shown = load("evolved").catalogue()
    ladders = {listed["name"]: listed for listed in shown["lists"]}
    assert ladders["climate"]["ladder"]
    told = {row["label"]: [fact["phrase"] for fact in row["facts"]] for row in ladders["climate"]["rows"]}
    assert told["heat-adapted"] == ["belts temperate and tropical"]
    zh = load("evolution").catalogue("zh", 2)
    assert {trait["label"] for trait in zh["traits"]} >= {"伏擊"}


@pytest.mark.parametrize("code", ["en", "zh", "ja"])
def test_whose_rule_an_action_is_stands_in_the_words_of_the_language(code: str) -> None:
    game = load("origin_of_species")
    labels = {trait["label"] for trait in game.catalogue(code)["traits"]}
    sources = {action["source"] for action in game.catalogue(code)["actions"]} - {""}
    assert sources
    assert sources <= labels


@pytest.mark.parametrize("name", GAMES)
def test_everything_has_a_name_in_chinese(name: str) -> None:
    """Also what a file gives no Chinese name, where the catalogue has one; and nothing is called by nothing."""
    found = load(name).catalogue("zh")
    named = [*found["cards"], *found["traits"], *found["zones"], *found["phases"], *found["actions"], *found["kinds"]]
    named += [row for rows in found["lists"] for row in rows["rows"]]
    assert [part["id"] for part in named if not part["label"].strip()] == []
    of_game = [part["label"] for part in named if part["id"].partition(":")[0] not in ("side", "pair")]
    assert [label for label in of_game if label.isascii() and label.isalpha() and len(label) > 2] == []


#: What nobody reads at a table: names of the rules, ids of parts and numbers of rows.
RAW = re.compile(r"[a-z]_[a-z]|#\d|\b[a-z]+:[a-z0-9]|\bself\b|-2147483648|\[\]|None|\{")
SAID = ("label", "text", "phrase", "brief", "sentence", "prompt", "summary", "source")
SHIPPED = sorted(path.parent.name for path in (ROOT / "rulesets").glob("*/*.yaml") if path.stem in ("ruleset", "mod"))


def told(part: Any, key: str = "") -> Iterator[str]:
    """All that is said in a document or catalogue: labels, texts, phrases, sentences."""
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from told(inner, name)
    elif isinstance(part, list):
        for inner in part:
            yield from told(inner, key)
    elif isinstance(part, str) and key in (
        "label",
        "text",
        "phrase",
        "brief",
        "sentence",
        "prompt",
        "summary",
        "source",
    ):
        yield part


@pytest.mark.parametrize("lang", ["en", *(pytest.param(lang, marks=pytest.mark.slow) for lang in ("zh", "ja"))])
@pytest.mark.parametrize("name", SHIPPED)
def test_nothing_that_is_said_is_a_raw_handle(name: str, lang: str) -> None:
    game = load(name)
    state = game.new(3, 5).spoken(game.language(lang))
    luck = Random(4)
    for number in range(100):
        if state.over:
            break
        if number % 20 == 0:
            said = [*told(document(state, state.decider)), *told(document(state))]
            assert len(said) > 50
            assert [text for text in said if RAW.search(text)] == []
        state.play(luck.choose(state))
    assert [event.text for event in in_words(state).log if event.told and RAW.search(event.text)] == []
    assert [text for text in told(game.catalogue(lang)) if RAW.search(text)] == []
    labels = [p["label"] for action in game.catalogue(lang)["actions"] for p in action["parameters"]]
    assert [label for label in labels if len(label) < 2 and label.isascii()] == []


MASKS = {
    "ruleset.yaml": """\
id: masks
version: 0.1.0
language: 1
title: {en: Masks}
players: {count: 2, play: clockwise}
files: [things.yaml, game.rules]
""",
    "things.yaml": """\
lists: {role: [duke, thief]}
cards:
  mask:
    columns: {role: role, second: role}
    rows: {duke: {role: duke, second: thief}, thief: {role: thief, second: thief}}
zones: {worn: {holds: mask}}
""",
    "game.rules": """\
game: show
phase show:
  for mask m: move m to worn
  choose mask m in worn where (m.role == duke or m.second == thief) by first(player p)
  move m to box
value score(player p) -> int: 0
""",
}


def test_what_the_name_of_a_card_says_is_not_said_again(tmp_path: Path) -> None:
    write(tmp_path, MASKS)
    cards = [part for part in parts(document(load(tmp_path).new(2, 1), 1)) if part.get("kind") == "mask"]
    facts = {card["label"]: {fact["name"]: fact["quiet"] for fact in card["facts"]} for card in cards}
    assert facts == {"duke": {"role": True, "second": False}, "thief": {"role": True, "second": False}}
