"""All that a seat is given at a position, and after a move of its own; and the same position with other secrets."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from rulelang.base.errors import RuleError
from rulelang.base.layout import AttributeLayout
from rulelang.engine.changes import sees_zone
from rulelang.engine.state import State
from rulelang.present import document


def given_to(state: State, seat: int, texts: Sequence[str] = (), news: int = 0) -> dict[str, Any]:
    """What a seat (0: a spectator) is told: its view, its document, what it is asked, why each of the `texts` is none
    of the options, and its log from its entry `news` on."""
    viewer = seat or None
    found: dict[str, Any] = {
        "view": state.view(viewer),
        "document": document(state, viewer),
        "log": [str(event) for event in state.log_for(viewer)[news:]],
    }
    if state.over:
        return found
    found["asked"] = state.decider
    if state.decider == seat:
        found["options"] = [(option.text, option.key) for option in state.decision.options]
        found["prompt"] = state.decision.prompt
        found["why not"] = {text: [str(refusal) for refusal in state.why_not(text)] for text in texts}
        found["errors"] = [str(refusal) for refusal in state.find(-1)] if seat else []  # type: ignore[union-attr]
    return found


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


def leaks(state: State, seat: int, chance: random.Random, texts: Sequence[str], *, moves: int = 0) -> str:
    """What a seat can tell two positions apart by that it must not know apart; "" for nothing.

    `moves`: so many of its options are taken in both, and looked at behind, unless it sees other cards then (it has
    drawn some, or somebody has shown some), chance was asked, or the game is over.
    """
    other = with_other_secrets(state, seat, chance)
    same = tuple(one.words[one.table.program.layout.cells.decider] for one in (state, other))
    found = unlike(given_to(state, seat, texts), given_to(other, seat, texts))
    if found or not moves or state.over or state.decider != seat:
        return found
    assert same[0] == same[1]
    for index in chance.sample(range(state.option_count), min(moves, state.option_count)):
        text = state.decision.options[index].text
        begun = len(state.log_for(viewer_of(seat)))
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
            return f"after `{text}`: the rules go wrong in one of them"
        if one is None or two is None:
            continue
        if one.over and two.over:
            continue  # the scores tell what is counted
        cells = one.table.program.layout.cells
        if one.words[cells.forced] != two.words[cells.forced]:
            continue  # what is forced is done unasked, which may tell others something: see docs/language/meaning.md
        if seen_cards(one, seat) != seen_cards(two, seat) or one.words[cells.rng_x] != state.words[cells.rng_x]:
            continue
        found = unlike(given_to(one, seat, (), begun), given_to(two, seat, (), begun))
        if found:
            return f"after `{text}`: {found}"
    return ""


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
