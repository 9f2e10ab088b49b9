"""Sentences with holes for the rule of a trait: what may stand in each hole comes from the model of the game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulelang.apps.studio.workshop.form import title_of
from rulelang.base.languages import ENGLISH, Language, PhrasedError
from rulelang.base.phrases import phrase
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL, INT, PLAYER, Attribute, Model, ref
from rulelang.tools.scaffolding.hooks import Hookable, hookables, pattern
from rulelang.tools.scaffolding.positions import bearer_of

ALWAYS = "always"
#: The holes of phrases, which languages put where they belong.
HOLES = ("value", "number", "when", "event", "because", "meeting", "whom", "price", "kept", "routine")
#: Behind the name of an event: which of its parts is the bearer of the trait, where it is not the first.
AS = "@"
_TEXT = re.compile(r'[^"\\{}\n]{1,120}')
#: So many choices a hole has: those most hooked first.
MOST = 60


class NoPhrase(PhrasedError, ValueError):
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
    """The phrases of one game: those whose every hole can be filled. `language`: the language that they are said in."""

    def __init__(self, model: Model, program: tree.Program, language: Language = ENGLISH) -> None:
        self.model, self.language = model, language
        bearer = bearer_of(model)
        self.bearer = (bearer.kind or bearer.sort.name) if bearer is not None else ""
        self.things = model.made[bearer.kind].attributes if bearer is not None and bearer.kind else {}
        found = [one for one in hookables(program) if one.place_of(self.bearer) is not None] if self.bearer else []
        self.values = {one.name: one for one in found if one.type == INT}
        self.truths = {one.name: one for one in found if one.type == BOOL}
        self.events = {key: (one, place) for one in found if one.type is None for key, place in self.places(one)}
        #: Events in which two of a kind meet: the bearer's place, and that of the other one.
        self.meetings = {
            key: (one, place, others[0])
            for key, (one, place) in self.events.items()
            if len(others := [n for n in self.bearers(one) if n != place]) == 1
        }
        #: Those after which the bearer is still in play.
        self.survived = {key: (one, place) for key, (one, place) in self.events.items() if place not in one.gone}
        answered = {hook.pattern.event for hook in program.triggers if hook.always or hook.origin.what == "core"}
        self.routines = {
            name: given
            for name, routine in program.routines.items()
            if not routine.phase
            and "." not in name
            and (not routine.event_only or name in answered)  # else nothing happens by itself
            and (given := self.arguments(routine.params)) is not None
        }
        self.all = tuple(one for one in self.made() if all(h.choices or h.kind != "choice" for h in one.holes))

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

    def word(self, name: str) -> str:
        """A name of the rules as people read it."""
        return self.language.word(words(name))

    # ---- what may be chosen

    def made(self) -> Iterator[Phrase]:
        say, who = self.language.say, self.word(self.bearer)
        gap = {name: f"{{{name}}}" for name in HOLES}
        event, when = self.happenings("event", self.events), self.conditions()
        survived = self.happenings("event", self.survived)
        number = Hole("number", "number", usual="1")
        own, owners = self.kept(self.things), self.kept(self.model.player_attributes)
        because = Hole("because", "text", usual=say("it is protected"))
        self_, of_owner = Hole("kept", "choice", own), Hole("price", "choice", owners)
        yield Phrase(
            "more",
            say("Its {value} is {number} higher {when}", **gap),
            (self.choice("value", self.values), number, when),
        )
        yield Phrase(
            "less",
            say("Its {value} is {number} lower {when}", **gap),
            (self.choice("value", self.values), number, when),
        )
        yield Phrase(
            "forbid",
            say("{event} cannot happen to this {who} {when}, because {because}", who=who, **gap),
            (event, when, because),
        )
        yield Phrase(
            "forbid_by",
            say("{meeting} cannot happen to this {who} from one {whom}, because {because}", who=who, **gap),
            (self.happenings("meeting", self.meetings), Hole("whom", "choice", self.others()), because),
        )
        yield Phrase("cost", say("{event} costs its owner {number} {price}", **gap), (event, number, of_owner))
        yield Phrase("own", say("{event} costs this {who} {number} {kept}", who=who, **gap), (event, number, self_))
        yield Phrase(
            "gains", say("After {event}, this {who} gains {number} {kept}", who=who, **gap), (survived, number, self_)
        )
        yield Phrase("earns", say("After {event}, its owner gains {number} {price}", **gap), (event, number, of_owner))
        routines = tuple((name, f"{self.word(name)} ({', '.join(given)})") for name, given in self.routines.items())
        yield Phrase(
            "happens",
            say("After {event}, this also happens: {routine}", **gap),
            (survived, Hole("routine", "choice", routines)),
        )

    def choice(self, name: str, found: Mapping[str, Hookable]) -> Hole:
        return Hole(name, "choice", tuple((key, self.word(key)) for key in list(found)[:MOST]))

    def happenings(self, name: str, found: Mapping[str, tuple[Hookable, int, *tuple[int, ...]]]) -> Hole:
        return Hole(name, "choice", tuple((key, self.named(one[0], one[1])) for key, one in list(found.items())[:MOST]))

    def bearers(self, one: Hookable) -> list[int]:
        """The parts of an event that may be the bearer."""
        return [n for n, param in enumerate(one.params) if param.type.sure() == ref(self.bearer)]

    def places(self, one: Hookable) -> Iterator[tuple[str, int]]:
        """An event once for each of its parts that may be the bearer, the later ones first: to them it is done."""
        first, *more = self.bearers(one)
        for place in reversed(more):
            yield f"{one.name}{AS}{place}", place
        yield one.name, first

    def named(self, one: Hookable, place: int) -> str:
        """`attack (as prey)`, where there is a choice."""
        name = self.word(one.name)
        if len(self.bearers(one)) < 2:
            return name
        return self.language.say("{event} (as {role})", event=name, role=self.word(one.params[place].text))

    def others(self) -> tuple[tuple[str, str], ...]:
        """What may be so of the other one of a meeting, by its condition, in which `OTHER` is the other one."""
        say, who = self.language.say, self.word(self.bearer)
        found = []
        if self.bearer in self.model.made and self.model.made[self.bearer].of == "player":
            found.append(
                (f"count({self.bearer} x of OTHER.owner) == 1", say("whose player has no other {who}", who=who))
            )
        for name, label in self.kept(self.things):
            found += [
                (f"OTHER.{name} == 1", say("whose {value} is 1", value=label)),
                (f"OTHER.{name} < self.{name}", say("whose {value} is smaller than its own", value=label)),
                (f"OTHER.{name} > self.{name}", say("whose {value} is larger than its own", value=label)),
            ]
        for name in self.model.traits:
            title = title_of(self.model, name, self.language)
            found += [
                (f"not (OTHER has {name})", say("without {trait}", trait=title)),
                (f"OTHER has {name}", say("with {trait}", trait=title)),
            ]
        return tuple(found)

    def kept(self, attributes: Mapping[str, Attribute]) -> tuple[tuple[str, str], ...]:
        return tuple((name, self.word(name)) for name, one in attributes.items() if one.type == INT and not one.index)

    def conditions(self) -> Hole:
        say = self.language.say
        choices = [(ALWAYS, say("always"))]
        alone = [one for one in self.truths.values() if len(one.params) == 1]
        choices += [(f"{one.name}(self)", say("while {condition}", condition=self.word(one.name))) for one in alone]
        for name, label in self.kept(self.things):
            choices += [
                (f"self.{name} > 0", say("while it has {value}", value=label)),
                (f"self.{name} == 0", say("while it has no {value}", value=label)),
            ]
        return Hole("when", "choice", tuple(choices), ALWAYS)

    # ---- what it comes to

    def rule(self, id_: str, given: Mapping[str, str]) -> str:
        """The lines of rules that a phrase stands for. NoPhrase."""
        chosen = next((one for one in self.all if one.id == id_), None)
        if chosen is None:
            raise NoPhrase(phrase("this game has no such sentence"))
        said = {hole.name: self.filled(hole, given.get(hole.name, hole.usual)) for hole in chosen.holes}
        number = said.get("number", "1")
        when = "" if said.get("when", ALWAYS) == ALWAYS else f" when {said['when']}"
        if id_ in ("more", "less"):
            value = self.values[said["value"]]
            hooked = pattern(value, value.place_of(self.bearer))
            return f"modify {hooked}: {'+' if id_ == 'more' else '-'} {number}{when}"
        if id_ == "forbid_by":
            meeting, mine, other = self.meetings[said["meeting"]]
            name = meeting.params[other].text
            parts = ["self" if n == mine else name if n == other else "any" for n in range(max(mine, other) + 1)]
            condition = re.sub(r"\bOTHER\b", name, said["whom"])
            return f'forbid {meeting.name}({", ".join(parts)}) when {condition} because "{said["because"]}"'
        hooked = pattern(*self.events[said["event"]])
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

    def filled(self, hole: Hole, value: str) -> str:
        if hole.kind == "number":
            if not re.fullmatch(r"[0-9]{1,4}", value):
                raise NoPhrase(phrase("`{word}` is not a valid number here", word=value))
        elif hole.kind == "text":
            value = value.strip()
            if not _TEXT.fullmatch(value):
                raise NoPhrase(phrase("give the reason in a few plain words, without quotes or braces"))
        elif value not in {known for known, _ in hole.choices}:
            raise NoPhrase(phrase("choose a value for `{hole}`", hole=hole.name))
        return value


def words(name: str) -> str:
    return name.replace("_", " ")
