"""How soon the balance strip answers after a change: `python -m benchmarks.balance [RULESET ...]`.

A number in the rules is changed in a copy of a ruleset, as by an author who saves, while the strip knows the game as it
was. Told are the seconds until the first answer with the games behind it, and until all games are played; and for both
what this machine has computed meanwhile for them, which says more where other programs are busy.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.tables import cpu
from rulelang.apps.studio.workshop.balance import Abandoned, Scales
from rulelang.data.folders import shipped_rulesets_dir

#: A number that rules count with.
NUMBER = re.compile(r"(?<=[+\-<>=] )[1-9]\b")


def changes(home: Path) -> Iterator[None]:
    """One number of the rules after the other is one more than it was."""
    for path in sorted(home.glob("**/*.rules")):
        text = path.read_text(encoding="utf-8")
        for found in NUMBER.finditer(text):
            path.write_text(f"{text[: found.start()]}{int(found[0]) + 1}{text[found.end() :]}", encoding="utf-8")
            yield
        path.write_text(text, encoding="utf-8")


async def measure(name: str, count: int) -> None:
    """Weigh some changes of one ruleset."""
    with tempfile.TemporaryDirectory() as folder:
        for ruleset in shipped_rulesets_dir().iterdir():
            if ruleset.is_dir():
                shutil.copytree(ruleset, Path(folder) / ruleset.name)
        scales = Scales(Path(folder) / name)
        await scales.weigh()
        for _ in changes(scales.home):
            try:
                await one(name, scales)
            except Abandoned:
                continue  # it has mistakes now, or its games do not end
            count -= 1
            if not count:
                break
        scales.stop()


async def one(name: str, scales: Scales) -> None:
    begun, before = time.monotonic(), computed(scales)
    told = await scales.weigh()
    first = f"{told['games']} games in {time.monotonic() - begun:.1f} s ({computed(scales) - before:.1f} s computed)"
    while told["more"]:
        told = await scales.weigh(more=True)
    whole = f"{told['games']} in {time.monotonic() - begun:.1f} s ({computed(scales) - before:.1f} s computed)"
    print(f"{name}: {first}, {whole}", flush=True)


def computed(scales: Scales) -> float:
    """Seconds that the process of the scales has computed, and compilers that it has run."""
    return cpu(scales.pid, children=True) if scales.pid else 0.0


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("rulesets", nargs="*", default=["evolution", "darwins_choice", "evolved"])
    asked.add_argument("--changes", type=int, default=2)
    given = asked.parse_args()
    for name in given.rulesets:
        asyncio.run(measure(name, given.changes))


if __name__ == "__main__":
    main()
