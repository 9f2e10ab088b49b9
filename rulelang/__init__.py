"""rulelang: a rules language for card and board games."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.base.errors import BuildError, RuleError
    from rulelang.compile import Compilation, LoadError, check
    from rulelang.engine.decision import Decision, IllegalMove, Option, Refusal
    from rulelang.engine.game import Game
    from rulelang.engine.log import Event, Log
    from rulelang.engine.saving import SaveError
    from rulelang.engine.seating import Agent
    from rulelang.engine.simulate import Result
    from rulelang.engine.state import State
    from rulelang.loading import load

__version__ = "0.2.0"
__all__ = [
    "Agent", "BuildError", "Compilation", "Decision", "Event", "Game", "IllegalMove", "LoadError", "Log", "Option",
    "Refusal", "Result", "RuleError", "SaveError", "State", "check", "load",
]  # fmt: skip
__homes__ = {
    "base.errors": ("BuildError", "RuleError"),
    "compile": ("Compilation", "LoadError", "check"),
    "engine.decision": ("Decision", "IllegalMove", "Option", "Refusal"),
    "engine.game": ("Game",),
    "engine.log": ("Event", "Log"),
    "engine.saving": ("SaveError",),
    "engine.seating": ("Agent",),
    "engine.simulate": ("Result",),
    "engine.state": ("State",),
    "loading": ("load",),
}


def __getattr__(name: str) -> object:
    """The public names are imported when first used, so that `import rulelang` costs nothing."""
    from importlib import import_module

    for home, names in __homes__.items():
        if name in names:
            found: object = getattr(import_module(f"rulelang.{home}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'rulelang' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
