"""All that there is in a game, before and beside any position of it: cards, traits, lists, zones, actions, phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from rulelang.base.languages import ENGLISH, Language
from rulelang.base.layout import CardInfo
from rulelang.presentation.view.contents import Facts
from rulelang.presentation.view.document_types import (
    Catalogue,
    CatalogueAction,
    CatalogueCard,
    CatalogueKind,
    CatalogueList,
    CatalogueRow,
    CatalogueZone,
    Identity,
    Member,
    Named,
)
from rulelang.presentation.view.look import Ids, Look, WorkedValues
from rulelang.presentation.view.parts import Leaves, Pad
from rulelang.presentation.view.words import SharedTexts, Words
from rulelang.runtime.display_names import Names, player_names
from rulelang.runtime.table import Table


def catalogue(table: Table, language: Language = ENGLISH) -> Catalogue:
    """What there is at a table, in a language. Nothing in it is secret: it is the same for everybody."""
    return _Cataloguer(table, language).catalogue()


class _Cataloguer:
    def __init__(self, table: Table, language: Language) -> None:
        self.table, self.layout = table, table.program.layout
        names = Names(self.layout, player_names(table.players), None, language.labelled())
        words = table.program.initial
        look = Look(table, names, words, words, 0, Pad(), WorkedValues(table))
        self.words = Words(self.layout, names)
        self.ids = Ids(look)
        self.facts = Facts(look, self.ids, self.words, SharedTexts(), Leaves())

    def catalogue(self) -> Catalogue:
        layout, info = self.layout, self.table.info
        shown = [name for name in layout.lists if not name.startswith("option ") and name not in ("phase", "trait")]
        lists = [name for name in shown if name not in (*layout.grids, *layout.sorts, *layout.kinds)]
        phases: list[Named] = [
            {"id": f"phase:{name}", "label": self.words.named(name)} for name in layout.lists.get("phase", ("",))[1:]
        ]
        return {
            "format": 1,
            "game": cast(Identity, info.identity),
            "title": self.words.language.word(info.title),
            "lang": self.words.language.code,
            "players": self.table.players,
            "options": self.facts.options(),
            "kinds": [self.kind(name) for name in ("player", *layout.kinds)],
            "cards": self.cards(),
            "traits": [self.row("trait", name) for name in layout.lists.get("trait", ("",))[1:]],
            "lists": [self.listed(name) for name in lists],
            "zones": [self.zone(name) for name in layout.zones if name != "box"],
            "phases": phases,
            "actions": [self.action(id_) for id_, action in self.table.actions.items() if action.id == id_],
        }

    def cards(self) -> list[CatalogueCard]:
        """Cards of which equal things are printed once, with how many there are."""
        found: dict[tuple[str, str, int], CatalogueCard] = {}
        for info in self.layout.cards[1:]:
            key = (info.sort, info.row, info.look)
            if key in found:
                found[key]["copies"] += 1
            else:
                found[key] = self.card(info, len(found) + 1)
        return [*found.values()]

    def card(self, info: CardInfo, number: int) -> CatalogueCard:
        part = f"{info.sort}:{info.row or number}"
        traits = self.layout.lists.get("trait", ())
        texts = [self.words.row_text(info.sort, info.row)]
        texts += [self.words.row_text("trait", traits[face]) for face in info.faces]
        return {
            "id": part,
            "kind": info.sort,
            "label": self.words.printed_card(info),
            "row": info.row,
            "text": "\n".join(text for text in texts if text),
            "traits": [f"trait:{traits[face]}" for face in info.faces],
            "facts": self.facts.printed(info, part),
            "copies": 1,
        }

    def row(self, kind: str, name: str) -> CatalogueRow:
        part = f"{kind}:{self.ids.row(kind, self.layout.lists[kind].index(name))}"
        return {
            "id": part,
            "kind": kind,
            "label": self.words.row(kind, name),
            "text": self.words.row_text(kind, name),
            "facts": self.facts.of_row(kind, name, part),
        }

    def listed(self, name: str) -> CatalogueList:
        return {
            "id": f"list:{name}",
            "name": name,
            "label": self.words.plural(name),
            "ladder": name in self.words.labels.ladders,
            "rows": [self.row(name, row) for row in self.layout.lists[name][1:]],
        }

    def kind(self, name: str) -> CatalogueKind:
        members = [a.name for a in self.layout.attributes if a.kind == name]
        members += [shown.member for shown in self.words.labels.shown.get(name, ())]
        hidden: Mapping[str, Any] = {m: self.words.member(name, m).hidden for m in members}
        return {
            "id": f"kind:{name}",
            "name": name,
            "label": self.words.named(name),
            "plural": self.words.plural(name),
            "about": self.words.said(self.words.thing(name).text),
            "members": [self.member(name, member) for member in members if not hidden[member]],
        }

    def member(self, kind: str, name: str) -> Member:
        about = self.words.said(self.words.member(kind, name).text)
        return {"name": name, "label": self.words.member_name(kind, name), "about": about}

    def zone(self, name: str) -> CatalogueZone:
        zone = self.layout.zones[name]
        return {
            "id": f"zone:{name}",
            "name": name,
            "label": self.words.named(name),
            "about": self.words.said(self.words.thing(name).text),
            "of": zone.of or "game",
            "holds": zone.holds,
            "seen_by": zone.seen_by,
            "slot": zone.slot,
        }

    def action(self, id_: str) -> CatalogueAction:
        action = self.table.actions[id_]
        told = [
            (kind, action.params[place] if place < len(action.params) else kind)
            for place, kind in enumerate(action.types)
            if kind
        ]
        return {
            "id": f"action:{id_}",
            "name": action.name,
            "label": self.words.named(action.name),
            "about": self.words.said(self.words.thing(action.name).text),
            "source": self.words.source(action.source),
            "phases": [f"phase:{phase}" for phase in action.phases],
            "free": action.free,
            "parameters": [
                {"name": name, "kind": kind, "label": self.words.names.argument(name, kind)} for kind, name in told
            ],
        }
