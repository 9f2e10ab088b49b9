"""Codes of translation catalogs (N400 to N429)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "N400",
        "missing translation",
        "The catalog `lang/CODE.yaml` lacks the translation of a text, so players see that text in English. `rulelang "
        "i18n extract` adds the missing texts to the catalog. Translate the texts there.",
        'texts:\n  "{fish} swims":',
        'texts:\n  "{fish} swims": "{fish} schwimmt"',
    ),
    Page(
        "N401",
        "translation of an unused text",
        "The game does not use this English text, so its translation has no effect. The English text in the catalog "
        "must match exactly, including placeholders. `rulelang i18n extract` moves unused translations to the end of "
        "the catalog.",
        'texts:\n  "{fish} swam": "{fish} schwamm"',
        'texts:\n  "{fish} swims": "{fish} schwamm"',
    ),
    Page(
        "N402",
        "wrong placeholders",
        "rulelang replaces the placeholders in braces with names and numbers. A translation must contain the same "
        "placeholders as the English text, in any order, and no other placeholders. Until you fix the translation, "
        "players see the English text.",
        'texts:\n  "{fish} swims": "{fisch} schwimmt"',
        'texts:\n  "{fish} swims": "{fish} schwimmt"',
    ),
    Page(
        "N403",
        "wrong number of plural forms",
        "`{number:Fisch|Fische}` needs one form of the word for each plural category of the language, in the order "
        "that CLDR defines: zero, one, two, few, many, other. If the word never changes, write one form.",
        'texts:\n  "{number} {number:fish|fishes}": "{number} {number:Fisch|Fische|Fischen}"',
        'texts:\n  "{number} {number:fish|fishes}": "{number} {number:Fisch|Fische}"',
    ),
    Page(
        "N404",
        "outdated translation",
        "The English text has changed since it was translated; `was:` gives the former English text. rulelang does "
        "not use this translation, because it may be wrong now. Correct the translation, and write it after the key "
        "as plain text.",
        'texts:\n  "{fish} swims off":\n    was: "{fish} swims"\n    said: "{fish} schwimmt"',
        'texts:\n  "{fish} swims off": "{fish} schwimmt davon"',
    ),
)
