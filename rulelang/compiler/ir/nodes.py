"""The typed IR: what every backend turns into code. All values are integers; all memory is the state array `S`.

Expressions are pure. A function is one of:
* pure: may only read, returns an integer;
* routine: changes the state; may wait for a decision if `pausing` (see `passes.suspension`);
* enumerator: lists option tuples with `Yield`; a backend derives from its one body a lister, a counter and a decoder;
* lister: tells the options of a decision that is waited for; relister: the same, of a frame that waits.

Locals are integers, or lists of integers with a fixed capacity. Truth is 0 / 1; conditions take any integer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rulelang.base.layout import DecisionPoint, Layout, LogTemplate, Reason
from rulelang.base.node import node
from rulelang.base.numbers import DEEPEST, LARGEST
from rulelang.base.source import NOWHERE, Span

# ---- expressions


@node
class Const:
    value: int


@node
class Local:
    name: str


@node
class Cell:
    """`S[base + index]`, or `S[base]`."""

    base: int
    index: Expr | None = None


@node
class Table:
    """`table[index]` of a constant array (`Module.tables`); the index is in range by construction."""

    name: str
    index: Expr


@node
class Arith:
    """`//` and `%` round toward minus infinity.

    `span`: the author wrote it there, so it may divide by zero or come to too much; `passes.checked_arithmetic` puts
    a tested function in its place wherever it cannot show that it does not. Without one it is known to be sound.
    """

    op: Literal["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]
    left: Expr
    right: Expr
    span: Span | None = field(default=None, compare=False)


@node
class MinMax:
    kind: Literal["min", "max"]
    args: tuple[Expr, ...]


@node
class Compare:
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@node
class Logic:
    """Short-circuit; the result is only used as a truth value. No parts: true for and, false for or."""

    op: Literal["and", "or"]
    parts: tuple[Expr, ...]


@node
class Not:
    """0 or 1."""

    operand: Expr


@node
class If:
    test: Expr
    then: Expr
    otherwise: Expr


@node
class Call:
    """A pure function's value. Arguments may include list locals."""

    function: str
    args: tuple[Expr, ...]


@node
class Length:
    """Items in a list local."""

    list: str


@node
class Item:
    list: str
    index: Expr


@node
class ArrayHas:
    """1 if the array zone at address `zone` ([count, items...]) holds the value."""

    zone: Expr
    value: Expr


@node
class RowLength:
    """How many items a constant row has: `Module.rows[row][index]`."""

    row: str
    index: Expr


@node
class RowItem:
    """The item of a constant row with a number from 0; it has that many."""

    row: str
    index: Expr
    at: Expr


@node
class FirstLike:
    """1 if no item of the array zone before the item `value`, which is its `at`-th from 0, has the same entry as it in
    a table."""

    zone: Expr
    at: Expr
    value: Expr
    table: str


@node
class Trial:
    """1 if the routine runs on a copy of the state without failing an `Ensure`. The copy is thrown away."""

    function: str
    args: tuple[Expr, ...]


@node
class Mode:
    """How a game goes on where a routine waits. `random`: decisions are taken at random, and nobody is asked (a playout
    from a paused game). `stepping`: decisions with one option are asked too, and nothing is drawn at random."""

    what: Literal["random", "stepping"]


Expr = (
    Const | Local | Cell | Table | Arith | MinMax | Compare | Logic | Not | If | Call | Length | Item | ArrayHas
    | RowLength | RowItem | FirstLike | Trial | Mode
)  # fmt: skip


# ---- statements

Block = tuple["Stmt", ...]


@node
class Set:
    """local = value"""

    name: str
    value: Expr


@node
class Limits:
    """What may be stored: low..high (None: unbounded); out of it is clamped, or fails at `span` naming `what`."""

    low: int | None
    high: int | None
    clamp: bool
    what: str
    span: Span


@node
class Store:
    """`S[base + index] = value`"""

    base: int
    index: Expr | None
    value: Expr
    limits: Limits | None = None


@node
class Add:
    """`S[base + index] += value` (value may be negative)"""

    base: int
    index: Expr | None
    value: Expr
    limits: Limits | None = None


@node
class Fill:
    """`count` words from `base` (+ index) on become `value`."""

    base: int
    count: int
    value: int = 0
    index: Expr | None = None


@node
class Branch:
    test: Expr
    then: Block
    otherwise: Block = ()


