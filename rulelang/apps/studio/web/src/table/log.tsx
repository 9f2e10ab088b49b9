// The log in sections that fold, and what its lines are about: a line that is pointed at lights its parts, a part that is,
// its lines.
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Connection } from "./connection";
import { PHASE, ROUND, shown } from "./turns";
import type { Say } from "./words";

/** Milliseconds that something is pointed at before it is asked what the log says of it. */
const PONDER = 120;

/** `asked`: whether the viewer is asked now, or is nobody who could be: then what comes next is news. */
export function Log(given: { lines: string[]; asked: boolean; say: Say; point: (line: number) => void }) {
  const { lines, point, say } = given;
  const list = useRef<HTMLOListElement>(null);
  const { fresh, turned, turn } = useTurns(lines, given.asked);
  const seen = useMemo(() => shown(lines, fresh, turned), [lines, fresh, turned]);
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [lines]);
  const line = (target: EventTarget | null) => (target as Element | null)?.closest?.<HTMLElement>("[data-line]") ?? null;
  const at = (target: EventTarget | null) => Number(line(target)?.dataset.line ?? -1);
  /** Up and down go from line to line, from the last one on; right opens a section, left closes it. */
  const onKey = (event: KeyboardEvent) => {
    if (!list.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...list.current.querySelectorAll<HTMLElement>("[data-line]")];
    const here = all.findIndex((one) => one === line(document.activeElement));
    const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key];
    if (step) {
      const next = all[Math.min(Math.max((here < 0 ? all.length : here) + step, 0), all.length - 1)];
      (next?.querySelector("button") ?? next)?.focus();
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const button = all[here]?.querySelector("button");
      if (button?.getAttribute("aria-expanded") === String(event.key === "ArrowLeft")) button.click();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // As long as nothing has happened, none of its lines is looked at again.
  return useMemo(() => (
    <section class="log" aria-label={say("log")}>
      <h2>{say("log")}</h2>
      <ol ref={list} tabIndex={0} aria-label={say("log")} onKeyDown={onKey}
        onPointerOver={(event) => event.pointerType === "mouse" && point(at(event.target))} onPointerLeave={() => point(at(document.activeElement))}
        onFocusIn={(event) => point(at(event.target))} onFocusOut={() => point(-1)}>
        {seen.map((one) => (
          <li key={one.place} class={one.depth === ROUND ? "round" : one.depth === PHASE ? "phase" : ""}
            data-line={one.place} tabIndex={one.below ? undefined : -1} style={{ "--depth": String(Math.max(one.depth - 2, 0)) }}>
            {one.below ? (
              <button type="button" tabIndex={-1} aria-expanded={!one.hidden} onClick={() => turn(one.place, !!one.hidden)}>
                {one.text}
                {one.hidden ? <span class="folded">{` ▸ ${one.hidden} ${say(one.hidden === 1 ? "line" : "lines")}`}</span> : <span class="unfolded" aria-hidden="true"> ▾</span>}
              </button>
            ) : one.text}
          </li>
        ))}
      </ol>
    </section>
  ), [seen, say, point]);
}

/** Where the last news begin, and which sections were opened or closed by hand. News are gathered until the viewer is asked
 * again and has chosen. */
function useTurns(lines: string[], asked: boolean) {
  const [turned, setTurned] = useState<ReadonlyMap<number, boolean>>(new Map());
  const last = useRef({ lines: [] as string[], asked: true, fresh: 0 });
  const old = last.current;
  if (old.lines !== lines || old.asked !== asked) {
    const more = lines.length > old.lines.length;
    const fresh = more && old.asked ? old.lines.length : Math.min(old.fresh, lines.length);
    last.current = { lines, asked: asked || (old.asked && !more), fresh };
  }
  const turn = useCallback((place: number, open: boolean) => setTurned((now) => new Map(now).set(place, open)), []);
  return { fresh: last.current.fresh, turned, turn };
}

/** Lights the parts that a `line` (-1: none) is about, and the lines that are about a `part`. Returns what the log said
 * of the part last; "" for nothing. Elements are marked beside what is drawn: two hundred cards are not drawn anew. */
export function useTold(root: RefObject<HTMLElement | null>, connection: Connection, log: string[], part: string, line: number): string {
  const [about, setAbout] = useState<{ log: string[]; lines: string[][] } | null>(null);
  const known = about?.log === log ? about.lines : null;
  const wanted = (part !== "" || line >= 0) && !known;
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    const timer = setTimeout(() => connection.say("about").then(
      (answer) => gone || setAbout({ log, lines: answer.lines as string[][] }),
      () => undefined,
    ), PONDER);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, log, connection]);
  const lines = useMemo(() => {
    const found = new Set<number>();
    if (part) known?.forEach((parts, place) => parts.some((one) => concerns(one, part)) && found.add(place));
    return found;
  }, [known, part]);
  useLayoutEffect(() => {
    const there = root.current;
    if (!there) return;
    const parts = (known?.[line] ?? []).flatMap((id) => showing(there, id));
    const all = lines.size ? [...there.querySelectorAll<HTMLElement>("[data-line]")] : [];
    // Of a line that is not seen, the one that hides it is marked: the last one before it.
    const told = [...lines].flatMap((place) => all.findLast((one) => Number(one.dataset.line) <= place) ?? []);
    const marked = [...parts, ...told];
    for (const one of marked) one.setAttribute("data-told", "");
    if (parts.length && !parts.some(inSight)) parts[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    return () => marked.forEach((one) => one.removeAttribute("data-told"));
  }, [known, line, lines]);
  return log[Math.max(-1, ...lines)]?.trim() ?? "";
}

/** Whether an id is that of a part, or of a fact, zone or card of it. */
function concerns(id: string, part: string): boolean {
  return id === part || (id.startsWith(part) && (id[part.length] === "." || id[part.length] === "/"));
}

/** The elements that show a part; of a fact that is not shown, those of what it is a fact of. */
function showing(root: Element, id: string): Element[] {
  const said = CSS.escape(id);
  const found = [...root.querySelectorAll(`[data-part="${said}"], [data-zone="${said}"], [data-fact="${said}"]`)];
  const end = id.lastIndexOf(".");
  return found.length || end < 0 || id.includes("#", end) ? found : showing(root, id.slice(0, end));
}

function inSight(one: Element): boolean {
  const box = one.getBoundingClientRect();
  const frame = one.closest(".board, .hand")?.getBoundingClientRect();
  return !frame || (box.bottom > frame.top && box.top < frame.bottom && box.right > frame.left && box.left < frame.right);
}
