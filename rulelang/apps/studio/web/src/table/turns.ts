// The log in few lines: of what is past, and of a long turn, one line stands for those below it. It folds as the terminal
// does (`rulelang/presentation/story.py`); `tests/studio/test_turns.py` holds both against each other.

/** So many lines below another are never folded by themselves. */
const FEW = 3;
/** News of more lines than this are long. */
const LONG = 24;
const STEP = 2;
/** How deep headings stand: of rounds, and of phases. */
export const ROUND = 0;
export const PHASE = 1;

/** A line that is seen. `place`: which of all lines it is; `below`: so many lines belong to it, `hidden`: so many of these
 * are not seen; `fresh`: whether it, or what it hides, is of the last news. */
export interface Shown {
  place: number;
  text: string;
  depth: number;
  below: number;
  hidden: number;
  fresh: boolean;
}

/** What is seen of the `lines` of a log, of which the last news begin at `fresh`. `turned`: which sections were opened or
 * closed by hand, by the places of their first lines. */
export function shown(lines: readonly string[], fresh: number, turned: ReadonlyMap<number, boolean>): Shown[] {
  const places = lines.flatMap((line, place) => (line.trim() ? [place] : []));
  const depths = places.map((place) => Math.floor(indent(lines[place] ?? "") / STEP));
  const first = places.filter((place) => place < fresh).length;
  const ends = sections(depths);
  const closed = folded(depths, ends, first, new Map([...turned].map(([place, open]) => [places.indexOf(place), open])));
  const found: Shown[] = [];
  for (let at = 0; at < places.length; ) {
    const [place, depth, end] = [places[at] as number, depths[at] as number, ends[at] as number];
    const below = end - at - 1;
    const hidden = closed.has(at) ? below : 0;
    found.push({ place, text: (lines[place] ?? "").trim(), depth, below, hidden, fresh: (hidden ? end - 1 : at) >= first });
    at = hidden ? end : at + 1;
  }
  return found;
}

function indent(line: string): number {
  return line.length - line.trimStart().length;
}

/** Behind which line each section ends. */
function sections(depths: readonly number[]): number[] {
  const ends = depths.map(() => depths.length);
  const above: number[] = [];
  depths.forEach((depth, at) => {
    while (above.length && (depths[above.at(-1) as number] as number) >= depth) ends[above.pop() as number] = at;
    above.push(at);
  });
  return ends;
}

/** The lines whose sections are closed: past rounds and phases, and whatever much came of; of long news all that much came
 * of, then phases from the first on, until the rest is no longer long. The last phase stays open. */
function folded(depths: readonly number[], ends: readonly number[], first: number, turned: ReadonlyMap<number, boolean>): Set<number> {
  const headings = depths.flatMap((depth, at) => (depth <= PHASE ? [at] : []));
  const last = headings.at(-1) ?? 0;
  const few = (at: number) => (ends[at] as number) - at - 1 <= FEW;
  const long = depths.length - first > LONG;
  const closed = new Set<number>();
  depths.forEach((depth, at) => {
    const past = (ends[at] as number) <= first;
    if (depth === ROUND && past && (ends[at] as number) > at + 1) closed.add(at);
    else if (!few(at) && depth >= PHASE && (past || (long && depth > PHASE))) closed.add(at);
  });
  if (ends[last] === depths.length) closed.delete(last);
  for (const [at, open] of turned) open ? closed.delete(at) : closed.add(at);
  for (const at of headings) {
    if (news(ends, first, closed) <= LONG) break;
    if (depths[at] === PHASE && !few(at) && at !== last && !turned.has(at)) closed.add(at);
  }
  return closed;
}

/** How many lines of the last news are seen. */
function news(ends: readonly number[], first: number, closed: ReadonlySet<number>): number {
  let count = 0;
  for (let at = 0; at < ends.length; at = closed.has(at) ? (ends[at] as number) : at + 1) count += at >= first ? 1 : 0;
  return count;
}
