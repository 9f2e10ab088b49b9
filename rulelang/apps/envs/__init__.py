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

from rulelang.apps.envs.encoding import Encoding, Steps, rewards
from rulelang.apps.envs.layout import Field, Ids, Node, Schema
from rulelang.apps.envs.needs import MissingLibrary, needed_library

if TYPE_CHECKING:
    from rulelang.apps.envs.gymnasium_env import SeatEnv
    from rulelang.apps.envs.openspiel_env import SpielGame
    from rulelang.apps.envs.pettingzoo_env import GameAEC
    from rulelang.apps.envs.vector import VectorEnv

#: By public name: its module, what that needs, and the extra that brings it.
_LATE = {
    "GameAEC": ("pettingzoo_env", "pettingzoo", "envs"),
    "SeatEnv": ("gymnasium_env", "gymnasium", "envs"),
    "SpielGame": ("openspiel_env", "pyspiel", "openspiel"),
    "VectorEnv": ("vector", "numpy", "envs"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, library, extra = _LATE[name]
    needed_library(library, extra)
    return getattr(import_module(f"{__name__}.{module}"), name)


__all__ = [
    "Encoding", "Field", "GameAEC", "Ids", "MissingLibrary", "Node", "Schema", "SeatEnv", "SpielGame", "Steps",
    "VectorEnv", "rewards",
]  # fmt: skip
