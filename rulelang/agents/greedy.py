"""One move ahead: the option after which the own score leads by most."""

from __future__ import annotations

from rulelang.base.errors import RuleError
from rulelang.engine.rng import Generator, policy_seed
from rulelang.engine.state import State


class Greedy:
    """Tries every option on a copy with other chance and compares its score with the best of its opponents.

    Options that do equally well are chosen among at random. It plays with open cards: the copy knows what lies hidden.
    """

    inner = ("greedy", 0)

    def __init__(self, seed: int = 0) -> None:
        self.start(seed)

    def start(self, seed: int) -> None:
        self._chance = Generator(policy_seed(seed))

    def choose(self, state: State) -> int:
        seat = state.decider
        best: list[int] = []
        most: int | None = None
        chance = self._chance.below(1 << 30)
        for option in range(state.option_count):
            lead = self._lead(state, option, seat, chance)
            if lead is None:
                continue
            if most is None or lead > most:
                most, best = lead, [option]
            elif lead == most:
                best.append(option)
        return best[self._chance.below(len(best))] if best else 0

    @staticmethod
    def _lead(state: State, option: int, seat: int, chance: int) -> int | None:
        """How far the seat's team is ahead after an option; None if the rules fail there."""
        after = state.imagined(chance)
        try:
            after.play(option)
            scores = after.scores
        except RuleError:
            return None
        team = next((team for team in state.table.program.teams if seat in team), (seat,))
        others = [score for other, score in enumerate(scores, 1) if other not in team]
        return scores[seat - 1] - max(others, default=0)
