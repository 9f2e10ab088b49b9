"""How a ruleset's things are called and shown: names, texts and units by language, and what is printed on cards.

Plain data, made by the compiler from declarations and `look:`, and read by whoever shows a game to people.

Names of the rules are keys here; whatever has no label of its own is called by its name in the rules (`in_words`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

#: A text by language tag (`en`, `zh-Hant`).
Texts = Mapping[str, str]

PrintedKind = Literal["number", "truth", "reference", "set", "condition"]


@dataclass(frozen=True, slots=True)
class Label:
    """How one declared thing is shown. `name` of one of them, `plural` of several, `short` where there is little room;
    `text` says what it means.

    `unit`: by language, by plural category (`one`, `other`), the word behind a number, without it. `pattern`: how each
    of them is called, with holes for `name` and columns. `order`: members that come first. `hidden`: never shown.
    """

    name: Texts = field(default_factory=dict)
    plural: Texts = field(default_factory=dict)
    short: Texts = field(default_factory=dict)
    text: Texts = field(default_factory=dict)
    icon: str = ""
    unit: Mapping[str, Texts] = field(default_factory=dict)
    pattern: Texts = field(default_factory=dict)
    order: tuple[str, ...] = ()
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Printed:
    """The type of a printed column: `of` is the list or kind that it refers to. `by`: it holds one value for each row
    of that list, or for each number from `first` (`by` is "" then, and `many` is true)."""

    kind: PrintedKind
    of: str = ""
    by: str = ""
    many: bool = False
    first: int = 1


@dataclass(frozen=True, slots=True)
class Shown:
    """A value of the rules that is shown on each thing of a kind: the pure `function` of the program answers it for a
    handle; `type` is "int", "bool" or a kind. `member` is the name by which it is labelled."""

    member: str
    function: str
    type: str


@dataclass(frozen=True, slots=True)
class Labels:
    """`things`: kinds, sorts of cards, lists, grids, zones, tables, actions and phases. `members`, by kind (`player`;
    "" for values of the game): attributes, columns and shown values. `rows`: of lists and sorts, by name; of `trait`
    too. `columns`: what is printed, by sort, list or grid; under `option` the options of the table. `ladders`: lists
    with an order."""

    things: Mapping[str, Label] = field(default_factory=dict)
    members: Mapping[str, Mapping[str, Label]] = field(default_factory=dict)
    rows: Mapping[str, Mapping[str, Label]] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, Printed]] = field(default_factory=dict)
    shown: Mapping[str, tuple[Shown, ...]] = field(default_factory=dict)
    ladders: frozenset[str] = frozenset()


NOTHING = Label()


def said(texts: Texts, lang: str) -> str:
    """The text in a language, else in that without its region, else in English, else in the first by its code."""
    for tag in (lang, lang.partition("-")[0], "en"):
        if texts.get(tag):
            return texts[tag]
    return next((text for _, text in sorted(texts.items()) if text), "")


def in_words(name: str) -> str:
    """A name of the rules as people read it: `hot_loving` is `hot loving`, `saola.head` is `saola head`."""
    return " ".join(name.replace("_", " ").replace(".", " ").replace("/", " / ").split())
