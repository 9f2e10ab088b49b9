"""Texts for handles, and handles for texts: what players read and type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from rulelang.base.errors import BadArgument
from rulelang.base.labels import NO_LABEL, Label, in_english, name_in_words
from rulelang.base.languages import ENGLISH, Language
from rulelang.base.layout import ZONE, CardInfo, KindLayout, Layout
from rulelang.base.phrases import Filling, Phrase, PlayerText, RuleName, Value, flatten, inflect

#: Default names of players by seat.
PLAYERS = ("ana", "bob", "cleo", "dan", "eva", "finn", "gus", "hana")

#: What the log calls a card that its reader did not see.
UNSEEN = "a card"

#: What the log writes for a number or name that is kept where its reader may not look.
UNKNOWN = "?"

#: The kind under which labels of cards are kept: no kind of the rules.
CARD = "/card"

#: How hooks join an event, as they are named: `fat_tissue: before shed`.
HOOKED = ("before", "after", "instead of", "react to")

#: How the state holds a number that is missing (`maybe int`).
MISSING = -(2**31)
_HOLE = re.compile(r"\{([^{}]*)\}")


def player_names(count: int, given: Sequence[str] | None = None) -> tuple[str, ...]:
    """The names by seat: those given, then the default ones. ValueError for too many, empty or equal names."""
    names = [name.strip() for name in given or ()]
    if len(names) > count:
        raise BadArgument(f"{len(names)} names for {count} players")
    if "" in names:
        raise BadArgument("a player's name is empty")
    spare = [*PLAYERS, *(f"player{seat}" for seat in range(1, count + 1))]
    names += [name for name in spare if name not in names][: count - len(names)]
    if len({name.casefold() for name in names}) < count:
        raise BadArgument(f"two players have the same name: {', '.join(names)}")
    return tuple(names)


class Names:
    """Texts for the handles of one table, in a language. Immutable but for `renamed` and `spoken` copies; what was said
    of a thing once is kept, and so are these copies, since one game is told in the same words again and again."""

    __slots__ = ("_said_of", "_spoken", "language", "layout", "overrides", "players")

    def __init__(
        self,
        layout: Layout,
        players: tuple[str, ...],
        overrides: Mapping[tuple[str, int], str] | None = None,
        language: Language = ENGLISH,
    ) -> None:
        self.layout = layout
        self.players = players
        self.overrides = dict(overrides or {})
        self.language = language
        self._said_of: dict[tuple[str, int, int], str] = {}
        self._spoken: dict[Language, Names] = {}

    def __reduce__(self) -> tuple[Callable[..., Names], tuple[object, ...]]:
        return Names, (self.layout, self.players, self.overrides, self.language)

    def renamed(self, kind: str, handle: int, text: str) -> Names:
        """A copy in which one thing has another name."""
        return Names(self.layout, self.players, {**self.overrides, (kind, handle): text}, self.language)

    def spoken(self, language: Language) -> Names:
        """The same in another language."""
        if language is self.language:
            return self
        found = self._spoken.get(language)
        if found is None:
            found = self._spoken[language] = Names(self.layout, self.players, self.overrides, language)
        return found

    def text(self, kind: str, value: int, face: int = 0) -> str:
        """The text for a value of a kind; `face` is the face that a card shows, 0 for what is printed on it."""
        if kind == "int" and not self.overrides:
            return self.language.word("none") if value == MISSING else str(value)
        known = self._said_of.get((kind, value, face))
        if known is None:
            known = self._text(kind, value, face)
            if kind != "int" and not kind.startswith(":"):  # of these there are any number
                self._said_of[kind, value, face] = known
        return known

    def _text(self, kind: str, value: int, face: int) -> str:
        given = self.overrides.get((kind, value))
        if given is not None:
            return given
        if kind == "int":
            return self.language.word("none") if value == MISSING else str(value)
        if kind.startswith(":"):
            return self.language.form(kind, value)
        if not kind:
            return ""
        if kind == "bool":
            return self.language.word("true" if value else "false")
        if kind == ZONE:
            return self.zone(value)
        if value == 0:
            return self.language.word("none")
        layout = self.layout
        if kind == "player":
            return self.players[value - 1] if value <= len(self.players) else self.language.word("nobody")
        if kind in layout.sorts:
            return self.card(value, face)
        made = layout.kinds.get(kind)
        if made is not None:
            return self._thing(made, value)
        rows = layout.lists.get(kind)
        if rows is not None and 0 <= value < len(rows):
            return self.row(kind, rows[value])
        return f"{self.called(kind)} {value}"

    def zone(self, zone_id: int) -> str:
        """A zone, behind whose it is."""
        name, handle = self.layout.zone_names[zone_id], self.layout.zone_owner[zone_id]
        zone, say = self.layout.zones.get(name), self.language.say
        called = self.worded(name) if name else self.language.word("box")
        if zone is None or not zone.of:
            return say("the {zone}", zone=called)
        owner = self.text(zone.of, handle)
        if zone.of == "player" or zone.of in self.layout.kinds:
            return say("{owner}'s {zone}", owner=owner, zone=called)
        return say("the {zone} of {owner}", owner=owner, zone=called)

    def card(self, card: int, face: int = 0) -> str:
        """A card's label, or the name of the face that it shows."""
        known = self._said_of.get((CARD, card, face))
        if known is None:
            faces = self.layout.lists.get("trait", ())
            info = self.layout.cards[card]
            if face and face < len(faces):
                known = self.row("trait", faces[face])
            else:
                known = self.printed_card(info) if self.language.labels else info.label
            self._said_of[CARD, card, face] = known
        return known

    def printed_card(self, info: CardInfo) -> str:
        """A card by what is printed on it, as it is called where it shows no face."""
        pattern = self.language.of(self.label(info.sort).pattern)
        if not pattern:
            return " ".join([self.card_name(info), *(self.printed(info, name) for name in info.repeated)]).strip()
        holes = {name: self.printed(info, name) for name in info.columns}
        return filled_pattern(pattern, {**holes, "name": self.card_name(info)})

    def card_name(self, info: CardInfo) -> str:
        """What a card is called before the pattern of its sort is laid over it."""
        if info.row:
            return self.row(info.sort, info.row)
        traits = self.layout.lists.get("trait", ())
        return " / ".join(self.row("trait", traits[face]) for face in info.faces) or self.language.word(
            name_in_words(info.label)
        )

    def printed(self, info: CardInfo, column: str) -> str:
        """One printed reference or number in words, "" for nothing."""
        printed = self.layout.labels.columns.get(info.sort, {}).get(column)
        value = info.columns.get(column)
        if printed is None or not isinstance(value, int) or value == MISSING:
            return ""
        if printed.kind == "truth":
            return self.member(info.sort, column) if value else ""
        return str(value) if printed.kind == "number" else self.text(printed.of, value) if value else ""

    def label(self, name: str) -> Label:
        """The label of a kind, list, zone, table, action or phase."""
        return self.layout.labels.things.get(name, NO_LABEL)

    def row(self, kind: str, name: str) -> str:
        """A row of a list, or a trait."""
        if not self.language.labels:
            return name
        texts = self.layout.labels.rows.get(kind, {}).get(name, NO_LABEL).name
        if texts.get(self.language.code) or texts.get("en"):
            return self.language.of(texts)
        start, _, number = name.rpartition(" ")
        return f"{self.worded(kind)} {number}" if start == kind else self.language.word(name_in_words(name))

    def called(self, name: str) -> str:
        """A kind, zone, action or phase: as it is typed."""
        return self.worded(name) if self.language.labels else name

    def worded(self, name: str) -> str:
        """The same in words, in every language: `fat tissue` of `fat_tissue`."""
        if not self.language.labels:
            return name_in_words(name)
        label = self.label(name)
        owner, dot, own = name.rpartition(".")
        if dot and not label.name:  # an action of a trait, behind it
            return f"{self.row('trait', owner)} {self.worded(own)}"
        return self.language.of(label.name) or self.language.word(name_in_words(name))

    def event(self, what: str, name: str) -> str:
        """What an event of the log is called of which nothing is told: its name, where names are typed."""
        if not self.language.labels:
            return name
        kind = next((kind for kind in HOOKED if what == "hook" and f": {kind} " in name), "")
        if not kind:
            return self.worded(name)
        event = self.worded(name.partition(f": {kind} ")[2])
        match kind:
            case "before":
                return self.language.say("before {event}", event=event)
            case "after":
                return self.language.say("after {event}", event=event)
            case "instead of":
                return self.language.say("instead of {event}", event=event)
        return self.language.say("in reaction to {event}", event=event)

    def source(self, name: str) -> str:
        """The trait, row or card that brings a rule."""
        rows = self.layout.labels.rows
        kind = next((kind for kind in ("trait", *rows) if name in rows.get(kind, {})), "")
        return self.row(kind, name) if kind else name

    def several(self, name: str) -> str:
        """What several of a kind, sort or list are called."""
        label = self.label(name)
        if not self.language.labels:
            return inflect(name_in_words(name), RuleName(name, form="several"))
        one = in_english(label.name) or name_in_words(name)
        return self.language.of(label.plural) or self.language.word(inflect(one, RuleName(name, form="several")))

    def member(self, kind: str, name: str) -> str:
        """What is kept of a kind, in words ("": of the game)."""
        if not self.language.labels:
            return name_in_words(name)
        label = self.layout.labels.member(kind, name)
        return self.language.of(label.name) or self.language.word(name_in_words(name))

    def otherwise(self, kind: str, name: str) -> str:
        """What is said where it is not so; "" where nothing of its own is."""
        label = self.layout.labels.member(kind, name)
        sentence = bool(label.pattern)  # then it is one that tells so, with holes
        return self.language.of(label.otherwise) if self.language.labels and not sentence else ""

    def argument(self, name: str, kind: str) -> str:
        """An argument of an action: by its name, or by its kind where that is a letter or two, or a word of the rules
        (the bearer of a trait is `self`)."""
        if not self.language.labels:
            return name_in_words(name)
        tells = len(name) > 2 and name != "self" and kind != "bool"
        return self.worded(name if tells else "number" if kind == "int" else kind)

    def kind(self, kind: str) -> str:
        """One of a kind: `a species`, `a number`."""
        return self.mention(RuleName("number" if kind == "int" else kind, form="one"))

    def mention(self, called: RuleName) -> str:
        """A name of the rules in a sentence."""
        if called.form == "several":
            return self.several(called.name)
        match called.room:
            case "member":
                said = self.member(called.of, called.name)
            case "row":
                said = name_in_words(self.row(called.of, called.name))
            case "word":
                said = name_in_words(called.name)
                said = self.language.word(said) if self.language.labels else said
            case _:
                said = self.worded(called.name)
        return inflect(said, called) if self.language.code == "en" else said

    def _thing(self, made: KindLayout, handle: int) -> str:
        # Slots come by owner; names are dealt out slot by slot, seat by seat, so that seat 1 does not take them all.
        owner, slot = divmod(handle - 1, made.per_owner)
        players = len(self.players)
        # A thing of nobody takes names after those of all players.
        index = slot * players + owner if owner < players else made.per_owner * players + slot
        if not made.names:
            return f"{self.called(made.name)} {index + 1}"
        again, place = divmod(index, len(made.names))
        name = self.language.word(made.names[place])
        return name if not again else f"{name} {again + 1}"

    def handles(self, kind: str, S: Sequence[int]) -> Iterable[int]:
        """All values of a kind that there are now, for kinds with few: not of `int`."""
        layout = self.layout
        if kind == "bool":
            return (0, 1)
        if kind == "player":
            return range(1, len(self.players) + 1)
        if kind in layout.sorts:
            first, last = layout.sorts[kind]
            return range(first, last + 1)
        made = layout.kinds.get(kind)
        if made is not None:
            return [h for h in range(1, made.owners * made.per_owner + 1) if S[made.alive + h]]
        return range(1, len(layout.lists.get(kind, ("none",))))

    def told(self, said: PlayerText, args: Sequence[int]) -> str:
        """The text of a question or a refusal, for people: names of rows in it as words."""
        return self._said(said, lambda position, kind: name_in_words(self.text(kind, args[position])))

    def render(self, said: PlayerText, args: Sequence[int], faces: Mapping[int, int] | None = None) -> str:
        """The text of a log template or a reason. `faces`: of cards, by argument position; -1 for what is unseen."""

        def tell(position: int, kind: str) -> str:
            face = faces.get(position, 0) if faces else 0
            if face < 0:
                return self.language.word(UNSEEN) if kind in self.layout.sorts else UNKNOWN
            return self.text(kind, args[position], face)

        return self._said(said, tell)

    def _said(self, said: PlayerText, tell: Callable[[int, str], str]) -> str:
        """A text, in which `tell` says what arguments hold. Where a catalogue has a sentence of phrases as a whole, it
        says it so."""
        if isinstance(said, Phrase):
            whole = flatten(said)
            if not self.language.says(whole):
                return self.language.render(said, lambda filling: self._filled(filling, tell)).strip()
            said = whole
        parts = self.language.parts(said)
        return "".join(part if isinstance(part, str) else tell(*part) for part in parts).strip()

    def _filled(self, filling: Filling, tell: Callable[[int, str], str]) -> str:
        match filling:
            case Value():
                return tell(filling.position, filling.kind)
            case RuleName():
                return self.mention(filling)
            case Phrase() | tuple():
                return self._said(filling, tell)
            case _:
                return str(filling)


def filled_pattern(pattern: str, holes: Mapping[str, str]) -> str:
    """A pattern of a ruleset with its holes filled; "" if there is nothing for one."""
    if any(hole not in holes for hole in _HOLE.findall(pattern)):
        return ""
    return " ".join(_HOLE.sub(lambda hole: holes[hole[1]], pattern).split())


def distinguishing_values(layout: Layout, cards: Iterable[int]) -> dict[int, str]:
    """For cards of one label: by card, the printed values that tell apart those that are printed differently."""
    members = sorted(cards)
    by_look = {layout.cards[card].look: layout.cards[card] for card in members}
    if len(by_look) < 2:
        return {}
    names = sorted({name for card in by_look.values() for name in card.tells})
    told = {name: [card.texts.get(name, "") for card in by_look.values()] for name in names}
    useful = [name for name in names if len(set(told[name])) > 1]
    alone = [name for name in useful if len(set(told[name])) == len(by_look)]
    chosen = alone[:1] or useful
    return {card: " ".join(layout.cards[card].texts.get(name, "") for name in chosen) for card in members}
