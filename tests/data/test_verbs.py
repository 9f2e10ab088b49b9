"""The verbs of patches beside `set` and `remove`: `extend`, `like`, brackets; and what is told of patches in vain."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.ruleset import load_ruleset
from rulelang.data.ruleset_source import RulesetSource

Write = Callable[..., Path]

BASE = """\
numbers: {eras: 4, replaced: [1, 2, 2]}
options: {how: {values: [a, b], default: a}}
traits: {plus: {is: 0..9, default: 0}}
lists:
  part: [head, body]
  size: {columns: {n: int, m: int}, rows: {small: {n: 1, m: 5}, large: {n: 2, m: 6}}}
cards:
  card:
    columns: {face: part, food: int}
    rows:
      - {face: head, food: 2}
      - {face: body, food: 2}
      - {face: body, food: 3}
"""
HORNS = "trait: horns\nname: {en: Horns}\ntext: {en: It pushes.}\nplus: 2\nrules: |\n  stop\n"


def load(write: Write, *mods: str | tuple[str, str]) -> tuple[RulesetSource, Diagnostics]:
    base = write("tiny", {"base.yaml": BASE, "t.yaml": HORNS})
    places = []
    for number, mod in enumerate(mods, 1):
        text, extra = mod if isinstance(mod, tuple) else (mod, "")
        places.append(write(f"m{number}", {"patch.yaml": text}, extra=extra))
    source, diagnostics = load_ruleset(base, places)
    assert source is not None
    return source, diagnostics


def at(source: RulesetSource, *path: str) -> object:
    node = source.tree
    for step in path[:-1]:
        node = node.map(step)
    found = node.get(path[-1])
    return found.plain() if found is not None else None


def told(diagnostics: Diagnostics) -> list[tuple[str, str, str]]:
    return [(d.code, d.severity, d.message) for d in diagnostics.sorted()]


# ---- extend


@pytest.mark.parametrize(
    ("patch", "path", "value"),
    [
        ("extend: {numbers.replaced: [2, 5]}\n", ("numbers", "replaced"), [1, 2, 2, 2, 5]),
        ("extend: {options.how.values: c}\n", ("options", "how", "values"), ["a", "b", "c"]),
        ("extend: {numbers: {more: 7}}\n", ("numbers", "more"), 7),
        ("extend: {options.how: {text: which way}}\n", ("options", "how", "text"), "which way"),
        ("extend: {lists.part: [tail]}\n", ("lists", "part", "rows"), {"head": {}, "body": {}, "tail": {}}),
        ("extend: {lists.size.rows: {huge: {n: 3, m: 7}}}\n", ("lists", "size", "rows", "huge"), {"n": 3, "m": 7}),
        ("extend: {'cards.card.rows[face=head].food': [3]}\n", ("cards", "card", "rows"), None),
    ],
)
def test_extend(write: Write, patch: str, path: tuple[str, ...], value: object) -> None:
    source, diagnostics = load(write, patch)
    assert not list(diagnostics)
    if value is not None:
        assert at(source, *path) == value
    else:
        rows = source.tree.map("cards").map("card").map("rows").items
        assert rows[0][1].plain() == {"face": "head", "food": [2, 3]}
    assert [(change.verb, change.layer) for change in source.history.changes] == [("extend", 1)]


def test_the_rules_of_a_trait_are_extended_by_each_layer(write: Write) -> None:
    first = "extend:\n  traits.horns.rules: |\n    proceed\n"
    source, diagnostics = load(write, first, "extend:\n  traits.horns.rules: |\n    nothing\n")
    assert not list(diagnostics)
    assert [(rules.text, rules.layer, rules.owner.name, str(rules.span)) for rules in source.rules] == [
        ("stop\n", 0, "horns", "tiny/t.yaml:5:8"),
        ("proceed\n", 1, "horns", "m1/patch.yaml:2:23"),
        ("nothing\n", 2, "horns", "m2/patch.yaml:2:23"),
    ]


def test_two_mods_may_extend_the_same(write: Write) -> None:
    source, diagnostics = load(write, "extend: {options.how.values: [c]}\n", "extend: {options.how.values: [d]}\n")
    assert not list(diagnostics)
    assert at(source, "options", "how", "values") == ["a", "b", "c", "d"]
    # but not set what the other extends
    _, diagnostics = load(write, "extend: {options.how.values: [c]}\n", "set: {options.how.values: [d]}\n")
    assert [d.code for d in diagnostics] == ["Y142"]
    # a key that one brings and another that the other sets do not meet
    source, diagnostics = load(write, "extend: {numbers: {more: 7}}\n", "set: {numbers.eras: 5}\n")
    assert not list(diagnostics)
    assert (at(source, "numbers", "eras"), at(source, "numbers", "more")) == (5, 7)


@pytest.mark.parametrize(
    ("patch", "code"),
    [
        ("extend: {numbers.eras: [5]}\n", "Y148"),
        ("extend: {numbers.replaced: {a: 5}}\n", "Y148"),
        ("extend: {options.how: [text]}\n", "Y148"),
        ("extend: {traits.horns.text.en: 'And more.'}\n", "Y148"),
        ("extend: {options.how: {default: b}}\n", "Y140"),
        ("extend: {numbers.era: [5]}\n", "Y141"),
    ],
)
def test_what_cannot_be_extended(write: Write, patch: str, code: str) -> None:
    _, diagnostics = load(write, patch)
    assert [d.code for d in diagnostics] == [code]


# ---- like


def test_a_row_like_another(write: Write) -> None:
    mod = "lists: {size: {rows: {huge: {like: large, n: 3}}}}\n"
    mod += "cards: {card: {rows: [{like: face=head, food: 9}, {like: 'face=body, food=3', food: 4}]}}\n"
    source, diagnostics = load(write, mod)
    assert not list(diagnostics)
    assert at(source, "lists", "size", "rows", "huge") == {"n": 3, "m": 6}
    rows = [row.plain() for _, row in source.tree.map("cards").map("card").map("rows")]
    assert rows[3:] == [{"food": 9, "face": "head"}, {"food": 4, "face": "body"}]
    assert [(c.verb, c.path, c.before.plain() if c.before else None) for c in source.history.changes] == [
        ("like", "lists.size.rows.huge", {"n": 2, "m": 6}),
        ("like", "cards.card.rows", {"face": "head", "food": 2}),
        ("like", "cards.card.rows", {"face": "body", "food": 3}),
    ]


def test_a_row_like_one_of_the_same_layer_which_is_like_another(write: Write) -> None:
    mod = "lists: {size: {rows: {vast: {like: huge, n: 4}, huge: {like: large, m: 7}}}}\n"
    source, diagnostics = load(write, mod)
    assert not list(diagnostics)
    assert at(source, "lists", "size", "rows", "vast") == {"n": 4, "m": 7}


def test_what_is_taken_out_can_be_copied(write: Write) -> None:
    """A copy is of what the layers below have, before anything is changed."""
    mod = "remove: ['cards.card.rows[face=head]']\ncards: {card: {rows: [{like: face=head, food: 9}]}}\n"
    source, diagnostics = load(write, mod)
    assert not list(diagnostics)
    rows = [row.plain() for _, row in source.tree.map("cards").map("card").map("rows")]
    assert rows[-1] == {"food": 9, "face": "head"}


def test_a_trait_like_another(write: Write) -> None:
    base = write("tiny", {"base.yaml": BASE, "t.yaml": HORNS})
    mod = write("m1", {"s.yaml": "trait: spikes\nlike: horns\nplus: 3\n", "q.yaml": "trait: quills\nlike: spikes\n"})
    source, diagnostics = load_ruleset(base, [mod])
    assert source is not None
    assert not list(diagnostics)
    assert {t.id: t.node.plain() for t in source.traits if t.layer} == {
        "spikes": {"trait": "spikes", "plus": 3, "text": {"en": "It pushes."}, "rules": "stop\n"},
        "quills": {"trait": "quills", "plus": 3, "text": {"en": "It pushes."}, "rules": "stop\n"},
    }
    assert [(rules.owner.name, rules.span.path) for rules in source.rules] == [
        ("horns", "tiny/t.yaml"),
        ("spikes", "tiny/t.yaml"),
        ("quills", "tiny/t.yaml"),
    ]


@pytest.mark.parametrize(
    ("files", "message", "hint"),
    [
        ({"a.yaml": "trait: a\nlike: horn\n"}, "there is no trait `horn`", "did you mean `horns`?"),
        ({"a.yaml": "trait: a\nlike: a\n"}, "there is no trait `a`", ""),
        (
            {"a.yaml": "trait: a\nlike: b\n", "b.yaml": "trait: b\nlike: a\n"},
            "`like:` forms a cycle",
            "",
        ),
        (
            {"a.yaml": "lists: {size: {rows: {huge: {like: larg}}}}\n"},
            "no row of `size` is called `larg`",
            "did you mean `large`?",
        ),
        (
            {"a.yaml": "cards: {card: {rows: [{like: face=body}]}}\n"},
            "2 rows of `card` have `face=body`",
            "add another cell: `like: COLUMN=VALUE, COLUMN=VALUE`",
        ),
    ],
)
def test_like_nothing(write: Write, files: dict[str, str], message: str, hint: str) -> None:
    base = write("tiny", {"base.yaml": BASE, "t.yaml": HORNS})
    found = list(load_ruleset(base, [write("m1", files)])[1])
    assert [(d.code, d.message) for d in found] in ([("Y150", message)], [("Y150", message)] * 2)
    assert found[0].hint == hint


def test_a_column_may_be_called_like(write: Write) -> None:
    text = "lists: {a: {columns: {like: int}, rows: {x: {like: 1}}}}\n"
    source, diagnostics = load_ruleset(write("tiny", {"a.yaml": text}))
    assert source is not None
    assert not list(diagnostics)
    assert at(source, "lists", "a", "rows", "x") == {"like": 1}


# ---- brackets


@pytest.mark.parametrize(
    ("path", "row"),
    [("cards.card.rows[face=body, food=3]", 2), ("cards.card[food=3]", 2), ("cards.card.rows[2, face=body]", 1)],
)
def test_rows_by_what_they_say(write: Write, path: str, row: int) -> None:
    source, diagnostics = load(write, f"set:\n  {path}.food: 8\n")
    assert not list(diagnostics)
    rows = [row.plain() for _, row in source.tree.map("cards").map("card").map("rows")]
    assert [number for number, row in enumerate(rows) if row == {"face": "body", "food": 8}] == [row]


def test_a_row_that_has_moved_is_told(write: Write) -> None:
    _, diagnostics = load(write, "set:\n  cards.card.rows[1, face=body].food: 8\n")
    assert told(diagnostics) == [("Y141", "error", "row 1 of `cards.card.rows` has the face `head`, not `body`")]
    _, diagnostics = load(write, "set:\n  cards.card.rows[1, food=3].food: 8\n")
    moved = "row 1 of `cards.card.rows` has the food `2`, not `3`; row 3 has it now"
    assert told(diagnostics) == [("Y141", "error", moved)]


@pytest.mark.parametrize(
    ("path", "better"),
    [
        ("cards.card.rows[1].food", "cards.card.rows[face=head].food"),
        ("cards.card.rows[2].food", "cards.card.rows[face=body, food=2].food"),
        ("cards.card.rows.2.food", "cards.card.rows[face=body, food=2].food"),
    ],
)
def test_a_path_that_counts_is_offered_one_that_does_not(write: Write, path: str, better: str) -> None:
    _, diagnostics = load(write, f"set:\n  {path}: 8\n")
    assert [(d.code, d.hint) for d in diagnostics] == [("Y146", f"write `{better}`")]


@pytest.mark.parametrize(
    ("path", "better"),
    [
        ("cards.card.rows.face=head.food", "cards.card.rows[face=head].food"),
        ("cards.card.face=head.food", "cards.card.rows[face=head].food"),
        ("options.how.values.b", "options.how.values[b]"),
        ("numbers.replaced.2", "numbers.replaced[2]"),
    ],
)
def test_an_older_spelling_is_read_and_told(write: Write, path: str, better: str) -> None:
    old, diagnostics = load(write, f"set:\n  {path}: 8\n")
    assert [(d.code, d.severity, d.hint) for d in diagnostics] == [("Y151", "warning", f"write `{better}`")]
    new, diagnostics = load(write, f"set:\n  {better}: 8\n")
    assert not list(diagnostics)
    assert old.tree.plain() == new.tree.plain()


@pytest.mark.parametrize("path", ["cards.card.rows[face=head", "[2]", "cards.card.rows]2[", "cards.card.rows[2]food"])
def test_a_path_whose_brackets_do_not_fit(write: Write, path: str) -> None:
    _, diagnostics = load(write, f"set:\n  '{path}': 8\n")
    assert [d.code for d in diagnostics] == ["Y151"]
    assert diagnostics.failed


def test_brackets_in_a_list_want_quotes(write: Write) -> None:
    _, diagnostics = load(write, "remove: [cards.card.rows[face=head]]\n")
    assert [(d.code, d.message) for d in diagnostics] == [("Y102", "a `[` in the middle of unquoted text")]


def test_a_named_row_follows_a_dot(write: Write) -> None:
    _, diagnostics = load(write, "set: {'lists.size.rows[small].n': 3}\n")
    assert [(d.code, d.hint) for d in diagnostics] == [("Y141", "write `lists.size.rows.small`")]


# ---- patches in vain


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("set: {numbers.eras: 4}\n", "`numbers.eras` is already `4`"),
        ("set: {numbers.replaced: [1, 2, 2]}\n", "`numbers.replaced` is already a list"),
        ("set: {lists.part: [head, body]}\n", "`lists.part` is already a map"),
        ("extend: {options.how.values: [b]}\n", "`options.how.values` already has `b`"),
        ("extend: {options.how.values: []}\n", "`options.how.values` is extended with nothing"),
        ("extend: {numbers: {}}\n", "`numbers` is extended with nothing"),
    ],
)
def test_a_patch_that_changes_nothing_says_why(write: Write, patch: str, message: str) -> None:
    source, diagnostics = load(write, patch)
    assert told(diagnostics) == [("Y147", "warning", message)]
    assert not source.history.changes


def test_two_mods_that_want_the_same(write: Write) -> None:
    source, diagnostics = load(write, "set: {numbers.eras: 5}\n", "set: {numbers.eras: 5}\n")
    assert told(diagnostics) == [("Y147", "warning", "`numbers.eras` is already `5`")]
    assert at(source, "numbers", "eras") == 5
    for second in (gone := "remove: [numbers.eras]\n", (gone, "after: [m1]\n")):
        _, diagnostics = load(write, gone, second)
        assert told(diagnostics) == [("Y147", "warning", "`numbers.eras` is already removed")]
        assert [related.span.path for d in diagnostics for related in d.related] == ["m1/patch.yaml"]


def test_what_is_not_there_can_be_added(write: Write) -> None:
    _, diagnostics = load(write, "set: {options.how.text: which way}\n")
    assert [d.hint for d in diagnostics] == ["to add it, write `extend: {options.how: {text: ...}}`"]


# ---- add, multiply


@pytest.mark.parametrize(
    ("patch", "path", "value"),
    [
        ("add: {numbers.eras: 1}\n", ("numbers", "eras"), 5),
        ("add: {numbers.eras: -6}\n", ("numbers", "eras"), -2),
        ("add: {'numbers.replaced[1]': 3}\n", ("numbers", "replaced"), [4, 2, 2]),
        ("add: {numbers.replaced: 2}\n", ("numbers", "replaced"), [3, 4, 4]),
        ("multiply: {numbers.eras: 3}\n", ("numbers", "eras"), 12),
        ("multiply: {numbers.eras: 3/8}\n", ("numbers", "eras"), 1),
        ("multiply: {numbers.replaced: 1/2}\n", ("numbers", "replaced"), [0, 1, 1]),
        ("multiply: {lists.size.small: 2}\n", ("lists", "size", "rows", "small"), {"n": 2, "m": 10}),
        ("multiply: {lists.size.small.m: 2}\n", ("lists", "size", "rows", "small", "m"), 10),
    ],
)
def test_relative_numbers(write: Write, patch: str, path: tuple[str, ...], value: object) -> None:
    source, diagnostics = load(write, patch)
    assert told(diagnostics) == []
    assert at(source, *path) == value


def test_a_number_is_changed_relative_to_what_the_layer_below_made_of_it(write: Write) -> None:
    source, diagnostics = load(
        write,
        "set: {numbers.eras: 10}\n",
        ("add: {numbers.eras: 2}\n", "after: [m1]\n"),
        ("multiply: {numbers.eras: 2}\n", "after: [m2]\n"),
    )
    assert told(diagnostics) == []
    assert at(source, "numbers", "eras") == 24
    assert [(c.verb, c.after.plain() if c.after else None) for c in source.history.changes] == [
        ("set", 10),
        ("add", 12),
        ("multiply", 24),
    ]


def test_two_mods_add_to_one_number(write: Write) -> None:
    """Both count, in whatever order; so do two that multiply with whole numbers. Else the order would decide."""
    for one, other, value in (("add: {numbers.eras: 1}\n", "add: {numbers.eras: 2}\n", 7),):
        for mods in ((one, other), (other, one)):
            source, diagnostics = load(write, *mods)
            assert (told(diagnostics), at(source, "numbers", "eras")) == ([], value)
    source, diagnostics = load(write, "multiply: {numbers.eras: 2}\n", "multiply: {numbers.eras: 3}\n")
    assert (told(diagnostics), at(source, "numbers", "eras")) == ([], 24)
    for one, other in (
        ("add: {numbers.eras: 1}\n", "multiply: {numbers.eras: 2}\n"),
        ("multiply: {numbers.eras: 1/2}\n", "multiply: {numbers.eras: 3}\n"),
        ("set: {numbers.eras: 5}\n", "add: {numbers.eras: 2}\n"),
        ("add: {numbers.eras: 1}\n", "remove: [numbers.eras]\n"),
    ):
        for mods in ((one, other), (other, one)):
            _, diagnostics = load(write, *mods)
            assert {code for code, _, _ in told(diagnostics)} <= {"Y142", "Y141"}
            assert diagnostics.failed


@pytest.mark.parametrize(
    ("patch", "code", "message"),
    [
        ("add: {numbers.eras: 0}\n", "Y147", "`numbers.eras` is still `4`"),
        ("multiply: {numbers.eras: 1}\n", "Y147", "`numbers.eras` is still `4`"),
        ("add: {numbers.eras: 1.5}\n", "Y152", "cannot add `1.5`"),
        ("add: {numbers.eras: 1/2}\n", "Y152", "cannot add `1/2`"),
        ("multiply: {numbers.eras: 1/0}\n", "Y152", "cannot multiply by `1/0`"),
        ("add: {lists.part: 1}\n", "Y152", "`lists.part` is a map"),
        ("add: {lists.size.rows: 1}\n", "Y152", "`lists.size.rows` is a map"),
        ("add: {traits.horns.name.en: 1}\n", "Y152", "`traits.horns.name.en` is `Horns`"),
        ("add: {numbers.era: 1}\n", "Y141", "`numbers.era` does not exist: there is no `era` in `numbers`"),
    ],
)
def test_no_number_to_reckon_with(write: Write, patch: str, code: str, message: str) -> None:
    _, diagnostics = load(write, patch)
    assert [(found, text) for found, _, text in told(diagnostics)] == [(code, message)]
