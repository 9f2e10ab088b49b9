"""An expression becomes a `value` of its own."""

from __future__ import annotations

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.fixing import Fix, after
from rulelang.apps.editor.rule_names import Heard
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS
from rulelang.language.semantics.check.program import check_program
from rulelang.language.semantics.tree import free_locals
from rulelang.language.syntax import nodes

_TYPES = ("int", "bool", "order", "ref")


def extraction(analysis: Analysis, path: str, chosen: Span) -> Fix | None:
    """The value for an expression that is chosen wholly; None where no expression is, or the value would not do."""
    heard = Heard()
    check_program(analysis.model, analysis.trees, analysis.source, form=heard.form)
    found = [
        (node, typed)
        for node, typed, _ in heard.met.values()
        if absolute(node.span.path) == path and node.span[1:] == chosen[1:] and typed.type.tag in _TYPES
    ]
    owner = next(
        (
            node
            for _, declarations in analysis.trees
            for node in declarations
            if absolute(node.span.path) == path and not isinstance(node, nodes.Patched) and _holds(node.span, chosen)
        ),
        None,
    )
    if not found or owner is None or isinstance(found[0][0], nodes.Name | nodes.Number | nodes.Bool):
        return None
    typed = found[0][1]
    rows = analysis.texts[path].split("\n")
    text = rows[chosen.line - 1][chosen.column - 1 : chosen.end_column - 1] if chosen.line == chosen.end_line else ""
    if not text or typed.type.name.startswith("option "):
        return None
    name = _free_name(analysis)
    locals_ = [local for local in free_locals(typed) if not (local.text in BEARERS and local.name == local.text)]
    params = ", ".join(f"{_sure(local)} {local.text}" for local in locals_)
    call = name + (f"({', '.join(local.text for local in locals_)})" if locals_ else "")
    head = f"value {name}({params})" if locals_ else f"value {name}"
    indent = " " * (owner.span.column - 1)
    last = owner.span.end_line - (1 if not rows[owner.span.end_line - 1][: owner.span.end_column - 1].strip() else 0)
    end = Span(chosen.path, last, len(rows[last - 1]) + 1, last, len(rows[last - 1]) + 1)
    said = f"\n\n{indent}{head} -> {typed.type}: {text}"
    fix = Fix("Extract a value", ((chosen, call), (end, said)))
    made, found_after = after(analysis, fix)
    worse = sum(item.severity == "error" for item in found_after) > sum(
        item.severity == "error" for item in analysis.diagnostics
    )
    return None if made is None or worse else fix


def _sure(local: tree.Local) -> str:
    return str(local.type)


def _holds(outer: Span, inner: Span) -> bool:
    return outer[1:3] <= inner[1:3] and inner[3:] <= outer[3:]


def _free_name(analysis: Analysis) -> str:
    taken = {signature.name for signature in analysis.symbols.signatures.values()}
    return next(name for n in range(1, 1000) if (name := f"new_value{'' if n == 1 else n}") not in taken)
