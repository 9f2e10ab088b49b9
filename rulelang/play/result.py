"""How a game ended: the scores of all, and who won."""

from __future__ import annotations

from rulelang.base.frame import width
from rulelang.engine.state import State


def scores(state: State) -> list[str]:
    """A table of the scores, best first, the winners marked; then a sentence."""
    winners = set(state.winners)
    points = state.scores
    seats = sorted(range(1, len(points) + 1), key=lambda seat: (seat not in winners, -points[seat - 1], seat))
    room = max(width(name) for name in state.players)
    most = max(len(str(number)) for number in points)
    lines = ["Scores"]
    for seat in seats:
        name = state.players[seat - 1]
        mark = "  winner" if seat in winners else ""
        lines.append(f"  {name}{' ' * (room - width(name))}  {points[seat - 1]:>{most}}{mark}")
    lines += ["", verdict(state)]
    return lines


def verdict(state: State) -> str:
    """`Ana wins with 57 points.`"""
    points = state.scores
    names = [state.players[seat - 1] for seat in state.winners]
    best = points[state.winners[0] - 1]
    worth = f"{best} point{'' if best == 1 else 's'}"
    rounds = f" after {state.round} rounds" if state.round > 1 else ""
    if len(names) == 1:
        tied = points.count(best) > 1
        return f"{names[0]} wins with {worth}{rounds}{', by the tiebreak' if tied else ''}."
    return f"{', '.join(names[:-1])} and {names[-1]} share the win with {worth}{rounds}."
