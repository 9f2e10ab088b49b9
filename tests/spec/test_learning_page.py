"""The page `docs/learning.md`: its examples run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tests.native.machine import needs_compiler

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "learning.md"


@needs_compiler
def test_examples_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = PAGE.read_text(encoding="utf-8")
    code = "\n".join(block.split("```")[0] for block in text.split("```python\n")[1:])
    example = doctest.DocTestParser().get_doctest(code, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=said.append)
    assert result.attempted > 15
    assert not result.failed, "".join(said)
