"""The language server: what an editor asks is handed to whoever knows it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec

from rulelang.apps.editor import acting, changing, features, trying
from rulelang.apps.editor.diagnosing import by_file
from rulelang.apps.editor.places import Places, path_of
from rulelang.apps.editor.workspace import Project, Workspace
from rulelang.base.diagnostics import Diagnostic
from rulelang.data.manifest import is_ruleset

#: Seconds without a keystroke before mistakes are looked for, and before the scenarios are.
SOON, LATER = 0.08, 0.6
WATCHED = "**/*.{yaml,yml,rules,csv,tsv,xlsx}"


class Server(LanguageServer):
    """One client. `told`: the URIs that have diagnostics in the editor, by the project that they came from; `beyond`:
    what is wrong with its scenarios; `failed`: what those that were run said, by file, until something changes."""

    def __init__(self, version: str) -> None:
        super().__init__("rulelang", version, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.texts = Workspace()
        self.places = Places(self.texts, PositionCodec())
        self.told: dict[str, dict[str, list[lsp.Diagnostic]]] = {}
        self.beyond: dict[str, tuple[Diagnostic, ...]] = {}
        self.failed: dict[str, list[Diagnostic]] = {}
        self._waiting: asyncio.Task[None] | None = None

    # ---- documents

    def changed(self, uri: str) -> None:
        """A document was opened or changed."""
        path = path_of(uri)
        text = self.workspace.get_text_document(uri).source.replace("\r\n", "\n")
        if self.texts.open.get(path) != text:
            self.texts.change(path, text)
            self.failed = {}
        self.look_soon()

    def closed(self, uri: str) -> None:
        self.texts.close(path_of(uri))
        self.look_soon()

    def ran(self, project: Project, path: str, names: list[str], found: list[Diagnostic]) -> None:
        """Tell what scenarios of a file said that were run: some of them, or all (no names)."""
        self.failed[path] = found if not names else [*(i for i in self.failed.get(path, []) if i not in found), *found]
        self._tell(project)

    def look_soon(self) -> None:
        """Look for mistakes once the keyboard rests."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        await asyncio.sleep(SOON)
        projects = list(self.texts.projects.values())
        for project in projects:
            self._tell(project)
            await asyncio.sleep(0)  # whoever asks meanwhile is answered
        await asyncio.sleep(LATER)
        for project in projects:
            self.texts.refresh(project)
            now = project.now
            if now is not None:
                for _ in now.beyond_in_slices():
                    await asyncio.sleep(0)  # a keystroke meanwhile ends it
                self.beyond[project.where] = now.found_beyond
                self._tell(project)
                await asyncio.sleep(0)

    def _tell(self, project: Project) -> None:
        """Send what has changed of a project's diagnostics."""
        self.texts.refresh(project)
        sound = project.now is not None and not project.now.failed
        scenarios = self.beyond.get(project.where, ()) if sound else ()
        failed = [item for path, items in self.failed.items() if self.texts.project(path) is project for item in items]
        found = by_file([*self.texts.everything(project), *scenarios, *failed], self.places)
        before = self.told.get(project.where, {})
        self.told[project.where] = found
        for uri in {*before, *found}:
            if before.get(uri) != found.get(uri):
                parts = [other.get(uri, ()) for other in self.told.values()]
                unique = {repr(item): item for part in parts for item in part}
                self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, list(unique.values())))


def make(version: str) -> Server:
    """A server that waits for `start_io`, `start_tcp` or `start_ws`."""
    server = Server(version)

    asked: list[str] = []  # folders to look at from the start, besides those of the workspace

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        said = params.initialization_options
        folders = said.get("folders") if isinstance(said, dict) else getattr(said, "folders", None)
        asked.extend(uri for uri in folders or () if isinstance(uri, str))

    @server.feature(lsp.INITIALIZED)
    def initialized(_: lsp.InitializedParams) -> None:
        server.places.codec = server.workspace.position_codec
        for uri in [*asked, *(folder.uri for folder in server.workspace.folders.values())]:
            if is_ruleset(Path(path_of(uri))):
                server.texts.add(path_of(uri))
        watching = (
            server.client_capabilities.workspace and server.client_capabilities.workspace.did_change_watched_files
        )
        if watching and watching.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(WATCHED)])
            which = lsp.Registration("watched", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(lsp.RegistrationParams([which]))
        server.look_soon()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: lsp.DidSaveTextDocumentParams) -> None:
        server.texts.touch()
        server.look_soon()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def on_disk(_: lsp.DidChangeWatchedFilesParams) -> None:
        server.texts.touch()
        server.look_soon()

    features.register(server)
    changing.register(server)
    acting.register(server)
    trying.register(server)
    return server
