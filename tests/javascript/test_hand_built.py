"""The tests of the Python backend with hand-built programs, run on the JavaScript one."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.backends import (
    machine,
    test_enumerators,
    test_host,
    test_runtime_errors,
    test_sample,
    test_statements,
    test_suspension,
)
from tests.backends.test_enumerators import *  # noqa: F403
from tests.backends.test_host import *  # noqa: F403
from tests.backends.test_runtime_errors import *  # noqa: F403
from tests.backends.test_sample import test_from_supersets_and_lists_every_legal_option_is_as_likely  # noqa: F401
from tests.backends.test_statements import *  # noqa: F403
from tests.backends.test_suspension import *  # noqa: F403
from tests.javascript.machine import javascript
from tests.javascript.node import needs_node

pytestmark = needs_node

# A compiler run for each of a hundred examples takes half a minute.
del test_offers_of_several_sources  # noqa: F821
# They look into the generated Python.
del test_steps_and_notes_are_counted_apart, test_list_count_and_decode_agree  # noqa: F821
del test_expressions, test_a_mistake_of_the_compiler_is_told_the_author_s_line  # noqa: F821
_PLACES: tuple[ModuleType, ...] = (
    machine, test_enumerators, test_host, test_suspension, test_sample, test_statements, test_runtime_errors,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _javascript(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in _PLACES:
        if hasattr(place, "program"):
            monkeypatch.setattr(place, "program", javascript)
