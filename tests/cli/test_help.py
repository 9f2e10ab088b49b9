"""`--help` is complete, grouped and never cut at 80 columns."""

from __future__ import annotations

import click
import pytest

from rulelang.apps.cli.main import COMMANDS, GROUPS, all_commands
from tests.cli.helpers import run

SUMMARIES = {name: text for group in GROUPS.values() for name, text in group.items()}
#: Metavariables that say nothing about what an option takes.
EMPTY = {"TEXT", "INTEGER", "INTEGER RANGE", "FLOAT"}


def commands() -> list[tuple[str, click.Command]]:
    """List every command and verb with its name."""
    found: list[tuple[str, click.Command]] = []
    for name, command in all_commands().commands.items():
        found.append((name, command))
        if isinstance(command, click.Group):
            found += [(f"{name} {verb}", one) for verb, one in command.commands.items()]
    return found


def test_every_command_is_in_a_group() -> None:
    assert list(SUMMARIES) == list(COMMANDS) == list(all_commands().commands)


@pytest.mark.parametrize("name", COMMANDS)
def test_summaries_are_those_of_the_commands(name: str) -> None:
    first = (all_commands().commands[name].help or "").split("\n\n")[0]
    assert " ".join(first.split()).rstrip(".") == SUMMARIES[name]


def test_summaries_are_short_enough() -> None:
    assert {name: text for name, text in SUMMARIES.items() if len(text) > 60} == {}
    verbs = {name: (command.help or "").split("\n")[0] for name, command in commands()}
    assert {name: text for name, text in verbs.items() if len(text) > 61} == {}


def test_nothing_is_cut_at_80_columns() -> None:
    shown = run("--help").output
    assert max(map(len, shown.splitlines())) <= 80
    assert not [line for line in shown.splitlines() if line.endswith("...")]
    assert all(f"  {text}" in shown for text in SUMMARIES.values())


@pytest.mark.parametrize(("name", "command"), commands(), ids=[name for name, _ in commands()])
def test_options_say_what_they_take(name: str, command: click.Command) -> None:
    """Every option has a help text, and a metavariable that means something."""
    with click.Context(command) as ctx:
        for option in command.params:
            if not isinstance(option, click.Option):
                continue
            assert option.help, f"{name} {option.name}"
            flag = option.is_flag or isinstance(option.type, click.Choice)
            assert flag or option.make_metavar(ctx) not in EMPTY, f"{name} {option.name}"


def test_shared_options_have_one_wording() -> None:
    """An option that several commands share says the same everywhere, but for its default."""
    found: dict[str, set[str]] = {}
    for _, command in commands():
        for option in command.params:
            if isinstance(option, click.Option) and option.name in ("mode", "jobs", "seed", "held"):
                found.setdefault(option.name, set()).add((option.help or "").split(" (default")[0])
    assert {name: texts for name, texts in found.items() if len(texts) > 1} == {}
