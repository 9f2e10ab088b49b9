"""A decision: its question and options in words, and how a typed text finds its option."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache, partial
from typing import TypeVar

from rulelang.base import errors
from rulelang.base.labels import name_in_words
from rulelang.base.layout import ActionInfo, DecisionKind, DecisionPoint
from rulelang.base.node import record
from rulelang.base.source import NOWHERE, Span
from rulelang.runtime.display_names import Names, distinguishing_values
from rulelang.runtime.program import OptionTuple
from rulelang.runtime.table import Table

# ---- decisions and options

T = TypeVar("T")

PASS = -1


@record
class Refusal:
    """One reason why something cannot be done.

    Attributes:
        text: the reason, for players.
        source: the trait, row or card that the rule belongs to; "" for the game's own rules.
        span: the line of that rule; `span.path` is "" if there is none.

        state.why_not("take 3")[0].text         # "only 2 are left"

    """

    text: str
    source: str = ""
    span: Span = NOWHERE

    def __str__(self) -> str:
        by = f" ({self.source})" if self.source else ""
        at = f" [{self.span}]" if self.span.path else ""
        return f"{self.text}{by}{at}"


class IllegalMove(ValueError):
    """Raised by `State.play` for a move that is not among the options. The state does not change.

    Attributes:
        reasons: the reasons why the move is not an option: one or more `Refusal` objects.

        try:
            state.play("take 4")
        except rulelang.IllegalMove as error:
            print([reason.text for reason in error.reasons])

    """

    def __init__(self, reasons: Sequence[Refusal]) -> None:
        super().__init__("; ".join(str(reason) for reason in reasons))
        self.reasons = tuple(reasons)

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[tuple[Refusal, ...]]]:
        return IllegalMove, (self.reasons,)  # from another process


@record
class Option:
    """One thing to choose at a decision. Give it, its text or its index to `State.play`.

    Attributes:
        text: the text that a player reads and types. Each option of a decision has a different text.
        index: its position among the options, starting at 0.
        key: the tuple (tag, values...) of whole numbers; the same for the same choice at the same decision. The tag of
            a pass is -1; values are handles and numbers.
        action: the id of the action; "" for a pass.
        source: the trait, row or card that provides the action; "" for the game's own rules.

        state.decision.options[0].text          # "take 1"

    """

    text: str
    index: int
    key: OptionTuple
    action: str = ""
    source: str = ""

    @property
    def is_pass(self) -> bool:
        """Whether the option passes or declines a choice."""
        return self.key[0] == PASS

    def __str__(self) -> str:
        return self.text


@record
class Decision:
    """A question: who must choose, and from which options. `State.decision` returns the pending decision.

    A decision has two or more options, because the game makes decisions with one option silently. A game that asks
    forced decisions (`Game.new(ask_forced=True)`) also has decisions with one option.

    Attributes:
        player: the seat that must decide, starting at 1. It can be 0 in scenarios, which also pause without a
            question.
        name: the name of that player.
        prompt: the question.
        kind: "offer" (actions), "choose" (a choice within a rule), "order" (which effect comes next), "react" (a
            defense), or "stop" (only in scenarios).
        options: the options, by index.
        span: the line of the rule that asks.

        decision = state.decision
        print(decision.name, decision.prompt, [option.text for option in decision.options])

    """

    player: int
    name: str
    prompt: str
    kind: DecisionKind
    options: tuple[Option, ...]
    span: Span

    def find(self, text: str) -> Option | tuple[Option, ...]:
        """Return the option with this text, or the only option that begins with it. Otherwise, return a tuple of all
        options that begin with it, which can be empty. Case and spaces make no difference."""
        wanted = normalized_text(errors.as_text(text, "the text of an option"))
        for option in self.options:
            if normalized_text(option.text) == wanted:
                return option
        found = tuple(option for option in self.options if wanted and normalized_text(option.text).startswith(wanted))
        return found[0] if len(found) == 1 else found

    def nearest(self, text: str, count: int = 3) -> list[str]:
        """Return the option texts that are most similar to this text, at most `count`, best first."""
        return get_close_matches(
            normalized_text(errors.as_text(text, "the text of an option")),
            [option.text for option in self.options],
            n=count,
            cutoff=0.5,
        )


@lru_cache(maxsize=1 << 14)  # games ask the same again and again
def normalized_text(text: str) -> str:
    """A text as it is compared: one space between words, case folded."""
    return " ".join(text.split()).casefold()


def make_options(
    site: DecisionPoint, keys: Sequence[OptionTuple], names: Names, S: Sequence[int]
) -> tuple[Option, ...]:
    """Options with texts, all different."""
    return tuple([
        Option(text, index, key)
        if key[0] == PASS
        else Option(text, index, key, site.actions[key[0]].id, site.actions[key[0]].source)
        for index, (text, key) in enumerate(zip(option_texts(site, keys, names, S), keys, strict=True))
    ])  # fmt: skip


class LazyValues(dict[int, T]):
    """What is made of each number when it is first wanted."""

    def __init__(self, make: Callable[[int], T]) -> None:
        self.make = make

    def __missing__(self, value: int) -> T:
        found = self[value] = self.make(value)
        return found


def option_texts(
    site: DecisionPoint, keys: Sequence[OptionTuple], names: Names, S: Sequence[int], cards: Sequence[int] | None = None
) -> list[str]:
    """What is typed for options, all different. `cards`: as `cards_of` has them, where that was asked."""
    sorts = names.layout.sorts
    labels = _card_labels(option_cards(site, keys, sorts) if cards is None else cards, names, S)
    called: dict[str, Mapping[int, str]] = {}  # by kind
    told: dict[int, tuple[str, list[tuple[int, Mapping[int, str]]]]] = {}  # by action: its name, what its values are
    texts: list[str] = []
    for key in keys:
        tag = key[0]
        if tag == PASS:
            texts.append(names.language.word("pass" if site.kind == "offer" else "none"))
            continue
        if tag not in told:
            action = site.actions[tag]
            places: list[tuple[int, Mapping[int, str]]] = []
            for place, kind in enumerate(action.types, 1):
                if kind and kind not in called:
                    called[kind] = LazyValues(partial(names.text, kind))
                    if kind in sorts:
                        called[kind] = labels | {0: names.text(kind, 0)}
                if kind and place < len(key):
                    places.append((place, called[kind]))
            name = "" if site.kind == "choose" and places else _named_action(site, action, names)
            told[tag] = name, places
        name, places = told[tag]
        args = [of[key[place]] for place, of in places]
        texts.append(" ".join([name, *args] if name else args))
    _tell_apart(site, keys, texts, names, S)
    return texts


def option_cards(site: DecisionPoint, keys: Sequence[OptionTuple], sorts: Container[str]) -> list[int]:
    """The cards that options name, each once."""
    found: dict[int, None] = {}
    places: dict[int, list[int]] = {PASS: []}  # by action
    for key in keys:
        tag = key[0]
        if tag not in places:
            kinds = site.actions[tag].types[: len(key) - 1]
            places[tag] = [place for place, kind in enumerate(kinds, 1) if kind in sorts]
        for place in places[tag]:
            if key[place]:
                found[key[place]] = None
    return [*found]


def visible_face(names: Names, S: Sequence[int], card: int) -> int:
    """The face that a card shows in play, 0 if it shows what is printed."""
    column = names.layout.card_face
    return S[column + card] if column else 0


def _card_labels(cards: Sequence[int], names: Names, S: Sequence[int]) -> dict[int, str]:
    """By card: its label, with printed values where cards of one label are printed differently."""
    by_label: dict[str, list[int]] = {}
    for card in cards:
        by_label.setdefault(names.card(card, visible_face(names, S, card)), []).append(card)
    labels: dict[int, str] = {}
    for label, alike in by_label.items():
        printed = distinguishing_values(names.layout, alike) if len(alike) > 1 else {}
        labels |= {card: f"{label} {printed[card]}".rstrip() if card in printed else label for card in alike}
    return labels


def _named_action(site: DecisionPoint, action: ActionInfo, names: Names) -> str:
    """What an action is called: by its id, where those of several ids at the site have one name."""
    shared = any(other.name == action.name and other.id != action.id for other in site.actions)
    return names.called(action.id if shared else action.name)


def _tell_apart(
    site: DecisionPoint, keys: Sequence[OptionTuple], texts: list[str], names: Names, S: Sequence[int]
) -> None:
    """Make equal texts different: by whom their cards join, where these lie, what they keep; then by number.

    The card that brings an action or effect is looked at too, though its name is not among the option's words.
    """
    for words in (_joined_label, _place_label, _kept_values):
        clashes = _equal_texts(texts)
        if not clashes:
            return
        for group in clashes:
            told = [
                [words(names, S, card, _named_things(site, keys[i])) for card in _cards_behind(site, keys[i], names)]
                for i in group
            ]
            # A word that all have tells nothing: of several cards only those that differ are spoken of.
            places = [p for p in range(min(map(len, told))) if len({said[p] for said in told}) > 1]
            for i, said in zip(group, told, strict=True):
                texts[i] = " ".join([texts[i], *(said[place] for place in places if said[place])])
    for group in _equal_texts(texts):
        for number, i in enumerate(group, 1):
            texts[i] = f"{texts[i]} #{number}"


def _cards_behind(site: DecisionPoint, key: OptionTuple, names: Names) -> list[int]:
    """The cards among an option's values, and the card of the trait that offers it."""
    if key[0] == PASS:
        return []
    action = site.actions[key[0]]
    hidden = {place for place, name in enumerate(action.params) if name == "this" and not action.types[place]}
    values = enumerate(zip(action.types, key[1:], strict=False))
    return [value for place, (kind, value) in values if value and (kind in names.layout.sorts or place in hidden)]


