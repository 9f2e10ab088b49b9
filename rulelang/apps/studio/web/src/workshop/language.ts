// The language server over the studio's own socket: completion, hover, mistakes, fixes and colours for the editor.
import { autocompletion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Action, type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import {
  findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, LSPClient, LSPPlugin, renameKeymap,
  serverCompletion, signatureHelp, type Transport, Workspace, type WorkspaceFile,
} from "@codemirror/lsp-client";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { type ChangeSet, EditorState, type Extension, type Text, type TransactionSpec } from "@codemirror/state";
import { drawSelection, dropCursor, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { ask, socket } from "../frame/api";
import type { Bench, Finding } from "./bench";
import { say } from "./words";
import { colours, TOKENS, wanted } from "./colours";

interface Position {
  line: number;
  character: number;
}
interface Range {
  start: Position;
  end: Position;
}
interface TextEdit {
  range: Range;
  newText: string;
}
interface Shown {
  range: Range;
  severity?: number;
  code?: string | number;
  codeDescription?: { href: string };
  message: string;
  data?: unknown;
}
interface CodeAction {
  title: string;
  kind?: string;
  isPreferred?: boolean;
  edit?: {
    changes?: Record<string, TextEdit[]>;
    documentChanges?: ({ kind: "create"; uri: string } | { textDocument: { uri: string }; edits: TextEdit[] })[];
  };
}

const SEVERITIES = ["error", "error", "warning", "info", "info"] as const;
const ACTIONS = { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } }, isPreferredSupport: true };
const AGAIN = 1500;
/** Milliseconds in which the language server has to say that it is there. */
const PATIENCE = 60_000;
/** The client's own clock for each request, which cannot be stopped: after the page was left it would still strike, and
 * what waits for the server to be there would fail with nobody to hear of it. */
const NEVER = 2 ** 31 - 1;

class File implements WorkspaceFile {
  constructor(
    readonly uri: string,
    readonly languageId: string,
    public version: number,
    public doc: Text,
    readonly view: EditorView,
  ) {}
  getView(): EditorView {
    return this.view;
  }
}

