"""Codes of translation catalogs (N400 to N429)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "N400",
        "missing translation",
        "The catalog `lang/CODE.yaml` lacks a text of its game or mod, so players read the text in English. "
        "`rulelang i18n extract` adds the missing texts to the catalog; translate them there.",
        'texts:\n  "{fish} swims":',
        'texts:\n  "{fish} swims": "{fish} schwimmt"',
    ),
    Page(
        "N401",
        "translation of an unused text",
        "The game does not use this English text, or no longer uses it, so its translation has no effect. The "
        "English text in the catalog must match exactly, placeholders included. `rulelang i18n extract` moves "
        "unused translations to the end of the catalog.",
        'texts:\n  "{fish} swam": "{fish} schwamm"',
        'texts:\n  "{fish} swims": "{fish} schwamm"',
    ),
    Page(
        "N402",
        "wrong placeholders",
        "rulelang fills the placeholders in braces with names and numbers. A translation must contain the same "
        "placeholders as the English text, in any order, and no others. Until you fix it, players see the English "
        "text.",
        'texts:\n  "{fish} swims": "{fisch} schwimmt"',
        'texts:\n  "{fish} swims": "{fish} schwimmt"',
    ),
    Page(
        "N403",
        "wrong number of plural forms",
        "`{number:Fisch|Fische}` needs one form of the word for each plural category of the language, in the order "
        "of CLDR: zero, one, two, few, many, other. If the word never changes, write one form.",
        'texts:\n  "{number} {number:fish|fishes}": "{number} {number:Fisch|Fische|Fischen}"',
        'texts:\n  "{number} {number:fish|fishes}": "{number} {number:Fisch|Fische}"',
    ),
    Page(
        "N404",
        "outdated translation",
        "The English text has changed since it was translated; `was:` gives the former text. rulelang does not use "
        "this translation, because it may be wrong now. Correct it, and write it after the key as plain text.",
        'texts:\n  "{fish} swims off":\n    was: "{fish} swims"\n    said: "{fish} schwimmt"',
        'texts:\n  "{fish} swims off": "{fish} schwimmt davon"',
    ),
)
