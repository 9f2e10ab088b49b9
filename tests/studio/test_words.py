"""The pages' own words: each said in every language, with the same holes, and none beside the tables of words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.apps.studio import guard

SOURCES = Path(guard.__file__).parent / "web" / "src"
HOLE = re.compile(r"\{(\w+)\}")


def words(path: Path) -> dict[str, dict[str, str]]:
    """By language what stands in a table of words."""
    table = path.read_text(encoding="utf-8").split("const WORDS = {", 1)[1].split("} as const;", 1)[0]
    parts = re.split(r"^  (\w\w): \{$", table, flags=re.M)[1:]
    return {
        code: dict(re.findall(r'(\w+): "((?:[^"\\\\]|\\\\.)*)"', body))
        for code, body in zip(parts[::2], parts[1::2], strict=True)
    }


@pytest.mark.parametrize("path", ["table/words.ts", "workshop/words.ts"])
def test_every_word_is_said_in_every_language_with_the_same_holes(path: str) -> None:
    found = words(SOURCES / path)
    assert set(found) == {"en", "zh", "ja"}
    assert len(found["en"]) > 50
    for code, said in found.items():
        assert said.keys() == found["en"].keys(), code
        for name, text in said.items():
            for form in text.split("|"):
                assert set(HOLE.findall(form)) <= set(HOLE.findall(found["en"][name])), (code, name)
            assert set(HOLE.findall(text)) == set(HOLE.findall(found["en"][name]))


def test_nothing_is_said_beside_the_tables_of_words() -> None:
    """Between tags, and in what is read aloud or shown on pointing, no page has English of its own."""
    beside = re.compile(
        r"(?<!=)>\s*([A-Z][a-z]+[^<>{}=;()]*)<|(?:aria-label|title|placeholder)=(?:\"|\{`)([A-Za-z][^\"$]*)"
    )
    found = {
        path.name: list(beside.findall(path.read_text(encoding="utf-8"))) for path in sorted(SOURCES.rglob("*.tsx"))
    }
    assert {name: some for name, some in found.items() if some} == {}
