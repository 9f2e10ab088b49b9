"""The texts that actions, options and steps can have at one table, and which text can be which."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import CardInfo, Layout
from rulelang.base.node import record
from rulelang.base.wording import did_you_mean, nearest_name, with_article
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name
from rulelang.runtime.decision import normalized_text
from rulelang.runtime.display_names import UNSEEN, Names
from rulelang.testing.scenarios.tokens import Word, available_text

# ---- texts by kind

#: A thing whose name is taken is called by it and a number. No position of a scenario has more of one name.
AGAIN = range(2, 10)
TRUTHS = ("true", "false")


class TextForms:
    """Texts as they are compared (`normal`); those of `others` are among them."""

    def __init__(self, texts: Iterable[str], others: TextForms | None = None) -> None:
        self.whole = frozenset(normalized_text(text) for text in texts)
        self.others = others
        self._ends: dict[str, tuple[int, ...]] = {}  # what was asked: of one text for each line of the log

    def has(self, text: str) -> bool:
        return text in self.whole or (self.others is not None and self.others.has(text))

    def begins(self, text: str) -> bool:
        """Whether one of them begins like this."""
        return _any_begins(self.heads, text) or (self.others is not None and self.others.begins(text))

    def ends(self, text: str) -> bool:
        """Whether one of them ends like this."""
        return _any_begins(self.tails, text[::-1]) or (self.others is not None and self.others.ends(text))

    def endings(self, text: str) -> tuple[int, ...]:
        """How much of the beginning of a text, but not all of it, one of them may end with: 1 ..."""
        known = self._ends.get(text)
        if known is None:
            own = [size for size in range(1, len(text)) if _any_begins(self.tails, text[size - 1 :: -1])]
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


def _any_begins(texts: Sequence[str], head: str) -> bool:
    """Whether one of these, which are in order, begins like this: those that do would stand where it would."""
    at = bisect_left(texts, head)
    return at < len(texts) and texts[at].startswith(head)


def nameless_hint(layout: Layout, sort: str) -> str:
    """What to do where no card of a sort has a name to be called by; "" where some have, and for what is no sort."""
    first, last = layout.sorts.get(sort, (1, 0))
    cards = layout.cards[first : last + 1]
    named = not cards or any(card.row or card.faces for card in cards)
    return "" if named else f"give the row a name, as in `rows: {{{sort}: {{...}}}}`"


class Lexicon:
    """The texts of a table by kind, without those that a scenario gives its own players and things."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._forms: dict[str, TextForms] = {}

    def kind(self, kind: str) -> TextForms:
        """Rows by their names, cards by label, row and face, made things by the names that the game gives them."""
        if kind not in self._forms:
            self._forms[kind] = TextForms(self._texts(kind))
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
        found = {
            normalized_text(spoken.card(number)): written.card(number) for number in range(1, len(self.layout.cards))
        }
        return {read: name for read, name in found.items() if read != normalized_text(name)}

    @cached_property
    def unseen(self) -> Mapping[str, TextForms]:
        """By sort, the texts of the log for cards: also of one that whoever reads it did not see."""
        return {sort: TextForms((UNSEEN,), self.kind(sort)) for sort in self.layout.sorts}

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
                called.setdefault((card.sort, normalized_text(name)), {})[card.look] = card
        found: dict[str, dict[str, frozenset[str]]] = {}
        for (sort, name), looks in called.items():
            columns = {column for card in looks.values() for column in card.tells} if len(looks) > 1 else set()
            told = {column: {card.texts.get(column, "") for card in looks.values()} for column in columns}
            texts = {
                normalized_text(said)
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
        return {normalized_text(a.name): a.type for a in layout.attributes if a.trait or a.kind in layout.sorts}

    @cached_property
    def zones(self) -> frozenset[str]:
        return frozenset(normalized_text(zone) for zone in (*self.layout.zones, "box"))


class ScenarioTexts:
    """The texts of one scenario: those of its table, its players, and its things by name and kind."""

    def __init__(self, lexicon: Lexicon, players: Iterable[str], things: Mapping[str, str]) -> None:
        self.lexicon = lexicon
        self.layout = lexicon.layout
        self.players = tuple(players)
        self.things = things
        self._forms: dict[str, TextForms] = {}

    def of(self, kind: str) -> TextForms:
        if kind != "player" and kind not in self.things.values():
            return self.lexicon.kind(kind)
        if kind not in self._forms:
            if kind == "player":
                self._forms[kind] = TextForms((*self.players, "nobody", "none"))
            else:
                own = [name for name, made in self.things.items() if made == kind]
                self._forms[kind] = TextForms(own, self.lexicon.kind(kind))
        return self._forms[kind]

    def told(self, kind: str) -> TextForms:
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


# ---- read steps

#: No name has more words.
LONGEST = 12
NUMBER = "int"

#: Words of English sentences that a step does not have.
ARTICLES = ("a", "an", "the")
ITS_OWN = "scenarios name a card by its row or face, and by its printed values"
ENDINGS = ("pass", "none")

#: How much of an option a text has to say: all of it, its first words, or only what it begins with.
Much = Literal["all", "words", "letters"]


@record
class Form:
    """An action or routine as a step says it: its name, and the kinds of what follows, in each of the ways in which it
    may be said."""

    name: str
    ways: tuple[tuple[str, ...], ...]
    whole: bool = False  # a beginning of it is not enough: it is no option


@dataclass(slots=True)
class ReadAttempt:
    """How far a text could be read: at word `at`, one of these kinds was expected (none: nothing more)."""

    at: int = 0
    expected: list[str] = field(default_factory=list)

    def failed(self, at: int, kind: str = "") -> None:
        if at > self.at:
            self.at, self.expected = at, []
        if at == self.at and kind and kind not in self.expected:
            self.expected.append(kind)


class StepPhrases:
    """Reads the texts of one scenario. `forms`: actions and routines by name; `titles`: what effects are called."""

    def __init__(self, spoken: ScenarioTexts, forms: Mapping[str, Sequence[Form]], titles: Collection[str]) -> None:
        self.spoken = spoken
        self.lexicon = spoken.lexicon
        self.forms = forms
        self.titles = titles

    def check(self, words: Sequence[Word], out: Diagnostics, much: Much) -> bool:
        """C702 for a name that nothing has, C713 for a form that no step has; whether it is neither."""
        said = _parts(words)
        if not said:
            return True
        trial = ReadAttempt()
        known = list(self._named(said))
        for form, begin in known:
            if any(self._reads(said, begin, way, trial, "all" if form.whole else much) for way in form.ways):
                return True
        if self._answers(said, trial, known, much):
            return True
        self._tell(said, trial, known[0][0] if known else None, out)
        return False

    def strangers(self, words: Sequence[Word]) -> tuple[Word, ...]:
        """What a text names by names that the game gives, and that are none of the scenario's: there may be no such
        thing."""
        said = _parts(words)
        at = max((end for _, end in self._named(said)), default=0)
        found = []
        while at < len(said):
            ends = [end for end in range(min(len(said), at + LONGEST), at, -1) if self._kinds(_text(said, at, end))]
            own = next((end for end in ends if not self._strange(_text(said, at, end))), 0)
            if ends and not own:
                found.append(Word(_text(said, at, ends[0]), said[at].span))
            at = own or (ends[0] if ends else at + 1)
        return tuple(found)

    def _strange(self, text: str) -> bool:
        """Whether only things are called so, and none of the scenario's."""
        made = self.lexicon.layout.kinds.keys()
        return self._kinds(text) <= made and text not in map(normalized_text, self.spoken.things)

    def _kinds(self, text: str) -> set[str]:
        """The kinds of which something is called so."""
        return {kind for kind in self.spoken.kinds if self.spoken.of(kind).has(text)}

    # ---- reading

    def _named(self, said: Sequence[Word]) -> Iterator[tuple[Form, int]]:
        """The actions and routines that a text begins with, the longest name first, with where the rest begins."""
        for end in range(min(len(said), LONGEST), 0, -1):
            for form in self.forms.get(_text(said, 0, end), ()):
                yield form, end

    def _reads(self, said: Sequence[Word], begin: int, kinds: Sequence[str], trial: ReadAttempt, much: Much) -> bool:
        """Whether what follows a name can be read as values of these kinds."""
        places = self._beside(said, {begin}, "")
        for kind in kinds:
            if any(self._begins(said, at, kind, much) for at in places):
                return True
            further: set[int] = set()
            for at in places:
                ends = self._value(said, at, kind)
                if not ends:
                    trial.failed(at, kind)
                further |= ends
            places = further
        if len(said) in places:
            return True
        for at in places:
            trial.failed(at)
        return False

    def _answers(self, said: Sequence[Word], trial: ReadAttempt, known: Sequence[object], much: Much) -> bool:
        """Whether the text is an answer: what an effect is called, and values of any kinds."""
        places = {end for end in range(1, min(len(said), LONGEST) + 1) if _text(said, 0, end) in self.titles}
        if _text(said, 0, len(said)) in ENDINGS or self._title_begins(_text(said, 0, len(said)), much):
            return True
        waiting = sorted({0, *places})
        seen = set(waiting)
        while waiting:
            at = waiting.pop()
            if at == len(said):
                return True
            if any(self._begins(said, at, kind, much) for kind in self.spoken.kinds):
                return True
            ends = set().union(*(self._value(said, at, kind) for kind in (NUMBER, *self.spoken.kinds)))
            ends |= self._beside(said, {at}, "") - {at} if at else set()
            if not ends and not known:
                trial.failed(at, "")
            waiting += sorted(ends - seen)
            seen |= ends
        return False

    def _title_begins(self, text: str, much: Much) -> bool:
        head = text if much == "letters" else f"{text} "
        return much != "all" and any(title.startswith(head) for title in (*self.titles, *self.forms))

    def _begins(self, said: Sequence[Word], at: int, kind: str, much: Much) -> bool:
        """Whether a text that need not say all ends before a value, or in the midst of it."""
        if much == "all" or at == len(said):
            return much != "all"
        head = _text(said, at, len(said)) + (" " if much == "words" else "")
        return kind != NUMBER and self.spoken.of(kind).begins(head)

    def _value(self, said: Sequence[Word], at: int, kind: str) -> set[int]:
        """Where a value of a kind that begins at a word may end, with what may be said beside it."""
        if kind == NUMBER:
            return {at + 1} if at < len(said) and said[at].text.lstrip("-").isdecimal() else set()
        forms = self.spoken.of(kind)
        found: set[int] = set()
        for end in range(at + 1, min(len(said), at + LONGEST) + 1):
            text = _text(said, at, end)
            if forms.has(text):
                found |= self._beside(said, {end}, text if kind in self.lexicon.layout.sorts else "", kind)
        return found

    def _beside(self, said: Sequence[Word], places: set[int], card: str, sort: str = "") -> set[int]:
        """Where what tells options apart may end: what is printed on a card, where it lies, whom it joins, `#2`."""
        printed = self.lexicon.printed.get(sort, {}).get(card, frozenset()) if card else frozenset()
        found, waiting = set(places), list(places)
        while waiting:
            at = waiting.pop()
            ends = {at + 1 + size for size in self._told(said, at)}
            ends |= {end for end in range(at + 1, min(len(said), at + LONGEST) + 1) if _text(said, at, end) in printed}
            waiting += ends - found
            found |= ends
        return found

    def _told(self, said: Sequence[Word], at: int) -> Iterator[int]:
        """How many words follow the one at hand, for each way in which it tells options apart."""
        word = said[at].text if at < len(said) else ""
        after = at + 1
        if word.startswith("#") and word[1:].isdecimal():
            yield 0
        elif word in self.lexicon.attributes:
            kind = self.lexicon.attributes[word]
            yield from (end - after for end in self._plain(said, after, kind))
        elif word in ("on", "with"):
            for kind in self.lexicon.layout.kinds:
                yield from (end - after for end in self._plain(said, after, kind))
        elif word == "in" and after < len(said):
            if said[after].text in self.lexicon.zones:
                yield 1
            for end in range(after + 1, len(said)):
                owner = _text(said, after, end)
                if owner.endswith("'s") and self.spoken.of("player").has(owner[:-2]):
                    yield from (end + 1 - after for _ in range(said[end].text in self.lexicon.zones))

    def _plain(self, said: Sequence[Word], at: int, kind: str) -> Iterator[int]:
        """Where a value of a kind may end, and nothing beside it."""
        if kind == NUMBER:
            yield from self._value(said, at, kind)
            return
        forms = self.spoken.of(kind)
        yield from (e for e in range(at + 1, min(len(said), at + LONGEST) + 1) if forms.has(_text(said, at, e)))

    # ---- telling

    def _called(self, kinds: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(name for kind in kinds if kind != NUMBER for name in self.spoken.given(kind)))

    def _tell(self, said: Sequence[Word], trial: ReadAttempt, form: Form | None, out: Diagnostics) -> None:
        at, kinds = trial.at, trial.expected
        if form is not None and at == len(said):
            needs = " or ".join(map(_article, kinds))
            parts = ("NUMBER" if kind == NUMBER else kind.upper() for kind in form.ways[0])
            hint = f"write `{' '.join((form.name, *parts))}`"
            out.error("C713", said[-1].span, f"`{form.name}` needs {needs} here", because=_usage(form), hint=hint)
            return
        word, rest = said[at], _text(said, at, len(said))
        if form is None and not at:
            report_unknown_step(word, {*self.forms, *self.titles, *ENDINGS, *self._called(self.spoken.kinds)}, out)
            return
        if form is not None and not kinds:
            out.error("C713", word.span, f"`{form.name}` does not take `{rest}`", because=_usage(form))
            return
        for end in range(len(said), at, -1):
            if meant := self.lexicon.players_words.get(_text(said, at, end)):
                read, span = _text(said, at, end), said[at].span.to(said[end - 1].span)
                out.error("C702", span, f"`{read}` is the name for players", because=ITS_OWN, hint=f"write `{meant}`")
                return
        kinds = kinds if form is not None else list(self.spoken.kinds)
        called = self._called(kinds)
        if kinds == [NUMBER]:
            out.error("C713", word.span, f"`{word.text}` is not a number", because=_usage(form) if form else "")
            return
        like = _likely_name(said, at, [normalized_text(name) for name in called])
        what = "or ".join(f"{kind} " for kind in kinds if kind != NUMBER) if form is not None else ""
        message = f"there is no {what}`{word.text}`" if what else f"nothing is called `{word.text}`"
        because = available_text(called) if form is not None and called else (
            _usage(form) if form is not None else "each word of an option is a thing, a card, a row or a number"
        )  # fmt: skip
        unnamed = next(filter(None, (nameless_hint(self.spoken.layout, kind) for kind in trial.expected)), "")
        hint = unnamed or (f"did you mean `{like}`?" if like else "")
        text = normalized_text(word.text)
        done = text if text in self.forms else nearest_name(text, {*self.forms, *map(normalized_text, called)})
        if text in ARTICLES:
            hint = f"leave `{word.text}` out"
        if form is None and done in self.forms:
            hint = f"begin the step with an action: write `{done} ...`"
        out.error("C702", word.span, message, because=because, hint=hint)


def _likely_name(said: Sequence[Word], at: int, called: Sequence[str]) -> str | None:
    """The name that was meant, where some words are none: names of so many words are compared with as many."""
    for end in range(len(said), at + 1, -1):
        as_long = [name for name in called if name.count(" ") == end - at - 1]
        if as_long and (like := nearest_name(_text(said, at, end), as_long)):
            return like
    return nearest_name(said[at].text, called)


def report_unknown_step(word: Word, known: Iterable[str], out: Diagnostics) -> None:
    """C705."""
    because = "a step begins with an action, a routine, a thing, a card, a row, a number or `pass`"
    out.error(
        "C705",
        word.span,
        f"a step cannot begin with `{word.text}`",
        because=because,
        hint=did_you_mean(word.text, known),
    )


def step_forms(program: tree.Program) -> dict[str, list[Form]]:
    """All that a step may begin with that has a form: actions by id and name, routines that can be called."""
    found: dict[str, list[Form]] = {}
    for action in program.actions.values():
        values = () if action.in_steps else tuple(type_name(b.local.type) for b in action.binders)
        roles = (action.bearer.self, action.bearer.this)
        bearers = {(): None} | {(type_name(role.type),): None for role in roles if role is not None}
        ways = tuple((*bearer, *values) for bearer in sorted(bearers, key=len, reverse=True))
        for name in {action.id: None, action.name: None}:
            found.setdefault(normalized_text(name), []).append(Form(name, ways))
    for routine in program.routines.values():
        if not any(getattr(routine.bearer, role) for role in ("this", "self", "partner", "owner")):
            kinds = tuple(type_name(p.type) for p in routine.params)
            found.setdefault(normalized_text(routine.id), []).append(Form(routine.id, (kinds,), whole=True))
    return found


def _usage(form: Form) -> str:
    kinds = form.ways[0]
    values = f"{', '.join(map(_article, kinds[:-1]))} and {_article(kinds[-1])}" if len(kinds) > 1 else (
        _article(kinds[0]) if kinds else ""
    )  # fmt: skip
    return f"`{form.name}` takes {values or 'nothing'}"


def _article(kind: str) -> str:
    return with_article("number" if kind == NUMBER else kind)


def _parts(words: Sequence[Word]) -> list[Word]:
    """The words, as they are compared: no blank is left in any."""
    return [Word(normalized_text(part), word.span) for word in words for part in word.text.split()]


def _text(said: Sequence[Word], begin: int, end: int) -> str:
    return " ".join(word.text for word in said[begin:end])
