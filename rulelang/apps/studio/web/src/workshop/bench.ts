// What is open, what is not saved yet, and what was found out about it. One for the page; views listen to it.
import { ask, keep, kept, Refused } from "../frame/api";
import { reason } from "../frame/doing";
import { heard } from "../frame/speech";
import type { Judged, Listing, Outcome, Scenario, Weight } from "./types";
import { say } from "./words";

/** A problem at a place, as the language server tells it. Lines and characters count from 0. */
export interface Finding {
  path: string;
  line: number;
  character: number;
  endLine: number;
  endCharacter: number;
  code: string;
  severity: "error" | "warning" | "info";
  message: string;
  page: string;
}

interface Open {
  text: string; // as it is written here
  saved: string; // as it lies on the disk
  version: string;
  conflict: boolean;
}

const RESTS = 900; // milliseconds without a keystroke before a file is saved
const SURER = 20_000; // games
const DRAFT = "rulelang.draft.";

export class Bench {
  listing: Listing | null = null;
  path = "";
  files = new Map<string, Open>();
  findings = new Map<string, Finding[]>();
  outcomes = new Map<string, Outcome>(); // by scenario
  running = "";
  weight: Weight | null = null;
  weighing: "" | "playing" | "mend" | string = ""; // what is done, or why nothing is
  judged: Judged | null = null;
  unjudged = ""; // why not
  said = ""; // what is said at the foot of the page
  goal: { path: string; line: number; column: number } | null = null;
  private listeners = new Set<() => void>();
  private timer = 0;
  private saving: Promise<void> = Promise.resolve();
  private weighed = "";
  private turn = 0;
  private making = 0; // traits that are half made: nothing is said about the game meanwhile

  constructor(readonly folder: string) {}

  // ---- listening

  listen(heard: () => void): () => void {
    this.listeners.add(heard);
    return () => this.listeners.delete(heard);
  }

  tell(): void {
    for (const heard of this.listeners) heard();
  }

  say(text: string): void {
    this.said = text;
    this.tell();
  }

  private remember(name: string): string {
    return `${DRAFT}${this.folder}:${name}`;
  }

  // ---- files

  /** Called when files of the disk may be others: the language server is told. */
  looked: () => void = () => undefined;

  async begin(): Promise<void> {
    await this.list();
    const last = kept(`rulelang.last.${this.folder}`);
    const listing = this.listing;
    if (!listing) return;
    const known = [...listing.traits.map((one) => one.path), ...listing.files];
    const first = last && known.includes(last) ? last : (known.find((path) => path.endsWith(".rules")) ?? known[0]);
    if (first) await this.open(listing.traits[0] && !last ? listing.traits[0].path : first);
    void this.weigh();
  }

  async list(): Promise<void> {
    try {
      this.listing = await ask<Listing>("/api/workshop/files");
      this.looked();
      this.tell();
    } catch (error) {
      this.say(reason(error));
    }
  }

  /** The text of a file as it is written here. */
  async read(path: string): Promise<string> {
    const known = this.files.get(path);
    if (known) return known.text;
    const found = await ask<{ text: string; version: string }>(`/api/workshop/file?path=${encodeURIComponent(path)}`);
    const draft = kept(this.remember(path));
    const text = draft !== null && draft !== "" && draft !== found.text ? draft : found.text;
    this.files.set(path, { text, saved: found.text, version: found.version, conflict: false });
    if (text !== found.text) this.said = say("here_again", { path });
    return text;
  }

  async open(path: string, line = 0, column = 0): Promise<void> {
    try {
      await this.read(path);
    } catch (error) {
      this.say(reason(error));
      return;
    }
    this.path = path;
    this.goal = line > 0 ? { path, line, column: Math.max(1, column) } : null;
    keep(`rulelang.last.${this.folder}`, path);
    this.tell();
  }

  get now(): Open | null {
    return this.files.get(this.path) ?? null;
  }

  /** The texts that are not saved yet, by file. */
  get unsaved(): Record<string, string> {
    return Object.fromEntries([...this.files].filter(([, file]) => file.text !== file.saved).map(([path, file]) => [path, file.text]));
  }

  get dirty(): boolean {
    return [...this.files.values()].some((file) => file.text !== file.saved);
  }

