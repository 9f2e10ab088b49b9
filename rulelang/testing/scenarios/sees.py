"""`sees`: what a seat's view shows of hands, piles and attributes, and what it hides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import Layout
from rulelang.base.node import record
from rulelang.data.yaml_nodes import YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.model import Attribute, Grid, Listing, Made, Model, Type
from rulelang.language.semantics.state_layout import type_name
from rulelang.runtime.decision import normal
from rulelang.runtime.views import printed
from rulelang.testing.scenarios.lexicon import Spoken
from rulelang.testing.scenarios.position import CardSpec, several
from rulelang.testing.scenarios.tokens import Word, items, meant, split, unknown, whole, wrong_shape

HIDDEN = "hidden"


@record
class Sight:
    """What a seat sees of one zone or attribute: `NAME` of the game, or of `owner` (a player, a thing or a row).

    `wanted`: hidden, a number (of cards, or a value), a text, or cards in any order.
    """

    path: Word
    owner: str
    name: str
    zone: bool
    wanted: str | tuple[CardSpec, ...]

    def expected(self) -> str:
        if isinstance(self.wanted, str):
            return self.wanted
        return ", ".join(" ".join(word.text for word in card.words) for card in self.wanted) or "no cards"


def read_sight(
    word: Word, node: YamlNode, names: Mapping[str, Type], model: Model, spoken: Spoken, out: Diagnostics
) -> Sight | None:
    """`OWNER.NAME: what is seen`, or `NAME: ...` of a zone or value of the game."""
    owner, _, name = word.text.rpartition(".")
    kind: str | None = None
    if owner:
        owner = meant(word._replace(text=owner), (*names, *_rows(model))).text
        kind = _kind(owner, names, model)
        if kind is None:
            unknown(out, word._replace(text=owner), "player, thing or row", names)
            return None
    zones = {zone.name.rpartition(".")[2]: zone for zone in model.zones.values() if zone.of == kind}
    attributes = _attributes(kind, model)
    name = meant(word._replace(text=name), (*zones, *attributes)).text
    if name not in zones and name not in attributes:
        unknown(out, word._replace(text=name), "zone or attribute there", [*zones, *attributes])
        return None
    if isinstance(node, YamlSeq) and name in zones:
        cards = []
        for item in items(node):
            if not isinstance(item, YamlScalar) or not item.text.strip():
                wrong_shape(out, item, "a card by name", "NAME value")
                return None
            count, card = several(CardSpec(tuple(split(item))))
            _card(card, zones[name].holds, spoken, out)
            cards += [card] * min(count, len(item.text) * 1000)
        return Sight(word, owner, name, True, tuple(cards))
    if isinstance(node, YamlScalar) and node.value is not None:
        if name in zones and node.text != HIDDEN and not node.text.isdecimal():
            card = CardSpec(tuple(split(node)))
            _card(card, zones[name].holds, spoken, out)
            return Sight(word, owner, name, True, (card,))
        if name in attributes:
            _value_of(whole(node), attributes[name], spoken, out)
        return Sight(word, owner, name, name in zones, node.text)
    wrong_shape(out, node, "a view: `hidden`, a number, a value or a list of cards", f"{word.text}: {HIDDEN}")
    return None


def _card(card: CardSpec, sort: str, spoken: Spoken, out: Diagnostics) -> None:
    """C702 for a card that there is not."""
    said = normal(" ".join(word.text for word in card.words)).split()
    if said and not any(spoken.of(sort).has(" ".join(said[:end])) for end in range(1, len(said) + 1)):
        unknown(out, card.words[0], sort, spoken.given(sort))


def _value_of(word: Word, attribute: Attribute, spoken: Spoken, out: Diagnostics) -> None:
    """C702 or C704 for what an attribute can never be."""
    kind, text = type_name(attribute.type), normal(word.text)
    if text == HIDDEN or attribute.index:
        return
    if kind == "int":
        if not text.removeprefix("-").isdecimal() and not (attribute.type.maybe and text == "none"):
            out.error("C704", word.span, f"`{attribute.name}` is a number, not `{word.text}`")
    elif not spoken.told(kind).has(text):
        unknown(out, word, kind, spoken.given(kind))


def _kind(owner: str, names: Mapping[str, Type], model: Model) -> str | None:
    if owner in names:
        return "player" if names[owner].name == "player" else names[owner].name
    return _rows(model).get(owner)


def _rows(model: Model) -> dict[str, str]:
    """The rows of lists, by name, with their list."""
    return {row.name: kind for kind, listing in model.lists.items() for row in listing.rows}


def _attributes(kind: str | None, model: Model) -> Mapping[str, Attribute]:
    if kind is None:
        return model.state
    if kind == "player":
        return model.player_attributes
    holders: dict[str, Made | Listing | Grid] = {**model.made, **model.lists, **model.grids}
    return holders[kind].attributes if kind in holders else {}


def shown(sight: Sight, view: Mapping[str, Any], layout: Layout) -> tuple[bool, str]:
    """Whether a view shows what is wanted, and what it shows."""
    there = next(_owners(sight.owner, view), None)
    if there is None:
        return False, f"there is no `{sight.owner}`"
    if not sight.zone:
        found = there["attributes"]
        text = _value(found[sight.name]) if sight.name in found else HIDDEN
        return isinstance(sight.wanted, str) and normal(text) == normal(sight.wanted), text
    zone = next(zone for name, zone in there["zones"].items() if name.rpartition(".")[2] == sight.name)
    cards = zone.get("cards")
    if isinstance(sight.wanted, str) and sight.wanted != HIDDEN:
        return zone["count"] == int(sight.wanted), str(zone["count"])
    if cards is None:
        return sight.wanted == HIDDEN, HIDDEN
    labels = ", ".join(card["label"] for card in cards) or "no cards"
    return not isinstance(sight.wanted, str) and _same(list(sight.wanted), list(cards), layout), labels


def _owners(name: str, view: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if not name:
        yield {"attributes": view["state"], "zones": view["zones"]}
        return
    of_players = [thing for player in view["players"] for made in player["things"].values() for thing in made]
    of_nobody = [thing for made in view["nobody"].values() for thing in made]
    rows = [row for listed in view["lists"].values() for row in listed]
    for part in (*view["players"], *of_players, *of_nobody, *rows):
        if name in (part["name"], part["name"].replace(" ", "")):
            yield part


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


def _same(wanted: list[CardSpec], cards: list[Mapping[str, Any]], layout: Layout) -> bool:
    """Whether these are the cards. The most particular are looked for first, so that none takes another's."""
    if len(wanted) != len(cards):
        return False
    for spec in sorted(wanted, key=lambda spec: -len(spec.words)):
        found = next((card for card in cards if _fits(spec, card, _printed(card, layout))), None)
        if found is None:
            return False
        cards.remove(found)
    return True


def _printed(card: Mapping[str, Any], layout: Layout) -> set[str]:
    """What may be said of a card beside its name: its columns, and what is printed there."""
    for info in layout.cards:
        same = info.sort == card["sort"] and info.row == card["row"]
        if same and printed(info, layout) == card["printed"]:
            return {*info.texts, *(word for text in info.texts.values() for word in text.split(","))}
    return set()


def _fits(spec: CardSpec, card: Mapping[str, Any], printed: set[str]) -> bool:
    text = normal(" ".join(word.text for word in spec.words))
    for name in map(normal, (card["label"], card["row"] or card["label"])):
        rest = text[len(name) :] if text.startswith(name) else None
        if rest is not None and (not rest or rest.startswith(" ")) and set(rest.split()) <= set(map(normal, printed)):
            return True
    return False
