"""`of BEARER` in a pattern: hooks that name who bears another trait's or row's action."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.compiler.compilation import check
from rulelang.runtime.state import State
from tests.hooks.small import play, started, told, unoptimised, write
from tests.native.machine import needs_compiler

__all__ = ["unoptimised"]

THINGS = """\
kinds:
  pawn: {of: player, line: true, at_most: 3, names: [a, b, c, d], attributes: {size: {is: number, start: 1}}}
lists:
  tree:
    rows:
      oak:
        rules: |
          action rustle during day: nothing
      elm: {}
cards:
  card: {columns: {face: trait, place: int}, rows: [@CARDS@]}
  token: {columns: {face: trait}, rows: [{face: drum, copies: 2}]}
  charm:
    rows:
      bell: {rules: 'action ring during day: nothing'}
zones:
  gear: {of: pawn, holds: card, seen_by: everyone, in_force: true}
  purse: {of: player, holds: token, seen_by: everyone, in_force: true, playable: true}
  table: {holds: charm, seen_by: everyone, in_force: true}
state: {first_player: player, dressed: number}
"""

RULES = """\
game:
  for player p:
    create pawn of p
    create pawn of p
  for pawn x:
    dressed += 1
    for card c where c.place == dressed: move c to x.gear
  for player p, token k where p != first_player: move k to p.purse
  for charm h: move h to table
  day
phase day: turns p from first_player until all pass: offer any actions to p or pass
value score(player p) -> int: 0
value loud(pawn x, pawn y) -> bool: false
"""

HORN = """\
  action toot(pawn y) during day:
    require y != self
    let at = y
    tells "{self} toots at {at}"
