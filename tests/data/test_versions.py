"""Versions and ranges of versions: what is read without `packaging` is what `packaging` makes of it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from rulelang.data.manifest import NoRange, version_in_range

numbers = st.lists(st.sampled_from(["0", "1", "2", "3", "10", "01", "00"]), min_size=1, max_size=4).map(".".join)
versions = st.builds(str.__add__, numbers, st.sampled_from(["", "", "", "rc1", ".post1", ".dev2", "+local"]))
clauses = st.builds(
    "{}{}{}{}".format, st.sampled_from([">=", "<=", "<", ">", "==", "!=", "~="]), st.sampled_from(["", " "]), versions,
    st.sampled_from(["", " "]),
)  # fmt: skip


def library(version: str, text: str) -> bool | None:
    try:
        return SpecifierSet(text).contains(Version(version), prereleases=True)
    except ValueError:
        return None


@given(versions, st.lists(clauses, min_size=1, max_size=3).map(",".join))
def test_ranges_are_those_of_packaging(version: str, text: str) -> None:
    try:
        found: bool | None = version_in_range(version, text)
    except NoRange:
        found = None
    assert found == library(version, text)


@pytest.mark.parametrize("text", ["", " ", "*", "any"])
def test_any_version_is_any(text: str) -> None:
    assert version_in_range("0.1", text)
    assert version_in_range("not a version", text)


@pytest.mark.parametrize(("version", "text"), [("1" * 5000, ">=1"), ("1.2", f"<{'9' * 5000}"), ("one", ">=2")])
def test_what_is_not_plain_is_left_to_packaging(version: str, text: str) -> None:
    assert version_in_range(version, text)


@pytest.mark.parametrize("text", [">=", "1.0", ">=1,,<", "=>2", "<2 3"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(NoRange):
        version_in_range("1.0", text)


def test_plain_ranges_import_nothing() -> None:
    asked = "version_in_range('1.2.0', '>=1.1, <2') and 'packaging' not in sys.modules"
    code = f"import sys; from rulelang.data.manifest import version_in_range; assert {asked}"
    subprocess.run([sys.executable, "-c", code], check=True)
