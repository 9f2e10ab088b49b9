"""The requests of the protocol that offer to do something: quick fixes, what is begun, what lenses run or show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from rulelang.apps.editor import extracting, fixing, running
from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.diagnosing import shown
from rulelang.apps.editor.places import path_of, uri_of
from rulelang.apps.editor.trying import PLAY, RUN, TERMINAL, has_terminals
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span

if TYPE_CHECKING:
    from rulelang.apps.editor.server import Server

#: The editor's own list of references; those of VS Code call it so, and others were taught to.
SHOW = "editor.action.showReferences"
_ALL = lsp.CodeActionKind.SourceFixAll


def register(server: Server) -> None:
    """Code actions and code lenses."""
    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorExtract, lsp.CodeActionKind.Refactor, _ALL]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(kinds))
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = path_of(params.text_document.uri)
        project, analysis = server.texts.project(path), server.texts.analysis(path)
        if project is None or analysis is None or analysis.texts.get(path) != server.texts.text(path):
            return []  # of a file that cannot be read, the places are not known
        only = params.context.only
        found: list[lsp.CodeAction] = []
        if _wanted(only, lsp.CodeActionKind.QuickFix):
            items = [*server.texts.everything(project), *server.beyond.get(project.where, ())]
            here = [item for item in items if _at(item, path, params.range)]
            found += [_action(server, fix, lsp.CodeActionKind.QuickFix) for fix in fixing.mending(analysis, here)]
        begin = server.places.point(path, params.range.start)
        end = server.places.point(path, params.range.end)
        if _wanted(only, lsp.CodeActionKind.Refactor):
            started = fixing.beginning(analysis, path, server.texts.text(path), *begin)
            found += [_action(server, fix, lsp.CodeActionKind.Refactor) for fix in started]
        if begin != end and not analysis.failed and _wanted(only, lsp.CodeActionKind.RefactorExtract):
            value = extracting.extraction(analysis, path, Span(analysis.display(path), *begin, *end))
            found += [_action(server, value, lsp.CodeActionKind.RefactorExtract)] if value is not None else []
        if only is not None and any(kind.startswith(_ALL.value) for kind in only) and not analysis.failed:
            tidy = fixing.tidying(analysis, path)
            found += [_action(server, tidy, _ALL)] if tidy is not None else []
        return found

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        path = path_of(params.text_document.uri)
        analysis = server.texts.analysis(path)
        found = running.lenses(analysis, path, server.texts.text(path))
        return [_lens(server, analysis, lens, params.text_document.uri) for lens in found]


def _wanted(only: Sequence[lsp.CodeActionKind | str] | None, kind: lsp.CodeActionKind) -> bool:
    return only is None or any(kind.value.startswith(getattr(word, "value", word)) for word in only)


def _at(item: Diagnostic, path: str, place: lsp.Range) -> bool:
    lines = range(item.span.line - 1, item.span.end_line)
    return absolute(item.span.file) == path and any(place.start.line <= line <= place.end.line for line in lines)


def _action(server: Server, fix: fixing.Fix, kind: lsp.CodeActionKind) -> lsp.CodeAction:
    changes: dict[str, list[lsp.TextEdit]] = {}
    for span, text in fix.edits:
        changes.setdefault(uri_of(span.path), []).append(lsp.TextEdit(server.places.range(span), text))
    if fix.creates:
        steps: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = []
        start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        for path, text in fix.creates:
            steps.append(lsp.CreateFile(uri_of(path), options=lsp.CreateFileOptions(ignore_if_exists=True)))
            document = lsp.OptionalVersionedTextDocumentIdentifier(uri_of(path), None)
            steps.append(lsp.TextDocumentEdit(document, [lsp.TextEdit(start, text)]))
        for uri, edits in changes.items():
            document = lsp.OptionalVersionedTextDocumentIdentifier(uri, None)
            steps.append(lsp.TextDocumentEdit(document, list(edits)))
        edit = lsp.WorkspaceEdit(document_changes=steps)
    else:
        edit = lsp.WorkspaceEdit(changes=changes)
    diagnostics = [shown(fix.of, server.places)] if fix.of is not None else None
    return lsp.CodeAction(fix.title, kind, diagnostics, is_preferred=fix.of is not None or None, edit=edit)


def _lens(server: Server, analysis: Analysis | None, lens: running.Lens, uri: str) -> lsp.CodeLens:
    place = server.places.range(lens.span)
    if lens.played and lens.scenario is not None:
        if analysis is not None and has_terminals(server):
            command = running.playing(analysis, path_of(uri), lens.scenario)
            return lsp.CodeLens(place, lsp.Command(lens.title, TERMINAL, arguments=[lens.scenario, command]))
        return lsp.CodeLens(place, lsp.Command(lens.title, PLAY, arguments=[uri, lens.scenario]))
    if lens.scenario is not None:
        return lsp.CodeLens(place, lsp.Command(lens.title, RUN, arguments=[uri, lens.scenario]))
    there = [server.places.location(span) for span in lens.places]
    arguments = [uri, place.start, there]
    return lsp.CodeLens(place, lsp.Command(lens.title, SHOW, arguments=arguments))
