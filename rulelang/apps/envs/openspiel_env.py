"""A game as OpenSpiel has it. Needs the extra `openspiel`."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
import pyspiel

from rulelang.apps.envs.encoding import CARDS_SHOWN, THINGS, Encoding, Steps
from rulelang.base.errors import as_int
from rulelang.runtime.game import Game
from rulelang.runtime.program import NATIVE_OR_PYTHON

#: The most steps of a game; OpenSpiel has to know beforehand.
LONGEST = 20_000

#: What games are made of, by the name under which OpenSpiel knows them. OpenSpiel keeps games in C++ and makes Python
#: objects for them again and again, without their attributes.
_PARTS: dict[str, Parts] = {}


@dataclass(frozen=True, eq=False)
class Parts:
    """What a game of OpenSpiel is made of. There is one in a process for each name, also after copies and pickles."""

    name: str
    key: tuple[object, ...]
    game: Game
    encoding: Encoding
    deals: int
    make: Callable[[], SpielGame]

    def __deepcopy__(self, memo: object) -> Parts:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Parts], tuple[str]]:
        return parts_of, (self.name,)


def parts_of(name: str) -> Parts:
    """Return what the game of a name is made of. ValueError if this process has not made it yet."""
    if name not in _PARTS:
        raise ValueError(f"`{name}` is not registered with OpenSpiel in this process yet: create its `SpielGame` first")
    return _PARTS[name]


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game for OpenSpiel's algorithms.

    All chance of a game is one chance node at its root: which of the seeds 0 .. `deals` - 1 it has. Everything else is
    steps of players, as `Steps` takes them; an action is an id of the encoding. Tensors are those of
    `Encoding.observe`. States have observations and, for algorithms that need perfect recall, information states: a
    digest of all that the player has seen and done at its own steps. They can be copied, serialized, pickled, and
    resampled from the information of one player (`resample_from_infostate`), as ISMCTS does.

        game = SpielGame(rulelang.load("evolution"), players=2)
        state = game.new_initial_state()

    `backend` is the native one if it can be had, else Python. ValueError as in `Game.table` and `Encoding`. A process
    that reads pickled or serialized states makes the same `SpielGame` first, as OpenSpiel looks for it by its name.
    """

    def __init__(
        self, game: Game, players: int = 2, options: Mapping[str, object] | None = None, *, deals: int = 1000,
        backend: str = NATIVE_OR_PYTHON, things: int = THINGS, cards: int = CARDS_SHOWN,
    ) -> None:  # fmt: skip
        deals = as_int(deals, "the number of deals")
        if deals < 1:
            raise ValueError(f"the number of deals must be 1 or more, not {deals}")
        table = game.table(players, options, backend)
        key = (game.info, table.players, *sorted(table.options.items()), deals, backend, things, cards)
        name = _name(f"rulelang_{game.id}_{table.players}p", key)
        kind = pyspiel.GameType(
            short_name=name,
            long_name=game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=table.players,
            min_num_players=table.players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
        )
        known = name in _PARTS
        encoding = _PARTS[name].encoding if known else Encoding(table, things, cards)
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.actions,
            max_chance_outcomes=deals,
            num_players=table.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, {})
        if not known:

            def make(_: Any = None) -> SpielGame:
                return SpielGame(game, players, options, deals=deals, backend=backend, things=things, cards=cards)

            _PARTS[name] = Parts(name, key, game, encoding, deals, make)
            # OpenSpiel frees it after the interpreter has ended, when nothing may be freed any more: so never.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))
            pyspiel.register_game(kind, make)

    @property
    def parts(self) -> Parts:
        """What the game is made of."""
        return parts_of(self.get_type().short_name)

    @property
    def game(self) -> Game:
        """The game of rulelang."""
        return self.parts.game

    @property
    def encoding(self) -> Encoding:
        """What actions and observations mean."""
        return self.parts.encoding

    @property
    def deals(self) -> int:
        """The number of outcomes of the chance node."""
        return self.parts.deals

    def new_initial_state(self) -> SpielState:
        """Return the state before the deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return what reads observations of states; see `SpielObserver`."""
        return SpielObserver(self.encoding)

    def __reduce__(self) -> tuple[Callable[[Parts], SpielGame], tuple[Parts]]:
        return _made, (self.parts,)

    def __deepcopy__(self, memo: object) -> SpielGame:
        return self


def _made(parts: Parts) -> SpielGame:
    return parts.make()


def _name(wanted: str, key: tuple[object, ...]) -> str:
    """The name of a game: another number for each table, encoding or number of deals."""
    number = 1
    while True:
        name = wanted if number == 1 else f"{wanted}_{number}"
        if name not in _PARTS or _PARTS[name].key == key:
            return name
        number += 1


class Past:
    """One step of a game: where it was taken, and what came before. It is shared by all states that it led to."""

    __slots__ = ("before", "digest", "id", "seat", "steps")

    def __init__(self, before: Past | None, steps: Steps, id: int) -> None:
        self.before, self.id, self.seat = before, id, steps.asked
        self.steps: Steps | None = steps.clone()
        self.digest = b""

    def __reduce__(self) -> tuple[Callable[..., Past | None], tuple[object, ...]]:
        return _past, ([(step.seat, step.id, step.seen()) for step in steps_of(self)],)

    def seen(self) -> bytes:
        """Return a digest of what the player saw before this step. It is made when it is first needed."""
        if self.steps is not None:
            self.digest, self.steps = sha256(self.steps.observe(self.seat).tobytes()).digest(), None
        return self.digest


