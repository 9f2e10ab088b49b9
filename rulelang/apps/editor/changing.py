"""The requests of the protocol that write, or that colour and annotate what is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from rulelang.apps.editor import hints, renaming, tidying, tokens
from rulelang.apps.editor.features import located
from rulelang.apps.editor.places import path_of, uri_of

if TYPE_CHECKING:
    from rulelang.apps.editor.server import Server


def register(server: Server) -> None:
    """Rename, format, colours, hints."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder:
        analysis, path, line, column = located(server, params.text_document, params.position)
        if analysis is None:
            raise refused("this file is not in a ruleset")
        try:
            found = renaming.renamable(analysis, path, line, column)
        except renaming.Refused as why:
            raise refused(str(why)) from None
        return lsp.PrepareRenamePlaceholder(server.places.range(found.span), found.thing.short)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        analysis, path, line, column = located(server, params.text_document, params.position)
        if analysis is None:
            raise refused("this file is not in a ruleset")
        project = server.texts.project(path)
        if project is not None and analysis is project.good is not project.now:
            raise refused(renaming.unreadable(project.found, "it"))
        try:
            edits = renaming.rename(analysis, path, line, column, params.new_name)
            thing = renaming.renamable(analysis, path, line, column).thing
        except renaming.Refused as why:
            raise refused(str(why)) from None
        changes = {
            uri_of(file): [lsp.TextEdit(server.places.range(span), params.new_name) for span in spans]
            for file, spans in edits.items()
        }
        moved = renaming.moved(analysis, thing, params.new_name) if _renames_files(server) else None
        if moved is None:
            return lsp.WorkspaceEdit(changes=changes)
        for span, text in moved.named:
            changes.setdefault(uri_of(span.path), []).append(lsp.TextEdit(server.places.range(span), text))
        steps: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = [
            lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, None), [*some])
            for uri, some in changes.items()
        ]
        steps.append(lsp.RenameFile(uri_of(moved.old), uri_of(moved.new)))
        return lsp.WorkspaceEdit(document_changes=steps)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        path = path_of(params.text_document.uri)
        text = server.texts.text(path)
        tidy = tidying.tidied(path, text)
        if tidy == text:
            return []
        lines = server.places.lines(path)
        end = server.places.position(path, len(lines), len(lines[-1]) + 1)
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), tidy)]

    legend = lsp.SemanticTokensLegend(list(tokens.TYPES), [])

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def colours(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        path = path_of(params.text_document.uri)
        data: list[int] = []
        line, column = 0, 0
        for item in tokens.colours(server.texts.analysis(path), path, server.texts.text(path)):
            begin = server.places.position(path, item.line, item.column)
            end = server.places.position(path, item.line, item.column + item.length)
            column = column if begin.line == line else 0
            type_ = tokens.TYPES.index(item.type)
            data += [begin.line - line, begin.character - column, end.character - begin.character, type_, 0]
            line, column = begin.line, begin.character
        return lsp.SemanticTokens(data)

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def beside(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        path = path_of(params.text_document.uri)
        analysis = server.texts.analysis(path)
        if analysis is None:
            return []
        found = hints.beside(analysis, path, params.range.start.line + 1, params.range.end.line + 1)
        return [lsp.InlayHint(server.places.position(path, i.line, i.column), i.text) for i in found]

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(["(", ","]))
    def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        analysis, path, line, column = located(server, params.text_document, params.position)
        call = hints.call_at(analysis, path, server.texts.text(path), line, column) if analysis is not None else None
        if call is None:
            return None
        parts = [lsp.ParameterInformation(param) for param in call.params]
        return lsp.SignatureHelp([lsp.SignatureInformation(call.signature, call.doc or None, parts)], 0, call.at)


def _renames_files(server: Server) -> bool:
    """Whether the client can rename files together with what it changes in them."""
    workspace = server.client_capabilities.workspace
    can = workspace.workspace_edit if workspace is not None else None
    return bool(can and can.document_changes and lsp.ResourceOperationKind.Rename in (can.resource_operations or ()))


def refused(why: str) -> JsonRpcException:
    """What an editor shows to whoever asked."""
    return JsonRpcException(why, code=lsp.LSPErrorCodes.RequestFailed)
