"""The nearest known name to a misspelt one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

#: Nobody mistypes a longer name. Of so many names only those are compared that differ little at first sight.
LONGEST, MANY = 60, 300


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name most like `word`, or None if none is like it. Ties go to the alphabetically first.

    `alike`: how like it has to be; 1 is the same word.

    A name that is known is not misspelt, whatever is wrong with it: there is None, and never the word itself.
    """
    known = known if isinstance(known, Collection) else tuple(known)
    if word in known:
        return None
    found = get_close_matches(word, sorted(comparable(word, known)), n=1, cutoff=alike)
    return found[0] if found else None


def comparable(word: str, known: Iterable[str]) -> set[str]:
    """The known names that are worth comparing with `word`: comparing takes long, and there may be thousands."""
    if len(word) > LONGEST:
        return set()
    names = {name for name in known if len(name) <= LONGEST}
    if len(names) > MANY:  # thousands of rows, and perhaps thousands of mistakes among them
        names = {name for name in names if name[:1] == word[:1] and abs(len(name) - len(word)) <= 2}
    return names if len(names) <= MANY else set()


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint `did you mean `x`?`, or the empty string."""
    name = nearest(word, known)
    return f"did you mean `{name}`?" if name else ""


def called_now(name: str) -> str:
    """The hint for who says the old name of what a layer has renamed."""
    return f"did you mean `{name}`? that is what it is called now"
