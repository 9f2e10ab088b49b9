"""Patches of rules: places, labels, what is taken out, replaced and inserted, and in which order; what is told."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.data.ruleset import load_ruleset
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.program import check_program, read_rules
from rulelang.language.semantics.check.rule_patches import first_word
from rulelang.language.semantics.declare import declare
from rulelang.language.syntax import nodes
from rulelang.language.syntax.grammar import shared_grammar
from rulelang.language.syntax.printer import print_declarations
from tests.semantics.check_pond import FILES
from tests.semantics.test_check_layers import Files, mod

BASE = """\
game:
  set_up
  rounds until water == 0:
    feeding
    if water > 3: dawn
    else: dusk
phase feeding:
  label meals: turns p from start once each: offer one action to p
phase dawn: nothing
phase dusk: nothing
routine set_up:
  let n = 3
  water = n
  for fish f: eat(f, plant, 1)
action graze(fish f of actor) during feeding:
  require can eat(f, plant, 1)
  eat(f, plant, 1)
routine eat(fish f, food kind, int n):
  require hunger(f) > 0 because "it is full"
  require water > 0 because "the pond is dry"
  label gain:
    f.weight += n
    water -= 1
routine strike(fish hunter, fish prey): nothing
routine bite(fish f, maybe fish prey)
value hunger(fish f) -> int: 9 - f.weight
value score(player p) -> int: p.bag
"""
TRAIT = """\
trait: finned
text: {en: It swims well.}
rules: |
  forbid strike(any, self) because "it is away"
  forbid graze(self) when self.weight > 5
  label greedy: after eat(self): self.weight += 1
  action dive(fish f) during feeding:
    require f != self because "not itself"
    eat(f, meat, 1)
