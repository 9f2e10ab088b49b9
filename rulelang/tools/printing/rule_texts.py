"""Rules in words, as a rulebook has them: conditions and values, the flow of the game, and hooks of traits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from rulelang.base.labels import Label
from rulelang.base.phrases import Filling, Phrase, RuleName, phrase
from rulelang.base.wording import capitalized
from rulelang.compiler.lower.narration.conditions import Clauses, wording_of
from rulelang.compiler.lower.narration.nouns import (
    IT,
    grammatical_number,
    relative_clause,
    things_such_that,
    with_article,
)
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import MISSING_INT, PLAYER
from rulelang.language.semantics.state_layout import type_name
from rulelang.tools.printing.document import Action, Hook, Phase, Step
from rulelang.tools.printing.printed_names import Names

# ---- conditions and values

#: Names of locals up to this length say nothing: what they stand for is called by its kind.
SHORT = 2
_BEARERS = {
    "self": phrase("the bearer"),
    "this": phrase("this card"),
    "owner": phrase("its owner"),
    "partner": phrase("its partner"),
}


class Phrases(Clauses):
    """The sentences that refusals are made of, with names in the place of a game's values: there is no game here."""

    def __init__(self, names: Names) -> None:
        super().__init__(values=False)
        self.names = names
        self.called: dict[str, Filling] = {}

    def wording(self, name: str) -> tuple[Label, Sequence[str]]:
        return wording_of(self.names.program, self.names.model, name)

    def member_wording(self, kind: str, name: str) -> Label:
        return self.names.model.labels.member(kind, name)

    def read(self, e: tree.Expr) -> Filling:
        match e:
            case tree.NumberRef(index=None):
                numbers = set(self.names.model.numbers[e.name].by_players.values())
                only = numbers.pop() if len(numbers) == 1 else None
                return only if isinstance(only, int) else phrase("the {name}", name=RuleName(e.name))
            case tree.Const():
                return self.constant(e)
        return self.unread(e)

    def known(self, e: tree.Expr) -> int | None:
        number = self.read(e) if isinstance(e, tree.NumberRef) and e.index is None else None
        return number if isinstance(number, int) else super().known(e)

    def unread(self, e: tree.Expr) -> Filling:
        match e:
            case tree.StateRef() if e.type.sure() == PLAYER and not self.names.member("", e.attribute.name).name:
                return phrase("the {name} player", name=RuleName(e.attribute.name, "word"))
            case tree.BuiltinCall(name="step", args=(level, tree.Const(value=1))):
                return phrase("the {kind} after {thing}", kind=RuleName(e.type.name), thing=self.noun(level))
            case tree.BuiltinCall(
                name="step", args=(level, tree.Const(value=-1) | tree.Negative(operand=tree.Const(value=1)))
            ):
                return phrase("the {kind} before {thing}", kind=RuleName(e.type.name), thing=self.noun(level))
            case tree.IfElse() if e.type.tag != "bool":
                then, other, test = self.unread(e.then), self.unread(e.otherwise), self.unsure(e.test, True)
                return phrase("{then} if {condition}, else {otherwise}", then=then, condition=test, otherwise=other)
        return super().unread(e)

    def _compare(self, e: tree.Compare, holds: bool) -> Phrase:
        if isinstance(e.left, tree.StateRef) and isinstance(e.right, tree.BuiltinRef) and e.op in ("==", "!="):
            return self._compare(replace(e, left=e.right, right=e.left), holds)  # of the two the one that is known
        if isinstance(e.left, tree.BuiltinRef) and isinstance(e.right, tree.StateRef) and e.op in ("==", "!="):
            holds = holds == (e.op == "==")
            thing, value = self.noun(e.left), self.noun(e.right)
            if holds:
                return phrase("{thing} {n:is|are} {value}", thing=thing, n=1, value=value)
            return phrase("{thing} {n:is|are} not {value}", thing=thing, n=1, value=value)
        return super()._compare(e, holds)

    def constant(self, e: tree.Const) -> Filling:
        type_ = e.type
        if type_.tag == "bool":
            return phrase("true") if e.value else phrase("false")
        if type_.tag == "int":
            return phrase("none") if e.value == MISSING_INT else str(e.value)
        if type_.name == "phase":
            phases = (r.id for r in self.names.program.routines.values() if r.number == e.value)
            return self.names.named(next(phases, ""))
        if type_.name.startswith("option "):
            return self.names.word(self.names.model.options[type_.name.removeprefix("option ")].values[e.value - 1])
        named = self.names.row(type_.name, e.value)
        return (named if type_.name == "trait" else named[:1].lower() + named[1:]) or phrase("none")

    def local(self, local: tree.Local) -> Filling:
        """What a variable is called: `the hunter`, or by its kind where its name is a letter."""
        if local.name in self.called:
            return self.called[local.name]
        if local.text in _BEARERS:
            return _BEARERS[local.text]
        short = len(local.text) <= SHORT
        if local.type.tag == "bool" or (local.type.tag == "int" and not short):
            return RuleName(local.text)
        kind = RuleName(local.type.name if local.type.tag == "ref" else "number")
        taken = self.called.values()
        names = [
            phrase("the {name}", name=kind if short else RuleName(local.text)),
            phrase("the other {name}", name=kind),
            phrase("the third {name}", name=kind),
        ]
        said = next((name for name in names if name not in taken), RuleName(local.text))
        self.called[local.name] = said
        return said

    def rolled(self, local: tree.Local) -> Filling:
        """What dice have shown is called, from here on."""
        short = len(local.text) <= SHORT
        said = phrase("the roll") if short else phrase("the {name}", name=RuleName(local.text))
        self.called[local.name] = said
        return said

    @contextmanager
    def block(self) -> Iterator[None]:
        """What is bound in a block is forgotten behind it."""
        called = self.called.copy()
        yield
        self.called = called

    # ---- whole phrases, in the language

    def text(self, said: Filling) -> str:
        return self.names.say(said)

    def condition(self, e: tree.Expr, holds: bool = True) -> str:
        """A clause: `the game is in its last round`."""
        return self.text(self.fact(e, holds))

    def thing(self, e: tree.Expr) -> str:
        return self.text(self.noun(e))

    def place(self, zone: tree.AnyZone) -> str:
        return self.text(self.zone(zone))

    def _extreme(self, things: Filling, extreme: tree.Extreme, more: bool, *, many: bool) -> Phrase:
        """Things with the most or the least of something; `more`: something else was said of them before."""
        value = self.unread(extreme.key)
        n = grammatical_number(value)
        if extreme.way == "most":
            clause = phrase("{value} {n:is|are} greatest", value=value, n=n)
        else:
            clause = phrase("{value} {n:is|are} least", value=value, n=n)
        which = relative_clause(clause, 2 if many else 1)
        if which is None:
            return phrase("{things} for which {condition}", things=things, condition=clause)
        if more:
            return phrase("{things}, {which}", things=things, which=which)
        return phrase("{things} {which}", things=things, which=which)

    def told(self, parts: tuple[str | tree.Expr, ...]) -> str:
        """What `tells` or `because` say."""
        language = self.names.language
        things = [part for part in parts if not isinstance(part, str)]
        said = tuple(part if isinstance(part, str) else (things.index(part), _kind(part)) for part in parts)
        words = []
        for part in language.parts(said):
            if isinstance(part, str):
                words.append(part)
                continue
            e = things[part[0]]
            words.append(part[1].rpartition("|")[2] if part[1].startswith(":") else self.thing(e))
        return "".join(words)

    def each(self, binder: tree.Binder, article: str) -> str:
        """What a binder goes through: `each card in your hand that is red`."""
        local = binder.local
        said = self.domain(
            with_article(local.type.name if local.type.tag == "ref" else "number", article), binder.domain
        )
        before = self.bound.get(local.name)
        self.bound[local.name] = IT
        if binder.where is not None:
            said = things_such_that(said, self.unsure(binder.where, True), many=not article)
        if binder.extreme is not None:
            said = self._extreme(said, binder.extreme, binder.where is not None, many=not article)
        if before is None:
            del self.bound[local.name]
        else:
            self.bound[local.name] = before
        return self.text(said)


