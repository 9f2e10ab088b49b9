"""A trial runs on the state itself: whatever it changes is taken back word for word, however much that is, and also
where another trial runs within it."""

from __future__ import annotations

from random import Random

from rulelang.base.source import NOWHERE
from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import link
from rulelang.compiler.ir import nodes as ir
from tests.backends.machine import CELLS, STACK, C, L, at, module, plus, routine
from tests.native.machine import native, needs_compiler

pytestmark = needs_compiler
ZONES, WORDS, WHERE, OUT = (40, 80, 120), 160, 200, 240
CARDS = 24
#: More changes than a context has notes for.
MANY = 6000


def changes(random: Random) -> ir.Block:
    """Some statements of every kind that changes words; an `Ensure` at the end that looks at what they did."""
    found: list[ir.Stmt] = []
    lying = {zone: list(range(1 + 8 * i, 9 + 8 * i)) for i, zone in enumerate(ZONES)}  # which cards, order aside
    for number in range(random.randrange(3, 12)):
        one, other = random.sample(ZONES, 2)
        kinds = ["store", "add", "fill", "shuffle", "pour", "list", "random", "limited"]
        kinds += ["drop", "deal"] if lying[one] else []
        match random.choice(kinds):
            case "store":
                found.append(ir.Store(WORDS, C(random.randrange(20)), plus(at(CELLS.rng_x), C(number))))
            case "add":
                found.append(ir.Add(WORDS, C(random.randrange(20)), C(random.randrange(-9, 9))))
            case "limited":
                limits = ir.Limits(-5, 5, True, "word", NOWHERE)
                found.append(ir.Add(WORDS, C(random.randrange(20)), C(random.randrange(-9, 9)), limits))
            case "fill":
                found.append(ir.Fill(WORDS + random.randrange(10), random.randrange(1, 9), number))
            case "shuffle":
                found.append(ir.ArrayShuffle(C(one)))
            case "random":
                found += [ir.Random("r", C(1000)), ir.Store(WORDS, C(3), L("r"))]
            case "list":
                found += [ir.NewList("l", 4), ir.Append("l", C(7)), ir.Append("l", C(9)), ir.ListToArray(C(180), "l")]
            case "pour":
                found.append(ir.ArrayAppendAll(C(one), C(other), WHERE, C(other), random.random() < 0.5))
                lying[other] += lying[one]
                lying[one] = []
            case "drop":
                # which card that is depends on what was shuffled: it is put back elsewhere
                card = at(one + 1)
                found += [ir.Set("c", card), ir.ArrayDrop(C(one), L("c"))]
                found.append(ir.ArrayPush(C(other), L("c"), random.random() < 0.5))
                lying[other].append(lying[one].pop())
            case "deal":
                count = random.randrange(1, len(lying[one]) + 1)
                found.append(ir.ArrayDraw(C(one), C(other), C(count), WHERE, C(other)))
                lying[other] += lying[one][:count]
                del lying[one][:count]
    each = ir.Set("s", ir.Arith("&", plus(ir.Arith("*", L("s"), C(3)), at(0, L("w"))), C(0xFFFF)))
    total = (ir.Set("s", C(0)), ir.ForRange("w", C(ZONES[0]), C(WHERE + CARDS + 1), (each,)))
    odd = ir.Arith("&", ir.Arith(">>", L("s"), C(3)), C(1))
    return (*found, *total, ir.Ensure(odd, 1))


def both(made: ir.Module) -> list[int]:
    """The words behind a game on the native backend, which are those of the Python backend."""
    for i, zone in enumerate(ZONES):
        cards = range(1 + 8 * i, 9 + 8 * i)
        made.initial[zone : zone + 9] = [8, *cards]
        for card in cards:
            made.initial[WHERE + card] = zone
    states = []
    for game in (link(emit(made).source, made), native(made)):
        S = game.initial
        game.sample(S)
        states.append(list(S))
    assert states[0] == states[1]
    return states[1]


def without_answers(words: list[int]) -> list[int]:
    played = {CELLS.over, CELLS.steps}
    return [0 if i in played or i >= OUT else word for i, word in enumerate(words[:STACK])]


def test_all_that_a_trial_changes_is_taken_back() -> None:
    random = Random(5)
    tried = [routine(f"try{i}", "", *changes(random)) for i in range(40)]
    asked = tuple(ir.Store(OUT + i, None, ir.Trial(f"try{i}", ())) for i in range(40))
    made = module(routine("main", "", *asked), *tried)
    words = both(made)
    assert without_answers(words) == without_answers(made.initial)
    assert {0, 1} == set(words[OUT : OUT + 40])


def growing(name: str, word: int, turns: int, *more: ir.Stmt) -> ir.Function:
    body = (ir.Add(WORDS, ir.Arith("%", L("i"), C(10)), C(1)), ir.Add(word, None, C(1)))
    return routine(name, "", ir.ForRange("i", C(0), C(turns), body), *more)


def test_a_trial_may_change_more_than_is_noted() -> None:
    """Behind that within it another one begins, on a copy, and one more when that has ended."""
    inner = growing("inner", WORDS + 12, 50, ir.Ensure(ir.Compare("==", at(WORDS + 12), C(50)), 1))
    full = ir.Ensure(ir.Compare("==", at(WORDS + 11), C(MANY)), 1)
    kept = ir.Ensure(ir.Compare("==", at(WORDS + 12), C(0)), 1)
    within = ir.Ensure(ir.Trial("inner", ()), 1)
    outer = growing("outer", WORDS + 11, MANY, full, within, kept, within, full)
    before = (ir.Add(WORDS + 15, None, C(3)), ir.Ensure(ir.Trial("outer", ()), 1), full_at(0), within)
    around = routine("around", "", *before, ir.Ensure(ir.Compare("==", at(WORDS + 15), C(3)), 1))
    refused = growing("refused", WORDS + 13, MANY, ir.Ensure(C(0), 1))
    names = ("around", "refused", "outer", "inner")
    asked = tuple(ir.Store(OUT + i, None, ir.Trial(name, ())) for i, name in enumerate(names))
    made = module(routine("main", "", *asked), inner, outer, around, refused)
    words = both(made)
    assert without_answers(words) == without_answers(made.initial)
    assert words[OUT : OUT + 4] == [1, 0, 1, 1]


def full_at(count: int) -> ir.Stmt:
    return ir.Ensure(ir.Compare("==", at(WORDS + 11), C(count)), 1)
