"""Statements, and the flow of a game: rounds, phases, turns, offers (statements.md, rules.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from rulelang.semantics import tree
from tests.reference.options import EnsureFails, Option, Options, Question, Run
from tests.reference.scope import Missing, Scope, checked, present
from tests.reference.seeking import Seeking
from tests.reference.world import LARGEST, RuleFailure, Thing

DICE_IN_A_LINE = 6


class Stopped(Exception):
    """A reaction says `stop`."""


class Redirected(Exception):
    """A reaction sends the same event elsewhere."""


class Statements(Seeking, Options):
    """Runs blocks. Each routine is a generator of questions."""

    dice: list[int]
    stepping: bool

    # ---- asking

    def ask(self, kind: str, player: int, listed: Callable[[], list[Option]]) -> Run:
        """The option taken; None where there is none. What is forced is done unasked."""
        question = Question(kind, player, listed(), listed)
        if not question.options:
            return None
        self.world.loud()
        if len(question.options) == 1 and not self.stepping:
            self.world.forced += 1
            return question.options[0]
        self.world.decisions += len(question.options) > 1
        self.world.forced += len(question.options) == 1
        taken = yield question  # what can be chosen may have been listed again meanwhile
        return question.options[taken]

    def stop_at(self, what: str) -> Run:
        """Where scenarios pause."""
        if self.stepping and not self.world.quiet and self.world.sought is None:
            yield Question("stop", 0, [Option(what)], lambda: [Option(what)])

    def answering(self, player: int | None) -> int:
        """Who is asked for a player: `nobody` never is, but the actor; outside of turns whoever comes first."""
        if player is not None and player <= self.world.players:
            return player
        actor = self.world.actor
        return self.world.seated(actor) if actor is not None else self.world.first()

    def tell(self, what: str, name: str, parts: Sequence[Any]) -> None:
        if not self.world.quiet:
            self.world.log.append((what, name, tuple(parts)))

    def words(self, parts: Sequence[Any], s: Scope) -> list[Any]:
        """A text in pieces: words, and (type, value)."""
        found: list[Any] = []
        for part in parts:
            if isinstance(part, str):
                found += [part] if part else []
                continue
            try:
                value = self.value(part, s)
            except Missing:
                value = None
            found.append((part.type, value))
        return found

    # ---- blocks

    def block(self, body: tree.Block, s: Scope) -> Run:
        inner = s.inner()
        for statement in body:
            if self.left_out(statement, s.around):
                inner.names.update(dict.fromkeys((local.name for local in self.made(statement)), None))
                continue
            with suppress(Missing):  # what reads through something missing does not happen
                yield from self.run(statement, inner)

    def run(self, st: tree.Stmt, s: Scope) -> Run:
        w = self.world
        match st:
            case tree.Let():
                self.let(st, s)
            case tree.Assign():
                self.assign(st, s)
            case tree.CallRoutine():
                if s.game and not s.speaks:
                    w.release()
                args = self.args(st.args, self.maybes(st.routine), s)
                self.words_of(args)
                if w.sought is not None or self.can(st.routine, args, s.roles):
                    yield from self.happen(st.routine, args, s.roles)
                    if self.program.routines[st.routine].phase:
                        yield from self.stop_at("phase")
            case tree.Move():
                card, pile = self.through(st.card, s), self.pile(st.to, s)
                face = self.value(st.face, s) if st.face is not None else None
                partner = self.value(st.partner, s) if st.partner is not None else None
                if pile.zone.slot and pile.cards:
                    raise RuleFailure("X603")
                w.move(card, pile, bottom=st.bottom, face=face, partner=partner if present(partner) else None)
            case tree.MoveAll():
                to = self.pile(st.to, s)
                cards = [card for ref in st.sources for pile in self.piles(ref, s) for card in pile.cards]
                w.move_all(cards, to, st.bottom)
            case tree.Draw():
                count, source, to = self.through(st.count, s), self.pile(st.source, s), self.pile(st.to, s)
                under = w.refill(count, source)
                if under is not None and under.cards:
                    self.tell("shuffle", "refill", (source, ": refilled with ", len(under.cards), " shuffled ",
                                                    len(under.cards), " from ", under))  # fmt: skip
                w.draw(count, source, to)
            case tree.Shuffle():
                pile = self.pile(st.zone, s)
                if pile.cards:
                    self.tell("shuffle", "shuffle", ("shuffled: ", pile))
                w.shuffle(pile)
            case tree.Create():
                self.create(st, s)
            case tree.Remove():
                w.remove(self.through(st.thing, s))
            case tree.Roll():
                self.roll(st, s)
            case tree.Clear():
                for key in [key for key in w.tables if key[0] == st.table.name]:
                    del w.tables[key]
            case tree.Choose():
                yield from self.choose(st, s)
            case tree.Offer():
                yield from self.offer(st, s)
            case tree.Redirect():
                args = self.args(st.args, self.maybes(st.routine), s)
                if st.routine == s.event:
                    raise Redirected(args, s.roles)
                if self.can(st.routine, args, s.roles):
                    yield from self.happen(st.routine, args, s.roles)
                raise Stopped
            case tree.Silence():
                self.through(st.card, s).silences.add(st.until or "game")
            case tree.Restore():
                self.through(st.card, s).silences.clear()
            case tree.Tells():
                for part in st.parts:
                    if not isinstance(part, str):
                        self.value(part, s)
                self.tell("tells", "", self.words(st.parts, s))
            case tree.Ensure():
                if not self.cond(st.condition, s) and w.quiet:
                    raise EnsureFails
            case tree.Stop():
                raise Stopped
            case tree.Proceed():
                yield from s.proceed()
            case tree.If():
                side = self.branch(st, s.around)
                if side is None:
                    side = st.then if self.cond(st.test, s) else st.otherwise
                yield from self.block(side, s)
            case tree.For():
                yield from self.loop(st, s)
            case tree.RepeatTimes():
                times = self.through(st.times, s)
                self.words_of([times])
                for _ in range(max(1, times) if w.sought is not None else times):
                    yield from self.block(st.body, s)
            case tree.RepeatUntil():
                while w.sought is not None or not self.cond(st.until, s):
                    yield from self.block(st.body, s)
                    if w.sought is not None:
                        break
            case tree.Turns():
                yield from self.turns(st, s)
            case tree.Rounds():
                yield from self.rounds(st, s)

    def words_of(self, values: Sequence[Any]) -> None:
        """What is kept for a while is as large as a word at most."""
        if any(isinstance(v, int) and not -LARGEST - 1 <= v <= LARGEST for v in values):
            raise RuleFailure("X610")

    def let(self, st: tree.Let, s: Scope) -> None:
        if st.local.type.tag == "bool":
            s.names[st.local.name] = self.cond(st.value, s)
            return
        try:
            value = self.value(st.value, s)
        except Missing:
            value = None
        self.words_of([value])
        s.names[st.local.name] = value
        self.note(s, st.local.type.name)

    def note(self, s: Scope, kind: str) -> None:
        """A variable of this kind stands around what follows."""
        s.speaks = s.speaks or kind in self.world.model.made

    def assign(self, st: tree.Assign, s: Scope) -> None:
        w, target = self.world, st.target
        value = self.cond(st.value, s) if target.type.tag == "bool" else self.value(st.value, s)
        kept: Any = target.table if isinstance(target, tree.TableRef) else getattr(target, "attribute", None)
        if not present(value) and not (kept is not None and not isinstance(target, tree.TableRef) and kept.type.maybe):
            return
        value = value if present(value) else None
        if isinstance(target, tree.Property):
            self.through(target.object, s).place = value
            return
        key = self.place(target, s)
        if isinstance(target, tree.AttributeRef) and target.kind == "player" and key[1] > w.players:
            return  # what is written to nobody is lost
        if st.op != "=":
            now = w.tables.get(key, 0) if isinstance(target, tree.TableRef) else w.read(key, kept)
            if not present(now) or not present(value):
                return  # nothing is added to what is missing, nor is what is missing
            value = checked(now + (value if st.op == "+=" else -value))
        value = w.bounded(value, kept)
        if isinstance(target, tree.TableRef):
            w.tables[key] = value
        else:
            w.write(key, value)

    def create(self, st: tree.Create, s: Scope) -> None:
        w = self.world
        if st.local is not None:
            s.names[st.local.name] = None
            self.note(s, st.kind)
        owner = self.through(st.owner, s)
        left = st.side is not None and self.through(st.side, s) == 1
        place = None if st.place is None else self.through(st.place, s)
        like = None if st.like is None else self.through(st.like, s)
        thing = w.create(st.kind, owner, left)
        if thing is None:
            return
        thing.place = place
        if like is not None:
            thing.values.update({k: v for k, v in like.values.items() if not isinstance(k, tuple)})
        if st.local is not None:
            s.names[st.local.name] = thing

    def roll(self, st: tree.Roll, s: Scope) -> None:
        self.world.loud()
        count = self.value(st.count, s)
        shown = [self.die(st.sides) for _ in range(count)]
        total = sum(shown)
        if isinstance(st.count, tree.Const | tree.NumberRef | tree.OptionRef) and 0 < count <= DICE_IN_A_LINE:
            if count == 1:
                self.tell("tells", "", ("the die shows ", total))
            else:
                parts = [p for k, n in enumerate(shown) for p in (" + " if k else "the dice show ", n)]
                self.tell("tells", "", (*parts, " = ", total))
        else:
            for n in shown:
                self.tell("tells", "", ("a die shows ", n))
            self.tell("tells", "", ("the dice show ", total))
        if isinstance(st.target, tree.Local):
            s.names[st.target.name] = total
        else:
            self.world.write(self.place(st.target, s), self.world.bounded(total, st.target.attribute))

    def die(self, sides: int) -> int:
        return (self.dice.pop(0) if self.dice else self.world.random(sides)) + 1

    # ---- loops and choices

    def loop(self, st: tree.For, s: Scope) -> Run:
        """The members are fixed when it starts; things that have gone meanwhile are skipped."""
        w = self.world
        found = list(self.combinations(st.binders, s))
        w.curtain += st.secretly
        for scope in found:
            items = [(b, scope.names[b.local.name]) for b in st.binders]
            if any(isinstance(item, Thing) and not item.alive and not b.maybe for b, item in items):
                continue
            inner = s.inner()
            inner.names.update({b.local.name: item for b, item in items})
            for b in st.binders:
                self.note(inner, b.local.type.name)
            if st.secretly:
                inner.turn = None
            yield from self.block(st.body, inner)
        w.curtain -= st.secretly

    def choose(self, st: tree.Choose, s: Scope) -> Run:
        player = self.through(st.by, s) if st.by is not None else s.roles.get("owner")
        if st.at_random or self.world.sought is not None:
            options = self.choices(st.binders, s, st.at_random)
            number = self.world.random(len(options)) if len(options) > 1 else 0
            taken = options[number] if options else None
        else:

            def listed() -> list[Option]:
                return self.pass_or(self.choices(st.binders, s, False), st.may)

            taken = yield from self.ask("choose", self.answering(player), listed)
        if taken is None or taken.what == "pass":
            yield from self.block(st.otherwise, s)
            return
        inner = s.inner()
        inner.names.update({b.local.name: arg for b, arg in zip(st.binders, taken.args, strict=True)})
        for b in st.binders:
            self.note(inner, b.local.type.name)
        yield from self.block(st.body, inner)