def _named_things(site: DecisionPoint, key: OptionTuple) -> set[tuple[str, int]]:
    """The things that an option's words name: (kind, handle)."""
    return set() if key[0] == PASS else set(zip(site.actions[key[0]].types, key[1:], strict=False))


def _joined_label(names: Names, S: Sequence[int], card: int, named: set[tuple[str, int]]) -> str:
    """Whom a card joins, in words; of two that it joins the one that the option does not name. "" for none."""
    layout = names.layout
    partner = S[layout.card_partner + card] if layout.card_partner else 0
    zone_id = S[layout.where + card]
    zone = layout.zones.get(layout.zone_names[zone_id])
    if not partner or zone is None or zone.of not in layout.kinds:
        return ""
    bearer = layout.zone_owner[zone_id]
    other = bearer if (zone.of, partner) in named else partner
    return names.language.say("with {thing}", thing=names.text(zone.of, other))


def _place_label(names: Names, S: Sequence[int], card: int, named: set[tuple[str, int]]) -> str:
    return place_text(names, S, card)


def _kept_values(names: Names, S: Sequence[int], card: int, named: set[tuple[str, int]]) -> str:
    """What a card keeps in play, for all to see: `fat 1`."""
    said = []
    for attribute in names.layout.attributes:
        row = (attribute.rows or {}).get(card, 0) if attribute.trait else card
        if attribute.kind != names.layout.cards[card].sort or attribute.seen_by != "everyone" or not row:
            continue
        if attribute.dims == ():
            said.append(f"{attribute.name} {names.text(attribute.type, S[attribute.base + row * attribute.width])}")
    return " ".join(said)


