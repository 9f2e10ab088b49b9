"""Saved games: a position as JSON bytes, bound to the exact ruleset that it is a position of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulelang.base.errors import EnsureFailed

if TYPE_CHECKING:
    from rulelang.runtime.info import GameInfo
    from rulelang.runtime.state import State

#: 1: of versions that did not tell how the state is laid out.
#: 2: of versions whose log did not tell who did what.
#: 3: of versions whose log did not tell what changed.
FORMAT = 4
LARGEST = 200_000_000  # bytes of a blob; a longer one is not read


class SaveError(ValueError):
    """Raised by `Game.restore` and `Game.replay` for data that is not a saved game or replay, is damaged, or belongs to
    other rules; the text says which.

        try:
            state = game.restore(data)
        except rulelang.SaveError as error:
            print(error)
    """


class DamagedState(SaveError):
    """The rules cannot go on from a position: its words are none that a game can lead to.

    Whoever alters a saved game may change what `restoring` cannot test, so it may also show in a later move.
    """


STUCK = "the rules cannot go on from this position: no game leads to it"
#: What generated code raises where words are none of a game.
STRAY = (ArithmeticError, AssertionError, AttributeError, EnsureFailed, LookupError, TypeError, ValueError)


def save(state: State) -> bytes:
    """The position with its log, choices and names. What `undo` remembers is not saved."""
    table, host = state.table, state._host
    record = {
        "rulelang": "saved game",
        "format": FORMAT,
        **table.info.identity,
        "content_hash": table.info.content,
        "layout": table.fingerprint,
        "players": table.players,
        "names": list(state.players),
        "called": [[kind, handle, text] for (kind, handle), text in sorted(state.names.overrides.items())],
        "options": dict(table.options),
        "seed": state.seed,
        "choices": state.choices,
        "words": list(state.words),
        "curtain": None if host.curtain_words is None else list(host.curtain_words),
        "curtain_from": host.curtain_from,
        "took": host.took,
        "dice": host.dice,
        "log": [[*e] for e in host.entries()] if host.enabled else None,
        "opened": [number for number, _ in host.opened] if host.enabled else [],
        "hash": state.hash(),
    }
    return json.dumps(record, separators=(",", ":")).encode()


def read(blob: bytes | str) -> dict[str, Any]:
    """The record in a blob. SaveError if it is none."""
    if len(blob) > LARGEST:
        raise SaveError("this is not a saved game: it is too large")
    try:
        record = json.loads(blob)
    except (ValueError, RecursionError):
        raise SaveError("this is not a saved game: it is not JSON") from None
    if not isinstance(record, dict) or record.get("rulelang") != "saved game":
        raise SaveError("this is not a saved game of rulelang")
    if record.get("format") != FORMAT:
        raise SaveError(
            f"this saved game has format {record.get('format')}: another version of rulelang wrote it, and this one "
            f"reads {FORMAT}"
        )
    return record


def check_ruleset(record: Mapping[str, Any], info: GameInfo) -> None:
    """SaveError unless the record belongs to this ruleset, to the letter."""
    if record.get("ruleset") != info.id:
        raise SaveError(f"this game belongs to `{record.get('ruleset')}`, not to `{info.id}`")
    if record.get("content_hash") != info.content:
        then, now = _described(record), _described(info.identity)
        changed = "now it is " + now if then != now else "its files have changed since then"
        raise SaveError(f"this game began with other rules: {then}; {changed}")


def _described(identity: Mapping[str, Any]) -> str:
    """A ruleset with its version, mods and mode, in words."""
    mods, mode = identity.get("mods"), identity.get("mode")
    parts = [f"{mod} {version}" for mod, version in mods.items()] if isinstance(mods, Mapping) else []
    told = f" with {', '.join(parts)}" if parts else ""
    return f"`{identity.get('ruleset')}` {identity.get('version')}{told}{f' in the mode `{mode}`' if mode else ''}"


def table_of(record: Mapping[str, Any]) -> tuple[int, dict[str, int], list[str]]:
    """Return players, options and names of a record. SaveError if they are damaged."""
    players, options, names = record.get("players"), record.get("options"), record.get("names")
    if not (
        type(players) is int
        and isinstance(options, dict)
        and all(type(value) is int for value in options.values())
        and isinstance(names, list)
        and all(isinstance(name, str) for name in names)
    ):
        raise SaveError("this saved game is damaged: its table cannot be read")
    return players, options, names
