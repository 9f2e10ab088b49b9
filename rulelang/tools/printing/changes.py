"""What mods and modes change, section by section, in words; in the language of rules and data what has no others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation
from rulelang.language.semantics import tree
from rulelang.tools.modding.difference import Difference, Side, difference
from rulelang.tools.modding.meaning import HOOKS, NAMED
from rulelang.tools.printing.document import Change, ChangeGroup, Step
from rulelang.tools.printing.flow import Flow
from rulelang.tools.printing.hooks import declared_in, in_short
from rulelang.tools.printing.names import Names, label, layer_title, plain
from rulelang.tools.printing.phrases import Phrases

#: How much of a text is shown.
_LONG = 400
_STEP = "  "
#: A cell of a row without a name, by one that it has as well: `card.rows[face=horns].food`.
_CELL = re.compile(r"(?P<sort>\w+)\.rows\[\w+=(?P<row>\w+)\]\.(?P<column>\w+)")
#: What a column or an attribute is: `card.columns.warmth.default`.
_COLUMN = re.compile(r"(?P<kind>\w+)\.(?:columns|attributes)\.(?P<name>\w+)(?:\.(?P<what>\w+))?")

#: What is said of a thing that is new as a whole, behind what else there is.
_TEXT = re.compile(r"(?:^|, )text: (.+)$", re.DOTALL)


def changes_of(names: Names) -> tuple[ChangeGroup, ...]:
    """What the mods and the mode change; nothing without any."""
    compilation = names.compilation
    if len(compilation.source.layers) < 2:
        return ()
    before = Names(Compilation(base_of(compilation)), names.language)
    groups: dict[str, list[Change]] = {}
    fresh: dict[str, dict[str, None]] = {}
    titles = {f"{layer.id} {layer.version}": layer_title(layer) for layer in compilation.source.layers}
    for item in difference(before.compilation, compilation):
        if item.section == "look":  # how screens show it
            continue
        groups.setdefault(item.section, [])
        added = _shown_elsewhere(names, item)
        if added:
            fresh.setdefault(item.section, {})[added] = None
        else:
            groups[item.section].append(_change(before, names, item, titles))
    return tuple(
        ChangeGroup(_group(names, name), tuple(found), tuple(fresh.get(name, ()))) for name, found in groups.items()
    )


def base_of(compilation: Compilation) -> str:
    """The folder of the game itself."""
    return compilation.source.manifest.span.path.rpartition("/")[0] or "."


def _shown_elsewhere(names: Names, item: Difference) -> str:
    """The name of a card or trait that is new: what it is stands in the tables and among the traits."""
    if item.how != "added":
        return ""
    if item.section == "traits" and item.name in names.model.traits:
        return names.trait(item.name)
    kind, _, name = item.name.partition(".")
    sort = names.model.sorts.get(kind)
    row = next((row for row in sort.rows if row.name == name), None) if sort is not None and name else None
    return names.row_name(kind, row) if row is not None and item.section == "cards" else ""


def _group(names: Names, section: str) -> str:
    """What a section of changes is called."""
    say = names.language.say
    known = {
        "cards": say("Cards"), "traits": say("Traits"), "numbers": say("Numbers"), "options": say("Options"),
        "kinds": say("Kinds"), "zones": say("Places for cards"), "state": say("Values that the game tracks"),
        "value": say("Values"), "routine": say("Routines"), "phase": say("Phases"), "action": say("Actions"),
        "hook": say("Hooks"), "modify": say("Changed values"), "forbid": say("Forbidden events"),
        "lists": say("Lists"), "ladders": say("Ladders"), "tables": say("Tables"), "grids": say("Maps"),
        "ignore": say("Ignored cards"), "game": say("The flow of the game"), "invariant": say("Invariants"),
    }  # fmt: skip
    return known.get(section) or label(names.word(section))


def _change(before: Names, after: Names, item: Difference, titles: dict[str, str]) -> Change:
    by = titles.get(item.after.by, "") if item.after is not None else ""
    if item.section in (*NAMED, *HOOKS):
        sides = [_rule(names, item, side) for names, side in ((before, item.before), (after, item.after))]
        told = [side for side in sides if side is not None]
        if all(side is not None or old is None for side, old in zip(sides, (item.before, item.after), strict=True)):
            texts = [side[1] if side is not None else "" for side in sides]
            return Change(told[-1][0], item.how, _cut(texts[0]), _cut(texts[1]), by, code=False)
    was, now = (side.text if side is not None else "" for side in (item.before, item.after))
    name = item.name if item.section in (*NAMED, *HOOKS) else _data(after, item)
    if item.how == "added" and (explained := _TEXT.search(now)):
        return Change(name, item.how, "", _cut(after.language.word(explained[1])), by, code=False)
    return Change(name, item.how, _cut(was), _cut(now), by)


# ---- data


def _data(names: Names, item: Difference) -> str:
    """What a piece of data is called; its path where that has no words."""
    say = names.language.say
    if cell := _CELL.fullmatch(item.name):
        row, column = cell["row"], names.member_name(cell["sort"], cell["column"])
        who = names.trait(row) if row in names.model.traits else label(names.word(row))
        return say("{name}: {what}", name=who, what=column)
    if found := _COLUMN.fullmatch(item.name):
        name, kind = label(names.member_name(found["kind"], found["name"])), names.named(found["kind"])
        of = say("{name} (of {kind})", name=name, kind=kind)
        said = say("{name} (printed on {kind})", name=name, kind=kind) if item.section == "cards" else of
        whole = found["what"] in (None, "is")
        return said if whole else say("{name}: {what}", name=said, what=plain(found["what"]))
    first, *rest = item.name.split(".")
    if item.section == "traits" and first in names.model.traits:
        said = names.trait(first)
    else:
        said = label(names.member_name("", first) if item.section == "state" else names.named(first))
    return say("{name}: {what}", name=said, what=" · ".join(map(plain, rest))) if rest else said


# ---- rules


def _rule(names: Names, item: Difference, side: Side | None) -> tuple[str, str] | None:
    """What a rule is called, and what it does line by line; None where there is none that can be told in words."""
    if side is None:
        return None
    whose, _, name = item.name.rpartition(": ")
    wanted = f"{whose.partition(' ')[2]}.{name}" if whose else name
    flow = Flow(names)
    for declared in declared_in(names.program):
        hooked = isinstance(declared, tree.Hook) and item.section in HOOKS and _same(declared.span, side.span)
        if isinstance(declared, tree.Hook) and hooked:
            short = in_short(names, flow, [declared])
            said = [f"{one.event}: {one.says}{f' – {one.when}' if one.when else ''}" for one in short]
            by = names.owner(declared.origin)
            title = by or "; ".join(one.event for one in short)
            return (title, "\n".join(said)) if said else None
        if item.section == "game" and isinstance(declared, tree.Game):
            return names.language.say("The flow of the game"), "\n".join(_lines(flow.game()))
        if item.section in NAMED and not isinstance(declared, tree.Hook | tree.Game) and declared.id == wanted:
            owner = names.owner(declared.origin)
            called = label(names.named(declared.name))
            title = names.language.say("{name} ({kind})", name=called, kind=owner) if owner else called
            return title, "\n".join(_said(names, flow, declared))
    return None


def _same(one: Span, other: Span) -> bool:
    return (one.path, one.line, one.column) == (other.path, other.line, other.column)


def _said(names: Names, flow: Flow, declared: tree.Declared) -> Iterator[str]:
    words, say = Phrases(names), names.language.say
    match declared:
        case tree.Routine():
            for local in declared.params:
                words.local(local)
            for require in declared.requires:
                yield say("Only if {condition}", condition=words.condition(require.condition))
            yield from _lines(flow.steps_of(words, declared.body))
        case tree.Action():
            action = flow.action(declared)
            yield from (label(target) for target in action.targets)
            yield from (say("Only if {condition}", condition=need) for need in action.needs)
            yield from (label(note) for note in action.notes)
            with words.block():
                for binder in declared.binders:
                    words.local(binder.local)
                yield from _lines(flow.steps_of(words, declared.body))
        case tree.Value() | tree.Invariant():
            for local in declared.params if isinstance(declared, tree.Value) else ():
                words.local(local)
            truth = declared.body.type.tag == "bool"
            yield label(words.condition(declared.body) if truth else words.thing(declared.body))


def _lines(steps: Sequence[Step], depth: int = 0) -> Iterator[str]:
    for step in steps:
        yield f"{_STEP * depth}{step.text}{':' if step.steps else ''}"
        yield from _lines(step.steps, depth + 1)


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]} …"
