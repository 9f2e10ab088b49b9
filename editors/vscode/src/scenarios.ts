/** Scenarios as tests: a ruleset holds files, a file its scenarios. The server lists them and runs them. */

import * as path from "path";
import * as vscode from "vscode";
import type { Server } from "./server";
import { homes } from "./settings";

type Range = { start: { line: number; character: number }; end: { line: number; character: number } };
type Listed = { name: string; uri: string; range: Range };
type Problem = { message: string; expected: string; found: string; uri?: string; range?: Range };
type Outcome = { name: string; passed: boolean; seconds: number; problems: Problem[]; log: string[] };
type Ran = { why: string; outcomes: Outcome[] };

/** Milliseconds without a keystroke before files are looked at again. */
const REST = 600;

export class Scenarios implements vscode.Disposable {
  private readonly tests = vscode.tests.createTestController("rulelang", "rulelang");
  private readonly others: vscode.Disposable[];
  private waiting: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    this.tests.resolveHandler = async (item) => {
      if (item === undefined) {
        await this.lookAgain();
      } else if (item.parent === undefined) {
        await this.list(item);
      }
    };
    this.tests.refreshHandler = () => this.lookAgain();
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => this.run(request, token);
    this.tests.createRunProfile("Run", vscode.TestRunProfileKind.Run, run, true);
    const manifests = vscode.workspace.createFileSystemWatcher("**/{ruleset.yaml,mod.yaml}", false, true, false);
    this.others = [
      this.tests,
      manifests,
      manifests.onDidCreate(() => this.lookAgain()),
      manifests.onDidDelete(() => this.lookAgain()),
      vscode.workspace.onDidChangeTextDocument((change) => this.listSoon(change.document.uri)),
      vscode.workspace.onDidSaveTextDocument((document) => this.listSoon(document.uri)),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.listOnce(editor)),
    ];
  }

  dispose(): void {
    clearTimeout(this.waiting);
    for (const one of this.others) {
      one.dispose();
    }
  }

  /** Which rulesets and mods there are. What is in them is asked for when somebody looks. */
  async lookAgain(): Promise<void> {
    const items = (await homes()).map((home) => {
      const known = this.tests.items.get(home.toString());
      const item = known ?? this.tests.createTestItem(home.toString(), path.basename(home.fsPath), home);
      item.canResolveChildren = true;
      return item;
    });
    this.tests.items.replace(items);
    for (const item of items) {
      if (item.children.size > 0) {
        await this.list(item);
      }
    }
    await this.listOnce(vscode.window.activeTextEditor);
  }

  /** What somebody looks at is asked for, so that its scenarios can be run beside the text. */
  private async listOnce(editor: vscode.TextEditor | undefined): Promise<void> {
    const home = editor === undefined ? undefined : this.homeItem(editor.document.uri);
    if (home !== undefined && home.children.size === 0) {
      await this.list(home);
    }
  }

  private listSoon(changed: vscode.Uri): void {
    const home = this.homeItem(changed);
    if (home !== undefined && home.children.size > 0) {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => void this.list(home), REST);
    }
  }

  /** The ruleset or mod that a file belongs to: the innermost, where one lies in another. */
  private homeItem(file: vscode.Uri): vscode.TestItem | undefined {
    let found: vscode.TestItem | undefined;
    this.tests.items.forEach((item) => {
      if (file.path.startsWith(`${item.uri?.path}/`) && item.id.length > (found?.id.length ?? 0)) {
        found = item;
      }
    });
    return found;
  }

  /** The files and scenarios of a ruleset as they are now. Items that stay keep what came of them. */
  private async list(home: vscode.TestItem): Promise<void> {
    home.busy = true;
    try {
      const listed = (await this.server.ask<Listed[]>("rulelang.scenarios", home.id)) ?? [];
      const byFile = new Map<string, Listed[]>();
      for (const one of listed) {
        byFile.set(one.uri, [...(byFile.get(one.uri) ?? []), one]);
      }
      home.children.replace([...byFile].map(([uri, inside]) => this.fileItem(home, uri, inside)));
    } finally {
      home.busy = false;
    }
  }

  private fileItem(home: vscode.TestItem, uri: string, inside: Listed[]): vscode.TestItem {
    const file = vscode.Uri.parse(uri);
    const label = path.relative(home.uri?.fsPath ?? "", file.fsPath);
    const item = home.children.get(uri) ?? this.tests.createTestItem(uri, label, file);
    item.children.replace(
      inside.map((one) => {
        const id = `${uri}#${one.name}`;
        const test = item.children.get(id) ?? this.tests.createTestItem(id, one.name, file);
        test.range = asRange(one.range);
        return test;
      }),
    );
    return item;
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.tests.createTestRun(request);
    try {
      const left = new Set((request.exclude ?? []).map((item) => item.id));
      const chosen = request.include ?? [...this.tests.items].map(([, item]) => item);
      const files = new Map<vscode.TestItem, vscode.TestItem[]>();
      for (const item of chosen) {
        await this.collect(item, left, files);
      }
      for (const tests of files.values()) {
        tests.forEach((test) => run.enqueued(test));
      }
      for (const [file, tests] of files) {
        if (token.isCancellationRequested) {
          break;
        }
        await this.runFile(run, file, tests);
      }
    } finally {
      run.end();
    }
  }

  /** The tests below an item, by their files. */
  private async collect(
    item: vscode.TestItem,
    left: Set<string>,
    files: Map<vscode.TestItem, vscode.TestItem[]>,
  ): Promise<void> {
    if (left.has(item.id)) {
      return;
    }
    if (item.parent === undefined && item.children.size === 0) {
      await this.list(item);
    }
    const file = item.parent;
    if (file !== undefined && file.parent !== undefined) {
      files.set(file, [...(files.get(file) ?? []), item]);
      return;
    }
    for (const [, child] of item.children) {
      await this.collect(child, left, files);
    }
  }

  private async runFile(run: vscode.TestRun, file: vscode.TestItem, tests: vscode.TestItem[]): Promise<void> {
    tests.forEach((test) => run.started(test));
    const names = tests.length === file.children.size ? [] : tests.map((test) => test.label);
    const ran = await this.server.ask<Ran>("rulelang.test", file.id, names);
    const outcomes = new Map((ran?.outcomes ?? []).map((one) => [one.name, one]));
    const why = ran === undefined ? "the server does not run" : ran.why || "this scenario no longer exists";
    for (const test of tests) {
      const outcome = outcomes.get(test.label);
      if (outcome === undefined) {
        run.errored(test, new vscode.TestMessage(why));
      } else if (outcome.passed) {
        run.passed(test, outcome.seconds * 1000);
      } else {
        run.failed(test, outcome.problems.map(asMessage), outcome.seconds * 1000);
        outcome.log.forEach((line) => run.appendOutput(`${line}\r\n`, undefined, test));
      }
    }
  }
}

function asRange(range: Range): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

function asMessage(problem: Problem): vscode.TestMessage {
  const differ = problem.expected !== "" || problem.found !== "";
  const said = differ
    ? vscode.TestMessage.diff(problem.message, problem.expected, problem.found)
    : new vscode.TestMessage(problem.message);
  if (problem.uri !== undefined && problem.range !== undefined) {
    said.location = new vscode.Location(vscode.Uri.parse(problem.uri), asRange(problem.range));
  }
  return said;
}
