"""Everything that the language brings, by its words: what an editor completes, and what it says of a word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from rulelang.language.semantics.builtins.forms import FORMS
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.lists import LISTS
from rulelang.language.semantics.builtins.members import MEMBERS
from rulelang.language.semantics.builtins.names import BEARERS, NAMES
from rulelang.language.semantics.builtins.queries import QUERIES


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that the language brings. `what`: a function, name, member, query, list, or the sort of a form.

    `word`: what it is found by; a form is found by each of its words, and `word` is its first. `signatures`: how it is
    written, with types where it has any. `more`: where the language reference tells more, as `statements.md#choose`.
    """

    word: str
    what: str
    signatures: tuple[str, ...]
    doc: str
    more: str = ""


@cache
def entries() -> tuple[Entry, ...]:
    """All of them. What a ruleset declares is in `semantics.members` and in the checker's symbols."""
    return tuple(_entries())


@cache
def explained(word: str) -> tuple[Entry, ...]:
    """What a word may be: first what it names, then the forms that it begins, then those in which it stands."""
    by_word = [entry for entry in entries() if entry.word == word]
    inside = [entry for entry in entries() if entry.word != word and entry.what in FORMS and word in _words(entry)]
    return (*by_word, *inside)


def _entries() -> Iterator[Entry]:
    for function in FUNCTIONS.values():
        yield Entry(function.name, "function", (function.signature,), function.doc)
    for name in (*NAMES.values(), *BEARERS.values()):
        yield Entry(name.name, "name", (f"{name.name}: {name.type}" if name.type else name.name,), name.doc)
    for member in MEMBERS.values():
        yield Entry(member.name, "member", tuple(member.signatures), member.doc)
    for query in QUERIES.values():
        yield Entry(query.name, "query", (query.signature,), query.doc, "binders-and-queries.md#queries")
    for rows in LISTS.values():
        yield Entry(rows.name, "list", (f"{rows.name}: {', '.join(rows.rows)}",), rows.doc)
        for row in rows.rows:
            yield Entry(row, "name", (f"{row}: {rows.name}",), f"a row of `{rows.name}`: {rows.doc}")
    for what, forms in FORMS.items():
        for form in forms:
            yield Entry(form.words[0] if form.words else form.title, what, form.written, form.doc, form.more)


def _words(entry: Entry) -> list[str]:
    return next(form.words for form in FORMS[entry.what] if form.written == entry.signatures)
