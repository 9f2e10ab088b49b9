"""What everything is called at one table: the texts that options, steps and lines of the log can have for a value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from rulelang.base.layout import CardInfo, Layout
from rulelang.runtime.decision import normal
from rulelang.runtime.names import UNSEEN, Names

#: A thing whose name is taken is called by it and a number. No position of a scenario has more of one name.
AGAIN = range(2, 10)
TRUTHS = ("true", "false")


class Forms:
    """Texts as they are compared (`normal`); those of `others` are among them."""

    def __init__(self, texts: Iterable[str], others: Forms | None = None) -> None:
        self.whole = frozenset(normal(text) for text in texts)
        self.others = others
        self._ends: dict[str, tuple[int, ...]] = {}  # what was asked: of one text for each line of the log

    def has(self, text: str) -> bool:
        return text in self.whole or (self.others is not None and self.others.has(text))

    def begins(self, text: str) -> bool:
        """Whether one of them begins like this."""
        return _begun(self.heads, text) or (self.others is not None and self.others.begins(text))

    def ends(self, text: str) -> bool:
        """Whether one of them ends like this."""
        return _begun(self.tails, text[::-1]) or (self.others is not None and self.others.ends(text))

    def endings(self, text: str) -> tuple[int, ...]:
        """How much of the beginning of a text, but not all of it, one of them may end with: 1 ..."""
        known = self._ends.get(text)
        if known is None:
            own = [size for size in range(1, len(text)) if _begun(self.tails, text[size - 1 :: -1])]
            others = self.others.endings(text) if self.others is not None else ()
            known = self._ends[text] = tuple(sorted({*own, *others}))
        return known

    @cached_property
    def heads(self) -> Sequence[str]:
        return sorted(self.whole)

    @cached_property
    def tails(self) -> Sequence[str]:
        """Written backwards."""
        return sorted([text[::-1] for text in self.whole])


def _begun(texts: Sequence[str], head: str) -> bool:
    """Whether one of these, which are in order, begins like this: those that do would stand where it would."""
    at = bisect_left(texts, head)
    return at < len(texts) and texts[at].startswith(head)


def nameless(layout: Layout, sort: str) -> str:
    """What to do where no card of a sort has a name to be called by; "" where some have, and for what is no sort."""
    first, last = layout.sorts.get(sort, (1, 0))
    cards = layout.cards[first : last + 1]
    named = not cards or any(card.row or card.faces for card in cards)
    return "" if named else f"give the row a name, as in `rows: {{{sort}: {{...}}}}`"


class Lexicon:
    """The texts of a table by kind, without those that a scenario gives its own players and things."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._forms: dict[str, Forms] = {}

    def kind(self, kind: str) -> Forms:
        """Rows by their names, cards by label, row and face, made things by the names that the game gives them."""
        if kind not in self._forms:
            self._forms[kind] = Forms(self._texts(kind))
        return self._forms[kind]

    def _texts(self, kind: str) -> Iterable[str]:
        layout = self.layout
        if kind == "bool":
            return TRUTHS
        if kind in layout.sorts:
            traits = layout.lists.get("trait", ())
            infos = [card for card in layout.cards if card.sort == kind]
            faces = {traits[face] for card in infos for face in card.faces}
            return {"none", *faces, *(text for card in infos for text in (card.label, card.row) if text)}
        made = layout.kinds.get(kind)
        if made is None:
            return {"none", *layout.lists.get(kind, ())}
        names = Names(layout, ("",) * layout.players)
        plain = {names.text(kind, handle) for handle in range(1, made.owners * made.per_owner + 1)}
        return {"none", *plain, *(f"{name} {count}" for name in plain for count in AGAIN)}

    @cached_property
    def players_words(self) -> Mapping[str, str]:
        """By what players read of cards that are called otherwise: the names by which scenarios know them."""
        written = Names(self.layout, ("",) * self.layout.players)
        spoken = written.spoken(written.language.labelled())
        found = {normal(spoken.card(number)): written.card(number) for number in range(1, len(self.layout.cards))}
        return {read: name for read, name in found.items() if read != normal(name)}

    @cached_property
    def unseen(self) -> Mapping[str, Forms]:
        """By sort, the texts of the log for cards: also of one that whoever reads it did not see."""
        return {sort: Forms((UNSEEN,), self.kind(sort)) for sort in self.layout.sorts}

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """All kinds whose values are called something, but for players and numbers."""
        layout = self.layout
        return ("bool", *layout.sorts, *layout.kinds, *(kind for kind in layout.lists if kind not in layout.sorts))

    @cached_property
    def printed(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """By sort and what cards are called, the printed values that tell those of one name apart."""
        traits = self.layout.lists.get("trait", ())
        called: dict[tuple[str, str], dict[int, CardInfo]] = {}
        for card in self.layout.cards:
            for name in {card.label, card.row, *(traits[face] for face in card.faces)}:
                called.setdefault((card.sort, normal(name)), {})[card.look] = card
        found: dict[str, dict[str, frozenset[str]]] = {}
        for (sort, name), looks in called.items():
            columns = {column for card in looks.values() for column in card.tells} if len(looks) > 1 else set()
            told = {column: {card.texts.get(column, "") for card in looks.values()} for column in columns}
            texts = {
                normal(said)
                for column, differing in told.items() if len(differing) > 1
                for text in differing if text
                for said in (text, f"{column} {text}")
            }  # fmt: skip
            found.setdefault(sort, {})[name] = frozenset(texts)
        return found

    @cached_property
    def attributes(self) -> Mapping[str, str]:
        """What cards keep in play, by name, with the kind of its values."""
        layout = self.layout
        return {normal(a.name): a.type for a in layout.attributes if a.trait or a.kind in layout.sorts}

    @cached_property
    def zones(self) -> frozenset[str]:
        return frozenset(normal(zone) for zone in (*self.layout.zones, "box"))


class Spoken:
    """The texts of one scenario: those of its table, its players, and its things by name and kind."""

    def __init__(self, lexicon: Lexicon, players: Iterable[str], things: Mapping[str, str]) -> None:
        self.lexicon = lexicon
        self.layout = lexicon.layout
        self.players = tuple(players)
        self.things = things
        self._forms: dict[str, Forms] = {}

    def of(self, kind: str) -> Forms:
        if kind != "player" and kind not in self.things.values():
            return self.lexicon.kind(kind)
        if kind not in self._forms:
            if kind == "player":
                self._forms[kind] = Forms((*self.players, "nobody", "none"))
            else:
                own = [name for name, made in self.things.items() if made == kind]
                self._forms[kind] = Forms(own, self.lexicon.kind(kind))
        return self._forms[kind]

    def told(self, kind: str) -> Forms:
        """As the log has it."""
        return self.lexicon.unseen.get(kind) or self.of(kind)

    def given(self, kind: str) -> tuple[str, ...]:
        """The names by which a reader of the scenario knows values of a kind, for messages: its own things first."""
        if kind == "player":
            return self.players
        own = tuple(name for name, made in self.things.items() if made == kind)
        return own or tuple(sorted(self.lexicon.kind(kind).whole - {"none"}))

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("player", *self.lexicon.kinds)
