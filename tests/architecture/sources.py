"""The project's own files, as the architecture tests read them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "rulelang"


class Source(NamedTuple):
    """One Python file of the package. `room` is its package, or its own name."""

    path: Path
    room: str
    tree: ast.Module

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def package(self) -> tuple[str, ...]:
        """The parts of the dotted package name in which the file's relative imports start."""
        return self.path.relative_to(ROOT).parent.parts


class Import(NamedTuple):
    """One imported module, by its absolute dotted name."""

    source: Source
    line: int
    module: str

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    @property
    def is_standard(self) -> bool:
        return self.top in sys.stdlib_module_names

    @property
    def place(self) -> str:
        return f"{self.source.name}:{self.line}"


def room(inner: Path) -> str:
    """Return the room of a file, given from the package: `base`, `compiler/lower`, `apps/terminal`, or its own name."""
    match inner.parts:
        case (name,):
            return name.removesuffix(".py")
        case (("base" | "data") as package, *_) | (package, "__init__.py"):
            return package
        case (package, inside, *_):
            return f"{package}/{inside.removesuffix('.py')}"
    raise AssertionError(inner)


@cache
def sources() -> tuple[Source, ...]:
    files = []
    for path in sorted(PACKAGE.rglob("*.py")):
        inner = path.relative_to(PACKAGE)
        files.append(Source(path, room(inner), ast.parse(path.read_text(encoding="utf-8"), filename=str(path))))
    return tuple(files)


@cache
def imports() -> tuple[Import, ...]:
    """Every import of the package: late ones, ones for type checkers and `import_module("...")` too."""
    return tuple(found for source in sources() for found in imports_of(source))


def imports_of(source: Source) -> Iterator[Import]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(source, node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = origin(source, node)
            # `from rulelang import compile` names a module of the package, so keep the imported name as well.
            for alias in node.names:
                below = base == PACKAGE.name or (PACKAGE.parent.joinpath(*base.split("."), "__init__.py")).exists()
                yield Import(
                    source, node.lineno, f"{base}.{alias.name}" if below and base.startswith(PACKAGE.name) else base
                )
        elif isinstance(node, ast.Call) and called_name(node) in ("import_module", "__import__") and node.args:
            module = node.args[0]
            if isinstance(module, ast.Constant) and isinstance(module.value, str):
                yield Import(source, node.lineno, module.value)


def origin(source: Source, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = source.package[: len(source.package) - node.level + 1]
    return ".".join((*parts, node.module) if node.module else parts)


def called_name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def docstrings(tree: ast.Module) -> set[int]:
    """The ids of the nodes that are docstrings."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                found.add(id(first.value))
    return found
