"""The words of questions: for what, for which thing, what was chosen so far; and why something cannot be chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.runtime.state import State
from tests.backends.named import BACKENDS
from tests.hooks.small import codes, started, write

COMPONENTS = """\
lists: {colour: [red, dark_blue]}
kinds:
  snail: {of: player, at_most: 3, attributes: {size: 0..9, slow: bool}, names: [alva, bruma, corda, delva, ekko, finna]}
  player: {attributes: {bag: number}}
cards: {card: {columns: {price: int, reacts: bool}, rows: {gold: {price: 3}, tin: {price: 1}}}}
zones: {hand: {of: player, holds: card, seen_by: owner}}
state: {first_player: player, paint: colour}
"""
RULES = """\
game:
  for player p, int n from 1 to 2:
    create snail s of p
    s.size = n
  for card c where c.price == 3: move c to first_player.hand
  for card c where c.price == 1: move c to first_player.hand
  garden
phase garden: turns p from first_player until all pass: offer one action to p or pass
value score(player p) -> int: p.bag
"""
SNAILS = "snail s of actor"


def asked(folder: Path, rules: str, backend: str = "python") -> State:
    return started(write(folder / "asked", {"components.yaml": COMPONENTS, "game.rules": RULES + rules}),
                   backend=backend)  # fmt: skip


def prompts(state: State, *choices: str) -> list[str]:
    """What is asked after each of these."""
    found = []
    for choice in choices:
        state.play(choice)
        found.append(state.decision.prompt)
    return found


@pytest.mark.parametrize(
    ("choose", "prompt"),
    [
        ("choose card c in actor.hand", "choose a card"),
        ("choose card coin in actor.hand", "choose a card (coin)"),
        ('choose card c in actor.hand "to pay with"', "choose a card to pay with"),
        ('choose card coin in actor.hand by actor "to pay with"', "choose a card to pay with"),
        ('may choose card c in actor.hand "to pay {s} with"', "choose a card to pay alva with, or none"),
        ('choose card c in actor.hand "Which card, {actor}, does {s} of size {s.size} get?"',
         "Which card, ana, does alva of size 1 get?"),
        ('choose snail a, snail b where b != a "to race {paint}"', "choose two snails to race dark blue"),
        ('choose int n from 1 to s.size + 1 "of {s.size + 1} at most"', "choose a number of 2 at most"),
        ("choose colour dark_or_light", "choose a colour (dark or light)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_choice_has_its_words(tmp_path: Path, choose: str, prompt: str, backend: str) -> None:
    state = asked(
        tmp_path, f"action go({SNAILS}) during garden:\n  paint = dark_blue\n  {choose}: s.slow = true\n", backend
    )
    assert prompts(state, "go alva") == [prompt]


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_argument_of_steps_has_its_words_and_what_was_chosen_before(tmp_path: Path, backend: str) -> None:
    state = asked(
        tmp_path,
        """
action dress(snail s of actor "to dress", maybe card worn in actor.hand "for {s}", colour shade "on {worn}",
             maybe card spare in actor.hand where spare.number != worn.number) during garden in steps:
  paint = shade
""",
        backend,
    )
    assert prompts(state, "dress", "alva", "gold", "dark_blue") == [
        "dress: choose a snail to dress",
        "dress: choose a card for alva, or none (so far: alva)",
        "dress: choose a colour on gold (so far: alva, worn gold)",
        "dress: choose a card (spare), or none (so far: alva, worn gold, shade dark blue)",
    ]
    again = asked(tmp_path, "action dress(snail s of actor, maybe card worn in actor.hand, colour shade) during garden"
                  " in steps: paint = shade")  # fmt: skip
    assert prompts(again, "dress", "alva", "none")[-1] == "dress: choose a colour (shade) (so far: alva)"


def test_an_offer_says_whether_one_may_pass(tmp_path: Path) -> None:
    state = asked(tmp_path, "action go during garden: actor.bag += 1\naction look during garden free: nothing")
    assert state.decision.prompt == "choose an action, or pass"
    assert prompts(state, "go") == ["you have taken your action; choose a free action, or pass"]
    rules = """
action go(snail s of actor) during garden:
  compulsory
  answering
