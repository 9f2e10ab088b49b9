"""Build nodes from reductions of the grammar. Each method has the name of its rule in `rules.lark`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from rulelang.base.source import Span
from rulelang.language.syntax.lexer import STRUCTURE, Token
from rulelang.language.syntax.nodes import (
    Action,
    Affects,
    Arith,
    Assign,
    Attribute,
    Binder,
    Bool,
    Call,
    CallStatement,
    Can,
    Choose,
    Clear,
    Compare,
    Compulsory,
    CopyCards,
    CountTrue,
    Create,
    Draw,
    Ensure,
    Event,
    Expr,
    For,
    Forbid,
    Game,
    Guard,
    Has,
    If,
    IfElse,
    Ignore,
    Index,
    Insert,
    Invariant,
    Is,
    Label,
    Labelled,
    Let,
    Logic,
    Meets,
    Member,
    MinMax,
    Modify,
    Move,
    MoveAll,
    Name,
    Negative,
    NoneValue,
    Not,
    Nothing,
    Number,
    Offer,
    Otherwise,
    Param,
    Phase,
    Proceed,
    Query,
    Redirect,
    Remove,
    RepeatTimes,
    RepeatUntil,
    Replace,
    Require,
    Restore,
    Rewrite,
    Roll,
    Rounds,
    Routine,
    Shuffle,
    Silence,
    Slot,
    SortKey,
    Step,
    Stmt,
    Stop,
    TakeOut,
    Tells,
    Text,
    Then,
    Trigger,
    Turns,
    TypeName,
    Value,
    ZoneOf,
)

# ---- shared parts

Children = list[Any]


class Part(NamedTuple):
    """A piece of a form: what it says and where it stands. `value` is of the kind that its one reader expects."""

    span: Span
    value: Any


class Block(NamedTuple):
    """The statements after a `:`, never empty."""

    span: Span
    statements: tuple[Stmt, ...]


def span_over(children: Iterable[Any]) -> Span:
    """From the first to the last of the children that stand in the text (not None, not a mark of layout)."""
    seen = [c for c in children if c is not None and not (type(c) is Token and c.type in STRUCTURE)]
    first: Span = seen[0].span
    last: Span = seen[-1].span
    return Span(first.path, first.line, first.column, last.end_line, last.end_column)


def without_signs(children: Children) -> tuple[Any, ...]:
    """The children without signs and marks: the items of a list with commas."""
    return tuple(c for c in children if type(c) is not Token)


def arguments_of(part: Part | None) -> tuple[Expr, ...]:
    """The arguments in `args`, or none."""
    return part.value if part is not None else ()


def binders_of(part: Part | None) -> tuple[Binder, ...]:
    """The binders in `binders`, or none."""
    return part.value if part is not None else ()


def unquoted(token: Token) -> str:
    """The text inside a STRING token."""
    return token.text[1:-1]


# ---- expressions


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
        return replace(bare, span=span_over(c))

    def zone_of(self, c: Children) -> ZoneOf:
        zone, _of, owner = c
        return ZoneOf(span_over(c), zone.text, owner, zone.span)

    def args(self, c: Children) -> Part:
        return Part(span_over(c), without_signs(c))

    def call(self, c: Children) -> Call:
        name, _open, args, _close = c
        return Call(span_over(c), name.text, arguments_of(args), name.span)

    bare_call = call

    def attribute(self, c: Children) -> Attribute:
        thing, _dot, name = c
        return Attribute(span_over(c), thing, name.text, name.span)

    def index(self, c: Children) -> Index:
        value, _open, args, _close = c
        return Index(span_over(c), value, arguments_of(args))

    # ---- operators

    def negative(self, c: Children) -> Negative:
        _minus, value = c
        return Negative(span_over(c), value)

    def can(self, c: Children) -> Can:
        _can, call = c
        return Can(span_over(c), call)

    def arithmetic(self, c: Children) -> Arith:
        left, sign, right = c
        return Arith(span_over(c), sign.text, left, right)

    def otherwise_(self, c: Children) -> Otherwise:
        value, _otherwise, other = c
        return Otherwise(span_over(c), value, other)

    def compare(self, c: Children) -> Compare:
        left, sign, right = c
        return Compare(span_over(c), sign.text, left, right)

    def member(self, c: Children) -> Member:
        value, *words, values = c
        return Member(span_over(c), value, values, words[0].text == "not")

    def is_(self, c: Children) -> Is:
        value, _is, *words, name = c
        return Is(span_over(c), value, name.text, bool(words), name.span)

    def has(self, c: Children) -> Has:
        thing, _has, trait = c
        return Has(span_over(c), thing, trait)

    def meets(self, c: Children) -> Meets:
        thing, _meets, condition = c
        return Meets(span_over(c), thing, condition)

    def affects(self, c: Children) -> Affects:
        rule, _affects, event = c
        return Affects(span_over(c), rule, event)

    def not_(self, c: Children) -> Not:
        _not, condition = c
        return Not(span_over(c), condition)

    def logic(self, c: Children) -> Logic:
        left, word, right = c
        return Logic(span_over(c), word.text, left, right)

    def if_else(self, c: Children) -> IfElse:
        value, _if, condition, _else, other = c
        return IfElse(span_over(c), condition, value, other)

    def then_(self, c: Children) -> Then:
        left, _then, right = c
        # `(a then b) then c` begins before its first part: only a chain without brackets is one order
        bare = isinstance(left, Then) and left.span[:3] == left.parts[0].span[:3]
        parts = left.parts if bare else (left,)
        return Then(span_over(c), (*parts, right))

    # ---- queries and binders

    def query(self, c: Children) -> Query:
        word, _open, bound, *colon_and_body, _close = c
        body = colon_and_body[1] if colon_and_body else None
        return Query(span_over(c), word.text, binders_of(bound), body)

    def count_true(self, c: Children) -> CountTrue:
        _count, _open, args, _close = c
        return CountTrue(span_over(c), arguments_of(args))

    def min_max(self, c: Children) -> MinMax:
        word, _open, args, _close = c
        return MinMax(span_over(c), word.text, arguments_of(args))

    def binders(self, c: Children) -> Part:
        return Part(span_over(c), without_signs(c))

    def binder_args(self, c: Children) -> Part:
        return Part(span_over(c), tuple(b for b in without_signs(c) if b is not None))

    def asked(self, c: Children) -> Binder:
        binder, words = c
        found: Binder = binder
        return found if words is None else replace(found, span=span_over(c), asks=text_or_none(words))

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
            span_over((maybe, kind, name, *domain, *sieve)),
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
        return Part(span_over(c), (first, last))

    def zones(self, c: Children) -> Part:
        return Part(span_over(c), without_signs(c))

    def key(self, c: Children) -> SortKey:
        which, value = c
        return SortKey(span_over(c), which.text, value)

    def sorted(self, c: Children) -> Part:
        return Part(span_over(c), without_signs(c))

    def then_line(self, c: Children) -> Any:
        return c[0]


def text_or_none(token: Token | None) -> Text | None:
    """A text that stands by itself, or None where there is none."""
    return Text(token.span, unquoted(token)) if token is not None else None


def text_of(token: Token | None) -> str | None:
    """The token's word, or None where there is none."""
    return token.text if token is not None else None


