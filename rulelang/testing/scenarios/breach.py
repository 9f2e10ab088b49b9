"""A position that breaks an invariant of the rules: which, and what of the position breaks it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulelang.base.diagnostics import Related
from rulelang.base.phrases import flatten
from rulelang.base.source import NOWHERE, Span
from rulelang.testing.scenarios.arrange import Arranger
from rulelang.testing.scenarios.position import PlayerSpec

#: How a reason shows a value: `NAME` is VALUE.
_SHOWN = re.compile(r"`([^`]*)` is $")


def tell_breach(layer: Arranger, S: list[int]) -> bool:
    """C717 for the first invariant that does not hold of a laid position, at what breaks it. False if all hold."""
    program, names = layer.table.program, layer.names()
    failed = program.invariants(S)
    if not failed:
        return False
    name, span = failed[0]
    said: list[str] = []
    places: list[Span] = []
    for number, args in program.why(S, f"invariant {name}", ()):
        parts = flatten(program.reasons[number].text)
        said.append(names.render(parts, args))
        places += _places(layer, parts, args)
    layer.out.error(
        "C717",
        next((found for found in places if found != NOWHERE), layer.position.place),
        f"this position breaks the invariant `{name}`",
        because="; ".join(dict.fromkeys(said)),
        related=[Related(span, "an invariant must be true after every step of a game")],
    )
    return True


def _places(layer: Arranger, parts: Sequence[str | tuple[int, str]], args: Sequence[int]) -> Iterator[Span]:
    """Where the position gives what a reason speaks of: things and players first, then values by their names."""
    position = layer.position
    players: list[PlayerSpec] = [player for _, player in layer.seats()]
    shown: list[Span] = []
    words = {word.text: word.span for word, _ in (*position.state, *position.tables)}
    for before, part in zip(("", *parts), parts, strict=False):
        if isinstance(part, str):
            continue
        at, kind = part
        named = _SHOWN.search(before) if isinstance(before, str) else None
        if named is not None:
            shown += [span for word, span in words.items() if re.search(rf"\b{re.escape(word)}\b", named[1])]
        if kind == "player" and 0 < args[at] <= len(players):
            yield players[args[at] - 1].name.span
        elif kind in layer.layout.kinds:
            given = next((name for name, found in layer.values.things.items() if found == (kind, args[at])), "")
            if given in position.things:
                yield position.things[given].name.span
    yield from shown
