"""The example rulesets parse, and their canonical and tidied texts say the same."""

from __future__ import annotations

import pytest

from rulelang.language.syntax.format import format_text
from rulelang.language.syntax.nodes import same_syntax
from rulelang.language.syntax.printer import print_declarations
from tests.syntax.texts import declarations, examples


def test_there_are_examples() -> None:
    assert len(examples()) > 60


@pytest.mark.parametrize("name", examples())
def test_an_example_goes_round(name: str) -> None:
    decls = declarations(examples()[name])
    assert decls
    printed = print_declarations(decls)
    again = declarations(printed)
    assert same_syntax(decls, again)
    assert [d.cites for d in decls] == [d.cites for d in again]
    assert print_declarations(again) == printed
    assert max(len(line) for line in printed.splitlines()) <= 120


@pytest.mark.parametrize("name", examples())
def test_tidying_changes_no_meaning_and_is_done_once(name: str) -> None:
    text = examples()[name]
    tidy = format_text(text)
    assert same_syntax(declarations(text), declarations(tidy))
    assert format_text(tidy) == tidy
    assert [line.split("#", 1)[1] for line in text.splitlines() if "#" in line] == [
        line.split("#", 1)[1] for line in tidy.splitlines() if "#" in line
    ]
