"""Documents as data: what rulebooks, cards and sheets say of all shipped games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import pytest

from rulelang.api import Spoken
from rulelang.base.diagnostics import Diagnostics
from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.documents import documents_of
from rulelang.tools.printing.document import Mark, Rulebook, Sheet, Sign, Step
from rulelang.tools.printing.rulebook import deck, rulebook, sheet

GAMES = [
    ("evolution",),
    ("origin_of_species",),
    ("evolved",),
    ("darwins_choice",),
    ("darwins_choice", "darwins_choice_colossal"),
]
IDS = ["-".join(game) for game in GAMES]
#: What stands for a thing in rules, and is no word for people.
LETTER = re.compile(r"(?<![\w'’])[b-zB-Z](?![\w'’])")


@cache
def compiled(*game: str) -> Compilation:
    return Compilation(game[0], game[1:])


@cache
def book(*game: str) -> Rulebook:
    return rulebook(compiled(*game))


@cache
def page(*game: str) -> Sheet:
    return sheet(compiled(*game))


def texts(value: Any) -> Iterator[str]:
    """Every text in a document."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for one in fields(value):
            yield from texts(getattr(value, one.name))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from texts(item)


def steps(of: tuple[Step, ...]) -> Iterator[Step]:
    for step in of:
        yield step
        yield from steps(step.steps)


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_a_rulebook_has_every_rule_phase_trait_and_card(game: tuple[str, ...]) -> None:
    one, made = compiled(*game), book(*game)
    laid = {layer.id for layer in one.source.layers}
    seeds, _ = documents_of(one.source, Diagnostics())
    rules = {rule.id: rule for chapter in made.chapters for rule in chapter.rules}
    assert list(rules) == [seed.id for seed in seeds.values() if seed.ruleset in laid]
    assert all(rules[seed.id].because == seed.because for seed in seeds.values() if seed.id in rules)
    phases = [routine.id for routine in one.program.routines.values() if routine.phase]
    assert sorted(phase.id for phase in made.phases) == sorted(phases)
    reached = {step.phase for step in steps(made.flow) if step.phase}
    assert reached
    assert reached <= set(phases)
    names = [trait.name for trait in made.traits]
    assert all(trait.titles["en"] in names for trait in one.model.traits.values())
    cards = {sort.name: sum(r.copies for r in sort.rows if r.number == r.written) for sort in one.model.sorts.values()}
    assert [table.total for table in made.tables] == [f"{count} cards" for count in cards.values()]
    assert all(len(row.cells) == len(table.columns) for table in made.tables for row in table.rows)


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_every_enforced_rule_has_what_carries_it_out(game: tuple[str, ...]) -> None:
    """Also those that only a mode carries out: they name it."""
    idle = [r.id for chapter in book(*game).chapters for r in chapter.rules if not r.done_by and not r.because]
    assert idle == []


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_no_code_is_in_what_players_read(game: tuple[str, ...]) -> None:
    made, sheet_ = book(*game), page(*game)
    for said in texts((made.flow, made.phases, made.traits, sheet_.bearers, sheet_.hooked, made.tables)):
        assert "==" not in said
        assert "{" not in said
        assert "object at" not in said
    cites = {cite for step in steps(made.flow) for cite in step.cites}
    ids = {phase.id for phase in made.phases} | {cite for phase in made.phases for cite in phase.cites}
    cites |= {cite for phase in made.phases for step in steps(phase.steps) for cite in step.cites}
    for said in texts((made.flow, [(phase.name, phase.steps) for phase in made.phases])):
        assert "_" not in said or said in cites or said in ids, said
    acting = [
        (action.name, action.targets, action.needs, action.notes) for phase in made.phases for action in phase.actions
    ]
    for said in texts((made.flow, [phase.steps for phase in made.phases], acting, [one.hooks for one in made.traits])):
        assert said in cites or not LETTER.search(said), f"a variable of one letter: {said}"