@node
class While:
    """`budget`: counts steps, and fails with a diagnostic beyond the budget (loops with no bound of their own)."""

    test: Expr
    body: Block
    budget: bool = False
    span: Span = NOWHERE


@node
class ForRange:
    """for local = low, low + 1, ... below `end`. The bounds are fixed at the start."""

    name: str
    low: Expr
    end: Expr
    body: Block


@node
class ForChain:
    """local = first; while local: body; local = S[next + local]. The body does not change the chain.

    `length`: how many there are, where a word of the state tells.
    """

    name: str
    first: Expr
    next: int
    body: Block
    length: Expr | None = None


@node
class ForArray:
    """Over the items of the array zone at address `zone`, bottom first. The body does not change that zone.

    `distinct` names a table: of several items with equal table entries only the first is visited.
    """

    name: str
    zone: Expr
    body: Block
    distinct: str | None = None


@node
class ForList:
    """Over a list local; the list is not changed by the body."""

    name: str
    list: str
    body: Block


@node
class ForTable:
    """Over a constant row: `Module.rows[row][index]` is a tuple of integers (e.g. play order from a player)."""

    name: str
    row: str
    index: Expr
    body: Block


@node
class Break:
    """Leaves the innermost loop."""


@node
class Continue:
    """Goes on with the innermost loop."""


@node
class Return:
    value: Expr | None = None


@node
class NewList:
    """An empty list local; it never holds more than `capacity` items. `few`: mostly it stays empty."""

    name: str
    capacity: int
    few: bool = False


@node
class Append:
    list: str
    value: Expr


@node
class ArrayToList:
    """A new list local holding the items of the array zone at address `zone`, bottom first."""

    name: str
    zone: Expr
    capacity: int


@node
class ArrayView:
    """A list local that stands for the items of the array zone at address `zone`, bottom first. Neither changes while
    it is read, and it is not handed on."""

    name: str
    zone: Expr


@node
class ListToArray:
    """Lays the items of a list local down as the array at address `zone`: [count, items...]."""

    zone: Expr
    list: str


@node
class TakeAt:
    """Removes the item at `index` from a list local (order kept)."""

    list: str
    index: Expr


@node
class SortKey:
    value: Expr
    descending: bool


@node
class Sort:
    """Stable sort of a list local; the keys are expressions over `name`, bound to each item."""

    list: str
    name: str
    keys: tuple[SortKey, ...]


@node
class KeepBest:
    """Keeps the items whose key tuple is the largest (all that tie), in order."""

    list: str
    name: str
    keys: tuple[SortKey, ...]


@node
class CallRoutine:
    """`result`: a local that takes the returned value. May wait if the callee is pausing."""

    function: str
    args: tuple[Expr, ...]
    result: str | None = None


@node
class ArrayPush:
    """Puts a value on top (end) or, with `bottom`, under the others of the array zone at address `zone`."""

    zone: Expr
    value: Expr
    bottom: bool = False


@node
class ArrayDrop:
    """Removes a value that is in the array zone at address `zone` (order kept)."""

    zone: Expr
    value: Expr


@node
class ArrayDraw:
    """Moves the top `count` items one by one (the top first) onto another array zone; there are that many.

    Each moved card's word in column `where` becomes `zone_id`.
    """

    source: Expr
    target: Expr
    count: Expr
    where: int
    zone_id: Expr


@node
class ArrayAppendAll:
    """Moves all items of one array zone, in order, onto the top (end) or under the bottom of another; sets `where`."""

    source: Expr
    target: Expr
    where: int
    zone_id: Expr
    bottom: bool = False


@node
class ArrayShuffle:
    """Fisher-Yates with the game's generator: for i = count .. 2: swap item i with item 1 + random(i)."""

    zone: Expr


@node
class Random:
    """local = uniform in 0 .. bound - 1 from the game's generator; `die`: a fixed die may be set by a scenario.
    `policy`: from the generator of random playouts.

    x, c = S[rng_x], S[rng_c]: k = ((x ^ c) * bound) >> 30; t = x * 998578647 + c; x = t & (2**30 - 1); c = t >> 30.
    """

    name: str
    bound: Expr
    die: bool = False
    policy: bool = False


@node
class Divide:
    """quotient, remainder = divmod(value, by), of natural numbers below 2**31."""

    quotient: str
    remainder: str
    value: Expr
    by: Expr


@node
class CallPure:
    """results = the values that a pure function answers with `ReturnMany`."""

    function: str
    args: tuple[Expr, ...]
    results: tuple[str, ...]


