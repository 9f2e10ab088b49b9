"""The language server: which request is answered by which feature, and its projects' diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec

from rulelang.apps.editor import completions, decorations, navigation, quick_fixes, scenario_runs
from rulelang.apps.editor.analysis import Analysis, Project, Workspace, absolute
from rulelang.apps.editor.diagnostics import (
    PlaceConverter,
    as_lsp_diagnostic,
    diagnostic_text,
    diagnostics_by_file,
    path_of,
    uri_of,
)
from rulelang.apps.editor.rule_completions import Proposal
from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.source import Placement, Span
from rulelang.data.manifest import is_ruleset
from rulelang.data.yaml_format import format_yaml
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.syntax.format import format_text
from rulelang.language.syntax.parse import parse
from rulelang.testing.scenarios.scenario import Failure, Outcome

# ---- Requests that only read

_SYMBOL_KINDS = {
    "value": lsp.SymbolKind.Function, "routine": lsp.SymbolKind.Method, "phase": lsp.SymbolKind.Namespace,
    "action": lsp.SymbolKind.Event, "invariant": lsp.SymbolKind.Boolean, "hook": lsp.SymbolKind.Interface,
    "trait": lsp.SymbolKind.Class, "row": lsp.SymbolKind.EnumMember, "list": lsp.SymbolKind.Enum,
    "kind": lsp.SymbolKind.Struct, "sort": lsp.SymbolKind.Struct, "grid": lsp.SymbolKind.Struct,
    "attribute": lsp.SymbolKind.Field, "state": lsp.SymbolKind.Variable, "column": lsp.SymbolKind.Property,
    "zone": lsp.SymbolKind.Array, "table": lsp.SymbolKind.Array, "number": lsp.SymbolKind.Constant,
    "option": lsp.SymbolKind.Property, "scenario": lsp.SymbolKind.Event, "rule": lsp.SymbolKind.String,
    "key": lsp.SymbolKind.Key,
}  # fmt: skip
_COMPLETION_KINDS = {
    "keyword": lsp.CompletionItemKind.Keyword, "variable": lsp.CompletionItemKind.Variable,
    "function": lsp.CompletionItemKind.Function, "method": lsp.CompletionItemKind.Method,
    "event": lsp.CompletionItemKind.Event, "field": lsp.CompletionItemKind.Field,
    "property": lsp.CompletionItemKind.Property, "type": lsp.CompletionItemKind.Class,
    "row": lsp.CompletionItemKind.EnumMember, "constant": lsp.CompletionItemKind.Constant,
    "zone": lsp.CompletionItemKind.Module, "rule": lsp.CompletionItemKind.Reference,
}  # fmt: skip


def located_request(
    server: Server, document: lsp.TextDocumentIdentifier, position: lsp.Position
) -> tuple[Analysis | None, str, int, int]:
    """The ruleset of a document, its path, and the line and column asked about."""
    path = path_of(document.uri)
    line, column = server.places.point(path, position)
    return server.texts.analysis(path), path, line, column


def register_queries(server: Server) -> None:
    """All features that only look."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        analysis, path, line, column = located_request(server, params.text_document, params.position)
        found = navigation.hover_text(analysis, path, line, column) if analysis is not None else None
        if found is None:
            return None
        text, span = found
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), server.places.range(span))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        analysis, path, line, column = located_request(server, params.text_document, params.position)
        return (
            lsp_locations(server, navigation.definition_of(analysis, path, line, column))
            if analysis is not None
            else []
        )

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        analysis, path, line, column = located_request(server, params.text_document, params.position)
        if analysis is None:
            return []
        wanted = params.context.include_declaration
        return lsp_locations(server, navigation.references_to(analysis, path, line, column, declarations=wanted))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        analysis, path, line, column = located_request(server, params.text_document, params.position)
        if analysis is None:
            return []
        found = navigation.references_to(analysis, path, line, column, declarations=True, modes=False)
        return [lsp.DocumentHighlight(server.places.range(s)) for s in found if absolute(s.path) == path]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path = path_of(params.text_document.uri)
        return [_lsp_symbol(server, item) for item in navigation.document_outline(path, server.texts.text(path))]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def everything(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        found: list[lsp.WorkspaceSymbol] = []
        for project in server.texts.projects.values():
            server.texts.refresh(project)
            if project.now is not None:
                for item in navigation.workspace_symbols(project.now, params.query):
                    place = server.places.location(item.span)
                    kind = _SYMBOL_KINDS.get(item.thing.what, lsp.SymbolKind.Variable)
                    found.append(
                        lsp.WorkspaceSymbol(place, item.thing.name, kind, container_name=item.thing.of or None)
                    )
        return found

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "(", " ", ":", "["]))
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        analysis, path, line, column = located_request(server, params.text_document, params.position)
        if analysis is None:
            return lsp.CompletionList(False, [])
        found = completions.complete(analysis, path, server.texts.text(path), line, column)
        # Of too many only some are told; with more letters others may be among them.
        some = len(found) == completions.MOST_PROPOSALS
        return lsp.CompletionList(some, [_completion_item(server, item, path, line, column) for item in found])

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        path = path_of(params.text_document.uri)
        return [lsp.FoldingRange(a - 1, b - 1) for a, b in navigation.folding_ranges(path, server.texts.text(path))]


