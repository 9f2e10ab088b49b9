"""Versions and ranges of versions, as manifests write them: `1.0.0`, `>=1.0, <2`."""

from __future__ import annotations

#: What is written for "any version"; an empty text means the same.
ANY = ("", "*", "any")


class NoRange(ValueError):
    """A text is no range of versions."""


def fits(version: str, text: str) -> bool:
    """Whether a version lies in a range. NoRange; a version that is none (as is told elsewhere) lies in every range."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion, Version

    try:
        allowed = SpecifierSet("" if text.strip() in ANY else text)
    except InvalidSpecifier:
        raise NoRange(text) from None
    try:
        return allowed.contains(Version(version), prereleases=True)
    except InvalidVersion:
        return True


def newest(versions: list[str]) -> list[int]:
    """The indices of the versions, the newest first; what is no version comes last."""
    from packaging.version import InvalidVersion, Version

    def rank(index: int) -> tuple[int, Version]:
        try:
            return 1, Version(versions[index])
        except InvalidVersion:
            return 0, Version("0")

    return sorted(range(len(versions)), key=rank, reverse=True)
