"""Lines of generated C, and the names that a function's locals have there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.compiler.backends.names import Names


class Writer:
    """Call it with a line; `with writer.inside("if (x)"):` puts what follows in braces."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.level = 0

    def __call__(self, text: str) -> None:
        self.lines.append("    " * self.level + text)

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        self(head + " {" if head else "{")
        self.level += 1
        yield
        self.level -= 1
        self("}")


class LocalNames(Names):
    """Locals get the prefix `v_`. Temporaries are noted, so that they can be declared."""

    def __init__(self) -> None:
        super().__init__("v_")
        self.temps: list[str] = []

    def temporary(self, hint: str = "t") -> str:
        name = super().temporary(hint)
        self.temps.append(name)
        return name

    def once(self, name: str) -> str:
        """A temporary with a fixed name, declared once however often it is asked for."""
        if name not in self.temps:
            self.temps.append(name)
        return name
