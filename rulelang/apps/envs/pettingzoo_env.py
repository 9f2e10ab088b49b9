"""A game as PettingZoo has it: agents take their steps one after the other. Needs the extra `envs`."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from rulelang.apps.envs.encoding import CARDS_SHOWN, THINGS, Encoding, Steps
from rulelang.apps.envs.gymnasium_env import observation_space, seat_observation
from rulelang.runtime.game import Game
from rulelang.runtime.program import NATIVE_OR_PYTHON


class GameAEC(AECEnv):  # type: ignore[misc]
    """Agents are `seat_1` ... by seat. An observation is `observation` (the numbers of `Encoding.observe`) and
    `action_mask`, by id; whoever is not asked may choose nothing. At the end `rewards` are as `envs.rewards` says.

    `reset(seed)` begins the game of `Game.new(seed=seed)`; without a seed another one each time. An id that is not
    legal raises ValueError and changes nothing; PettingZoo's `TerminateIllegalWrapper` ends the game instead.
    """

    metadata = {"name": "rulelang", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, game: Game, players: int = 2, options: Mapping[str, object] | None = None, *,
        backend: str = NATIVE_OR_PYTHON, things: int = THINGS, cards: int = CARDS_SHOWN, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self.encoding = Encoding(game.table(players, options, backend), things, cards)
        self.metadata = {**self.metadata, "name": game.id}
        self.possible_agents = [f"seat_{seat}" for seat in range(1, players + 1)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(self.encoding) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.encoding.actions) for agent in self.possible_agents}
        self._seeds = Random()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._seeds = Random(seed)
        begun = self._seeds.getrandbits(62) if seed is None else seed
        self.steps = Steps.new(self.encoding, self.game, begun)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn()

    def observe(self, agent: str) -> dict[str, Any]:
        return seat_observation(self.steps, self.seat(agent))

    def seat(self, agent: str) -> int:
        return self.possible_agents.index(agent) + 1

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent that has not finished must choose an action id")
        self.steps.take(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._turn()
        self._accumulate_rewards()

    def _turn(self) -> None:
        """Whose turn it is, or the end."""
        if not self.steps.over:
            self.agent_selection = self.possible_agents[self.steps.asked - 1]
            return
        self.rewards = dict(zip(self.possible_agents, self.steps.rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def render(self) -> str:
        """What is asked, in words."""
        state = self.steps.state
        if state.over:
            return "the game is over"
        chosen = "".join(f" > {self.encoding.ids.says(id)}" for id in self.steps.chosen)
        return f"{state.decision.name}: {state.decision.prompt}{chosen}"

    def close(self) -> None:
        pass
