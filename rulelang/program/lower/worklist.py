"""Who lowers the functions that were asked for (see `requests`)."""

from __future__ import annotations

from rulelang.program.lower import actions, affects, events, legality, permitted, refusing, values
from rulelang.program.lower.context import Lowering
from rulelang.program.lower.requests import (
    Affected,
    CanHappen,
    Doing,
    Ensuring,
    MayBeChosen,
    OptionsOf,
    Request,
    ValueOf,
    WhyNot,
)


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
            refusing.why(wanted, low)
        case Ensuring():
            refusing.ensure(wanted, low)
        case Affected():
            affects.lower(wanted, low)
        case OptionsOf():
            actions.lower(wanted, low)
