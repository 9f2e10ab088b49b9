// Plays the table of a game that `rulelang export wasm` wrote into this folder. The types are in rulelang.d.ts.
//
//     import { load } from "./rulelang.mjs";
//     const table = await load();
//     const state = table.start(7);
//     while (!state.over) state.play(state.options[0]);
//     console.log(state.scores);

const FORMAT = 1;
const PAGE = 65536;
const RECORD = 6; // words of the error record before its values
const PAUSED = 1n;
const MASK64 = (1n << 64n) - 1n;
const FACTOR = 998578647n;

/** Load the table of a folder: that of this file, unless another one is named. */
export async function load(folder = new URL(".", import.meta.url)) {
  const read = async (name) => {
    const url = new URL(name, folder);
    if (url.protocol === "file:") return (await import("node:fs/promises")).readFile(url);
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const [code, text] = await Promise.all([read("rules.wasm"), read("table.json")]);
  const { instance } = await WebAssembly.instantiate(code, {});
  return new Table(instance.exports, JSON.parse(new TextDecoder().decode(text)));
}

/** A failure of the rules themselves, with the code that `rulelang explain` knows. */
export class RuleError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "RuleError";
    this.code = code;
  }
}

export class Table {
  constructor(rules, data) {
    if (data.format !== FORMAT) throw new Error(`table.json has format ${data.format}, and this file reads ${FORMAT}`);
    if (Number(rules.rl_size()) !== data.size) throw new Error("rules.wasm and table.json belong to different tables");
    this.rules = rules;
    this.data = data;
    // All memory is taken before anything looks at it: it moves as it grows.
    const record = RECORD + Number(rules.rl_values());
    const [context, words, given, trouble] = [Number(rules.rl_context_size()), 4 * data.size, 8 * 64, 8 * record].map(
      (bytes) => rules.memory.grow(Math.ceil(bytes / PAGE)) * PAGE,
    );
    this.at = { context, words, given, trouble };
    this.record = record;
    rules.rl_context(context);
    this.room(1 << 14);
  }

  /** Give the rules a buffer for options of this many words. */
  room(words) {
    this.listed = this.rules.memory.grow(Math.ceil((4 * words) / PAGE)) * PAGE;
    this.most = words;
    this.rules.rl_buffer(this.at.context, this.listed, BigInt(words));
  }

  /** Begin a game. The same seed is the same game, here and in Python. */
  start(seed = 7) {
    const state = new State(this, Int32Array.from(this.data.initial));
    const { rng_x, rng_c } = this.data.cells;
    [state.words[rng_x], state.words[rng_c]] = seedWords(BigInt(seed));
    state.run((at) => this.rules.rl_begin(at.context, at.words, 0, 0n));
    return state;
  }

  /** Go on with words that `State.words` has returned, from this table. */
  restore(words) {
    if (words.length !== this.data.size) throw new Error("these words belong to another table");
    const state = new State(this, Int32Array.from(words));
    if (state.words[this.data.cells.frame]) state.run((at) => this.rules.rl_options(at.context, at.words));
    return state;
  }
}

export class State {
  constructor(table, words) {
    this.table = table;
    this.words = words;
    this.options = [];
  }

  get over() {
    return this.words[this.table.data.cells.over] !== 0;
  }

  get round() {
    return this.words[this.table.data.cells.round];
  }

  /** The seat that is asked, from 1; 0 when nobody is. */
  get player() {
    return this.words[this.table.data.cells.decider];
  }

  get site() {
    const { cells, sites } = this.table.data;
    return this.words[cells.frame] ? sites[this.words[cells.site] - 1] : null; // word 0: nobody is asked
  }

  get prompt() {
    return this.site?.prompt ?? "";
  }

  /** The score of each seat: scores[0] is that of seat 1. */
  get scores() {
    return this.rank(0);
  }

  /** One part of the rank of each seat: 0 is the score, then come the tiebreaks. */
  rank(part) {
    const seats = Array.from({ length: this.table.data.players }, (_, i) => i + 1);
    return seats.map((seat) => this.pure(this.table.data.ranks[part], [seat]));
  }

  clone() {
    const other = new State(this.table, this.words.slice());
    other.options = this.options;
    return other;
  }

  /** Take an option, or the one with this index. */
  play(option) {
    const chosen = typeof option === "number" ? this.options[option] : option;
    const key = chosen && this.options.includes(chosen) ? chosen.key : null;
    if (key === null) throw new RangeError("this is not one of the options");
    const { rules, at } = this.table;
    new BigInt64Array(rules.memory.buffer, at.given, 64).set(key.map(BigInt));
    this.run(() => rules.rl_resume(at.context, at.words, 0, 0n, at.given, BigInt(key.length)));
  }