def test_numbers_that_are_worked_out_and_dice_have_names() -> None:
    supply = next(phase for phase in book("origin_of_species").phases if phase.id == "food_supply")
    assert [step.text for step in supply.steps][1:] == [
        "Roll dice with 6 sides: the supply dice", "Serve: the number plus the roll",
    ]  # fmt: skip
    hooks = {one.name: one.hooks for one in book("origin_of_species").traits}
    assert [h.says for h in hooks["Running"]] == [
        "react to: roll a die with 6 sides; if the roll is at least 4: it does not happen"
    ], "where nothing is done otherwise, nothing is said of it"
    assert "Perish" not in {one.event for one in page("origin_of_species").hooked}, "its hook only tells something"
    assert [h.says for h in hooks["Poisonous"]] == ["after: now the hunter is poisoned", "or if the animal is poisoned"]


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_cards_come_copy_for_copy(game: tuple[str, ...]) -> None:
    one = compiled(*game)
    made = deck(one)
    assert len(made.cards) == sum(r.copies for s in one.model.sorts.values() for r in s.rows if r.number == r.written)
    assert set(made.cards) == set(range(len(made.faces)))
    assert all(face.title for face in made.faces)
    assert {face.back for face in made.faces} == set(range(len(made.backs)))
    assert len(deck(one, once=True).cards) <= len(made.cards)


def test_what_a_trait_card_says() -> None:
    faces = {face.title: face for face in deck(compiled("evolution")).faces if face.title == "Ambush"}
    made = [face for face in deck(compiled("evolution")).faces if face.title == "Ambush"]
    assert sorted(int(face.corner.replace("−", "-")) for face in made) == [-3, -2, -1, 0, 1, 2, 3]
    assert faces["Ambush"].corner_label == "Food"
    assert faces["Ambush"].texts == (("", "When this species attacks, it ignores Warning call."),)


def test_cards_have_the_signs_that_their_ruleset_gives() -> None:
    carnivore = next(face for face in deck(compiled("evolution"), once=True).faces if face.title == "Carnivore")
    assert carnivore.signs == (Sign("⚔", "#b0413e"),)
    values = [value for face in deck(compiled("darwins_choice"), once=True).faces for value in face.values]
    assert {value.label for value in values if value.signs and value.number} >= {"Hearts", "Run"}
    assert all(value.signs for value in values if value.label == "Diet")


def test_backs_tell_stacks_apart_that_nobody_sees() -> None:
    assert [back.kind for back in deck(compiled("darwins_choice")).backs] == [
        "Animal card · Small cards", "Animal card · Large cards", "Biome", "Event",
    ]  # fmt: skip
    assert [back.kind for back in deck(compiled("evolution")).backs] == ["Card"]


