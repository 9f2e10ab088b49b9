"""What the small games of crabs have alike: where cards lie, how one begins, and what is done in a feeding."""

from __future__ import annotations

#: Of `zones:`.
ZONES = """\
  deck: {holds: card, seen_by: nobody}
  hand: {of: player, holds: card, seen_by: owner}
  traits: {of: crab, holds: card, seen_by: everyone, in_force: true}
"""
SETTLE = """\
routine settle(player p):
  create crab of p at right
  draw 3 from deck to p.hand
"""


def feeding(bare: str) -> str:
    """The phase, with what is said where there is nothing left to eat."""
    return f"""\
phase feeding:
  turns p from start until all pass: offer one action to p or pass
action graze(crab c of actor) during feeding:
  require water > 0 because "{bare}"
  require can eat(c)
  eat(c)
action grow(crab c of actor, card d in actor.hand) during feeding:
  require no(card e in c.traits where e.face == d.face) because "{{c}} has that trait"
  move d to c.traits
"""