# ---- statements


class StatementBuilder(ExpressionBuilder):
    """Builds statements and their blocks."""

    # ---- blocks

    def block(self, c: Children) -> Block:
        _colon, _line, _in, *statements, _out = c
        return Block(span_over(statements), tuple(statements))

    def inline_block(self, c: Children) -> Block:
        _colon, statement, *_end = c
        return Block(statement.span, (statement,))

    def stmt(self, c: Children) -> Stmt:
        statement: Stmt = c[0]
        return statement

    def if_(self, c: Children) -> If:
        branches: list[tuple[Expr, tuple[Stmt, ...]]] = []
        at = 0
        while at < len(c) and c[at] is not None and c[at].text != "else":
            branches.append((c[at + 1], c[at + 2].statements))
            at += 3
        last: Block | None = c[at + 1]
        return If(span_over(c), tuple(branches), last.statements if last is not None else None)

    def for_(self, c: Children) -> For:
        secretly, _for, bound, body = c
        return For(span_over(c), secretly is not None, binders_of(bound), body.statements)

    def repeat_times(self, c: Children) -> RepeatTimes:
        _repeat, times, _times, body = c
        return RepeatTimes(span_over(c), times, body.statements)

    def repeat_until(self, c: Children) -> RepeatUntil:
        _repeat, _until, condition, body = c
        return RepeatUntil(span_over(c), condition, body.statements)

    def turn_mode(self, c: Children) -> Part:
        words = [t.text for t in c if t is not None]
        return Part(span_over(c), " ".join(words))

    def turns(self, c: Children) -> Turns:
        _turns, name, _from, first, mode, body = c
        return Turns(span_over(c), name.text, first, mode.value, body.statements, name.span)

    def rounds(self, c: Children) -> Rounds:
        _rounds, _until, condition, body = c
        return Rounds(span_over(c), condition, body.statements)

    def choose(self, c: Children) -> Choose:
        may, _choose, bound, by, words = c
        chooser = by.value if by is not None else None
        at_random = by is not None and by.value is None
        return Choose(
            span_over(c), may is not None, binders_of(bound), chooser, at_random, None, None, text_or_none(words)
        )

    def by(self, c: Children) -> Part:
        word, who = c
        return Part(span_over(c), who if word.text == "by" else None)

    def choose_block(self, c: Children) -> Choose:
        choice, body, _else, other = c
        return Choose(
            span_over(c),
            choice.may,
            choice.binders,
            choice.by,
            choice.at_random,
            body.statements,
            other.statements if other is not None else None,
            choice.asks,
        )

    def label(self, c: Children) -> Label:
        _label, name, body = c
        return Label(span_over(c), name.text, body.statements, name.span)

    # ---- simple statements

    def let(self, c: Children) -> Let:
        _let, name, _is, value = c
        return Let(span_over(c), name.text, value, name.span)

    def assign(self, c: Children) -> Assign:
        target, sign, value = c
        return Assign(span_over(c), target, sign.text, value)

    def call_stmt(self, c: Children) -> CallStatement:
        span = span_over(c)
        name, _open, args, _close = c
        return CallStatement(span, Call(span, name.text, arguments_of(args), name.span))

    def end(self, c: Children) -> Part:
        word, *_of = c
        return Part(word.span, word.text)

    def move(self, c: Children) -> Move:
        _move, card, _to, end, _of, to, _as, face, _with, partner = c
        return Move(span_over(c), card, to, end.value if end is not None else None, face, partner)

    def move_all(self, c: Children) -> MoveAll:
        _move, _all, source, _to, end, _of, to = c
        return MoveAll(span_over(c), source, to, end.value if end is not None else None)

    def draw(self, c: Children) -> Draw:
        _draw, count, _from, source, _to, to = c
        return Draw(span_over(c), count, source, to)

    def shuffle(self, c: Children) -> Shuffle:
        _shuffle, zone = c
        return Shuffle(span_over(c), zone)

    def create(self, c: Children) -> Create:
        _create, kind, name, _of, owner, _in, place, _at, at, _like, like = c
        return Create(span_over(c), kind.text, text_of(name), owner, place, at, like, kind.span)

    def remove(self, c: Children) -> Remove:
        _remove, thing = c
        return Remove(span_over(c), thing)

    def roll(self, c: Children) -> Roll:
        _roll, many, die, _as, target = c
        dice, sides = die.text.split("d")
        count: Expr = many if many is not None else Number(die.span, int(dice or 1))
        name, into = (target.id, None) if isinstance(target, Name) else ("", target)
        return Roll(span_over(c), count, int(sides), name, target.span, into)

    def clear(self, c: Children) -> Clear:
        _clear, table = c
        return Clear(span_over(c), table.text)

    def offer(self, c: Children) -> Offer:
        _offer, many, _actions, _to, player, or_pass, words = c
        return Offer(span_over(c), many.text, player, or_pass is not None, text_or_none(words))

    def or_pass(self, c: Children) -> Part:
        return Part(span_over(c), None)

    def redirect(self, c: Children) -> Redirect:
        _redirect, call = c
        return Redirect(span_over(c), call)

    def silence(self, c: Children) -> Silence:
        _silence, card, _until, _end, _of, scope = c
        return Silence(span_over(c), card, text_of(scope))

    def restore(self, c: Children) -> Restore:
        _restore, card = c
        return Restore(span_over(c), card)

    def tells(self, c: Children) -> Tells:
        _tells, said = c
        return Tells(span_over(c), unquoted(said))

    def because(self, c: Children) -> Part:
        _because, said = c
        return Part(span_over(c), unquoted(said))

    def require(self, c: Children) -> Require:
        _require, condition, because = c
        return Require(span_over(c), condition, reason_of(because))

    def ensure(self, c: Children) -> Ensure:
        _ensure, condition, because = c
        return Ensure(span_over(c), condition, reason_of(because))

    def compulsory(self, c: Children) -> Compulsory:
        _compulsory, _when, condition = c
        return Compulsory(span_over(c), condition)

    def stop(self, c: Children) -> Stop:
        return Stop(c[0].span)

    def proceed(self, c: Children) -> Proceed:
        return Proceed(c[0].span)

    def nothing(self, c: Children) -> Nothing:
        return Nothing(c[0].span)


