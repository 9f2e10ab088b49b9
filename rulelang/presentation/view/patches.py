"""What has changed between two documents, as data that is JSON as it stands, and a document made of another and that.

A *patch* says of one value what it has become:

    {"is": value}                    it is another altogether
    {"in": {key: patch}, "no": [key]}  an object: these of its values are otherwise, these are gone
    {"of": [piece]}                  a list, made of pieces one after the other

where a piece is one of

    [from, count]                    so many of the old list as they were, from this place on
    {"at": place, "now": patch}      the one that was there, patched
    {"is": value}                    a new one

Parts are known by their ids, whatever their places; what has none, by its place. Documents that share what is equal in
them (`Documents` makes them so) are compared where they differ and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Patch = dict[str, Any]


#: What is told as a whole if anything in it is otherwise: the next question has little of the last one.
_WHOLE = frozenset(("question",))
#: No value of a document.
_NOTHING = object()


def patch(old: Any, new: Any) -> Patch | None:
    """What makes `new` of `old`; None if they are equal."""
    return Patches().of(old, new)


class Patches:
    """Patches between documents that share parts: what has become of a part is worked out once, whoever sees it."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], tuple[Any, Any, Patch | None]] = {}  # with the parts, which live as long

    def of(self, old: Any, new: Any) -> Patch | None:
        """As `patch`."""
        if old is new:
            return None
        kind = type(new)
        if kind is type(old):
            if kind is dict:
                if old.get("id") == new.get("id"):
                    return self._object(old, new)
            elif kind is list and old and new:
                return self._list(old, new)
            if old == new:
                return None
        return {"is": new}

    def _object(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Patch | None:
        key = (id(old), id(new))
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = (old, new, self._changed(old, new))
        return found[2]

    def _changed(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Patch | None:
        changed: Patch = {}
        added = 0
        for key, value in new.items():
            was = old.get(key, _NOTHING)
            if was is value:
                continue
            if was is _NOTHING:
                added += 1
                changed[key] = {"is": value}
            elif key in _WHOLE:
                if was != value:
                    changed[key] = {"is": value}
            elif type(value) is dict or type(value) is list:
                if (one := self.of(was, value)) is not None:
                    changed[key] = one
            elif was != value or type(was) is not type(value):
                changed[key] = {"is": value}
        gone = [key for key in old if key not in new] if len(old) + added > len(new) else []
        if not changed and not gone:
            return None
        return {"in": changed, "no": gone} if gone else {"in": changed}

    def _list(self, old: Sequence[Any], new: Sequence[Any]) -> Patch | None:
        most, start, end = min(len(old), len(new)), 0, 0
        while start < most and old[start] is new[start]:
            start += 1
        while end < most - start and old[-1 - end] is new[-1 - end]:
            end += 1
        pieces: list[Any] = [[0, start]] if start else []
        known = _places(old[start : len(old) - end])
        for place, value in enumerate(new[start : len(new) - end]):
            at = (
                known.get(_name(value, place))
                if known is not None
                else place
                if place < len(old) - end - start
                else None
            )
            change = {"is": value} if at is None else self.of(old[start + at], value)
            if change is None and at is not None:
                _keep(pieces, start + at, 1)
            elif change is not None:
                pieces.append(change if "is" in change or at is None else {"at": start + at, "now": change})
        if end:
            _keep(pieces, len(old) - end, end)
        return None if pieces == [[0, len(old)]] else {"of": pieces}


def _keep(pieces: list[Any], at: int, count: int) -> None:
    """So many of the old list from this place on."""
    last = pieces[-1] if pieces else None
    if isinstance(last, list) and last[0] + last[1] == at:
        last[1] += count
    else:
        pieces.append([at, count])


def _places(values: Sequence[Any]) -> dict[str | int, int] | None:
    """By id where each is; None if they are known by their places."""
    found = {_name(value, place): place for place, value in enumerate(values)}
    return found if len(found) == len(values) else None


def _name(value: Any, place: int) -> str | int:
    return value.get("id", place) if type(value) is dict else place


def patched(old: Any, change: Patch) -> Any:
    """The new value. The old one stays as it is; what has not changed is in both."""
    if "is" in change:
        return change["is"]
    if "of" in change:
        new: list[Any] = []
        for piece in change["of"]:
            if isinstance(piece, list):
                new += old[piece[0] : piece[0] + piece[1]]
            else:
                new.append(piece["is"] if "is" in piece else patched(old[piece["at"]], piece["now"]))
        return new
    gone = change.get("no", ())
    kept = {key: value for key, value in old.items() if key not in gone}
    return {**kept, **{key: patched(old.get(key), one) for key, one in change["in"].items()}}
