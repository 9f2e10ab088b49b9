"""From reductions of the grammar to statement nodes. Each method is named for its rule in `rules.lark`."""

from __future__ import annotations

from rulelang.syntax.build_base import Block, Children, Part, binders_of, expressions, over, unquoted
from rulelang.syntax.build_expr import ExpressionBuilder, text, text_of
from rulelang.syntax.nodes import (
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
        statements: tuple[Stmt, ...] = tuple(c[3:-1])
        return Block(over(statements), statements)

    def inline_block(self, c: Children) -> Block:
        return Block(c[1].span, (c[1],))

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
        return For(over(c), c[0] is not None, binders_of(c[2]), c[3].statements)

    def repeat_times(self, c: Children) -> RepeatTimes:
        return RepeatTimes(over(c), c[1], c[3].statements)

    def repeat_until(self, c: Children) -> RepeatUntil:
        return RepeatUntil(over(c), c[2], c[3].statements)

    def turn_mode(self, c: Children) -> Part:
        words = [t.text for t in c if t is not None]
        return Part(over(c), " ".join(words))

    def turns(self, c: Children) -> Turns:
        return Turns(over(c), c[1].text, c[3], c[4].value, c[5].statements, c[1].span)

    def rounds(self, c: Children) -> Rounds:
        return Rounds(over(c), c[2], c[3].statements)

    def choose(self, c: Children) -> Choose:
        by: Part | None = c[3]
        chooser = by.value if by is not None else None
        at_random = by is not None and by.value is None
        return Choose(over(c), c[0] is not None, binders_of(c[2]), chooser, at_random, None, None, text(c[4]))

    def by(self, c: Children) -> Part:
        return Part(over(c), c[1] if c[0].text == "by" else None)

    def choose_block(self, c: Children) -> Choose:
        choice: Choose = c[0]
        other: Block | None = c[3]
        return Choose(
            over(c),
            choice.may,
            choice.binders,
            choice.by,
            choice.at_random,
            c[1].statements,
            other.statements if other is not None else None,
            choice.asks,
        )

    def label(self, c: Children) -> Label:
        return Label(over(c), c[1].text, c[2].statements, c[1].span)

    # ---- simple statements

    def let(self, c: Children) -> Let:
        return Let(over(c), c[1].text, c[3], c[1].span)

    def assign(self, c: Children) -> Assign:
        return Assign(over(c), c[0], c[1].text, c[2])

    def call_stmt(self, c: Children) -> CallStatement:
        span = over(c)
        return CallStatement(span, Call(span, c[0].text, expressions(c[2]), c[0].span))

    def end(self, c: Children) -> Part:
        return Part(c[0].span, c[0].text)

    def move(self, c: Children) -> Move:
        end: Part | None = c[3]
        return Move(over(c), c[1], c[5], end.value if end is not None else None, c[7], c[9])

    def move_all(self, c: Children) -> MoveAll:
        end: Part | None = c[4]
        return MoveAll(over(c), c[2], c[6], end.value if end is not None else None)

    def draw(self, c: Children) -> Draw:
        return Draw(over(c), c[1], c[3], c[5])

    def shuffle(self, c: Children) -> Shuffle:
        return Shuffle(over(c), c[1])

    def create(self, c: Children) -> Create:
        return Create(over(c), c[1].text, text_of(c[2]), c[4], c[6], c[8], c[10], c[1].span)

    def remove(self, c: Children) -> Remove:
        return Remove(over(c), c[1])

    def roll(self, c: Children) -> Roll:
        dice, sides = c[2].text.split("d")
        count: Expr = c[1] if c[1] is not None else Number(c[2].span, int(dice or 1))
        return Roll(over(c), count, int(sides), c[4].text, c[4].span)

    def clear(self, c: Children) -> Clear:
        return Clear(over(c), c[1].text)

    def offer(self, c: Children) -> Offer:
        return Offer(over(c), c[1].text, c[4], c[5] is not None, text(c[6]))

    def or_pass(self, c: Children) -> Part:
        return Part(over(c), None)

    def redirect(self, c: Children) -> Redirect:
        return Redirect(over(c), c[1])

    def silence(self, c: Children) -> Silence:
        return Silence(over(c), c[1], text_of(c[5]))

    def restore(self, c: Children) -> Restore:
        return Restore(over(c), c[1])

    def tells(self, c: Children) -> Tells:
        return Tells(over(c), unquoted(c[1]))

    def because(self, c: Children) -> Part:
        return Part(over(c), unquoted(c[1]))

    def require(self, c: Children) -> Require:
        return Require(over(c), c[1], reason(c[2]))

    def ensure(self, c: Children) -> Ensure:
        return Ensure(over(c), c[1], reason(c[2]))

    def compulsory(self, c: Children) -> Compulsory:
        return Compulsory(over(c), c[2])

    def stop(self, c: Children) -> Stop:
        return Stop(c[0].span)

    def proceed(self, c: Children) -> Proceed:
        return Proceed(c[0].span)

    def nothing(self, c: Children) -> Nothing:
        return Nothing(c[0].span)


def reason(part: Part | None) -> str | None:
    """The text after `because`, or None."""
    return part.value if part is not None else None
