"""Restoring a saved game. Somebody may have changed the record, so its type and range are tested value by value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from rulelang.base.errors import RuleError
from rulelang.runtime.display_names import Names
from rulelang.runtime.position import Choices
from rulelang.runtime.program import STRAY_CELL_ERRORS
from rulelang.runtime.recorder import CardSnapshot, Entry, Recorder
from rulelang.runtime.running import check_invariants
from rulelang.runtime.state import STUCK_POSITION, SaveError, State
from rulelang.runtime.table import Table
from rulelang.runtime.validate_state import InvalidState, check_words
from rulelang.runtime.watched_cells import CLOSE, CURTAIN, PASS

#: Bounds of a word of the state, and of all other numbers: they count or number something.
WORD = -(1 << 63), (1 << 63) - 1
SMALL = -(1 << 31), (1 << 31) - 1
#: Seeds may be larger than a word: the generator takes what it needs of them.
SEED = -(1 << 4096), 1 << 4096


def restore_state(table: Table, names: Names, record: Mapping[str, Any], *, trusted: bool = False) -> State:
    """Return the state of a record. SaveError if it is damaged. `trusted`: nobody can have altered it, so its words are
    not examined."""
    if record.get("layout") != table.fingerprint:
        raise SaveError("this game was saved by another version of rulelang, with another layout of the state")
    layout = table.program.layout
    with _while_reading("words"):
        words = table.program.pack(_checked_numbers(record["words"], layout.size))
    with _while_reading("called"):
        called = {
            (_checked_text(kind), _checked_int(handle, 0)): _checked_text(text)
            for kind, handle, text in record["called"]
        }
    with _while_reading("log"):
        host = Recorder(table, words, record["log"] is not None)
        entries = _checked_entries(table, record["log"] or ())
    with _while_reading("opened"):
        events = sum(entry.numbered for entry in entries)
        host.load(entries, [_checked_int(number, 0, events - 1) for number in record["opened"]])
    with _while_reading("curtain"):
        if record["curtain"] is not None:
            host.curtain_words = _checked_numbers(record["curtain"], layout.size)
    with _while_reading("curtain_from"):
        host.curtain_from = _curtain_from(record, entries, host)
    with _while_reading("took"):
        seat, site = record["took"]
        host.took = _checked_int(seat, 0, table.players), _checked_int(site, 0, len(table.program.sites))
    with _while_reading("dice"):
        host.dice = tuple(_checked_int(die, 0) for die in record["dice"])
    choices: Choices = None
    with _while_reading("choices"):
        for choice in record["choices"]:
            choices = (_checked_int(choice, 0), choices)
    with _while_reading("seed"):
        seed = None if record["seed"] is None else _checked_int(record["seed"], *SEED)
    state = State(table, Names(names.layout, names.players, called), words, host, None, seed, choices)
    state._loaded = not trusted
    if state.hash() != record.get("hash"):
        raise SaveError("this saved game is damaged: its checksum is wrong")
    if trusted:
        state._keys = None if words[layout.cells.over] else table.program.options(words)
        return state
    with _as_save_error(STUCK_POSITION):
        check_words(layout, words)
        if host.curtain_words is not None:
            check_words(layout, host.curtain_words)
        _ask_pending(state)
    return state


class _Damaged(ValueError):
    """What is wrong with a record, in our words."""


def _while_reading(name: str) -> AbstractContextManager[None]:
    """While a part of a record is read."""
    return _as_save_error(f"`{name}` is not valid in a saved game")


@contextmanager
def _as_save_error(otherwise: str) -> Iterator[None]:
    """SaveError for whatever goes wrong: what was found wrong tells itself; what Python stumbles over says nothing to
    players, so this is said instead."""
    try:
        yield
    except SaveError:
        raise
    except (_Damaged, InvalidState, RuleError) as error:
        raise SaveError(f"this saved game is damaged: {error}") from None
    except STRAY_CELL_ERRORS:
        raise SaveError(f"this saved game is damaged: {otherwise}") from None


def _ask_pending(state: State) -> None:
    """Ask what is pending. _Damaged and others of `STRAY` for words that make no sense."""
    program, words = state._table.program, state._words
    cells = program.layout.cells
    if words[cells.over] and (words[cells.site] or words[cells.decider] or words[cells.frame]):
        raise _Damaged("the game is over, but a player is asked")
    wrong = ("" if words[cells.over] else program.frames_wrong(words)) or program.words_wrong(words)
    if wrong:
        raise _Damaged(wrong)
    check_invariants(state._table, words)
    if words[cells.over]:
        return
    before = words[:]
    state._keys = program.options(words)
    fewest = 1 if words[cells.stepping] else 2  # a forced decision is made silently
    if state._keys is None or len(state._keys) < fewest or words != before:
        raise _Damaged("nobody is asked, but the game is not over")
    state.decision  # noqa: B018 - its texts can be made


def _checked_numbers(items: Any, count: int) -> list[int]:
    if not isinstance(items, list) or len(items) != count:
        raise _Damaged(f"{count} words are expected")
    if not all(type(item) is int and WORD[0] <= item <= WORD[1] for item in items):
        raise _Damaged("a word is not a number")
    return list(items)


def _checked_int(item: Any, low: int = SMALL[0], high: int = SMALL[1]) -> int:
    """Return a whole number within the bounds. JSON also has 1.0, true and 1e308: _Damaged for these."""
    if type(item) is not int:
        raise _Damaged(f"expected a whole number, found {_quoted_value(item)}")
    if not low <= item <= high:
        raise _Damaged(f"expected a number from {low} to {high}, found {_quoted_value(item)}")
    return item


def _quoted_value(item: Any) -> str:
    """A value as a message quotes it. Python refuses to write integers of more than 4,300 digits."""
    if isinstance(item, int) and abs(item) > WORD[1]:
        return "a larger number"
    return repr(item)[:40]


def _checked_text(item: Any) -> str:
    if not isinstance(item, str):
        raise _Damaged(f"expected a string, found {_quoted_value(item)}")
    return item


def _curtain_from(record: Mapping[str, Any], entries: Sequence[Entry], host: Recorder) -> int:
    """Return the number of the first event of the curtain. An open curtain starts where the log last says that one
    falls; each viewer's log is cut there, so any other number would show or hide the wrong events."""
    given = _checked_int(record["curtain_from"], 0, host.count)
    if host.curtain_words is None or not host.enabled:
        return given
    falls, events = -1, 0
    for entry in entries:
        if entry.template == CURTAIN:
            falls = events
        events += entry.numbered
    if given != falls:
        raise _Damaged(f"`curtain_from` is {given}, but the log has no curtain there")
    return given


