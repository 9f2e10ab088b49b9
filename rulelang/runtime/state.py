"""A game in progress: moves, explanations, copies and saves of a position."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from rulelang.base.errors import BadArgument, RuleError, as_int, as_text
from rulelang.base.languages import Language
from rulelang.runtime.decision import IllegalMove, Option, Refusal
from rulelang.runtime.display_names import Names
from rulelang.runtime.position import Choices, Position
from rulelang.runtime.program import STRAY_CELL_ERRORS, Backend, OptionTuple
from rulelang.runtime.recorder import Recorder
from rulelang.runtime.rng import Generator, splitmix64
from rulelang.runtime.running import begin_game, check_invariants, seeded_cells
from rulelang.runtime.why import find_option, why_not_option

if TYPE_CHECKING:
    from rulelang.runtime.table import GameInfo


# ---- saved games

#: 1: of versions that did not tell how the state is laid out.
#: 2: of versions whose log did not tell who did what.
#: 3: of versions whose log did not tell what changed.
SAVE_FORMAT = 4
LARGEST_SAVE = 200_000_000  # bytes of a blob; a longer one is not read


class SaveError(ValueError):
    """Raised by `Game.restore` and `Game.replay` for data that is not a saved game or replay, is damaged, or belongs to
    other rules; the text says which.

        try:
            state = game.restore(data)
        except rulelang.SaveError as error:
            print(error)
    """


class DamagedState(SaveError):
    """The rules cannot go on from a position: its words are none that a game can lead to.

    Whoever alters a saved game may change what `restoring` cannot test, so it may also show in a later move.
    """


STUCK_POSITION = "the rules cannot go on from this position: no game leads to it"


def save_state(state: State) -> bytes:
    """The position with its log, choices and names. What `undo` remembers is not saved."""
    table, host = state.table, state._host
    record = {
        "rulelang": "saved game",
        "format": SAVE_FORMAT,
        **table.info.identity,
        "content_hash": table.info.content,
        "layout": table.fingerprint,
        "players": table.players,
        "names": list(state.players),
        "called": [[kind, handle, text] for (kind, handle), text in sorted(state.names.overrides.items())],
        "options": dict(table.options),
        "seed": state.seed,
        "choices": state.choices,
        "words": list(state.words),
        "curtain": None if host.curtain_words is None else list(host.curtain_words),
        "curtain_from": host.curtain_from,
        "took": host.took,
        "dice": host.dice,
        "log": [[*e] for e in host.entries()] if host.enabled else None,
        "opened": [number for number, _ in host.opened] if host.enabled else [],
        "hash": state.hash(),
    }
    return json.dumps(record, separators=(",", ":")).encode()


def read_saved_game(blob: bytes | str) -> dict[str, Any]:
    """The record in a blob. SaveError if it is none."""
    if len(blob) > LARGEST_SAVE:
        raise SaveError("this is not a saved game: it is too large")
    try:
        record = json.loads(blob)
    except (ValueError, RecursionError):
        raise SaveError("this is not a saved game: it is not JSON") from None
    if not isinstance(record, dict) or record.get("rulelang") != "saved game":
        raise SaveError("this is not a saved game of rulelang")
    if record.get("format") != SAVE_FORMAT:
        raise SaveError(
            f"this saved game has format {record.get('format')}: another version of rulelang wrote it, and this one "
            f"reads {SAVE_FORMAT}"
        )
    return record


def check_ruleset(record: Mapping[str, Any], info: GameInfo) -> None:
    """SaveError unless the record belongs to this ruleset, to the letter."""
    if record.get("ruleset") != info.id:
        raise SaveError(f"this game belongs to `{record.get('ruleset')}`, not to `{info.id}`")
    if record.get("content_hash") != info.content:
        then, now = _ruleset_text(record), _ruleset_text(info.identity)
        changed = "now it is " + now if then != now else "its files have changed since then"
        raise SaveError(f"this game began with other rules: {then}; {changed}")


def _ruleset_text(identity: Mapping[str, Any]) -> str:
    """A ruleset with its version, mods and mode, in words."""
    mods, mode = identity.get("mods"), identity.get("mode")
    parts = [f"{mod} {version}" for mod, version in mods.items()] if isinstance(mods, Mapping) else []
    told = f" with {', '.join(parts)}" if parts else ""
    return f"`{identity.get('ruleset')}` {identity.get('version')}{told}{f' in the mode `{mode}`' if mode else ''}"


def saved_table(record: Mapping[str, Any]) -> tuple[int, dict[str, int], list[str]]:
    """Return players, options and names of a record. SaveError if they are damaged."""
    players, options, names = record.get("players"), record.get("options"), record.get("names")
    if not (
        type(players) is int
        and isinstance(options, dict)
        and all(type(value) is int for value in options.values())
        and isinstance(names, list)
        and all(isinstance(name, str) for name in names)
    ):
        raise SaveError("this saved game is damaged: its table cannot be read")
    return players, options, names


# ---- state

#: How many moves `undo` can take back.
UNDO = 32


@runtime_checkable
class Restoring(Protocol):
    """A game that states of other processes are restored by."""

    def unpickled(self, blob: bytes, backend: Backend, code: str) -> State:
        """Restore a state that was pickled, on a backend, in the language of this tag."""
        ...


class State(Position):
    """One position of a game, with all its secrets. `Game.new`, `Game.position`, `Game.restore` and `clone` create
    states.

    Seats count from 1. Moves change a state in place; all other methods leave it as it is. If `play` or `undo` raises
    an exception, the state is as it was before.

        state = rulelang.load("evolution").new(players=2, seed=7)
        while not state.over:
            print(state.decision.name, [option.text for option in state.decision.options])
            state.play(0)
        print(state.scores, state.winners)

    `copy.copy` and `copy.deepcopy` do the same as `clone`. A state can be pickled, for example to send it to another
    process. The pickle contains the save and the source of the game, which the other process compiles or reads from
    the cache. The rules must be the same there. Pickling raises TypeError if the game has no source.
    """

    __slots__ = ()

    # ---- moves

    def play(self, choice: Option | str | int) -> None:
        """Choose an option: the `Option`, its text or an unambiguous beginning of it, or its index from 0.

        Raise IllegalMove, with reasons, if the choice is not among the options; RuleError if the rules fail;
        TypeError for a choice of any other type. After an exception, the state is unchanged.

            state.play("take 3")
        """
        found = self.find(choice)
        if not isinstance(found, int):
            raise IllegalMove(found)
        self._go(found)

    def try_play(self, choice: Option | str | int) -> list[Refusal]:
        """Choose an option as `play` does, but return the reasons if the move is illegal, or an empty list if it was
        played."""
        found = self.find(choice)
        if not isinstance(found, int):
            return found
        self._go(found)
        return []

    def find(self, choice: Option | str | int) -> int | list[Refusal]:
        """Return the index of an option given in any form, or the reasons why the choice is not an option.

        TypeError for anything that is not an `Option`, a text or a whole number; True and None are not.
        """
        if type(choice) is not int and not isinstance(choice, (Option, str)):
            choice = as_int(choice, "a choice", "an option, its text or its index")
        if self._keys is None:
            return [Refusal(self._names.language.say("the game is over"))]
        if isinstance(choice, int):
            if 0 <= choice < len(self._keys):
                return choice
            return [Refusal(f"there is no option {choice}: options are numbered from 0 to {len(self._keys) - 1}")]
        if isinstance(choice, Option):
            if 0 <= choice.index < len(self._keys) and self._keys[choice.index] == choice.key:
                same = self.decision.options[choice.index]
                if (same.action, same.source) == (choice.action, choice.source):
                    return choice.index
            return [Refusal(f"the option `{choice.text}` belongs to another decision")]
        return find_option(self._table, self._names, self._words, self._host.curtain_words, self.decision, choice)

    def _go(self, index: int) -> None:
        assert self._keys is not None
        words = self._words[:]
        host = self._host.copy(words)
        passed = self._keys[index][0] < 0
        if not passed or len(self._keys) > 1:  # a pass that was forced is not logged, although it may be asked
            host.chosen(self.decider, words[self._table.program.layout.cells.site], passed)
        try:
            keys = self._table.program.resume(words, host, self._keys[index])
            self._enter(words, host, keys, (index, self._choices))
        except STRAY_CELL_ERRORS as error:
            if not self._loaded or isinstance(error, SaveError):
                raise  # of words that nobody could alter: our bug
            raise DamagedState(STUCK_POSITION) from error

    def _enter(self, words: list[int], host: Recorder, keys: list[OptionTuple] | None, choices: Choices) -> None:
        """Go to a new position, remembering the old one; a failed invariant leaves all as it was."""
        host.settle()
        if self._tests:
            check_invariants(self._table, words, self._names, host)
        self._past = (*self._past[1 - UNDO :], (self._words, self._host, self._keys, self._choices, self._decision))
        self._words, self._host, self._keys, self._choices = words, host, keys, choices
        self._decision = None

    def undo(self, moves: int = 1) -> int:
        """Undo the last moves, at most 32, and return the number of undone moves. Each choice is one move.

        A restored or unpickled state undoes moves by replaying its game from the seed, so this works only if the game
        began with just a seed (`seed` is not None). Raise ValueError for a negative number.

            state.play(0)
            state.undo()            # 1
        """
        moves = as_int(moves, "the number of moves")
        if moves < 0:
            raise BadArgument(f"the number of moves must be 0 or more, not {moves}")
        if len(self._past) < min(moves, UNDO) and self._seed is not None:
            self._recall()
        done = min(moves, len(self._past))
        if done:
            self._words, self._host, self._keys, self._choices, self._decision = self._past[-done]
            self._past = self._past[:-done]
        return done

    def _recall(self) -> None:
        """Play the game again if that leads here and remembers more moves; their positions are the past then."""
        choices, enabled = self.choices, self._host.enabled
        if len(self._past) >= min(UNDO, len(choices)):
            return
        assert self._seed is not None
        try:
            words = seeded_cells(self._table, self._seed, ask_forced=self.asks_forced)
            words, host, keys = begin_game(self._table, words, self._names, log=enabled, invariants=False)
            again = State(self._table, self._names, words, host, keys, self._seed)
            again._tests = False
            for choice in choices:
                if not 0 <= choice < again.option_count:
                    return
                again._go(choice)
        except (RuleError, *STRAY_CELL_ERRORS):
            return  # somebody has altered the save
        if again.hash() == self.hash():
            self._past = again._past

    def playout(self, seed: int) -> list[int]:
        """Play to the end with random choices from this seed, and return the scores by seat. The state does not
        change."""
        other = self.clone()
        S = other._words[:]
        self._table.seed_policy(S, as_int(seed, "the seed"))
        if self._keys is not None:
            self._table.program.playout(S)
        other._words = S
        return other.scores

    # ---- explanations

    def why_not(self, text: str, player: int | str | None = None) -> list[Refusal]:
        """Return the reasons why a typed option is not possible now (for `player`, if given); empty if it is
        possible.

            state.why_not("take 3")         # [Refusal(text="only 2 are left", ...)]

        ValueError if there is no such player.
        """
        _text(text, "an option")
        if self._keys is None:
            return [Refusal(self._names.language.say("the game is over"))]
        seat = self.decision.player if player is None else self.seat(player)
        if seat != self.decision.player:
            asked, other = self.decision.name, self._names.text("player", seat)
            return [
                Refusal(
                    self._names.language.say("it is {asked}'s turn to choose, not {other}'s", asked=asked, other=other)
                )
            ]
        found = self.find(text)
        return [] if isinstance(found, int) else found

    def why_not_call(self, routine: str, args: Sequence[int]) -> list[Refusal]:
        """Return the reasons that refuse an action or routine with these arguments (handles), with nothing hidden;
        empty if it is possible.

        Raise KeyError for an unknown action or routine, and TypeError for a wrong number of arguments. `why_not` uses
        only what a player sees.
        """
        self._by_name.check_call(routine, args, actions=True)
        return why_not_option(self._table, self._names, self._words, routine, args)

    # ---- copies

    def clone(self) -> State:
        """Return an independent copy. Cheap: the words are copied only before the first move in either state."""
        new = State.__new__(State)
        new._table = self._table
        new._names = self._names
        new._words = self._words
        new._host = self._host
        new._keys = self._keys
        new._seed = self._seed
        new._loaded = self._loaded
        new._tests = self._tests
        new._choices = self._choices
        new._past = self._past
        new._decision = self._decision
        return new

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Callable[..., State], tuple[object, ...]]:
        home: object = self._table.home
        if not isinstance(home, Restoring):
            raise TypeError("this state cannot be pickled, because its game has no source: use `state.save()` instead")
        code = self._names.language.code
        return _unpickled, (home, self.save(), self._table.backend, code, self._tests, self._loaded)

    def spoken(self, language: Language) -> State:
        """Return a clone whose texts are in another language, as returned by `Game.language`. `play` accepts these
        texts, too."""
        new = self.clone()
        new._names, new._decision = self._names.spoken(language), None
        new._past = tuple((*before[:-1], None) for before in self._past)
        return new

    def without_invariants(self) -> State:
        """Return a clone that tests no invariants."""
        new = self.clone()
        new._tests = False
        return new

    def without_log(self) -> State:
        """Return a clone that writes no log and tests no invariants, for searches."""
        new = self.without_invariants()
        new._host = self._host.copy(self._words)
        new._host.enabled = False
        return new

    def imagined(self, seed: int) -> State:
        """Return a clone without log whose chance from here on comes from this seed, for agents that must not foresee
        dice and draws.

        Hidden information, such as the order of a shuffled deck, stays the same; `determinize` deals it again.
        """
        new = self.without_log()
        words = self._words[:]
        self._table.seed_game(words, as_int(seed, "the seed"))
        new._words = new._host.words = words
        return new

    def determinize(self, seat: int | str | None, seed: int) -> State:
        """Return a clone without log that a player (None: a spectator) cannot distinguish from this state.

        Cards that the player does not see are dealt again among the places that the player does not see, and chance
        from here on comes from this seed. Cards that something refers to, that work where they are, or that are out of
        the game stay, and so do hidden numbers (`engine.secrets`). The result is the same on every backend. The options
        are listed again: if another player is asked, they may be others. The clone has no replay and nothing to undo.
        """
        new = self.without_log()
        program, words = self._table.program, list(self._words)
        generator = Generator(splitmix64(as_int(seed, "the seed")))
        self._table.secrets.determinise(words, self.seat(seat), program.frames_end(words), generator)
        new._words = new._host.words = program.pack(words)
        if self._keys is not None:
            new._keys = program.options(new._words)
        new._past, new._seed, new._decision = (), None, None
        return new

    def save(self) -> bytes:
        """Return the state as JSON bytes, for `Game.restore`: position, log, choices, names, and whether forced
        decisions are asked."""
        return save_state(self)

    # ---- for scenarios and tests

    def altered(self, words: list[int], names: Names | None = None, dice: Sequence[int] = ()) -> State:
        """Return a clone with other words (with no past and no replay), whose pending decision is read from them.

        `dice`: the next dice, each 0 .. sides - 1.
        """
        host = self._host.copy(words)
        host.known = words
        host.dice = tuple(dice)
        keys = None if words[self._table.program.layout.cells.over] else self._table.program.options(words)
        return State(self._table, names or self._names, words, host, keys, None)

    def call(self, routine: str, args: Sequence[int]) -> None:
        """Run a routine separately, until it ends or asks a question. Then the previous pending decision is asked
        again.

        KeyError for an unknown routine, TypeError for a wrong number of arguments. The game has no replay afterwards.
        """
        self._by_name.check_call(routine, args)
        words = self._words[:]
        host = self._host.copy(words)
        keys = self._table.program.call(words, host, routine, args)
        self._enter(words, host, keys, self._choices)
        self._seed = None


_text = as_text  # `why_not` has a parameter of that name


def _unpickled(home: Restoring, blob: bytes, backend: Backend, code: str, tests: bool, loaded: bool) -> State:
    state = home.unpickled(blob, backend, code)
    state._tests, state._loaded = tests, loaded
    return state


# ---- cells as the program packs them


def packed_cells(state: State) -> Sequence[int]:
    """As `State.words`, to read only."""
    return state._words


def packed_public_cells(state: State) -> Sequence[int]:
    """As `State.public_words`, to read only: the same object as `words_of` where no curtain has fallen."""
    curtain = state._host.curtain_words
    return state._words if curtain is None else curtain


def forget_past(state: State) -> None:
    """Give up what `undo` would lead back to, and the memory that it takes."""
    state._past = ()


# ---- states that somebody has altered


def altered_state(state: State, change: Callable[[list[int]], None]) -> State:
    """A clone whose words `change` has altered. What is asked is listed again; there is no replay of it, and nothing to
    undo. RuleError if an invariant of the rules does not hold any more."""
    new = state.clone()
    program, words = state._table.program, list(state._words)
    change(words)
    check_invariants(state._table, words, state._names, state._host)
    new._words = program.pack(words)
    new._host = state._host.copy(new._words)
    if state._keys is not None:
        new._keys = program.options(new._words)
    new._past, new._seed, new._decision = (), None, None
    return new
