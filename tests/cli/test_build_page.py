"""docs/in-a-build.md prints what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.helpers import run

MOD = """\
id: thick_fur
version: 1.0.0
language: 1
title: {en: Thick Fur}
extends: {evolution: ">=0"}
files: [traits/thick_fur.yaml]
"""
TRAIT = """\
trait: thick_fur
name: {en: Thick Fur}
text: {en: It lives off its fur when food is short.}
cards: [{food: [1, 2, 3, 4]}]
rules: |
  before starve(self) when hunger(self) > 1:
    self.food = self.population - 1
scenarios:
  - name: thick fur keeps all but one alive
    given:
      phase: feeding
      turn: ana
      state: {watering_hole: 9}
      players:
        ana: [deer population 4: thick_fur, hare population 4]
        bob: [crab population 3]
    when: [starve deer, starve hare]
    then: [deer.population == 2]
"""
CONSOLE = re.compile(r"```console\n\$ rulelang (check|test) (.*?)\n(.*?)```", re.DOTALL)
CHANGES = re.compile(r'"seconds": [\d.]+|"rulelang": "[^"]*"|"scenario": \d+')


def page(root: Path) -> list[tuple[str, str, str]]:
    return CONSOLE.findall((root / "docs" / "in-a-build.md").read_text(encoding="utf-8"))


def test_the_page_has_examples(root: Path) -> None:
    assert [command for command, _, _ in page(root)] == ["check", "test", "check"]


def test_outputs_are_those_of_the_commands(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "thick_fur" / "traits").mkdir(parents=True)
    (tmp_path / "thick_fur" / "mod.yaml").write_text(MOD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command, arguments, printed in page(root):
        trait = TRAIT.replace("population - 1", "populaton - 1") if command == "check" else TRAIT
        (tmp_path / "thick_fur" / "traits" / "thick_fur.yaml").write_text(trait, encoding="utf-8")
        result = run(command, *arguments.split())
        assert result.exit_code == 1
        assert CHANGES.sub("", result.output) == CHANGES.sub("", printed)
