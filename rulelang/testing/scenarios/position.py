"""Reads the `given` of a scenario: who plays, what lies where, and where in the game's flow play starts.

What names things, attributes and zones is looked up in the model; handles come later, when it is laid (`arrange`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.node import record
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import with_article
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.model import Made, Model, Zone
from rulelang.runtime.display_names import player_names
from rulelang.testing.scenarios.scenario import Scenario
from rulelang.testing.scenarios.tokens import (
    Word,
    known_spelling,
    list_items,
    listed_names,
    map_pairs,
    map_without_quotes,
    report_quoted_map,
    report_unknown,
    report_wrong_shape,
    split_words,
    whole_word,
)
from rulelang.testing.scenarios.yaml_forms import (
    form_of_player,
    form_of_thing,
    section_of_name,
    wrapped_player,
    wrapped_thing,
)

#: The word in place of a list of cards: all that are named nowhere else.
REST = "rest"

#: More are not named one by one: no ruleset permits so many.
MOST_PLAYERS = 100

#: Of one card in one line: no pile of a game holds more.
MOST_CARDS = 1000


@record
class CardSpec:
    """A card by name, with words that pick the copy or set what it keeps in play. `partner`: the pair's other end."""

    words: tuple[Word, ...]
    partner: Word | None = None


@record
class Pile:
    """Cards for one zone, the top (or oldest) first. `rest`: all that are named nowhere else, below the others."""

    zone: Zone
    cards: tuple[CardSpec, ...]
    word: Word
    rest: bool = False


@record
class ThingSpec:
    """A made thing: its name, words that set attributes and its place, and its cards."""

    kind: str
    name: Word
    words: tuple[Word, ...]
    piles: tuple[Pile, ...]


@record
class PlayerSpec:
    name: Word
    attributes: tuple[tuple[Word, YamlNode], ...] = ()
    piles: tuple[Pile, ...] = ()
    things: tuple[ThingSpec, ...] = ()


@dataclass(slots=True)
class Position:
    """A `given` as read, and its `place`. `phase` None: from the game's very start. Rows: zones, attributes of a list's
    rows."""

    players: tuple[PlayerSpec, ...] = ()
    nobody: PlayerSpec | None = None
    phase: Word | None = None
    turn: Word | None = None
    round: int = 1
    dice: YamlNode | None = None
    seed: int = 7
    options: tuple[tuple[Word, YamlNode], ...] = ()
    state: tuple[tuple[Word, YamlNode], ...] = ()
    piles: tuple[Pile, ...] = ()
    row_piles: tuple[tuple[Word, Pile], ...] = ()
    rows: tuple[tuple[str, Word, tuple[tuple[Word, YamlNode], ...]], ...] = ()
    tables: tuple[tuple[Word, YamlNode], ...] = ()
    things: dict[str, ThingSpec] = field(default_factory=dict)  # by name
    place: Span = NOWHERE

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name.text for player in self.players)

    def seat(self, name: str) -> int:
        """0 if there is no such player."""
        return self.names.index(name) + 1 if name in self.names else 0

    def player(self, word: Word) -> Word:
        """A player's name as the position writes it."""
        return known_spelling(word, self.names)


def read_position(scenario: Scenario, model: Model, out: Diagnostics) -> Position:
    """The position of a scenario; what is wrong with it goes to `out` and is left out."""
    return _Reader(model, out).read(scenario)


def copies_wanted(spec: CardSpec) -> tuple[int, CardSpec]:
    """How many cards `3 x NAME` means, and which."""
    if len(spec.words) > 1 and spec.words[0].text.isdecimal() and spec.words[1].text == "x":
        return int(spec.words[0].text[:9]), CardSpec(spec.words[2:], spec.partner)
    return 1, spec


