"""Families of kinds: what a type variable of a built-in may stand for, and what has a member."""

from __future__ import annotations

from rulelang.language.semantics.builtins.row import Family
from rulelang.language.semantics.cards import bearers_of, face_column
from rulelang.language.semantics.model import Model


def _lies_in_row(model: Model, kind: str) -> bool:
    return kind in model.made and model.made[kind].line


def _is_ladder(model: Model, kind: str) -> bool:
    return kind in model.lists and model.lists[kind].ladder


def _is_faced(model: Model, kind: str) -> bool:
    return kind in model.sorts and face_column(model.sorts[kind]) is not None


def _place(model: Model, kind: str) -> str:
    return (model.made[kind].place or "") if kind in model.made else ""


LINE = Family("a kind of things in a row (`line: true`)", _lies_in_row)
BESIDE = Family(
    "a grid, or a kind of things in a row",
    lambda model, kind: _lies_in_row(model, kind) or kind in model.grids,
)
LADDER = Family("a ladder", _is_ladder)
LIST = Family("a list", lambda model, kind: True)  # conditions are on lists only
CARDS = Family("a card type", lambda model, kind: kind in model.sorts)
FACED = Family("a card type with a column `face` or `faces`", _is_faced)

LYING = Family(
    "a card type that can be on things", lambda model, kind: kind in model.sorts and bool(bearers_of(model, kind))
)
THINGS = Family("a kind of things", lambda model, kind: kind in model.made)
PLACED = Family("a kind of things with a place (`in:`)", lambda model, kind: _place(model, kind) != "")
TRAITS = Family("`trait`", lambda model, kind: kind == "trait")
EVERY = Family("any kind", lambda model, kind: True)
