"""Where everything lies in the flat state array of one table (number of players, options): the contract between the
compiler, which lays it out, and the engine, which shows, saves and names what is in it.

A state is a list of integers. Things, players, cards and rows are small integers from 1 (their handles); 0 is `none`.
A column of n things takes n + 1 words (handle 0 reads 0 for ever); the word of handle h lies at `base + h`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Literal

from rulelang.base.labels import Labels
from rulelang.base.node import record
from rulelang.base.numbers import WORD, Range
from rulelang.base.phrases import PlayerText
from rulelang.base.source import NOWHERE, Span

#: The words of generators lie below this.
GENERATOR = 1 << 30

SeenBy = Literal["everyone", "owner", "nobody"]
DecisionKind = Literal["offer", "choose", "order", "react", "stop"]
#: What has ended at a stop: an action that was taken; a turn, phase or round, before what happens at its end or after.
#: A turn that begins ends nothing: places of things that have gone become free.
StopPlace = Literal["turn begins", "action", "turn ends", "turn", "phase ends", "phase", "round ends", "round"]


@record
class Cells:
    """Addresses of the single words that every game has."""

    round: int
    phase: int  # the phase it stands in (its number), 0 before the first
    active: int  # whose turn it is, 0 outside turns
    actor: int
    rng_x: int  # the generator: two words below 2**30 (multiply-with-carry, see ir.Random)
    rng_c: int
    policy_x: int  # the generator of a random playout's own choices; 0 in a played game
    policy_c: int
    over: int  # 1 once the game has ended
    site: int  # where it waits: number of the decision site, 0 while running
    decider: int  # who is asked
    frame: int  # address of the innermost frame while it waits
    steps: int  # steps since the last decision, bounded by the budget
    decisions: int  # decisions with two or more options so far
    forced: int  # decisions with one option, taken unasked
    seek: int  # scenario start: the phase to begin with, then 0
    seek_turn: int  # scenario start: the player whose turn begins it, then 0
    curtain: int  # > 0 inside `secretly`
    stepping: int  # 1 (scenarios): forced decisions are asked, and play pauses at stops (see ir.Stop); 2: asked only


@record
class AttributeLayout:
    """One attribute. `kind` is "" for state values; a trait's card state has `trait` and maps cards through `rows`.

    The word of handle h (or, with `trait`, of row rows[card]) and index i, j lies at
    `base + h * width + i * ... `; `of` are the index lists, `dims` their sizes + 1, `width` the product of these (1
    without index).
    `type` is "int", "bool" or the name of a kind. `holds`: between which numbers its words lie, also those of nothing.
    """

    kind: str
    name: str
    base: int
    count: int
    type: str
    seen_by: SeenBy = "everyone"
    trait: str = ""
    rows: Mapping[int, int] | None = None
    dims: tuple[int, ...] = ()
    width: int = 1
    missing: int = 0  # what an absent value is stored as (MISSING_INT for `maybe int`)
    holds: Range = WORD
    of: tuple[str, ...] = ()


@record
class KindLayout:
    """A made kind. Slots of owner o are the handles (o - 1) * per_owner + 1 .. o * per_owner."""

    name: str
    owners: int  # players, and one more where `nobody` may own
    per_owner: int
    most: int  # that each owner may have; there may be more slots, for what has gone a moment ago
    alive: int  # base of the alive column
    place: int  # base of the place column, or 0
    place_kind: str
    next: int  # line links, or 0: bases of columns
    prev: int
    first: int  # by owner
    last: int
    count: int  # how many each owner has, by owner
    names: tuple[str, ...] = ()
    # For a kind that is ever removed, else 0. `used`, a column: a slot that may not be given to a new thing. It is 1 if
    # the thing lives; slots of removed things wait in a chain from the word `waiting` on, each with the next one + 1.
    used: int = 0
    waiting: int = 0


@record
class ZoneLayout:
    """A zone by name. Instance o (owner handle; 0 for the one zone of the game) has the zone id `first_id + o`.

    An array zone of instance o lies at `base + o * stride`: [count, card, card, ...], bottom first.
    A linked zone has columns by instance: `first`, `last`, `count`; its cards are linked by `Layout.card_next`.
    """

    name: str
    of: str  # kind or list, "" for one zone of the game
    holds: str
    seen_by: SeenBy
    first_id: int
    owners: int  # instances are 1..owners, or only 0 when `of` is ""
    array: bool
    base: int = 0
    stride: int = 0
    first: int = 0
    last: int = 0
    count: int = 0
    in_force: bool = False
    slot: bool = False


@record
class TableLayout:
    """`holds`: between which numbers its words lie."""

    name: str
    base: int
    of: tuple[str, ...]
    dims: tuple[int, ...]  # sizes + 1 of each kind; word at base + (i * dims[1] + j) ...
    holds: Range = WORD


@record
class PairLayout:
    """The cards that join something to a thing of a kind, in a chain for each such thing: its `first` by thing, the
    links by card. In the chain of a thing lie the cards whose partner (`Layout.card_partner`) it is."""

    kind: str
    first: int
    next: int
    prev: int


@record
class QueueLayout:
    """Effects that wait for their owners to say which comes next: the word `count`, then `width` columns of `room`
    words each. Of entry e, from 0, word k lies at `column(k) + e`: the number of the hook, its bearer, its card, then
    the arguments of the event, each in a column of its type. Behind the last entry stands what has waited before.

    `hooks`: by the number of the hook, for each word behind it of what kind it is; "" for what it does not use.
    """

    count: int
    first: int
    room: int
    width: int
    hooks: tuple[tuple[str, ...], ...] = ()

    def column(self, k: int) -> int:
        return self.first + k * self.room


@record
class GridLayout:
    """A grid as its map shows it. `printed` by space (from 0, row by row): what each column says, in words. `round`:
    its east and its west edge are joined."""

    width: int
    height: int
    printed: tuple[Mapping[str, str | int | bool | None], ...]
    round: bool = False


@record
class CardInfo:
    """What is printed on one card: by column a value as rules read it, and its text as players do.

    `look` numbers cards that are alike in all columns that tell them apart, `tells`; `repeated` are those of them that
    were filled for each value, which are part of what the card is called.
    """

    sort: str
    row: str
    faces: tuple[int, ...]
    columns: Mapping[str, object]
    look: int
    label: str
    tells: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()


@record
class Layout:
    """`size` words in all; the control stack takes `stack` .. `size`."""

    size: int
    players: int
    cells: Cells
    attributes: tuple[AttributeLayout, ...]
    kinds: Mapping[str, KindLayout]
    zones: Mapping[str, ZoneLayout]  # with "box"
    tables: Mapping[str, TableLayout]
    cards: tuple[CardInfo, ...]  # index = card handle; [0] is an empty one
    sorts: Mapping[str, tuple[int, int]]  # first and last card of a sort
    lists: Mapping[str, tuple[str, ...]]  # names of rows, [0] is "none"; also grids, traits, phases, options' values
    where: int  # column by card: zone id
    card_next: int  # columns by card, for linked zones
    card_prev: int
    card_face: int  # column by card, or 0 where the face is printed
    card_partner: int  # column by card, or 0
    silent: int  # column by card, or 0: silenced, a bit for each end of a silence (0: it works)
    zone_owner: tuple[int, ...]  # by zone id: owner handle
    zone_player: tuple[int, ...]  # by zone id: the player whose it is, 0 none
    zone_names: tuple[str, ...]  # by zone id
    stack: int
    trait_titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    grids: Mapping[str, GridLayout] = field(default_factory=dict)
    pairs: PairLayout | None = None  # with `card_partner`
    queue: QueueLayout | None = None
    points: frozenset[int] = frozenset()  # where the attributes and tables begin that score and tiebreak read
    labels: Labels = field(default_factory=Labels)


@record
class ActionInfo:
    """An action as options show it: `types` are the kinds of its arguments (the bearer first, if it has one).

    `phases`: the names of those that offer it. `free`: it may be done beside the one action of a turn.
    """

    id: str
    name: str
    types: tuple[str, ...]
    params: tuple[str, ...]
    source: str = ""  # the trait, card or row whose it is
    span: Span = NOWHERE
    phases: tuple[str, ...] = ()
    free: bool = False


@record
class DecisionPoint:
    """A place in the rules where someone is asked.

    An option is a tuple (tag, a, b, ...): tag -1 is pass ("none of them"); otherwise `actions[tag]` tells its types.
    `kind`: offer (actions), choose (one pseudo action named after its binders), order (which of one's own effects
    comes next), react (a defence). stop: nobody is asked; what has ended there is the `prompt`, one of `Stopped`.
    `goes_on`: of an offer, whether what was done is followed by another one.
    `prompt`: the question without what it speaks of; where it speaks of anything, the whole is told by `asks`: what
    `LinkedProgram.why` tells of that, with the arguments of `LinkedProgram.told`. Behind the question it tells what was
    chosen so far. `refuses`: what tells in the same way why something is none of the options, with its values behind.
    `source`: the trait or row because of whose rule it is asked, "" for rules of the game and where the words tell it.
    """

    kind: DecisionKind
    actions: tuple[ActionInfo, ...]
    prompt: str
    span: Span
    goes_on: bool = False
    asks: str = ""
    refuses: str = ""
    source: str = ""


@record
class Parameter:
    """A parameter of a value: its type as `AttributeLayout` has it, and whether `none` may be given."""

    name: str
    type: str
    maybe: bool = False


@record
class DeclaredValue:
    """A declared value, and the pure functions that work it out: one; for each part of an `order` one. `missing` as in
    `AttributeLayout`."""

    functions: tuple[str, ...]
    params: tuple[Parameter, ...]
    type: str
    missing: int = 0


#: The kind of an argument that is the id of a zone.
ZONE = "/zone"


@record
class LogTemplate:
    """Text for a log event: strings and (argument position, kind) pairs. `kind` "int" shows a number, `ZONE` a zone."""

    what: Literal["routine", "action", "hook", "tells", "choice", "shuffle"]
    name: str
    source: str  # the trait, card or row whose rule it is, "" for core
    parts: tuple[str | tuple[int, str], ...]
    span: Span
    kept: tuple[SecretArgument, ...] = ()  # arguments that only those see who see where they are kept


@record
class SecretArgument:
    """An argument of a log event that is written into an attribute which not everyone sees.

    `attribute` is its place in `Layout.attributes`, `of` the argument that holds the handle of the thing whose
    attribute it is, or -1 if that is not known yet: then nobody sees it in the log.
    """

    argument: int
    attribute: int
    of: int


@record
class Reason:
    """What is told of a question or a refusal: as rules say it, or as a phrase of the program."""

    text: PlayerText
    source: str
    span: Span


# ---- what words may hold


def last_player(layout: Layout) -> int:
    """The highest handle of a player: with nobody, where things or cards may be nobody's."""
    owned = [kind.owners for kind in layout.kinds.values()]
    owned += [zone.owners for zone in layout.zones.values() if zone.of == "player"]
    owned += [a.count for a in layout.attributes if a.kind == "player"]
    return max(layout.players, *owned) if owned else layout.players


def handles_of(layout: Layout, kind: str) -> tuple[int, int] | None:
    """The first and last handle of a kind; None for what is no kind."""
    if kind == "player":
        return 1, last_player(layout)
    if kind in layout.sorts:
        return layout.sorts[kind]
    if kind in layout.kinds:
        return 1, layout.kinds[kind].owners * layout.kinds[kind].per_owner
    return (1, len(layout.lists[kind]) - 1) if kind in layout.lists else None


def most_of_cells(layout: Layout) -> Mapping[str, int]:
    """By the name of each single word the most that it may be; the least is 0."""
    phases, players = len(layout.lists.get("phase", ("none",))) - 1, last_player(layout)
    known = {
        "phase": phases, "seek": phases + 1, "active": players, "actor": players, "seek_turn": players,
        "decider": layout.players, "over": 1, "stepping": 2,
        **dict.fromkeys(("rng_x", "rng_c", "policy_x", "policy_c"), GENERATOR - 1),
    }  # fmt: skip
    return {cell.name: known.get(cell.name, WORD[1]) for cell in fields(Cells)}