"""


def patched(folder: Path, *mods: Files, base: str = BASE) -> tuple[str, list[Diagnostic], tree.Program]:
    """The rules of the pond with mods as canonical text, what is told of them, and the program."""
    pond = {**FILES, "game.rules": base, "traits/finned.yaml": TRAIT}
    for number, files in enumerate((pond, *mods)):
        for name, text in files.items():
            path = folder / str(number) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    source, found = load_ruleset(folder / "0", [folder / str(n + 1) for n in range(len(mods))])
    assert source is not None
    model, more = declare(source)
    texts, told = read_rules(source, model)
    program, mistakes = check_program(model, texts, source)
    text = "".join(
        print_declarations(node for node in declarations if type(node).__name__ != "Patched")
        for _, declarations in texts
    )
    everything = Diagnostics([*found, *more, *told, *mistakes])
    return text, everything.sorted(), program


def rules(folder: Path, text: str) -> str:
    """The rules with one mod, which has to be right."""
    found, told, _ = patched(folder, mod("one", text))
    assert [f"{d.code}: {d.message}" for d in told] == []
    return found


def block(text: str, head: str) -> str:
    """One declaration of the text."""
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith(head))
    end = next((i for i in range(at + 1, len(lines)) if not lines[i].startswith(" ")), len(lines))
    return "\n".join(lines[at:end])


GAME = "game:\n  set_up\n  rounds until water == 0:\n    feeding\n    if water > 3: dawn\n    else: dusk"


@pytest.mark.parametrize(
    ("patch", "head", "after"),
    [
        (
            'remove eat.require["it is full"]\n',
            "routine eat",
            'int n):\n  require water > 0 because "the pond is dry"\n  f.weight += n\n  water -= 1',
        ),
        (
            'replace eat.require["water > 0"]: require water > 1 because "low water"\n',
            "routine eat",
            'require hunger(f) > 0 because "it is full"\n  require water > 1 because "low water"\n  f.weight += n',
        ),
        ("insert after game.feeding: dusk\n", "game", "    feeding\n    dusk\n    if water > 3"),
        ("insert before game.rounds.if: dusk\n", "game", "    feeding\n    dusk\n    if water > 3"),
        ("insert before game.rounds: dusk\n", "game", "game:\n  set_up\n  dusk\n  rounds"),
        ("remove game.dusk\n", "game", "    if water > 3: dawn\n    else: nothing"),
        ("replace game.dawn:\n  dusk\n  dawn\n", "game", "    if water > 3:\n      dusk\n      dawn\n    else: dusk"),
        ("replace game:\n  set_up\n  repeat 3 times: feeding\n", "game", "game:\n  set_up\n  repeat 3 times: feeding"),
        (
            "replace feeding.meals: turns p from start until all pass: offer one action to p or pass\n",
            "phase feeding",
            "phase feeding:\n  turns p from start until all pass: offer one action to p or pass",
        ),
        ("insert before feeding.meals: dawn\n", "phase feeding", "phase feeding:\n  dawn\n  turns p"),
        ("remove eat.gain.weight\n", "routine eat", '"the pond is dry"\n  water -= 1'),
        ("replace feeding: nothing\n", "phase feeding", "phase feeding: nothing"),
        ("replace eat:\n  f.weight += n\n", "routine eat", "routine eat(fish f, food kind, int n): f.weight += n"),
        ("insert after set_up.water: water += 1\n", "routine set_up", "  water = n\n  water += 1\n  for fish f"),
        ('remove set_up.for["fish f"].eat\n', "routine set_up", "  for fish f: nothing"),
        ("replace set_up.n: let n = 4\n", "routine set_up", "routine set_up:\n  let n = 4\n  water = n"),
        ("remove finned.dive.require\n", "action dive", "action dive(fish f) during feeding: eat(f, meat, 1)"),
        ("replace finned.dive: strike(f, self)\n", "action dive", "during feeding: strike(f, self)"),
        ("insert after finned.greedy.weight: dusk\n", "after eat", "after eat(self):\n  self.weight += 1\n  dusk"),
        (
            "replace finned.forbid[strike]: forbid strike(any, self) when water > 2\n",
            "forbid strike",
            "forbid strike(any, self) when water > 2",
        ),
        (
            "replace finned.greedy: after eat(self): self.weight += 2\n",
            "after eat",
            "after eat(self): self.weight += 2",
        ),
    ],
)
def test_a_place_is_changed(tmp_path: Path, patch: str, head: str, after: str) -> None:
    before = patched(tmp_path / "base")[0]
    found = rules(tmp_path, patch)
    assert after in block(found, head)
    assert after not in before
    others = [line for line in before.split("\n") if line and line not in block(before, head)]
    assert [line for line in others if line not in found] == []  # all else stays


@pytest.mark.parametrize(
    ("patch", "gone"),
    [
        ("remove finned.forbid[graze]\n", "forbid graze"),
        ('remove finned.forbid["it is away"]\n', "forbid strike"),
        ("remove finned.greedy\n", "after eat"),
        ("remove finned.dive\n", "action dive"),
        ("remove graze\n", "action graze"),
        ("remove bite\n", "routine bite"),
        ("remove eat.gain\n", "f.weight += n"),
    ],
)
def test_a_declaration_or_hook_is_taken_out(tmp_path: Path, patch: str, gone: str) -> None:
    before = patched(tmp_path / "base")[0]
    patch = patch if gone != "action graze" else patch + "remove finned.forbid[graze]\n"
    found = rules(tmp_path, patch)
    assert gone in before
    assert gone not in found


def test_labels_mean_nothing(tmp_path: Path) -> None:
    bare = BASE.replace("label meals: ", "").replace(
        "  label gain:\n    f.weight += n\n    water", "  f.weight += n\n  water"
    )
    with_labels, told, program = patched(tmp_path / "a")
    without, _, plain = patched(tmp_path / "b", base=bare)
    assert told == []
    assert with_labels == without
    assert "label" not in with_labels
    assert [type(s) for s in program.routines["eat"].body] == [type(s) for s in plain.routines["eat"].body]


def test_what_a_mod_inserts_may_call_what_it_declares(tmp_path: Path) -> None:
    _, told, program = patched(tmp_path, mod("one", "insert after game.feeding: night\nphase night: water += 1\n"))
    assert told == []
    assert program.routines["night"].origin.layer == 1


def test_the_changes_are_kept(tmp_path: Path) -> None:
    text = 'remove eat.require["it is full"]\ninsert after game.feeding: dusk\nreplace feeding: nothing\n'
    _, told, program = patched(tmp_path, mod("one", text))
    assert told == []

    def line(span: object) -> int | None:
        return span.line if span is not None else None  # type: ignore[attr-defined]

    assert [
        (c.layer, c.verb, c.place, c.span.line, c.declared.line, line(c.before), line(c.after)) for c in program.changes
    ] == [
        (1, "remove", 'eat.require["it is full"]', 1, 19, 19, None),
        (1, "insert", "game.feeding", 2, 4, None, 2),
        (1, "replace", "feeding", 3, 7, 7, 3),
    ]


# ---- several layers


def test_numbers_and_places_are_those_of_the_layers_below(tmp_path: Path) -> None:
    """An unrelated mod that takes the first one out does not redirect what counts to the second."""
    one = mod("one", 'remove eat.require["it is full"]\n')
    two = mod("two", "remove eat.require[2]\n")
    text, told, _ = patched(tmp_path, one, two)
    assert [d.code for d in told] == ["W531"]
    assert "require" not in block(text, "routine eat")
    # One that is ordered after the first counts what that one has left.
    text, told, _ = patched(tmp_path / "b", one, mod("two", "remove eat.require[1]\n", "after: [one]\n"))
    assert [(d.code, d.hint) for d in told] == [("W531", "write `eat.require`")]
    assert "require" not in block(text, "routine eat")


def test_a_later_mod_changes_what_an_earlier_one_brought(tmp_path: Path) -> None:
    one = mod(
        "one", "insert after game.feeding:\n  label night:\n    dusk\n    dawn\nforbid graze(f) when f.weight == 7\n"
    )
    two = mod("two", "replace game.night: dawn\nremove one.forbid[graze]\n", "after: [one]\n")
    text, told, _ = patched(tmp_path, one, two)
    assert told == []
    assert "    feeding\n    dawn\n    if" in block(text, "game")
    assert "weight == 7" not in text


def test_a_replaced_routine_is_patched_in_its_new_body(tmp_path: Path) -> None:
    one = mod("one", "replace routine strike(fish hunter, fish prey):\n  bite(hunter, prey)\n  dusk\n")
    two = mod("two", "remove strike.dusk\n", "after: [one]\n")
    text, told, _ = patched(tmp_path, one, two)
    assert told == []
    assert "replace routine strike(fish hunter, fish prey): bite(hunter, prey)" in text


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("remove eat.gain\n", "remove eat.gain\n", "W534"),
        ("remove eat.gain\n", "replace eat.gain: nothing\n", "W533"),
        ("remove eat.gain\n", "remove eat.gain.weight\n", "W533"),
        ("remove eat.gain\n", "insert after eat.gain: nothing\n", "W533"),
        ("replace eat: nothing\n", "remove eat.gain\n", "W533"),
        ("replace routine eat(fish f, food kind, int n): nothing\n", "remove eat.gain\n", "W533"),
        ("remove eat.gain\n", "replace routine eat(fish f, food kind, int n): nothing\n", "W533"),
        ("remove eat\n", "replace routine eat(fish f, food kind, int n): nothing\n", "W533"),
    ],
)
def test_two_mods_on_one_place(tmp_path: Path, first: str, second: str, code: str) -> None:
    _, told, _ = patched(tmp_path, mod("one", first), mod("two", second))
    assert code in {d.code for d in told}
    if code == "W533":
        _, told, _ = patched(tmp_path / "b", mod("one", first), mod("two", second, "after: [one]\n"))
        assert "W533" not in {d.code for d in told} or first.startswith("remove")


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        ("replace eat.gain: nothing\n", "replace eat.gain: dusk\n", "replace eat.gain: dawn\n"),
        ("insert after eat.gain: dusk\n", "remove eat.gain\n", "insert before eat.gain: dawn\n"),
        (
            "replace eat.gain: nothing\n",
            "replace eat.gain: dusk\n",
            "replace routine eat(fish f, food kind, int n): nothing\n",
        ),
        (
            "replace eat.gain: nothing\n",
            "replace routine eat(fish f, food kind, int n): nothing\n",
            "replace routine eat(fish f, food kind, int n): dusk\n",
        ),
    ],
)
def test_a_third_mod_settles_what_two_change(tmp_path: Path, first: str, second: str, third: str) -> None:
    """It comes after both, and changes the same place, or the whole."""
    one, two = mod("one", first), mod("two", second)
    assert "W533" in [d.code for d in patched(tmp_path / "a", one, two)[1]]
    after = [d.code for d in patched(tmp_path / "b", one, two, mod("zoo", third, "after: [one, two]\n"))[1]]
    assert "W533" not in after
    half = [d.code for d in patched(tmp_path / "c", one, two, mod("zoo", third, "after: [one]\n"))[1]]
    assert "W533" in half
    other = mod("zoo", "insert after game.feeding: dusk\n", "after: [one, two]\n")
    assert "W533" in [d.code for d in patched(tmp_path / "d", one, two, other)[1]]


def test_a_label_stays_when_what_it_names_is_replaced(tmp_path: Path) -> None:
    one = mod("one", "replace feeding.meals: dawn\n")
    text, told, _ = patched(tmp_path, one, mod("two", "insert after feeding.meals: dusk\n", "after: [one]\n"))
    assert told == []
    assert block(text, "phase feeding") == "phase feeding:\n  dawn\n  dusk"


def test_two_mods_that_insert_at_one_place(tmp_path: Path) -> None:
    one, two = (mod(name, f"insert after game.feeding: {what}\n") for name, what in (("one", "dusk"), ("two", "dawn")))
    text, told, _ = patched(tmp_path, one, two)
    assert told == []
    assert "    feeding\n    dawn\n    dusk\n" in block(text, "game")


def test_one_mod_changes_each_place_once(tmp_path: Path) -> None:
    _, told, _ = patched(tmp_path, mod("one", "remove eat.gain\ninsert before eat.gain: nothing\n"))
    assert [d.code for d in told] == ["W533"]


# ---- what is told


@pytest.mark.parametrize(
    ("patch", "code", "said", "hint"),
    [
        ("remove eat.requires\n", "W530", "there is no `requires` in `eat`", "did you mean `require`?"),
        ("remove eaten.require\n", "W530", "there is no `eaten`", "did you mean `eat`?"),
        (
            "remove eat.require\n",
            "W530",
            "matches 2 places",
            'say which: `require["it is full"]` or `require["the pond',
        ),
        ("remove eat.require[3]\n", "W530", "there are only 2 `require` in `eat`", "there is `require["),
        ("remove eat.require[0]\n", "W530", "there are only 2 `require` in `eat`", "there is `require["),
        ('remove eat.require["full"]\n', "W530", "no `require` in `eat` is `full`", "there is `require["),
        ("remove finned.forbid[eat]\n", "W530", "no `forbid` in `finned` is `eat`", "there is `forbid[strike]`"),
        ("remove finned.dove\n", "W530", "there is no `dove` in `finned`", "did you mean `dive`?"),
        ("remove one.forbid\n", "W530", "there is no `forbid` in `one`", ""),
        (
            "remove finned\n",
            "W532",
            "`finned` is not a place in rules",
            "write `remove: [traits.finned.rules]` in YAML",
        ),
        (
            "insert after eat: nothing\n",
            "W532",
            "nothing can be inserted after `eat`, which is a routine",
            "write the hook",
        ),
        (
            "insert after finned.greedy: nothing\n",
            "W532",
            "nothing can be inserted after `finned.greedy`, which is a hook",
            "",
        ),
        ("replace finned.forbid[eat]: nothing\n", "W530", "no `forbid` in `finned` is `eat`", ""),
        (
            "replace finned.forbid[graze]: nothing\n",
            "W532",
            "a statement cannot replace `finned.forbid[graze]`, which is a hook",
            "",
        ),
        ("replace eat.gain: forbid graze(any)\n", "W532", "a hook cannot replace `eat.gain`, which is a statement", ""),
        (
            "replace hunger: nothing\n",
            "W532",
            "statements cannot replace the expression of `hunger`, which is a value",
            "write `replace value hunger",
        ),
        ("remove eat.require[1]\n", "W531", "selects its place by position", 'write `eat.require["it is full"]`'),
        ("replace feeding.meals: turns p from start once each: offer one action to p\n", "W534", "with itself", ""),
        ("replace routine strike(fish hunter, fish prey): nothing\n", "W534", "with itself", ""),
        ("remove set_up.n\n", "W502", "`n` has been removed", ""),
    ],
)
def test_each_patch_finds_its_place_and_changes_something(
    tmp_path: Path, patch: str, code: str, said: str, hint: str
) -> None:
    _, told, _ = patched(tmp_path, mod("one", patch))
    assert [d.code for d in told] == [code], [d.message for d in told]
    assert said in told[0].message
    assert hint in told[0].hint
    assert told[0].severity == ("warning" if code in ("W531", "W534") else "error")


def test_what_is_taken_out_is_named_where_it_is_missed(tmp_path: Path) -> None:
    _, told, _ = patched(tmp_path, mod("one", "remove dusk\n"))
    assert [(d.code, d.message, d.because) for d in told] == [
        ("W502", "`dusk` has been removed", "`one` removes `dusk` here")
    ]


def test_every_statement_is_called_by_the_word_it_begins_with() -> None:
    """Also one that comes anew: steps of places ask its class."""
    called = {first_word(kind) for kind in get_args(nodes.Stmt)} - {
        "assign",
        "call",
        "label",
    }  # these begin with a name
    assert called <= shared_grammar().words.keys()
    assert {
        first_word(kind) for kind in (nodes.Modify, nodes.Forbid, nodes.Ignore, nodes.CopyCards)
    } <= shared_grammar().words.keys()
