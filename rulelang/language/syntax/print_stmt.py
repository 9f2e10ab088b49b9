"""Statements as canonical text: lines with their depth, not yet indented or broken."""

from __future__ import annotations

from rulelang.language.syntax.nodes import (
    Assign,
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
from rulelang.language.syntax.print_expr import POSTFIX, SUM, asks, because, binders, call, expression

WIDTH = 120
STEP = 2
# (depth in blocks, text)
Lines = list[tuple[int, str]]


def block(head: str, body: tuple[Stmt, ...], depth: int) -> Lines:
    """`head:` with its statements: one simple statement follows on the same line if it fits."""
    if len(body) == 1:
        text = simple(body[0])
        if text is not None and depth * STEP + len(head) + 2 + len(text) <= WIDTH:
            return [(depth, f"{head}: {text}")]
    lines: Lines = [(depth, f"{head}:")]
    for statement in body:
        lines += _statement(statement, depth + 1)
    return lines


def _statement(node: Stmt, depth: int) -> Lines:
    text = simple(node)
    return [(depth, text)] if text is not None else _compound(node, depth)


def _compound(node: Stmt, depth: int) -> Lines:
    match node:
        case If():
            lines: Lines = []
            for at, (test, body) in enumerate(node.branches):
                lines += block(f"{'elif' if at else 'if'} {expression(test)}", body, depth)
            if node.otherwise is not None:
                lines += block("else", node.otherwise, depth)
            return lines
        case For():
            word = "secretly for" if node.secretly else "for"
            return block(f"{word} {binders(node.binders)}", node.body, depth)
        case RepeatTimes():
            return block(f"repeat {expression(node.times)} times", node.body, depth)
        case RepeatUntil():
            return block(f"repeat until {expression(node.until)}", node.body, depth)
        case Turns():
            return block(f"turns {node.name} from {_tight(node.start)} {node.mode}", node.body, depth)
        case Rounds():
            return block(f"rounds until {expression(node.until)}", node.body, depth)
        case Label():
            return block(f"label {node.name}", node.body, depth)
        case Choose(body=tuple() as body):
            lines = block(_choose(node), body, depth)
            if node.otherwise is not None:
                lines += block("else", node.otherwise, depth)
            return lines
        case _:
            raise AssertionError(f"no text for {type(node).__name__}")


def simple(node: Stmt) -> str | None:
    """The text of a statement that fills one line, or None for one with a block."""
    match node:
        case Let():
            return f"let {node.name} = {expression(node.value)}"
        case Assign():
            return f"{_tight(node.target)} {node.op} {expression(node.value)}"
        case CallStatement():
            return call(node.call)
        case Choose(body=None):
            return _choose(node)
        case Offer():
            what = "one action" if node.mode == "one" else "any actions"
            return f"offer {what} to {_tight(node.to)}{' or pass' if node.or_pass else ''}{asks(node.asks)}"
        case Redirect():
            return f"redirect {call(node.call)}"
        case Tells():
            return f'tells "{node.text}"'
        case Require():
            return f"require {expression(node.condition)}{because(node.because)}"
        case Ensure():
            return f"ensure {expression(node.condition)}{because(node.because)}"
        case Compulsory():
            return "compulsory" if node.when is None else f"compulsory when {expression(node.when)}"
        case Stop():
            return "stop"
        case Proceed():
            return "proceed"
        case Nothing():
            return "nothing"
        case _:
            return _of_things(node)


def _of_things(node: Stmt) -> str | None:
    """Statements that move, make and change things."""
    match node:
        case Move():
            text = f"move {_tight(node.card)} to {_end(node.end)}{_tight(node.to)}"
            text += f" as {_tight(node.face)}" if node.face is not None else ""
            return text + (f" with {_tight(node.partner)}" if node.partner is not None else "")
        case MoveAll():
            return f"move all {_tight(node.source)} to {_end(node.end)}{_tight(node.to)}"
        case Draw():
            return f"draw {expression(node.count, SUM)} from {_tight(node.source)} to {_tight(node.to)}"
        case Shuffle():
            return f"shuffle {_tight(node.zone)}"
        case Create():
            parts = [f"create {node.kind}", *([node.name] if node.name is not None else []), f"of {_tight(node.of)}"]
            for word, part in (("in", node.place), ("at", node.at), ("like", node.like)):
                if part is not None:
                    parts.append(f"{word} {_tight(part)}")
            return " ".join(parts)
        case Remove():
            return f"remove {_tight(node.thing)}"
        case Roll():
            dice = f"{node.count.value}d" if isinstance(node.count, Number) else f"{_tight(node.count)} d"
            return f"roll {dice}{node.sides} as {node.name if node.into is None else _tight(node.into)}"
        case Clear():
            return f"clear {node.table}"
        case Silence():
            return f"silence {_tight(node.card)}" + (f" until end of {node.until}" if node.until is not None else "")
        case Restore():
            return f"restore {_tight(node.card)}"
        case _:
            return None


def _choose(node: Choose) -> str:
    text = f"{'may ' if node.may else ''}choose {binders(node.binders)}"
    if node.at_random:
        return f"{text} at random{asks(node.asks)}"
    return text + (f" by {_tight(node.by)}" if node.by is not None else "") + asks(node.asks)


def _end(end: str | None) -> str:
    return f"{end} of " if end is not None else ""


def _tight(node: Expr) -> str:
    return expression(node, POSTFIX)
