"""Every page of the checker's codes is right: its bad example earns its code, its good one none."""

from __future__ import annotations

import pytest

from rulelang.base.codes import rules
from rulelang.base.codes.names import RULE_NAME_PAGES
from rulelang.base.diagnostics import Page
from tests.semantics.check_pond import checked

#: Codes whose examples are YAML; tests/diagnostics holds their frames.
YAML = {f"N{number}" for number in range(369, 376)} | {"W522"}
PAGES = [
    page for page in (*RULE_NAME_PAGES, *rules.TYPE_PAGES, *rules.HOOK_PAGES) if page.bad and page.code not in YAML
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_the_bad_example_earns_its_code_alone(page: Page) -> None:
    assert {d.code for d in checked(page.bad)[1]} == {page.code}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_the_good_example_is_good(page: Page) -> None:
    assert [str(d) for d in checked(page.good)[1]] == []
