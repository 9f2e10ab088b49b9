"""What compiled rules say to players in the program's own words: whole sentences with named holes, each once.

Filled, they are texts of the ruleset like those that its authors write, and translated with them (`rulelang.texts`).
What the engine says itself stands where it says it.
"""

from __future__ import annotations

from string import Formatter

#: A sentence in parts: words, and values as (argument position, kind).
Said = tuple[str | tuple[int, str], ...]

# ---- questions
CHOOSE = "choose {what}"
NAMED = "{kind} ({name})"  # what is chosen, by the name that the rules give it
CHOOSE_FOR = "choose {what} {purpose}"  # the purpose in the ruleset's words: `to pay with`
STEP = "{action}: {question}"  # for an argument of an action
DOING = "{action} of {thing}"  # an action that something in play brings
CHOSEN = "{argument} {value}"  # what was chosen for an argument so far
ACT = "choose an action"
ACT_FOR = "choose an action {purpose}"
REACT = "how do you react?"
NEXT_EFFECT = "which of your effects comes next?"
ON_EVENT = "{event}: {question}"
USE = "use {effect}?"
USE_FOR = "use {effect} of {thing}?"

# ---- refusals
NOT_YOURS = "{thing} is not yours but {owner}'s; {asked} is asked"
AGAIN = "{action} has been done this {scope} already"
HAS_NO = "{thing} has no {trait}"
AWAY = "{card} cannot be played from where it lies"
FORBIDS = "{source} forbids it"
IS_NOT_ON = "{card} is not on {thing}"
NO_NUMBER = "{name} is {value}, not a number from {low} to {high}"
NO_NUMBER_OF = "{name} is not a number from {low} to {high}"
ASKS_FOR = "{place} asks for {measures} of {wanted}, and {thing} has {count}"  # of a printed condition
NONE_FOR = "there is no {what} {purpose}"  # of an argument: `there is no animal for its head`
NO_WAY = "there is no way to complete it"
INCOMPLETE = "nothing could be chosen after it"


def filled(template: str, **holes: str | Said) -> Said:
    """The sentence with its holes filled; neighbouring words are one part."""
    out: list[str | tuple[int, str]] = []
    for words, hole, _, _ in Formatter().parse(template):
        given = holes[hole] if hole else ""
        for part in (words, *((given,) if isinstance(given, str) else given)):
            before = out[-1] if out else None
            if isinstance(part, str) and isinstance(before, str):
                out[-1] = before + part
            elif part:
                out.append(part)
    return tuple(out)
