"""Traits on cards that lie on no thing: every kind of hook, in zones of players, of the game and of rows."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from tests.backends.named import BACKENDS
from tests.scenarios.court import BASE, failures, given, trait

TRAITS = {
    **trait("gem", "modify worth(self): + 2"),
    **trait("rent", "modify income(owner): + 1"),
    **trait("twin", "modify income(owner): * 2\nmodify worth(any): * 2 when self in table"),
    **trait("herald", "modify income(p): + 5 when p != owner"),
    **trait("guard", 'forbid strike(self) because "{self} is guarded"'),
    **trait("vow", 'forbid greet(owner) because "{owner} keeps silent"'),
    **trait("hush", 'forbid ring when noise > 1 because "it is late"'),
    **trait("rust", "ignore gem in worth(any) when self.owner == owner"),
    **trait("dull", "ignore card c in worth(any) when c.owner == owner and c.face == gem"),
    **trait("bell", "after strike(self): owner.points += 1\nbefore strike(self): noise += 1"),
    **trait("echo", "after strike(c) when c != self: owner.points += 100"),
    **trait("tax", "after greet(p) when p != owner: owner.points += 1"),
    **trait("legacy", "after discard(self): owner.points += 7\nbefore discard(this): noise += 1"),
    **trait("jest", "instead of greet(owner): owner.points -= 1"),
    **trait("shield", "may react to strike(c) when c.owner == owner and c != this: stop"),
    **trait("oath", "react to ring once per round: stop"),
    **trait("muse", "may after greet(owner) once per round: owner.points += 1"),
    **trait("whim", "after ring:\n  choose card c in owner.chest\n  move c to owner.hand"),
    **trait(
        "lute",
        "after strike(self):\n  this.plays += 1\n  owner.points += this.plays",
        more="state: {plays: number}\n",
    ),
    **trait(
        "purse",
        "value content -> int: (owner.purse otherwise 0) + 1\n"
        "routine pay: owner.points += content\nafter strike(self): pay",
    ),
    **trait(
        "coin",
        "action spend during acting:\n  require owner.purse > 0 because \"{owner} is poor\"\n  owner.points += 3\n"
        "  owner.purse -= 1",
    ),
    **trait("drum", "action beat(player p) during acting once per turn:\n  p.points += 1\n  noise += 1"),
}  # fmt: skip

CASES: dict[str, str] = {
    "modify self": given(ana="hand: [gem, rent], chest: [gem]", bob="hall: [gem]")
    + """
  when: []
  then:
    - "all(card c in ana.hand where c.face == gem: worth(c) == 3)"
    - "all(card c in ana.hand where c.face != gem: worth(c) == 1)"
    - "all(card c in ana.chest: worth(c) == 1)"
    - "all(card c in bob.hall: worth(c) == 3)"
""",
    "modify owner, once for each card": given(ana="hand: [rent, rent], hall: [twin]", bob="hall: [rent], chest: [rent]")
    + """
  when: []
  then: [income(ana) == 4, income(bob) == 1]
""",
    "on the table nobody owns it": given(ana="hand: [gem]", zones="table: [rent, gem, twin, herald]")
    + """
  when: []
  then:
    - income(ana) == 5 # nobody is not ana
    - "all(card c in table where c.face == gem: worth(c) == 6)"
    - "all(card c in ana.hand: worth(c) == 6)"
""",
    "modify others": given(ana="hand: [herald]", bob="hall: [herald, herald]")
    + """
  when: []
  then: [income(ana) == 10, income(bob) == 5]
""",
    "forbid": given(ana="hand: [guard, gem, vow]", bob="hand: [vow], chest: [guard]", zones="table: [hush]")
    + """
  when:
    - call guard: {refused: guard is guarded}
    - call gem
    - wait: {refused: ana keeps silent}
    - ring
    - ring
    - ring: {refused: it is late}
  then: [noise == 2, not can greet(bob)]
""",
    "ignore": given(ana="hall: [gem, rust], hand: [gem]", bob="hall: [gem, dull], chest: [rust]", cara="hall: [gem]")
    + """
  when: []
  then:
    - "all(card c in ana.hall: worth(c) == 1)"
    - "all(card c in bob.hall: worth(c) == 1)"
    - "all(card c in cara.hall: worth(c) == 1)"
