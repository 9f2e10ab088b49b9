"""What is asked, with its options, as part of a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from rulelang.base.layout import ActionInfo
from rulelang.presentation.view.document_types import Card, Option, Parameter, Question
from rulelang.presentation.view.look import Ids
from rulelang.presentation.view.words import SharedTexts, Words
from rulelang.runtime.decision import PASS, LazyValues, option_cards, option_texts
from rulelang.runtime.display_names import MISSING, filled_pattern
from rulelang.runtime.state import State, packed_cells

#: Draws a card that is asked about, by its handle.
Draw = Callable[[int], Card]


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """An argument as data, and in words. Of those that say the same there is one in a book."""

    value: int | bool | str | None
    text: str


@dataclass(frozen=True, slots=True)
class ActionShape:
    """What is the same in all options of an action: what it is called, whose it is, how the ruleset says it, if it
    does; its `parameters` (place in the option's key, name, kind, label); the places in keys of those that are
    `cards`."""

    id: str
    label: str
    source: str
    pattern: str
    parameters: tuple[tuple[int, str, str, str], ...]
    cards: tuple[int, ...]


class PendingQuestion:
    """The decision that is pending, for one seat."""

    def __init__(self, state: State, seat: int, ids: Ids, words: Words, draw: Draw, book: SharedTexts) -> None:
        self.state, self.seat, self.ids, self.words, self.draw, self.book = state, seat, ids, words, draw, book
        self.placed: dict[int, str] = {}  # by card that options are about: its id
        self.layout = state.table.program.layout
        self.number = packed_cells(state)[self.layout.cells.site]
        self.site = state.table.site(packed_cells(state))

    def question(self) -> Question:
        state = self.state
        player = state.decider
        mine = player == self.seat and player > 0
        prompt = (state.prompt if mine else "") or self.words.phrase("what")
        name = self.words.value("player", player) if player else ""
        shown: Question = {
            "id": "question",
            "player": self.ids.part("player", player),
            "sentence": self.words.phrase("asked", player=name, prompt=prompt)
            if mine
            else self.words.phrase("decides", player=name),
        }
        if mine:
            self.placed = self.ids.shown(self.cards)
            shown["kind"], shown["prompt"] = self.site.kind, prompt
            shown["options"] = self.options()
            shown["cards"] = [self.draw(card) for card in [*self.ids.asked]]
        return shown

    @cached_property
    def told(self) -> dict[int, str]:
        """What the cards among the options are called: of those of one name that are printed differently, with that."""
        alike: dict[str, list[int]] = {}
        for card in self.cards:
            alike.setdefault(self.words.card(card, self.face(card)), []).append(card)
        found: dict[int, str] = {}
        for name, cards in alike.items():
            if len(cards) == 1:
                found[cards[0]] = name
            else:
                found |= self.book.asked(("alike", name, *cards), partial(self.apart, name, cards))
        return found

    def apart(self, name: str, cards: Sequence[int]) -> dict[int, str]:
        """Cards of one name, with what is printed on them differently."""
        facts = {card: self.draw(card)["facts"] for card in cards}
        said = {card: {fact["name"]: fact["phrase"] for fact in facts[card]} for card in cards}
        differing = [n for n in said[cards[0]] if len({told.get(n, "") for told in said.values()}) > 1]
        found: dict[int, str] = {}
        for card in cards:
            more = self.words.language.row([said[card][n] for n in differing if said[card].get(n)])
            found[card] = self.words.language.say("{name} ({value})", name=name, value=more) if more else name
        return found

    @cached_property
    def cards(self) -> list[int]:
        """The cards that options are about, each once."""
        return option_cards(self.site, self.state.keys, self.layout.sorts)

    def shape(self, place: int) -> ActionShape:
        """What is the same in all options of an action of the site."""
        action = self.site.actions[place]
        return self.book.once(("action", self.number, place), lambda: self.shaped(action))

    def options(self) -> list[Option]:
        """All of them, to be read only: games of one table that are asked the same share those that say the same."""
        keys, known = self.state.keys, self.book.options
        arguments: dict[str, LazyValues[Argument]] = {}  # by kind
        plans: dict[int, list[tuple[int, LazyValues[Argument]]]] = {
            PASS: []
        }  # by action, where its arguments are in keys
        found: list[Option] = []
        texts = option_texts(self.site, keys, self.state.names, packed_cells(self.state), self.cards)
        for index, text in enumerate(texts):
            key = keys[index]
            tag = key[0]
            plan = plans.get(tag)
            if plan is None:
                told = [(place, kind) for place, _, kind, _ in self.shape(tag).parameters if place < len(key)]
                plan = plans[tag] = [
                    (place, arguments.setdefault(kind, LazyValues(partial(self.argument, kind))))
                    for place, kind in told
                ]
            # What it is told as depends on nothing else.
            given = [of[key[place]] for place, of in plan]
            said = (self.number, tag, text, *given)
            option = known.get(said)
            if option is None:
                option = self.book.asked(said, partial(self.worded, index, tag, text, given))
            found.append(option if option["index"] == index else {**option, "index": index})
        return self.several(found)

    def several(self, found: list[Option]) -> list[Option]:
        """The same, with ids and sentences that are all different."""
        if len({option["id"] for option in found}) < len(found):
            taken: dict[str, int] = {}
            for place, option in enumerate(found):
                taken[option["id"]] = count = taken.get(option["id"], 0) + 1
                if count > 1:
                    found[place] = {**option, "id": f"{option['id']}#{count}"}
        told = [option["sentence"] for option in found]
        if len({*told}) == len(found):
            return found
        sentences, say = Counter(told), self.words.language.say
        return [
            {**option, "sentence": say("{name} ({value})", name=option["sentence"], value=option["typed"])}
            if sentences[option["sentence"]] > 1
            else option
            for option in found
        ]

    def worded(self, index: int, tag: int, typed: str, given: Sequence[Argument]) -> Option:
        """An option of an action with these arguments."""
        if tag == PASS:
            return {
                "id": "pass", "kind": "pass", "index": index, "typed": typed,
                "label": (label := self.words.phrase("pass" if self.site.kind == "offer" else "none of them")),
                "sentence": label, "action": None, "source": "", "parameters": [],
            }  # fmt: skip
        shape = self.shape(tag)
        parameters: list[Parameter] = [
            {"name": name, "kind": kind, "label": called, "value": one.value, "text": one.text}
            for (_, name, kind, called), one in zip(shape.parameters, given, strict=False)
        ]
        values = [one.text for one in given]
        label, pattern = shape.label, shape.pattern
        chosen = self.site.kind == "choose" and bool(values)
        ids = ",".join(str(one.value) for one in given)
        sentence = filled_pattern(pattern, {one["name"]: one["text"] for one in parameters}) if pattern else ""
        if not sentence and values:
            listed = self.words.language.row(values)
            sentence = listed if chosen else self.words.phrase("action", action=label, parameters=listed)
        return {
            "id": f"choose({ids})" if chosen else f"{shape.id}({ids})",
            "kind": "choice" if chosen else "effect" if self.site.kind == "order" else "action",
            "index": index,
            "typed": typed,
            "label": label,
            "sentence": sentence or label,
            "action": f"action:{shape.id}" if self.site.kind in ("offer", "react") else None,
            "source": shape.source,
            "parameters": parameters,
        }

    def shaped(self, action: ActionInfo) -> ActionShape:
        """See `shape`."""
        pattern = self.words.said(self.words.thing(action.name).pattern)
        told = [(place, kind) for place, kind in enumerate(action.types) if kind]
        named = [(place, action.params[place] if place < len(action.params) else kind, kind) for place, kind in told]
        return ActionShape(
            action.id,
            self.words.named(action.name),
            self.words.source(action.source),
            pattern,
            tuple((place + 1, name, kind, self.words.names.argument(name, kind)) for place, name, kind in named),
            tuple(place + 1 for place, kind in told if kind in self.layout.sorts),
        )

    def argument(self, kind: str, value: int) -> Argument:
        """An argument as data, and in words."""
        shown: int | bool | str | None = value
        if kind == "bool":
            shown = bool(value)
        elif kind != "int":
            shown = self.placed.get(value) if kind in self.layout.sorts else self.ids.part(kind, value)
        elif value == MISSING:
            shown = None
        text = self.told[value] if kind in self.layout.sorts and value else self.words.value(kind, value)
        return self.book.asked((Argument, type(shown), shown, text), partial(Argument, shown, text))

    def face(self, card: int) -> int:
        column = self.layout.card_face
        return packed_cells(self.state)[column + card] if column else 0
