"""`rename:`: nothing but the name changes, in data and rules, also of mods that know nothing of the new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.compile import Compilation
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
        ("rename: {traits.shy: very shy}\n", "Y149", "`very shy` is no name"),
        ("rename: {traits.shy.text: words}\n", "Y149", "`traits.shy.text` is not declared here"),
        ("rename: {traits.shi: timid}\n", "Y141", "there is no `shi` in `traits`"),
        ("rename: {traits.shy: shy}\n", "Y147", "`traits.shy` is called `shy` already"),
    ],
)
def test_what_cannot_be_renamed(lay: Lay, patch: str, code: str, said: str) -> None:
    found = told(lay((patch, NOTHING, "")))
    assert [line[:4] for line in found] == [code]
    assert said in found[0]
