"""What numbers may be, statement by statement: the same on both backends, and what does not fit is told."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from rulelang.api import load
from rulelang.base.errors import RuleError
from rulelang.runtime.state import State
from tests.fuzz.tiny import write
from tests.native.machine import needs_compiler

pytestmark = [needs_compiler, pytest.mark.usefixtures("as_users")]
#: Statements, and what comes of them: the state value `total`, or a code.
CASES: dict[str, int | str] = {
    "total = 7 / zero": "X602",
    "total = 7 % small": "X602",
    "total = 7 / (small - small)": "X602",
    'tells "{7 / small}"': "X602",
    "total = divided(3)": "X602",
    "total = left(3)": "X602",
    "total = times(3)": "X610",
    "total = unused(7 / small)": "X602",
    "total = min(7, 65536 * 65536 * small * 65536 * 65536)": 0,
    "total = min(7, 65536 * (small + 65536) * 65536 * 65536)": "X610",
    "total = max(7, -65536 * (small + 65536) * 65536 * 65536)": "X610",
    "total = 65536 * (small + 65536) * 65536 * 32767 / 65536 / 65536 / 65536": 32767,
    "total = 999999999 * 3": "X601",
    "total = -999999999 - 999999999 - 147483649": -2147483647,
    "total = -999999999 - 999999999 - 147483650": "X601",
    "small += 999999999 * 999999999 * 9": "X601",
    "total += (999999999 + small) * 999999999 * 9": "X601",
    "narrow += 999999999 * 999999999 * 9; total = narrow": 6,
    "narrow -= 999999999 * 999999999 * 9; total = narrow": 0,
    "marks[start, north] += 999999999 * 3": "X601",
    "roll 4d6 as small": "X601",
    "roll (small - 1) d6 as total": 0,
    "roll 999999 d6 as total": "X614",
    "draw 999999999 * 99 from deck to hand of start; total = count(card c in hand of start)": 13,
    "draw small - 99 from deck to hand of start; total = count(card c in hand of start)": 3,
    "repeat small - 5 times: total += 1": 0,
    "repeat 999999999 * 99 times: total += 1": "X610",
    "let n = (small + 999999999) * 5; total = n / 5": "X610",
    "let n = (small + 999999999) * 2; total = n / 2": 999999999,
    "other((small + 999999999) * 5)": "X610",
    "for int n from 999999999 * 99 to 999999999 * 99 + 1: total += 1": "X610",
    "for int n from 1 to 2000 where n % 2 == 0: total += 1": 1000,
    "for int n from 1 to small + 3000 where n % 2 == 0: total += 1": "X612",
    "for int n from 1 to 9000 where n % 2 == 0: total += 1": "X612",
    "total = sum(int n from 1 to 3: (small + 999999999) * 999999999 * 5)": "X610",
    "total = sum(int n from 1 to 3: (small + 999999999) * 999999999 * 3) / 999999999 / 9": 999999999,
}
THINGS = """\
numbers: {zero: 0}
lists:
  pool: {rows: [north, south], attributes: {tool: {holds: card}}}
cards:
  card: {columns: {cost: int}, rows: [{cost: 1, copies: 16}]}
kinds:
  fish: {of: player, line: true, at_most: 4, attributes: {weight: {is: 0..9, start: 1}}}
zones:
  deck: {holds: card, seen_by: nobody}
  hand: {of: player, holds: card, seen_by: owner}
tables:
  marks: {is: int, of: [player, pool]}
state: {start: player, total: int, small: 0..6, narrow: {is: 0..6, start: 3, clamp: true}}
"""
VALUES = """\
routine trouble
routine other(int n): total = n
value divided(int n) -> int: n
modify divided(any): / small
value left(int n) -> int: n
modify left(any): % small
value times(int n) -> int: n * 999999999 + small
modify times(any): * 999999999 * 9
value unused(int n) -> int: total
"""


@cache
def table(backend: str) -> State:
    rules = VALUES + "".join(
        f"routine case{k}:\n  " + "\n  ".join(text.split("; ")) + "\n" for k, text in enumerate(CASES)
    )
    folder = write(Path(mkdtemp()) / "tiny", rules, things=THINGS)
    return load(folder).new(2, seed=3, backend=backend)


@pytest.mark.parametrize("backend", ["python", "native"])
@pytest.mark.parametrize("number", range(len(CASES)), ids=list(CASES))
def test_what_comes_of_it(number: int, backend: str) -> None:
    wanted = list(CASES.values())[number]
    state = table(backend).clone()
    found: int | str
    try:
        state.call(f"case{number}", ())
        layout = state.table.program.layout
        found = state.words[next(a.base for a in layout.attributes if a.name == "total")]
    except RuleError as error:
        found = error.diagnostic.code
    assert found == wanted


#: A requirement that refuses, and the numbers that it tells: of 64 bits, and more of them than fit into a small record.
WIDE = "small + 999999999 * 999999999"
MANY = " ".join(f"{{(small + 999999999) * {k}}}" for k in range(40))
REFUSING = f"""\
routine trouble
routine wide: require total > 0 because "{{{WIDE}}} and {{small - 999999999 * 9}} are too many"
action late() during main:
  total = 1
  ensure total > 1 because "{{{WIDE}}} are too many"
routine many: require total > 0 because "{MANY}"
action last() during main:
  total = 1
  ensure total > 1 because "{MANY}"
"""


@cache
def refusing(backend: str) -> State:
    return load(write(Path(mkdtemp()) / "tiny", REFUSING)).new(2, seed=3, backend=backend)


@pytest.mark.parametrize("backend", ["python", "native"])
def test_reasons_tell_whole_numbers(backend: str) -> None:
    state, square = refusing(backend).clone(), 999999999 * 999999999
    each = " ".join(str(999999999 * k) for k in range(40))
    told = {
        "wide": f"{square} and {-999999999 * 9} are too many",
        "late": f"{square} are too many",
        "many": each,
        "last": each,
    }
    for routine, text in told.items():
        assert [refusal.text for refusal in state.why_not_call(routine, ())] == [text]
