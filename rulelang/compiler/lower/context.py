"""Hold the context of lowering: requests, scopes, IR helpers, and the entry points for expressions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import ClassVar, Literal, ParamSpec, TypeVar, cast

from rulelang.base.layout import ActionInfo, DecisionKind, DecisionPoint, LogTemplate, Reason, StopPlace
from rulelang.base.node import record
from rulelang.base.numbers import WORD, is_representable
from rulelang.base.phrases import PlayerText
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.program_graph import ProgramGraph, source_of
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.model import MISSING_INT, Type
from rulelang.language.semantics.state_layout import Plan

# ---- requests


class _OfEvent:
    """A request for a function of an event, which is called `PREFIX_EVENT`."""

    __slots__ = ()
    PREFIX: ClassVar[str]
    event: str

    @property
    def name(self) -> str:
        return _identifier(f"{self.PREFIX}_{self.event}")


@record
class ValueOf:
    """A value of the rules; one part of it where the value is an order."""

    value: str
    part: int | None = None

    @property
    def name(self) -> str:
        return _identifier(f"v_{self.value}") + ("" if self.part is None else f"__{self.part}")


@record
class EventRun(_OfEvent):
    """An event that happens, with all its hooks: `do_EVENT(roles..., args...)`."""

    PREFIX = "do"
    event: str


@record
class CanHappen(_OfEvent):
    """Whether an event may happen: `can_EVENT(roles..., args...)`."""

    PREFIX = "can"
    event: str


@record
class CanBeChosen:
    """Whether just that may be chosen for an action: `possible_ACTION(me, roles..., args...)`."""

    action: str

    @property
    def name(self) -> str:
        return _identifier(f"possible_{self.action}")


@record
class WhyNot(_OfEvent):
    """What refuses an event: `why_EVENT(roles..., args...)` blames it."""

    PREFIX = "why"
    event: str


@record
class WhyFalse:
    """In detail, why a truth value does not hold: `why_false_VALUE(args...)` blames it."""

    value: str

    @property
    def name(self) -> str:
        return _identifier(f"why_false_{self.value}")


@record
class EnsureEvent(_OfEvent):
    """The same in a trial, which what refuses the event ends."""

    PREFIX = "ensure"
    event: str


@record
class Affects(_OfEvent):
    """Whether a rule of trait t would count in an event: `affects_EVENT(t, args...)`."""

    PREFIX = "affects"
    event: str


@record
class OptionsOf:
    """What an action can be done with: `options_ACTION(me)`, or `options_ACTION_main(me, main)`, which offers nothing
    once `main` is true."""

    action: str
    with_main: bool

    @property
    def name(self) -> str:
        return _identifier(f"options_{self.action}") + ("_main" if self.with_main else "")


Request = ValueOf | EventRun | CanHappen | CanBeChosen | WhyNot | WhyFalse | EnsureEvent | Affects | OptionsOf


def _identifier(name: str) -> str:
    return name.replace(".", "__")


# ---- scopes and IR helpers

#: Conditions under which an expression can be read: nothing that it reads through is missing.
Guards = tuple[ir.Expr, ...]
Lowered = tuple[ir.Expr, Guards]
P = ParamSpec("P")
T = TypeVar("T")

TRUE = ir.Const(1)
FALSE = ir.Const(0)
ZERO = ir.Const(0)


@dataclass(slots=True)
class Scope:
    """One function being built: which IR expression stands for each variable of the rules, and what is known.

    `present`: variables of made kinds that are certainly still in play. `faces`: cards whose face is known here.
    `actor`: the expression for `actor` if a local holds it. `passed`: the flag local of the enclosing turn.
    `roles`: this, self, owner, partner of the rules being lowered. `seeks`: this lies on the way to a phase or turn
    loop that a scenario may begin at; `proceeds`: where the statement `proceed` leads. `around`: in a
    turn, the player of the turns around it, 0 if it is an outermost one. `game`: this is the block of the game itself.
    `source`: the trait or row whose rule is being lowered, "" for the rules of the game.
    """

    low: Lowering
    prefix: str
    names: dict[str, ir.Expr] = field(default_factory=dict)
    present: set[str] = field(default_factory=set)
    faces: dict[str, int] = field(default_factory=dict)
    proved: set[tuple[str, tuple[ir.Expr, ...]]] = field(default_factory=set)
    passed: str | None = None
    actor: ir.Expr | None = None
    proceed: tuple[ir.Stmt, ...] | None = None
    seeks: bool = False
    proceeds: frozenset[int] = frozenset()
    roles: dict[str, ir.Expr] = field(default_factory=dict)
    around: ir.Expr | None = None
    game: bool = False
    source: str = ""
    react: ReactFrame | None = None
    phase: tree.Routine | None = None
    counter: list[int] = field(default_factory=lambda: [0])

    def fresh(self, stem: str) -> str:
        """A local name not yet used in this function."""
        self.counter[0] += 1
        return f"{stem}_{self.counter[0]}"

    def bind(self, local: tree.Local, *, present: bool = True) -> str:
        """Give a variable of the rules an IR local of its own."""
        name = self.fresh(identifier(local.text or local.name))
        self.names[local.name] = ir.Local(name)
        if present:
            self.present.add(local.name)
        return name

    def inner(self) -> Scope:
        """A scope for a nested block: new names and new knowledge end with it."""
        return replace(
            self,
            names=dict(self.names),
            present=set(self.present),
            faces=dict(self.faces),
            proved=set(self.proved),
            roles=dict(self.roles),
        )

    def forget(self, kinds: Iterable[str]) -> None:
        """After something that may remove things of these kinds: nothing is certain about them any more."""
        gone = set(kinds)
        if gone:
            kinds_of = self.low.local_kinds
            self.present = {n for n in self.present if kinds_of.get(n) not in gone}
        self.proved.clear()


@record
class ReactFrame:
    """Inside a reaction: what `stop` and `redirect` do."""

    event: str
    redirect_cells: int
    leave: tuple[ir.Stmt, ...] = ()  # what ends the hook before it returns


@record
class Dispatch:
    """Who lowers a piece of tree of any kind. Trees hold trees, so the modules that lower them need each other; they
    reach each other by way of this, and import only what stands below them."""

    value: Callable[[tree.Expr, Scope], Lowered]
    cond: Callable[[tree.Expr, Scope], ir.Expr]
    slot: Callable[[tree.ZoneRef, Scope], Lowered]  # the card in a slot that may not be empty
    block: Callable[[tree.Block, Scope], list[ir.Stmt]]
    statement: Callable[[tree.Stmt, Scope], list[ir.Stmt]]
    shortcuts: bool = True  # whether several pieces may be lowered as one, and none but some members asked


class Lowering:
    """The state of lowering one program for one table."""

    def __init__(self, graph: ProgramGraph, plan: Plan, sources: Mapping[str, str], dispatch: Dispatch) -> None:
        self.dispatch = dispatch
        self.graph = graph
        self.model = graph.model
        self.program = graph.program
        self.plan = plan
        self.sources = sources
        self.cells = plan.cells
        self.functions: dict[str, ir.Function] = {}
        self.tables: dict[str, tuple[int, ...]] = {}
        self.rows: dict[str, tuple[tuple[int, ...], ...]] = {}
        self.shortened: set[str] = set()  # functions whose trials end in time
        self.sites: list[DecisionPoint] = []
        self.templates: list[LogTemplate] = []
        self.reasons: list[Reason] = []
        self.details: list[tuple[int, int, str]] = []  # reasons of trials that are told in detail (see `legality`)
        self.local_kinds: dict[str, str] = {}
        self.pending: set[str] = set()
        self.requests: dict[str, Request] = {}  # functions that were asked for, by name
        self.waiting: list[Request] = []  # those of them that are not lowered yet
        self.resets: dict[str, list[tuple[int, int, int]]] = {}  # scope -> (base, words, value)
        self.touched: dict[str, int] = {}  # scope -> the word that says whether anything that resets has changed
        self.silences: set[str] = set()  # scopes at whose end silences end
        self.names: dict[Hashable, str] = {}  # functions and tables that are written once, by what they are for
        self.words: dict[Hashable, int] = {}  # words of the state that are claimed once, by what they are for
        self.known: dict[Hashable, object] = {}  # see `once`

    # ---- building the module

    def ask(self, wanted: Request) -> str:
        """The name of a function that is lowered when the one at hand is done: so lowering is never deeper than one
        function of the rules, however long their chain of calls."""
        name = wanted.name
        if name not in self.functions and name not in self.pending:
            self.pending.add(name)
            self.requests[name] = wanted
            self.waiting.append(wanted)
        return name

    def claimed(self, purpose: Hashable, count: int = 1) -> int:
        """Base of words of the state that are claimed once for a purpose."""
        if purpose not in self.words:
            self.words[purpose] = self.plan.claim(count)
        return self.words[purpose]

    def function(
        self,
        name: str,
        kind: Literal["pure", "routine", "enumerator", "why"],
        params: Sequence[str],
        body: Sequence[ir.Stmt],
        title: str,
        span: Span,
        lists: Iterable[str] = (),
    ) -> str:
        self.functions[name] = ir.Function(name, kind, tuple(params), tuple(body), title, span, frozenset(lists))
        return name

    def unique(self, stem: str) -> str:
        """A function or table name not yet taken."""
        name = identifier(stem)
        if name not in self.functions and name not in self.tables and name not in self.pending:
            self.pending.add(name)
            return name
        k = 2
        while f"{name}_{k}" in self.functions or f"{name}_{k}" in self.tables or f"{name}_{k}" in self.pending:
            k += 1
        self.pending.add(f"{name}_{k}")
        return f"{name}_{k}"

    def table(self, stem: str, values: Sequence[int]) -> str:
        """A constant array by its content: the same content is kept once."""
        key = ("table", tuple(values))
        if key not in self.names:
            self.names[key] = name = self.unique(f"t_{stem}")
            self.tables[name] = tuple(values)
        return self.names[key]

    def row_table(self, stem: str, values: Sequence[Sequence[int]]) -> str:
        key = ("rows", tuple(tuple(v) for v in values))
        if key not in self.names:
            self.names[key] = name = self.unique(f"l_{stem}")
            self.rows[name] = key[1]
        return self.names[key]

    def reason(self, text: PlayerText, source: str, span: Span) -> int:
        self.reasons.append(Reason(text, source, span))
        return len(self.reasons) - 1

    def template(self, template: LogTemplate) -> int:
        self.templates.append(template)
        return len(self.templates) - 1

    def site(
        self, kind: DecisionKind, actions: Sequence[ActionInfo], prompt: str, span: Span, asks: str = "",
        refuses: str = "", *, goes_on: bool = False, source: str = "",
    ) -> int:  # fmt: skip
        """Sites are numbered from 1: 0 means that the game is running. `asks`, `refuses`: `why` functions."""
        self.sites.append(DecisionPoint(kind, tuple(actions), prompt, span, goes_on, asks, refuses, source))
        return len(self.sites)

    def stop(self, ended: StopPlace, span: Span) -> ir.Stop:
        """Where a scenario that steps through a game may look at what has ended."""
        return ir.Stop(self.site("stop", (), ended, span))

    def source_of(self, origin: tree.Origin) -> str:
        """How logs and reasons name whose rule it is: the trait, or the row; "" for core rules."""
        return source_of(origin, self.model, self.plan)

    def source_text(self, span: Span) -> str:
        """The author's own words at a place, on one line."""
        lines = self.sources.get(span.path, "").splitlines()
        if not lines or span.line > len(lines):
            return ""
        if span.line == span.end_line:
            return lines[span.line - 1][span.column - 1 : span.end_column - 1]
        first = lines[span.line - 1][span.column - 1 :]
        rest = [line.strip() for line in lines[span.line : span.end_line - 1]]
        last = lines[span.end_line - 1][: span.end_column - 1].strip()
        return " ".join(part for part in (first.strip(), *rest, last) if part)


