"""The bar of long commands: on a terminal only, with how many, how fast, and how long still."""

from __future__ import annotations

import io
import sys

import pytest

from rulelang.apps.cli.screen import progress_bar, rate_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_person_at_a_terminal_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar(1000) as told:
        assert told is not None
        told(250)
    shown = screen.getvalue()
    assert "games" in shown
    assert "of 1,000" in shown
    with progress_bar(None, what="decisions") as told:
        assert told is not None
        told(7)
    assert "decisions" in screen.getvalue()


def test_nobody_is_told_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    with progress_bar(10) as told:
        assert told is None  # tests have no terminal
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_bar(10, quiet=True) as told:
        assert told is None


@pytest.mark.parametrize(
    ("speed", "said"), [(None, ""), (0.0, ""), (0.05, "3.0/min"), (2.34, "2.3/s"), (12345.6, "12,346/s")]
)
def test_rates(speed: float | None, said: str) -> None:
    assert rate_text(speed) == said
