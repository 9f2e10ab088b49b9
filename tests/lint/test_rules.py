"""Every rule of the linter finds its bad example and nothing in its good one; shipped games give no cause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulelang.base.codes import CODES
from rulelang.testing.scenarios.run import run_path
from rulelang.tools.lint.rule import Rule
from rulelang.tools.lint.run import PAGES, RULES, LintResult, apply_fixes, lint
from tests.spec.pages import garden, write

ROOT = Path(__file__).parents[2]
EXAMPLES = [rule for rule in RULES if rule.page.bad]
#: What their examples would be is a document, or takes long: they have tests of their own below.
OTHERS = {"uncited-rule", "scenario-without-rule", "idle-scenario"}
MOD = "id: patch\nversion: 1.0.0\nlanguage: 1\ntitle: {en: A patch}\nextends: {garden: '>=1.0'}\nfiles: [%s]\n"


def laid(folder: Path, example: str) -> Path:
    """The garden, and a mod over it with an example: parts between `---` are YAML, a trait or rules."""
    write(folder / "garden", dict(garden()))
    files: dict[str, str] = {}
    for number, part in enumerate(example.split("---\n")):
        said = re.sub(r"^#.*\n", "", part, flags=re.MULTILINE)
        if said.startswith("trait:"):
            files[f"traits/{said.split()[1]}.yaml"] = part
        else:
            files[
                f"part{number}.{'yaml' if re.match(r'[a-z_]+:(?! *$)', said) and said[:5] != 'game:' else 'rules'}"
            ] = part
    listed = [name for name in files if "/" not in name] + (["traits/"] if any("/" in name for name in files) else [])
    write(folder / "patch", files | {"mod.yaml": MOD % ", ".join(listed)})
    return folder / "patch"


def looked(folder: Path, example: str, monkeypatch: pytest.MonkeyPatch, **extra: Sequence[str]) -> LintResult:
    patch = laid(folder, example)
    monkeypatch.chdir(folder)
    found = lint(str(patch), **extra)
    assert not found.mistakes, [f"{item.span} {item.message}" for item in found.mistakes]
    return found


def test_codes_and_names_are_one_each() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES) >= 20
    assert len(PAGES) == len(RULES)
    assert not PAGES.keys() & CODES.keys()
    assert {rule.name for rule in RULES if not rule.page.bad} == OTHERS


@pytest.mark.parametrize("rule", EXAMPLES, ids=lambda rule: rule.name)
def test_the_bad_example_is_found_and_the_good_one_is_not(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = looked(tmp_path / "bad", rule.page.bad, monkeypatch)
    assert rule.name in [item.rule.name for item in bad.advice]
    good = looked(tmp_path / "good", rule.page.good, monkeypatch)
    assert rule.name not in [item.rule.name for item in good.advice]


@pytest.mark.parametrize(("first", "second", "remarks"), [("weak_2", "strong_2", 1), ("strong_2", "weak_2", 0)])
def test_numbered_names_stand_in_each_other_s_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, second: str, remarks: int
) -> None:
    rules = (
        "routine trample(snail strong, snail weak): weak.size = max(1, weak.size - strong.size)\n"
        f"always after push(strong_2, weak_2): trample({first}, {second})\n"
    )
    found = looked(tmp_path, rules, monkeypatch, select=["swapped-arguments"])
    assert len(found.advice) == remarks


SYMMETRIC = [
    ("max(a.size - b.size, b.size - a.size)", 0),
    ("a.size + b.size * 2 + b.size", 1),
    ("(a.size + 1) * (b.size + 1)", 0),
    ("a.size - b.size", 1),
    ("a.size * b.eaten + b.size * a.eaten", 0),
    ("a.size * b.eaten", 1),
    ("count(a.size > b.size, b.size > a.size)", 0),
    ("count(a.size > b.size, b.size == a.size)", 1),
    ("count(snail s where s.size > a.size and s.size > b.size and limit > 1)", 0),
    ("count(snail s where (s.size > a.size or s.size < b.size))", 1),
    ("1 if a.owner != b.owner and 3 < a.size and b.size > 3 else 0", 0),
    ("near(a, b) + near(b, a)", 0),
    ("near(b, a)", 0),
    ("a.size - b.size if a.size > b.size else b.size - a.size", 0),
    ("a.size - b.size if a.size > b.size else a.size", 1),
    ("1 if a.size > b.size else 0", 1),
    ("uneven(a, b) * uneven(b, a)", 0),
    ("uneven(a, b)", 1),
    ("bumped(a, b)", 1),
]


@pytest.mark.parametrize(("body", "remarks"), SYMMETRIC, ids=[body for body, _ in SYMMETRIC])
def test_symmetric_values_take_arguments_in_any_order(
    body: str, remarks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = (
        f"value tried(snail a, snail b) -> int: {body}\n"
        "value near(snail a, snail b) -> int: max(a.size, b.size)\n"
        "value uneven(snail a, snail b) -> int: a.size\n"
        "value bumped(snail a, snail b) -> int: a.size + b.size\n"
        "modify bumped(a, any): + a.eaten\n"
        "value used(snail b, snail c) -> int: tried(b, c)\n"
        "modify strength(s): + used(s, s) + used(s, s) * 2\n"
    )
    found = looked(tmp_path, rules, monkeypatch, select=["swapped-arguments"])
    assert [item.diagnostic.message[:3] for item in found.advice if "tried" in item.diagnostic.because] == [
        "`b`"
    ] * remarks


@pytest.mark.parametrize("rule", EXAMPLES, ids=lambda rule: rule.name)
def test_fixes_mend_what_they_are_for_and_the_rest_stays_sound(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = looked(tmp_path, rule.page.bad, monkeypatch)
    fixes = [item.fix for item in bad.advice if item.fix is not None and item.rule is rule]
    for path, text in apply_fixes(fixes, bad.sources).items():
        Path(path).write_text(text, encoding="utf-8")
    if fixes:
        after = lint(str(tmp_path / "patch"))
        assert not after.mistakes
        assert rule.name not in [item.rule.name for item in after.advice]


def test_some_rules_have_fixes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_fix = [
        rule.name
        for rule in EXAMPLES
        if any(i.fix and i.rule is rule for i in looked(tmp_path / rule.name, rule.page.bad, monkeypatch).advice)
    ]
    assert {"compared-with-truth", "double-negation"} <= set(with_fix)


@pytest.mark.parametrize("place", [*sorted((ROOT / "rulesets").iterdir()), *(ROOT / "examples").glob("*/")],
                         ids=lambda place: place.name)  # fmt: skip
def test_what_ships_gives_no_cause(place: Path) -> None:
    if not any((place / name).is_file() for name in ("ruleset.yaml", "mod.yaml")):
        pytest.skip("no ruleset")
    found = lint(str(place))
    assert not found.mistakes
    assert [f"{item.diagnostic.span} {item.diagnostic.message}" for item in found.advice] == []


def test_nothing_is_said_of_the_game_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    laid(tmp_path, "modify strength(any): + 1\n")
    with (tmp_path / "garden" / "garden.rules").open("a", encoding="utf-8") as rules:
        rules.write("\nvalue idle_value(snail s) -> int: s.size\n")
    monkeypatch.chdir(tmp_path)
    assert lint("patch").advice == ()
    assert [item.rule.name for item in lint("garden").advice if "idle" in item.diagnostic.message] == ["unused-value"]


def test_remarks_allow_on_their_line_and_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = "value slow(snail s) -> bool: s.size > 5   # for mods; lint: allow unused-value\n"
    above = "# lint: allow L801, unused-number\n# (another remark)\nvalue slow(snail s) -> bool: s.size > 5\n"
    assert looked(tmp_path / "a", beside, monkeypatch).advice == ()
    (left,) = looked(tmp_path / "b", above, monkeypatch).advice
    assert (left.rule.name, left.diagnostic.message) == ("useless-allow", "the rule `unused-number` finds nothing here")
    (wrong,) = looked(tmp_path / "c", "modify strength(any): + 1   # lint: allow unused-valeu\n", monkeypatch).advice
    assert wrong.diagnostic.hint == "did you mean `unused-value`?"


def test_rules_are_selected_and_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = "value slow(snail s) -> bool: s.size > 5\nafter dawn: bed_plants += 0\n"
    names = lambda **extra: {i.rule.name for i in looked(tmp_path, both, monkeypatch, **extra).advice}  # noqa: E731
    assert names() == {"unused-value", "idle-assignment"}
    assert names(select=["L826"]) == {"idle-assignment"}
    assert names(ignore=["idle-assignment"]) == {"unused-value"}


SEEDS = """\
document: the garden's book
ruleset: garden
rules:
  g-1: {text: a shell holds}
  g-2: {text: nobody carries this out}
  g-3: {text: be kind, enforced: false, because: no program can tell}
