"""Rules texts for the tests: those of the example rulesets, in files and inside YAML."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Placement
from rulelang.language.syntax.nodes import Decl
from rulelang.language.syntax.parse import parse

EXAMPLES = Path(__file__).parents[1] / "fixtures" / "examples"


@lru_cache(maxsize=1)
def examples() -> dict[str, str]:
    """Every rules text of the examples, by the place where it stands."""
    found: dict[str, str] = {}
    for path in sorted(EXAMPLES.rglob("*")):
        name = path.relative_to(EXAMPLES).as_posix()
        if path.suffix == ".rules":
            found[name] = path.read_text(encoding="utf-8")
        elif path.suffix == ".yaml":
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
            found |= {f"{name}#{number}": text for number, text in enumerate(_embedded(data))}
    return found


def _embedded(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "rules" and isinstance(value, str):
                yield value
            else:
                yield from _embedded(value)
    elif isinstance(data, list):
        for value in data:
            yield from _embedded(value)


def declarations(text: str) -> tuple[Decl, ...]:
    """The declarations of a text that must be good."""
    decls, found = parse(text, Placement("t.rules"))
    assert list(found) == []
    return decls


def mistakes(text: str) -> list[Diagnostic]:
    """What is wrong with a text, in the order in which it is shown."""
    return parse(text, Placement("t.rules"))[1].sorted()


def told(text: str) -> list[tuple[str, int, int, int]]:
    """(code, line, first column, end column) of each mistake."""
    return [(d.code, d.span.line, d.span.column, d.span.end_column) for d in mistakes(text)]
