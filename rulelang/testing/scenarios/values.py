"""What a written value is as a number: by the type of what it is for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import Layout
from rulelang.base.numbers import WORD
from rulelang.base.wording import with_article
from rulelang.language.semantics.model import MISSING_INT, Attribute, Bound, Model, Type
from rulelang.testing.scenarios.tokens import Word, meant, unknown

_WHOLE = re.compile(r"[-+]?[0-9]+")
TRUTHS = {"true": 1, "false": 0}


@dataclass(slots=True)
class Values:
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
        word = meant(word, known)
        if word.text in known:
            return known[word.text]
        if type_.tag == "ref" and word.text == "none":
            return 0
        unknown(
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
