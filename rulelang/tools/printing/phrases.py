"""What rules say, in words: conditions and values of the typed tree as a reader of a rulebook takes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from rulelang.base.labels import Label
from rulelang.base.phrases import Filling, Phrase, RuleName, phrase
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
from rulelang.tools.printing.names import Names

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
