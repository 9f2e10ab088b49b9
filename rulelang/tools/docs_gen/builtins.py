"""The reference page of what the language brings itself, written from the rows of it. Its examples are tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.language.semantics.builtins.definitions import Example, Function
from rulelang.language.semantics.builtins.functions import FUNCTIONS, QUERIES
from rulelang.language.semantics.builtins.names import BEARERS, LISTS, MEMBERS, NAMES
from rulelang.tools.docs_gen.pages import NOTE

_INTRODUCTION = """
Everything on this page is part of the language, so a ruleset does not declare it. In a signature, a capital letter
stands for a kind, and the first argument determines which. A result of type `maybe` can be missing; if an argument is
missing, so is every result. The examples are tests in [the garden](../language/README.md#the-garden).
""".strip()


def builtins_page(functions: Mapping[str, Function] = FUNCTIONS) -> str:
    """All functions, names, members, queries and lists: a table of each, then every one with its type and an example
    that is a test."""
    parts = [
        "# Built-in functions, names, members and queries\n",
        NOTE.format(source="rulelang/language/semantics/builtins/"),
        _INTRODUCTION + "\n",
        table("function", [(_link(row.call, name), row.doc) for name, row in functions.items()]),
        table("name", [(_link(name, name), row.doc) for name, row in NAMES.items()]),
        "In the rules of a card or a row, these names refer to the card or row, or to its host\n"
        "([hooks](../language/hooks.md)):\n",
        table("name", [(f"`{name}`", row.doc) for name, row in BEARERS.items()]),
        "You write a member after a dot. A ruleset can declare more members for its kinds:\n",
        table("member", [(_link(row.form, _anchor(row.form)), row.doc) for row in MEMBERS.values()]),
        "A query looks at all combinations of its [binders](../language/binders-and-queries.md):\n",
        table("query", [(_link(row.form, _anchor(row.form)), row.doc) for row in QUERIES.values()]),
        table("list", [(_link(name, name), f"{row.doc}: `{'`, `'.join(row.rows)}`") for name, row in LISTS.items()]),
    ]
    for function in functions.values():
        parts.extend(section(function.name, [function.signature], function.doc, function.example, function.since))
    for name, row in NAMES.items():
        typed = f"{name}: {row.type}" if row.type is not None else name
        parts.extend(section(name, [typed], row.doc, row.example, row.since))
    for member in MEMBERS.values():
        parts.extend(section(member.form, member.signatures, member.doc, member.example, member.since))
    for query in QUERIES.values():
        parts.extend(section(query.form, [query.signature], query.doc, query.example, query.since))
    for rows in LISTS.values():
        parts.extend(section(rows.name, [f"{rows.name}: {', '.join(rows.rows)}"], rows.doc, rows.example, rows.since))
    return "\n".join(parts)


def _as_yaml(line: str) -> str:
    return f"'{line}'" if ": " in line and not line.startswith("{") else line


def _link(text: str, anchor: str) -> str:
    return f"[`{text}`](#{anchor})"


def _anchor(heading: str) -> str:
    """What a heading is linked to by."""
    kept = "".join(c for c in heading.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def table(head: str, rows: list[tuple[str, str]], other: str = "what") -> str:
    """A table of two columns with their heads."""
    return "\n".join([f"| {head} | {other} |", "|---|---|", *(f"| {name} | {doc} |" for name, doc in rows)]) + "\n"


def section(heading: str, typed: list[str], doc: str, example: Example | None, since: int) -> Iterator[str]:
    """What is told of one thing: how it is written, what it is, and an example that is a test."""
    signatures = "\n".join(typed)
    yield f"## {heading}\n\n```text\n{signatures}\n```\n"
    told = f" Since language {since}." if since > 1 else ""
    yield f"{doc[0].upper()}{doc[1:]}.{told}\n"
    if example is None:
        return
    if example.things:
        yield f"```yaml\n{example.things}\n```\n"
    given = "\n".join(f"    {line}" for line in example.given.splitlines())
    when = f"  when: [{', '.join(example.when)}]\n" if example.when else ""
    then = "\n".join(f"    - {_as_yaml(line)}" for line in example.then)
    yield f"```rules\n{example.rules}\n```\n"
    name = f"- name: 'what `{heading}` gives'"
    yield f"```scenarios\n{name}\n  given:\n    phase: dawn\n{given}\n{when}  then:\n{then}\n```\n"