def once_per_table(work_out: Callable[P, T]) -> Callable[P, T]:
    """Of a function of the lowering and of hashable arguments: it is worked out once for each table."""

    @wraps(work_out)
    def known(*args: P.args, **kwargs: P.kwargs) -> T:
        assert not kwargs
        (low,) = (arg for arg in args if isinstance(arg, Lowering))
        key = (work_out, *(arg for arg in args if arg is not low))
        if key not in low.known:
            low.known[key] = work_out(*args, **kwargs)
        return cast(T, low.known[key])

    return known


def identifier(text: str) -> str:
    """An identifier of the target languages."""
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in text)


# ---- small builders of expressions


def join_guards(*groups: Guards) -> Guards:
    """All guards, each once, without those that always hold."""
    out: list[ir.Expr] = []
    for group in groups:
        out.extend(g for g in group if g != TRUE and g not in out)
    return tuple(out)


def conjunction(*parts: ir.Expr) -> ir.Expr:
    """Conjunction without noise."""
    flat: list[ir.Expr] = []
    for part in parts:
        if isinstance(part, ir.Logic) and part.op == "and":
            flat.extend(p for p in part.parts if p not in flat)
        elif isinstance(part, ir.Const):
            if not part.value:
                return FALSE
        elif part not in flat:
            flat.append(part)
    return flat[0] if len(flat) == 1 else ir.Logic("and", tuple(flat)) if flat else TRUE


