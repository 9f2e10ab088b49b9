"""The example rulesets declare without a diagnostic, and hold what their boxes hold."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from rulelang.data.ruleset import load_ruleset
from rulelang.language.semantics.declare import declare
from rulelang.language.semantics.model import (
    BOOL,
    INT,
    MISSING_INT,
    PLAYER,
    TRAIT,
    Attribute,
    CardType,
    Condition,
    Model,
    Term,
    Type,
    ref,
)

EXAMPLES = Path(__file__).parents[1] / "fixtures" / "examples"
COLOSSAL = ("darwins_choice_colossal",)


@cache
def model_of(name: str, mods: tuple[str, ...] = (), mode: str | None = None) -> Model:
    source, mistakes = load_ruleset(EXAMPLES / name, [EXAMPLES / mod for mod in mods], mode)
    assert source is not None
    assert not list(mistakes)
    model, out = declare(source)
    assert not out.sorted()
    return model


def copies(sort: CardType) -> int:
    return sum(row.copies for row in sort.rows)


@pytest.mark.parametrize(
    ("name", "mods", "mode"),
    [
        ("evolution", (), None),
        ("origin_of_species", (), None),
        ("evolved", (), None),
        ("darwins_choice", (), None),
        ("darwins_choice", (), "beginner"),
        ("darwins_choice", (), "kids"),
        ("darwins_choice", COLOSSAL, None),
        ("darwins_choice", COLOSSAL, "kids"),
        ("darwins_choice", COLOSSAL, "epic"),
        ("darwins_choice", (*COLOSSAL, "mod_of_colossal"), None),
    ],
)
def test_every_example_declares_without_a_diagnostic(name: str, mods: tuple[str, ...], mode: str | None) -> None:
    model = model_of(name, mods, mode)
    assert model.id == name
    for kind in (*model.lists.values(), *model.sorts.values()):
        assert [row.number for row in kind.rows] == list(range(1, len(kind.rows) + 1))


def test_evolution() -> None:
    model = model_of("evolution")
    assert model.players == (2, 6)
    assert model.clockwise
    assert model.first == "start"
    assert model.title == {"en": "Evolution", "ja": "エヴォリューション"}
    cards = model.sorts["card"]
    assert copies(cards) == 129
    assert cards.rows[0].columns["food"] == (0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6)
    assert cards.rows[1].columns["food"] == (-3, -2, -1, 0, 1, 2, 3)
    assert cards.rows[1].columns["face"] == model.traits["ambush"].number == 1
    assert cards.columns["food"].by == "copy"
    assert cards.columns["face"].type == TRAIT
    assert len(model.traits) == 17
    assert [row.name for row in model.lists["trait"].rows] == sorted(model.traits)
    species = model.made["species"]
    assert (species.of, species.line, species.at_most, species.place) == ("player", True, "boards", None)
    assert species.attributes["population"] == Attribute(
        "population", INT, 0, 6, 1, span=species.attributes["population"].span
    )
    assert (species.attributes["body_size"].low, species.attributes["food"].start) == (1, 0)
    assert model.player_attributes["bag"].low == 0
    assert model.player_attributes["bag"].high is None
    assert model.state["start"].type == PLAYER
    assert model.state["start"].start == 1
    assert model.numbers["trait_limit"].by_players == {2: 2, 3: 3, 4: 3, 5: 3, 6: 3}
    assert model.options["quick_play"].default == {2: 0, 3: 0, 4: 0, 5: 0, 6: 1}
    assert model.options["cooperation"].values == ("per_taking", "per_token")
    assert model.options["cooperation"].default[4] == 1
    assert model.options["cooperation"].type == ref("option cooperation")
    assert model.zones["traits"].in_force
    assert model.zones["food_card"].seen_by == "owner"
    outwitted = model.traits["intelligence"].state["outwitted"]
    assert (outwitted.type, outwitted.index, outwitted.resets) == (BOOL, ("trait",), "turn")
    assert model.traits["hard_shell"].titles["ja"] == "堅い殻"


def test_the_origin_of_species() -> None:
    model = model_of("origin_of_species")
    cards = model.sorts["card"]
    by_set = Counter[object]()
    for row in cards.rows:
        by_set[row.columns["set"]] += row.copies
    assert by_set == {1: 84, 2: 84}
    assert cards.columns["faces"].type == Type("set", "trait")
    carnivore, poisonous = model.traits["carnivore"].number, model.traits["poisonous"].number
    assert cards.rows[7].columns["faces"] == (carnivore, poisonous)
    assert len(cards.rows) == 40
    assert len(model.traits) == 19
    placement = [row.name for row in model.lists["trait placement"].rows]
    assert placement == ["own", "opponent", "anyone"]
    trait = model.lists["trait"]
    assert trait.columns["placement"].type == ref("trait placement")
    assert model.traits["parasite"].columns == {"plus": 2, "placement": 2, "several": 0, "pair": 0}
    assert model.traits["symbiosis"].columns["pair"] == 2
    assert model.traits["symbiosis"].pair == "directed"
    assert model.made["animal"].attributes["poisoned"].resets == "round"
    slept = model.traits["hibernation"].state["slept"]
    assert (slept.low, slept.high, slept.start) == (-9, 99, -9)
    assert model.options["sets"].default == {2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 2}
    assert model.teams is not None
    assert (model.teams.option, model.teams.value, model.teams.size) == ("teams", 1, 2)
    assert (model.teams.players, model.teams.opposite) == ((4, 6, 8), True)


def test_evolved() -> None:
    model = model_of("evolved")
    cards = model.sorts["card"]
    assert (len(cards.rows), copies(cards)) == (57, 70)
    space = model.grids["space"]
    assert (space.width, space.height, space.chosen_by) == (6, 6, "map")
    assert (space.corners, space.east_west) == ("corners", "round")
    for drawn in space.maps.values():
        assert Counter(drawn["ground"]) == {1: 9, 2: 9, 3: 18}
        assert drawn["belt"][:12] == (1,) * 6 + (2,) * 6
    assert space.maps["rodinia"]["ground"][:6] == (3, 2, 3, 1, 3, 2)
    size = model.lists["size"]
    assert size.ladder
    assert [row.columns["crowd"] for row in size.rows] == [6, 5, 4, 3, 2]
    assert model.lists["climate"].rows[1].columns["belts"] == (2, 3)
    species = model.made["species"]
    assert species.at_most == "option.numbers"
    assert species.attributes["diet"].start == 1
    assert species.attributes["climate"].start == 2
    assert species.attributes["since"].type == ref("period", maybe=True)
    population = model.tables["population"]
    assert (population.of, population.low, population.high) == (("species", "space"), 0, 20)
    assert model.tables["arrived"].resets == "migrations"
    assert model.zones["hand"].played_to == "discard"
    deed = {row.name: row.columns["does"] for row in cards.rows}
    assert (deed["mutations"], deed["climax_community"], deed["predation"]) == (1, 2, 0)


def test_darwins_choice() -> None:
    model = model_of("darwins_choice")
    assert not model.clockwise
    animals = model.sorts["animal"]
    assert len(animals.rows) == 234
    zebra = animals.rows[0]
    assert (zebra.name, zebra.columns["diet"], zebra.columns["shows"]) == (
        "plains_zebra.head",
        1,
        (0, 0, 0, 0, 1, 0, 0, 0),
    )
    assert zebra.columns["dock_legs"] == 0
    biomes = {row.name: row for row in model.sorts["biome"].rows}
    assert len(biomes) == 20
    requirement = Condition((Term((3, 4), ">=", 1), Term((6,), "==", 0)))
    assert biomes["tropical_rainforest"].columns["requirement"] == requirement
    assert biomes["tropical_rainforest"].columns["adapt"] == (3, 4, 5)
    assert (biomes["cloud_forest"].columns["two_player"], biomes["steppe"].columns["group"]) == (0, 0)
    assert model.sorts["biome"].columns["requirement"].counted_by == "total"
    assert model.lists["place"].count == "places"
    slot = model.zones["biome"]
    assert (slot.of, slot.holds, slot.slot, slot.seen_by) == ("place", "biome", True, "everyone")
    assert model.lists["place"].attributes["new"].resets == "transition"
    assert model.numbers["replaced"].by_players[4] == (2, 3, 3)
    assert len(model.sorts["event"].rows) == 12
    assert model.sorts["event"].rows[0].text.startswith("Every biome supplies 2 plants")
    creature = model.made["creature"]
    assert (creature.place, creature.at_most) == ("place", "max_species")
    assert model.zones["deck"].refilled_from == "discard"
    assert model.teams is not None
    assert model.teams.value == 2


def test_modes_of_darwins_choice() -> None:
    kids = model_of("darwins_choice", (), "kids")
    tile = kids.sorts["biome"].rows[-1]
    assert (tile.name, tile.columns["requirement"], tile.columns["adapt"]) == ("competition_tile", Condition(()), (8,))
    assert kids.numbers["places"].by_players == dict.fromkeys(range(2, 7), 4)
    assert model_of("darwins_choice", (), "beginner").numbers["eras"].by_players[3] == 3


def test_colossal_and_a_mod_on_top() -> None:
    model = model_of("darwins_choice", COLOSSAL)
    assert len(model.sorts["biome"].rows) == 28
    animals = model.sorts["animal"].rows
    assert sum(row.name != "pet" for row in animals) == 479
    pet = next(row for row in animals if row.name == "pet")
    assert pet.columns["diet"] == 2
    assert pet.columns["shows"] == (2, 1, 1, 0, 1, 1, 2, 2)
    assert pet.layer == 1
    assert [row.name for row in model.lists["part"].rows][-1] == "whole"
    territory = {row.name: row.columns for row in model.lists["territory"].rows}
    assert territory["farmland"]["plants"] == (4, 6, 8, 10)
    assert territory["park"]["plants"] == (MISSING_INT,) * 4
    assert model.lists["territory"].columns["meat"].by == (1, 4)
    events = {row.name: row.columns for row in model.sorts["event"].rows}
    assert len(events) == 26
    assert events["invaders"]["index"] == MISSING_INT
    assert (events["climate_change"]["index"], events["climate_change"]["strikes"]) == (-1, 1)
    nature = model.state["nature_index"]
    assert (nature.low, nature.high, nature.start, nature.clamp) == (1, 4, 4, True)
    assert model.lists["place"].attributes["territory"].type == ref("territory", maybe=True)
    epic = model_of("darwins_choice", COLOSSAL, "epic")
    assert epic.players == (3, 4)
    assert epic.numbers["replaced"].by_players[3] == (2, 3, 3, 3, 3)
    assert epic.sorts["event"].rows[0].columns["not_epic"] == 1
    top = model_of("darwins_choice", (*COLOSSAL, "mod_of_colossal"))
    assert top.numbers["park_limit"].by_players == {2: 4, 3: 5, 4: 5, 5: 5, 6: 5}
    assert top.lists["territory"].rows[-1].columns["meat"] == (3, 4, 6, 7)
    assert top.sorts["event"].rows[-1].name == "oil_spill"