def _equal_texts(texts: Sequence[str]) -> list[list[int]]:
    if len({normalized_text(text) for text in texts}) == len(texts):
        return []
    groups: dict[str, list[int]] = {}
    for i, text in enumerate(texts):
        groups.setdefault(normalized_text(text), []).append(i)
    return [group for group in groups.values() if len(group) > 1]


def place_text(names: Names, S: Sequence[int], card: int) -> str:
    """Where a card lies, in words: `on wolf`, `in ana's hand`, `in deck`."""
    layout = names.layout
    zone_id = S[layout.where + card]
    name = layout.zone_names[zone_id]
    zone = layout.zones.get(name)
    owner = layout.zone_owner[zone_id]
    if zone is None or not zone.of or not owner:
        return names.language.say("in {zone}", zone=names.called(name))
    thing = names.text(zone.of, owner)
    if zone.of == "player":
        return names.language.say("in {owner}'s {zone}", owner=thing, zone=names.called(name))
    return names.language.say("on {thing}", thing=thing)


# ---- the question in words


def question_text(table: Table, names: Names, words: list[int], keys: Sequence[OptionTuple], cause: str = "") -> str:
    """What the one who decides is asked. `cause`: the trait or row whose rule led here, if one did; a question of the
    game's own rules names it."""
    site = table.site(words)
    asked, *chosen = _question_so_far(table, names, words, site)
    if site.kind == "stop" or asked.endswith("?"):
        return asked
    asked = _offer_text(site, asked, keys, names) if site.kind == "offer" else _choice_text(asked, keys, names)
    source = site.source or (cause if site.kind in ("choose", "offer") else "")
    if source:
        rule = names.source(source) if names.language.labels else name_in_words(source)
        if rule.casefold() not in asked.casefold():
            asked = names.language.say("{name} ({value})", name=asked, value=rule)
    if not chosen:
        return asked
    return names.language.say("{question} (so far: {chosen})", question=asked, chosen=names.language.row(chosen))


def _question_so_far(table: Table, names: Names, words: list[int], site: DecisionPoint) -> list[str]:
    """The question, and what was chosen so far."""
    program = table.program
    if not site.asks:
        return [site.prompt if site.kind == "stop" else names.language.word(site.prompt)]
    found = program.why(words, site.asks, program.told(words))
    return [names.told(program.reasons[number].text, args) for number, args in found]


def _offer_text(site: DecisionPoint, asked: str, keys: Sequence[OptionTuple], names: Names) -> str:
    """An offer, with its pass as it is now."""
    if not any(key[0] == PASS for key in keys):
        return asked
    done = all(key[0] == PASS or site.actions[key[0]].free for key in keys)
    if done and any(not action.free for action in site.actions):
        return names.language.say("you have taken your action; choose a free action, or pass")
    return names.language.say("{question}, or pass", question=asked)


def _choice_text(asked: str, keys: Sequence[OptionTuple], names: Names) -> str:
    """A choice: none may be among the options."""
    none = any(key[0] == PASS or (len(key) == 2 and not key[1]) for key in keys)
    return names.language.say("{question}, or none", question=asked) if none else asked
