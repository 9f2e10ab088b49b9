"""Declarations as canonical text: parsing it gives the same nodes again. Comments are not kept (see `format`)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from rulelang.language.syntax.nodes import (
    Action,
    CopyCards,
    Decl,
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
    Param,
    Patched,
    Phase,
    Replace,
    Rewrite,
    Routine,
    Step,
    TakeOut,
    Trigger,
    TypeName,
    Value,
)
from rulelang.language.syntax.print_expr import OR, POSTFIX, because, binders, expression
from rulelang.language.syntax.print_stmt import STEP, WIDTH, Lines, block
from rulelang.language.syntax.wrap import wrapped


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
    return "".join(line + "\n" for depth, text in lines for line in wrapped(text, depth * STEP, WIDTH))


def _cite(decl: Decl) -> str:
    return f"#: {' '.join(decl.cites)}\n" if decl.cites else ""


def _declaration(decl: Decl) -> Lines:
    match decl:
        case Replace():
            (depth, text), *rest = _declaration(decl.target)
            return [(depth, f"replace {text}"), *rest]
        case Game():
            return block("game", decl.body, 0)
        case Phase():
            return block(f"phase {decl.name}", decl.body, 0)
        case Action():
            return block(_action(decl), decl.body, 0)
        case Routine():
            head = f"routine {decl.name}{_params(decl.params)}" + (" in owner's order" if decl.owners_order else "")
            return block(head, decl.body, 0) if decl.body is not None else [(0, head)]
        case Value():
            return _body(f"value {decl.name}{_params(decl.params)} -> {_type(decl.type)}", decl.body, 0)
        case Invariant():
            return _body(f"invariant {decl.name}", decl.body, 0)
        case Labelled():
            (depth, text), *rest = _declaration(decl.hook)
            return [(depth, f"label {decl.name}: {text}"), *rest]
        case TakeOut():
            return [(0, f"remove {place(decl.place)}")]
        case Insert():
            return block(f"insert {'before' if decl.before else 'after'} {place(decl.place)}", decl.body, 0)
        case Rewrite(body=tuple() as body):
            return block(f"replace {place(decl.place)}", body, 0)
        case Rewrite(body=Modify() | Forbid() | Ignore() | Trigger() | CopyCards() as hook):
            (depth, text), *rest = _declaration(hook)
            return [(depth, f"replace {place(decl.place)}: {text}"), *rest]
        case _:
            return _hook(decl)


def place(steps: Iterable[Step]) -> str:
    """The place that a patch names."""
    return ".".join(step.name + _pick(step) for step in steps)


def _pick(step: Step) -> str:
    if step.pick is None:
        return ""
    return f'["{step.pick}"]' if step.quoted else f"[{step.pick}]"


def _hook(decl: Decl) -> Lines:
    match decl:
        case Modify():
            text = f"modify {_event(decl.event)}: {decl.op} {expression(decl.value)}{_guards(decl.guards)}"
            return [(0, _always(decl.always) + text + because(decl.because))]
        case Forbid():
            text = f"forbid {_events(decl.events)}{_guards(decl.guards)}{because(decl.because)}"
            return [(0, _always(decl.always) + text)]
        case Ignore():
            name = f" {decl.binder_name}" if decl.binder_name is not None else ""
            text = f"ignore {decl.what}{name} in {_events(decl.events)}{_guards(decl.guards)}"
            return [(0, _always(decl.always) + text)]
        case Trigger():
            may = "may " if decl.may else ""
            head = f"{_always(decl.always)}{may}{decl.kind} {_events(decl.events)}{_once(decl.once_per)}"
            return block(head + _guards(decl.guards), decl.body, 0)
        case CopyCards():
            return [(0, f"{_always(decl.always)}copy cards on {expression(decl.on, POSTFIX)}{_guards(decl.guards)}")]
        case _:
            raise AssertionError(f"no text for {type(decl).__name__}")


def _action(decl: Action) -> str:
    during = ", ".join(name.id for name in decl.during)
    text = f"{_always(decl.always)}action {decl.name}"
    text += f"({binders(decl.binders)})" if decl.binders else ""
    text += f" during {during}" + (" free" if decl.free else "") + _once(decl.once_per)
    return text + (" in steps" if decl.in_steps else "")


def _body(head: str, body: Expr, depth: int) -> Lines:
    """A value's expression: on the line of its head if it fits, else below; more than two cases as a ladder."""
    ladder = isinstance(body, IfElse) and isinstance(body.otherwise, IfElse)
    text = expression(body)
    if not ladder and depth * STEP + len(head) + 2 + len(text) <= WIDTH:
        return [(depth, f"{head}: {text}")]
    if not isinstance(body, IfElse):
        return [(depth, f"{head}:"), (depth + 1, text)]
    lines: Lines = [(depth, f"{head}:")]
    word, rest = "if", body
    while True:
        lines += _body(f"{word} {expression(rest.test)}", rest.then, depth + 1)
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
    return "".join(f" {'unless' if g.unless else 'when'} {expression(g.condition, OR)}" for g in guards)
