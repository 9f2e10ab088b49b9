// Picking an option part by part: the thing first, then its target. Options that do not fit fall away.
import type { Option } from "./types";

export interface Picked {
  /** The action that was chosen by its name, if one was. */
  action: string | null;
  parts: string[];
}

export const NOTHING_PICKED: Picked = { action: null, parts: [] };

export function mentioned(option: Option): string[] {
  return option.parameters.flatMap((one) => (typeof one.value === "string" ? [one.value] : []));
}

/** What is left of `all` when each of `taken` is removed once; null if one is not there. */
function without(all: string[], taken: string[]): string[] | null {
  const left = [...all];
  for (const part of taken) {
    const place = left.indexOf(part);
    if (place < 0) return null;
    left.splice(place, 1);
  }
  return left;
}

export function fitting(options: Option[], picked: Picked): Option[] {
  return options.filter(
    (option) =>
      (picked.action === null || family(option) === picked.action) && without(mentioned(option), picked.parts) !== null,
  );
}

/** What can be picked next. */
export function lit(options: Option[], picked: Picked): Set<string> {
  return new Set(fitting(options, picked).flatMap((option) => without(mentioned(option), picked.parts) ?? []));
}

/** The option that is meant, once nothing of it is left to pick and no other fits. */
export function meant(options: Option[], picked: Picked): Option | null {
  const found = fitting(options, picked);
  const only = found.length === 1 ? found[0] : undefined;
  return only && without(mentioned(only), picked.parts)?.length === 0 ? only : null;
}

/** What options are listed under: their action. */
export function family(option: Option): string {
  return `${option.label} ${option.source}`;
}
