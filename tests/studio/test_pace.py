"""Two hundred cards face up, in a real browser: nothing moves by itself, and a move costs a few layouts of the page."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")

from tests.studio.browsing import browser, in_a_browser
from tests.studio.crowded import measured

pytestmark = in_a_browser(pytest.mark.slow)


def test_two_hundred_cards_are_drawn_quickly_and_lie_still(tmp_path: Path) -> None:
    """Times are of a machine that others use, too; `python -m tests.studio.crowded` tells those of this one."""
    with browser() as opened:
        found = measured(opened, tmp_path)
    assert found.cards >= 200
    assert found.shift < 0.01, found.shifted
    assert found.layouts < 12
    assert found.ready < 6_000
    assert found.usual < 50
