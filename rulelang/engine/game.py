"""A game that can be played: a compiled ruleset, from which states are begun, restored and simulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from rulelang.base.errors import BadArgument
from rulelang.engine import parallel, replay, restoring, saving
from rulelang.engine.info import GameInfo
from rulelang.engine.names import Names, player_names
from rulelang.engine.options import TableOption
from rulelang.engine.program import Backend, guarded
from rulelang.engine.recorder import Recorder
from rulelang.engine.seating import Agent, Named, Seated, seat
from rulelang.engine.simulate import Result, Totals
from rulelang.engine.state import State
from rulelang.engine.table import Table
from rulelang.engine.tables import Link, Tables
from rulelang.engine.watch import MOST, check_invariants
from rulelang.texts.language import ENGLISH, Language

#: Begins a game at a position: (the game, the position, backend, with a log). LoadError, ValueError.
Lay = Callable[["Game", Mapping[str, object], str, bool], State]

#: Lists all that there is at a table, in a language.
Cataloguing = Callable[[Table, Language], Any]

#: What a scenario does to the fresh words before the game begins.
Prepare = Callable[[list[int], Table], None]


class Speech(Protocol):
    """The languages of a ruleset."""

    @property
    def codes(self) -> tuple[str, ...]:
        """Their tags, English first."""
        ...

    def language(self, code: str) -> Language:
        """One of them; ValueError if it is none. NoBabel if it cannot count."""
        ...

    def picture(self, name: str) -> tuple[bytes, str] | None:
        """A picture that the ruleset has, and its kind; None if there is none."""
        ...


class Game(Tables):
    """A ruleset ready to play. Get one from `rulelang.load`. Tables are compiled when first wanted, and kept."""

    def __init__(
        self,
        info: GameInfo,
        players: tuple[int, int],
        options: Mapping[str, TableOption],
        link: Link,
        named: Named | None = None,
        lay: Lay | None = None,
        speech: Speech | None = None,
        cataloguing: Cataloguing | None = None,
    ) -> None:
        super().__init__(info, players, options, link)
        self._named = named or _nobody  # makes an agent of its name
        self._lay = lay  # lays a position
        self._speech = speech
        self._cataloguing = cataloguing

    @property
    def languages(self) -> tuple[str, ...]:
        """The tags of the languages that there are for it, English first. Some may say parts of it in English."""
        return self._speech.codes if self._speech is not None else ("en",)

    def language(self, code: str) -> Language:
        """A language, for `State.spoken`. ValueError if there is none of that tag; NoBabel if it counts in ways that
        only Babel knows, and that is not installed."""
        if self._speech is None and code != "en":
            raise BadArgument(f"this game was made without its rules' texts, so it is not known in `{code}`")
        return ENGLISH if self._speech is None else self._speech.language(code)

    def picture(self, name: str) -> tuple[bytes, str] | None:
        """A picture that `look:` names, and what it is (`image/png`, `image/svg+xml`); None if there is none."""
        return None if self._speech is None else self._speech.picture(name)

    def catalogue(
        self, lang: str = "en", players: int | None = None, options: Mapping[str, object] | None = None
    ) -> Any:
        """All cards, texts, traits, lists, zones and actions that there are at a table (of the most players), in a
        language, as JSON-able data: `present.records.Catalogue`. ValueError as `language` and `table`."""
        if self._cataloguing is None:
            raise BadArgument("this game was made without its rules' texts, so there is nothing to list")
        table = self.table(self.players[1] if players is None else players, options)
        return self._cataloguing(table, self.language(lang))

    def new(
        self,
        players: int = 4,
        seed: int = 7,
        names: Sequence[str] | None = None,
        options: Mapping[str, object] | None = None,
        backend: str = "python",
        *,
        log: bool = True,
        prepare: Prepare | None = None,
    ) -> State:
        """Begin a game and run it to its first decision.

        `names` by seat (missing ones are made up); `options` by name, as text, number or truth value. Without `log`
        nothing is noted. `prepare` alters the fresh words first (scenarios). ValueError for what cannot be;
        RuleError for a mistake in the rules that shows itself at once.
        """
        return self.start(self.table(players, options, backend), seed, names, log=log, prepare=prepare)

    def position(self, given: Mapping[str, object], backend: str = "python", *, log: bool = True) -> State:
        """A game that begins at a position, given as the `given` of a scenario would be: players, what lies where,
        phase, turn, and also `options` and `seed`. Things have the names that stand there; see `State.thing`.

        LoadError with diagnostics for a position that cannot be; ValueError for an unknown backend; RuleError for a
        mistake in the rules that shows itself at once.
        """
        if self._lay is None:
            raise BadArgument("this game was made without its rules' texts, so no position can be read")
        return self._lay(self, given, backend, log)

    def start(
        self,
        table: Table,
        seed: int,
        names: Sequence[str] | None = None,
        *,
        log: bool = True,
        prepare: Prepare | None = None,
        called: Mapping[tuple[str, int], str] | None = None,
        dice: Sequence[int] = (),
        invariants: bool = True,
    ) -> State:
        """As `new`, at a table that is compiled already.

        For scenarios: `called` names things by (kind, handle), `dice` are the first dice, each 0 .. sides - 1.
        """
        words = table.program.initial
        table.seed_game(words, seed)
        if prepare is not None:
            prepare(words, table)
        words = table.program.pack(words)
        host = Recorder(table, words, log)
        host.dice = tuple(dice)
        texts = Names(table.program.layout, player_names(table.players, names), called)
        keys = table.program.begin(words, host)
        host.settle()
        if invariants:
            check_invariants(table, words, texts, host)
        by_hand = prepare is not None or bool(dice)
        state = State(table, texts, words, host, keys, None if by_hand else seed)
        return state if invariants else state.without_invariants()

    def restore(self, blob: bytes | str, backend: Backend = "python") -> State:
        """The state in a blob of `State.save`. SaveError if it is damaged or belongs to other rules."""
        record = saving.read(blob)
        saving.check_ruleset(record, self.info)
        players, options, given = saving.table_of(record)
        try:
            table = self.table(players, options, guarded(backend))
            names = Names(table.program.layout, player_names(players, given))
        except BadArgument as error:
            raise saving.SaveError(f"this saved game is damaged: {error}") from None
        return restoring.rebuild(table, names, record)

    def record(self, state: State) -> dict[str, Any]:
        """A replay of the game so far, as JSON-able data. ValueError if it was set up by hand."""
        return replay.record(state)

    def replay(self, data: object, *, any_version: bool = False, backend: str = "python") -> State:
        """Play a recorded game again. SaveError if it belongs to other rules or a choice is not possible."""
        return replay.replay(self, data, any_version=any_version, backend=backend)

    def simulate(
        self,
        n: int = 1000,
        players: int = 4,
        seed: int = 0,
        agents: Sequence[Seated] | None = None,
        options: Mapping[str, object] | None = None,
        backend: str = "auto",
        jobs: int = 1,
        progress: Callable[[int], None] | None = None,
        *,
        invariants: bool = True,
        max_decisions: int = MOST,
        totals: Totals | None = None,
    ) -> Result:
        """Play n games between agents, in `jobs` processes. The outcome does not depend on how many those are.

        `agents` by seat, repeated if fewer: names ("mc:20"), objects with `start` and `choose`, or classes of such.
        None: random ones, on the fast path. `progress` is called with the number of games done. ValueError for what is
        no agent, for one that cannot be sent to another process (jobs > 1), and as `table`. RuleError for a game in
        which an invariant does not hold (unless `invariants` is False), or that has more decisions than
        `max_decisions`. `totals`: what the games are counted in, so that those that were played are there if somebody
        interrupts.
        """
        return parallel.simulate(
            self, n, players, seed, seat(agents, self._named), options, backend, jobs, progress,
            invariants=invariants, max_decisions=max_decisions, totals=totals,
        )  # fmt: skip

    def seated(self, agents: Sequence[Seated]) -> list[Agent]:
        """The agents that names, objects and classes stand for. ValueError for what is no agent."""
        return seat(agents, self._named) or [self._named("random")]

    def __repr__(self) -> str:
        return f"<Game {self.id} {self.version}, {self.players[0]} to {self.players[1]} players>"


def _nobody(name: str) -> Agent:
    raise BadArgument(f"there is no agent `{name}`: this game knows none by name")
