"""rulelang: a rules language for card and board games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rulelang.aliases  # noqa: F401  finds modules by the names of version 0.1

if TYPE_CHECKING:
    from rulelang.api import load
    from rulelang.base.errors import BuildError, RuleError
    from rulelang.compiler.compilation import Compilation, LoadError, check
    from rulelang.runtime.decision import Decision, IllegalMove, Option, Refusal
    from rulelang.runtime.event_log import Event, Log
    from rulelang.runtime.game import Game
    from rulelang.runtime.seating import Agent
    from rulelang.runtime.simulate import Result
    from rulelang.runtime.state import SaveError, State

__version__ = "0.2.0"
__all__ = [
    "Agent", "BuildError", "Compilation", "Decision", "Event", "Game", "IllegalMove", "LoadError", "Log", "Option",
    "Refusal", "Result", "RuleError", "SaveError", "State", "check", "load",
]  # fmt: skip
__homes__ = {
    "base.errors": ("BuildError", "RuleError"),
    "compiler.compilation": ("Compilation", "LoadError", "check"),
    "runtime.decision": ("Decision", "IllegalMove", "Option", "Refusal"),
    "runtime.game": ("Game",),
    "runtime.event_log": ("Event", "Log"),
    "runtime.seating": ("Agent",),
    "runtime.simulate": ("Result",),
    "runtime.state": ("SaveError", "State"),
    "api": ("load",),
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
