"""The log as data: it fits its schema, tells the changes of the table in their order, and every change of it."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.data.schema import schema_problems
from rulelang.runtime.agents import Random
from rulelang.runtime.changes import Change
from rulelang.runtime.state import State
from tests.log.games import everywhere, game, positions


def begun(name: str, decisions: int) -> State:
    """A state after so many decisions."""
    return next(state for number, state in enumerate(positions(name, 3, 5)) if number == decisions)


@everywhere
def test_it_fits_its_schema_and_is_told_in_order(name: str) -> None:
    state = begun(name, 80)
    for log in (state.log, state.log_for(None), *(state.log_for(seat) for seat in (1, 2, 3))):
        data = log.data()
        assert schema_problems("log", data) == []
        entries = data["entries"]
        assert [entry["id"] for entry in entries] == list(range(len(entries)))
        assert all(entry["cause"] is None or entry["cause"] < entry["id"] for entry in entries)
        for entry in entries:
            assert entry["depth"] == (0 if entry["cause"] is None else entries[entry["cause"]]["depth"] + 1)
        assert [entry["text"] for entry in entries if "source" in entry] == [event.text for event in log]


class Follower:
    """Keeps where cards lie, what lives and what values are, by nothing but the changes that a log tells."""

    def __init__(self) -> None:
        self.cards: dict[int, int] = {}
        self.living: dict[tuple[str, int], bool] = {}
        self.values: dict[tuple[int, int, tuple[int, ...]], int] = {}  # by base, handle and index
        self.followed = 0

    def follow(self, changes: Sequence[Change]) -> None:
        for change in changes[self.followed :]:
            if change.what == "move":
                for card in change.cards:
                    assert self.cards.get(card, change.origin) == change.origin
                    self.cards[card] = change.target
            elif change.attribute is not None:
                at = (change.attribute.base, change.handle, change.index)
                assert self.values.get(at, change.old) == change.old
                self.values[at] = change.new
            else:
                thing, made = (change.kind, change.handle), change.what == "made"
                assert self.living.get(thing, not made) != made
                self.living[thing] = made
        self.followed = len(changes)

    def agrees(self, state: State) -> None:
        """What was followed is so. A thing that is made begins with values of its own, so those are not compared."""
        layout, words = state.table.program.layout, state.words
        for card, zone in self.cards.items():
            assert words[layout.where + card] == zone
        for (kind, handle), alive in self.living.items():
            assert bool(words[layout.kinds[kind].alive + handle]) == alive
        for attribute in state.table.watched.attributes:
            if attribute.kind not in layout.kinds and not attribute.trait and not attribute.dims:
                for handle in range(attribute.count + 1):
                    known = self.values.get((attribute.base, handle, ()))
                    assert known is None or words[attribute.base + handle] == known


@everywhere
def test_whoever_follows_the_changes_has_what_the_table_has(name: str) -> None:
    follower = Follower()
    for number, state in enumerate(positions(name, 3, 5)):
        for key in [key for key in follower.values if key[0] in _of_things(state)]:
            del follower.values[key]
        follower.follow(state.log.changes)
        follower.agrees(state)
        if number == 60:
            break
    assert follower.cards
    assert follower.values


def _of_things(state: State) -> set[int]:
    kinds = state.table.program.layout.kinds
    return {attribute.base for attribute in state.table.watched.attributes if attribute.kind in kinds}


def test_a_pass_is_told_unless_it_ends_what_one_was_doing() -> None:
    state = begun("evolution", 0)
    kinds: set[tuple[str, bool, bool]] = set()
    acted = 0
    chooser = Random(3)
    while not state.over:
        asked, count = state.decider, len(state.log)
        option = state.decision.options[chooser.choose(state)]
        offered = state.decision.kind == "offer"
        state.play(option)
        if not offered:
            continue
        if option.action:
            acted = asked
            continue
        event = state.log[count]
        assert (event.what, event.by, event.text) == ("pass", asked, f"{state.players[asked - 1]} passes")
        # In the phase of cards one may do several things; at the watering hole one at a time.
        phase = next(cause for cause in event.causes() if cause.parent is None).name
        kinds.add((phase, event.told, acted == asked))
        acted = 0
    assert ("play_cards", False, True) in kinds
    assert ("play_cards", True, False) in kinds
    assert all(told or own for _, told, own in kinds)


@everywhere
def test_a_saved_log_is_the_same(name: str) -> None:
    state = begun(name, 40)
    again = game(name).restore(state.save())
    assert again.log.data() == state.log.data()
    for one in (state, again):
        one.play(0)
    assert again.log.data() == state.log.data()
