"""Old module names of the public API, which keep working for one version.

Importing an old name gives a stand-in that warns (`DeprecationWarning`) and passes everything on to the new module.
Version 0.3 removes this file.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import warnings
from collections.abc import Sequence
from types import ModuleType

#: Documented modules of version 0.1 and where each is now. A module below an old package moves with the package.
MODULES = {
    "rulelang.agents": "rulelang.runtime.agents",
    "rulelang.compile": "rulelang.compiler.compilation",
    "rulelang.envs": "rulelang.apps.envs",
    "rulelang.lab": "rulelang.apps.lab",
    "rulelang.lab.contents": "rulelang.apps.lab.report",
    "rulelang.present": "rulelang.presentation.view",
    "rulelang.printing": "rulelang.tools.printing",
    "rulelang.replaying": "rulelang.testing.replay",
    "rulelang.replaying.again": "rulelang.testing.replay",
    "rulelang.replaying.reading": "rulelang.testing.replay",
}
#: Documented functions that have a new name too: (old module, old name) to new name.
NAMES = {
    ("rulelang.lab.rendering", "html"): "report_html",
    ("rulelang.lab.rendering", "markdown"): "report_markdown",
}


def new_name(module: str) -> str | None:
    """Return the new name of a module, or None if the module never had another name."""
    old = module
    while old.startswith("rulelang."):
        if old in MODULES:
            return MODULES[old] + module[len(old) :]
        old = old.rpartition(".")[0]
    return None


class StandIn(ModuleType):
    """A module with an old name: reading an attribute reads that of the new module."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        target = importlib.import_module(new_name(self.__name__) or "")
        return getattr(target, NAMES.get((self.__name__, name), name))


class OldNames(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules by their old names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith("rulelang.") or new_name(fullname) is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        new = new_name(module.__name__) or ""
        importlib.import_module(new)  # a misspelt name fails here, as it would have before
        message = f"`{module.__name__}` is now `{new}`; the old name goes away in version 0.3"
        warnings.warn(message, DeprecationWarning, stacklevel=2)  # frames of `importlib` do not count


sys.meta_path.insert(0, OldNames())  # before the one that takes an empty folder for a package