"""


@pytest.fixture
def numbered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The garden with numbered rules, one of them carried out, and two scenarios of it, one of which is idle."""
    files = dict(garden())
    files["traits/shell.yaml"] = """\
trait: shell
text: {en: Holds faster by 2.}
rules: |
  #: g-1
  modify hold(self, any): + 2
scenarios:
  - name: a shell holds
    rule: g-1
    given: &bed
      phase: grazing
      turn: ana
      state: {bed_plants: 3}
      players: {ana: [ada size 3], bob: [ben size 1: shell]}
    when: [shove ada ben: {refused: ben stands fast}]
  - name: a snail eats
    rule: g-1
    given: *bed
    when: [nibble ada]
    then: [ada.eaten == 1]
  - name: it says nothing of rules
    given: *bed
    when: [nibble ada]
    then: [ada.eaten == 1]
"""
    write(tmp_path / "garden", files)
    write(tmp_path / "seeds", {"garden.yaml": SEEDS})
    monkeypatch.chdir(tmp_path)
    return tmp_path / "garden"


def test_rules_that_no_code_cites(numbered: Path) -> None:
    (found,) = lint(str(numbered), select=["uncited-rule"]).advice
    assert "`g-2`" in found.diagnostic.message


def test_scenarios_that_cite_no_rule(numbered: Path) -> None:
    (found,) = lint(str(numbered), select=["scenario-without-rule"]).advice
    assert found.diagnostic.span.line == 20


