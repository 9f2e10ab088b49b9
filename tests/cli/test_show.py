"""`show` knows every name that a ruleset declares, with its place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulelang.apps.cli.descriptions import contents_lines, lines_about, read_ruleset, similar_names
from rulelang.apps.editor.declarations import Reading
from tests.cli.helpers import run

SHIPPED = ["evolution", "origin_of_species", "evolved", "darwins_choice_colossal", "examples/guild", "examples/pebbles"]


def declared(reading: Reading) -> Iterator[str]:
    """Names straight from the model and the program: what `show` has to know."""
    model, program = reading.model, reading.program
    for room in (model.options, model.grids, model.sorts, model.made, model.tables, model.state, model.numbers):
        yield from room
    yield from (listing.name for listing in model.lists.values() if listing.span.path and listing.name != "trait")
    yield from (zone.short_name for zone in model.zones.values())
    yield from (f"{zone.of}.{zone.short_name}" for zone in model.zones.values() if zone.of)
    yield from model.player_attributes
    for kinds in (model.made, model.sorts, model.lists, model.grids):
        for kind, of in kinds.items():
            yield from (f"{kind}.{name}" for name in of.attributes)
    for printing in (model.sorts, model.lists, model.grids):
        for kind, printed in printing.items():
            yield from (f"{kind}.{name}" for name, column in printed.columns.items() if column.span.path)
    for trait in model.traits.values():
        yield trait.name
        yield from (f"{trait.name}.{name}" for name in trait.state)
    yield from (mode.text for mode, _ in reading.source.manifest.map("modes"))
    for group in (program.routines, program.actions, program.values, program.invariants):
        yield from group


@pytest.mark.parametrize("game", SHIPPED)
def test_every_name_is_known_and_has_a_place(game: str) -> None:
    reading = read_ruleset(game)
    names = list(dict.fromkeys(declared(reading)))
    assert len(names) > 8
    for name in names:
        lines = lines_about(reading, name)
        assert lines, name
        assert any(f"{path}:" in lines[0] for path in reading.source.sources), (name, lines[0])
        assert not any("-2147483648" in line or "<" in line.split("  ")[0] for line in lines), (name, lines)


@pytest.mark.parametrize("game", SHIPPED)
def test_every_name_is_listed(game: str) -> None:
    reading = read_ruleset(game)
    words = set(" ".join(contents_lines(reading)).replace(",", " ").split())
    for name in declared(reading):
        assert name in words or any(word.endswith(f".{name}") for word in words), name


def test_what_a_kind_has_is_shown() -> None:
    assert run("show", "evolved", "species").output.splitlines()[1:] == [
        "  of a player, at most option.numbers",
        "",
        "  diet                       diet",
        "  terrain                    terrain",
        "  climate                    climate, starting at hot_adapted",
        "  size                       size",
        "  speed                      speed, starting at slow",
        "  since (period of origin)   maybe period",
        "  extra (extra moves)        0..99; resets with every turn",
        "  moved (populations moved)  0..99; resets with every turn",
    ]


def test_an_option_says_what_it_offers() -> None:
    assert run("show", "evolved", "counters").output.splitlines()[1:] == [
        "  the number of counters for each species",
        "  3 to 20; default 10",
    ]
    assert run("show", "evolved", "map").output.splitlines()[2] == "  rodinia or pangaea; default rodinia"


def test_all_that_has_a_name_is_shown_one_after_the_other() -> None:
    lines = run("show", "evolution", "food").output.splitlines()
    heads = [line for line in lines if line.split(" ")[1:2] == ["(list),"] or ".food (" in line]
    assert [head.split(", ")[0] for head in heads] == ["food (list)", "species.food (attribute)", "card.food (column)"]


def test_a_list_is_shown_with_what_is_printed() -> None:
    lines = run("show", "darwins_choice_colossal", "territory").output.splitlines()
    assert lines[3].split() == ["bar", "plants", "meat"]
    assert lines[4].split() == ["farmland", "2", "4", "6", "8", "10", "1", "2", "3", "4"]
    assert lines[8].split() == ["park", "0", *["none"] * 8]


def test_near_names_of_all_sorts_are_offered() -> None:
    reading = read_ruleset("evolved")
    assert "counters" in similar_names(reading, "countrs")
    assert "player.hand" in similar_names(reading, "player.hnd")


def test_labels_stand_before_the_names_of_the_rules_and_are_found() -> None:
    reading = read_ruleset("darwins_choice")
    for name in ("creature", "species"):
        lines = lines_about(reading, name)
        assert lines[0].startswith("species (kind creature), ")
        assert any(line.split()[:3] == ["acted", "(done", "for"] for line in lines)
    assert lines_about(reading, "Hot desert") == lines_about(reading, "hot_desert") != []


def test_labels_are_shown_in_a_language() -> None:
    shown = run("show", "evolution", "body_size", "--lang", "ja")
    assert shown.exit_code == 0
    assert shown.output.startswith("体 (attribute species.body_size), ")
    unknown = run("show", "evolution", "body_size", "--lang", "pl")
    assert unknown.exit_code != 0
    assert "evolution has no `pl` translation; available languages: en, ja, zh" in unknown.output
