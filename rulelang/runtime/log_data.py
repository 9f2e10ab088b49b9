"""The log as JSON-able data for screens and bots (schemas/log.schema.json): events and changes in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.base.layout import ZONE, AttributeLayout
from rulelang.runtime.changes import Change
from rulelang.runtime.names import UNSEEN

if TYPE_CHECKING:
    from rulelang.runtime.log import Event, Log

Record = dict[str, Any]

FORMAT = 1


def data(log: Log) -> Record:
    """A log as a whole: whose it is, and its entries, oldest first.

    The `id` of an entry is its place among them. It stays what it is as the game goes on, but for what its viewer did
    himself behind a curtain: others see that later.
    """
    changes = iter(log.changes)
    change = next(changes, None)
    entries: list[Record] = []
    ids: list[int] = []  # by event
    for number in range(-1, len(log)):
        if number >= 0:
            ids.append(len(entries))
            entries.append(_event(log, log[number], ids))
        while change is not None and change.after == number:
            entries.append(_change(log, change, len(entries), ids))
            change = next(changes, None)
    return {"format": FORMAT, "viewer": log.viewer or None, "whole": log.viewer is None, "entries": entries}


def _event(log: Log, event: Event, ids: list[int]) -> Record:
    given = [*zip(event.kinds, event.args, strict=True)]
    found = {
        **_entry(ids[-1], event.what, event.text, event.told, event.by, event.parent, event.depth, ids),
        "name": event.name,
        "source": event.source or None,
        "arguments": [_value(log, kind, arg) for kind, arg in given if kind not in ("", ZONE)],
    }
    if event.what == "shuffle":
        zones = [_zone(log, arg) for kind, arg in given if kind == ZONE]
        found |= {"zone": zones[0], **({"from": zones[1]} if len(zones) > 1 else {})}
    return found


def _change(log: Log, change: Change, number: int, ids: list[int]) -> Record:
    depth = 0 if change.parent is None else log[change.parent].depth + 1
    found = _entry(number, change.what, change.text, False, change.by, change.parent, depth, ids)
    if change.what == "move":
        found |= {"count": change.count, "from": _zone(log, change.origin), "to": _zone(log, change.target)}
        if change.cards:
            shown = zip(change.cards, change.faces, strict=True)
            found["cards"] = [_card(log, card, face) for card, face in shown]
    elif change.attribute is None:
        found["thing"] = _named(log, change.kind, change.handle)
    else:
        attribute = change.attribute
        found |= {
            "of": _named(log, attribute.kind, change.handle) if attribute.kind else None,
            "attribute": f"{attribute.trait}.{attribute.name}" if attribute.trait else attribute.name,
            "old": _word(log, attribute, change.old),
            "new": _word(log, attribute, change.new),
        }
        if change.index:
            found["index"] = [_value(log, kind, row) for kind, row in zip(attribute.of, change.index, strict=True)]
    return found


def _entry(
    number: int, what: str, text: str, told: bool, by: int, parent: int | None, depth: int, ids: list[int]
) -> Record:
    return {
        "id": number,
        "what": what,
        "text": text,
        "told": told,
        "by": by or None,
        "cause": None if parent is None else ids[parent],
        "depth": depth,
    }


def _zone(log: Log, zone_id: int) -> Record:
    layout = log.table.program.layout
    name, handle = layout.zone_names[zone_id], layout.zone_owner[zone_id]
    zone = layout.zones.get(name)
    of = zone.of if zone is not None else ""
    return {"zone": name, "of": _named(log, of, handle) if of else None}


def _named(log: Log, kind: str, handle: int) -> Record:
    return {"kind": kind, "handle": handle, "text": log.names.text(kind, handle)}


def _card(log: Log, card: int, face: int) -> Record:
    return {"kind": log.table.program.layout.cards[card].sort, "handle": card, "text": log.names.card(card, face)}


def _word(log: Log, attribute: AttributeLayout, word: int) -> Any:
    return None if attribute.missing and word == attribute.missing else _value(log, attribute.type, word)


def _value(log: Log, kind: str, value: int) -> Any:
    """A number or truth value as it is; of what is missing None; all else by its kind, handle and name."""
    if kind in ("int", "bool"):
        return bool(value) if kind == "bool" else value
    if not value and kind not in log.table.program.layout.sorts:
        return None
    unseen = {"kind": kind, "handle": None, "text": log.names.language.word(UNSEEN)}
    return _named(log, kind, value) if value else unseen
