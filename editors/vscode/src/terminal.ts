/** Commands of `rulelang` in a terminal of the editor: as tasks, so that no shell has to be spoken to. */

import * as vscode from "vscode";
import { program, root } from "./settings";

export async function inTerminal(title: string, words: string[], folder?: vscode.Uri): Promise<void> {
  await vscode.workspace.saveAll(false);
  const cwd = folder?.fsPath ?? root();
  const execution = new vscode.ProcessExecution(program(), words, cwd === undefined ? {} : { cwd });
  const task = new vscode.Task({ type: "rulelang", words }, vscode.TaskScope.Workspace, title, "rulelang", execution);
  task.presentationOptions = { focus: true, panel: vscode.TaskPanelKind.Dedicated, clear: true, echo: false };
  await vscode.tasks.executeTask(task);
}
