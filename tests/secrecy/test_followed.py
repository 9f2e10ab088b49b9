"""`secret-told`: secrets are followed through the rules to where they show, and nothing is said where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.tools.lint.rules.secrets import Leak, LeakFinder
from rulelang.tools.lint.run import lint
from tests.secrecy.den import LEAKS, SOUND, den


def told(folder: Path, more: str) -> list[Leak]:
    compilation = Compilation(den(folder / "den", more))
    assert not compilation.diagnostics.failed, [*compilation.diagnostics]
    found = LeakFinder(compilation.model, compilation.program).found
    return [next(iter(secrets.values())) for secrets in found.values()]


@pytest.mark.parametrize("what", LEAKS)
def test_every_planted_leak_is_told(what: str, tmp_path: Path) -> None:
    assert told(tmp_path, LEAKS[what]), what


@pytest.mark.parametrize("what", SOUND)
def test_what_gives_nothing_away_is_not_told(what: str, tmp_path: Path) -> None:
    """But for an action that can never be done, which nobody works out."""
    found = told(tmp_path, SOUND[what])
    assert [one.how for one in found] == (
        ["whether this is possible depends on"] if "only where a card" in what else []
    )


#: Further ways, each with whether it shows.
WAYS = {
    "through a value and what modifies it": ("""
value luck(player p) -> int: 0
modify luck(p): + 1 when p.gold > 5
action peep during day:
  require luck(next(actor)) > 0
  shown += 1
""", True),
    "one's own, through the same value": ("""
value luck(player p) -> int: 0
modify luck(p): + 1 when p.gold > 5
action peep during day:
  require luck(actor) > 0
  tells "{actor} is lucky"
""", False),
    "through a routine's argument": ("""
action peep during day: note(top(deck).food)
routine note(int n): shown = n
""", True),
    "through what a routine requires": ("""
action peep during day: note(next(actor))
routine note(player p):
  require p.gold > 4
  shown += 1
""", True),
    "through a hook's guard": ("""
routine note(player p): shown += 1
after note(any) when weather > 3: shown += 1
action peep during day: note(actor)
""", True),
    "through `can`": ("""
routine note(player p):
  require any(card c in p.hand where c.hue == red)
  shown += 1
action peep during day:
  require can note(next(actor))
  shown += 1
""", True),
    "through a number of repetitions": ("""
action peep during day:
  repeat next(actor).gold times: shown += 1
""", True),
    "through whether dice are rolled": ("""
action peep during day:
  if weather > 3: roll 1d6 as shown
""", True),
    "through how many dice are rolled": ("""
action peep during day: roll (next(actor).gold) d6 as shown
""", True),
    "through a die that is written into what is hidden": ("""
action peep during day:
  roll 1d6 as n
  actor.gold = n
  shown = n
""", True),
    "through what depends on such a die": ("""
action peep during day:
  roll 1d6 as n
  keep(actor, n)
  if n == 6: shown += 1
routine keep(player p, int n): p.gold = n
""", True),
    "through a die for somebody else": ("""
action peep during day:
  roll 1d6 as n
  next(actor).gold = n
  actor.gold = n
""", True),
    "through an attribute that was rolled": ("""
action peep during day:
  roll 1d6 as next(actor).gold
  if next(actor).gold == 6: shown += 1
""", True),
    "a die of one's own": ("""
action peep during day:
  roll 1d6 as n
  actor.gold = n
  for cub b of actor: b.fear = n
  roll 1d6 as actor.gold
""", False),
    "a die for whom the rules choose later": ("""
action peep during day:
  roll 1d6 as n
  for player p from start: keep(p, n)
routine keep(player p, int n): p.gold = n
""", False),
    "a die that the rules show": ("""
action peep during day:
  roll 1d6 as n
  tells "{actor} rolls {n}"
  actor.gold = n
  shown = n
""", False),
    "a die that nobody hides": ("""
action peep during day:
  roll 1d6 as n
  shown = n
  if n > 3: draw 1 from deck to actor.hand
""", False),
    "through whether a pile is shuffled": ("""
action peep during day:
  if weather > 3: shuffle pile
""", True),
    "through whether a table is cleared": ("""
action peep during day:
  if weather > 3: clear met
""", True),
    "dice that everyone knows of": ("""
action peep during day:
  if shown > 3: roll 1d6 as shown
  shuffle pile
  clear met
""", False),
    "through whether an open card is silenced": ("""
action peep during day:
  if weather > 3:
    for card c in pile: silence c until end of round
""", True),
    "through whether an open card works again": ("""
action peep during day:
  if weather > 3:
    for card c in pile: restore c
""", True),
    "through which open card is silenced": ("""
