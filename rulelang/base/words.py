"""Small parts of English sentences, for messages and prompts."""

from __future__ import annotations


def with_article(word: str) -> str:
    """The word behind its indefinite article: `a card`, `an animal`."""
    return f"{a_or_an(word)} {word}"


def a_or_an(word: str) -> str:
    """The indefinite article of a word, by its first letter (small vowels take `an`)."""
    return "an" if word[:1] in "aeiou" else "a"
