"""The data that a form page shows: fields, phrases for new rules, rules in words, and likely mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from rulelang.apps.studio.workshop import files
from rulelang.apps.studio.workshop.files import OutsideFolder
from rulelang.apps.studio.workshop.form import (
    Field,
    NoForm,
    Place,
    form_of,
    numbered_rules,
    rules_of,
    text_with_field,
    title_of,
    with_rule,
    without_rule,
)
from rulelang.apps.studio.workshop.project_session import ProjectSession, is_understood
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.labels import name_in_words
from rulelang.base.languages import ENGLISH, Language, PhrasedError
from rulelang.base.phrases import Phrase, phrase
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.data.catalogues import load_translations
from rulelang.data.text import TextEdits
from rulelang.language.semantics import tree
from rulelang.language.semantics.card_questions import Sum, other_sums
from rulelang.language.semantics.model import BOOL, INT, PLAYER, Attribute, Model, ref
from rulelang.tools.lint.run import lint_compilation
from rulelang.tools.printing.printed_names import Names
from rulelang.tools.printing.rule_texts import Flow, declared_in, in_short
from rulelang.tools.scaffolding.hooks import Hookable, hook_pattern, hookables
from rulelang.tools.scaffolding.positions import bearer_of

# ---- phrases for rules

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
class RulePhrase:
    """`parts`: words, and the names of holes in braces, in the order in which they are read."""

    id: str
    parts: str
    holes: tuple[Hole, ...] = field(default_factory=tuple)

    def plain(self) -> dict[str, Any]:
        return {"id": self.id, "parts": self.parts, "holes": [hole.plain() for hole in self.holes]}


class RulePhrases:
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
        return self.language.word(name_in_words(name))

    # ---- what may be chosen

    def made(self) -> Iterator[RulePhrase]:
        say, who = self.language.say, self.word(self.bearer)
        gap = {name: f"{{{name}}}" for name in HOLES}
        event, when = self.happenings("event", self.events), self.conditions()
        survived = self.happenings("event", self.survived)
        number = Hole("number", "number", usual="1")
        own, owners = self.kept(self.things), self.kept(self.model.player_attributes)
        because = Hole("because", "text", usual=say("it is protected"))
        self_, of_owner = Hole("kept", "choice", own), Hole("price", "choice", owners)
        yield RulePhrase(
            "more",
            say("Its {value} is {number} higher {when}", **gap),
            (self.choice("value", self.values), number, when),
        )
        yield RulePhrase(
            "less",
            say("Its {value} is {number} lower {when}", **gap),
            (self.choice("value", self.values), number, when),
        )
        yield RulePhrase(
            "forbid",
            say("{event} cannot happen to this {who} {when}, because {because}", who=who, **gap),
            (event, when, because),
        )
        yield RulePhrase(
            "forbid_by",
            say("{meeting} cannot happen to this {who} from one {whom}, because {because}", who=who, **gap),
            (self.happenings("meeting", self.meetings), Hole("whom", "choice", self.others()), because),
        )
        yield RulePhrase("cost", say("{event} costs its owner {number} {price}", **gap), (event, number, of_owner))
        yield RulePhrase("own", say("{event} costs this {who} {number} {kept}", who=who, **gap), (event, number, self_))
        yield RulePhrase(
            "gains", say("After {event}, this {who} gains {number} {kept}", who=who, **gap), (survived, number, self_)
        )
        yield RulePhrase(
            "earns", say("After {event}, its owner gains {number} {price}", **gap), (event, number, of_owner)
        )
        routines = tuple((name, f"{self.word(name)} ({', '.join(given)})") for name, given in self.routines.items())
        yield RulePhrase(
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
            hooked = hook_pattern(value, value.place_of(self.bearer))
            return f"modify {hooked}: {'+' if id_ == 'more' else '-'} {number}{when}"
        if id_ == "forbid_by":
            meeting, mine, other = self.meetings[said["meeting"]]
            name = meeting.params[other].text
            parts = ["self" if n == mine else name if n == other else "any" for n in range(max(mine, other) + 1)]
            condition = re.sub(r"\bOTHER\b", name, said["whom"])
            return f'forbid {meeting.name}({", ".join(parts)}) when {condition} because "{said["because"]}"'
        hooked = hook_pattern(*self.events[said["event"]])
        match id_:
            case "forbid":
                return f'forbid {hooked}{when} because "{said["because"]}"'
            case "cost" | "own":
                whose, kept = ("owner", said["price"]) if id_ == "cost" else ("self", said["kept"])
                why = f'because "it costs {number} {name_in_words(kept)}"'
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


# ---- rules in words


def rules_in_words(desk: ProjectSession, trait: str, path: str, language: Language) -> dict[str, list[str]]:
    """By each rule that stands in the file of a trait, as it was saved last: what it says, a line for each thing that
    it hooks. Nothing while data or rules are mistaken, and for what is no hook."""
    with desk.lock:
        made = desk.checked()
        if made is None or not is_understood(made[1], rules=True):
            return {}
        names = Names(made[1], language)
        flow = Flow(names)
        own = [
            item
            for item in declared_in(names.program)
            if item.origin.what == "trait" and item.origin.name == trait and desk.relative(item.span.path) == path
        ]
        own.sort(key=lambda item: item.span.line)
        said = [[*some] for _, some in groupby(own, lambda item: item.span.line)]
        try:
            rules = rules_of(files.read_file(desk.folder, path).text, path)
        except (NoForm, OutsideFolder, files.Unreadable):
            return {}
        if len(rules) != len(said):  # then nobody knows which is which
            return {}
        return {
            rule: [
                f"{hook.event}: {hook.says}{f' – {hook.when}' if hook.when else ''}"
                for hook in in_short(names, flow, [item for item in items if isinstance(item, tree.Hook)])
            ]
            for rule, items in zip(rules, said, strict=True)
        }


# ---- expected sums


@dataclass(slots=True)
class FollowedSums:
    """The texts in which other numbers are expected now, by file as the page names it; what is said of each number."""

    texts: dict[str, str] = field(default_factory=dict)
    notes: list[Phrase] = field(default_factory=list)


def followed_sums(desk: ProjectSession, path: str, before: str, after: str, unsaved: Mapping[str, str]) -> FollowedSums:
    """What is expected otherwise where one text becomes another. `unsaved`: what other files say on the page.

    Only numbers that were right follow: what was wrong before the change is its author's to say.
    """
    found = FollowedSums()
    others = {name: text for name, text in unsaved.items() if name != path}
    wrong = {one.number.span for one in _sums(desk.as_if({**others, path: before}))}
    edits: dict[str, TextEdits] = {}
    for one in _sums(desk.as_if({**others, path: after})):
        name = desk.relative(one.number.span.path)
        if one.number.span in wrong or name is None:
            continue
        if name not in edits:
            text = after if name == path else others.get(name)
            try:
                edits[name] = TextEdits(files.read_file(desk.folder, name).text if text is None else text)
            except (OutsideFolder, files.Unreadable):
                continue
        edits[name].replace(one.number.span, str(one.came))
        found.notes.append(
            phrase(
                "`{sum}` of `{sort}` must now be {n}, in {file}",
                sum=one.word.text, sort=one.sort.name, n=one.came, file=name,
            )
        )  # fmt: skip
    found.texts = {name: edit.result() for name, edit in edits.items()}
    return found


def _sums(compilation: Compilation | None) -> list[Sum]:
    """Those that the cards do not come to; none where that cannot be said."""
    if compilation is None:
        return []
    try:
        return other_sums(compilation.source, compilation.model, compilation.program, Diagnostics())
    except LoadError:
        return []


# ---- the form

#: The rules of `lint` that report a rule, or a part of one, without effect.
WITHOUT_EFFECT = ("hook-without-effect", "modify-without-effect", "read-through-gone")


def form_as_data(
    desk: ProjectSession, path: str, text: str, given: Mapping[str, Any], language: Language = ENGLISH
) -> dict[str, Any]:
    """The form of a text, JSON-able. What `given` asks for is done to the text first: a field `at` a place says another
    `value`; a rule more, by a `phrase` with `holes`; the rule of a number dropped (`drop`). What fields are called,
    `language` says. What files expect of their cards follows, in the text or in other files (`also`), and is told in
    `notes`. `unsaved` are texts of other files that the page holds. NoForm, NoPhrase."""
    model = desk.model
    if model is None:
        raise NoForm(phrase("there is no readable game here"))
    sums = FollowedSums()
    languages = tuple(str(code) for code in given.get("languages", ["en"]))[:20]
    catalogues = desk.catalogues()
    if path in catalogues.values() and "at" in given:
        english = str([*given["at"], ""][1])
        text = text_with_field(text, path, Field(("texts", english), english, "text", ""), given.get("value"))
        return {"text": text, "fields": [], "rules": [], "also": [], "notes": []}
    if "phrase" in given:
        text = with_rule(text, path, _phrase(desk, model, given))
    elif isinstance(given.get("drop"), int):
        text = without_rule(text, path, given["drop"])
    elif "at" in given:
        at = tuple(part for part in given["at"] if isinstance(part, (str, int)))
        field = next((one for one in form_of(text, path, model, languages, language) if one.at == at), None)
        if field is None:
            raise NoForm(phrase("this field no longer exists"))
        before, text = text, text_with_field(text, path, field, given.get("value"))
        if field.kind != "text":
            unsaved = given.get("unsaved")
            held = {str(k): str(v) for k, v in unsaved.items()} if isinstance(unsaved, dict) else {}
            sums = followed_sums(desk, path, before, text, held)
            text = sums.texts.pop(path, text)
    found = form_of(text, path, model, languages, language)
    trait = next((name for name, one in model.traits.items() if desk.relative(one.span.path) == path), "")
    more = fields_elsewhere(desk, model, trait, path, languages, language) if trait else ()
    fields = translated_fields(desk, catalogues, [*found, *more], name_in_words(trait))
    known = rules_in_words(desk, trait, path, language) if trait else {}
    likely = likely_mistakes(desk, path) if trait else {}
    rules = [
        {"text": rule, "said": known.get(rule, []), "notes": likely.get(rule, [])} for rule in rules_of(text, path)
    ]
    return {
        "text": text, "fields": [one.plain() for one in fields], "rules": rules,
        "also": [{"path": other, "text": now} for other, now in sums.texts.items()],
        "notes": [language.render(note) for note in sums.notes],
    }  # fmt: skip


def translated_fields(
    desk: ProjectSession, catalogues: Mapping[str, str], fields: list[Field], name: str
) -> Iterator[Field]:
    """Texts in a language of which there is a catalogue are said there, unless the file itself says them. `name`: what
    the trait is called if nothing is written."""
    english: dict[Place, str] = {("name",): name}
    texts = [one for one in fields if one.kind == "text" and one.value]
    english |= {one.at[:-1] if one.at[-1] == "en" else one.at: str(one.value) for one in texts}
    said: dict[str, dict[str, str]] = {}
    for one in fields:
        code = str(one.at[-1])
        source = " ".join(english.get(one.at[:-1], "").split())
        if one.kind != "text" or one.value or code not in catalogues or not source:
            yield one
            continue
        if code not in said:
            said[code] = load_translations([desk.home], code) if desk.home is not None else {}
        yield replace(one, at=("texts", source), value=said[code].get(source, ""), path=catalogues[code])


def fields_elsewhere(
    desk: ProjectSession, model: Model, trait: str, path: str, languages: tuple[str, ...], language: Language
) -> Iterator[Field]:
    """The fields of rows that bear a trait in other files of the folder."""
    for other in desk.card_files(model):
        if other == path:
            continue
        try:
            text = files.read_file(desk.folder, other).text
            fields = form_of(text, other, model, languages, language)
        except (NoForm, OutsideFolder, files.Unreadable):
            continue
        for one in fields:
            if trait in one.traits:
                group = language.say("Its cards, in {file}: {row}", file=other, row=one.group)
                yield replace(one, path=other, group=group)


def likely_mistakes(desk: ProjectSession, path: str) -> dict[str, list[str]]:
    """Return, by each rule in a trait's saved file, what `lint` reports about rules that do nothing."""
    with desk.lock:
        made = desk.checked()
        if made is None or made[1].diagnostics.failed:
            return {}
        found = [one.diagnostic for one in lint_compilation(made[1], select=WITHOUT_EFFECT).advice]
        mine = [one for one in found if desk.relative(one.span.path) == path]
        if not mine:
            return {}
        try:
            text = files.read_file(desk.folder, path).text
            numbered = numbered_rules(text, path)
        except (NoForm, OutsideFolder, files.Unreadable):
            return {}
    said: dict[str, list[str]] = {}
    for rule, first, last in numbered:
        notes = [f"{one.message}. {one.hint}" if one.hint else one.message for one in mine
                 if first <= one.span.line <= last]  # fmt: skip
        said[rule] = [*said.get(rule, []), *notes]
    return said


def _phrase(desk: ProjectSession, model: Model, given: Mapping[str, Any]) -> str:
    with desk.lock:
        made = desk.checked()
        program = made[1].program if made is not None else None
    if program is None:
        raise NoForm(phrase("there is no readable game here"))
    holes = given.get("holes")
    said = {str(k): str(v) for k, v in holes.items()} if isinstance(holes, dict) else {}
    return RulePhrases(model, program).rule(str(given["phrase"]), said)
