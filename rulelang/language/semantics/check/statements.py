"""Statements: blocks, control flow, calls, choices. What moves cards and makes things is in `effects`."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.language.semantics import tree
from rulelang.language.semantics.check import binders, calls, effects, expressions, texts
from rulelang.language.semantics.check.checker import Checker, article, fit
from rulelang.language.semantics.types import PLAYER
from rulelang.language.syntax import nodes


def block(checker: Checker, found: Sequence[nodes.Stmt]) -> tree.Block:
    """The statements of a block; names bound in it are gone after it."""
    with checker.block():
        return rest(checker, found)


def rest(checker: Checker, found: Sequence[nodes.Stmt]) -> tree.Block:
    """Statements in the block at hand. A flat `choose` takes what follows it as its body."""
    done: list[tree.Stmt] = []
    lets: list[tuple[tree.Local, nodes.Let]] = []
    for at, node in enumerate(found):
        if isinstance(node, nodes.Choose) and node.body is None:
            done.append(_flat_choose(checker, node, found[at + 1 :]))
            break
        if isinstance(node, nodes.Let):
            value = _let(checker, node)
            lets.append((value.local, node))
            done.append(value)
        else:
            statement = check(checker, node)
            if statement is not None:
                done.append(statement)
    for local, let in lets:
        if local.name not in checker.scope.used:
            because = "a later line may misspell the name, or the line may not be needed"
            hint = "delete the line"
            checker.error("N358", let.name_span, f"`{let.name}` is never used", because=because, hint=hint)
    return tuple(done)


def _flat_choose(checker: Checker, node: nodes.Choose, following: Sequence[nodes.Stmt]) -> tree.Choose:
    asks, bound, reasons, by = _asked(checker, node)
    body = rest(checker, following)
    return tree.Choose(node.span, node.may, bound, by, node.at_random, body, (), reasons, asks)


def _asked(
    checker: Checker, node: nodes.Choose
) -> tuple[tree.Words, tuple[tree.Binder, ...], tuple[tree.Words, ...], tree.Expr | None]:
    """The words of the question, which know nothing of what is not chosen yet; what is chosen, why not, and by whom."""
    asks = words(checker, node.asks)
    if not node.at_random:
        return asks, *binders.bind_chosen(checker, node.binders), _by(checker, node)
    if node.asks is not None:
        checker.error(
            "T432", node.asks.span, "nobody sees this question", because=_QUESTION, hint="remove the question"
        )
    return asks, binders.bind_all(checker, node.binders), (), None


_QUESTION = "the choice is random"


def words(checker: Checker, asks: nodes.Text | None) -> tree.Words:
    """The words of a question in pieces."""
    return texts.parts(checker, asks.text, asks.span) if asks is not None else ()


def _by(checker: Checker, node: nodes.Choose) -> tree.Expr | None:
    return None if node.by is None else expressions.typed(checker, node.by, PLAYER, "after `by`, write a player")


def check(checker: Checker, node: nodes.Stmt) -> tree.Stmt | None:
    """One statement; None if it cannot be made sense of (already reported)."""
    match node:
        case nodes.Assign():
            return effects.assign(checker, node)
        case nodes.CallStatement():
            found = calls.event_call(checker, node.call, ("routine", "phase"))
            return tree.CallRoutine(node.span, found[0].id, found[1]) if found is not None else None
        case nodes.If():
            return _if(checker, node)
        case nodes.For():
            with checker.block():
                bound = binders.bind_all(checker, node.binders)
                if node.secretly and (not bound or not isinstance(bound[0].domain, tree.Players) or len(bound) > 1):
                    because = "`secretly` hides the choices of one player from the others"
                    hint = "write `secretly for player p:`"
                    checker.error(
                        "T410", node.binders[0].span, "only players can act in secret", because=because, hint=hint
                    )
                return tree.For(node.span, node.secretly, bound, block(checker, node.body))
        case nodes.RepeatTimes():
            times = expressions.number(checker, node.times, "`repeat ... times` needs a number")
            return tree.RepeatTimes(node.span, times, block(checker, node.body))
        case nodes.RepeatUntil():
            until = expressions.condition(checker, node.until, "`until` needs a condition")
            return tree.RepeatUntil(node.span, until, block(checker, node.body))
        case nodes.Rounds():
            until = expressions.condition(checker, node.until, "`until` needs a condition")
            return tree.Rounds(node.span, until, block(checker, node.body))
        case nodes.Turns():
            start = expressions.typed(checker, node.start, PLAYER, "after `from`, write the first player")
            outer = checker.scope.turns
            with checker.block():
                local = checker.scope.bind(node.name, PLAYER)
                checker.scope.turns = True
                body = block(checker, node.body)
            checker.scope.turns = outer
            return tree.Turns(node.span, local, start, node.mode, body)
        case nodes.Choose():
            return _choose(checker, node)
        case nodes.Tells():
            return tells(checker, node)
        case nodes.Ensure():
            return ensure(checker, node)
        case nodes.Nothing():
            return tree.Nothing(node.span)
        case nodes.Let():
            return _let(checker, node)
        case _:
            return _limited(checker, node) if isinstance(node, _LIMITED) else effects.check(checker, node)


_LIMITED = (nodes.Require, nodes.Compulsory, nodes.Stop, nodes.Proceed, nodes.Redirect, nodes.Offer)


def _let(checker: Checker, node: nodes.Let) -> tree.Let:
    value = expressions.expr(checker, node.value, None)
    if value.type.maybe and value.type.tag != "ref":
        value = fit(checker, value, value.type.sure(), f"`{node.name}` must be a number", sure=True)
    elif value.type.tag in ("set", "condition", "order"):
        because = "`let` can name numbers, truth values and things"
        value = checker.error("T400", value.span, f"`let` cannot name {article(value.type)}", because=because)
    return tree.Let(node.span, checker.scope.bind(node.name, value.type), value)


def _if(checker: Checker, node: nodes.If) -> tree.If:
    tests = [
        (expressions.condition(checker, t, "`if` needs a condition"), t.span, block(checker, b))
        for t, b in node.branches
    ]
    otherwise = block(checker, node.otherwise) if node.otherwise is not None else ()
    for at in range(len(tests) - 1, 0, -1):
        test, span, then = tests[at]
        otherwise = (tree.If(span.to(node.span), test, then, otherwise),)
    return tree.If(node.span, tests[0][0], tests[0][2], otherwise)


def _choose(checker: Checker, node: nodes.Choose) -> tree.Choose:
    with checker.block():
        asks, bound, reasons, by = _asked(checker, node)
        body = block(checker, node.body or ())
    otherwise = block(checker, node.otherwise) if node.otherwise is not None else ()
    return tree.Choose(node.span, node.may, bound, by, node.at_random, body, otherwise, reasons, asks)


# ---- statements that are legal in some places only


def tells(checker: Checker, node: nodes.Tells) -> tree.Tells:
    return tree.Tells(node.span, texts.parts(checker, node.text, node.span))


def require(checker: Checker, node: nodes.Require) -> tree.Require:
    test = expressions.condition(checker, node.condition, "`require` needs a condition")
    return tree.Require(node.span, test, texts.parts(checker, node.because, node.span))


def ensure(checker: Checker, node: nodes.Ensure) -> tree.Ensure:
    test = expressions.condition(checker, node.condition, "`ensure` needs a condition")
    return tree.Ensure(node.span, test, texts.parts(checker, node.because, node.span))


def compulsory(checker: Checker, node: nodes.Compulsory) -> tree.Compulsory:
    when = None if node.when is None else expressions.condition(checker, node.when, "`when` needs a condition")
    return tree.Compulsory(node.span, when)


def _limited(checker: Checker, node: nodes.Stmt) -> tree.Stmt | None:
    inside = checker.scope.inside
    match node:
        case nodes.Require():
            require(checker, node)
            because = "`require` says when a routine or action is possible, so it must come first"
            hint = (
                "use `if`, or put it in a routine"
                if inside not in ("routine", "action", "phase")
                else "move it to the top"
            )
            checker.error("T415", node.span, "`require` cannot be used here", because=because, hint=hint)
            return None
        case nodes.Compulsory():
            compulsory(checker, node)
            because = "`compulsory` must be the first line of an action"
            checker.error("T416", node.span, "`compulsory` cannot be used here", because=because)
            return None
        case nodes.Stop():
            if inside != "react to":
                checker.error(
                    "T417", node.span, "`stop` cannot be used here", because="only a `react to` can stop its event"
                )
                return None
            return tree.Stop(node.span)
        case nodes.Proceed():
            if inside != "instead of":
                because = "only an `instead of` has a replaced event to run"
                checker.error("T417", node.span, "`proceed` cannot be used here", because=because)
                return None
            return tree.Proceed(node.span)
        case nodes.Redirect():
            found = calls.event_call(checker, node.call, ("routine",))
            if inside != "react to":
                because = "only a `react to` can redirect its event"
                checker.error("T417", node.span, "`redirect` cannot be used here", because=because)
                return None
            return tree.Redirect(node.span, found[0].id, found[1]) if found is not None else None
        case nodes.Offer():
            to = expressions.typed(checker, node.to, PLAYER, "after `to`, write a player")
            if inside != "phase":
                because = "`offer` offers the actions of the phase that contains it"
                hint = "write a phase that contains the `offer`, and call that phase"
                checker.error("T418", node.span, "`offer` cannot be used here", because=because, hint=hint)
                return None
            asks = words(checker, node.asks)
            return tree.Offer(node.span, node.mode == "one", to, node.or_pass, checker.scope.phase, asks)
        case _:
            return None
