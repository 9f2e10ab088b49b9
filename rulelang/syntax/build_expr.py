"""From reductions of the grammar to expression nodes. Each method is named for its rule in `rules.lark`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulelang.syntax.build_base import Children, Part, binders_of, expressions, over, parted, unquoted
from rulelang.syntax.nodes import (
    Affects,
    Arith,
    Attribute,
    Binder,
    Bool,
    Call,
    Can,
    Compare,
    CountTrue,
    Expr,
    Has,
    IfElse,
    Index,
    Is,
    Logic,
    Meets,
    Member,
    MinMax,
    Name,
    Negative,
    NoneValue,
    Not,
    Number,
    Otherwise,
    Query,
    SortKey,
    Text,
    Then,
    ZoneOf,
)
from rulelang.syntax.tokens import Token


class ExpressionBuilder:
    """Builds expressions, binders and queries."""

    # ---- atoms

    def number(self, c: Children) -> Number:
        return Number(c[0].span, int(c[0].text))

    def boolean(self, c: Children) -> Bool:
        return Bool(c[0].span, c[0].text == "true")

    def none(self, c: Children) -> NoneValue:
        return NoneValue(c[0].span)

    def name(self, c: Children) -> Name:
        return Name(c[0].span, c[0].text)

    def quoted(self, c: Children) -> Name:
        return Name(c[0].span, unquoted(c[0]), True)

    def parens(self, c: Children) -> Expr:
        inner: Expr = c[1]
        return replace(inner, span=over(c))

    def zone_of(self, c: Children) -> ZoneOf:
        return ZoneOf(over(c), c[0].text, c[2], c[0].span)

    def args(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def call(self, c: Children) -> Call:
        return Call(over(c), c[0].text, expressions(c[2]), c[0].span)

    bare_call = call

    def attribute(self, c: Children) -> Attribute:
        return Attribute(over(c), c[0], c[2].text, c[2].span)

    def index(self, c: Children) -> Index:
        return Index(over(c), c[0], expressions(c[2]))

    # ---- operators

    def negative(self, c: Children) -> Negative:
        return Negative(over(c), c[1])

    def can(self, c: Children) -> Can:
        return Can(over(c), c[1])

    def arithmetic(self, c: Children) -> Arith:
        return Arith(over(c), c[1].text, c[0], c[2])

    def otherwise_(self, c: Children) -> Otherwise:
        return Otherwise(over(c), c[0], c[2])

    def compare(self, c: Children) -> Compare:
        return Compare(over(c), c[1].text, c[0], c[2])

    def member(self, c: Children) -> Member:
        return Member(over(c), c[0], c[-1], len(c) == 4)

    def is_(self, c: Children) -> Is:
        return Is(over(c), c[0], c[-1].text, len(c) == 4, c[-1].span)

    def has(self, c: Children) -> Has:
        return Has(over(c), c[0], c[2])

    def meets(self, c: Children) -> Meets:
        return Meets(over(c), c[0], c[2])

    def affects(self, c: Children) -> Affects:
        return Affects(over(c), c[0], c[2])

    def not_(self, c: Children) -> Not:
        return Not(over(c), c[1])

    def logic(self, c: Children) -> Logic:
        return Logic(over(c), c[1].text, c[0], c[2])

    def if_else(self, c: Children) -> IfElse:
        return IfElse(over(c), c[2], c[0], c[4])

    def then_(self, c: Children) -> Then:
        left = c[0]
        # `(a then b) then c` begins before its first part: only a chain without brackets is one order
        bare = isinstance(left, Then) and left.span[:3] == left.parts[0].span[:3]
        parts = left.parts if bare else (left,)
        return Then(over(c), (*parts, c[2]))

    # ---- queries and binders

    def query(self, c: Children) -> Query:
        body = c[4] if len(c) == 6 else None
        return Query(over(c), c[0].text, binders_of(c[2]), body)

    def count_true(self, c: Children) -> CountTrue:
        return CountTrue(over(c), expressions(c[2]))

    def min_max(self, c: Children) -> MinMax:
        return MinMax(over(c), c[0].text, expressions(c[2]))

    def binders(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def binder_args(self, c: Children) -> Part:
        return Part(over(c), tuple(b for b in parted(c) if b is not None))

    def asked(self, c: Children) -> Binder:
        found: Binder = c[0]
        return found if c[1] is None else replace(found, span=over(c), asks=text(c[1]))

    def domain(self, c: Children) -> Children:
        return c

    def sieve(self, c: Children) -> Children:
        return c

    def binder(self, found: Children) -> Binder:
        c: Children = [*found[:3], *found[3], *found[4]]
        maybe, kind, name = c[0], c[1], c[2]
        of, zones, on, range_, where, because, extreme, by = c[4], c[6], c[8], c[9], c[11], c[12], c[14], c[15]
        first, last = range_.value if range_ is not None else (None, None)
        return Binder(
            over(c),
            kind.text,
            name.text,
            maybe is not None,
            of,
            zones.value if zones is not None else (),
            on,
            first,
            last,
            where,
            extreme,
            by.value if by is not None else (),
            kind.span,
            name.span,
            Text(because.span, because.value) if because is not None else None,
        )

    def range_(self, c: Children) -> Part:
        return Part(over(c), (c[1], c[3]))

    def zones(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def key(self, c: Children) -> SortKey:
        return SortKey(over(c), c[0].text, c[1])

    def sorted(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def then_line(self, c: Children) -> Any:
        return c[0]


def text(token: Token | None) -> Text | None:
    """A text that stands by itself, or None where there is none."""
    return Text(token.span, unquoted(token)) if token is not None else None


def text_of(token: Token | None) -> str | None:
    """The token's word, or None where there is none."""
    return token.text if token is not None else None
