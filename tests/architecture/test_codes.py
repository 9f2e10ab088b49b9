"""Every diagnostic code has its manual page, and every page is about a code that something really emits."""

from __future__ import annotations

import ast
import re
from collections import Counter

from rulelang.base.codes import CODES, PAGES
from tests.architecture.sources import PACKAGE, docstrings, sources

CODE = re.compile(r"[YSNTWXC][1-7]\d\d")


def emitted() -> dict[str, list[str]]:
    """Each code that stands as a text of its own in the package, outside the table, with its places."""
    places: dict[str, list[str]] = {}
    for source in sources():
        if source.path.is_relative_to(PACKAGE / "base" / "codes"):
            continue
        skipped = docstrings(source.tree)
        for node in ast.walk(source.tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in skipped:
                continue
            if CODE.fullmatch(node.value):
                places.setdefault(node.value, []).append(f"{source.name}:{node.lineno}")
    return places


def test_every_emitted_code_has_a_page() -> None:
    lacking = {code: where for code, where in emitted().items() if code not in CODES}
    assert lacking == {}, "each wants its Page in rulelang/base/codes/"


def test_every_page_is_about_an_emitted_code() -> None:
    assert sorted(CODES.keys() - emitted().keys()) == [], "nothing reports these: report them, or delete their pages"


def test_codes_are_unique_and_stand_in_their_room() -> None:
    count = Counter(page.code for _, pages in PAGES for page in pages)
    assert [code for code, times in count.items() if times > 1] == []
    assert [page.code for letters, pages in PAGES for page in pages if page.code[:2] != letters] == []
    assert [code for code in count if not CODE.fullmatch(code)] == []
    assert set(count) == CODES.keys()


def test_every_page_says_something() -> None:
    assert [page.code for page in CODES.values() if not (page.title.strip() and page.text.strip())] == []
