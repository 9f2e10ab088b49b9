/** One thing to choose at a decision. */
export interface Option {
  /** Its place among the options, from 0. */
  readonly index: number;
  /** The tag of the action, then its values; the tag of a pass is -1. */
  readonly key: readonly number[];
  /** The id of the action; "" for a pass. */
  readonly action: string;
  /** What a player reads, in English. Options with the same label differ in their keys. */
  readonly label: string;
}

/** A place in the rules where somebody is asked. */
export interface Site {
  readonly kind: "offer" | "choose" | "order" | "react" | "stop";
  readonly prompt: string;
  readonly actions: readonly { readonly id: string; readonly name: string; readonly types: readonly string[] }[];
}

/** What `table.json` says of a table. */
export interface TableData {
  readonly format: number;
  readonly game: string;
  readonly title: string;
  readonly version: string;
  /** A fingerprint of the rules. */
  readonly content: string;
  readonly players: number;
  readonly options: Readonly<Record<string, number>>;
  readonly cards: readonly { readonly type: string; readonly row: string; readonly label: string }[];
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly [more: string]: unknown;
}

/** Load the table of a folder: that of this file, unless another one is named. */
export function load(folder?: string | URL): Promise<Table>;

/** A failure of the rules themselves. `code` is what `rulelang explain` knows, or "". */
export class RuleError extends Error {
  readonly code: string;
}

export class Table {
  readonly data: TableData;
  /** Begin a game. The same seed is the same game, here and in Python. */
  start(seed?: number | bigint): State;
  /** Go on with words that `State.words` has returned, from this table. */
  restore(words: ArrayLike<number>): State;
}

export class State {
  readonly table: Table;
  /** The whole state: integers at fixed places, the same as in Python. Do not change them. */
  readonly words: Int32Array;
  /** The options of the pending decision; none when the game is over. */
  readonly options: readonly Option[];
  readonly over: boolean;
  readonly round: number;
  /** The seat that is asked, from 1; 0 when nobody is. */
  readonly player: number;
  readonly site: Site | null;
  readonly prompt: string;
  /** The score of each seat: scores[0] is that of seat 1. */
  readonly scores: number[];
  /** One part of the rank of each seat: 0 is the score, then come the tiebreaks. */
  rank(part: number): number[];
  clone(): State;
  /** Take an option, or the one with this index. RangeError for anything else. */
  play(option: Option | number): void;
  /** Play to the end, with options taken at random. The seed decides the choices. */
  playout(seed?: number | bigint): void;
  /** The value of an attribute of a thing (its handle); of the game with kind "" and handle 0. */
  read(kind: string, name: string, handle?: number): number;
  /** The cards of a zone, bottom first, as handles; `owner` is the handle of the thing whose zone it is. */
  cards(zone: string, owner?: number): number[];
}