  /** Somebody has written: kept at once in this browser, and on the disk as soon as the keyboard rests. */
  write(path: string, text: string): void {
    const file = this.files.get(path);
    if (!file || file.text === text) return;
    file.text = text;
    keep(this.remember(path), text === file.saved ? "" : text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), RESTS);
    this.tell();
  }

  /** Saves what is not saved. Several calls wait for each other. */
  save(): Promise<void> {
    clearTimeout(this.timer);
    this.saving = this.saving.then(() => this.saveNow());
    return this.saving;
  }

  private async saveNow(): Promise<void> {
    let changed = false;
    for (const [path, file] of this.files) {
      if (file.text === file.saved || file.conflict) continue;
      const text = file.text;
      try {
        const done = await ask<{ version: string }>("/api/workshop/file", {
          method: "PUT",
          body: { path, text, version: file.version },
        });
        file.saved = text;
        file.version = done.version;
        if (file.text === text) keep(this.remember(path), "");
        changed = true;
      } catch (error) {
        if (error instanceof Refused && error.status === 409) file.conflict = true;
        this.said = reason(error);
      }
    }
    this.tell();
    if (!changed) return;
    const before = this.broken;
    if (!before) void this.weigh(); // at once: whether something is wrong now is found out meanwhile
    await this.list();
    if (before || this.broken) void this.weigh();
  }

  /** Of a file that another program has changed: take its text, or write over it. */
  async settle(path: string, mine: boolean): Promise<void> {
    const file = this.files.get(path);
    if (!file) return;
    const found = await ask<{ text: string; version: string }>(`/api/workshop/file?path=${encodeURIComponent(path)}`);
    file.version = found.version;
    file.saved = found.text;
    file.conflict = false;
    if (!mine) file.text = found.text;
    keep(this.remember(path), "");
    this.said = "";
    this.tell();
    if (mine) await this.save();
  }

  /** What lies on the disk of a file that another part of the studio has changed. */
  async again(path: string): Promise<void> {
    const file = this.files.get(path);
    if (file && file.text === file.saved) {
      const found = await ask<{ text: string; version: string }>(`/api/workshop/file?path=${encodeURIComponent(path)}`);
      this.files.set(path, { text: found.text, saved: found.text, version: found.version, conflict: false });
    }
    await this.list();
    this.tell();
  }

  /** A small whole game to begin with. */
  async ruleset(title: string): Promise<void> {
    const made = await ask<{ path: string }>("/api/workshop/ruleset", { body: { title } });
    await this.list();
    await this.open(this.listing?.traits[0]?.path ?? made.path);
    void this.weigh();
  }

  async trait(name: string): Promise<string> {
    await this.save();
    this.making++;
    this.turn++; // what is being played now would read files that are half made
    this.weighing = "";
    try {
      const made = await ask<{ path: string }>("/api/workshop/trait", { body: { name } });
      await this.list();
      await this.open(made.path);
      return made.path;
    } finally {
      this.making--;
      void this.weigh();
    }
  }

  // ---- scenarios

  /** The scenario that was made with a trait: by its rules of now, or taken out. */
  async example(path: string, drop: boolean): Promise<void> {
    await this.save();
    this.making++;
    try {
      await ask<{ path: string }>("/api/workshop/example", { body: { path, drop } });
      for (const name of this.outcomes.keys()) if (name.startsWith(`${path}: `)) this.outcomes.delete(name);
      await this.again(path);
    } catch (error) {
      this.say(reason(error));
    } finally {
      this.making--;
    }
    if (!drop) await this.run(path);
  }

  get scenarios(): Scenario[] {
    return this.listing?.scenarios ?? [];
  }

  async run(path: string, name = ""): Promise<Outcome[]> {
    await this.save();
    this.running = `${path}: ${name}`;
    this.tell();
    try {
      const found = await ask<{ outcomes: Outcome[]; refused: string }>("/api/workshop/run", { body: { path, name } });
      for (const one of found.outcomes) this.outcomes.set(`${one.path}: ${one.name}`, one);
      const failed = found.outcomes.filter((one) => !one.passed).length;
      this.said = found.refused || say(failed ? "n_failed" : "n_passed", { n: found.outcomes.length, failed });
      return found.outcomes;
    } catch (error) {
      this.said = reason(error);
      return [];
    } finally {
      this.running = "";
      this.tell();
    }
  }

  // ---- the balance strip

  /** Whether there are mistakes, so that nobody can play it. */
  private get broken(): boolean {
    return !!this.listing?.problems.some((one) => one.severity === "error");
  }

  /** Plays the game in the background, if it is not the one that was played last. */
  async weigh(): Promise<void> {
    if (this.making) return;
    const listing = this.listing;
    if (!listing?.game || this.broken) {
      this.turn++; // what is being played now is not asked for any more
      this.weighing = listing?.game ? "mend" : "";
      this.tell();
      return;
    }
    const versions = [...this.files].map(([path, file]) => `${path} ${file.version}`).join("\n");
    if (versions === this.weighed && this.weight) return;
    const turn = ++this.turn;
    this.weighing = "playing";
    this.tell();
    try {
      const found = await ask<Weight>("/api/workshop/weigh", { body: {} });
      if (turn !== this.turn) return;
      this.weight = found;
      this.weighed = versions;
      this.weighing = "";
      void this.judge(turn).then(() => this.sharpen(turn));
    } catch (error) {
      if (turn !== this.turn) return;
      this.weighing = reason(error);
    }
    this.tell();
  }

  /** Has more games played, as long as nothing is changed and there are some to come. */
  private async sharpen(turn: number): Promise<void> {
    while (turn === this.turn && this.weight?.more) {
      try {
        const found = await ask<Weight>("/api/workshop/weigh", { body: { more: true } });
        if (turn !== this.turn) return;
        this.weight = found;
        this.tell();
      } catch {
        return; // something is asked for that matters more
      }
    }
  }

  /** What each trait does to winning, in the game that was weighed. */
  private async judge(turn: number, games?: number): Promise<void> {
    this.judged = null;
    this.unjudged = "";
    try {
      const found = await ask<Judged>("/api/workshop/weigh", { body: { traits: true, ...(games ? { games } : {}) } });
      if (turn === this.turn) this.judged = found;
    } catch (error) {
      if (turn === this.turn) this.unjudged = reason(error);
    }
    this.tell();
  }

  /** Another language was chosen: what traits do is said anew. */
  spoken(): void {
    if (this.judged) void this.judge(this.turn);
  }

  /** Has so many games played that more can be said of traits, as far as the time allows it. */
  surer(): void {
    void this.judge(this.turn, SURER);
    this.tell();
  }

  /** The trait that is open. */
  get openTrait(): string {
    return this.listing?.traits.find((one) => one.path === this.path)?.id ?? "";
  }
}

/** A text that is written in several languages, in the one that is chosen, or the first of those that it has. */
export function inOurs(texts: Record<string, string>): string {
  return texts[heard()] ?? texts.en ?? Object.values(texts)[0] ?? "";
}
