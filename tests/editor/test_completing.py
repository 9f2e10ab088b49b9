"""What is proposed at marked places, in text that is broken there as it is while one types."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.completions import complete, rules_part
from rulelang.apps.editor.rule_completions import Proposal
from tests.cli.helpers import tiny
from tests.editor.helpers import GAMES, Desk, shipped

OOS, EVO = "origin_of_species", "evolution"
BURROWING = "traits/burrowing.yaml"
FORBID = 'forbid strike(any, self) when self is fed because "{self} is fed and safe in its burrow"'

PREY = "    when: [hunt wolf mole]\n    then: [mole is missing, wolf.blue == 2]"
STOCK = "value stock(source place) -> int: watering_hole if place == hole else bank"
GAIN = "routine sated(animal a)  "

#: Game, file, text in it, what is typed in its place (¦: the cursor), what must be proposed, what must not be.
CASES = [
    (OOS, BURROWING, FORBID, "¦", ["modify", "forbid", "after", "value"], ["let"]),
    (OOS, BURROWING, FORBID, "forbid ¦", ["strike(any, self)"], []),
    (OOS, BURROWING, FORBID, "forbid strike(¦", ["any", "self"], ["modify"]),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when self is ¦", ["fed", "present"], ["red"]),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when self.¦", ["red", "owner"], ["fed"]),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when self.r¦", ["red"], []),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when self has ¦", ["camouflage", "burrowing"], []),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when count(¦", ["animal", "player"], []),
    (OOS, BURROWING, FORBID, "forbid strike(hunter, self) when hunter.owner == ¦", ["owner", "actor"], []),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) ¦", ["when", "unless", "because"], ["modify"]),
    (OOS, BURROWING, "#: oos-card-burrowing oos-14.4", "#: oos-card-burrowing oos-1¦", ["oos-14.4"], ["modify"]),
    (OOS, BURROWING, "trait: burrowing", "trait: burrowing\npa¦", ["pair", "state", "scenarios"], ["lists"]),
    (OOS, BURROWING, "    rule: [oos-card-burrowing, oos-14.4]", "    rule: [¦", ["oos-card-burrowing"], []),
    (OOS, BURROWING, PREY, "    when: [¦", ["hunt", "pass", "ana"], []),
    (OOS, BURROWING, PREY, "    when: [hunt ¦", ["wolf", "mole", "hare"], ["hunt", "ana"]),
    (OOS, BURROWING, PREY, "    when: [hunt wolf ¦", ["wolf", "mole"], ["hunt"]),
    (OOS, BURROWING, PREY, "    then: [mole.¦", ["blue", "red"], ["wolf"]),
    (OOS, BURROWING, PREY, "    then: [¦", ["mole", "ana", "base"], []),
    (EVO, "cards.yaml", "{face: ambush, ", "{face: a¦", ["ambush", "carnivore"], ["face"]),
    (EVO, "cards.yaml", "{face: ambush, ", "{¦", ["face", "food"], []),
    (EVO, "components.yaml", "    at_most: boards  ", "    ¦", ["at_most", "attributes", "line"], []),
    (EVO, "components.yaml", "    at_most: boards  ", "    at_most: ¦", ["boards", "most_body"], ["species"]),
    (EVO, "components.yaml", "seen_by: option.bags", "seen_by: ¦", ["owner", "option.bags"], ["bags"]),
    (EVO, "cards.yaml", "columns: {face: trait", "columns: {face: ¦", ["trait", "int", "maybe trait"], ["face"]),
    (EVO, "cards.yaml", "expect: {count: 129", "expect: {¦", ["count", "rows", "sum of food"], ["face"]),
    (EVO, "ruleset.yaml", "default: per_taking", "default: ¦", ["per_taking", "per_token"], ["owner"]),
    (EVO, "ruleset.yaml", "from: start", "from: ¦", ["start"], ["watering_hole"]),
    (EVO, "look.yaml", "is: hunger(this)", "is: ¦", ["this", "hunger", "count"], ["self", "let", "its_thing"]),
    (EVO, "look.yaml", "is: hunger(this)", "is: hunger(th¦", ["this"], ["hunger"]),
    (EVO, "look.yaml", "is: hunger(this)", "is: this.¦", ["population", "traits"], ["this"]),
    (EVO, "look.yaml", "  discards: {name: discard pile, brief: true}", "  ¦", ["discards"], ["carnivore.attack"]),
    (EVO, "look.yaml", "      ambush: {icon", "      ¦: {icon", ["ambush", "horns"], ["card"]),
    (EVO, "game.rules", '"{s} reveals {c.face}"', '"{s.¦}"', ["population", "food"], ["s"]),
    (EVO, "game.rules", '"{s} reveals {c.face}"', '"{s.pop¦', ["population"], ["s"]),
    (EVO, "game.rules", STOCK,
     "value stock(source place) -> int: watering_hole if place == ¦", ["hole", "bank", "place"], ["plant"]),
    (EVO, "game.rules", STOCK,
     "value stock(¦", ["source", "int", "species", "player"], ["place"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  let n = 1\n  s.¦", ["population", "food"], []),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  let n = 1\n  ¦", ["let", "if", "n", "s", "eat"], ["modify"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  let n = 1\n  s.population += ¦", ["n", "s", "min"], ["let"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  move top of deck to ¦", ["discards", "box"], []),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  if option.¦", ["cooperation"], ["deck"]),
    (EVO, "game.rules", STOCK,
     'routine r(species s):\n  tells "{¦', ["s"], ["let"]),
    (EVO, "game.rules", STOCK,
     "modify ¦", ["flesh(s)"], ["eat"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  repeat max(0, hunger(¦", ["s"], ["eat"]),
    (EVO, "game.rules", STOCK,
     "routine r(player p):\n  draw ¦", ["cards_dealt", "round"], ["eat"]),
    (EVO, "game.rules", STOCK,
     "routine r(player p):\n  draw 2 from ¦", ["deck", "p"], ["eat"]),
    (EVO, "game.rules", STOCK,
     "routine r(player p):\n  move all ¦", ["deck", "p", "discards"], ["eat"]),
    (EVO, "game.rules", STOCK,
     "routine r(player p):\n  turns q from ¦", ["p", "start"], ["deck"]),
    (EVO, "game.rules", STOCK,
     "routine r(player p):\n  for card c in p.¦", ["hand"], ["deck"]),
    (EVO, "game.rules", STOCK,
     "value v(player p) -> int: count(card c in p.¦", ["hand"], ["deck"]),
    (EVO, "game.rules", STOCK,
     "action a(card c in actor.¦", ["hand"], ["deck"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  if round ¦", ["and", "is"], ["let"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  if r¦", ["round"], ["let"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  if phase == ¦", ["feeding", "deal"], ["deck"]),
    (EVO, "game.rules", STOCK,
     "value v(trait t, species s) -> bool: t affects ¦", ["defence", "strike"], ["deck"]),
    (OOS, "game.rules", GAIN,
     "routine r(animal a):\n  gain(a, ¦", ["red", "blue"], ["deck"]),
    (OOS, "game.rules", GAIN,
     "routine r(animal a):\n  require can gain(a, r¦", ["red", "blue"], ["deck"]),
    (OOS, BURROWING, "trait: burrowing", "t¦", ["trait", "text"], ["lists"]),
    # scenarios: what is claimed is an expression, wherever it is broken off
    (OOS, BURROWING, PREY, "    then: [mole ¦", ["is", "has"], ["let"]),
    (OOS, BURROWING, PREY, "    then: [mole is ¦", ["missing", "fed"], ["self"]),
    (OOS, BURROWING, PREY, "    then: [mole has ¦", ["burrowing"], ["self"]),
    (OOS, BURROWING, PREY, "    then: [not ¦", ["mole", "wolf"], ["self"]),
    (OOS, BURROWING, PREY, "    then: [r¦", ["round"], []),
    (OOS, BURROWING, PREY, "    then: [phase == ¦", ["feeding"], ["deck"]),
    (OOS, BURROWING, PREY, "    then: [count(card c in ana.¦", ["hand", "discards"], ["wolf"]),
    (OOS, BURROWING, PREY, "    then: [count(card c in ana.hand where c.¦", ["faces", "set"], ["wolf"]),
    (OOS, BURROWING, PREY, "    then: [held(¦", ["mole", "wolf"], ["hunt"]),
    (OOS, BURROWING, PREY, "    then: [{¦", ["log", "decision", "over", "options"], []),
    (OOS, BURROWING, PREY, "    then: [{over: ¦", ["true", "false"], ["wolf"]),
    (OOS, BURROWING, PREY, "    then: [{decision: ¦", ["ana", "bob"], ["wolf"]),
    (OOS, BURROWING, PREY, "    then: [{options: [hunt ¦", ["wolf", "mole"], ["hunt"]),
    (OOS, BURROWING, PREY, "    when: [hunt wolf mole: {¦", ["refused"], ["hunt"]),
    (OOS, BURROWING, PREY, "    when: [run: to the end ¦", ["to the end of the turn"], ["hunt"]),
    (OOS, BURROWING, PREY, "    when: [options: [hunt ¦", ["wolf", "mole"], ["hunt"]),
    (OOS, "components.yaml", "deck: {holds: card,", "deck: {holds: ¦", ["card"], []),
    (OOS, "components.yaml", "hand: {of: player,", "hand: {of: ¦", ["player", "animal"], []),
    (OOS, "scenarios/variants.yaml", "  - name: points taken during the game are added at the end\n",
     "  - name: x\n    options: {cards_or_points: ¦}\n", ["true", "false"], []),
]  # fmt: skip


def typed(game: str, file: str, old: str, new: str) -> list[Proposal]:
    """What is proposed at the mark, by what was known of the game before this was typed."""
    desk = shipped(game)
    text = desk.read(file)
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    offset = text.index(old)
    lead = text[text.rfind("\n", 0, offset) + 1 : offset]
    new = new.replace("\n", f"\n{lead}" if not lead.strip() else "\n")
    before, after = text.replace(old, new).split("¦")
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    return complete(desk.analysis(file), desk.path(file), before + after, line, column)


@pytest.mark.parametrize(("game", "file", "old", "new", "wanted", "unwanted"), CASES, ids=[case[3] for case in CASES])
def test_what_fits_is_proposed(
    game: str, file: str, old: str, new: str, wanted: list[str], unwanted: list[str]
) -> None:
    found = typed(game, file, old, new)
    labels = [item.label for item in found]
    assert [word for word in wanted if word not in labels] == [], labels
    assert [word for word in unwanted if word in labels] == []


def test_what_has_the_type_comes_first() -> None:
    found = typed(EVO, "game.rules", STOCK, "value stock(source place) -> int: ¦")
    ranks = {item.label: item.rank for item in found}
    assert ranks["watering_hole"] < ranks["place"]


def test_patterns_of_hooks_are_filled_in() -> None:
    found = typed(EVO, "traits/hard_shell.yaml", "modify defence(self)", "modify def¦ #")
    item = next(item for item in found if item.label.startswith("defence"))
    assert (item.label, item.snippet, item.begun) == ("defence(self)", "defence(self): ", 3)


def test_the_title_of_a_numbered_rule_is_its_text() -> None:
    found = typed(OOS, BURROWING, "#: oos-card-burrowing oos-14.4", "#: ¦")
    (item,) = [item for item in found if item.label == "oos-card-burrowing"]
    assert len(item.detail) > 10


def test_nothing_is_proposed_in_prose_and_remarks() -> None:
    assert typed(OOS, BURROWING, FORBID, "# for¦") == []
    assert typed(OOS, BURROWING, FORBID, 'forbid strike(any, self) because "for¦') == []


def test_what_is_known_of_a_broken_game_is_what_was_known_before(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    desk.analysis("game.rules")
    desk.put("things.yaml", desk.read("things.yaml") + "  broken: [\n")
    text = desk.read("game.rules").replace("actor.coins += pay(actor)", "actor.")
    desk.put("game.rules", text)
    place = desk.at("game.rules", '{actor} works"\n  actor.¦')
    assert "coins" in [
        item.label for item in complete(desk.analysis("game.rules"), desk.path("game.rules"), text, *place)
    ]


@pytest.mark.parametrize("game", [OOS, EVO, "darwins_choice", "evolved"])
def test_names_are_proposed_where_they_stand(game: str) -> None:
    """In rules that are broken off before a name, and often lack what stood behind it."""
    desk, chance = shipped(game), random.Random(game)
    analysis = desk.analysis("ruleset.yaml")
    places = [place for name in files(GAMES / game) for place in named(desk, name, vocabulary(analysis))]
    missed = []
    tried = 0
    for name, number, at, word in chance.sample(places, len(places)):
        text = desk.read(name)
        if tried == 60 or rules_part(desk.path(name), text, number + 1) is None:
            continue
        tried += 1
        lines = text.split("\n")
        line = lines[number]
        begun = at + chance.randrange(2)
        lines[number] = line[:begun] + (line[at + len(word) :] if chance.random() < 0.5 else "")
        found = complete(analysis, desk.path(name), "\n".join(lines), number + 1, begun + 1)
        if not any(re.match(rf"{word}(\W|$)", item.label) for item in found):
            missed.append(f"{name}:{number + 1}: {line[:at]}¦{line[at:]}")
    assert tried == 60
    assert not missed, "\n".join(missed)


def files(folder: Path) -> list[str]:
    found = [path for path in sorted(folder.rglob("*")) if path.suffix in (".yaml", ".rules")]
    return [path.relative_to(folder).as_posix() for path in found]


def vocabulary(analysis: Analysis) -> set[str]:
    """Names that rules ask for: what is declared, but for its own variables."""
    model, program = analysis.model, analysis.program
    found = {*model.state, *model.numbers, *model.made, *model.sorts, *model.player_attributes, *model.options}
    found |= {zone.short_name for zone in model.zones.values()}
    found |= {name for kind in model.made.values() for name in kind.attributes}
    rooms: tuple[Iterable[str], ...] = (program.values, program.routines, program.actions)
    return found | {name.rpartition(".")[2] for room in rooms for name in room}


#: Behind these a new name stands, or one of a part of rules.
NEW = re.compile(r"\b(?:routine|value|action|phase|invariant|let|as|rules:?|ignore|before|after) +\Z")


def named(desk: Desk, name: str, known: set[str]) -> Iterator[tuple[str, int, int, str]]:
    """Where such words stand in a file, in rules or elsewhere."""
    for number, line in enumerate(desk.read(name).split("\n")):
        bare = re.sub(r'"[^"]*"', lambda found: " " * len(found[0]), line).split("#")[0]
        for its in re.finditer(r"[A-Za-z_]\w*", bare):
            made = NEW.search(bare[: its.start()]) or re.search(rf"\bas {its[0]}\b", bare)
            if its[0] in known and not made:
                yield name, number, its.start(), its[0]
