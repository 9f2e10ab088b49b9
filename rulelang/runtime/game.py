"""A game that can be played: a compiled ruleset that begins, restores, replays and simulates states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rulelang.base.errors import BadArgument, as_int, as_mapping, as_text, as_texts, describe_argument
from rulelang.base.languages import ENGLISH, Language
from rulelang.runtime import restore, simulate, state
from rulelang.runtime.display_names import Names, player_names
from rulelang.runtime.position import Position
from rulelang.runtime.program import Backend, guarded
from rulelang.runtime.running import MOST_DECISIONS, begin_game, seeded_cells
from rulelang.runtime.seating import Agent, Named, Seated, seat_all
from rulelang.runtime.simulate import Result, Totals
from rulelang.runtime.state import SaveError, State, check_ruleset
from rulelang.runtime.table import GameInfo, Link, Table, TableOption, Tables, Values

if TYPE_CHECKING:
    from rulelang.runtime.state import State


# ---- replays

REPLAY_FORMAT = 1


def replay_record(state: State) -> dict[str, Any]:
    """Return what `replay` needs, as JSON-able data (schemas/replay.schema.json). ValueError if set up by hand."""
    if not isinstance(state, Position):
        raise TypeError(f"expected a state to record, found {describe_argument(state)}")
    if state.seed is None:
        raise BadArgument("this game did not start from a seed alone, so it cannot be saved as a replay")
    table = state.table
    return {
        "format": REPLAY_FORMAT,
        **table.info.identity,
        "content_hash": table.info.content,
        "players": table.players,
        "names": list(state.players),
        "options": dict(table.options),
        "seed": state.seed,
        **({"ask_forced": True} if state.asks_forced else {}),
        "choices": state.choices,
        "scores": state.scores if state.over else None,
        "winners": state.winners if state.over else None,
        "hash": state.hash(),
    }


def replay_state(game: Game, data: object, *, any_version: bool = False, backend: str = "python") -> State:
    """Return the position that a record leads to.

    SaveError if it is not a record, or belongs to other rules (unless `any_version`), or if a choice is not an option
    any more, or if the end is not the recorded one.
    """
    if not isinstance(data, Mapping) or "format" not in data:
        raise SaveError(
            "this is not a replay: expected a map with `format`, `ruleset`, `players`, `seed` and `choices`"
        )
    if data.get("format") != REPLAY_FORMAT:
        raise SaveError(f"this replay has format {data.get('format')}; this version of rulelang reads {REPLAY_FORMAT}")
    if not any_version:
        check_ruleset(data, game.info)
    players, seed, names = data.get("players"), data.get("seed"), data.get("names")
    options = data.get("options")
    choices: Any = data.get("choices")
    forced = data.get("ask_forced", False)
    if type(players) is not int or type(seed) is not int or not _is_list(choices, int, str):
        raise SaveError("this replay cannot be read: its `players`, `seed` or `choices` are missing or invalid")
    for what, fits in {
        "`names` is not a list of texts": names is None or _is_list(names, str),
        "`ask_forced` is not true or false": type(forced) is bool,
        "`options` is not a map": options is None or (isinstance(options, Mapping) and _is_list([*options], str)),
    }.items():
        if not fits:
            raise SaveError(f"this replay cannot be read: {what}")
    try:
        state = game.new(players, seed, names, options, backend=backend, ask_forced=forced)
    except BadArgument as error:
        raise SaveError(f"this replay cannot be read: {error}") from None
    for number, choice in enumerate(choices, 1):
        refusals = state.try_play(choice)
        if refusals:
            raise SaveError(f"choice {number} of the replay, `{choice}`, is not possible: {refusals[0]}")
    if not any_version and data.get("hash") not in (None, state.hash()):
        raise SaveError("the replay does not end in the recorded position")
    return state


def _is_list(value: Any, *of: type) -> bool:
    """Whether it is a list of such items, and of no others that count as them (truth values are numbers)."""
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes)) and all(type(v) in of for v in value)


# ---- games

#: Begins a game at a position: (the game, the position, backend, with a log). LoadError, ValueError.
Lay = Callable[["Game", Mapping[str, object], str, bool], State]

#: Lists all that there is at a table, in a language.
Cataloguing = Callable[[Table, Language], Any]

#: Makes what works out the declared values of a table: (players, options by number).
Valuing = Callable[[int, Mapping[str, int]], Values]

#: What a scenario does to the initial words before the game begins.
Prepare = Callable[[list[int], Table], None]


class Speech(Protocol):
    """The languages of a ruleset."""

    @property
    def codes(self) -> tuple[str, ...]:
        """Their tags, English first."""
        ...

    def language(self, code: str) -> Language:
        """One of them; ValueError if there is none. NoBabel if it counts in ways that only Babel knows."""
        ...

    def picture(self, name: str) -> tuple[bytes, str] | None:
        """A picture of the ruleset, and its media type; None if there is none."""
        ...


class Game(Tables):
    """A ruleset ready to play. Get one from `rulelang.load`.

    `players` is the pair of the fewest and the most players, `options` what a table may choose, by name; `id`, `title`
    and `version` are those of the manifest. A table (a number of players with options) is compiled when it is first
    needed, and kept.

        game = rulelang.load("evolution")
        state = game.new(players=2, seed=7)
        result = game.simulate(1000, players=2)

    `backend` is "python" (the default), "native" (C, many times faster for much work; needs a compiler, or the extra
    `native`), or "auto". All backends play the same games. A game can be pickled if it comes from `rulelang.load`:
    the other process compiles the same files, or finds the result in the cache.

    Every method raises TypeError for an argument of the wrong type.
    """

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
        valuing: Valuing | None = None,
        again: tuple[Callable[..., Game], tuple[object, ...]] | None = None,
    ) -> None:
        super().__init__(info, players, options, link)
        self._named = named or _nobody  # makes an agent of its name
        self._lay = lay  # lays a position
        self._speech = speech
        self._cataloguing = cataloguing
        self._valuing = valuing
        self._again = again  # makes the same game in another process
        self._values: dict[tuple[object, ...], Values] = {}

    def __getstate__(self) -> dict[str, object]:
        return {**super().__getstate__(), "_values": {}}

    def __reduce_ex__(self, protocol: Any) -> Any:
        return super().__reduce_ex__(protocol) if self._again is None else self._again

    # ---- languages

    @property
    def languages(self) -> tuple[str, ...]:
        """The tags of the languages that the game can be played in, English first: ("en", "ja", ...). A language may
        leave parts of the game in English."""
        return self._speech.codes if self._speech is not None else ("en",)

    def language(self, code: str) -> Language:
        """Return the language of a tag, for `State.spoken`.

        Raise ValueError if no language has that tag, and NoBabel if its plural forms need Babel, which is
        not installed.
        """
        as_text(code, "the tag of a language")
        if self._speech is None and code != "en":
            raise BadArgument(f"this game has no rules texts, so it has no translation `{code}`")
        return ENGLISH if self._speech is None else self._speech.language(code)

    def picture(self, name: str) -> tuple[bytes, str] | None:
        """Return a picture that `look:` names and its media type, such as `image/png`; None if there is none."""
        return None if self._speech is None else self._speech.picture(as_text(name, "the name of a picture"))

    def catalogue(
        self, lang: str = "en", players: int | None = None, options: Mapping[str, object] | None = None
    ) -> Any:
        """Return all cards, texts, traits, lists, zones and actions of a table, in a language, as JSON-able data:
        `present.records.Catalogue`. The table is that of the most players if no number is given.

        ValueError as in `language` and `table`.
        """
        if self._cataloguing is None:
            raise BadArgument("this game has no rules texts to list")
        table = self.table(self.players[1] if players is None else players, options)
        return self._cataloguing(table, self.language(lang))

    # ---- states

    def new(
        self,
        players: int = 4,
        seed: int = 7,
        names: Sequence[str] | None = None,
        options: Mapping[str, object] | None = None,
        backend: str = "python",
        *,
        log: bool = True,
        ask_forced: bool = False,
        prepare: Prepare | None = None,
    ) -> State:
        """Begin a game and run it to its first decision.

        Args:
            players: the number of players.
            seed: any whole number. The same seed gives the same game, on every backend and machine.
            names: the names of the players, by seat. Missing names are generated.
            options: the options of the table by name, each as text, number or truth value. Missing options have their
                defaults.
            backend: the backend that runs the rules, see `Game`.
            log: whether the state keeps a log. Moves are faster without a log.
            ask_forced: whether to ask decisions with exactly one option, too. Normally, the game makes them silently,
                which is right for players; in a perft, a solver or a lesson, each of these decisions counts. The
                state keeps the flag, and so do its clones, saves and replays; the game itself stays the same. Series
                (`simulate`) and playouts ignore it.
            prepare: a function that changes the initial state words before the game starts, as scenarios do. A game
                started this way has no replay.

        Raise ValueError for a table, name or option that is not possible, and RuleError if the rules fail before the
        first decision.

            state = game.new(players=2, seed=1, names=["Ada", "Bob"])

        """
        table = self.table(players, options, as_text(backend, "the backend"))
        return self.start(table, seed, names, log=log, ask_forced=ask_forced, prepare=prepare)

    def position(self, given: Mapping[str, object], backend: str = "python", *, log: bool = True) -> State:
        """Begin a game at a position, written as the `given` of a scenario: players, things, phase, turn; `options` and
        `seed` too. Things have the names that the position gives them; see `State.thing`.

        Raise LoadError with diagnostics for a position that is not possible, ValueError for an unknown backend, and
        RuleError if the rules fail before the first decision.

            game.position({"phase": "taking", "turn": "ana", "players": ["ana", "bob"], "state": {"pile": 5}})
        """
        if self._lay is None:
            raise BadArgument("this game has no rules texts, so it cannot read positions")
        return self._lay(self, as_mapping(given, "the position"), as_text(backend, "the backend"), log)

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
        ask_forced: bool = False,
    ) -> State:
        """Begin a game as `new` does, at a table that is compiled already.

        For scenarios: `called` names things by (kind, handle), `dice` are the first dice, each 0 .. sides - 1.
        """
        seed = as_int(seed, "the seed")
        given = None if names is None else as_texts(names, "names")
        words = seeded_cells(table, seed, ask_forced=ask_forced)
        if prepare is not None:
            prepare(words, table)  # it may call things by their names, too
        known = Names(table.program.layout, player_names(table.players, given), called)
        words, host, keys = begin_game(table, words, known, log=log, dice=dice, invariants=invariants)
        by_hand = prepare is not None or bool(dice)
        state = State(table, known, words, host, keys, None if by_hand else seed)
        return state if invariants else state.without_invariants()

    def restore(self, blob: bytes | str, backend: Backend = "python") -> State:
        """Return the state that `State.save` saved. You can call `undo` on it if the game began with a seed.

        Raise SaveError if the bytes are damaged or belong to other rules.

            game.restore(state.save())
        """
        return self._restored(blob, guarded(backend))

    def unpickled(self, blob: bytes, backend: Backend, code: str) -> State:
        """Return a state that was pickled, which is trusted as every pickle is: it is not examined."""
        state = self._restored(blob, backend, trusted=True)
        return state if code == ENGLISH.code else state.spoken(self.language(code))

    def _restored(self, blob: bytes | str, backend: Backend, *, trusted: bool = False) -> State:
        if not isinstance(blob, (bytes, bytearray, str)):
            raise TypeError(f"a saved game must be bytes or a string, not {describe_argument(blob)}")
        record = state.read_saved_game(blob)
        state.check_ruleset(record, self.info)
        players, options, given = state.saved_table(record)
        try:
            table = self.table(players, options, backend)
            names = Names(table.program.layout, player_names(players, given))
        except BadArgument as error:
            raise state.SaveError(f"this saved game is damaged: {error}") from None
        return restore.restore_state(table, names, record, trusted=trusted)

    def record(self, state: State) -> dict[str, Any]:
        """Return a replay of the game so far, as JSON-able data (schemas/replay.schema.json).

        ValueError if the game did not begin with a seed alone.
        """
        return replay_record(state)

    def replay(self, data: object, *, any_version: bool = False, backend: str = "python") -> State:
        """Play a recorded game again and return its last position.

        Raise SaveError if the replay belongs to other rules (unless `any_version`), or if a choice is not possible.

            game.replay(game.record(state)).hash() == state.hash()          # True
        """
        return replay_state(self, data, any_version=any_version, backend=backend)

    # ---- series

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
        max_decisions: int = MOST_DECISIONS,
        totals: Totals | None = None,
    ) -> Result:
        """Play n games between agents, in `jobs` processes. The result does not depend on the number of processes.

        Args:
            n: the number of games, 1 or more.
            players: the number of players of each game.
            seed: game i of the series depends on (seed, i) alone.
            agents: the agents by seat, repeated if there are more seats: names ("mc:20"), objects with `choose` (see
                `Agent`), or classes of such objects. With None, random agents play on the fast path.
            options: as in `new`.
            backend: "auto" chooses the native backend for large series, if it is available.
            jobs: the number of processes (threads, where a library plays), 1 or more.
            progress: a function that is called with the number of games played so far.
            invariants: whether the invariants of the rules are tested at every decision.
            max_decisions: the maximum number of decisions. A game with more decisions is reported as endless.
            totals: the object that counts the games. After an interruption, it contains the games played so far.

        Raise ValueError for an invalid agent, for an agent that cannot be sent to another process (jobs > 1), for n
        or jobs below 1, and as in `table`. Raise RuleError for a game that fails, breaks an invariant or does not
        end.

            game.simulate(1000, players=2, agents=["mc:20", "random"]).wins

        """
        if progress is not None and not callable(progress):
            raise TypeError(f"`progress` must be a function, not {describe_argument(progress)}")
        jobs = as_int(jobs, "the number of jobs")
        if jobs < 1:
            raise BadArgument(f"the number of jobs must be 1 or more, not {jobs}")
        return simulate.simulate_in_parallel(
            self, as_int(n, "the number of games"), as_int(players, "the number of players"), as_int(seed, "the seed"),
            seat_all(agents, self._named), options, as_text(backend, "the backend"), jobs, progress,
            invariants=invariants, max_decisions=as_int(max_decisions, "the number of decisions"), totals=totals,
        )  # fmt: skip

    def seated(self, agents: Sequence[Seated]) -> list[Agent]:
        """Return the agents for these names, objects and classes, or a random agent if the list is empty. Raise
        ValueError for anything else."""
        return seat_all(agents, self._named) or [self._named("random")]

    def values(self, table: Table) -> Values:
        """Return what works out the declared values of one of its tables, for `State.value`."""
        if self._valuing is None:
            return super().values(table)
        key = (table.players, *sorted(table.options.items()))
        if key not in self._values:
            self._values[key] = self._valuing(table.players, table.options)
        return self._values[key]

    def __repr__(self) -> str:
        return f"<Game {self.id} {self.version}, {self.players[0]} to {self.players[1]} players>"


def _nobody(name: str) -> Agent:
    raise BadArgument(f"there is no agent `{name}`: this game has no named agents")
