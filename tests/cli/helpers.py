"""What the tests of the command line share: running it inside this process, and small rulesets to run it on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from rulelang.apps.cli.main import main

MANIFEST = """\
id: tiny
version: 1.0.0
language: 1
title: {en: Tiny}
players: {count: [2, 4], play: clockwise}
files: [things.yaml, game.rules]
"""
THINGS = """\
kinds:
  player:
    attributes:
      coins: {is: 0..20}
numbers:
  goal: 3
"""
RULES = """\
game:
  rounds until any(player p where p.coins >= goal): earning

phase earning:
  turns p from first(player q) once each: offer one action to p or pass

action work during earning:
  tells "{actor} works"
  actor.coins += pay(actor)

action rest during earning:
  require actor.coins > 0 because "{actor} has nothing to rest on"
  tells "{actor} rests"

value pay(player p) -> int: 1

value score(player p) -> int: p.coins
"""
SCENARIOS = """\
scenarios:
  - name: work pays a coin
    given: {phase: earning, turn: ana, players: {ana: [], bob: []}}
    when: [work]
    then: [ana.coins == 1]
"""


def run(*arguments: str, stdin: str | None = None) -> Result:
    """Run a command; nothing but a test's own mistake raises."""
    return CliRunner().invoke(main, [*arguments], input=stdin)


def tiny(folder: Path, **changes: str) -> Path:
    """A ruleset of a few lines in a folder; `rules="..."` and so on replace its files."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"ruleset.yaml": MANIFEST, "things.yaml": THINGS, "game.rules": RULES, "scenarios/work.yaml": SCENARIOS}
    names = {"manifest": "ruleset.yaml", "things": "things.yaml", "rules": "game.rules", "tests": "scenarios/work.yaml"}
    texts |= {names[key]: text for key, text in changes.items()}
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def no_traceback(result: Result) -> None:
    """The command ended as commands end: no traceback, and none of our own mistakes."""
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    assert "a bug in rulelang" not in result.output


def lines(result: Result, codes: Sequence[int] = (0,)) -> list[str]:
    assert result.exit_code in codes, result.output
    return result.output.split("\n")
