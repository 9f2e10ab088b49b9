"""What the program itself says to players: whole sentences with named holes, each once, so that they can be translated.

What rulesets say stands in their own texts. Holes are filled with texts, or by `filled` with parts of a template whose
values are not known yet.
"""

from __future__ import annotations

from string import Formatter

#: A sentence in parts: words, and values as (argument position, kind).
Said = tuple[str | tuple[int, str], ...]

# ---- questions
CHOOSE = "choose {what}"
CHOOSE_FOR = "choose {what} {purpose}"  # the purpose in the ruleset's words: `to pay with`
OR_NONE = "{question}, or none"
STEP = "{action}: {question}"  # for an argument of an action
DOING = "{action} of {thing}"  # an action that something in play brings
SO_FAR = "{question} (so far: {chosen})"
CHOSEN = "{argument} {value}"
ACT = "choose an action"
ACT_FOR = "choose an action {purpose}"
OR_PASS = "{question}, or pass"
BUT_NO_PASS = "{question}; you may not pass now"
ONLY_FREE = "your action is done; choose a free one, or pass"
REACT = "how do you react?"
NEXT_EFFECT = "which of your effects comes next?"
USE = "use {effect}?"
USE_FOR = "use {effect} of {thing}?"
ON_EVENT = "{event}: {question}"


# ---- refusals
INCOMPLETE = "nothing could be chosen after it"


def filled(template: str, **holes: str | Said) -> Said:
    """The sentence with its holes filled; neighbouring words are one part."""
    out: list[str | tuple[int, str]] = []
    for words, hole, _, _ in Formatter().parse(template):
        given = holes[hole] if hole else ""
        for part in (words, *((given,) if isinstance(given, str) else given)):
            if isinstance(part, str) and out and isinstance(out[-1], str):
                out[-1] += part
            elif part:
                out.append(part)
    return tuple(out)
