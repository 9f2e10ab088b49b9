"""`why`: each layer's hand in a value, row, text, rule or value of the rules, from who declared it to the last word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation
from rulelang.data.patches import ROW_SECTIONS, Entry, Place, renamed_path
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlSeq
from rulelang.language.semantics import tree
from rulelang.tools.modding.conflicts import is_lost
from rulelang.tools.modding.facts import NON_DATA_KEYS, covers, yaml_line


@dataclass(frozen=True, slots=True)
class Hand:
    """What one layer did: `verb` ("declares", "set", "replace", "modify", "before", ...), where, and the text before
    and after it, or of the rule."""

    by: str
    verb: str
    span: Span
    before: str | None
    after: str | None

    def as_json(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "verb": self.verb,
            "span": self.span._asdict(),
            "before": self.before,
            "after": self.after,
        }


@dataclass(frozen=True, slots=True)
class Story:
    """How something came to be what it is. `what`: "data", or what it is in the rules; `now`: its text, None if it is
    no longer there. `hands` in the order of their layers."""

    what: str
    name: str
    now: str | None
    hands: tuple[Hand, ...]

    def as_json(self) -> dict[str, Any]:
        hands = [hand.as_json() for hand in self.hands]
        return {"what": self.what, "name": self.name, "now": self.now, "hands": hands}


def origin_stories(compilation: Compilation, name: str) -> tuple[Story, ...]:
    """Everything of this path or name: `numbers.limit`, `limit`, `cards.card.rows[face=horns].food`, `horns`, `strike`.

    Nothing for a name that there is not; see `near`. What a mod renamed is found by its old name, too.
    """
    today = renamed_path(name, compilation.source.renames)
    return tuple(story for word in dict.fromkeys((name, today)) for story in _stories_with_renames(compilation, word))


def _stories_with_renames(compilation: Compilation, name: str) -> Iterator[Story]:
    for story in (
        *_data_stories(compilation, _dotted_path(name)),
        *_rule_stories(compilation, name),
        *_trait_stories(compilation, name),
    ):
        called = story.name.rpartition(".")[2]
        named = [
            Hand(_layer_name(compilation, rename.layer), "rename", rename.span, rename.old, rename.new)
            for rename in compilation.source.renames
            if rename.new == called
        ]
        yield replace(story, hands=(*story.hands[:1], *named, *story.hands[1:])) if named else story


def _dotted_path(path: str) -> str:
    """A path with dots where it has brackets."""
    return path.replace("[", ".").replace("]", "")


def similar_names(compilation: Compilation, name: str) -> list[str]:
    """Names and paths that are like one that there is not."""
    known = {item.id for item in _declared_items(compilation.program)}
    for entry in _data_entries(compilation):
        known |= {path for path in _path_forms(entry.place) if path.count(".") == name.count(".")}
        known |= {entry.place[-1]} if _is_name(entry.place) else set()
    return get_close_matches(name, sorted(known), n=3, cutoff=0.6)


# ---- data


def _data_entries(compilation: Compilation) -> list[Entry]:
    source = compilation.source
    return list(source.history.entries(source.tree, {trait.id: trait.node for trait in source.traits}))


def _data_stories(compilation: Compilation, name: str) -> Iterator[Story]:
    entries = _data_entries(compilation)
    found = [entry for entry in entries if name in _entry_names(entry, entries)]
    places = [entry.place for entry in found]
    gone = [
        change for change in compilation.source.history.changes if change.after is None and change.before is not None
    ]
    lost = [
        change.place
        for change in gone
        if name in (*_path_forms(change.place), _own_name(change.place), _dotted_path(change.path))
    ]
    for entry in found:
        yield from _entry_stories(
            compilation, entry, [other for other in entries if _is_within(other.place, entry.place)]
        )
    for place in dict.fromkeys(place for place in lost if place not in places):
        yield Story("data", ".".join(place), None, tuple(_data_hands(compilation, place, None)))


def _entry_stories(compilation: Compilation, entry: Entry, inner: Sequence[Entry]) -> Iterator[Story]:
    """Of a leaf its own story; of a trait, row or section where it comes from, and the stories of what was changed in
    it."""
    yield Story(
        "data", ".".join(entry.place), _value_text(entry.value), tuple(_data_hands(compilation, entry.place, entry))
    )
    changes = compilation.source.history.changes
    for leaf in inner:
        if leaf is entry or leaf.key is None or isinstance(leaf.value, YamlMap):
            continue
        if any(_is_within(leaf.place, c.place) and _is_within(c.place, entry.place) for c in changes):
            now = yaml_line(leaf.value.plain())
            yield Story("data", ".".join(leaf.place), now, tuple(_data_hands(compilation, leaf.place, leaf)))


def _value_text(node: YamlNode) -> str:
    """A value on one line; of a trait or row what is printed, not its rules and tests."""
    if isinstance(node, YamlMap):
        kept = tuple(item for item in node.items if item[0].text not in NON_DATA_KEYS)
        node = YamlMap(kept, node.span, node.layer)
    return yaml_line(node.plain())


def _data_hands(compilation: Compilation, place: Place, entry: Entry | None) -> Iterator[Hand]:
    """Who declared what is at a place, and who changed it: itself, or what it lies in."""
    changes = [c for c in compilation.source.history.changes if _is_within(place, c.place)]
    first = changes[0] if changes else None
    origin = _value_inside(first.before, place[len(first.place) :]) if first is not None and first.before else None
    if origin is not None:
        yield Hand(
            _layer_name(compilation, origin.layer), "declares", origin.span.head(), None, yaml_line(origin.plain())
        )
    elif entry is not None and first is None:
        whole = isinstance(entry.value, YamlMap)
        keyed = entry.key is not None and entry.key.span.path and whole
        span = entry.key.span if entry.key is not None and keyed else _start_span(entry.value)
        text = None if whole else yaml_line(entry.value.plain())
        yield Hand(_layer_name(compilation, entry.value.layer), "declares", span, None, text)
    for change in changes:
        rest = place[len(change.place) :]
        before, after = (
            _value_inside(side, rest) if side is not None else None for side in (change.before, change.after)
        )
        texts = [yaml_line(side.plain()) if side is not None else None for side in (before, after)]
        yield Hand(_layer_name(compilation, change.layer), change.verb, change.span, *texts)
    if changes and changes[-1].after is None and entry is not None:
        yield Hand(
            _layer_name(compilation, entry.value.layer),
            "declares",
            entry.value.span.head(),
            None,
            yaml_line(entry.value.plain()),
        )


def _start_span(node: YamlNode) -> Span:
    """Where a value begins; a trait, which has no place of its own, with its first key."""
    return node.items[0][0].span if isinstance(node, YamlMap) and node.items else node.span.head()


def _value_inside(node: YamlNode | None, rest: Sequence[str]) -> YamlNode | None:
    """What lies in a value, by the names that lead there."""
    for step in rest:
        if isinstance(node, YamlMap):
            node = node.get(step)
        elif isinstance(node, YamlSeq) and step[:1] == "#" and step[1:].isdigit() and int(step[1:]) <= len(node.items):
            node = node.items[int(step[1:]) - 1]
        else:
            return None
    return node


def _is_within(inner: Place, outer: Place) -> bool:
    return inner[: len(outer)] == outer


def _entry_names(entry: Entry, entries: Sequence[Entry]) -> set[str]:
    """All that a value is called: by its path, with and without `rows`, by a cell of its row; and by its own name."""
    found = {*_path_forms(entry.place), _own_name(entry.place)}
    if len(entry.place) >= 4 and entry.place[2] == "rows" and entry.place[3][:1] == "#":
        row = next((e for e in entries if e.place == entry.place[:4]), None)
        for key, cell in row.value.items if row is not None and isinstance(row.value, YamlMap) else ():
            called = f"{key.text}={yaml_line(cell.plain())}"
            found |= set(_path_forms((*entry.place[:3], called, *entry.place[4:])))
    return found


def _path_forms(place: Place) -> tuple[str, str]:
    short = [part for at, part in enumerate(place) if not (at == 2 and part == "rows" and place[0] in ROW_SECTIONS)]
    return ".".join(place), ".".join(short)


def _own_name(place: Place) -> str:
    return place[-1] if _is_name(place) else ""


def _is_name(place: Place) -> bool:
    """Whether the last part is a name by itself: of a number, an option, a trait, a row."""
    return len(place) == 2 or (len(place) == 4 and place[2] == "rows" and place[3][:1] != "#")


# ---- rules


def _rule_stories(compilation: Compilation, name: str) -> Iterator[Story]:
    program = compilation.program
    for item in _declared_items(program):
        if name not in (item.id, item.name):
            continue
        changes = _rule_changes(program, item)
        whole = next((change.before for change in changes if change.place == item.id), None) or item.span
        hands = [_rule_hand(compilation, _layer_number(compilation, whole), "declares", whole)]
        for change in changes:
            place = change.place if change.place != item.id else ""
            gone = " (lost: a later mod replaces it)" if is_lost(change, changes) else ""
            hands.append(_rule_hand(compilation, change.layer, f"{change.verb} {place}".rstrip() + gone, change.span))
        hooks = [hook for hook in program.hooks if hook.pattern.event == item.id]
        for hook in sorted(hooks, key=lambda hook: (hook.origin.layer, hook.order)):
            hands.append(_rule_hand(compilation, hook.origin.layer, _hook_verb(hook), hook.span))
        yield Story(_item_kind(item), item.id, _source_text(compilation, item.span), tuple(hands))


def _trait_stories(compilation: Compilation, name: str) -> Iterator[Story]:
    """The rules that a trait brings."""
    program = compilation.program
    own = [item for item in (*_declared_items(program), *program.hooks, *program.copies) if item.origin.name == name]
    found = sorted((item for item in own if item.origin.what == "trait"), key=lambda item: item.span)
    hands = [
        _rule_hand(compilation, _layer_number(compilation, item.span), _item_verb(item), item.span) for item in found
    ]
    if hands:
        yield Story("rules of the trait", name, None, tuple({hand.span: hand for hand in hands}.values()))


def _rule_changes(program: tree.Program, item: tree.Declared) -> list[tree.RuleChange]:
    """Return the changes of a declaration and of its parts, in the order of the layers."""
    whole = [change for change in program.changes if change.place == item.id]
    bodies = [item.span, *(change.before for change in whole if change.before is not None)]
    found = [c for c in program.changes if c in whole or any(covers(body, c.declared) for body in bodies)]
    return sorted(found, key=lambda change: change.layer)


def _item_verb(item: tree.Declared) -> str:
    return _hook_verb(item) if isinstance(item, tree.Hook) else _item_kind(item)


def _declared_items(program: tree.Program) -> list[tree.Declared]:
    groups = (program.values, program.routines, program.actions, program.invariants)
    return [item for group in groups for item in group.values()]


def _hook_verb(hook: tree.Hook) -> str:
    if isinstance(hook, tree.Trigger):
        return hook.kind
    return f"modify {hook.op}" if isinstance(hook, tree.Modify) else type(hook).__name__.lower()


def _item_kind(item: tree.Declared) -> str:
    return "phase" if isinstance(item, tree.Routine) and item.phase else type(item).__name__.lower()


def _rule_hand(compilation: Compilation, layer: int, verb: str, span: Span) -> Hand:
    return Hand(_layer_name(compilation, layer), verb, span, None, _source_text(compilation, span))


def _layer_number(compilation: Compilation, span: Span) -> int:
    return next((t.layer for t in compilation.source.rules if t.placement.path == span.path), 0)


def _layer_name(compilation: Compilation, index: int) -> str:
    layer = compilation.source.layers[index]
    return f"mode {layer.id} of {layer.of}" if layer.kind == "mode" else f"{layer.id} {layer.version}"


def _source_text(compilation: Compilation, span: Span) -> str:
    """The author's own lines of a stretch, without the indentation that they have in common."""
    lines = compilation.source.sources.get(span.path, "").split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return ""
    if span.end_line > span.line:
        lines[-1] = lines[-1][: span.end_column - 1]
    else:
        lines[0] = lines[0][span.column - 1 : span.end_column - 1]
    lines = [line.rstrip() for line in lines if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return "\n".join(line[margin:] for line in lines)
