"""Mods over a ruleset: replacements, order, what a layer removed, traits that may be absent, and what all need."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostic
from rulelang.data.mods import ORDER_MODS
from rulelang.data.ruleset import load_ruleset
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.program import check_program, read_rules
from rulelang.language.semantics.declare import declare
from tests.semantics.check_pond import FILES, checked

Files = dict[str, str]


def mod(name: str, rules: str, more: str = "", things: str = "") -> Files:
    """The files of a mod with rules and perhaps things."""
    files = [f"{name}.rules", *(["things.yaml"] if things else [])]
    manifest = f"id: {name}\nversion: 1.0.0\nlanguage: 1\ntitle: {name}\nextends: {{pond: '>=1.0'}}\n{more}"
    found = {"mod.yaml": f"{manifest}files: [{', '.join(files)}]\n", f"{name}.rules": rules}
    return {**found, "things.yaml": things} if things else found


def layered(folder: Path, *mods: Files, base: Files | None = None) -> tuple[tree.Program, list[Diagnostic]]:
    """The pond with mods, from files; the checker's mistakes (there are no others)."""
    for number, files in enumerate(({**FILES, **(base or {})}, *mods)):
        for name, text in files.items():
            path = folder / str(number) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    source, found = load_ruleset(folder / "0", [folder / str(n + 1) for n in range(len(mods))])
    assert source is not None
    model, more = declare(source)
    texts, unread = read_rules(source, model)
    assert [*found, *more, *unread] == []
    program, mistakes = check_program(model, texts, source)
    return program, mistakes.sorted()


def codes(mistakes: list[Diagnostic]) -> list[tuple[str, str, int, int]]:
    return [(d.code, Path(d.span.path).name, d.span.line, d.span.column) for d in mistakes]


REPLACE = "replace routine strike(fish hunter, fish prey): bite(hunter, prey)\n"


def test_a_replacement_takes_the_place_of_the_body(tmp_path: Path) -> None:
    program, mistakes = layered(tmp_path, mod("one", REPLACE))
    assert mistakes == []
    assert program.routines["strike"].origin.layer == 1
    assert [type(s) for s in program.routines["strike"].body] == [tree.CallRoutine]
    assert list(program.routines)[:3] == ["feeding", "eat", "strike"]


def test_two_unordered_replacements_clash(tmp_path: Path) -> None:
    _, mistakes = layered(tmp_path, mod("one", REPLACE), mod("two", REPLACE))
    assert codes(mistakes) == [("W504", "two.rules", 1, 17)]
    assert [Path(r.span.path).name for r in mistakes[0].related] == ["one.rules", "game.rules"]
    assert mistakes[0].hint == ORDER_MODS


def test_ordered_replacements_do_not(tmp_path: Path) -> None:
    program, mistakes = layered(tmp_path, mod("one", REPLACE), mod("two", REPLACE, "after: [one]\n"))
    assert mistakes == []
    assert program.routines["strike"].origin.layer == 2


def test_a_third_mod_that_follows_both_settles_it(tmp_path: Path) -> None:
    """A replacement, and a value that two mods set; one that follows only one of them settles nothing."""
    hunger = "modify hunger(any): = "
    one, two = mod("one", REPLACE + hunger + "1\n"), mod("two", REPLACE + hunger + "2\n")
    last = REPLACE + hunger + "3\n"
    program, mistakes = layered(tmp_path / "all", one, two, mod("zoo", last, "after: [one, two]\n"))
    assert mistakes == []
    assert program.routines["strike"].origin.layer == 3
    _, mistakes = layered(tmp_path / "half", one, two, mod("zoo", last, "after: [one]\n"))
    assert {code for code, *_ in codes(mistakes)} == {"W504", "W515"}
    narrow = REPLACE + "modify hunger(any): = 3 when option.cold\n"
    _, mistakes = layered(tmp_path / "narrow", one, two, mod("zoo", narrow, "after: [one, two]\n"))
    assert codes(mistakes) == [("W515", "two.rules", 2, 8)]


