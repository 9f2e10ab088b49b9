/** What VS Code starts: the client of `rulelang lsp`, the scenarios as tests, and a few commands. */

import * as vscode from "vscode";
import { Server } from "./server";
import { Scenarios } from "./scenarios";
import { homeOf, program } from "./settings";
import { inTerminal } from "./terminal";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const started = new Server();
  server = started;
  const scenarios = new Scenarios(started);
  const restart = async (): Promise<void> => {
    await started.restart();
    await scenarios.lookAgain();
  };
  context.subscriptions.push(
    scenarios,
    vscode.commands.registerCommand("rulelang.restart", restart),
    vscode.commands.registerCommand("rulelang.terminal", (title: string, command: string[]) =>
      inTerminal(title, command.slice(1)),
    ),
    vscode.commands.registerCommand("rulelang.playGame", playGame),
    vscode.commands.registerCommand("rulelang.new", beginNew),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("rulelang.path") || change.affectsConfiguration("rulelang.folder")) {
        await restart();
      }
    }),
  );
  await started.start();
  await scenarios.lookAgain();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

async function playGame(): Promise<void> {
  const file = vscode.window.activeTextEditor?.document.uri;
  const home = file === undefined ? undefined : await homeOf(file);
  if (home === undefined) {
    void vscode.window.showWarningMessage("Open a file of the game that you want to play.");
    return;
  }
  await vscode.workspace.saveAll(false);
  await inTerminal("play", ["play", home.fsPath]);
}

/** `rulelang new` asks for whatever else it wants to know, in its terminal. */
async function beginNew(): Promise<void> {
  const kinds = ["ruleset", "mod", "trait", "scenario"];
  const kind = await vscode.window.showQuickPick(kinds, { title: `What ${program()} is to begin` });
  if (kind !== undefined) {
    const file = vscode.window.activeTextEditor?.document.uri;
    const home = file === undefined ? undefined : await homeOf(file);
    const inside = kind === "trait" || kind === "scenario" ? home : undefined;
    await inTerminal(`new ${kind}`, ["new", kind], inside);
  }
}
