"""Names, values and headings of one table in the words of a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from rulelang.base.labels import NO_LABEL, Label, Texts, in_english, name_in_words
from rulelang.base.layout import CardInfo, Layout
from rulelang.base.phrases import Filling, word_form
from rulelang.language.semantics.model import Condition
from rulelang.presentation.view.document_types import Term
from rulelang.runtime.display_names import UNSEEN, Names, filled_pattern

# ---- own phrases

#: By what they are for: templates, found by catalogues of languages under this name.
PHRASES = {
    "named": "{name} {value}",
    "unit": "{value} {unit}",
    "at least": "{name} at least {number}",
    "at most": "{name} at most {number}",
    "more than": "{name} more than {number}",
    "less than": "{name} less than {number}",
    "exactly": "{name} exactly {number}",
    "not": "{name} not {number}",
    "some": "{name}",
    "none": "no {name}",
    "level": "{value} ({level} of {levels})",
    "round": "round {number}",
    "asked": "{player}: {prompt}",
    "decides": "{player} must choose",
    "what": "what do you do?",
    "pass": "pass",
    "none of them": "none of them",
    "action": "{action}: {parameters}",
    "of": "{part} of {whole}",
    "over": "the game is over",
}


# ---- words of a table

_HOLE = re.compile(r"\{([^{}]*)\}")


class Words:
    """Everything is looked up in the labels of the table, and called by its name in the rules if it has none."""

    def __init__(self, layout: Layout, names: Names) -> None:
        self.layout = layout
        self.labels = layout.labels
        self.names = names
        self.language = names.language

    def said(self, texts: Texts) -> str:
        """A text in the reader's language."""
        return self.language.of(texts)

    def phrase(self, key: str, **holes: Filling) -> str:
        """A phrase of this room with its holes filled."""
        return self.language.say(PHRASES[key], **holes)

    def called(self, name: str) -> str:
        """A name of the rules that has no label of its own."""
        return self.language.word(name_in_words(name))

    def source(self, name: str) -> str:
        """The trait, row or card that brings a rule; "" for the core rules."""
        return self.names.source(name) if name else ""

    # ---- what is declared

    def thing(self, name: str) -> Label:
        """The label of a kind, list, zone, table, action or phase."""
        return self.labels.things.get(name, NO_LABEL)

    def named(self, name: str) -> str:
        """What one of them is called."""
        return self.said(self.thing(name).name) or self.called(name)

    def plural(self, name: str) -> str:
        """What several of them are called."""
        return self.names.several(name)

    def member(self, kind: str, name: str) -> Label:
        """The label of an attribute, a column or a shown value."""
        return self.labels.member(kind, name)

    def member_name(self, kind: str, name: str) -> str:
        return self.said(self.member(kind, name).name) or self.called(name)

    def row_label(self, kind: str, name: str) -> Label:
        return self.labels.rows.get(kind, {}).get(name, NO_LABEL)

    # ---- values

    def value(self, kind: str, value: int, face: int = 0) -> str:
        """A value of a kind (`int` and `bool` too) as people read it."""
        layout = self.layout
        if kind in layout.sorts and value:
            return self.card(value, face)
        if kind == "trait" and value:
            return self.row(kind, layout.lists["trait"][value])
        if kind in ("int", "bool", "player") or kind in layout.kinds or not value:
            return self.names.text(kind, value)
        rows = layout.lists.get(kind, ())
        return self.row(kind, rows[value]) if 0 < value < len(rows) else self.names.text(kind, value)

    def row(self, kind: str, name: str) -> str:
        """What a row of a list is called."""
        return self.names.row(kind, name)

    def row_text(self, kind: str, name: str) -> str:
        return self.said(self.row_label(kind, name).text)

    def card(self, card: int, face: int = 0) -> str:
        """A card by the face that it shows, else by its row, else by what it can be played as. -1: it was not seen."""
        return self.language.word(UNSEEN) if face < 0 else self.names.card(card, face)

    def printed_card(self, info: CardInfo) -> str:
        """A card by what is printed on it, as it is called where it shows no face."""
        return self.names.printed_card(info)

    def filled(self, pattern: str, info: CardInfo) -> str:
        """A pattern such as `{name} ({part})` with what is printed on a card."""
        holes = {name: self.names.printed(info, name) for name in info.columns}
        return filled_pattern(pattern, {**holes, "name": self.names.card_name(info)})

    # ---- numbers and conditions

    def number(self, value: int, label: Label) -> str:
        """A number with its unit."""
        own = label.unit.get(self.language.code)
        if own:
            return self.phrase("unit", value=value, unit=word_form(self.language.code, own.split("|"), value))
        forms = in_english(label.unit)
        if not forms:
            return str(value)
        ways = forms if "|" in forms else f"{forms}|{forms}"
        return self.language.say(f"{{value}} {{value:{ways}}}", value=value)

    def terms(self, condition: Condition, list_: str, prefix: str) -> list[Term]:
        """The terms of a condition on a list; `prefix` stands before the names of rows in their ids."""
        rows = self.layout.lists[list_]
        return [
            {
                "measures": [f"{prefix}{rows[number]}" for number in term.measures],
                "op": term.op,
                "number": term.number,
                "text": self._term([self.row(list_, rows[m]) for m in term.measures], term.op, term.number),
            }
            for term in condition.terms
        ]

    def _term(self, names: Sequence[str], op: str, number: int) -> str:
        if (op, number) in ((">=", 1), (">", 0), ("!=", 0)):
            return self.phrase("some", name=self.language.either(names))
        if (op, number) in (("==", 0), ("<=", 0), ("<", 1)):
            return self.phrase("none", name=self.language.either(names))
        key = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "==": "exactly", "!=": "not"}[op]
        return self.phrase(key, name=" + ".join(names), number=number)


# ---- headings and texts that games share

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Heading:
    """What is the same in every fact of one member."""

    called: str
    short: str
    about: str
    otherwise: str

    @classmethod
    def of(cls, words: Words, kind: str, name: str, label: Label) -> Heading:
        called = words.said(label.name) or words.member_name(kind, name)
        otherwise = "" if label.pattern else words.said(label.otherwise)  # beside `called:` it is a sentence of its own
        return cls(called, words.said(label.short), words.said(label.text), otherwise)


#: So many options are kept.
ASKED = 20_000


class SharedTexts:
    """Shared by all games of one table, which are told in one language. Nothing in it is changed once it is there, and
    nothing in it depends on a position or on who plays."""

    def __init__(self) -> None:
        self.known: dict[Hashable, Any] = {}
        self.options: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What stands under a key, made when it is first wanted."""
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = make()
        made: T = found
        return made

    def asked(self, key: Hashable, make: Callable[[], T]) -> T:
        """The same of what is asked, of which there is too much to keep all."""
        found = self.options.get(key)
        if found is None:
            if len(self.options) >= ASKED:
                self.options.clear()
            found = self.options[key] = make()
        made: T = found
        return made
