"""Style sheets are written in one scale of type, one of spacing and one of colours: those of `tokens.css`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.apps.studio import guard

SOURCES = Path(guard.__file__).parent / "web" / "src"
SHEETS = sorted(path for path in SOURCES.rglob("*.css") if path.name != "tokens.css")
#: What a scale is for, and the lengths that it has to be said in.
SPACING = re.compile(r"^\s*(padding|margin|gap|row-gap|column-gap|inset)(-\w+)*: (.*);", re.M)
TYPE = re.compile(r"^\s*(font|font-size): (.*);", re.M)
RADIUS = re.compile(r"^\s*border(-\w+)*-radius: (.*);", re.M)
LENGTH = re.compile(r"(?<![\w.-])(?!0\b)[\d.]+(px|r?em)\b")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_lengths_and_colours_are_those_of_the_scales(sheet: Path) -> None:
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S)
    said = [one[0].strip() for kind in (SPACING, TYPE, RADIUS) for one in kind.finditer(text)]
    assert said
    assert [one for one in said if LENGTH.search(one)] == []
    assert COLOUR.findall(text) == []


def test_scripts_say_no_lengths_and_no_colours() -> None:
    for path in sorted([*SOURCES.rglob("*.ts"), *SOURCES.rglob("*.tsx")]):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"fontSize|padding:|#[0-9a-fA-F]{6}\b", text) == [], path.name
