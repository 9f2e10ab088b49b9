"""How a game's things look: the colours and signs that its `look:` gives them, for screens that draw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NotRequired, TypedDict

from rulelang.base.labels import NO_LABEL, Label
from rulelang.base.languages import Language
from rulelang.runtime.table import Table


class ThingLook(TypedDict):
    """`colour` is `#rrggbb`; `icon` a letter or a sign; `picture` a file of the ruleset, which `Game.picture` reads;
    `short` a few letters."""

    colour: NotRequired[str]
    icon: NotRequired[str]
    picture: NotRequired[str]
    short: NotRequired[str]


class Appearance(TypedDict):
    """`things`: of kinds, sorts of cards, lists, grids, zones, phases and actions, by name. `rows`: of a list, a sort
    of cards or of `trait`, by name of the row. `cards`: by sort and row, the look of what is printed on a card, shown
    or not: for those that have none of their own. `members`: of a kind (`game`: of the game), by name. `layout`: zones,
    boards and `player` in the order in which they stand on the table; what is not named comes after."""

    things: dict[str, ThingLook]
    rows: dict[str, dict[str, ThingLook]]
    cards: dict[str, dict[str, ThingLook]]
    members: dict[str, dict[str, ThingLook]]
    layout: list[str]


def appearance_of(table: Table, language: Language) -> Appearance:
    """All that has a look of its own."""
    labels = table.program.layout.labels

    def look(label: Label) -> ThingLook:
        found: ThingLook = {}
        if label.colour:
            found["colour"] = label.colour
        if label.icon:
            found["icon"] = label.icon
        if label.picture:
            found["picture"] = label.picture
        if short := language.of(label.short):
            found["short"] = short
        return found

    def those(given: dict[str, Label]) -> dict[str, ThingLook]:
        return {name: found for name, label in given.items() if (found := look(label))}

    rows = {kind: those(dict(named)) for kind, named in labels.rows.items()}
    cards: dict[str, dict[str, ThingLook]] = {}
    for sort, name, (of, row) in _printed(table):
        if found := rows.get(of, {}).get(row):
            cards.setdefault(sort, {}).setdefault(name, found)
    members = {kind or "game": those(dict(named)) for kind, named in labels.members.items()}
    return {
        "things": those(dict(labels.things)),
        "rows": {kind: found for kind, found in rows.items() if found},
        "cards": cards,
        "members": {kind: found for kind, found in members.items() if found},
        "layout": list(labels.things.get("game", NO_LABEL).layout),
    }


def _printed(table: Table) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """By sort and row of a card, the rows that are printed on it: their list and name."""
    layout = table.program.layout
    known = set()
    for info in layout.cards[1:]:
        if not info.row or (info.sort, info.row) in known:
            continue
        known.add((info.sort, info.row))
        for column, printed in layout.labels.columns.get(info.sort, {}).items():
            value = info.columns.get(column)
            if printed.kind == "reference" and printed.of in layout.lists and isinstance(value, int) and value > 0:
                yield info.sort, info.row, (printed.of, layout.lists[printed.of][value])


def picture_files(table: Table) -> set[str]:
    """All pictures that the game's things have."""
    labels = table.program.layout.labels
    every = (*labels.things.values(), *(one for named in labels.rows.values() for one in named.values()))
    return {label.picture for label in every if label.picture}
