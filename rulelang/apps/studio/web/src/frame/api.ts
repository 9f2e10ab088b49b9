// What pages ask the server. The author's key stands behind the `#` of the address that the terminal shows: it is
// taken from there, kept for this server, and said with every question. No cookie is used.
const KEPT = "rulelang.key";

function taken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (given) {
    keep(KEPT, given);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return given ?? kept(KEPT) ?? "";
}

/** Storage may be closed to a page; then it lasts as long as the page. */
const meanwhile = new Map<string, string>();

export function keep(name: string, value: string): void {
  meanwhile.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    /* kept in `meanwhile` */
  }
}

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name) ?? meanwhile.get(name) ?? null;
  } catch {
    return meanwhile.get(name) ?? null;
  }
}

export const key = taken();

export class Refused extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text);
  }
}

/** Asks for JSON, with the author's key or that of a seat. Throws `Refused` with what the server says. */
export async function ask<T>(path: string, given: { method?: string; body?: unknown; key?: string } = {}): Promise<T> {
  const headers: Record<string, string> = { Authorization: `Bearer ${given.key ?? key}`, "Accept-Language": document.documentElement.lang };
  const request: RequestInit = { method: given.method ?? (given.body === undefined ? "GET" : "POST"), headers };
  if (given.body !== undefined) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(given.body);
  }
  const answer = await fetch(path, request);
  const text = await answer.text();
  if (!answer.ok) throw new Refused(answer.status, text.trim() || answer.statusText);
  return JSON.parse(text || "null") as T;
}

/** A WebSocket that says the key as browsers can: among its protocols. */
export function socket(path: string, said: string = key): WebSocket {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}${path}`, ["rulelang", `key.${said}`]);
}
