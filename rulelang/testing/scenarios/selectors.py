"""Find the cards and the values that a scenario names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import AttributeLayout, CardInfo, Layout
from rulelang.base.memo import IdentityKey
from rulelang.base.node import record
from rulelang.base.numbers import WORD
from rulelang.base.wording import did_you_mean, with_article
from rulelang.language.semantics.model import MISSING_INT, Attribute, Bound, CardType, Column, Model, Type
from rulelang.testing.scenarios.lexicon import nameless_hint
from rulelang.testing.scenarios.position import CardSpec
from rulelang.testing.scenarios.tokens import (
    Word,
    joined_word_count,
    known_spelling,
    listed_names,
    report_blanks,
    report_unknown,
)

# ---- values

_WHOLE = re.compile(r"[-+]?[0-9]+")
TRUTHS = {"true": 1, "false": 0}


@dataclass(slots=True)
class ValueReader:
    """Reads values at one table. `things` are what was made, by name: (kind, handle)."""

    model: Model
    layout: Layout
    options: Mapping[str, int]
    players: Sequence[str]
    out: Diagnostics
    things: dict[str, tuple[str, int]] = field(default_factory=dict)
    phases: Mapping[str, int] = field(default_factory=dict)

    def names_of(self, kind: str) -> dict[str, int]:
        """What may be written for a value of a kind."""
        if kind == "bool":
            return dict(TRUTHS)
        if kind == "player":
            return {name: seat for seat, name in enumerate(self.players, 1)}
        if kind == "phase":
            return dict(self.phases)
        if kind in self.layout.kinds:
            return {name: handle for name, (made, handle) in self.things.items() if made == kind}
        rows = self.layout.lists.get(kind, ())
        found = {name: number for number, name in enumerate(rows) if number}
        # Rows that are only counted are called `KIND 1`: two words, where a line has room for one.
        return found | {str(number): number for name, number in found.items() if name == f"{kind} {number}"}

    def of_type(self, word: Word, type_: Type, what: str) -> int | None:
        """A value of a type, or None with a diagnostic."""
        if type_.tag == "int":
            if type_.maybe and word.text == "none":
                return MISSING_INT
            return self.number(word, what)
        kind = "bool" if type_.tag == "bool" else type_.name
        known = self.names_of(kind)
        word = known_spelling(word, known)
        if word.text in known:
            return known[word.text]
        if type_.tag == "ref" and word.text == "none":
            return 0
        report_unknown(
            self.out,
            word,
            "truth value" if kind == "bool" else kind,
            known,
            "" if known else f"`{what}` is {with_article(kind)}",
        )
        return None

    def number(self, word: Word, what: str) -> int | None:
        """A whole number that the state can keep, or None after C704."""
        if not _WHOLE.fullmatch(word.text):
            self.out.error("C704", word.span, f"`{what}` is a number, not `{word.text}`")
            return None
        if len(word.text) > 11 or not abs(int(word.text)) <= WORD[1]:
            because = f"numbers must be between -{WORD[1]} and {WORD[1]}"
            self.out.error("C704", word.span, f"`{word.text}` is too large", because=because)
            return None
        return int(word.text)

    def attribute(self, word: Word, attribute: Attribute) -> int | None:
        """A value for an attribute, within its range."""
        value = self.of_type(word, attribute.type, attribute.name)
        if value is None or attribute.type.tag != "int" or value == MISSING_INT:
            return value
        low = None if attribute.low is None else self.bound(attribute.low)
        high = None if attribute.high is None else self.bound(attribute.high)
        if (low is not None and value < low) or (high is not None and value > high):
            ends = f"{'...' if low is None else low} to {'...' if high is None else high}"
            self.out.error("C704", word.span, f"`{attribute.name}` must be {ends}, not {value}")
            return None
        return value

    def bound(self, bound: Bound) -> int:
        """A bound at this table."""
        if isinstance(bound, int):
            return bound
        if bound.startswith("option."):
            return self.options[bound.removeprefix("option.")]
        number = self.model.numbers[bound].by_players[len(self.players)]
        return number if isinstance(number, int) else number[0]


# ---- cards


@record
class Pattern:
    """A card spec understood: which cards would do, and what is to be set on the one that is taken."""

    spec: CardSpec
    named: tuple[int, ...]  # cards of that name
    fitting: tuple[int, ...]  # those whose printed values are as wished
    sets: tuple[tuple[Word, Word], ...]  # attribute and value
    face: int  # the face it is named by, if it has others too


class Selector:
    """The cards of one table, of which each can be taken once."""

    def __init__(self, values: ValueReader) -> None:
        self.values = values
        self.layout = values.layout
        self.model = values.model
        self.out = values.out
        self.taken: set[int] = set()

    def understand(self, spec: CardSpec, sort: str) -> Pattern | None:
        """None, with a diagnostic, if there is no such card at all or a word means nothing."""
        traits = self.layout.lists.get("trait", ())
        called = self.called(sort)
        name = known_spelling(spec.words[0], called)
        named = called.get(name.text, [])
        if not named and "/" in name.text:  # the faces of a card may be named in any order
            faces = sorted(name.text.casefold().split("/"))
            first, last = self.layout.sorts[sort]
            every = range(first, last + 1)
            named = [card for card in every if sorted(self.layout.cards[card].label.casefold().split("/")) == faces]
        if not named:
            if several := joined_word_count(spec.words, called):
                report_blanks(self.out, spec.words[:several])
                return None
            report_unknown(self.out, name, sort, called, hint=nameless_hint(self.layout, sort))
            return None
        infos = self.layout.cards[named[0]]
        face = next((f for f in infos.faces if traits[f] == name.text and len(infos.faces) > 1), 0)
        fitting, sets = list(named), []
        words = iter(spec.words[1:])
        for said in words:
            word = known_spelling(said, (*self.model.sorts[sort].columns, *self.kept(sort, named)))
            column = self.model.sorts[sort].columns.get(word.text)
            if self.has_attribute(sort, named, word.text) or column is not None:
                value = next(words, None)
                if value is None:
                    hint = f"write it after the name: `{word.text} VALUE`"
                    self.out.error("C704", word.span, f"the value of `{word.text}` is missing", hint=hint)
                    return None
                if column is None:
                    sets.append((word, value))
                    continue
                number = self.values.of_type(value, element_type(column), word.text)
                if number is None:
                    return None
                fitting = [card for card in fitting if shows_value(self.layout.cards[card], column.name, number)]
            else:
                narrowed = [card for card in fitting if self.prints(card, self.model.sorts[sort], word)]
                if not narrowed:
                    self.no_such(word, named, sort)
                    return None
                fitting = narrowed
        if not fitting:
            self.no_such(spec.words[-1], named, sort, f"{spec.words[-2].text} ")
            return None
        return Pattern(spec, tuple(named), tuple(fitting), tuple(sets), face)

    def take(self, pattern: Pattern) -> int | None:
        """The first fitting card that nobody has taken."""
        card = next((card for card in pattern.fitting if card not in self.taken), None)
        if card is None:
            name = pattern.spec.words[0]
            text = " ".join(word.text for word in pattern.spec.words)
            count = len(pattern.fitting)
            there = "the only one is" if count == 1 else f"there are {count} of them, and all are"
            because = f"{there} already used in this scenario" if count else "the game has none"
            self.out.error("C703", name.span, f"no `{text}` is left", because=because)
            return None
        self.taken.add(card)
        return card

    def rest(self, sort: str) -> Iterator[int]:
        """Takes all cards of a sort that are left, in declared order."""
        first, last = self.layout.sorts[sort]
        for card in range(first, last + 1):
            if card not in self.taken:
                self.taken.add(card)
                yield card

    # ---- what cards are called, and what is printed on them

    def called(self, sort: str) -> dict[str, list[int]]:
        """The cards of a sort by what they may be called: row, label and faces."""
        return _cards_by_name(IdentityKey(self.layout), sort)

    def prints(self, card: int, sort: CardType, word: Word) -> bool:
        """Whether some printed value of the card reads like the word."""
        info = self.layout.cards[card]
        for column in sort.columns.values():
            type_ = element_type(column)
            if type_.tag == "int":
                number = int(word.text) if word.text.lstrip("-").isdecimal() else None
            else:
                names = self.values.names_of("bool" if type_.tag == "bool" else type_.name)
                number = names.get(known_spelling(word, names).text)
            if number is not None and shows_value(info, column.name, number):
                return True
        return False

    def no_such(self, word: Word, named: list[int], sort: str, read: str = "") -> None:
        """Report a card with the right name of which no copy has this printed value (C703)."""
        seen = []
        for column in self.model.sorts[sort].columns.values():
            if element_type(column).tag == "int":
                values = dict.fromkeys(str(self.layout.cards[card].columns.get(column.name)) for card in named)
                seen.append(f"{column.name} {' '.join(values)}")
        name = self.layout.cards[named[0]].label
        because = f"`{name}` has {'; '.join(seen)}" if seen else f"they are {listed_names([name])}"
        hint = "" if read else did_you_mean(word.text, [*self.model.sorts[sort].columns, *self.kept(sort, named)])
        self.out.error("C703", word.span, f"no `{name}` has `{read}{word.text}`", because=because, hint=hint)

    # ---- what cards keep in play

    def kept(self, sort: str, cards: list[int]) -> list[str]:
        """The names of what such cards keep."""
        return [laid.name for laid in self.layout.attributes if self.has_attribute(sort, cards, laid.name)]

    def has_attribute(self, sort: str, cards: list[int], name: str) -> bool:
        return self.attribute(sort, cards[0], name) is not None

    def attribute(self, sort: str, card: int, name: str) -> tuple[Attribute, AttributeLayout, int] | None:
        """An attribute that this card keeps, where it lies, and the card's row there."""
        for laid in self.layout.attributes:
            if laid.name != name or laid.kind != sort:
                continue
            if not laid.trait:
                return self.model.sorts[sort].attributes[name], laid, card
            row = (laid.rows or {}).get(card)
            if row:
                return self.model.traits[laid.trait].state[name], laid, row
        return None


def element_type(column: Column) -> Type:
    """The type of one printed value: of a set, of its members."""
    return Type("ref", column.type.name) if column.type.tag == "set" else column.type


def shows_value(info: CardInfo, column: str, number: int) -> bool:
    value = info.columns.get(column)
    return value == number or (isinstance(value, tuple) and number in value)


@lru_cache(32)
def _cards_by_name(layout: IdentityKey[Layout], sort: str) -> dict[str, list[int]]:
    traits = layout.item.lists.get("trait", ())
    found: dict[str, list[int]] = {}
    first, last = layout.item.sorts[sort]
    for card in range(first, last + 1):
        info = layout.item.cards[card]
        for name in {info.row: None, info.label: None, **{traits[face]: None for face in info.faces}}:
            if name:
                found.setdefault(name, []).append(card)
    return found
