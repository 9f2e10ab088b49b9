"""Which mods are found, what they need of each other, in which order they are laid, and who has the last word."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.mods import gather_mods
from rulelang.data.ruleset import load_ruleset
from tests.data.conftest import Write

BASE = {"a.yaml": "numbers: {n: 1}\n"}


def order(where: str | Path, mods: Sequence[str | Path]) -> list[str]:
    """The ids of the mods in the order of their layers; nothing may be wrong with them."""
    source, diagnostics = load_ruleset(where, mods)
    assert [f"{d.code} {d.span}: {d.message}" for d in diagnostics] == []
    assert source is not None
    return [layer.id for layer in source.layers[1:]]


def told(where: str | Path, mods: Sequence[str | Path]) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in load_ruleset(where, mods)[1].sorted()]


def number(where: str | Path, mods: Sequence[str | Path]) -> str | None:
    source, diagnostics = load_ruleset(where, mods)
    assert list(diagnostics) == []
    assert source is not None
    return source.tree.map("numbers").text("n")


# ---- order


def test_mods_are_laid_as_they_are_given(write: Write) -> None:
    base = write("tiny", BASE)
    for name in ("m1", "m2", "m3"):
        write(name, {})
    assert order(base, ["m2", "m3", "m1"]) == ["m2", "m3", "m1"]
    write("m2", {}, extra="after: [m1]\n")
    assert order(base, ["m2", "m3", "m1"]) == ["m3", "m1", "m2"]


def test_what_is_needed_is_laid_just_before(write: Write) -> None:
    base = write("tiny", BASE)
    write("m1", {})
    manifest = "id: NAME\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: '', NEED: ''}\nfiles: []\n"
    write("m2", {}, manifest.replace("NAME", "m2").replace("NEED", "m1"))
    write("m3", {}, manifest.replace("NAME", "m3").replace("NEED", "m2"))
    write("m4", {})
    assert order(base, ["m4", "m3"]) == ["m4", "m1", "m2", "m3"]


def test_after_with_a_range_counts_for_these_versions_only(write: Write) -> None:
    base = write("tiny", BASE)
    write("m2", {})
    write("m1", {}, extra="after: {m2: '>=1'}\n")
    assert order(base, ["m1", "m2"]) == ["m2", "m1"]
    write("m1", {}, extra="after: {m2: '>=2'}\n")
    assert order(base, ["m1", "m2"]) == ["m1", "m2"]


def test_the_player_has_the_last_word(write: Write, tmp_path: Path) -> None:
    """Side by side the two clash; in an order, on the command line or in a file, the last one counts."""
    base = write("tiny", BASE)
    write("m1", {"p.yaml": "set: {numbers.n: 2}\n"})
    write("m2", {"p.yaml": "set: {numbers.n: 3}\n"})
    assert [code for code, _ in told(base, ["m1", "m2"])] == ["Y142"]
    assert number(base, ["m1,m2"]) == "3"
    assert number(base, ["m2, m1"]) == "2"
    (tmp_path / "lists").mkdir()
    listed = tmp_path / "lists" / "mine.yaml"
    listed.write_text("mods: [../m2, m1]\n", encoding="utf-8")
    assert number(base, [listed]) == "2"
    assert number(base, ["lists/mine.yaml"]) == "2"


def test_the_player_cannot_turn_manifests_round(write: Write) -> None:
    base = write("tiny", BASE)
    write("m1", {}, extra="after: [m2]\n")
    write("m2", {})
    (mistake,) = load_ruleset(base, ["m1,m2"])[1]
    assert (mistake.code, mistake.hint) == ("Y138", "give the mods in another order")
    assert mistake.because == "each mod must come after the next one: m1 -> m2 -> m1; your order puts `m2` after `m1`"
    assert str(mistake.span) == "m1/mod.yaml:5:9"


def test_a_circle_is_told_step_by_step(write: Write) -> None:
    base = write("tiny", BASE)
    write("m1", {}, extra="after: [m2]\n")
    write("m2", {}, extra="optional: {m3: '>=1'}\n")
    write("m3", {}, extra="after: [m1]\n")
    (mistake,) = load_ruleset(base, ["m1", "m2", "m3"])[1]
    assert mistake.because == "each mod must come after the next one: m1 -> m2 -> m3 -> m1"
    assert [str(mistake.span), *(f"{r.span} {r.note}" for r in mistake.related)] == [
        "m1/mod.yaml:5:9",
        "m2/mod.yaml:5:12 `m2` has `optional: m3`",
        "m3/mod.yaml:5:9 `m3` has `after: m1`",
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("mods: [gone]\n", "Y130"),
        ("mods: {m1: 2}\n", "Y121"),
        ("numbers: {n: 2}\n", "Y130"),
        ("", "Y130"),
        ("mods: [\n", "Y102"),
        ("mods: [{from: m1}]\n", "Y122"),
    ],
)
def test_mistakes_in_a_list_are_told_in_the_list(write: Write, tmp_path: Path, text: str, code: str) -> None:
    base = write("tiny", BASE)
    write("m1", {})
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    (mistake,) = load_ruleset(base, ["mine.yaml"])[1]
    assert (mistake.code, mistake.span.path) == (code, "mine.yaml")


# ---- a third one settles it


def test_who_settles_it_may_side_with_one_of_them(write: Write) -> None:
    """That is no patch in vain, though the value stands there already."""
    base = write("tiny", BASE)
    write("m1", {"p.yaml": "set: {numbers.n: 2}\n"})
    write("m2", {"p.yaml": "set: {numbers.n: 3}\n"})
    manifest = "id: m3\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: '', m1: '', m2: ''}\nfiles: [p.yaml]\n"
    for side in ("2", "3"):
        write("m3", {"p.yaml": f"set: {{numbers.n: {side}}}\n"}, manifest)
        assert number(base, ["m1", "m2", "m3"]) == side


@pytest.mark.parametrize(
    ("one", "other", "third"),
    [
        ("set: {numbers.n: 2}", "set: {numbers.n: 3}", "set: {numbers.n: 5}"),
        ("numbers: {m: 2}", "numbers: {m: 3}", "set: {numbers.m: 5, numbers.n: 5}"),
        ("remove: [numbers.n]", "set: {numbers.n: 3}", "numbers: {n: 5}"),
    ],
)
def test_a_mod_that_follows_both_settles_it(write: Write, one: str, other: str, third: str) -> None:
    base = write("tiny", BASE)
    write("m1", {"p.yaml": one + "\n"})
    write("m2", {"p.yaml": other + "\n"})
    assert [code for code, _ in told(base, ["m1", "m2"])] in (["Y142"], ["Y140"], ["Y141"])
    manifest = "id: m3\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: '', m1: '', m2: ''}\nfiles: [p.yaml]\n"
    write("m3", {"p.yaml": third + "\n"}, manifest)
    assert number(base, ["m1", "m2", "m3"]) == "5"
    assert number("m3", []) == "5"
    # One that follows only one of the two, or that sets something else, settles nothing.
    write("m3", {"p.yaml": third + "\n"}, manifest.replace(", m2: ''", ""))
    assert told(base, ["m1", "m2", "m3"]) != []
    write("m3", {"p.yaml": "numbers: {x: 5}\n"}, manifest)
    assert [code for code, _ in told(base, ["m1", "m2", "m3"])] in (["Y142"], ["Y140"], ["Y141"])


def test_two_of_one_trait_are_settled_by_a_third(write: Write) -> None:
    base = write("tiny", BASE)
    for name in ("m1", "m2"):
        write(name, {"t.yaml": f"trait: horns\ntext: by {name}\n"})
    assert [code for code, _ in told(base, ["m1", "m2"])] == ["Y143"]
    write(
        "m3", {"p.yaml": "remove: [traits.horns]\n", "t.yaml": "trait: horns\ntext: mine\n"}, extra="after: [m1, m2]\n"
    )
    source, diagnostics = load_ruleset(base, ["m1", "m2", "m3"])
    assert list(diagnostics) == []
    assert source is not None
    assert [trait.node.text("text") for trait in source.traits] == ["mine"]


# ---- needs


def test_optional_counts_only_where_it_is_there(write: Write) -> None:
    base = write("tiny", BASE)
    extra = "optional: {m2: {version: '>=1', files: [q.yaml]}}\n"
    manifest = f"id: m1\nversion: 1.0.0\nlanguage: 1\nextends: {{tiny: ''}}\n{extra}files: [p.yaml]\n"
    write("m1", {"p.yaml": "numbers: {p: 1}\n", "q.yaml": "set: {numbers.m: 7}\n"}, manifest)
    write("m2", {"p.yaml": "numbers: {m: 3}\n"})
    assert order(base, ["m1"]) == ["m1"]
    source, _ = load_ruleset(base, ["m1", "m2"])
    assert source is not None
    assert order(base, ["m1", "m2"]) == ["m2", "m1"]
    assert source.tree.map("numbers").plain() == {"n": 1, "m": 7, "p": 1}
    write("m1", {}, manifest.replace(">=1", ">=2"))
    assert told(base, ["m1", "m2"]) == [("Y137", "`m1` requires `m2` >=2, but found version 1.0.0")]
    assert order(base, ["m1"]) == ["m1"]
    write("m1", {}, manifest.replace("q.yaml", "gone.yaml"))
    assert {code for code, _ in told(base, ["m1"])} == {"Y132", "Y134"}  # told also where m2 is not there


@pytest.mark.parametrize(
    ("conflicts", "clash"),
    [("[m2]", True), ("m2", True), ("{m2: any}", True), ("{m2: '<2'}", True), ("{m2: '>=2'}", False)],
)
def test_conflicts(write: Write, conflicts: str, clash: bool) -> None:
    base = write("tiny", BASE)
    write("m1", {}, extra=f"conflicts: {conflicts}\n")
    write("m2", {}, extra="conflicts: [m1]\n")
    assert [code for code, _ in told(base, ["m1", "m2"])] == ["Y160"]  # once, though both say so
    write("m2", {})
    assert [code for code, _ in told(base, ["m1", "m2"])] == (["Y160"] if clash else [])
    assert told(base, ["m1"]) == []


def test_a_conflict_with_something_that_was_needed_tells_who_needs_it(write: Write) -> None:
    base = write("tiny", BASE)
    write("m1", {})
    write("m2", {}, "id: m2\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: '', m1: ''}\nfiles: []\n")
    write("m3", {}, extra="conflicts: [m1]\n")
    (mistake,) = load_ruleset(base, ["m2", "m3"])[1]
    assert mistake.because == "the manifest of `m3` lists `m1` under `conflicts:`; `m2` (given) extends `m1`"


def test_an_unmet_range_tells_the_whole_chain(write: Write) -> None:
    base = write("tiny", BASE)
    manifest = "id: NAME\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: 'RANGE', NEED: ''}\nfiles: []\n"
    write("m1", {}, manifest.replace("NAME", "m1").replace("RANGE", ">=2").replace(", NEED: ''", ""))
    write("m2", {}, manifest.replace("NAME", "m2").replace("RANGE", "<2").replace("NEED", "m1"))
    write("m3", {}, manifest.replace("NAME", "m3").replace("RANGE", "").replace("NEED", "m2"))
    write("new", BASE, "id: tiny\nversion: 2.1.0\nlanguage: 1\ntitle: T\nplayers: {count: [2, 4]}\nfiles: [a.yaml]\n")
    (Path("new") / "mod.yaml").rename(Path("new") / "ruleset.yaml")
    (mistake,) = load_ruleset(base, ["m3"])[1]
    assert mistake.message == "`m1` requires `tiny` >=2, but found version 1.0.0"
    assert mistake.because == "`m1` is needed because `m3` (given) extends `m2`, which extends `m1`"
    assert [related.note for related in mistake.related] == ["`tiny` is version 1.0.0", "`m2` needs <2"]
    assert mistake.hint == "version 2.1.0 is in `new`"


def test_what_is_missing_tells_who_needs_it(write: Write) -> None:
    base = write("tiny", BASE)
    manifest = "id: NAME\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: '', NEED: ''}\nfiles: []\n"
    write("m1", {}, manifest.replace("NAME", "m1").replace("NEED", "gone"))
    write("m2", {}, manifest.replace("NAME", "m2").replace("NEED", "m1"))
    (mistake,) = load_ruleset(base, ["m2"])[1]
    assert mistake.message == "`m1` extends `gone`, which was not found"
    assert "`m2` (given) extends `m1`, which extends `gone`" in mistake.because


# ---- sources


def zipped(folder: Path, target: Path) -> Path:
    with zipfile.ZipFile(target, "w") as archive:
        for path in folder.iterdir():
            archive.write(path, f"{folder.name}/{path.name}")
    return target


@pytest.mark.parametrize("place", ["{base}/mods/{name}", "{base}/../{name}", "{base}/../mods/other_name"])
def test_mods_near_the_game_are_found_from_anywhere(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    base = write("tiny", BASE)
    mod = write("m1", {"p.yaml": "set: {numbers.n: 2}\n"})
    target = Path(place.format(base=base, name="m1")).resolve()
    target.parent.mkdir(exist_ok=True)
    mod.rename(target)
    away = tmp_path / "deep" / "er"
    away.mkdir(parents=True)
    monkeypatch.chdir(away)
    assert number(base, ["m1"]) == "2"
    packed = zipped(target, target.parent / "any-1.0.0.zip")
    (target / "mod.yaml").rename(tmp_path / "away.yaml")
    assert number(base, ["m1"]) == "2"
    packed.unlink()
    assert [code for code, _ in told(base, ["m1"])] == ["Y130"]


def test_of_several_the_one_in_range_is_taken_and_then_the_newest(write: Write, tmp_path: Path) -> None:
    base = write("tiny", BASE)
    for version in ("1.9.0", "1.10.0", "2.0.0"):
        manifest = f"id: m1\nversion: {version}\nlanguage: 1\nextends: {{tiny: ''}}\nfiles: []\n"
        zipped(write(f"v{version}", {}, manifest), tmp_path / f"m1-{version}.zip")
        (tmp_path / f"v{version}" / "mod.yaml").unlink()
    write("m2", {}, "id: m2\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: '', m1: '<2'}\nfiles: []\n")

    def version_of(mods: list[str]) -> str:
        found = gather_mods(base, mods, Diagnostics())
        assert found is not None
        return found.stack.known["m1"].version

    assert version_of(["m1"]) == "2.0.0"
    assert version_of(["m2"]) == "1.10.0"


def test_an_installed_package_is_found_by_its_id(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its entry point; and none of its code is run."""
    base = write("tiny", BASE)
    site = tmp_path / "site"
    package = site / "somebodys" / "data"
    package.parent.mkdir(parents=True)
    write("wet-grass", {"p.yaml": "set: {numbers.n: 2}\n"}).rename(package)
    (site / "somebodys" / "__init__.py").write_text("raise SystemExit('it was run')\n", encoding="utf-8")
    meta = site / "somebodys-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: somebodys\nVersion: 1.0\n", encoding="utf-8")
    (meta / "entry_points.txt").write_text("[rulelang.rulesets]\nwet-grass = somebodys.data\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    assert number(base, ["wet-grass"]) == "2"
    found = gather_mods(base, ["wet-grass"], Diagnostics())
    assert found is not None
    assert [mod.found for mod in found.stack.mods] == ["package"]
    write("m2", {}, "id: m2\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: '', wet-grass: ''}\nfiles: []\n")
    assert order(base, ["m2"]) == ["wet-grass", "m2"]
