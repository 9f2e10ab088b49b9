// Plays games in a WebAssembly build of the generated C: `node wasm_games.mjs rules.wasm < job.json`.
// The job: the first words of a game, its cells, and for each game the words of its generators.
// Answers three lists of hashes: of the last words of playouts, of samples, and of all words after every decision.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const PAGE = 65536;
const OPTIONS = 1 << 18;
const job = JSON.parse(readFileSync(0, "utf8"));
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const rules = instance.exports;
const size = job.initial.length;

/** The address of this many new bytes at the end of the memory, which nothing in the library uses. */
function room(bytes) {
  return rules.memory.grow(Math.ceil(bytes / PAGE)) * PAGE;
}

// All room is taken before anything looks at the memory: it moves as it grows.
const context = room(Number(rules.rl_context_size()));
const TOLD = 6 + Number(rules.rl_values());
const [state, listed, given, record] = [room(4 * size), room(4 * OPTIONS), room(8 * 64), room(8 * TOLD)];
const words = new Int32Array(rules.memory.buffer, state, size);
const options = new Int32Array(rules.memory.buffer, listed, OPTIONS);
const option = new BigInt64Array(rules.memory.buffer, given, 64);
const trouble = new BigInt64Array(rules.memory.buffer, record, TOLD);
const bytes = new Uint8Array(rules.memory.buffer, state, 4 * size);
if (Number(rules.rl_size()) !== size) throw new Error("the library belongs to another table");
rules.rl_context(context);
rules.rl_buffer(context, listed, BigInt(OPTIONS));

/** The error record, which must be empty. */
function wellDone() {
  rules.rl_error(context, record);
  if (trouble[0] !== 0n) throw new Error(`error ${trouble[0]} ${trouble[1]}`);
}

function begin(seed) {
  words.set(job.initial);
  job.cells.forEach((cell, i) => (words[cell] = seed[i]));
}

function playout(seed, mode) {
  begin(seed);
  rules.rl_playout(context, state, mode);
  wellDone();
  return createHash("sha256").update(bytes).digest("hex");
}

function decisions(seed) {
  const hash = createHash("sha256");
  begin(seed);
  let status = rules.rl_begin(context, state, 0, 0n);
  for (let number = 0; ; number++) {
    wellDone();
    hash.update(bytes);
    if (status !== 1n) return hash.digest("hex");
    let at = 0;
    for (let k = (number * 7919 + 13) % Number(trouble[4]); k; k--) at += options[at] + 1;
    const length = options[at];
    for (let i = 0; i < length; i++) option[i] = BigInt(options[at + 1 + i]);
    status = rules.rl_resume(context, state, 0, 0n, given, BigInt(length));
  }
}

console.log(
  JSON.stringify([
    job.playouts.map((seed) => playout(seed, 0n)),
    job.playouts.map((seed) => playout(seed, 1n)),
    job.decisions.map(decisions),
  ]),
);
