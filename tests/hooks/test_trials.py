"""Trials of actions: they end at the last `ensure` that can be reached, and nothing in them asks or draws lots."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation, check
from rulelang.compiler.ir.verify import verify
from rulelang.compiler.lower.table import lower_table
from rulelang.language.semantics.state_layout import Config
from rulelang.runtime.state import State
from tests.backends.named import BACKENDS
from tests.hooks.small import codes, play, started, told, unoptimised, write

__all__ = ["unoptimised"]
pytestmark = pytest.mark.usefixtures("unoptimised")


THINGS = """\
kinds:
  pawn: {of: player, line: true, at_most: 3, names: [a, b, c, d]}
cards:
  card: {columns: {face: trait}, rows: [{face: mute, copies: 2}, {face: horn, copies: 2}]}
zones:
  gear: {of: pawn, holds: card, seen_by: everyone, in_force: true}
  deck: {holds: card, seen_by: nobody}
state: {first_player: player, limit: {is: number, start: 3}, tried: number, shown: number, total: number}
"""
FLOW = """\
game:
  for player p: create pawn of p
  for pawn x, card c in box where (c.number == 1 or c.number == 3): move c to x.gear
  day
phase day: turns p from first_player once each: offer any actions to p or pass
phase dusk: offer one action to actor or pass
value score(player p) -> int: 0
"""
PLAIN = "  modify worth(self): + 1\n"


def game(folder: Path, rules: str, mute: str = PLAIN, horn: str = PLAIN) -> Path:
    return write(
        folder / "pawns",
        {
            "things.yaml": THINGS,
            "game.rules": FLOW + "value worth(pawn x) -> int: 1\n" + rules,
            "traits/mute.yaml": "trait: mute\ntext: mute\nrules: |\n" + mute,
            "traits/horn.yaml": "trait: horn\ntext: horn\nrules: |\n" + horn,
        },
    )


def options(state: State) -> list[str]:
    return [option.text for option in state.decision.options]


AFTER = {
    "in the action": (
        "action go(int n from 1 to 4) during day:\n  tried = n\n  ensure tried < limit\n"
        '  roll 1d6 as shown\n  choose int m from 1 to 2\n  total = m\n  tells "{total} {tried}"\n'
    ),
    "in a routine": (
        "action go(int n from 1 to 4) during day:\n  weigh(n)\n  more\n"
        "routine weigh(int n):\n  tried = n\n  ensure tried < limit\n  roll 1d6 as shown\n"
        'routine more:\n  choose int m from 1 to 2\n  total = m\n  tells "{total} {tried}"\n'
    ),
    "in branches": (
        "action go(int n from 1 to 4) during day:\n"
        "  if n > 1:\n    tried = n\n    ensure tried < limit\n    roll 1d6 as shown\n"
        "  else: roll 2d6 as shown\n"
        '  choose int m from 1 to 2\n  total = m\n  tells "{total} {tried}"\n'
    ),
    "behind a loop": (
        "action go(int n from 1 to 4) during day:\n"
        "  for int m from 1 to n:\n    tried += 1\n    ensure tried < limit\n"
        '  roll 1d6 as shown\n  choose int m from 1 to 2\n  total = m\n  tells "{total} {tried}"\n'
    ),
    "in a hook": (
        "action go(int n from 1 to 4) during day: weigh(n)\n"
        "routine weigh(int n): tried = n\nafter weigh(any):\n  ensure tried < limit\n  roll 1d6 as shown\n"
        'after go(any):\n  choose int m from 1 to 2\n  total = m\n  tells "{total} {tried}"\n'
    ),
    "in what takes its place": (
        "action go(int n from 1 to 4) during day: weigh(n)\n"
        "routine weigh(int n): tried = n\n"
        "instead of weigh(n):\n  ensure n < limit\n  roll 1d6 as shown\n  proceed\n"
        '  choose int m from 1 to 2\n  total = m\n  tells "{total} {tried}"\n'
    ),
    "in a forced reaction": (
        "action go(int n from 1 to 4) during day: weigh(n)\n"
        "routine weigh(int n): tried = n\nreact to weigh(n):\n  ensure n < limit\n  roll 1d6 as shown\n"
        'after weigh(any):\n  choose int m from 1 to 2\n  total = m\n  tells "{total} {tried}"\n'
    ),
    "with a forced reaction on its way": (
        "action go(int n from 1 to 4) during day:\n  weigh(n)\n  ensure tried < limit\n  roll 1d6 as shown\n"
        '  choose int m from 1 to 2\n  total = m\n  tells "{total} {tried}"\n'
        "routine weigh(int n): tried = n\nreact to weigh(n) when n > 9: stop\n"
    ),
    "before an offer of what is tried for itself": (
        "action go(int n from 1 to 4) during day:\n  tried = n\n  ensure tried < limit\n  roll 1d6 as shown\n  dusk\n"
        "action 'NAME'(int m from 1 to 3) during dusk:\n  total = m\n  ensure total < limit\n  roll 1d6 as shown\n"
        '  tells "{total} {tried}"\n'
    ).replace("'NAME'", "add"),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rules", AFTER.values(), ids=AFTER)
def test_after_the_last_ensure_all_may_come(tmp_path: Path, rules: str, backend: str) -> None:
    state = started(game(tmp_path, rules), backend=backend)
    assert options(state) == ["go 1", "go 2", "pass"]
    play(state, "go 2")
    offered = ["1", "2"] if "add" not in rules else ["add 1", "add 2", "pass"]
    assert options(state) == offered
    play(state, offered[1])
    assert told(state)[-1] == "2 2"


BEFORE = {
    "a roll": "action go during day:\n  roll 1d6 as shown\n  ensure shown < 5\n",
    "a roll, in a loop": "action go during day:\n  repeat 2 times:\n    ensure shown < 5\n    roll 1d6 as shown\n",
    "a choice in a routine": (
        "action go during day:\n  pick\n  weigh\nroutine pick: choose int n from 1 to 2: total = n\n"
        "routine weigh: ensure total < 2\n"
    ),
    "a roll, by way of what comes again": (
        "action go during day: down(3)\nroutine down(int n):\n  ensure total < 9\n  roll 1d6 as shown\n"
        "  if n > 0: down(n - 1)\n"
    ),
    "what a hook may": (
        "action go during day:\n  weigh\n  ensure total < 2\nroutine weigh: total += 1\nmay before weigh: total += 1\n"
    ),
    "a reaction that may be": (
        "action go during day:\n  weigh\n  ensure total < 2\nroutine weigh: total += 1\nmay react to weigh: stop\n"
    ),
    "a roll of an inner layer": (
        "action go during day: weigh\nroutine weigh: roll 1d6 as shown\n"
        "instead of weigh:\n  proceed\n  ensure shown < 5\n"
    ),
    "a roll, begun again": (
        "action go during day: weigh(1)\nroutine weigh(int n): total = n\nbefore weigh(any): ensure total < 5\n"
        "react to weigh(n) when n == 1:\n  roll 1d6 as shown\n  redirect weigh(2)\n"
    ),
}


@pytest.mark.parametrize("rules", BEFORE.values(), ids=BEFORE)
def test_before_an_ensure_nothing_is_asked(tmp_path: Path, rules: str) -> None:
    assert codes(game(tmp_path, rules)) == ["W506"]


def test_a_reaction_that_owners_pick_is_a_choice(tmp_path: Path) -> None:
    rules = "action go(pawn x) during day:\n  hit(x)\n  ensure total < 2\nroutine hit(pawn x): total += 1\n"
    assert codes(game(tmp_path, rules, mute="  react to hit(self): total += 1\n")) == ["W506"]
    assert codes(game(tmp_path / "always", rules, mute="  always react to hit(any): total += 1\n")) == []


def test_it_names_the_ensure_that_is_still_to_come(tmp_path: Path) -> None:
    rules = "action go during day:\n  ensure total < 1\n  roll 1d6 as shown\n  ensure shown < 5\n  roll 1d6 as shown\n"
    (mistake,) = check(game(tmp_path, rules))[1]
    first = FLOW.count("\n") + 2
    assert [(at.span.line, at.note) for at in mistake.related] == [
        (first + 2, "a roll of dice is here"),
        (first + 3, "this `ensure` can come after it"),
    ]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_card_is_tried_as_it_is_played(tmp_path: Path, backend: str) -> None:
    """What is tried is the whole of what follows: the card has left the hand, and its flag is set."""
    things = THINGS.replace(
        "  deck:",
        "  hand: {of: player, holds: card, seen_by: owner, in_force: true, playable: true, played_to: deck}\n  deck:",
    )
    where = game(tmp_path, "", mute="  action go during day:\n    ensure count(card c in deck) < 2\n")
    (where / "things.yaml").write_text(things)
    rules = (where / "game.rules").read_text()
    (where / "game.rules").write_text(
        rules.replace("  day\n", "  for card c in box where c.number == 2: move c to first_player.hand\n  day\n", 1)
        + "action lay(card c in box) during day: move c to deck\n"
    )
    state = started(where, backend=backend)
    assert [text for text in options(state) if text.startswith("go")] == ["go none"]
    play(state, next(text for text in options(state) if text.startswith("lay")))
    # With the one that is laid and the one that would be played there are two. A pawn that bears the trait plays none.
    assert [text for text in options(state) if text.startswith("go")] == ["go b"]


@pytest.mark.parametrize(
    "rules",
    [
        "routine late: ensure total < 1\nafter day: late\n",
        "after day: ensure total < 1\n",
        "routine late: total += 1\nbefore day: late\nreact to late: ensure total < 1\n",
        "routine late in owner's order: total += 1\nbefore day: late\nafter late: ensure total < 1\n",
        "routine late: total += 1\nbefore day: late\ninstead of late:\n  proceed\n  ensure total < 1\n",
        "instead of day:\n  for player p:\n    if p.pawns_ > 1: ensure total < 1\n  proceed\n".replace(
            "p.pawns_", "total"
        ),
    ],
)
def test_what_happens_by_itself_cannot_be_refused(tmp_path: Path, rules: str) -> None:
    assert codes(game(tmp_path, rules)) == ["W520"]


def test_what_only_actions_reach_is_tried_with_them(tmp_path: Path) -> None:
    rules = "action go during day: late\nroutine late: total += 1\nafter late: ensure total < 3\n"
    assert codes(game(tmp_path, rules)) == []


# What may stand in a body, by letters; `r` and `s` call routines whose bodies are made of them too.
PIECES = {
    "e": "ensure total < 9",
    "n": "roll 1d6 as shown",
    "r": "r_",
    "s": "s_",
    "b": "if total > 2: r_",
    "l": "for player p: s_",
    "h": "hooked",
}
HOOKS = {
    "none": "",
    "before": "before hooked: {0}\n",
    "after": "after hooked:\n  {0}\n  {1}\n",
    "instead": "instead of hooked:\n  {0}\n  proceed\n  {1}\n",
    "react": "react to hooked:\n  {0}\n  {1}\n",
    "again": "before hooked: {0}\nreact to hooked:\n  {1}\n  redirect hooked\n",
    "two": "after hooked: {0}\nafter hooked: {1}\n",
}


def _block(letters: str) -> str:
    return "".join(f"  {PIECES[letter]}\n" for letter in letters)


def _cases() -> list[str]:
    rules: list[str] = []
    for k, (body, hook) in enumerate(product(("er", "rn", "ren", "hn", "rh", "hr", "brn", "lnr", "srb", "bl"), HOOKS)):
        first, second = ("en", "ne", "se", "es", "nn", "ee")[k % 6]
        parts = HOOKS[hook].format(PIECES[first], PIECES[second])
        r, s = ("en", "ne", "es", "sn", "n", "h")[k // 2 % 6], ("n", "e", "en", "nn")[k // 3 % 4]
        rules.append(
            f"action go during day:\n{_block(body)}{parts}routine hooked: {PIECES['ne'[k % 2]]}\n"
            f"routine r_:\n{_block(r)}routine s_:\n{_block(s)}"
        )
    return rules


def test_the_check_knows_what_a_trial_would_meet(tmp_path: Path) -> None:
    """W506 just where the trial, as it is lowered, would roll."""
    met: dict[bool, int] = {True: 0, False: 0}
    for k, rules in enumerate(_cases()):
        where = game(tmp_path / str(k), rules)
        ruleset = Compilation(where)
        program, mistakes = ruleset.typed
        assert {item.code for item in mistakes} <= {"W506"}, rules
        module = lower_table(ruleset.model, program, Config(2, {}))[0]
        noisy = any("in a trial" in text for text in verify(module))
        assert noisy == bool(mistakes), rules
        met[noisy] += 1
    assert min(met.values()) > 10, met


#: Where an `ensure` stands before what cannot be tried, and may come behind it all the same.
AGAIN = {
    "several hooks of one kind on one event can run in any order": (
        "action go during day: weigh\nroutine weigh\n"
        "after weigh: ensure total < 2\nafter weigh when total > 0: roll 1d6 as shown\n"
    ),
    "in a loop, the first statement can run again": (
        "action go during day:\n  for pawn x:\n    ensure total < 5\n    roll 1d6 as shown\n"
    ),
    "use chance": "action go during day:\n  for pawn x:\n    roll 1d6 as shown\n    ensure shown < 5\n",
}


@pytest.mark.parametrize("why", AGAIN)
def test_it_says_why_what_stands_before_may_come_behind(tmp_path: Path, why: str) -> None:
    (mistake,) = check(game(tmp_path, AGAIN[why]))[1]
    assert mistake.code == "W506"
    assert mistake.because.endswith(why)


ALL = """\
action try_on(pawn x of actor, int n from 1 to 3) during day:
  tried += n
  fit(x, n)
action rest during day: shown += 1
routine fit(pawn x, int n):
  ensure n < 2 because "{x} has no room for {n}"
  ensure worth(x) > 1 because "{x} is worth {worth(x)}"
  ensure tried < 3
  total += n
  ensure total < 1 because "{total} is too much"
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_that_is_ensured_together_and_fails_is_told(tmp_path: Path, backend: str) -> None:
    state = started(game(tmp_path, ALL), backend=backend)

    def why(n: int) -> list[str]:
        return [refusal.text for refusal in state.why_not(f"try_on a {n}")]

    assert why(3) == ["a has no room for 3", "a is worth 1", "the tried is 3, not less than 3"]
    assert why(2) == ["a has no room for 2", "a is worth 1"]
    assert why(1) == ["a is worth 1"]