@node
class ReturnMany:
    """Two values or more, from a pure function that decodes an option."""

    values: tuple[Expr, ...]


@node
class Unreachable:
    """Where a good program never comes."""


@node
class DistinctList:
    """A new list local: of the items of the array zone at address `zone` those whose entries in a table did not come
    before, in order. An address that is no zone gives any list."""

    name: str
    zone: Expr
    table: str


@node
class NewTuples:
    """An empty list of so many values each. It keeps at least the first `capacity` of what is appended; `Length` counts
    the others too."""

    name: str
    width: int
    capacity: int


@node
class AppendTuple:
    list: str
    values: tuple[Expr, ...]


@node
class ReadTuple:
    """targets = the values with that index; the index is below the capacity."""

    list: str
    index: Expr
    targets: tuple[str, ...]


@node
class Given:
    """A block in which these locals name what is there: words that they lead to may be read early. It only reads."""

    names: frozenset[str]
    body: Block


@node
class Decided:
    """A decision of `player` at `site` is taken on the spot: it counts (S[decisions] += 1; no steps since), and what is
    watched is looked at where it is due."""

    site: int
    player: Expr


@node
class Forced:
    """The one option of a decision at `site` is taken: S[forced] += 1. It counts as a step: nothing else bounds a loop
    of such decisions."""

    site: int


@node
class Source:
    """Options of one kind: the enumerator's tuples get this `tag` in front. `args` may include list locals."""

    tag: int
    enumerator: str
    args: tuple[Expr, ...]


@node
class Pick:
    """Ask `player` at decision site `site` for one option of the sources, and store it.

    The options are those of the sources in order, then pass (tag -1) where `may_pass` holds and no option compels.
    None at all: tag = -2. One: taken unasked (S[forced] += 1), but asked while S[stepping]. Else S[decisions] += 1 and
    `player` is asked.
    `tag` and `targets` are locals; targets take the option's values (unused ones 0). `chance`: no one is asked, the
    game's generator picks one uniformly (no counting); `player` is then None. `told`: locals and constants that the
    words of the question speak of (`Site.asks`); nothing else reads them.
    """

    site: int
    player: Expr | None
    sources: tuple[Source, ...]
    may_pass: Expr
    tag: str
    targets: tuple[str, ...]
    chance: bool = False
    told: tuple[Expr, ...] = ()


@node
class Stop:
    """Something has ended here; the decision site `site` says what. While `S[stepping]` is 1 (and `S[seek]` is 0), a
    resumable routine pauses, with -1 as its one option; else, and in all its other forms, nothing happens."""

    site: int


@node
class Yield:
    """In an enumerator: one option. `compels`: while true for any option, pass is not offered."""

    values: tuple[Expr, ...]
    compels: Expr | None = None


@node
class Fail:
    """A run-time diagnostic: the code, the author's line, a text with `{0}` .. for the arguments."""

    code: str
    span: Span
    message: str
    args: tuple[Expr, ...] = ()


@node
class Tick:
    """Counts a step of the budget; beyond it the run fails and shows the cycle of routines."""

    span: Span


@node
class Ensure:
    """In a trial: a false condition ends it as refused. In a real run the trial has passed before."""

    condition: Expr
    reason: int
    args: tuple[Expr, ...] = ()


@node
class Blame:
    """In a `why` function: note a reason (`Module.reasons`) with its arguments."""

    reason: int
    args: tuple[Expr, ...] = ()


#: In `Module.why`, if anything has details: the function that tells them, of the number of a reason with which a trial
#: ended and its values.
MORE = "more reasons"


@node
class BlameCall:
    """In a `why` function: run another why function, collecting its reasons too.

    `trial`: the function is a routine; unless there are reasons already, it is tried on a copy of the state, and the
    `Ensure` that fails is the reason; `Module.why[MORE]` tells its details on that copy.
    """

    function: str
    args: tuple[Expr, ...]
    trial: bool = False


@node
class Log:
    """A line of the log (`Module.templates`). `opens`: what follows until `LogEnd` was caused by it."""

    template: int
    args: tuple[Expr, ...]
    opens: bool = False


@node
class LogEnd:
    """What has changed is noted in the log. `ends`: and the event that was opened last is over."""

    ends: bool = True


@node
class Curtain:
    """Start (`up` False) or end of `secretly`: until it ends, views show the others' things as at its start."""

    up: bool


