"""Each diagnostic code has exactly one golden frame: what the user sees, whole. `UPDATE_GOLDEN=1` writes them anew."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rulelang.base.codes import CODES
from tests.diagnostics.cases import HOME, frame_of, read

UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))

# Codes that cannot come alone, with those that come before them.
COMPANIONS = {"Y108": {"N350"}, "S229": {"S222"}, "Y178": {"Y181"}, "Y179": {"Y181"}, "Y180": {"Y181"}}
#: The codes that have a case.
CASES = {path.name.removesuffix(".md") for path in HOME.iterdir()}


@pytest.fixture(autouse=True)
def _back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases are run in folders of their own, some without optional packages; the tests go on as they were."""
    monkeypatch.chdir(Path.cwd())
    import python_calamine

    monkeypatch.setitem(sys.modules, "python_calamine", python_calamine)


def test_every_code_has_a_case_and_every_case_a_code() -> None:
    assert CODES.keys() - CASES == set(), "each wants a case, tests/diagnostics/cases/CODE.md, with an empty frame"
    assert CASES - CODES.keys() == set(), "each wants its page in rulelang/base/codes/, or to be deleted"


@pytest.mark.parametrize("code", sorted(CASES & CODES.keys()))
def test_frame(code: str, tmp_path: Path) -> None:
    path = HOME / f"{code}.md"
    case = read(path)
    frame, codes = frame_of(case, code, tmp_path)
    if UPDATE:
        text = path.read_text(encoding="utf-8")
        path.write_text(text[: text.index("```frame\n")] + f"```frame\n{frame}```\n", encoding="utf-8")
    else:
        assert frame == case.frame
    assert codes.count(code) == 1
    assert set(codes) - {code} <= COMPANIONS.get(code, set())
