"""Statements (statements.md). Each routine is a generator of questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from rulelang.language.semantics import tree
from tests.reference.options import EnsureFails, Option, Options, Question, Run
from tests.reference.world import LARGEST, Missing, RuleFailure, Scope, Thing, checked, present

DICE_IN_A_LINE = 6


class Stopped(Exception):
    """A reaction says `stop`."""


class Redirected(Exception):
    """A reaction sends the same event elsewhere."""


class Statements(Options):
    """Runs blocks."""

    dice: list[int]  # what the next dice show
    stepping: int  # 1: forced choices are asked too, and scenarios stop where something has ended; 2: asked only

    # ---- asking and telling

    def ask(self, kind: str, player: int, listed: Callable[[], list[Option]]) -> Run:
        """The option taken; None where there is none. What is forced is done unasked."""
        question = Question(kind, player, listed(), listed)
        if not question.options:
            return None
        self.loud()
        self.decisions += len(question.options) > 1
        self.forced += len(question.options) == 1
        if len(question.options) == 1 and not self.stepping:
            return question.options[0]
        taken = yield question  # what can be chosen may have been listed again meanwhile
        return question.options[taken]

    def stop_at(self, what: str) -> Run:
        """Where scenarios pause."""
        if self.stepping == 1 and not self.quiet:
            yield Question("stop", 0, [Option(what)], lambda: [Option(what)])

    def answering(self, player: int | None) -> int:
        """Who is asked for a player: `nobody` never is, but the actor; outside of turns whoever comes first."""
        if player is not None and player <= self.players:
            return player
        return self.seated(self.actor) if self.actor is not None else self.first()

    def tell(self, what: str, name: str, parts: Sequence[Any]) -> None:
        if not self.quiet:
            self.log.append((what, name, tuple(parts)))

    def words(self, parts: Sequence[Any], s: Scope) -> list[Any]:
        """A text in pieces: words, and (type, value)."""
        return [part if isinstance(part, str) else (part.type, self.maybe(part, s)) for part in parts if part]

    def do_Tells(self, st: tree.Tells, s: Scope) -> None:
        for part in st.parts:
            if not isinstance(part, str):
                self.value(part, s)  # what reads through something missing is not told
        self.tell("tells", "", self.words(st.parts, s))

    # ---- blocks

    def block(self, body: tree.Block, s: Scope) -> Run:
        inner = s.inner()
        for statement in body:
            with suppress(Missing):  # what reads through something missing does not happen
                yield from self.do(statement, inner) or ()

    def do(self, st: tree.Stmt, s: Scope) -> Run | None:
        """By the class of the node: a row of DO, or a method of its name; what may ask gives a `Run`."""
        found = DO.get(type(st)) or getattr(type(self), f"do_{type(st).__name__}")
        return found(self, st, s)  # type: ignore[no-any-return]

    def word(self, value: Any) -> Any:
        """What is kept for a while is as large as a word at most."""
        if isinstance(value, int) and not -LARGEST - 1 <= value <= LARGEST:
            raise RuleFailure("X610")
        return value

    def do_Let(self, st: tree.Let, s: Scope) -> None:
        s.let(st.local, self.word((self.cond if st.local.type.tag == "bool" else self.maybe)(st.value, s)))

    def do_Assign(self, st: tree.Assign, s: Scope) -> None:
        target = st.target
        value = self.cond(st.value, s) if target.type.tag == "bool" else self.value(st.value, s)
        kept: Any = target.table if isinstance(target, tree.TableRef) else getattr(target, "attribute", None)
        if not present(value):
            value = None
            if not isinstance(kept, tree.Attribute) or not kept.type.maybe:
                return
        if isinstance(target, tree.Property):
            self.through(target.object, s).place = value
            return
        at = self.place(target, s)  # type: ignore[arg-type]
        if st.op != "=":
            now = self.read(at, kept)
            if not present(now) or value is None:
                return  # nothing is added to what is missing, nor is what is missing
            value = checked(now + (value if st.op == "+=" else -value))
        self.write(target, at, kept, value)

    def write(self, target: Any, at: Any, kept: Any, value: Any) -> None:
        if isinstance(target, tree.AttributeRef) and target.kind == "player" and at[3] > self.players:
            return  # what is written to nobody is lost
        self.kept[at] = self.bounded(value, kept)

    def do_CallRoutine(self, st: tree.CallRoutine, s: Scope) -> Run:
        if s.game and s.kinds.isdisjoint(self.model.made):
            self.release()
        routine = self.program.routines[st.routine]
        args = [self.word(arg) for arg in self.args(routine, st.args, s)]
        if self.can(st.routine, args, s.roles):
            yield from self.happen(st.routine, args, s.roles)
            if routine.phase:
                yield from self.stop_at("phase")

    def do_Redirect(self, st: tree.Redirect, s: Scope) -> Run:
        args = self.args(self.events[st.routine], st.args, s)
        if st.routine == s.event:
            raise Redirected(args, s.roles)
        if self.can(st.routine, args, s.roles):
            yield from self.happen(st.routine, args, s.roles)
        raise Stopped

    def do_Stop(self, st: tree.Stop, s: Scope) -> None:
        raise Stopped

    def do_Ensure(self, st: tree.Ensure, s: Scope) -> None:
        if not self.cond(st.condition, s) and self.quiet:
            raise EnsureFails

    # ---- cards, things, dice

    def do_Move(self, st: tree.Move, s: Scope) -> None:
        card, pile = self.through(st.card, s), self.pile_of(st.to, s)
        face = self.value(st.face, s) if st.face is not None else None
        partner = self.value(st.partner, s) if st.partner is not None else None
        if pile.zone.slot and pile.cards:
            raise RuleFailure("X603")
        self.move(card, pile, bottom=st.bottom, face=face, partner=partner if present(partner) else None)

    def do_Draw(self, st: tree.Draw, s: Scope) -> None:
        count, source, to = self.through(st.count, s), self.pile_of(st.source, s), self.pile_of(st.to, s)
        under = self.refill(count, source)
        if under is not None and under.cards:
            number = len(under.cards)
            parts = (source, " is refilled with ", number, " shuffled ", number, " from ", under)
            self.tell("shuffle", "refill", parts)
        self.draw(count, source, to)

    def do_Shuffle(self, st: tree.Shuffle, s: Scope) -> None:
        pile = self.pile_of(st.zone, s)
        if pile.cards:
            self.tell("shuffle", "shuffle", (pile, " is shuffled"))
        self.shuffle(pile)

    def silence(self, card: Any, silences: frozenset[str]) -> None:
        card.silences = silences
        self.bearing.clear()

    def do_Create(self, st: tree.Create, s: Scope) -> None:
        if st.local is not None:
            s.let(st.local, None)
        owner = self.through(st.owner, s)
        side, place, like = (None if e is None else self.through(e, s) for e in (st.side, st.place, st.like))
        thing = self.create(st.kind, owner, side == 1)
        if thing is None:
            return
        thing.place = place
        if like is not None:
            own = [k for k in self.kept if k[3:] == (like,)]
            self.kept.update({(*k[:3], thing): self.kept[k] for k in own})
        if st.local is not None:
            s.let(st.local, thing)

    def do_Roll(self, st: tree.Roll, s: Scope) -> None:
        self.loud()
        count = self.value(st.count, s)
        shown = [(self.dice.pop(0) if self.dice else self.random(st.sides)) + 1 for _ in range(count)]
        total = sum(shown)
        fixed = isinstance(st.count, tree.Const | tree.NumberRef | tree.OptionRef) and 0 < count <= DICE_IN_A_LINE
        if fixed and count == 1:
            self.tell("tells", "", ("the die shows ", total))
        elif fixed:
            parts = [p for k, n in enumerate(shown) for p in (" + " if k else "the dice show ", n)]
            self.tell("tells", "", (*parts, " = ", total))
        else:
            for n in shown:
                self.tell("tells", "", ("a die shows ", n))
            self.tell("tells", "", ("the dice show ", total))
        if isinstance(st.target, tree.Local):
            s.let(st.target, total)
        else:
            kept = st.target.table if isinstance(st.target, tree.TableRef) else st.target.attribute
            self.write(st.target, self.place(st.target, s), kept, total)

    # ---- loops and choices

    def do_For(self, st: tree.For, s: Scope) -> Run:
        """The members are fixed when it starts; things that have gone meanwhile are skipped."""
        found = list(self.combinations(st.binders, s))
        self.curtain += st.secretly
        for scope in found:
            items = [scope.names[b.local.name] for b in st.binders]
            if all(b.maybe or not isinstance(i, Thing) or i.alive for b, i in zip(st.binders, items, strict=True)):
                changes = {"turn": None} if st.secretly else {}
                yield from self.block(st.body, s.inner([b.local for b in st.binders], items, **changes))
        self.curtain -= st.secretly

    def do_RepeatTimes(self, st: tree.RepeatTimes, s: Scope) -> Run:
        for _ in range(self.word(self.through(st.times, s))):
            yield from self.block(st.body, s)

    def do_RepeatUntil(self, st: tree.RepeatUntil, s: Scope) -> Run:
        while not self.cond(st.until, s):
            yield from self.block(st.body, s)

    def do_Choose(self, st: tree.Choose, s: Scope) -> Run:
        player = self.through(st.by, s) if st.by is not None else s.roles.get("owner")

        def listed() -> list[Option]:
            return self.pass_or(self.choices(st.binders, s, st.at_random), st.may)

        if st.at_random:
            taken = self.lot(listed())
        else:
            taken = yield from self.ask("choose", self.answering(player), listed)
        yield from self.chosen(st, taken, s)

    def lot(self, options: Sequence[Option]) -> Option | None:
        number = self.random(len(options)) if len(options) > 1 else 0
        return options[number] if options else None

    def chosen(self, st: tree.Choose, taken: Option | None, s: Scope) -> Run:
        if taken is None or taken.what == "pass":
            return self.block(st.otherwise, s)
        return self.block(st.body, s.inner([b.local for b in st.binders], taken.args))


DO: dict[type, Callable[..., Run | None]] = {
    tree.If: lambda i, st, s: i.block(st.then if i.cond(st.test, s) else st.otherwise, s),
    tree.MoveAll: lambda i, st, s: i.move_all(i.lying(st.sources, s), i.pile_of(st.to, s), st.bottom),
    tree.Remove: lambda i, st, s: i.remove(i.through(st.thing, s)),
    tree.Clear: lambda i, st, s: i.forget(lambda at: at[1:3] == (None, st.table.name)),
    tree.Silence: lambda i, st, s: i.silence(c := i.through(st.card, s), c.silences | {st.until or "game"}),
    tree.Restore: lambda i, st, s: i.silence(i.through(st.card, s), frozenset()),
    tree.Proceed: lambda i, st, s: s.proceed(),
    tree.Nothing: lambda i, st, s: None,
}
