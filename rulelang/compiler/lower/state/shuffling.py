"""What the log tells of shuffled cards, which nobody sees happen: nothing of it changes what lies where."""

from __future__ import annotations

from rulelang.base.layout import ZONE, LogTemplate, ZoneLayout
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering
from rulelang.compiler.lower.state.zones import lying, zone_id

#: What the log says, as catalogues of languages find it.
PHRASES = {
    "shuffled": "{zone} is shuffled",
    "refilled": "{zone} is refilled with {number} shuffled {number:card|cards} from {zone 2}",
}
_SHUFFLED: tuple[str | tuple[int, str], ...] = ((0, ZONE), " is shuffled")
_REFILLED: tuple[str | tuple[int, str], ...] = (
    (0, ZONE), " is refilled with ", (1, "int"), " shuffled ", (1, ":card|cards"), " from ", (2, ZONE),
)  # fmt: skip


def told(zone: ZoneLayout, who: ir.Expr | None, span: Span, low: Lowering) -> ir.Stmt:
    """A zone is about to be shuffled; one in which nothing lies is not worth telling."""
    template = low.template(LogTemplate("shuffle", "shuffle", "", _SHUFFLED, span))
    return ir.Branch(lying(zone, who), (ir.Log(template, (zone_id(zone, who),)),))


def refill(
    zone: ZoneLayout, who: ir.Expr | None, source: ZoneLayout, whose: ir.Expr | None, span: Span, low: Lowering
) -> ir.Stmt:
    """All cards of a zone are about to be shuffled and laid under another, in the course of this event, which
    `ir.LogEnd` ends."""
    template = low.template(LogTemplate("shuffle", "refill", "", _REFILLED, span))
    return ir.Log(template, (zone_id(zone, who), lying(source, whose), zone_id(source, whose)), opens=True)
