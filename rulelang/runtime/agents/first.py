"""Always the first option: for tests, and to see a game's plainest course."""

from __future__ import annotations

from rulelang.runtime.state import State


class First:
    """It has no chance and no memory."""

    name = "first"
    inner = ("first", 0)

    def start(self, seed: int) -> None:
        """Nothing depends on the seed."""

    def choose(self, state: State) -> int:
        return 0