class _Reader:
    def __init__(self, model: Model, out: Diagnostics) -> None:
        self.model = model
        self.out = out
        self.things: dict[str, ThingSpec] = {}

    def read(self, scenario: Scenario) -> Position:
        given = scenario.node.map("given")
        key = scenario.node.key("given")
        found = Position(options=scenario.options, place=key.span if key is not None else scenario.span)
        own = map_pairs(self.out, given.get("options"), "a map from option to value")
        found.options = tuple(
            {word.text.casefold(): (word, value) for word, value in (*scenario.options, *own)}.values()
        )
        found.round = self.number(given, "round", 1)
        found.seed = self.number(given, "seed", self.number(scenario.node, "seed", 7))
        found.players = self.players(given.get("players") or scenario.node.get("players"))
        self.twice(found.players)
        if given.get("nobody") is not None:
            nobody = given.key("nobody")
            assert nobody is not None
            found.nobody = self.player(whole_word(nobody), given.get("nobody"))
        found.dice = given.get("dice")
        found.phase = self.word(given, "phase")
        turn = self.word(given, "turn")
        found.turn = found.player(turn) if turn is not None else None
        if found.turn is not None and not found.seat(found.turn.text):
            report_unknown(self.out, found.turn, "player", found.names)
        state = map_pairs(self.out, given.get("state"), "a map from state values to their values")
        found.state = tuple((known_spelling(word, self.model.state), value) for word, value in state)
        for word, _ in found.state:
            if word.text not in self.model.state:
                report_unknown(
                    self.out, word, "state value", self.model.state, hint=section_of_name(self.model, word.text)
                )
        found.tables = tuple(map_pairs(self.out, given.get("tables"), "a map from table to its rows"))
        self.zones(given, found)
        self.rows(given, found)
        found.things = self.things
        return found

    def number(self, node: YamlMap, key: str, default: int) -> int:
        value = node.get(key)
        return value.value if isinstance(value, YamlScalar) and type(value.value) is int else default

    def word(self, node: YamlMap, key: str) -> Word | None:
        value = node.get(key)
        return whole_word(value) if isinstance(value, YamlScalar) and value.value is not None else None

    # ---- players

    def players(self, node: YamlNode | None) -> tuple[PlayerSpec, ...]:
        """A map from player to what is his, a list of names, or a number of players (then named as usual)."""
        if node is None or (isinstance(node, YamlScalar) and type(node.value) is int):
            count = self.model.players[0] if node is None else int(node.text, 0)
            place = NOWHERE if node is None else node.span
            return tuple(PlayerSpec(Word(name, place)) for name in player_names(min(max(count, 1), MOST_PLAYERS)))
        if isinstance(node, YamlSeq):
            return tuple(PlayerSpec(whole_word(item)) for item in list_items(node) if isinstance(item, YamlScalar))
        found = map_pairs(self.out, node, "a map from player to their things", "ana: [wolf population 3]")
        return tuple(self.player(word, value) for word, value in found)

    def player(self, name: Word, node: YamlNode | None) -> PlayerSpec:
        if not isinstance(node, YamlMap):
            listed_things = list_items(node)
            kind = self.only_kind(name, node, listed_things)
            return PlayerSpec(name, things=self.all_things(kind, listed_things) if kind else ())
        attributes: list[tuple[Word, YamlNode]] = []
        piles: list[Pile] = []
        things: list[ThingSpec] = []
        zones = self.zones_of("player")
        for said, value in map_pairs(self.out, node, ""):
            word = known_spelling(said, (*self.model.player_attributes, *zones, *self.model.made))
            if word.text in self.model.player_attributes:
                attributes.append((word, value))
            elif word.text in zones:
                piles.append(self.pile(zones[word.text], word, value))
            elif word.text in self.model.made:
                things.extend(self.all_things(self.model.made[word.text], list_items(value)))
            else:
                known = (*self.model.player_attributes, *zones, *self.model.made)
                because = "a player has attributes, zones and things by kind: " + listed_names(known)
                report_unknown(
                    self.out, word, "part of a player", known, because, section_of_name(self.model, word.text)
                )
        return PlayerSpec(name, tuple(attributes), tuple(piles), tuple(things))

    def twice(self, players: tuple[PlayerSpec, ...]) -> None:
        """C706 for two players of one name: names are matched without regard to case."""
        first: dict[str, Word] = {}
        for player in players:
            other = first.setdefault(player.name.text.casefold(), player.name)
            if other is not player.name:
                related = [Related(other.span, "the first one is here")]
                self.out.error(
                    "C706", player.name.span, f"two players have the name `{player.name.text}`", related=related
                )

    def only_kind(self, name: Word, node: YamlNode | None, nodes: tuple[YamlNode, ...]) -> Made | None:
        """Return the kind of things in a short list, if the game has only one."""
        if not nodes:
            return None
        if len(self.model.made) == 1:
            return next(iter(self.model.made.values()))
        self.out.error(
            "C701",
            name.span,
            f"list the things of `{name.text}` by kind"
            if self.model.made
            else f"expected a map for `{name.text}`, found a list",
            because=f"this game has several kinds of things: {listed_names(list(self.model.made))}" if self.model.made
            else "this game has no kinds of things, so a player has only attributes and zones",
            hint=form_of_player(self.model, name.text, nodes),
            edits=wrapped_player(self.model, name.span, node, nodes),
        )  # fmt: skip
        return None

    # ---- things and cards

    def all_things(self, kind: Made, nodes: tuple[YamlNode, ...]) -> tuple[ThingSpec, ...]:
        found = [self.thing(kind, node) for node in nodes]
        return tuple(thing for thing in found if thing is not None)

    def thing(self, kind: Made, node: YamlNode) -> ThingSpec | None:
        """`NAME attribute value ...`, or a map from that to the cards on it."""
        example = f"- NAME {' '.join(f'{name} 2' for name in [*kind.attributes][:1])}: CARD"
        value: YamlNode | None = None
        if isinstance(node, YamlMap) and len(node) == 1:
            key, value = node.items[0]
            words = split_words(key)
        elif map_without_quotes(node) is not None:
            report_quoted_map(self.out, node, "a thing, and after a colon its cards")
            return None
        elif isinstance(node, YamlScalar):
            words = split_words(node)
        else:
            report_wrong_shape(self.out, node, "a thing, and after a colon its cards", example)
            return None
        if not words:
            report_wrong_shape(self.out, node, "the name of a thing", example)
            return None
        spec = ThingSpec(kind.name, words[0], tuple(words[1:]), tuple(self.thing_piles(kind, words[0], value)))
        other = self.things.setdefault(known_spelling(words[0], self.things).text, spec)
        if other is not spec:
            related = [Related(other.name.span, "the first one is here")]
            self.out.error("C706", words[0].span, f"two things have the name `{words[0].text}`", related=related)
        return spec

    def thing_piles(self, kind: Made, name: Word, node: YamlNode | None) -> list[Pile]:
        zones = self.zones_of(kind.name)
        if isinstance(node, YamlMap):
            found = []
            for said, value in map_pairs(self.out, node, ""):
                word = known_spelling(said, zones)
                if word.text in zones:
                    found.append(self.pile(zones[word.text], word, value))
                else:
                    report_unknown(self.out, word, f"zone of {with_article(kind.name)}", zones)
            return found
        if not list_items(node):
            return []
        working = [zone for zone in zones.values() if zone.in_force]
        if len(working) != 1:
            reason = f"{with_article(kind.name)} has {len(working)} zones whose cards are in effect"
            hint = form_of_thing(self.model, kind.name, name.text, list_items(node))
            edits = wrapped_thing(self.model, kind.name, name.span, node)
            self.out.error("C701", name.span, "list the cards by zone", because=reason, hint=hint, edits=edits)
            return []
        return [self.pile(working[0], name, node)]

    def pile(self, zone: Zone, word: Word, node: YamlNode | None) -> Pile:
        if isinstance(node, YamlScalar) and node.text == REST:
            return Pile(zone, (), whole_word(node), rest=True)
        nodes = list_items(node)
        rest = bool(nodes) and isinstance(nodes[-1], YamlScalar) and nodes[-1].text == REST
        found = [card for item in (nodes[:-1] if rest else nodes) for card in self.cards(item)]
        if zone.slot and len(found) > 1:
            self.out.error("C706", word.span, f"`{zone.name}` holds one card, not {len(found)}")
        return Pile(zone, tuple(found), word, rest)

    def cards(self, node: YamlNode) -> list[CardSpec]:
        """One card, or as many alike as `3 x NAME value ...` says."""
        spec = self.card(node)
        if spec is None:
            return []
        count, card = copies_wanted(spec)
        if card is spec:
            return [spec]
        if not 1 <= count <= MOST_CARDS or not card.words:
            report_wrong_shape(self.out, node, "how many cards, and which", "3 x NAME")
            return []
        return [card] * count

    def card(self, node: YamlNode) -> CardSpec | None:
        """`NAME value ...`, or a map from that to `{with: other end of a pair}`."""
        if map_without_quotes(node) is not None:
            report_quoted_map(self.out, node, "a card by name, and after a colon its partner")
            return None
        if isinstance(node, YamlScalar) and node.text.strip():
            return CardSpec(tuple(split_words(node)))
        if isinstance(node, YamlMap) and len(node) == 1:
            key, value = node.items[0]
            other = value.get("with") if isinstance(value, YamlMap) and len(value) == 1 else None
            if isinstance(other, YamlScalar) and key.text.strip():
                return CardSpec(tuple(split_words(key)), whole_word(other))
        example = "NAME COLUMN VALUE"
        if isinstance(node, YamlMap) and len(node) == 1 and isinstance(node.items[0][1], YamlScalar):
            example = f"{node.items[0][0].text} {node.items[0][1].text}"
        report_wrong_shape(self.out, node, "a card by name, and values that select its copy", example)
        return None

    # ---- what belongs to no player

    def zones_of(self, kind: str | None) -> Mapping[str, Zone]:
        """By the name that a thing's zones are read with."""
        return {zone.name.rpartition(".")[2]: zone for zone in self.model.zones.values() if zone.of == kind}

    def zones(self, given: YamlMap, found: Position) -> None:
        """`zones:` of the game, and by row those of lists and grids."""
        alone: list[Pile] = []
        of_rows: list[tuple[Word, Pile]] = []
        free = self.zones_of(None)
        rows = {
            zone.name.rpartition(".")[2]: zone
            for zone in self.model.zones.values()
            if zone.of in self.model.lists or zone.of in self.model.grids
        }
        for said, node in map_pairs(self.out, given.get("zones"), "a map from zone to cards", "deck: [NAME, NAME]"):
            word = known_spelling(said, (*free, *rows))
            if word.text in free:
                alone.append(self.pile(free[word.text], word, node))
            elif word.text in rows:
                for row, value in map_pairs(self.out, node, f"a map from {rows[word.text].of} to cards"):
                    of_rows.append((row, self.pile(rows[word.text], word, value)))
            else:
                because = "zones of players and things belong under them"
                report_unknown(
                    self.out, word, "zone of the game", [*free, *rows], because, section_of_name(self.model, word.text)
                )
        found.piles, found.row_piles = tuple(alone), tuple(of_rows)

    def rows(self, given: YamlMap, found: Position) -> None:
        """`lists:`, by list and row the attributes of rows."""
        kept = []
        known = {**self.model.lists, **self.model.grids}
        for said, node in map_pairs(
            self.out, given.get("lists"), "a map from list to its rows", "LIST: {ROW: {name: 1}}"
        ):
            word = known_spelling(said, known)
            if word.text not in known:
                report_unknown(self.out, word, "list", known, hint=section_of_name(self.model, word.text))
                continue
            for row, values in map_pairs(self.out, node, "a map from row to its attributes"):
                kept.append((word.text, row, tuple(map_pairs(self.out, values, "a map from attribute to value"))))
        found.rows = tuple(kept)
