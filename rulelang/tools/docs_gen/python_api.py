"""Write the reference page of the Python API from the docstrings of the public names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from types import FunctionType

import rulelang
from rulelang.tools.docs_gen.pages import NOTE

#: Every public name in its section; `tests/spec/test_python_api.py` holds that none is missing.
SECTIONS = (
    ("Load and check a game", ("load", "check", "Compilation", "LoadError")),
    ("Games and tables", ("Game", "State", "Decision", "Option", "Refusal")),
    ("The log", ("Log", "Event")),
    ("Agents and series of games", ("Agent", "Result")),
    ("Errors while playing", ("IllegalMove", "RuleError", "BuildError", "SaveError")),
)
#: Members that belong to the compiler's own use, by class: they are public to other packages of rulelang only.
INTERNAL = {
    "Compilation": (
        "identity", "source", "trees", "model", "program", "lowered", "whole", "link", "ready", "values", "valued",
    ),
    "Game": ("start", "unpickled", "values"),
}  # fmt: skip
#: Special methods that are used as operators, with how they are written.
OPERATORS = {"__getitem__": "[NAME]", "__contains__": " (NAME in ...)"}
#: Headings in docstrings, before lists of names.
LISTS = ("Args:", "Attributes:")
OPENING = """\
Everything here is imported from `rulelang`, for example `from rulelang import load`. All other modules are internal and
may change in any version. `rulelang.presentation.view`, `rulelang.apps.envs` and `rulelang.apps.lab` have pages of their own:
[screens](../present.md), [learning](../learning.md) and [reports](../lab.md). [Embedding](../embedding.md) shows
complete programs.
"""


def python_page() -> str:
    """Return the whole page, as Markdown."""
    out = ["# Python API\n", NOTE.format(source="the docstrings of rulelang/"), OPENING]
    for title, names in SECTIONS:
        out.append(f"## {title}\n")
        for name in names:
            out.extend(_entry(name, getattr(rulelang, name)))
    return "\n".join(out)


def _entry(name: str, item: object) -> Iterator[str]:
    """Yield the parts of one public name: its signature, its docstring, and its members if it is a class."""
    if isinstance(item, type):
        yield f"### `{name}`\n"
        yield f"{_text(item)}\n"
        members = [(member, value) for member, value in _members(item) if member not in INTERNAL.get(name, ())]
        values = [(member, value) for member, value in members if not callable(value)]
        if values:
            yield "| attribute | meaning |\n|---|---|"
            for member, value in values:
                yield f"| `{member}` | {_cell(_text(value))} |"
            yield ""
        for member, value in members:
            if callable(value):
                operator = OPERATORS.get(member)
                called = f"{name}{operator}" if operator else f"{name}.{member}{_signature(value)}"
                yield f"#### `{called}`\n"
                yield f"{_text(value)}\n"
    else:
        yield f"### `{name}{_signature(item)}`\n"
        yield f"{_text(item)}\n"


def _members(item: type) -> Iterator[tuple[str, object]]:
    """Yield the public members that a class and its bases in rulelang declare, each once."""
    seen: set[str] = set()
    for base in item.__mro__:
        if not base.__module__.startswith("rulelang"):
            continue
        for name, value in vars(base).items():
            operator = name in OPERATORS and bool(getattr(value, "__doc__", None))
            if (name.startswith("_") and not operator) or name in seen:
                continue
            seen.add(name)
            if isinstance(value, property | FunctionType):
                yield name, value
            elif isinstance(value, classmethod | staticmethod):
                yield name, value.__func__


def _signature(item: object) -> str:
    """Return a signature without `self`, as it is written in the source."""
    shown = inspect.signature(item)  # type: ignore[arg-type]
    kept = [one for name, one in shown.parameters.items() if name not in ("self", "cls")]
    text = str(shown.replace(parameters=kept))
    return re.sub(r"'([^']*)'", r"\1", text).replace("rulelang.", "")


def _text(item: object) -> str:
    """Return a docstring as Markdown: indented examples become code blocks, and lists of names become lists."""
    out: list[str] = []
    for paragraph in re.split(r"\n\s*\n", inspect.getdoc(item) or ""):
        first, *rest = paragraph.splitlines() or [""]
        if first in LISTS:
            out.append("\n".join(_listed(rest)))
        elif first.startswith((" ", ">>>")):
            more = out and out[-1].startswith("```python") and first.startswith(" ")
            code = dedent(paragraph).rstrip()
            if more:  # an empty line within an example
                out[-1] = f"{out[-1][:-4]}\n\n{code}\n```"
            else:
                out.append(f"```python\n{code}\n```")
        else:
            out.append(paragraph)
    return "\n\n".join(out).strip()


def _listed(lines: Sequence[str]) -> Iterator[str]:
    """Yield the items of a list of names with what they mean; continued lines are indented further."""
    for line in dedent("\n".join(lines)).splitlines():
        name, colon, meaning = line.partition(": ")
        if colon and not line.startswith(" "):
            yield f"- {', '.join(f'`{one}`' for one in name.split(', '))}: {meaning}"
        else:
            yield f"  {line.strip()}"


def _cell(text: str) -> str:
    """Return a docstring as the cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