  /** Play to the end, with options taken at random. The seed decides the choices. */
  playout(seed = 7) {
    const { policy_x, policy_c } = this.table.data.cells;
    [this.words[policy_x], this.words[policy_c]] = seedWords(policySeed(BigInt(seed)));
    this.run((at) => this.table.rules.rl_playout(at.context, at.words, 0n));
  }

  /** The value of an attribute of a thing (its handle); of the game with handle 0. */
  read(kind, name, handle = 0) {
    const found = this.table.data.attributes.find((one) => one.kind === kind && one.name === name);
    if (!found) throw new RangeError(`there is no attribute \`${name}\` of \`${kind || "the game"}\``);
    return this.words[found.base + handle * found.width];
  }

  /** The cards of a zone, bottom first, as handles; `owner` is the handle of the thing whose zone it is. */
  cards(name, owner = 0) {
    const zone = this.table.data.zones[name];
    if (!zone) throw new RangeError(`there is no zone \`${name}\``);
    const { words } = this;
    if (zone.array) {
      const base = zone.base + owner * zone.stride;
      return Array.from(words.subarray(base + 1, base + 1 + words[base]));
    }
    const found = [];
    for (let card = words[zone.first + owner]; card; card = words[this.table.data.cardNext + card]) found.push(card);
    return found;
  }

  // ---- calls of the rules

  /** Return the words in the memory of the rules, which move as the memory grows. */
  get shared() {
    return new Int32Array(this.table.rules.memory.buffer, this.table.at.words, this.words.length);
  }

  run(call) {
    const { table } = this;
    const { rules, at } = table;
    this.shared.set(this.words);
    const status = call(at);
    let record = this.trouble();
    if (status === PAUSED && record[5] > table.most) {
      table.room(2 * record[5]);
      rules.rl_options(at.context, at.words);
      record = this.trouble();
    }
    this.words.set(this.shared);
    this.options = status === PAUSED ? this.listed(record[4], record[5]) : [];
  }

  /** Read the error record; throw what it reports. */
  trouble() {
    const { rules, at, record, data } = this.table;
    rules.rl_error(at.context, at.trouble);
    const found = Array.from(new BigInt64Array(rules.memory.buffer, at.trouble, record), Number);
    if (found[0] === 0) return found;
    const kind = data.errors[found[0] - 1];
    const values = found.slice(RECORD, RECORD + found[2]);
    if (kind === "FAIL") {
      const { code, text } = data.fails[found[1]];
      throw new RuleError(code, text.replace(/\{(\d*)\}/g, (_, i) => String(values[i === "" ? 0 : Number(i)])));
    }
    if (kind === "RANGE") {
      const { name, low, high } = data.ranges[found[1]];
      throw new RuleError("", `${name} would be ${values[0]}; it is from ${low ?? "..."} to ${high ?? "..."}`);
    }
    throw new RuleError("", `the rules failed (${kind})`);
  }

  listed(count, used) {
    const words = new Int32Array(this.table.rules.memory.buffer, this.table.listed, used);
    const { site } = this;
    const found = [];
    for (let i = 0, at = 0; i < count; i++) {
      const key = Array.from(words.subarray(at + 1, at + 1 + words[at]));
      found.push({ index: i, key, action: site.actions[key[0]]?.id ?? "", label: this.label(site, key) });
      at += words[at] + 1;
    }
    return found;
  }

  label(site, [tag, ...values]) {
    if (tag < 0) return site.kind === "offer" ? "pass" : "none";
    const action = site.actions[tag];
    const texts = action.types.flatMap((kind, i) =>
      !kind || i >= values.length ? [] : [this.table.data.labels[kind]?.[values[i]] ?? String(values[i])],
    );
    return site.kind === "choose" && texts.length ? texts.join(" ") : [action.name, ...texts].join(" ");
  }

  pure(number, args) {
    const { rules, at } = this.table;
    this.shared.set(this.words);
    new BigInt64Array(rules.memory.buffer, at.given, 64).set(args.map(BigInt));
    const value = Number(rules.rl_pure(at.context, at.words, BigInt(number), at.given));
    this.trouble();
    return value;
  }
}

// ---- the generator of chance, as in rulelang/runtime/rng.py

function splitmix64(seed) {
  let z = (seed + 0x9e3779b97f4a7c15n) & MASK64;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK64;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK64;
  return z ^ (z >> 31n);
}

function seedWords(seed) {
  const first = splitmix64(BigInt.asUintN(64, seed));
  return [Number(first & ((1n << 30n) - 1n)), Number((splitmix64(first) % (FACTOR - 2n)) + 1n)];
}

function policySeed(seed) {
  return splitmix64(BigInt.asUintN(64, seed) ^ 0x706f6c696379n);
}
