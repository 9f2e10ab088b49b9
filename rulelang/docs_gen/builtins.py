"""The reference page of built-in functions and names, written from their rows. Its examples are tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.docs_gen.pages import NOTE
from rulelang.semantics.builtins.functions import FUNCTIONS
from rulelang.semantics.builtins.names import BEARERS, NAMES
from rulelang.semantics.builtins.row import Example, Function, Name

_INTRODUCTION = """
What the language brings itself. A capital letter stands for a kind that the first argument tells. A `maybe` may be
missing by itself; everything may be where an argument is missing. The examples are played in
[the garden](../language/README.md#the-garden).
""".strip()


def builtins_page(functions: Mapping[str, Function] = FUNCTIONS) -> str:
    """All functions and names: a table of each, then every one with its type and an example that is a test."""
    parts = [
        "# Built-in functions and names\n",
        NOTE.format(source="rulelang/semantics/builtins/"),
        _INTRODUCTION + "\n",
    ]
    parts.append(_table("function", [(f"[`{row.call}`](#{row.name})", row.doc) for row in functions.values()]))
    parts.append(_table("name", [(f"[`{name}`](#{name})", row.doc) for name, row in NAMES.items()]))
    parts.append("In rules of a card or a row, of what brings them ([hooks](../language/hooks.md)):\n")
    parts.append(_table("name", [(f"`{name}`", row.doc) for name, row in BEARERS.items()]))
    for function in functions.values():
        parts.extend(_section(function, function.signature, function.example))
    for name, row in NAMES.items():
        parts.extend(_section(row, f"{name}: {row.type}" if row.type is not None else name, row.example))
    return "\n".join(parts)


def _table(head: str, rows: list[tuple[str, str]]) -> str:
    return "\n".join([f"| {head} | what |", "|---|---|", *(f"| {name} | {doc} |" for name, doc in rows)]) + "\n"


def _section(row: Function | Name, typed: str, example: Example | None) -> Iterator[str]:
    yield f"## {row.name}\n\n```text\n{typed}\n```\n"
    since = f" Since language {row.since}." if row.since > 1 else ""
    yield f"{row.doc[0].upper()}{row.doc[1:]}.{since}\n"
    if example is None:
        return
    if example.things:
        yield f"```yaml\n{example.things}\n```\n"
    given = "\n".join(f"    {line}" for line in example.given.splitlines())
    then = "\n".join(f"    - {line}" for line in example.then)
    yield f"```rules\n{example.rules}\n```\n"
    yield (f"```scenarios\n- name: what `{row.name}` gives\n  given:\n    phase: dawn\n{given}\n  then:\n{then}\n```\n")
