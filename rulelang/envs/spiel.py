"""A game as OpenSpiel has it. Needs the extra `openspiel`."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from rulelang.engine.game import Game
from rulelang.engine.program import NATIVE_OR_PYTHON
from rulelang.envs.encoding import CARDS_SHOWN, THINGS, Encoding
from rulelang.envs.steps import Steps

#: Steps of a game, at most, as OpenSpiel wants to know beforehand.
LONGEST = 20_000


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """The chance of a whole game is one chance node at its root: which of the seeds 0 .. `deals` - 1 it has. All else
    is steps of players, as `Steps` takes them. Tensors are what `Encoding.observe` says."""

    def __init__(
        self, game: Game, players: int = 2, options: Mapping[str, object] | None = None, *, deals: int = 1000,
        backend: str = NATIVE_OR_PYTHON, things: int = THINGS, cards: int = CARDS_SHOWN,
    ) -> None:  # fmt: skip
        self.game, self.deals = game, deals
        self.encoding = Encoding(game.table(players, options, backend), things, cards)
        kind = pyspiel.GameType(
            short_name=f"rulelang_{game.id}_{players}p",
            long_name=game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=players,
            min_num_players=players,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions,
            max_chance_outcomes=deals,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, {})
        if kind.short_name not in pyspiel.registered_names():  # OpenSpiel looks for games by their names

            def again(_: Any) -> SpielGame:
                return SpielGame(game, players, options, deals=deals, backend=backend, things=things, cards=cards)

            # OpenSpiel lets it go after the interpreter has ended, when nothing may be freed any more: so never.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(again))
            pyspiel.register_game(kind, again)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self.encoding)


class SpielState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._spiel = game
        self.steps: Steps | None = None

    def current_player(self) -> int:
        if self.steps is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.steps.over else self.steps.asked - 1

    def _legal_actions(self, player: int) -> list[int]:
        assert self.steps is not None
        return list(self.steps.legal) if self.steps.asked == player + 1 else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(seed, 1 / self._spiel.deals) for seed in range(self._spiel.deals)]

    def _apply_action(self, action: int) -> None:
        if self.steps is None:
            self.steps = Steps.new(self._spiel.encoding, self._spiel.game, action)
        else:
            self.steps.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self._spiel.encoding.ids.says(action)

    def is_terminal(self) -> bool:
        return self.steps is not None and self.steps.over

    def returns(self) -> list[float]:
        return self.steps.rewards if self.steps is not None else [0.0] * self._spiel.num_players()

    def __str__(self) -> str:
        if self.steps is None:
            return "before the deal"
        return f"{self.steps.state.hash()} {' '.join(map(str, self.steps.chosen))}"


class SpielObserver:
    """What a player sees: `tensor` holds the numbers of `Encoding.observe`, the same ones as `dict["observation"]`."""

    def __init__(self, encoding: Encoding) -> None:
        self.tensor = np.zeros(encoding.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = 0 if state.steps is None else state.steps.observe(player + 1)

    def string_from(self, state: SpielState, player: int) -> str:
        return "before the deal" if state.steps is None else " ".join(map(str, state.steps.observe(player + 1)))
