"""Codes of languages (N400 to N429): what catalogues say instead of English texts."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "N400",
        "a text is missing in a language",
        "A catalogue `lang/CODE.yaml` lacks a text that the game, or the mod beside which it lies, says to players; so "
        "they read it in English. `rulelang i18n extract` writes what is missing into the catalogue.",
        'texts:\n  "{fish} swims":',
        'texts:\n  "{fish} swims": "{fish} schwimmt"',
    ),
    Page(
        "N401",
        "a text that nobody says",
        "A catalogue translates a text that the game does not say, or no longer: what is said instead is never used. "
        "The English text stands in the catalogue letter for letter, with its holes; `rulelang i18n extract` moves "
        "what is left over to the end.",
        'texts:\n  "{fish} swam": "{fish} schwamm"',
        'texts:\n  "{fish} swims": "{fish} schwamm"',
    ),
    Page(
        "N402",
        "holes that do not fit",
        "What stands in braces is filled with names and numbers. A translation tells all that the English text tells, "
        "in the order that its grammar wants, and nothing else. Until it does, the English text is said.",
        'texts:\n  "{fish} swims": "{fisch} schwimmt"',
        'texts:\n  "{fish} swims": "{fish} schwimmt"',
    ),
    Page(
        "N403",
        "forms that do not fit",
        "`{number:Fisch|Fische}` has a form of a word for each way in which the language counts, in the order of CLDR: "
        "zero, one, two, few, many, other. Where the word stays the same, one is enough.",
        'texts:\n  "{number} {number:fish|fishes}": "{number} {number:Fisch|Fische|Fischen}"',
        'texts:\n  "{number} {number:fish|fishes}": "{number} {number:Fisch|Fische}"',
    ),
    Page(
        "N404",
        "a translation that has to be looked at",
        "The English text has changed since it was translated (`was:` is what it was), and the translation may not fit "
        "any more; so it is not used. Mend it, and write it behind the key as a plain text.",
        'texts:\n  "{fish} swims off":\n    was: "{fish} swims"\n    said: "{fish} schwimmt"',
        'texts:\n  "{fish} swims off": "{fish} schwimmt davon"',
    ),
)
