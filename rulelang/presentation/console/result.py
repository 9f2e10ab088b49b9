"""How a game ended: the scores of all, and who won."""

from __future__ import annotations

from rulelang.base.terminal import display_width
from rulelang.runtime.state import State


def scores(state: State) -> list[str]:
    """A table of the scores, best first, the winners marked; then a sentence."""
    winners = set(state.winners)
    points = state.scores
    seats = sorted(range(1, len(points) + 1), key=lambda seat: (seat not in winners, -points[seat - 1], seat))
    room = max(display_width(name) for name in state.players)
    most = max(len(str(number)) for number in points)
    language = state.names.language
    lines = [language.say("Scores")]
    for seat in seats:
        name = state.players[seat - 1]
        mark = f"  {language.say('winner')}" if seat in winners else ""
        lines.append(f"  {name}{' ' * (room - display_width(name))}  {points[seat - 1]:>{most}}{mark}")
    lines += ["", verdict(state)]
    return lines


def verdict(state: State) -> str:
    """`Ana wins with 57 points.`"""
    language = state.names.language
    points = state.scores
    names = language.listed([state.players[seat - 1] for seat in state.winners])
    best = points[state.winners[0] - 1]
    worth = language.say("{n} {n:point|points}", n=best)
    if state.round > 1:
        worth = language.say("{points} after {n} {n:round|rounds}", points=worth, n=state.round)
    if len(state.winners) > 1:
        return language.say("{names} share the win with {points} each.", names=names, points=worth)
    if points.count(best) > 1:
        return language.say("{name} wins the tiebreak with {points}.", name=names, points=worth)
    return language.say("{name} wins with {points}.", name=names, points=worth)
