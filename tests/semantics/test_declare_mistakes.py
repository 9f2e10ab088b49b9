"""Every mistake in a declaration is told at its place. `‹...›` marks the guilty text; it is not part of the file."""
# ruff: noqa: E501 (tables of rulesets on one line)

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulelang.base.codes import CODES
from rulelang.base.diagnostics import Diagnostic
from rulelang.compiler.compilation import check as check_ruleset
from rulelang.data.ruleset import load_ruleset
from rulelang.language.semantics.declare import declare
from rulelang.language.semantics.model import Model

MANIFEST = (
    "id: tiny\nversion: 1.0.0\nlanguage: 1\ntitle: Tiny\nplayers: {count: [2, 4]}\n"
    "options: {plus: {is: bool, default: false}, map: {values: [isle, coast], default: isle}}\n"
)
CARD = "cards: {card: {columns: {face: trait}, rows: [{face: horns}]}}\n"
HORNS = "trait: horns\n"


def run(folder: Path, files: Mapping[str, str], manifest: str = MANIFEST) -> tuple[Model, list[Diagnostic]]:
    """Declare a tiny ruleset of these files. Traits stand in `traits/`."""
    names = [name for name in files if not name.endswith(".csv")]
    (folder / "traits").mkdir()
    for name, text in files.items():
        (folder / name).write_text(plain(text), encoding="utf-8")
    listed = "files: [" + ", ".join(names) + "]\n"
    (folder / "ruleset.yaml").write_text(plain(manifest) + listed, encoding="utf-8")
    source, _ = load_ruleset(folder)
    assert source is not None
    model, out = declare(source)
    return model, out.sorted()


def plain(text: str) -> str:
    return text.replace("‹", "").replace("›", "")


def marked(files: Mapping[str, str]) -> set[tuple[str, int, int, int]]:
    """File name, line, column and end column of every `‹...›` (on one line)."""
    found: set[tuple[str, int, int, int]] = set()
    for name, text in files.items():
        for number, line in enumerate(text.split("\n"), 1):
            while "‹" in line:
                start = line.index("‹")
                end = line.index("›") - 1
                found.add((Path(name).name, number, start + 1, end + 1))
                line = line.replace("‹", "", 1).replace("›", "", 1)
    return found


