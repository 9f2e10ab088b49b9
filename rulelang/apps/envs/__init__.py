"""Games for programs that learn: positions as numbers, and environments for PettingZoo, Gymnasium and OpenSpiel.

    from rulelang.apps.envs import Encoding, Steps

    encoding = Encoding(game.table(2))
    steps = Steps.new(encoding, game, seed=1)
    steps.take(steps.legal[0])

This much needs nothing else. `VectorEnv`, `GameAEC` (PettingZoo) and `SeatEnv` (Gymnasium) need the extra `envs`,
`SpielGame` (OpenSpiel) `openspiel`; they are imported when they are asked for. MissingLibrary names what is not there.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rulelang.apps.envs.encoding import Encoding
from rulelang.apps.envs.fields import Field, Schema
from rulelang.apps.envs.ids import Ids, Node
from rulelang.apps.envs.needs import MissingLibrary, needed
from rulelang.apps.envs.steps import Steps, rewards

if TYPE_CHECKING:
    from rulelang.apps.envs.aec import GameAEC
    from rulelang.apps.envs.single import SeatEnv
    from rulelang.apps.envs.spiel import SpielGame
    from rulelang.apps.envs.vector import VectorEnv

#: By public name: its module, what that needs, and the extra that brings it.
_LATE = {
    "GameAEC": ("aec", "pettingzoo", "envs"),
    "SeatEnv": ("single", "gymnasium", "envs"),
    "SpielGame": ("spiel", "pyspiel", "openspiel"),
    "VectorEnv": ("vector", "numpy", "envs"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, library, extra = _LATE[name]
    needed(library, extra)
    return getattr(import_module(f"{__name__}.{module}"), name)


__all__ = [
    "Encoding", "Field", "GameAEC", "Ids", "MissingLibrary", "Node", "Schema", "SeatEnv", "SpielGame", "Steps",
    "VectorEnv", "rewards",
]  # fmt: skip
