"""Mistakes that are told to people: in English where nobody asks in which language, else in theirs."""

from __future__ import annotations

from rulelang.base.phrases import Phrase
from rulelang.base.texts.language import ENGLISH, Language


class Said(Exception):
    """What cannot be; the text says why, in English. What people who write or play run into is a phrase, which is said
    to them in their language."""

    def __init__(self, why: str | Phrase) -> None:
        super().__init__(ENGLISH.render(why) if isinstance(why, Phrase) else why)
        self.why = why

    def said(self, language: Language) -> str:
        """The text in a language."""
        return language.render(self.why) if isinstance(self.why, Phrase) else self.why


def said(problem: Exception, language: Language) -> str:
    """What a mistake says in a language; in English if it knows no other."""
    return problem.said(language) if isinstance(problem, Said) else str(problem)
