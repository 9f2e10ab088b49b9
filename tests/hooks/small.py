"""Small games for hooks: written into a folder, loaded, and started on either backend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.compiler.backends.native import build
from rulelang.compiler.backends.native.build import available_compilers
from rulelang.compiler.compilation import check
from rulelang.runtime.state import State

MANIFEST = """\
id: {id}
version: 1.0.0
language: 1
title: {{en: {id}}}
{head}
files: [{files}]
"""
BASE = "players: {count: [2, 4], from: first_player}"


def write(folder: Path, files: Mapping[str, str], extends: str = "") -> Path:
    """A ruleset of these files (a mod over the ruleset `extends`)."""
    listed = [name for name in files if "/" not in name]
    listed += sorted({f"{name.split('/')[0]}/" for name in files if "/" in name})
    head = f"extends: {{{extends}: '>=1.0'}}" if extends else BASE
    manifest = MANIFEST.format(id=folder.name, head=head, files=", ".join(listed))
    for name, text in {("mod.yaml" if extends else "ruleset.yaml"): manifest, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def codes(where: Path, *mods: Path) -> list[str]:
    """The codes of all mistakes."""
    return [item.code for item in check(where, mods)[1]]


def started(where: Path, *mods: Path, players: int = 2, backend: str = "python") -> State:
    """A game at its first decision; every mistake of the rules fails the test."""
    mistakes = [f"{item.span}: {item.code}: {item.message}" for item in check(where, mods)[1]]
    assert not mistakes, "\n".join(mistakes)
    return load(where, mods).new(players, 1, backend=backend)


def play(state: State, *texts: str) -> None:
    """Plays options by their texts; `NAME: text` also says who is asked."""
    for text in texts:
        asked, _, answer = text.rpartition(": ")
        decision = state.decision
        options = [option.text for option in decision.options]
        assert answer in options, (text, decision.player, options)
        if asked:
            assert state.players[state.decider - 1] == asked, (text, decision.player, options)
        state.play(decision.options[options.index(answer)])


def told(state: State) -> list[str]:
    """What the rules have told, line by line."""
    return [event.text for event in state.log if event.told and event.what != "action"]


@pytest.fixture
def unoptimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Native libraries are built at once."""
    plain = [
        replace(c, command=tuple("-O0" if word == "-O2" else word for word in c.command)) for c in available_compilers()
    ]
    monkeypatch.setattr(build, "available_compilers", lambda: plain)
