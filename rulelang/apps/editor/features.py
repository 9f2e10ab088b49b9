"""Which request of the protocol is answered by which feature, and how what comes of it is said in the protocol."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from rulelang.apps.editor import completing, navigating, outline
from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.places import path_of
from rulelang.apps.editor.proposals import Proposal
from rulelang.base.source import Span

if TYPE_CHECKING:
    from rulelang.apps.editor.server import Server

_SYMBOLS = {
    "value": lsp.SymbolKind.Function, "routine": lsp.SymbolKind.Method, "phase": lsp.SymbolKind.Namespace,
    "action": lsp.SymbolKind.Event, "invariant": lsp.SymbolKind.Boolean, "hook": lsp.SymbolKind.Interface,
    "trait": lsp.SymbolKind.Class, "row": lsp.SymbolKind.EnumMember, "list": lsp.SymbolKind.Enum,
    "kind": lsp.SymbolKind.Struct, "sort": lsp.SymbolKind.Struct, "grid": lsp.SymbolKind.Struct,
    "attribute": lsp.SymbolKind.Field, "state": lsp.SymbolKind.Variable, "column": lsp.SymbolKind.Property,
    "zone": lsp.SymbolKind.Array, "table": lsp.SymbolKind.Array, "number": lsp.SymbolKind.Constant,
    "option": lsp.SymbolKind.Property, "scenario": lsp.SymbolKind.Event, "rule": lsp.SymbolKind.String,
    "key": lsp.SymbolKind.Key,
}  # fmt: skip
_KINDS = {
    "keyword": lsp.CompletionItemKind.Keyword, "variable": lsp.CompletionItemKind.Variable,
    "function": lsp.CompletionItemKind.Function, "method": lsp.CompletionItemKind.Method,
    "event": lsp.CompletionItemKind.Event, "field": lsp.CompletionItemKind.Field,
    "property": lsp.CompletionItemKind.Property, "type": lsp.CompletionItemKind.Class,
    "row": lsp.CompletionItemKind.EnumMember, "constant": lsp.CompletionItemKind.Constant,
    "zone": lsp.CompletionItemKind.Module, "rule": lsp.CompletionItemKind.Reference,
}  # fmt: skip


def located(
    server: Server, document: lsp.TextDocumentIdentifier, position: lsp.Position
) -> tuple[Analysis | None, str, int, int]:
    """The ruleset of a document, its path, and the line and column asked about."""
    path = path_of(document.uri)
    line, column = server.places.point(path, position)
    return server.texts.analysis(path), path, line, column


def register(server: Server) -> None:
    """All features that only look."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        analysis, path, line, column = located(server, params.text_document, params.position)
        found = navigating.hover(analysis, path, line, column) if analysis is not None else None
        if found is None:
            return None
        text, span = found
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), server.places.range(span))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        analysis, path, line, column = located(server, params.text_document, params.position)
        return locations(server, navigating.definition(analysis, path, line, column)) if analysis is not None else []

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        analysis, path, line, column = located(server, params.text_document, params.position)
        if analysis is None:
            return []
        wanted = params.context.include_declaration
        return locations(server, navigating.references(analysis, path, line, column, declarations=wanted))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        analysis, path, line, column = located(server, params.text_document, params.position)
        if analysis is None:
            return []
        found = navigating.references(analysis, path, line, column, declarations=True, modes=False)
        return [lsp.DocumentHighlight(server.places.range(s)) for s in found if absolute(s.path) == path]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path = path_of(params.text_document.uri)
        return [_symbol(server, item) for item in outline.outline(path, server.texts.text(path))]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def everything(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        found: list[lsp.WorkspaceSymbol] = []
        for project in server.texts.projects.values():
            server.texts.refresh(project)
            if project.now is not None:
                for item in outline.everything(project.now, params.query):
                    place = server.places.location(item.span)
                    kind = _SYMBOLS.get(item.thing.what, lsp.SymbolKind.Variable)
                    found.append(
                        lsp.WorkspaceSymbol(place, item.thing.name, kind, container_name=item.thing.of or None)
                    )
        return found

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "(", " ", ":", "["]))
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        analysis, path, line, column = located(server, params.text_document, params.position)
        if analysis is None:
            return lsp.CompletionList(False, [])
        found = completing.complete(analysis, path, server.texts.text(path), line, column)
        # Of too many only some are told; with more letters others may be among them.
        some = len(found) == completing.MOST
        return lsp.CompletionList(some, [_proposed(server, item, path, line, column) for item in found])

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        path = path_of(params.text_document.uri)
        return [lsp.FoldingRange(a - 1, b - 1) for a, b in outline.folds(path, server.texts.text(path))]


def locations(server: Server, spans: Iterable[Span]) -> list[lsp.Location]:
    return [server.places.location(span) for span in dict.fromkeys(spans)]


def _proposed(server: Server, item: Proposal, path: str, line: int, column: int) -> lsp.CompletionItem:
    place = server.places.range(Span(path, line, column - item.begun, line, column))
    written = item.snippet or item.label
    snippet = "${" in written
    return lsp.CompletionItem(
        item.label,
        kind=_KINDS.get(item.what, lsp.CompletionItemKind.Text),
        detail=item.detail or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, item.doc) if item.doc else None,
        sort_text=f"{item.rank}{item.label}",
        filter_text=item.filter or None,
        insert_text_format=lsp.InsertTextFormat.Snippet if snippet else lsp.InsertTextFormat.PlainText,
        text_edit=lsp.TextEdit(place, written),
        command=lsp.Command("Complete", "editor.action.triggerSuggest") if item.again else None,
    )


def _symbol(server: Server, item: outline.Symbol) -> lsp.DocumentSymbol:
    kind = _SYMBOLS.get(item.what, lsp.SymbolKind.Variable)
    whole, place = server.places.range(item.whole), server.places.range(item.place)
    parts = [_symbol(server, part) for part in item.parts]
    return lsp.DocumentSymbol(item.name, kind, whole, place, children=parts)