action peep during day:
  for card c in pile where c.food > weather: silence c
""", True),
    "an open card that is silenced by what everyone sees": ("""
action peep during day:
  if shown > 3:
    for card c in pile: silence c until end of round
    for card c in pile: restore c
""", False),
    "a card of one's own that is silenced by one's own": ("""
action peep during day:
  if actor.gold > 3:
    for card c in actor.hand: silence c
""", False),
    "a card of one's own that is silenced by what another has": ("""
action peep during day:
  if next(actor).gold > 3:
    for card c in actor.hand: silence c
""", True),
    "a card that nobody sees": ("""
action peep during day:
  if weather > 3:
    for card c in deck: silence c
""", False),
    "a card that is laid open": ("""
action peep during day:
  for card c in actor.sealed:
    tells "it eats {c.food}"
    move c to pile
""", False),
    "a card that a routine lays open": ("""
action peep(card c in actor.hand) during day:
  shown = c.food
  lay(c)
routine lay(card c): move c to pile
""", False),
    "a card that stays in the hand": ("""
action peep(card c in actor.hand) during day: shown = c.food
""", True),
    "a card that is named": ("""
action peep(card c in actor.hand) during day: tells "{actor} shows {c}, which feeds {c.food}"
""", False),
    "a hidden value that takes over a hidden one": ("""
action peep during day: weather = min(9, top(deck).food)
""", False),
    "one's own value that takes over another's": ("""
action peep during day: actor.gold = next(actor).gold
""", True),
    "each asked about his own hand": ("""
action peep during day:
  for player p from start:
    choose card c in p.hand where c.food > 1 by p
    move c to pile
""", False),
    "each asked about the hand of the next": ("""
action peep during day:
  for player p from start:
    choose card c in next(p).hand by p
    move c to pile
""", True),
}  # fmt: skip


@pytest.mark.parametrize("what", WAYS)
def test_ways(what: str, tmp_path: Path) -> None:
    rules, shows = WAYS[what]
    assert bool(told(tmp_path, rules)) == shows, what


def test_how_it_is_told(tmp_path: Path) -> None:
    """At the place where it shows, with the place where it was read and the way between; and it can be allowed."""
    rules = """
value luck(player p) -> int: p.gold
action peep during day:
  require luck(next(actor)) > 0
  shown += 1
"""
    folder = den(tmp_path / "den", rules)
    (found,) = [item.diagnostic for item in lint(str(folder)).advice if item.rule.name == "secret-told"]
    lines = (folder / "game.rules").read_text("utf-8").splitlines()
    assert lines[found.span.line - 1].strip().startswith("require luck")
    assert found.message == "whether this is possible depends on `gold`"
    assert "the player who is asked may not see this" in found.because
    assert [lines[related.span.line - 1].split()[0] for related in found.related] == ["value", "require"]
    den(tmp_path / "den", rules.replace("> 0\n", "> 0   # lint: allow secret-told\n"))
    assert "secret-told" not in [item.rule.name for item in lint(str(folder)).advice]


MOD = "id: fog\nversion: 1.0.0\nlanguage: 1\ntitle: Fog\nextends: {den: '>=1.0'}\nfiles: [fog.rules]\n"
#: Rules of a mod that make a rule of the game show a secret.
OF_MODS = {
    "a forbid on the game's action": "always forbid save when next(actor).gold > 4",
    "a forbid on what the game's action calls": "always forbid pay(p) when next(p).gold > 4",
    "a modify of what the game's action requires": "always modify cost(p): + 1 when next(p).gold > 4",
    "a value that is hidden by the game's value": "always modify cost(p): + riches(next(p))",
}


@pytest.mark.parametrize("what", OF_MODS)
def test_a_mod_is_told_what_it_lets_the_game_show(what: str, tmp_path: Path) -> None:
    rules = """
value cost(player p) -> int: 1
value riches(player p) -> int: p.gold
routine pay(player p): p.coins -= 1
action buy during day:
  require actor.coins >= cost(actor)
  require can pay(actor)
  pay(actor)
"""
    den(tmp_path / "den", rules)
    written = {"mod.yaml": MOD, "fog.rules": OF_MODS[what] + "\n"}
    (tmp_path / "fog").mkdir()
    for name, text in written.items():
        (tmp_path / "fog" / name).write_text(text, "utf-8")
    told = lint(str(tmp_path / "fog"), select=["secret-told"])
    assert not told.mistakes, [item.message for item in told.mistakes]
    assert {Path(item.diagnostic.span.path).name for item in told.advice} == {"fog.rules"}
    assert not lint(str(tmp_path / "den"), select=["secret-told"]).advice
