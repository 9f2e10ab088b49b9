// What is other than it was: the parts of which something else is said since the viewer chose last.
import { useRef } from "preact/hooks";
import type { Card, Document, Fact, Zone } from "./types";

interface Last {
  table: Document;
  moves: number;
  said: Map<string, string>;
  changed: Set<string>;
}

/** The ids of facts, cards, things, zones and numbers of tables that are new, or of which something else is said. For
 * whoever plays they are gathered until he is asked again and has chosen; for others they are those of the last move. */
export function useChanged(table: Document, moves: number): Set<string> {
  const last = useRef<Last | null>(null);
  const old = last.current;
  if (old?.table !== table) {
    const said = sayings(table);
    const asked = !table.viewer || !!old?.table.question?.options;
    const kept = !old || asked || moves < old.moves ? [] : [...old.changed].filter((id) => said.has(id));
    const goesOn = old && moves >= old.moves && old.table.lang === table.lang && old.table.viewer === table.viewer;
    const news = goesOn ? [...said].filter(([id, what]) => old.said.get(id) !== what && !isNew(old.said, said, id)).map(([id]) => id) : [];
    last.current = { table, moves, said, changed: new Set([...kept, ...news]) };
  }
  return last.current?.changed ?? new Set();
}

/** Whether it is a fact of what was not there: that the thing is new says enough. */
function isNew(old: Map<string, string>, now: Map<string, string>, id: string): boolean {
  const owner = id.slice(0, Math.max(0, id.lastIndexOf(".")));
  return now.has(owner) && !old.has(owner);
}

function sayings(table: Document): Map<string, string> {
  const said = new Map<string, string>();
  const facts = (given: Fact[]) => given.forEach((fact) => said.set(fact.id, fact.phrase));
  const card = (one: Card) => {
    said.set(one.id, [one.label, one.joined, ...one.kept.map((fact) => fact.phrase), ...one.zones.map((held) => held.count)].join("\n"));
    one.zones.forEach(zone);
  };
  const zone = (one: Zone) => {
    said.set(one.id, String(one.count));
    one.cards?.forEach(card);
  };
  facts(table.facts);
  table.zones.forEach(zone);
  for (const player of table.players) {
    facts(player.facts);
    player.zones.forEach(zone);
  }
  for (const group of [...table.nobody, ...table.players.flatMap((player) => player.groups)])
    for (const thing of group.things) {
      said.set(thing.id, `${thing.label}\n${thing.place}\n${thing.owner}`);
      facts(thing.facts);
      thing.zones.forEach(zone);
    }
  for (const row of [...table.lists.flatMap((list) => list.rows), ...table.grids.flatMap((grid) => grid.spaces)]) {
    facts(row.kept);
    row.zones.forEach(zone);
  }
  for (const matrix of table.tables) for (const cell of matrix.cells) said.set(cell.id, cell.text);
  return said;
}
