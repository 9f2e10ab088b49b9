"""State that all checks share: symbols, diagnostics, the current scope, and comparing types."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.wording import a_or_an, with_article
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.symbol_table import Question, Symbols
from rulelang.language.semantics.model import ERROR, INT, MISSING_INT, Type
from rulelang.language.syntax import nodes

# ---- checker

#: What the statements at hand stand in: some are legal in one kind of declaration only.
Inside = Literal[
    "game", "phase", "routine", "action", "value", "invariant",
    "before", "after", "instead of", "react to", "hook", "scenario",
]  # fmt: skip

#: What checks an expression of any form, in the hope of a type.
Form = Callable[["Checker", nodes.Expr, Type | None], tree.Expr]

NO_BEARER = tree.Bearer(None, None, None, None)


@dataclass(slots=True)
class Scope:
    """The variables of one declaration. `bearer` are the implicit ones; `no_bearer` says why there are none.

    `turns`: whether we stand in somebody's turn. `missed`: why a bearer is not there, as told already.
    """

    origin: tree.Origin
    inside: Inside
    bearer: Mapping[str, tree.Local] = field(default_factory=dict)
    no_bearer: str = ""
    phase: str = ""
    turns: bool = False
    frames: list[dict[str, tree.Local]] = field(default_factory=lambda: [{}])
    taken: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)

    def find(self, name: str) -> tree.Local | None:
        for frame in reversed(self.frames):
            if name in frame:
                return frame[name]
        return self.bearer.get(name)

    def bind(self, name: str, type_: Type) -> tree.Local:
        """A new variable in the innermost block; its tree name is numbered if the text was used before."""
        unique, count = name, 1
        while unique in self.taken or unique in self.bearer:
            count += 1
            unique = f"{name}_{count}"
        self.taken.add(unique)
        local = tree.Local(unique, type_, name)
        self.frames[-1][name] = local
        return local

    def names(self) -> Iterator[str]:
        for frame in self.frames:
            yield from frame
        yield from self.bearer


@dataclass(slots=True)
class Checker:
    """`bearer_uses` and `bearer_calls` are gathered for the check that what uses a bearer is called where one is."""

    symbols: Symbols
    out: Diagnostics
    form: Form
    scope: Scope
    absent: frozenset[str] = frozenset()  # traits that are known of by `knows:` but are not in this ruleset
    removed: Sequence[tuple[tuple[str, ...], Related]] = ()  # the places that layers took out, and where
    renamed: Sequence[tuple[str, str, Related]] = ()  # old and new names that layers gave, and where
    lost: Container[str] = ()  # names declared in text that could not be read: they are no mistakes
    bearer_uses: set[str] = field(default_factory=set)
    bearer_calls: list[tuple[str, str, Span, bool]] = field(default_factory=list)
    current: str = ""  # the id of the declaration being checked
    memo: NullCache = NULL_CACHE
    around: Hashable = None  # what all declarations depend on, as a key

    @contextmanager
    def block(self) -> Iterator[None]:
        """Names bound inside are gone afterwards."""
        self.scope.frames.append({})
        try:
            yield
        finally:
            self.scope.frames.pop()

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        because: str = "",
        hint: str = "",
        related: tuple[Related, ...] = (),
    ) -> tree.Expr:
        """Report, and give an expression of type error, which fits everywhere."""
        shown = [item for item in related if item.span.path]  # built-in things stand in no file
        self.out.error(code, span, message, because=because, hint=hint, related=shown)
        return error_expr(span)


def error_expr(span: Span) -> tree.Const:
    return tree.Const(ERROR, span, 0)


def none_expr(type_: Type, span: Span) -> tree.Const:
    return tree.Const(type_.optional(), span, MISSING_INT if type_.tag == "int" else 0)


def all_known(*types: Type) -> bool:
    return all(t.tag != "error" for t in types)


def same_type(a: Type, b: Type) -> bool:
    """Equal but for `maybe`; error equals all."""
    return not all_known(a, b) or (a.tag == b.tag and a.name == b.name)


def may_be_missing(*exprs: tree.Expr) -> bool:
    return any(e.type.maybe for e in exprs)


def as_read_through(type_: Type, through: tree.Expr) -> Type:
    """The type of what is read through an expression: `maybe` if that may be missing.

    Truth values are false where they cannot be read, and sets are empty, so these stay sure.
    """
    return type_.optional() if through.type.maybe and type_.tag in ("int", "ref", "order") else type_


def a_type(type_: Type) -> str:
    text = str(type_)
    words = {"int": "a number", "bool": "a condition (true or false)", "order": "an order"}
    if type_.tag in words:
        return f"{with_article(text)}" if type_.maybe else words[type_.tag]
    if type_.tag == "ref" and type_.name.startswith("option "):
        return f"a value of {type_.name[:7]}`{type_.name[7:]}`"
    return f"{a_or_an(text)} `{text}`"


def zone_as_value(checker: Checker, name: str, span: Span, holds: str, whole: str) -> tree.Expr:
    """Report a zone where a value is expected (T408). `whole` is the expression that means the zone, for the hint."""
    hint = f"write `count({holds} c in {whole})` or `{whole} is empty`"
    return checker.error("T408", span, f"the zone `{name}` is not a value", because="a zone contains cards", hint=hint)


def fit_type(
    checker: Checker, expr: tree.Expr, want: Type, why: str, *, sure: bool = False, related: tuple[Related, ...] = ()
) -> tree.Expr:
    """The expression if it has the type, else an error expression after T400 (T403: it may be missing and must not)."""
    if not all_known(expr.type, want):
        return expr
    if want.tag == "order" and expr.type.tag in ("int", "bool"):
        if sure and expr.type.maybe:
            return _unsure(checker, expr, want, why, related)
        return tree.OrderOf(want.optional() if expr.type.maybe else want, expr.span, (expr,))
    if want.tag == "order" and expr.type.tag == "ref" and checker.symbols.is_ladder(expr.type.name):
        return tree.OrderOf(want.optional() if expr.type.maybe else want, expr.span, (expr,))
    if not same_type(expr.type, want):
        message = f"expected {a_type(want)}, found {a_type(expr.type)}"
        return checker.error("T400", expr.span, message, because=why, related=related)
    if sure and expr.type.maybe and not want.maybe and isinstance(expr, tree.IfElse):
        then = fit_type(checker, expr.then, want, why, sure=True, related=related)
        otherwise = fit_type(checker, expr.otherwise, want, why, sure=True, related=related)
        return tree.IfElse(want, expr.span, expr.test, then, otherwise)
    if sure and expr.type.maybe and not want.maybe:
        return _unsure(checker, expr, want, why, related)
    return expr


def _unsure(checker: Checker, expr: tree.Expr, want: Type, why: str, related: tuple[Related, ...]) -> tree.Expr:
    message = f"this value may be missing, but {a_type(want)} is needed"
    hint = f"add a default: `... otherwise {'0' if want == INT else 'x'}`"
    return checker.error("T403", expr.span, message, because=why, hint=hint, related=related)


# ---- one declaration at a time

T = TypeVar("T")


@record
class Outcome(Generic[T]):
    """What was made and told of a declaration, and what it asked of the signatures.

    `uses` and `calls`: what is gathered of it for the check of bearers."""

    made: T
    told: tuple[Diagnostic, ...]
    uses: frozenset[str]
    calls: tuple[tuple[str, str, Span, bool], ...]
    asked: Mapping[Question, object]


def check_separately(checker: Checker, key: Hashable, work: Callable[[], T]) -> T:
    """What `work` makes of a declaration. `key`: of the declaration, all that the work is handed."""
    if not checker.memo.keeps:
        return work()

    def anew() -> Outcome[T]:
        whole = checker.out, checker.bearer_uses, checker.bearer_calls
        checker.out, checker.bearer_uses, checker.bearer_calls = Diagnostics(), set(), []
        try:
            with checker.symbols.recording() as asked:
                made = work()
            told, uses, calls = tuple(checker.out), frozenset(checker.bearer_uses), tuple(checker.bearer_calls)
        finally:
            checker.out, checker.bearer_uses, checker.bearer_calls = whole
        return Outcome(made, told, uses, calls, asked)

    found = checker.memo.get_or_compute(
        "declarations", (checker.around, key), anew, lambda known: checker.symbols.answers_alike(known.asked)
    )
    checker.out.extend(found.told)
    checker.bearer_uses |= found.uses
    checker.bearer_calls += found.calls
    return found.made
