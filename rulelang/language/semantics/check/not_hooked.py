"""Report things that exist but cannot be hooked, such as attributes, and name what to hook instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.base.diagnostics import Related
from rulelang.base.english import a_quoted, either
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.language.semantics.builtins.names import BEARERS
from rulelang.language.semantics.check.checker import Checker
from rulelang.language.semantics.types import BOOL, INT, Type
from rulelang.language.syntax import nodes
from rulelang.language.syntax.print_expr import expression

_SHOWN = 3


@record
class Other:
    """Something that has the name of a hook's target and cannot be hooked. `what`: in words; `read`: how rules read it,
    empty if they cannot; `kept`: whether rules change it."""

    what: str
    span: Span
    read: str = ""
    kept: bool = False
    type: Type | None = None
    zone: bool = False


def other(checker: Checker, path: Sequence[str]) -> Other | None:
    """What the path of a hook names instead of an event or a value; None if there is no such thing."""
    name = path[-1]
    if len(path) > 1 and path[0] not in BEARERS and checker.scope.find(path[0]) is None:
        return None
    return next(_others(checker, name, path[0] if len(path) > 1 else ""), None)


def _others(checker: Checker, name: str, of: str) -> Iterator[Other]:
    symbols, model = checker.symbols, checker.symbols.model
    if not of and name in model.state:
        state = model.state[name]
        yield Other("an entry of `state:`", state.span, name, True, state.type)
    if not of and name in model.numbers:
        yield Other("an entry of `numbers:`", model.numbers[name].span, name, False, INT)
    if not of and name in model.tables:
        yield Other("a table", model.tables[name].span, "", False, INT)
    for zone in symbols.zones_named(name):
        yield Other("a zone", zone.span, zone=True)
    for kind in _kinds(checker):
        member = symbols.members(kind, checker.scope.origin).get(name)
        if member is None or member.what in ("zone", "slot"):
            continue
        word = {"column": "a column", "built in": "a property"}.get(member.what, "an attribute")
        kept = member.what in ("attribute", "state")
        yield Other(f"{word} of {a_quoted(kind)}", member.span, f"{of or 'self'}.{name}", kept, member.type)
    if not of and name in model.traits:
        yield Other("a trait", model.traits[name].span)
    if not of and name in model.options:
        yield Other("an option", model.options[name].span, f"option.{name}", False, model.options[name].type)
    if not of and symbols.is_kind(name):
        yield Other("a kind", _span_of(checker, name))


def _kinds(checker: Checker) -> list[str]:
    """All kinds, that of the bearer first."""
    bearer = checker.scope.bearer.get("self")
    kinds = checker.symbols.kinds()
    first = [bearer.type.name] if bearer is not None and bearer.type.name in kinds else []
    return list(dict.fromkeys([*first, *kinds]))


def _span_of(checker: Checker, kind: str) -> Span:
    model = checker.symbols.model
    for section in (model.made, model.sorts, model.lists, model.grids):
        if kind in section:
            return section[kind].span
    return Span("", 0, 0, 0, 0)


def report(checker: Checker, event: nodes.Event, node: nodes.Declaration, found: Other) -> None:
    """W501: what the name is, what the hook needs, and what can be hooked instead."""
    name = ".".join(event.path)
    verb, needed = _needed(node)
    related = (Related(found.span, f"`{event.path[-1]}` is declared here"),) if found.span.path else ()
    message = f"{needed}, but `{name}` is {found.what}"
    if found.what == "a trait":
        hint = f"hook an event and test for the trait: `when X has {name}`"
    elif isinstance(node, nodes.Modify):
        hint = _for_value(checker, event, node, found)
    else:
        hint = _for_event(checker, event, verb)
    checker.error("W501", event.name_span, message, hint=hint, related=related)


def _needed(node: nodes.Declaration) -> tuple[str, str]:
    """The word of a hook, and what may follow it."""
    if isinstance(node, nodes.Modify):
        return "modify", "`modify` needs a value or an invariant"
    if isinstance(node, nodes.Trigger):
        return node.kind, f"`{node.kind}` needs a routine, a phase or an action"
    if isinstance(node, nodes.Forbid):
        return "forbid", "`forbid` needs a routine, a phase or an action"
    return "ignore", "`ignore ... in` needs a routine, a phase, an action, a value or an invariant"


def _for_value(checker: Checker, event: nodes.Event, node: nodes.Modify, found: Other) -> str:
    ways = []
    boolean = found.type is not None and found.type == BOOL
    users = [] if found.zone else checker.symbols.values_that_read(event.path[-1], boolean)
    if users:
        ways.append(f"modify a value that uses it: {either([f'`{name}`' for name in users[:_SHOWN]])}")
    if found.kept:
        sign = node.op if node.op in ("+", "-") else ""
        change = f"{found.read} {sign}= {expression(node.value)}"
        ways.append(f"change it in an event, as in `after EVENT: {change}`")
    elif found.what.endswith("`numbers:`"):
        ways.append(f"set it in the YAML of a mod: `set: {{numbers.{event.path[-1]}: ...}}`")
    return "; or ".join(ways)


def _for_event(checker: Checker, event: nodes.Event, verb: str) -> str:
    events = [f"`{name}`" for name in checker.symbols.events_that_change(event.path[-1])[:_SHOWN]]
    return f"write `{verb}` with an event that changes it: {either(events)}" if events else ""
