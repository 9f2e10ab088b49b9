"""Print nodes as canonical text: parsing it gives the same nodes. Comments are lost (see `format`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from rulelang.language.syntax.lexer import CLOSING, JOINING, OPENING
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
    Decl,
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
    Patched,
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

# ---- breaking lines

INDENT = 4
_PIECE = re.compile(r'"[^"]*"|, | |[()\[\]]', re.ASCII)
_WORD = re.compile(r"[a-z]+", re.ASCII)


def wrap_line(text: str, indent: int, width: int) -> list[str]:
    """The lines of `text`, each at most `width` wide if there is a place to break it."""
    lines = []
    margin = indent
    while margin + len(text) > width:
        at = _place(text, width - margin)
        if at is None:
            break
        lines.append(" " * margin + text[:at])
        text = text[at:].lstrip()
        margin = indent + INDENT
    return [*lines, " " * margin + text]


def _place(text: str, room: int) -> int | None:
    """Where to break: the least nested place that fits and leaves no stub, a comma before a word, then the last.

    Without one, the first place that does not fit; None if there is no place at all.
    """
    places = _places(text)
    fitting = [place for place in places if place[0] <= room]
    if not fitting:
        return places[0][0] if places else None
    good = [place for place in fitting if place[0] > room // 3] or fitting
    return min(good, key=lambda place: (place[1], place[2], -place[0]))[0]


def _places(text: str) -> list[tuple[int, int, bool]]:
    """(end of the line, depth in brackets, before a word rather than after a comma), from left to right."""
    found = []
    depth = 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        depth += (piece in OPENING) - (piece in CLOSING)
        if piece == ", ":
            found.append((match.start() + 1, depth, False))
        elif piece == " ":
            word = _WORD.match(text, match.end())
            if word is not None and word.group() in JOINING:
                found.append((match.start(), depth, True))
    return found


# ---- expressions

# How tightly a form binds, loosest first: the order of the grammar's rules.
THEN, COND, OR, AND, NOT, COMPARE, OTHERWISE, SUM, TERM, FACTOR, POSTFIX = range(11)


def print_expression(node: Expr, least: int = THEN) -> str:
    """The text of an expression, in brackets if it binds more loosely than `least`."""
    text, level = _text(node)
    return f"({text})" if level < least else text


def _text(node: Expr) -> tuple[str, int]:
    match node:
        case Number():
            return str(node.value), POSTFIX
        case Bool():
            return "true" if node.value else "false", POSTFIX
        case NoneValue():
            return "none", POSTFIX
        case Name():
            return f'"{node.id}"' if node.quoted else node.id, POSTFIX
        case Call():
            return f"{node.name}({_list(node.args)})", POSTFIX
        case Attribute():
            return f"{print_expression(node.object, POSTFIX)}.{node.name}", POSTFIX
        case ZoneOf():
            return f"{print_expression(node.owner, POSTFIX)}.{node.name}", POSTFIX
        case Index():
            return f"{print_expression(node.object, POSTFIX)}[{_list(node.args)}]", POSTFIX
        case Query():
            body = f": {print_expression(node.body)}" if node.body is not None else ""
            return f"{node.kind}({print_binders(node.binders)}{body})", POSTFIX
        case CountTrue():
            return f"count({_list(node.conditions)})", POSTFIX
        case MinMax():
            return f"{node.kind}({_list(node.args)})", POSTFIX
        case _:
            return _operator(node)


def _operator(node: Expr) -> tuple[str, int]:
    match node:
        case Negative():
            return f"-{print_expression(node.operand, FACTOR)}", FACTOR
        case Can():
            return f"can {print_call(node.call)}", FACTOR
        case Arith(op="+" | "-"):
            return f"{print_expression(node.left, SUM)} {node.op} {print_expression(node.right, TERM)}", SUM
        case Arith():
            return f"{print_expression(node.left, TERM)} {node.op} {print_expression(node.right, FACTOR)}", TERM
        case Otherwise():
            return (
                f"{print_expression(node.value, OTHERWISE)} otherwise {print_expression(node.default, SUM)}",
                OTHERWISE,
            )
        case Compare():
            return (
                f"{print_expression(node.left, OTHERWISE)} {node.op} {print_expression(node.right, OTHERWISE)}",
                COMPARE,
            )
        case Member():
            word = "not in" if node.negated else "in"
            return f"{print_expression(node.item, OTHERWISE)} {word} {print_expression(node.group, OTHERWISE)}", COMPARE
        case Is():
            word = "is not" if node.negated else "is"
            return f"{print_expression(node.subject, OTHERWISE)} {word} {node.word}", COMPARE
        case Has():
            return f"{print_expression(node.subject, OTHERWISE)} has {print_expression(node.trait, POSTFIX)}", COMPARE
        case Meets():
            return (
                f"{print_expression(node.subject, OTHERWISE)} meets {print_expression(node.condition, POSTFIX)}",
                COMPARE,
            )
        case Affects():
            return f"{print_expression(node.trait, OTHERWISE)} affects {print_call(node.event)}", COMPARE
        case Not():
            return f"not {print_expression(node.operand, NOT)}", NOT
        case Logic(op="and"):
            return f"{print_expression(node.left, AND)} and {print_expression(node.right, NOT)}", AND
        case Logic():
            return f"{print_expression(node.left, OR)} or {print_expression(node.right, AND)}", OR
        case IfElse():
            test, other = print_expression(node.test, OR), print_expression(node.otherwise, COND)
            return f"{print_expression(node.then, OR)} if {test} else {other}", COND
        case Then():
            return " then ".join(print_expression(part, COND) for part in node.parts), THEN
        case _:
            raise AssertionError(f"no text for {type(node).__name__}")


def print_call(node: Call) -> str:
    """A call where the brackets may be left off without arguments."""
    return f"{node.name}({_list(node.args)})" if node.args else node.name


def _list(nodes: Iterable[Expr]) -> str:
    return ", ".join(print_expression(node) for node in nodes)


def print_binders(nodes: Iterable[Binder]) -> str:
    """Several binders, parted by commas."""
    return ", ".join(print_binder(node) for node in nodes)


def print_binder(node: Binder) -> str:
    """`[maybe] KIND NAME [of ...] [in ...] ...`"""
    parts = [f"{node.kind} {node.name}"]
    if node.maybe:
        parts.insert(0, "maybe")
    if node.of is not None:
        parts.append(f"of {print_expression(node.of, POSTFIX)}")
    if node.zones:
        parts.append("in " + " + ".join(print_expression(zone, POSTFIX) for zone in node.zones))
    if node.on is not None:
        parts.append(f"on {print_expression(node.on, POSTFIX)}")
    if node.from_ is not None:
        parts.append(f"from {print_expression(node.from_, SUM)}")
        if node.to is not None:
            parts.append(f"to {print_expression(node.to, SUM)}")
    if node.where is not None:
        parts.append(f"where {print_expression(node.where, AND)}{print_because(node.because)}")
    if node.extreme is not None:
        parts.append(f"with {_key(node.extreme)}")
    if node.sorted_by:
        parts.append("sorted by " + " then ".join(_key(key) for key in node.sorted_by))
    return " ".join(parts) + print_asks(node.asks)


def print_because(text: Text | str | None) -> str:
    """` because "..."`, or nothing."""
    said = text.text if isinstance(text, Text) else text
    return f' because "{said}"' if said is not None else ""


def print_asks(text: Text | None) -> str:
    """The words of a question behind it, or nothing."""
    return f' "{text.text}"' if text is not None else ""


def _key(node: SortKey) -> str:
    return f"{node.way} {print_expression(node.key, OTHERWISE)}"


# ---- statements

WIDTH = 120
STEP = 2
# (depth in blocks, text)
Lines = list[tuple[int, str]]


def print_block(head: str, body: tuple[Stmt, ...], depth: int) -> Lines:
    """`head:` with its statements: one simple statement follows on the same line if it fits."""
    if len(body) == 1:
        text = print_simple(body[0])
        if text is not None and depth * STEP + len(head) + 2 + len(text) <= WIDTH:
            return [(depth, f"{head}: {text}")]
    lines: Lines = [(depth, f"{head}:")]
    for statement in body:
        lines += _statement(statement, depth + 1)
    return lines


def _statement(node: Stmt, depth: int) -> Lines:
    text = print_simple(node)
    return [(depth, text)] if text is not None else _compound(node, depth)


def _compound(node: Stmt, depth: int) -> Lines:
    match node:
        case If():
            lines: Lines = []
            for at, (test, body) in enumerate(node.branches):
                lines += print_block(f"{'elif' if at else 'if'} {print_expression(test)}", body, depth)
            if node.otherwise is not None:
                lines += print_block("else", node.otherwise, depth)
            return lines
        case For():
            word = "secretly for" if node.secretly else "for"
            return print_block(f"{word} {print_binders(node.binders)}", node.body, depth)
        case RepeatTimes():
            return print_block(f"repeat {print_expression(node.times)} times", node.body, depth)
        case RepeatUntil():
            return print_block(f"repeat until {print_expression(node.until)}", node.body, depth)
        case Turns():
            return print_block(f"turns {node.name} from {_tight(node.start)} {node.mode}", node.body, depth)
        case Rounds():
            return print_block(f"rounds until {print_expression(node.until)}", node.body, depth)
        case Label():
            return print_block(f"label {node.name}", node.body, depth)
        case Choose(body=tuple() as body):
            lines = print_block(_choose(node), body, depth)
            if node.otherwise is not None:
                lines += print_block("else", node.otherwise, depth)
            return lines
        case _:
            raise AssertionError(f"no text for {type(node).__name__}")


def print_simple(node: Stmt) -> str | None:
    """The text of a statement that fills one line, or None for one with a block."""
    match node:
        case Let():
            return f"let {node.name} = {print_expression(node.value)}"
        case Assign():
            return f"{_tight(node.target)} {node.op} {print_expression(node.value)}"
        case CallStatement():
            return print_call(node.call)
        case Choose(body=None):
            return _choose(node)
        case Offer():
            what = "one action" if node.mode == "one" else "any actions"
            return f"offer {what} to {_tight(node.to)}{' or pass' if node.or_pass else ''}{print_asks(node.asks)}"
        case Redirect():
            return f"redirect {print_call(node.call)}"
        case Tells():
            return f'tells "{node.text}"'
        case Require():
            return f"require {print_expression(node.condition)}{print_because(node.because)}"
        case Ensure():
            return f"ensure {print_expression(node.condition)}{print_because(node.because)}"
        case Compulsory():
            return "compulsory" if node.when is None else f"compulsory when {print_expression(node.when)}"
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
            return f"draw {print_expression(node.count, SUM)} from {_tight(node.source)} to {_tight(node.to)}"
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
    text = f"{'may ' if node.may else ''}choose {print_binders(node.binders)}"
    if node.at_random:
        return f"{text} at random{print_asks(node.asks)}"
    return text + (f" by {_tight(node.by)}" if node.by is not None else "") + print_asks(node.asks)


def _end(end: str | None) -> str:
    return f"{end} of " if end is not None else ""


def _tight(node: Expr) -> str:
    return print_expression(node, POSTFIX)


# ---- declarations


def print_declarations(decls: Iterable[Decl]) -> str:
    """The canonical text of the declarations, with `#:` lines for what they cite. Patches that are done leave none."""
    printed = [(decl, print_declaration(decl)) for decl in decls if not isinstance(decl, Patched)]
    if not printed:
        return ""
    first, text = printed[0]
    out = [_cite(first) + text]
    for (before, text_before), (decl, text) in pairwise(printed):
        short = text.count("\n") == text_before.count("\n") == 1
        out.append(text if short and decl.cites == before.cites else "\n" + _cite(decl) + text)
    return "".join(out)


def print_declaration(decl: Decl) -> str:
    """The canonical text of one declaration, without its citation, ending in a line end."""
    lines = _declaration(decl)
    return "".join(line + "\n" for depth, text in lines for line in wrap_line(text, depth * STEP, WIDTH))


def _cite(decl: Decl) -> str:
    return f"#: {' '.join(decl.cites)}\n" if decl.cites else ""


def _declaration(decl: Decl) -> Lines:
    match decl:
        case Replace():
            (depth, text), *rest = _declaration(decl.target)
            return [(depth, f"replace {text}"), *rest]
        case Game():
            return print_block("game", decl.body, 0)
        case Phase():
            return print_block(f"phase {decl.name}", decl.body, 0)
        case Action():
            return print_block(_action(decl), decl.body, 0)
        case Routine():
            head = f"routine {decl.name}{_params(decl.params)}" + (" in owner's order" if decl.owners_order else "")
            return print_block(head, decl.body, 0) if decl.body is not None else [(0, head)]
        case Value():
            return _body(f"value {decl.name}{_params(decl.params)} -> {_type(decl.type)}", decl.body, 0)
        case Invariant():
            return _body(f"invariant {decl.name}", decl.body, 0)
        case Labelled():
            (depth, text), *rest = _declaration(decl.hook)
            return [(depth, f"label {decl.name}: {text}"), *rest]
        case TakeOut():
            return [(0, f"remove {print_place(decl.place)}")]
        case Insert():
            return print_block(f"insert {'before' if decl.before else 'after'} {print_place(decl.place)}", decl.body, 0)
        case Rewrite(body=tuple() as body):
            return print_block(f"replace {print_place(decl.place)}", body, 0)
        case Rewrite(body=Modify() | Forbid() | Ignore() | Trigger() | CopyCards() as hook):
            (depth, text), *rest = _declaration(hook)
            return [(depth, f"replace {print_place(decl.place)}: {text}"), *rest]
        case _:
            return _hook(decl)


def print_place(steps: Iterable[Step]) -> str:
    """The place that a patch names."""
    return ".".join(step.name + _pick(step) for step in steps)


def _pick(step: Step) -> str:
    if step.pick is None:
        return ""
    return f'["{step.pick}"]' if step.quoted else f"[{step.pick}]"


def _hook(decl: Decl) -> Lines:
    match decl:
        case Modify():
            text = f"modify {_event(decl.event)}: {decl.op} {print_expression(decl.value)}{_guards(decl.guards)}"
            return [(0, _always(decl.always) + text + print_because(decl.because))]
        case Forbid():
            text = f"forbid {_events(decl.events)}{_guards(decl.guards)}{print_because(decl.because)}"
            return [(0, _always(decl.always) + text)]
        case Ignore():
            name = f" {decl.binder_name}" if decl.binder_name is not None else ""
            text = f"ignore {decl.what}{name} in {_events(decl.events)}{_guards(decl.guards)}"
            return [(0, _always(decl.always) + text)]
        case Trigger():
            may = "may " if decl.may else ""
            head = f"{_always(decl.always)}{may}{decl.kind} {_events(decl.events)}{_once(decl.once_per)}"
            return print_block(head + _guards(decl.guards), decl.body, 0)
        case CopyCards():
            return [
                (0, f"{_always(decl.always)}copy cards on {print_expression(decl.on, POSTFIX)}{_guards(decl.guards)}")
            ]
        case _:
            raise AssertionError(f"no text for {type(decl).__name__}")


def _action(decl: Action) -> str:
    during = ", ".join(name.id for name in decl.during)
    text = f"{_always(decl.always)}action {decl.name}"
    text += f"({print_binders(decl.binders)})" if decl.binders else ""
    text += f" during {during}" + (" free" if decl.free else "") + _once(decl.once_per)
    return text + (" in steps" if decl.in_steps else "")


def _body(head: str, body: Expr, depth: int) -> Lines:
    """A value's expression: on the line of its head if it fits, else below; more than two cases as a ladder."""
    ladder = isinstance(body, IfElse) and isinstance(body.otherwise, IfElse)
    text = print_expression(body)
    if not ladder and depth * STEP + len(head) + 2 + len(text) <= WIDTH:
        return [(depth, f"{head}: {text}")]
    if not isinstance(body, IfElse):
        return [(depth, f"{head}:"), (depth + 1, text)]
    lines: Lines = [(depth, f"{head}:")]
    word, rest = "if", body
    while True:
        lines += _body(f"{word} {print_expression(rest.test)}", rest.then, depth + 1)
        if not isinstance(rest.otherwise, IfElse):
            return lines + _body("else", rest.otherwise, depth + 1)
        word, rest = "elif", rest.otherwise


def _always(always: bool) -> str:
    return "always " if always else ""


def _once(scope: str | None) -> str:
    return f" once per {scope}" if scope is not None else ""


def _type(node: TypeName) -> str:
    return f"maybe {node.name}" if node.maybe else node.name


def _params(params: tuple[Param, ...]) -> str:
    return f"({', '.join(f'{_type(param.type)} {param.name}' for param in params)})" if params else ""


def _events(events: tuple[Event, ...]) -> str:
    return ", ".join(_event(event) for event in events)


def _event(event: Event) -> str:
    slots = ", ".join(slot.name or "any" for slot in event.slots)
    bearer = f" of {event.bearer.name or 'any'}" if event.bearer is not None else ""
    return ".".join(event.path) + (f"({slots})" if slots else "") + bearer


def _guards(guards: tuple[Guard, ...]) -> str:
    return "".join(f" {'unless' if g.unless else 'when'} {print_expression(g.condition, OR)}" for g in guards)
