"""What rules say, in words: conditions and values of the typed tree as a reader of a rulebook takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.base.english import plural, with_article
from rulelang.lower.routines.sentences import Said
from rulelang.lower.routines.wording import Words
from rulelang.printing.names import Names, plain
from rulelang.semantics import tree
from rulelang.semantics.types import MISSING_INT, PLAYER

#: Names of locals up to this length say nothing: what they stand for is called by its kind.
SHORT = 2
_BEARERS = {"self": "the bearer", "this": "this card", "owner": "its owner", "partner": "its partner"}
_GRAMMAR = {"you is": "you are", "you has": "you have", "you does": "you do", "it's ": "its "}


class Phrases(Words):
    """The sentences that refusals are made of, with names in the place of a game's values: there is no game here."""

    def __init__(self, names: Names) -> None:
        # Without a scope: `read`, which alone needs one, tells names instead of values.
        self.names, self.values, self.args, self.guards, self.bound = names, False, [], (), {}
        self.called: dict[str, str] = {}

    def read(self, e: tree.Expr) -> str:  # type: ignore[override]
        match e:
            case tree.LocalRef():
                return self.bound.get(e.local.name) or self.local(e.local)
            case tree.NumberRef(index=None):
                numbers = set(self.names.model.numbers[e.name].by_players.values())
                only = numbers.pop() if len(numbers) == 1 else None
                return str(only) if isinstance(only, int) else f"the {plain(e.name)}"
            case tree.NumberRef():
                return f"the {plain(e.name)}"
            case tree.Const():
                return self.constant(e)
        return self.text(self._unread(e))

    def _unread(self, e: tree.Expr) -> Said:
        match e:
            case tree.LocalRef():
                return (self.bound.get(e.local.name) or self.local(e.local),)
            case tree.OptionRef() if e.type.tag == "ref":
                return (f"the option {plain(e.name)}",)
            case tree.StateRef() if e.type.sure() == PLAYER and e.attribute.name.count("_") == 0:
                return (f"the {e.attribute.name} player",)
            case tree.BuiltinCall(name="next"):
                return (f"the player after {self.thing(e.args[0])}",)
            case tree.BuiltinCall(name="step", args=(level, tree.Const(value=1 | -1 as by))):
                return (f"the {plain(e.type.name)} {'after' if by > 0 else 'before'} {self.thing(level)}",)
        return super()._unread(e)

    def _compare(self, e: tree.Compare, holds: bool) -> Said:
        if isinstance(e.left, tree.BuiltinRef) and isinstance(e.right, tree.StateRef) and e.op == "==":
            return (f"{self.thing(e.left)} {'is' if holds else 'is not'} {self.thing(e.right)}",)
        return super()._compare(e, holds)

    def constant(self, e: tree.Const) -> str:
        type_ = e.type
        if type_.tag == "bool":
            return "true" if e.value else "false"
        if type_.tag == "int":
            return "none" if e.value == MISSING_INT else str(e.value)
        if type_.name == "phase":
            phases = (r.id for r in self.names.program.routines.values() if r.number == e.value)
            return self.names.named(next(phases, ""))
        if type_.name.startswith("option "):
            return self.names.word(self.names.model.options[type_.name.removeprefix("option ")].values[e.value - 1])
        named = self.names.row(type_.name, e.value)
        return (named if type_.name == "trait" else named[:1].lower() + named[1:]) or "none"

    def local(self, local: tree.Local) -> str:
        """What a variable is called: `the hunter`, or by its kind where its name is a letter."""
        if local.name in self.called:
            return self.called[local.name]
        if local.text in _BEARERS:
            return _BEARERS[local.text]
        if local.type.tag != "ref":
            return plain(local.text) if len(local.text) > SHORT else local.text
        kind = plain(local.type.name)
        said = f"the {plain(local.text) if len(local.text) > SHORT else kind}"
        if said in self.called.values():
            said = f"the other {kind}" if f"the other {kind}" not in self.called.values() else local.text
        self.called[local.name] = said
        return said

    @contextmanager
    def block(self) -> Iterator[None]:
        """What is bound in a block is forgotten behind it."""
        called = self.called.copy()
        yield
        self.called = called

    # ---- whole phrases

    def text(self, said: Said) -> str:
        """The parts of a phrase as a text."""
        text = "".join(part if isinstance(part, str) else str(part) for part in said)
        for wrong, right in _GRAMMAR.items():
            text = re.sub(rf"\b{wrong}", right, text)
        return text

    def condition(self, e: tree.Expr, holds: bool = True) -> str:
        """A clause: `the game is in its last round`."""
        return self.text(self.fact(e, holds))

    def thing(self, e: tree.Expr) -> str:
        return self.text(self.noun(e))

    def place(self, zone: tree.AnyZone) -> str:
        return self.text(self.zone(zone))

    def told(self, parts: tuple[str | tree.Expr, ...]) -> str:
        """What `tells` or `because` say."""
        return "".join(part if isinstance(part, str) else self.thing(part) for part in parts)

    def each(self, binder: tree.Binder, article: str) -> str:
        """What a binder goes through: `each card in your hand that is red`."""
        said = self.text(self._ranged(binder, article))
        extreme = binder.extreme
        if extreme is not None:
            said += f" with the {extreme.way} {self.bare(extreme.key)}"
        return said

    def bare(self, e: tree.Expr) -> str:
        said = self.text(self._unread(e))
        return said.removeprefix("the ")

    def _ranged(self, b: tree.Binder, article: str) -> Said:
        local = b.local
        kind = plain(local.type.name) if local.type.tag == "ref" else "number"
        named = with_article(kind) if article == "a" else f"{article} {kind}" if article else plural(kind)
        said: Said = (named, *self.domain(b.domain))
        if b.where is None:
            return said
        before = self.bound.get(local.name)
        self.bound[local.name] = "it"
        clause = self.text(self._unsure(b.where, True))
        if before is None:
            del self.bound[local.name]
        else:
            self.bound[local.name] = before
        if clause.startswith("it ") and clause.count(" it ") + clause.count("its ") == 0:
            return (*said, f" that {clause[3:]}")
        return (*said, f" such that {clause}")
