"""The question of a decision in words: for what, by whose rule, what was chosen so far, and whether one may decline."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.labels import name_in_words
from rulelang.base.layout import DecisionPoint
from rulelang.runtime.decision import PASS
from rulelang.runtime.names import Names
from rulelang.runtime.program import OptionTuple
from rulelang.runtime.table import Table


def question(table: Table, names: Names, words: list[int], keys: Sequence[OptionTuple], cause: str = "") -> str:
    """What the one who decides is asked. `cause`: the trait or row whose rule led here, if one did; a question of the
    game's own rules names it."""
    site = table.site(words)
    asked, *chosen = _told(table, names, words, site)
    if site.kind == "stop" or asked.endswith("?"):
        return asked
    asked = _offered(site, asked, keys, names) if site.kind == "offer" else _chosen(asked, keys, names)
    source = site.source or (cause if site.kind in ("choose", "offer") else "")
    if source:
        rule = names.source(source) if names.language.labels else name_in_words(source)
        if rule.casefold() not in asked.casefold():
            asked = names.language.say("{name} ({value})", name=asked, value=rule)
    if not chosen:
        return asked
    return names.language.say("{question} (so far: {chosen})", question=asked, chosen=names.language.row(chosen))


def _told(table: Table, names: Names, words: list[int], site: DecisionPoint) -> list[str]:
    """The question, and what was chosen so far."""
    program = table.program
    if not site.asks:
        return [site.prompt if site.kind == "stop" else names.language.word(site.prompt)]
    found = program.why(words, site.asks, program.told(words))
    return [names.told(program.reasons[number].text, args) for number, args in found]


def _offered(site: DecisionPoint, asked: str, keys: Sequence[OptionTuple], names: Names) -> str:
    """An offer, with its pass as it is now."""
    if not any(key[0] == PASS for key in keys):
        return asked
    done = all(key[0] == PASS or site.actions[key[0]].free for key in keys)
    if done and any(not action.free for action in site.actions):
        return names.language.say("you have taken your action; choose a free action, or pass")
    return names.language.say("{question}, or pass", question=asked)


def _chosen(asked: str, keys: Sequence[OptionTuple], names: Names) -> str:
    """A choice: none may be among the options."""
    none = any(key[0] == PASS or (len(key) == 2 and not key[1]) for key in keys)
    return names.language.say("{question}, or none", question=asked) if none else asked
