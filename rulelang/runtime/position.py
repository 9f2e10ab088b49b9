"""What can be read of a game in progress: decision, values by name, scores, log, and what a seat sees."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from rulelang.base.errors import BadArgument, as_int, as_text
from rulelang.base.wording import did_you_mean
from rulelang.runtime.by_name import ByName, Scalar, Which
from rulelang.runtime.decision import Decision, make_options, question_text
from rulelang.runtime.display_names import Names
from rulelang.runtime.event_log import Log, LogReader
from rulelang.runtime.program import OptionTuple
from rulelang.runtime.recorder import Recorder
from rulelang.runtime.running import ASKS_FORCED
from rulelang.runtime.table import Table
from rulelang.runtime.views import View, seat_view

# ---- winners and digests


def best_seats(table: Table, words: list[int]) -> list[int]:
    """The seats that win with these words: scores first, then tiebreaks, both summed over a team."""
    program = table.program
    teams = program.teams or tuple((seat,) for seat in range(1, table.players + 1))
    ranks = []
    for team in teams:
        scores = sum(program.score(words, seat) for seat in team)
        ties = zip(*(program.tiebreak(words, seat) for seat in team), strict=True)
        ranks.append((scores, tuple(sum(parts) for parts in ties)))
    best = max(ranks)
    return sorted(seat for team, rank in zip(teams, ranks, strict=True) if rank == best for seat in team)


def state_digest(table: Table, words: Sequence[int]) -> str:
    """SHA-256 over the ruleset's content, the table and all words but the policy's generator."""
    options = ",".join(f"{name}={value}" for name, value in sorted(table.options.items()))
    head = f"{table.info.content};{table.players};{options};"
    return sha256(head.encode() + _state_bytes(table, words)).hexdigest()


def position_digest(table: Table, words: Sequence[int]) -> str:
    """A short digest of the words alone: another version of the ruleset may have the same where it lays them alike."""
    return sha256(_state_bytes(table, words)).hexdigest()[:16]


def _state_bytes(table: Table, words: Sequence[int]) -> bytes:
    cells = table.program.layout.cells
    packed = array("q", words)
    packed[cells.policy_x] = packed[cells.policy_c] = 0
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


# ---- position

#: What a decision leads back to: words, recorder, options, number of choices, decision.
Snapshot = tuple[list[int], Recorder, "list[OptionTuple] | None", "Choices", "Decision | None"]
Choices = tuple[int, Any] | None  # (the last choice, the choices before it)


class Position:
    """The part of `State` that only reads."""

    __slots__ = (
        "_choices", "_decision", "_host", "_keys", "_loaded", "_names", "_past", "_seed", "_table", "_tests", "_words",
    )  # fmt: skip

    def __init__(
        self,
        table: Table,
        names: Names,
        words: list[int],
        host: Recorder,
        keys: list[OptionTuple] | None,
        seed: int | None,
        choices: Choices = None,
    ) -> None:
        self._table = table
        self._names = names
        self._words = words  # never changed in place once here: undo and clones share it until the next move
        self._host = host
        self._keys = keys
        self._loaded = False  # whether its words came from a file
        self._seed = seed  # None: did not start as the seed alone would have it, so there is no replay
        self._choices = choices
        self._tests = True  # whether invariants are tested
        self._past: tuple[Snapshot, ...] = ()
        self._decision: Decision | None = None

    # ---- the pending decision

    @property
    def over(self) -> bool:
        """True once the game has ended and there are no more decisions."""
        return self._keys is None

    @property
    def decision(self) -> Decision:
        """The pending decision, with the texts of its options. RuntimeError if the game is over."""
        if self._decision is None:
            if self._keys is None:
                raise RuntimeError("the game is over: there is no decision")
            site = self._table.site(self._words)
            player = self.decider
            self._decision = Decision(
                player,
                self._names.text("player", player),
                self.prompt,
                site.kind,
                make_options(site, self._keys, self._names, self._words),
                site.span,
            )
        return self._decision

    @property
    def prompt(self) -> str:
        """The question of the pending decision, without its options; "" if the game is over."""
        if self._keys is None:
            return ""
        return question_text(self._table, self._names, self._words, self._keys, self._host.cause)

    @property
    def decider(self) -> int:
        """The seat that must decide, starting at 1; 0 if the game is over. Cheap: generates no texts."""
        return 0 if self._keys is None else self._words[self._table.program.layout.cells.decider]

    @property
    def option_count(self) -> int:
        """The number of options of the pending decision; 0 if the game is over. Cheap: generates no texts."""
        return 0 if self._keys is None else len(self._keys)

    @property
    def keys(self) -> Sequence[OptionTuple]:
        """The keys of the options (`Option.key`), by index; empty if the game is over. Cheap: generates no texts."""
        return self._keys or ()

    @property
    def asks_forced(self) -> bool:
        """Whether the game also asks decisions with one option: `Game.new(ask_forced=True)`."""
        return self._words[self._table.program.layout.cells.stepping] == ASKS_FORCED

    # ---- where the game is

    @property
    def round(self) -> int:
        """The round number, starting at 1; 0 before the first round."""
        return self._words[self._table.program.layout.cells.round]

    @property
    def decisions(self) -> int:
        """The number of decisions made so far: 0 before the first. Forced decisions count only if the game asked them
        (`asks_forced`). Cheap."""
        cells, words = self._table.program.layout.cells, self._words
        asked = words[cells.decisions]
        if not words[cells.stepping]:
            return asked - (self._keys is not None)  # the pending one has been asked, and not made
        if self.asks_forced:
            return asked + words[cells.forced] - (self._keys is not None)
        return asked - (self.option_count > 1)  # scenarios pause where nothing is asked, too

    @property
    def phase(self) -> str:
        """The name of the current phase; "" outside phases."""
        return self._table.row("phase", self._words[self._table.program.layout.cells.phase])

    @property
    def active(self) -> int:
        """The seat whose turn it is, starting at 1; 0 outside turns."""
        return self._words[self._table.program.layout.cells.active]

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return self._names.players

    @property
    def names(self) -> Names:
        """The texts for the things of this table, in the language of this state."""
        return self._names

    @property
    def table(self) -> Table:
        """What all states of one table share: ruleset, linked program, number of players, options."""
        return self._table

    @property
    def words(self) -> Sequence[int]:
        """The flat state, as `table.program.layout` describes it. Do not change it."""
        words: object = self._words  # as its program packs them
        return self._words if isinstance(words, list) else [*self._words]

    @property
    def public_words(self) -> Sequence[int]:
        """The same words as everybody except their owner sees them. During `secretly`, these are the words from when
        it began."""
        curtain = self._host.curtain_words
        return self.words if curtain is None else curtain

    @property
    def seed(self) -> int | None:
        """The seed that the game began with; None if the game began differently, for example at a position."""
        return self._seed

    @property
    def choices(self) -> list[int]:
        """The indices of the options chosen so far, oldest first."""
        found = []
        chain = self._choices
        while chain is not None:
            choice, chain = chain
            found.append(choice)
        found.reverse()
        return found

    # ---- values by their names

    def __getitem__(self, name: str) -> Scalar:
        """Return a state value, which the rules declare under `state:`.

        A number is an int, a truth value a bool, a player a seat (0 for `nobody`), a row or thing its name, `none` is
        None. The name of a trait's value is `TRAIT.NAME`. This is the whole state: a program that plays a seat fairly
        reads `view(seat)` instead, which leaves out what the seat may not see.

            state["pile"]          # 15

        Raise KeyError for any other name. The message suggests the nearest name, or another way to read this name.
        """
        return self._by_name.state_value(name)

    def __contains__(self, name: object) -> bool:
        """Return whether `state:` declares a value of this name."""
        return self._by_name.has_state_value(name)

    def attribute(self, name: str, of: Which, *index: Which) -> Scalar:
        """Return an attribute of a player, thing, card or row, in the form of `state[NAME]`.

        `of` is its name, its seat or handle, or the pair (kind, handle) that `thing` returns; `index` are the rows of
        an attribute that is kept by rows. The state value `NAME` of a trait is called `TRAIT.NAME`. Secrets are
        included, as in `state[NAME]`.

            state.attribute("took", "ana")          # 3, and so is state.attribute("took", 1)

        KeyError for an unknown attribute, ValueError if there is nothing of that name or handle now, or several,
        TypeError for arguments of a wrong type or number.
        """
        return self._by_name.attribute(name, of, index)

    def cell(self, name: str, *of: Which) -> int:
        """Return one cell of a table that the rules declare under `tables:`, by what it is for.

            state.cell("trail", "ada", "bed")       # 4

        Secrets are included. Errors are those of `attribute`.
        """
        return self._by_name.cell(name, of)

    def cells(self, name: str) -> dict[tuple[Scalar, ...], int]:
        """Return all cells of a table: a dict from what each is for, in the form of `state[NAME]`, to its number.

            state.cells("trail")                    # {("ada", "bed"): 4, ("ada", "wall"): 0, ...}

        Secrets are included. KeyError for an unknown table.
        """
        return self._by_name.cells(name)

    def value(self, name: str, *args: Which | bool | None) -> Scalar | tuple[int, ...]:
        """Return a value that the rules declare, computed in this position with all its `modify` hooks.

        The result has the form of `state[NAME]`; an `order` is a tuple of ints. Arguments are numbers, True or False,
        and of players, things, cards and rows what `attribute` takes; None for `none` where the rules say `maybe`.
        Values that belong to a trait or row cannot be read. Secrets are included.

            state.value("score", "ana")             # 12

        The first call for a table compiles its values, which may take a second; the result is kept on disk. The
        backend of the state makes no difference. KeyError for an unknown value; TypeError for a wrong number or type
        of arguments; ValueError for a name or handle that is not there; RuleError if the rules fail.
        """
        return self._by_name.value(name, args)

    @property
    def _by_name(self) -> ByName:
        return ByName(self._table, self._names, self._words)

    def thing(self, name: str) -> tuple[str, int]:
        """Return the kind and handle of a player, a thing in play or a row, by its name; ValueError if there is none.

        `names.text(kind, handle)` is the way back.
        """
        as_text(name, "the name of a thing")
        layout = self._table.program.layout
        known: dict[str, tuple[str, int]] = {}
        for kind in ("player", *layout.kinds, *(k for k in layout.lists if k not in layout.kinds)):
            for handle in self._names.handles(kind, self._words):
                known.setdefault(self._names.text(kind, handle), (kind, handle))
        if name not in known:
            hint = did_you_mean(name, known)
            raise BadArgument(f"there is no player, thing or row `{name}`{'; ' + hint if hint else ''}")
        return known[name]

    # ---- the result

    @property
    def scores(self) -> list[int]:
        """The points by seat, as if the game ended now. Each team member gets the team's points."""
        program, S = self._table.program, self._words
        own = [program.score(S, seat) for seat in range(1, self._table.players + 1)]
        for team in program.teams:
            total = sum(own[seat - 1] for seat in team)
            for seat in team:
                own[seat - 1] = total
        return own

    @property
    def winners(self) -> list[int]:
        """The seats with the highest score and, among them, the best tiebreak. Several seats can share the win. Empty
        until the game is over."""
        return best_seats(self._table, self._words) if self.over else []

    # ---- the log and views

    @property
    def log(self) -> Log:
        """All events so far, oldest first, with nothing hidden."""
        return Log(self._host, self._names)

    def log_for(self, player: int | str | None) -> Log:
        """Return the events that a player (None: a spectator) saw, oldest first; ValueError for an unknown player."""
        return Log(self._host, self._names, self.seat(player))

    def log_in(self, names: Names, viewer: int | None, reading: LogReader | None = None) -> Log:
        """Return the log in other names. `viewer` is a seat, 0 for a spectator, or None for everything; `reading` is
        what the viewer has read of this game before."""
        return Log(self._host, names, viewer, reading)

    def view(self, player: int | str | None = None) -> View:
        """Return what a player (None: a spectator) sees, as JSON-able data without secrets (schemas/view.schema.json).

        ValueError if there is no such player.
        """
        decision = None if self._keys is None else self.decision
        seat = self.seat(player)
        return seat_view(self._table, self._names, self._words, self._host.curtain_words, seat, decision)

    def seat(self, player: int | str | None) -> int:
        """Return the seat of a player given by seat or name, from 1; 0 for None. ValueError if there is no such player;
        TypeError for any other type."""
        if player is None:
            return 0
        if not isinstance(player, str):
            seat = as_int(player, "a player")
            if 1 <= seat <= self._table.players:
                return seat
        else:
            folded = [name.casefold() for name in self.players]
            if player.casefold() in folded:
                return folded.index(player.casefold()) + 1
        raise BadArgument(f"there is no player {player!r}: name one of {', '.join(self.players)}, or a seat from 1")

    def hash(self) -> str:
        """Return a digest of ruleset, table and position: equal in every process and on every backend."""
        return state_digest(self._table, self._words)

    def __repr__(self) -> str:
        where = "over" if self.over else f"{self.players[self.decider - 1]} is asked"
        return f"<State of {self._table.info.id}: round {self.round}, {where}>"

    @property
    def dice(self) -> tuple[int, ...]:
        """The fixed dice that have not been rolled yet, each 0 .. sides - 1 (scenarios)."""
        return self._host.dice

    @property
    def misfit(self) -> tuple[int, int] | None:
        """A fixed die that was larger than the rolled one: the number to show, from 1, and the number of sides."""
        return self._host.misfit