def lsp_locations(server: Server, spans: Iterable[Span]) -> list[lsp.Location]:
    return [server.places.location(span) for span in dict.fromkeys(spans)]


def _completion_item(server: Server, item: Proposal, path: str, line: int, column: int) -> lsp.CompletionItem:
    place = server.places.range(Span(path, line, column - item.begun, line, column))
    written = item.snippet or item.label
    snippet = "${" in written
    return lsp.CompletionItem(
        item.label,
        kind=_COMPLETION_KINDS.get(item.what, lsp.CompletionItemKind.Text),
        detail=item.detail or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, item.doc) if item.doc else None,
        sort_text=f"{item.rank}{item.label}",
        filter_text=item.filter or None,
        insert_text_format=lsp.InsertTextFormat.Snippet if snippet else lsp.InsertTextFormat.PlainText,
        text_edit=lsp.TextEdit(place, written),
        command=lsp.Command("Complete", "editor.action.triggerSuggest") if item.again else None,
    )


def _lsp_symbol(server: Server, item: navigation.OutlineSymbol) -> lsp.DocumentSymbol:
    kind = _SYMBOL_KINDS.get(item.what, lsp.SymbolKind.Variable)
    whole, place = server.places.range(item.whole), server.places.range(item.place)
    parts = [_lsp_symbol(server, part) for part in item.parts]
    return lsp.DocumentSymbol(item.name, kind, whole, place, children=parts)


# ---- Formatting


def formatted_text(path: str, text: str) -> str:
    """The text itself where it cannot be read, or is of another kind."""
    found = Diagnostics()
    if path.endswith(".rules"):
        found.extend(parse(text, Placement(path))[1])
        return text if found.failed else format_text(text)
    if path.endswith((".yaml", ".yml")):
        read_yaml_text(text, path, found)
        return text if found.failed else format_yaml(text, format_text)
    return text


# ---- Requests that change or decorate documents