def reason_of(part: Part | None) -> str | None:
    """The text after `because`, or None."""
    return part.value if part is not None else None


# ---- declarations


class Builder(StatementBuilder):
    """Builds declarations. `cites` is filled in afterwards: comments are no part of the grammar."""

    def replace(self, c: Children) -> Replace:
        _replace, declared = c
        return Replace(span_over(c), (), declared)

    def game(self, c: Children) -> Game:
        _game, body = c
        return Game(span_over(c), (), body.statements)

    def phase(self, c: Children) -> Phase:
        _phase, name, body = c
        return Phase(span_over(c), (), name.text, name.span, body.statements)

    def action(self, c: Children) -> Action:
        always, _action, name, args, _during, phases, free, once, steps, body = c
        return Action(
            span_over(c),
            (),
            name.text,
            name.span,
            always is not None,
            binders_of(args),
            phases.value,
            free is not None,
            once.value if once is not None else None,
            steps is not None,
            body.statements,
        )

    def names(self, c: Children) -> Part:
        return Part(span_over(c), tuple(Name(t.span, t.text) for t in c if t.type == "NAME"))

    def once(self, c: Children) -> Part:
        _once, _per, scope = c
        return Part(span_over(c), scope.text)

    def steps(self, c: Children) -> Part:
        return Part(span_over(c), None)

    owners = steps

    def routine(self, c: Children) -> Routine:
        _routine, name, params, owners, end = c
        body = end.statements if isinstance(end, Block) else None
        return Routine(span_over(c), (), name.text, name.span, params_of(params), owners is not None, body)

    def params(self, c: Children) -> Part:
        return Part(span_over(c), tuple(p for p in c if isinstance(p, Param)))

    def param(self, c: Children) -> Param:
        kind, name = c
        return Param(span_over(c), kind, name.text)

    def type(self, c: Children) -> TypeName:
        maybe, name = c
        return TypeName(span_over(c), name.text, maybe is not None)

    def value(self, c: Children) -> Value:
        _value, name, params, _arrow, kind, body = c
        return Value(span_over(c), (), name.text, name.span, params_of(params), kind, body)

    def invariant(self, c: Children) -> Invariant:
        _invariant, name, body = c
        return Invariant(span_over(c), (), name.text, name.span, body)

    def inline_vbody(self, c: Children) -> Expr:
        _colon, value, *_end = c
        body: Expr = value
        return body

    def block_vbody(self, c: Children) -> Expr:
        _colon, _line, _in, value, *_end = c
        body: Expr = value
        return body

    def ladder(self, c: Children) -> IfElse:
        """`if C: E elif C: E else: E`: nested from the last part outwards."""
        result: Any = c[-1]
        for at in range(len(c) - 5, -1, -3):
            span = span_over((c[at], result))
            result = IfElse(span, c[at + 1], c[at + 2], result)
        ladder: IfElse = result
        return ladder

    # ---- patches

    def labelled(self, c: Children) -> Labelled:
        _label, name, _colon, hook = c
        return Labelled(span_over(c), (), name.text, hook, name.span)

    def take_out(self, c: Children) -> TakeOut:
        _remove, place, *_end = c
        return TakeOut(span_over(c), (), place.value, place.span)

    def insert(self, c: Children) -> Insert:
        _insert, side, place, body = c
        return Insert(span_over(c), (), side.text == "before", place.value, body.statements, place.span)

    def rewrite(self, c: Children) -> Rewrite:
        _replace, place, *_colon, end = c
        body = end.statements if isinstance(end, Block) else end
        return Rewrite(span_over(c), (), place.value, body, place.span)

    def place(self, c: Children) -> Part:
        return Part(span_over(c), without_signs(c))

    def step(self, c: Children) -> Step:
        word, _open, pick, _close = c
        if pick is None:
            return Step(word.span, word.text, None, False)
        quoted = pick.type == "STRING"
        said = unquoted(pick) if quoted else int(pick.text) if pick.type == "NUMBER" else pick.text
        return Step(span_over(c), word.text, said, quoted)

    # ---- hooks

    def modify(self, c: Children) -> Modify:
        always, _modify, event, _colon, sign, value, guards, because, *_end = c
        return Modify(
            span_over(c), (), always is not None, event, sign.value, value, guards_of(guards), reason_of(because)
        )

    def modop(self, c: Children) -> Part:
        return Part(span_over(c), " ".join(t.text for t in c))

    def forbid(self, c: Children) -> Forbid:
        always, _forbid, events, guards, because, *_end = c
        return Forbid(span_over(c), (), always is not None, events.value, guards_of(guards), reason_of(because))

    def ignore(self, c: Children) -> Ignore:
        always, _ignore, what, name, _in, events, guards, *_end = c
        return Ignore(
            span_over(c),
            (),
            always is not None,
            what.text,
            what.span,
            name.text if name is not None else None,
            events.value,
            guards_of(guards),
        )

    def trigger(self, c: Children) -> Trigger:
        always, may, hook, events, once, guards, body = c
        return Trigger(
            span_over(c),
            (),
            always is not None,
            may is not None,
            hook.value,
            events.value,
            once.value if once is not None else None,
            guards_of(guards),
            body.statements,
        )

    def hook(self, c: Children) -> Part:
        return Part(span_over(c), " ".join(t.text for t in c))

    def copy_cards(self, c: Children) -> CopyCards:
        always, _copy, _cards, _on, thing, guards, *_end = c
        return CopyCards(span_over(c), (), always is not None, thing, guards_of(guards))

    def events(self, c: Children) -> Part:
        return Part(span_over(c), without_signs(c))

    def event(self, c: Children) -> Event:
        *dotted, slots, _of, bearer = c
        names = [t for t in dotted if t.type == "NAME"]
        path = tuple(t.text for t in names)
        return Event(span_over(c), path, slots.value if slots is not None else (), bearer, span_over(names))

    def slots(self, c: Children) -> Part:
        return Part(span_over(c), tuple(s for s in c if isinstance(s, Slot)))

    def slot(self, c: Children) -> Slot:
        word = c[0].text
        return Slot(c[0].span, None if word == "any" else word)

    def guards(self, c: Children) -> Part | None:
        return Part(span_over(c), tuple(c)) if c else None

    def guard(self, c: Children) -> Guard:
        word, condition = c
        return Guard(span_over(c), word.text == "unless", condition)


def params_of(part: Part | None) -> tuple[Param, ...]:
    """The parameters in `params`, or none."""
    return part.value if part is not None else ()


def guards_of(part: Part | None) -> tuple[Guard, ...]:
    """The guards in `guards`, or none."""
    return part.value if part is not None else ()
