"""The log of the pages folds as that of the terminal does."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from rulelang.apps.studio.guard import STATIC
from rulelang.presentation.story import LONG, FoldedTurns

WEB = STATIC.parent / "web"
ESBUILD = WEB / "node_modules/.bin/esbuild"
CASES = 300

RUN = """
import { readFileSync } from "node:fs";
import { shown } from "./turns.mjs";
const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(cases.map((one) => shown(one.lines, one.fresh, new Map(one.turned)))));
"""


@pytest.mark.browser  # it needs what the pages are made of
@pytest.mark.skipif(shutil.which("node") is None or not ESBUILD.exists(), reason="the pages are not built: make studio")
def test_a_page_folds_a_log_as_the_terminal_does(tmp_path: Path) -> None:
    draw = random.Random(15)
    stories = [a_story(draw) for _ in range(CASES)]
    asked = [{"lines": one["lines"], "fresh": one["fresh"], "turned": one["turned"]} for one in stories]
    (tmp_path / "cases.json").write_text(json.dumps(asked))
    (tmp_path / "run.mjs").write_text(RUN)
    subprocess.run(
        [ESBUILD, WEB / "src/table/turns.ts", f"--outfile={tmp_path}/turns.mjs", "--log-level=error"], check=True
    )
    ran = subprocess.run(
        ["node", tmp_path / "run.mjs", tmp_path / "cases.json"], check=True, capture_output=True, text=True
    )
    for story, found in zip(stories, json.loads(ran.stdout), strict=True):
        assert found == story["shown"], story["lines"]
    assert sum(any(line["hidden"] for line in one["shown"]) for one in stories) > CASES / 2
    assert sum(any(not line["fresh"] for line in one["shown"]) for one in stories) > CASES / 2
    assert sum(bool(one["turned"]) for one in stories) > CASES / 4


def a_story(draw: random.Random) -> dict[str, Any]:
    """Lines of rounds and phases, some of them news, and what the terminal shows of them. Places are those of the lines
    that the page is sent, among which some are empty."""
    turns, lines, places = FoldedTurns(), list[str](), list[int]()
    for _ in range(draw.randint(1, 3)):
        news = some_news(draw)
        fresh = len(lines)
        places += [fresh + n for n, line in enumerate(news) if line.strip()]
        lines += news
        turns.add(news)
    turned = dict[int, bool]()
    for _ in range(draw.choice([0, 0, 1, 3])):
        one = draw.choice(turns.shown())
        if one.below:
            turns.turn(one.place)
            turned[places[one.place]] = turns.turned[one.place]
    seen = [{**asdict(one), "place": places[one.place]} for one in turns.shown()]
    return {"lines": lines, "fresh": fresh, "turned": [*turned.items()], "shown": seen}


def some_news(draw: random.Random) -> list[str]:
    news, depth = list[str](), draw.choice([0, 0, 1, 2])
    for number in range(draw.choice([1, 4, 12, LONG * 2])):
        if depth == 0 and news:
            news.append("")
        news.append("  " * depth + f"line {number}")
        depth = draw.choices([0, 1, 2, min(depth + 1, 4)], [1, 2, 6, 6])[0]
    return news
