"""The language server as an editor talks to it: by its own process, in the protocol."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient as PlainClient
from pytest_lsp import ClientServerConfig, LanguageClient

from rulelang.tools.scaffolding.new import new_ruleset
from tests.cli.helpers import RULES, run, tiny

CONFIG = ClientServerConfig(server_command=[sys.executable, "-m", "rulelang", "lsp"], server_env=dict(os.environ))


#: A client that renames files together with what it changes in them, and has terminals.
ABLE = lsp.ClientCapabilities(
    workspace=lsp.WorkspaceClientCapabilities(
        workspace_edit=lsp.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=[lsp.ResourceOperationKind.Rename]
        )
    ),
    experimental={"commands": ["rulelang.terminal"]},
)


@pytest_lsp.fixture(config=CONFIG)
async def able(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    folder = tmp_path / "new"
    new_ruleset(folder)
    folders = [lsp.WorkspaceFolder(folder.as_uri(), "new")]
    await lsp_client.initialize_session(lsp.InitializeParams(capabilities=ABLE, workspace_folders=folders))
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=CONFIG)
async def client(client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    folder = tiny(tmp_path / "tiny")
    await client.initialize_session(
        lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(),
            workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), "tiny")],
        )
    )
    yield
    await client.shutdown_session()


def opened(client: LanguageClient, path: Path, text: str | None = None) -> str:
    text = path.read_text(encoding="utf-8") if text is None else text
    document = lsp.TextDocumentItem(path.as_uri(), "rulelang", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
    return path.as_uri()


def changed(client: LanguageClient, uri: str, text: str, version: int = 2) -> None:
    document = lsp.VersionedTextDocumentIdentifier(version, uri)
    whole = lsp.TextDocumentContentChangeWholeDocument(text)
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))


async def told(client: LanguageClient, uri: str, code: str | None) -> list[lsp.Diagnostic]:
    """The diagnostics of a file as soon as one has this code; None: as soon as there are none."""
    for _ in range(1200):
        items = list(client.diagnostics.get(uri, ()))
        if (not items and uri in client.diagnostics) if code is None else any(item.code == code for item in items):
            return items
        await asyncio.sleep(0.05)
    raise AssertionError(f"{code} was not told of {uri}: {client.diagnostics}")


@pytest.mark.asyncio
async def test_mistakes_come_while_typing_and_go(client: LanguageClient, tmp_path: Path) -> None:
    rules = tmp_path / "tiny" / "game.rules"
    uri = opened(client, rules)
    changed(client, uri, RULES.replace("pay(actor)", "pai(actor)"))
    (item,) = await told(client, uri, "N356")
    line = RULES.split("\n").index("  actor.coins += pay(actor)")
    assert item.range == lsp.Range(lsp.Position(line, 17), lsp.Position(line, 20))
    assert "did you mean `pay`?" in item.message
    assert item.code_description is not None
    assert "diagnostics.md#n356" in item.code_description.href
    changed(client, uri, RULES, 3)
    assert await told(client, uri, None) == []


@pytest.mark.asyncio
async def test_files_that_are_not_open_are_told_of_too(client: LanguageClient, tmp_path: Path) -> None:
    things = tmp_path / "tiny" / "things.yaml"
    uri = opened(client, things, things.read_text(encoding="utf-8").replace("goal: 3", "aim: 3"))
    other = (tmp_path / "tiny" / "game.rules").as_uri()
    (item,) = await told(client, other, "N350")
    assert "`goal`" in item.message
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    assert await told(client, other, None) == []  # what lies on the disk counts again


@pytest.mark.asyncio
async def test_scenarios_are_looked_at_too(client: LanguageClient, tmp_path: Path) -> None:
    scenarios = tmp_path / "tiny" / "scenarios" / "work.yaml"
    uri = opened(client, scenarios, scenarios.read_text(encoding="utf-8").replace("[work]", "[worc]"))
    (item,) = await told(client, uri, "C705")
    assert item.range.start == lsp.Position(3, 11)


@pytest.mark.asyncio
async def test_names_are_asked_for_by_the_protocol(client: LanguageClient, tmp_path: Path) -> None:
    rules = tmp_path / "tiny" / "game.rules"
    uri = opened(client, rules)
    line = RULES.split("\n").index("  actor.coins += pay(actor)")
    document, position = lsp.TextDocumentIdentifier(uri), lsp.Position(line, 18)
    shown = await client.text_document_hover_async(lsp.HoverParams(document, position))
    assert shown is not None
    assert isinstance(shown.contents, lsp.MarkupContent)
    assert "value pay(player p) -> int" in shown.contents.value
    found = await client.text_document_definition_async(lsp.DefinitionParams(document, position))
    assert isinstance(found, list)
    declared = RULES.split("\n").index("value pay(player p) -> int: 1")
    assert [item.range.start for item in found if isinstance(item, lsp.Location)] == [lsp.Position(declared, 6)]
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert symbols
    assert [item.name for item in symbols][:2] == ["game", "earning"]
    everything = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("coins"))
    assert everything
    assert {item.name for item in everything} == {"coins"}


@pytest.mark.asyncio
async def test_text_is_written_by_the_protocol(client: LanguageClient, tmp_path: Path) -> None:
    rules = tmp_path / "tiny" / "game.rules"
    broken = RULES.replace("actor.coins += pay(actor)", "actor.co")
    uri = opened(client, rules, broken)
    document = lsp.TextDocumentIdentifier(uri)
    line = broken.split("\n").index("  actor.co")
    found = await client.text_document_completion_async(lsp.CompletionParams(document, lsp.Position(line, 10)))
    assert isinstance(found, lsp.CompletionList)
    item = next(item for item in found.items if item.label == "coins")
    assert isinstance(item.text_edit, lsp.TextEdit)
    assert item.text_edit.range == lsp.Range(lsp.Position(line, 8), lsp.Position(line, 10))
    changed(client, uri, RULES)
    line = RULES.split("\n").index("value pay(player p) -> int: 1")
    place = lsp.Position(line, 7)
    edit = await client.text_document_rename_async(lsp.RenameParams(document, place, "wage"))
    assert edit is not None
    assert edit.changes is not None
    assert [len(edits) for edits in edit.changes.values()] == [2]
    with pytest.raises(JsonRpcException, match="declared twice"):
        await client.text_document_rename_async(lsp.RenameParams(document, place, "score"))
    colours = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document))
    assert colours is not None
    assert len(colours.data) > 100
    tidy = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, lsp.FormattingOptions(2, True))
    )
    assert not tidy


@pytest.mark.asyncio
async def test_fixes_and_scenarios_by_the_protocol(client: LanguageClient, tmp_path: Path) -> None:
    rules, scenarios = tmp_path / "tiny" / "game.rules", tmp_path / "tiny" / "scenarios" / "work.yaml"
    uri = opened(client, rules, RULES.replace("pay(actor)", "pai(actor)"))
    (item,) = await told(client, uri, "N356")
    asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), item.range, lsp.CodeActionContext([item]))
    actions = await client.text_document_code_action_async(asked)
    assert actions
    assert [action.title for action in actions] == ["Change `pai` to `pay`"]
    changed(client, uri, RULES.replace("-> int: 1", "-> int: 2"))
    other = opened(client, scenarios)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(lsp.TextDocumentIdentifier(other)))
    assert lenses
    assert lenses[1].command is not None
    wanted = lsp.ExecuteCommandParams(lenses[1].command.command, lenses[1].command.arguments)
    assert await client.workspace_execute_command_async(wanted) == "1 of 1 scenario failed: work pays a coin"
    (failed,) = await told(client, other, "scenario")
    assert failed.range.start.line == 4


@pytest.mark.asyncio
async def test_a_client_that_can_renames_files_and_opens_terminals(able: LanguageClient, tmp_path: Path) -> None:
    bee = tmp_path / "new" / "traits" / "bee.yaml"
    document = lsp.TextDocumentIdentifier(opened(able, bee))
    edit = await able.text_document_rename_async(lsp.RenameParams(document, lsp.Position(0, 8), "wasp"))
    assert edit is not None
    assert edit.changes is None
    assert edit.document_changes
    *texts, last = edit.document_changes
    assert all(isinstance(one, lsp.TextDocumentEdit) for one in texts)
    assert isinstance(last, lsp.RenameFile)
    assert (last.old_uri, last.new_uri) == (bee.as_uri(), bee.with_stem("wasp").as_uri())
    lenses = await able.text_document_code_lens_async(lsp.CodeLensParams(document))
    assert lenses
    (play,) = [lens.command for lens in lenses if lens.command and lens.command.title == "Play from this position"]
    assert play.command == "rulelang.terminal"
    name = "a bee makes your other cards worth more"
    command = ["rulelang", "play", str(tmp_path / "new"), "--from", f"bee: {name}"]
    title, words = play.arguments or ("", [])
    assert (title, [*words]) == (name, command)


@pytest.mark.asyncio
async def test_scenarios_are_listed_and_run_as_tests(client: LanguageClient, tmp_path: Path) -> None:
    home, scenarios = tmp_path / "tiny", tmp_path / "tiny" / "scenarios" / "work.yaml"
    uri = opened(client, home / "game.rules", RULES.replace("-> int: 1", "-> int: 2"))

    async def asked(command: str, *words: object) -> Any:
        return await client.workspace_execute_command_async(lsp.ExecuteCommandParams(command, [*words]))

    (listed,) = await asked("rulelang.scenarios", home.as_uri())
    assert (listed["name"], listed["uri"]) == ("work pays a coin", scenarios.as_uri())
    assert listed["range"]["start"] == {"line": 1, "character": 10}
    assert await asked("rulelang.scenarios", tmp_path.as_uri()) == []
    ran = await asked("rulelang.test", scenarios.as_uri(), ["work pays a coin"])
    (outcome,) = ran["outcomes"]
    assert (ran["why"], outcome["passed"]) == ("", False)
    (problem,) = outcome["problems"]
    assert problem["range"]["start"]["line"] == 4
    assert any("ana works" in line for line in outcome["log"])
    changed(client, uri, RULES)
    assert (await asked("rulelang.test", scenarios.as_uri(), []))["outcomes"][0]["passed"] is True
    changed(client, uri, RULES.replace("-> int: 1", "-> int: pai"), 3)
    ran = await asked("rulelang.test", scenarios.as_uri(), [])
    assert (ran["why"], ran["outcomes"]) == ("the ruleset has errors, so no scenario can run", [])
    # A client that says nothing of terminals is told the command.
    lenses = await client.text_document_code_lens_async(
        lsp.CodeLensParams(lsp.TextDocumentIdentifier(scenarios.as_uri()))
    )
    assert lenses
    (play,) = [lens.command for lens in lenses if lens.command and lens.command.title == "Play from this position"]
    assert play.command == "rulelang.play"
    said = await asked(play.command, *(play.arguments or ()))
    assert said == f"rulelang play {home} --from 'work: work pays a coin'"


@pytest.mark.asyncio
@pytest.mark.parametrize("way", ["tcp", "ws"])
async def test_it_listens_at_a_port(way: str, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "rulelang", "lsp", f"--{way}", "--port", str(port)]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    try:
        for _ in range(600):
            other = PlainClient("test", "1")
            try:
                await (other.start_tcp if way == "tcp" else other.start_ws)("127.0.0.1", port)
                break
            except OSError:  # it does not listen yet
                await asyncio.sleep(0.1)
        found = await other.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
        assert found.server_info is not None
        assert found.server_info.name == "rulelang"
        await other.shutdown_async(None)
        other.exit(None)
    finally:
        process.terminate()
        await process.wait()


def test_what_it_needs_is_named_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("rulelang.apps.editor.", "pygls"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    found = run("lsp")
    assert found.exit_code == 2
    assert "pip install 'rulelang[editor]'" in found.output
    assert run("lsp", "--tcp", "--ws").exit_code == 2
