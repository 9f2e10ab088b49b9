// The log, and what its lines are about: a line that is pointed at lights its parts, a part that is, its lines.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Connection } from "./connection";

/** Milliseconds that something is pointed at before it is asked what the log says of it. */
const PONDER = 120;

export function Log(given: { lines: string[]; title: string; point: (line: number) => void }) {
  const { lines, point } = given;
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [lines]);
  const at = (target: EventTarget | null) => Number((target as Element | null)?.closest?.<HTMLElement>("[data-line]")?.dataset.line ?? -1);
  /** Up and down go from line to line, from the last one on. */
  const onKey = (event: KeyboardEvent) => {
    const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key];
    if (!step || !list.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...list.current.querySelectorAll<HTMLElement>("[data-line]")];
    const here = all.findIndex((one) => one === document.activeElement);
    all[Math.min(Math.max((here < 0 ? all.length : here) + step, 0), all.length - 1)]?.focus();
    event.preventDefault();
  };
  // As long as nothing has happened, none of its lines is looked at again.
  return useMemo(() => (
    <section class="log" aria-label={given.title}>
      <h2>{given.title}</h2>
      <ol ref={list} tabIndex={0} aria-label={given.title} onKeyDown={onKey}
        onPointerOver={(event) => event.pointerType === "mouse" && point(at(event.target))} onPointerLeave={() => point(at(document.activeElement))}
        onFocusIn={(event) => point(at(event.target))} onFocusOut={() => point(-1)}>
        {lines.map((line, place) => {
          const depth = Math.floor((line.length - line.trimStart().length) / 2);
          return line.trim() ? (
            <li key={place} class={depth === 0 ? "round" : depth === 1 ? "phase" : ""} data-line={place} tabIndex={-1}
              style={{ "--depth": String(Math.max(depth - 2, 0)) }}>{line.trim()}</li>
          ) : null;
        })}
      </ol>
    </section>
  ), [lines, given.title, point]);
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
    const parts = (known?.[line] ?? []).flatMap((id) => shown(there, id));
    const marked = [...parts, ...[...lines].flatMap((place) => [...there.querySelectorAll(`[data-line="${place}"]`)])];
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
function shown(root: Element, id: string): Element[] {
  const said = CSS.escape(id);
  const found = [...root.querySelectorAll(`[data-part="${said}"], [data-zone="${said}"], [data-fact="${said}"]`)];
  const end = id.lastIndexOf(".");
  return found.length || end < 0 || id.includes("#", end) ? found : shown(root, id.slice(0, end));
}

function inSight(one: Element): boolean {
  const box = one.getBoundingClientRect();
  const frame = one.closest(".board, .hand")?.getBoundingClientRect();
  return !frame || (box.bottom > frame.top && box.top < frame.bottom && box.right > frame.left && box.left < frame.right);
}
