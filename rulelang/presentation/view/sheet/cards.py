"""Zones and cards of a document in lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rulelang.base.languages import Language
from rulelang.presentation.view.records import Card, Fact, Zone
from rulelang.presentation.view.sheet.pieces import Line, Piece, flow

#: Zones with more cards are counted: of somebody, and of the game.
LISTED, COMMON = 30, 12
#: Zones with more cards are listed by their names alone.
TOLD = 12
#: So many printed facts of a card are shown beside its name.
FEW = 8


class Cards:
    """Tells of cards. `label`: what a part of the document is called. `texts`, `told`: as a sheet has them."""

    def __init__(
        self,
        columns: int,
        language: Language,
        label: Callable[[str | None], str],
        *,
        texts: bool = False,
        told: set[str] | None = None,
    ) -> None:
        self.columns, self.language, self.label, self.texts, self.told = columns, language, label, texts, told

        self.comma = language.row(["", ""])
        self.colon = language.say("{name}: {what}", name="", what="")

    def flow(self, pieces: Sequence[Piece], first: Sequence[Piece] = (), hang: int = 4) -> list[Line]:
        """Pieces one after the other, with the commas of the language."""
        return flow(pieces, self.columns, first, hang, self.comma)

    # ---- zones

    def counts(self, zones: Iterable[Zone], *, common: bool = False) -> list[Piece]:
        """Those of which the cards are only counted."""
        return [self.count(zone) for zone in zones if zone["count"] and not seen(zone, common)]

    def count(self, zone: Zone) -> Piece:
        """How many cards lie in a zone, and which is on top."""
        return self.topped(zone, self.language.say("{number} in {zone}", number=zone["count"], zone=zone["label"]))

    def topped(self, zone: Zone, said: str) -> Piece:
        if zone.get("cards"):
            said = self.language.say("{zone}, {card} on top", zone=said, card=zone["cards"][-1]["label"])
        return Piece(said, "fact", zone["id"])

    def zone(self, zone: Zone, indent: int, *, common: bool = False) -> list[Line]:
        """The cards of a zone, if they are seen and few."""
        if not seen(zone, common):
            return []
        head = Piece(zone["label"], "label", zone["id"])
        if zone["brief"] or zone["count"] > TOLD:
            named = [*self.named(zone["cards"])]
            return self.flow(named, [Piece(" " * indent), head, Piece(self.colon)], indent + 4)
        return self.listed(zone["cards"], head, indent)

    def listed(self, cards: Sequence[Card], head: Piece, indent: int) -> list[Line]:
        """Cards with what is printed on them: beside each other if they are short, else one below the other."""
        first = [Piece(" " * indent), head, Piece(self.colon)]
        told = [*self.told_of(cards)]
        if not self.texts:
            beside = self.flow(told, first, indent + 4)
            if len(beside) <= max(len(told) // 2, 1):
                return beside
        lines: list[Line] = [(Piece(" " * indent), head, Piece(self.colon.rstrip()))]
        for piece in told:
            lines += self.flow([piece], [Piece(" " * (indent + 2))], indent + 6)
        return lines

    def told_of(self, cards: Sequence[Card]) -> Iterator[Piece]:
        """Each card with what is printed on it; equal ones together where nobody can point at them."""
        same: dict[object, list[Card]] = {}
        for card in cards:
            alike = (self.name(card), *phrases(card["facts"]), card["text"]) if self.texts else card["id"]
            same.setdefault(alike, []).append(card)
        for first, *others in same.values():
            count = f"{len(others) + 1} x " if others else ""
            yield Piece(f"{count}{self.card(first)}", "card", first["id"])

    def inside(self, zones: Iterable[Zone], *, common: bool = False) -> list[Piece]:
        """What lies in the zones of something: the names of its cards, or how many. `common`: it is the game's; what
        is printed on a card in a place for one is told with it."""
        pieces: list[Piece] = []
        for zone in zones:
            if not seen(zone, common):
                said = f"{zone['label']}{self.colon}{zone['count']}"
                pieces += [self.topped(zone, said)] if zone["count"] else []
            elif common and zone["slot"]:
                pieces += [Piece(self.card(card), "card", card["id"]) for card in zone["cards"]]
            else:
                first, *others = self.named(zone["cards"])
                pieces += [first._replace(text=f"{zone['label']}{self.colon}{first.text}"), *others]
        return pieces

    def told_whole(self, piece: Piece) -> bool:
        """Whether a piece says what is printed on a card, in the form without brackets."""
        return bool(self.texts) and piece.style == "card" and self.colon in piece.text

    # ---- cards

    def named(self, cards: Sequence[Card]) -> Iterator[Piece]:
        """The names of cards; equal ones together where nobody can point at them."""
        told = [Piece(self.name(card), "card", card["id"]) for card in cards]
        if not self.texts:
            yield from told
        else:
            yield from (p._replace(text=f"{n} x {p.text}") if n > 1 else p for p, n in counted(told))

    def name(self, card: Card) -> str:
        """What a card is called, with what it keeps in play."""
        joined = [self.language.say("with {thing}", thing=self.label(card["joined"]))] if "joined" in card else []
        kept = [*joined, *phrases(card["kept"]), *self.held(card)]
        if not kept:
            return card["label"]
        return self.language.say("{name} ({what})", name=card["label"], what=self.language.row(kept))

    def held(self, card: Card) -> Iterator[str]:
        for zone in card["zones"]:
            yield from (self.name(inner) for inner in zone.get("cards", ()))
            if zone["count"] and "cards" not in zone:
                yield self.language.say("{number} in {zone}", number=zone["count"], zone=zone["label"])

    def card(self, card: Card) -> str:
        """A card with what is printed on it; in brief, or with its text if that was not told before."""
        name = self.name(card)
        if not self.texts:
            said = [fact.get("short") or fact["phrase"] for fact in card["facts"] if not fact["quiet"]]
            return f"[{name}{self.colon}{self.language.row(said)}]" if said and len(said) <= FEW else f"[{name}]"
        text = " ".join(card["text"].split("\n"))
        if self.told is not None and text:
            known = card["label"] in self.told
            self.told.add(card["label"])
            text = "" if known else text
        told = self.language.sentences([part for part in (self.language.clauses(phrases(card["facts"])), text) if part])
        return f"{name}{self.colon}{told}" if told else name


def seen(zone: Zone, common: bool = False) -> bool:
    """Whether the cards of a zone are shown, and not only counted."""
    return 0 < len(zone.get("cards", ())) <= (COMMON if common else LISTED)


def counted(pieces: Iterable[Piece]) -> Iterator[tuple[Piece, int]]:
    """Those of equal words together, the first of them with their number."""
    found: dict[str, tuple[Piece, int]] = {}
    for piece in pieces:
        first, count = found.get(piece.text, (piece, 0))
        found[piece.text] = first, count + 1
    yield from found.values()


def facts(found: Iterable[Fact]) -> list[Piece]:
    return [Piece(fact["phrase"], "fact", fact["id"]) for fact in found if not fact["quiet"] and fact["phrase"]]


def phrases(found: Iterable[Fact]) -> list[str]:
    return [fact["phrase"] for fact in found if not fact["quiet"] and fact["phrase"]]
