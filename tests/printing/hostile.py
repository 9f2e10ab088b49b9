"""A game whose names and texts try everything that a typesetter, a PDF or a card might trip over."""

from __future__ import annotations

from pathlib import Path

from tests.spec.pages import write

LONG = "donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"
MARKUP = (
    r"""#panic("no") $x^2$ *bold* _it_ `raw` <label> @ref \u{41} // no comment /* none */ = title - "quotes" ~ ' """
    "\\\\ &"
)
QUOTED = MARKUP.replace("'", "''")

FILES = {
    "ruleset.yaml": f"""\
id: hostile
version: 1.0.0
language: 1
title: {{en: '{QUOTED}'}}
players: {{count: [2, 3], play: clockwise}}
options:
  odd: {{is: bool, default: false, text: '#{{ 1/0 }} $ "'}}
files: [things.yaml, game.rules, traits/]
""",
    "things.yaml": f"""\
lists:
  colour: [red, blue]
kinds:
  player: {{attributes: {{coins: {{is: 0..20, text: '#text[*x*] \\ $'}}}}}}
zones:
  pile: {{holds: slip, seen_by: nobody, text: '// and @nobody'}}
cards:
  card: {{columns: {{face: trait, price: int}}, rows: [{{face: spines, price: 4}}]}}
  slip:
    columns: {{price: {{is: int, by: copy}}, paints: set of colour}}
    rows:
      plain: {{copies: 2, price: [1, -2], paints: [red, blue], text: '{QUOTED}'}}
      long: {{price: [999999999], text: '{" ".join(["word"] * 900)}'}}
      {LONG}: {{price: [3], text: {LONG}{LONG}}}
""",
    "game.rules": """\
game:
  rounds until round == 2: earning
phase earning:
  turns p from first(player q) once each: offer one action to p or pass
action work during earning:
  tells "{actor} works"
  actor.coins += pay(actor)
value pay(player p) -> int: 1
value score(player p) -> int: p.coins
""",
    "traits/spines.yaml": r"""
trait: spines
name: {en: "Spines #1 \"x\" \\", ja: 棘}
text: {en: "It costs $5 & <b>more</b> #[x] ~ until @later"}
""",
}


def hostile(folder: Path) -> str:
    """The folder of the game."""
    write(folder / "hostile", FILES)
    return str(folder / "hostile")