THINGS: list[tuple[str, str, str]] = [
    # code, things.yaml, a part of the message, the reason or the hint
    ("N300", "lists: {deck: [a, b]}\nzones: {‹deck›: {holds: card}}\n", "`deck` is already a list"),
    ("N301", "state: {‹round›: int}\n", "the round number"),
    ("N301", "lists: {answer: [yes_please, ‹none›]}\n", "already has a meaning"),
    ("N301", "kinds: {pawn: {of: player, at_most: 3, attributes: {‹owner›: int}}}\n", "the player who owns the thing"),
    ("N301", "lists: {place: {count: 3}}\nkinds: {pawn: {of: player, in: place, at_most: 3, attributes: {‹place›: int}}}\n", "the thing's place"),
    ("N302", "lists: {size: [small, ‹extra-large›]}\n", "not a valid name for a row of `size`"),
    ("N302", "lists:\n  size:\n    rows:\n      - small\n      - ‹{rank: 1}›\n    columns: {rank: {is: int, default: 0}}\n", "has no name"),
    ("N303", "zones: {hand: {of: ‹playr›, holds: card}}\n", "did you mean `player`?"),
    ("N303", "lists: {size: [small]}\nzones: {hand: {holds: ‹size›}}\n", "`size` is a list"),
    ("N303", "zones: {deck: {holds: card, refilled_from: ‹discards›}, discard: {holds: card}}\n", "did you mean `discard`?"),
    ("N303", "kinds: {pawn: {of: ‹card›, at_most: 3}}\n", "things that are created in play belong to players"),
    ("N304", "numbers: {eras: ‹four›}\n", "the text `four`"),
    ("N304", "lists: {a: {columns: {n: int}, rows: {x: {n: ‹true›}}}}\n", "expected a whole number"),
    ("N305", "lists: {size: [small, large]}\nstate: {s: {is: size, start: ‹smal›}}\n", "did you mean `small`?"),
    ("N305", "state: {s: {is: int, seen_by: ‹everybody›}}\n", "unknown value"),
    ("N306", "state: {s: ‹integer›}\n", "`integer` is not a type"),
    ("N306", "lists: {a: {columns: {n: set of ‹traits›}, rows: [x]}}\n", "did you mean `trait`?"),
    ("N306", "state: {s: ‹order›}\n", "cannot store it"),
    ("N306", "lists: {size: [small]}\nstate: {s: maybe ‹siz›}\n", "did you mean `size`?"),
    ("N306", "state: {s: ‹maybe bool›}\n", "`maybe` applies to numbers and kinds"),
    ("N307", "state: {die: ‹6..0›}\n", "write `0..6`"),
    ("N305", "state: {s: {is: int, seen_by: ‹option.who›}}\n", "unknown value `option.who`"),
    ("N305", "state: {s: {is: int, seen_by: ‹option.plus›}}\n", "unknown value"),
    ("N305", "state: {s: {is: int, seen_by: ‹option.map›}}\n", "unknown value `isle` of `option.map`"),
    ("N308", "state: {s: {is: int, seen_by: ‹owner›}}\n", "does not belong to a player"),
    ("N309", "numbers: {boards: 3}\nkinds: {pawn: {of: player, at_most: ‹bords›}}\n", "did you mean `boards`?"),
    ("N309", "numbers: {rows: [1, 2]}\nstate: {s: 0..‹rows›}\n", "a row of numbers"),
    ("N310", "numbers: {‹n›: {2: 1, 4: 2}}\n", "no value for 3 players"),
    ("N311", "numbers: {n: {2-3: 1, ‹3-4›: 2}}\n", "3 players have two values"),
    ("N311", "numbers: {n: {2-4: 1, ‹5›: 2}}\n", "for 2 to 4 players"),
    ("N312", "lists: {‹size›: []}\n", "has no rows"),
    ("N314", "lists: {m: [fly], a: {columns: {s: set of m}, rows: {x: {s: ‹fly+fly›}}}}\n", "twice"),
    ("N315", "state: {level: {is: 1..4, start: ‹5›}}\n", "`level` is 1..4"),
    ("N315", "state: {‹level›: 1..4}\n", "write `start: 1`"),
    ("N315", "lists: {a: {columns: {n: 1..3}, rows: {x: {n: ‹4›}}}}\n", "allows 1..3"),
    ("N317", "state: {seen: ‹set of trait›}\n", "only columns can be sets or conditions"),
    ("N317", "state: {seen: ‹set of traits›}\n", "only columns can be sets or conditions"),
    ("N317", "lists: {a: {columns: {n: ‹player›}, rows: [x]}}\n", "can contain rows of a list"),
    ("N317", "state: {s: {is: bool, ‹clamp›: true}}\n", "only numbers"),
    ("N317", "tables: {t: {of: [player, trait], is: ‹bool›}}\n", "a table contains numbers"),
    ("N318", "kinds: {‹pawn›: {of: player}}\n", "`at_most:`"),
    ("N318", "zones: {‹deck›: {seen_by: nobody}}\n", "has no `holds:`"),
    ("N318", "lists: {b: [p], a: {columns: {n: b}, rows: {‹x›: {}}}}\n", "`x` has no value in the column `n`"),
    ("N318", "lists: {a: {columns: {n: int}, rows: {‹x›: {}, y: {n: 1}, z: {}}}}\n", "and in 1 more row"),
    ("N318", "lists: {a: {columns: {n: 0..3}, rows: {x: {n: ‹›}}}}\n", "`x` has no value in the column `n`"),
    ("N319", "lists: {a: {columns: {food: int}, rows: {x: {‹fod›: 1}}}}\n", "did you mean `food`?"),
    ("N320", "lists: {a: {columns: {n: {is: int, by: 1..3}}, rows: {x: {n: ‹[1, 2]›}}}}\n", "which needs 3 values"),
    ("N321", "kinds: {player: {attributes: {hand: int}}}\nzones: {‹hand›: {of: player, holds: card}}\n", "already has an attribute `hand`"),
    ("N322", "zones: {deck: {holds: card, refilled_from: ‹deck›}}\n", "of itself"),
    ("N322", "zones: {hand: {holds: card, ‹playable›: true}}\n", "in_force: true"),
    ("N323", "kinds: {player: {‹at_most›: 6}}\n", "`player` cannot have"),
    ("N330", "lists: {place: {count: 3, rows: [‹north›]}}\n", "cannot have rows"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "text", "said"), THINGS)
