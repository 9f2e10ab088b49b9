// What is known of a part: its text, what is so of it, and why nothing can be done with it.
import type { ComponentChildren } from "preact";
import type { Card, Document, Fact, Reason, Zone } from "./types";

export interface Told {
  title: string;
  lines: string[];
}

/** By id, all that can be pointed at. */
export function index(table: Document): Map<string, Told> {
  const found = new Map<string, Told>();
  const put = (id: string, title: string, lines: (string | undefined)[]) =>
    found.set(id, { title, lines: lines.filter((line): line is string => !!line) });
  const facts = (given: Fact[]) =>
    given.filter((fact) => !fact.quiet && fact.phrase).map((fact) => (fact.about ? `${fact.phrase}: ${fact.about}` : fact.phrase));
  const card = (one: Card) => {
    put(one.id, one.label, [...one.text.split("\n"), ...facts(one.facts), ...facts(one.kept)]);
    one.zones.forEach(zone);
  };
  const zone = (one: Zone) => {
    put(one.id, one.label, [one.about]);
    one.cards?.forEach(card);
  };
  const within = (zones: Zone[]) => zones.flatMap((one) => (one.cards ?? []).map((held) => (held.text ? `${held.label}: ${held.text}` : held.label)));
  table.zones.forEach(zone);
  for (const group of [...table.nobody, ...table.players.flatMap((player) => player.groups)])
    for (const thing of group.things) {
      put(thing.id, thing.label, [...facts(thing.facts), ...within(thing.zones)]);
      thing.zones.forEach(zone);
    }
  for (const player of table.players) {
    put(player.id, player.label, facts(player.facts));
    player.zones.forEach(zone);
  }
  for (const row of [...table.lists.flatMap((list) => list.rows), ...table.grids.flatMap((grid) => grid.spaces)]) {
    put(row.id, row.label, [row.text, ...facts(row.kept), ...facts(row.facts), ...within(row.zones)]);
    row.zones.forEach(zone);
  }
  table.question?.cards?.forEach(card);
  return found;
}

export interface Explained {
  part: string;
  reasons: Reason[];
}

export function Explain(given: { told: Told | undefined; why: Explained | null; lit: boolean; can: string; lastly: string; hint: ComponentChildren;
  onPlace?: ((file: string, line: number) => void) | undefined }) {
  const { told, why } = given;
  if (!told) return <div class="explain">{given.hint}</div>;
  // What may be done, or why not, lies over the rest at the bottom: it comes later, and nothing else moves for it.
  const reasons = given.lit ? [] : (why?.reasons ?? []);
  return (
    <div class="explain" aria-live="polite" tabIndex={0} role="group" aria-label={told.title}>
      <h2>{told.title}</h2>
      {told.lines.map((line, place) => (
        <p key={`${told.title} ${place}`}>{line}</p>
      ))}
      {given.lastly && <p class="note">{given.lastly}</p>}
      {(given.lit || reasons.length > 0) && (
        <div class="verdict" tabIndex={0} role="group" aria-label={told.title}>
          {given.lit && <p class="can">{given.can}</p>}
          {gathered(reasons).map(({ actions, reasons: some }) => (
            <div key={actions.join()} class="reason">
              {actions.some(Boolean) && <h3>{actions.join(" · ")}</h3>}
              {some.map((one, place) => (
                <Why key={place} one={one} onPlace={given.onPlace} />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

interface Given {
  text: string;
  source: string;
  places: { file: string; line: number }[];
}

/** What several actions are refused for alike is said once, with all their names and places: there is little room. */
export function gathered(reasons: Reason[]): { actions: string[]; reasons: Given[] }[] {
  const found = new Map<string, { actions: string[]; reasons: Given[] }>();
  for (const { action, reasons: some } of reasons) {
    const key = JSON.stringify(some.map((one) => [one.text, one.source]));
    const known = found.get(key) ?? { actions: [], reasons: some.map(({ text, source }) => ({ text, source, places: [] })) };
    found.set(key, known);
    known.actions.push(action);
    some.forEach(({ file, line }, at) => {
      const places = known.reasons[at]?.places;
      if (file && line !== undefined && !places?.some((one) => one.file === file && one.line === line)) places?.push({ file, line });
    });
  }
  return [...found.values()];
}

/** A reason; for whoever writes the game it leads to its lines. */
function Why(given: { one: Given; onPlace?: ((file: string, line: number) => void) | undefined }) {
  const { one, onPlace } = given;
  const [first, ...more] = one.places;
  const said = (
    <>
      {sentence(one.text)}
      {one.source && <span class="note"> ({one.source.replaceAll("_", " ")})</span>}
    </>
  );
  if (!first || !onPlace) return <p>{said}</p>;
  const called = (at: typeof first) => `${at.file.split("/").at(-1)}:${at.line}`;
  return (
    <p class="why-places">
      <button type="button" class="why" onClick={() => onPlace(first.file, first.line)}>
        {said} <span class="link">{called(first)}</span>
      </button>
      {more.map((at) => (
        <button key={called(at)} type="button" class="link" onClick={() => onPlace(at.file, at.line)}>
          {at.file === first.file ? `:${at.line}` : called(at)}
        </button>
      ))}
    </p>
  );
}

export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?。！？]$/.test(text) ? "" : "."}`;
}
