"""From reductions of the grammar to declaration nodes; with the builders below it, the whole of tree building.

Lark calls a method as soon as a rule is complete, with the rule's children in order: tokens, nodes, and None for
what is absent. So no tree stands between text and nodes. A method first gives each child its name; of those that begin
with `_` only the place counts.
"""

from __future__ import annotations

from typing import Any

from rulelang.language.syntax.build_base import Block, Children, Part, binders_of, over, parted, unquoted
from rulelang.language.syntax.build_stmt import StatementBuilder, reason
from rulelang.language.syntax.nodes import (
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


class Builder(StatementBuilder):
    """Builds declarations. `cites` is filled in afterwards: comments are no part of the grammar."""

    def replace(self, c: Children) -> Replace:
        _replace, declared = c
        return Replace(over(c), (), declared)

    def game(self, c: Children) -> Game:
        _game, body = c
        return Game(over(c), (), body.statements)

    def phase(self, c: Children) -> Phase:
        _phase, name, body = c
        return Phase(over(c), (), name.text, name.span, body.statements)

    def action(self, c: Children) -> Action:
        always, _action, name, args, _during, phases, free, once, steps, body = c
        return Action(
            over(c),
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
        return Part(over(c), tuple(Name(t.span, t.text) for t in c if t.type == "NAME"))

    def once(self, c: Children) -> Part:
        _once, _per, scope = c
        return Part(over(c), scope.text)

    def steps(self, c: Children) -> Part:
        return Part(over(c), None)

    owners = steps

    def routine(self, c: Children) -> Routine:
        _routine, name, params, owners, end = c
        body = end.statements if isinstance(end, Block) else None
        return Routine(over(c), (), name.text, name.span, params_of(params), owners is not None, body)

    def params(self, c: Children) -> Part:
        return Part(over(c), tuple(p for p in c if isinstance(p, Param)))

    def param(self, c: Children) -> Param:
        kind, name = c
        return Param(over(c), kind, name.text)

    def type(self, c: Children) -> TypeName:
        maybe, name = c
        return TypeName(over(c), name.text, maybe is not None)

    def value(self, c: Children) -> Value:
        _value, name, params, _arrow, kind, body = c
        return Value(over(c), (), name.text, name.span, params_of(params), kind, body)

    def invariant(self, c: Children) -> Invariant:
        _invariant, name, body = c
        return Invariant(over(c), (), name.text, name.span, body)

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
            span = over((c[at], result))
            result = IfElse(span, c[at + 1], c[at + 2], result)
        ladder: IfElse = result
        return ladder

    # ---- patches

    def labelled(self, c: Children) -> Labelled:
        _label, name, _colon, hook = c
        return Labelled(over(c), (), name.text, hook, name.span)

    def take_out(self, c: Children) -> TakeOut:
        _remove, place, *_end = c
        return TakeOut(over(c), (), place.value, place.span)

    def insert(self, c: Children) -> Insert:
        _insert, side, place, body = c
        return Insert(over(c), (), side.text == "before", place.value, body.statements, place.span)

    def rewrite(self, c: Children) -> Rewrite:
        _replace, place, *_colon, end = c
        body = end.statements if isinstance(end, Block) else end
        return Rewrite(over(c), (), place.value, body, place.span)

    def place(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def step(self, c: Children) -> Step:
        word, _open, pick, _close = c
        if pick is None:
            return Step(word.span, word.text, None, False)
        quoted = pick.type == "STRING"
        said = unquoted(pick) if quoted else int(pick.text) if pick.type == "NUMBER" else pick.text
        return Step(over(c), word.text, said, quoted)

    # ---- hooks

    def modify(self, c: Children) -> Modify:
        always, _modify, event, _colon, sign, value, guards, because, *_end = c
        return Modify(over(c), (), always is not None, event, sign.value, value, guards_of(guards), reason(because))

    def modop(self, c: Children) -> Part:
        return Part(over(c), " ".join(t.text for t in c))

    def forbid(self, c: Children) -> Forbid:
        always, _forbid, events, guards, because, *_end = c
        return Forbid(over(c), (), always is not None, events.value, guards_of(guards), reason(because))

    def ignore(self, c: Children) -> Ignore:
        always, _ignore, what, name, _in, events, guards, *_end = c
        return Ignore(
            over(c),
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
            over(c),
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
        return Part(over(c), " ".join(t.text for t in c))

    def copy_cards(self, c: Children) -> CopyCards:
        always, _copy, _cards, _on, thing, guards, *_end = c
        return CopyCards(over(c), (), always is not None, thing, guards_of(guards))

    def events(self, c: Children) -> Part:
        return Part(over(c), parted(c))

    def event(self, c: Children) -> Event:
        *dotted, slots, _of, bearer = c
        names = [t for t in dotted if t.type == "NAME"]
        path = tuple(t.text for t in names)
        return Event(over(c), path, slots.value if slots is not None else (), bearer, over(names))

    def slots(self, c: Children) -> Part:
        return Part(over(c), tuple(s for s in c if isinstance(s, Slot)))

    def slot(self, c: Children) -> Slot:
        word = c[0].text
        return Slot(c[0].span, None if word == "any" else word)

    def guards(self, c: Children) -> Part | None:
        return Part(over(c), tuple(c)) if c else None

    def guard(self, c: Children) -> Guard:
        word, condition = c
        return Guard(over(c), word.text == "unless", condition)


def params_of(part: Part | None) -> tuple[Param, ...]:
    """The parameters in `params`, or none."""
    return part.value if part is not None else ()


def guards_of(part: Part | None) -> tuple[Guard, ...]:
    """The guards in `guards`, or none."""
    return part.value if part is not None else ()
