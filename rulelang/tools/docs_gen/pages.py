"""The generated reference pages: diagnostics, lint rules, built-ins, statements and the Python API."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import dedent
from types import FunctionType

import rulelang
from rulelang.base.codes import CODES, Page
from rulelang.base.files import read_if_possible
from rulelang.language.semantics.builtins.definitions import Example, Form, Function
from rulelang.language.semantics.builtins.forms import STATEMENTS, TESTS
from rulelang.language.semantics.builtins.functions import FUNCTIONS, QUERIES
from rulelang.language.semantics.builtins.names import BEARERS, LISTS, MEMBERS, NAMES

# ---- pages of codes, and files on disk

GENERATED_NOTE = "<!-- Written by `rulelang docs` from {source}. Do not edit it here. -->\n"

ROOMS: tuple[tuple[str, str], ...] = (
    ("Y", "Files, YAML, card data, manifests and mods"),
    ("S", "Syntax of rules"),
    ("N", "Names, declarations and translations"),
    ("T", "Types, owners and arguments"),
    ("W", "Hooks and patches"),
    ("X", "Errors during a game"),
    ("C", "Scenarios and coverage"),
)


def diagnostics_page(codes: Mapping[str, Page] = CODES) -> str:
    """Return the page with all diagnostic codes, by area."""
    out = ["# Diagnostics\n", GENERATED_NOTE.format(source="rulelang/base/codes/")]
    out.append(
        "Every message of `rulelang check` has a code, such as `Y103`, which never changes. This page says for "
        "each code what is wrong and how to fix it, and shows a bad and a good example. "
        "`rulelang explain Y103` prints the same text in the terminal.\n"
    )
    for letter, title in ROOMS:
        pages = [page for code, page in codes.items() if code.startswith(letter)]
        if pages:
            out.append(f"## {title}\n")
            out.extend(_code_page(page) for page in pages)
    return "\n".join(out)


def lint_page(rules: Iterable[tuple[str, Page]]) -> str:
    """Return the page with all rules of the linter."""
    out = ["# Lint\n", GENERATED_NOTE.format(source="rulelang/tools/lint/rules/")]
    out.append(
        "`rulelang lint GAME` reports code that `check` accepts but that is probably a mistake. To silence a warning, "
        "write the comment `# lint: allow NAME` on the same line or on the line above. `--fix` makes the changes that "
        "do not alter the meaning of the rules.\n"
    )
    for name, page in rules:
        out.append(
            _code_page(page).replace(f"### {page.code}: {page.title}\n", f"## {page.code} {name}: {page.title}\n", 1)
        )
    return "\n".join(out)


def stale_pages(pages: Mapping[str, str], root: Path) -> list[str]:
    """The pages, by path below `root`, that are missing there or hold something else."""
    return [name for name, text in pages.items() if read_if_possible(root / name) != text]


def write_pages(pages: Mapping[str, str], root: Path) -> list[str]:
    """Write the stale pages; their paths."""
    changed = stale_pages(pages, root)
    for name in changed:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages[name], encoding="utf-8", newline="\n")
    return changed


def _code_page(page: Page) -> str:
    parts = [f"### {page.code}: {page.title}\n", f"{page.text}\n"]
    for title, example in (("Incorrect:", page.bad), ("Correct:", page.good)):
        if example:
            parts.append(f"{title}\n\n```text\n{example.rstrip()}\n```\n")
    return "\n".join(parts)


# ---- built-ins

_BUILTINS_INTRODUCTION = """
Everything on this page is part of the language, so a ruleset does not declare it. In a signature, a capital letter
stands for a kind, and the first argument determines which. A result of type `maybe` can be missing; if an argument is
missing, so is every result. The examples are tests in [the garden](../language/README.md#the-garden).
""".strip()


def builtins_page(functions: Mapping[str, Function] = FUNCTIONS) -> str:
    """All functions, names, members, queries and lists: a table of each, then every one with its type and an example
    that is a test."""
    parts = [
        "# Built-in functions, names, members and queries\n",
        GENERATED_NOTE.format(source="rulelang/language/semantics/builtins/"),
        _BUILTINS_INTRODUCTION + "\n",
        markdown_table("function", [(_link(row.call, name), row.doc) for name, row in functions.items()]),
        markdown_table("name", [(_link(name, name), row.doc) for name, row in NAMES.items()]),
        "In the rules of a card or a row, these names refer to the card or row, or to its host\n"
        "([hooks](../language/hooks.md)):\n",
        markdown_table("name", [(f"`{name}`", row.doc) for name, row in BEARERS.items()]),
        "You write a member after a dot. A ruleset can declare more members for its kinds:\n",
        markdown_table("member", [(_link(row.form, _anchor(row.form)), row.doc) for row in MEMBERS.values()]),
        "A query looks at all combinations of its [binders](../language/binders-and-queries.md):\n",
        markdown_table("query", [(_link(row.form, _anchor(row.form)), row.doc) for row in QUERIES.values()]),
        markdown_table(
            "list", [(_link(name, name), f"{row.doc}: `{'`, `'.join(row.rows)}`") for name, row in LISTS.items()]
        ),
    ]
    for function in functions.values():
        parts.extend(entry_section(function.name, [function.signature], function.doc, function.example, function.since))
    for name, row in NAMES.items():
        typed = f"{name}: {row.type}" if row.type is not None else name
        parts.extend(entry_section(name, [typed], row.doc, row.example, row.since))
    for member in MEMBERS.values():
        parts.extend(entry_section(member.form, member.signatures, member.doc, member.example, member.since))
    for query in QUERIES.values():
        parts.extend(entry_section(query.form, [query.signature], query.doc, query.example, query.since))
    for rows in LISTS.values():
        parts.extend(
            entry_section(rows.name, [f"{rows.name}: {', '.join(rows.rows)}"], rows.doc, rows.example, rows.since)
        )
    return "\n".join(parts)


def _as_yaml(line: str) -> str:
    return f"'{line}'" if ": " in line and not line.startswith("{") else line


def _link(text: str, anchor: str) -> str:
    return f"[`{text}`](#{anchor})"


def _anchor(heading: str) -> str:
    """What a heading is linked to by."""
    kept = "".join(c for c in heading.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def markdown_table(head: str, rows: list[tuple[str, str]], other: str = "what") -> str:
    """A table of two columns with their heads."""
    return "\n".join([f"| {head} | {other} |", "|---|---|", *(f"| {name} | {doc} |" for name, doc in rows)]) + "\n"


def entry_section(heading: str, typed: list[str], doc: str, example: Example | None, since: int) -> Iterator[str]:
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


# ---- statements and tables of forms

LANGUAGE_FOLDER = "../language/"
_MARKED = re.compile(r"(<!-- table: (\w+),[^>]*-->\n).*?(<!-- end of table -->)", re.DOTALL)
_STATEMENTS_INTRODUCTION = """
Every statement, with an example that rulelang tests. [Statements](../language/statements.md) explains how they work
together. The examples use [the garden](../language/README.md#the-garden).
""".strip()


def statements_page() -> str:
    """Each statement: how it is written, what it does, an example."""
    parts = [
        "# Statements\n",
        GENERATED_NOTE.format(source="rulelang/language/semantics/builtins/forms.py"),
        _STATEMENTS_INTRODUCTION + "\n",
    ]
    for form in STATEMENTS:
        doc = f"{form.doc}. {_see_link(form, LANGUAGE_FOLDER)}".removesuffix(". ")
        parts.extend(entry_section(form.title, list(form.written), doc, form.example, form.since))
    return "\n".join(parts)


def form_tables(page: str) -> dict[str, str]:
    """What stands between the marks of the tables of a page, by their names."""
    return {
        "statements": _form_table("statement", "what it does", STATEMENTS, page),
        "tests": _form_table("test", "true if", TESTS, page),
        "queries": markdown_table("query", [(f"`{row.form}`", row.doc) for row in QUERIES.values()], "gives"),
    }


def update_tables(text: str, page: str) -> str:
    """A page with each marked table as it is today. `page`: its name, as `statements.md`."""
    known = form_tables(page)
    return _MARKED.sub(lambda match: f"{match[1]}{known[match[2]]}{match[3]}", text)


def _form_table(head: str, other: str, forms: Iterable[Form], page: str) -> str:
    rows = [
        (", ".join(f"`{one}`" for one in form.written), f"{form.doc}. {_see_link(form, page)}".removesuffix(". "))
        for form in forms
    ]
    return markdown_table(head, rows, other)


def _see_link(form: Form, page: str) -> str:
    """`See [choose](#choose)`, from a page of the language reference, or from elsewhere by way of a folder."""
    if not form.more:
        return ""
    target, _, anchor = form.more.partition("#")
    where = f"#{anchor}" if target == page else (page if page.endswith("/") else "") + form.more
    return f"See [{(anchor or target).replace('-', ' ')}]({where})"


# ---- the Python API

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
NAME_LISTS = ("Args:", "Attributes:")
OPENING = """\
Everything here is imported from `rulelang`, for example `from rulelang import load`. All other modules are internal and
may change in any version. `rulelang.presentation.view`, `rulelang.apps.envs` and `rulelang.apps.lab` have pages of
their own: [screens](../present.md), [learning](../learning.md) and [reports](../lab.md).
[Embedding](../embedding.md) shows complete programs.
"""


def python_page() -> str:
    """Return the whole page, as Markdown."""
    out = ["# Python API\n", GENERATED_NOTE.format(source="the docstrings of rulelang/"), OPENING]
    for title, names in SECTIONS:
        out.append(f"## {title}\n")
        for name in names:
            out.extend(_name_entry(name, getattr(rulelang, name)))
    return "\n".join(out)


def _name_entry(name: str, item: object) -> Iterator[str]:
    """Yield the parts of one public name: its signature, its docstring, and its members if it is a class."""
    if isinstance(item, type):
        yield f"### `{name}`\n"
        yield f"{_docstring_markdown(item)}\n"
        members = [(member, value) for member, value in _public_members(item) if member not in INTERNAL.get(name, ())]
        values = [(member, value) for member, value in members if not callable(value)]
        if values:
            yield "| attribute | meaning |\n|---|---|"
            for member, value in values:
                yield f"| `{member}` | {_docstring_cell(_docstring_markdown(value))} |"
            yield ""
        for member, value in members:
            if callable(value):
                operator = OPERATORS.get(member)
                called = f"{name}{operator}" if operator else f"{name}.{member}{_signature(value)}"
                yield f"#### `{called}`\n"
                yield f"{_docstring_markdown(value)}\n"
    else:
        yield f"### `{name}{_signature(item)}`\n"
        yield f"{_docstring_markdown(item)}\n"


def _public_members(item: type) -> Iterator[tuple[str, object]]:
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


def _docstring_markdown(item: object) -> str:
    """Return a docstring as Markdown: indented examples become code blocks, and lists of names become lists."""
    out: list[str] = []
    for paragraph in re.split(r"\n\s*\n", inspect.getdoc(item) or ""):
        first, *rest = paragraph.splitlines() or [""]
        if first in NAME_LISTS:
            out.append("\n".join(_list_items(rest)))
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


def _list_items(lines: Sequence[str]) -> Iterator[str]:
    """Yield the items of a list of names with what they mean; continued lines are indented further."""
    for line in dedent("\n".join(lines)).splitlines():
        name, colon, meaning = line.partition(": ")
        if colon and not line.startswith(" "):
            yield f"- {', '.join(f'`{one}`' for one in name.split(', '))}: {meaning}"
        else:
            yield f"  {line.strip()}"


def _docstring_cell(text: str) -> str:
    """Return a docstring as the cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
