"""Whoever alters a saved game gets SaveError, or a position that can be played: no other exception, and no crash."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang import SaveError
from rulelang.base.layout import Layout
from rulelang.runtime.state import DamagedState, State
from tests.backends.named import BACKENDS
from tests.native.altered import RULESETS, altered, changes_of, framed, game, heads, midway, outcome, positions
from tests.native.machine import needs_compiler

ROOT = Path(__file__).resolve().parents[2]
everywhere = pytest.mark.parametrize("backend", BACKENDS)
TRIES = 300
SHIPPED = sorted(path.name for path in RULESETS.iterdir() if path.is_dir())

Changes = Callable[[Layout, State], Mapping[int, int]]


def _used(layout: Layout, state: State) -> int:
    """An animal in play that has a neighbour."""
    kind = layout.kinds["species"]
    return next(h for h in range(1, kind.owners * kind.per_owner + 1) if state.words[kind.next + h])


def _with_list() -> tuple[State, int]:
    """A position in which a frame holds a list, and the address of its length."""
    state = midway(87, 7)
    points = state.table.program.standings
    return state, next(at + offset for at in heads(state)[::2] for offset, _ in points[state.words[at]][4])


CHANGES: dict[str, tuple[str, Changes]] = {
    "frame": ("outside of the control stack", lambda y, s: {y.cells.frame: 3}),
    "frame below 0": ("may be 0 to", lambda y, s: {y.cells.frame: -5}),
    "frame at the end": ("outside of the control stack", lambda y, s: {y.cells.frame: y.size - 1}),
    "no frame": ("outside of the control stack", lambda y, s: {y.cells.frame: 0}),
    "frame elsewhere": ("unknown point", lambda y, s: {y.cells.frame: y.size - 40}),
    "point": ("unknown point", lambda y, s: {s.words[y.cells.frame]: 9999}),
    "another point": ("something else", lambda y, s: {s.words[y.cells.frame]: 2}),
    "point below 0": ("unknown point", lambda y, s: {s.words[y.cells.frame]: -1}),
    "parent": ("outside of the control stack", lambda y, s: {s.words[y.cells.frame] + 1: 7}),
    "parent of itself": ("lies on one at", lambda y, s: {s.words[y.cells.frame] + 1: s.words[y.cells.frame]}),
    "no parent": ("belongs to no routine", lambda y, s: {s.words[y.cells.frame] + 1: 0}),
    "card": ("deck contains 5000, which does not exist", lambda y, s: {y.zones["deck"].base + 1: 5000}),
    "card twice": ("in two places", lambda y, s: {y.zones["deck"].base + 1: s.words[y.zones["deck"].base + 2]}),
    "count": ("the maximum is", lambda y, s: {y.zones["deck"].base: y.zones["deck"].stride}),
    "count below 0": ("the maximum is", lambda y, s: {y.zones["deck"].base: -1}),
    "where": ("is not in its recorded zone 40000", lambda y, s: {y.where + 1: 40000}),
    "link": ("is linked to", lambda y, s: {y.kinds["species"].next + _used(y, s): 100_000}),
    "ring": ("differ forward and backward", lambda y, s: {y.kinds["species"].next + _used(y, s): _used(y, s)}),
    "first": ("is linked to", lambda y, s: {y.kinds["species"].first + 1: -1}),
    "slot": ("waits to be released", lambda y, s: {y.kinds["species"].waiting: 100_000}),
    "living slot": ("waits to be released", lambda y, s: {y.kinds["species"].waiting: _used(y, s)}),
    "slot in use": ("is inconsistent", lambda y, s: {y.kinds["species"].used + _used(y, s): 2}),
    "link of a card": ("is linked", lambda y, s: {y.card_next + 1: 700}),
    "card 0": ("card 0", lambda y, s: {y.card_next: 700}),
    "attribute": ("there is no such player", lambda y, s: {y.attributes[0].base: 6}),
    "nothing's": ("is set for nothing", lambda y, s: {y.attributes[4].base: 6}),
    "site": ("something else", lambda y, s: {y.cells.site: 99}),
    "decider": ("`decider`", lambda y, s: {y.cells.decider: 5}),
    "phase": ("`phase`", lambda y, s: {y.cells.phase: 50}),
    "generator": ("`rng_x`", lambda y, s: {y.cells.rng_x: 1 << 30}),
    "curtain": ("`curtain`", lambda y, s: {y.cells.curtain: -1}),
    "over": ("a player is asked", lambda y, s: {y.cells.over: 1}),
    "huge": ("32 bits", lambda y, s: {y.attributes[1].base: 1 << 31}),
    "larger": ("32 bits", lambda y, s: {y.cells.round: -(1 << 40)}),
    "largest": ("not a number", lambda y, s: {y.attributes[1].base: 1 << 64}),
}


@everywhere
@pytest.mark.parametrize("name", CHANGES)
def test_an_altered_save_is_refused(name: str, backend: str) -> None:
    text, make = CHANGES[name]
    state = midway()
    blob = altered(state, make(state.table.program.layout, state))
    with pytest.raises(SaveError, match=re.escape(text)):
        game().restore(blob, backend)


@needs_compiler
def test_a_word_in_a_frame_that_is_too_large_for_c_is_refused() -> None:
    state = midway()
    blob = altered(state, {state.table.program.layout.size - 1: 1 << 40})
    assert game().restore(blob).option_count == state.option_count
    with pytest.raises(SaveError, match="does not fit into 32 bits"):
        game().restore(blob, "native")


@needs_compiler
@pytest.mark.parametrize("frame", [-1, 1, 3, 10_000_000])
def test_c_looks_at_frames_itself(frame: int) -> None:
    """Also where nobody tested the words before."""
    state = midway()
    program, words = game().table(4, backend="native").program, list(state.words)
    words[program.layout.cells.frame] = frame
    (first, *_) = state.decision.options
    for run in (
        lambda: program.options(words.copy()),
        lambda: program.resume(words.copy(), None, first.key),  # type: ignore[arg-type]
        lambda: program.playout(words.copy()),
    ):
        with pytest.raises(DamagedState):
            run()


def _joined() -> tuple[State, int, int, int]:
    """A position in which a card joins something to a thing: the card, the thing, and a card that joins nothing."""
    for state in reversed(positions("origin_of_species")):
        layout, words = state.table.program.layout, state.words
        partners = {card: words[layout.card_partner + card] for card in range(1, len(layout.cards))}
        for card, thing in partners.items():
            if thing:
                return state, card, thing, next(c for c, partner in partners.items() if not partner)
    raise AssertionError("nothing is joined in any of them")


@pytest.mark.parametrize(
    ("text", "make"),
    [
        ("is linked to", lambda p, card, thing, loose: {p.next + card: card}),
        ("is linked to", lambda p, card, thing, loose: {p.first + thing: loose}),
        ("is linked to", lambda p, card, thing, loose: {p.first + thing - 1: card}),
        ("differ forward and backward", lambda p, card, thing, loose: {p.prev + card: card}),
        ("is not in its chain", lambda p, card, thing, loose: {p.first + thing: 0}),
        ("is linked to joined cards but not joined", lambda p, card, thing, loose: {p.next + loose: card}),
        ("joined to nothing", lambda p, card, thing, loose: {p.first: card}),
    ],
)
def test_what_is_joined_is_a_whole_chain(text: str, make: Callable[..., Mapping[int, int]]) -> None:
    """Routines that never wait go through chains and count no turns."""
    state, *cards = _joined()
    pairs = state.table.program.layout.pairs
    assert outcome(altered(state, {}), "python", 1, "origin_of_species") == "played"
    with pytest.raises(SaveError, match=text):
        game("origin_of_species").restore(altered(state, make(pairs, *cards)))


@pytest.mark.parametrize("past", [-1, 1])
def test_effects_that_wait_are_as_many_as_can(past: int) -> None:
    state, *_ = _joined()
    queue = state.table.program.layout.queue
    assert queue is not None
    count = past if past < 0 else queue.room + past
    with pytest.raises(SaveError, match=f"{count} effects wait; the maximum is {queue.room}"):
        game("origin_of_species").restore(altered(state, {queue.count: count}))


def _queueing() -> State:
    """A position in which an effect waits for others."""
    for seed in range(200):
        state = game("origin_of_species").new(4, seed)
        queue = state.table.program.layout.queue
        assert queue is not None
        chooser = random.Random(seed)
        while not state.over:
            if state.words[queue.count]:
                return state
            state.play(chooser.randrange(len(state.decision.options)))
    raise AssertionError("nothing ever waits")


@pytest.mark.parametrize(
    ("column", "word", "text"),
    [
        (0, 1000, "belongs to no rule"),
        (0, -1, "belongs to no rule"),
        (1, 100_000, "no such animal"),
        (1, -2, "no such animal"),
        (2, 100_000, "no such card"),
        (3, 100_000, "no such"),
    ],
)
def test_an_effect_that_waits_is_one_of_a_rule(column: int, word: int, text: str) -> None:
    """Each entry is tested by what the hook that it names takes."""
    state = _queueing()
    queue = state.table.program.layout.queue
    assert queue is not None
    assert outcome(altered(state, {}), "python", 1, "origin_of_species") == "played"
    hook = queue.hooks[state.words[queue.column(0)]]
    if column and not hook[column - 1]:
        pytest.skip("this hook takes nothing there")
    with pytest.raises(SaveError, match=text):
        game("origin_of_species").restore(altered(state, {queue.column(column): word}))


@everywhere
@pytest.mark.parametrize("length", [-1, 1000, 1 << 30])
def test_a_list_in_a_frame_is_as_long_as_may_be(length: int, backend: str) -> None:
    state, place = _with_list()
    with pytest.raises(SaveError, match="items"):
        game().restore(altered(state, {place: length}), backend)


@needs_compiler
@pytest.mark.parametrize("length", [-1, 1000, 1 << 30])
def test_c_looks_at_lists_in_frames_itself(length: int) -> None:
    state, place = _with_list()
    program, words = game().table(4, backend="native").program, list(state.words)
    words[place] = length
    with pytest.raises(DamagedState):
        program.resume(words, None, state.decision.options[0].key)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", [{"opened": [-1]}, {"dice": [-3]}, {"curtain_from": -1, "curtain": []}])
def test_what_lies_beside_the_words_is_tested_too(change: dict[str, object]) -> None:
    with pytest.raises(SaveError, match="damaged"):
        game().restore(json.dumps({**json.loads(midway().save()), **change}))


@everywhere
def test_each_local_in_a_frame_is_what_it_can_be(backend: str) -> None:
    """And a refusal tells which word it is, of which routine, and what it may be."""
    state = midway()
    told = []
    for at in framed(state):
        try:
            game().restore(altered(state, {at: 7777}), backend)
        except SaveError as error:
            told.append(str(error))
    assert len(told) == len(framed(state))
    known = re.compile(r"word \d+, `\w+` of `[^`]+` that waits, is 7777; it may be \d+( to \d+( in steps of \d+)?)?$")
    assert sum(bool(known.search(text)) for text in told) == len(told), told


def test_numbers_do_not_blur_what_handles_may_be() -> None:
    """Not where effects wait together, nor where one decision offers options with numbers and such with things."""
    known = game("origin_of_species").table(4).program.known()  # type: ignore[attr-defined]
    handles = re.compile(r"(prey|hunter|self|victim|this|due|able)_\w+|w[0-4]")
    wide = {
        (title, name)
        for title, slots in known.points.values()
        for _, _, name, what in slots
        if handles.fullmatch(name) and what.high >= 1 << 30
    }
    assert wide == set()


def test_each_word_is_what_it_can_be() -> None:
    state = midway()
    layout = state.table.program.layout
    food = next(a for a in layout.attributes if a.name == "food")
    with pytest.raises(SaveError, match=r"word \d+, `\w+.food`, is 99; it may be 0 to \d+"):
        game().restore(altered(state, {food.base + 1: 99}))


@pytest.mark.parametrize("name", SHIPPED)
def test_no_position_of_a_game_is_refused(name: str) -> None:
    loaded = game(name)
    for players in sorted({loaded.players[0], loaded.players[1]}):
        program, state, chance = loaded.table(players).program, loaded.new(players, 3, log=False), random.Random(3)
        while not state.over:
            assert program.words_wrong(state.words) == ""
            state.play(chance.randrange(state.option_count))
        assert program.words_wrong(state.words) == ""


@everywhere
def test_a_restored_game_goes_on_as_it_would_have(backend: str) -> None:
    state = game().new(4, 11, backend=backend)
    for _ in range(50):
        state.play(state.option_count - 1)
    again = game().restore(state.save(), backend)
    for _ in range(30):
        for one in (state, again):
            one.play(one.option_count // 2)
        assert state.hash() == again.hash()
    assert state.playout(5) == again.playout(5)


def test_a_restored_position_asks_or_is_over() -> None:
    """Also where a local is possible in itself, but leads to a decision with nothing to choose."""
    state = midway(5)
    for at in framed(state):
        for word in range(5):
            try:
                again = game().restore(altered(state, {at: word}))
            except SaveError:
                continue
            assert again.over or again.option_count > 1


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from([5, 60, 110]))
def test_any_words_on_the_python_backend(number: int, moves: int) -> None:
    state = midway(moves)
    assert outcome(altered(state, changes_of(state, number, "all")), "python", number)


def _in_a_process(backend: str, first: int, tries: int, where: str, name: str) -> None:
    """A thousand saves and more, in a process of their own: it neither ends early nor hangs."""
    command = [sys.executable, "-m", "tests.native.altered", backend, str(first), str(tries), "500", where, name]
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=560,
        check=False,
    )  # fmt: skip
    *_, last = done.stdout.splitlines() or [""]
    assert done.returncode == 0, f"it ended with {done.returncode} after: {last}\n{done.stderr[-2000:]}"
    assert last.startswith("DONE")


@pytest.mark.parametrize("where", ["all", "locals"])
@pytest.mark.parametrize("backend", BACKENDS[1:])
def test_any_words_on_other_backends(backend: str, where: str) -> None:
    _in_a_process(backend, 0, TRIES, where, "evolution")


@everywhere
def test_any_queues_and_chains(backend: str) -> None:
    _in_a_process(backend, 51_000, TRIES // 2, "queue", "origin_of_species")


@pytest.mark.slow
@pytest.mark.parametrize("where", ["all", "locals", "queue"])
@pytest.mark.parametrize("name", SHIPPED)
@everywhere
def test_thousands_of_altered_saves(backend: str, name: str, where: str) -> None:
    _in_a_process(backend, 10_000, 2000, where, name)