HEADS = """
routine tidy(player p) in owner's order: nothing
routine plain(player p): nothing
action rest(fish f of actor) during feeding free once per round: f.sated = true
action dig(fish f of actor) during feeding in steps: f.sated = true
"""
KEPT = {
    "replace routine tidy(player p) in owner's order: p.bag += 1": [],
    "replace routine tidy(player p): p.bag += 1": [("error", "the new `tidy` drops `in owner's order`")],
    "replace routine plain(player p) in owner's order: nothing": [("error", "the new `plain` adds `in owner's order`")],
    "replace action dig(fish f of actor) during feeding: f.sated = true": [("error", "the new `dig` drops `in steps`")],
    "replace action rest(fish f of actor) during feeding free once per round: nothing": [],
    "replace action rest(fish f of actor) during feeding: nothing": [
        ("warning", "the new `rest` is no longer `free`"),
        ("warning", "the new `rest` is no longer `once per round`"),
    ],
}


@pytest.mark.parametrize("change", KEPT)
def test_a_replacement_keeps_its_head_or_says_so(tmp_path: Path, change: str) -> None:
    _, mistakes = layered(tmp_path, mod("one", change + "\n"), base={"game.rules": FILES["game.rules"] + HEADS})
    assert [(d.severity, d.message) for d in mistakes if d.code == "W503"] == KEPT[change]


def test_a_condition_on_a_row_that_a_layer_removed(tmp_path: Path) -> None:
    for number, files in enumerate(
        (FILES, mod("one", "value quiet -> bool: true\n", things="remove: [lists.measure.hop]\n"))
    ):
        for name, text in files.items():
            path = tmp_path / str(number) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    source, _ = load_ruleset(tmp_path / "0", [tmp_path / "1"])
    assert source is not None
    found = {m.because for m in declare(source)[1] if m.code == "N305" and m.message == "there is no measure `hop`"}
    assert found == {"`hop` has been removed"}


def test_a_card_of_a_trait_that_a_layer_removed(tmp_path: Path) -> None:
    """The row of the base is wrong because of the mod: the message says so."""
    for number, files in enumerate((FILES, mod("one", "value quiet -> bool: true\n", things="remove: [traits.shy]\n"))):
        for name, text in files.items():
            path = tmp_path / str(number) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    source, _ = load_ruleset(tmp_path / "0", [tmp_path / "1"])
    assert source is not None
    (mistake,) = declare(source)[1]
    assert (mistake.code, mistake.because) == ("N305", "`shy` has been removed")
    assert [Path(r.span.path).name for r in mistake.related] == ["things.yaml"]
    assert mistake.related[0].note == "`traits.shy` is removed here"


def test_what_a_layer_removed_is_named(tmp_path: Path) -> None:
    gone = mod("one", "value quiet -> bool: true\n", things="remove: [lists.colour.rows.red]\n")
    rules = "value warm(colour c) -> bool: c == red\n"
    _, mistakes = layered(tmp_path, gone, mod("two", rules, "after: [one]\n"))
    assert codes(mistakes) == [("W502", "two.rules", 1, 36)]
    assert mistakes[0].because == "`one` removes `lists.colour.rows.red` here"


def test_a_hook_whose_row_was_removed_names_the_layer(tmp_path: Path) -> None:
    base = {
        "things.yaml": FILES["things.yaml"].replace(
            "pool: [north, south]",
            "pool:\n    rows:\n      north: {rules: 'action drift(fish f of actor) during feeding: f.home = self'}\n"
            "      south: {}",
        )
    }
    hook = "forbid north.drift when option.cold\n"
    assert layered(tmp_path / "kept", mod("two", hook), base=base)[1] == []
    gone = mod("one", "value quiet -> bool: true\n", things="remove: [lists.pool.rows.north]\n")
    _, mistakes = layered(tmp_path / "gone", gone, mod("two", hook, "after: [one]\n"), base=base)
    assert codes(mistakes) == [("W502", "two.rules", 1, 8)]


def test_two_files_of_a_layer_hook_one_event(tmp_path: Path) -> None:
    files = mod("one", "after strike(a): bite(a, none)\n")
    files["more.rules"] = "after strike(any, b): bite(b, none)\n"
    files["mod.yaml"] = files["mod.yaml"].replace("[one.rules]", "[one.rules, more.rules]")
    _, mistakes = layered(tmp_path, files)
    assert codes(mistakes) == [("W512", "more.rules", 1, 7)]


