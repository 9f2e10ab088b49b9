"""Why nothing can be done with a part, for whoever points at it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from rulelang import load
from rulelang.apps.studio.guard import STATIC
from rulelang.apps.studio.tables.routes import reasons_against
from rulelang.presentation.view import document
from rulelang.presentation.view.events import handles_by_id
from rulelang.runtime.state import State

WEB = STATIC.parent / "web"
ESBUILD = WEB / "node_modules/.bin/esbuild"


@pytest.fixture(scope="module")
def state() -> State:
    """Ana is to feed her wolf, which eats meat; Bob's crab is too large for it."""
    players = {
        "ana": [{"wolf population 6 body_size 4": "carnivore"}, "deer population 2"],
        "bob": [{"crab population 3 body_size 6": "horns"}, "newt population 3 body_size 2"],
    }
    given = {"phase": "feeding", "turn": "ana", "state": {"watering_hole": 9}, "players": players}
    return load("evolution").position(given)


def test_the_reason_against_a_target_of_what_was_picked_is_told(state: State) -> None:
    seat = state.decider
    of = {name: "species:" + str(state.thing(name)[1]) for name in ("wolf", "deer", "crab", "newt")}
    told = dict(reasons_against(state, seat, of["crab"], [of["wolf"]]))
    assert any("smaller" in refusal.text for refusals in told.values() for refusal in refusals), told
    assert all(refusal.span.line > 0 for refusals in told.values() for refusal in refusals)
    assert reasons_against(state, seat, of["wolf"], []) != reasons_against(state, seat, of["crab"], [])
    assert reasons_against(state, 3 - seat, of["wolf"], []) == []
    assert reasons_against(state, seat, "species:999", []) == []


def test_every_part_of_a_document_is_known_by_its_id(state: State) -> None:
    for seat in (1, 2):
        shown = document(state, seat)
        parts = handles_by_id(state, seat)
        for player in shown["players"]:
            assert player["id"] in parts
            things = [thing for group in player["groups"] for thing in group["things"]]
            cards = [card for zone in player["zones"] for card in zone.get("cards", [])]
            assert {part["id"] for part in (*things, *cards)} <= parts.keys()
        assert all(not part.startswith(f"player:{3 - seat}/hand") for part in parts)


def test_what_can_be_done_has_no_reason_against_it(state: State) -> None:
    seat = state.decider
    for option in document(state, seat)["question"]["options"]:  # type: ignore[index]
        for parameter in option["parameters"]:
            if isinstance(parameter["value"], str):
                told = [action for action, _ in reasons_against(state, seat, parameter["value"], [])]
                assert option["label"] not in told


REFUSED = [
    {"action": "give", "reasons": [{"text": "not in your hand", "source": "", "file": "game.rules", "line": 63}]},
    {"action": "drop", "reasons": [{"text": "not on it", "source": "", "file": "game.rules", "line": 70}]},
    {"action": "grow", "reasons": [{"text": "not in your hand", "source": "", "file": "game.rules", "line": 82}]},
    {"action": "shrink", "reasons": [{"text": "not in your hand", "source": "shell", "file": "game.rules", "line": 9}]},
    {"action": "found", "reasons": [{"text": "not in your hand", "source": ""}]},
]


@pytest.mark.browser  # it needs what the pages are made of
@pytest.mark.skipif(shutil.which("node") is None or not ESBUILD.exists(), reason="the pages are not built: make studio")
def test_what_several_actions_are_refused_for_alike_is_told_once_with_all_places(tmp_path: Path) -> None:
    made = f"--outfile={tmp_path}/explain.mjs"
    subprocess.run(
        [ESBUILD, WEB / "src/table/explain.tsx", "--bundle", "--format=esm", "--jsx=automatic",
         "--jsx-import-source=preact", made, "--log-level=error"], check=True,
    )  # fmt: skip
    run = f"import {{ gathered }} from './explain.mjs'; console.log(JSON.stringify(gathered({json.dumps(REFUSED)})));"
    (tmp_path / "run.mjs").write_text(run)
    ran = subprocess.run(["node", tmp_path / "run.mjs"], check=True, capture_output=True, text=True)
    found = json.loads(ran.stdout)
    assert [one["actions"] for one in found] == [["give", "grow", "found"], ["drop"], ["shrink"]]
    assert found[0]["reasons"][0]["places"] == [{"file": "game.rules", "line": n} for n in (63, 82)]
