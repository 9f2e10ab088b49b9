"""Cases of diagnostics: a document for each code, with the ruleset that earns it and the frame that the user sees.

A case is `CODE.md`: its code blocks are files over the pond game (`tests/semantics/check_pond.py`), the last one is the
frame. Words after the kind of a block: `title="FILE"`, `mod` (a file of a mod over the game), `alone` (no pond
below), `rows` (a `from:` names it), `utf-16` (written so), `crowded` (with 20,001 empty files next to it),
`repeated` (1,001 times, with numbers in place of `N`), `bare` (optional packages are missing). A block `sh` names the
command, by default `rulelang check GAME`; a block `play` are options to be played from the start of a game for two,
until a rule goes wrong, or `series of N`: a random game of so many decisions at most.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import RuleError
from rulelang.base.terminal import draw_frames
from rulelang.compiler.compilation import Compilation, LoadError
from tests.semantics.check_pond import FILES
from tests.spec.pages import TITLE, Block, lay_out

HOME = Path(__file__).parent / "cases"
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENDINGS = {"rules": ".rules", "yaml": ".yaml", "csv": ".csv", "scenarios": ".yaml", "text": ".txt"}
FRAME = "frame"


class Case(NamedTuple):
    """What stands in a document. `blocks` are files; `command` and `moves` what is done; `frame` what comes of it."""

    blocks: list[Block]
    command: str
    moves: list[str] | None
    frame: str


def read(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    blocks: list[Block] = []
    command, moves, frame = "", None, ""
    for match in FENCE.finditer(text):
        kind, info, body = match[1], match[2], match[3]
        if kind == FRAME:
            frame = body
        elif kind == "sh":
            command = body.strip()
        elif kind == "play":
            moves = body.splitlines()
        else:
            title = TITLE.search(info)
            file = title[1] if title else ("scenarios/" if kind == "scenarios" else "") + f"extra{ENDINGS[kind]}"
            blocks.append(Block(kind, file, body, 0, tuple(TITLE.sub("", info).split())))
    return Case(blocks, command, moves, frame)


def frame_of(case: Case, code: str, folder: Path) -> tuple[str, list[str]]:
    """The drawn frame of what has the code, and the codes of all. `folder` becomes the current one."""
    where, mods = lay_out(case.blocks, folder, FILES)
    for block in case.blocks:
        if "utf-16" in block.words:
            (where / block.file).write_bytes(block.text.encode("utf-16"))
        if "repeated" in block.words:
            text = "".join(block.text.replace("N", str(number)) for number in range(1_001))
            (where / block.file).write_text(text, encoding="utf-8")
        if "crowded" in block.words:
            for number in range(20_001):
                (where / f"{block.file}{number}").touch()
    os.chdir(folder)
    if any("bare" in block.words for block in case.blocks):
        sys.modules["python_calamine"] = None  # type: ignore[assignment]
    name, over, mode = where.name, [mod.name for mod in mods], None
    if case.command:
        words = shlex.split(case.command)[3 if " i18n " in case.command else 2 :]
        name = words[0]
        over += [words[k + 1] for k, word in enumerate(words) if word == "--mod"]
        mode = next((words[k + 1] for k, word in enumerate(words) if word == "--mode"), None)
    found, sources = mistakes(name, over, mode, case)
    return draw_frames([d for d in found if d.code == code], sources) + "\n", [d.code for d in found]


def mistakes(name: str, mods: list[str], mode: str | None, case: Case) -> tuple[list[Diagnostic], Mapping[str, str]]:
    """What is told of a ruleset; of its scenarios where it has some; of a game where one is played."""
    if " coverage " in case.command:
        from rulelang.testing.scenarios.citations import measure_rule_coverage

        report = measure_rule_coverage(name, mods, mode)
        return list(report.mistakes), report.sources
    one = Compilation(name, mods, mode)
    if " i18n check " in case.command:
        from rulelang.tools.i18n import check_catalogue, game_work

        task = game_work(one, case.command.split()[-1])
        return [*one.diagnostics, *check_catalogue(task)], {**one.source.sources, **task.sources}
    if " import " in case.command:
        from rulelang.tools.cards.plan_import import plan_import

        plan = plan_import(one, case.command.split()[-1])
        return list(plan.diagnostics), plan.sources
    if case.command.endswith(" check") and " cards " in case.command:
        from rulelang.tools.cards.review import review_cards

        return [*one.checked.diagnostics, *review_cards(one)], one.source.sources
    source, read_ = one.read
    if source is None:
        return read_.sorted(), {}
    if case.moves is not None:
        return went_wrong(one, case.moves), source.sources
    if any(block.kind == "scenarios" for block in case.blocks):
        from rulelang.testing.scenarios.run import Runner

        runner = Runner(name, mods, mode, mods_too=True)
        items = list(runner.diagnostics)
        for scenario in runner.scenarios:
            outcome = runner.run(scenario)
            items += [item for item in outcome.mistakes if item not in items]
            items += [failure.diagnostic for failure in outcome.failures if failure.diagnostic is not None]
        return items, runner.sources
    return list(one.checked.diagnostics), source.sources


def went_wrong(one: Compilation, moves: list[str]) -> list[Diagnostic]:
    from rulelang.runtime.game import Game

    try:
        summary = one.summary
        game = Game(summary.info, summary.players, summary.options, one.link)
        if moves[0].startswith("series of "):
            game.simulate(1, 2, seed=1, backend="python", max_decisions=int(moves[0].removeprefix("series of ")))
        state = game.new(players=2, seed=1)
        for move in moves:
            state.play(move)
    except RuleError as error:
        return [error.diagnostic]
    except LoadError as error:
        return error.diagnostics.sorted()
    return []