class Desk extends Workspace {
  files: File[] = [];
  private versions = new Map<string, number>();
  constructor(
    client: LSPClient,
    private readonly bench: Bench,
    private readonly show: () => EditorView | null,
  ) {
    super(client);
  }
  private next(uri: string): number {
    const version = (this.versions.get(uri) ?? -1) + 1;
    this.versions.set(uri, version);
    return version;
  }
  syncFiles() {
    const found: { file: File; prevDoc: Text; changes: ChangeSet }[] = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      const changes = plugin?.unsyncedChanges;
      if (!plugin || !changes || changes.empty) continue;
      found.push({ changes, file, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version = this.next(file.uri);
      plugin.clear();
    }
    return found;
  }
  openFile(uri: string, languageId: string, view: EditorView): void {
    this.files = this.files.filter((file) => file.uri !== uri);
    const file = new File(uri, languageId, this.next(uri), view.state.doc, view);
    this.files.push(file);
    this.client.didOpen(file);
  }
  closeFile(uri: string, view: EditorView): void {
    if (!this.files.some((file) => file.uri === uri && file.view === view)) return;
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }
  override updateFile(uri: string, update: TransactionSpec): void {
    this.getFile(uri)?.getView()?.dispatch(update);
  }
  override async displayFile(uri: string): Promise<EditorView | null> {
    const path = pathOf(this.bench, uri);
    if (path === null) {
      this.bench.say(say("outside"));
      return null;
    }
    await this.bench.open(path);
    await new Promise((done) => setTimeout(done, 30));
    return this.show();
  }
}

export function uriOf(bench: Bench, path: string): string {
  return `${bench.listing?.root ?? "file://"}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

export function pathOf(bench: Bench, uri: string): string | null {
  const root = `${decodeURIComponent(bench.listing?.root ?? "file://")}/`;
  const whole = decodeURIComponent(uri);
  return whole.startsWith(root) ? whole.slice(root.length) : null;
}

export class Language {
  readonly client: LSPClient;
  view: EditorView | null = null;
  private socket: WebSocket | null = null;
  private heard = new Set<(message: string) => void>();
  private shown = new Map<string, Shown[]>();
  online = false;
  private closed = false;

  constructor(private readonly bench: Bench) {
    this.client = new LSPClient({
      rootUri: bench.listing?.root ?? "",
      timeout: NEVER,
      workspace: (client) => new Desk(client, bench, () => this.view),
      sanitizeHTML: plain,
      notificationHandlers: {
        "textDocument/publishDiagnostics": (_, params: { uri: string; diagnostics: Shown[] }) => {
          this.learn(params.uri, params.diagnostics);
          return true;
        },
        "window/showMessage": () => true,
        "window/logMessage": () => true,
      },
      extensions: [
        { clientCapabilities: { textDocument: { semanticTokens: TOKENS, codeAction: ACTIONS, publishDiagnostics: { codeDescriptionSupport: true } } } },
        serverCompletion({ override: true }),
        hoverTooltips(),
        signatureHelp(),
        keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
      ],
    });
    // Files that are not open in the editor change too: by forms, by fixes, by other programs.
    bench.looked = () => void (this.online && this.client.notification("workspace/didChangeWatchedFiles", { changes: [] }));
    this.connect();
  }

  close(): void {
    this.bench.looked = () => undefined;
    this.closed = true;
    this.socket?.close();
  }

  private connect(): void {
    const opened = socket("/api/workshop/lsp");
    this.socket = opened;
    const transport: Transport = {
      send: (message) => {
        if (this.closed) return; // the page has been left, and nobody waits for an answer
        if (opened.readyState !== WebSocket.OPEN) throw new Error("the language server is gone");
        opened.send(message);
      },
      subscribe: (handler) => void this.heard.add(handler),
      unsubscribe: (handler) => void this.heard.delete(handler),
    };
    opened.onopen = () => {
      this.client.connect(transport);
      const late = setTimeout(() => opened.close(), PATIENCE); // it does not answer: begin again
      opened.addEventListener("close", () => clearTimeout(late));
      const here = () => {
        clearTimeout(late);
        this.online = true;
        this.bench.tell();
        if (this.view) this.view.dispatch({ effects: wanted.of(null) });
      };
      this.client.initializing.then(here, () => opened.close());
    };
    opened.onmessage = (event) => {
      for (const handler of this.heard) handler(String(event.data));
    };
    opened.onclose = () => {
      this.online = false;
      this.client.disconnect();
      this.bench.tell();
      if (!this.closed) setTimeout(() => this.connect(), AGAIN);
    };
  }

  // ---- mistakes

  private learn(uri: string, told: Shown[]): void {
    const path = pathOf(this.bench, uri);
    if (path === null) return;
    this.shown.set(path, told);
    this.bench.findings.set(
      path,
      told.map((one): Finding => ({
        path,
        line: one.range.start.line,
        character: one.range.start.character,
        endLine: one.range.end.line,
        endCharacter: one.range.end.character,
        code: String(one.code ?? ""),
        severity: SEVERITIES[one.severity ?? 1] ?? "error",
        message: one.message,
        page: one.codeDescription?.href ?? "",
      })),
    );
    this.bench.tell();
    if (this.view && path === this.bench.path) this.mark(this.view, path);
  }

  /** Draws what is wrong in the editor. */
  mark(view: EditorView, path: string): void {
    const plugin = LSPPlugin.get(view);
    if (!plugin || plugin.uri !== uriOf(this.bench, path)) return;
    const doc = view.state.doc;
    const length = doc.length;
    const at = (place: Position) => {
      try {
        return Math.min(plugin.fromPosition(place), length);
      } catch {
        return length;
      }
    };
    const drawn = (this.shown.get(path) ?? []).map((one): Diagnostic => {
      const from = at(one.range.start);
      return {
        from,
        to: Math.max(from, at(one.range.end)),
        severity: SEVERITIES[one.severity ?? 1] ?? "error",
        message: one.message,
        source: String(one.code ?? ""),
        actions: [this.fixing(path, one)],
      };
    });
    view.dispatch(setDiagnostics(view.state, drawn));
  }

  private fixing(path: string, one: Shown): Action {
    return {
      name: "Fix",
      apply: () => void this.fixes(path, one.range).then(async (found) => {
        const first = found[0];
        if (first) await this.apply(first);
        else this.bench.say(say("no_mending_of"));
      }),
    };
  }

  /** What would mend the mistakes of a range, the best first. */
  async fixes(path: string, range: Range): Promise<CodeAction[]> {
    if (!this.online) return [];
    this.client.sync();
    const diagnostics = this.shown.get(path)?.filter((one) => one.range.start.line >= range.start.line && one.range.start.line <= range.end.line) ?? [];
    try {
      const found = await this.client.request<unknown, CodeAction[] | null>("textDocument/codeAction", {
        textDocument: { uri: uriOf(this.bench, path) },
        range,
        context: { diagnostics, only: ["quickfix"] },
      });
      return (found ?? []).filter((one) => one.edit).sort((a, b) => Number(b.isPreferred ?? 0) - Number(a.isPreferred ?? 0));
    } catch {
      return [];
    }
  }

  async apply(action: CodeAction): Promise<void> {
    const edits = new Map<string, TextEdit[]>();
    for (const [uri, some] of Object.entries(action.edit?.changes ?? {})) edits.set(uri, some);
    const fresh = new Set<string>();
    for (const change of action.edit?.documentChanges ?? []) {
      if ("kind" in change) fresh.add(change.uri);
      else edits.set(change.textDocument.uri, [...(edits.get(change.textDocument.uri) ?? []), ...change.edits]);
    }
    for (const [uri, some] of edits) {
      const path = pathOf(this.bench, uri);
      if (path === null) continue;
      const file = this.client.workspace.getFile(uri);
      if (fresh.has(uri)) {
        await ask("/api/workshop/file", { method: "PUT", body: { path, text: some.map((one) => one.newText).join(""), version: "" } });
        await this.bench.list();
      } else if (file?.getView()) {
        const view = file.getView();
        const plugin = view && LSPPlugin.get(view);
        if (!view || !plugin) continue;
        view.dispatch({
          changes: some.map((one) => ({ from: plugin.fromPosition(one.range.start), to: plugin.fromPosition(one.range.end), insert: one.newText })),
          userEvent: "input.fix",
        });
      } else {
        const opened = this.bench.path;
        await this.bench.open(path);
        const held = this.bench.files.get(path);
        if (held) this.bench.write(path, edited(held.text, some));
        await this.bench.open(opened);
      }
    }
    this.bench.say(say("done", { title: action.title }));
  }

  // ---- the editor

  extensions(path: string): Extension[] {
    const rules = path.endsWith(".rules");
    const spoken = rules ? "rulelang" : path.endsWith(".yaml") || path.endsWith(".yml") ? "yaml" : "csv";
    return [
      this.client.plugin(uriOf(this.bench, path), spoken),
      spoken === "yaml" ? yaml() : [],
      colours(this),
    ];
  }
}

/** Everything of the editor that has nothing to do with the language. */
export function usual(nonce: string): Extension[] {
  return [
    nonce ? EditorView.cspNonce.of(nonce) : [],
    lineNumbers(),
    highlightActiveLineGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(2),
    indentUnit.of("  "),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false }),
    highlightActiveLine(),
    highlightSelectionMatches(),
    EditorView.lineWrapping,
    syntaxHighlighting(STYLE),
    EditorView.contentAttributes.of({ "aria-label": say("text_of"), spellcheck: "false" }),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
  ];
}

const STYLE = HighlightStyle.define([
  { tag: [tags.comment, tags.lineComment], class: "tok-comment" },
  { tag: [tags.definition(tags.propertyName), tags.propertyName], class: "tok-key" },
  { tag: tags.string, class: "tok-string" },
  { tag: [tags.number, tags.bool], class: "tok-number" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], class: "tok-sign" },
]);

function edited(text: string, edits: TextEdit[]): string {
  const lines = text.split("\n");
  const at = (place: Position) => lines.slice(0, place.line).reduce((sum, line) => sum + line.length + 1, 0) + place.character;
  return [...edits]
    .sort((a, b) => at(b.range.start) - at(a.range.start))
    .reduce((whole, one) => whole.slice(0, at(one.range.start)) + one.newText + whole.slice(at(one.range.end)), text);
}

/** Hints are words: only what formats them is left of the HTML, and links go nowhere. */
function plain(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  const kept = new Set(["P", "CODE", "PRE", "EM", "STRONG", "UL", "OL", "LI", "BR", "HR", "SPAN", "BODY", "H1", "H2", "H3", "BLOCKQUOTE"]);
  for (const element of [...page.body.querySelectorAll("*")]) {
    if (kept.has(element.tagName)) for (const one of [...element.attributes]) if (one.name !== "class") element.removeAttribute(one.name);
    if (!kept.has(element.tagName)) element.replaceWith(...element.childNodes);
  }
  return page.body.innerHTML;
}
