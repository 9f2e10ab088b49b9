"""All that a seat is given at a position, and after a move of its own; and the same position with other secrets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulelang.base.errors import RuleError
from rulelang.base.layout import AttributeLayout
from rulelang.presentation.view.document import Documents, document
from rulelang.presentation.view.look import Look
from rulelang.presentation.view.words import SharedTexts
from rulelang.runtime.changes import sees_zone
from rulelang.runtime.recorder import Entry
from rulelang.runtime.state import State
from rulelang.runtime.views import View, view_data

#: At one look in so many, everything is made anew.
WHOLE = 128
#: Documents of the game, and of what is dealt otherwise.
Both = tuple[Documents, Documents]


def given_to(state: State, seat: int, texts: Sequence[str] = ()) -> dict[str, Any]:
    """What a seat (0: a spectator) is told: its view, its document, its log, what it is asked, and why each of the
    `texts` is none of the options."""
    viewer = viewer_of(seat)
    found = {"view": state.view(viewer), "document": document(state, viewer), "log": told(state, seat)}
    return found if state.over else {**found, "asked": state.decider, **asked_of(state, seat, texts)}


def told(state: State, seat: int, begun: int = 0) -> list[str]:
    """What its log says from its entry `begun` on."""
    return [str(event) for event in state.log_for(viewer_of(seat))[begun:]]


def asked_of(state: State, seat: int, texts: Sequence[str]) -> dict[str, Any]:
    """What one who is asked can choose, and what he is answered."""
    if state.decider != seat:
        return {}
    return {
        "prompt": state.decision.prompt,
        "options": [(option.text, option.key) for option in state.decision.options],
        "why not": {text: [str(refusal) for refusal in state.why_not(text)] for text in texts},
        "errors": [str(refusal) for refusal in state.find(-1)],  # type: ignore[union-attr]
    }


def with_other_secrets(state: State, seat: int, chance: random.Random) -> State:
    """The same position with the cards dealt anew that a seat does not see, and other numbers where it sees none."""
    table = state.table
    words = list(state.determinize(viewer_of(seat), chance.randrange(1 << 30)).words)
    cells = table.program.layout.cells
    for cell in (cells.rng_x, cells.rng_c, cells.policy_x, cells.policy_c):
        words[cell] = state.words[cell]  # what is rolled is another matter
    for attribute in table.program.layout.attributes:
        if attribute.seen_by != "everyone" and attribute.type in ("int", "bool") and not attribute.trait:
            for handle in hidden_of(state, attribute, seat):
                start = attribute.base + handle * attribute.width
                for place in range(start, start + attribute.width):
                    words[place] = another(attribute, words[place], chance)
    return state.altered(words)


def viewer_of(seat: int) -> int | None:
    return seat or None


def another(attribute: AttributeLayout, word: int, chance: random.Random) -> int:
    """Another number that the attribute may have, near the one that it has."""
    low, high = attribute.holds
    near = [number for number in range(max(low, word - 3), min(high, word + 3) + 1) if number != word]
    return chance.choice(near) if near else word


def hidden_of(state: State, attribute: AttributeLayout, seat: int) -> Iterator[int]:
    """The handles of an attribute whose values a seat does not see."""
    layout = state.table.program.layout
    if not attribute.kind:
        yield 0
    elif attribute.kind == "player":
        yield from (p for p in range(1, state.table.players + 1) if p != seat or attribute.seen_by == "nobody")
    elif attribute.kind in layout.kinds:
        made = layout.kinds[attribute.kind]
        for handle in range(1, made.owners * made.per_owner + 1):
            owner = (handle - 1) // made.per_owner + 1
            if state.words[made.alive + handle] and (owner != seat or attribute.seen_by == "nobody"):
                yield handle


def seen_cards(state: State, seat: int) -> list[tuple[int, int]]:
    """The cards that a seat sees, and where."""
    layout = state.table.program.layout
    where = ((card, state.words[layout.where + card]) for card in range(1, len(layout.cards)))
    return [(card, zone) for card, zone in where if sees_zone(state.table, zone, seat)]


#: So many dice of a move are fixed; further ones are rolled.
DICE = 12


def dice_shown(state: State, seat: int, index: int, chance: random.Random) -> str:
    """Return what a seat sees differ after an option of the one who is asked, if a die falls otherwise that changes
    nothing but what the seat may not see; "" for nothing."""
    fixed = [chance.randrange(2) for _ in range(DICE)]
    one = thrown(state, index, fixed)
    if one is None or one.over:
        return ""
    for place in range(DICE - len(one.dice)):
        for value in (1 - fixed[place], 5):
            other = thrown(state, index, [*fixed[:place], value, *fixed[place + 1 :]])
            if other is None or other.over or [*one.words] == [*other.words]:
                continue
            table = state.table
            if [*table.known(one.words, seat)] != [*table.known(other.words, seat)]:
                continue
            begun = len(state.log_for(viewer_of(seat)))
            if found := unlike(told(one, seat, begun), told(other, seat, begun), "log"):
                return found
            if found := unlike(given_to(one, seat), given_to(other, seat)):
                return found
    return ""


def thrown(state: State, index: int, dice: Sequence[int]) -> State | None:
    """Return the state after an option with these dice; None if the rules do not allow that."""
    after = state.altered([*state.words], dice=dice)
    try:
        after.play(index)
    except RuleError:
        return None
    return after if after.misfit is None else None


class Telling:
    """Compares what a seat is given in positions of one game, as it goes on, with what it would be given if what is
    hidden from it were otherwise.

    Documents and views are made of parts that are kept as long as the words that they were read from stay the same
    (`rulelang.presentation.view.parts`): those of the game by themselves, and those of the other deals. `whole`: at one
    look in so many everything is made anew besides, compared, and held against what was kept.
    """

    def __init__(self, state: State, chance: random.Random, whole: int = WHOLE) -> None:
        self.state, self.chance, self.whole, self.looks = state, chance, whole, 0
        self.book = SharedTexts()
        self.kept: dict[int, Both] = {}

    def both(self, seat: int) -> Both:
        """What is kept for a seat."""
        if seat not in self.kept:
            one, other = (Documents(self.state, self.book, traced=False) for _ in range(2))
            self.kept[seat] = one, other
        return self.kept[seat]

    def leaks(self, state: State, seat: int, texts: Sequence[str], *, moves: int = 0) -> str:
        """What a seat can tell two positions apart by that it must not know apart; "" for nothing. `texts`: of moves,
        of which it is asked why they are none of its options.

        `moves`: so many of its options are taken in both, and looked at behind, unless it sees other cards then (it
        has drawn some, or somebody has shown some), chance was asked, or the game is over.
        """
        other = with_other_secrets(state, seat, self.chance)
        self.looks += 1
        if found := self.compared(state, other, seat, texts):
            return found
        if self.looks % self.whole == 1 and (found := self.in_full(state, other, seat, texts)):
            return found
        if state.over or state.decider != seat:
            return ""
        for index in self.chance.sample(range(state.option_count), min(moves, state.option_count)):
            if found := self.behind(state, other, seat, index):
                return f"after `{state.decision.options[index].text}`: {found}"
            for viewer in range(len(state.players) + 1):
                if found := dice_shown(state, viewer, index, random.Random(self.looks)):
                    return f"after `{state.decision.options[index].text}`, dice for {viewer}: {found}"
        return ""

    def behind(self, state: State, other: State, seat: int, index: int) -> str:
        """The same after an option was taken in both."""
        ends = []
        for one in (state.clone(), other.clone()):
            try:
                one.play(index)
            except RuleError as error:
                ends.append((None, error.diagnostic.code))
            else:
                ends.append((one, ""))
        (one, wrong), (two, wrong_too) = ends
        if wrong != wrong_too:
            return "the rules go wrong in one of them"
        if one is None or two is None or (one.over and two.over):
            return ""  # the scores tell what is counted
        cells = one.table.program.layout.cells
        if one.words[cells.forced] != two.words[cells.forced]:
            return ""  # what is forced is done unasked, which may tell others something: see docs/language/meaning.md
        if seen_cards(one, seat) != seen_cards(two, seat) or one.words[cells.rng_x] != state.words[cells.rng_x]:
            return ""
        if found := self.compared(one, two, seat):
            return found
        if news(state, one) != news(state, two):  # equal entries are told in equal words
            begun = len(state.log_for(viewer_of(seat)))
            return unlike(told(one, seat, begun), told(two, seat, begun), "log")
        return ""

    def compared(self, one: State, other: State, seat: int, texts: Sequence[str] = ()) -> str:
        """All but the log: what went before is the same in both, and so is what is told of it."""
        if found := unlike((one.over, one.decider), (other.over, other.decider), "asked"):
            return found
        if one.decider == seat and (found := unlike(one.keys, other.keys, "options")):
            return found
        for name, of in (("document", document_of), ("view", view_of)):
            left, right = (of(kept, state, seat) for kept, state in zip(self.both(seat), (one, other), strict=True))
            if found := unlike(left, right, name):
                return found
        return "" if one.over else unlike(asked_of(one, seat, texts), asked_of(other, seat, texts))

    def in_full(self, one: State, other: State, seat: int, texts: Sequence[str]) -> str:
        """Everything anew; AssertionError if what was kept is not what it should be."""
        found = [given_to(state, seat, texts) for state in (one, other)]
        for kept, state, given in zip(self.both(seat), (one, other), found, strict=True):
            whole = {**document_of(kept, state, seat), "log": given["document"]["log"]}
            assert unlike(whole, given["document"]) == "" == unlike(view_of(kept, state, seat), given["view"])
        return unlike(*found)


class Kept(Look):
    """A look whose pieces are kept with the parts of documents."""

    def __init__(self, kept: Documents, state: State, seat: int) -> None:
        super().__init__(state.table, state.names, kept.now, kept.public, seat, kept.parts.pad, kept.worked)
        self.parts = kept.parts

    def part(self, make: Callable[..., View], *of: object) -> View:
        return self.parts.part(self.seat, ("view", self.seat, make.__name__, *of), lambda: make(*of))

    def player(self, player: int) -> View:
        return self.part(super().player, player)

    def things(self, player: int) -> View:
        return self.part(super().things, player)

    def attributes(self, kind: str, handle: int, player: int) -> View:
        return self.part(super().attributes, kind, handle, player)

    def zones(self, of: str, handle: int, player: int) -> View:
        return self.part(super().zones, of, handle, player)

    def card(self, card: int, S: Sequence[int], player: int) -> View:
        """`S` are the words of the player."""
        return self.part(lambda card, player: super(Kept, self).card(card, S, player), card, player)

    def rows(self) -> View:
        return self.part(super().rows)

    def tables(self) -> View:
        return self.part(super().tables)


def document_of(kept: Documents, state: State, seat: int) -> Any:
    return kept.of(state, seat)


def view_of(kept: Documents, state: State, seat: int) -> Any:
    """As `State.view`."""
    kept.of(state, seat)
    return view_data(Kept(kept, state, seat), None if state.over else state.decision)


def news(before: State, after: State) -> list[Entry]:
    """What was noted in between, newest first."""
    found, chain = [], after._host.chain
    while chain is not before._host.chain:
        assert chain is not None
        found.append(chain[0])
        chain = chain[1]
    return found


def unlike(one: Any, other: Any, path: str = "") -> str:
    """The first part in which two pieces of data differ, with both values."""
    if one == other:
        return ""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys((*one, *other)):
            if found := unlike(one.get(key), other.get(key), f"{path}.{key}" if path else str(key)):
                return found
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and len(one) == len(other):
        for place, (left, right) in enumerate(zip(one, other, strict=True)):
            if found := unlike(left, right, f"{path}[{place}]"):
                return found
    return f"{path}: {str(one)[:150]} | {str(other)[:150]}"
