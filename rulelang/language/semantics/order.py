"""The order of hooks, where it does not hang on who bears them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulelang.language.semantics import tree

#: In a layer, what no player owns: rows of lists, then cards, then the rules themselves.
_WITHIN = {"row": 0, "card": 1, "core": 2}


def by_origin(hook: tree.Trigger) -> tuple[int, int, str, int, int]:
    """Key: traits by id, then rows of lists and cards and the rules themselves, each layer by layer."""
    origin = hook.origin
    if origin.what == "trait":
        return (0, 0, origin.name, 0, 0)
    return (1 + origin.layer, _WITHIN[origin.what], origin.name, origin.row, hook.order)


def in_text_order(hooks: Iterable[tree.Trigger]) -> list[tree.Trigger]:
    """Hooks as meaning.md orders them where bearers make no difference."""

    def key(hook: tree.Trigger) -> tuple[int, tuple[int, int, str, int, int]]:
        return 0 if hook.always else 1 if hook.origin.what == "trait" else 2, by_origin(hook)

    return sorted(hooks, key=key)


def outermost_first(hooks: Iterable[tree.Trigger]) -> list[tree.Trigger]:
    """The `instead of` hooks of an event: the later the layer, the further out."""
    return sorted(in_text_order(h for h in hooks if h.kind == "instead of"), key=lambda h: -h.origin.layer)


def borne(hook: tree.Trigger) -> bool:
    """Whether a hook counts for each card that brings it, so that a player may own it."""
    return hook.origin.what in ("trait", "card") and not hook.always


def once(hooks: Sequence[tree.Trigger]) -> bool:
    """Whether of these hooks one at most can be due, and that once."""
    return len(hooks) == 1 and not borne(hooks[0])
