// What the server tells the workshop.
export interface Trait {
  id: string;
  path: string;
  title: Record<string, string>;
  text: Record<string, string>;
  copies: number | null;
  problems: number;
}

export interface Scenario {
  id: string;
  name: string;
  path: string;
  line: number;
  /** It was made together with the trait of this file. */
  example: boolean;
}

export interface Problem {
  path: string | null;
  line: number;
  column: number;
  code: string;
  severity: string;
  message: string;
  because: string;
  hint: string;
}

export interface Listing {
  game: { id: string; title: string; home: string; players: [number, number] } | null;
  root: string;
  traits: Trait[];
  scenarios: Scenario[];
  files: string[];
  /** Files with rows of cards: they have forms. */
  forms: string[];
  problems: Problem[];
  languages: string[];
}

export interface Failure {
  path: string | null;
  line: number;
  what: string;
  message: string;
  expected: string[];
  found: string[];
  notes: string[];
  because: string;
}

export interface Outcome {
  path: string;
  line: number;
  name: string;
  passed: boolean;
  seconds: number;
  failures: Failure[];
  problems: Problem[];
  log: string[];
}

export interface Field {
  at: (string | number)[];
  label: string;
  kind: "text" | "number" | "numbers" | "flag" | "row" | "rows";
  value: string | boolean | string[];
  choices: string[];
  group: string;
  /** The file in which it stands; "" for the one whose form it is. */
  path: string;
}

export interface Form {
  text: string;
  fields: Field[];
  /** Each as it is written, in words (none while these are not known), and likely mistakes in it. */
  rules: { text: string; said: string[]; notes: string[] }[];
  /** Other files that the change has changed, and what is to be said of that. */
  also: { path: string; text: string }[];
  notes: string[];
}

export interface Phrase {
  id: string;
  parts: string;
  holes: { name: string; kind: "choice" | "number" | "text"; choices: { value: string; label: string }[]; usual: string }[];
}

export interface Interval {
  value: number;
  low: number | null;
  high: number | null;
}

export interface Difference {
  what: "wins" | "points" | "rounds" | "decisions";
  seat: number;
  base: Interval;
  against: Interval;
  difference: Interval;
  differs: boolean;
}

export interface Weight {
  games: number;
  /** More are played if one asks for them. */
  more: boolean;
  players: number;
  seconds: number;
  wins: number[];
  points: number[];
  rounds: number;
  decisions: number;
  change: Difference[] | null;
  since_opened: Difference[] | null;
}

/** What is known of each trait, by id, from so many games. */
export interface Judged {
  games: number;
  traits: Record<string, { short: string; said: string[]; sure: boolean }>;
}
