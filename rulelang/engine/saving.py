"""Saved games: a position as JSON bytes, bound to the exact ruleset that it is a position of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulelang.engine.log import Entry, Mark, Recorder
from rulelang.engine.names import Names

if TYPE_CHECKING:
    from rulelang.engine.state import Choices, State
    from rulelang.engine.table import Table

FORMAT = 1
LARGEST = 200_000_000  # bytes of a blob; a longer one is not read


class SaveError(ValueError):
    """A blob that is no saved game, is damaged, or belongs to another ruleset; the text says which."""


def save(state: State) -> bytes:
    """The position with its log, choices and names. What `undo` remembers is not saved."""
    table, host = state.table, state._host
    record = {
        "rulelang": "saved game",
        "format": FORMAT,
        "ruleset": table.info.id,
        "version": table.info.version,
        "content_hash": table.info.content,
        "players": table.players,
        "names": list(state.players),
        "called": [[kind, handle, text] for (kind, handle), text in sorted(state.names.overrides.items())],
        "options": dict(table.options),
        "seed": state.seed,
        "choices": state.choices,
        "words": list(state.words),
        "curtain": host.curtain_words,
        "curtain_from": host.curtain_from,
        "dice": host.dice,
        "log": [[e.template, e.args, e.parent, e.depth, e.marks] for e in host.entries()] if host.enabled else None,
        "opened": [number for number, _ in host.opened],
        "hash": state.hash(),
    }
    return json.dumps(record, separators=(",", ":")).encode()


def read(blob: bytes | str) -> dict[str, Any]:
    """The record in a blob. SaveError if it is none."""
    if len(blob) > LARGEST:
        raise SaveError("this is no saved game: it is too large")
    try:
        record = json.loads(blob)
    except (ValueError, RecursionError):
        raise SaveError("this is no saved game: it is not JSON") from None
    if not isinstance(record, dict) or record.get("rulelang") != "saved game":
        raise SaveError("this is no saved game of rulelang")
    if record.get("format") != FORMAT:
        raise SaveError(f"this saved game has format {record.get('format')}; this version of rulelang reads {FORMAT}")
    return record


def check_ruleset(record: Mapping[str, Any], id_: str, version: str, content: str) -> None:
    """SaveError unless the record belongs to this ruleset, to the letter."""
    if record.get("ruleset") != id_:
        raise SaveError(f"this is a game of `{record.get('ruleset')}`, not of `{id_}`")
    if record.get("content_hash") != content:
        raise SaveError(
            f"this game was begun with other rules: `{id_}` {record.get('version')} as it was then; "
            f"now it is {version}, or its files or mods have changed"
        )


def table_of(record: Mapping[str, Any]) -> tuple[int, dict[str, int], list[str]]:
    """Players, options and names of a record. SaveError if they are damaged."""
    players, options, names = record.get("players"), record.get("options"), record.get("names")
    if not (
        isinstance(players, int)
        and isinstance(options, dict)
        and all(isinstance(value, int) for value in options.values())
        and isinstance(names, list)
        and all(isinstance(name, str) for name in names)
    ):
        raise SaveError("this saved game is damaged: its table cannot be read")
    return players, options, names


def rebuild(table: Table, names: Names, record: Mapping[str, Any]) -> State:
    """The state of a record. SaveError if it is damaged."""
    from rulelang.engine.state import State

    try:
        words = _numbers(record["words"], table.program.layout.size)
        called = {(str(kind), int(handle)): str(text) for kind, handle, text in record["called"]}
        host = Recorder(table, words, record["log"] is not None)
        entries = [_entry(item, len(table.program.templates)) for item in record["log"] or ()]
        host.load(entries, [int(number) for number in record["opened"]])
        if record["curtain"] is not None:
            host.curtain_words = _numbers(record["curtain"], table.program.layout.size)
            host.curtain_from = int(record["curtain_from"])
        host.dice = tuple(int(die) for die in record["dice"])
        choices: Choices = None
        for choice in record["choices"]:
            choices = (int(choice), choices)
        seed = None if record["seed"] is None else int(record["seed"])
        names = Names(names.layout, names.players, called)
        state = State(table, names, words, host, None, seed, choices)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise SaveError(f"this saved game is damaged: {error}") from None
    if state.hash() != record.get("hash"):
        raise SaveError("this saved game is damaged: its words are not those that were saved")
    state._keys = None if words[table.program.layout.cells.over] else table.program.options(words)
    return state


def _numbers(items: Any, count: int) -> list[int]:
    if not isinstance(items, list) or len(items) != count:
        raise ValueError(f"{count} words are expected")
    if not all(type(item) is int and -(1 << 63) <= item < 1 << 63 for item in items):
        raise ValueError("a word is not a number")
    return list(items)


def _entry(item: Any, templates: int) -> Entry:
    template, args, parent, depth, marks = item
    if not -1 <= int(template) < templates:
        raise ValueError("an event of the log is of an unknown sort")
    return Entry(
        int(template),
        tuple(int(value) for value in args),
        int(parent),
        int(depth),
        tuple(Mark(int(zone), int(face)) for zone, face in marks),
    )
