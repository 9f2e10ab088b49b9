"""Each diagnostic with a hint has a quick fix, tried on its own case."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.apps.editor.analysis import Workspace
from rulelang.apps.editor.quick_fixes import Fix, edited_text, working_fixes
from tests.diagnostics.cases import HOME, Case, read
from tests.scenarios.shore import FILES as SHORE
from tests.semantics.check_pond import FILES
from tests.semantics.test_check_mistakes import CASES
from tests.spec.pages import Block, lay_out, write

#: The others are as quick, but there are many.
OFTEN = {"C701", "N358", "S201", "S202", "S211", "S227", "T403", "Y105"}
APART = {"bare", "crowded", "repeated", "utf-16"}
#: Whose hint comes to no edit that could be right, and why.
NO_EDIT = {
    "N310": "the author must give the value for that number of players",
    "N311": "the author must say which of the two values is right",
    "N314": "the author must say whether another row was meant",
    "N320": "the author must say whether the values or the number of copies is right",
    "N322": "the author must choose the other zone",
    "N330": "the author must say whether the list has rows or a count",
    "S231": "there may be no such routine or value",
    "Y103": "the author must say which of the two values is right",
    "Y106": "the author must say what the list was for",
    "Y110": "the author must say which of the two columns is meant",
    "Y122": "the author must choose the name",
    "Y131": "files must be moved",
    "Y133": "a file must be copied",
    "Y134": "the author must say which card type the file belongs to",
    "Y137": "the author must test the mod with the other version first",
    "Y142": "the author must say which of the two patches is right",
    "Y174": "the cell is in a workbook",
    "Y175": "the row is in a workbook",
    "N312": "the author must name the rows",
    "S229": "the first mistakes, which have fixes, cause it",
    "Y143": "which parts of the trait are meant to be other than before, the author must say",
    "Y152": "a number is added to a list: what it should be instead, the author must say",
    "N375": "all rules that read it need the new name too: that is what renaming is for",
    "W522": "what a loop repeats, and until when, the author must say",
}
#: What to do where a hint comes to no edit.
LACKING = "use words that recipes.py knows, write a recipe by code in rulelang/apps/editor/*_recipes.py, or say why in "


def lone(case: Case) -> bool:
    """Whether it is the check of one ruleset or mod, and something is hinted at."""
    plain = case.moves is None and not case.command and not any(APART & {*block.words} for block in case.blocks)
    return plain and "= hint:" in case.frame


CODES = [path.stem for path in sorted(HOME.iterdir()) if lone(read(path))]


@pytest.mark.parametrize(
    "code", [code if code in OFTEN else pytest.param(code, marks=pytest.mark.slow) for code in CODES]
)
def test_what_is_hinted_at_is_offered(code: str, tmp_path: Path) -> None:
    fixes = offered(code, tmp_path)
    if code in NO_EDIT:
        assert fixes == [], "there is an edit now: take the code out of NO_EDIT"
    else:
        assert fixes != [], f"the hint of {code} comes to nothing: {LACKING}NO_EDIT"


def offered(code: str, folder: Path) -> list[Fix]:
    where, mods = lay_out(read(HOME / f"{code}.md").blocks, folder.resolve(), FILES)
    workspace = Workspace()
    project = workspace.add(str(mods[0] if mods else where))
    workspace.refresh(project)
    analysis = project.now
    if analysis is None:
        return []
    items = [item for item in (*analysis.diagnostics, *analysis.beyond()) if item.code == code and item.hint]
    assert items
    return list(working_fixes(analysis, items))


def test_a_line_goes_with_its_end(tmp_path: Path) -> None:
    (fix,) = offered("N358", tmp_path)
    ((span, new),) = fix.edits
    assert edited_text("first\nsecond\nthird\n", [(span._replace(line=2, end_line=3), new)]) == "first\nthird\n"


def test_dice_are_rolled_first(tmp_path: Path) -> None:
    (fix,) = offered("S227", tmp_path)
    text = edited_text("routine r:\n  base = 2d6\n", fix.edits)
    assert text == "routine r:\n  roll 2d6 as rolled\n  base = rolled\n"


def mended(folder: Path, code: str, **files: str) -> list[str]:
    """The titles of what is offered for a mistake in files beside those of the pond."""
    return [fix.title for fix in fixes_of(folder, code, **files)]


def fixes_of(folder: Path, code: str, **files: str) -> list[Fix]:
    blocks = [Block(name.rpartition("_")[2], name.replace("_", "."), text, 0, ()) for name, text in files.items()]
    where, _ = lay_out(blocks, folder.resolve(), FILES)
    workspace = Workspace()
    project = workspace.add(str(where))
    workspace.refresh(project)
    analysis = project.now
    assert analysis is not None
    return list(working_fixes(analysis, [item for item in analysis.diagnostics if item.code == code]))


def test_where_several_things_may_be_meant_each_is_offered(tmp_path: Path) -> None:
    titles = mended(tmp_path, "W501", extra_rules="modify eat(f, any, any): + 1 when f.sated\n")
    assert titles == [
        "Write `forbid eat(f, any, any) when f.sated`",
        "Write `before eat(f, any, any) when f.sated: nothing`",
        "Write `after eat(f, any, any) when f.sated: nothing`",
        "Write `instead of eat(f, any, any) when f.sated: proceed`",
    ]


@pytest.mark.parametrize(
    ("code", "rules", "titles"),
    [
        ("N356", "value v(fish f) -> int: hungar(f)\n", ["Change `hungar` to `hunger`"]),
        ("N356", "value v(fish f) -> bool: hungar(f)\n", ["Change `hungar` to `hungry`"]),
        ("T410", "value v -> maybe fish: first(fish f, fish g of f.owner where g.sated)\n",
         ["Write `where any(fish g of f.owner where g.sated)`"]),
        ("T410", "value v -> maybe fish: first(fish f where f.sated, fish g)\n", ["Write `and any(fish g)`"]),
        ("T410", "routine v:\n  secretly for fish f:\n    f.sated = true\n    water += 1\n",
         ["Write `secretly for player p: for fish f of p:`", "Write `secretly for player p: for fish f:`",
          "Remove `secretly`"]),
        ("T410", "routine v: secretly for player q, fish f of q: f.sated = true\n",
         ["Write `secretly for player q: for fish f of q:`", "Remove `secretly`"]),
        ("T419", "value v(fish f) -> int: eat(f, plant, 1)\n", ["Write `can eat`, which is true or false"]),
        ("T419", "value v(fish f) -> bool: eat(f, plant, 1)\n", ["Write `can eat`"]),
        ("W513", "copy cards on first(fish f)\n",
         ["Make it a rule of the trait `finned`", "Make it a rule of the trait `shy`"]),
        ("W517", "phase rest:\n  turns p from start once each: offer one action to p\n"
         "action nap during rest: water = 2\n", ["Run `rest` at the end of the game", "Write `after feeding: rest`"]),
        ("W518", "after eat(any) when phase != feeding and water > 1: water = 1\n", ["Write `phase == feeding`"]),
        ("W518", "after eat(any) unless phase == feeding: water = 1\n", ["Write `phase != feeding`"]),
    ],
)  # fmt: skip
def test_what_the_hint_of_a_rule_says_is_offered(tmp_path: Path, code: str, rules: str, titles: list[str]) -> None:
    assert mended(tmp_path, code, extra_rules=rules) == titles


#: Mistakes of `CASES` whose hint comes to no edit that leaves all in order, and why.
WITHOUT = {
    "routine feed(fish f, int n): n = 3": "nothing reads the new value yet",
    "routine feed(tool t): t.cost = 3": "which attribute of which thing is meant, the author must say",
    "routine feed(fish f): hunger(f) = 3": "what it is computed from, and how, the author must say",
    "modify eat(f): + 1": "its pattern is too short for any hook",
    "ignore shy in strike": "what the core asks instead, the author must say",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for text, told in CASES.items() if told and not text.startswith("# in ")])
def test_a_hint_comes_to_an_edit_or_there_is_a_reason(text: str, tmp_path: Path) -> None:
    where, _ = lay_out([Block("rules", "extra.rules", f"{text}\n", 0, ())], tmp_path.resolve(), FILES)
    workspace = Workspace()
    project = workspace.add(str(where))
    workspace.refresh(project)
    assert project.now is not None
    hinted = [item for item in project.now.diagnostics if item.hint]
    nothing = [(item.code, item.hint) for item in hinted if not any(working_fixes(project.now, [item]))]
    if text in WITHOUT:
        assert nothing, "there is an edit now: take it out of WITHOUT"
    else:
        assert nothing == [], f"these hints come to nothing: {LACKING}WITHOUT"


def test_an_ensure_moves_up_or_opens_a_block(tmp_path: Path) -> None:
    rules = "after feeding: rise\nroutine rise:\n  water += 1\n  ensure water < 9\n  water += 1\n"
    titles = mended(tmp_path, "W520", extra_rules=rules)
    assert titles == ["Move it to the top", "Put the following lines under `if water < 9`"]
    first, second = offered("W520", tmp_path / "again")
    text = "after feeding: rise\nroutine rise:\n  water += 1\n  ensure water < 9\n"
    assert edited_text(text, first.edits) == "after feeding: rise\nroutine rise:\n  require water < 9\n  water += 1\n"
    assert edited_text(text, second.edits).endswith("  water += 1\n  if water < 9:\n    nothing\n")


def test_what_a_fixed_name_becomes_is_read_below(tmp_path: Path) -> None:
    (fix,) = offered("T405", tmp_path)
    text = edited_text("routine feed(fish f, int n):\n  n = 3\n  eat(f, plant, n)\n", fix.edits)
    assert text == "routine feed(fish f, int n):\n  let n_2 = 3\n  eat(f, plant, n_2)\n"


def test_a_trait_modifies_what_the_core_asks(tmp_path: Path) -> None:
    (fix,) = offered("W505", tmp_path)
    files = {span.path.rpartition("/")[2] for span, _ in fix.edits}
    assert files == {"extra.rules", "finned.yaml"}


@pytest.mark.parametrize(
    ("code", "rules", "title"),
    [
        ("T422", "routine drop(card c): remove c\n", "Write `move c to box`"),
        ("T403", "value beside(fish f) -> fish: right_of(f)\n", "Allow the value to be missing"),
        ("N364", "forbid strike(f, f) when f.sated\n", "Write `any`"),
    ],
)
def test_a_case_that_is_not_its_codes_first(tmp_path: Path, code: str, rules: str, title: str) -> None:
    assert mended(tmp_path, code, extra_rules=rules) == [title]


@pytest.mark.parametrize(
    ("code", "things", "titles"),
    [
        ("N303", "kinds:\n  newt:\n    of: plyer\n    at_most: 3\n", ["Write `of: player`"]),
        ("N315", "state: {tide: 1..4}\n", ["Write `start: 1`"]),
        ("N315", "state: {tide: {is: 1..4, text: water}}\n", ["Write `start: 1`"]),
        ("N318", "lists: {reed: {columns: {hue: colour}, rows: {tall: {}}}}\n",
         ["Write `hue: red`", "Allow `hue` to be missing"]),
        ("N318", "lists: {reed: {columns: {age: {is: 1..5}}, rows: {tall: {}, low: {age: 2}}}}\n",
         ["Write `age: 1`", "Write `default: 1`"]),
        ("N318", "lists: {reed: {columns: {age: int}, rows: {tall: {}, thin: {}}}}\n", ["Write `default: 0`"]),
    ],
)  # fmt: skip
def test_what_is_declared_is_mended(tmp_path: Path, code: str, things: str, titles: list[str]) -> None:
    assert mended(tmp_path, code, more_yaml=things) == titles


@pytest.mark.parametrize(
    ("code", "patch", "better"),
    [
        ("Y140", "numbers:\n  limit: 6\n", ["set: {numbers.limit: 6}\n"]),
        ("Y140", "numbers: {depth: 2, limit: 6}\n", ["numbers: {depth: 2}\nset: {numbers.limit: 6}\n"]),
        ("Y141", "set: {numbers.limits: 6}\n", ["set: {numbers.limit: 6}\n"]),
        ("Y146", 'remove: ["cards.card.rows[2]"]\n', ['remove: ["cards.card.rows[face=shy]"]\n']),
        ("Y147", "set: {numbers.limit: 3}\n", [""]),
        ("Y147", "set: {numbers.limit: 3, numbers.prices: [2]}\n", ["set: {numbers.prices: [2]}\n"]),
        ("Y148", "extend: {numbers.limit: [4]}\n", ["set: {numbers.limit: 4}\n"]),
    ],
)
def test_a_patch_is_mended(tmp_path: Path, code: str, patch: str, better: list[str]) -> None:
    blocks = [Block("yaml", "extra.yaml", patch, 0, ("mod",))]
    _, (mod,) = lay_out(blocks, tmp_path.resolve(), FILES)
    workspace = Workspace()
    project = workspace.add(str(mod))
    workspace.refresh(project)
    assert project.now is not None
    found = working_fixes(project.now, [item for item in project.now.diagnostics if item.code == code])
    assert [edited_text(patch, fix.edits) for fix in found] == better


@pytest.mark.parametrize(
    ("code", "cards", "cells", "better"),
    [
        ("N304", "{columns: {b: bool}, from: a.csv}", "id,b\nx,yes\n",
         ["b: {is: bool, cells: {yes: true}}}", "b: {is: bool, cells: {yes: false}}}"]),
        ("N318", "{columns: {b: food}, from: a.csv}", "id,b\nx,\n", ["b: maybe food}"]),
        ("N318", "{columns: {n: {is: int, by: food}}, from: a.csv}", "id,plant,meat\nx,,1\n", ["{default: 0, is: int"]),
        ("N318", "{columns: {n: int}, from: a.csv}", "id,n,copies\nx,1,\ny,1,2\n", ["copies: 1, from"]),
        ("N319", "{columns: {n: int}, from: a.csv}", "id,n,hue\nx,1,red\n",
         ["hue: colour, n: int", "unused_columns: [hue], from"]),
        ("N319", "\n    columns:\n      n: int\n    from: a.csv", "id,n,age\nx,1,2\n",
         ["    columns:\n      age: int\n      n: int\n", "\n    unused_columns: [age]\n    from: a.csv\n"]),
        ("N319", "{columns: {n: int}, unused_columns: [art], from: a.csv}", "id,n,art,hue\nx,1,a,b\n",
         ["unused_columns: [hue, art]"]),
    ],
)  # fmt: skip
def test_what_a_file_of_rows_lacks_is_declared(
    tmp_path: Path, code: str, cards: str, cells: str, better: list[str]
) -> None:
    text = f"cards:\n  rune: {cards}\n"
    fixes = fixes_of(tmp_path, code, more_yaml=text, a_csv=cells)
    made = [edited_text(text, fix.edits) for fix in fixes]
    assert [one for one, whole in zip(better, made, strict=True) if one not in whole] == []


@pytest.mark.parametrize(
    ("code", "rules", "better"),
    [
        ("S207", "routine f:\n    water += 1\n  water += 2\n", "routine f:\n    water += 1\n    water += 2\n"),
        ("S210", "routine f:\nwater += 3\n", "routine f:\n  water += 3\n"),
        ("S210", "routine f:\n\nroutine g: nothing\n", "routine f: nothing\n\nroutine g: nothing\n"),
        ("S211", "phase f\n", "phase f: nothing\n"),
        ("S221", "value f -> int:\n  if water > 1: 3\n", "value f -> int:\n  if water > 1: 3\n  else: 0\n"),
        ("S223", "routine f:\n  while water > 1: water -= 1\n",
         "routine f:\n  repeat until not (water > 1): water -= 1\n"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_mended(tmp_path: Path, code: str, rules: str, better: str) -> None:
    assert better in [edited_text(rules, fix.edits) for fix in fixes_of(tmp_path, code, extra_rules=rules)]


@pytest.mark.parametrize(
    ("scenario", "better"),
    [
        ("then: [min(1, 2) == 1]", 'then: ["min(1, 2) == 1"]'),
        ("then: [{over: maybe}]", "then: [{over: false}]"),
        ("when: [{ana: ['graze nip: {refused: it hides}']}]", "when: [{ana: [{graze nip: {refused: it hides}}]}]"),
        ("given: {players: {ana: [nip: [shy]], bob: []}}", "ana: {crab: [nip: [shy]]}"),
        ("given: {players: {ana: ['nob', boat], bob: []}}", "ana: {boat: ['nob', boat]}"),
        ("given: {players: {ana: [shy], bob: []}}", "ana: {hand: [shy]}"),
        ('when:\n      - ana: "graze nip: {refused: it hides}"', "- ana: [{graze nip: {refused: it hides}}]"),
    ],
)
def test_what_a_scenario_says_wrongly_is_mended(tmp_path: Path, scenario: str, better: str) -> None:
    text = f"scenarios:\n  - name: x\n    {scenario}\n"
    write(tmp_path / "shore", {**SHORE, "scenarios/x.yaml": text})
    workspace = Workspace()
    analysis = workspace.analysis(str(tmp_path / "shore" / "game.rules"))
    assert analysis is not None
    told = [item for item in analysis.beyond() if item.code == "C701"]
    assert any(better in edited_text(text, fix.edits) for fix in working_fixes(analysis, told))


@pytest.mark.parametrize(
    ("code", "files", "titles"),
    [
        (
            "Y102",
            {"things_yaml": FILES["things.yaml"] + "look:\n  card: {name: a card[1] of mine}\n"},
            ["Put it in quotes"],
        ),
        (
            "N362",
            {"traits/finned_yaml": "trait: finned\nrules: |\n  always forbid bite(self)\n"},
            ["Remove `always`"],
        ),
    ],
)
def test_what_the_hint_of_data_says_is_offered(
    tmp_path: Path, code: str, files: dict[str, str], titles: list[str]
) -> None:
    assert mended(tmp_path, code, **files) == titles
