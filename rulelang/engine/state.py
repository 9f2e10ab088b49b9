"""A game in progress: what is asked, what may be done, and everything to be known about where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang.base.errors import BadArgument
from rulelang.base.nearest import did_you_mean
from rulelang.engine import saving
from rulelang.engine.decision import Decision, IllegalMove, Option, Refusal, make_options
from rulelang.engine.log import Log
from rulelang.engine.log_reading import Reading
from rulelang.engine.names import Names
from rulelang.engine.outcome import best_seats, digest
from rulelang.engine.program import OptionTuple
from rulelang.engine.questions import question
from rulelang.engine.recorder import Recorder
from rulelang.engine.rng import Generator, splitmix64
from rulelang.engine.table import Table
from rulelang.engine.views import View, view
from rulelang.engine.watch import check_invariants
from rulelang.engine.why import resolve, why_not_option
from rulelang.texts.language import Language

#: How many moves `undo` can take back.
UNDO = 32

#: What a decision leads back to: words, recorder, options, number of choices, decision.
Snapshot = tuple[list[int], Recorder, "list[OptionTuple] | None", "Choices", "Decision | None"]
Choices = tuple[int, Any] | None  # (the last choice, the choices before it)


class State:
    """One position of a game. Get one from `Game.new`, `Game.restore` or `clone`.

    Seats count from 1. `play` raises IllegalMove for what is not an option, and RuleError for a mistake in the rules
    that shows itself while they run; after either the state is as it was.
    """

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

    # ---- where it stands

    @property
    def over(self) -> bool:
        """True once nothing is asked any more."""
        return self._keys is None

    @property
    def decision(self) -> Decision:
        """What is asked now. RuntimeError when the game is over."""
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
        """The question of the decision; "" when the game is over. Made anew each time, without the options."""
        if self._keys is None:
            return ""
        return question(self._table, self._names, self._words, self._keys, self._host.cause)

    @property
    def decider(self) -> int:
        """The seat that is asked, 0 when the game is over. Cheap: no texts are made."""
        return 0 if self._keys is None else self._words[self._table.program.layout.cells.decider]

    @property
    def option_count(self) -> int:
        """How many options there are, 0 when the game is over. Cheap: no texts are made."""
        return 0 if self._keys is None else len(self._keys)

    @property
    def keys(self) -> Sequence[OptionTuple]:
        """The keys of the options, by index; none when the game is over. Cheap: no texts are made."""
        return self._keys or ()

    @property
    def round(self) -> int:
        """The round, from 1; 0 before the first."""
        return self._words[self._table.program.layout.cells.round]

    @property
    def decisions(self) -> int:
        """How many decisions have been made. Cheap: no words are copied."""
        return self._words[self._table.program.layout.cells.decisions]

    @property
    def phase(self) -> str:
        """The name of the phase it stands in, "" outside phases."""
        return self._table.row("phase", self._words[self._table.program.layout.cells.phase])

    @property
    def active(self) -> int:
        """The seat whose turn it is, 0 outside turns."""
        return self._words[self._table.program.layout.cells.active]

    @property
    def players(self) -> tuple[str, ...]:
        """Their names, by seat."""
        return self._names.players

    @property
    def names(self) -> Names:
        """Texts for the things of this table."""
        return self._names

    def thing(self, name: str) -> tuple[str, int]:
        """The kind and handle of a player, a thing in play or a row, by its name; ValueError if there is none.

        `names.text(kind, handle)` is the way back.
        """
        layout = self._table.program.layout
        known: dict[str, tuple[str, int]] = {}
        for kind in ("player", *layout.kinds, *(k for k in layout.lists if k not in layout.kinds)):
            for handle in self._names.handles(kind, self._words):
                known.setdefault(self._names.text(kind, handle), (kind, handle))
        if name not in known:
            hint = did_you_mean(name, known)
            raise BadArgument(f"there is no player, thing or row `{name}`{'; ' + hint if hint else ''}")
        return known[name]

    @property
    def table(self) -> Table:
        """What this state shares with the other states of its table."""
        return self._table

    @property
    def words(self) -> Sequence[int]:
        """The flat state, as `table.program.layout` lays it out. To read only."""
        words: object = self._words  # as its program packs them
        return self._words if isinstance(words, list) else [*self._words]

    @property
    def public_words(self) -> Sequence[int]:
        """The same as everybody sees it who is not its owner: behind the curtain of `secretly`, as when it fell."""
        curtain = self._host.curtain_words
        return self.words if curtain is None else curtain

    @property
    def seed(self) -> int | None:
        """The seed it started from; None if it was set up otherwise."""
        return self._seed

    @property
    def choices(self) -> list[int]:
        """The indices chosen so far."""
        found = []
        chain = self._choices
        while chain is not None:
            choice, chain = chain
            found.append(choice)
        found.reverse()
        return found

    # ---- the result

    @property
    def scores(self) -> list[int]:
        """Points by seat (of a team's members: the team's), if the game ended now."""
        program, S = self._table.program, self._words
        own = [program.score(S, seat) for seat in range(1, self._table.players + 1)]
        for team in program.teams:
            total = sum(own[seat - 1] for seat in team)
            for seat in team:
                own[seat - 1] = total
        return own

    @property
    def winners(self) -> list[int]:
        """The seats with the highest score, then the best tiebreak; several share. Empty until the game is over."""
        return best_seats(self._table, self._words) if self.over else []

    # ---- moves

    def play(self, choice: Option | str | int) -> None:
        """Choose an option: itself, its text (or an unambiguous start of it), or its index."""
        found = self.find(choice)
        if not isinstance(found, int):
            raise IllegalMove(found)
        self._go(found)

    def try_play(self, choice: Option | str | int) -> list[Refusal]:
        """As `play`, but an illegal move is answered with its reasons. Empty: it was played."""
        found = self.find(choice)
        if not isinstance(found, int):
            return found
        self._go(found)
        return []

    def find(self, choice: Option | str | int) -> int | list[Refusal]:
        """The index of an option given in any form, or why it is none."""
        if self._keys is None:
            return [Refusal(self._names.language.say("the game is over"))]
        if isinstance(choice, int):
            if 0 <= choice < len(self._keys):
                return choice
            return [Refusal(f"there is no option {choice}: they are numbered from 0 to {len(self._keys) - 1}")]
        if isinstance(choice, Option):
            if choice.index < len(self._keys) and self._keys[choice.index] == choice.key:
                return choice.index
            return [Refusal(f"`{choice.text}` belongs to another decision")]
        return resolve(self._table, self._names, self._words, self._host.curtain_words, self.decision, choice)

    def _go(self, index: int) -> None:
        assert self._keys is not None
        words = self._words[:]
        host = self._host.copy(words)
        passed = self._keys[index][0] < 0
        if not passed or len(self._keys) > 1:  # who could only pass is asked in scenarios, and nowhere else
            host.chosen(self.decider, words[self._table.program.layout.cells.site], passed)
        try:
            keys = self._table.program.resume(words, host, self._keys[index])
            self._enter(words, host, keys, (index, self._choices))
        except saving.STRAY as error:
            if not self._loaded or isinstance(error, saving.SaveError):
                raise  # of words that nobody could alter: our bug
            raise saving.DamagedState(saving.STUCK) from error

    def _enter(self, words: list[int], host: Recorder, keys: list[OptionTuple] | None, choices: Choices) -> None:
        """Go to a new position, remembering the old one; a failed invariant leaves all as it was."""
        host.settle()
        if self._tests:
            check_invariants(self._table, words, self._names, host)
        self._past = (*self._past[1 - UNDO :], (self._words, self._host, self._keys, self._choices, self._decision))
        self._words, self._host, self._keys, self._choices = words, host, keys, choices
        self._decision = None

    def undo(self, moves: int = 1) -> int:
        """Take back the last moves; returns how many were taken back (at most 32 are remembered)."""
        done = min(max(moves, 0), len(self._past))
        if done:
            self._words, self._host, self._keys, self._choices, self._decision = self._past[-done]
            self._past = self._past[:-done]
        return done

    def playout(self, seed: int) -> list[int]:
        """Scores by seat after playing on at random with the policy generator seeded so. This state stays as it is."""
        other = self.clone()
        S = other._words[:]
        self._table.seed_policy(S, seed)
        if self._keys is not None:
            self._table.program.playout(S)
        other._words = S
        return other.scores

    # ---- explanations

    def why_not(self, text: str, player: int | str | None = None) -> list[Refusal]:
        """Why an option-like text ("attack wolf crab") cannot be done now (by `player`, if given). Empty: it can."""
        if self._keys is None:
            return [Refusal(self._names.language.say("the game is over"))]
        seat = self.decision.player if player is None else self.seat(player)
        if seat != self.decision.player:
            asked, other = self.decision.name, self._names.text("player", seat)
            return [Refusal(self._names.language.say("{asked} is asked, not {other}", asked=asked, other=other))]
        found = self.find(text)
        return [] if isinstance(found, int) else found

    def why_not_call(self, routine: str, args: Sequence[int]) -> list[Refusal]:
        """What refuses an action or routine with these arguments (handles), with nothing hidden. Empty: nothing does.

        KeyError for an unknown one. `why_not` answers from what a player sees.
        """
        return why_not_option(self._table, self._names, self._words, routine, args)

    @property
    def log(self) -> Log:
        """All that happened, oldest first, with nothing hidden."""
        return Log(self._host, self._names)

    def log_for(self, player: int | str | None) -> Log:
        """What a player (None: a spectator) saw happen."""
        return Log(self._host, self._names, self.seat(player))

    def log_in(self, names: Names, viewer: int | None, reading: Reading | None = None) -> Log:
        """The log in other names; a `viewer` is a seat, or 0 for a spectator, None for whoever may know all.
        `reading`: what he has read of this game before."""
        return Log(self._host, names, viewer, reading)

    def view(self, player: int | str | None = None) -> View:
        """What a player (None: a spectator) sees, as JSON-able data without secrets; schemas/view.schema.json."""
        decision = None if self._keys is None else self.decision
        seat = self.seat(player)
        return view(self._table, self._names, self._words, self._host.curtain_words, seat, decision)

    def seat(self, player: int | str | None) -> int:
        """The seat of a player given by seat or name; 0 for None. ValueError if there is none."""
        if player is None:
            return 0
        if isinstance(player, int):
            if 1 <= player <= self._table.players:
                return player
        else:
            folded = [name.casefold() for name in self.players]
            if player.casefold() in folded:
                return folded.index(player.casefold()) + 1
        raise BadArgument(f"there is no player {player!r}: they are {', '.join(self.players)}, seats from 1")

    # ---- copies

    def clone(self) -> State:
        """An independent copy. The words are copied with the first move on either side; the rest is shared."""
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

    def spoken(self, language: Language) -> State:
        """A clone whose texts are in another language. Players may type them as they are shown there."""
        new = self.clone()
        new._names, new._decision = self._names.spoken(language), None
        new._past = tuple((*before[:-1], None) for before in self._past)
        return new

    def without_invariants(self) -> State:
        """A clone that tests no invariants."""
        new = self.clone()
        new._tests = False
        return new

    def without_log(self) -> State:
        """A clone that writes no log and tests no invariants: for searching."""
        new = self.without_invariants()
        new._host = self._host.copy(self._words)
        new._host.enabled = False
        return new

    def imagined(self, seed: int) -> State:
        """A clone without log whose chance from here on is another: for agents that must not foresee dice and draws.

        What lies hidden already, such as the order of a shuffled deck, stays as it is; `determinize` deals that anew.
        """
        new = self.without_log()
        words = self._words[:]
        self._table.seed_game(words, seed)
        new._words = new._host.words = words
        return new

    def determinize(self, seat: int | str | None, seed: int) -> State:
        """A clone without log that a player (None: a spectator) cannot tell from this state: the cards that he does not
        see are dealt anew among the places that he does not see, and chance from here on is another.

        Cards that something refers to, that work where they lie, or that are out of the game stay, and so do numbers
        that he does not see (`engine.secrets`). The same on every backend. What is asked is listed again: where others
        are asked it may be something else. There is no replay of it, and nothing to undo.
        """
        new = self.without_log()
        program, words = self._table.program, list(self._words)
        self._table.secrets.determinise(words, self.seat(seat), program.frames_end(words), Generator(splitmix64(seed)))
        new._words = new._host.words = program.pack(words)
        if self._keys is not None:
            new._keys = program.options(new._words)
        new._past, new._seed, new._decision = (), None, None
        return new

    def save(self) -> bytes:
        """The state as JSON bytes, for `Game.restore`."""
        return saving.save(self)

    def hash(self) -> str:
        """A digest of the ruleset, the table and the position: equal in every process and on every backend."""
        return digest(self._table, self._words)

    def __repr__(self) -> str:
        where = "over" if self.over else f"{self.players[self.decider - 1]} is asked"
        return f"<State of {self._table.info.id}: round {self.round}, {where}>"

    # ---- for scenarios and tests

    def altered(self, words: list[int], names: Names | None = None, dice: Sequence[int] = ()) -> State:
        """A clone with other words (with no past and no replay), whose pending decision is read from them anew.

        `dice`: the next dice, each 0 .. sides - 1.
        """
        host = self._host.copy(words)
        host.known = words
        host.dice = tuple(dice)
        keys = None if words[self._table.program.layout.cells.over] else self._table.program.options(words)
        return State(self._table, names or self._names, words, host, keys, None)

    @property
    def dice(self) -> tuple[int, ...]:
        """The fixed dice that are still to come, each 0 .. sides - 1."""
        return self._host.dice

    @property
    def misfit(self) -> tuple[int, int] | None:
        """What a fixed die was to show, from 1, and how many sides the rolled one has, where those are too few."""
        return self._host.misfit

    def call(self, routine: str, args: Sequence[int]) -> None:
        """Run a routine on its own, until it ends or asks; then what was pending before is asked again.

        KeyError for an unknown one. There is no replay after it.
        """
        words = self._words[:]
        host = self._host.copy(words)
        keys = self._table.program.call(words, host, routine, args)
        self._enter(words, host, keys, self._choices)
        self._seed = None

    def value(self, function: str, args: Sequence[int] = ()) -> int:
        """The value of a pure function of the program. KeyError for an unknown one."""
        return self._table.program.pure(self._words, function, args)
