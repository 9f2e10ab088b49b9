"""Sentences with holes for the rule of a trait: what may stand in each hole comes from the model of the game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulelang.semantics import tree
from rulelang.semantics.model import Attribute, Model
from rulelang.semantics.types import BOOL, INT, PLAYER, ref
from rulelang.starters.hooks import Hookable, hookables, pattern
from rulelang.starters.positions import bearer_of

ALWAYS = "always"
_TEXT = re.compile(r'[^"\\{}\n]{1,120}')
#: So many choices a hole has: those most hooked first.
MOST = 60


class NoPhrase(ValueError):
    """What was filled in makes no rule; the message says why."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A gap of a phrase. `choices`: value and what people read; none for a `number` or a `text`."""

    name: str
    kind: str
    choices: tuple[tuple[str, str], ...] = ()
    usual: str = ""

    def plain(self) -> dict[str, Any]:
        choices = [{"value": value, "label": label} for value, label in self.choices]
        return {"name": self.name, "kind": self.kind, "choices": choices, "usual": self.usual}


@dataclass(frozen=True, slots=True)
class Phrase:
    """`parts`: words, and the names of holes in braces, in the order in which they are read."""

    id: str
    parts: str
    holes: tuple[Hole, ...] = field(default_factory=tuple)

    def plain(self) -> dict[str, Any]:
        return {"id": self.id, "parts": self.parts, "holes": [hole.plain() for hole in self.holes]}