def register_edits(server: Server) -> None:
    """Rename, format, colours, hints."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder:
        analysis, path, line, column = located_request(server, params.text_document, params.position)
        if analysis is None:
            raise refusal_error("this file is not in a ruleset")
        try:
            found = navigation.renamable_thing(analysis, path, line, column)
        except navigation.RenameRefused as why:
            raise refusal_error(str(why)) from None
        return lsp.PrepareRenamePlaceholder(server.places.range(found.span), found.thing.short)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        analysis, path, line, column = located_request(server, params.text_document, params.position)
        if analysis is None:
            raise refusal_error("this file is not in a ruleset")
        project = server.texts.project(path)
        if project is not None and analysis is project.good is not project.now:
            raise refusal_error(navigation.unreadable_reason(project.found, "it"))
        try:
            edits = navigation.rename_edits(analysis, path, line, column, params.new_name)
            thing = navigation.renamable_thing(analysis, path, line, column).thing
        except navigation.RenameRefused as why:
            raise refusal_error(str(why)) from None
        changes = {
            uri_of(file): [lsp.TextEdit(server.places.range(span), params.new_name) for span in spans]
            for file, spans in edits.items()
        }
        moved = navigation.moved_file(analysis, thing, params.new_name) if _renames_files(server) else None
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
        tidy = formatted_text(path, text)
        if tidy == text:
            return []
        lines = server.places.lines(path)
        end = server.places.position(path, len(lines), len(lines[-1]) + 1)
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), tidy)]

    legend = lsp.SemanticTokensLegend(list(decorations.TOKEN_TYPES), [])

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def colours(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        path = path_of(params.text_document.uri)
        data: list[int] = []
        line, column = 0, 0
        for item in decorations.semantic_tokens(server.texts.analysis(path), path, server.texts.text(path)):
            begin = server.places.position(path, item.line, item.column)
            end = server.places.position(path, item.line, item.column + item.length)
            column = column if begin.line == line else 0
            type_ = decorations.TOKEN_TYPES.index(item.type)
            data += [begin.line - line, begin.character - column, end.character - begin.character, type_, 0]
            line, column = begin.line, begin.character
        return lsp.SemanticTokens(data)

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def beside(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        path = path_of(params.text_document.uri)
        analysis = server.texts.analysis(path)
        if analysis is None:
            return []
        found = decorations.inlay_hints(analysis, path, params.range.start.line + 1, params.range.end.line + 1)
        return [lsp.InlayHint(server.places.position(path, i.line, i.column), i.text) for i in found]

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(["(", ","]))
    def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        analysis, path, line, column = located_request(server, params.text_document, params.position)
        call = (
            decorations.call_at(analysis, path, server.texts.text(path), line, column) if analysis is not None else None
        )
        if call is None:
            return None
        parts = [lsp.ParameterInformation(param) for param in call.params]
        return lsp.SignatureHelp([lsp.SignatureInformation(call.signature, call.doc or None, parts)], 0, call.at)


def _renames_files(server: Server) -> bool:
    """Whether the client can rename files together with what it changes in them."""
    workspace = server.client_capabilities.workspace
    can = workspace.workspace_edit if workspace is not None else None
    return bool(can and can.document_changes and lsp.ResourceOperationKind.Rename in (can.resource_operations or ()))


def refusal_error(why: str) -> JsonRpcException:
    """What an editor shows to whoever asked."""
    return JsonRpcException(why, code=lsp.LSPErrorCodes.RequestFailed)


# ---- Scenarios and tests

RUN_COMMAND, PLAY_COMMAND = "rulelang.run", "rulelang.play"
LIST_COMMAND, TEST_COMMAND = "rulelang.scenarios", "rulelang.test"
#: A command of the client: a title and the words of a command, for a terminal of its own.
TERMINAL_COMMAND = "rulelang.terminal"

_MISTAKEN = "the ruleset has errors, so no scenario can run"
_HOMELESS = "this file is not in a ruleset"


def has_terminals(server: Server) -> bool:
    """Whether the client says that it runs commands in a terminal: under `experimental`, `commands`, as others ask."""
    said = server.client_capabilities.experimental
    commands = said.get("commands") if isinstance(said, dict) else getattr(said, "commands", None)
    return isinstance(commands, Sequence) and TERMINAL_COMMAND in commands


def register_commands(server: Server) -> None:
    """The commands behind lenses and test explorers."""

    @server.command(RUN_COMMAND)
    async def run(uri: str, name: str = "") -> str:
        """Run a scenario of a file, or all of them; what failed is told at its line."""
        analysis, outcomes = await _run_and_show(server, uri, [name] if name else [])
        if analysis is None:
            return _HOMELESS
        said = _MISTAKEN if not analysis.runs else scenario_runs.outcome_summary(outcomes)
        passed = bool(outcomes) and all(outcome.passed for outcome in outcomes)
        kind = lsp.MessageType.Info if passed else lsp.MessageType.Warning
        server.window_show_message(lsp.ShowMessageParams(kind, said))
        return said

    @server.command(TEST_COMMAND)
    async def test(uri: str, names: list[str]) -> dict[str, Any]:
        """Run some scenarios of a file, or all (no names): `outcomes`, each with its name, whether it passed, seconds,
        failures and log; or `why` none was run."""
        analysis, outcomes = await _run_and_show(server, uri, names)
        if analysis is None or not analysis.runs:
            return {"why": _HOMELESS if analysis is None else _MISTAKEN, "outcomes": []}
        return {"why": "", "outcomes": [_outcome_data(server, outcome) for outcome in outcomes]}

    @server.command(LIST_COMMAND)
    def listed(home: str) -> list[dict[str, Any]]:
        """The scenarios of the ruleset or mod in a folder: name, file and place of each."""
        if not is_ruleset(Path(path_of(home))):
            return []
        project = server.texts.add(path_of(home))
        server.texts.refresh(project)
        analysis = project.now if project.now is not None and project.now.is_complete else project.good
        found = scenario_runs.own_scenarios(analysis) if analysis is not None else []
        return [{"name": one.name, "uri": uri_of(one.path), "range": _lsp_range(server, one.span)} for one in found]

    @server.command(PLAY_COMMAND)
    def play(uri: str, name: str) -> str:
        """Tell the command that plays on from a scenario's position, for whoever has no terminal in the editor."""
        path = path_of(uri)
        analysis = server.texts.analysis(path)
        said = (
            scenario_runs.command_line(scenario_runs.play_command(analysis, path, name))
            if analysis is not None
            else _HOMELESS
        )
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, said))
        return said


