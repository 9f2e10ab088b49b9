"""Forms of the grammar: continuation lines, words that are names elsewhere, what each form becomes."""

from __future__ import annotations

import pytest

from rulelang.language.syntax import nodes
from rulelang.language.syntax.format import format_text
from rulelang.language.syntax.nodes import same_syntax
from rulelang.language.syntax.printer import print_declarations
from tests.syntax.texts import declarations

FORMS = """\
game:
  rounds until round == 3: deal
phase deal: offer any actions to p or pass
action play during deal, feed free once per turn in steps: nothing
action play(maybe card c of p in hand + deck on s, int n from 1 to 3) during deal:
  compulsory when x is not empty
  compulsory
  stop
always action think during deal: nothing
routine bare
routine event(species s, maybe card c) in owner's order
routine r in owner's order:
  let x = a then b then c
  x.y[1, 2] += 3
  x = "plains zebra.head"
  x -= 1
  x = a if b else c
  may choose card c in hand of p with most c.food sorted by most c.food then least c.age by p
  choose card c at random
  choose card c by p:
    move c to top of deck as face with b
    nothing
  else: nothing
  offer one action to p
  turns p from start once each: nothing
  turns p from start until all pass: nothing
  turns p from next(start) until all pass in a row: nothing
  secretly for player p: nothing
  repeat n + 1 times: nothing
  repeat until deck is empty: nothing
  move all deck to bottom of box
  draw 2 + n from deck to p.hand
  shuffle deck
  create species of p
  create species s of p in x at right like t
  remove s
  roll 2d6 as x
  roll d8 as x
  roll n d6 as x
  roll (n + 1) d6 as x
  roll 1d6 as s.size
  roll 2d6 as next(actor).luck
  roll n d6 as trail[s, bed]
  clear doomed
  silence c until end of turn
  silence c
  restore c
  tells "{s} eats"
  require can f(s) and can g because "so"
  ensure x
  proceed
  redirect strike(a, b)
  redirect strike
  f(a, none)
  if a: nothing
  elif b:
    f
    g
  else: nothing
value v -> order: a then b
value v(player p) -> maybe card:
  if a: x
  elif b:
    if c: y
    else: z
  else: none
invariant i: all(species s: s.food >= 0) and no(card c) and any(card c) and sum(card c: 1) == min(card c: 2)
replace value v -> int: max(1, 2) + min(3, 4) + count(a, b) + first(card c).food % 2
replace phase deal: nothing
label shy: forbid eat(self, plant) because "x"
label slow: may before f(self) once per turn when a: stop
remove strike.require["the prey is not smaller"]
remove horns.forbid[eat]
insert before game.rounds.play_cards: night
insert after game.feeding:
  label extra:
    f
    g
  label more: if a: f
replace strike.require[2]: require a because "x"
replace horns.forbid: forbid eat(self)
replace x.choose: may choose card c in deck
replace horns.slow: may react to f(self): stop
modify v(self, any, x): at least 3 unless a when b
modify v: = -1
modify v: or c.pet
always modify v: * 2
forbid f, g.h(self), k because "no"
forbid g.h of self, g.h(a, any) of any when x because "no"
ignore hard_shell in f(self), g when x
ignore card c in f when c.x
ignore card c in g.h of s when c.x
may before f(self) once per turn when a: nothing
always after f, g: nothing
may react to g.h of s once per turn when a: stop
instead of f(self): proceed
react to f(x, self): stop
copy cards on partner when a
value w -> bool: t affects f(a) or t affects g or c meets b.req or s has climbing and not a not in b
value u -> int: (x otherwise 3) * -2 - x.owner.hand
"""


def test_every_form_goes_round() -> None:
    decls = declarations(FORMS)
    printed = print_declarations(decls)
    assert same_syntax(declarations(printed), decls)
    assert len(decls) == 40


def test_a_line_goes_on() -> None:
    one = 'forbid f(a, b) when x and y or z because "so"\naction k(card c where d, card e) during p: nothing'
    two = (
        "forbid f(a,\n b)\n  when x   # why\n\n  # a comment between\nand y\n  or z\nbecause\n"
        '  "so"\naction k(card c\n where d,\ncard e) during p: nothing'
    )
    assert same_syntax(declarations(one), declarations(two.replace('because\n  "so"', 'because "so"')))


