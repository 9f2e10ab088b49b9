"""The backends by name, for what has to be the same on all of them. Those that cannot be had here are skipped."""

from __future__ import annotations

import pytest

from tests.javascript.node import needs_node
from tests.native.machine import needs_compiler

BACKENDS = [
    "python",
    pytest.param("native", marks=needs_compiler),
    pytest.param("javascript", marks=needs_node),
]
