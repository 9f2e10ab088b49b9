"""A game as a Gymnasium environment: one seat learns, agents play the others. Needs the extra `envs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from rulelang.apps.envs.encoding import CARDS_SHOWN, THINGS, Encoding, Steps
from rulelang.runtime.game import Game
from rulelang.runtime.program import NATIVE_OR_PYTHON
from rulelang.runtime.seating import Agent, ask_agent, begin_agent

# ---- spaces


def observation_space(encoding: Encoding) -> Any:
    """The numbers of an observation between the bounds of their fields, and a mask by id."""
    low, high = np.zeros(encoding.size, np.int16), np.zeros(encoding.size, np.int16)
    for field in encoding.schema:
        low[field.offset : field.end], high[field.offset : field.end] = field.low, field.high
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, (encoding.size,), np.int16),
            "action_mask": spaces.Box(0, 1, (encoding.actions,), np.int8),
        }
    )


def seat_observation(steps: Steps, seat: int) -> dict[str, Any]:
    """What a seat is told; the mask is empty if another one is asked."""
    mask = np.frombuffer(steps.mask(), np.int8) if steps.asked == seat else np.zeros(steps.encoding.actions, np.int8)
    return {"observation": np.frombuffer(steps.observe(seat), np.int16), "action_mask": mask}


# ---- the environment


class SeatEnv(gymnasium.Env[dict[str, Any], int]):
    """`seat` is learned; the others are taken by the agents `against`, by seat and repeated if fewer: agents as
    `agents.make_agent("greedy")` makes them. Observations and rewards are as `GameAEC` has them.

    An id that is not legal ends the game: the reward is -1, and `info["illegal"]` is True.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self, game: Game, against: Sequence[Agent], players: int = 2, options: Mapping[str, object] | None = None, *,
        seat: int = 1, backend: str = NATIVE_OR_PYTHON, things: int = THINGS, cards: int = CARDS_SHOWN,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        if not 1 <= seat <= players:
            raise ValueError(f"there is no seat {seat}: seats are 1 to {players}")
        if not against and players > 1:
            raise ValueError("name at least one agent to play against")
        self.game, self.seat, self.against = game, seat, list(against)
        self.render_mode = render_mode
        self.encoding = Encoding(game.table(players, options, backend), things, cards)
        self.observation_space = observation_space(self.encoding)
        self.action_space = spaces.Discrete(self.encoding.actions)  # type: ignore[assignment]
        self._others = [other for other in range(1, players + 1) if other != seat]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        begun = int(self.np_random.integers(1 << 62))
        self.steps = Steps.new(self.encoding, self.game, begun)
        for k, agent in enumerate(self.against):
            begin_agent(agent, begun + k)
        self._others_play()
        return seat_observation(self.steps, self.seat), {}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if self.steps.over:
            raise RuntimeError("the game is over: call `reset`")
        if int(action) not in self.steps.legal:
            return seat_observation(self.steps, self.seat), -1.0, True, False, {"illegal": True}
        self.steps.take(int(action))
        self._others_play()
        return seat_observation(self.steps, self.seat), self.steps.rewards[self.seat - 1], self.steps.over, False, {}

    def _others_play(self) -> None:
        while not self.steps.over and self.steps.asked != self.seat:
            agent = self.against[self._others.index(self.steps.asked) % len(self.against)]
            self.steps.choose(ask_agent(agent, self.steps.state))

    def render(self) -> Any:
        """What is asked, in words."""
        state = self.steps.state
        return "the game is over" if state.over else f"{state.decision.name}: {state.decision.prompt}"
