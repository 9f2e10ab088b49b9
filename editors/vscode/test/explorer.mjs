// Drives the test explorer of this extension, with what it asks of VS Code stood for, over a real server: the command
// line is `node explorer.mjs FOLDER PROGRAM...`. It lists what is in the folder, runs it, changes what an open document
// says and runs one scenario again; what the explorer then shows goes to standard output as JSON.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const esbuild = require("esbuild");
const rpc = require("vscode-jsonrpc/node");
const [folder, program, ...args] = process.argv.slice(2);
const home = join(dirname(fileURLToPath(import.meta.url)), "..");

// ---- what stands for VS Code

class Uri {
  constructor(path) {
    this.path = this.fsPath = path;
  }
  static file(path) {
    return new Uri(path);
  }
  static parse(text) {
    return new Uri(fileURLToPath(text));
  }
  static joinPath(base, ...parts) {
    return new Uri(join(base.path, ...parts));
  }
  toString() {
    return pathToFileURL(this.path).toString();
  }
}

class Items {
  known = new Map();
  get size() {
    return this.known.size;
  }
  get(id) {
    return this.known.get(id);
  }
  forEach(look) {
    this.known.forEach((item) => look(item));
  }
  replace(items) {
    this.known = new Map(items.map((item) => [item.id, item]));
    items.forEach((item) => (item.parent = this.owner));
  }
  [Symbol.iterator]() {
    return this.known.entries();
  }
}

function made(id, label, uri) {
  const item = { id, label, uri, children: new Items(), parent: undefined, busy: false };
  item.children.owner = item;
  return item;
}

class TestMessage {
  constructor(message) {
    this.message = message;
  }
  static diff(message, expected, found) {
    return Object.assign(new TestMessage(message), { expectedOutput: expected, actualOutput: found });
  }
}

const nothing = { dispose() {} };
const told = { changed: () => {} };
const controller = {
  items: new Items(),
  createTestItem: made,
  createRunProfile: (label, kind, run) => (controller.run = run),
  createTestRun: () => new Run(),
  dispose() {},
};

class Run {
  static last;
  constructor() {
    Run.last = this;
    this.seen = {};
    this.output = [];
  }
  enqueued(test) {
    this.seen[test.label] = ["enqueued"];
  }
  started(test) {
    this.seen[test.label].push("started");
  }
  passed(test) {
    this.seen[test.label].push("passed");
  }
  failed(test, messages) {
    const said = messages.map((one) => [one.message, one.expectedOutput, one.actualOutput, one.location?.range.start.line]);
    this.seen[test.label].push("failed", said);
  }
  errored(test, message) {
    this.seen[test.label].push("errored", message.message);
  }
  appendOutput(text) {
    this.output.push(text.trimEnd());
  }
  end() {
    this.ended = true;
  }
}

const vscode = {
  Uri,
  TestMessage,
  TestRunProfileKind: { Run: 1 },
  Position: class {
    constructor(line, character) {
      Object.assign(this, { line, character });
    }
  },
  Range: class {
    constructor(line, character, endLine, endCharacter) {
      this.start = { line, character };
      this.end = { line: endLine, character: endCharacter };
    }
  },
  Location: class {
    constructor(uri, range) {
      Object.assign(this, { uri, range });
    }
  },
  tests: { createTestController: () => controller },
  window: { activeTextEditor: undefined, onDidChangeActiveTextEditor: () => nothing },
  workspace: {
    workspaceFolders: [{ uri: new Uri(folder) }],
    getConfiguration: () => ({ get: (_name, otherwise) => otherwise }),
    findFiles: async () => [new Uri(join(folder, "ruleset.yaml"))],
    createFileSystemWatcher: () => ({ ...nothing, onDidCreate: () => nothing, onDidDelete: () => nothing }),
    onDidChangeTextDocument: (look) => ((told.changed = look), nothing),
    onDidSaveTextDocument: () => nothing,
  },
};

// ---- the explorer, over a real server

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const { outputFiles } = await esbuild.build({
  entryPoints: [join(home, "src", "scenarios.ts")],
  bundle: true,
  write: false,
  platform: "node",
  format: "cjs",
  external: ["vscode"],
});
const bundle = { exports: {} };
new Function("module", "exports", "require", outputFiles[0].text)(bundle, bundle.exports, require);

const server = spawn(program, [...args, "lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const wire = rpc.createMessageConnection(
  new rpc.StreamMessageReader(server.stdout),
  new rpc.StreamMessageWriter(server.stdin),
);
wire.listen();
await wire.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {}, workspaceFolders: null });
await wire.sendNotification("initialized", {});
const asked = { ask: (command, ...given) => wire.sendRequest("workspace/executeCommand", { command, arguments: given }) };
const explorer = new bundle.exports.Scenarios(asked);
const free = { isCancellationRequested: false };

await controller.resolveHandler(undefined);
const [[, ruleset]] = controller.items;
await controller.resolveHandler(ruleset);
const files = [...ruleset.children].map(([, file]) => file);
const tree = Object.fromEntries(
  files.map((file) => [file.label, [...file.children].map(([, test]) => [test.label, test.range.start.line])]),
);

await controller.run({}, free);
const all = { seen: Run.last.seen, ended: Run.last.ended };

const [file] = files;
const text = readFileSync(file.uri.path, "utf8").replace("coins == 1", "coins == 7");
await wire.sendNotification("textDocument/didOpen", {
  textDocument: { uri: file.uri.toString(), languageId: "yaml", version: 1, text },
});
const [[, one], [, other]] = file.children;
await controller.run({ include: [one] }, free);
const changed = { seen: Run.last.seen, output: Run.last.output };
await controller.run({ include: [file], exclude: [other] }, free);
const without = Object.keys(Run.last.seen);
await controller.run({}, { isCancellationRequested: true });
const cancelled = Run.last.seen;

explorer.dispose();
await wire.sendRequest("shutdown");
await wire.sendNotification("exit");
wire.dispose();
process.stdout.write(JSON.stringify({ root: basename(ruleset.uri.path), label: ruleset.label, tree, all, changed, without, cancelled }));
