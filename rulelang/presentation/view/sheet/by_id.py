"""The parts of a document by their ids, and which of them are other than before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulelang.presentation.view.records import Document

#: A part of a document: whatever has an id in it.
Part = Mapping[str, Any]
#: What a part holds that are parts of their own, and what is not looked at.
INNER = (
    "facts", "kept", "zones", "cards", "players", "groups", "things", "lists", "rows", "grids", "spaces", "nobody",
    "tables", "cells",
)  # fmt: skip


def parts_of(document: Document) -> dict[str, Part]:
    """All parts by id, in the order of the document; cards that only the question shows at its end."""
    question = document["question"]
    found = {part["id"]: part for part in _inside(document)}
    for card in question.get("cards", []) if question else []:
        found.setdefault(card["id"], card)
        found.update((part["id"], part) for part in _inside(card))
    return found


def _inside(part: Part) -> Iterator[Part]:
    for name in INNER:
        for inner in part.get(name, ()):
            if "id" in inner:
                yield inner
            yield from _inside(inner)


def changed(before: Mapping[str, Part], after: Mapping[str, Part]) -> set[str]:
    """The ids of parts that are new, or of which something else is said now."""
    return {key for key, part in after.items() if key not in before or _said(before[key]) != _said(part)}


def _said(part: Part) -> tuple[object, ...]:
    """What is said of a part itself."""
    return tuple(part.get(name) for name in ("label", "text", "phrase", "count", "place", "score"))
