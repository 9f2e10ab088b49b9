"""Each form of the grammar is declared once, with its text: pages are written from it, and an editor can read it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.language.semantics.builtins.definitions import Form
from rulelang.language.semantics.builtins.forms import FORMS, IS_WORDS, STATEMENTS, entries_for_word, vocabulary
from rulelang.language.semantics.builtins.functions import FUNCTIONS, QUERIES
from rulelang.language.semantics.builtins.names import BEARERS, MEMBERS, NAMES, PLAYERS
from rulelang.language.syntax.grammar import shared_grammar
from rulelang.tools.docs_gen.pages import form_tables, update_tables

PAGES = Path("docs/language")
EVERY = [form for forms in FORMS.values() for form in forms]
#: Statements that begin with a name, and not with a word of the language.
NAMELESS = {"assignment", "call"}


def anchors(page: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", (PAGES / page).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_word_of_the_grammar_is_told() -> None:
    """A word that is added to the grammar has a form here."""
    told = {word for form in EVERY for word in form.words}
    lacking = shared_grammar().words.keys() - told
    assert lacking == {"none"} <= NAMES.keys(), "each wants a row in semantics/builtins/forms.py or forms.py"


def test_every_statement_is_told() -> None:
    told = {word for form in STATEMENTS for word in form.words}
    told |= {"true", "false", "none"}  # an assignment would begin with them, which the checker refuses
    assert shared_grammar().statement_words - told == set(), "each wants its row in semantics/builtins/forms.py"
    assert all(form.example is not None and form.example.then for form in STATEMENTS)
    assert len({form.title for form in STATEMENTS}) == len(STATEMENTS)


@pytest.mark.parametrize("form", EVERY, ids=lambda form: form.written[0])
def test_a_form_is_whole(form: Form) -> None:
    assert form.doc
    assert form.words or form.name in NAMELESS
    page, _, anchor = form.more.partition("#")
    assert not page or (PAGES / page).is_file()
    assert not anchor or anchor in anchors(page)


def test_what_the_checker_asks_with_is() -> None:
    assert IS_WORDS == ("present", "missing", "empty", "working")
    assert PLAYERS == ("active", "actor", "nobody")


def test_what_is_said_of_a_word() -> None:
    assert [entry.what for entry in entries_for_word("count")] == ["function", "query"]
    assert [entry.what for entry in entries_for_word("owner")] == ["name", "member"]
    assert [entry.what for entry in entries_for_word("then")] == ["operator", "binder"]
    assert entries_for_word("choose")[0].more == "statements.md#choose"
    assert [entry.word for entry in entries_for_word("restore")] == ["silence"]
    assert entries_for_word("left")[0].signatures == ("left: side",)
    assert entries_for_word("no_such_word") == ()
    for table in (FUNCTIONS, NAMES, BEARERS, MEMBERS, QUERIES):
        assert all(entries_for_word(name) for name in table)
    assert all(entry.doc and entry.signatures and entry.word for entry in vocabulary())


@pytest.mark.parametrize("page", ["statements.md", "expressions.md", "binders-and-queries.md"])
def test_tables_of_the_reference_are_written(page: str) -> None:
    text = (PAGES / page).read_text(encoding="utf-8")
    marked = re.findall(r"<!-- table: (\w+),", text)
    assert marked
    for name in marked:
        table = form_tables(page)[name]
        assert table in text
        assert update_tables(text.replace(table, "stale\n"), page) == text
