"""`look NAME`: all that is to be said of a card, a thing, a row, a trait, a zone or an action, by its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulelang.engine.decision import normal
from rulelang.engine.state import State
from rulelang.present import catalogue, document
from rulelang.texts.language import Language
from rulelang.texts.wrapping import wrapped

#: More than so many things of one name are not told one by one.
MOST = 8


def looked_up(state: State, viewer: int | None, name: str, columns: int = 100) -> list[str]:
    """The lines of what is called so, or begins so: as a seat sees it on the table, else as it is in the game."""
    wanted, language = normal(name), state.names.language
    table: Any = document(state, viewer)
    game: Any = catalogue(state.table, language)
    # Cards that are called by the traits that they can be are told of with those.
    game["cards"] = [card for card in game["cards"] if card["row"] or not card["traits"]]
    for part in (table, game):
        found = {_told(thing, language): None for thing in _parts(part) if normal(thing["label"]) == wanted}
        found = found or {
            _told(thing, language): None for thing in _parts(part) if normal(thing["label"]).startswith(wanted)
        }
        found = found or (_counted(table, wanted, language) if part is game else {})
        if found:
            return [line for text in [*found][:MOST] for line in wrapped(text, columns, "  ", " " * 6)]
    return []


def _counted(table: Any, wanted: str, language: Language) -> dict[str, None]:
    """What is kept under a name, of whom: `Ana: 3 points; what the game is won by`."""
    every = [*_facts(table, "")]
    same = [one for one in every if normal(one[1]["label"]) == wanted]
    chosen = same or [one for one in every if normal(one[1]["label"]).startswith(wanted)]
    found: dict[str, None] = {}
    for whose, fact in chosen:
        said = fact["phrase"] or fact["label"]
        told = language.clauses([said, *([fact["about"]] if fact.get("about") else [])])
        found[language.say("{name}: {what}", name=whose, what=told) if whose else told] = None
    return found


def _facts(value: Any, whose: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every fact of a table, with what it is a fact of: "" for one of the game."""
    if isinstance(value, dict):
        if {"label", "phrase", "value"} <= value.keys():
            yield whose, value
            return
        own = value["label"] if "label" in value and "id" in value else whose
        for key, inner in value.items():
            if key not in ("question", "options"):
                yield from _facts(inner, own)
    elif isinstance(value, list):
        for inner in value:
            yield from _facts(inner, whose)


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Everything that has a name and can be told of; facts and options tell of something else."""
    if isinstance(value, dict):
        if "label" in value and "id" in value and not {"phrase", "sentence", "value"} & value.keys():
            yield value
        for key, inner in value.items():
            if key != "question":
                yield from _parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner)


def _told(part: dict[str, Any], language: Language) -> str:
    def named(name: str, what: str) -> str:
        return language.say("{name}: {what}", name=name, what=what)

    facts = [*part.get("facts", ()), *part.get("kept", ())]
    said = language.clauses([fact["phrase"] for fact in facts if not fact["quiet"] and fact["phrase"]])
    text = " ".join((part.get("text") or part.get("about") or "").split("\n"))
    members = language.clauses([named(m["label"], m["about"]) for m in part.get("members", ()) if m["about"]])
    lying = language.clauses(
        [
            named(zone["label"], language.row([card["label"] for card in zone["cards"]]))
            for zone in part.get("zones", ())
            if zone.get("cards")
        ]
    )
    told = language.sentences([words for words in (said, lying, text, members) if words])
    return named(part["label"], told) if told else str(part["label"])