async def _run_and_show(server: Server, uri: str, names: list[str]) -> tuple[Analysis | None, list[Outcome]]:
    """Run scenarios beside all else that is asked; what failed is shown at its line."""
    path = path_of(uri)
    analysis, project = server.texts.analysis(path), server.texts.project(path)
    if analysis is None or project is None:
        return None, []
    outcomes = [] if not analysis.runs else await asyncio.to_thread(scenario_runs.run_scenarios, analysis, path, names)
    server.show_failures(project, path, names, scenario_runs.failure_diagnostics(outcomes))
    return analysis, outcomes


def _lsp_range(server: Server, span: Span) -> dict[str, Any]:
    place = server.places.range(span)
    return {
        end: {"line": at.line, "character": at.character} for end, at in (("start", place.start), ("end", place.end))
    }


def _outcome_data(server: Server, outcome: Outcome) -> dict[str, Any]:
    problems = [_mistake_data(server, item) for item in outcome.mistakes]
    problems += [_failure_data(server, failure) for failure in outcome.failures]
    return {
        "name": outcome.scenario.name,
        "passed": outcome.passed,
        "seconds": outcome.seconds,
        "problems": problems,
        "log": list(outcome.log),
    }


def _mistake_data(server: Server, item: Diagnostic) -> dict[str, Any]:
    place = {"uri": uri_of(item.span.file), "range": _lsp_range(server, item.span)} if item.span.path else {}
    return {"message": f"{item.code}: {diagnostic_text(item)}", "expected": "", "found": "", **place}


def _failure_data(server: Server, failure: Failure) -> dict[str, Any]:
    lines = [failure.message, *failure.notes]
    if failure.diagnostic is not None:
        lines.append(f"{failure.diagnostic.span}: {failure.diagnostic.code}: {diagnostic_text(failure.diagnostic)}")
    return {
        "message": "\n".join(lines),
        "expected": "\n".join(failure.expected),
        "found": "\n".join(failure.found),
        "uri": uri_of(absolute(failure.span.file)),
        "range": _lsp_range(server, failure.span),
    }


# ---- Code actions and lenses

#: The editor's own list of references; those of VS Code call it so, and others were taught to.
SHOW_COMMAND = "editor.action.showReferences"
_FIX_ALL = lsp.CodeActionKind.SourceFixAll


def register_actions(server: Server) -> None:
    """Code actions and code lenses."""
    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorExtract, lsp.CodeActionKind.Refactor, _FIX_ALL]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(kinds))
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = path_of(params.text_document.uri)
        project, analysis = server.texts.project(path), server.texts.analysis(path)
        if project is None or analysis is None or analysis.texts.get(path) != server.texts.text(path):
            return []  # of a file that cannot be read, the places are not known
        only = params.context.only
        found: list[lsp.CodeAction] = []
        if _is_wanted(only, lsp.CodeActionKind.QuickFix):
            items = [*server.texts.everything(project), *server.beyond.get(project.where, ())]
            here = [item for item in items if _touches_lines(item, path, params.range)]
            found += [
                _code_action(server, fix, lsp.CodeActionKind.QuickFix)
                for fix in quick_fixes.working_fixes(analysis, here)
            ]
        begin = server.places.point(path, params.range.start)
        end = server.places.point(path, params.range.end)
        if _is_wanted(only, lsp.CodeActionKind.Refactor):
            started = quick_fixes.new_item_fixes(analysis, path, server.texts.text(path), *begin)
            found += [_code_action(server, fix, lsp.CodeActionKind.Refactor) for fix in started]
        if begin != end and not analysis.failed and _is_wanted(only, lsp.CodeActionKind.RefactorExtract):
            value = quick_fixes.extract_value(analysis, path, Span(analysis.display(path), *begin, *end))
            found += [_code_action(server, value, lsp.CodeActionKind.RefactorExtract)] if value is not None else []
        if only is not None and any(kind.startswith(_FIX_ALL.value) for kind in only) and not analysis.failed:
            tidy = quick_fixes.lint_fixes(analysis, path)
            found += [_code_action(server, tidy, _FIX_ALL)] if tidy is not None else []
        return found

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        path = path_of(params.text_document.uri)
        analysis = server.texts.analysis(path)
        found = scenario_runs.scenario_lenses(analysis, path, server.texts.text(path))
        return [_code_lens(server, analysis, lens, params.text_document.uri) for lens in found]


def _is_wanted(only: Sequence[lsp.CodeActionKind | str] | None, kind: lsp.CodeActionKind) -> bool:
    return only is None or any(kind.value.startswith(getattr(word, "value", word)) for word in only)


