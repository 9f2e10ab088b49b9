"""Conflicts: two mods that change the same thing, so that one change is lost or the order decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span
from rulelang.base.wording import quoted_list
from rulelang.compiler.compilation import Compilation
from rulelang.data.patches import Change
from rulelang.data.ruleset_source import Layer
from rulelang.language.semantics import tree
from rulelang.tools.modding.facts import yaml_line

# ---- overlapping changes


def is_lost(change: tree.RuleChange, changes: Sequence[tree.RuleChange]) -> bool:
    """Return whether a later layer replaced or removed all that a change did."""
    return any(
        other.layer > change.layer and other.before is not None and _takes_away(other, change) for other in changes
    )


def overlapping_groups(changes: Sequence[tree.RuleChange]) -> Iterator[list[tree.RuleChange]]:
    """Group the changes that meet in one place, each group in the order of the layers."""
    groups: list[list[tree.RuleChange]] = []
    for change in sorted(changes, key=lambda c: c.layer):
        met = [group for group in groups if any(_changes_meet(change, other) for other in group)]
        groups = [group for group in groups if group not in met]
        groups.append([*(other for group in met for other in group), change])
    for group in groups:
        yield sorted(group, key=lambda c: c.layer)


def _changes_meet(later: tree.RuleChange, earlier: tree.RuleChange) -> bool:
    if later.place == earlier.place:
        return True
    written_there = earlier.after is not None and later.before is not None and _is_inside(later.before, earlier.after)
    return written_there or _takes_away(later, earlier)


def _takes_away(later: tree.RuleChange, earlier: tree.RuleChange) -> bool:
    """Whether a change takes away what an earlier one changed or wrote."""
    if later.before is None:
        return False
    if later.verb != "insert" and earlier.place.startswith(f"{later.place}."):
        return True
    return _is_inside(earlier.declared, later.before) or (
        earlier.after is not None and _is_inside(earlier.after, later.before)
    )


def _is_inside(inner: Span, outer: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return (
        outer.path == inner.path and begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )


# ---- conflicts

#: Mistakes that two mods make together.
CONFLICT_CODES = ("Y140", "Y141", "Y142", "Y143", "W504", "W515", "W533")


@dataclass(frozen=True, slots=True)
class Party:
    """One of those who meddle: the id of the mod, what it does, and where."""

    mod: str
    text: str
    span: Span

    def as_json(self) -> dict[str, Any]:
        return {"mod": self.mod, "text": self.text, "span": self.span._asdict()}


@dataclass(frozen=True, slots=True)
class Conflict:
    """`severity`: "error" if one of them would be lost, "note" if their order decides. `what`: "value", "rule" (a body
    that is replaced), "hook" or the code of the mistake; `last`: the mod that has the last word, if one has."""

    severity: Literal["error", "note"]
    what: str
    name: str
    message: str
    parties: tuple[Party, ...]
    last: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "severity": self.severity,
            "what": self.what,
            "name": self.name,
            "message": self.message,
            "parties": [party.as_json() for party in self.parties],
            "last": self.last,
        }


def find_conflicts(compilation: Compilation) -> tuple[Conflict, ...]:
    """All of them, mistakes first. A source is enough; what it has of mistakes does not matter.

    Nothing is noted of places that are mistakes already: where neither has a say, none has the last word.
    """
    mistakes = tuple(_mistake_conflicts(compilation))
    wrong = [_party_lines(mistake) for mistake in mistakes]
    notes = (*_value_conflicts(compilation), *_replacement_conflicts(compilation), *_hook_conflicts(compilation))
    return (*mistakes, *(note for note in notes if not any(_party_lines(note) <= lines for lines in wrong)))


def _party_lines(conflict: Conflict) -> set[tuple[str, int]]:
    """The lines where those stand who meddle."""
    return {(party.span.path, party.span.line) for party in conflict.parties}


def _mistake_conflicts(compilation: Compilation) -> Iterator[Conflict]:
    for item in compilation.diagnostics:
        places = [item.span, *(related.span for related in item.related)]
        mods = [_mod_at(compilation, span) for span in places]
        if item.code in CONFLICT_CODES and len({mod for mod in mods if mod}) > 1:
            parties = tuple(
                Party(mod, _source_line(compilation, span), span) for mod, span in zip(mods, places, strict=True) if mod
            )
            yield Conflict("error", item.code, _first_quoted_name(item), item.message, parties)


def _first_quoted_name(item: Diagnostic) -> str:
    """What a message names first in backquotes."""
    return item.message.partition("`")[2].partition("`")[0]


def _value_conflicts(compilation: Compilation) -> Iterator[Conflict]:
    """Values that two mods change, one after the other."""
    layers = compilation.source.layers
    changes = [change for change in compilation.source.history.changes if layers[change.layer].kind == "mod"]
    told: set[frozenset[int]] = set()
    for place in sorted({change.place for change in changes}, key=lambda p: (len(p), p)):
        group = [change for change in changes if _paths_overlap(change.place, place)]
        key = frozenset(map(id, group))
        if len({change.layer for change in group}) < 2 or any(key <= other for other in told):
            continue
        told.add(key)
        parties = tuple(Party(layers[c.layer].id, _change_text(c), c.span) for c in group)
        last = layers[group[-1].layer]
        yield _order_note(
            compilation, "value", ".".join(place), "changed", parties, [layers[c.layer] for c in group], last
        )


def _change_text(change: Change) -> str:
    before, after = (
        yaml_line(side.plain()) if side is not None else "nothing" for side in (change.before, change.after)
    )
    return f"{change.verb} {change.path}: {before} -> {after}"


def _paths_overlap(a: Sequence[str], b: Sequence[str]) -> bool:
    short = min(len(a), len(b))
    return tuple(a[:short]) == tuple(b[:short])


def _replacement_conflicts(compilation: Compilation) -> Iterator[Conflict]:
    """Rules that two mods change in the same place, or one inside of what the other replaces."""
    layers = compilation.source.layers
    mods = [change for change in compilation.program.changes if layers[change.layer].kind == "mod"]
    for group in overlapping_groups(mods):
        if len({change.layer for change in group}) < 2:
            continue
        whose = [layers[change.layer] for change in group]
        parties = tuple(
            Party(layer.id, _source_line(compilation, change.span), change.span)
            for layer, change in zip(whose, group, strict=True)
        )
        place = min((change.place for change in group), key=lambda place: (place.count("."), len(place)))
        note = _order_note(compilation, "rule", place, "replaced", parties, whose, whose[-1])
        if group[-1].place != place:
            ids = list(dict.fromkeys(layer.id for layer in whose))
            note = replace(note, message=f"changed by {quoted_list(ids)}: `{whose[-1].id}` has the last word")
        gone = [(layers[c.layer].id, c.place) for c in group if c.place != place and is_lost(c, group)]
        if gone:
            said = " and ".join(f"the change of `{part}` by `{mod}`" for mod, part in gone)
            note = replace(note, message=f"{note.message}, and {said} is lost")
        yield note


def _hook_conflicts(compilation: Compilation) -> Iterator[Conflict]:
    """Hooks of two mods that take the same slot of an event; of values only `=`, for all else comes to the same."""
    layers, program = compilation.source.layers, compilation.program
    slots: dict[tuple[str, str], list[tree.Hook]] = {}
    setting = [hook for hook in program.modifies if hook.op == "="]
    for hook in (*program.triggers, *setting):
        if layers[hook.origin.layer].kind == "mod":
            kind: str = hook.kind if isinstance(hook, tree.Trigger) else "modify ="
            slots.setdefault((kind, hook.pattern.event), []).append(hook)
    for (kind, event), group in slots.items():
        ordered = sorted(group, key=lambda hook: (hook.origin.layer, hook.order))
        whose = [layers[hook.origin.layer] for hook in ordered]
        if len({layer.index for layer in whose}) < 2:
            continue
        parties = tuple(
            Party(layer.id, _source_line(compilation, hook.span), hook.span)
            for layer, hook in zip(whose, ordered, strict=True)
        )
        name = f"modify {event}: =" if kind == "modify =" else f"{kind} {event}"
        yield _order_note(compilation, "hook", name, "hooked", parties, whose, whose[-1])


def _order_note(
    compilation: Compilation,
    what: str,
    name: str,
    done: str,
    parties: tuple[Party, ...],
    whose: Iterable[Layer],
    last: Layer,
) -> Conflict:
    mods = list(dict.fromkeys(layer.id for layer in whose))
    word = {"value": "has the last word", "rule": "has the last word", "hook": "comes last"}[what]
    if what == "hook" and name.startswith("instead of"):
        word = "is outermost"
    message = f"{done} by {quoted_list(mods)}: `{last.id}` {word}"
    return Conflict("note", what, name, message, parties, last.id)


def _mod_at(compilation: Compilation, span: Span) -> str:
    """The mod in whose files a place is; nothing for the game's."""
    homes = {layer.id: layer.span.path.rpartition("/")[0] for layer in compilation.source.layers if layer.kind == "mod"}
    found = [name for name, home in homes.items() if span.path.startswith(f"{home}/")]
    return max(found, key=lambda name: len(homes[name]), default="")


def _source_line(compilation: Compilation, span: Span) -> str:
    lines = compilation.source.sources.get(span.path, "").split("\n")
    return lines[span.line - 1].strip() if span.line <= len(lines) else ""
