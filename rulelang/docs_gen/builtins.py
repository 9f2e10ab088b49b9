"""The reference page of built-in functions, written from their rows. Its examples are tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.docs_gen.pages import NOTE
from rulelang.meaning.builtins.functions import FUNCTIONS
from rulelang.meaning.builtins.row import Function

_INTRODUCTION = """
What the language brings itself. A capital letter stands for a kind that the first argument tells. A `maybe` may be
missing by itself; everything may be where an argument is missing. The examples are played in
[the garden](../language/README.md#the-garden).
""".strip()


def builtins_page(functions: Mapping[str, Function] = FUNCTIONS) -> str:
    """All functions: a table of them, then each with its signature and an example that is a test."""
    rows = [f"| [`{row.call}`](#{row.name}) | {row.doc} |" for row in functions.values()]
    table = "\n".join(["| function | what |", "|---|---|", *rows]) + "\n"
    parts = ["# Built-in functions\n", NOTE.format(source="rulelang/meaning/builtins/"), _INTRODUCTION + "\n", table]
    return "\n".join([*parts, *(part for row in functions.values() for part in _function(row))])


def _function(row: Function) -> Iterator[str]:
    yield f"## {row.name}\n\n```text\n{row.signature}\n```\n"
    since = f" Since language {row.since}." if row.since > 1 else ""
    yield f"{row.doc[0].upper()}{row.doc[1:]}.{since}\n"
    example = row.example
    if example.things:
        yield f"```yaml\n{example.things}\n```\n"
    given = "\n".join(f"    {line}" for line in example.given.splitlines())
    then = "\n".join(f"    - {line}" for line in example.then)
    yield f"```rules\n{example.rules}\n```\n"
    yield (f"```scenarios\n- name: what `{row.name}` gives\n  given:\n    phase: dawn\n{given}\n  then:\n{then}\n```\n")
