"""Parts of English messages: articles, plurals, lists, counts, and hints with the nearest known name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

# ---- articles, plurals and lists

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
#: A word after a name, and forms of verbs after several names that the rules of spelling do not give.
_DOES = re.compile(r" ([a-z]+)(?= |$)")
_MODALS = ("will", "can", "may", "must", "cannot")
_PLAIN = {"has": "have", "is": "are", "was": "were", "always": "", "perhaps": ""}
_ENDS_IN_ES = re.compile(r"(ss|sh|ch|x|zz|o)es$")
#: What stands behind the noun of a name.
_AFTER_NOUN = re.compile(r" (?:of|in|on|at|for|from|to|by|with|per|that|so|still|left|made|done|taken|used) ?")
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def number_word(word: str) -> int | None:
    """The number that a word of English names, from `zero` to `twelve`; None for any other word."""
    return _WORDS.index(word.lower()) if word.lower() in _WORDS else None


def capitalized(text: object) -> str:
    """Return a text with a capital at its beginning; the rest stays as it is."""
    words = str(text)
    return words[:1].upper() + words[1:]


def with_article(word: object) -> str:
    """The word behind its indefinite article: `a card`, `an animal`."""
    return f"{a_or_an(str(word))} {word}"


def a_quoted(name: object) -> str:
    """The name of something in the rules behind its indefinite article."""
    return f"{a_or_an(str(name))} `{name}`"


def a_or_an(word: str) -> str:
    """The indefinite article of a word, by its first letter (small vowels take `an`)."""
    return "an" if word[:1] in tuple("aeiou") else "a"


def plural(word: str) -> str:
    """Several of what a word names: `cards`, `bodies`, `species`."""
    if word.endswith("s"):
        return word
    if word.endswith(("x", "ch", "sh", "z")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}s"


def each_does(names: str, does: str) -> str:
    """Return what several do, each of them, given what one of them does: ` draws 2 cards` after a name.

    `Ana and Bob each draw 2 cards`, `Ana and Bob will each draw 2 cards`; "" if `does` does not begin with a verb.
    """
    found = _DOES.match(does)
    if found is None:
        return ""
    verb, rest = found[1], does[found.end() :]
    if verb in _MODALS:
        return f"{names} {verb} each{rest}"
    plain = _PLAIN.get(verb) or (_ENDS_IN_ES.sub(r"\1", verb) if _ENDS_IN_ES.search(verb) else _without_s(verb))
    return f"{names} each {plain}{rest}" if plain else ""


def _without_s(verb: str) -> str:
    """Return the plain form of a regular verb; "" for a word that does not end as verbs do."""
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith(("ss", "us", "is")) and len(verb) > 2 else ""


def is_plural(name: str) -> bool:
    """Whether a name is in the plural, by its noun: `main actions`, `points of the turn`; not `bonus`, `series`."""
    noun = _AFTER_NOUN.split(name.strip().lower())[0].rpartition(" ")[2]
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "series", "species", "means"))


def player_count_text(low: int, high: int) -> str:
    """How many may play: `2 to 4 players`, `4 players`."""
    if low != high:
        return f"{low} to {high} players"
    return "1 player" if low == 1 else f"{low} players"


def list_with_or(words: Sequence[object]) -> str:
    """`4`, `4 or 6`, `4, 6 or 8`; of none the empty text."""
    *most, last = map(str, words or [""])
    return f"{', '.join(most)} or {last}" if most else last


def list_with_and(words: Sequence[str]) -> str:
    """What is wanted at once: `a species and a space`; equal ones are counted: `three spaces`."""
    counted: dict[str, int] = {}
    for word in words:
        counted[word] = counted.get(word, 0) + 1
    *most, last = (_times(word, count) for word, count in counted.items())
    return f"{', '.join(most)} and {last}" if most else last


def _times(word: str, count: int) -> str:
    return word if count == 1 else f"{_NUMBERS.get(count, count)} {plural(word.removeprefix('a ').removeprefix('an '))}"


def quoted_list(names: Sequence[object]) -> str:
    """Names of the rules or of files: `a`, `b` and `c`, each quoted."""
    *most, last = (f"`{name}`" for name in names) if names else ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def arguments_given(count: int) -> str:
    """How many arguments there are, as the end of a message: `1 argument is given`."""
    return f"{'no arguments are' if not count else '1 argument is' if count == 1 else f'{count} arguments are'} given"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


# ---- nearest names

#: Nobody mistypes a longer name. Of so many names only those are compared that differ little at first sight.
LONGEST, MANY = 60, 300


def nearest_name(word: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name most like `word`, or None if none is like it. Ties go to the alphabetically first.

    `alike`: how like it has to be; 1 is the same word.

    A name that is known is not misspelt, whatever is wrong with it: there is None, and never the word itself.
    """
    known = known if isinstance(known, Collection) else tuple(known)
    if word in known:
        return None
    found = get_close_matches(word, sorted(comparable_names(word, known)), n=1, cutoff=alike)
    return found[0] if found else None


def comparable_names(word: str, known: Iterable[str]) -> set[str]:
    """The known names that are worth comparing with `word`: comparing takes long, and there may be thousands."""
    if len(word) > LONGEST:
        return set()
    names = {name for name in known if len(name) <= LONGEST}
    if len(names) > MANY:  # thousands of rows, and perhaps thousands of mistakes among them
        names = {name for name in names if name[:1] == word[:1] and abs(len(name) - len(word)) <= 2}
    return names if len(names) <= MANY else set()


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint `did you mean `x`?`, or the empty string."""
    name = nearest_name(word, known)
    return f"did you mean `{name}`?" if name else ""


def renamed_hint(name: str) -> str:
    """The hint for who says the old name of what a layer has renamed."""
    return f"did you mean `{name}`? that is what it is called now"