phase answering: offer one action to active or pass "to answer {active} in round {round}"
action nod during answering: actor.bag += 1
"""
    state = asked(tmp_path, rules)
    assert state.decision.prompt == "choose an action"  # one must
    assert prompts(state, "go alva") == ["choose an action to answer ana in round 0, or pass"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_question_within_a_hook_says_whose_rule_asks_it(tmp_path: Path, backend: str) -> None:
    rows = """\
lists:
  colour:
    rows:
      red:
        rules: |
          after dawn: choose card c in first_player.hand "to lose": move c to box
      dark_blue:
        rules: |
          after dawn: answering
          phase answering: offer one action to first_player or pass "to answer"
          action nod during answering: actor.bag += 1
"""
    rules = """
routine dawn: nothing
action wake during garden:
  dawn
  choose snail s of actor "to keep": nothing
"""
    folder = write(tmp_path / "asked", {"components.yaml": COMPONENTS, "rows.yaml": rows, "game.rules": RULES + rules})
    state = started(folder, backend=backend)
    assert prompts(state, "wake", "gold", "pass") == [
        "choose a card to lose (red)",
        "choose an action to answer, or pass (dark blue)",
        "choose a snail to keep",
    ]


REACTS = """\
cards:
  card:
    rows:
      shield:
        price: 0
        rules: |
          react to bite(any, t) when t.owner == owner and t.size > 0:
            spend(this)
            stop
      cloak:
        price: 0
        rules: |
          may react to bite(any, t) when t.owner == owner:
            spend(this)
            stop
"""
BITE = """
action go(snail s of actor, snail t where t.owner != actor) during garden: bite(s, t)
routine bite(snail s, snail t):
  tells "{s} bites {t.owner}'s {t}"
  t.size = 0
routine spend(card c): move c to box
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_reaction_says_to_what(tmp_path: Path, backend: str) -> None:
    dealt = "  for player p where p != first_player, card c where c.price == 0: move c to p.hand\n  garden\n"
    files = {
        "components.yaml": COMPONENTS.replace("seen_by: owner}", "seen_by: owner, in_force: true}"),
        "cards.yaml": REACTS,
        "game.rules": RULES.replace("  garden\n", dealt, 1) + BITE,
    }
    state = started(write(tmp_path / "asked", files), backend=backend)
    while state.decision.name != "ana":
        state.play("pass")
    bites = next(o.text for o in state.decision.options if o.text.startswith("go "))
    biter, bitten = bites.split()[1:]
    found = prompts(state, bites)
    assert found == [f"{biter} bites bob's {bitten}: how do you react?"]


def test_why_something_cannot_be_chosen(tmp_path: Path) -> None:
    rules = f"""
action go({SNAILS} where s.size > 1 because "{{s}} is too small") during garden:
  choose card c in actor.hand where c.price > s.size because "{{c}} does not feed {{s}}", colour x: s.size = c.price
action pair(snail a of actor,
            snail b where b != a because "{{b}} cannot be beside itself") during garden in steps: a.slow = true
"""
    state = asked(tmp_path, rules)
    assert [r.text for r in state.why_not("go alva")] == ["alva is too small"]
    large = next(o.text for o in state.decision.options if o.text.startswith("go "))
    state.play(large)
    assert state.decision.prompt == "choose a card and a colour"
    assert [r.text for r in state.why_not("tin red")] == [f"tin does not feed {large.split()[1]}"]
    state.play("gold red")
    state.play("pass")
    state.play("pair alva" if "pair alva" in [o.text for o in state.decision.options] else "pair")
    small = state.decision.options[0].text
    state.play(small)
    assert [r.text for r in state.why_not(small)] == [f"{small} cannot be beside itself"]
    assert state.decision.prompt.endswith(f"(so far: {small})")


