// Colours and signs of parts: those of `look:`, and where it says nothing, ones made of names, so that equal things look
// equal and different ones differ.
import type { Card, Document, Fact, Look, Looks, Thing } from "./types";

export interface Face {
  colour: string;
  icon: string;
  /** Where its picture is; "" if it has none. */
  picture: string;
}

export class Looking {
  /** Names that only things of one seat are told by. */
  private owners = new Map<string, string>();

  constructor(
    private readonly looks: Looks,
    private readonly room: string,
  ) {}

  /** Whose things are, as they stand now. */
  learn(table: Document): void {
    this.owners.clear();
    for (const player of table.players)
      for (const group of player.groups) for (const thing of group.things) this.owners.set(thing.id, player.id);
  }

  /** `trait:carnivore`, `ground:land`: what a row's look says. */
  row(id: string): Look {
    const [kind = "", name = ""] = cut(id);
    return this.looks.rows[kind]?.[name] ?? {};
  }

  private picture(name: string | undefined): string {
    return name ? `/rooms/${this.room}/pictures/${name}` : "";
  }

  /** Where a part of the table stands among the others: as the layout says, then in the usual order. */
  order<T extends { name: string }>(parts: T[]): T[] {
    const rank = (name: string) => {
      const place = this.looks.layout.indexOf(name);
      return place < 0 ? this.looks.layout.length : place;
    };
    return parts.map((part, place) => ({ part, place })).sort((a, b) => rank(a.part.name) - rank(b.part.name) || a.place - b.place).map((one) => one.part);
  }

  thing(name: string): Look {
    return this.looks.things[name] ?? {};
  }

  member(kind: string, fact: Fact): Look {
    return this.looks.members[kind]?.[fact.name] ?? {};
  }

  /** A card by its traits, its own row, what is printed on it that has a colour, its sort, else its name. */
  card(card: Card): Face {
    const printed = card.facts.flatMap((fact) => (typeof fact.value === "string" ? [this.row(fact.value)] : []));
    const told = [
      ...card.traits.map((trait) => this.row(trait.id)),
      this.looks.rows[card.kind]?.[card.row] ?? {},
      ...printed,
      this.looks.cards[card.kind]?.[card.row] ?? {},
      this.thing(card.kind),
    ];
    const named = card.traits[0]?.id ?? card.row ?? card.label;
    return {
      colour: told.find((look) => look.colour)?.colour ?? made(named),
      icon: told.find((look) => look.icon)?.icon ?? letters(card.label),
      picture: this.picture(told.find((look) => look.picture)?.picture),
    };
  }

  /** The number of the seat whose a part is; 0 for nobody's. */
  seat(id: string | null | undefined): number {
    const owner = id?.startsWith("player:") ? id : this.owners.get(id ?? "");
    return owner ? (Number(owner.slice("player:".length)) - 1) % 6 + 1 : 0;
  }

  kindIcon(thing: Thing): string {
    return this.thing(thing.kind).icon ?? "";
  }
}

export function cut(id: string): [string, string] {
  const place = id.indexOf(":");
  return place < 0 ? [id, ""] : [id.slice(0, place), id.slice(place + 1)];
}

/** A colour of a name, of one lightness: hues lie apart by the golden angle. */
export function made(name: string): string {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return `hsl(${Math.round((hash * 137.508) % 360)} 38% 46%)`;
}

function letters(label: string): string {
  const first = [...label.trim()][0] ?? "";
  return first.toUpperCase();
}
