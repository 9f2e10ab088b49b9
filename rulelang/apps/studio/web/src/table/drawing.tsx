// Parts of a document as elements. Each that can be pointed at says its id in `data-part`; one handler on the table
// hears what is done to any of them.
import type { ComponentChildren } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { createContext } from "preact";
import { cut, made, type Looking } from "./looking";
import type { Card, Document, Fact, Group, Listing, Matrix, Player, Thing, Zone } from "./types";
import type { Say } from "./words";

/** A number of a table that stands on a space: about which `part`, called `name`; `of` which table, "" of the first;
 * the id of its `cell`. */
export interface Token {
  part: string;
  name: string;
  of: string;
  label: string;
  text: string;
  cell: string;
}

export interface Drawing {
  table: Document;
  looking: Looking;
  say: Say;
  lit: Set<string>;
  picked: string[];
  changed: Set<string>;
  /** By place, the things that stand there; by space, what tables say of it. */
  here: Map<string, Thing[]>;
  counted: Map<string, Token[]>;
  /** Zones that are drawn elsewhere: the viewer's own hand. */
  apart: Set<string>;
  open: (zone: Zone) => void;
}

export const Drawn = createContext<Drawing | null>(null);

export function useDrawing(): Drawing {
  const drawing = useContext(Drawn);
  if (!drawing) throw new Error("nothing is drawn");
  return drawing;
}

/** More cards than these lie in a pile. */
const SPREAD = 14;

export function state(drawing: Drawing, id: string): string {
  return (drawing.lit.has(id) ? " lit" : "") + (drawing.picked.includes(id) ? " picked" : "") + (drawing.changed.has(id) ? " changed" : "");
}

/** What can be pointed at: a button, which the keyboard reaches too. */
export function Part(given: { id: string; class: string; label?: string; children: ComponentChildren; style?: Record<string, string> }) {
  const drawing = useDrawing();
  const lit = drawing.lit.has(given.id);
  return (
    <button type="button" class={given.class + state(drawing, given.id)} data-part={given.id} tabIndex={lit ? 0 : -1}
      aria-label={given.label} aria-pressed={drawing.picked.includes(given.id) ? "true" : undefined} style={given.style}>
      {given.children}
    </button>
  );
}

export function Facts(given: { facts: Fact[]; kind: string; brief?: boolean }) {
  const drawing = useDrawing();
  const shown = given.facts.filter((fact) => fact.phrase && !fact.quiet);
  if (!shown.length) return null;
  return (
    <ul class="facts">
      {shown.map((fact) => {
        const look = drawing.looking.member(given.kind, fact);
        const colour = look.colour ?? (typeof fact.value === "string" ? drawing.looking.row(fact.value).colour : undefined);
        const icon = look.icon ?? (typeof fact.value === "string" ? drawing.looking.row(fact.value).icon : undefined);
        return (
          <li key={fact.id} class={`fact ${fact.kind}${drawing.changed.has(fact.id) ? " changed" : ""}`}
            style={colour ? { "--own": colour } : {}} data-fact={fact.id}>
            {icon && <span class="sign" aria-hidden="true">{icon}</span>}
            <Phrase fact={fact} text={given.brief && fact.short && fact.brief ? fact.brief : fact.phrase} />
            {fact.levels && fact.level ? <Level level={fact.level} levels={fact.levels} /> : null}
          </li>
        );
      })}
    </ul>
  );
}

/** The number of a fact stands out. */
function Phrase(given: { fact: Fact; text?: string }) {
  const { fact, text = fact.phrase } = given;
  const place = fact.kind === "number" && fact.text ? text.lastIndexOf(String(fact.value)) : -1;
  if (place < 0) return <span>{text}</span>;
  const end = place + String(fact.value).length;
  return (
    <span>
      {text.slice(0, place)}
      <b>{text.slice(place, end)}</b>
      {text.slice(end)}
    </span>
  );
}

/** More steps than these are drawn as a share. */
const STEPS = 8;

function Level(given: { level: number; levels: number }) {
  if (given.levels > STEPS) {
    return <span class="level share" aria-hidden="true"><i class="on" style={{ width: `${(100 * given.level) / given.levels}%` }} /></span>;
  }
  return (
    <span class="level" aria-hidden="true">
      {Array.from({ length: given.levels }, (_, place) => (
        <i key={place} class={place < given.level ? "on" : ""} />
      ))}
    </span>
  );
}

/** A card's face: in full, as in a hand, or as a strip where it lies among others. It is drawn anew only where
 * something of it has changed: what has not is the same object from one document to the next. */
