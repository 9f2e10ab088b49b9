// One room's connection: keeps itself up, remembers what it was told, and answers what is asked of it.
import { socket } from "../frame/api";
import { patched } from "./patched";
import type { Document, Looks, News, RoomInfo } from "./types";
import { saying } from "./words";

export interface Seen {
  /** "" while all is well; else what is said in the place of the table. */
  trouble: string;
  online: boolean;
  room: RoomInfo | null;
  table: Document | null;
  moves: number;
  log: string[];
  looks: Looks | null;
}

const NOTHING: Seen = { trouble: "", online: false, room: null, table: null, moves: 0, log: [], looks: null };

type Waiting = { done: (answer: Record<string, unknown>) => void; no: (error: Error) => void };

export class Connection {
  seen: Seen = NOTHING;
  private socket: WebSocket | null = null;
  private around: News["room"];
  private waiting = new Map<number, Waiting>();
  private last = 0;
  private failures = 0;
  private closed = false;
  private timer = 0;

  constructor(
    readonly room: string,
    private key: string,
    private lang: string,
    private readonly changed: (seen: Seen) => void,
  ) {
    this.open();
  }

  private open(): void {
    const opened = socket(`/rooms/${this.room}`, this.key);
    this.socket = opened;
    opened.onopen = () => opened.send(JSON.stringify({ t: "hello", lang: this.lang }));
    opened.onmessage = (event) => this.hear(JSON.parse(String(event.data)));
    opened.onclose = (event) => {
      if (this.socket !== opened) return;
      for (const one of this.waiting.values()) one.no(new Error(saying(this.lang)("lost")));
      this.waiting.clear();
      const lost = event.code === 4404 || event.code === 4410 || event.code === 4421 || event.code === 4403 || event.code === 4429;
      this.update({ online: false, ...(lost ? { trouble: event.reason } : {}) });
      if (this.closed || lost) return;
      this.failures += 1;
      this.timer = setTimeout(() => this.open(), Math.min(250 * 2 ** this.failures, 5000));
    };
  }

  private hear(said: News | { t: "done" | "no"; id: number; text?: string }): void {
    if (said.t === "room") {
      this.failures = 0;
      if (said.room) this.around = said.room;
      const next: Partial<Seen> = { online: true };
      if (this.around) {
        const left = said.left === undefined ? {} : { left: said.left };
        next.room = { ...this.around, undo: said.undo ?? false, ...left };
      }
      const table = said.table ?? (said.patch && this.seen.table ? (patched(this.seen.table, said.patch) as Document) : null);
      if (said.moves !== undefined) {
        if (table) next.table = table;
        next.moves = said.moves;
        next.log = said.fresh ? (said.log ?? []) : [...this.seen.log, ...(said.log ?? [])];
      }
      if (said.looks) next.looks = said.looks;
      this.update(next);
      return;
    }
    const one = this.waiting.get(said.id);
    this.waiting.delete(said.id);
    if (said.t === "done") one?.done(said as unknown as Record<string, unknown>);
    else one?.no(new Error(said.text ?? saying(this.lang)("nothing")));
  }

  private update(next: Partial<Seen>): void {
    this.seen = { ...this.seen, ...next };
    if (!this.closed) this.changed(this.seen);
  }

  /** Says something; what comes back, or an error with the reason. */
  say(t: string, more: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.last;
    return new Promise((done, no) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        no(new Error(saying(this.lang)("lost")));
        return;
      }
      this.waiting.set(id, { done, no });
      this.socket.send(JSON.stringify({ t, id, ...more }));
    });
  }

  speak(lang: string): void {
    this.lang = lang;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ t: "hello", lang }));
  }

  /** Comes in anew with another key: that of a seat that was taken. */
  enter(key: string): void {
    this.key = key;
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.seen = { ...this.seen, log: [], table: null };
    this.open();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