# What waits is made of these by `passes.resumable`; the passes before it do not know them.


@node
class ListAll:
    """In the lister of a decision: all options of an enumerator, with the `tag` in front. `compels`: a local that is
    set to 1 if one of them compels."""

    tag: int
    enumerator: str
    args: tuple[Expr, ...]
    compels: str | None = None


@node
class Ask:
    """`name` = how many options the lister `function` tells. They are what is told where the routine pauses."""

    name: str
    function: str
    args: tuple[Expr, ...]


@node
class Take:
    """targets = an option's tag and values, 0 where it has none: of those that the lister told, the one with that
    number; with None the one that the decision was answered with. Both stand for one decision, and the same follows."""

    function: str
    args: tuple[Expr, ...]
    number: Expr | None
    targets: tuple[str, ...]


@node
class EnterRoutine:
    """Calls a routine that may wait, with its frame at the address `frame`. If it pauses the body runs, which ends with
    `Pause`."""

    function: str
    args: tuple[Expr, ...]
    frame: Expr
    body: Block


@node
class Answered:
    """local = what the routine answered that was entered last, or that a waiting one waited for."""

    name: str


@node
class Pause:
    """Ends the routine, which waits: for an answer to what it asked, or for the routine that it entered."""


@node
class Point:
    """Here the way back to a point ends. It does nothing; a target that can jump comes to it at once."""

    pc: int


@node
class Exhausted:
    """Ends the run: too many steps, or no room for another frame on the control stack. The message shows the cycle of
    routines."""

    what: Literal["steps", "stack"]
    span: Span


Stmt = (
    Set | Store | Add | Fill | Branch | While | ForRange | ForChain | ForArray | ForList | ForTable | Break | Continue
    | Return | NewList | Append | ArrayToList | TakeAt | Sort | KeepBest | CallRoutine | ArrayPush | ArrayDrop
    | ArrayDraw | ArrayAppendAll | ArrayShuffle | Random | Pick | Stop | Yield | Fail | Tick | Ensure | Blame
    | BlameCall | Log | LogEnd | Curtain | Divide | CallPure | ReturnMany | Unreachable | DistinctList | NewTuples
    | AppendTuple | ReadTuple | ArrayView | Given | Decided | Forced | ListToArray | ListAll | Ask | Take | EnterRoutine
    | Answered | Pause | Point | Exhausted
)  # fmt: skip


# ---- functions and modules


@dataclass(slots=True)
class Function:
    """`title`: how errors name it ("strike", "horns: after wound"); "": not at all. List parameters: in `lists`."""

    name: str
    kind: Literal["pure", "routine", "enumerator", "why", "lister", "relister"]
    params: tuple[str, ...]
    body: Block
    title: str
    span: Span = NOWHERE
    lists: frozenset[str] = frozenset()
    pausing: bool = False
    recursive: bool = False
    watched: bool = False  # counts the steps and the depth of the cycles that it lies on
    results: int = 1  # values that a pure function answers
    keeps: tuple[int, int] | None = None  # it answers its one argument if that lies within, and fails otherwise
    # What a body mentions, with that body, as it is asked for again and again (see `walk.callees`).
    mentioned: tuple[Block, frozenset[str]] | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class Module:
    """A whole program for one table. Entry points are names of functions.

    `main` () plays the game. `score` (player) and `tiebreak` (one function a part; larger is better) are the result.
    `invariants`: (name, pure function, span). `why`: by action or routine id, the why function (same arguments as
    the option or call). `callable`: routine id -> (function, kinds of its parameters) for scenarios and tests.
    """

    layout: Layout
    functions: dict[str, Function] = field(default_factory=dict)
    tables: dict[str, tuple[int, ...]] = field(default_factory=dict)
    rows: dict[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    initial: list[int] = field(default_factory=list)
    sites: list[DecisionPoint] = field(default_factory=list)
    templates: list[LogTemplate] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    main: str = "main"
    score: str = "score"
    tiebreak: tuple[str, ...] = ()
    invariants: list[tuple[str, str, Span]] = field(default_factory=list)
    why: dict[str, str] = field(default_factory=dict)
    callable: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    teams: tuple[tuple[int, ...], ...] = ()  # seats that win together; empty: each for himself
    # steps and depth of what runs; the largest number that may be calculated (a target may have smaller ones)
    limits: dict[str, int] = field(default_factory=lambda: {"steps": 100_000, "depth": DEEPEST, "number": LARGEST})
