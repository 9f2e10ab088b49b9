"""A ruleset with its tables: options, number of players and linked program, which all states of a table share."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol, runtime_checkable

from rulelang.base.errors import BadArgument, as_int, as_mapping, as_text
from rulelang.base.layout import ActionInfo, DecisionPoint, DeclaredValue, Layout, LogTemplate
from rulelang.base.node import record
from rulelang.base.wording import did_you_mean, list_with_or, player_count_text
from rulelang.runtime.hidden_information import Secrets
from rulelang.runtime.program import Backend, Extended, LinkedProgram
from rulelang.runtime.rng import policy_seed, seed_words
from rulelang.runtime.watched_cells import WatchedCells, WatchedChange

# ---- identity of the ruleset


@record
class GameInfo:
    """The identity of a ruleset: `content` is the hash of everything that went into it, mods and mode included.

    `title` is that of what was named first, which may be a mod; `mods` are ids with versions, in the order of layers.
    """

    id: str
    version: str
    title: str
    content: str
    mods: tuple[tuple[str, str], ...] = ()
    mode: str | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """What was played, for people and programs that read a result: JSON-able."""
        return {"ruleset": self.id, "version": self.version, "mods": dict(self.mods), "mode": self.mode}


# ---- options before the game


@dataclass(frozen=True, slots=True)
class TableOption:
    """One option. `values` names the choices (numbered from 1); without names it is a number low..high, or a switch.

    `teams`: the numbers of players who can play with a choice that makes teams of them, by the choice's number.
    """

    name: str
    values: tuple[str, ...]
    low: int
    high: int
    switch: bool
    default: Mapping[int, int]  # by number of players
    text: str = ""
    teams: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def number(self, value: object) -> int:
        """The number that stands for a value in the state. ValueError, in plain words, for what it cannot be."""
        if self.values:
            if isinstance(value, str) and value in self.values:
                return self.values.index(value) + 1
            if type(value) is int and 1 <= value <= len(self.values):
                return value
            hint = did_you_mean(str(value), self.values)
            known = ", ".join(self.values)
            raise BadArgument(
                f"option `{self.name}` must be one of {known}, not {_given_text(value)}{'; ' + hint if hint else ''}"
            )
        if self.switch:
            words = {"true": 1, "yes": 1, "on": 1, "1": 1, "false": 0, "no": 0, "off": 0, "0": 0}
            number = words.get(str(value).casefold())
            if number is None:
                raise BadArgument(f"option `{self.name}` must be true or false, not {_given_text(value)}")
            return number
        try:
            number = int(str(value))
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise BadArgument(
                f"option `{self.name}` must be a number from {self.low} to {self.high}, not {_given_text(value)}"
            )
        return number

    def number_at(self, value: object, players: int) -> int:
        """The same at a table of so many players. ValueError also for teams that so many cannot form."""
        number = self.number(value)
        counts = self.teams.get(number)
        if counts is None or players in counts:
            return number
        chosen = f"{self.value_of(number)}".lower() if self.switch else f"{self.value_of(number)}"
        raise BadArgument(
            f"option `{self.name}` cannot be {chosen} with {players} players: teams need {list_with_or(counts)}"
        )

    def value_of(self, number: int) -> str | bool | int:
        """A number of the state as a value that can be given for it, as JSON has it."""
        return self.values[number - 1] if self.values else bool(number) if self.switch else number


def choose_options(
    options: Mapping[str, TableOption], players: int, given: Mapping[str, object] | None
) -> dict[str, int]:
    """Every option's number: what is given, the default for this number of players otherwise. ValueError as above."""
    for name in given or {}:
        if name not in options:
            hint = did_you_mean(name, options)
            known = ", ".join(options) or "this game has no options"
            raise BadArgument(f"there is no option `{name}` ({hint or known})")
    return {
        name: option.number_at(given[name], players) if given and name in given else option.default[players]
        for name, option in options.items()
    }


