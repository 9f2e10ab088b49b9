"""What tests in a browser have in common. A module whose pages are other ones has a `where` of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    from tests.studio.browsing import browser

    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def where() -> Iterator[str]:
    """The address of a server with the shipped games."""
    from tests.studio.browsing import served

    with served() as address:
        yield address