def disjunction(*parts: ir.Expr) -> ir.Expr:
    flat: list[ir.Expr] = []
    for part in parts:
        if isinstance(part, ir.Logic) and part.op == "or":
            flat.extend(p for p in part.parts if p not in flat)
        elif isinstance(part, ir.Const):
            if part.value:
                return TRUE
        elif part not in flat:
            flat.append(part)
    return flat[0] if len(flat) == 1 else ir.Logic("or", tuple(flat)) if flat else FALSE


NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negate(part: ir.Expr) -> ir.Expr:
    if isinstance(part, ir.Const):
        return ir.Const(0 if part.value else 1)
    if isinstance(part, ir.Not):
        return part.operand
    if isinstance(part, ir.Compare):
        return ir.Compare(NEGATED[part.op], part.left, part.right)  # type: ignore[arg-type]
    return ir.Not(part)


def add(left: ir.Expr, right: ir.Expr, span: Span | None = None) -> ir.Expr:
    """A sum. `span`: where the author wrote it (see `ir.Arith`)."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const) and is_representable(left.value + right.value):
        return ir.Const(left.value + right.value)
    if right == ZERO:
        return left
    if left == ZERO:
        return right
    return ir.Arith("+", left, right, span)


def times(left: ir.Expr, right: ir.Expr, span: Span | None = None) -> ir.Expr:
    """A product, as `add`."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const) and is_representable(left.value * right.value):
        return ir.Const(left.value * right.value)
    if left == TRUE:
        return right
    if right == TRUE:
        return left
    return ir.Arith("*", left, right, span)


