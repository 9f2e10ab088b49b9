"""The written documents name files that exist, and links that lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PATH = re.compile(r"`((?:rulelang|tests|docs|examples|rulesets|seeds|benchmarks)/[\w./*-]*)`")
LINK = re.compile(r"\]\(([^)#:]+)?(?:#([\w-]+))?\)")
PLACEHOLDER = re.compile(r"\b(?:GAME|TRAIT|CODE|NAME|ROOM)\b")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_and_links_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = [path for path in PATH.findall(text) if not PLACEHOLDER.search(path)]
    assert [path for path in named if not (ROOT / path).exists()] == []
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for target, anchor in LINK.findall(prose):
        file = document.parent / target if target else document
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file), f"{target}#{anchor}"


def anchors(file: Path) -> set[str]:
    """What headings are called in links."""
    headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_decisions_are_numbered_without_gaps() -> None:
    names = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert [name[:4] for name in names] == [f"{number:04}" for number in range(1, len(names) + 1)]
