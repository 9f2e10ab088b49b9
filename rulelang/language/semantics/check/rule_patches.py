"""Patch rules: find the place that a path names, and remove, replace, insert or rename there."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, cast

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean, renamed_hint, with_article
from rulelang.data.mods import ORDER_MODS
from rulelang.data.patches import Rename
from rulelang.data.ruleset_source import RulesetSource
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import Origin
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import same_syntax
from rulelang.language.syntax.printer import print_binders, print_declaration, print_expression, print_simple
from rulelang.language.syntax.printer import print_place as place_text

# ---- places

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
class MissedPlace:
    """Where a place leads to nothing, or to several things: the step, what was found, and what there is instead."""

    step: int
    found: Sequence[Thing]
    there: Sequence[Thing]


@record
class FoundPlace:
    """What a place leads to. `among` are the things from which a number in brackets picked the last but only one."""

    thing: Thing
    counted: tuple[nodes.Step, Sequence[Thing]] | None = None


def find_place(texts: Sequence[Text], ids: Sequence[str], place: Sequence[nodes.Step]) -> FoundPlace | MissedPlace:
    """What the place leads to in these texts; `ids` are those of the layers."""
    first = place[0]
    start, found = 1, [thing for thing in _core(texts) if first.name in thing.words]
    if not found:
        owned = [k for k, text in enumerate(texts) if text.owner == first.name and text.origin.what != "core"]
        if not owned and first.name in ids:
            layer = ids.index(first.name)
            owned = [k for k, t in enumerate(texts) if t.origin.what == "core" and t.origin.layer == layer]
        if not owned:
            return MissedPlace(0, (), [*_core(texts), *_owners(texts)])
        there = [thing for k in owned for thing in _declared(texts, k)]
        if len(place) == 1:
            return MissedPlace(0, (), there)
        found, start = [thing for thing in there if place[1].name in thing.words], 2
        if not found:
            return MissedPlace(1, (), there)
    counted: tuple[nodes.Step, Sequence[Thing]] | None = None
    step = place[start - 1]
    while True:
        chosen = _chosen(found, step)
        if len(chosen) != 1:
            return MissedPlace(start - 1, chosen, found)
        if isinstance(step.pick, int):
            counted = (step, found)
        thing = chosen[0]
        if start == len(place):
            return FoundPlace(thing, counted)
        there = list(statements_inside(thing))
        step = place[start]
        found = [other for other in there if step.name in other.words]
        if not found:
            return MissedPlace(start, (), there)
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


def statements_inside(thing: Thing) -> Iterator[Thing]:
    """All statements inside of a thing, in text order."""
    node = thing.node
    blocks_ = blocks_of(node) if thing.statement else [body_of(node)]
    for block in blocks_:
        for statement in block:
            one = Thing(thing.at, statement, _words(statement), tuple(_texts(statement)))
            yield one
            yield from statements_inside(one)


def blocks_of(node: nodes.Node) -> list[Body]:
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
            return replace(node, branches=branches, otherwise=_change_block(node.otherwise, change))
        case nodes.Choose() if node.body is not None:
            return replace(node, body=change(node.body), otherwise=_change_block(node.otherwise, change))
        case nodes.For() | nodes.RepeatTimes() | nodes.RepeatUntil() | nodes.Turns() | nodes.Rounds() | nodes.Label():
            return replace(node, body=change(node.body))
        case _:
            return node


def _change_block(body: Body | None, change: Callable[[Body], Body]) -> Body | None:
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
            yield print_expression(node.condition)
        case nodes.Tells():
            yield node.text
        case nodes.If():
            yield print_expression(node.branches[0][0])
        case nodes.For() | nodes.Choose():
            yield print_binders(node.binders)
        case nodes.RepeatUntil() | nodes.Rounds():
            yield print_expression(node.until)
        case nodes.RepeatTimes():
            yield print_expression(node.times)
    whole = print_simple(node)
    if whole is not None:
        yield whole


def span_contains(outer: Span, inner: Span) -> bool:
    """Whether a stretch lies in another (or is it)."""
    if outer.path != inner.path:
        return False
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


# ---- rewriting declarations

Patch = nodes.TakeOut | nodes.Insert | nodes.Rewrite
_D = TypeVar("_D", bound=nodes.Node)


@record
class Op:
    """A patch that found its place: its layer, what it says and where it stands, and what stands in its place.

    A statement is found again by where it stands in its file: no two of one declaration stand in the same place.
    """

    layer: int
    node: Patch
    own: At
    thing: Thing

    @property
    def whole(self) -> bool:
        """It is about a whole declaration or hook."""
        return not self.thing.statement


def apply_patches(texts: Sequence[Text], ops: Sequence[Op], layers: Container[int] | None = None) -> list[Text]:
    """Carry out patches in texts, in order; only those of `layers`, if given. A new hook belongs to its patch's layer.

    Each patch that makes a new hook adds one text, an empty one if it is left out: so places stay where they are.
    """
    found = list(texts)
    for op in ops:
        (k, j), node = op.thing.at, op.node
        text = found[k]
        decl = text.decls[j] if j < len(text.decls) else None
        makes_hook = isinstance(node, nodes.Rewrite) and not isinstance(node.body, tuple)
        if decl is None or (layers is not None and op.layer not in layers):
            found += [replace(text, decls=())] if makes_hook else []
            continue
        new: nodes.Decl | None = None
        if isinstance(node, nodes.Rewrite) and not isinstance(node.body, tuple):
            hook: nodes.Decl = node.body
            if isinstance(decl, nodes.Labelled):
                hook = nodes.Labelled(node.span, (), decl.name, node.body, node.place_span)
            origin = Origin(text.origin.what, text.origin.name, text.origin.row, op.layer)
            found.append(Text(origin, text.owner, (hook,)))
        elif not op.whole or isinstance(node, nodes.Rewrite):
            new = _change_declaration(decl, op)
        found[k] = replace(text, decls=(*text.decls[:j], new, *text.decls[j + 1 :]))
    return found


def _change_declaration(decl: _D, op: Op) -> _D:
    """The declaration with the statements of a patch."""
    match decl:
        case nodes.Labelled():
            return _with(decl, hook=_change_declaration(decl.hook, op))
        case nodes.Replace():
            return _with(decl, target=_change_declaration(decl.target, op))
    if op.whole and isinstance(op.node, nodes.Rewrite):
        return _with(decl, body=op.node.body)
    return _with(decl, body=_in_block(getattr(decl, "body", ()), op))


def _with(node: _D, **parts: object) -> _D:
    """A node with other parts: of all kinds of nodes at once, so that no checker can tell which fields there are."""
    return cast(_D, replace(cast(Any, node), **parts))


def _in_block(block: Body, op: Op) -> Body:
    target, node = op.thing.node.span, op.node
    out: list[nodes.Stmt] = []
    for statement in block:
        if statement.span == target and type(statement) is type(op.thing.node):
            if isinstance(node, nodes.Insert):
                out += [*node.body, statement] if node.before else [statement, *node.body]
            elif isinstance(node, nodes.Rewrite) and isinstance(node.body, tuple):
                out += [replace(statement, body=node.body)] if isinstance(statement, nodes.Label) else node.body
        elif span_contains(statement.span, target) or statement.span.path != target.path:
            out.append(with_blocks(statement, lambda body: _in_block(body, op)))
        else:
            out.append(statement)
    return tuple(out) or (nodes.Nothing(target),)


def patch_record(op: Op, whole: Span) -> nodes.Patched:
    """Return the record of a patch that was carried out. `whole`: the declaration that it changes, as first written."""
    node, old = op.node, op.thing.node
    where = place_text(node.place)
    # A statement that another mod wrote is not part of the text of the declaration.
    declared = old.span if span_contains(whole, old.span) else whole
    if isinstance(node, nodes.TakeOut):
        return nodes.Patched(node.span, node.cites, "remove", where, declared, old.span, None, _names(op))
    after: Span = node.body[0].span.to(node.body[-1].span) if isinstance(node.body, tuple) else node.body.span
    if isinstance(node, nodes.Insert):
        return nodes.Patched(node.span, node.cites, "insert", where, declared, None, after, ())
    verb: Literal["replace", "disable"] = "disable" if node.disables else "replace"
    return nodes.Patched(node.span, node.cites, verb, where, declared, old.span, after, _names(op))


def _names(op: Op) -> tuple[str, ...]:
    """What nobody can name any more once something is taken out or replaced."""
    old = op.thing.node
    if op.thing.statement:
        return bound_names(cast(nodes.Stmt, old))
    unit = unit_of(cast(nodes.Decl, old))
    return (name_of(unit),) if unit is not None and isinstance(op.node, nodes.TakeOut) else ()


def without_labels(decl: nodes.Decl) -> nodes.Decl:
    """The declaration as if nothing in it had a label: nobody behind the patches knows of them."""
    match decl:
        case nodes.Labelled():
            return without_labels(replace(decl.hook, cites=decl.cites))
        case nodes.Replace():
            return _with(decl, target=without_labels(decl.target))
    body = getattr(decl, "body", None)
    return _with(decl, body=_flat(body)) if isinstance(body, tuple) else decl


def _flat(block: Body) -> Body:
    out: list[nodes.Stmt] = []
    for statement in block:
        bare = with_blocks(statement, _flat)
        out += bare.body if isinstance(bare, nodes.Label) else (bare,)
    return tuple(out)


# ---- patches

_ORDER = {nodes.TakeOut: 0, nodes.Rewrite: 1, nodes.Insert: 2}
_SHOWN = 8


@record
class Held:
    """A W533 of two layers that know nothing of each other, until it is known whether a third settles it: by a patch of
    one of the places that they name, or of what both lie in."""

    layers: frozenset[int]
    places: tuple[str, ...]
    mistake: Diagnostic


@dataclass(slots=True)
class RulePatcher:
    """Carries out the patches in texts. `after`: for each layer, those it is ordered after; `ids`: their ids."""

    texts: list[Text]
    after: Mapping[int, frozenset[int]]
    ids: Sequence[str]
    out: Diagnostics
    ops: list[Op] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)

    def run(self) -> list[Text]:
        """The texts with all patches carried out, and a `Patched` in the place of each."""
        patches = [
            (text.origin.layer, (k, j), decl)
            for k, text in enumerate(self.texts)
            for j, decl in enumerate(text.decls)
            if isinstance(decl, nodes.TakeOut | nodes.Insert | nodes.Rewrite)
        ]
        bare = [replace(text, decls=tuple(None if _is_patch(d) else d for d in text.decls)) for text in self.texts]
        for layer in sorted({layer for layer, _, _ in patches}):
            visible = self.after.get(layer, frozenset(range(layer)))
            view = apply_patches(bare, self.ops, visible)
            seen = [text if text.origin.layer in visible else replace(text, decls=()) for text in view]
            mine = sorted((p for p in patches if p[0] == layer), key=lambda p: _ORDER[type(p[2])])
            found = [op for _, at, node in mine if (op := self._found(seen, layer, at, node)) is not None]
            for op in found:
                if not self._clashes(op):
                    self.ops.append(op)
                    self._settle(layer, place_text(op.node.place))
        self._replaced()
        for text in self.texts:
            for decl in text.decls:
                if isinstance(decl, nodes.Replace) and text.origin.what == "core":
                    self._settle(text.origin.layer, decl.target.name)
        self.out.extend(held.mistake for held in self.held)
        texts = apply_patches(bare, self.ops)
        for op in self.ops:
            k, j = op.own
            decls = list(texts[k].decls)
            decls[j] = patch_record(op, self._declared(op))
            texts[k] = replace(texts[k], decls=tuple(decls))
        return texts

    def _declared(self, op: Op) -> Span:
        """Return where the declaration that a patch changes was first written."""
        k, j = op.thing.at
        hooks = [other for other in self.ops if not isinstance(getattr(other.node, "body", ()), tuple)]
        while k >= len(self.texts):
            k, j = hooks[k - len(self.texts)].thing.at
        decl = self.texts[k].decls[j]
        return decl.span if decl is not None else op.thing.node.span

    # ---- looking up

    def _found(self, texts: Sequence[Text], layer: int, own: At, node: Patch) -> Op | None:
        met = find_place(texts, self.ids, node.place)
        if isinstance(met, MissedPlace):
            self._missed(texts, layer, node, met)
            return None
        if not self._fits(node, met.thing):
            return None
        if met.counted is not None:
            self._counts(node, met)
        if isinstance(node, nodes.Rewrite) and self._says_the_same(node, met.thing):
            return None
        return Op(layer, node, own, met.thing)

    def _missed(self, texts: Sequence[Text], layer: int, node: Patch, missed: MissedPlace) -> None:
        step = node.place[missed.step]
        whole = place_text(node.place)
        inner = place_text(node.place[: missed.step])
        if len(missed.found) > 1:
            picks = [f"{step.name}{pick_for(thing, missed.found)}" for thing in missed.found]
            related = [Related(thing.node.span.head(), "here") for thing in missed.found[:_SHOWN]]
            hint = "say which: " + " or ".join(f"`{pick}`" for pick in dict.fromkeys(picks) if pick != step.name)
            message = f"`{whole}` matches {len(missed.found)} places"
            because = "a patch can change only one place"
            self.out.error(
                "W530", step.span, message, because=because, hint=hint if "`" in hint else "", related=related
            )
            return
        gone = self._gone(layer, texts, node)
        if gone is not None:
            return
        words = [word for thing in missed.there for word in thing.words]
        if missed.step == 0 and len(node.place) == 1 and missed.there and step.name in self._owners(texts):
            self._whole_owner(node, step, missed)
            return
        if step.pick is not None and step.name in words:
            picks = [pick_for(thing, missed.there) for thing in missed.there]
            message = f"no `{step.name}`{_within(inner)} is `{step.pick}`"
            hint = "there is " + " and ".join(f"`{step.name}{pick}`" for pick in picks[:_SHOWN] if pick)
            if isinstance(step.pick, int):
                message = f"`{whole}` does not exist: there are only {len(missed.there)} `{step.name}`{_within(inner)}"
            hint = hint if "`" in hint else ""
        else:
            message = f"there is no `{step.name}`{_within(inner)}"
            hint = did_you_mean(step.name, words)
        because = "a patch can change only rules from earlier layers"
        if missed.step and missed.there and not hint:
            shown = list(dict.fromkeys(f"`{thing.words[0]}`" for thing in missed.there))
            because = f"at this place there is {', '.join(shown[:_SHOWN])}{' ...' if len(shown) > _SHOWN else ''}"
        self.out.error("W530", step.span, message, because=because, hint=hint)

    def _owners(self, texts: Sequence[Text]) -> set[str]:
        return {text.owner for text in texts} | set(self.ids)

    def _whole_owner(self, node: Patch, step: nodes.Step, missed: MissedPlace) -> None:
        """W532: a trait, a row, a whole mod is no place in rules."""
        shown = list(dict.fromkeys(f"`{step.name}.{thing.words[0]}`" for thing in missed.there))
        because = f"a patch names a declaration, a hook or a statement, such as {', '.join(shown[:3])}"
        hint = f"write `remove: [traits.{step.name}.rules]` in YAML" if isinstance(node, nodes.TakeOut) else ""
        message = f"`{step.name}` is not a place in rules"
        self.out.error("W532", node.place_span, message, because=because, hint=hint)

    def _gone(self, layer: int, texts: Sequence[Text], node: Patch) -> Op | None:
        """The patch of a layer below that took out what this one names; told as W533, or W534 for another `remove`."""
        visible = self.after.get(layer, frozenset(range(layer)))
        for op in self.ops:
            theirs, mine = op.node.place, node.place[: len(op.node.place)]
            taken = op.layer in visible and isinstance(op.node, nodes.TakeOut)
            if taken and place_text(theirs) == place_text(mine):
                self._lost(op, node)
                return op
        return None

    def _lost(self, old: Op, node: Patch) -> None:
        where = place_text(node.place)
        related = [Related(old.node.place_span, "it is removed here")]
        if isinstance(node, nodes.TakeOut) and place_text(old.node.place) == where:
            because = "a mod before this one removes it"
            self.out.warning(
                "W534", node.place_span, f"`{where}` has already been removed", because=because, related=related
            )
            return
        because = "a removed statement cannot be changed"
        self.out.error("W533", node.place_span, f"`{where}` has been removed", because=because, related=related)

    def _fits(self, node: Patch, thing: Thing) -> bool:
        what = _what(thing)
        where = place_text(node.place)
        message = because = hint = ""
        if isinstance(node, nodes.Insert) and not thing.statement:
            message = f"nothing can be inserted {'before' if node.before else 'after'} `{where}`, which is {what}"
            because = "statements can be inserted only before or after another statement"
            if isinstance(thing.node, nodes.Phase | nodes.Action | nodes.Routine):
                hint = (
                    f"write the hook `{'before' if node.before else 'after'} {where}: ...`, or name a statement in it"
                )
        elif isinstance(node, nodes.Rewrite):
            hook = isinstance(node.body, nodes.Node)
            is_hook = isinstance(
                thing.node, nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards
            )
            if hook != is_hook and not (is_hook and isinstance(thing.node, nodes.Trigger)):
                message = f"{'a hook' if hook else 'a statement'} cannot replace `{where}`, which is {what}"
                because = "replace a hook with a hook, and a statement with statements"
            if node.disables and not isinstance(thing.node, nodes.Phase):
                message = f"`{where}` is {what} and cannot be disabled"
                because = "you can disable a phase, by its name, or a trait or row, by its path"
                hint = _instead(thing.node, where)
            elif isinstance(thing.node, nodes.Value | nodes.Invariant):
                message = f"statements cannot replace the expression of `{where}`, which is {what}"
                because = "its body is one expression"
                hint = f"write `modify {where}: = E`"
                if isinstance(thing.node, nodes.Value):
                    hint = f"write `replace value {thing.node.name}... -> {thing.node.type.name}: E`"
        if message:
            self.out.error("W532", node.place_span, message, because=because, hint=hint)
        return not message

    def _counts(self, node: Patch, met: FoundPlace) -> None:
        """W531: it counts, where words would do."""
        assert met.counted is not None
        step, among = met.counted
        at = next(i for i, other in enumerate(node.place) if other is step)
        number = step.pick if isinstance(step.pick, int) else 1
        pick = "" if len(among) == 1 else pick_for(among[number - 1], among)
        if not pick and len(among) > 1:
            return
        parts = [place_text([s]) if i != at else f"{s.name}{pick}" for i, s in enumerate(node.place)]
        because = "the statements may have another order in the next version of those rules"
        message = f"`{place_text(node.place)}` selects its place by position"
        self.out.warning("W531", node.place_span, message, because=because, hint=f"write `{'.'.join(parts)}`")

    def _says_the_same(self, node: nodes.Rewrite, thing: Thing) -> bool:
        old: object = thing.node
        if isinstance(node.body, tuple):
            whole = not thing.statement or isinstance(thing.node, nodes.Label)
            old = getattr(thing.node, "body", ()) if whole else (thing.node,)
        if not same_syntax(old, node.body):
            return False
        because = ""
        related = [Related(thing.node.span.head(), "it is here")]
        message = f"this replaces `{place_text(node.place)}` with itself"
        if node.disables:
            message = f"`{place_text(node.place)}` already does nothing"
        self.out.warning("W534", node.place_span, message, because=because, related=related)
        return True

    # ---- two patches of one place

    def _clashes(self, new: Op) -> bool:
        for old in self.ops:
            if old.layer != new.layer and old.layer in self.after.get(new.layer, frozenset(range(new.layer))):
                continue
            if old.thing.at != new.thing.at:
                continue
            if not (_covers(old, new) or _covers(new, old)):
                continue
            both = isinstance(old.node, nodes.TakeOut) and isinstance(new.node, nodes.TakeOut)
            if both and old.thing.node.span == new.thing.node.span and old.layer != new.layer:
                self._lost(old, new.node)
                return True
            because = "neither mod comes after the other, so the result would be arbitrary"
            hint = ORDER_MODS
            if old.layer == new.layer:
                because, hint = (
                    "a mod can change each place only once: its patches refer to the rules before any of its changes",
                    "",
                )
            related = (Related(old.node.place_span, "this changes it too"),)
            message = f"`{place_text(new.node.place)}` is changed twice"
            mistake = Diagnostic("W533", new.node.place_span, message, because, hint, related)
            places = (place_text(old.node.place), place_text(new.node.place))
            if old.layer == new.layer:
                self.out.add(mistake)
            else:
                self.held.append(Held(frozenset((old.layer, new.layer)), places, mistake))
            return True
        return False

    def _settle(self, layer: int, place: str) -> None:
        """A layer decides what is at a place: of those that it follows nobody need do so."""
        visible = self.after.get(layer, frozenset(range(layer)))
        self.held = [
            held
            for held in self.held
            if not held.layers <= visible
            or not (place in held.places or all(other.startswith(f"{place}.") for other in held.places))
        ]

    def _replaced(self) -> None:
        """W533 for a `replace routine ...` that would lose a patch of a mod of which it knows nothing."""
        for text in self.texts:
            layer = text.origin.layer
            for decl in text.decls:
                if not isinstance(decl, nodes.Replace) or text.origin.what != "core":
                    continue
                for op in self.ops:
                    k, j = op.thing.at
                    unit = unit_of(self.texts[k].decls[j]) if k < len(self.texts) else None
                    known = op.layer == layer or op.layer in self.after.get(layer, frozenset(range(layer)))
                    knows = layer in self.after.get(op.layer, frozenset(range(op.layer)))
                    if unit is None or known or knows or name_of(unit) != decl.target.name:
                        continue
                    related = [Related(op.node.place_span, "this changes it too")]
                    because = "neither mod comes after the other, so one of the changes would be lost"
                    message = f"`{decl.target.name}` is changed twice"
                    span = decl.target.name_span
                    mistake = Diagnostic("W533", span, message, because, ORDER_MODS, tuple(related))
                    places = (place_text(op.node.place), decl.target.name)
                    self.held.append(Held(frozenset((op.layer, layer)), places, mistake))


def _is_patch(decl: nodes.Decl | None) -> bool:
    return isinstance(decl, nodes.TakeOut | nodes.Insert | nodes.Rewrite)


def _within(inner: str) -> str:
    return f" in `{inner}`" if inner else ""


def _what(thing: Thing) -> str:
    node = thing.node
    if thing.statement:
        return "a statement"
    if isinstance(node, nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards):
        return "a hook"
    return with_article(type(node).__name__.lower()) if not isinstance(node, nodes.Game) else "the flow of the game"


def _instead(node: nodes.Node, name: str) -> str:
    """How to have no part of something that cannot be disabled."""
    match node:
        case nodes.Action():
            return f"write `forbid {name}(...)` in rules"
        case nodes.Routine():
            return f"write `replace {name}: nothing` in rules"
    return f"write `remove {name}` in rules"


def _covers(outer: Op, inner: Op) -> bool:
    """Whether one patch takes away what the other is about."""
    if isinstance(outer.node, nodes.Insert):
        return False
    if outer.whole:
        return True
    return not inner.whole and span_contains(outer.thing.node.span, inner.thing.node.span)


# ---- renames

Texts = Sequence[tuple[tree.Origin, tuple[nodes.Decl, ...]]]


def check_rename(rename: Rename, texts: Texts, source: RulesetSource, out: Diagnostics) -> bool:
    """Whether it can be had. Y141 if the layers below declare no rule of this name, Y149 if the new name is taken, or
    the old one means two."""
    below = source.layers[rename.layer].after | {0}
    there = list(_declared_names(text for text in texts if text[0].layer in below))
    named = [span for name, span in there if name == rename.old]
    if not named:
        done = next((done for done in source.renames if done.old == rename.old and done.layer in below), None)
        hint = did_you_mean(rename.old, [name for name, _ in there])
        related = []
        if done is not None:
            hint = renamed_hint(done.new)
            related = [Related(done.span, f"`{done.old}` is renamed here")]
        because = "a name without dots is an action, routine, phase or value that rules declare"
        message = f"`{rename.old}` does not exist: no rules of the game or of an earlier mod declare it"
        out.error("Y141", rename.span, message, because=because, hint=hint, related=related)
        return False
    taken = [span for name, span in _declared_names(texts) if name == rename.new]
    because = "`rename:` changes a name everywhere, so the old name must have only one meaning"
    word, places = (rename.old, named) if len(named) > 1 else (rename.new, taken)
    if len(named) > 1 or taken:
        related = [Related(span, "it is declared here") for span in places]
        message = f"`{word}` is the name of {'two rules' if len(places) > 1 else 'another rule'}"
        out.error("Y149", rename.span, message, because=because, related=related)
        return False
    return True


def _declared_names(texts: Iterable[tuple[tree.Origin, tuple[nodes.Decl, ...]]]) -> Iterator[tuple[str, Span]]:
    for _, declarations in texts:
        for node in declarations:
            unit = None if isinstance(node, nodes.Replace) else unit_of(node)
            if unit is not None and not isinstance(unit, nodes.Game):
                yield name_of(unit), unit.span.head()
