"""What is printed, as data: a rulebook, a deck of cards, a reference sheet. Texts are in the language of the document.

Templates read these as JSON and lay them out; nothing in them is markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["rulebook", "cards", "sheet"]


@dataclass(frozen=True, slots=True)
class Mark:
    """What a mod or mode did to the thing it stands at, and who that was."""

    how: Literal["new", "changed"]
    by: str


Marks = tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Layer:
    """A mod or mode that lies over the game; `said`: that it does, in words."""

    title: str
    said: str


@dataclass(frozen=True, slots=True)
class Head:
    """What every document says of its game. `words`: the program's own words that templates print, by their keys."""

    title: str
    players: str
    version: str
    layers: tuple[Layer, ...]
    language: str
    region: str
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing with its name and text. `facts`: short labelled values, such as the count of its cards."""

    name: str
    text: str
    facts: tuple[tuple[str, str], ...] = ()
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Things of one kind under a title."""

    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """A map of a grid: what is printed on each space, row by row from the north-west. `groups`: by space, a number for
    what is printed in the last column, so that alike spaces look alike."""

    title: str
    across: int
    spaces: tuple[tuple[str, ...], ...]
    groups: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of what happens. `phase`: the id of the phase that it leads to; `steps`: what is done in it; `cites`:
    the numbered rules that it carries out."""

    text: str
    phase: str = ""
    cites: tuple[str, ...] = ()
    loop: bool = False
    steps: tuple[Step, ...] = ()
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Action:
    """What a player may do in a phase. `by`: the trait or card that brings it; `needs`: what has to be so."""

    name: str
    targets: tuple[str, ...]
    needs: tuple[str, ...]
    notes: tuple[str, ...]
    by: str
    cites: tuple[str, ...]
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Phase:
    id: str
    name: str
    steps: tuple[Step, ...]
    actions: tuple[Action, ...]
    cites: tuple[str, ...]
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A numbered rule. `ruling`: how an open text is read; `because`: why no program holds anyone to it; `done_by`:
    what carries it out, in words."""

    id: str
    text: str
    ruling: str
    because: str
    done_by: tuple[str, ...]
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """The numbered rules of one section of a document."""

    title: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait, or a card with rules of its own. `also`: its English name; `hooks`: what it does to the rules, in
    short."""

    name: str
    also: str
    text: str
    facts: tuple[tuple[str, str], ...]
    hooks: tuple[Hook, ...]
    cites: tuple[str, ...]
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Hook:
    """One thing that a trait or card does to an event or value. `says`: such as `before`, `+ 2`, `forbids`; `when`: its
    condition, or the reason that it gives."""

    event: str
    says: str
    when: str
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class CardRow:
    """A row of the table of cards."""

    name: str
    copies: int
    cells: tuple[str, ...]
    text: str
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class CardTable:
    """All cards of a sort; `columns` are the titles of the cells, `numbers` says which are numbers, and `widths` how
    much room they want beside each other: the name, each column, the text (0: there is none)."""

    title: str
    total: str
    columns: tuple[str, ...]
    numbers: tuple[bool, ...]
    widths: tuple[int, ...]
    rows: tuple[CardRow, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that mods change. `before` and `after` are empty where there is nothing; `code`: they stand in the
    language of rules or data, and are no words."""

    name: str
    how: Literal["added", "removed", "changed"]
    before: str
    after: str
    by: str
    code: bool = True


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """What mods change of one kind. `added`: names of cards and traits that are new; what they are stands elsewhere in
    the book."""

    title: str
    changes: tuple[Change, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """`bearers`: the title over `traits`, which may be cards with rules."""

    head: Head
    about: tuple[Section, ...]
    maps: tuple[Map, ...]
    flow: tuple[Step, ...]
    phases: tuple[Phase, ...]
    bearers: str
    traits: tuple[Trait, ...]
    chapters: tuple[Chapter, ...]
    tables: tuple[CardTable, ...]
    changes: tuple[ChangeGroup, ...]
    kind: Kind = field(default="rulebook", init=False)


@dataclass(frozen=True, slots=True)
class Sign:
    """A letter or sign by which something is known at a glance, and its colour (`#rrggbb`, or "")."""

    icon: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """A printed value: large above its label if it is a `number`, else in a line behind it. No label: it says all."""

    label: str
    text: str
    number: bool
    signs: tuple[Sign, ...] = ()


@dataclass(frozen=True, slots=True)
class Face:
    """The front of a card. `corner`: the one number that matters on its sort; `texts`: paragraphs with headings (or
    none); `foot`: what stands small below; `mark`: the mod that brought or changed it; `back`: its back's number.
    `signs`: those of its row and its traits; `picture`: the number of its picture in the deck, -1 for none."""

    title: str
    kind: str
    corner: str
    corner_label: str
    values: tuple[Value, ...]
    texts: tuple[tuple[str, str], ...]
    foot: str
    mark: str
    back: int
    signs: tuple[Sign, ...] = ()
    picture: int = -1


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: `svg` or `png`, and its bytes."""

    form: str
    data: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Back:
    """What stands on the backs of cards that nobody can tell apart while they lie face down."""

    title: str
    kind: str


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards to be cut out. `cards`: for each card, copy for copy, the number of its face (from 0); `pictures`: those
    that faces have."""

    head: Head
    faces: tuple[Face, ...]
    backs: tuple[Back, ...]
    cards: tuple[int, ...]
    paper: str
    with_backs: bool
    pictures: tuple[Picture, ...] = ()
    kind: Kind = field(default="cards", init=False)


@dataclass(frozen=True, slots=True)
class Bearer:
    """A line of the sheet: who does what to the rules. Those that do the same stand together."""

    name: str
    copies: int
    hooks: tuple[Hook, ...]
    actions: tuple[str, ...]
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Hooked:
    """An event or value, and who hooks it how."""

    event: str
    kind: str
    by: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    head: Head
    flow: tuple[Step, ...]
    phases: tuple[Phase, ...]
    bearers: tuple[Bearer, ...]
    hooked: tuple[Hooked, ...]
    kind: Kind = field(default="sheet", init=False)


Document = Rulebook | Deck | Sheet