def _given_text(value: object) -> str:
    """A value that was given, as a rules file would have it."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if text.removeprefix("-").isdecimal() else f"`{text}`"


# ---- a table


class PureProgram(Protocol):
    """A program that answers pure functions."""

    @property
    def initial(self) -> list[int]: ...
    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int: ...


class Values:
    """The declared values of a table: the program that works them out, and what is known of each, by name."""

    def __init__(self, program: PureProgram, known: Mapping[str, DeclaredValue]) -> None:
        self.program, self.known = program, known

    def work_out(self, value: DeclaredValue, words: Sequence[int], args: Sequence[int]) -> list[int]:
        """Return the number, or all those of an order."""
        S = [*words, *self.program.initial[len(words) :]]  # it may use words that the game has not
        return [self.program.pure(S, function, args) for function in value.functions]


@runtime_checkable
class Observing(Protocol):
    """A program that says itself, sooner, what a seat may know: None if it cannot."""

    def observed(self, S: Sequence[int], seat: int) -> list[int] | None: ...


@runtime_checkable
class Comparing(Protocol):
    """A program that compares two states sooner."""

    def changed(self, old: Sequence[int], new: Sequence[int]) -> list[int]: ...

    def changed_in(self, runs: array[int], old: Sequence[int], new: Sequence[int]) -> list[int]:
        """In runs of words only: where each begins, and where it ends."""
        ...


#: So many words are compared at once before each of them is.
PIECE = 64


@dataclass(frozen=True)
class Table:
    """`options` by name, as the model numbers them. `home`: the ruleset of which it is a table; None in tests."""

    info: GameInfo
    program: LinkedProgram
    players: int
    options: Mapping[str, int]
    home: Tables | None = field(default=None, repr=False, compare=False)
    backend: Backend = field(default="python", repr=False, compare=False)
    actions: Mapping[str, ActionInfo] = field(init=False)  # by id, then by name where that is not taken
    card_args: tuple[tuple[int, ...], ...] = field(init=False)  # by template: the arguments that are cards

    def __post_init__(self) -> None:
        found: dict[str, ActionInfo] = {}
        for site in self.program.sites:
            if site.kind == "offer":
                found |= {action.id: action for action in site.actions}
        for action in [*found.values()]:
            found.setdefault(action.name, action)
        object.__setattr__(self, "actions", found)
        layout = self.program.layout
        object.__setattr__(
            self, "card_args", tuple(_card_arguments(template, layout) for template in self.program.templates)
        )

    @cached_property
    def values(self) -> Values:
        """The declared values of its rules. ValueError for a table without its rules' texts."""
        if self.home is None:
            raise BadArgument("this table has no rules texts, so it cannot read values by name")
        return self.home.values(self)

    @cached_property
    def observing(self) -> Observing | None:
        """Its program, if that says itself what a seat may know."""
        return self.program if isinstance(self.program, Observing) else None

    @cached_property
    def comparing(self) -> Comparing | None:
        """Its program, if that compares states itself."""
        return self.program if isinstance(self.program, Comparing) else None

    def changed(self, old: Sequence[int], new: Sequence[int]) -> Sequence[int]:
        """The addresses at which the words of two of its states differ."""
        if old is new:
            return ()
        if self.comparing is not None:
            return self.comparing.changed(old, new)
        found: list[int] = []
        for begin in range(0, len(new), PIECE):
            end = begin + PIECE
            if old[begin:end] != new[begin:end]:
                found += (at for at in range(begin, min(end, len(new))) if old[at] != new[at])
        return found

    def news(self, old: Sequence[int], new: Sequence[int]) -> list[WatchedChange] | None:
        """What has changed for players, as `Watched.changes`; None if no watched word has."""
        if self.comparing is not None:
            differing: Sequence[int] = self.comparing.changed_in(self.watched.bounds, old, new)
        else:
            differing = () if self.watched.same(old, new) else self.changed(old, new)
        return self.watched.changes(old, new, differing) if differing else None

    @cached_property
    def named_args(self) -> tuple[Mapping[int, str], ...]:
        """By template of the log: the kinds of the arguments that its text names, by their places."""
        return tuple(
            {part[0]: part[1] for part in template.parts if not isinstance(part, str) and not part[1].startswith(":")}
            for template in self.program.templates
        )

    @cached_property
    def wordless(self) -> tuple[bool, ...]:
        """By template of the log, whether it is an action for which the rules have no words but its name."""
        return tuple(
            template.what == "action"
            and bool(template.parts)
            and isinstance(first := template.parts[0], str)
            and first.split(" ")[0] == template.name.rpartition(".")[2]
            for template in self.program.templates
        )

    @cached_property
    def secrets(self) -> Secrets:
        """What players do not see of its states."""
        return Secrets(self.program.layout)

    @cached_property
    def watched(self) -> WatchedCells:
        """What of its states the log watches."""
        return WatchedCells(self.program.layout)

    @cached_property
    def fingerprint(self) -> str:
        """Of how the words lie: it changes where another version of rulelang lays a state or its frames out otherwise.
        The same on every backend."""
        layout = self.program.layout
        laid = (
            layout.size, layout.stack, layout.cells, layout.attributes, layout.kinds, layout.zones, layout.tables,
            layout.where, layout.card_next, layout.card_face, layout.card_partner, layout.silent,
            layout.pairs, layout.queue, self.program.standings,
        )  # fmt: skip
        return sha256(repr(laid).encode()).hexdigest()[:16]

    def known(self, words: Sequence[int], seat: int) -> list[int]:
        """The words as a seat (0: a spectator) may know them, packed; see `Secrets.observe`."""
        found = None if self.observing is None else self.observing.observed(words, seat)
        return self.program.pack(self.secrets.observe(words, seat)) if found is None else found

    def seed_game(self, words: list[int], seed: int) -> None:
        """Seed the game's own generator."""
        cells = self.program.layout.cells
        words[cells.rng_x], words[cells.rng_c] = seed_words(seed)

    def seed_policy(self, words: list[int], seed: int) -> None:
        """Seed the generator of random playouts."""
        cells = self.program.layout.cells
        words[cells.policy_x], words[cells.policy_c] = seed_words(policy_seed(seed))

    def site(self, words: Sequence[int]) -> DecisionPoint:
        """The site at which the words wait."""
        return self.program.sites[words[self.program.layout.cells.site] - 1]

    def row(self, kind: str, number: int) -> str:
        """The name of a row, "" for none or an unknown kind."""
        rows = self.program.layout.lists.get(kind, ())
        return rows[number] if 0 < number < len(rows) else ""


