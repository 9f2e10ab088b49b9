"""Versions and ranges of versions, as manifests write them: `1.0.0`, `>=1.0, <2`."""

from __future__ import annotations

import operator
import re

_PLAIN = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})*")
_CLAUSE = re.compile(rf"\s*(>=|<=|<|>|==|!=)\s*({_PLAIN.pattern})\s*")
_COMPARE = {
    ">=": operator.ge,
    "<=": operator.le,
    "<": operator.lt,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}

#: What is written for "any version"; an empty text means the same.
ANY = ("", "*", "any")


class NoRange(ValueError):
    """A text is no range of versions."""


def fits(version: str, text: str) -> bool:
    """Whether a version lies in a range. NoRange; a version that is none (as is told elsewhere) lies in every range."""
    if text.strip() in ANY:
        return True
    clauses = [_CLAUSE.fullmatch(clause) for clause in text.split(",")]
    if _PLAIN.fullmatch(version) and all(clauses):  # as nearly all are: to import what reads others takes 14 ms
        own = _numbers(version)
        return all(_COMPARE[found[1]](own, _numbers(found[2])) for found in clauses if found)
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import Version

    try:
        allowed = SpecifierSet(text)
    except InvalidSpecifier:
        raise NoRange(text) from None
    try:
        return allowed.contains(Version(version), prereleases=True)
    except ValueError:  # also for so many digits that Python reads no number of them
        return True


def _numbers(version: str) -> list[int]:
    """To be compared: `1.0` is `1`."""
    numbers = [int(part) for part in version.split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers


def newest(versions: list[str]) -> list[int]:
    """The indices of the versions, the newest first; what is no version comes last."""
    from packaging.version import Version

    def rank(index: int) -> tuple[int, Version]:
        try:
            return 1, Version(versions[index])
        except ValueError:  # also for so many digits that Python reads no number of them
            return 0, Version("0")

    return sorted(range(len(versions)), key=rank, reverse=True)