def test_what_traits_cost_stands_on_their_cards(root: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    faces = {face.title: face for face in deck(Compilation("examples/guild")).faces}
    assert [(value.label, value.text) for value in faces["Steward"].values] == [("Sort", "Person"), ("Price", "4")]


def test_a_card_of_two_traits_has_both_texts() -> None:
    made = next(face for face in deck(compiled("origin_of_species")).faces if face.title == "Carnivore / Massive")
    assert [head for head, _ in made.texts] == ["Carnivore", "Massive"]
    assert all(text for _, text in made.texts)


def test_names_in_a_language_with_english_for_what_is_missing() -> None:
    made = rulebook(compiled("evolution"), Spoken(compiled("evolution")).language("zh"))
    assert made.head.title == "演化論"
    carnivore = next(trait for trait in made.traits if trait.name == "肉食")
    assert carnivore.also == "Carnivore"


def test_hooks_are_told_by_event_and_part() -> None:
    lines = {one.name: one for one in page("evolution").bearers}
    assert [(h.event, h.says) for h in lines["Hard shell"].hooks] == [("Defense", "+ 4")]
    assert [(h.event, h.says, h.when) for h in lines["Climbing"].hooks] == [
        ("Attack, as prey", "forbidden", "the hunter cannot climb")
    ]
    assert lines["Carnivore"].actions == ("Attack (feeding)",)
    by = {one.event: one.by for one in page("evolution").hooked}
    assert ("Hard shell", "+") in by["Defense"]
    assert ("Horns", "after as prey") in by["Wound"]


def test_the_flow_in_words() -> None:
    flow = book("evolution").flow
    rounds = next(step for step in flow if step.loop)
    assert rounds.text == "Play rounds until the round is the last round"
    assert [step.phase for step in rounds.steps if step.phase] == ["deal", "select_food", "play_cards", "feeding"]
    feeding = next(phase for phase in book("evolution").phases if phase.id == "feeding")
    graze = next(action for action in feeding.actions if action.name == "Eat plants")
    assert graze.targets == ("a species of yours",)
    assert graze.notes == ("must be done when the species is hungry",)
    assert {action.by for action in feeding.actions} == {"", "Carnivore", "Intelligence"}


def test_maps_are_drawn_space_by_space() -> None:
    maps = book("evolved").maps
    assert [one.title for one in maps] == ["Rodinia", "Pangaea"]
    assert all((one.across, len(one.spaces), len(set(one.groups))) == (6, 36, 3) for one in maps)
    assert maps[0].spaces[0] == ("Arctic", "Island")
    assert book("evolution").maps == ()


# ---- mods


CLIMATE = ("evolution", "examples/climate")


def test_a_mods_rulebook_marks_what_is_new_and_what_has_changed(root: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    made = book(*CLIMATE)
    new, changed = Mark("new", "Climate"), Mark("changed", "Climate")
    assert [layer.title for layer in made.head.layers] == ["Climate"]
    phases = {phase.id: phase.marks for phase in made.phases}
    assert phases["weather_strikes"] == (new,)
    assert phases["feeding"] == (changed,)
    assert phases["deal"] == ()
    traits = {trait.name: trait.marks for trait in made.traits}
    assert traits["Thick coat"] == (new,)
    assert traits["Horns"] == ()
    rows = {row.name: row.marks for row in made.tables[0].rows}
    assert rows["Fertile"] == (changed,)
    assert rows["Horns"] == ()
    groups = {group.title: [change.name for change in group.changes] for group in made.changes}
    assert groups["Phases"] == ["Feeding", "Weather strikes"]
    assert groups["Cards"][:3] == ["Warmth (printed on card)", "Warmth (printed on card): default", "Carnivore: warmth"]
    said = {change.name: (change.before, change.after) for group in made.changes for change in group.changes}
    assert said["Weather strikes"] == ("", "For each species:\n  Expose")
    before, after = said["Feeding"]
    assert [line for line in after.split("\n") if line not in before.split("\n")] == ["Weather strikes"]
    assert said["Winter sleep"][1].startswith("Reveal food: before: the food of the bearer rises by 1 – ")
    assert "weather after" in said["Turn weather"][1]
    assert "weather before" in said["Turn weather"][1]
    assert said["Weather now"] == ("", "where the marker of the climate stands")
    rules = {"Phases", "Routines", "Values", "Changed values", "Hooks"}
    assert not any(change.code for group in made.changes if group.title in rules for change in group.changes)
    assert {change.by for group in made.changes for change in group.changes} == {"Climate"}


def test_new_cards_are_named_where_changes_are_listed_and_shown_elsewhere() -> None:
    made = book("darwins_choice", "darwins_choice_colossal")
    groups = {group.title: group for group in made.changes}
    assert "Pet" in groups["Cards"].added
    assert len(set(groups["Cards"].added)) == len(groups["Cards"].added)
    assert not any(change.how == "added" and "tyrannosaurus" in change.name for change in groups["Cards"].changes)
    assert "Look" not in groups
    (animals,) = (table for table in made.tables if table.title == "Animal card")
    assert [row.marks[0].how for row in animals.rows if row.name.startswith("Tyrannosaurus")] == ["new", "new"]
    assert made.bearers == "Cards with rules of their own"
    assert book("evolution").bearers == "Traits"


def test_without_mods_nothing_is_marked() -> None:
    for game in GAMES[:4]:
        assert book(*game).changes == ()
        assert not any(isinstance(value, Mark) for value in _marks(book(*game)))


def _marks(value: Any) -> Iterator[Any]:
    if isinstance(value, Mark):
        yield value
    elif is_dataclass(value):
        for one in fields(value):
            yield from _marks(getattr(value, one.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _marks(item)


def test_cards_of_mods_carry_their_name(root: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    faces = {face.title: face.mark for face in deck(compiled(*CLIMATE)).faces}
    assert faces["Thick coat"] == "Climate"
    assert faces["Horns"] == ""


def test_modes_are_layers_too() -> None:
    made = rulebook(Compilation("darwins_choice", (), "kids"))
    assert [layer.said for layer in made.head.layers] == ["in the mode Kids"]
    assert made.changes
