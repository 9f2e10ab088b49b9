"""A log tells a seat nothing that it may not know: it is the same whatever the hidden cards and values are."""

from __future__ import annotations

import json
import random

from rulelang.runtime.changes import sees_zone
from rulelang.runtime.event_log import Log
from rulelang.runtime.recorder import CardSnapshot, Entry, Recorder
from rulelang.runtime.state import State
from rulelang.runtime.table import Table
from rulelang.runtime.watched_cells import CLOSE, MOVE, SET
from tests.log.games import everywhere, positions


def sees(table: Table, snapshot: CardSnapshot, viewer: int) -> bool:
    return sees_zone(table, snapshot.zone, viewer)


def another(table: Table, card: int, chance: random.Random) -> int:
    """Some card of the same sort."""
    layout = table.program.layout
    first, last = layout.sorts[layout.cards[card].sort]
    return chance.randint(first, last)


def with_other_secrets(state: State, viewer: int, chance: random.Random) -> tuple[Recorder, int]:
    """What happened, with other cards wherever the viewer saw them neither before nor after, and other hidden values;
    and how many of them there were."""
    table = state.table
    host = state.clone()._host
    entries = host.entries()
    ends = {entry.parent: entry.snapshots for entry in entries if entry.template == CLOSE}
    changed: list[Entry] = []
    number = hidden = 0
    for entry in entries:
        args = list(entry.args)
        snapshots = list(entry.snapshots)
        if entry.template >= 0:
            after = ends.get(number, entry.snapshots)
            positions_ = table.card_args[entry.template]
            for k, (position, was, is_) in enumerate(zip(positions_, entry.snapshots, after, strict=True)):
                if args[position] and not sees(table, was, viewer) and not sees(table, is_, viewer):
                    args[position] = another(table, args[position], chance)
                    snapshots[k] = CardSnapshot(was.zone, 0)
                    hidden += 1
        elif entry.template == MOVE and not any(sees_zone(table, zone, viewer) for zone in args[:2]):
            args[2:] = [another(table, card, chance) for card in args[2:]]
            snapshots = [CardSnapshot(snapshot.zone, 0) for snapshot in snapshots]
            hidden += len(snapshots)
        elif entry.template == SET:
            attribute = table.watched.attributes[args[0]]
            own = attribute.kind == "player" and args[1] == viewer
            if attribute.seen_by == "nobody" or (attribute.seen_by == "owner" and not own and not snapshots):
                args[4] += 1
                hidden += 1
            elif snapshots and not sees(table, snapshots[0], viewer):
                args[1] = another(table, args[1], chance)
                hidden += 1
        number += entry.numbered
        changed.append(entry._replace(args=tuple(args), snapshots=tuple(snapshots)))
    other = host.copy(host.words)
    other.chain = None
    other.load(changed, [number for number, _ in host.opened])
    return other, hidden


@everywhere
def test_other_secrets_are_told_alike(name: str) -> None:
    chance = random.Random(1)
    told = 0
    state = None
    for seed in (5, 6):
        for number, state in enumerate(positions(name, 3, seed)):
            if number not in (1, 10, 50, 100, 150):
                continue
            for viewer in range(len(state.players) + 1):
                log = Log(state._host, state.names, viewer)
                other, hidden = with_other_secrets(state, viewer, chance)
                assert json.dumps(Log(other, state.names, viewer).data()) == json.dumps(log.data()), f"seen by {viewer}"
                told += hidden
            if number == 150:
                break
    assert told > 300


@everywhere
def test_cards_that_are_named_were_seen(name: str) -> None:
    """Of a step a viewer is told of no card that he saw nowhere: not before it, not after it, not between."""
    seen: dict[int, set[int]] = {}
    told: dict[int, tuple[int, int]] = {}
    for number, state in enumerate(positions(name, 3, 7)):
        table, layout = state.table, state.table.program.layout
        for viewer in range(len(state.players) + 1):
            words = state._host.curtain_words or state.words
            now = {
                card
                for card in range(1, len(layout.cards))
                for lies in {words[layout.where + card], state.words[layout.where + card]}
                if sees_zone(table, lies, viewer)
            }
            log = state.log_for(viewer or None)
            events, changes = told.get(viewer, (0, 0))
            between = {c for change in state.log.changes[changes:] if change.what == "move" for c in change.cards
                       if any(sees_zone(table, zone, viewer) for zone in (change.origin, change.target))}  # fmt: skip
            may = now | seen.get(viewer, set()) | between
            named = {
                arg
                for event in log[events:]
                for kind, arg in zip(event.kinds, event.args, strict=True)
                if kind in layout.sorts and arg
            }
            named |= {card for change in log.changes[changes:] for card in change.cards}
            assert named <= may, [layout.cards[card].label for card in named - may]
            if state._host.curtain_words is None:
                seen[viewer] = now
                told[viewer] = len(log), len(log.changes)
        if number == 120:
            break
