"""Definitions of built-ins: what one declaration says of a function, name, member, query, list or form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from string import Template
from typing import Literal

from rulelang.base.node import record
from rulelang.language.semantics.cards import bearers_of, face_column
from rulelang.language.semantics.model import Model, Type

# ---- definitions

_VARIABLE = re.compile(r"[A-Z]\Z")
_WORD = re.compile(r"(?<![\w'])[a-z]+(?:'s)?(?![\w(])")


@record
class Zone:
    """The type of an argument that is one zone; `holds`: what lies there, a type variable."""

    holds: str

    def __str__(self) -> str:
        return f"zone of {self.holds}"


@record
class Family:
    """Kinds that a type variable may stand for. `text`: what one of them is called in the reference."""

    text: str
    has: Callable[[Model, str], bool]


@record
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


@record
class Example:
    """Rules over the garden game of the reference, and what they come to there (`given` as in a scenario).

    `things`: YAML that the game needs besides; `when`: what happens first. All of it is shown on a reference page, and
    tested.
    """

    rules: str
    then: tuple[str, ...]
    things: str = ""
    given: str = "players: {ana: [ada, ben mood angry, cleo], bob: [dan]}"
    when: tuple[str, ...] = ()


@record
class Function:
    """A built-in function. Its lowering stands under its name in `rulelang/compiler/lower/expr/builtins.py`.

    `result`: `maybe` where it may be missing by itself; it is missing anyway where an argument is.
    `several`: the last parameter takes one argument or more.
    `means`: what is said to someone who gives a thing of the game this name; empty if that is allowed.
    `said`: what a sentence made of a condition calls it, with `{thing}` (and `{other}`) for its arguments; empty: it
    never comes in one. `beside`: what it asks is who lies beside whom, which has sentences of its own.
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
    beside: bool = False
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


@record
class MemberOwners:
    """Kinds that have a member, and what it is of one of them. `text`: its type as the reference writes it."""

    family: Family
    type: Callable[[Model, str], Type]
    text: str


@record
class Member:
    """What follows a dot, of all things of some kinds. Its lowering stands under its name in `expr/builtins.py`.

    `of`: which kinds have it; the first that fits tells the type.
    `called`: where each kind has a name of its own for it, that name; `shown` stands for it in the reference.
    `column`: a printed column of this name is it, or makes it, so a column may be called so.
    `written`: rules may write it. `said`: what a sentence calls it, with `{thing}` for whose it is;
    `own`: the word for it behind `its`, where there is one.
    `printed`, `since`: as of a function.
    """

    name: str
    of: tuple[MemberOwners, ...]
    doc: str
    example: Example
    called: Callable[[Model, str], str] | None = None
    shown: str = ""
    column: bool = False
    written: bool = False
    said: str = ""
    own: str = ""
    printed: bool = False
    since: int = 1

    def type_of(self, model: Model, kind: str) -> Type | None:
        """Its type of something of a kind; None if that has no such member."""
        return next((has.type(model, kind) for has in self.of if has.family.has(model, kind)), None)

    def name_of(self, model: Model, kind: str) -> str:
        """The name that rules read it by, of a kind that has it."""
        return self.called(model, kind) if self.called is not None else self.name

    @property
    def form(self) -> str:
        """`.owner`"""
        return f".{self.shown or self.name}"

    @property
    def signatures(self) -> list[str]:
        """`x.owner -> player, where x is of a kind of things`, for each family that has it."""
        return [f"x{self.form} -> {has.text}, where x is of {has.family.text}" for has in self.of]


@record
class Query:
    """A question about all that binders run over: `form` is how it is written.

    `body`: what stands behind the colon, None where there is none. `gives`: its type; "member": that of the variable,
    "body": that of what stands behind the colon. `missing`: of none it is missing. `single`: it takes one binder.
    `because`: why a body of another type does not fit. The others: as of a function.
    """

    name: str
    form: str
    body: Literal["bool", "int", "measure"] | None
    gives: Type | Literal["member", "body"]
    doc: str
    example: Example
    because: str = ""
    missing: bool = False
    single: bool = False
    means: str = "a query"
    since: int = 1

    @property
    def signature(self) -> str:
        """`min(BINDERS: T) -> maybe T, where T is int or a ladder`"""
        body = {"bool": "bool", "int": "int", "measure": "T"}.get(self.body or "", "")
        binders = "KIND x" if self.single else "BINDERS"
        gives = {"member": "KIND", "body": "T"}.get(self.gives, "") if isinstance(self.gives, str) else str(self.gives)
        where = ", where T is int or a ladder" if self.body == "measure" else ""
        return f"{self.name}({binders}{': ' + body if body else ''}) -> {'maybe ' * self.missing}{gives}{where}"


@record
class Form:
    """A form of the grammar: how it is written, with capitals for what stands there, and what it means.

    `more`: a part of the reference in which more is told, as `statements.md#turns-and-offers`. `name`: what it is
    called, where that is not its first word.
    """

    written: tuple[str, ...]
    doc: str
    example: Example | None = None
    more: str = ""
    name: str = ""
    since: int = 1

    @property
    def title(self) -> str:
        return self.name or self.words[0]

    @property
    def words(self) -> list[str]:
        """Its words of the language, the one that it is found by first."""
        found = _WORD.findall(" ".join(self.written))
        return list(dict.fromkeys(word for word in found if len(word) > 1 or word == "a"))


@record
class BuiltinList:
    """A list that every ruleset has."""

    name: str
    rows: tuple[str, ...]
    doc: str
    example: Example
    since: int = 1

    @property
    def means(self) -> str:
        return f"the list `{', '.join(self.rows)}`"


def resolve_type(type_: Type, bound: Mapping[str, str]) -> Type:
    """A type with the kinds that its variables stand for."""
    return Type(type_.tag, bound.get(type_.name, type_.name), type_.maybe)


@record
class BuiltinName:
    """A built-in name that stands by itself. Its lowering stands in `expr/builtins.py`, under `BUILTIN_NAMES`.

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


# ---- families of kinds


def _lies_in_row(model: Model, kind: str) -> bool:
    return kind in model.made and model.made[kind].line


def _is_ladder(model: Model, kind: str) -> bool:
    return kind in model.lists and model.lists[kind].ladder


def _is_faced(model: Model, kind: str) -> bool:
    return kind in model.sorts and face_column(model.sorts[kind]) is not None


def _place(model: Model, kind: str) -> str:
    return (model.made[kind].place or "") if kind in model.made else ""


LINE = Family("a kind of things in a row (`line: true`)", _lies_in_row)
BESIDE = Family(
    "a grid, or a kind of things in a row",
    lambda model, kind: _lies_in_row(model, kind) or kind in model.grids,
)
LADDER = Family("a ladder", _is_ladder)
LIST = Family("a list", lambda model, kind: True)  # conditions are on lists only
CARDS = Family("a card type", lambda model, kind: kind in model.sorts)
FACED = Family("a card type with a column `face` or `faces`", _is_faced)

LYING = Family(
    "a card type that can be on things", lambda model, kind: kind in model.sorts and bool(bearers_of(model, kind))
)
THINGS = Family("a kind of things", lambda model, kind: kind in model.made)
PLACED = Family("a kind of things with a place (`in:`)", lambda model, kind: _place(model, kind) != "")
TRAITS = Family("`trait`", lambda model, kind: kind == "trait")
EVERY = Family("any kind", lambda model, kind: True)
