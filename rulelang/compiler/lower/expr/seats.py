"""Players by their seats: with whom natural order begins, and who comes after whom."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering


def first_player(low: Lowering) -> ir.Expr:
    """Where natural order starts: the active player, outside turns the one the manifest names, else seat 1."""
    active = ir.Cell(low.cells.active)
    if low.model.first is None:
        return active
    return ir.If(active, active, ir.Cell(low.plan.state[low.model.first]))


def play_order(low: Lowering) -> str:
    """Row table: by player, all players from him on in play order; [0] starts at seat 1."""
    n = low.plan.players
    step = 1 if low.model.clockwise else -1
    rows = [tuple((p - 1 + step * k) % n + 1 for k in range(n)) for p in range(1, n + 1)]
    return low.row_table("order", [rows[0], *rows, *([rows[0]] if low.plan.features.nobody else [])])


def next_player(low: Lowering) -> str:
    """Table: by player, who comes after him in play order."""
    play_order(low)
    n = low.plan.players
    step = 1 if low.model.clockwise else -1
    return low.table("next_player", [0, *((p - 1 + step) % n + 1 for p in range(1, n + 1)), 0])
