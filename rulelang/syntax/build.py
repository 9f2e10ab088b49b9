"""From reductions of the grammar to declaration nodes; with the builders below it, the whole of tree building.

Lark calls a method as soon as a rule is complete, with the rule's children in order: tokens, nodes, and None for
what is absent. So no tree stands between text and nodes.
"""

from __future__ import annotations

from typing import Any

from rulelang.syntax.build_base import Block, Children, Part, binders_of, over, parted, unquoted
from rulelang.syntax.build_stmt import StatementBuilder, reason
from rulelang.syntax.nodes import (
    Action,
    CopyCards,
    Event,
    Expr,
    Forbid,
    Game,
    Guard,
    IfElse,
    Ignore,
    Insert,
    Invariant,
    Labelled,
    Modify,
    Name,
    Param,
    Phase,
    Replace,
    Rewrite,
    Routine,
    Slot,
    Step,
    TakeOut,
    Trigger,
    TypeName,
    Value,
)
from rulelang.syntax.tokens import Token


class Builder(StatementBuilder):
    """Builds declarations. `cites` is filled in afterwards: comments are no part of the grammar."""

    def replace(self, c: Children) -> Replace:
        return Replace(over(c), (), c[1])

    def game(self, c: Children) -> Game:
        return Game(over(c), (), c[1].statements)

    def phase(self, c: Children) -> Phase:
        return Phase(over(c), (), c[1].text, c[1].span, c[2].statements)

    def action(self, c: Children) -> Action:
        once: Part | None = c[7]
        return Action(
            over(c),
            (),
            c[2].text,
            c[2].span,
            c[0] is not None,
            binders_of(c[3]),
            c[5].value,
            c[6] is not None,
            once.value if once is not None else None,
            c[8] is not None,
            c[9].statements,
        )

    def names(self, c: Children) -> Part:
        return Part(over(c), tuple(Name(t.span, t.text) for t in c if t.type == "NAME"))

    def once(self, c: Children) -> Part:
        return Part(over(c), c[2].text)

    def steps(self, c: Children) -> Part:
        return Part(over(c), None)

    owners = steps

    def routine(self, c: Children) -> Routine:
        body = c[4].statements if isinstance(c[4], Block) else None
        return Routine(over(c), (), c[1].text, c[1].span, params_of(c[2]), c[3] is not None, body)

    def params(self, c: Children) -> Part:
        return Part(over(c), tuple(p for p in c if isinstance(p, Param)))

    def param(self, c: Children) -> Param:
        return Param(over(c), c[0], c[1].text)

    def type(self, c: Children) -> TypeName:
        return TypeName(over(c), c[1].text, c[0] is not None)

    def value(self, c: Children) -> Value:
        return Value(over(c), (), c[1].text, c[1].span, params_of(c[2]), c[4], c[5])

    def invariant(self, c: Children) -> Invariant:
        return Invariant(over(c), (), c[1].text, c[1].span, c[2])

    def inline_vbody(self, c: Children) -> Expr:
        body: Expr = c[1]
        return body

    def block_vbody(self, c: Children) -> Expr:
        body: Expr = c[3]
        return body

    def ladder(self, c: Children) -> IfElse:
        """`if C: E elif C: E else: E`: nested from the last part outwards."""
        result: Any = c[-1]
        for at in range(len(c) - 5, -1, -3):
            span = over((c[at], result))
            result = IfElse(span, c[at + 1], c[at + 2], result)
        ladder: IfElse = result
        return ladder

    # ---- patches

    def labelled(self, c: Children) -> Labelled:
        return Labelled(over(c), (), c[1].text, c[3], c[1].span)

    def take_out(self, c: Children) -> TakeOut:
        return TakeOut(over(c), (), c[1].value, c[1].span)

    def insert(self, c: Children) -> Insert:
        return Insert(over(c), (), c[1].text == "before", c[2].value, c[3].statements, c[2].span)

    def rewrite(self, c: Children) -> Rewrite:
        body = c[2].statements if isinstance(c[2], Block) else c[3]
        return Rewrite(over(c), (), c[1].value, body, c[1].span)

    def place(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def step(self, c: Children) -> Step:
        pick: Token | None = c[2]
        if pick is None:
            return Step(c[0].span, c[0].text, None, False)
        quoted = pick.type == "STRING"
        said = unquoted(pick) if quoted else int(pick.text) if pick.type == "NUMBER" else pick.text
        return Step(over(c), c[0].text, said, quoted)

    # ---- hooks

    def modify(self, c: Children) -> Modify:
        return Modify(over(c), (), c[0] is not None, c[2], c[4].value, c[5], guards_of(c[6]), reason(c[7]))

    def modop(self, c: Children) -> Part:
        return Part(over(c), " ".join(t.text for t in c))

    def forbid(self, c: Children) -> Forbid:
        return Forbid(over(c), (), c[0] is not None, c[2].value, guards_of(c[3]), reason(c[4]))

    def ignore(self, c: Children) -> Ignore:
        name: Token | None = c[3]
        return Ignore(
            over(c),
            (),
            c[0] is not None,
            c[2].text,
            c[2].span,
            name.text if name is not None else None,
            c[5].value,
            guards_of(c[6]),
        )

    def trigger(self, c: Children) -> Trigger:
        once: Part | None = c[4]
        return Trigger(
            over(c),
            (),
            c[0] is not None,
            c[1] is not None,
            c[2].value,
            c[3].value,
            once.value if once is not None else None,
            guards_of(c[5]),
            c[6].statements,
        )

    def hook(self, c: Children) -> Part:
        return Part(over(c), " ".join(t.text for t in c))

    def copy_cards(self, c: Children) -> CopyCards:
        return CopyCards(over(c), (), c[0] is not None, c[4], guards_of(c[5]))

    def events(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def event(self, c: Children) -> Event:
        names = [t for t in c if isinstance(t, Token) and t.type == "NAME"]
        slots: Part | None = c[-3]
        path = tuple(t.text for t in names)
        return Event(over(c), path, slots.value if slots is not None else (), c[-1], over(names))

    def slots(self, c: Children) -> Part:
        return Part(over(c), tuple(s for s in c if isinstance(s, Slot)))

    def slot(self, c: Children) -> Slot:
        word = c[0].text
        return Slot(c[0].span, None if word == "any" else word)

    def guards(self, c: Children) -> Part | None:
        return Part(over(c), tuple(c)) if c else None

    def guard(self, c: Children) -> Guard:
        return Guard(over(c), c[0].text == "unless", c[1])


def params_of(part: Part | None) -> tuple[Param, ...]:
    """The parameters in `params`, or none."""
    return part.value if part is not None else ()


def guards_of(part: Part | None) -> tuple[Guard, ...]:
    """The guards in `guards`, or none."""
    return part.value if part is not None else ()
