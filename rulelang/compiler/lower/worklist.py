"""Who lowers the functions that were asked for (see `requests`)."""

from __future__ import annotations

from rulelang.compiler.lower.context import Lowering
from rulelang.compiler.lower.expr import affects, permitted, values
from rulelang.compiler.lower.requests import (
    Affected,
    CanHappen,
    Doing,
    Ensuring,
    MayBeChosen,
    OptionsOf,
    Request,
    ValueOf,
    WhyFalse,
    WhyNot,
)
from rulelang.compiler.lower.routines import actions, events, legality, refusals


def drain(low: Lowering) -> None:
    """Lowers what waits, and what that asks for, until nothing waits."""
    while low.waiting:
        _lower(low.waiting.pop(), low)


def _lower(wanted: Request, low: Lowering) -> None:
    match wanted:
        case ValueOf():
            values.lower(wanted, low)
        case Doing():
            events.lower(wanted, low)
        case CanHappen():
            legality.can(wanted, low)
        case MayBeChosen():
            permitted.lower(wanted, low)
        case WhyNot():
            refusals.why(wanted, low)
        case WhyFalse():
            legality.why_false(wanted, low)
        case Ensuring():
            refusals.ensure(wanted, low)
        case Affected():
            affects.lower(wanted, low)
        case OptionsOf():
            actions.lower(wanted, low)
