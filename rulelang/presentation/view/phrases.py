"""The words that this room itself says, as whole phrases with named holes. A game's own come from its labels."""

from __future__ import annotations

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
    "decides": "{player} must choose",
    "what": "what do you do?",
    "pass": "pass",
    "none of them": "none of them",
    "action": "{action}: {parameters}",
    "of": "{part} of {whole}",
    "over": "the game is over",
}
