"""The rows of the tables of built-ins: what is said of a function or a name in one place.

Types may hold type variables: one capital letter in place of a kind, as in `ref("T")`. The row's `where` says which
kinds it may stand for; the first argument that has it binds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import Template

from rulelang.semantics.model import Model
from rulelang.semantics.types import Type

_VARIABLE = re.compile(r"[A-Z]\Z")


@dataclass(frozen=True, slots=True)
class Zone:
    """The type of an argument that is one zone; `holds`: what lies there, a type variable."""

    holds: str

    def __str__(self) -> str:
        return f"zone of {self.holds}"


@dataclass(frozen=True, slots=True)
class Family:
    """Kinds that a type variable may stand for. `text`: what one of them is called in the reference."""

    text: str
    has: Callable[[Model, str], bool]


@dataclass(frozen=True, slots=True)
class Parameter:
    """`because`: why an argument of another type does not fit, with `$T` for what a variable stands for.

    `refused`: of a parameter that binds a variable, what is said of another type, `$found`.
    """

    name: str
    type: Type | Zone
    because: str
    refused: str = ""

    @property
    def variable(self) -> str:
        """The type variable in it, or nothing."""
        name = self.type.holds if isinstance(self.type, Zone) else self.type.name
        return name if _VARIABLE.match(name) else ""

    def why(self, bound: Mapping[str, str]) -> str:
        return Template(self.because).substitute(bound)


@dataclass(frozen=True, slots=True)
class Example:
    """Rules over the garden game of the reference, and what they come to there (`given` as in a scenario).

    `things`: YAML that the game needs besides. All of it is shown on the reference page, and tested.
    """

    rules: str
    then: tuple[str, ...]
    things: str = ""
    given: str = "players: {ana: [ada, ben mood angry, cleo], bob: [dan]}"


@dataclass(frozen=True, slots=True)
class Function:
    """A built-in function. Its lowering stands under its name in `rulelang/lower/expr/builtins.py`.

    `result`: `maybe` where it may be missing by itself; it is missing anyway where an argument is.
    `several`: the last parameter takes one argument or more.
    `means`: what is said to someone who gives a thing of the game this name; empty if that is allowed.
    `said`: how a reason that is worked out calls it: of a condition what stands between its arguments (`x is SAID y`),
    of what is in a set `SAID x`, of a value `the SAID of x`. Empty: the name itself.
    `printed`: for what is printed it is the same in every game.
    `since`: the version of the language that brought it.
    """

    name: str
    params: tuple[Parameter, ...]
    result: Type
    doc: str
    example: Example
    where: Mapping[str, Family] = field(default_factory=dict)
    several: bool = False
    means: str = ""
    said: str = ""
    printed: bool = True
    since: int = 1

    @property
    def is_set(self) -> bool:
        """Whether it gives several: it stands behind `in` only."""
        return self.result.tag == "set"

    @property
    def call(self) -> str:
        """`step(level, n)`"""
        return f"{self.name}({', '.join(p.name for p in self.params)}{', ...' if self.several else ''})"

    @property
    def signature(self) -> str:
        """`step(L level, int n) -> maybe L, where L is a ladder`"""
        params = ", ".join(f"{p.type} {p.name}" for p in self.params)
        more = ", ..." if self.several else ""
        where = "".join(f", where {name} is {family.text}" for name, family in self.where.items())
        return f"{self.name}({params}{more}) -> {self.result}{where}"

    def takes(self, count: int) -> bool:
        """Whether it may have so many arguments."""
        return count >= len(self.params) if self.several else count == len(self.params)

    @property
    def shape(self) -> str:
        """`step` takes (level, n)"""
        taken = self.call.removeprefix(self.name)
        return f"`{self.name}` takes {taken}"


def resolved(type_: Type, bound: Mapping[str, str]) -> Type:
    """A type with the kinds that its variables stand for."""
    return Type(type_.tag, bound.get(type_.name, type_.name), type_.maybe)


@dataclass(frozen=True, slots=True)
class Name:
    """A built-in name that stands by itself. Its lowering stands in `expr/builtins.py`, under `NAMES`.

    `sure`: where it is there for certain, whatever its type says: in which declarations, and in `turns`.
    `type`: None where it is told elsewhere: what `none` and `box` are hangs on what stands around them, and the bearer
    (`self` and the like) on what brings the rule. `means`, `said`, `printed`, `since`: as of a function.
    """

    name: str
    type: Type | None
    doc: str
    means: str
    example: Example | None
    said: str = ""
    printed: bool = False
    since: int = 1
    sure: frozenset[str] = frozenset()
