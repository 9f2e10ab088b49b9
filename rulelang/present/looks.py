"""How a game's things look: the colours and signs that its `look:` gives them, for screens that draw."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rulelang.base.labels import NOTHING, Label
from rulelang.engine.table import Table
from rulelang.texts.language import Language


class Look(TypedDict):
    """`colour` is `#rrggbb`; `icon` a letter or a sign; `picture` a file of the ruleset, which `Game.picture` reads;
    `short` a few letters."""

    colour: NotRequired[str]
    icon: NotRequired[str]
    picture: NotRequired[str]
    short: NotRequired[str]


class Looks(TypedDict):
    """`things`: of kinds, sorts of cards, lists, grids, zones, phases and actions, by name. `rows`: of a list, a sort
    of cards or of `trait`, by name of the row. `members`: of a kind (`game`: of the game), by name. `layout`: zones,
    boards and `player` in the order in which they stand on the table; what is not named comes after."""

    things: dict[str, Look]
    rows: dict[str, dict[str, Look]]
    members: dict[str, dict[str, Look]]
    layout: list[str]


def looks(table: Table, language: Language) -> Looks:
    """All that has a look of its own."""
    labels = table.program.layout.labels

    def look(label: Label) -> Look:
        found: Look = {}
        if label.colour:
            found["colour"] = label.colour
        if label.icon:
            found["icon"] = label.icon
        if label.picture:
            found["picture"] = label.picture
        if short := language.of(label.short):
            found["short"] = short
        return found

    def those(given: dict[str, Label]) -> dict[str, Look]:
        return {name: found for name, label in given.items() if (found := look(label))}

    rows = {kind: those(dict(named)) for kind, named in labels.rows.items()}
    members = {kind or "game": those(dict(named)) for kind, named in labels.members.items()}
    return {
        "things": those(dict(labels.things)),
        "rows": {kind: found for kind, found in rows.items() if found},
        "members": {kind: found for kind, found in members.items() if found},
        "layout": list(labels.things.get("game", NOTHING).layout),
    }


def pictures(table: Table) -> set[str]:
    """All pictures that the game's things have."""
    labels = table.program.layout.labels
    every = (*labels.things.values(), *(one for named in labels.rows.values() for one in named.values()))
    return {label.picture for label in every if label.picture}