class Phrases:
    """The phrases of one game: those whose every hole can be filled."""

    def __init__(self, model: Model, program: tree.Program) -> None:
        self.model = model
        bearer = bearer_of(model)
        self.bearer = (bearer.kind or bearer.sort.name) if bearer is not None else ""
        self.things = model.made[bearer.kind].attributes if bearer is not None and bearer.kind else {}
        found = [one for one in hookables(program) if one.place_of(self.bearer) is not None] if self.bearer else []
        self.values = {one.name: one for one in found if one.type == INT}
        self.truths = {one.name: one for one in found if one.type == BOOL}
        self.events = {one.name: one for one in found if one.type is None}
        self.routines = {
            name: given
            for name, routine in program.routines.items()
            if not routine.phase and "." not in name and (given := self.arguments(routine.params)) is not None
        }
        self.all = tuple(phrase for phrase in self.made() if all(h.choices or h.kind != "choice" for h in phrase.holes))

    def arguments(self, params: Sequence[tree.Local]) -> tuple[str, ...] | None:
        """What a routine happens to when a trait makes it happen: its bearer, its owner, a number; None if it needs
        more."""
        found = []
        for param in params:
            sure = param.type.sure()
            if sure == PLAYER:
                found.append("owner")
            elif sure == ref(self.bearer):
                found.append("self")
            elif sure == INT:
                found.append("1")
            else:
                return None
        return tuple(found) if found and len(set(found)) == len(found) else None

    # ---- what may be chosen

    def made(self) -> Iterator[Phrase]:
        who = self.bearer.replace("_", " ")
        event, when = self.choice("event", self.events), self.conditions()
        number = Hole("number", "number", usual="1")
        own, owners = self.kept(self.things), self.kept(self.model.player_attributes)
        because = Hole("because", "text", usual="it is protected")
        self_, of_owner = Hole("kept", "choice", own), Hole("price", "choice", owners)
        yield Phrase(
            "more", "Its {value} counts {number} more {when}", (self.choice("value", self.values), number, when)
        )
        yield Phrase(
            "less", "Its {value} counts {number} less {when}", (self.choice("value", self.values), number, when)
        )
        yield Phrase(
            "forbid", f"{{event}} cannot happen to this {who} {{when}}, because {{because}}", (event, when, because)
        )
        yield Phrase("cost", "{event} costs its owner {number} {price}", (event, number, of_owner))
        yield Phrase("own", f"{{event}} costs this {who} {{number}} {{kept}}", (event, number, self_))
        yield Phrase("gains", f"After {{event}}, this {who} gains {{number}} {{kept}}", (event, number, self_))
        yield Phrase("earns", "After {event}, its owner gains {number} {price}", (event, number, of_owner))
        routines = tuple((name, f"{words(name)} ({', '.join(given)})") for name, given in self.routines.items())
        yield Phrase(
            "happens", "After {event}, this happens too: {routine}", (event, Hole("routine", "choice", routines))
        )

    def choice(self, name: str, found: Mapping[str, Hookable]) -> Hole:
        return Hole(name, "choice", tuple((key, self.named(one)) for key, one in list(found.items())[:MOST]))

    def named(self, one: Hookable) -> str:
        """`attack (as the 2nd species)`, where the bearer is not its first part."""
        place = one.place_of(self.bearer) or 0
        others = [param for param in one.params if param.type.sure() == ref(self.bearer)]
        name = words(one.name)
        return f"{name} ({one.params[place].text.replace('_', ' ')})" if len(others) > 1 else name

    def kept(self, attributes: Mapping[str, Attribute]) -> tuple[tuple[str, str], ...]:
        return tuple((name, words(name)) for name, one in attributes.items() if one.type == INT and not one.index)

    def conditions(self) -> Hole:
        choices = [(ALWAYS, ALWAYS)]
        alone = [one for one in self.truths.values() if len(one.params) == 1]
        choices += [(f"{one.name}(self)", f"while {words(one.name)}") for one in alone]
        for name, label in self.kept(self.things):
            choices += [
                (f"self.{name} > 0", f"while it has {label}"),
                (f"self.{name} == 0", f"while it has no {label}"),
            ]
        return Hole("when", "choice", tuple(choices), ALWAYS)

    # ---- what it comes to

    def rule(self, id_: str, given: Mapping[str, str]) -> str:
        """The lines of rules that a phrase stands for. NoPhrase."""
        phrase = next((one for one in self.all if one.id == id_), None)
        if phrase is None:
            raise NoPhrase("there is no such phrase in this game")
        said = {hole.name: self.filled(hole, given.get(hole.name, hole.usual)) for hole in phrase.holes}
        number = said.get("number", "1")
        when = "" if said.get("when", ALWAYS) == ALWAYS else f" when {said['when']}"
        if id_ in ("more", "less"):
            hooked = self.pattern(self.values[said["value"]])
            return f"modify {hooked}: {'+' if id_ == 'more' else '-'} {number}{when}"
        hooked = self.pattern(self.events[said["event"]])
        match id_:
            case "forbid":
                return f'forbid {hooked}{when} because "{said["because"]}"'
            case "cost" | "own":
                whose, kept = ("owner", said["price"]) if id_ == "cost" else ("self", said["kept"])
                why = f'because "it costs {number} {words(kept)}"'
                forbidden = f"forbid {hooked} when {whose}.{kept} < {number} {why}"
                return f"{forbidden}\nbefore {hooked}: {whose}.{kept} -= {number}"
            case "gains":
                return f"after {hooked}: self.{said['kept']} += {number}"
            case "earns":
                return f"after {hooked}: owner.{said['price']} += {number}"
        return f"after {hooked}: {said['routine']}({', '.join(self.routines[said['routine']])})"

    def pattern(self, one: Hookable) -> str:
        return pattern(one, one.place_of(self.bearer))

    def filled(self, hole: Hole, value: str) -> str:
        if hole.kind == "number":
            if not re.fullmatch(r"[0-9]{1,4}", value):
                raise NoPhrase(f"`{value}` is no number that can stand there")
        elif hole.kind == "text":
            value = value.strip()
            if not _TEXT.fullmatch(value):
                raise NoPhrase("say why in a few plain words, without quotes and braces")
        elif value not in {known for known, _ in hole.choices}:
            raise NoPhrase(f"choose what stands for `{hole.name}`")
        return value


def words(name: str) -> str:
    return name.replace("_", " ")
