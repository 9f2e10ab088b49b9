"""`look NAME`: all that is to be said of a card, a thing, a row, a trait, a zone, an action or a phase, by its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulelang.base.languages import Language
from rulelang.base.terminal import wrap_text
from rulelang.presentation.view import catalogue, document
from rulelang.runtime.decision import normal
from rulelang.runtime.state import State

#: More than so many things of one name are not told one by one.
MOST = 8


def looked_up(state: State, viewer: int | None, name: str, columns: int = 100) -> list[str]:
    """The lines of what is called so, or begins so: as a seat sees it on the table, else as it is in the game. What the
    rules call it is understood in every language."""
    wanted, language = normal(name), state.names.language
    table: Any = document(state, viewer)
    game: Any = catalogue(state.table, language)
    # Cards that are called by the traits that they can be are told of with those.
    game["cards"] = [card for card in game["cards"] if card["row"] or not card["traits"]]
    told = _Told(language, game)
    for part in (table, game):
        parts = [(thing, normal(thing["label"])) for thing in _parts(part)]
        same = [thing for thing, name in parts if name == wanted]
        found = dict.fromkeys(map(told.of, same or [thing for thing, name in parts if name.startswith(wanted)]))
        if not found and part is game:
            found = _counted(table, wanted, language) or _kept(game, wanted, language)
            found = found or dict.fromkeys(told.of(thing) for thing, _ in parts if _in_rules(thing) == wanted)
        if found:
            lines = [one for one in found if not any(one != other and _says(other, one) for other in found)]
            return [line for text in lines[:MOST] for line in wrap_text(text, columns, "  ", " " * 6)]
    return []


def _in_rules(thing: dict[str, Any]) -> str:
    """What the rules call something, as it is compared."""
    return normal(thing["id"].partition(":")[2].rpartition(".")[2].replace("_", " "))


def _says(longer: str, shorter: str) -> bool:
    """Whether one line, of a card, tells all that another does, of the trait of its name."""
    name = shorter[: shorter.find(":") + 1] if ":" in shorter else ""
    return bool(name) and longer.startswith(name) and longer.endswith(shorter.removeprefix(name))


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


def _kept(game: Any, wanted: str, language: Language) -> dict[str, None]:
    """What a value means that nothing on the table has now."""
    return {
        language.say("{name}: {what}", name=member["label"], what=member["about"]): None
        for kind in game["kinds"]
        for member in kind["members"]
        if member["about"] and normal(member["label"]).startswith(wanted)
    }


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


class _Told:
    """Says in one line what there is to be said of a part. `game`: the catalogue, for what is done in a phase."""

    def __init__(self, language: Language, game: Any) -> None:
        self.language, self.game = language, game

    def named(self, name: str, what: str) -> str:
        return self.language.say("{name}: {what}", name=name, what=what)

    def of(self, part: dict[str, Any]) -> str:
        language = self.language
        said = self.facts(part)
        text = " ".join((part.get("text") or part.get("about") or "").split("\n"))
        members = language.clauses([self.named(m["label"], m["about"]) for m in part.get("members", ()) if m["about"]])
        # What is laid on a place says what holds there; of a hand, names are enough.
        card = self.label if "seat" in part else self.card
        lying = language.clauses(
            [
                self.named(zone["label"], language.row([card(one) for one in zone["cards"]]))
                for zone in part.get("zones", ())
                if zone.get("cards")
            ]
        )
        told = [words for words in (said, lying, text, members, self.done(part)) if words]
        if told:
            return self.named(part["label"], language.sentences(told))
        phase = part["id"].startswith("phase:")
        return language.say("{name} (phase)", name=part["label"]) if phase else str(part["label"])

    def facts(self, part: dict[str, Any]) -> str:
        facts = [*part.get("facts", ()), *part.get("kept", ())]
        return self.language.clauses([fact["phrase"] for fact in facts if not fact["quiet"] and fact["phrase"]])

    def label(self, card: dict[str, Any]) -> str:
        return str(card["label"])

    def card(self, card: dict[str, Any]) -> str:
        """A card, with what is printed on it."""
        printed = self.facts(card)
        return self.language.say("{name} ({what})", name=card["label"], what=printed) if printed else self.label(card)

    def done(self, part: dict[str, Any]) -> str:
        """What players may do in a phase; in which phases an action may be done."""
        if part["id"].startswith("phase:"):
            actions = [action["label"] for action in self.game["actions"] if part["id"] in action["phases"]]
            return self.language.say("actions in it: {actions}", actions=self.language.row(actions)) if actions else ""
        names = {phase["id"]: phase["label"] for phase in self.game["phases"]}
        phases = [names[phase] for phase in part.get("phases", ()) if phase in names]
        return self.language.say("possible in: {phases}", phases=self.language.row(phases)) if phases else ""
