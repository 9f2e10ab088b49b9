"""A new ruleset: a copy of the small game in the folder `game`, with a name and a title of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path

from rulelang.tools.scaffolding.files import CannotStart, Written, named, titled, write
from rulelang.tools.scaffolding.positions import PLAYERS

GAME = Path(__file__).parent / "game"
#: The second player in the positions of its scenarios, behind whom others may sit.
_SECOND = re.compile(r"^( +)bob: .*$", re.MULTILINE)


def new_ruleset(folder: Path, *, title: str = "", players: tuple[int, int] = (2, 4)) -> Written:
    """Write a small whole game, to be changed into another one, into a new folder, which gives it its name."""
    name = named(folder.name, "ruleset")
    low, high = players
    if not 1 <= low <= high or high < 2:
        raise CannotStart(
            f"`{low}-{high}` is not a valid number of players: the second number must be at least 2 and at least the "
            "first"
        )
    texts = {str(path.relative_to(GAME)): path.read_text(encoding="utf-8") for path in sorted(GAME.rglob("*.*"))}
    manifest = texts["ruleset.yaml"]
    manifest = re.sub(r"^id: .*$", lambda _: f"id: {name}", manifest, flags=re.MULTILINE)
    said = json.dumps(title or titled(name), ensure_ascii=False)
    manifest = re.sub(r"^title: .*$", lambda _: f"title: {{en: {said}}}", manifest, flags=re.MULTILINE)
    manifest = manifest.replace("count: [2, 4]", f"count: [{low}, {high}]")
    more = "".join(rf"\n\g<1>{name}: {{}}" for name in PLAYERS[2:low])
    seated = {file: _SECOND.sub(rf"\g<0>{more}", text) for file, text in texts.items()}
    return write(folder, seated | {"ruleset.yaml": manifest})