def _checked_entries(table: Table, items: Sequence[Any]) -> list[Entry]:
    """The log as it was noted: every entry can be shown."""
    found: list[Entry] = []
    events: list[Entry] = []
    for item in items:
        template, args, parent, depth, snapshots, by = item
        entry = Entry(
            _checked_int(template),
            tuple(_checked_int(value, *WORD) for value in args),
            _checked_int(parent),
            _checked_int(depth),
            tuple(CardSnapshot(_checked_int(zone), _checked_int(face)) for zone, face in snapshots),
            _checked_int(by),
        )
        if entry.numbered:
            _check_event(table, entry, len(events))
            events.append(entry)
        elif entry.template != CLOSE:
            _check_change(table, entry, len(events))
        elif not 0 <= entry.parent < len(events) or len(entry.snapshots) != len(events[entry.parent].snapshots):
            raise _Damaged("an event of the log ends before it begins")
        if any(not 0 <= mark.zone < len(table.program.layout.zone_names) or mark.face < 0 for mark in entry.snapshots):
            raise _Damaged("a card of the log is nowhere")
        found.append(entry)
    return found


def _check_event(table: Table, entry: Entry, number: int) -> None:
    """_Damaged for an event that cannot be shown as the one of this number."""
    program = table.program
    _check_place(table, entry, number)
    if entry.template == PASS:
        seat, site, _ = entry.args
        if not 1 <= seat <= table.players or not 1 <= site <= len(program.sites) or entry.snapshots:
            raise _Damaged("a pass of the log has no player")
        return
    if not 0 <= entry.template < len(program.templates):
        raise _Damaged("an event of the log has an unknown type")
    cards, sorts = table.card_args[entry.template], program.layout.sorts
    if len(entry.snapshots) != len(cards):
        raise _Damaged("the cards of an event of the log are wrong")
    if any(kept.of >= len(entry.args) for kept in program.templates[entry.template].kept):
        raise _Damaged("an event of the log shows numbers without their owner")
    for part in program.templates[entry.template].parts:
        if not isinstance(part, str):
            value = entry.args[part[0]]
            if part[1] in sorts and not 0 <= value < len(program.layout.cards):
                raise _Damaged("an event of the log has an unknown card")


def _check_change(table: Table, entry: Entry, number: int) -> None:
    """_Damaged for a change that cannot be told behind so many events."""
    _check_place(table, entry, number)
    if entry.template != CURTAIN and table.watched.wrong(entry.template, entry.args, len(entry.snapshots)):
        raise _Damaged("the log contains an impossible change")


def _check_place(table: Table, entry: Entry, number: int) -> None:
    """_Damaged for an entry that was caused or done by nobody."""
    if not -1 <= entry.parent < number or not 0 <= entry.depth <= number:
        raise _Damaged("the place of an event of the log is wrong")
    if not 0 <= entry.by <= table.players:
        raise _Damaged("an event of the log has an unknown player")
