"""The format of documents, as types: plain data that is JSON as it stands. The schemas are made of these classes.

Every *part* has an `id`, a `kind` and a `label`. Ids say where a part is found, and nothing else may be read out of
them; they are texts to compare and to hand back. A part has the same id in every document of a game, seen by anybody,
as long as it lies where it lies:

    player:1            a seat
    species:12          a thing made in play, as long as it is in play
    size:small          a row of a list, a ladder or a grid
    game                the game itself, of which its state and zones are
    player:1/hand       a zone of a part
    player:1/hand/owl#2 a card: the second such card of that zone (cards of which equal things are printed are equal)
    asked/owl#1         a card that is not on the table for the viewer, and is shown to him because he is asked about it
    species:12.size     a fact of a part
    table:eggs/owl:1/space:a2  a number of a table, by the parts at which it stands

Cards have no identity of their own: where a card has gone when it moved is told by the log, if the viewer may know.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

#: An id of a part of the same document.
Id: TypeAlias = str

#: number: `value` is a whole number. truth: true or false. reference: the id of a part or row, or nothing. set: the
#: ids of rows. condition: its terms. numbers, truths, references: of each row of a list one, by the row's id.
FactKind: TypeAlias = Literal[
    "number", "truth", "reference", "set", "condition", "numbers", "truths", "references", "row"
]


class Term(TypedDict):
    """One term of a condition: the numbers of all `measures` (ids of rows) together are compared with `number`."""

    measures: list[Id]
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    number: int
    text: str


class Item(TypedDict):
    """One entry of a fact that has several: of which row (`id`, `label`), what (`value`), in words (`text`)."""

    id: Id
    label: str
    value: int | bool | str | None
    text: str


class Fact(TypedDict):
    """Something that is so of a part: an attribute, what is printed on it, a value of the rules.

    `name` is what the rules call it, `label` what people do, `about` what it means. `text` is the value in words with
    its unit, `phrase` both in one: `population 3`, `3 points`, `carnivore`, `acted`. `brief` is the same in fewer
    letters, with the `icon` or the `short` label, if the ruleset gives one. `quiet`: there is nothing to tell
    (nought, nothing, false), and who has little room leaves it out. `items` are the entries of several. `level` is the
    place on a ladder, from 1, of so many `levels`.
    """

    id: Id
    name: str
    kind: FactKind
    label: str
    text: str
    phrase: str
    value: int | bool | str | list[Id] | None
    quiet: bool
    short: NotRequired[str]
    icon: NotRequired[str]
    brief: NotRequired[str]
    about: NotRequired[str]
    items: NotRequired[list[Item]]
    terms: NotRequired[list[Term]]
    level: NotRequired[int]
    levels: NotRequired[int]


class TraitText(TypedDict):
    """A trait that a card has printed, or shows."""

    id: Id
    label: str
    text: str


class Card(TypedDict):
    """A card that the viewer sees. `kind` is its sort, `row` what the rules call it. `label` is what it is called, in
    play that of the face that it shows; `text` what is written on it. `facts` are printed, `kept` change in play.
    `zones` are those of the card itself."""

    id: Id
    kind: str
    label: str
    row: str
    text: str
    traits: list[TraitText]
    facts: list[Fact]
    kept: list[Fact]
    zones: list[Zone]
    joined: NotRequired[Id]


class Zone(TypedDict):
    """Where cards lie, bottom (or first) to top. Without `cards` the viewer sees only how many there are.

    `slot`: it has room for one card. `owner`: the part whose zone it is. `brief`: the names of its cards say enough."""

    id: Id
    kind: Literal["zone"]
    name: str
    label: str
    holds: str
    owner: Id
    slot: bool
    brief: bool
    count: int
    about: NotRequired[str]
    cards: NotRequired[list[Card]]


class Thing(TypedDict):
    """A thing made in play. `number` counts those of its owner; `place` is where it stands, if its kind does."""

    id: Id
    kind: str
    label: str
    number: int
    owner: Id | None
    place: Id | None
    facts: list[Fact]
    zones: list[Zone]


class Group(TypedDict):
    """The things of one kind that somebody has, in their order."""

    kind: str
    label: str
    things: list[Thing]


class Player(TypedDict):
    """A seat. `you`: the viewer; `active`: whose turn it is; `asked`: who is to choose. A `score` once it is over."""

    id: Id
    kind: Literal["player"]
    label: str
    seat: int
    you: bool
    active: bool
    asked: bool
    facts: list[Fact]
    zones: list[Zone]
    groups: list[Group]
    score: NotRequired[int]


class Row(TypedDict):
    """A row of a list that keeps something in play, or a space of a grid (with its column `x` and row `y`, from 0)."""

    id: Id
    kind: str
    label: str
    text: str
    facts: list[Fact]
    kept: list[Fact]
    zones: list[Zone]
    x: NotRequired[int]
    y: NotRequired[int]


class Listing(TypedDict):
    """A list whose rows keep something in play."""

    id: Id
    kind: Literal["list"]
    name: str
    label: str
    rows: list[Row]


class Grid(TypedDict):
    """A board: its spaces row by row from the north-west. `round`: its east and its west edge are joined."""

    id: Id
    kind: Literal["grid"]
    name: str
    label: str
    width: int
    height: int
    round: bool
    spaces: list[Row]


class Cell(TypedDict):
    """One number of a table: `at` which parts or rows it stands, one for each kind that the table is read by, and what
    those are called."""

    id: Id
    at: list[Id]
    labels: list[str]
    value: int
    text: str


class Matrix(TypedDict):
    """A table of numbers, by the kinds it is read by. Noughts are left out."""

    id: Id
    kind: Literal["table"]
    name: str
    label: str
    of: list[str]
    cells: list[Cell]


class Parameter(TypedDict):
    """What an option is about: `kind` is a kind of parts (its `value` an id), `int` or `bool`. `name` is what the rules
    call it. `about`: the part it is, where it lies elsewhere than in the zones of the document."""

    name: str
    kind: str
    label: str
    value: int | bool | str | None
    text: str


class Option(TypedDict):
    """One thing to choose. `index` and `typed` are how it is answered (`State.play` takes both). `sentence` says it.

    `kind`: an action, a choice among values, passing, or an effect whose turn it is. `action` is the id of the action,
    `source` the trait or card whose it is, in words."""

    id: Id
    kind: Literal["action", "choice", "pass", "effect"]
    index: int
    typed: str
    label: str
    sentence: str
    action: Id | None
    source: str
    parameters: list[Parameter]


class Question(TypedDict):
    """What is asked. Everybody sees who is asked; only he himself what: the `prompt`, the `options`, and the `cards`
    that are shown for this question alone.

    `kind`: an offer of actions, a choice among values, which of one's effects comes next, a reaction to something; or
    that play has merely stopped (scenarios)."""

    id: Id
    player: Id | None
    sentence: str
    kind: NotRequired[Literal["offer", "choose", "order", "react", "stop"]]
    prompt: NotRequired[str]
    options: NotRequired[list[Option]]
    cards: NotRequired[list[Card]]


class Named(TypedDict):
    """Something with an id, in words."""

    id: Id
    label: str


class Identity(TypedDict):
    """Which rules are played: the ruleset with its version, mods (with theirs) and mode."""

    ruleset: str
    version: str
    mods: dict[str, str]
    mode: str | None


class Happened(TypedDict):
    """Where the log stands for the viewer: it has so many `entries`, whose ids count from 0. `last`: by the id of a
    thing, card, zone or fact of this document, the entry that changed it last, if any has."""

    entries: int
    last: dict[Id, int]


class Document(TypedDict):
    """The table as the `viewer` (the id of a player; nothing: a spectator) sees it, in the language `lang`.

    `nobody` are things of no player. `lists` are those whose rows keep something; `options` what the table chose before
    the game. `summary` says in one line where the game stands."""

    format: Literal[1]
    game: Identity
    title: str
    lang: str
    viewer: Id | None
    summary: str
    over: bool
    round: int
    phase: Named | None
    active: Id | None
    options: list[Fact]
    facts: list[Fact]
    zones: list[Zone]
    players: list[Player]
    nobody: list[Group]
    lists: list[Listing]
    grids: list[Grid]
    tables: list[Matrix]
    question: Question | None
    log: NotRequired[Happened]


# ---- catalogues


class CatalogueCard(TypedDict):
    """A card that there is, with how many `copies` on which the same is printed. `traits` are ids of what it can be
    played as."""

    id: Id
    kind: str
    label: str
    row: str
    text: str
    traits: list[Id]
    facts: list[Fact]
    copies: int


class CatalogueRow(TypedDict):
    """A row of a list, or a trait, with what is printed on it."""

    id: Id
    kind: str
    label: str
    text: str
    facts: list[Fact]


class CatalogueList(TypedDict):
    """A list with its rows; those of a `ladder` have an order."""

    id: Id
    name: str
    label: str
    ladder: bool
    rows: list[CatalogueRow]


class Member(TypedDict):
    """What a kind of things keeps, or the rules work out of it: what it is called, and what it is `about`."""

    name: str
    label: str
    about: str


class CatalogueKind(TypedDict):
    """A kind of things made in play, or the players."""

    id: Id
    name: str
    label: str
    plural: str
    about: str
    members: list[Member]


class CatalogueZone(TypedDict):
    """A zone that each of a kind has (`of`; `game`: there is one), with the sort of cards that it holds, and who sees
    them."""

    id: Id
    name: str
    label: str
    about: str
    of: str
    holds: str
    seen_by: Literal["everyone", "owner", "nobody"]
    slot: bool


class ActionParameter(TypedDict):
    """What an action is about, by its name in the rules."""

    name: str
    kind: str
    label: str


class CatalogueAction(TypedDict):
    """An action: the `phases` (ids) that offer it, the trait or card whose it is (`source`, in words); `free`: it may
    be done beside the one action of a turn."""

    id: Id
    name: str
    label: str
    about: str
    source: str
    phases: list[Id]
    free: bool
    parameters: list[ActionParameter]


class Catalogue(TypedDict):
    """All that there is at a table of so many `players` with these `options`, in the language `lang`."""

    format: Literal[1]
    game: Identity
    title: str
    lang: str
    players: int
    options: list[Fact]
    kinds: list[CatalogueKind]
    cards: list[CatalogueCard]
    traits: list[CatalogueRow]
    lists: list[CatalogueList]
    zones: list[CatalogueZone]
    phases: list[Named]
    actions: list[CatalogueAction]
