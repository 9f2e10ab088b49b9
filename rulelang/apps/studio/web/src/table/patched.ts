// A value made of another and of what has changed in it; `rulelang/presentation/view/document.py` defines how that is said.
import type { Patch } from "./types";

/** The new value. The old one stays as it is; what has not changed is the same object in both. */
export function patched(old: unknown, change: Patch): unknown {
  if (change.of) {
    const known = old as unknown[];
    return change.of.flatMap((piece) => {
      if (Array.isArray(piece)) return known.slice(piece[0], piece[0] + piece[1]);
      return [piece.now ? patched(known[piece.at ?? 0], piece.now) : piece.is];
    });
  }
  if (!change.in) return change.is;
  const known = old as Record<string, unknown>;
  const next: Record<string, unknown> = { ...known };
  for (const key of change.no ?? []) delete next[key];
  for (const [key, one] of Object.entries(change.in)) next[key] = patched(known[key], one);
  return next;
}