def test_words_of_the_language_may_be_names_elsewhere() -> None:
    (decl,) = declarations("routine f(action with): x.stop = with.first.count.order + s.turns - this.any[all]")
    assert isinstance(decl, nodes.Routine)
    assert decl.body is not None
    (statement,) = decl.body
    assert isinstance(statement, nodes.Assign)
    assert isinstance(statement.target, nodes.Attribute)
    assert statement.target.name == "stop"
    for word in ("start", "order", "action", "with", "owner", "end", "pass", "one", "row", "a", "top", "d6"):
        declarations(f"routine f(int {word}): x = {word} + y.{word}\nvalue v -> int: {word}")


def test_citations_hold_until_the_next_or_an_empty_line() -> None:
    text = "#: a-1 b.2\nvalue a -> int: 1\n# note\nvalue b -> int: 1\n#: c\nvalue c -> int: 1\n\nvalue d -> int: 1\n"
    decls = declarations(text)
    assert [decl.cites for decl in decls] == [("a-1", "b.2"), ("a-1", "b.2"), ("c",), ()]
    assert [decl.cites for decl in declarations(print_declarations(decls))] == [decl.cites for decl in decls]


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment", "\ufeff# a mark", "  \n # x\n"])
def test_an_empty_text_is_good(text: str) -> None:
    assert declarations(text) == ()


def test_line_ends_and_trailing_blanks_mean_nothing() -> None:
    text = "routine f:\n  if a: nothing\n  g\n"
    assert same_syntax(declarations(text), declarations(text.replace("\n", "  \r\n")))


def test_dice() -> None:
    (decl,) = declarations("routine f:\n  roll d6 as x\n  roll 2d8 as x\n  roll n d4 as x")
    assert isinstance(decl, nodes.Routine)
    assert decl.body is not None
    rolls = [s for s in decl.body if isinstance(s, nodes.Roll)]
    assert [(r.sides, r.count.value if isinstance(r.count, nodes.Number) else None) for r in rolls] == [
        (6, 1),
        (8, 2),
        (4, None),
    ]


def test_a_ladder_is_nested_choices() -> None:
    (decl,) = declarations("value v -> int:\n  if a: 1\n  elif b: 2\n  else: 3")
    assert isinstance(decl, nodes.Value)
    assert isinstance(decl.body, nodes.IfElse)
    assert isinstance(decl.body.otherwise, nodes.IfElse)
    assert same_syntax(decl.body, declarations("value v -> int: 1 if a else 2 if b else 3")[0].body)  # type: ignore[union-attr]


def test_long_lines_are_broken() -> None:
    names = [f"a_rather_long_name_{n}" for n in range(12)]
    text = f'forbid f(self) when {" and ".join(names)} because "{"why " * 40}"\nvalue v -> int: max({", ".join(names)})'
    decls = declarations(text)
    printed = print_declarations(decls)
    assert same_syntax(declarations(printed), decls)
    assert [line for line in printed.splitlines() if len(line) > 120 and "because" not in line] == []


def test_tidying() -> None:
    untidy = "\n\n#: a\nroutine f :\n    # note\n    if a :   nothing  \r\n    g   # why\n\n\n\nforbid f\n when x"
    assert format_text(untidy) == ("#: a\nroutine f :\n  # note\n  if a : nothing\n  g   # why\n\nforbid f\n  when x\n")
    assert format_text("modfy  ") == "modfy  "
    assert format_text("") == ""


def test_blanks_that_align_nothing_are_closed_up() -> None:
    untidy = (
        "routine   eat(snail s,   int n):\n"
        "  s.eaten   +=   n          # a comment\n"
        "  s.size = 3                # in its column\n"
        '  tells   "two  blanks"\n'
        "  a   = 1\n"
        "  bcd = 2\n\n"
        "value  x  ->  int:\n"
        "  if a > 3:    4\n"
        "  elif b > 45: 5\n"
        "  else:        c\n"
    )
    tidy = (
        "routine eat(snail s, int n):\n"
        "  s.eaten += n              # a comment\n"
        "  s.size = 3                # in its column\n"
        '  tells "two  blanks"\n'
        "  a   = 1\n"
        "  bcd = 2\n\n"
        "value x -> int:\n"
        "  if a > 3:    4\n"
        "  elif b > 45: 5\n"
        "  else:        c\n"
    )
    assert format_text(untidy) == format_text(tidy) == tidy