def test_a_mistake_among_the_things(tmp_path: Path, code: str, text: str, said: str) -> None:
    files = {"things.yaml": text, "cards.yaml": CARD, "traits/horns.yaml": HORNS}
    _, mistakes = run(tmp_path, files)
    check(files, mistakes, code, said)


def check(files: Mapping[str, str], mistakes: list[Diagnostic], code: str, said: str) -> None:
    assert [d.code for d in mistakes] == [code] * len(mistakes)
    spans = {(Path(d.span.path).name, d.span.line, d.span.column, d.span.end_column) for d in mistakes}
    assert spans == marked(files)
    words = " ".join(f"{d.message} {d.because} {d.hint} {[r.note for r in d.related]}" for d in mistakes)
    assert said in words


CARDS: list[tuple[str, dict[str, str], str]] = [
    (
        "N313",
        {"c.yaml": "lists: {m: [fly, swim]}\ncards: {c: {columns: {r: condition on m}, from: a.csv}}\n",
         "a.csv": "id,r\nx,fly+swim>=1; swim=‹one›\ny,fly‹=>›2\n"},
        "is not a whole number",
    ),
    (
        "N305",
        {"c.yaml": "lists: {m: [fly, swim]}\ncards: {c: {columns: {r: condition on m, s: set of m}, from: a.csv}}\n",
         "a.csv": "id,r,s\nx,fly+‹swum›>=1,fly\ny,fly=0,fly+‹swin›\n"},
        "did you mean `swim`?",
    ),
    (
        "N304",
        {"c.yaml": "cards: {c: {columns: {b: bool, n: int}, from: a.csv}}\n", "a.csv": "id,b,n\nx,true,2\ny,‹yes›,‹2a›\n"},
        "cells: {yes: true}",
    ),
    (
        "N315",
        {"c.yaml": "cards: {c: {columns: {n: 0..5}, from: a.csv}}\n", "a.csv": "id,n\nx,5\ny,‹6›\n"},
        "the column `n` of `y` allows 0..5",
    ),
    (
        "N316",
        {"c.yaml": "cards: {c: {columns: {set: 1..2}, for_each: {set: 1..2}, rows: {x: {‹set›: 1}}}}\n"},
        "for_each",
    ),
    (
        "N317",
        {"c.yaml": "cards: {c: {columns: {face: ‹int›}, rows: {x: {face: 1}}}}\n"},
        "so it must be `trait`",
    ),
    (
        "N317",
        {"c.yaml": "cards: {c: {columns: {face: {is: trait, tells_apart: ‹false›}}, rows: [{face: horns}]}}\n",
         "traits/horns.yaml": HORNS},
        "the traits that a card can have on a thing",
    ),
    (
        "N317",
        {"c.yaml": "lists: {m: {columns: {n: {is: int, tells_apart: ‹false›}}, rows: {x: {n: 1}}}}\n"},
        "only cards",
    ),
    (
        "N318",
        {"c.yaml": "lists: {m: [fly]}\ncards: {c: {columns: {a: m, n: int}, from: a.csv}}\n", "a.csv": "id,‹n,o›\nx,1,\ny,2,\n",
         "d.yaml": "cards: {c: {unused_columns: [o]}}\n"},
        "this file has no column `a`",
    ),
    (
        "N318",
        {"c.yaml": "cards: {c: {columns: {n: int, b: bool}, from: a.csv}}\n", "a.csv": "id,n,b\nx,1,\ny,‹›,\nz,,\nw,,\n"},
        "and in 2 more rows (line 4, 5)",
    ),
    (
        "N318",
        {"c.yaml": "lists: {m: [run, fly]}\ncards: {c: {columns: {has: {is: int, by: m}}, from: a.csv}}\n",
         "a.csv": "id,run,fly\nx,1,2\ny,‹›,2\n"},
        "it belongs to the column `has`, which is an `int` and has no `default:`",
    ),
    (
        "N304",
        {"c.yaml": "lists: {m: [run, fly]}\ncards: {c: {columns: {has: {is: int, by: m}}, from: a.csv}}\n",
         "a.csv": "id,run,fly\nfox,‹one›,2\n"},
        "the column `run` of `fox`, a part of `has`, is `int`",
    ),
    (
        "N315",
        {"c.yaml": "cards: {c: {columns: {n: int}, from: a.csv}}\n", "a.csv": "id,n\nx,‹99999999999›\n"},
        "`99999999999` is too large",
    ),
    (
        "N315",
        {"c.yaml": "cards: {c: {columns: {n: int}, from: a.csv}}\n", "a.csv": "id,n,copies\nx,1,‹4294967296›\n"},
        "cannot have 4294967296 copies",
    ),
    (
        "N318",
        {"c.yaml": "cards: {c: {columns: {n: int}, from: a.csv}}\n",
         "a.csv": "id,n,copies\nw,1,‹›\nx,1,2\ny,1,\nz,1,\n"},
        "and in 2 more rows (line 4, 5)",
    ),
    (
        "N319",
        {"c.yaml": "cards: {c: {columns: {n: int}, from: a.csv}}\n", "a.csv": "id,n,‹colour›\nx,1,red\ny,2,blue\n"},
        "unused_columns: [colour]",
    ),
    (
        "N320",
        {"c.yaml": "cards: {c: {columns: {n: {is: int, by: copy}}, rows: {x: {copies: 3, n: ‹[1, 2]›}}}}\n"},
        "3 copies",
    ),
    (
        "N321",
        {"c.yaml": "kinds: {pawn: {of: player, at_most: 3, attributes: {marked: bool}}}\n",
         "traits/horns.yaml": "trait: horns\nstate: {‹marked›: {of: pawn, is: bool}}\n"},
        "already has an attribute `marked`",
    ),
    (
        "N328",
        {"traits/horns.yaml": "trait: horns\nneeds: [‹hornz›]\nknows: [wings]\n"},
        "there is no trait `hornz`",
    ),
    (
        "N329",
        {"traits/horns.yaml": "trait: horns\ncards: ‹[{copies: 2}]›\n"},
        "no card type can contain the cards of `horns`",
    ),
    (
        "N305",
        {"c.yaml": "traits: {placement: {values: [own, any_one], default: own}}\n",
         "traits/horns.yaml": "trait: horns\nplacement: ‹onw›\n"},
        "did you mean `own`?",
    ),
    (
        "N331",
        {"c.yaml": "cards: {c: {columns: {n: int}, from: a.csv, unused_columns: [‹n›, ‹colour›]}}\n", "a.csv": "id,n,color\nx,1,\n",
         "d.yaml": "cards: {c: {unused_columns: [color]}}\n"},
        "did you mean `color`?",
    ),
    (
        "N324",
        {"g.yaml": "lists: {ground: [land, sea]}\ngrids:\n  space:\n    columns: {ground: ground}\n    legend: {L: land, S: sea}\n"
                   "    maps:\n      isle:\n        ground:\n          - L S L\n          - ‹LS›\n"},
        "expected 3 spaces in this row, found 2",
    ),
    (
        "N325",
        {"g.yaml": "lists: {ground: [land, sea]}\ngrids:\n  space:\n    columns: {ground: ground}\n    legend: {L: land, S: sea}\n"
                   "    maps:\n      isle:\n        ground:\n          - L ‹X› L\n          - SS‹W›\n"},
        "is not a letter in the legend",
    ),
    (
        "N326",
        {"g.yaml": "lists: {ground: [land]}\ngrids:\n  space:\n    columns: {ground: ground}\n    chosen_by: ‹option.map›\n"
                   "    maps:\n      isle: {ground: [[land, land]]}\n      ‹coats›: {ground: [[land, land]]}\n"},
        "did you mean `coats`?",
    ),
    (
        "N326",
        {"g.yaml": "lists: {ground: [land]}\ngrids:\n  space:\n    columns: {ground: ground}\n    neighbours: {corners: ‹option.map›}\n"
                   "    maps:\n      isle: {ground: [[land, land]]}\n"},
        "did you mean `option.plus`?",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("code", "files", "said"), CARDS)
def test_a_mistake_among_cards_traits_and_maps(tmp_path: Path, code: str, files: dict[str, str], said: str) -> None:
    everything = files if any(name.startswith("traits/") for name in files) else {**files, "traits/horns.yaml": HORNS}
    _, mistakes = run(tmp_path, everything)
    check(everything, mistakes, code, said)


MANIFESTS: list[tuple[str, str, str, str]] = [
    ("N327", "{count: ‹[6, 2]›}", "{}", "the smallest and the largest"),
    ("N327", "{count: [2, 4], from: ‹strat›}", "{}", "did you mean `start`?"),
    ("N327", "{count: [2, 4]}", "{when: ‹option.pairs›, size: 2, players: [4]}", "there is no option `pairs`"),
    ("N327", "{count: [2, 4]}", "{when: option.plus, size: 2, players: [‹3›]}", "3 players cannot form teams of 2"),
    ("N327", "{count: [2, 4]}", "{when: option.plus, size: ‹0›, players: [4]}", "cannot have teams of 0"),
    ("N327", "{count: [2, 4]}", "{when: option.plus, size: ‹5›}", "cannot have teams of 5"),
    (
        "N327",
        "{count: [2, 4]}",
        "{when: ‹option.plus == false›, size: 2, players: [4]}",
        "2 or 3 players would play in",
    ),
]


@pytest.mark.parametrize(("code", "players", "teams", "said"), MANIFESTS)
def test_a_mistake_in_the_manifest(tmp_path: Path, code: str, players: str, teams: str, said: str) -> None:
    manifest = MANIFEST.replace("{count: [2, 4]}", players) + f"teams: {teams}\n"
    _, mistakes = run(tmp_path, {"things.yaml": "state: {start: player}\n"}, manifest)
    check({"ruleset.yaml": manifest}, mistakes, code, said)


def test_options(tmp_path: Path) -> None:
    manifest = MANIFEST.replace("default: isle", "default: ‹ilse›").replace("is: bool", "is: ‹int›")
    _, mistakes = run(tmp_path, {"things.yaml": "numbers: {n: 1}\n"}, manifest)
    assert [d.code for d in mistakes] == ["N306", "N305"]
    assert mistakes[1].hint == "did you mean `isle`?"


def test_the_clashing_declaration_is_named(tmp_path: Path) -> None:
    _, mistakes = run(tmp_path, {"a.yaml": "numbers: {deck: 3}\n", "b.yaml": "state: {deck: int}\n"})
    assert [(Path(r.span.path).name, r.span.line, r.note) for r in mistakes[0].related] == [
        ("a.yaml", 1, "`deck` is declared as a number here")
    ]


def test_a_mistaken_column_does_not_blame_its_cells(tmp_path: Path) -> None:
    model, mistakes = run(tmp_path, {"a.yaml": "lists: {a: {columns: {n: itn}, rows: {x: {n: 1}, y: {n: q}}}}\n"})
    assert [d.code for d in mistakes] == ["N306"]
    assert model.lists["a"].columns["n"].type.tag == "error"


@pytest.mark.parametrize(
    "text",
    [
        "lists: {a: [x], b: {columns: {n: {is: a, default: y}}, rows: {p: {}, q: {}}}}\n",
        "lists: {a: [x]}\ncards: {card: {columns: {face: trait, n: {is: a, default: y}}, rows: [{face: horns}, {}]}}\n",
        "lists: {a: [x]}\ntraits: {n: {is: a, default: y}}\n",
        "lists: {b: {columns: {n: {is: int, default: many}}, rows: {p: {}, q: {}}}}\n",
    ],
)
def test_a_mistaken_default_does_not_blame_what_leaves_it_out(tmp_path: Path, text: str) -> None:
    _, mistakes = run(tmp_path, {"a.yaml": text, "traits/horns.yaml": HORNS})
    wrong = [d for d in mistakes if d.code in ("N304", "N305")]
    assert len(wrong) == 1
    assert [d.code for d in mistakes if d.code == "N318" and "`n`" in d.message] == []


def test_a_wrong_letter_is_told_wherever_it_stands_on_a_map(tmp_path: Path) -> None:
    """What a letter means is worked out once; a mistaken one is not known for that."""
    grid = "grids: {g: {columns: {a: food}, legend: {P: plant, M: meat}, maps: {x: {a: [PM, PQ, QM, MP]}}}}\n"
    model, mistakes = run(tmp_path, {"a.yaml": "lists: {food: [plant, meat]}\n" + grid})
    assert [(d.code, d.message.split()[0]) for d in mistakes] == [("N325", "`Q`")] * 2
    assert len({d.span for d in mistakes}) == 2
    assert model.grids["g"].maps["x"]["a"] == (1, 2, 1, 0, 0, 2, 2, 1)


@pytest.mark.parametrize("copies", ["4294967296", "1001", "-1", "many", "[1, 2]"])
@pytest.mark.parametrize("where", ["copies: {}, rows: {{x: {{n: 1}}}}", "rows: {{x: {{n: 1, copies: {}}}}}"])
def test_a_wrong_number_of_copies_is_told_once(tmp_path: Path, where: str, copies: str) -> None:
    text = f"cards: {{c: {{columns: {{n: int}}, {where.format(copies)}}}}}\n"
    run(tmp_path, {"c.yaml": text})
    assert [d.code for d in check_ruleset(tmp_path)[1] if d.span.path.endswith("c.yaml")] == ["Y121"]


@pytest.mark.parametrize("copies", ["4294967296", "1001", "-1", "many", "[1, 2]"])
def test_a_wrong_number_of_copies_that_a_trait_brings_is_told_once(tmp_path: Path, copies: str) -> None:
    traits = {"traits/a.yaml": f"trait: a\ncards: [{{copies: {copies}}}]\n"}
    if copies.lstrip("-").isdigit():
        traits["traits/b.yaml"] = f"trait: b\ncards: {copies}\n"
    run(tmp_path, {"c.yaml": "cards: {card: {columns: {face: trait}}}\n", **traits})
    told = [d for d in check_ruleset(tmp_path)[1] if "traits" in d.span.path]
    assert sorted(Path(d.span.path).name for d in told) == sorted(Path(name).name for name in traits), told


def test_what_an_empty_cell_of_copies_means_can_be_said(tmp_path: Path) -> None:
    files = {
        "c.yaml": "cards: {c: {columns: {n: int}, copies: 3, from: a.csv}}\n",
        "a.csv": "id,n,copies\nx,1,2\ny,1,\nz,1,0\n",
    }
    model, mistakes = run(tmp_path, files)
    assert not mistakes
    assert [row.copies for row in model.sorts["c"].rows] == [2, 3, 0]


def test_cards_that_traits_bring(tmp_path: Path) -> None:
    files = {
        "c.yaml": "cards: {card: {columns: {face: trait, food: {is: int, by: copy, default: 0}}, "
        "rows: [{face: horns, food: [1, 2]}]}}\n",
        "traits/horns.yaml": "trait: horns\ncards: [{food: [3, 4, 5]}]\n",
        "traits/wings.yaml": "trait: wings\ncards: 4\n",
    }
    model, mistakes = run(tmp_path, files)
    assert not mistakes
    rows = model.sorts["card"].rows
    assert [(row.columns["face"], row.copies, row.columns["food"]) for row in rows] == [
        (1, 2, (1, 2)),
        (1, 3, (3, 4, 5)),
        (2, 4, (0, 0, 0, 0)),
    ]


def test_state_of_traits(tmp_path: Path) -> None:
    state = "{here: int, seen: {of: trait, is: bool}, fouled: {of: game, is: bool}, luck: {of: player, is: 0..3}}"
    model, mistakes = run(tmp_path, {"traits/horns.yaml": f"trait: horns\nstate: {state}\n"})
    assert not mistakes
    assert {name: a.index for name, a in model.traits["horns"].state.items()} == {"here": (), "seen": ("trait",)}
    assert "fouled" in model.state
    assert model.player_attributes["luck"].high == 3


def test_every_code_has_a_test() -> None:
    tested = {row[0] for row in (*THINGS, *CARDS, *MANIFESTS)}
    at_a_table = {"N332"}  # shows only when a table is laid out: tests/diagnostics
    assert tested | at_a_table == {code for code in CODES if "N300" <= code < "N350"}


def test_a_number_of_too_many_digits_is_too_large_wherever_it_stands(tmp_path: Path) -> None:
    things = (
        "state: {a: 0..‹4294967296›, b: {is: int, start: ‹4294967296›}}\n"
        "kinds: {crab: {of: player, at_most: ‹4294967296›}}\n"
        "cards: {card: {columns: {worth: int}, rows: [{worth: ‹4294967296›}]}}\n"
    )
    _, mistakes = run(tmp_path, {"things.yaml": things})
    assert [(d.code, d.message) for d in mistakes] == [("N315", "`4294967296` is too large")] * 4


def test_one_row_of_numbers_says_no_width(tmp_path: Path) -> None:
    _, mistakes = run(tmp_path, {"g.yaml": "grids: {patch: {columns: {level: int}, maps: {small: {level: [6, 5]}}}}\n"})
    assert [d.code for d in mistakes] == ["N324"]
    assert "`- [6, 5]`" in mistakes[0].hint
