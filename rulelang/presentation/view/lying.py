"""Zones and the cards in them, as parts of a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from rulelang.base.layout import ZoneLayout
from rulelang.presentation.view.book import Book
from rulelang.presentation.view.facts import Facts
from rulelang.presentation.view.ids import Ids
from rulelang.presentation.view.leaves import Leaves, column, gathered, telling
from rulelang.presentation.view.look import Look
from rulelang.presentation.view.parts import Key, Noted, Parts
from rulelang.presentation.view.records import Card, Fact, TraitText, Zone
from rulelang.presentation.view.words import Words

T = TypeVar("T")


class Lying:
    """What lies where, in one look at one state."""

    def __init__(self, look: Look, ids: Ids, words: Words, book: Book, parts: Parts, leaves: Leaves) -> None:
        self.look, self.ids, self.words, self.book, self.parts, self.leaves = look, ids, words, book, parts, leaves
        self.layout, self.seat = look.layout, look.seat
        self.facts = Facts(look, ids, words, book, leaves)
        self.told_by: Mapping[int, tuple[int, ...]] = book.once(("told by",), self._told_by)

    def _told_by(self) -> Mapping[int, tuple[int, ...]]:
        plans = {sort: self.facts.plan(sort) for sort in self.layout.sorts}
        return telling(self.layout, {sort: plan.simple and not plan.owned for sort, plan in plans.items()})

    def part(self, key: Key, make: Callable[[], T], player: int = 0) -> T:
        """A part, which is a `player`'s: he may see another than all others."""
        return self.parts.part(self.seat, (*key, "mine") if 0 < player == self.seat else key, make)

    def kept(self, kind: str, handle: int, player: int, part: str = "") -> list[Fact]:
        """The facts that change in play; `player` is whose it is. `part`: the id, of what has not always the same."""
        if self.facts.plan(kind).simple:
            return self.facts.kept(kind, handle, player, part)
        return self.part(
            ("kept", kind, handle, player, part), lambda: self.facts.kept(kind, handle, player, part), player
        )

    # ---- zones

    def zones(self, kind: str, handle: int, player: int, part: str = "") -> list[Zone]:
        """The zones of one part. What lies in the box is out of the game."""
        shown: tuple[ZoneLayout, ...] = self.book.once(("zones", kind), lambda: self._shown(kind))
        if not shown:
            return []
        S = self.look.words_of(player)
        found = [self.zone(zone, handle, player, S, part) for zone in shown]
        return self.leaves.again((kind, handle, part, 0 < player == self.seat), found, lambda: found)

    def _shown(self, kind: str) -> tuple[ZoneLayout, ...]:
        own = [zone for zone in self.layout.zones.values() if zone.of == kind and zone.name != "box"]
        return tuple(zone for zone in own if not self.words.thing(zone.name).hidden)

    def zone(self, zone: ZoneLayout, handle: int, player: int, S: Noted, part: str) -> Zone:
        number, leaves = zone.first_id + handle, self.leaves
        cards = gathered(zone, handle, S, self.layout.card_next)
        if not self.look.sees_owned(number):
            return leaves.again((number, part), len(cards), lambda: self.covered(zone, handle, part, len(cards)))
        if all(map(self.told_by.__contains__, cards)):
            faces = column(self.layout.card_face, cards, S) if self.layout.card_face else [0] * len(cards)
            joins = self.layout.pairs and self.layout.card_partner and column(self.layout.card_partner, cards, S)
            if not joins or not any(joins):
                places = [place for card in cards for place in self.told_by[card]]
                S.pad.reads.update(places)
                lying = (cards, faces, [S.words[place] for place in places])
                return leaves.again(
                    (number, part, "seen"), lying, lambda: self.open(zone, handle, part, cards, faces, S, player)
                )
        named = self.ids.numbered(self.ids.zone(zone, handle, part), cards)
        drawn = [self.card(card, name, S, player) for card, name in zip(cards, named, strict=True)]
        return leaves.again((number, part, "drawn"), drawn, lambda: self.filled(zone, handle, part, drawn))

    def covered(self, zone: ZoneLayout, handle: int, part: str, count: int) -> Zone:
        """A zone whose cards the viewer does not see."""
        label = self.words.thing(zone.name)
        shown: Zone = {
            "id": self.ids.zone(zone, handle, part),
            "kind": "zone",
            "name": zone.name,
            "label": self.words.named(zone.name),
            "holds": zone.holds,
            "owner": part or self.ids.owner(zone.of, handle),
            "slot": zone.slot,
            "brief": label.brief,
            "count": count,
        }
        if about := self.words.said(label.text):
            shown["about"] = about
        return shown

    def filled(self, zone: ZoneLayout, handle: int, part: str, cards: list[Card]) -> Zone:
        """A zone whose cards he sees."""
        shown = self.covered(zone, handle, part, len(cards))
        shown["cards"] = cards
        return shown

    def open(
        self,
        zone: ZoneLayout,
        handle: int,
        part: str,
        cards: Sequence[int],
        faces: Sequence[int],
        S: Noted,
        player: int,
    ) -> Zone:
        """The same of cards of which words tell all: see `telling`."""
        named = self.ids.numbered(self.ids.zone(zone, handle, part), cards)
        lying = [self.lies(*one, S, player) for one in zip(cards, faces, named, strict=True)]
        return self.filled(zone, handle, part, lying)

    def lies(self, card: int, face: int, part: str, S: Noted, player: int) -> Card:
        """One of them; of which no word tells anything, it is the same object in all games of the table."""
        places = self.told_by[card]
        if not places:
            return self.book.asked(("card", card, face, part), lambda: self.drawn(card, face, part, [], []))
        sort = self.layout.cards[card].sort
        return self.leaves.again(
            ("card", part), (card, face, [S.words[place] for place in places]),
            lambda: self.drawn(card, face, part, self.facts.kept(sort, card, player, part), []),
        )  # fmt: skip

    # ---- cards

    def asked(self, card: int) -> Card:
        """A card that the viewer is asked about."""
        return self.card(card, self.ids.show(card), self.look.now, self.seat)

    def card(self, card: int, part: str, S: Noted, player: int) -> Card:
        """A card that the viewer sees, or is asked about, with its id there."""
        return self.part(("card", card, player, part), lambda: self._card(card, part, S, player), player)

    def _card(self, card: int, part: str, S: Noted, player: int) -> Card:
        sort = self.layout.cards[card].sort
        shown = self.drawn(
            card, self.facts.face(card, S), part,
            self.kept(sort, card, player, part), self.zones(sort, card, player, part),
        )  # fmt: skip
        joined = self.joined(card, S)
        if joined is not None:
            shown["joined"] = joined
        return shown

    def drawn(self, card: int, face: int, part: str, kept: list[Fact], zones: list[Zone]) -> Card:
        """A card as it lies there."""
        info = self.layout.cards[card]
        label, text, told = self.book.once(("card", card, face), lambda: self.told(card, face))
        return {
            "id": part,
            "kind": info.sort,
            "label": label,
            "row": info.row,
            "text": text,
            "traits": told,
            "facts": self.facts.printed(info, part),
            "kept": kept,
            "zones": zones,
        }

    def told(self, card: int, face: int) -> tuple[str, str, list[TraitText]]:
        """What a card that shows a face is called, what is written on it, and its traits."""
        info = self.layout.cards[card]
        rows = self.layout.lists.get("trait", ())
        traits: list[TraitText] = [
            {
                "id": f"trait:{rows[number]}",
                "label": self.words.row("trait", rows[number]),
                "text": self.words.row_text("trait", rows[number]),
            }
            for number in ([face] if face else info.faces)
        ]
        texts = [self.words.row_text(info.sort, info.row), *(trait["text"] for trait in traits)]
        return self.words.card(card, face), "\n".join(text for text in texts if text), traits

    def joined(self, card: int, S: Sequence[int]) -> str | None:
        """The thing with which a card joins the one that it lies on."""
        pairs = self.layout.pairs
        partner = S[self.layout.card_partner + card] if self.layout.card_partner and pairs else 0
        return self.ids.part(pairs.kind, partner) if pairs and partner else None
