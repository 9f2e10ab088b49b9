// What a form does when it is sent: one thing at a time, and why it could not be done.
import { useState } from "preact/hooks";
import { saying } from "../table/words";
import { Refused } from "./api";
import { heard } from "./speech";

/** The `ref` of a field that is to be written in as soon as it is there: browsers heed `autofocus` but once. */
export const focused = (field: HTMLElement | null) => field?.focus();

export interface Doing {
  busy: boolean;
  /** "" while nothing went wrong. */
  trouble: string;
  /** Does it, unless something is being done already; whether it could be done. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useDoing(): Doing {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setTrouble("");
    try {
      await work();
      return true;
    } catch (error) {
      setTrouble(reason(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, trouble, run };
}

export function reason(error: unknown): string {
  return error instanceof Refused ? error.message : saying(heard())("keptmeanwhile");
}
