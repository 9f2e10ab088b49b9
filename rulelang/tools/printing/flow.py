"""How the game goes: the flow and the phases as they were checked, line by line in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulelang.base.phrases import RuleName, phrase
from rulelang.compiler.lower.narration.nouns import grammatical_number
from rulelang.language.semantics import tree
from rulelang.tools.printing.document import Action, Phase, Step
from rulelang.tools.printing.names import Names, label
from rulelang.tools.printing.phrases import SHORT, Phrases

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
        return label(self.names.named(item.name))

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
                yield Step(label(self._offer(words.thing(s.to), s.one, s.or_pass)))
            case tree.Require() | tree.Ensure():
                yield Step(say("Only if {condition}", condition=words.condition(s.condition)))
            case _:
                said = self._plainly(words, s)
                if said:
                    yield Step(label(said))

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
            yield Step(label(head), steps=self._steps(words, s.body))
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
