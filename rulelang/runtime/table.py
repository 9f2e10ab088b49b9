"""What all states of one table share: the game's identity, the linked program, the players' count and the options."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from rulelang.base.errors import BadArgument
from rulelang.base.layout import ActionInfo, DecisionPoint, Layout, LogTemplate
from rulelang.runtime.info import GameInfo
from rulelang.runtime.program import Backend, LinkedProgram
from rulelang.runtime.rng import policy_seed, seed_words
from rulelang.runtime.secrets import Secrets
from rulelang.runtime.watched import Noted, Watched

if TYPE_CHECKING:
    from rulelang.runtime.by_name import Values
    from rulelang.runtime.tables import Tables


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
        object.__setattr__(self, "card_args", tuple(_cards_in(template, layout) for template in self.program.templates))

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

    def news(self, old: Sequence[int], new: Sequence[int]) -> list[Noted] | None:
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
    def watched(self) -> Watched:
        """What of its states the log watches."""
        return Watched(self.program.layout)

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


def _cards_in(template: LogTemplate, layout: Layout) -> tuple[int, ...]:
    """Return the arguments of which the log notes where they are: that decides who sees them, or their attributes."""
    sorts = layout.sorts
    named = {part[0] for part in template.parts if not isinstance(part, str) and part[1] in sorts}
    bearers = {kept.of for kept in template.kept if kept.of >= 0 and layout.attributes[kept.attribute].kind in sorts}
    return tuple(sorted(named | bearers))
