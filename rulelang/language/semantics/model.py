"""Types, and the model: all that a ruleset declares, for every number of players and every option at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from rulelang.base.labels import Labels
from rulelang.base.node import node, record
from rulelang.base.source import NOWHERE, Span
from rulelang.base.spaces import Spaces

# ---- types

Tag = Literal["int", "bool", "order", "ref", "set", "condition", "error"]

#: What an absent `maybe int` is stored as; every other absent reference is 0.
MISSING_INT = -(2**31)


@record
class Type:
    """`name` is the kind of a `ref`, or the list that a `set` or `condition` ranges over.

    `ref` covers every KIND: lists, ladders, grids, card sorts, made kinds, `player`, `trait`, `phase` and the value
    sets of options (named `option NAME`). `error` is the type of what could not be typed: it fits everywhere, so that
    one mistake is reported once.
    """

    tag: Tag
    name: str = ""
    maybe: bool = False

    def __str__(self) -> str:
        text = {"ref": self.name, "set": f"set of {self.name}", "condition": f"condition on {self.name}"}.get(
            self.tag, self.tag
        )
        return f"maybe {text}" if self.maybe else text

    def optional(self) -> Type:
        return Type(self.tag, self.name, True)

    def sure(self) -> Type:
        return Type(self.tag, self.name, False)


INT = Type("int")
BOOL = Type("bool")
ORDER = Type("order")
ERROR = Type("error")
PLAYER = Type("ref", "player")
TRAIT = Type("ref", "trait")
PHASE = Type("ref", "phase")


def ref(name: str, *, maybe: bool = False) -> Type:
    return Type("ref", name, maybe)


# ---- model

#: A number fixed now, or the name of a `numbers:` entry, or `option.NAME`.
Bound = int | str
#: Who sees it: a `SeenBy`, or `option.NAME`, whose value at a table is one.
Seers = str


@record
class Term:
    """One term of a condition: the sum of the measures (row numbers) compared with a number."""

    measures: tuple[int, ...]
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    number: int


@record
class Condition:
    """A `condition on LIST` cell: all terms must hold."""

    terms: tuple[Term, ...]


#: int: a number, truth value or row number (0 none; MISSING_INT for a missing `maybe int`).
#: tuple: members of a set (ascending), or one value a copy / row of `by` / number of `by`'s range.
ColumnValue = int | tuple[int, ...] | Condition


@record
class Column:
    """A printed column of a list, card sort, grid or trait. `by` is "copy", a list's name, or a range (low, high)."""

    name: str
    type: Type
    by: str | tuple[int, int] | None = None
    low: int | None = None
    high: int | None = None
    default: ColumnValue | None = None
    counted_by: str = ""  # for a condition: the value that counts a measure of a subject
    tells_apart: bool = True  # else cards are alike whatever is printed here, and no rule reads it
    span: Span = NOWHERE


@record
class Attribute:
    """A changeable integer of a thing, a card, a list row, a trait's card, or the game (`state:`).

    `low`/`high` bound it (None: only the machine's range); `resets` names a phase, or is "turn", "round" or "phase".
    `index` lists the lists by whose rows it is kept besides (`this.outwitted[t]`).
    """

    name: str
    type: Type
    low: Bound | None = None
    high: Bound | None = None
    start: Bound = 0
    resets: str | None = None
    clamp: bool = False
    seen_by: Seers = "everyone"
    index: tuple[str, ...] = ()
    span: Span = NOWHERE


@node
class Row:
    """One row of a list, ladder or card sort. `name` is "" for an unnamed card row; `rules`: it brings some.

    `number` counts from 1; what `for_each` makes of a card row are rows of their own, with the row's `written` number.
    """

    name: str
    number: int
    columns: Mapping[str, ColumnValue]
    copies: int = 1
    text: str = ""
    layer: int = 0
    span: Span = NOWHERE
    written: int = 0
    rules: bool = False


@record
class Listing:
    """A list, ladder, the list of traits, or a list whose length is a number of the table (`count: places`)."""

    name: str
    rows: tuple[Row, ...]
    columns: Mapping[str, Column] = field(default_factory=dict)
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    ladder: bool = False
    count: Bound | None = None
    span: Span = NOWHERE


