"""`rename:`: nothing but the name changes, in data and rules, also of mods that know nothing of the new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.tools.modding.difference import find_differences
from rulelang.tools.modding.why import origin_stories
from tests.semantics.check_pond import FILES

Lay = Callable[..., Compilation]
SHY = """\
trait: shy
text: {en: It hides.}
rules: |
  forbid strike(any, self) when self.weight > limit because "{self} is shy"
  after eat(self, plant): self.owner.bag += 1
"""
SLY = """\
trait: sly
text: {en: It knows the shy.}
needs: [shy]
rules: |
  forbid strike(self, prey) when prey has shy because "it is shy"
"""


@pytest.fixture
def lay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lay:
    """The pond with mods, each a file of YAML and perhaps one of rules and lines for its manifest."""
    monkeypatch.chdir(tmp_path)

    def make(*mods: tuple[str, str, str]) -> Compilation:
        files = {**FILES, "traits/shy.yaml": SHY, "traits/sly.yaml": SLY}
        for name, text in files.items():
            path = tmp_path / "pond" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for number, (text, rules, more) in enumerate(mods, 1):
            folder = tmp_path / f"m{number}"
            folder.mkdir(exist_ok=True)
            head = f"id: m{number}\nversion: 1.0.0\nlanguage: 1\ntitle: m\nextends: {{pond: '>=1.0'}}\n{more}"
            (folder / "mod.yaml").write_text(f"{head}files: [p.yaml, m.rules]\n", encoding="utf-8")
            (folder / "p.yaml").write_text(text, encoding="utf-8")
            (folder / "m.rules").write_text(rules, encoding="utf-8")
        return Compilation("pond", [f"m{n}" for n in range(1, len(mods) + 1)])

    return make


def told(compilation: Compilation) -> list[str]:
    return [f"{d.code}: {d.message}" for d in compilation.diagnostics]


NOTHING = "# nothing\n"


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("traits.shy", "timid"),
        ("numbers.limit", "cap"),
        ("lists.food.plant", "leaf"),
        ("lists.pool", "basin"),
        ("kinds.fish.attributes.weight", "mass"),
        ("cards.tool.columns.cost", "toll"),
        ("zones.discards", "rubbish"),
        ("cards.tool.rows.net", "trawl"),
        ("state.water", "depth"),
        ("options.mood", "temper"),
    ],
)
def test_only_the_name_changes(lay: Lay, path: str, new: str) -> None:
    before = lay()
    after = lay((f"rename: {{{path}: {new}}}\n", NOTHING, ""))
    assert told(before) == told(after) == []
    change = after.source.history.changes[0]
    assert (change.verb, change.path, change.layer) == ("rename", path, 1)

    def texts(compilation: Compilation) -> str:
        return repr(compilation.source.tree.plain()) + repr([t.node.plain() for t in compilation.source.traits])

    old = path.rsplit(".", 1)[-1]
    assert new not in texts(before)
    assert new in texts(after)
    assert len(texts(before).split(repr(old))) >= len(texts(after).split(repr(old)))


def test_other_mods_speak_of_it_as_before(lay: Lay) -> None:
    other = "set: {traits.shy.text.en: It hides well.}\ncards: {card: {rows: [{face: shy, food: [2]}]}}\n"
    rules = "forbid graze(f) when f has shy\n"
    renaming = "rename: {traits.shy: timid}\n"
    for first, second in (((renaming, NOTHING, ""), (other, rules, "")), ((other, rules, ""), (renaming, NOTHING, ""))):
        compilation = lay(first, second)
        assert told(compilation) == []
        assert {trait.id: trait.node.map("text").text("en") for trait in compilation.source.traits}["timid"] == (
            "It hides well."
        )
        assert [row.columns["face"] for row in compilation.model.sorts["card"].rows][-1] == (
            compilation.model.traits["timid"].number
        )


def test_a_mod_that_follows_uses_the_new_name(lay: Lay) -> None:
    renaming = ("rename: {traits.shy: timid}\n", NOTHING, "")
    later = ("set: {traits.timid.text.en: It hides well.}\n", "forbid graze(f) when f has timid\n", "after: [m1]\n")
    assert told(lay(renaming, later)) == []
    late = ("set: {traits.shy.text.en: It hides well.}\n", NOTHING, "after: [m1]\n")
    assert [line[:4] for line in told(lay(renaming, late))] == ["Y141"]


@pytest.mark.parametrize(
    ("patch", "code", "said"),
    [
        ("rename: {traits.shy: sly}\n", "Y149", "`sly` is also the name of `traits.sly`"),
        ("rename: {lists.colour.green: blue}\n", "Y149", "`green` is also the name of `lists.light.rows.green`"),
        ("rename: {lists.food: meal}\n", "Y149", "`food` is also the name of `cards.card.columns.food`"),
        ("rename: {traits.shy: very shy}\n", "Y149", "`very shy` is not a valid name"),
        ("rename: {traits.shy.text: words}\n", "Y149", "`traits.shy.text` cannot be renamed"),
        ("rename: {traits.shi: timid}\n", "Y141", "there is no `shi` in `traits`"),
        ("rename: {traits.shy: shy}\n", "Y147", "`traits.shy` is already called `shy`"),
        (
            "rename: {graz: munch}\n",
            "Y141",
            "`graz` does not exist: no rules of the game or of an earlier mod declare it",
        ),
        ("rename: {graze: strike}\n", "Y149", "`strike` is the name of another rule"),
        ("rename: {graze: shy}\n", "Y149", "`shy` is also the name of `traits.shy`"),
        ("rename: {limit: cap}\n", "Y149", "`limit` is declared in YAML, so its path is needed"),
        ("rename: {graze: graze}\n", "Y147", "`graze` is already called `graze`"),
    ],
)
def test_what_cannot_be_renamed(lay: Lay, patch: str, code: str, said: str) -> None:
    found = told(lay((patch, NOTHING, "")))
    assert [line[:4] for line in found] == [code]
    assert said in found[0]


@pytest.mark.parametrize(
    ("old", "new"), [("graze", "munch"), ("eat", "swallow"), ("feeding", "meal"), ("hunger", "appetite")]
)
def test_what_rules_declare_changes_its_name_only(lay: Lay, old: str, new: str) -> None:
    """An action, a routine, a phase and a value: the texts of the rules are the same but for the word."""
    before = lay()
    after = lay((f"rename: {{{old}: {new}}}\n", NOTHING, ""))
    assert told(before) == told(after) == []

    def declared(compilation: Compilation) -> set[str]:
        program = compilation.program
        return {*program.actions, *program.routines, *program.values}

    assert declared(after) == {new if name == old else name for name in declared(before)}
    (renaming,) = find_differences(before, after)
    assert (renaming.section, renaming.name) == ("renamed", old)


def test_rules_of_other_mods_speak_of_it_as_before(lay: Lay) -> None:
    renaming, other = ("rename: {graze: munch}\n", NOTHING, ""), ("", "forbid graze(f) when f.weight > 1\n", "")
    for first, second in ((renaming, other), (other, renaming)):
        compilation = lay(first, second)
        assert told(compilation) == []
        assert [hook.pattern.event for hook in compilation.program.forbids if hook.origin.what == "core"] == ["munch"]
    later = ("", "forbid munch(f) when f.weight > 1\n", "after: [m1]\n")
    assert told(lay(renaming, later)) == []
    late = ("", "forbid graze(f) when f.weight > 1\n", "after: [m1]\n")
    assert len(told(lay(renaming, late))) == 1


@pytest.mark.parametrize("what", ["traits.shy", "numbers.limit", "graze"])
def test_two_mods_that_rename_the_same_thing(lay: Lay, what: str) -> None:
    """It was silent for all that is renamed: the later name stood, and nobody was told."""
    one, other = (f"rename: {{{what}: munch}}\n", NOTHING, ""), (f"rename: {{{what}: chew}}\n", NOTHING, "")
    assert told(lay(one, other)) == [f"Y142: this patch renames `{what}`, which another patch also changes"]
    assert [line[:4] for line in told(lay(one, one))] == ["Y147"]
    follows = (f"rename: {{{what.removesuffix('limit').removesuffix('shy').removesuffix('graze')}munch: chew}}\n",)
    assert told(lay(one, (*follows, NOTHING, "after: [m1]\n"))) == []
    settling = (*follows, NOTHING, "after: [m1, m2]\n")
    assert told(lay(one, other, settling)) == []


def test_why_finds_what_was_renamed_by_both_names(lay: Lay) -> None:
    compilation = lay(("rename: {graze: munch}\n", NOTHING, ""), ("", "forbid graze(f) when f.weight > 1\n", ""))
    for name in ("graze", "munch"):
        (story,) = origin_stories(compilation, name)
        assert [(hand.verb, hand.by) for hand in story.hands] == [
            ("declares", "pond 1.0.0"),
            ("rename", "m1 1.0.0"),
            ("forbid", "m2 1.0.0"),
        ]
        assert (story.name, story.hands[1].before, story.hands[1].after) == ("munch", "graze", "munch")


# ---- disable


def test_a_phase_is_disabled_and_what_hooks_it_still_happens(lay: Lay) -> None:
    compilation = lay(("disable: [feeding]\n", "after feeding: start.bag += 1\n", ""))
    assert told(compilation) == []
    (feeding,) = (routine for routine in compilation.program.routines.values() if routine.id == "feeding")
    assert [type(statement).__name__ for statement in feeding.body] == ["Nothing"]
    (story,) = origin_stories(compilation, "feeding")
    assert [(hand.verb, hand.by) for hand in story.hands] == [
        ("declares", "pond 1.0.0"),
        ("disable", "m1 1.0.0"),
        ("after", "m1 1.0.0"),
    ]


def test_a_trait_is_disabled(lay: Lay) -> None:
    compilation = lay(("disable: [traits.shy]\n", NOTHING, ""))
    assert told(compilation) == []
    assert not [hook for hook in compilation.program.hooks if hook.origin.name == "shy"]
    assert "shy" in compilation.model.traits
    change = compilation.source.history.changes[-1]
    assert (change.verb, change.path, change.after) == ("disable", "traits.shy", None)


@pytest.mark.parametrize("what", ["feeding", "traits.shy"])
def test_two_mods_disable_the_same(lay: Lay, what: str) -> None:
    one = (f"disable: [{what}]\n", NOTHING, "")
    assert told(lay(one, one)) == [f"Y147: `{what}` is already disabled"]
    other = "remove feeding\n" if what == "feeding" else NOTHING
    data = "" if what == "feeding" else "set: {traits.shy.rules: 'forbid eat(self, any, any)'}\n"
    found = told(lay(one, (data, other, "")))
    assert [line[:4] for line in found] == ["W533" if what == "feeding" else "Y141"]


def test_who_disables_a_phase_need_not_know_that_it_was_renamed(lay: Lay) -> None:
    disabling, renaming = ("disable: [feeding]\n", NOTHING, ""), ("rename: {feeding: meal}\n", NOTHING, "")
    assert told(lay(disabling, renaming)) == told(lay(renaming, disabling)) == []
    assert told(lay(("disable: [feeding]\nrename: {feeding: meal}\n", NOTHING, ""))) == []


@pytest.mark.parametrize(
    ("patch", "code", "said"),
    [
        ("disable: [feedin]\n", "W530", "there is no `feedin`"),
        ("disable: [graze]\n", "W532", "`graze` is an action and cannot be disabled"),
        ("disable: [eat]\n", "W532", "`eat` is a routine and cannot be disabled"),
        ("disable: [traits.shi]\n", "Y141", "there is no `shi` in `traits`"),
        ("disable: [numbers.limit]\n", "Y141", "there is no `rules` in `numbers.limit`"),
        ("disable: [traits.finned]\n", "Y147", "`traits.finned` already has no rules"),
    ],
)
def test_what_cannot_be_disabled(lay: Lay, patch: str, code: str, said: str) -> None:
    found = told(lay((patch, NOTHING, "")))
    assert [line[:4] for line in found] == [code]
    assert said in found[0]


@pytest.mark.parametrize(
    ("data", "rules", "new"),
    [
        (NOTHING, "after eat(any, any): nothing\n", "devour"),
        (NOTHING, "forbid devour(a, any) when a has shy\n", "timid"),
        ("set: {traits.shy.text.en: It runs.}\n", NOTHING, "timid"),
        ("rename: {eat: gobble}\n", NOTHING, "devour"),
        ("rename: {traits.shy: bashful}\n", NOTHING, "timid"),
        ("remove: [traits.shy]\n", NOTHING, "timid"),
    ],
)
def test_who_knows_of_a_rename_and_says_the_old_name_is_told_the_new_one(
    lay: Lay, data: str, rules: str, new: str
) -> None:
    renaming = ("rename: {eat: devour, traits.shy: timid}\n", NOTHING, "")
    (found,) = lay(renaming, (data, rules, "after: [m1]\n")).diagnostics
    assert found.hint.startswith(f"did you mean `{new}`?"), found
    assert [Path(place.span.path).parent.name for place in found.related] == ["m1"]
