"""Statements: blocks, control flow, calls, choices. What moves cards and makes things is in `deeds`."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.meaning import tree
from rulelang.meaning.check import binders, calls, deeds, expressions, texts
from rulelang.meaning.check.desk import Desk, article, fit
from rulelang.meaning.types import PLAYER
from rulelang.syntax import nodes


def block(desk: Desk, found: Sequence[nodes.Stmt]) -> tree.Block:
    """The statements of a block; names bound in it are gone after it."""
    with desk.block():
        return rest(desk, found)


def rest(desk: Desk, found: Sequence[nodes.Stmt]) -> tree.Block:
    """Statements in the block at hand. A flat `choose` takes what follows it as its body."""
    done: list[tree.Stmt] = []
    lets: list[tuple[tree.Local, nodes.Let]] = []
    for at, node in enumerate(found):
        if isinstance(node, nodes.Choose) and node.body is None:
            done.append(_flat_choose(desk, node, found[at + 1 :]))
            break
        if isinstance(node, nodes.Let):
            value = _let(desk, node)
            lets.append((value.local, node))
            done.append(value)
        else:
            statement = check(desk, node)
            if statement is not None:
                done.append(statement)
    for local, let in lets:
        if local.name not in desk.scope.used:
            because = "a name that nothing reads is either misspelt or not needed"
            hint = "take the line out"
            desk.error("N358", let.name_span, f"`{let.name}` is never used", because=because, hint=hint)
    return tuple(done)


def _flat_choose(desk: Desk, node: nodes.Choose, following: Sequence[nodes.Stmt]) -> tree.Choose:
    bound = binders.bind_all(desk, node.binders)
    by = _by(desk, node)
    return tree.Choose(node.span, node.may, bound, by, node.at_random, rest(desk, following), ())


def _by(desk: Desk, node: nodes.Choose) -> tree.Expr | None:
    return None if node.by is None else expressions.typed(desk, node.by, PLAYER, "`by` says which player chooses")


def check(desk: Desk, node: nodes.Stmt) -> tree.Stmt | None:
    """One statement; None if it cannot be made sense of (already reported)."""
    match node:
        case nodes.Assign():
            return deeds.assign(desk, node)
        case nodes.CallStatement():
            found = calls.event_call(desk, node.call, ("routine", "phase"))
            return tree.CallRoutine(node.span, found[0].id, found[1]) if found is not None else None
        case nodes.If():
            return _if(desk, node)
        case nodes.For():
            with desk.block():
                bound = binders.bind_all(desk, node.binders)
                if node.secretly and (not bound or not isinstance(bound[0].domain, tree.Players) or len(bound) > 1):
                    because = "what one does in secret is hidden from the other players"
                    hint = "write `secretly for player p:`"
                    desk.error("T410", node.binders[0].span, "only players act in secret", because=because, hint=hint)
                return tree.For(node.span, node.secretly, bound, block(desk, node.body))
        case nodes.RepeatTimes():
            times = expressions.number(desk, node.times, "`repeat ... times` counts")
            return tree.RepeatTimes(node.span, times, block(desk, node.body))
        case nodes.RepeatUntil():
            until = expressions.condition(desk, node.until, "`until` asks a condition")
            return tree.RepeatUntil(node.span, until, block(desk, node.body))
        case nodes.Rounds():
            until = expressions.condition(desk, node.until, "`until` asks a condition")
            return tree.Rounds(node.span, until, block(desk, node.body))
        case nodes.Turns():
            start = expressions.typed(desk, node.start, PLAYER, "turns go round from a player on")
            with desk.block():
                local = desk.scope.bind(node.name, PLAYER)
                return tree.Turns(node.span, local, start, node.mode, block(desk, node.body))
        case nodes.Choose():
            return _choose(desk, node)
        case nodes.Tells():
            return tells(desk, node)
        case nodes.Ensure():
            return ensure(desk, node)
        case nodes.Nothing():
            return tree.Nothing(node.span)
        case nodes.Let():
            return _let(desk, node)
        case _:
            return _limited(desk, node) if isinstance(node, _LIMITED) else deeds.check(desk, node)


_LIMITED = (nodes.Require, nodes.Compulsory, nodes.Stop, nodes.Proceed, nodes.Redirect, nodes.Offer)


def _let(desk: Desk, node: nodes.Let) -> tree.Let:
    value = expressions.expr(desk, node.value, None)
    if value.type.maybe and value.type.tag != "ref":
        value = fit(desk, value, value.type.sure(), f"`{node.name}` is a number to calculate with", sure=True)
    elif value.type.tag in ("set", "condition", "order"):
        because = "numbers, truth values and things can be kept under a name"
        value = desk.error("T400", value.span, f"{article(value.type)} cannot be kept", because=because)
    return tree.Let(node.span, desk.scope.bind(node.name, value.type), value)


def _if(desk: Desk, node: nodes.If) -> tree.If:
    tests = [
        (expressions.condition(desk, t, "`if` asks a condition"), t.span, block(desk, b)) for t, b in node.branches
    ]
    otherwise = block(desk, node.otherwise) if node.otherwise is not None else ()
    for at in range(len(tests) - 1, 0, -1):
        test, span, then = tests[at]
        otherwise = (tree.If(span.to(node.span), test, then, otherwise),)
    return tree.If(node.span, tests[0][0], tests[0][2], otherwise)


def _choose(desk: Desk, node: nodes.Choose) -> tree.Choose:
    with desk.block():
        bound = binders.bind_all(desk, node.binders)
        by = _by(desk, node)
        body = block(desk, node.body or ())
    otherwise = block(desk, node.otherwise) if node.otherwise is not None else ()
    return tree.Choose(node.span, node.may, bound, by, node.at_random, body, otherwise)


# ---- statements that are legal in some places only


def tells(desk: Desk, node: nodes.Tells) -> tree.Tells:
    return tree.Tells(node.span, texts.parts(desk, node.text, node.span))


def require(desk: Desk, node: nodes.Require) -> tree.Require:
    test = expressions.condition(desk, node.condition, "`require` asks a condition")
    return tree.Require(node.span, test, texts.parts(desk, node.because, node.span))


def ensure(desk: Desk, node: nodes.Ensure) -> tree.Ensure:
    test = expressions.condition(desk, node.condition, "`ensure` asks a condition")
    return tree.Ensure(node.span, test, texts.parts(desk, node.because, node.span))


def compulsory(desk: Desk, node: nodes.Compulsory) -> tree.Compulsory:
    when = None if node.when is None else expressions.condition(desk, node.when, "`when` asks a condition")
    return tree.Compulsory(node.span, when)


def _limited(desk: Desk, node: nodes.Stmt) -> tree.Stmt | None:
    inside = desk.scope.inside
    match node:
        case nodes.Require():
            require(desk, node)
            because = "only the `require` lines that open a routine or action say when it is possible"
            hint = (
                "use `if`, or put it into a routine"
                if inside not in ("routine", "action", "phase")
                else "move it to the top"
            )
            desk.error("T415", node.span, "`require` does not stand here", because=because, hint=hint)
            return None
        case nodes.Compulsory():
            compulsory(desk, node)
            because = "it opens an action, and hides the pass while that action is possible"
            desk.error("T416", node.span, "`compulsory` does not stand here", because=because)
            return None
        case nodes.Stop():
            if inside != "react to":
                desk.error(
                    "T417", node.span, "`stop` does not stand here", because="only a `react to` stops what it answers"
                )
                return None
            return tree.Stop(node.span)
        case nodes.Proceed():
            if inside != "instead of":
                because = "it runs what an `instead of` replaces"
                desk.error("T417", node.span, "`proceed` does not stand here", because=because)
                return None
            return tree.Proceed(node.span)
        case nodes.Redirect():
            found = calls.event_call(desk, node.call, ("routine",))
            if inside != "react to":
                because = "only a `react to` sends what it answers elsewhere"
                desk.error("T417", node.span, "`redirect` does not stand here", because=because)
                return None
            return tree.Redirect(node.span, found[0].id, found[1]) if found is not None else None
        case nodes.Offer():
            to = expressions.typed(desk, node.to, PLAYER, "actions are offered to a player")
            if inside != "phase":
                because = "the actions offered are those of the phase it stands in"
                hint = "open a phase for it, and call that"
                desk.error("T418", node.span, "`offer` does not stand here", because=because, hint=hint)
                return None
            return tree.Offer(node.span, node.mode == "one", to, node.or_pass, desk.scope.phase)
        case _:
            return None
