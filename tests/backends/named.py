"""The backends by name, for what has to be the same on all of them."""

from __future__ import annotations

import pytest

from rulelang.compiler.backends.native.build import available_compilers
from tests.native.machine import needs_compiler

#: For `parametrize`: those that cannot be had here are skipped.
BACKENDS = [
    "python",
    pytest.param("native", marks=needs_compiler),
]
#: Those that can be had here.
HERE = ["python", *(["native"] if available_compilers() else [])]
