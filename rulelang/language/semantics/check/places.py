"""Places in rules, by which patches call what they change: `strike.require["it is full"]`, `game.rounds.feeding`.

The first step is `game`, or what the core declares, or a trait, a row or the id of a ruleset or mod, whose actions,
routines, labels and hooks come next. Each step after that finds something inside of the one before, however deep: what
is labelled so, the statements that begin with that word, or those that call, set or bind what has that name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.language.semantics.tree import Origin
from rulelang.language.syntax import nodes
from rulelang.language.syntax.print_expr import binders, expression
from rulelang.language.syntax.print_stmt import simple
from rulelang.language.syntax.printer import print_declaration

Unit = nodes.Game | nodes.Phase | nodes.Action | nodes.Routine | nodes.Value | nodes.Invariant
Body = tuple[nodes.Stmt, ...]
#: A declaration: the number of its text, and its own in that text.
At = tuple[int, int]


@record
class Text:
    """One rules text: whose it is, the name by which places call it, and its declarations; None for what is gone."""

    origin: Origin
    owner: str
    decls: tuple[nodes.Decl | None, ...]


@record
class Thing:
    """Something that a step may mean: a statement (its body is what it holds), a hook or a whole declaration."""

    at: At
    node: nodes.Node
    words: tuple[str, ...]
    said: tuple[str, ...]

    @property
    def statement(self) -> bool:
        return not isinstance(self.node, nodes.Declaration)


@record
class Missed:
    """Where a place leads to nothing, or to several things: the step, what was found, and what there is instead."""

    step: int
    found: Sequence[Thing]
    there: Sequence[Thing]


@record
class Met:
    """What a place leads to. `among` are the things from which a number in brackets picked the last but only one."""

    thing: Thing
    counted: tuple[nodes.Step, Sequence[Thing]] | None = None


def find(texts: Sequence[Text], ids: Sequence[str], place: Sequence[nodes.Step]) -> Met | Missed:
    """What the place leads to in these texts; `ids` are those of the layers."""
    first = place[0]
    start, found = 1, [thing for thing in _core(texts) if first.name in thing.words]
    if not found:
        owned = [k for k, text in enumerate(texts) if text.owner == first.name and text.origin.what != "core"]
        if not owned and first.name in ids:
            layer = ids.index(first.name)
            owned = [k for k, t in enumerate(texts) if t.origin.what == "core" and t.origin.layer == layer]
        if not owned:
            return Missed(0, (), [*_core(texts), *_owners(texts)])
        there = [thing for k in owned for thing in _declared(texts, k)]
        if len(place) == 1:
            return Missed(0, (), there)
        found, start = [thing for thing in there if place[1].name in thing.words], 2
        if not found:
            return Missed(1, (), there)
    counted: tuple[nodes.Step, Sequence[Thing]] | None = None
    step = place[start - 1]
    while True:
        chosen = _chosen(found, step)
        if len(chosen) != 1:
            return Missed(start - 1, chosen, found)
        if isinstance(step.pick, int):
            counted = (step, found)
        thing = chosen[0]
        if start == len(place):
            return Met(thing, counted)
        there = list(inside(thing))
        step = place[start]
        found = [other for other in there if step.name in other.words]
        if not found:
            return Missed(start, (), there)
        start += 1


def _chosen(found: Sequence[Thing], step: nodes.Step) -> Sequence[Thing]:
    if step.pick is None:
        return found
    if isinstance(step.pick, int):
        return found[step.pick - 1 : step.pick] if step.pick else ()
    return [thing for thing in found if step.pick in (thing.said if step.quoted else (*thing.words, *thing.said))]


def pick_for(thing: Thing, others: Sequence[Thing]) -> str:
    """What to write in brackets, so that of all these this one alone is meant; nothing if it cannot be said."""
    for word in thing.words[1:]:
        if sum(word in other.words for other in others) == 1:
            return f"[{word}]"
    for text in thing.said:
        if '"' not in text and "\n" not in text and sum(text in other.said for other in others) == 1:
            return f'["{text}"]'
    return ""


# ---- what there is


def unit_of(decl: nodes.Decl | None) -> Unit | None:
    """What a declaration or a replacement declares."""
    if isinstance(decl, nodes.Replace):
        return decl.target
    if isinstance(decl, nodes.Game | nodes.Phase | nodes.Action | nodes.Routine | nodes.Value | nodes.Invariant):
        return decl
    return None


def name_of(unit: Unit) -> str:
    """`game`, or the name of what is declared."""
    return "game" if isinstance(unit, nodes.Game) else unit.name


def body_of(node: nodes.Node) -> Body:
    """The statements of a declaration or hook."""
    body = getattr(node, "body", None)
    return body if isinstance(body, tuple) else ()


def _core(texts: Sequence[Text]) -> list[Thing]:
    """What the core and mods declare in their rules; of what is replaced the last body."""
    found: dict[str, Thing] = {}
    for k, text in enumerate(texts):
        if text.origin.what == "core":
            for j, decl in enumerate(text.decls):
                unit = unit_of(decl)
                if unit is not None and (name_of(unit) not in found or isinstance(decl, nodes.Replace)):
                    found[name_of(unit)] = Thing((k, j), unit, (name_of(unit),), ())
    return list(found.values())


def _owners(texts: Sequence[Text]) -> Iterator[Thing]:
    """Traits and rows, for what is near to a misspelt one."""
    for k, text in enumerate(texts):
        if text.origin.what != "core" and text.decls:
            first = next((decl for decl in text.decls if decl is not None), None)
            if first is not None:
                yield Thing((k, 0), first, (text.owner,), ())


def _declared(texts: Sequence[Text], k: int) -> Iterator[Thing]:
    """What one text declares, and its hooks."""
    core = texts[k].origin.what == "core"
    for j, decl in enumerate(texts[k].decls):
        unit = unit_of(decl)
        if unit is not None and not core:
            yield Thing((k, j), unit, (name_of(unit),), ())
        hook = decl.hook if isinstance(decl, nodes.Labelled) else decl
        if isinstance(hook, nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards):
            label = (decl.name,) if isinstance(decl, nodes.Labelled) else ()
            kind = hook.kind.split()[0] if isinstance(hook, nodes.Trigger) else first_word(type(hook))
            yield Thing((k, j), hook, (kind, *_events(hook), *label), tuple(_hook_texts(hook)))


def _events(hook: nodes.Hook) -> tuple[str, ...]:
    if isinstance(hook, nodes.CopyCards):
        return ()
    events = (hook.event,) if isinstance(hook, nodes.Modify) else hook.events
    return tuple(event.path[-1] for event in events)


def _hook_texts(hook: nodes.Hook) -> Iterator[str]:
    if isinstance(hook, nodes.Forbid | nodes.Modify) and hook.because is not None:
        yield hook.because
    head = print_declaration(
        replace(hook, body=(nodes.Nothing(hook.span),)) if isinstance(hook, nodes.Trigger) else hook
    )
    yield head.removesuffix(": nothing\n").strip()


def inside(thing: Thing) -> Iterator[Thing]:
    """All statements inside of a thing, in text order."""
    node = thing.node
    blocks_ = blocks(node) if thing.statement else [body_of(node)]
    for block in blocks_:
        for statement in block:
            one = Thing(thing.at, statement, _words(statement), tuple(_texts(statement)))
            yield one
            yield from inside(one)


def blocks(node: nodes.Node) -> list[Body]:
    """The blocks that a statement holds, in text order."""
    found: list[Body] = []
    if isinstance(node, nodes.If):
        found.extend(body for _, body in node.branches)
    elif not isinstance(node, nodes.Declaration):
        found.append(body_of(node))
    other = getattr(node, "otherwise", None)
    if isinstance(other, tuple):
        found.append(other)
    return found


def with_blocks(node: nodes.Stmt, change: Callable[[Body], Body]) -> nodes.Stmt:
    """The statement with other blocks."""
    match node:
        case nodes.If():
            branches = tuple((test, change(body)) for test, body in node.branches)
            return replace(node, branches=branches, otherwise=_changed(node.otherwise, change))
        case nodes.Choose() if node.body is not None:
            return replace(node, body=change(node.body), otherwise=_changed(node.otherwise, change))
        case nodes.For() | nodes.RepeatTimes() | nodes.RepeatUntil() | nodes.Turns() | nodes.Rounds() | nodes.Label():
            return replace(node, body=change(node.body))
        case _:
            return node


def _changed(body: Body | None, change: Callable[[Body], Body]) -> Body | None:
    return change(body) if body is not None else None


def _words(node: nodes.Stmt) -> tuple[str, ...]:
    """What a step may call a statement: its label alone; or the word it begins with, and what it names."""
    match node:
        case nodes.Label():
            return (node.name,)
        case nodes.CallStatement():
            return (node.call.name,)
        case nodes.Redirect():
            return ("redirect", node.call.name)
        case nodes.Assign():
            return tuple(_target(node.target))
        case nodes.Roll() if node.into is not None:
            return ("roll", *_target(node.into))
    return (first_word(type(node)), *bound_names(node), *([node.kind] if isinstance(node, nodes.Create) else []))


def first_word(kind: type[nodes.Node]) -> str:
    """The word that statements or rules of a class begin with: it is called after it."""
    return re.split(r"(?<=[a-z])(?=[A-Z])", kind.__name__)[0].lower()


def bound_names(node: nodes.Stmt) -> tuple[str, ...]:
    """The names that a statement gives to what follows."""
    match node:
        case nodes.Let():
            return (node.name,)
        case nodes.Roll(into=None):
            return (node.name,)
        case nodes.Create(name=str() as name):
            return (name,)
        case nodes.Choose() | nodes.For():
            return tuple(binder.name for binder in node.binders)
        case nodes.Turns():
            return (node.name,)
        case _:
            return ()


def _target(node: nodes.Expr) -> Iterable[str]:
    match node:
        case nodes.Name():
            yield node.id
        case nodes.Attribute():
            yield node.name
        case nodes.Index():
            yield from _target(node.object)


def _texts(node: nodes.Stmt) -> Iterator[str]:
    """What a statement says, as it may stand in brackets: its reason or text, its condition, all of it."""
    match node:
        case nodes.Require() | nodes.Ensure():
            if node.because is not None:
                yield node.because
            yield expression(node.condition)
        case nodes.Tells():
            yield node.text
        case nodes.If():
            yield expression(node.branches[0][0])
        case nodes.For() | nodes.Choose():
            yield binders(node.binders)
        case nodes.RepeatUntil() | nodes.Rounds():
            yield expression(node.until)
        case nodes.RepeatTimes():
            yield expression(node.times)
    whole = simple(node)
    if whole is not None:
        yield whole


def contains(outer: Span, inner: Span) -> bool:
    """Whether a stretch lies in another (or is it)."""
    if outer.path != inner.path:
        return False
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
