"""Saved games: a position as JSON bytes, bound to the exact ruleset that it is a position of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.engine.log import CLOSE, Entry, Mark, Recorder
from rulelang.engine.names import Names
from rulelang.engine.sound import check_words

if TYPE_CHECKING:
    from rulelang.engine.state import Choices, State
    from rulelang.engine.table import GameInfo, Table

#: 1: of versions that did not tell how the state is laid out.
#: 2: of versions whose log did not tell who did what.
FORMAT = 3
LARGEST = 200_000_000  # bytes of a blob; a longer one is not read


class SaveError(ValueError):
    """A blob that is no saved game, is damaged, or belongs to another ruleset; the text says which."""


class DamagedState(SaveError):
    """The rules cannot go on from a position: its words are none that a game can lead to.

    Whoever alters a saved game may change what `rebuild` cannot test, so it may also show in a later move.
    """


STUCK = "the rules cannot go on from this position: it is none that a game leads to"
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
        "dice": host.dice,
        "log": [[*e] for e in host.entries()] if host.enabled else None,
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
        raise SaveError(
            f"this saved game has format {record.get('format')}: another version of rulelang wrote it, and this one "
            f"reads {FORMAT}"
        )
    return record


def check_ruleset(record: Mapping[str, Any], info: GameInfo) -> None:
    """SaveError unless the record belongs to this ruleset, to the letter."""
    if record.get("ruleset") != info.id:
        raise SaveError(f"this is a game of `{record.get('ruleset')}`, not of `{info.id}`")
    if record.get("content_hash") != info.content:
        then, now = _described(record), _described(info.identity)
        changed = "now it is " + now if then != now else "its files have changed since then"
        raise SaveError(f"this game was begun with other rules: {then}; {changed}")


def _described(identity: Mapping[str, Any]) -> str:
    """A ruleset with its version, mods and mode, in words."""
    mods, mode = identity.get("mods"), identity.get("mode")
    parts = [f"{mod} {version}" for mod, version in mods.items()] if isinstance(mods, Mapping) else []
    told = f" with {', '.join(parts)}" if parts else ""
    return f"`{identity.get('ruleset')}` {identity.get('version')}{told}{f' in the mode `{mode}`' if mode else ''}"


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

    if record.get("layout") != table.fingerprint:
        raise SaveError("this game was saved by another version of rulelang, which lays its state out otherwise")
    try:
        layout = table.program.layout
        words = table.program.pack(_numbers(record["words"], layout.size))
        called = {(str(kind), int(handle)): str(text) for kind, handle, text in record["called"]}
        host = Recorder(table, words, record["log"] is not None)
        host.load(_entries(table, record["log"] or ()), [_counted(number) for number in record["opened"]])
        if record["curtain"] is not None:
            host.curtain_words = _numbers(record["curtain"], layout.size)
            host.curtain_from = min(_counted(record["curtain_from"]), host.count)
        host.dice = tuple(_counted(die) for die in record["dice"])
        choices: Choices = None
        for choice in record["choices"]:
            choices = (int(choice), choices)
        seed = None if record["seed"] is None else int(record["seed"])
        names = Names(names.layout, names.players, called)
        state = State(table, names, words, host, None, seed, choices)
        state._loaded = True
        digest = state.hash()
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise SaveError(f"this saved game is damaged: {error}") from None
    if digest != record.get("hash"):
        raise SaveError("this saved game is damaged: its words are not those that were saved")
    try:
        check_words(layout, words)
        if host.curtain_words is not None:
            check_words(layout, host.curtain_words)
        _wake(state)
    except (RuleError, *STRAY) as error:
        raise SaveError(f"this saved game is damaged: {error}") from None
    return state


def _wake(state: State) -> None:
    """Ask what is pending. ValueError and others of `STRAY` for words that make no sense."""
    from rulelang.engine.state import check_invariants

    program, words = state._table.program, state._words
    cells = program.layout.cells
    if words[cells.over] and (words[cells.site] or words[cells.decider] or words[cells.frame]):
        raise ValueError("the game is over, and someone is asked")
    wrong = ("" if words[cells.over] else program.frames_wrong(words)) or program.words_wrong(words)
    if wrong:
        raise ValueError(wrong)
    check_invariants(state._table, words)
    if words[cells.over]:
        return
    before = words[:]
    state._keys = program.options(words)
    fewest = 1 if words[cells.stepping] else 2  # what is forced is done unasked
    if state._keys is None or len(state._keys) < fewest or words != before:
        raise ValueError("nothing is asked, and the game is not over")
    state.decision  # noqa: B018 - its texts can be made


def _numbers(items: Any, count: int) -> list[int]:
    if not isinstance(items, list) or len(items) != count:
        raise ValueError(f"{count} words are expected")
    if not all(type(item) is int and -(1 << 63) <= item < 1 << 63 for item in items):
        raise ValueError("a word is not a number")
    return list(items)


def _counted(item: Any) -> int:
    """A whole number, 0 or more."""
    number = int(item)
    if number < 0:
        raise ValueError(f"{number} is below 0")
    return number


def _entries(table: Table, items: Sequence[Any]) -> list[Entry]:
    """The log as it was noted: every entry can be shown."""
    found: list[Entry] = []
    events: list[Entry] = []
    for item in items:
        template, args, parent, depth, marks, by = item
        entry = Entry(
            int(template),
            tuple(int(value) for value in args),
            int(parent),
            int(depth),
            tuple(Mark(int(zone), int(face)) for zone, face in marks),
            int(by),
        )
        if entry.template != CLOSE:
            _check_event(table, entry, len(events))
            events.append(entry)
        elif not 0 <= entry.parent < len(events) or len(entry.marks) != len(events[entry.parent].marks):
            raise ValueError("an event of the log ends that has not begun")
        if any(not 0 <= mark.zone < len(table.program.layout.zone_names) or mark.face < 0 for mark in entry.marks):
            raise ValueError("a card of the log lies nowhere")
        found.append(entry)
    return found


def _check_event(table: Table, entry: Entry, number: int) -> None:
    """ValueError for an event that cannot be shown as the one of this number."""
    program = table.program
    if not 0 <= entry.template < len(program.templates):
        raise ValueError("an event of the log is of an unknown sort")
    cards, sorts = table.card_args[entry.template], program.layout.sorts
    if not -1 <= entry.parent < number or not 0 <= entry.depth <= number or len(entry.marks) != len(cards):
        raise ValueError("an event of the log has another place than it was given")
    if not 0 <= entry.by <= table.players:
        raise ValueError("an event of the log is done by nobody who plays")
    for part in program.templates[entry.template].parts:
        if not isinstance(part, str):
            value = entry.args[part[0]]
            if part[1] in sorts and not 0 <= value < len(program.layout.cards):
                raise ValueError("an event of the log tells of a card that is not there")
