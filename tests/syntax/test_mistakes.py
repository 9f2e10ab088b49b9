"""Each mistake is told with its code, at its place, in words that help."""

from __future__ import annotations

import pytest

from rulelang.base.codes.rules import SYNTAX_PAGES
from rulelang.base.diagnostics import Page
from rulelang.base.source import Placement
from rulelang.language.syntax.parse import parse, parse_expression
from tests.syntax.texts import mistakes, told


@pytest.mark.parametrize("page", SYNTAX_PAGES, ids=lambda page: page.code)
def test_the_bad_example_of_a_page_earns_its_code_alone(page: Page) -> None:
    bad = page.bad * (201 if page.code == "S229" else 1)  # as it says of itself
    found = {d.code for d in mistakes(bad)}
    assert found - {"S222"} == {page.code} - {"S222"}
    assert found == {page.code} or page.code == "S229"


@pytest.mark.parametrize("page", SYNTAX_PAGES, ids=lambda page: page.code)
def test_the_good_example_of_a_page_is_good(page: Page) -> None:
    assert mistakes(page.good) == []


CASES = {
    "routine f(s x):\n  if x.food = 3: nothing": [("S212", 2, 13, 14)],
    "routine f(s x):\n  x.food == 3": [("S212", 2, 10, 12)],
    "routine f:\n  if a: nothing\n  else if b: nothing": [("S213", 3, 3, 10)],
    "routine f:\n  if a: nothing\n  elsif b: nothing": [("S213", 3, 3, 8)],
    "routine f:\n  if a && b: nothing\n  if !a: nothing": [("S214", 2, 8, 10), ("S214", 3, 6, 7)],
    "routine f:\n  for s x where a or b: nothing": [("S215", 2, 19, 21)],
    "routine f:\n  for int n in 1 to 3: nothing": [("S216", 2, 13, 20)],
    "routine f(card? c): nothing": [("S217", 1, 11, 16)],
    "routine f:\n  let x = True": [("S218", 2, 11, 15)],
    'forbid f(self) if a because "no"': [("S219", 1, 16, 18)],
    "modify f(self): + 1 if a": [("S219", 1, 21, 23)],
    "after f(self) if a: nothing": [("S219", 1, 15, 17)],
    "phase f\n  nothing": [("S211", 1, 7, 8)],
    "phase f": [("S211", 1, 8, 8)],
    "routine f:\n  for card c in h\n    nothing": [("S211", 2, 17, 18)],
    "modfy f: + 1": [("S223", 1, 1, 6)],
    "always modfy f: + 1": [("S223", 1, 8, 13)],
    "routine f:\n  mvoe c to x\n  while a: nothing": [("S223", 2, 3, 7), ("S223", 3, 3, 8)],
    "routine f:\n  let x = a < b < c": [("S226", 2, 17, 18)],
    "routine f:\n  for c in hand: nothing": [("S228", 2, 7, 8)],
    "routine f:\n  x = (a\nroutine g: nothing": [("S208", 2, 7, 8)],
    "routine f:\nx = 3": [("S210", 1, 10, 11)],
    "routine f:\n    x = 3\n  y = 3": [("S207", 3, 3, 4)],
    "  routine f: nothing": [("S207", 1, 3, 10)],
    "routine f:\n\tnothing\n\tnothing": [("S202", 2, 1, 2)],
    "routine f: x = f(a b)": [("S222", 1, 20, 21)],
    "value f -> int:\n  if a: 3\n  elif b: 4": [("S221", 3, 12, 12)],
    "routine min(card c): nothing": [("S225", 1, 9, 12)],
    "routine f: let none = 3": [("S225", 1, 16, 20)],
    "routine f: x = 1 ≤ 2": [("S201", 1, 18, 19)],
    "modify f: + 1 \u2028 2": [("S201", 1, 15, 16)],
}


@pytest.mark.parametrize("text", CASES)
def test_a_slip_is_recognised(text: str) -> None:
    assert told(text) == CASES[text]


def test_every_mistake_of_a_text_is_told_in_one_run() -> None:
    text = (
        "routine f:\n  let x = = 3\n  x += 1\n  for card c in: nothing\n  if x:\n    move c to\n  else: nothing\n"
        "\nmodfy g: + 1\nvalue h -> int: 3 +\nroutine good: nothing\n"
    )
    decls, found = parse(text, Placement("t.rules"))
    assert [d.span.line for d in found.sorted()] == [2, 4, 6, 9, 10]
    assert len(decls) == 1


def test_a_hint_names_the_nearest_word() -> None:
    assert mistakes("modfy f: + 1")[0].hint == "did you mean `modify`?"
    assert mistakes("routine f:\n  chose card c")[0].hint == "did you mean `choose`?"
    assert mistakes("routine f:\n  for card c inn hand: nothing")[0].hint == "did you mean `in`?"
    assert "repeat until" in mistakes("routine f:\n  while a: nothing")[0].hint


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("routine f:\n  move c to", "expected a value, `bottom` or `top` after `to`"),
        ("value f(card c): 3", "expected `->` after `)`"),
        ("routine f:\n  let = 3", "expected a name after `let`"),
        ("forbid f because no", "expected text in double quotes after `because`"),
        ("routine f: x = 3 y", "expected an operator or the end of the line after `3`"),
    ],
)
def test_what_is_expected_is_said_in_plain_words(text: str, because: str) -> None:
    assert mistakes(text)[0].because == because


