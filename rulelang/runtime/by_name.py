"""Reading a position by the names of its rules: state values, attributes, cells of tables, declared values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from rulelang.base.errors import BadArgument, as_int, as_text, describe_argument
from rulelang.base.layout import AttributeLayout, DeclaredValue, Layout, Parameter, handles_of, last_player
from rulelang.base.numbers import ANY
from rulelang.base.wording import did_you_mean, with_article
from rulelang.runtime.display_names import MISSING, Names
from rulelang.runtime.table import Table
from rulelang.runtime.views import shown_name

#: A value of the rules in Python: a number, a truth value, a seat, a name; None for `none`.
Scalar = int | str | None
#: One player, thing, card or row: a seat or handle, a name, or the pair (kind, handle) that `State.thing` returns.
Which = int | str | tuple[str, int]

#: What the language has by itself, as properties of a state.
BUILT_IN = ("round", "phase", "active")


class UnknownName(KeyError):
    """A name that the rules do not declare so; the text says what it is instead, or which name is nearest."""

    def __str__(self) -> str:
        return str(self.args[0])  # not its `repr`, as other KeyErrors have it


class ByName:
    """The words of one position, all secrets included."""

    def __init__(self, table: Table, names: Names, words: Sequence[int]) -> None:
        self.table, self.names, self.words = table, names, words

    @property
    def layout(self) -> Layout:
        return self.table.program.layout

    # ---- the four things that can be read

    def state_value(self, name: str) -> Scalar:
        """Return the value that `state:` declares under this name. UnknownName if it declares none."""
        found = self._state_value(name)
        if found is None:
            raise self.unknown("state value", name)
        return self.shown(found.type, self.words[found.base], found.missing)

    def has_state_value(self, name: object) -> bool:
        """Return whether `state:` declares a value of this name."""
        return isinstance(name, str) and self._state_value(name) is not None

    def attribute(self, name: str, of: Which, index: Sequence[Which]) -> Scalar:
        """Return an attribute of a player, thing, card or row; of one that is kept by rows the one at `index`."""
        as_text(name, "the name of an attribute")
        every = [a for a in self.layout.attributes if a.kind and shown_name(a) == name]
        if not every:
            raise self.unknown("attribute", name)
        attribute, handle = self._bearer(every, of)
        row = handle if attribute.rows is None else attribute.rows.get(handle, 0)
        if not row:
            raise BadArgument(f"{self.names.text(attribute.kind, handle)} does not have the trait {attribute.trait}")
        at = self._place(f"attribute `{name}`", attribute.of, attribute.dims, index)
        return self.shown(attribute.type, self.words[attribute.base + row * attribute.width + at], attribute.missing)

    def cell(self, name: str, of: Sequence[Which]) -> int:
        """Return one cell of a table."""
        table = self.layout.tables.get(as_text(name, "the name of a table"))
        if table is None:
            raise self.unknown("table", name)
        return self.words[table.base + self._place(f"table `{name}`", table.of, table.dims, of)]

    def cells(self, name: str) -> dict[tuple[Scalar, ...], int]:
        """Return all cells of a table, by what they are for."""
        table = self.layout.tables.get(as_text(name, "the name of a table"))
        if table is None:
            raise self.unknown("table", name)
        rows = [[*self.names.handles(kind, self.words)] for kind in table.of]
        found: dict[tuple[Scalar, ...], int] = {}
        for handles in product(*rows):
            key = tuple([self.shown(kind, handle) for kind, handle in zip(table.of, handles, strict=True)])
            found[key] = self.words[table.base + flat_index(table.dims, handles)]
        return found

    def value(self, name: str, args: Sequence[Which | bool | None]) -> Scalar | tuple[int, ...]:
        """Return a declared value, worked out for these arguments; an order as its numbers."""
        values = self.table.values
        known = values.known.get(as_text(name, "the name of a value"))
        if known is None:
            raise self.unknown("value", name)
        if len(args) != len(known.params):
            raise TypeError(f"`{declaration_text(name, known)}` takes {_arguments(len(known.params))}, not {len(args)}")
        given = [self._argument(name, param, arg) for param, arg in zip(known.params, args, strict=True)]
        numbers = values.work_out(known, self.words, given)
        return tuple(numbers) if known.type == "order" else self.shown(known.type, numbers[0], known.missing)

    def check_call(self, name: str, args: Sequence[int], *, actions: bool = False) -> None:
        """Raise UnknownName if no routine is called so, TypeError for a wrong number of arguments.

        With `actions`, the name of an action is right too.
        """
        wanted = "action or routine" if actions else "routine"
        action = self.table.actions.get(as_text(name, f"the name of {with_article(wanted)}")) if actions else None
        kinds = self.table.program.routines.get(name)
        if action is None and kinds is None:
            raise self.unknown(wanted, name)
        count = len(action.types) if action is not None else len(kinds or ())
        if len(args) != count:
            raise TypeError(f"`{name}` takes {_arguments(count)}, not {len(args)}")

    # ---- words and what they stand for

    def shown(self, kind: str, word: int, missing: int = 0) -> Scalar:
        """Return a word as Python has it."""
        if kind == "int":
            return None if missing and word == missing else int(word)
        if kind == "bool":
            return bool(word)
        if not word:
            return None
        if kind == "player":
            return int(word) if word <= self.table.players else 0
        return self.names.text(kind, word)

    def handle(self, kind: str, which: object, what: str) -> int:
        """Return the handle of a player, thing, card or row. TypeError, ValueError."""
        if isinstance(which, tuple):
            if len(which) != 2 or which[0] != kind:
                raise BadArgument(f"{what} must be of kind {kind}, not {describe_argument(which)}")
            which = which[1]
        if isinstance(which, str):
            found = self._named(kind, which)
            if len(found) == 1:
                return found[0]
            if found:
                raise BadArgument(f"{what}: there are {len(found)} things `{which}`; give the handle of one: {found}")
            known = {self.names.text(kind, handle) for handle in self._handles(kind)}
            hint = did_you_mean(which, known)
            raise BadArgument(f"{what}: there is no {kind} `{which}`{'; ' + hint if hint else ''}")
        number = as_int(which, what)
        if kind == "player" and number == 0 and last_player(self.layout) > self.table.players:
            return last_player(self.layout)  # nobody
        if number not in self._handles(kind):
            raise BadArgument(f"{what}: there is no {kind} {number}{' in play' if kind in self.layout.kinds else ''}")
        return number

    def _argument(self, value: str, param: Parameter, given: object) -> int:
        what = f"`{param.name}` of `{value}`"
        if given is None and param.maybe:
            return MISSING if param.type == "int" else 0
        if param.type == "int":
            number = as_int(given, what)
            if not ANY[0] <= number <= ANY[1]:
                raise BadArgument(f"{what} must fit into 64 bits, not {number}")
            return number
        if param.type == "bool":
            if isinstance(given, bool):
                return int(given)
            raise TypeError(f"{what} must be True or False, not {describe_argument(given)}")
        return self.handle(param.type, given, what)

    def _bearer(self, every: Sequence[AttributeLayout], of: Which) -> tuple[AttributeLayout, int]:
        """Which of several attributes of one name is meant, and the handle of what has it."""
        name, kinds = shown_name(every[0]), " or ".join(attribute.kind for attribute in every)
        what = f"attribute `{name}`"
        if isinstance(of, tuple):
            every = [attribute for attribute in every if attribute.kind == of[0]] or every[:1]
        elif isinstance(of, str) and len(every) > 1:
            every = [attribute for attribute in every if self._named(attribute.kind, of)]
            if not every:
                raise BadArgument(f"{what}: there is no {kinds} `{of}`")
        if len(every) > 1:
            raise BadArgument(
                f"{what} must be one of {kinds}: give the pair (kind, handle), as `State.thing` returns it"
            )
        return every[0], self.handle(every[0].kind, of, what)

    def _place(self, what: str, kinds: Sequence[str], dims: Sequence[int], index: Sequence[Which]) -> int:
        """How far behind the first a word lies that is kept by rows."""
        if len(index) != len(kinds):
            by = f" ({', '.join(kinds)})" if kinds else ""
            raise TypeError(f"{what} takes {_arguments(len(kinds), 'row')}{by}, not {len(index)}")
        return flat_index(dims, [self.handle(kind, which, what) for kind, which in zip(kinds, index, strict=True)])

    def _handles(self, kind: str) -> Sequence[int]:
        """All of a kind that there are now, `nobody` included."""
        if kind == "player":
            return range(1, last_player(self.layout) + 1)
        found = self.names.handles(kind, self.words) if handles_of(self.layout, kind) is not None else ()
        return found if isinstance(found, Sequence) else [*found]

    def _named(self, kind: str, name: str) -> list[int]:
        """All of a kind that have a name."""
        wanted = name.casefold()
        return [h for h in self._handles(kind) if self.names.text(kind, h).casefold() == wanted]

    # ---- names that are not there

    def _state_value(self, name: str) -> AttributeLayout | None:
        as_text(name, "the name of a state value")
        return next((a for a in self.layout.attributes if not a.kind and shown_name(a) == name), None)

    def unknown(self, wanted: str, name: str) -> UnknownName:
        """What to raise for a name that is not of the kind `wanted`."""
        kinds = wanted.split(" or ")
        every = [*self._declared()]
        otherwise = [what for known, kind, what in every if known == name and kind not in kinds]
        if otherwise:
            return UnknownName(f"there is no {wanted} `{name}`: it is {otherwise[0]}")
        hint = did_you_mean(name, {known for known, kind, _ in every if kind in kinds})
        if not hint:
            hint = did_you_mean(name, {known for known, _, _ in every})
            other = next((what for known, _, what in every if hint == f"did you mean `{known}`?"), "")
            hint = f"{hint} It is {other}" if other else ""
        return UnknownName(f"there is no {wanted} `{name}`{'; ' + hint if hint else ''}")

    def _declared(self) -> Iterator[tuple[str, str, str]]:
        """Every name of the rules: what it is for short, and in a sentence that says how to read it."""
        for name in BUILT_IN:
            yield name, "built-in name", f"a property: state.{name}"
        for attribute in self.layout.attributes:
            name = shown_name(attribute)
            if not attribute.kind:
                yield name, "state value", f'a state value: state["{name}"]'
            else:
                args = ", ".join((f'"{name}"', attribute.kind, *attribute.of))
                yield name, "attribute", f"an attribute of {attribute.kind}: state.attribute({args})"
        for table in self.layout.tables.values():
            args = ", ".join((f'"{table.name}"', *table.of))
            yield table.name, "table", f"a table: state.cell({args})"
        for name, value in self._values().items():
            args = ", ".join((f'"{name}"', *(param.name for param in value.params)))
            yield name, "value", f"a value: state.value({args})"
        for kind, names in (
            ("option", self.table.options), ("zone", self.layout.zones), ("kind", self.layout.kinds),
            ("list", self.layout.lists), ("phase", self.layout.lists.get("phase", ())[1:]),
            ("action", self.table.actions), ("routine", self.table.program.routines),
        ):  # fmt: skip
            for name in names:
                yield name, kind, with_article(kind)

    def _values(self) -> Mapping[str, DeclaredValue]:
        try:
            return self.table.values.known
        except BadArgument:  # a game without its rules' texts
            return {}


def flat_index(dims: Sequence[int], index: Sequence[int]) -> int:
    """Return the place of a word that is kept by rows, from their numbers."""
    place = 0
    for size, row in zip(dims, index, strict=True):
        place = place * size + row
    return place


def declaration_text(name: str, value: DeclaredValue) -> str:
    """Return a value as rules declare it."""
    params = (f"{'maybe ' if p.maybe else ''}{p.type} {p.name}" for p in value.params)
    return f"{name}({', '.join(params)})"


def _arguments(count: int, what: str = "argument") -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