export function CardFace(given: { card: Card; small?: boolean }) {
  const drawing = useDrawing();
  const { card, small = false } = given;
  const { looking } = drawing;
  const lit = drawing.lit.has(card.id);
  const picked = drawing.picked.includes(card.id);
  const changed = drawing.changed.has(card.id);
  const joined = card.joined ? named(drawing.table, card.joined) : "";
  return useMemo(() => {
    const face = looking.card(card);
    const facts = small ? [] : card.facts.filter((fact) => !fact.quiet && fact.phrase);
    const kept = card.kept.filter((fact) => !fact.quiet && fact.phrase);
    const inner = card.zones.flatMap((zone) => zone.cards ?? []);
    return (
      <button type="button" class={`card${small ? " small" : ""}${lit ? " lit" : ""}${picked ? " picked" : ""}${changed ? " changed" : ""}`} data-part={card.id}
        tabIndex={lit ? 0 : -1} aria-pressed={picked ? "true" : undefined} style={{ "--own": face.colour }} data-sign={small || face.picture ? undefined : face.icon}>
        <span class="band">
          <span class="sign" aria-hidden="true">{face.icon}</span>
          <span class="name">{card.label}</span>
        </span>
        {!small && face.picture && <img class="picture" src={face.picture} alt="" loading="lazy" decoding="async" />}
        {!small && card.text && <span class="text">{card.text}</span>}
        {(facts.length > 0 || kept.length > 0 || inner.length > 0 || joined) && (
          <span class="printed">
            {joined && <span class="fact">{`↔ ${joined}`}</span>}
            {facts.map((fact) => (
              <PrintedFact key={fact.id} fact={fact} kind={card.kind} looking={looking} />
            ))}
            {kept.map((fact) => (
              <span key={fact.id} class="fact kept">{fact.brief ?? fact.phrase}</span>
            ))}
            {inner.map((one) => (
              <span key={one.id} class="fact kept">{one.label}</span>
            ))}
          </span>
        )}
      </button>
    );
  }, [card, small, lit, picked, changed, joined, looking]);
}

/** What is printed; of several numbers by row each with its sign. */
function PrintedFact(given: { fact: Fact; kind: string; looking: Looking }) {
  const { fact, looking } = given;
  const own = looking.member(given.kind, fact);
  if (fact.kind === "numbers" && fact.items?.length) {
    return (
      <>
        {fact.items.map((item) => {
          const look = looking.row(item.id);
          return (
            <span key={item.id} class="fact" style={look.colour ? { "--own": look.colour } : {}}>
              {look.icon && <span class="sign" aria-hidden="true">{look.icon}</span>}
              {look.icon ? <span class="unseen">{item.label}</span> : `${item.label} `}
              <b>{item.text}</b>
            </span>
          );
        })}
      </>
    );
  }
  const row = typeof fact.value === "string" ? looking.row(fact.value) : {};
  const icon = own.icon ?? row.icon;
  return (
    <span class="fact" style={own.colour ?? row.colour ? { "--own": own.colour ?? row.colour ?? "" } : {}}>
      {icon && <span class="sign" aria-hidden="true">{icon}</span>}
      <Phrase fact={fact} />
    </span>
  );
}

/** A zone: its cards spread out, a pile with the card on top, or backs that are only counted. */
export function ZoneView(given: { zone: Zone; small?: boolean; bare?: boolean }) {
  const drawing = useDrawing();
  const { zone } = given;
  if (drawing.apart.has(zone.id)) return null;
  const cards = zone.cards ?? [];
  const look = drawing.looking.thing(zone.name);
  const back = drawing.looking.thing(zone.holds).colour ?? made(zone.holds);
  const spread = cards.length > 0 && !zone.brief && (cards.length <= SPREAD || given.small);
  if (!zone.count && (given.small || zone.slot) && !drawing.lit.has(zone.id)) return null;
  if (spread) {
    return (
      <div class={`zone spread${state(drawing, zone.id)}`} data-zone={zone.id}>
        {!given.bare && <span class="zone-name">{zone.label}</span>}
        <div class="cards">
          {cards.map((card) => (
            <CardFace key={card.id} card={card} small={given.small ?? false} />
          ))}
        </div>
      </div>
    );
  }
  const top = cards.at(-1);
  const face = top ? drawing.looking.card(top) : null;
  return (
    <div class={`zone pile${state(drawing, zone.id)}${zone.count ? "" : " empty"}`} data-zone={zone.id}>
      <button type="button" class={`stack${top ? " face" : ""}`} tabIndex={-1} data-pile={zone.id}
        style={{ "--own": face?.colour ?? back }} onClick={() => drawing.open(zone)}>
        <span class="sign" aria-hidden="true">{look.icon ?? face?.icon ?? ""}</span>
        <b>{zone.count}</b>
        <span class="zone-name">{zone.label}</span>
        {top && <span class="top">{top.label}</span>}
      </button>
    </div>
  );
}