def test_a_scenario_that_passes_without_its_rule(numbered: Path) -> None:
    (found,) = lint(str(numbered), select=["idle-scenario"], deep=True).advice
    assert found.diagnostic.span.line == 15
    assert "`g-1`" in found.diagnostic.message
    before = (numbered / "traits" / "shell.yaml").read_text(encoding="utf-8")
    assert "modify hold" in before, "the files themselves stay as they are"


def test_a_scenario_that_shows_how_far_a_rule_goes(numbered: Path) -> None:
    """It passes without the rule, but not if the rule were about everything."""
    shell = numbered / "traits" / "shell.yaml"
    text = shell.read_text(encoding="utf-8")
    text = text.replace("ada size 3]", "ada size 3: shell]").replace("ben size 1: shell]", "ben size 1]")
    shell.write_text(text.replace("shove ada ben: {refused: ben stands fast}", "shove ada ben"), encoding="utf-8")
    assert not run_path(shell).failed, "the shell of the one who shoves does not hold the other"
    found = lint(str(numbered), select=["idle-scenario"], deep=True).advice
    assert [one.diagnostic.span.line for one in found] == [15]


@pytest.mark.parametrize(
    ("value", "remarks"), [("round < 0", 1), ("round == 0 - 3", 1), ("round == 0", 0), ("round > 2", 0)]
)
def test_rounds_are_counted_from_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, remarks: int
) -> None:
    rules = f"value odd(snail s) -> bool: {value}\nmodify strength(s): + 1 when odd(s)\n"
    found = looked(tmp_path, rules, monkeypatch, select=["constant-condition"])
    assert len(found.advice) == remarks


def test_the_end_of_a_turn_behind_a_condition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = """\
phase picnic:
  turns p from start once each:
    if p.points < 9: offer any actions to p or pass
    else: offer one action to p or pass
    p.points += 1
action snack(snail s of actor) during picnic: eat(s, mushroom, 1)
after dawn: picnic
"""
    (found,) = looked(tmp_path, rules, monkeypatch, select=["skipped-by-pass"]).advice
    assert (found.diagnostic.span.line, found.diagnostic.related[0].span.line) == (5, 3)


def test_a_claim_that_nothing_could_break_is_told(tmp_path: Path) -> None:
    files = dict(garden())
    name = next(name for name in files if name.startswith("scenarios/") or "scenarios:" in files[name])
    assert name
    trait = (
        "trait: slow\ntext: {en: It is slow.}\nscenarios:\n"
        "- name: it eats little\n  given: {players: {ana: {snail: [s]}, bob: []}}\n"
        "  then: [s.eaten <= 9, s.eaten >= 0, s.eaten <= 8]\n"
    )
    found = [item.diagnostic for item in lint(laid(tmp_path, trait), select=["constant-condition"]).advice]
    assert [item.span.column for item in found] == [10, 24]


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("after dawn: roll 1d6 as gust\n", ["`gust` is written, but no rule reads it"]),
        ("after dawn:\n  roll 1d6 as gust\n  bed_plants = gust\n", []),
    ],
)
def test_dice_write_and_do_not_read(rules: str, told: list[str], tmp_path: Path) -> None:
    folder = laid(tmp_path, f"state: {{gust: number}}\n---\n{rules}")
    assert [item.diagnostic.message for item in lint(folder, select=["state-never-read"]).advice] == told


def test_one_cause_is_told_once(tmp_path: Path) -> None:
    rule = (
        "value heavy(snail s) -> bool: any(card c in next(s.owner).hand where c.weight > 1)\n"
        'forbid nibble(s) when heavy(s) because "it fears a heavy card"\n'
        "after dawn:\n  for snail s: if heavy(s): s.eaten = 1\n"
    )
    found = [item.diagnostic for item in lint(laid(tmp_path, rule), select=["secret-told"]).advice]
    assert len(found) == 1, found
    assert len(found[0].related) > 2