""",
    "ignore by card": given(ana="hall: [gem, dull], hand: [gem]", bob="hall: [gem]")
    + """
  when: []
  then:
    - "all(card c in ana.hall: worth(c) == 1)"
    - "all(card c in ana.hand: worth(c) == 1)"
    - "all(card c in bob.hall: worth(c) == 3)"
""",
    "before and after": given(ana="hand: [bell, bell, echo], chest: [bell]", bob="hall: [echo, echo]")
    + """
  when: [call bell]
  then: [noise == 1, ana.points == 101, bob.points == 200]
""",
    "of somebody else, in a row's zone": given(ana="hand: [tax]", bob="hand: [tax, tax]", zones="table: [tax]")
    + """
  when: [greet ana]
  then: [ana.points == 10, bob.points == 2]
""",
    "what has left counts for whom it belonged to": given(ana="hand: [legacy]", bob="hall: [legacy], chest: [legacy]")
    + """
  when:
    - drop ana
    - drop bob
  then: [ana.points == 7, bob.points == 7, noise == 2]
""",
    "instead of": given(ana="hall: [jest]", bob="chest: [jest]")
    + """
  when: [greet ana, greet bob]
  then: [ana.points == -1, bob.points == 10]
""",
    "react": given(ana="hand: [bell, shield]", bob="hand: [bell, shield]")
    + """
  when:
    - call bell
    - options: [shield, none]
    - shield
    - call bell
    - none
  then: [ana.points == 1, noise == 2]
""",
    "forced, once a round": given(ana="hall: [oath]")
    + """
  when: [ring, ring]
  then: [noise == 1]
""",
    "may, once a round by card": given(ana="hall: [muse, muse]")
    + """
  when:
    - wait
    - options: [muse, none]
    - muse
    - none
    - wait
    - muse
    - wait
  then: [ana.points == 32]
""",
    "who chooses": given(ana="chest: [gem, bell]", bob="hall: [whim], chest: [rent, twin]")
    + """
  when: [ring, bob: twin]
  then: [any(card c in bob.hand where c.face == twin)]
""",
    "state of the trait by card": given(ana="hand: [lute, gem], hall: [lute]")
    + """
  when: [call lute, call lute, call gem]
  then: [ana.points == 3]
""",
    "values and routines of the trait": given(ana="hand: [purse], purse: 4")
    + """
  when: [call purse]
  then: [ana.points == 5]
""",
    "actions, from the own hand, and from the table for all": given(
        ana="hand: [coin, coin], purse: 2", bob="hand: [coin], purse: 1", zones="table: [drum]"
    )
    + """
  when:
    - options: [call coin, wait, spend coin, beat drum ana, beat drum bob, pass]
    - beat drum bob
    - options: [call coin, wait, spend coin, pass]
    - spend coin
    - beat drum bob: {refused: beat has already been done this turn}
    - pass
    - bob: {options: [call coin, wait, spend coin, beat drum ana, beat drum bob, pass]}
    - bob: spend coin
    - bob: {options: [wait, beat drum ana, beat drum bob, pass]}
  then:
    - ana.points == 3
    - ana.purse == 1
    - bob.points == 4
    - bob.purse == 0
    - count(card c in heap) == 2
    - noise == 1
""",
    "actions, not from the hall, nor when poor": given(ana="hall: [coin], hand: [coin]", bob="")
    + """
  when: [spend coin: {refused: ana is poor}]
  then: [{options: [call coin, wait, pass]}]
""",
    "in the zone of a row": given(ana="hand: [gem]")
    + """
  when: [shelve ana]
  then: [count(card c in store of attic where worth(c) == 3) == 1]
""",
}


@pytest.mark.parametrize("backend", BACKENDS)
def test_all(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"- name: {name}\n{case}" for name, case in CASES.items())
    assert failures({**BASE, **TRAITS}, text, tmp_path, backend, monkeypatch) == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_deck_builder(backend: str) -> None:
    """One trait a card: its games end, and go alike on both backends."""
    game = rulelang.load(Path(__file__).resolve().parents[2] / "examples" / "guild")
    done = game.simulate(200 if backend == "native" else 20, players=3, seed=5, backend=backend)
    assert done.points[:20] == game.simulate(20, players=3, seed=5, backend="python").points
    assert 0 < done.rounds.max <= 40
