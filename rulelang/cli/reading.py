"""Rulesets as commands read them: everything that was found out on the way from the files to the typed program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import click

from rulelang.base.diagnostics import Diagnostics
from rulelang.cli.screen import FAILED, MISTAKES, show_frames, tally, say
from rulelang.data.records import RulesetSource
from rulelang.meaning import tree
from rulelang.meaning.check.signatures import Texts
from rulelang.meaning.model import Model


@dataclass(frozen=True, slots=True)
class Reading:
    """A ruleset with its mods and mode, as far as it could be understood, and all that is wrong with it."""

    source: RulesetSource
    model: Model
    texts: Texts
    program: tree.Program
    diagnostics: Diagnostics


def read(where: str, mods: Sequence[str] = (), mode: str | None = None) -> Reading:
    """Read a ruleset through all stages of checking. Ends the command if nothing can be read there."""
    from rulelang.data.ruleset import load_ruleset
    from rulelang.meaning.check import check, read_rules
    from rulelang.meaning.declare import declare

    source, found = load_ruleset(where, mods, mode)
    if source is None:
        refuse(found)
    model, declared = declare(source)
    texts, parsed = read_rules(source, model)
    program, checked = check(model, texts, source)
    for more in (declared, parsed, checked):
        found.extend(more)
    return Reading(source, model, texts, program, found)


def read_sound(where: str, mods: Sequence[str] = (), mode: str | None = None) -> Reading:
    """As `read`; mistakes end the command, after their frames."""
    reading = read(where, mods, mode)
    if reading.diagnostics.failed:
        show_frames(reading.diagnostics.sorted(), reading.source.sources, err=True)
        say(tally(reading.diagnostics), err=True)
        click.get_current_context().exit(MISTAKES)
    return reading


def refuse(found: Diagnostics) -> NoReturn:
    """End the command: there is no ruleset to work on. What was not found at all could not be looked at (2)."""
    from pathlib import Path

    from rulelang.data.ruleset import texts_of

    show_frames(found.sorted(), texts_of(found), err=True)
    seen = any(Path(item.span.path).is_file() for item in found)
    click.get_current_context().exit(MISTAKES if seen else FAILED)


__all__ = ["Reading", "read", "read_sound", "refuse"]
