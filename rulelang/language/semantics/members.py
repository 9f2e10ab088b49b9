"""What may follow the dot after a thing: all that is declared of its kind, and what the language has of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from rulelang.base.node import record
from rulelang.base.source import NOWHERE, Span
from rulelang.language.semantics.builtins.definitions import Member
from rulelang.language.semantics.builtins.names import builtin_members as built_in_of
from rulelang.language.semantics.cards import face_column
from rulelang.language.semantics.model import INT, Attribute, Column, Model, Type, Zone, ref

What = Literal["attribute", "state", "column", "slot", "zone", "built in"]


@record
class MemberInfo:
    """A member of one kind, as rules read it: `x.NAME`, or `x.NAME[...]` with parts of the types in `index`.

    `type`: None of a zone, which is no value by itself. `doc`: one line on what it is. `declared`: its declaration, or
    the row of a built-in one. `trait`: whose state it is; "" of everything else.
    """

    name: str
    what: What
    type: Type | None
    doc: str
    declared: Attribute | Column | Zone | Member
    index: tuple[Type, ...] = ()
    trait: str = ""

    @property
    def span(self) -> Span:
        """Where it is declared."""
        return NOWHERE if isinstance(self.declared, Member) else self.declared.span


def members_of(model: Model, kind: str, *, trait: str = "", outside: bool = False) -> dict[str, MemberInfo]:
    """All members of a kind, by the names that rules read them by, those of the ruleset first.

    `trait`: the trait whose rules read: of state that several traits keep under one name, its own. `outside`: not rules
    read, but a scenario, which may look at all that is printed.
    """
    found: dict[str, MemberInfo] = {}
    for member in _members(model, kind, trait, outside):
        found.setdefault(member.name, member)
    return found


def _members(model: Model, kind: str, trait: str, outside: bool) -> Iterator[MemberInfo]:
    for attribute in attributes_of(model, kind).values():
        index = tuple(ref(name) for name in attribute.index)
        doc = f"kept for each `{kind}`{_range(attribute)}"
        yield MemberInfo(attribute.name, "attribute", attribute.type, doc, attribute, index)
    if kind in model.sorts and face_column(model.sorts[kind]) is not None:
        yield from _trait_state(model, trait)
    built_in = built_in_of(model, kind)
    for column in printed_of(model, kind).values():
        known = built_in.get(column.name)
        if known is not None and kind in model.sorts:
            continue  # what the column makes of a card
        if outside or column.tells_apart or kind not in model.sorts:
            yield _column(column, known.doc if known is not None else "")
    for zone in model.zones.values():
        if zone.of == kind:
            yield _zone(zone)
    for name, row in built_in.items():
        yield MemberInfo(name, "built in", row.type_of(model, kind), row.doc, row)


def _trait_state(model: Model, trait: str) -> Iterator[MemberInfo]:
    """What traits keep for each card: the own trait's, and what only one trait has under that name."""
    own = model.traits[trait].state if trait in model.traits else {}
    keepers: dict[str, list[str]] = {}
    for other in model.traits.values():
        for name in other.state:
            keepers.setdefault(name, []).append(other.name)
    for name, found in keepers.items():
        keeper = trait if name in own else found[0] if len(found) == 1 else ""
        if keeper:
            attribute = model.traits[keeper].state[name]
            doc = f"kept for each card of the trait `{keeper}`{_range(attribute)}"
            index = tuple(ref(kind) for kind in attribute.index)
            yield MemberInfo(name, "state", attribute.type, doc, attribute, index, keeper)


def _column(column: Column, doc: str) -> MemberInfo:
    by = column.by
    index = () if by is None or by == "copy" else (ref(by),) if isinstance(by, str) else (INT,)
    each = {"copy": ", one a copy", None: ""}.get(by if isinstance(by, str) else None, f", one for each `{by}`")
    if isinstance(by, tuple):
        each = f", one for each number from {by[0]} to {by[1]}"
    return MemberInfo(column.name, "column", column.type, doc or f"printed{each}", column, index)


def _zone(zone: Zone) -> MemberInfo:
    if zone.slot:
        doc = f"the `{zone.holds}` in its slot; missing where none lies there"
        return MemberInfo(zone.short_name, "slot", ref(zone.holds), doc, zone)
    force = ", whose rules work" if zone.in_force else ""
    return MemberInfo(zone.short_name, "zone", None, f"a zone of cards of the sort `{zone.holds}`{force}", zone)


def _range(attribute: Attribute) -> str:
    """`: 0..9, back to 1 at the end of the round`"""
    low, high, said = attribute.low, attribute.high, []
    if low is not None or high is not None:
        said.append(f"{'' if low is None else low}..{'' if high is None else high}")
    if attribute.start and attribute.type.tag == "int":
        said.append(f"{attribute.start} at first")
    if attribute.resets is not None:
        scope = attribute.resets
        ends = scope in ("turn", "round", "phase", "game")
        said.append(f"set back at {'the end of the ' if ends else 'the beginning of '}{scope}")
    if attribute.seen_by != "everyone":
        said.append(f"seen by {attribute.seen_by}")
    return ": " + ", ".join(said) if said else ""


def attributes_of(model: Model, kind: str) -> Mapping[str, Attribute]:
    """What is kept for each thing, player, row or card of a kind."""
    if kind == "player":
        return model.player_attributes
    for section in (model.made, model.lists, model.grids, model.sorts):
        if kind in section:
            return section[kind].attributes
    return {}


def printed_of(model: Model, kind: str) -> Mapping[str, Column]:
    """What is printed on each row, card or space of a kind."""
    for section in (model.lists, model.grids, model.sorts):
        if kind in section:
            return section[kind].columns
    return {}
