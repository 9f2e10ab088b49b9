"""From reductions of the grammar to expression nodes. Each method is named for its rule in `rules.lark`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulelang.language.syntax.build_base import Children, Part, binders_of, expressions, over, parted, unquoted
from rulelang.language.syntax.nodes import (
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
from rulelang.language.syntax.tokens import Token


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
        _open, inner, _close = c
        bare: Expr = inner
        return replace(bare, span=over(c))

    def zone_of(self, c: Children) -> ZoneOf:
        zone, _of, owner = c
        return ZoneOf(over(c), zone.text, owner, zone.span)

    def args(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def call(self, c: Children) -> Call:
        name, _open, args, _close = c
        return Call(over(c), name.text, expressions(args), name.span)

    bare_call = call

    def attribute(self, c: Children) -> Attribute:
        thing, _dot, name = c
        return Attribute(over(c), thing, name.text, name.span)

    def index(self, c: Children) -> Index:
        value, _open, args, _close = c
        return Index(over(c), value, expressions(args))

    # ---- operators

    def negative(self, c: Children) -> Negative:
        _minus, value = c
        return Negative(over(c), value)

    def can(self, c: Children) -> Can:
        _can, call = c
        return Can(over(c), call)

    def arithmetic(self, c: Children) -> Arith:
        left, sign, right = c
        return Arith(over(c), sign.text, left, right)

    def otherwise_(self, c: Children) -> Otherwise:
        value, _otherwise, other = c
        return Otherwise(over(c), value, other)

    def compare(self, c: Children) -> Compare:
        left, sign, right = c
        return Compare(over(c), sign.text, left, right)

    def member(self, c: Children) -> Member:
        value, *words, values = c
        return Member(over(c), value, values, words[0].text == "not")

    def is_(self, c: Children) -> Is:
        value, _is, *words, name = c
        return Is(over(c), value, name.text, bool(words), name.span)

    def has(self, c: Children) -> Has:
        thing, _has, trait = c
        return Has(over(c), thing, trait)

    def meets(self, c: Children) -> Meets:
        thing, _meets, condition = c
        return Meets(over(c), thing, condition)

    def affects(self, c: Children) -> Affects:
        rule, _affects, event = c
        return Affects(over(c), rule, event)

    def not_(self, c: Children) -> Not:
        _not, condition = c
        return Not(over(c), condition)

    def logic(self, c: Children) -> Logic:
        left, word, right = c
        return Logic(over(c), word.text, left, right)

    def if_else(self, c: Children) -> IfElse:
        value, _if, condition, _else, other = c
        return IfElse(over(c), condition, value, other)

    def then_(self, c: Children) -> Then:
        left, _then, right = c
        # `(a then b) then c` begins before its first part: only a chain without brackets is one order
        bare = isinstance(left, Then) and left.span[:3] == left.parts[0].span[:3]
        parts = left.parts if bare else (left,)
        return Then(over(c), (*parts, right))

    # ---- queries and binders

    def query(self, c: Children) -> Query:
        word, _open, bound, *colon_and_body, _close = c
        body = colon_and_body[1] if colon_and_body else None
        return Query(over(c), word.text, binders_of(bound), body)

    def count_true(self, c: Children) -> CountTrue:
        _count, _open, args, _close = c
        return CountTrue(over(c), expressions(args))

    def min_max(self, c: Children) -> MinMax:
        word, _open, args, _close = c
        return MinMax(over(c), word.text, expressions(args))

    def binders(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def binder_args(self, c: Children) -> Part:
        return Part(over(c), tuple(b for b in parted(c) if b is not None))

    def asked(self, c: Children) -> Binder:
        binder, words = c
        found: Binder = binder
        return found if words is None else replace(found, span=over(c), asks=text(words))

    def domain(self, c: Children) -> Children:
        return c

    def sieve(self, c: Children) -> Children:
        return c

    def binder(self, found: Children) -> Binder:
        maybe, kind, name, domain, sieve = found
        _of, of, _in, zones, _on, on, range_ = domain
        _where, where, because, _with, extreme, by = sieve
        first, last = range_.value if range_ is not None else (None, None)
        return Binder(
            over((maybe, kind, name, *domain, *sieve)),
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
        _from, first, _to, last = c
        return Part(over(c), (first, last))

    def zones(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def key(self, c: Children) -> SortKey:
        which, value = c
        return SortKey(over(c), which.text, value)

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