def test_a_mistake_in_yaml_stands_at_its_place_in_the_file() -> None:
    place = Placement("f.yaml", line=10, column=4)
    _, found = parse("routine f:\n  let = 3", place)
    assert found.sorted()[0].span == ("f.yaml", 12, 11, 12, 12)
    _, found = parse("modfy f: + 1", Placement("f.yaml", line=6, first_column=9))
    assert found.sorted()[0].span == ("f.yaml", 7, 10, 7, 15)


def test_an_expression_alone() -> None:
    node, found = parse_expression("crab.population == 1\n  and (true\n or false)", Placement("s"))
    assert node is not None
    assert not found.failed
    for bad in ("", "  # nothing", "a ==", "a b", "a = 1", "(a", "a)", "x: 3"):
        node, found = parse_expression(bad, Placement("s"))
        assert (node, len(found)) == (None, 1), bad


@pytest.mark.parametrize(
    "text",
    [
        "value f -> int: " + "(" * 5000 + "1" + ")" * 5000,
        "value f -> int: " + "-" * 5000 + "1",
        "value f -> bool: " + "not " * 5000 + "true",
        "value f -> int: " + " + ".join(["1"] * 5000),
        "value f -> int: " + "1 if a else " * 5000 + "1",
        "routine f: " + "if a: " * 5000 + "nothing",
        "routine f:\n" + "".join(f"{'  ' * n}if a:\n" for n in range(1, 200)) + "  " * 200 + "nothing",
        "routine f: x = " + "f(" * 5000,
        "routine f: x = " + "a." * 5000 + "b",
        "x" * 2_000_000,
    ],
    ids=lambda text: text[16:30],
)
def test_nesting_is_bounded(text: str) -> None:
    assert mistakes(text)[0].code in ("S220", "S208")


@pytest.mark.parametrize(
    "text",
    ["x\n" * 300_000, "é " * 300_000, "routine f: é\n" * 50_000, "a " * 300_000, "1 + " * 200_000, "#: (\n" * 100_000],
    ids=lambda text: repr(text[:8]),
)
def test_a_long_bad_text_is_given_up(text: str) -> None:
    assert 1 <= len(mistakes(text)) <= 250


@pytest.mark.parametrize("query", ["any", "no", "first", "count"])
def test_a_colon_in_a_query_that_has_none(query: str) -> None:
    _, found = parse(f"value v -> int: {query}(fish f: f.weight > 1)\n", Placement("t"))
    assert [item.hint for item in found] == [
        f"write `{query}(B where C)`; only the queries `all`, `sum`, `min` and `max` have a colon"
    ]


@pytest.mark.parametrize("query", ["all(S where x)", "all(S)", "sum(S)", "min(S where x)", "max(S)"])
def test_the_form_of_a_query_that_needs_a_colon_is_shown(query: str) -> None:
    text = f"value v(player p) -> int: {query.replace('S', 'snail s of p')}"
    kind = query.partition("(")[0]
    assert [d.hint for d in mistakes(text)] == [f"write `{kind}(B: {'C' if kind == 'all' else 'E'})`"]


@pytest.mark.parametrize(
    ("text", "place", "hint"),
    [
        ("routine f:\n  s.size + 1", (2, 10), "write `s.size += E`"),
        ("routine f: s.size++", (1, 18), "write `s.size += 1`"),
        ("routine f: s.size--", (1, 18), "write `s.size -= 1`"),
        ("routine f: s.size := 1", (1, 19), "write `s.size = E`"),
        ("routine f: s.size * 2", (1, 19), "write `s.size = E`"),
        ("routine f:\n  for each player p: nothing", (2, 7), "leave `each` out"),
        ("routine f:\n  for all player p: nothing", (2, 7), "leave `all` out"),
        ("routine f:\n  choose a snail s: nothing", (2, 10), "leave `a` out"),
        ("value f -> bool: any(every snail s)", (1, 22), "leave `every` out"),
        ("routine f:\n  if a == b then c += 1", (2, 13), "write `:` in its place"),
        ("game:\n  rounds until over: dealing, picking", (2, 29), "begin a new line here"),
        ("routine f: deal(p); pick(p)", (1, 19), "begin a new line here"),
        ("value v -> int: sum(card c on s, c.weight)", (1, 32), "write `:` in its place"),
        ("value v -> int: max(player p, worth(p))", (1, 29), "write `:` in its place"),
        ("value v -> int: sum(snail s of p, 2 * s.size)", (1, 33), "write `:` in its place"),
        ("value v -> int: count(card c on s, c.x > 1)", (1, 34), "write `where` in its place"),
        ("value v -> bool: any(card c on s, not c.used)", (1, 33), "write `where` in its place"),
        ("value v -> int: sum(c.weight for card c on s)", (1, 30), "write `sum(B: E)`"),
    ],
)
def test_words_and_signs_that_other_languages_have(text: str, place: tuple[int, int], hint: str) -> None:
    (found,) = mistakes(text)
    assert (found.code, found.span.line, found.span.column, found.hint) == ("S222", *place, hint)
