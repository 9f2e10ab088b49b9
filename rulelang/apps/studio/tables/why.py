"""Why nothing can be done with a part of the table, or not what somebody has begun to pick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from rulelang.base.layout import ActionInfo
from rulelang.presentation.view.ids import GAME
from rulelang.presentation.view.seen import handles_of
from rulelang.runtime.decision import Refusal
from rulelang.runtime.packed import public_of, words_of
from rulelang.runtime.state import State
from rulelang.runtime.why import Reader, reader_for

#: How many ways to fill in the rest of an action are tried.
TRIED = 48

#: What it is: an action in words, and what forbids it.
Reasons = list[tuple[str, list[Refusal]]]

Part = tuple[str, int]


def reasons(state: State, seat: int, part: str, picked: Sequence[str]) -> Reasons:
    """Return, for each action that is offered and could be about such a part, what forbids it with all that was picked.

    The arguments that are still open are filled so that the fewest reasons remain. Like all reasons these depend only
    on what the seat knows. Empty for actions that nothing forbids, and for parts that nothing is done with.
    """
    if state.over or state.decider != seat or part == GAME:
        return []
    parts = handles_of(state, seat)
    if part not in parts:
        return []
    wanted = [*(parts[one] for one in picked if one in parts), parts[part]]
    now, public = words_of(state), public_of(state)
    site = state.table.site(now)
    reader = reader_for(state.table, state.names, now, None if public is now else public, seat)
    found: Reasons = []
    if site.kind == "choose":
        if not site.refuses:
            return []
        bound = state.table.program.told(state.words)
        tries = ((*bound, *args) for args in _filled(site.actions[0].types, wanted, parts))
        best = _least(reader, site.refuses, tries)
        return [("", best)] if best else []
    for action in {action.id: action for action in site.actions}.values():
        best = _least(reader, action.id, _arguments(reader, action, wanted, parts))
        if best:
            found.append((state.names.worded(action.name), best))
    return found


def _least(reader: Reader, routine: str, tries: Iterator[tuple[int, ...]]) -> list[Refusal]:
    """Return the fewest reasons against any of these; none if one of them is possible as far as the seat knows."""
    best: list[Refusal] | None = None
    for args in islice(tries, TRIED):
        found = reader.why(routine, args)
        if not found:
            return []
        if best is None or len(found) < len(best):
            best = found
    return best or []


def _arguments(
    reader: Reader, action: ActionInfo, wanted: Sequence[Part], parts: Mapping[str, Part]
) -> Iterator[tuple[int, ...]]:
    """Yield ways to fill an action. An argument that no player names is the card that brings the action to the next."""
    for said in _filled([kind for kind in action.types if kind], wanted, parts):
        rest = iter(said)
        full = [next(rest) if kind else 0 for kind in action.types]
        for place, kind in enumerate(action.types[1:]):
            if not action.types[place] and kind:
                full[place] = reader.bringer(action.source, kind, full[place + 1])
        yield tuple(full)


def _filled(types: Sequence[str], wanted: Sequence[Part], parts: Mapping[str, Part]) -> Iterator[tuple[int, ...]]:
    """All ways to fill places of these kinds so that all that is wanted stands in one of them."""
    for placed in _placed(types, list(wanted)):
        rest = [
            [handle] if handle is not None else [h for k, h in parts.values() if k == kind]
            for kind, handle in zip(types, placed, strict=True)
        ]
        yield from product(*rest)


def _placed(types: Sequence[str], wanted: list[Part]) -> Iterator[list[int | None]]:
    """The places in which what is wanted may stand."""
    if not wanted:
        yield [None] * len(types)
        return
    (kind, handle), *rest = wanted
    for placed in _placed(types, rest):
        for place, type_ in enumerate(types):
            if type_ == kind and placed[place] is None:
                yield [*placed[:place], handle, *placed[place + 1 :]]