@record
class Grid:
    """Spaces numbered row by row from the north-west. `maps`: by map name, by column, one value a space."""

    name: str
    columns: Mapping[str, Column]
    width: int
    height: int
    maps: Mapping[str, Mapping[str, tuple[int, ...]]]
    chosen_by: str | None  # an option; None: the only map
    corners: bool | str = False  # fixed, or the name of a bool option
    east_west: bool | str = False
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    span: Span = NOWHERE

    @property
    def spaces(self) -> Spaces:
        """The numbers of its spaces by their names."""
        return Spaces(self.width, self.height)


@record
class CardType:
    """A sort of cards; every copy of every row is one card of the game.

    `ends`: by column, the least and the greatest number that is printed there at a table: other rows are not in play.
    `repeated`: the columns that `for_each` fills.
    """

    name: str
    columns: Mapping[str, Column]
    rows: tuple[Row, ...]
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    ends: Mapping[str, tuple[Bound, Bound]] = field(default_factory=dict)
    span: Span = NOWHERE
    repeated: frozenset[str] = frozenset()


@record
class Made:
    """A kind of things made and lost in play; at most `at_most` of them for each owner (a sort: its cards' number)."""

    name: str
    of: str
    place: str | None  # the list that `in:` names
    line: bool
    at_most: Bound
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    span: Span = NOWHERE


@record
class Zone:
    """Where cards lie. `of`: a kind, list, or None for one zone of the game; a `slot` holds one card."""

    name: str
    of: str | None
    holds: str
    seen_by: Seers = "everyone"
    in_force: bool = False
    playable: bool = False
    played_to: str | None = None
    refilled_from: str | None = None
    slot: bool = False
    span: Span = NOWHERE

    @property
    def short_name(self) -> str:
        """The name that it is read with."""
        return self.name.rpartition(".")[2]


@record
class Table:
    """An integer matrix over two or more kinds."""

    name: str
    of: tuple[str, ...]
    low: Bound | None = None
    high: Bound | None = None
    resets: str | None = None
    clamp: bool = False
    span: Span = NOWHERE


@record
class Number:
    """A constant: by number of players, one integer or a row of them (`replaced[era]`, counted from 1)."""

    name: str
    by_players: Mapping[int, int | tuple[int, ...]]
    span: Span = NOWHERE


@record
class Option:
    """What a table may choose. For a value set, the values are numbered from 1; for bool 0 and 1."""

    name: str
    type: Type
    values: tuple[str, ...]
    low: int
    high: int
    default: Mapping[int, int]  # by number of players
    text: str = ""
    span: Span = NOWHERE


@record
class Trait:
    """A trait file. Its number is its row in the list `trait`. `state` holds what is kept per card."""

    name: str
    number: int
    titles: Mapping[str, str]  # by language tag
    text: Mapping[str, str]
    pair: Literal["mutual", "directed"] | None
    state: Mapping[str, Attribute]
    columns: Mapping[str, ColumnValue]
    needs: tuple[str, ...] = ()
    knows: tuple[str, ...] = ()
    layer: int = 0
    span: Span = NOWHERE


@record
class Teams:
    """`teams:` of the manifest, for a table where the option holds: seats opposite or adjacent form a team."""

    option: str
    value: int
    size: int
    players: tuple[int, ...]
    opposite: bool


@record
class Model:
    """Everything declared. Names are unique within each mapping; `player` is always in `player_attributes`' kind."""

    id: str
    version: str
    title: Mapping[str, str]
    players: tuple[int, int]
    clockwise: bool
    first: str | None  # the state value that names the first player outside a turn
    teams: Teams | None
    numbers: Mapping[str, Number]
    options: Mapping[str, Option]
    lists: Mapping[str, Listing]  # with `trait` among them, and ladders
    grids: Mapping[str, Grid]
    sorts: Mapping[str, CardType]
    made: Mapping[str, Made]
    player_attributes: Mapping[str, Attribute]
    zones: Mapping[str, Zone]
    tables: Mapping[str, Table]
    state: Mapping[str, Attribute]
    traits: Mapping[str, Trait]
    labels: Labels = field(default_factory=Labels)
