"""The reference page of the Python API has every public name, each with a docstring."""

from __future__ import annotations

import rulelang
from rulelang.tools.docs_gen.pages import SECTIONS, _public_members


def test_every_public_name_is_on_the_page() -> None:
    assert sorted(name for _, names in SECTIONS for name in names) == sorted(rulelang.__all__)


def test_every_public_member_has_a_docstring() -> None:
    bare = [
        f"{name}.{member}"
        for name in rulelang.__all__
        if isinstance(item := getattr(rulelang, name), type)
        for member, value in _public_members(item)
        if not (value.__doc__ or "").strip()
    ]
    assert bare == []
