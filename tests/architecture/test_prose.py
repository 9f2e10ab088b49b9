"""All pages stay in plain English: `docs/STYLE.md`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.prose import PATTERNS, Paragraph, hits, markdown, pages, plain
from tests.architecture.sources import ROOT

#: The house style quotes what it forbids.
QUOTES = ("docs/STYLE.md",)

PLAIN = [page for page in pages() if not page.relative_to(ROOT).as_posix().startswith(QUOTES)]


@pytest.mark.parametrize("page", PLAIN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_is_in_plain_english(page: Path) -> None:
    found = [str(hit) for paragraph in markdown(page) for hit in hits(paragraph)]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "Under `rules:` stands what it does.",
        "A mistake is told.",
        "Whoever has it may play.",
        "It is no name for a row.",
        "What holds is tested.",
        "Of these none is asked.",
        "MODS are given behind the GAME.",
        "The player shows his hand.",
    ],
)
def test_each_pattern_is_found(text: str) -> None:
    assert [*hits(Paragraph("docs/x.md", 1, plain(text)))]


def test_plain_english_passes() -> None:
    text = "What is it? You can't attack while the phase stands for feeding. Of course this is no longer true."
    assert not [*hits(Paragraph("docs/x.md", 1, plain(text)))]
    assert len(PATTERNS) == len({pattern.name for pattern in PATTERNS})