def steps_of(past: Past | None) -> list[Past]:
    """Return all steps that led somewhere, oldest first."""
    found = []
    while past is not None:
        found.append(past)
        past = past.before
    found.reverse()
    return found


def _past(steps: list[tuple[int, int, bytes]]) -> Past | None:
    past: Past | None = None
    for seat, id, digest in steps:
        new = Past.__new__(Past)
        new.before, new.id, new.seat, new.steps, new.digest = past, id, seat, None, digest
        past = new
    return past


class At:
    """Where a game is: before the deal (`steps` is None), or in steps."""

    __slots__ = ("parts", "past", "steps")

    def __init__(self, parts: Parts, steps: Steps | None = None, past: Past | None = None) -> None:
        self.parts, self.steps, self.past = parts, steps, past

    def __deepcopy__(self, memo: object) -> At:
        return At(self.parts, None if self.steps is None else self.steps.clone(), self.past)

    def __reduce__(self) -> tuple[Callable[..., At], tuple[object, ...]]:
        saved = None if self.steps is None else (self.steps.state.save(), self.steps.chosen)
        return _at, (self.parts, saved, self.past)


def _at(parts: Parts, saved: tuple[bytes, tuple[int, ...]] | None, past: Past | None) -> At:
    if saved is None:
        return At(parts, None, past)
    state = parts.game.unpickled(saved[0], parts.encoding.table.backend, "en").without_invariants()
    return At(parts, Steps(parts.encoding, state, saved[1]), past)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a `SpielGame`; `steps` is None before the deal."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.at = At(game.parts)

    @property
    def steps(self) -> Steps | None:
        """The game as rulelang has it."""
        return self.at.steps

    def current_player(self) -> int:
        steps = self.at.steps
        if steps is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if steps.over else steps.asked - 1

    def _legal_actions(self, player: int) -> list[int]:
        assert self.at.steps is not None
        return list(self.at.steps.legal) if self.at.steps.asked == player + 1 else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self.at.parts.deals
        return [(seed, 1 / deals) for seed in range(deals)]

    def _apply_action(self, action: int) -> None:
        at = self.at
        if at.steps is None:
            at.steps = Steps.new(at.parts.encoding, at.parts.game, action)
        else:
            past = Past(at.past, at.steps, action)
            at.steps.take(action)
            at.past = past

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self.at.parts.encoding.ids.says(action)

    def is_terminal(self) -> bool:
        return self.at.steps is not None and self.at.steps.over

    def returns(self) -> list[float]:
        return self.at.steps.rewards if self.at.steps is not None else [0.0] * self.at.parts.encoding.table.players

    def observation_string(self, player: int | None = None) -> str:
        """Return what a player sees (the current one, if none is given), as numbers."""
        return _before(self) or " ".join(map(str, self._seen(player)))

    def information_state_string(self, player: int | None = None) -> str:
        """Return a digest of what a player (the current one, if none is given) has seen and done at each of its steps,
        and sees now."""
        player = self.current_player() if player is None else player
        seen = sha256()
        for past in steps_of(self.at.past):
            if past.seat == player + 1:
                seen.update(past.seen() + past.id.to_bytes(4, "little"))
        return f"{player} {_before(self) or sha256(seen.digest() + self._seen(player).tobytes()).hexdigest()}"

    def _seen(self, player: int | None) -> array[int]:
        assert self.at.steps is not None
        return self.at.steps.observe((self.current_player() if player is None else player) + 1)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> SpielState:
        """Return a state that the player cannot distinguish from this one: hidden cards are dealt again, and all chance
        from here on is another. `probability_sampler` returns a number from 0 up to 1."""
        new: SpielState = self.clone()
        steps = self.at.steps
        if steps is not None:
            seed = int(probability_sampler() * (1 << 53))
            state = steps.state.determinize(player_id + 1, seed)
            chosen = steps.chosen if steps.asked == player_id + 1 else ()  # the others may choose among other things
            new.at = At(self.at.parts, Steps(self.at.parts.encoding, state, chosen), self.at.past)
        return new

    def __str__(self) -> str:
        steps = self.at.steps
        return _before(self) or f"{steps.state.hash()} {' '.join(map(str, steps.chosen))}"  # type: ignore[union-attr]


def _before(state: SpielState) -> str:
    return "before the deal" if state.at.steps is None else ""


class SpielObserver:
    """What a player sees: `tensor` has the numbers of `Encoding.observe`, and so has `dict["observation"]`."""

    def __init__(self, encoding: Encoding) -> None:
        self.tensor = np.zeros(encoding.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Read the observation of a player into `tensor`."""
        self.tensor[:] = 0 if state.steps is None else state.steps.observe(player + 1)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the observation of a player as numbers in a text."""
        return state.observation_string(player)
