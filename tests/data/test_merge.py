"""Merging and patching: maps unite, lists grow, the same leaf twice is an error, patches need a path and an order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.ruleset import load_ruleset
from rulelang.data.ruleset_source import RulesetSource

Write = Callable[..., Path]

BASE = """\
numbers: {eras: 4, places: {2: 3, 3-4: 4}, replaced: [1, 2], again: [2, 3, 3]}
options: {how: {values: [a, b], default: a}}
lists:
  part: [head, body]
  size: {columns: {n: int}, rows: {small: {n: 1}, large: {n: 2}}}
cards:
  card:
    columns: {face: part}
    unused_columns: [x]
    rows:
      - {face: head, copies: 2}
      - {face: body, copies: 3}
  beast:
    from: beasts.csv
"""
CSV = "id,size,extinct\nwolf.head,3,\nfox,1,yes\n"


def load(write: Write, *mods: str | tuple[str, str], mode: str | None = None) -> tuple[RulesetSource, Diagnostics]:
    """The base above with mods `m1`, `m2`, ... each of one file, and perhaps lines for its manifest."""
    base = write("tiny", {"base.yaml": BASE, "beasts.csv": CSV})
    places = []
    for number, mod in enumerate(mods, 1):
        text, extra = mod if isinstance(mod, tuple) else (mod, "")
        places.append(write(f"m{number}", {"patch.yaml": text}, extra=extra))
    source, diagnostics = load_ruleset(base, places, mode)
    assert source is not None
    return source, diagnostics


def codes(diagnostics: Diagnostics) -> list[tuple[str, str]]:
    return [(d.code, str(d.span)) for d in diagnostics.sorted()]


def test_maps_unite_and_lists_grow(write: Write) -> None:
    mod = """\
numbers: {extra: 1, places: {5: 6}}
options: {how: {values: [c]}}
lists:
  part: [whole]
  size: {columns: {m: int}, rows: {small: {m: 7}, huge: }}
cards:
  card: {rows: [{face: whole}], unused_columns: [y]}
  beast: {rows: {fox: {extinct_since: 3}, "wolf.head": {extinct: 1}}}
