"""The mods in `examples/`, by what the commands tell of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.tools.modding.conflicts import find_conflicts
from rulelang.tools.modding.difference import find_differences, two_games
from rulelang.tools.modding.why import origin_stories

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MODS = sorted(path.parent for path in EXAMPLES.glob("*/mod.yaml"))


@pytest.mark.parametrize("folder", MODS, ids=lambda folder: folder.name)
def test_each_changes_something_and_everything_has_its_story(folder: Path) -> None:
    before, after = two_games(folder)
    found = find_differences(before, after)
    assert found or (folder / "lang").is_dir()  # a translation changes words alone
    own = f"{after.source.layers[1].id} {after.source.layers[1].version}"
    assert all(item.after is None or item.after.by == own for item in found)
    assert find_conflicts(after) == ()
    for change in after.program.changes:
        name = next((item for item in after.program.routines if item == change.place.partition(".")[0]), None)
        if name is not None:
            (story,) = [story for story in origin_stories(after, name) if story.what in ("routine", "phase")]
            assert own in [hand.by for hand in story.hands]
