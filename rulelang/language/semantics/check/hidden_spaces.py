"""Spaces of a grid that rules cannot name, because something declared has the same name."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.language.semantics.check.symbols import Symbols


def hidden_spaces(symbols: Symbols, out: Diagnostics) -> None:
    """Report N375 for each state value, number, zone or value that has the name of a space."""
    grids = symbols.model.grids
    for name, what, span in _declared(symbols) if grids else ():
        for grid in grids.values():
            if name in grid.spaces:
                message = f"{what} `{name}` hides a space of `{grid.name}`"
                because = f"in rules, `{name}` refers to {what}, so rules cannot refer to the space"
                out.warning("N375", span, message, because=because, hint="choose another name")


def _declared(symbols: Symbols) -> Iterator[tuple[str, str, Span]]:
    model = symbols.model
    yield from ((name, "the state value", one.span) for name, one in model.state.items())
    yield from ((name, "the number", one.span) for name, one in model.numbers.items())
    yield from ((one.short_name, "the zone", one.span) for one in model.zones.values())
    for signature in symbols.signatures.values():
        if signature.what in ("value", "invariant"):
            yield signature.name, f"the {signature.what}", signature.span
