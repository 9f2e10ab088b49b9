"""Where schemas, shipped rulesets, seeds and documentation lie: in a checkout and in an installed package."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

#: The word for the lock of the game, in the current folder or above.
LOCKED = "*.lock"

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def schema_dir() -> Path:
    """The folder of the JSON Schemas: `rulelang/_schemas` when installed, `schemas/` beside it in a checkout."""
    return _beside("_schemas", "schemas")


@cache
def shipped_rulesets_dir() -> Path:
    """The folder of the rulesets that come with rulelang, one folder each (it may not exist)."""
    return _beside("_rulesets", "rulesets")


@cache
def seeds_dir() -> Path:
    """The folder of the numbered rules of the rulebooks, one YAML file each (it may not exist)."""
    return _beside("_seeds", "seeds")


def seeds_of(homes: Iterable[Path]) -> list[Path]:
    """Where the numbered rules of rulesets and mods in these folders may lie: in the shipped folder, and in `seeds/`
    beside and above theirs."""
    return [seeds_dir(), *(above / "seeds" for home in homes for above in (home.parent, home.parent.parent))]


@cache
def docs_dir() -> Path:
    """The folder of the documentation (it may not exist)."""
    return _beside("_docs", "docs")


def _beside(installed: str, checkout: str) -> Path:
    inside = _PACKAGE / installed
    return inside if inside.is_dir() else _PACKAGE.parent / checkout