def _card_arguments(template: LogTemplate, layout: Layout) -> tuple[int, ...]:
    """Return the arguments of which the log notes where they are: that decides who sees them, or their attributes."""
    sorts = layout.sorts
    named = {part[0] for part in template.parts if not isinstance(part, str) and part[1] in sorts}
    bearers = {kept.of for kept in template.kept if kept.of >= 0 and layout.attributes[kept.attribute].kind in sorts}
    return tuple(sorted(named | bearers))


# ---- the tables of a ruleset

#: Compiles and links the program for a table: (players, options by number, backend). ValueError: an unknown backend.
Link = Callable[[int, Mapping[str, int], Backend], LinkedProgram]


class Tables:
    """A ruleset of which there are tables. Each is compiled when it is first needed, and kept."""

    def __init__(
        self, info: GameInfo, players: tuple[int, int], options: Mapping[str, TableOption], link: Link
    ) -> None:
        self.info = info
        self.players = players  # the fewest and the most
        self.options = options
        self._link = link
        self._tables: dict[tuple[object, ...], Table] = {}

    def __getstate__(self) -> dict[str, object]:
        # Linked programs stay in their process.
        return {**self.__dict__, "_tables": {}}

    @property
    def id(self) -> str:
        """The id of the ruleset, as its manifest has it."""
        return self.info.id

    @property
    def title(self) -> str:
        """The title of the ruleset, in English."""
        return self.info.title

    @property
    def version(self) -> str:
        """The version of the ruleset, as its manifest has it."""
        return self.info.version

    def table(
        self, players: int = 4, options: Mapping[str, object] | None = None, backend: Backend = "python"
    ) -> Table:
        """Return the compiled table for a number of players.

        ValueError for a number of players that the game does not allow, or for an unknown option, value or backend;
        TypeError for arguments of the wrong type; BuildError if the backend that you name is not available here.
        """
        players = as_int(players, "the number of players")
        if not isinstance(backend, Extended):
            as_text(backend, "the backend")
        low, high = self.players
        if not low <= players <= high:
            raise BadArgument(f"{self.title} is for {player_count_text(low, high)}, not {players}")
        numbers = choose_options(self.options, players, None if options is None else as_mapping(options, "options"))
        key = (players, backend, *sorted(numbers.items()))
        if key not in self._tables:
            program = self._link(players, numbers, backend)
            self._tables[key] = Table(self.info, program, players, numbers, self, backend)
        return self._tables[key]

    def values(self, table: Table) -> Values:
        """Return what works out the declared values of one of its tables. ValueError if the rules are not known."""
        raise BadArgument("this game has no rules texts, so it cannot read values by name")
