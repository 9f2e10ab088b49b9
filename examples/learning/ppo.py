"""Learn to play a game against oneself, by proximal policy optimisation (PPO), with nothing but numpy.

    python examples/learning/ppo.py --minutes 5

One small network plays all seats of many games at once (`rulelang.apps.envs.VectorEnv`); every few rounds it plays against a
random player, and at the end against `greedy`. It is to be read rather than to be fast or strong.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import rulelang
from rulelang.runtime.agents import make_agent
from rulelang.apps.envs import Encoding, VectorEnv

#: Games at once, steps of a round, passes over it, steps of a batch; things and cards that are shown one by one.
GAMES, STEPS, EPOCHS, BATCH, THINGS, CARDS = 128, 96, 2, 1024, 6, 4
HIDDEN, RATE, CLIP, ENTROPY, TRACE = 96, 1e-3, 0.2, 0.01, 0.95


class Network:
    """What is seen, scaled; a layer of tanh; for each id how good it looks, and what the position is worth."""

    def __init__(self, size: int, ids: int, chance: np.random.Generator) -> None:
        def layer(a: int, b: int, scale: float) -> np.ndarray:
            return (chance.standard_normal((a, b)) * scale / np.sqrt(a)).astype(np.float32)

        self.weights = [layer(size, HIDDEN, 1.0), np.zeros(HIDDEN, np.float32), layer(HIDDEN, ids + 1, 0.1)]
        self.weights.append(np.zeros(ids + 1, np.float32))
        self.first = [np.zeros_like(w) for w in self.weights]
        self.second = [np.zeros_like(w) for w in self.weights]
        self.updates = 0

    def __call__(self, seen: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The input, the hidden layer, the probability of each id, the values."""
        x = np.tanh(seen.astype(np.float32) / 4)
        hidden = np.tanh(x @ self.weights[0] + self.weights[1])
        out = hidden @ self.weights[2] + self.weights[3]
        logits = np.where(masks > 0, out[:, :-1], -1e9)
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return x, hidden, likely / likely.sum(axis=1, keepdims=True), out[:, -1]

    def learn(self, x: np.ndarray, hidden: np.ndarray, towards: np.ndarray) -> None:
        """A step of Adam. `towards`: how the loss changes with what the last layer gives."""
        back = towards @ self.weights[2].T * (1 - hidden**2)
        slopes = [x.T @ back, back.sum(axis=0), hidden.T @ towards, towards.sum(axis=0)]
        self.updates += 1
        for w, m, v, g in zip(self.weights, self.first, self.second, slopes, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= RATE * (m / (1 - 0.9**self.updates)) / (np.sqrt(v / (1 - 0.999**self.updates)) + 1e-8)


def drawn(likely: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """In each row an id, as likely as it says."""
    return (likely.cumsum(axis=1) > chance.random((len(likely), 1)) * 0.9999).argmax(axis=1).astype(np.int32)


def played(env: VectorEnv, network: Network, chance: np.random.Generator) -> dict[str, np.ndarray]:
    """Some steps of all games, with what they turned out to be worth to the seat that took them."""
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
    # From the end backwards: by seat, what comes next is worth, and how much better it went than was thought.
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
    known = ~np.isnan(gain)  # the last step of a seat whose game goes on tells nothing
    return {name: value[known] for name, value in told.items() if name not in ("ended", "won", "asked")}


def improve(network: Network, told: dict[str, np.ndarray], chance: np.random.Generator) -> None:
    """A few passes over a round, as PPO makes them."""
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
    """The share of games that it wins against a player who takes any id; seats by turns."""
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
    """The network as an agent, which takes what looks best: `Game.simulate` takes it, too."""

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
    """The share of games that it wins against an agent of the engine; each deal is played from both seats."""
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
    given = argparse.ArgumentParser(description="Learn a game against oneself.")
    given.add_argument("--game", default="evolution")
    given.add_argument("--minutes", type=float, default=5)
    given.add_argument("--rounds", type=int, default=1_000_000, help="stop after so many, if the time is not up")
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