def checked_number(number: ir.Expr, what: str, span: Span, low: Lowering) -> ir.Expr:
    """A number that will be kept, where it may be too large for a word: X610 says so of `what`."""
    if _fits_cell(number):
        return number
    key = ("word", what, span)
    if key not in low.names:
        x, (least, most) = ir.Local("x"), WORD
        beyond = ir.Logic("or", (ir.Compare("<", x, ir.Const(least)), ir.Compare(">", x, ir.Const(most))))
        message = f"{what} would become {{0}}, which is too large to store"
        low.names[key] = name = low.unique("word")
        body = (ir.Branch(beyond, (ir.Fail("X610", span, message, (x,)),)), ir.Return(x))
        low.function(name, "pure", ("x",), body, what, span)
        low.functions[name].keeps = WORD
    return ir.Call(low.names[key], (number,))


def _fits_cell(number: ir.Expr) -> bool:
    """Whether it is a word at first glance. Locals of routines are."""
    match number:
        case ir.Const(value):
            return WORD[0] <= value <= WORD[1]
        case ir.If(_, then, otherwise):
            return _fits_cell(then) and _fits_cell(otherwise)
        case ir.MinMax(_, args):
            return all(map(_fits_cell, args))
        case _:
            return isinstance(number, ir.Local | ir.Cell | ir.Table | ir.Length | ir.Compare | ir.Not)


