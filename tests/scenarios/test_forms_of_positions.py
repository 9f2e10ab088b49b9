"""A mistake in `given` is answered with a form that is valid in that very game, and with the place of a name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.testing.scenarios.run import run_path
from rulelang.testing.scenarios.scenario import Outcome
from tests.scenarios.shore import FILES, one

RULES = "game: for player p: day(p)\nroutine day(player p): nothing\nvalue score(player p) -> int: 0\n"
MANIFEST = "id: tiny\nversion: 1.0.0\nlanguage: 1\ntitle: Tiny\nplayers: {count: 2}\nfiles: [things.yaml, game.rules]\n"
CARDS = "cards: {card: {rows: {a: {copies: 4}}}, tool: {rows: {saw: {}}}}\n"
ZONE = "{of: player, holds: %s, seen_by: owner}"
# What a game has, a short list that it does not read, and what to write.
GAMES = {
    "zones, a card": (f"zones: {{kit: {ZONE % 'tool'}, hand: {ZONE % 'card'}}}", "[a]", "{hand: [a]}"),
    "zones, several cards": (f"zones: {{hand: {ZONE % 'card'}}}", "[2 x a, a]", "{hand: [2 x a, a]}"),
    "zones, no card of any": (f"zones: {{kit: {ZONE % 'tool'}}}", "[a]", "{kit: []}"),
    "attributes": ("kinds: {player: {attributes: {coins: {is: 2..9, start: 2}}}}", "[a]", "{coins: 2}"),
    "a truth value": ("kinds: {player: {attributes: {out: bool}}}", "[a]", "{out: true}"),
    "nothing": ("numbers: {n: 1}", "[a]", "{}"),
    "kinds": (
        "kinds: {cat: {of: player, at_most: 2}, dog: {of: player, at_most: 2, names: [rex]}}", "[rex]", "{dog: [rex]}",
    ),
    "kinds, and cards on a thing": (
        "kinds: {cat: {of: player, at_most: 2}, dog: {of: player, at_most: 2}}\n"
        "zones: {on: {of: cat, holds: card, seen_by: everyone, in_force: true}}",
        "[tom: a, kit]", "{cat: [tom: a, kit]}",
    ),
    "kinds and zones, a card": (
        f"kinds: {{cat: {{of: player, at_most: 2}}, dog: {{of: player, at_most: 2}}}}\nzones: {{kit: {ZONE % 'tool'}}}",
        "[saw]", "{kit: [saw]}",
    ),
}  # fmt: skip


def tiny(folder: Path, things: str, ana: str) -> Outcome:
    texts = {"ruleset.yaml": MANIFEST, "things.yaml": CARDS + things + "\n", "game.rules": RULES}
    scenario = f"- name: x\n  given: {{players: {{ana: {ana}, bob: {{}}}}}}\n  then: [round == 0 or round != 0]\n"
    for name, text in {**texts, "scenarios/s.yaml": scenario}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    report = run_path(folder)
    assert not report.mistakes, report.mistakes
    return report.outcomes[0]


@pytest.mark.parametrize("title", GAMES)
def test_the_form_of_a_player_is_valid_in_its_game(title: str, tmp_path: Path) -> None:
    things, listed, form = GAMES[title]
    (found,) = tiny(tmp_path, things, listed).mistakes
    assert found.code == "C701"
    shown = re.search(r"`ana: (.*)`$", found.hint)
    assert shown is not None, found.hint
    assert shown[1] == form
    assert tiny(tmp_path, things, form).mistakes == ()


def test_the_form_of_cards_on_a_thing(tmp_path: Path) -> None:
    """Crabs have two zones, and with both in force it must be said in which one a card is."""
    things = FILES["things.yaml"].replace(
        "{of: crab, holds: card, seen_by: owner}", "{of: crab, holds: card, seen_by: owner, in_force: true}"
    )
    given = "given: {phase: feeding, turn: ana, players: {ana: {crab: [nip: %s]}, bob: []}}"
    (found,) = one(tmp_path, given % "shy", {"things.yaml": things}).mistakes
    assert (found.code, found.hint) == ("C701", "write a map: `nip: {traits: [shy]}`")
    assert not one(tmp_path, given % "{traits: [shy]}", {"things.yaml": things}).mistakes


def test_cards_on_a_thing_that_has_none(tmp_path: Path) -> None:
    (found,) = one(tmp_path, "given: {phase: feeding, players: {ana: {boat: [ark in east: shy]}, bob: []}}").mistakes
    assert (found.code, found.hint) == ("C701", "a boat has no cards: write `ark` alone")


# What is written in a wrong part of `given`, and the part to which the hint points.
PLACES = {
    "lists: {beach: {east: {shed: [net]}}}": "zones: {shed: {ROW: [...]}}",
    "lists: {beach: {east: {deck: [shy]}}}": "zones: {deck: [...]}",
    "lists: {water: {east: {tide: 1}}}": "state: {water: ...}",
    "state: {deck: 1}": "zones: {deck: [...]}",
    "state: {bag: 1}": "players: {NAME: {bag: ...}}",
    "state: {shoal: 1}": "tables: {shoal: {...}}",
    "state: {Tide: 1}": "lists: {beach: {ROW: {tide: ...}}}",
    "tables: {water: {east: 1}}": "state: {water: ...}",
    "zones: {hand: [shy]}": "players: {NAME: {hand: ...}}",
    "zones: {tide: {east: 1}}": "lists: {beach: {ROW: {tide: ...}}}",
    "zones: {water: [shy]}": "state: {water: ...}",
}


@pytest.mark.parametrize("part", PLACES)
def test_a_name_in_a_wrong_part_of_a_position_is_shown_its_part(part: str, tmp_path: Path) -> None:
    (found,) = one(tmp_path, f"given: {{phase: feeding, players: {{ana: [], bob: []}}, {part}}}").mistakes
    assert found.code == "C702"
    assert found.hint.endswith(f"`{PLACES[part]}`"), found.hint


def test_a_part_of_a_player_that_is_the_games(tmp_path: Path) -> None:
    (found,) = one(tmp_path, "given: {phase: feeding, players: {ana: {water: 1}, bob: []}}").mistakes
    assert (found.code, found.hint) == ("C702", "`water` belongs under `state:`: `state: {water: ...}`")
