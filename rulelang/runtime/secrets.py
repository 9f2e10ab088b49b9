"""What one player can know of a state, in words: an observation, and states that he cannot tell from the real one.

Hidden are the cards in zones that he does not see, the words of attributes that he does not see, the generators, and
what a paused routine keeps in its frames. A determinization deals the hidden cards anew among the places where hidden
cards lie. These stay where they are: cards that something refers to, cards whose traits work where they lie, cards that
bear other cards, and what is out of the game. Hidden numbers stay too. So a search on determinizations plays fair where
secrets are cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.hidden_state import (
    BOX,
    CARD,
    EVERYONE,
    OWNER,
    PLAYER,
    THING,
    SecretWord,
    ZoneRow,
    card_references,
    exchange_groups,
    secret_words,
    trait_words,
    zone_rows,
)
from rulelang.base.layout import Layout, ZoneLayout
from rulelang.base.node import record
from rulelang.runtime.rng import Generator


@record
class Hidden:
    """A card in a hidden zone: which zone (its number in the layout, its instance), and whether it stays there."""

    zone: int
    instance: int
    card: int
    stays: bool


class Secrets:
    """The secrets of one table's states."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.zones: list[ZoneRow] = zone_rows(layout)
        self.words: list[SecretWord] = secret_words(layout)
        self.trait_words = trait_words(layout)
        self.references = card_references(layout)
        self.groups = exchange_groups(layout)

    # ---- what is hidden

    def hides(self, zone: ZoneRow, instance: int, seat: int) -> bool:
        if zone.seen == OWNER:
            return not seat or self.layout.zone_player[zone.first_id + instance] != seat
        return zone.seen != EVERYONE

    def cards(self, S: Sequence[int], zone: ZoneRow, instance: int) -> list[int]:
        return cards_in(zone, instance, S, self.layout.card_next)

    def hidden(self, S: Sequence[int], seat: int, end: int, too: Sequence[int] = ()) -> list[Hidden]:
        """All cards in hidden zones, in the order of the layout. `end`: of the words that frames take. `too`, by zone
        id: 1 for zones that count as hidden."""
        named = {word for word in S[self.layout.stack : end] if 0 < word < len(self.groups)}
        for base, count in self.references:
            named.update(S[base : base + count])
        found = []
        for number, zone in enumerate(self.zones):
            for instance in range(zone.low, zone.high + 1):
                counts = bool(too) and too[zone.first_id + instance]
                if zone.seen == BOX or not (counts or self.hides(zone, instance, seat)):
                    continue
                for card in self.cards(S, zone, instance):
                    stays = bool(zone.counted) or not self.groups[card] or card in named
                    found.append(Hidden(number, instance, card, stays))
        return found

    # ---- determinization

    def determinise(self, S: list[int], seat: int, end: int, chance: Generator) -> None:
        """Deal the cards that a seat does not see anew, in place. Chance from here on is another too."""
        hidden = self.hidden(S, seat, end)
        cards = [place.card for place in hidden]
        for group in range(1, max(self.groups, default=0) + 1):
            free = [i for i, place in enumerate(hidden) if not place.stays and self.groups[place.card] == group]
            for i in range(len(free) - 1, 0, -1):
                k = chance.below(i + 1)
                cards[free[i]], cards[free[k]] = cards[free[k]], cards[free[i]]
        self.lay(S, hidden, cards)
        cells = self.layout.cells
        S[cells.rng_x], S[cells.rng_c] = chance.below(1 << 30), 1 + chance.below(1 << 29)
        S[cells.policy_x], S[cells.policy_c] = chance.below(1 << 30), 1 + chance.below(1 << 29)

    def lay(self, S: list[int], hidden: Sequence[Hidden], cards: Sequence[int]) -> None:
        """Put cards into the places of hidden ones."""
        layout = self.layout
        at = 0
        while at < len(hidden):
            number, instance = hidden[at].zone, hidden[at].instance
            zone = self.zones[number]
            start = at
            before = 0
            while at < len(hidden) and (hidden[at].zone, hidden[at].instance) == (number, instance):
                card = cards[at]
                S[layout.where + card] = zone.first_id + instance
                if zone.array:
                    S[zone.base + instance * zone.stride + 1 + at - start] = card
                    S[layout.card_prev + card] = S[layout.card_next + card] = 0
                else:
                    S[(layout.card_next + before) if before else (zone.first + instance)] = card
                    S[layout.card_prev + card] = before
                    S[layout.card_next + card] = 0
                    S[zone.last + instance] = card
                before = card
                at += 1

    # ---- observation

    def observe(self, S: Sequence[int], seat: int) -> list[int]:
        """The words as a seat (0: a spectator) may know them: what it does not see is 0."""
        layout, cells = self.layout, self.layout.cells
        seen = list(S)
        for word in self.words:
            for handle in range(1 if word.whose != 0 else 0, word.count + 1):
                if not self.sees(S, word, handle, seat):
                    start = word.base + handle * word.width
                    seen[start : start + word.width] = [0] * word.width
        for address, card in self.trait_words:
            if not seat or layout.zone_player[S[layout.where + card]] != seat:
                seen[address] = 0
        columns = (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.silent)
        for zone in self.zones:
            for instance in range(zone.low, zone.high + 1):
                if not self.hides(zone, instance, seat):
                    continue
                for place, card in enumerate(self.cards(S, zone, instance), 1):
                    for column in columns:
                        if column:
                            seen[column + card] = 0
                    if zone.array:
                        seen[zone.base + instance * zone.stride + place] = 0
                if not zone.array:
                    seen[zone.first + instance] = seen[zone.last + instance] = 0
        for cell in (cells.rng_x, cells.rng_c, cells.policy_x, cells.policy_c):
            seen[cell] = 0
        seen[layout.stack :] = [0] * (layout.size - layout.stack)
        return seen

    def sees(self, S: Sequence[int], word: SecretWord, handle: int, seat: int) -> bool:
        if word.seen != OWNER or not seat:
            return False
        if word.whose == PLAYER:
            return handle == seat
        if word.whose == THING:
            return (handle - 1) // word.each + 1 == seat
        return word.whose == CARD and self.layout.zone_player[S[self.layout.where + handle]] == seat


def cards_in(zone: ZoneLayout | ZoneRow, owner: int, S: Sequence[int], card_next: int) -> list[int]:
    """The cards in one instance of a zone, bottom (or first) to top."""
    if zone.array:
        start = zone.base + owner * zone.stride
        return list(S[start + 1 : start + 1 + S[start]])
    found = []
    card = S[zone.first + owner]
    while card:
        found.append(card)
        card = S[card_next + card]
    return found
