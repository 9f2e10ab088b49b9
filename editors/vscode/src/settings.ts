/** What the user has set, and where rulesets lie. */

import * as path from "path";
import * as vscode from "vscode";

const MANIFESTS = ["ruleset.yaml", "mod.yaml"];

/** The first folder of the workspace: settings with paths are relative to it. */
export function root(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

/** The program `rulelang`: a bare name is looked for on the PATH. */
export function program(): string {
  const said = vscode.workspace.getConfiguration("rulelang").get<string>("path", "").trim() || "rulelang";
  const base = root();
  return /[\\/]/.test(said) && !path.isAbsolute(said) && base !== undefined ? path.join(base, said) : said;
}

/** The folder to look at from the start, if one is set. */
export function chosenFolder(): string | undefined {
  const said = vscode.workspace.getConfiguration("rulelang").get<string>("folder", "").trim();
  return said === "" ? undefined : path.resolve(root() ?? ".", said);
}

/** The folders of all rulesets and mods of the workspace, or the one that is set. */
export async function homes(): Promise<vscode.Uri[]> {
  const chosen = chosenFolder();
  if (chosen !== undefined) {
    return [vscode.Uri.file(chosen)];
  }
  const found = await vscode.workspace.findFiles(`**/{${MANIFESTS.join(",")}}`, "**/{node_modules,.*}/**");
  const folders = found.map((file) => vscode.Uri.joinPath(file, ".."));
  const unique = new Map(folders.map((folder) => [folder.toString(), folder]));
  return [...unique.values()].sort((a, b) => a.path.localeCompare(b.path));
}

/** The folder of the ruleset or mod that a file belongs to: the nearest above it with a manifest. */
export async function homeOf(file: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (let at = vscode.Uri.joinPath(file, ".."); ; at = vscode.Uri.joinPath(at, "..")) {
    for (const name of MANIFESTS) {
      if (await exists(vscode.Uri.joinPath(at, name))) {
        return at;
      }
    }
    if (at.path === "/" || vscode.Uri.joinPath(at, "..").path === at.path) {
      return undefined;
    }
  }
}

async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
