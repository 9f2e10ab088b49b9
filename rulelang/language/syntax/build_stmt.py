"""From reductions of the grammar to statement nodes. Each method is named for its rule in `rules.lark`."""

from __future__ import annotations

from rulelang.language.syntax.build_base import Block, Children, Part, binders_of, expressions, over, unquoted
from rulelang.language.syntax.build_expr import ExpressionBuilder, text, text_of
from rulelang.language.syntax.nodes import (
    Assign,
    Call,
    CallStatement,
    Choose,
    Clear,
    Compulsory,
    Create,
    Draw,
    Ensure,
    Expr,
    For,
    If,
    Label,
    Let,
    Move,
    MoveAll,
    Name,
    Nothing,
    Number,
    Offer,
    Proceed,
    Redirect,
    Remove,
    RepeatTimes,
    RepeatUntil,
    Require,
    Restore,
    Roll,
    Rounds,
    Shuffle,
    Silence,
    Stmt,
    Stop,
    Tells,
    Turns,
)


class StatementBuilder(ExpressionBuilder):
    """Builds statements and their blocks."""

    # ---- blocks

    def block(self, c: Children) -> Block:
        _colon, _line, _in, *statements, _out = c
        return Block(over(statements), tuple(statements))

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
        return If(over(c), tuple(branches), last.statements if last is not None else None)

    def for_(self, c: Children) -> For:
        secretly, _for, bound, body = c
        return For(over(c), secretly is not None, binders_of(bound), body.statements)

    def repeat_times(self, c: Children) -> RepeatTimes:
        _repeat, times, _times, body = c
        return RepeatTimes(over(c), times, body.statements)

    def repeat_until(self, c: Children) -> RepeatUntil:
        _repeat, _until, condition, body = c
        return RepeatUntil(over(c), condition, body.statements)

    def turn_mode(self, c: Children) -> Part:
        words = [t.text for t in c if t is not None]
        return Part(over(c), " ".join(words))

    def turns(self, c: Children) -> Turns:
        _turns, name, _from, first, mode, body = c
        return Turns(over(c), name.text, first, mode.value, body.statements, name.span)

    def rounds(self, c: Children) -> Rounds:
        _rounds, _until, condition, body = c
        return Rounds(over(c), condition, body.statements)

    def choose(self, c: Children) -> Choose:
        may, _choose, bound, by, words = c
        chooser = by.value if by is not None else None
        at_random = by is not None and by.value is None
        return Choose(over(c), may is not None, binders_of(bound), chooser, at_random, None, None, text(words))

    def by(self, c: Children) -> Part:
        word, who = c
        return Part(over(c), who if word.text == "by" else None)

    def choose_block(self, c: Children) -> Choose:
        choice, body, _else, other = c
        return Choose(
            over(c),
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
        return Label(over(c), name.text, body.statements, name.span)

    # ---- simple statements

    def let(self, c: Children) -> Let:
        _let, name, _is, value = c
        return Let(over(c), name.text, value, name.span)

    def assign(self, c: Children) -> Assign:
        target, sign, value = c
        return Assign(over(c), target, sign.text, value)

    def call_stmt(self, c: Children) -> CallStatement:
        span = over(c)
        name, _open, args, _close = c
        return CallStatement(span, Call(span, name.text, expressions(args), name.span))

    def end(self, c: Children) -> Part:
        word, *_of = c
        return Part(word.span, word.text)

    def move(self, c: Children) -> Move:
        _move, card, _to, end, _of, to, _as, face, _with, partner = c
        return Move(over(c), card, to, end.value if end is not None else None, face, partner)

    def move_all(self, c: Children) -> MoveAll:
        _move, _all, source, _to, end, _of, to = c
        return MoveAll(over(c), source, to, end.value if end is not None else None)

    def draw(self, c: Children) -> Draw:
        _draw, count, _from, source, _to, to = c
        return Draw(over(c), count, source, to)

    def shuffle(self, c: Children) -> Shuffle:
        _shuffle, zone = c
        return Shuffle(over(c), zone)

    def create(self, c: Children) -> Create:
        _create, kind, name, _of, owner, _in, place, _at, at, _like, like = c
        return Create(over(c), kind.text, text_of(name), owner, place, at, like, kind.span)

    def remove(self, c: Children) -> Remove:
        _remove, thing = c
        return Remove(over(c), thing)

    def roll(self, c: Children) -> Roll:
        _roll, many, die, _as, target = c
        dice, sides = die.text.split("d")
        count: Expr = many if many is not None else Number(die.span, int(dice or 1))
        name, into = (target.id, None) if isinstance(target, Name) else ("", target)
        return Roll(over(c), count, int(sides), name, target.span, into)

    def clear(self, c: Children) -> Clear:
        _clear, table = c
        return Clear(over(c), table.text)

    def offer(self, c: Children) -> Offer:
        _offer, many, _actions, _to, player, or_pass, words = c
        return Offer(over(c), many.text, player, or_pass is not None, text(words))

    def or_pass(self, c: Children) -> Part:
        return Part(over(c), None)

    def redirect(self, c: Children) -> Redirect:
        _redirect, call = c
        return Redirect(over(c), call)

    def silence(self, c: Children) -> Silence:
        _silence, card, _until, _end, _of, scope = c
        return Silence(over(c), card, text_of(scope))

    def restore(self, c: Children) -> Restore:
        _restore, card = c
        return Restore(over(c), card)

    def tells(self, c: Children) -> Tells:
        _tells, said = c
        return Tells(over(c), unquoted(said))

    def because(self, c: Children) -> Part:
        _because, said = c
        return Part(over(c), unquoted(said))

    def require(self, c: Children) -> Require:
        _require, condition, because = c
        return Require(over(c), condition, reason(because))

    def ensure(self, c: Children) -> Ensure:
        _ensure, condition, because = c
        return Ensure(over(c), condition, reason(because))

    def compulsory(self, c: Children) -> Compulsory:
        _compulsory, _when, condition = c
        return Compulsory(over(c), condition)

    def stop(self, c: Children) -> Stop:
        return Stop(c[0].span)

    def proceed(self, c: Children) -> Proceed:
        return Proceed(c[0].span)

    def nothing(self, c: Children) -> Nothing:
        return Nothing(c[0].span)


def reason(part: Part | None) -> str | None:
    """The text after `because`, or None."""
    return part.value if part is not None else None
