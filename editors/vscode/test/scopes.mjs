// Reads [{scope, text}] from standard input and gives, for each, [start, end, scope] of all that has one: what an editor
// colours, by the grammars of this folder and that of YAML. The last scope is the one that counts.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const home = join(dirname(fileURLToPath(import.meta.url)), "..");
const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const own = new Map(manifest.contributes.grammars.map((one) => [one.scopeName, join(home, one.path)]));
const injected = manifest.contributes.grammars.filter((one) => one.injectTo);

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const yaml = join(home, "node_modules", "tm-grammars", "grammars", "yaml.json");
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const file = own.get(scope) ?? (scope === "source.yaml" ? yaml : undefined);
    return file === undefined ? null : parseRawGrammar(readFileSync(file, "utf8"), file);
  },
  getInjections: (scope) => injected.filter((one) => one.injectTo.includes(scope)).map((one) => one.scopeName),
});

const found = [];
for (const { scope, text } of JSON.parse(readFileSync(0, "utf8"))) {
  const grammar = await registry.loadGrammar(scope);
  const tokens = [];
  let stack = INITIAL;
  let at = 0;
  for (const line of text.split("\n")) {
    const done = grammar.tokenizeLine(line, stack);
    for (const token of done.tokens) {
      const end = Math.min(token.endIndex, line.length);
      if (end > token.startIndex) tokens.push([at + token.startIndex, at + end, token.scopes]);
    }
    stack = done.ruleStack;
    at += line.length + 1;
  }
  found.push(tokens);
}
process.stdout.write(JSON.stringify(found));
