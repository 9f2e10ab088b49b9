"""Comparisons with a text in quotes that names nothing: `hunter.name == "wolf"`."""

from __future__ import annotations

from rulelang.base.english import a_quoted
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import NAMES
from rulelang.language.semantics.check import expressions
from rulelang.language.semantics.check.checker import Checker, article, known, wrong
from rulelang.language.syntax import nodes
from rulelang.language.syntax.print_expr import expression

#: Words for what players call a thing, in other languages.
_LABELS = ("name", "title", "label", "id", "text", "called")


def report(checker: Checker, node: nodes.Compare) -> tree.Expr | None:
    """Report T406 if one side is a text that names no row, and no row of the other side's type can be meant."""
    for text, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(text, nodes.Name) and text.quoted:
            found = _label(checker, text, other)
            if found is None and not _names_something(checker, text.id):
                found = _thing(checker, text, other)
            if found is not None:
                return found
    return None


def _names_something(checker: Checker, name: str) -> bool:
    symbols, origin = checker.symbols, checker.scope.origin
    declared = symbols.find(name, origin) or name in {*symbols.model.state, *symbols.model.numbers, *NAMES}
    return bool(declared or symbols.rows_named(name) or checker.scope.find(name) or name in checker.lost)


def _label(checker: Checker, text: nodes.Name, other: nodes.Expr) -> tree.Expr | None:
    """Report `x.name == "wolf"`, unless things of that kind have something of that name."""
    if not isinstance(other, nodes.Attribute) or other.name not in _LABELS or not _is_thing(checker, other.object):
        return None
    thing = expressions.expr(checker, other.object, None)
    kind = thing.type.name if thing.type.tag == "ref" else ""
    if not kind or other.name in checker.symbols.members(kind, checker.scope.origin):
        return None
    return _by_name(checker, kind, text, other)


def _is_thing(checker: Checker, node: nodes.Expr) -> bool:
    """Whether an expression is a variable, or something of one: its check reports nothing a second time."""
    while isinstance(node, nodes.Attribute):
        node = node.object
    return isinstance(node, nodes.Name) and checker.scope.find(node.id) is not None


def _thing(checker: Checker, text: nodes.Name, other: nodes.Expr) -> tree.Expr | None:
    """Report a thing, a number or a condition that is compared with a text."""
    if (isinstance(other, nodes.Name) and other.quoted) or expressions.needs_company(checker, other):
        return None
    found = expressions.expr(checker, other, None)
    if not known(found.type):
        return wrong(text.span)
    if found.type.tag == "ref":
        kind = found.type.sure().name
        return _by_name(checker, kind, text, other) if kind in {*checker.symbols.model.made, "player"} else None
    hint = f"write `{text.id}` without quotes" if text.id in ("true", "false") or text.id.isdigit() else ""
    message = f"cannot compare {article(found.type)} with the text `{text.id}`"
    return checker.error("T406", text.span, message, hint=hint)


def _by_name(checker: Checker, kind: str, text: nodes.Name, other: nodes.Expr) -> tree.Expr:
    """T406: things have no names that rules can read; rows are compared themselves."""
    first, last = sorted((text.span, other.span))
    span = first.to(last) if first.line == last.line else text.span
    because = "names are labels for players, and rules cannot read them"
    hint = (
        _instead(checker, kind, text, other) or f"compare it with another {kind}, as in `x == y`, or test an attribute"
    )
    return checker.error("T406", span, f"{a_quoted(kind)} cannot be compared by name", because=because, hint=hint)


def _instead(checker: Checker, kind: str, text: nodes.Name, other: nodes.Expr) -> str:
    """A hint for things that have rows: compare the thing with its row, or a column that names a row."""
    thing = other.object if isinstance(other, nodes.Attribute) else other
    said = expression(thing)
    own = checker.symbols.rows_of(kind)
    if text.id in own:
        return f"write `{said} == {text.id}`"
    kinds = [row for row, _ in checker.symbols.rows_named(text.id)]
    for name, member in checker.symbols.members(kind, checker.scope.origin).items():
        if member.type is not None and member.type.tag == "ref" and member.type.sure().name in kinds:
            return f"write `{said}.{name} == {text.id}`"
    return f"compare it with a row, as in `{said} == {next(iter(own))}`" if own else ""