"""
    source, diagnostics = load(write, mod)
    assert not list(diagnostics)
    tree = source.tree
    assert tree.map("numbers").plain() == {
        "eras": 4,
        "places": {"2": 3, "3-4": 4, "5": 6},
        "replaced": [1, 2],
        "again": [2, 3, 3],
        "extra": 1,
    }
    assert tree.map("options").map("how").plain() == {"values": ["a", "b", "c"], "default": "a"}
    assert tree.map("lists").map("part").map("rows").keys() == ("head", "body", "whole")
    assert tree.map("lists").map("size").map("rows").plain() == {
        "small": {"n": 1, "m": 7},
        "large": {"n": 2},
        "huge": {},
    }
    cards = tree.map("cards")
    assert [node.plain() for _, node in cards.map("card").map("rows")] == [
        {"face": "head", "copies": 2},
        {"face": "body", "copies": 3},
        {"face": "whole"},
    ]
    assert cards.map("card").map("unused_columns").plain() == {}
    assert [node.plain() for node in cards.map("card").seq("unused_columns")] == ["x", "y"]
    assert cards.map("beast").map("rows").plain() == {
        "wolf.head": {"size": "3", "extinct": 1},
        "fox": {"size": "1", "extinct": "yes", "extinct_since": 3},
    }
    new = tree.map("numbers").get("extra")
    assert new is not None
    assert (new.layer, str(new.span)) == (1, "m1/patch.yaml:1:18")


@pytest.mark.parametrize(
    ("mod", "place", "other"),
    [
        ("numbers: {eras: 6}\n", "m1/patch.yaml:1:11", "tiny/base.yaml:1:11"),
        ("numbers: {eras: {2: 6}}\n", "m1/patch.yaml:1:11", "tiny/base.yaml:1:11"),
        ("numbers: {replaced: [3]}\n", "m1/patch.yaml:1:11", "tiny/base.yaml:1:44"),
        ("numbers: {places: {2: 6}}\n", "m1/patch.yaml:1:20", "tiny/base.yaml:1:29"),
        ("lists: {size: {rows: {small: {n: 2}}}}\n", "m1/patch.yaml:1:31", "tiny/base.yaml:5:44"),
        ("options: {how: {values: [b]}}\n", "m1/patch.yaml:1:26", "tiny/base.yaml:2:29"),
        ("cards: {beast: {rows: {fox: {size: 2}}}}\n", "m1/patch.yaml:1:30", "tiny/beasts.csv:3:5"),
    ],
)
def test_the_same_leaf_twice(write: Write, mod: str, place: str, other: str) -> None:
    _, diagnostics = load(write, mod)
    assert [(d.code, str(d.span), str(d.related[0].span)) for d in diagnostics] == [("Y140", place, other)]


def test_a_row_stands_once_in_a_list(write: Write) -> None:
    source, diagnostics = load(write, "lists: {part: [head], new: [a, a]}\n")
    assert codes(diagnostics) == [("Y103", "m1/patch.yaml:1:32")]
    assert source.tree.map("lists").map("part").map("rows").keys() == ("head", "body")


@pytest.mark.parametrize(
    ("patch", "where", "value"),
    [
        ("set: {numbers.eras: 6}\n", ("numbers", "eras"), 6),
        ("set: {numbers.replaced: [2, 3]}\n", ("numbers", "replaced"), [2, 3]),
        ("set: {'numbers.replaced[2]': 9}\n", ("numbers", "replaced"), [1, 9]),
        ("set: {'numbers.again[3]': 9}\n", ("numbers", "again"), [2, 3, 9]),
        ("remove: ['numbers.again[1]', 'numbers.again[2]']\n", ("numbers", "again"), [3]),
        ("set: {numbers.places.3-4: 5}\n", ("numbers", "places"), {"2": 3, "3-4": 5}),
        ("set: {options.how.default: b}\n", ("options", "how"), {"values": ["a", "b"], "default": "b"}),
        ("set: {lists.part: [a, b]}\n", ("lists", "part"), {"rows": {"a": {}, "b": {}}}),
        ("remove: [lists.part.head]\n", ("lists", "part"), {"rows": {"body": {}}}),
        ("remove: lists.part.rows.head\n", ("lists", "part"), {"rows": {"body": {}}}),
        ("remove: ['options.how.values[a]']\n", ("options", "how"), {"values": ["b"], "default": "a"}),
        ("set: {cards.beast.rows.wolf.head.size: 4}\n", ("cards", "beast", "rows", "wolf.head", "size"), 4),
        ("remove: [cards.beast.fox]\n", ("cards", "beast", "rows", "fox"), None),
        ("remove: [lists.size]\n", ("lists", "size"), None),
    ],
)
def test_patches(write: Write, patch: str, where: tuple[str, ...], value: object) -> None:
    source, diagnostics = load(write, patch)
    assert not list(diagnostics)
    node = source.tree
    for step in where[:-1]:
        node = node.map(step)
    found = node.get(where[-1])
    assert (found.plain() if found is not None else None) == value
    assert {r.layer for r in source.removed} == ({1} if "remove" in patch else set())


def test_a_row_without_a_name_is_counted(write: Write) -> None:
    source, diagnostics = load(write, "set: {'cards.card.rows[2].copies': 9}\n")
    assert [(d.code, d.severity, d.hint) for d in diagnostics] == [
        ("Y146", "warning", "write `cards.card.rows[face=body].copies`")
    ]
    rows = source.tree.map("cards").map("card").map("rows")
    assert [node.plain() for _, node in rows][1] == {"face": "body", "copies": 9}


@pytest.mark.parametrize(
    ("patch", "place", "hint"),
    [
        ("set: {numbers.era: 6}\n", "m1/patch.yaml:1:7", "did you mean `eras`?"),
        ("set: {number.eras: 6}\n", "m1/patch.yaml:1:7", "did you mean `numbers`?"),
        ("set: {numbers.eras.x: 6}\n", "m1/patch.yaml:1:7", ""),
        ("remove: [lists.part.heads]\n", "m1/patch.yaml:1:10", "did you mean `head`?"),
        ("remove: ['options.how.values[c]']\n", "m1/patch.yaml:1:10", ""),
        ("set: {'cards.card.rows[7].copies': 9}\n", "m1/patch.yaml:1:7", ""),
        ("set: {'': 9}\n", "m1/patch.yaml:1:7", ""),
        ("set: {'numbers..': 9}\n", "m1/patch.yaml:1:7", ""),
    ],
)
def test_paths_must_exist(write: Write, patch: str, place: str, hint: str) -> None:
    _, diagnostics = load(write, patch)
    assert [(d.code, str(d.span)) for d in diagnostics] == [("Y141", place)]
    if hint:
        assert [d.hint for d in diagnostics] == [hint]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("set: {numbers.eras: 6}\n", "set: {numbers.eras: 7}\n"),
        ("set: {numbers.eras: 6}\n", "remove: [numbers.eras]\n"),
        ("set: {numbers.places.2: 6}\n", "set: {numbers.places: 7}\n"),
    ],
)
def test_unordered_mods_must_not_change_the_same(write: Write, first: str, second: str) -> None:
    _, diagnostics = load(write, first, second)
    assert [(d.code, d.span.path, d.related[0].span.path) for d in diagnostics] == [
        ("Y142", "m2/patch.yaml", "m1/patch.yaml")
    ]
    assert not list(load(write, first, (second, "after: [m1]\n"))[1])


def test_after_turns_the_order_round(write: Write) -> None:
    source, diagnostics = load(write, ("set: {numbers.eras: 6}\n", "after: [m2]\n"), "set: {numbers.eras: 7}\n")
    assert not list(diagnostics)
    assert [layer.id for layer in source.layers] == ["tiny", "m2", "m1"]
    assert source.tree.map("numbers").text("eras") == "6"


def test_one_mod_changes_a_path_once(write: Write) -> None:
    _, diagnostics = load(write, "set: {numbers.eras: 6}\nremove: [numbers.eras]\n")
    assert [d.code for d in diagnostics] == ["Y142"]


def test_traits_are_patched(write: Write) -> None:
    columns = "traits: {plus: {is: 0..9, default: 0}}\n"
    trait = "trait: horns\ntext: x\nrules: |\n  nothing\n"
    base = write("tiny", {"a.yaml": columns, "t.yaml": trait, "u.yaml": "trait: tail\n"})
    patch = "set:\n  traits.horns.text: y\n  traits.horns.plus: 2\n  traits.horns.rules: |\n    stop\n"
    patch += "remove: [traits.tail]\n"
    source, diagnostics = load_ruleset(base, [write("m1", {"p.yaml": patch})])
    assert not list(diagnostics)
    assert source is not None
    assert [t.node.plain() for t in source.traits] == [{"trait": "horns", "text": "y", "rules": "stop\n", "plus": 2}]
    assert [(r.text, r.layer, r.owner.kind, r.placement.span(1, 1, 1, 2).line) for r in source.rules] == [
        ("stop\n", 1, "trait", 5)
    ]


@pytest.mark.parametrize(
    ("extends", "code"),
    [
        ("{tiny: '>=2'}", "Y137"),
        ("{tiny: '>=1.0, <1'}", "Y137"),
        ("{tiny: 'about 1'}", "Y136"),
        ("{tinny: '>=1'}", "Y137"),
        ("{m1: '>=1'}", "Y138"),
    ],
)
def test_what_a_mod_extends(write: Write, extends: str, code: str) -> None:
    base = write("tiny", {"a.yaml": "numbers: {n: 1}\n"})
    manifest = f"id: m1\nversion: 1.0.0\nlanguage: 1\nextends: {extends}\nfiles: []\n"
    _, diagnostics = load_ruleset(base, [write("m1", {}, manifest)])
    assert code in {d.code for d in diagnostics}
    _, alone = load_ruleset(write("m1", {}, manifest))
    assert alone.failed


def test_mods_that_extend_each_other(write: Write) -> None:
    base = write("tiny", {"a.yaml": "numbers: {n: 1}\n"})
    head = "version: 1.0.0\nlanguage: 1\nfiles: []\n"
    one = write("m1", {}, "id: m1\nextends: {tiny: '', m2: ''}\n" + head)
    two = write("m2", {}, "id: m2\nextends: {tiny: '', m1: ''}\n" + head)
    source, diagnostics = load_ruleset(base, [one, two])
    assert [(d.code, d.because) for d in diagnostics] == [
        ("Y138", "each mod must come after the next one: m1 -> m2 -> m1")
    ]
    assert source is not None


def test_mods_that_follow_each_other(write: Write) -> None:
    base = write("tiny", {"a.yaml": "numbers: {n: 1}\n"})
    mods = [write("m1", {}, extra="after: [m2]\n"), write("m2", {}, extra="after: [m1]\n")]
    _, diagnostics = load_ruleset(base, mods)
    assert [(d.code, d.message) for d in diagnostics] == [("Y138", "these mods follow each other in a cycle")]


def test_what_is_laid_over_must_be_a_mod(write: Write) -> None:
    base = write("tiny", {"a.yaml": "numbers: {n: 1}\n"})
    assert [d.code for d in load_ruleset(base, [base])[1]] == ["Y131"]
    mod = write("m1", {"p.yaml": "set: {numbers.n: 2}\n"})
    assert not list(load_ruleset(base, [mod, mod])[1])
    twin = write("twin", {"p.yaml": "numbers: {m: 2}\n"}, (mod / "mod.yaml").read_text(encoding="utf-8"))
    assert [d.code for d in load_ruleset(base, [mod, twin])[1]] == ["Y131"]


def test_mods_are_ordered_by_dependency_then_id(write: Write) -> None:
    base = write("tiny", {"a.yaml": "numbers: {n: 1}\n"})
    b = write("b", {})
    c = write("c", {}, extra="after: [z]\n")
    a = write("a", {}, "id: a\nversion: 1\nlanguage: 1\nextends: {c: ''}\nfiles: []\n")
    z = write("z", {})
    source, diagnostics = load_ruleset(base, [a, b, c, z])
    assert not list(diagnostics)
    assert source is not None
    assert [layer.id for layer in source.layers] == ["tiny", "b", "z", "c", "a"]
    assert sorted(source.layers[4].after) == [0, 2, 3]


def card_rows(source: RulesetSource) -> list[object]:
    return [node.plain() for _, node in source.tree.map("cards").map("card").map("rows")]


HEAD, BODY = {"face": "head", "copies": 2}, {"face": "body", "copies": 3}


@pytest.mark.parametrize(
    ("mod", "rows"),
    [
        ("set: {'cards.card.rows[face=body].copies': 9}\n", [HEAD, {"face": "body", "copies": 9}]),
        ("set: {'cards.card[face=body].copies': 9}\n", [HEAD, {"face": "body", "copies": 9}]),
        ("remove: ['cards.card.rows[face=head]']\n", [BODY]),
        # numbers are those before anything is removed
        (
            "remove: ['cards.card.rows[1]']\nset: {'cards.card.rows[2].copies': 9}\n",
            [{"face": "body", "copies": 9}],
        ),
        (
            "set: {'cards.card.rows[2].copies': 9}\nremove: ['cards.card.rows[1]']\n",
            [{"face": "body", "copies": 9}],
        ),
        ("remove: ['cards.card.rows[1]', 'cards.card.rows[2]']\n", []),
        # what is removed may be declared anew
        ("remove: [cards.card.rows]\ncards: {card: {rows: [{face: tail}]}}\n", [{"face": "tail"}]),
        ("cards: {card: {rows: [{face: tail}]}}\nremove: [cards.card.rows]\n", [{"face": "tail"}]),
        ("remove: ['cards.card.rows[1]']\ncards: {card: {rows: [{face: tail}]}}\n", [BODY, {"face": "tail"}]),
        # a cell of a column that is new
        (
            "cards: {card: {columns: {suns: int}}}\nset: {'cards.card.rows[2].suns': 1}\n",
            [HEAD, {**BODY, "suns": 1}],
        ),
        (
            "cards: {card: {columns: {suns: int}}}\n"
            "set: {'cards.card.rows[face=head].suns': 1, 'cards.card.rows[face=head].copies': 7}\n",
            [{"face": "head", "copies": 7, "suns": 1}, BODY],
        ),
    ],
)
def test_remove_then_set_then_add(write: Write, mod: str, rows: list[object]) -> None:
    source, diagnostics = load(write, mod)
    assert {d.code for d in diagnostics} <= {"Y146"}
    assert card_rows(source) == rows


def test_what_is_removed_may_be_declared_anew(write: Write) -> None:
    mod = "remove: [lists.part, numbers.eras]\nlists: {part: [wing]}\nnumbers: {eras: {2: 1}}\n"
    source, diagnostics = load(write, mod)
    assert not list(diagnostics)
    assert source.tree.map("lists").map("part").map("rows").keys() == ("wing",)
    assert source.tree.map("numbers").map("eras").plain() == {"2": 1}


def test_a_trait_may_be_exchanged(write: Write) -> None:
    base = write("tiny", {"a.yaml": "traits: {plus: {is: 0..9, default: 0}}\n", "t.yaml": "trait: horns\ntext: x\n"})
    mod = write("m1", {"p.yaml": "remove: [traits.horns]\n", "t.yaml": "trait: horns\ntext: y\n"})
    source, diagnostics = load_ruleset(base, [mod])
    assert source is not None
    assert not list(diagnostics)
    assert [(t.node.plain(), t.layer) for t in source.traits] == [({"trait": "horns", "text": "y"}, 1)]
    _, diagnostics = load_ruleset(base, [write("m2", {"t.yaml": "trait: horns\ntext: z\n"})])
    assert [d.code for d in diagnostics] == ["Y143"]
    patched = write("m3", {"p.yaml": "set: {traits.horns: {text: z}}\n"})
    assert [d.code for d in load_ruleset(base, [patched])[1]] == ["Y141"]
    # a column of the section may be changed too
    source, diagnostics = load_ruleset(base, [write("m4", {"p.yaml": "set: {traits.plus.default: 3}\n"})])
    assert source is not None
    assert not list(diagnostics)
    assert source.tree.map("traits").plain() == {"plus": {"is": "0..9", "default": 3}}


@pytest.mark.parametrize("names", [("m1", "m2"), ("m2", "m1")])
def test_a_mod_that_is_not_known_changes_no_number(write: Write, names: tuple[str, str]) -> None:
    """One takes a row out and brings another; the other sets a row by its number: the same one as alone."""
    base = write("tiny", {"base.yaml": BASE, "beasts.csv": CSV})
    texts = (
        "remove: ['cards.card.rows[1]']\ncards: {card: {rows: [{face: tail}]}}\n",
        "set: {'cards.card.rows[2].copies': 9}\n",
    )
    mods = [write(name, {"patch.yaml": text}) for name, text in zip(names, texts, strict=True)]
    source, diagnostics = load_ruleset(base, mods)
    assert source is not None
    assert {d.code for d in diagnostics} == {"Y146"}
    assert card_rows(source) == [{"face": "body", "copies": 9}, {"face": "tail"}]


def test_a_mod_counts_what_the_mods_below_left(write: Write) -> None:
    first = "remove: ['cards.card.rows[1]']\ncards: {card: {rows: [{face: tail, copies: 1}]}}\n"
    source, diagnostics = load(write, first, ("set: {'cards.card.rows[2].copies': 9}\n", "after: [m1]\n"))
    assert {d.code for d in diagnostics} == {"Y146"}
    assert card_rows(source) == [BODY, {"face": "tail", "copies": 9}]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("remove: ['cards.card.rows[1]']\n", "set: {'cards.card.rows[1].copies': 9}\n"),
        ("remove: ['cards.card.rows[1]']\n", "set: {'cards.card.rows[face=head].copies': 9}\n"),
        ("set: {'cards.card.rows[face=head].copies': 9}\n", "set: {'cards.card.rows[1].copies': 8}\n"),
        ("remove: [cards.card.rows]\n", "set: {'cards.card.rows[1].copies': 8}\n"),
        ("remove: ['numbers.replaced[1]']\n", "set: {'numbers.replaced[2]': 8}\n"),
        ("set: {'numbers.replaced[2]': 8}\n", "remove: ['numbers.replaced[1]']\n"),
    ],
)
def test_two_mods_that_mean_the_same_row(write: Write, first: str, second: str) -> None:
    found = [d for d in load(write, first, second)[1] if d.severity == "error"]
    assert [d.code for d in found] in (["Y142"], ["Y141"])
    assert [related.span.path for related in found[0].related] == ["m1/patch.yaml"]


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("set: {'cards.card.rows[face=tail].copies': 9}\n", "must identify one row, but no row has the face `tail`"),
        ("set: {'cards.card.rows[3].copies': 9}\n", "there is no `[3]` in `cards.card.rows`"),
        ("set: {'cards.card.rows[1].suns': 9}\n", "there is no `suns` in `cards.card.rows[1]`"),
        ("set: {'cards.beast.rows[size=x]': 9}\n", "must identify one row"),
        (
            "set: {'cards.beast.rows[id=wolf.head].size': 9}\n",
            "picks a row by its `id`, which is its name and not a column",
        ),
    ],
)
def test_each_patch_finds_what_it_names(write: Write, patch: str, said: str) -> None:
    found = [d for d in load(write, patch)[1] if d.severity == "error"]
    assert [d.code for d in found] == ["Y141"]
    assert said in found[0].message


def test_a_row_that_two_cells_fit_is_not_guessed(write: Write) -> None:
    text = "cards:\n  card:\n    columns: {n: int}\n    rows: [{n: 1}, {n: 1}, {n: 2}]\n"
    base = write("tiny", {"base.yaml": text})
    _, diagnostics = load_ruleset(base, [write("m1", {"p.yaml": "set: {'cards.card.rows[n=1].n': 3}\n"})])
    found = [d.message for d in diagnostics]
    assert found == ["`cards.card.rows[n=1].n` must identify one row, but 2 rows have the n `1`"]
    # Where no cell is a row's own, a number is the only way, and a cell beside it notices when the row moves.
    _, diagnostics = load_ruleset(base, [write("m2", {"p.yaml": "set: {'cards.card.rows[2].n': 3}\n"})])
    assert [(d.code, d.hint) for d in diagnostics] == [("Y146", "write `cards.card.rows[2, n=1].n`")]
    assert not list(load_ruleset(base, [write("m3", {"p.yaml": "set: {'cards.card.rows[2, n=1].n': 3}\n"})])[1])


def test_a_patch_is_of_what_lies_below(write: Write) -> None:
    _, diagnostics = load(write, "numbers: {own: 1}\nset: {numbers.own: 2}\n")
    assert [d.code for d in diagnostics] == ["Y141"]


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("cards.job.rows.early.bird.hours.water", "write `cards.job.rows.early.bird.water`"),
        ("cards.job.rows.early.bird.hours.watr", "write `cards.job.rows.early.bird.weed`"),
        ("cards.job.rows[id=early.bird].water", "write `cards.job.rows.early.bird.water`"),
        ("cards.job.rows[id=early.brd].water", "did you mean `early.bird`?"),
    ],
)
def test_a_path_into_a_table_is_told_as_it_is_written(write: Write, path: str, hint: str) -> None:
    things = (
        "lists: {task: {rows: {weed: , water: }}}\n"
        "cards: {job: {from: jobs.csv, columns: {hours: {is: int, by: task}}}}\n"
    )
    base = write("tiny", {"base.yaml": things, "jobs.csv": "id,weed,water\nearly.bird,2,1\n"})
    _, diagnostics = load_ruleset(base, [write("m1", {"p.yaml": f"set: {{'{path}': 9}}\n"})])
    assert [(d.code, d.hint) for d in diagnostics] == [("Y141", hint)]
    right = "set: {cards.job.rows.early.bird.water: 9}\n"
    assert not list(load_ruleset(base, [write("m2", {"p.yaml": right})])[1])