SET_TWICE = {
    ("modify hunger(any): = 1", "modify hunger(any): = 2"): True,
    ("modify hunger(f): = f.weight", "modify hunger(f): = f.weight"): True,
    ("modify hunger(any): = 1 when option.cold", "modify hunger(any): = 2"): True,
    ("modify hunger(any): = 1 when option.cold", "modify hunger(any): = 2 when water > 3"): True,
    ("modify hungry(any): = false", "modify hungry(any): = true"): True,
    ("modify hunger(any): = 1", "modify hunger(any): = 1"): False,
    ("modify hunger(any): = 1", "modify hunger(any): + 1"): False,
    ("modify hunger(any): = 1 when option.cold", "modify hunger(any): = 2 unless option.cold"): False,
    ("modify hunger(any): = 1 when now == small", "modify hunger(any): = 2 when now == large and water > 1"): False,
    ("modify helping(any, plant): = 1", "modify helping(any, meat): = 2"): False,
    ("modify helping(any, plant): = 1", "modify helping(any, any): = 2"): True,
}


@pytest.mark.parametrize(("first", "second"), SET_TWICE)
def test_two_mods_set_one_value(tmp_path: Path, first: str, second: str) -> None:
    _, mistakes = layered(tmp_path, mod("one", first + "\n"), mod("two", second + "\n"))
    assert codes(mistakes) == ([("W515", "two.rules", 1, 8)] if SET_TWICE[first, second] else [])
    _, mistakes = layered(tmp_path / "ordered", mod("one", first + "\n"), mod("two", second + "\n", "after: [one]\n"))
    assert mistakes == []


def test_a_ruleset_needs_a_game_and_a_score(tmp_path: Path) -> None:
    lines = FILES["game.rules"].split("\n")
    text = "\n".join(line for line in lines[2:] if "score" not in line)
    _, mistakes = layered(tmp_path, base={"game.rules": text})
    assert [(d.code, d.message) for d in mistakes] == [
        ("N360", "the ruleset has no `game:`"),
        ("N360", "the ruleset has no `score`"),
    ]
    assert all(Path(d.span.path).name == "ruleset.yaml" for d in mistakes)


def test_score_and_tiebreak_are_asked_of_players(tmp_path: Path) -> None:
    text = FILES["game.rules"].replace("score(player p) -> int: p.bag", "score(fish f) -> int: f.weight")
    text = text.replace("tiebreak(player p) -> order", "tiebreak(player p) -> int")
    _, mistakes = layered(tmp_path, base={"game.rules": text})
    assert codes(mistakes) == [("T424", "game.rules", 18, 7), ("T424", "game.rules", 19, 7)]


def test_resets_name_a_phase(tmp_path: Path) -> None:
    text = FILES["things.yaml"].replace("sated:  bool", "sated:  {is: bool, resets: feedin}")
    _, mistakes = layered(tmp_path, base={"things.yaml": text})
    assert [(d.code, Path(d.span.path).name, d.hint) for d in mistakes] == [
        ("N357", "things.yaml", "did you mean `feeding`?")
    ]


def test_names_in_text_that_cannot_be_parsed_are_not_unknown(tmp_path: Path) -> None:
    text = FILES["game.rules"].replace(
        "routine eat(fish f, food kind, int n):", "routine eat(fish f, food kind, int n:"
    )
    folder = tmp_path / "0"
    for name, content in {**FILES, "game.rules": text}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    source, _ = load_ruleset(folder)
    assert source is not None
    model, _ = declare(source)
    texts, unread = read_rules(source, model)
    assert unread.failed
    assert list(check_program(model, texts, source)[1]) == []


def test_a_trait_that_is_known_of_may_be_absent() -> None:
    program, mistakes = checked(
        "# in a pair\nignore bold in strike(self, any)\nforbid strike(hunter, self) unless hunter has bold\n"
    )
    assert mistakes == []
    assert program.ignores == ()
    guard = program.forbids[0].guard
    assert isinstance(guard, tree.Not)
    assert isinstance(guard.operand, tree.Has)
    assert isinstance(guard.operand.trait, tree.Const)
    assert guard.operand.trait.value == 0


def test_other_absent_traits_are_mistakes() -> None:
    _, mistakes = checked(
        "# in a trait\nignore bold in strike(self, any)\nforbid strike(any, self) unless self has sly\n"
    )
    assert [(d.code, d.hint) for d in mistakes] == [("N350", ""), ("N350", "did you mean `shy`?")]


def test_own_names_come_before_those_of_the_core() -> None:
    program, mistakes = checked(
        "# in a trait\nvalue hunger(fish f) -> int: 1\nvalue twice -> int: 2 * hunger(self)\n"
        "modify hunger(f): + f.weight\n"
    )
    assert mistakes == []
    assert isinstance(program.values["finned.twice"].body, tree.Arith)
    assert program.modifies[0].pattern.event == "finned.hunger"