def test_words_that_nobody_would_read_are_mistakes(tmp_path: Path) -> None:
    def found(rules: str) -> list[str]:
        return codes(write(tmp_path / "asked", {"components.yaml": COMPONENTS, "game.rules": RULES + rules}))

    assert found('routine go: choose snail s at random "to feed"') == ["T432"]
    assert found('action go(snail s "to feed") during garden: s.slow = true') == ["T432"]
    assert found('routine go: for snail s where s.slow because "no": s.slow = true') == ["T433"]
    assert found('value any_slow -> bool: any(snail s where s.slow because "no")') == ["T433"]
    assert found('routine go: choose snail s where s.slow because "no" at random: s.slow = true') == ["T433"]
    assert found('routine go: choose snail s "to feed {s}": s.slow = true') != []  # it is not chosen yet


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_that_a_place_asks_for_is_named(tmp_path: Path, backend: str) -> None:
    """Also in a trial, which ends with the first reason: its details are told on the same copy of the state."""
    components = (
        COMPONENTS.replace("colour: [red, dark_blue]", "colour: [red], measure: [warmth, wet_feet]")
        .replace("slow: bool", "slow: bool, home: maybe nest")
        .replace("kinds:", "  nest: {columns: {asks: {is: condition on measure, counted_by: counted}},\n"
                 '         rows: {bog: {asks: "wet_feet>=3; warmth+wet_feet<3"}, sun: {asks: "warmth>=0"}}}\nkinds:', 1)
        .replace("lists: {colour: [red], measure: [warmth, wet_feet]}", "lists:\n  colour: [red]\n"
                 "  measure: [warmth, wet_feet]")
    )  # fmt: skip
    rules = (
        RULES
        + """
value counted(snail s, measure m) -> int: s.size if m == warmth else 0
value fits(snail s) -> bool: s.home is missing or able(s)
value able(snail s) -> bool: s meets s.home.asks
modify able(s): and not s.slow because "{s} is too slow for {s.home}"
action nest(snail s of actor, nest x) during garden: move_in(s, x)
routine move_in(snail s, nest x):
  s.home = x
  s.slow = x == bog and s.size == 2
  ensure able(s) because "{s} cannot live in {x}"
action ask(snail s of actor, nest x) during garden:
  require s meets x.asks
  s.home = x
"""
    )
    state = started(write(tmp_path / "asked", {"components.yaml": components, "game.rules": rules}), backend=backend)
    small, large = (o.text.split()[1] for o in state.decision.options if o.text.startswith("nest") and "sun" in o.text)
    assert [r.text for r in state.why_not(f"nest {small} bog")] == [
        f"{small} cannot live in bog", f"bog requires at least 3 of wet feet, but {small} has 0",
    ]  # fmt: skip
    assert [r.text for r in state.why_not(f"nest {large} bog")] == [
        f"{large} cannot live in bog", f"bog requires at least 3 of wet feet, but {large} has 0",
        f"{large} is too slow for bog",
    ]  # fmt: skip
    assert f"bog requires at least 3 of wet feet, but {large} has 0" in [
        r.text for r in state.why_not(f"ask {large} bog")
    ]
    assert state.why_not(f"nest {large} sun") == []


def test_an_action_in_steps_says_what_there_is_none_for(tmp_path: Path) -> None:
    rules = """
action go(card c in actor.hand where c.price > 5 "to pay with", snail s of actor) during garden in steps: s.slow = true
action stay during garden: actor.bag += 1
"""
    assert [r.text for r in asked(tmp_path, rules).why_not("go")] == ["there is no card to pay with"]


CAUSES = """
routine hurt(snail s, int n):
  tells "{s} is hurt by {n}"
  s.size -= min(n, s.size)
routine prod(snail a, snail b): b.slow = true
routine comfort(snail s):
  tells "{s} is comforted"
  s.slow = false
action poke(snail s where s.owner == actor, snail b where b.owner != actor) during garden:
  hurt(b, 1)
  prod(s, b)
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("hook", "said"),
    [
        ("may instead of hurt(s, any): s.slow = true", "bruma is hurt by 1: use hurt?"),
        ('may instead of hurt(s, n): tells "{s} ducks {n}"', "bruma is hurt by 1: bruma ducks 1?"),
        ("may after hurt(s, any): comfort(s)", "bruma is hurt by 1: bruma is comforted?"),
        ("may after prod(a, any): a.size = 3", "prod (alva, bruma): use prod?"),
        ("may before prod(a, any): comfort(a)", "prod (alva, bruma): alva is comforted?"),
    ],
)
def test_who_may_is_told_what_happens_and_what_it_would_do(tmp_path: Path, hook: str, said: str, backend: str) -> None:
    state = asked(tmp_path, CAUSES + hook + "\n", backend)
    assert prompts(state, "poke alva bruma") == [said]
