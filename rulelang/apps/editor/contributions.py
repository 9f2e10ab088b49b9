"""What a value, routine, phase or action has become: its own body and all that hooks contribute, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.apps.editor.reading import Reading
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.syntax.printer import print_declarations

#: In which order contributions to a value are applied, whatever file they stand in.
MODIFY_ORDER = ("=", "+", "-", "*", "/", "%", "or", "and", "at least", "at most")
#: In which order what hooks an event has its say.
TRIGGER_ORDER = ("instead of", "before", "react to", "after")


def names(reading: Reading) -> list[str]:
    """The ids of everything that hooks may contribute to, in declared order."""
    program = reading.program
    return [*program.values, *program.routines, *program.actions, *program.invariants]


def find(reading: Reading, name: str) -> list[tree.Declared]:
    """The declarations with this id, or else with this name."""
    program = reading.program
    declared: list[tree.Declared] = [
        *program.values.values(), *program.routines.values(), *program.actions.values(), *program.invariants.values()
    ]  # fmt: skip
    exact = [item for item in declared if item.id == name]
    return exact or [item for item in declared if item.name == name]


def with_hooks(reading: Reading, item: tree.Declared) -> Iterator[str]:
    """The lines to print: each part is headed by what it is, whose it is, and where it stands."""
    program = reading.program
    changed = changes_in(reading, item.span)
    if changed:
        yield f"{_what(item)}   {item.span}, with the changes below"
        yield from (f"    {line}".rstrip() for line in patched_lines(reading, item.span))
        yield from changes(reading, changed)
    else:
        yield from part(reading, _what(item), item)
    modifies = [hook for hook in program.modifies if hook.pattern.event == item.id]
    modifies.sort(key=lambda hook: (MODIFY_ORDER.index(hook.op), hook.origin.layer, hook.order))
    triggers = [hook for hook in program.triggers if hook.pattern.event == item.id]
    triggers.sort(key=lambda hook: (TRIGGER_ORDER.index(hook.kind), hook.origin.layer, hook.order))
    groups: list[tuple[str, list[tree.Hook]]] = [
        ("modified by", [*modifies]),
        ("forbidden by", [hook for hook in program.forbids if hook.pattern.event == item.id]),
        ("hooked by", [*triggers]),
        ("ignores", [hook for hook in program.ignores if hook.pattern.event == item.id]),
    ]
    for title, hooks in groups:
        for hook in hooks:
            yield ""
            yield from part(reading, f"{title} {owner(reading, hook.origin)}", hook)
    if not any(hooks for _, hooks in groups):
        yield ""
        yield "no hook changes it"


def changes_in(reading: Reading, span: Span) -> list[tree.RuleChange]:
    """The patches of what stands in this stretch of a file."""
    found = [change for change in reading.program.changes if change.declared.path == span.path]
    return [c for c in found if _begins(span) <= _begins(c.declared) and _ends(c.declared) <= _ends(span)]


def changes(reading: Reading, changed: Sequence[tree.RuleChange]) -> Iterator[str]:
    """What patches say, headed by whose they are."""
    for change in changed:
        yield ""
        yield f"changed by {owner(reading, tree.Origin('core', layer=change.layer))}   {change.span}"
        yield from (f"    {line}".rstrip() for line in source_lines(reading, change.span))


def patched_lines(reading: Reading, span: Span) -> list[str]:
    """What stands in a stretch of a file now that all patches are carried out, as canonical text."""
    inside = [
        node
        for _, declarations in reading.texts
        for node in declarations
        if node.span.path == span.path and _begins(span) <= _begins(node.span) and _ends(node.span) <= _ends(span)
    ]
    return print_declarations(inside).rstrip().split("\n")


def _begins(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _ends(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


def part(reading: Reading, title: str, item: tree.Declared) -> Iterator[str]:
    cites = f"   #: {' '.join(item.cites)}" if item.cites else ""
    yield f"{title}   {item.span}{cites}"
    for line in source_lines(reading, item.span):
        yield f"    {line}".rstrip()


def source_lines(reading: Reading, span: Span) -> list[str]:
    """The author's own lines of a stretch, without the indentation that they have in common."""
    lines = reading.source.sources.get(span.path, "").split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return []
    # A span may end at the start of the line behind it.
    if span.end_line > span.line and not lines[-1][: span.end_column - 1].strip():
        lines.pop()
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    while lines and not lines[-1].strip():
        lines.pop()
    return [line[margin:] for line in lines]


def owner(reading: Reading, origin: tree.Origin) -> str:
    """Whose rules, in words: `trait NAME`, `the rules of LAYER`."""
    if origin.what == "trait":
        return f"trait {origin.name}"
    if origin.what in ("row", "card"):
        listing = reading.model.lists.get(origin.name) or reading.model.sorts.get(origin.name)
        for row in listing.rows if listing else ():
            if row.number == origin.row and row.name:
                return f"{origin.name} {row.name}"
        return f"{origin.name} {origin.row}"
    for layer in reading.source.layers:
        if layer.index == origin.layer:
            return f"the rules of {layer.id}"
    return "the rules"


def _what(item: tree.Declared) -> str:
    if isinstance(item, tree.Routine):
        return f"phase {item.id}" if item.phase else f"routine {item.id}"
    return f"{type(item).__name__.lower()} {item.id}"
