// Makes the bundle of the pages in ../static. `--watch` makes it again after each change.
import { context } from "esbuild";
import { cp, mkdir, rm } from "node:fs/promises";

const out = new URL("../static/", import.meta.url);
const watching = process.argv.includes("--watch");

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const made = await context({
  absWorkingDir: new URL(".", import.meta.url).pathname,
  entryPoints: { app: "src/main.tsx" },
  outdir: out.pathname,
  bundle: true,
  format: "esm",
  splitting: true, // the editor is large, and tables do not wait for it
  chunkNames: "chunks/[name]-[hash]",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: !watching,
  sourcemap: watching ? "inline" : false,
  legalComments: "eof",
  logLevel: "info",
});
await made.rebuild();
await cp(new URL("src/index.html", import.meta.url), new URL("index.html", out));
await cp(new URL("src/icon.svg", import.meta.url), new URL("icon.svg", out));
if (watching) await made.watch();
else await made.dispose();
