"""Old module names of the public API, which keep working for one version.

A program that imports an old name gets a `DeprecationWarning`, and a module whose attributes are those of the new one.
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


class OldNames(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules by their old names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        new = new_name(fullname)
        if new is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, loader_state=new, is_package=True)

    def exec_module(self, module: ModuleType) -> None:
        old, new = module.__name__, module.__spec__.loader_state if module.__spec__ else ""
        target = importlib.import_module(new)  # a misspelt name fails here, as it would have before

        def attribute(name: str) -> object:
            if name.startswith("__"):
                raise AttributeError(name)
            return getattr(target, NAMES.get((old, name), name))

        module.__getattr__ = attribute  # type: ignore[method-assign]
        message = f"`{old}` is now `{new}`; the old name goes away in version 0.3"
        warnings.warn(message, DeprecationWarning, stacklevel=2)  # frames of `importlib` do not count


sys.meta_path.insert(0, OldNames())  # before the one that takes an empty folder for a package
