"""Finds the cards that a scenario names: by row, face or label, and by printed values where copies differ."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rulelang.base.layout import AttributeLayout, CardInfo, Layout
from rulelang.base.memo import IdentityKey
from rulelang.base.node import record
from rulelang.base.wording import did_you_mean
from rulelang.language.semantics.model import Attribute, CardType, Column, Type
from rulelang.testing.scenarios.lexicon import nameless
from rulelang.testing.scenarios.position import CardSpec
from rulelang.testing.scenarios.tokens import Word, blanks, in_one, listed, meant, unknown
from rulelang.testing.scenarios.values import Values


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

    def __init__(self, values: Values) -> None:
        self.values = values
        self.layout = values.layout
        self.model = values.model
        self.out = values.out
        self.taken: set[int] = set()

    def understand(self, spec: CardSpec, sort: str) -> Pattern | None:
        """None, with a diagnostic, if there is no such card at all or a word means nothing."""
        traits = self.layout.lists.get("trait", ())
        called = self.called(sort)
        name = meant(spec.words[0], called)
        named = called.get(name.text, [])
        if not named and "/" in name.text:  # the faces of a card may be named in any order
            faces = sorted(name.text.casefold().split("/"))
            first, last = self.layout.sorts[sort]
            every = range(first, last + 1)
            named = [card for card in every if sorted(self.layout.cards[card].label.casefold().split("/")) == faces]
        if not named:
            if several := in_one(spec.words, called):
                blanks(self.out, spec.words[:several])
                return None
            unknown(self.out, name, sort, called, hint=nameless(self.layout, sort))
            return None
        infos = self.layout.cards[named[0]]
        face = next((f for f in infos.faces if traits[f] == name.text and len(infos.faces) > 1), 0)
        fitting, sets = list(named), []
        words = iter(spec.words[1:])
        for said in words:
            word = meant(said, (*self.model.sorts[sort].columns, *self.kept(sort, named)))
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
                number = self.values.of_type(value, element(column), word.text)
                if number is None:
                    return None
                fitting = [card for card in fitting if shows(self.layout.cards[card], column.name, number)]
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
        return _called(IdentityKey(self.layout), sort)

    def prints(self, card: int, sort: CardType, word: Word) -> bool:
        """Whether some printed value of the card reads like the word."""
        info = self.layout.cards[card]
        for column in sort.columns.values():
            type_ = element(column)
            if type_.tag == "int":
                number = int(word.text) if word.text.lstrip("-").isdecimal() else None
            else:
                names = self.values.names_of("bool" if type_.tag == "bool" else type_.name)
                number = names.get(meant(word, names).text)
            if number is not None and shows(info, column.name, number):
                return True
        return False

    def no_such(self, word: Word, named: list[int], sort: str, read: str = "") -> None:
        """Report a card with the right name of which no copy has this printed value (C703)."""
        seen = []
        for column in self.model.sorts[sort].columns.values():
            if element(column).tag == "int":
                values = dict.fromkeys(str(self.layout.cards[card].columns.get(column.name)) for card in named)
                seen.append(f"{column.name} {' '.join(values)}")
        name = self.layout.cards[named[0]].label
        because = f"`{name}` has {'; '.join(seen)}" if seen else f"they are {listed([name])}"
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


def element(column: Column) -> Type:
    """The type of one printed value: of a set, of its members."""
    return Type("ref", column.type.name) if column.type.tag == "set" else column.type


def shows(info: CardInfo, column: str, number: int) -> bool:
    value = info.columns.get(column)
    return value == number or (isinstance(value, tuple) and number in value)


@lru_cache(32)
def _called(layout: IdentityKey[Layout], sort: str) -> dict[str, list[int]]:
    traits = layout.item.lists.get("trait", ())
    found: dict[str, list[int]] = {}
    first, last = layout.item.sorts[sort]
    for card in range(first, last + 1):
        info = layout.item.cards[card]
        for name in {info.row: None, info.label: None, **{traits[face]: None for face in info.faces}}:
            if name:
                found.setdefault(name, []).append(card)
    return found
