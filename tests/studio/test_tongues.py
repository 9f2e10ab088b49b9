"""The page to write on speaks one language: what the server says of files, forms, rules and strength is said in the
language that the page asks in. Rules, ids and what somebody wrote stay as they are; so do diagnostics, which are
English everywhere."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rulelang.apps.studio.workshop.routes import language_tag
from rulelang.base.languages import ENGLISH
from rulelang.tools.scaffolding.files import CannotStart, valid_name
from tests.studio.helpers import client, site

WORD = re.compile(r"[A-Za-z]{2,}")
QUOTED = re.compile(r"`[^`]*`|“[^”]*”|\(`rulelang[^)]*\)")
#: English sentences have a word like these; names of rules have not.
ENGLISH_WORDS = frozenset(re.findall(
    r"\w+",
    "it its is are was were be been not no there this that these those than then who whose whom what which while with "
    "without because by of the an and or as at on in into to for from after before cannot can could would happen "
    "happens cost costs gains counts more less one too early say whether stronger weaker others about strong expected "
    "won games game held force changed change found mend first name text printed card cards row copies write played "
    "where such any always has have",
))  # fmt: skip


def english(said: str, known: frozenset[str]) -> list[str]:
    """The words of English sentences in a text, but for what is quoted and for names that rules have."""
    words = [word.lower() for word in WORD.findall(QUOTED.sub("", said))]
    return [word for word in words if word in ENGLISH_WORDS and word not in known]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    return Path(shutil.copytree(root / "rulesets/evolution", tmp_path_factory.mktemp("tongues") / "evolution"))


@pytest.fixture(scope="module")
def asking(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(site(tmp_path_factory.mktemp("site"), home)) as found:
        yield found


@pytest.fixture(scope="module")
def names(asking: TestClient) -> frozenset[str]:
    """The words of what rules call their events, values and attributes."""
    phrases = asking.get("/api/workshop/phrases").json()
    values = [choice["value"] for phrase in phrases for hole in phrase["holes"] for choice in hole["choices"]]
    ids = [value for value in values if re.fullmatch(r"[a-z_]+(@\d)?", value)]
    return frozenset(word for value in ids for word in re.findall(r"[a-z]+", value)) - {"always"}


def spoken(asking: TestClient, path: str, code: str, body: dict[str, Any] | None = None) -> Any:
    headers = {"Accept-Language": code}
    url = f"/api/workshop/{path}"
    return asking.get(url, headers=headers) if body is None else asking.post(url, json=body, headers=headers)


@pytest.mark.parametrize("code", ["ja", "zh"])
def test_forms_and_sentences_with_holes(asking: TestClient, home: Path, code: str, names: frozenset[str]) -> None:
    phrases = spoken(asking, "phrases", code).json()
    plain = asking.get("/api/workshop/phrases").json()
    assert [one["id"] for one in phrases] == [one["id"] for one in plain]
    for one, other in zip(phrases, plain, strict=True):
        assert sorted(re.findall(r"{\w+}", one["parts"])) == sorted(re.findall(r"{\w+}", other["parts"]))
        assert [english(re.sub(r"{\w+}", "", one["parts"]), names), one["parts"] == other["parts"]] == [[], False]
        for hole in one["holes"]:
            said = [hole["usual"] if hole["kind"] == "text" else "", *(choice["label"] for choice in hole["choices"])]
            assert [text for text in said if english(text, names)] == []
    for path in ("traits/climbing.yaml", "cards.yaml"):
        body = {"path": path, "text": (home / path).read_text(encoding="utf-8"), "languages": ["en", code]}
        fields = spoken(asking, "form", code, body).json()["fields"]
        assert len(fields) > 2
        assert [one for one in fields if english(f"{one['label']} {one['group'].replace('.yaml', '')}", names)] == []


@pytest.mark.parametrize("code", ["ja", "zh"])
def test_what_cannot_be(asking: TestClient, home: Path, code: str, names: frozenset[str]) -> None:
    path = "traits/climbing.yaml"
    text = (home / path).read_text(encoding="utf-8")
    form = {"path": path, "text": text}
    holes = {"meeting": "strike@1", "whom": "OTHER has climbing", "because": '"'}
    asked: list[tuple[str, dict[str, Any] | None]] = [
        ("form", {**form, "at": ["text", "nothing", "there"], "value": "1"}),
        ("form", {**form, "drop": 99}),
        ("form", {**form, "phrase": "forbid_by", "holes": holes}),
        ("form", {**form, "phrase": "forbid_by", "holes": {**holes, "whom": "nobody"}}),
        ("form", {**form, "phrase": "more", "holes": {"number": "many"}}),
        ("form", {"path": path, "text": "[1, 2]"}),
        ("form", {"path": "game.rules", "text": "a: 1"}),
        ("file?path=../elsewhere.yaml", None),
        ("file?path=nothing.exe", None),
        ("trait", {"name": "Climbing"}),
        ("trait", {"name": "?!"}),
        ("ruleset", {"title": "another"}),
        ("scenario", {"room": "none", "path": path, "name": "a"}),
    ]
    for where, body in asked:
        answer = spoken(asking, where, code, body)
        assert answer.status_code == 400, where
        said = answer.text.replace(str(home), "")
        assert (english(said, names), re.search(r"[\u3040-\u9fff]", said) is not None) == ([], True), said
        assert english(spoken(asking, where, "en", body).text, names) != []
    body = {"path": path, "text": text, "version": "of yesterday"}
    stale = asking.put("/api/workshop/file", json=body, headers={"Accept-Language": code})
    assert (stale.status_code, english(stale.text, names)) == (409, [])


@pytest.mark.slow
def test_how_strong_a_trait_is(asking: TestClient, names: frozenset[str]) -> None:
    spoken(asking, "weigh", "ja", {"games": 150})
    called = {"ja": "登攀", "zh": "攀爬", "en": "Climbing"}
    for code in ("ja", "zh", "en"):
        found = spoken(asking, "weigh", code, {"games": 150, "traits": True}).json()["traits"]
        told = [one for trait in found.values() for one in (trait["short"], *trait["said"])]
        assert told
        assert found["climbing"]["short"].startswith(called[code]) or code == "zh"
        assert [one for one in told if bool(english(one, names)) is not (code == "en")] == []


def test_a_trait_may_be_called_as_people_call_it(asking: TestClient, home: Path) -> None:
    """Names in rules are letters from a to z; what people read is not."""
    path = spoken(asking, "trait", "ja", {"name": "見張り番"}).json()["path"]
    assert path == "traits/trait_1.yaml"
    assert "name: {en: 見張り番}" in (home / path).read_text(encoding="utf-8")


def test_the_language_that_is_asked_for() -> None:
    assert [language_tag(one) for one in ("ja", "zh-TW,zh;q=0.9", "EN-us", "*", "")] == ["ja", "zh", "en", "en", "en"]


def test_mistakes_stay_english_where_nobody_asks_for_more() -> None:
    with pytest.raises(CannotStart, match="`群れ` cannot be the name of a trait: start with a letter") as told:
        valid_name("群れ", "trait")
    assert told.value.said(ENGLISH) == str(told.value)
