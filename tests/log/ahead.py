"""A player for tests: quick, and less idle than one that plays at random."""

from __future__ import annotations

from rulelang.base.errors import RuleError
from rulelang.runtime.rng import Generator, policy_seed
from rulelang.runtime.state import State


class Ahead:
    """Takes an option after which its score leads by most, one move ahead, with open cards."""

    def start(self, seed: int) -> None:
        self._chance = Generator(policy_seed(seed))

    def choose(self, state: State) -> int:
        chance = self._chance.below(1 << 30)
        leads = [self._lead(state, option, chance) for option in range(state.option_count)]
        best = [option for option, lead in enumerate(leads) if lead == max(leads)]
        return best[self._chance.below(len(best))]

    @staticmethod
    def _lead(state: State, option: int, chance: int) -> int:
        after = state.imagined(chance)
        try:
            after.play(option)
            scores = after.scores
        except RuleError:
            return -(1 << 30)
        return scores[state.decider - 1] - max(s for seat, s in enumerate(scores, 1) if seat != state.decider)
