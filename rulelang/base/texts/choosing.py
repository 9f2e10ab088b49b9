"""Which language a person wants, by the environment, and which of those that there are comes nearest to a wish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

#: Where a wish stands, the first that says something; `LANGUAGE` may say several.
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def tag(text: str) -> str:
    """A language as catalogues are named: `zh` of `zh_TW.UTF-8` is `zh-tw`; English for `C` and `POSIX`."""
    bare = text.strip().partition(".")[0].partition("@")[0].replace("_", "-").lower()
    return "en" if bare in ("c", "posix", "en-us") else bare


def wishes(environment: Mapping[str, str]) -> list[str]:
    """The languages that the environment asks for, best first; none if it says nothing."""
    for variable in VARIABLES:
        found = [tag(word) for word in environment.get(variable, "").split(":") if word.strip()]
        if found:
            return found
    return []


def nearest(wished: str, there: Iterable[str]) -> str | None:
    """The language itself, or the one that it is a variety of (`zh` for `zh-tw`); None if neither is there."""
    known = set(there)
    while wished and wished not in known:
        wished = wished.rpartition("-")[0]
    return wished or None


def wanted(environment: Mapping[str, str], there: Iterable[str]) -> str:
    """The best language that is there, English if none of those asked for is."""
    known = {*there, "en"}
    return next((found for wish in wishes(environment) if (found := nearest(wish, known))), "en")
