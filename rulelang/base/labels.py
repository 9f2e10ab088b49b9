"""How a ruleset's things are called and shown: names, texts and units by language, and what is printed on cards.

Plain data, made by the compiler from declarations and `look:`, and read by whoever shows a game to people.

Names of the rules are keys here; whatever has no label of its own is called by its name in the rules (`name_in_words`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from rulelang.base.node import record
from rulelang.base.wording import is_plural

#: A text by language tag (`en`, `zh-Hant`).
Texts = Mapping[str, str]

PrintedKind = Literal["number", "truth", "reference", "set", "condition"]


@record
class Label:
    """How one declared thing is shown. `name` of one of them, `plural` of several, `short` where there is little room;
    `text` says what it means. `icon` is a letter or a sign, `colour` a `#rrggbb`, `picture` a file of the ruleset.

    `unit`: the forms of the word behind a number (`point|points`). `otherwise`: what is said where it is false.
    `pattern`: how each of them is called, with holes for `name` and columns. `order`: members that come first.
    `hidden`: never shown. `brief`: of what lies there only the names are. `layout`, of the game: in which order zones,
    boards and players stand on the table.
    """

    name: Texts = field(default_factory=dict)
    plural: Texts = field(default_factory=dict)
    short: Texts = field(default_factory=dict)
    text: Texts = field(default_factory=dict)
    icon: str = ""
    colour: str = ""
    picture: str = ""
    unit: Texts = field(default_factory=dict)
    otherwise: Texts = field(default_factory=dict)
    pattern: Texts = field(default_factory=dict)
    order: tuple[str, ...] = ()
    hidden: bool = False
    brief: bool = False
    layout: tuple[str, ...] = ()


@record
class Printed:
    """The type of a printed column: `of` is the list or kind that it refers to. `by`: it holds one value for each row
    of that list, or for each number from `first` (`by` is "" then, and `many` is true). `usual`: what it holds where a
    row says nothing, so that nobody has to be told of it; None: every row says something."""

    kind: PrintedKind
    of: str = ""
    by: str = ""
    many: bool = False
    first: int = 1
    usual: int | None = None


@record
class ShownValue:
    """A value of the rules that is shown on each thing of a kind: the pure `function` of the program answers it for a
    handle; `type` is "int", "bool" or a kind, `missing` what an absent value is. `member` is the name by which it is
    labelled."""

    member: str
    function: str
    type: str
    missing: int = 0


NO_LABEL = Label()


@record
class Labels:
    """`things`: kinds, sorts of cards, lists, grids, zones, tables, actions and phases. `members`, by kind (`player`;
    "" for values of the game): attributes, columns and shown values. `rows`: of lists and sorts, by name; of `trait`
    too. `columns`: what is printed, by sort, list or grid; under `option` the options of the table. `ladders`: lists
    with an order. `printed`: by list, by row, by column, what is printed there; of traits too."""

    things: Mapping[str, Label] = field(default_factory=dict)
    members: Mapping[str, Mapping[str, Label]] = field(default_factory=dict)
    rows: Mapping[str, Mapping[str, Label]] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, Printed]] = field(default_factory=dict)
    shown: Mapping[str, tuple[ShownValue, ...]] = field(default_factory=dict)
    ladders: frozenset[str] = frozenset()
    printed: Mapping[str, Mapping[str, Mapping[str, object]]] = field(default_factory=dict)

    def member(self, kind: str, name: str) -> Label:
        """Of an attribute, a column or a shown value of a kind, `NO_LABEL` if there is none."""
        return self.members.get(kind, {}).get(name, NO_LABEL)


def is_plural_label(label: Label, name: str) -> bool:
    """Whether something is called by a noun in the plural (`main actions`), so that a verb behind it is so too: as its
    label says, by its plural or by the forms of its unit; where that has other words, by the noun."""
    said = in_english(label.name) or name_in_words(name)
    if in_english(label.plural):
        return in_english(label.plural) == said
    forms = in_english(label.unit).split("|")
    return said == forms[-1] if said in forms and len(forms) > 1 else is_plural(said)


def in_english(texts: Texts) -> str:
    """The text in English, else in the first language by its code."""
    return texts.get("en") or next((text for _, text in sorted(texts.items()) if text), "")


def name_in_words(name: str) -> str:
    """A name of the rules as people read it: `hot_loving` is `hot loving`, `saola.head` is `saola head`."""
    return " ".join(name.replace("_", " ").replace(".", " ").replace("/", " / ").split())