def _touches_lines(item: Diagnostic, path: str, place: lsp.Range) -> bool:
    lines = range(item.span.line - 1, item.span.end_line)
    return absolute(item.span.file) == path and any(place.start.line <= line <= place.end.line for line in lines)


def _code_action(server: Server, fix: quick_fixes.Fix, kind: lsp.CodeActionKind) -> lsp.CodeAction:
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
    diagnostics = [as_lsp_diagnostic(fix.of, server.places)] if fix.of is not None else None
    return lsp.CodeAction(fix.title, kind, diagnostics, is_preferred=fix.of is not None or None, edit=edit)


def _code_lens(server: Server, analysis: Analysis | None, lens: scenario_runs.ScenarioLens, uri: str) -> lsp.CodeLens:
    place = server.places.range(lens.span)
    if lens.played and lens.scenario is not None:
        if analysis is not None and has_terminals(server):
            command = scenario_runs.play_command(analysis, path_of(uri), lens.scenario)
            return lsp.CodeLens(place, lsp.Command(lens.title, TERMINAL_COMMAND, arguments=[lens.scenario, command]))
        return lsp.CodeLens(place, lsp.Command(lens.title, PLAY_COMMAND, arguments=[uri, lens.scenario]))
    if lens.scenario is not None:
        return lsp.CodeLens(place, lsp.Command(lens.title, RUN_COMMAND, arguments=[uri, lens.scenario]))
    there = [server.places.location(span) for span in lens.places]
    arguments = [uri, place.start, there]
    return lsp.CodeLens(place, lsp.Command(lens.title, SHOW_COMMAND, arguments=arguments))


# ---- The server

#: Seconds without a keystroke before mistakes are looked for, and before the scenarios are.
CHECK_DELAY, REST_DELAY = 0.08, 0.6
WATCHED = "**/*.{yaml,yml,rules,csv,tsv,xlsx}"


class Server(LanguageServer):
    """One client. `told`: the URIs that have diagnostics in the editor, by the project that they came from; `beyond`:
    what is wrong with its scenarios; `failed`: what those that were run said, by file, until something changes."""

    def __init__(self, version: str) -> None:
        super().__init__("rulelang", version, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.texts = Workspace()
        self.places = PlaceConverter(self.texts, PositionCodec())
        self.told: dict[str, dict[str, list[lsp.Diagnostic]]] = {}
        self.beyond: dict[str, tuple[Diagnostic, ...]] = {}
        self.failed: dict[str, list[Diagnostic]] = {}
        self._waiting: asyncio.Task[None] | None = None

    # ---- documents

    def read_document(self, uri: str) -> None:
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

    def show_failures(self, project: Project, path: str, names: list[str], found: list[Diagnostic]) -> None:
        """Tell what scenarios of a file said that were run: some of them, or all (no names)."""
        self.failed[path] = found if not names else [*(i for i in self.failed.get(path, []) if i not in found), *found]
        self._publish(project)

    def look_soon(self) -> None:
        """Look for mistakes once the keyboard rests."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().create_task(self._analyse_soon())

    async def _analyse_soon(self) -> None:
        await asyncio.sleep(CHECK_DELAY)
        projects = list(self.texts.projects.values())
        for project in projects:
            self._publish(project)
            await asyncio.sleep(0)  # whoever asks meanwhile is answered
        await asyncio.sleep(REST_DELAY)
        for project in projects:
            self.texts.refresh(project)
            now = project.now
            if now is not None:
                for _ in now.beyond_in_slices():
                    await asyncio.sleep(0)  # a keystroke meanwhile ends it
                self.beyond[project.where] = now.found_beyond
                self._publish(project)
                await asyncio.sleep(0)

    def _publish(self, project: Project) -> None:
        """Send what has changed of a project's diagnostics."""
        self.texts.refresh(project)
        sound = project.now is not None and not project.now.failed
        scenarios = self.beyond.get(project.where, ()) if sound else ()
        failed = [item for path, items in self.failed.items() if self.texts.project(path) is project for item in items]
        found = diagnostics_by_file([*self.texts.everything(project), *scenarios, *failed], self.places)
        before = self.told.get(project.where, {})
        self.told[project.where] = found
        for uri in {*before, *found}:
            if before.get(uri) != found.get(uri):
                parts = [other.get(uri, ()) for other in self.told.values()]
                unique = {repr(item): item for part in parts for item in part}
                self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, list(unique.values())))


def make_server(version: str) -> Server:
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
        server.read_document(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.read_document(params.text_document.uri)

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

    register_queries(server)
    register_edits(server)
    register_actions(server)
    register_commands(server)
    return server
