"""Learn a game by self-play, with proximal policy optimization (PPO) and only NumPy.

    python examples/learning/ppo.py --minutes 5

One small network plays all seats of many games in parallel (`rulelang.apps.envs.VectorEnv`). Every ten rounds, it plays
against a random player, and at the end against `greedy`. The code is meant to be easy to read, not fast or strong.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import rulelang
from rulelang.apps.envs import Encoding, VectorEnv
from rulelang.runtime.agents import make_agent

#: Parallel games, steps per round, passes over each round, steps per batch; things and cards encoded individually.
GAMES, STEPS, EPOCHS, BATCH, THINGS, CARDS = 128, 96, 2, 1024, 6, 4
HIDDEN, RATE, CLIP, ENTROPY, TRACE = 96, 1e-3, 0.2, 0.01, 0.95


class Network:
    """A network with one tanh layer, which maps an observation to a logit for each action id and a value."""

    def __init__(self, size: int, ids: int, chance: np.random.Generator) -> None:
        def layer(a: int, b: int, scale: float) -> np.ndarray:
            return (chance.standard_normal((a, b)) * scale / np.sqrt(a)).astype(np.float32)

        self.weights = [layer(size, HIDDEN, 1.0), np.zeros(HIDDEN, np.float32), layer(HIDDEN, ids + 1, 0.1)]
        self.weights.append(np.zeros(ids + 1, np.float32))
        self.first = [np.zeros_like(w) for w in self.weights]
        self.second = [np.zeros_like(w) for w in self.weights]
        self.updates = 0

    def __call__(self, seen: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the input, the hidden layer, the probability of each action id, and the values."""
        x = np.tanh(seen.astype(np.float32) / 4)
        hidden = np.tanh(x @ self.weights[0] + self.weights[1])
        out = hidden @ self.weights[2] + self.weights[3]
        logits = np.where(masks > 0, out[:, :-1], -1e9)
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return x, hidden, likely / likely.sum(axis=1, keepdims=True), out[:, -1]

    def learn(self, x: np.ndarray, hidden: np.ndarray, towards: np.ndarray) -> None:
        """Take one step of Adam. `towards` is the gradient of the loss with respect to the output of the last layer."""
        back = towards @ self.weights[2].T * (1 - hidden**2)
        slopes = [x.T @ back, back.sum(axis=0), hidden.T @ towards, towards.sum(axis=0)]
        self.updates += 1
        for w, m, v, g in zip(self.weights, self.first, self.second, slopes, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= RATE * (m / (1 - 0.9**self.updates)) / (np.sqrt(v / (1 - 0.999**self.updates)) + 1e-8)


def drawn(likely: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Sample an action id for each row, with the given probabilities."""
    return (likely.cumsum(axis=1) > chance.random((len(likely), 1)) * 0.9999).argmax(axis=1).astype(np.int32)


def played(env: VectorEnv, network: Network, chance: np.random.Generator) -> dict[str, np.ndarray]:
    """Play `STEPS` steps of all games. Return the steps with the advantage of each step for the seat that took it."""
    rows = np.arange(env.count)
    names = ("seen", "masks", "asked", "ids", "old", "worth", "ended", "won")
    kept: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for _ in range(STEPS):
        _, _, likely, worth = network(env.observations, env.masks)
        ids = drawn(likely, chance)
        before = (env.observations.copy(), env.masks.copy(), env.asked - 1, ids, likely[rows, ids], worth)
        env.step(ids)
        for name, value in zip(names, (*before, env.ended.copy(), env.rewards.copy()), strict=True):
            kept[name].append(value)
    told = {name: np.stack(values) for name, values in kept.items()}
    # Work backwards from the end. For each seat, `later` is the value of its next step and `better` is its advantage.
    later = np.full((env.count, env.players), np.nan, np.float32)
    later[rows, env.asked - 1] = network(env.observations, env.masks)[3]
    better = np.zeros_like(later)
    gain = np.zeros_like(told["worth"])
    for t in reversed(range(STEPS)):
        over, seat = told["ended"][t] == 1, told["asked"][t]
        later[over], better[over] = told["won"][t][over], 0
        gain[t] = later[rows, seat] - told["worth"][t] + TRACE * better[rows, seat]
        later[rows, seat], better[rows, seat] = told["worth"][t], np.nan_to_num(gain[t])
    told["gain"] = gain
    known = ~np.isnan(gain)  # a seat's last step in an unfinished game has no known result
    return {name: value[known] for name, value in told.items() if name not in ("ended", "won", "asked")}


def improve(network: Network, told: dict[str, np.ndarray], chance: np.random.Generator) -> None:
    """Make `EPOCHS` passes over the steps of a round with PPO."""
    count = len(told["ids"])
    goal = told["worth"] + told["gain"]
    gain = (told["gain"] - told["gain"].mean()) / (told["gain"].std() + 1e-6)
    for _ in range(EPOCHS):
        for some in np.array_split(chance.permutation(count), max(1, count // BATCH)):
            x, hidden, likely, worth = network(told["seen"][some], told["masks"][some])
            rows, ids = np.arange(len(some)), told["ids"][some]
            ratio = likely[rows, ids] / told["old"][some]
            held = ((ratio > 1 + CLIP) & (gain[some] > 0)) | ((ratio < 1 - CLIP) & (gain[some] < 0))
            push = np.where(held, 0, -gain[some] * ratio)
            towards = -likely * push[:, None]
            towards[rows, ids] += push
            log = np.log(likely + 1e-9)
            towards += ENTROPY * likely * (log - (likely * log).sum(axis=1, keepdims=True))
            towards = np.hstack([towards, 0.5 * (worth - goal[some])[:, None]]) / len(some)
            network.learn(x, hidden, towards.astype(np.float32))


def against_random(name: str, network: Network, games: int) -> float:
    """Return the share of games won against a player who chooses ids at random. The seats alternate."""
    env = VectorEnv(rulelang.load(name), games, seed=10_000, things=THINGS, cards=CARDS)
    env.reset()
    own, rows, result = np.arange(games) % 2, np.arange(games), np.full(games, np.nan)
    while np.isnan(result).any():
        ids = env.sample().copy()
        mine = env.asked - 1 == own
        if mine.any():
            ids[mine] = network(env.observations[mine], env.masks[mine])[2].argmax(axis=1)
        env.step(ids)
        new = (env.ended == 1) & np.isnan(result)
        result[new] = (env.rewards[rows, own][new] + 1) / 2
    return float(result.mean())


class Learned:
    """The network as an agent that chooses the most probable option. `Game.simulate` also accepts this agent."""

    def __init__(self, network: Network, encoding: Encoding) -> None:
        self.network, self.encoding = network, encoding

    def start(self, seed: int) -> None: ...

    def choose(self, state: rulelang.State) -> int:
        chosen: tuple[int, ...] = ()
        while (node := self.encoding.node(state, chosen)).option < 0:
            mask = np.zeros((1, self.encoding.actions), np.uint8)
            mask[0, list(node.legal)] = 1
            seen = np.array([self.encoding.observe(state, state.decider, chosen)])
            chosen = (*chosen, int(self.network(seen, mask)[2][0].argmax()))
        return node.option


def against(name: str, network: Network, opponent: str, games: int) -> float:
    """Return the share of games won against a built-in agent. Each deal is played from both seats."""
    game = rulelang.load(name)
    own, won = Learned(network, Encoding(game.table(2), THINGS, CARDS)), 0.0
    for k in range(games):
        other, seat = make_agent(opponent), k % 2 + 1
        other.start(k)
        state = game.new(2, seed=20_000 + k // 2, log=False).without_invariants()
        while not state.over:
            state.play((own if state.decider == seat else other).choose(state))
        won += (seat in state.winners) / len(state.winners)
    return won / games


def main() -> None:
    given = argparse.ArgumentParser(description="Learn a game by self-play.")
    given.add_argument("--game", default="evolution")
    given.add_argument("--minutes", type=float, default=5)
    given.add_argument("--rounds", type=int, default=1_000_000, help="maximum number of rounds")
    given.add_argument("--games", type=int, default=40, help="games against `greedy` at the end")
    asked = given.parse_args()
    chance = np.random.default_rng(1)
    env = VectorEnv(rulelang.load(asked.game), GAMES, seed=1, things=THINGS, cards=CARDS)
    env.reset()
    network = Network(env.encoding.size, env.encoding.actions, chance)
    print(f"{env.encoding.size} numbers seen, {env.encoding.actions} ids")
    begun, rounds = time.monotonic(), 0
    while time.monotonic() - begun < 60 * asked.minutes and rounds < asked.rounds:
        improve(network, played(env, network, chance), chance)
        rounds += 1
        if rounds % 10 == 0:
            share = against_random(asked.game, network, 200)
            spent = time.monotonic() - begun
            print(f"{spent:5.0f} s  {rounds * STEPS * GAMES:9,} steps  {share:.0%} won against random", flush=True)
    if asked.games:
        share = against(asked.game, network, "greedy", asked.games)
        print(f"{share:.0%} of {asked.games} games won against greedy")


if __name__ == "__main__":
    main()