@pytest.mark.parametrize(
    ("example", "read"),
    [
        ("routine wither(snail s):\n  remove s\n  s.mood = calm\n", ["s.mood"]),
        ("routine wither(snail s):\n  let p = s.owner\n  remove s\n  p.points += 1\n", []),
        ("routine wither(snail s):\n  if s.size > 3: remove s\n  s.mood = calm\n", []),
        ("routine wither(snail s):\n  remove s\n  if s is missing: bed_plants += 1\n", []),
        ("routine strip(card c): move c to discards\nafter strip(c) when c.on.size > 1: bed_plants += 1\n", ["c.on"]),
        ("routine strip(card c): move c to discards\nafter strip(c) when c.weight > 1: bed_plants += 1\n", []),
        ("routine strip(card c, snail s): move c to s.gear\nafter strip(c) when c.on.size > 1: bed_plants += 1\n", []),
    ],
)
def test_what_is_read_through_something_gone(
    example: str, read: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = looked(tmp_path, example, monkeypatch, select=["read-through-gone"])
    assert [item.diagnostic.message.split("`")[1] for item in found.advice] == read


_PUSHED = "routine shove_off(snail by, snail s): tumble(s)\nroutine tumble(snail s): "


@pytest.mark.parametrize(
    ("example", "said"),
    [
        (
            _PUSHED + "remove s\nafter shove_off(any, s): s.owner.points += 1\n",
            "`s.owner` is always missing here: `s` has been removed by `shove_off`, which calls `tumble`",
        ),
        (
            _PUSHED + 'remove s\nforbid tumble(s) when s.size > 3 because "it is heavy"\n'
            "after shove_off(any, s): s.owner.points += 1\n",
            "`s.owner` is always missing here: `s` has been removed by `shove_off`, which calls `tumble`, "
            "unless another rule prevents that",
        ),
        (
            _PUSHED + "remove s\nroutine pet(snail s): s.mood = calm\nafter shove_off(any, s): pet(s)\n",
            "`pet` never happens here: `s` has been removed by `shove_off`, which calls `tumble`",
        ),
        (
            _PUSHED + "remove s\nroutine pet(snail s):\n  tumble(s)\n  s.owner.points += 1\n",
            "`s.owner` is always missing here: `s` has been removed by the line above, which calls `tumble`",
        ),
        (
            _PUSHED + "\n  if s.size > 3: remove s\nafter shove_off(any, s): s.owner.points += 1\n",
            "`s.owner` is sometimes missing here: `shove_off`, which calls `tumble`, may remove `s`",
        ),
        (
            _PUSHED + "remove s\nvalue proud(snail s) -> bool: s.size > 2\n"
            "after shove_off(any, s) when not proud(s): bed_plants += 1\n",
            "`proud(s)` is always missing here: `s` has been removed by `shove_off`, which calls `tumble`",
        ),
        (
            _PUSHED + "remove s\nafter shove_off(any, s) when not s has shell: bed_plants += 1\n",
            "`s has ...` is always missing here: `s` has been removed by `shove_off`, which calls `tumble`",
        ),
        (
            _PUSHED + "remove s\nafter shove_off(any, s) when no(card c in s.gear): bed_plants += 1\n",
            "`s.gear` is always missing here: `s` has been removed by `shove_off`, which calls `tumble`",
        ),
        (
            _PUSHED + "remove s\nvalue proud(maybe snail s) -> bool: s is missing\n"
            "after shove_off(any, s) when not proud(s): bed_plants += 1\n",
            "",
        ),
        (_PUSHED + "\n  if s.size > 3: remove s\nafter shove_off(any, s) when s is present: s.owner.points += 1\n", ""),
        (_PUSHED + "\n  if s.size > 3: remove s\nafter shove_off(any, s): s.mood = calm\n", ""),
        (_PUSHED + "remove s\nafter shove_off(by, any): by.owner.points += 1\n", ""),
        (_PUSHED + "remove s\nbefore shove_off(any, s): s.owner.points += 1\n", ""),
        (
            _PUSHED + "\n  if s.size > 3: remove s\n  else: remove s\nafter shove_off(any, s): s.mood = calm\n",
            "`s.mood` is always missing here: `s` has been removed by `shove_off`, which calls `tumble`",
        ),
    ],
)
def test_what_an_event_removes_is_followed_through_its_calls(
    example: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = looked(tmp_path, example, monkeypatch, select=["read-through-gone"])
    assert [item.diagnostic.message for item in found.advice] == ([said] if said else [])
    assert all("before" in item.diagnostic.hint for item in found.advice)
