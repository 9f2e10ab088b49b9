"""What came of the last move of a scenario that is being written, as lines under `then`."""

from __future__ import annotations

import re

from rulelang.language.semantics.model import Model
from rulelang.language.syntax.lexer import QUERY_FORMS
from rulelang.language.syntax.mistakes import IN_EXPRESSIONS
from rulelang.runtime.changes import Change
from rulelang.runtime.names import MISSING
from rulelang.testing.scenarios.flow import flow
from rulelang.testing.scenarios.pace import Moment

#: So many lines of the log are held, and so many values.
LINES, VALUES = 3, 4
_NAME = re.compile(r"[^\W\d]\w*")


def conclusions(here: Moment, before: Moment, model: Model) -> list[str]:
    """Lines of YAML that hold where the last step has ended: what the log says of it, what it changed, who is asked."""
    end = here.ended()
    log, told = end.state.log, len(before.state.log)
    texts = list(dict.fromkeys(event.text for event in log[told:] if event.told and event.text.strip()))[:LINES]
    lines: list[str] = []
    if texts:
        lines.append(f"log: {flow(texts if len(texts) > 1 else texts[0])}")
    lines += _values(end, before, model)
    if end.state.over:
        players = end.state.players
        return [*lines, "over: true", f"winners: {flow([players[seat - 1] for seat in end.state.winners])}"]
    asked = here.question()
    lines.append("over: false" if asked.state.over and not lines else f"decision: {flow(asked.asked)}")
    return [line for line in lines if line != "decision: nobody"] or [f"round == {end.state.round}"]


def _values(end: Moment, before: Moment, model: Model) -> list[str]:
    """Whole numbers and truths that changed, of the game, its players and the things that the position names."""
    first = len(before.state.log.changes)
    last: dict[tuple[str, int, str], Change] = {}
    for change in end.state.log.changes[first:]:
        if change.what == "set" and change.attribute is not None and not change.index and not change.attribute.trait:
            last[change.kind, change.handle, change.attribute.name] = change
    lines = []
    for (kind, handle, name), change in last.items():
        owner = _owner(end, kind, handle)
        if owner is None or change.new == MISSING or change.attribute is None or not _plain(name):
            continue
        if change.attribute.type == "int":
            said = f"{owner}{name} == {change.new}"
        elif change.attribute.type == "bool":
            said = f"{owner}{name}" if change.new else f"not {owner}{name}"
        else:
            continue
        lines.append("'" + said.replace("'", "''") + "'" if said.startswith('"') else said)
    return lines[:VALUES]


def _owner(end: Moment, kind: str, handle: int) -> str | None:
    """What stands before the name of a value: nothing for the game's own, None for what a scenario cannot name."""
    if not kind:
        return ""
    if kind == "player":
        return f"{_quoted(end.state.players[handle - 1])}." if handle <= len(end.state.players) else None
    name = next((name for name, thing in end.cast.items() if thing == (kind, handle)), None)
    return None if name is None or name in end.gone else f"{_quoted(name)}."


def _plain(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and name not in IN_EXPRESSIONS and name not in QUERY_FORMS


def _quoted(name: str) -> str:
    """A name as expressions write it: in quotes where it is no single word, or is a word of the language."""
    return name if _plain(name) else f'"{name}"'
