"""Libraries that environments need: imported when they are asked for, and named when they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class MissingLibrary(ImportError):
    """A library that is not installed; the text says how to get it."""


def needed_library(module: str, extra: str = "envs") -> Any:
    """An optional library. MissingLibrary, in one line, if it is not there."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingLibrary(f"this needs {module}: pip install 'rulelang[{extra}]'") from None


def load_numpy() -> Any:
    return needed_library("numpy")