"""


def game(folder: Path, probe: str, horn: str = HORN, mute: str = "  modify loud(self, any): and true\n") -> Path:
    """Pawns a and c are ana's, b and d bob's; each wears a horn, b a probe with these rules, and c a mute."""
    cards = ", ".join(f"{{face: {face}, place: {on}}}" for face, on in
                      [*(("horn", n) for n in range(1, 5)), ("probe", 3), ("mute", 2)])  # fmt: skip
    drum = '  action beat during day: tells "{self} is beaten"\n'
    rules = {"horn": horn, "probe": probe, "mute": mute, "drum": drum}
    files = {"things.yaml": THINGS.replace("@CARDS@", cards), "game.rules": RULES}
    for name, text in rules.items():
        knows = "" if name == "horn" else "knows: [horn]\n"
        files[f"traits/{name}.yaml"] = f"trait: {name}\ntext: {name}\n{knows}rules: |\n{text}"
    return write(folder / "game", files)


def offered(state: State) -> set[str]:
    return {option.text for option in state.decision.options}


A, B, D = "a toots at d", "b toots at d", "d toots at b"

#: Rules of the probe on b; what is told when a, then (after ana passes) b and d toot.
HOOKS = {
    "before, of self": ("before horn.toot of self: tells 'first {self}'", [A, "first b", B, D]),
    "after, of self": ("after horn.toot(any) of self: tells 'yawn'", [A, B, "yawn", D]),
    "after, of a new name": (
        "after horn.toot(y) of s when s != self: tells '{s} at {y}'", [A, "a at d", B, D, "d at b"]),
    "before, an argument is the bearer of the hook": (
        "before horn.toot(self) of s: s.size += 1\nafter horn.toot of s when s.size > 1: tells 'big {s}'",
        [A, B, D, "big d"]),
    "after, of any": ("after horn.toot of any once per game: tells 'once'", [A, "once", B, D]),
    "instead of": ("instead of horn.toot(any) of self: tells 'silence'", [A, "silence", D]),
    "instead of, and proceed": (
        "instead of horn.toot of s when s.owner == owner:\n  proceed\n  tells 'echo of {s}'",
        [A, B, "echo of b", D, "echo of d"]),
    "react to": ("react to horn.toot of s when s.owner != owner: stop", [B, D]),
    "once per turn": (
        "after horn.toot of s once per turn when s.owner == owner: tells 'tired {s}'",
        [A, B, "tired b", D]),
    "several events": (
        "after horn.toot of self, drum.beat: tells 'heard'", [A, B, "heard", D]),
    "a bearer that is gone before its action": (
        "before horn.toot of s when s.owner != owner: remove s", [B, D]),
    "a bearer that is gone after its action": (
        "after horn.toot of s when s.size == 1:\n  if s != self: remove s\n  tells '{self}'",
        [A, "b", B, "b", D, "b"]),
}  # fmt: skip


def rules(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.replace("'", '"').splitlines())


def toots(state: State) -> None:
    play(state, "toot a d")
    # A reaction that nobody has to play is asked for.
    while state.decision.prompt.startswith("how do you react"):
        state.play(state.decision.options[0])
    play(state, "pass", "bob: toot b d", "toot d b")


@pytest.mark.parametrize("name", HOOKS)
def test_each_kind_of_trigger(tmp_path: Path, name: str) -> None:
    text, wanted = HOOKS[name]
    state = started(game(tmp_path, rules(text)))
    toots(state)
    assert told(state) == wanted


@needs_compiler
@pytest.mark.usefixtures("unoptimised")
@pytest.mark.parametrize("name", ["after, of a new name", "instead of, and proceed", "react to", "once per turn",
                                  "a bearer that is gone before its action"])  # fmt: skip
def test_triggers_of_native_games(tmp_path: Path, name: str) -> None:
    text, wanted = HOOKS[name]
    state = started(game(tmp_path, rules(text)), backend="native")
    toots(state)
    assert told(state) == wanted


def test_a_mod_names_the_bearer_too(tmp_path: Path) -> None:
    """The rules of a mod have no bearer of their own."""
    where = game(tmp_path, "  modify loud(self, any): and true\n")
    rules_of_mod = 'after horn.toot(y) of s when s.owner != y.owner: tells "{s} to {y}"\n'
    mod = write(tmp_path / "patch", {"patch.rules": rules_of_mod}, extends="game")
    state = started(where, mod)
    toots(state)
    assert told(state) == [A, "a to d", B, D]


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
@pytest.mark.usefixtures("unoptimised")
def test_bans_by_who_bears_the_action(tmp_path: Path, backend: str) -> None:
    """One bearer may not, another may; not to this one; and an action in steps asks for each argument."""
    ban = "  forbid horn.toot of self\n  forbid horn.toot(y) of s when s.owner != owner and y != self\n"
    state = started(game(tmp_path, ban), backend=backend)
    assert {text for text in offered(state) if "toot" in text} == {"toot a b", "toot c b"}
    play(state, "pass")
    assert {text for text in offered(state) if "toot" in text} == {"toot d a", "toot d b", "toot d c"}
    stepped = HORN.replace("during day:", "during day in steps:")
    state = started(game(tmp_path / "steps", ban, stepped), backend=backend)
    assert {text for text in offered(state) if "toot" in text} == {"toot a", "toot c"}
    play(state, "toot a", "pass")
    assert told(state) == ["a toots at b"], "the one pawn that may be tooted at is not asked for"
    assert {text for text in offered(state) if "toot" in text} == {"toot d"}


def test_what_is_ignored_for_one_bearer_counts_for_another(tmp_path: Path) -> None:
    for what in ("ignore mute in horn.toot of self", "ignore card k in horn.toot of self when k.face == mute"):
        mute = '  after horn.toot of s: tells "{self} heard {s}"\n'
        probe = f"  {what}\n"
        where = game(tmp_path / what.split()[1], probe, mute=mute)
        thing = where / "traits" / "probe.yaml"
        thing.write_text(thing.read_text(encoding="utf-8").replace("[horn]", "[horn, mute]"), encoding="utf-8")
        state = started(where)
        toots(state)
        assert told(state) == [A, "c heard a", B, D, "c heard d"]


def test_a_trait_asks_about_its_own_action(tmp_path: Path) -> None:
    """`can` and `affects` mean the action as the bearer of the rules that ask would take it."""
    asks = """\
  value dares -> bool: any(pawn y where y != self and can toot(y))
  value watched -> bool: probe affects toot(self)
  action ask during day:
    let n = count(pawn y where y != self and can toot(y))
    tells "{self} {dares} {watched} {n}"
