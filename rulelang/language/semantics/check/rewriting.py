"""Declarations with some of their statements taken out, exchanged or added; and without the labels that name them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar, cast

from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.language.semantics.check.places import (
    At,
    Body,
    Text,
    Thing,
    bound_names,
    contains,
    name_of,
    unit_of,
    with_blocks,
)
from rulelang.language.semantics.tree import Origin
from rulelang.language.syntax import nodes
from rulelang.language.syntax.printer import place as place_text

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


def applied(texts: Sequence[Text], ops: Sequence[Op], layers: Container[int] | None = None) -> list[Text]:
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
            new = _changed(decl, op)
        found[k] = replace(text, decls=(*text.decls[:j], new, *text.decls[j + 1 :]))
    return found


def _changed(decl: _D, op: Op) -> _D:
    """The declaration with the statements of a patch."""
    match decl:
        case nodes.Labelled():
            return _with(decl, hook=_changed(decl.hook, op))
        case nodes.Replace():
            return _with(decl, target=_changed(decl.target, op))
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
        elif contains(statement.span, target) or statement.span.path != target.path:
            out.append(with_blocks(statement, lambda body: _in_block(body, op)))
        else:
            out.append(statement)
    return tuple(out) or (nodes.Nothing(target),)


def done(op: Op, whole: Span) -> nodes.Patched:
    """Return the record of a patch that was carried out. `whole`: the declaration that it changes, as first written."""
    node, old = op.node, op.thing.node
    where = place_text(node.place)
    # A statement that another mod wrote is not part of the text of the declaration.
    declared = old.span if contains(whole, old.span) else whole
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
