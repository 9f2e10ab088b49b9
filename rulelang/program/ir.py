"""The typed IR: what every backend turns into code. All values are integers; all memory is the state array `S`.

Expressions are pure. A function is one of:
* pure: may only read, returns an integer;
* routine: changes the state; may wait for a decision if `pausing` (see `passes.pausing`);
* enumerator: lists option tuples with `Yield`; a backend derives from its one body a lister, a counter and a decoder.

Locals are integers, or lists of integers with a fixed capacity. Truth is 0 / 1; conditions take any integer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rulelang.base.layout import Layout, LogTemplate, Reason, Site
from rulelang.base.numbers import LARGEST
from rulelang.base.source import NOWHERE, Span
from rulelang.program.ir_expr import (
    Arith,
    ArrayHas,
    Call,
    Cell,
    Compare,
    Const,
    Expr,
    FirstLike,
    If,
    Item,
    Length,
    Local,
    Logic,
    MinMax,
    Not,
    RowItem,
    RowLength,
    Table,
    Trial,
)
from rulelang.program.ir_stmt import (
    Add,
    Append,
    AppendTuple,
    ArrayAppendAll,
    ArrayDraw,
    ArrayDrop,
    ArrayPush,
    ArrayShuffle,
    ArrayToList,
    ArrayView,
    Blame,
    BlameCall,
    Block,
    Branch,
    Break,
    CallPure,
    CallRoutine,
    Continue,
    Curtain,
    Decided,
    DistinctList,
    Divide,
    Ensure,
    Fail,
    Fill,
    ForArray,
    Forced,
    ForChain,
    ForList,
    ForRange,
    ForTable,
    Given,
    KeepBest,
    Limits,
    Log,
    LogEnd,
    NewList,
    NewTuples,
    Pick,
    Random,
    ReadTuple,
    Return,
    ReturnMany,
    Set,
    Sort,
    SortKey,
    Source,
    Stmt,
    Stop,
    Store,
    TakeAt,
    Tick,
    Unreachable,
    While,
    Yield,
)


@dataclass(slots=True)
class Function:
    """`title`: how errors name it ("strike", "horns: after wound"). List parameters are named in `lists`."""

    name: str
    kind: Literal["pure", "routine", "enumerator", "why"]
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
    sites: list[Site] = field(default_factory=list)
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
    limits: dict[str, int] = field(default_factory=lambda: {"steps": 100_000, "depth": 200, "number": LARGEST})


__all__ = [
    "Add",
    "Append",
    "AppendTuple",
    "Arith",
    "ArrayAppendAll",
    "ArrayDraw",
    "ArrayDrop",
    "ArrayHas",
    "ArrayPush",
    "ArrayShuffle",
    "ArrayToList",
    "ArrayView",
    "Blame",
    "BlameCall",
    "Block",
    "Branch",
    "Break",
    "Call",
    "CallPure",
    "CallRoutine",
    "Cell",
    "Compare",
    "Const",
    "Continue",
    "Curtain",
    "Decided",
    "DistinctList",
    "Divide",
    "Ensure",
    "Expr",
    "Fail",
    "Fill",
    "FirstLike",
    "ForArray",
    "ForChain",
    "ForList",
    "ForRange",
    "ForTable",
    "Forced",
    "Function",
    "Given",
    "If",
    "Item",
    "KeepBest",
    "Length",
    "Limits",
    "Local",
    "Log",
    "LogEnd",
    "Logic",
    "MinMax",
    "Module",
    "NewList",
    "NewTuples",
    "Not",
    "Pick",
    "Random",
    "ReadTuple",
    "Return",
    "ReturnMany",
    "RowItem",
    "RowLength",
    "Set",
    "Sort",
    "SortKey",
    "Source",
    "Stmt",
    "Stop",
    "Store",
    "Table",
    "TakeAt",
    "Tick",
    "Trial",
    "Unreachable",
    "While",
    "Yield",
]