"""
    probe = "  forbid horn.toot(any) of s when s == self or s.owner != owner\n"
    where = game(tmp_path, probe, HORN + asks.replace("{dares}", "{1 if dares else 0}").replace(
        "{watched}", "{1 if watched else 0}"))  # fmt: skip
    horn = where / "traits" / "horn.yaml"
    horn.write_text(horn.read_text(encoding="utf-8").replace("rules: |", "knows: [probe]\nrules: |"), encoding="utf-8")
    state = started(where)
    play(state, "ask a", "pass", "ask b", "ask d")
    assert told(state) == ["a 0 1 0", "b 0 1 0", "d 1 0 3"]


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
@pytest.mark.usefixtures("unoptimised")
def test_cards_and_rows_bear_actions_too(tmp_path: Path, backend: str) -> None:
    probe = """\
  after drum.beat of c when c.face == drum: tells "drum of {c.owner}"
  after oak.rustle of r when r == oak: tells "rustling {r}"
  after bell.ring of b: tells "ringing {b}"
"""
    drum = '  action beat during day: nothing\n  after horn.toot of s when s.owner == owner: tells "{s}"\n'
    where = game(tmp_path, probe)
    (where / "traits" / "drum.yaml").write_text(
        f"trait: drum\ntext: drum\nknows: [horn]\nrules: |\n{drum}", encoding="utf-8")  # fmt: skip
    thing = where / "traits" / "probe.yaml"
    thing.write_text(thing.read_text(encoding="utf-8").replace("[horn]", "[horn, drum]"), encoding="utf-8")
    state = started(where, backend=backend)
    play(state, "rustle oak", "ring bell", "pass", "beat drum", "toot b d")
    assert told(state) == ["rustling oak", "ringing bell", "drum of bob", B, "b", "b"], "one for each drum"


#: Rules of the probe, and the code and message of their only mistake.
MISTAKES = {
    "after horn.toot(any) of this: nothing": ("T400", "expected a `pawn`, found `this`, a `card`"),
    "after horn.toot(any) of owner: nothing": ("T400", "expected a `pawn`, found `owner`, a `player`"),
    "after horn.toot(any) of x: nothing": ("N359", "nothing uses the new name `x`"),
    "after horn.toot(x) of x: tells '{x}'": ("N364", "the name `x` is used twice"),
    "after horn.toot(any, self): nothing": ("W510", "`toot` takes (pawn), but the pattern has 2 parts"),
    "after horn.toot of partner: nothing": ("N362", "there is no `partner` here"),
    "modify loud(any) of self: and true": ("W516", "`loud` has no bearer"),
    "after oak.rustle of elm: nothing": ("W516", "`elm` is never its bearer"),
    "after day of x: tells '{x}'": ("W516", "`day` has no bearer"),
    "always after horn.toot of self: nothing": ("N362", "there is no `self` here"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes(tmp_path: Path, text: str) -> None:
    found = check(game(tmp_path, rules(text)))[1]
    assert [(item.code, item.message) for item in found] == [MISTAKES[text]]


def test_one_part_too_many_is_told_the_form(tmp_path: Path) -> None:
    for text, form in {
        "after oak.rustle(self): nothing": "`oak.rustle of self`",
        "after horn.toot(self, y): tells '{y}'": "`horn.toot(...) of self`",
    }.items():
        (item,) = check(game(tmp_path / form.strip("`")[:3], rules(text)))[1]
        assert item.hint.endswith(form), item.hint


def test_what_is_always_bears_nothing(tmp_path: Path) -> None:
    horn = HORN + "  always action rest during day: nothing\n"
    (item,) = check(game(tmp_path, rules("after horn.rest of s: tells '{s}'"), horn))[1]
    assert (item.code, item.because) == ("W516", "an `always` action has no bearer")


def test_questions_about_a_trait_s_own_routine_mean_the_bearer_that_asks(tmp_path: Path) -> None:
    """Also from inside a query, a choice or a value, each of which is a function of its own."""
    asks = """\
  routine leap(pawn y):
    require y != self
    tells "{self} leaps over {y}"
  value ways -> int: count(pawn y where can leap(y))
  value free -> bool: can leap(first(pawn y where y.owner == owner))
  action count_up during day:
    let n = count(pawn y where can leap(y))
    tells "{n} {ways} {1 if free else 0}"
    choose pawn y where can leap(y) and y.owner == owner
    leap(y)
"""
    state = started(game(tmp_path, "  modify loud(self, any): and true\n", HORN + asks))
    play(state, "count_up a", "pass", "count_up b", "count_up d")
    assert told(state) == ["3 3 0", "a leaps over c", "3 3 0", "b leaps over d", "3 3 1", "d leaps over b"]
