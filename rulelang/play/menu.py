"""The options of a decision as a numbered list, by action where there are many."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.engine.decision import Decision, Option
from rulelang.play.wrapping import wrapped

#: Up to so many options stand one a line.
FEW = 10


def menu(decision: Decision, columns: int = 100) -> list[str]:
    """Lines with every option once, under its number from 1."""
    if len(decision.options) <= FEW:
        room = len(str(len(decision.options)))
        return [f"  {option.index + 1:>{room}}  {option.text}" for option in decision.options]
    lines: list[str] = []
    for action, options in _groups(decision.options):
        name = action.rpartition(".")[2]
        words = [f"{option.index + 1} {_rest(option, name)}".replace(" ", "\N{NO-BREAK SPACE}") for option in options]
        head = f"  {name}: " if len(options) > 1 and name else "  "
        lines += [
            line.replace("\N{NO-BREAK SPACE}", " ") for line in wrapped(",  ".join(words), columns, head, " " * 6)
        ]
    return lines


def _groups(options: Sequence[Option]) -> list[tuple[str, list[Option]]]:
    """Options of one action together; several actions that have one option each stay by themselves."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.action if not option.is_pass else "pass", []).append(option)
    return list(groups.items())


def _rest(option: Option, name: str) -> str:
    """The text without the action's name, where that stands at the head of the group."""
    rest = option.text.removeprefix(name).strip()
    return rest if rest and option.text.startswith(name + " ") else option.text
