"""The words that this room itself says, as whole phrases with named holes. A game's own come from its labels."""

from __future__ import annotations

from rulelang.base.english import plural

#: By what they are for: templates, found by catalogues of languages under this name.
PHRASES = {
    "named": "{name} {value}",
    "unit": "{value} {unit}",
    "at least": "{name} at least {number}",
    "at most": "{name} at most {number}",
    "more than": "{name} more than {number}",
    "less than": "{name} less than {number}",
    "exactly": "{name} exactly {number}",
    "not": "{name} not {number}",
    "some": "{name}",
    "none": "no {name}",
    "level": "{value} ({level} of {levels})",
    "round": "round {number}",
    "asked": "{player}: {prompt}",
    "decides": "{player} is to choose",
    "what": "what do you do?",
    "pass": "pass",
    "none of them": "none of them",
    "action": "{action}: {parameters}",
    "of": "{part} of {whole}",
    "over": "the game is over",
}


def several(word: str) -> str:
    """The plural of a word, or of the last one of several."""
    head, _, last = word.rpartition(" ")
    return f"{head} {plural(last)}".strip()
