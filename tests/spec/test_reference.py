"""The language reference tells the truth: examples check, scenarios pass, mistakes are the ones it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostic
from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.run import Runner
from tests.spec.pages import PAGES, Block, Section, lay_out, sections

MORE = [PAGES.parent / "reference" / "builtins.md", PAGES.parent / "cards.md"]
ALL = [section for page in (*sorted(PAGES.glob("*.md")), *MORE) for section in sections(page)]
GOOD = [s for s in ALL if s.good]
BAD = [(section, block) for section in ALL for block in section.bad]


def found(where: Path, mods: list[Path]) -> list[Diagnostic]:
    """All that is wrong with a ruleset, past the cache."""
    one = Compilation(where, mods)
    source, read = one.read
    items = list(read)
    if source is not None:
        for phase in (one.declared[1], one.parsed[1], one.typed[1]):
            items += [item for item in phase if item not in items]
        if not any(item.severity == "error" for item in items):
            items += [*one.tested, *one.summed]
    return items


@pytest.mark.parametrize("section", GOOD, ids=[s.id for s in ALL if s.good])
def test_good_examples_are_good(section: Section, tmp_path: Path) -> None:
    where, mods = lay_out(section.good, tmp_path)
    assert [f"{item.span}: {item.code}: {item.message}" for item in found(where, mods)] == []
    if not any(block.kind == "scenarios" or "\nscenarios:" in block.text for block in section.good):
        return
    runner = Runner(where, mods, mods_too=True)
    mine = [scenario for scenario in runner.scenarios if scenario.path.endswith(tuple(b.file for b in section.good))]
    report = [runner.run(scenario) for scenario in mine]
    assert not runner.diagnostics.items
    assert report
    wrong = [(o.scenario.id, *o.failures, *(f"{m.span}: {m.message}" for m in o.mistakes)) for o in report]
    assert [line for line, outcome in zip(wrong, report, strict=True) if not outcome.passed] == []


@pytest.mark.parametrize(("section", "block"), BAD, ids=[f"{s.id}, line {b.line}" for s, b in BAD])
def test_mistakes_are_the_ones_announced(section: Section, block: Block, tmp_path: Path) -> None:
    if block.kind == "scenarios":
        where, mods = lay_out([*section.good, block], tmp_path)
        runner = Runner(where, mods, mods_too=True)
        items = list(runner.diagnostics)
        for scenario in runner.scenarios:
            items += [item for item in runner.run(scenario).mistakes if item not in items]
    else:
        where, mods = lay_out([*(b for b in section.good if b.kind != "scenarios"), block], tmp_path)
        items = found(where, mods)
    roots = [*(str(mod) + "/" for mod in mods), str(where) + "/"]
    told = []
    for item in items:
        path = item.span.path
        for root in roots:
            path = path.removeprefix(root)
        told.append((path, item.span.line, item.code))
    assert sorted(told) == sorted(block.errors), [f"{i.span}: {i.code}: {i.message}" for i in items]
