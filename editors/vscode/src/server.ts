/** The client of `rulelang lsp`. */

import * as vscode from "vscode";
import {
  ExecuteCommandRequest,
  LanguageClient,
  type ClientCapabilities,
  type LanguageClientOptions,
  type Location,
  type Position,
  type ServerOptions,
  type StaticFeature,
} from "vscode-languageclient/node";
import { chosenFolder, program, root } from "./settings";

/** The command of VS Code's own list of references. It takes its own kinds of places, and not those of the protocol. */
const REFERENCES = "editor.action.showReferences";

export class Server {
  private client: LanguageClient | undefined;

  get running(): boolean {
    return this.client?.isRunning() ?? false;
  }

  async start(): Promise<void> {
    const cwd = root();
    const command = program();
    const options: ServerOptions = { command, args: ["lsp"], options: cwd === undefined ? {} : { cwd } };
    const client = new LanguageClient("rulelang", "rulelang", options, this.options());
    client.registerFeature(new Terminals());
    this.client = client;
    try {
      await client.start();
    } catch (problem) {
      await this.absent(command, problem);
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop()) {
      await client.stop();
    }
    await client?.dispose();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** What a command of the server gives; nothing while it does not run. */
  async ask<T>(command: string, ...words: unknown[]): Promise<T | undefined> {
    if (!this.running || this.client === undefined) {
      return undefined;
    }
    return (await this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: words })) as T;
  }

  private options(): LanguageClientOptions {
    const folder = chosenFolder();
    return {
      documentSelector: [
        { scheme: "file", language: "rulelang" },
        { scheme: "file", language: "yaml" },
        { scheme: "file", pattern: "**/*.{csv,tsv}" },
      ],
      initializationOptions: { folders: folder === undefined ? [] : [vscode.Uri.file(folder).toString()] },
      middleware: {
        provideCodeLenses: async (document, token, next) => (await next(document, token))?.map((lens) => this.own(lens)),
      },
    };
  }

  private own(lens: vscode.CodeLens): vscode.CodeLens {
    const [uri, position, places] = (lens.command?.arguments ?? []) as [string, Position, Location[]];
    const convert = this.client?.protocol2CodeConverter;
    if (lens.command?.command === REFERENCES && convert !== undefined) {
      const there = places.map((place) => convert.asLocation(place));
      lens.command.arguments = [convert.asUri(uri), convert.asPosition(position), there];
    }
    return lens;
  }

  private async absent(command: string, problem: unknown): Promise<void> {
    const install = "Install it with `pip install 'rulelang[editor]'`, or set `rulelang.path`.";
    const said = `The language server \`${command} lsp\` does not start. ${install}`;
    this.client?.error(String(problem), undefined, false);
    const [settings, output] = ["Open the settings", "Show the output"];
    const chosen = await vscode.window.showErrorMessage(said, settings, output);
    if (chosen === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "rulelang.path");
    } else if (chosen === output) {
      this.client?.outputChannel.show();
    }
  }
}

/** Tells the server that commands can be run in a terminal. */
class Terminals implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const before = (capabilities.experimental ?? {}) as object;
    capabilities.experimental = { ...before, commands: ["rulelang.terminal"] };
  }
  initialize(): void {}
  getState(): { kind: "static" } {
    return { kind: "static" };
  }
  clear(): void {}
}
