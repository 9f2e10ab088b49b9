"""What clients ask about scenarios: which there are, what comes of running them, and what plays on from one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from rulelang.apps.editor import running
from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.diagnosing import words
from rulelang.apps.editor.places import path_of, uri_of
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span
from rulelang.data.manifest import is_ruleset
from rulelang.testing.scenarios.scenario import Failure, Outcome

if TYPE_CHECKING:
    from rulelang.apps.editor.server import Server

RUN, PLAY = "rulelang.run", "rulelang.presentation.console"
LIST, TEST = "rulelang.testing.scenarios", "rulelang.test"
#: A command of the client: a title and the words of a command, for a terminal of its own.
TERMINAL = "rulelang.apps.terminal"

_MISTAKEN = "the ruleset has errors, so no scenario can run"
_HOMELESS = "this file is not in a ruleset"


def has_terminals(server: Server) -> bool:
    """Whether the client says that it runs commands in a terminal: under `experimental`, `commands`, as others ask."""
    said = server.client_capabilities.experimental
    commands = said.get("commands") if isinstance(said, dict) else getattr(said, "commands", None)
    return isinstance(commands, Sequence) and TERMINAL in commands


def register(server: Server) -> None:
    """The commands behind lenses and test explorers."""

    @server.command(RUN)
    async def run(uri: str, name: str = "") -> str:
        """Run a scenario of a file, or all of them; what failed is told at its line."""
        analysis, outcomes = await _ran(server, uri, [name] if name else [])
        if analysis is None:
            return _HOMELESS
        said = _MISTAKEN if not analysis.runs else running.summary(outcomes)
        passed = bool(outcomes) and all(outcome.passed for outcome in outcomes)
        kind = lsp.MessageType.Info if passed else lsp.MessageType.Warning
        server.window_show_message(lsp.ShowMessageParams(kind, said))
        return said

    @server.command(TEST)
    async def test(uri: str, names: list[str]) -> dict[str, Any]:
        """Run some scenarios of a file, or all (no names): `outcomes`, each with its name, whether it passed, seconds,
        failures and log; or `why` none was run."""
        analysis, outcomes = await _ran(server, uri, names)
        if analysis is None or not analysis.runs:
            return {"why": _HOMELESS if analysis is None else _MISTAKEN, "outcomes": []}
        return {"why": "", "outcomes": [_outcome(server, outcome) for outcome in outcomes]}

    @server.command(LIST)
    def listed(home: str) -> list[dict[str, Any]]:
        """The scenarios of the ruleset or mod in a folder: name, file and place of each."""
        if not is_ruleset(Path(path_of(home))):
            return []
        project = server.texts.add(path_of(home))
        server.texts.refresh(project)
        analysis = project.now if project.now is not None and project.now.whole else project.good
        found = running.scenarios(analysis) if analysis is not None else []
        return [{"name": one.name, "uri": uri_of(one.path), "range": _range(server, one.span)} for one in found]

    @server.command(PLAY)
    def play(uri: str, name: str) -> str:
        """Tell the command that plays on from a scenario's position, for whoever has no terminal in the editor."""
        path = path_of(uri)
        analysis = server.texts.analysis(path)
        said = running.as_line(running.playing(analysis, path, name)) if analysis is not None else _HOMELESS
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, said))
        return said


async def _ran(server: Server, uri: str, names: list[str]) -> tuple[Analysis | None, list[Outcome]]:
    """Run scenarios beside all else that is asked; what failed is shown at its line."""
    path = path_of(uri)
    analysis, project = server.texts.analysis(path), server.texts.project(path)
    if analysis is None or project is None:
        return None, []
    outcomes = [] if not analysis.runs else await asyncio.to_thread(running.run, analysis, path, names)
    server.ran(project, path, names, running.told(outcomes))
    return analysis, outcomes


def _range(server: Server, span: Span) -> dict[str, Any]:
    place = server.places.range(span)
    return {
        end: {"line": at.line, "character": at.character} for end, at in (("start", place.start), ("end", place.end))
    }


def _outcome(server: Server, outcome: Outcome) -> dict[str, Any]:
    problems = [_mistake(server, item) for item in outcome.mistakes]
    problems += [_failure(server, failure) for failure in outcome.failures]
    return {
        "name": outcome.scenario.name,
        "passed": outcome.passed,
        "seconds": outcome.seconds,
        "problems": problems,
        "log": list(outcome.log),
    }


def _mistake(server: Server, item: Diagnostic) -> dict[str, Any]:
    place = {"uri": uri_of(item.span.file), "range": _range(server, item.span)} if item.span.path else {}
    return {"message": f"{item.code}: {words(item)}", "expected": "", "found": "", **place}


def _failure(server: Server, failure: Failure) -> dict[str, Any]:
    lines = [failure.message, *failure.notes]
    if failure.diagnostic is not None:
        lines.append(f"{failure.diagnostic.span}: {failure.diagnostic.code}: {words(failure.diagnostic)}")
    return {
        "message": "\n".join(lines),
        "expected": "\n".join(failure.expected),
        "found": "\n".join(failure.found),
        "uri": uri_of(absolute(failure.span.file)),
        "range": _range(server, failure.span),
    }