def _kind(e: tree.Expr) -> str:
    return f":{e.forms}" if isinstance(e, tree.Forms) else type_name(e.type)


# ---- flow and phases

#: Statements of one line.
_Plain = (
    tree.Assign | tree.Let | tree.Move | tree.MoveAll | tree.Draw | tree.Shuffle | tree.Create | tree.Remove | tree.Roll
    | tree.Clear | tree.Redirect | tree.Silence | tree.Restore | tree.Stop | tree.Tells | tree.Compulsory | tree.Proceed
    | tree.Nothing
)  # fmt: skip


class Flow:
    """The flow of a game in words. `brief`: of the things that an action names, only where they are."""

    def __init__(self, names: Names, *, brief: bool = False) -> None:
        self.names, self.brief = names, brief
        self.program = names.program
        self.phases = {routine.id: routine for routine in self.program.routines.values() if routine.phase}

    def game(self) -> tuple[Step, ...]:
        """What happens from the beginning to the end."""
        game = self.program.game
        return self._steps(Phrases(self.names), game.body) if game is not None else ()

    def phase(self, routine: tree.Routine) -> Phase:
        actions = [item for item in self.program.actions.values() if routine.id in item.during]
        return Phase(
            routine.id,
            self._name(routine),
            self._steps(Phrases(self.names), routine.body),
            tuple(self.action(item) for item in actions),
            routine.cites,
            self.names.declared_marks(routine),
        )

    def in_order(self) -> tuple[Phase, ...]:
        """All phases in the order in which the game comes to them; those that only others reach behind these."""
        return tuple(self.phase(self.phases[name]) for name in self.order())

    def order(self) -> list[str]:
        found: dict[str, None] = {}
        routines = self.program.routines
        seen: set[str] = set()

        def visit(block: Sequence[tree.Stmt]) -> None:
            for statement in _statements(block):
                if isinstance(statement, tree.CallRoutine) and statement.routine not in seen:
                    seen.add(statement.routine)
                    if statement.routine in self.phases:
                        found[statement.routine] = None
                    visit(routines[statement.routine].body)

        if self.program.game is not None:
            visit(self.program.game.body)
        return [*found, *(name for name in self.phases if name not in found)]

    # ---- actions

    def action(self, item: tree.Action) -> Action:
        words = Phrases(self.names)
        targets = tuple(dict.fromkeys(self._target(words, binder) for binder in item.binders))
        needs = [
            words.condition(require.condition)
            for require in item.requires
            if not isinstance(require.condition, tree.Can)  # what is done next says so itself
        ]
        notes = []
        if item.compulsory is not None:
            when = item.compulsory.when
            if when is None:
                notes.append(self.names.language.say("must be done"))
            else:
                notes.append(self.names.language.say("must be done when {condition}", condition=words.condition(when)))
        if item.free:
            notes.append(self.names.language.say("in addition to the one action of a turn"))
        if item.once_per:
            notes.append(self.names.language.say("once each {time}", time=self.names.word(item.once_per)))
        by = self.names.owner(item.origin)
        return Action(
            self._name(item), targets, tuple(needs), tuple(notes), by, item.cites, self.names.declared_marks(item)
        )

    def _target(self, words: Phrases, binder: tree.Binder) -> str:
        """What an action wants to be named, with what it is called in it: `prey: a species that is not yours`."""
        if self.brief:
            return words.each(replace(binder, where=None), "a")
        local = binder.local
        said = words.each(binder, "a")
        if len(local.text) <= SHORT or local.text == local.type.name:
            return said
        return self.names.language.say("{name}: {what}", name=self.names.named(local.text), what=said)

    def _name(self, item: tree.Declared) -> str:
        return capitalized(self.names.named(item.name))

    # ---- statements

    def steps_of(self, words: Phrases, block: Sequence[tree.Stmt]) -> tuple[Step, ...]:
        """A block of a hook, in the words that its variables have already."""
        return self._steps(words, block)

    def _steps(self, words: Phrases, block: Sequence[tree.Stmt]) -> tuple[Step, ...]:
        with words.block():
            return tuple(step for statement in block for step in self._step(words, statement))

    def _step(self, words: Phrases, s: tree.Stmt) -> Iterator[Step]:
        say = self.names.language.say
        match s:
            case tree.CallRoutine() if s.routine in self.phases:
                routine = self.phases[s.routine]
                yield Step(self._name(routine), phase=s.routine, marks=self.names.declared_marks(routine))
            case tree.CallRoutine():
                routine = self.program.routines[s.routine]
                marks = self.names.marks(routine.origin.layer)
                numbers = [words.thing(arg) for arg in s.args if _worked_out(arg)]
                said = self._name(routine)
                if numbers:
                    said = say("{name}: {what}", name=said, what=self.names.language.listed(numbers))
                yield Step(said, cites=routine.cites, marks=marks)
            case tree.Rounds():
                until = say("Play rounds until {condition}", condition=words.condition(s.until))
                yield Step(until, loop=True, steps=self._steps(words, s.body))
            case tree.Turns():
                head = self._turns(s.mode, words.thing(s.start))
                with words.block():
                    words.called[s.local.name] = phrase("the player")
                    yield Step(head, loop=True, steps=self._steps(words, s.body))
            case tree.For():
                yield from self._for(words, s)
            case tree.RepeatTimes():
                times = words.thing(s.times)
                if times.isdigit():
                    head = say("{number} times", number=times)
                else:
                    head = say("As many times as {number}", number=times)
                yield Step(head, loop=True, steps=self._steps(words, s.body))
            case tree.RepeatUntil():
                head = say("Repeat until {condition}", condition=words.condition(s.until))
                yield Step(head, loop=True, steps=self._steps(words, s.body))
            case tree.If():
                then, otherwise = self._steps(words, s.then), self._steps(words, s.otherwise)
                if then or otherwise:
                    head = say("If {condition}", condition=words.condition(s.test, bool(then)))
                    yield Step(head, steps=then or otherwise)
                if then and otherwise:
                    yield Step(say("Otherwise"), steps=otherwise)
            case tree.Choose():
                yield from self._choose(words, s)
            case tree.Offer():
                yield Step(capitalized(self._offer(words.thing(s.to), s.one, s.or_pass)))
            case tree.Require() | tree.Ensure():
                yield Step(say("Only if {condition}", condition=words.condition(s.condition)))
            case _:
                said = self._plainly(words, s)
                if said:
                    yield Step(capitalized(said))

    def _turns(self, mode: tree.TurnMode, start: str) -> str:
        say = self.names.language.say
        match mode:
            case "once each":
                return say("Players take one turn each, starting with {player}", player=start)
            case "until all pass":
                return say("Players take turns, starting with {player}, until all have passed", player=start)
        return say("Players take turns, starting with {player}, until all pass in a row", player=start)

    def _for(self, words: Phrases, s: tree.For) -> Iterator[Step]:
        things = self.names.language.listed([words.each(binder, "each") for binder in s.binders])
        domain = s.binders[0].domain
        start = words.thing(domain.start) if isinstance(domain, tree.Players) and domain.start is not None else ""
        if s.secretly:
            head = self.names.language.say("For {things}, secretly and simultaneously", things=things)
        elif start:
            head = self.names.language.say("For {things}, starting with {player}", things=things, player=start)
        else:
            head = self.names.language.say("For {things}", things=things)
        with words.block():
            for binder in s.binders:
                words.local(binder.local)
            yield Step(head, loop=True, steps=self._steps(words, s.body))

    def _choose(self, words: Phrases, s: tree.Choose) -> Iterator[Step]:
        say = self.names.language.say
        things = self.names.language.listed([words.each(binder, "a") for binder in s.binders])
        who = words.thing(s.by) if s.by is not None else say("the owner")
        if s.at_random:
            head = self.names.language.say("At random: {things}", things=things)
        elif s.may:
            head = self.names.language.say("{player} may choose {things}", player=who, things=things)
        else:
            head = self.names.language.say("{player} chooses {things}", player=who, things=things)
        with words.block():
            for binder in s.binders:
                words.local(binder.local)
            yield Step(capitalized(head), steps=self._steps(words, s.body))
        if steps := self._steps(words, s.otherwise):
            yield Step(self.names.language.say("If there is none"), steps=steps)

    def _offer(self, player: str, one: bool, or_pass: bool) -> str:
        if one and or_pass:
            return self.names.language.say("{player} takes one action or passes", player=player)
        if one:
            return self.names.language.say("{player} takes one action", player=player)
        if or_pass:
            return self.names.language.say("{player} takes any number of actions or passes", player=player)
        return self.names.language.say("{player} takes any number of actions", player=player)

    def _plainly(self, words: Phrases, s: _Plain) -> str:
        """A statement without a block of its own; empty for what a reader needs not be told."""
        thing, place, say = words.thing, words.place, self.names.language.say
        n = grammatical_number(words.noun(s.target)) if isinstance(s, tree.Assign) else 1
        match s:
            case tree.Assign(op="=", value=tree.Const(value=so, type=of)) if of.tag == "bool":
                return say("now {condition}", condition=words.condition(s.target, bool(so)))
            case tree.Assign(op="="):
                return say("{thing} {n:becomes|become} {value}", thing=thing(s.target), value=thing(s.value), n=n)
            case tree.Assign(op="+="):
                return say("{thing} {n:rises|rise} by {value}", thing=thing(s.target), value=thing(s.value), n=n)
            case tree.Assign():
                return say("{thing} {n:falls|fall} by {value}", thing=thing(s.target), value=thing(s.value), n=n)
            case tree.Let():
                value = thing(s.value)
                if len(s.local.text) <= SHORT:
                    return say("{thing} is {value}", thing=self.names.say(words.local(s.local)), value=value)
                words.called[s.local.name] = RuleName(s.local.text)
                return say("{thing} is {value}", thing=self.names.named(s.local.text), value=value)
            case tree.Move(face=None):
                if s.bottom:
                    return say("{thing} goes under {place}", thing=thing(s.card), place=place(s.to))
                return say("{thing} goes to {place}", thing=thing(s.card), place=place(s.to))
            case tree.Move():
                face = thing(s.face) if s.face is not None else ""
                return say("{thing} goes to {place} as {face}", thing=thing(s.card), place=place(s.to), face=face)
            case tree.MoveAll():
                sources = self.names.language.listed([place(source) for source in s.sources])
                return say("all cards from {places} go to {place}", places=sources, place=place(s.to))
            case tree.Draw():
                count, source = thing(s.count), place(s.source)
                return say("draw {number} from {place} to {other}", number=count, place=source, other=place(s.to))
            case tree.Shuffle():
                return say("shuffle {place}", place=place(s.zone))
            case tree.Create(place=None):
                return say("{player} gets a new {kind}", player=thing(s.owner), kind=self.names.named(s.kind))
            case tree.Create():
                at = thing(s.place) if s.place is not None else ""
                kind = self.names.named(s.kind)
                return say("{player} gets a new {kind} in {place}", player=thing(s.owner), kind=kind, place=at)
            case tree.Remove():
                return say("{thing} leaves the game", thing=thing(s.thing))
            case tree.Roll():
                count = thing(s.count)
                if isinstance(s.target, tree.Local):
                    words.rolled(s.target)
                if count == "1":
                    return say("roll a die with {sides} sides", sides=s.sides)
                if count.isdigit():
                    return say("roll {number} dice with {sides} sides", number=count, sides=s.sides)
                return say("roll dice with {sides} sides: {number}", number=count, sides=s.sides)
            case tree.Clear():
                return say("clear the table {table}", table=self.names.named(s.table.name))
            case tree.Redirect():
                things = self.names.language.listed([thing(arg) for arg in s.args])
                return say("instead: {event}, {things}", event=self.names.named(s.routine), things=things)
            case tree.Silence(until=None):
                return say("{thing} does not work", thing=thing(s.card))
            case tree.Silence():
                until = self.names.named(s.until or "")
                return say("{thing} does not work until {phase}", thing=thing(s.card), phase=until)
            case tree.Restore():
                return say("{thing} works again", thing=thing(s.card))
            case tree.Stop():
                return say("it does not happen")
            case tree.Tells() | tree.Compulsory() | tree.Proceed() | tree.Nothing():
                return ""


