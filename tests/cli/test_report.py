"""`rulelang report`: the page, its other formats, and what it says at a terminal."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import pyarrow.parquet
import pytest

from rulelang.apps.lab.rendering import LIGHT, STAND_INS
from tests.cli.helpers import run
from tests.lab.duel import duel

RANDOM = ("--agents", "random", "--matched", "60", "-q")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The game with an unfair card, and without."""
    unfair, fair = tmp_path_factory.mktemp("unfair"), tmp_path_factory.mktemp("fair")
    duel(unfair, {"card_c": 4})
    duel(fair)
    return str(unfair), str(fair)


def test_the_page_needs_nothing_else(games: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = run("report", games[0], "-n", "400", *RANDOM, "--against", games[1], "--output", str(path))
    assert done.exit_code == 0, done.output
    assert "Card c: games in which its owner held it were won " in done.output.replace("\n  ", " ")
    assert str(path) in done.output
    assert "Changed: holding Card c, from " in done.output.replace("\n  ", " ")
    page = path.read_text(encoding="utf-8")
    assert "<script" not in page
    assert re.findall(r'(?:src|href)="', page) == []
    assert set(re.findall(r"https?://[^\"' ]+", page)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert page.count("<svg ") == page.count('role="img"') == 2
    assert "var(--ink)" in page
    assert '<tr class="told"><td>Card c</td>' in page
    assert "<h2>Compared with the base game</h2>" in page
    assert "holding Card c" in page
    assert "too few games" not in page.split("<h2>Cards</h2>")[0]


def test_other_formats(games: tuple[str, str], tmp_path: Path) -> None:
    words = run("report", games[0], "-n", "400", *RANDOM, "--format", "md")
    assert words.exit_code == 0
    assert words.output.startswith("# Is it fair? Duel\n")
    assert "| ● **Card c** |" in words.output
    data = json.loads(run("report", games[0], "-n", "400", *RANDOM, "--format", "json").output)
    card = next(card for card in data["cards"] if card["id"] == "card_c")
    assert data["games"] == 400
    assert card["told"] == ["held", "played", "matched"]
    effect = card["held"]["effect"]
    assert effect["low"] < effect["value"] < effect["high"]
    assert 100 < effect["games"] < 200
    path = tmp_path / "numbers.parquet"
    assert run("report", games[0], "-n", "400", *RANDOM, "--output", str(path)).exit_code == 0
    rows = pyarrow.parquet.read_table(path).to_pylist()
    (held,) = [row for row in rows if row["id"] == "card_c" and row["figure"] == "held"]
    assert held["told"]
    assert held["value"] == pytest.approx(effect["value"], abs=1e-6)


def test_a_summary_for_a_pull_request(games: tuple[str, str]) -> None:
    done = run("report", games[0], "-n", "400", *RANDOM, "--summary", "--against", games[1])
    assert done.exit_code == 0
    assert done.output.startswith("# Balance of Duel\n\n- ")
    assert "Card c" in done.output
    assert len(done.output) < 3000
    quiet = run("report", games[1], "-n", "400", *RANDOM, "--summary")
    assert "No card or trait stands out" in quiet.output


def test_charts_are_pictures_that_a_report_in_markdown_shows(games: tuple[str, str], tmp_path: Path) -> None:
    charts, page = tmp_path / "of it" / "charts", tmp_path / "page.md"
    done = run("report", games[0], "-n", "400", *RANDOM, "--charts", str(charts), "--output", str(page))
    assert done.exit_code == 0, done.output
    assert f"The charts: {charts}" in " ".join(done.output.split())
    names = sorted(path.name for path in charts.iterdir())
    assert names == [
        f"{name}.{kind}"
        for name in ("games-won-by-seat", "how-holding-a-card-affects-winning")
        for kind in ("png", "svg")
    ]
    for name in names:
        picture = charts / name
        if picture.suffix == ".png":
            assert picture.read_bytes().startswith(b"\x89PNG")
        else:
            text = picture.read_text(encoding="utf-8")
            assert text.startswith("<svg ")
            assert LIGHT.mark in text or "seat" in name
            assert not [colour for colour in STAND_INS if colour.startswith("#") and colour in text]
    assert [
        tmp_path / unquote(link) for link in re.findall(r"!\[[^]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    ] == [charts / name for name in names if name.endswith(".svg")]


@pytest.mark.parametrize("form", [("--summary",), ("--format", "md")])
def test_the_answer_to_a_question_is_told_first(games: tuple[str, str], form: tuple[str, ...]) -> None:
    done = run("report", games[0], "-n", "400", *RANDOM, "--about", "card_c", *form)
    assert done.exit_code == 0, done.output
    first = next(line for line in done.output.splitlines() if line.startswith("- "))
    assert re.match(r"- Known after 400 games to ±[\d.]+ percentage points: holding Card c \+", first)


def test_until_it_is_narrow_enough(games: tuple[str, str]) -> None:
    done = run(
        "report", games[1], "--until", "5%", "--agents", "random", "--matched", "0", "-q", "--format", "json"
    )  # fmt: skip
    data = json.loads(done.output)
    assert data["anytime"]
    assert all((seat["high"] - seat["low"]) / 2 <= 0.05 for seat in data["seats"])
    assert 400 <= data["games"] < 3000


def test_until_the_effect_that_is_asked_about_is_known(games: tuple[str, str]) -> None:
    done = run(
        "report", games[0], "--until", "9%", "--about", "card_c", "--matched", "60", *RANDOM, "-q", "--format", "json"
    )  # fmt: skip
    data = json.loads(done.output)
    cards = {card["id"]: card for card in data["cards"]}
    told = cards["card_c"]["held"]["effect"]
    assert (told["high"] - told["low"]) / 2 <= 0.09
    # The seats were known as well long before.
    assert data["games"] > 400
    assert {name for name, card in cards.items() if card["matched"]} == {"card_c"}


@pytest.mark.parametrize(("about", "said"), [("card_c+card_d", "Card c and Card d together"), ("all", "holding Card ")])
def test_until_a_pair_or_all_are_known(games: tuple[str, str], tmp_path: Path, about: str, said: str) -> None:
    page = tmp_path / "page.json"
    done = run("report", games[0], "--until", "15%", "--about", about, *RANDOM[:2], "--matched", "0", "-q", "--output",
               str(page))  # fmt: skip
    assert done.exit_code == 0, done.output
    first = " ".join(done.output.split())
    told = re.match(r"Known after ([\d,]+) games to ±([\d.]+) percentage points: ", first)
    assert told is not None
    assert said in first[: first.index(", ", told.end())]
    assert float(told[2]) <= 15
    data = json.loads(page.read_text(encoding="utf-8"))
    assert data["games"] == int(told[1].replace(",", ""))
    if about == "all":
        effects = [card["held"]["effect"] for card in data["cards"]]
        assert all((each["high"] - each["low"]) / 2 <= 0.15 for each in effects)
    else:
        (pair,) = [pair for pair in data["pairs"] if pair["ids"] == about.split("+")]
        assert (pair["effect"]["high"] - pair["effect"]["low"]) / 2 <= 0.15


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--until", "2", "-n", "10"), "--games and --until cannot be combined"),
        (("--about", "card_cc"), "did you mean `card_c`"),
        (("--about", "card_c+card_cc"), "did you mean `card_c`"),
        (("--about", "card_c+card_c"), "is not a pair"),
        (("--until", "soon"), "is not a valid precision"),
        (("--agents", "nobody"), "there is no agent `nobody`"),
        (("--output", "page.pdf"), "does not end in .html, .md, .json, .parquet"),
        (("-p", "5"), "is for 2 players"),
    ],
)
def test_what_cannot_be(games: tuple[str, str], wrong: tuple[str, ...], said: str) -> None:
    done = run("report", games[1], *wrong)
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())


def test_a_missing_library_is_named(games: tuple[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run("report", games[1], "-n", "50", *RANDOM, "--output", str(tmp_path / "numbers.parquet"))
    assert done.exit_code == 2
    assert "reports need `pyarrow`: pip install" in done.output


@contextmanager
def stopping(*_: object) -> Iterator[Callable[[int], None]]:
    """In the place of a bar of progress: somebody presses Ctrl-C after 500 games."""

    def told(done: int) -> None:
        if done >= 500:
            raise KeyboardInterrupt

    yield told


def test_what_was_played_is_told_where_a_report_is_stopped(
    games: tuple[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("rulelang.apps.cli.lab.progress_bar", stopping)
    page = tmp_path / "page.json"
    done = run("report", games[0], "-n", "2000", *RANDOM, "--against", games[1], "--output", str(page))
    assert done.exit_code == 0, done.output
    data = json.loads(page.read_text(encoding="utf-8"))
    assert f"stopped after {data['games']} of 2,000 games and none of the base game" in done.output
    assert 500 <= data["games"] < 2000
    assert data["anytime"]


@pytest.mark.parametrize("more", [(), ("--agents", "first,random"), ("--record", "tables")])
def test_a_series_that_is_stopped_tells_what_was_played(
    games: tuple[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, more: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rulelang.apps.cli.lab.progress_bar", stopping)
    done = run("sim", games[1], "-n", "2000", *more)
    assert done.exit_code == 0, done.output
    assert "stopped after 500 of 2,000 games" in done.output
    assert "Duel: 500 games of 2 players" in done.output
    if "--record" in more:
        assert pyarrow.parquet.read_table(tmp_path / "tables" / "games.parquet").num_rows == 500


def test_a_summary_has_one_format(tmp_path: Path) -> None:
    refused = run("report", "evolution", "--summary", "--format", "json")
    assert refused.exit_code == 2
    assert "--summary writes Markdown, not json: leave out --format" in refused.output
    refused = run("report", "evolution", "--summary", "--output", str(tmp_path / "a.html"))
    assert (refused.exit_code, "file that ends in .md" in refused.output) == (2, True)


def test_a_summary_is_written_to_a_file(games: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    done = run("report", games[1], "-n", "100", *RANDOM, "--summary", "--output", str(path))
    assert (done.exit_code, path.read_text(encoding="utf-8") != "") == (0, True), done.output
    assert str(path) in done.output.replace("\n", "")