export function ThingView(given: { thing: Thing }) {
  const drawing = useDrawing();
  const { thing } = given;
  const seat = drawing.looking.seat(thing.owner);
  const icon = drawing.looking.kindIcon(thing);
  const place = thing.place ? named(drawing.table, thing.place) : "";
  return (
    <article class={`thing seat-${seat}${state(drawing, thing.id)}`} data-part={thing.id}>
      <Part id={thing.id} class="thing-name">
        {icon && <span class="sign" aria-hidden="true">{icon}</span>}
        <span class="name">{thing.label}</span>
        {place && <span class="where">{place}</span>}
      </Part>
      <Facts facts={thing.facts} kind={thing.kind} brief />
      {thing.zones.map((zone) => (
        <ZoneView key={zone.id} zone={zone} small bare={!!zone.cards} />
      ))}
    </article>
  );
}

export function Groups(given: { groups: Group[] }) {
  const shown = given.groups.filter((group) => group.things.length);
  return (
    <>
      {shown.map((group) => (
        <div key={group.kind} class="things" aria-label={group.label} role="group">
          {group.things.map((thing) => (
            <ThingView key={thing.id} thing={thing} />
          ))}
        </div>
      ))}
    </>
  );
}

export function PlayerView(given: { player: Player; won: boolean }) {
  const drawing = useDrawing();
  const { player } = given;
  const seat = drawing.looking.seat(player.id);
  const zones = player.zones.filter((zone) => !drawing.apart.has(zone.id) && zone.count);
  return (
    <section class={`player seat-${seat}${player.asked ? " asked" : ""}${player.you ? " you" : ""}`} aria-label={player.label}>
      <header>
        <Part id={player.id} class="player-name">
          <span class="name">{player.label}</span>
          {player.you && <span class="note">{drawing.say("you")}</span>}
        </Part>
        {player.asked && <span class="turn">●</span>}
        {player.score !== undefined && (
          <span class={`score${given.won ? " won" : ""}`}>
            <b>{player.score}</b> {drawing.say("points")}
          </span>
        )}
        <Facts facts={player.facts} kind="player" />
        {zones.map((zone) => (
          <ZoneView key={zone.id} zone={zone} small={!zone.brief} />
        ))}
      </header>
      <Groups groups={player.groups} />
    </section>
  );
}

/** The rows of a list that keep something: places with what lies and lives there, decks of several sizes. */
export function ListView(given: { listing: Listing }) {
  const drawing = useDrawing();
  const shown = given.listing.rows.filter(
    (row) => row.zones.some((zone) => zone.count) || [...row.kept, ...row.facts].some((fact) => !fact.quiet) ||
      drawing.here.get(row.id)?.length || drawing.lit.has(row.id),
  );
  if (!shown.length) return null;
  return (
    <section class="listing" aria-label={given.listing.label}>
      {shown.map((row) => {
        const look = drawing.looking.row(row.id);
        return (
          <div key={row.id} class={`row${state(drawing, row.id)}`} data-part={row.id} style={look.colour ? { "--own": look.colour } : {}}>
            <Part id={row.id} class="row-name">
              {look.icon && <span class="sign" aria-hidden="true">{look.icon}</span>}
              <span class="name">{row.label}</span>
            </Part>
            <Facts facts={[...row.kept, ...row.facts]} kind={row.kind} />
            <div class="row-zones">
              {row.zones.map((zone) => (
                <ZoneView key={zone.id} zone={zone} bare={zone.slot} />
              ))}
            </div>
            <span class="tokens">
              {(drawing.here.get(row.id) ?? []).map((thing) => (
                <span key={thing.id} class={`token seat-${drawing.looking.seat(thing.id)}`}>{thing.label}</span>
              ))}
            </span>
          </div>
        );
      })}
    </section>
  );
}

/** A table of numbers that belongs to no board. */
export function MatrixView(given: { matrix: Matrix }) {
  const { matrix } = given;
  const { table, changed } = useDrawing();
  if (!matrix.cells.length || matrix.of.some((kind) => table.grids.some((grid) => grid.name === kind))) return null;
  return (
    <section class="matrix" aria-label={matrix.label}>
      <span class="zone-name">{matrix.label}</span>
      <ul class="facts">
        {matrix.cells.map((cell) => (
          <li key={cell.at.join()} class={`fact${changed.has(cell.id) ? " changed" : ""}`} data-fact={cell.id}>
            {cell.labels.join(" · ")} <b>{cell.text}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a part is called, wherever it stands. */
export function named(table: Document, id: string): string {
  const [kind] = cut(id);
  for (const grid of table.grids) if (grid.name === kind) return grid.spaces.find((one) => one.id === id)?.label ?? "";
  for (const list of table.lists) if (list.name === kind) return list.rows.find((one) => one.id === id)?.label ?? "";
  for (const player of table.players) {
    if (player.id === id) return player.label;
    for (const group of player.groups) for (const thing of group.things) if (thing.id === id) return thing.label;
  }
  for (const group of table.nobody) for (const thing of group.things) if (thing.id === id) return thing.label;
  return id.slice(id.indexOf(":") + 1);
}