def _worked_out(e: tree.Expr) -> bool:
    """Whether an argument is a number that is worked out where something is done, which else nobody would be told."""
    return e.type.tag == "int" and not isinstance(e, tree.Const | tree.NumberRef | tree.LocalRef)


def _statements(block: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
    """The statements of a block with those in them, in their order."""
    for statement in block:
        yield statement
        for name in ("then", "body", "otherwise"):
            inner = getattr(statement, name, ())
            if isinstance(inner, tuple):
                yield from _statements(inner)


# ---- hooks

_OPS = {"-": "−", "*": "×", "/": "÷"}
#: How many statements of a hook are told.
_TOLD = 3
Key = tuple[str, str, int]


@dataclass(slots=True)
class Brought:
    """What one trait, row or card brings: its hooks, in short, and its declarations."""

    hooks: list[Hook] = field(default_factory=list)
    actions: list[tree.Action] = field(default_factory=list)
    declared: list[tree.Declared] = field(default_factory=list)

    @property
    def cites(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(cite for item in self.declared for cite in item.cites))


def declared_in(program: tree.Program) -> Iterator[tree.Declared]:
    """All that is declared, and all hooks."""
    if program.game is not None:
        yield program.game
    for group in (program.routines, program.actions, program.values, program.invariants):
        yield from group.values()
    yield from program.hooks
    yield from program.copies


def origin_key(origin: tree.Origin) -> Key:
    return (origin.what, origin.name, origin.row)


def rules_by_bearer(names: Names) -> dict[Key, Brought]:
    """By who brings them, all rules that are not the core's; hooks in the order in which they were written."""
    found: dict[Key, Brought] = {}
    flow = Flow(names)
    for item in declared_in(names.program):
        if item.origin.what != "core":
            found.setdefault(origin_key(item.origin), Brought()).declared.append(item)
    for one in found.values():
        hooks = [item for item in one.declared if isinstance(item, tree.Hook)]
        one.hooks = in_short(names, flow, sorted(hooks, key=lambda hook: (hook.origin.layer, hook.order)))
        one.actions = [item for item in one.declared if isinstance(item, tree.Action)]
        one.hooks += [_copying(names, item) for item in one.declared if isinstance(item, tree.CopyCards)]
    return found


def core_hooks(names: Names) -> dict[int, list[Hook]]:
    """What the rules of the game and of mods themselves hook, such as house rules, by their layers."""
    flow = Flow(names)
    found: dict[int, list[tree.Hook]] = {}
    for hook in sorted(names.program.hooks, key=lambda hook: (hook.origin.layer, hook.order)):
        if hook.origin.what == "core":
            found.setdefault(hook.origin.layer, []).append(hook)
    return {layer: in_short(names, flow, hooks) for layer, hooks in found.items()}


def rules_of(names: Names, layer: int) -> str:
    """How hooks of the rules of a layer are headed."""
    return (
        names.language.say("The rules of {mod}", mod=names.layer(layer))
        if layer
        else names.language.say("The rules of the game")
    )


def in_short(names: Names, flow: Flow, hooks: Sequence[tree.Hook]) -> list[Hook]:
    """Each hook that does something, in a few words; those of one statement that say the same of several events stand
    together."""
    found: list[Hook] = []
    for hook in hooks:
        words = Phrases(names)
        when = words.condition(hook.guard) if hook.guard is not None else ""
        says = _says(words, flow, hook)
        if not says:
            continue
        if isinstance(hook, tree.Forbid) and hook.because:
            when = words.told(hook.because)
        marks = names.marks(hook.origin.layer)
        event = event_name(names, hook)
        last = found[-1] if found else None
        if last is not None and (last.says, last.when, last.marks) == (says, when, marks):
            found[-1] = Hook(f"{last.event}, {event[:1].lower()}{event[1:]}", says, when, marks)
        else:
            found.append(Hook(event, says, when, marks))
    return found


def event_name(names: Names, hook: tree.Hook) -> str:
    """The event of a hook, with the part that the bearer plays in it where it could play several: `Strike, as prey`."""
    event = hook.pattern.event
    params = _params(names.program, event)
    kinds = [param.type.name for param in params]
    for slot, param in zip(hook.pattern.slots, params, strict=False):
        own = isinstance(slot, tree.EqualSlot) and _is_bearer(slot.expr)
        if own and kinds.count(param.type.name) > 1 and len(param.text) > 1:
            return names.language.say(
                "{event}, as {part}", event=event_label(names, event), part=names.word(param.text)
            )
    return event_label(names, event)


def event_label(names: Names, event: str) -> str:
    """What an event or value is called, by its id."""
    return capitalized(names.named(event.rpartition(".")[2]))


def _params(program: tree.Program, event: str) -> tuple[tree.Local, ...]:
    declared = program.routines.get(event) or program.values.get(event)
    if declared is not None:
        return declared.params
    action = program.actions.get(event)
    return tuple(binder.local for binder in action.binders) if action is not None else ()


def _is_bearer(e: tree.Expr) -> bool:
    return isinstance(e, tree.LocalRef) and e.local.text in ("self", "this", "owner")


def _says(words: Phrases, flow: Flow, hook: tree.Hook) -> str:
    """What a hook does; "" if it does nothing but tell something."""
    match hook:
        case tree.Modify():
            return _modified(words, hook)
        case tree.Forbid():
            return words.names.language.say("forbidden")
        case tree.Ignore(trait=None):
            return words.names.language.say("ignores other cards")
        case tree.Ignore():
            return words.names.language.say("ignores {trait}", trait=words.names.trait(hook.trait or ""))
        case tree.Trigger():
            told = _flat(flow.steps_of(words, hook.body), _TOLD)
            kind = when_of(words.names, hook.kind)
            head = words.names.language.say("{when} (if its owner wants)", when=kind) if hook.may else kind
            return f"{head}: {told}" if told else "" if hook.kind != "instead of" else head
    return ""


def when_of(names: Names, kind: str) -> str:
    """When a hook of a kind has its say."""
    match kind:
        case "before":
            return names.language.say("before")
        case "after":
            return names.language.say("after")
        case "instead of":
            return names.language.say("instead of")
    return names.language.say("react to")


def _flat(steps: Sequence[Step], most: int) -> str:
    """Steps on one line, `most` of them and those in each."""
    said = []
    for step in steps[:most]:
        inner = _flat(step.steps, 2)
        said.append(f"{step.text[:1].lower()}{step.text[1:]}{f': {inner}' if inner else ''}")
    return "; ".join(said) + (" …" if len(steps) > most else "")


def _modified(words: Phrases, hook: tree.Modify) -> str:
    say = words.names.language.say
    if hook.value.type.tag == "bool":
        if isinstance(hook.value, tree.Const):
            return say("yes") if hook.value.value else say("no")
        clause = words.condition(hook.value)
        match hook.op:
            case "=":
                return say("if {condition}", condition=clause)
            case "or":
                return say("or if {condition}", condition=clause)
        return say("and only if {condition}", condition=clause)
    value = words.thing(hook.value)
    match hook.op:
        case "=":
            return say("is {value}", value=value)
        case "at least":
            return say("at least {value}", value=value)
        case "at most":
            return say("at most {value}", value=value)
    return f"{_OPS.get(hook.op, hook.op)} {value}"


def _copying(names: Names, item: tree.CopyCards) -> Hook:
    words = Phrases(names)
    when = words.condition(item.guard) if item.guard is not None else ""
    says = names.language.say("has the same effects as the cards on {thing}", thing=words.thing(item.on))
    return Hook(names.language.say("Cards"), says, when, names.marks(item.origin.layer))
