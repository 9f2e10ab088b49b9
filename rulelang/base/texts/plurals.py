"""Which form of a word a number takes in a language, by the rules of CLDR. English is known here, all else to Babel."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

#: In the order in which the forms of a word are written.
ORDER = ("zero", "one", "two", "few", "many", "other")
#: Numbers up to here say which forms a language has. Some count millions otherwise, which lie on no table.
SAMPLE = 1000


class NoBabel(Exception):
    """The plural rules of a language are wanted, and Babel is not installed; the text says how to mend that."""

    def __init__(self, code: str) -> None:
        super().__init__(
            f"how `{code}` counts is known to Babel, which is not installed: pip install 'rulelang[languages]'"
        )


@cache
def categories(code: str) -> tuple[str, ...]:
    """The ways in which a language counts whole numbers, in the order of their forms. NoBabel; ValueError: unknown."""
    rule = _rule(code)
    found = {rule(number) for number in range(SAMPLE)}
    return tuple(name for name in ORDER if name in found)


def chosen(code: str, number: int) -> int:
    """Which form a number takes, from 0. NoBabel; ValueError for a language of which nothing is known."""
    found = categories(code)
    name = _rule(code)(abs(number))
    return found.index(name) if name in found else len(found) - 1


def _english(number: int) -> str:
    return "one" if number == 1 else "other"


@cache
def _rule(code: str) -> Callable[[int], str]:
    if code == "en":
        return _english
    try:
        from babel import Locale, UnknownLocaleError
    except ImportError:
        raise NoBabel(code) from None
    try:
        rule: Callable[[int], str] = Locale.parse(code.replace("-", "_")).plural_form
    except (UnknownLocaleError, ValueError):
        raise ValueError(f"Babel knows no language `{code}`") from None
    return rule
