"""Names and values of one table in the words of a language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulelang.base.labels import NOTHING, Label, Texts, english, in_words
from rulelang.base.layout import CardInfo, Layout
from rulelang.engine.names import MISSING, UNSEEN, Names
from rulelang.present.phrases import PHRASES, several
from rulelang.present.records import Term
from rulelang.semantics.model import Condition
from rulelang.texts.phrase import Filling, Phrase, form

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
        return self.language.render(Phrase(PHRASES[key], holes))

    def called(self, name: str) -> str:
        """A name of the rules that has no label of its own."""
        return self.language.word(in_words(name))

    # ---- what is declared

    def thing(self, name: str) -> Label:
        """The label of a kind, list, zone, table, action or phase."""
        return self.labels.things.get(name, NOTHING)

    def named(self, name: str) -> str:
        """What one of them is called."""
        return self.said(self.thing(name).name) or self.called(name)

    def plural(self, name: str) -> str:
        """What several of them are called."""
        return self.said(self.thing(name).plural) or self.language.word(
            several(english(self.thing(name).name) or in_words(name))
        )

    def member(self, kind: str, name: str) -> Label:
        """The label of an attribute, a column or a shown value."""
        return self.labels.members.get(kind, {}).get(name, NOTHING)

    def member_name(self, kind: str, name: str) -> str:
        return self.said(self.member(kind, name).name) or self.called(name)

    def row_label(self, kind: str, name: str) -> Label:
        return self.labels.rows.get(kind, {}).get(name, NOTHING)

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
        texts = self.row_label(kind, name).name
        if texts.get(self.language.code) or texts.get("en"):
            return self.said(texts)
        start, _, number = name.rpartition(" ")
        return f"{self.named(kind)} {number}" if start == kind else self.called(name)

    def row_text(self, kind: str, name: str) -> str:
        return self.said(self.row_label(kind, name).text)

    def card(self, card: int, face: int = 0) -> str:
        """A card by the face that it shows, else by its row, else by what it can be played as. -1: it was not seen."""
        if face < 0:
            return self.language.word(UNSEEN)
        traits = self.layout.lists.get("trait", ())
        if 0 < face < len(traits):
            return self.row("trait", traits[face])
        return self.printed_card(self.layout.cards[card])

    def printed_card(self, info: CardInfo) -> str:
        """A card by what is printed on it, as it is called where it shows no face."""
        pattern = self.said(self.thing(info.sort).pattern)
        return self.filled(pattern, info) if pattern else self.card_name(info)

    def card_name(self, info: CardInfo) -> str:
        """What a card is called before the pattern of its sort is laid over it."""
        if info.row:
            return self.row(info.sort, info.row)
        traits = self.layout.lists.get("trait", ())
        return " / ".join(self.row("trait", traits[face]) for face in info.faces) or self.called(info.label)

    def filled(self, pattern: str, info: CardInfo) -> str:
        """A pattern such as `{name} ({part})` with what is printed on a card."""
        holes = {name: self.printed(info, name) for name in info.columns}
        holes["name"] = self.card_name(info)
        return self.fill(pattern, holes)

    @staticmethod
    def fill(pattern: str, holes: Mapping[str, str]) -> str:
        """A pattern of a ruleset with its holes filled; "" if there is nothing for one."""
        if any(hole not in holes for hole in _HOLE.findall(pattern)):
            return ""
        return " ".join(_HOLE.sub(lambda hole: holes[hole[1]], pattern).split())

    def printed(self, info: CardInfo, column: str) -> str:
        """One printed reference or number in words, "" for nothing."""
        printed = self.labels.columns.get(info.sort, {}).get(column)
        value = info.columns.get(column)
        if printed is None or not isinstance(value, int) or value == MISSING:
            return ""
        if printed.kind == "truth":
            return self.member_name(info.sort, column) if value else ""
        return str(value) if printed.kind == "number" else self.value(printed.of, value) if value else ""

    # ---- numbers and conditions

    def number(self, value: int, label: Label) -> str:
        """A number with its unit."""
        own = label.unit.get(self.language.code)
        if own:
            return self.phrase("unit", value=value, unit=form(self.language.code, own.split("|"), value))
        forms = english(label.unit)
        if not forms:
            return str(value)
        ways = forms if "|" in forms else f"{forms}|{forms}"
        return self.language.render(Phrase(f"{{value}} {{value:{ways}}}", {"value": value}))

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
