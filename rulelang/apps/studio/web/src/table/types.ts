// What the server says: documents as `rulelang/presentation/view/document_types.py` defines them, and the room around them.
export interface Fact {
  id: string;
  name: string;
  kind: string;
  label: string;
  text: string;
  phrase: string;
  value: number | boolean | string | string[] | null;
  quiet: boolean;
  short?: string;
  icon?: string;
  brief?: string;
  about?: string;
  items?: { id: string; label: string; value: number | boolean | string | null; text: string }[];
  level?: number;
  levels?: number;
}

export interface TraitText {
  id: string;
  label: string;
  text: string;
}

export interface Card {
  id: string;
  kind: string;
  label: string;
  row: string;
  text: string;
  traits: TraitText[];
  facts: Fact[];
  kept: Fact[];
  zones: Zone[];
  joined?: string;
}

export interface Zone {
  id: string;
  kind: "zone";
  name: string;
  label: string;
  holds: string;
  owner: string;
  slot: boolean;
  brief: boolean;
  count: number;
  about?: string;
  cards?: Card[];
}

export interface Thing {
  id: string;
  kind: string;
  label: string;
  number: number;
  owner: string | null;
  place: string | null;
  facts: Fact[];
  zones: Zone[];
}

export interface Group {
  kind: string;
  label: string;
  things: Thing[];
}

export interface Player {
  id: string;
  kind: "player";
  label: string;
  seat: number;
  you: boolean;
  active: boolean;
  asked: boolean;
  facts: Fact[];
  zones: Zone[];
  groups: Group[];
  score?: number;
}

export interface Row {
  id: string;
  kind: string;
  label: string;
  text: string;
  facts: Fact[];
  kept: Fact[];
  zones: Zone[];
  x?: number;
  y?: number;
}

export interface Listing {
  id: string;
  name: string;
  label: string;
  rows: Row[];
}

export interface Grid {
  id: string;
  name: string;
  label: string;
  width: number;
  height: number;
  round: boolean;
  spaces: Row[];
}

export interface Matrix {
  id: string;
  name: string;
  label: string;
  of: string[];
  cells: { id: string; at: string[]; labels: string[]; value: number; text: string }[];
}

export interface Option {
  id: string;
  kind: "action" | "choice" | "pass" | "effect";
  index: number;
  typed: string;
  label: string;
  sentence: string;
  action: string | null;
  source: string;
  parameters: { name: string; kind: string; label: string; value: number | boolean | string | null; text: string }[];
}

export interface Question {
  player: string | null;
  sentence: string;
  kind?: string;
  prompt?: string;
  options?: Option[];
  cards?: Card[];
}

export interface Document {
  title: string;
  lang: string;
  viewer: string | null;
  summary: string;
  over: boolean;
  round: number;
  phase: { id: string; label: string } | null;
  active: string | null;
  facts: Fact[];
  zones: Zone[];
  players: Player[];
  nobody: Group[];
  lists: Listing[];
  grids: Grid[];
  tables: Matrix[];
  question: Question | null;
  log: { entries: number; last: Record<string, number> };
}

export interface Look {
  colour?: string;
  icon?: string;
  /** A file of the ruleset. */
  picture?: string;
  short?: string;
}

export interface Looks {
  /** Names of zones, boards, kinds and `player` in the order in which they stand. */
  layout: string[];
  things: Record<string, Look>;
  rows: Record<string, Record<string, Look>>;
  members: Record<string, Record<string, Look>>;
  /** By sort and row, how a card looks that has no look of its own. */
  cards: Record<string, Record<string, Look>>;
}

export interface SeatInfo {
  seat: number;
  name: string;
  kind: "person" | "bot" | "open";
  agent: string;
  here: boolean;
}

export interface RoomInfo {
  id: string;
  title: string;
  begun: boolean;
  trouble: string;
  you: number;
  host: boolean;
  may_sit: boolean;
  seats: SeatInfo[];
  watching: number;
  /** Seats that have chosen before their turn. */
  answered: number[];
  speed: number;
  turn: number;
  /** Seconds until a bot plays for somebody who is away; 0: never. */
  away: number;
  left?: number;
  languages: string[];
  undo: boolean;
  invite?: string;
  watch?: string;
}

/** What a value has become; see `rulelang/presentation/view/document.py`. */
export interface Patch {
  is?: unknown;
  in?: Record<string, Patch>;
  no?: string[];
  of?: ([number, number] | { is?: unknown; at?: number; now?: Patch })[];
}

export interface News {
  t: "room";
  room?: Omit<RoomInfo, "undo" | "left">;
  table?: Document;
  patch?: Patch | null;
  undo?: boolean;
  left?: number;
  moves?: number;
  log?: string[];
  fresh?: boolean;
  looks?: Looks;
}

export interface Reason {
  action: string;
  reasons: { text: string; source: string; file?: string; line?: number }[];
}
