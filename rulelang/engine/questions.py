"""The question of a decision in words: for what, what was chosen so far, and whether one may decline."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base import sentences
from rulelang.base.layout import Site
from rulelang.engine.names import Names
from rulelang.engine.program import OptionTuple
from rulelang.engine.table import Table

PASS = -1


def question(table: Table, names: Names, words: list[int], keys: Sequence[OptionTuple]) -> str:
    """What the one who decides is asked."""
    site = table.site(words)
    asked, *chosen = _told(table, names, words, site)
    if site.kind == "stop" or asked.endswith("?"):
        return asked
    asked = _offered(site, asked, keys) if site.kind == "offer" else _declined(asked, keys)
    return sentences.SO_FAR.format(question=asked, chosen=", ".join(chosen)) if chosen else asked


def _told(table: Table, names: Names, words: list[int], site: Site) -> list[str]:
    program = table.program
    if not site.asks:
        return [site.prompt]
    found = program.why(list(words), site.asks, program.told(words))
    return [names.render(program.reasons[number].text, values) for number, values in found]


def _offered(site: Site, asked: str, keys: Sequence[OptionTuple]) -> str:
    """An offer, with its pass as it is now."""
    passes = any(key[0] == PASS for key in keys)
    if passes and any(not action.free for action in site.actions):
        if all(key[0] == PASS or site.actions[key[0]].free for key in keys):
            return sentences.ONLY_FREE
    if passes:
        return sentences.OR_PASS.format(question=asked)
    return asked


def _declined(asked: str, keys: Sequence[OptionTuple]) -> str:
    """A choice: none may be among the options."""
    none = any(key[0] == PASS or (len(key) == 2 and not key[1]) for key in keys)
    return sentences.OR_NONE.format(question=asked) if none else asked
