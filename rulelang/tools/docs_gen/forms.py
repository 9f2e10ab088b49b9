"""What is written of the forms of the grammar: the page of statements, and tables in pages that people write."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulelang.language.semantics.builtins.definitions import Form
from rulelang.language.semantics.builtins.forms import STATEMENTS, TESTS
from rulelang.language.semantics.builtins.functions import QUERIES
from rulelang.tools.docs_gen.builtins import section, table
from rulelang.tools.docs_gen.pages import NOTE

LANGUAGE = "../language/"
_MARKED = re.compile(r"(<!-- table: (\w+),[^>]*-->\n).*?(<!-- end of table -->)", re.DOTALL)
_INTRODUCTION = """
Every statement, with an example that rulelang tests. [Statements](../language/statements.md) explains how they work
together. The examples use [the garden](../language/README.md#the-garden).
""".strip()


def statements_page() -> str:
    """Each statement: how it is written, what it does, an example."""
    parts = [
        "# Statements\n",
        NOTE.format(source="rulelang/language/semantics/builtins/forms.py"),
        _INTRODUCTION + "\n",
    ]
    for form in STATEMENTS:
        doc = f"{form.doc}. {_more(form, LANGUAGE)}".removesuffix(". ")
        parts.extend(section(form.title, list(form.written), doc, form.example, form.since))
    return "\n".join(parts)


def tables(page: str) -> dict[str, str]:
    """What stands between the marks of the tables of a page, by their names."""
    return {
        "statements": _forms("statement", "what it does", STATEMENTS, page),
        "tests": _forms("test", "true if", TESTS, page),
        "queries": table("query", [(f"`{row.form}`", row.doc) for row in QUERIES.values()], "gives"),
    }


def with_tables(text: str, page: str) -> str:
    """A page with each marked table as it is today. `page`: its name, as `statements.md`."""
    known = tables(page)
    return _MARKED.sub(lambda match: f"{match[1]}{known[match[2]]}{match[3]}", text)


def _forms(head: str, other: str, forms: Iterable[Form], page: str) -> str:
    rows = [
        (", ".join(f"`{one}`" for one in form.written), f"{form.doc}. {_more(form, page)}".removesuffix(". "))
        for form in forms
    ]
    return table(head, rows, other)


def _more(form: Form, page: str) -> str:
    """`See [choose](#choose)`, from a page of the language reference, or from elsewhere by way of a folder."""
    if not form.more:
        return ""
    target, _, anchor = form.more.partition("#")
    where = f"#{anchor}" if target == page else (page if page.endswith("/") else "") + form.more
    return f"See [{(anchor or target).replace('-', ' ')}]({where})"