def equal(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.Const(int(left.value == right.value))
    return TRUE if left == right else ir.Compare("==", left, right)


def as_bool(condition: ir.Expr) -> ir.Expr:
    """A condition as a stored 0 or 1."""
    if isinstance(condition, ir.Const):
        return ir.Const(1 if condition.value else 0)
    return condition if isinstance(condition, ir.Not) else ir.If(condition, TRUE, FALSE)


def branch(condition: ir.Expr, then: Sequence[ir.Stmt], otherwise: Sequence[ir.Stmt] = ()) -> list[ir.Stmt]:
    """A branch, or one of its sides where the condition is known."""
    if isinstance(condition, ir.Const):
        return list(then if condition.value else otherwise)
    if not then and not otherwise:
        return []
    if not then:
        return [ir.Branch(negate(condition), tuple(otherwise))]
    return [ir.Branch(condition, tuple(then), tuple(otherwise))]


# ---- entry points for expressions


def lower_value(e: tree.Expr, scope: Scope) -> Lowered:
    """An expression and its guards."""
    return scope.low.dispatch.value(e, scope)


def lower_condition(e: tree.Expr, scope: Scope) -> ir.Expr:
    """A condition: true or false also where something is missing."""
    return scope.low.dispatch.cond(e, scope)


def lower_through(e: tree.Expr, scope: Scope) -> Lowered:
    """An object that is read through: its presence joins the guards. An empty slot is no object, but a mistake."""
    if isinstance(e, tree.SlotRead):
        return scope.low.dispatch.slot(e.zone, scope)
    lowered, guards = lower_value(e, scope)
    return lowered, join_guards(guards, (is_present(e, lowered, scope),))


def unguarded_value(e: tree.Expr, scope: Scope) -> ir.Expr:
    """The expression without its guards: for places where the checker has excluded missing references."""
    return lower_value(e, scope)[0]


def guarded_value(e: tree.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
    """The expression, and one condition under which it is readable and present."""
    lowered, guards = lower_value(e, scope)
    return lowered, conjunction(*guards, is_present(e, lowered, scope))


def missing_value(type_: Type) -> ir.Expr:
    """What stands for something of a type that is missing."""
    return ir.Const(MISSING_INT if type_.tag == "int" else 0)


def is_present(e: tree.Expr, lowered: ir.Expr, scope: Scope) -> ir.Expr:
    """The condition that a lowered reference refers to something."""
    if isinstance(e, tree.LocalRef) and e.local.name in scope.present and not e.type.maybe:
        return TRUE
    if _may_be_none(e, scope):
        return ir.Compare("!=", lowered, ir.Const(0))
    if e.type.tag == "int" and not _may_lack_number(e, scope.low):
        return TRUE
    return is_present_type(e.type, lowered, scope.low, slot=isinstance(e, tree.SlotRead))


def _may_be_none(e: tree.Expr, scope: Scope) -> bool:
    """Whether what is read may be none although its type is sure: one of several faces, who follows nobody."""
    plan = scope.low.plan
    match e:
        case tree.Property(name="face"):
            return any(len(card.faces) > 1 for card in plan.cards)
        case tree.BuiltinCall(name="next"):
            return plan.features.nobody
        case _:
            return False


def _may_lack_number(e: tree.Expr, low: Lowering) -> bool:
    """Whether a number itself may be missing, not only what it is read through (that is in the guards)."""
    match e:
        case tree.AttributeRef() | tree.StateRef():
            return e.attribute.type.maybe
        case tree.ColumnRef():
            return e.column.type.maybe
        case tree.ValueCall():
            return low.program.values[e.value].type.maybe
        case tree.BuiltinCall():
            return FUNCTIONS[e.name].result.maybe
        case tree.Query() | tree.Arith() | tree.Property() | tree.TableRef() | tree.Negative():
            return False
        case _:
            return e.type.maybe


def is_present_type(type_: Type, lowered: ir.Expr, low: Lowering, *, slot: bool = False) -> ir.Expr:
    if type_.tag == "int":
        return ir.Compare("!=", lowered, ir.Const(MISSING_INT)) if type_.maybe else TRUE
    if type_.tag != "ref":
        return TRUE
    if low.plan.is_made(type_.name):
        if isinstance(lowered, ir.Const):
            return FALSE if lowered.value == 0 else ir.Cell(low.plan.kinds[type_.name].alive, lowered)
        return ir.Cell(low.plan.kinds[type_.name].alive, lowered)
    # Cards begin as missing where they are kept, even without `maybe`.
    if type_.maybe or slot or type_.name in low.plan.sorts:
        return ir.Compare("!=", lowered, ir.Const(0))
    return TRUE


def lower_arguments(
    args: tuple[tree.Expr, ...], scope: Scope, *, maybe: tuple[bool, ...] | None = None, kept: bool = False
) -> tuple[tuple[ir.Expr, ...], Guards]:
    """Arguments of a call; guards: those that may not be missing are present. `kept`: what is called may wait."""
    out: list[ir.Expr] = []
    guards: Guards = ()
    for k, arg in enumerate(args):
        lowered, more = lower_value(arg, scope)
        if kept and arg.type.tag == "int":
            lowered = checked_number(lowered, "the argument", arg.span, scope.low)
        out.append(as_bool(lowered) if arg.type.tag == "bool" and not _is_integer_value(lowered) else lowered)
        guards = join_guards(guards, more)
        if maybe is None or not (k < len(maybe) and maybe[k]):
            guards = join_guards(guards, (is_present(arg, lowered, scope),))
    return tuple(out), guards


def _is_integer_value(e: ir.Expr) -> bool:
    return isinstance(e, ir.Cell | ir.Local | ir.Const | ir.Call | ir.Table | ir.If)


def conditional(test: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
    """One of two expressions; only it where the test is known."""
    if isinstance(test, ir.Const):
        return then if test.value else otherwise
    return ir.If(test, then, otherwise)
