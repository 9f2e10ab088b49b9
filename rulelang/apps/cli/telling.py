"""How `rulelang mods why`, `conflicts` and `unused` are printed: lines, each with a style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.apps.cli.screen import counted, terminal_columns
from rulelang.base.terminal import wrap_text

if TYPE_CHECKING:
    from rulelang.tools.modding.conflicts import Conflict
    from rulelang.tools.modding.unused import PartUse
    from rulelang.tools.modding.why import Hand, Story

Line = tuple[str, dict[str, Any]]


def story_lines(story: Story, *, blank: bool) -> Iterator[Line]:
    """What it is now, then each hand in it: who, how, where; below it the text."""
    if blank:
        yield "", {}
    if story.what == "data":
        now = "(removed)" if story.now is None else story.now or "(nothing)"
        for line in wrap_text(f"{story.name}: {now}", terminal_columns(), "", "    "):
            yield line, {"bold": True}
    else:
        yield f"{story.what} {story.name}", {"bold": True}
    for hand in story.hands:
        yield f"  {hand.by}: {hand.verb}   {hand.span.path}:{hand.span.line}", {}
        yield from _texts(hand)


def _texts(hand: Hand) -> Iterator[Line]:
    if hand.before is None and hand.after is None:
        return
    if hand.before is not None or hand.after is None:
        text = " -> ".join("nothing" if side is None else side or "(empty)" for side in (hand.before, hand.after))
        yield from ((line, {}) for line in wrap_text(text, terminal_columns(), "      ", "        "))
        return
    for line in hand.after.split("\n"):
        if "\n" in hand.after:
            yield f"      {line}", {}
        else:
            yield from ((part, {}) for part in wrap_text(line, terminal_columns(), "      ", "        "))


def conflict_lines(found: Sequence[Conflict]) -> Iterator[Line]:
    """Each with those who meddle."""
    for item in found:
        colour = "red" if item.severity == "error" else "yellow"
        head = f"{item.severity}[{item.what}]: {item.message}"
        if item.severity == "note":
            head = f"note: `{item.name}` is {item.message}"
        for line in wrap_text(head, terminal_columns(), "", "    "):
            yield line, {"fg": colour}
        for party in item.parties:
            yield f"  {party.mod}   {party.span.path}:{party.span.line}", {}
            for line in wrap_text(party.text, terminal_columns(), "      ", "        "):
                yield line, {}
        yield "", {}
    errors = sum(item.severity == "error" for item in found)
    parts = [counted(n, word) for n, word in ((errors, "error"), (len(found) - errors, "note")) if n]
    yield " and ".join(parts) if parts else "no two mods change the same thing", {}


def unused_lines(found: Sequence[PartUse], games: int, players: int, seed: int) -> Iterator[Line]:
    """What made no difference, then how much did."""
    series = f"{counted(games, 'game')} of {players} players, seed {seed}"
    idle = [item for item in found if item.state == "unused"]
    tried = [item for item in found if item.state != "text"]
    for item in idle:
        part = item.part
        yield f"{part.mod}   {part.span.path}:{part.span.line}", {"fg": "yellow"}
        kind = "" if part.text.startswith(part.kind) or part.kind == "hook" else f"{part.kind} "
        for line in f"{kind}{part.text}".split("\n"):
            yield f"    {line}", {}
    if idle:
        yield "", {}
    if not found:
        yield "there is nothing to try: no mod changes or hooks anything", {}
        return
    yield f"{series}: {len(idle)} of {counted(len(tried), 'patch or hook', 'patches and hooks')} made no difference", {}
    needed, texts = (sum(item.state == state for item in found) for state in ("needed", "text"))
    if needed:
        yield f"{needed} cannot be left out: the game has errors without them", {}
    if texts:
        yield f"{counted(texts, 'text')} skipped: no game shows them", {}
