"""From what is named on a command line to the base and the mods over it, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.locks import hold
from rulelang.data.manifest import Manifest, read_manifest
from rulelang.data.modlists import Lists, Wish, read_words
from rulelang.data.order import Stack, Wanted, resolve
from rulelang.data.sources import Finder


@record
class Given:
    """`ids`: of what was named; `first`: the game, or the mod that was named in its place; `wanted`: mods over it."""

    first: Manifest
    ids: tuple[str, ...]
    wanted: tuple[Wanted, ...]
    stack: Stack
    lists: Lists


def gather(where: str | Path, mods: Sequence[str | Path], diagnostics: Diagnostics) -> Given | None:
    """Find everything and put it in order. None after a diagnostic if there is no base to lay anything over."""
    finder = Finder()
    first = _manifest(finder, Wish(where, Span(str(where), 1, 1, 1, 1)), diagnostics)
    if first is None:
        return None
    finder.beside(first.folder)
    for need in first.extends.values():  # mods may also lie beside the game that a mod extends
        below = finder.by_id(need.name, wanted=need.range)
        if below is not None:
            finder.beside(below.folder)
    wishes, lists = read_words(mods, first.id, diagnostics)
    found = [(wish, _manifest(finder, wish, diagnostics)) for wish in wishes]
    wanted = tuple(Wanted(manifest, wish.span, wish.chain, wish.held) for wish, manifest in found if manifest)
    stack = resolve(first, wanted, finder, diagnostics)
    if stack is None:
        return None
    hold(stack, wanted, lists, diagnostics)
    ids = (first.id, *(item.manifest.id for item in wanted))
    return Given(first, ids, wanted, stack, lists)


def _manifest(finder: Finder, wish: Wish, diagnostics: Diagnostics) -> Manifest | None:
    found = finder.locate(wish.word, diagnostics, wish.span)
    return read_manifest(found.folder, diagnostics, found.as_) if found is not None else None
