"""Refusals as sentences, as every screen says them."""

from __future__ import annotations

from rulelang.runtime.decision import Refusal
from rulelang.runtime.names import Names

_ENDS = (".", "!", "?", "。", "！", "？")


def sentence(names: Names, refusal: Refusal) -> str:
    """A reason with a capital at its head, whose rule it is behind it, and a stop at its end."""
    text, say = refusal.text[:1].upper() + refusal.text[1:], names.language.say
    if refusal.source:
        return say("{reason} ({source}).", reason=text.rstrip("".join(_ENDS)), source=names.source(refusal.source))
    return text if text.endswith(_ENDS) else say("{reason}.", reason=text)
