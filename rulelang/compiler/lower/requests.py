"""The functions that lowering asks for by what they answer or do, and that are lowered later (see `Lowering.ask`).

Whoever calls such a function says which one he wants and gets its name. Who lowers it is known to `worklist` alone, so
no module has to import those whose functions it calls: rules call each other in circles, modules do not.
"""

from __future__ import annotations

from rulelang.base.node import record


@record
class ValueOf:
    """A value of the rules; one part of it where the value is an order."""

    value: str
    part: int | None = None

    @property
    def name(self) -> str:
        return _flat(f"v_{self.value}") + ("" if self.part is None else f"__{self.part}")


@record
class Doing:
    """An event that happens, with all its hooks: `do_EVENT(roles..., args...)`."""

    event: str

    @property
    def name(self) -> str:
        return _flat(f"do_{self.event}")


@record
class CanHappen:
    """Whether an event may happen: `can_EVENT(roles..., args...)`."""

    event: str

    @property
    def name(self) -> str:
        return _flat(f"can_{self.event}")


@record
class MayBeChosen:
    """Whether just that may be chosen for an action: `possible_ACTION(me, roles..., args...)`."""

    action: str

    @property
    def name(self) -> str:
        return _flat(f"possible_{self.action}")


@record
class WhyNot:
    """What refuses an event: `why_EVENT(roles..., args...)` blames it."""

    event: str

    @property
    def name(self) -> str:
        return _flat(f"why_{self.event}")


@record
class WhyFalse:
    """In detail, why a truth value does not hold: `why_false_VALUE(args...)` blames it."""

    value: str

    @property
    def name(self) -> str:
        return _flat(f"why_false_{self.value}")


@record
class Ensuring:
    """The same in a trial, which what refuses the event ends."""

    event: str

    @property
    def name(self) -> str:
        return _flat(f"ensure_{self.event}")


@record
class Affected:
    """Whether a rule of trait t would count in an event: `affects_EVENT(t, args...)`."""

    event: str

    @property
    def name(self) -> str:
        return _flat(f"affects_{self.event}")


@record
class OptionsOf:
    """What an action can be done with: `options_ACTION(me)`, or `options_ACTION_main(me, main)`, which offers nothing
    once `main` is true."""

    action: str
    with_main: bool

    @property
    def name(self) -> str:
        return _flat(f"options_{self.action}") + ("_main" if self.with_main else "")


Request = ValueOf | Doing | CanHappen | MayBeChosen | WhyNot | WhyFalse | Ensuring | Affected | OptionsOf


def _flat(name: str) -> str:
    return name.replace(".", "__")
