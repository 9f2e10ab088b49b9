"""Names of players: which characters a name may have, and which names look the same.

Two players whose names look the same could pass for each other. Unicode's own folding (NFKC) covers full-width and
styled letters. For the other scripts there is a small table of our own: of the 6,000 pairs in Unicode's list of
confusable characters, most are of characters that nobody types, and a library for them would be one more package to
keep up to date. A name in Cyrillic or Greek is as good as any other; only its double is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

#: Characters of a name, and marks on one letter.
LONGEST, MARKS = 24, 2
#: Characters that show nothing, although Python calls them printable: fillers, joiners, selectors of variants.
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
#: Letters of Cyrillic, Greek, Armenian and of the phonetic alphabet, and the Latin letters that they look like.
LIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮԌԚԜѴаеѕіјкорсухһԁԛԝѵӏґ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγεικνορτυχωϲϳϹϿ" "ՏՕօսոցհ" "ıɑɡɩʋ",
    "ABESIJKMHOPCTYXYGQWVaesijkopcyxhdqwvlr" "ABEZHIKMNOPTYXayeiknoptuxwcjCJ" "SOoungh" "iagiv",
)  # fmt: skip
#: Capital I, digit 1 and a bar look like a small L in many fonts; a zero looks like an O.
STROKES = str.maketrans("I1|0", "lllO")


def called(given: str) -> str:
    """Return a name as it is shown: short, on one line, without invisible characters. "" if nothing is left."""
    plain = INVISIBLE.sub("", unicodedata.normalize("NFC", given.encode("utf-8", "ignore").decode()))
    words = ["".join(char for char in word if char.isprintable()) for word in plain.split()]
    return _few_marks(" ".join(word for word in words if word))[:LONGEST].strip()


def _few_marks(name: str) -> str:
    """Leave out marks that pile up on one letter and cover the lines around it."""
    found: list[str] = []
    marks = MARKS  # at the start there is no letter to carry any
    for char in name:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= MARKS:
            found.append(char)
    return "".join(found)


def alike(one: str, other: str) -> bool:
    """Whether two names look the same to somebody who reads quickly, or are the same but for capital letters."""
    first, second = _drawn(one), _drawn(other)
    if first.casefold() == second.casefold():
        return True
    return first.translate(STROKES).casefold() == second.translate(STROKES).casefold()


def _drawn(name: str) -> str:
    return unicodedata.normalize("NFKC", name).translate(LIKE).replace(" ", "")


def unused(name: str, others: Iterable[str]) -> str:
    """Return a name that none of the others looks like: this one, or with a number after it."""
    known, found, number = [*others], name, 1
    while any(alike(found, one) for one in known):
        number += 1
        found = f"{name} {number}"
    return found
