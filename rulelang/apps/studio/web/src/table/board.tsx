// A board of spaces as a map: flat, or round as a globe.
import { type Drawing, Part, state, useDrawing, ZoneView } from "./drawing";
import { made } from "./looking";
import type { Grid, Row } from "./types";

/** A board of spaces as a map: each in the colours of what is printed on it. */
export function GridView(given: { grid: Grid }) {
  const drawing = useDrawing();
  const { grid } = given;
  if (grid.round) return <Globe grid={grid} drawing={drawing} />;
  return (
    <section class="grid-board" aria-label={grid.label}>
      <div class="spaces" style={{ "--columns": String(grid.width) }}>
        {grid.spaces.map((space) => (
          <SpaceView key={space.id} space={space} drawing={drawing} />
        ))}
      </div>
    </section>
  );
}

/** A board whose east and west are joined, as a map of the globe: rows are shorter towards the poles, and at both ends
 * of each stands, faded, what lies beyond. */
function Globe(given: { grid: Grid; drawing: Drawing }) {
  const { grid, drawing } = given;
  const rows = Array.from({ length: grid.height }, (_, y) => grid.spaces.slice(y * grid.width, (y + 1) * grid.width));
  return (
    <section class="grid-board" aria-label={`${grid.label}: ${drawing.say("joined")}`}>
      <div class="globe" style={{ "--columns": String(grid.width) }}>
        {rows.map((row, y) => (
          <div key={row[0]?.id} class="parallel" style={{ "--wide": wide(y, rows.length).toFixed(3) }}>
            <Beyond space={row.at(-1)} drawing={drawing} />
            {row.map((space) => (
              <SpaceView key={space.id} space={space} drawing={drawing} />
            ))}
            <Beyond space={row[0]} drawing={drawing} />
          </div>
        ))}
      </div>
      <p class="note">{drawing.say("joined")}</p>
    </section>
  );
}

/** How much of the width a row takes: as on a globe that is seen from afar, but so that its spaces can be read. */
function wide(row: number, rows: number): number {
  return 0.7 + 0.3 * Math.cos(((row + 0.5) / rows - 0.5) * Math.PI * 0.8);
}

/** The space that is next round the globe: it stands, and is picked, at the other end. */
function Beyond(given: { space: Row | undefined; drawing: Drawing }) {
  const { space, drawing } = given;
  if (!space) return null;
  const { own, icons } = printed(space, drawing);
  return (
    <div class="beyond" aria-hidden="true" style={{ "--own": own }} title={space.label}>
      <span class="sign">{icons.at(-1)}</span>
    </div>
  );
}

/** The colours and signs of what is printed on a space. */
function printed(space: Row, drawing: Drawing): { own: string; rim: string; icons: string[] } {
  const colours: string[] = [];
  const icons: string[] = [];
  for (const fact of space.facts) {
    if (typeof fact.value !== "string" || fact.value.startsWith("player:")) continue;
    const look = drawing.looking.row(fact.value);
    colours.push(look.colour ?? made(fact.value));
    if (look.icon) icons.push(look.icon);
  }
  return { own: colours.at(-1) ?? "transparent", rim: colours[0] ?? "transparent", icons };
}

function SpaceView(given: { space: Row; drawing: Drawing }) {
  const { space, drawing } = given;
  const { own, rim, icons } = printed(space, drawing);
  const told = space.facts.filter((fact) => !fact.quiet).map((fact) => fact.phrase);
  const tokens = drawing.counted.get(space.id) ?? [];
  const things = drawing.here.get(space.id) ?? [];
  const said = [space.label, ...told, ...tokens.map((one) => `${one.label} ${one.text}`), ...things.map((one) => one.label)];
  return (
    <div class={`space${state(drawing, space.id)}`} data-part={space.id}
      style={{ "--own": own, "--rim": rim }}>
      <Part id={space.id} class="space-name" label={said.join(", ")}>
        <span class="sign" aria-hidden="true">{icons.join("")}</span>
        <span class="name">{space.label}</span>
      </Part>
      <span class="tokens">
        {tokens.map((one) => (
          <span key={`${one.of} ${one.part}`} class={`token seat-${drawing.looking.seat(one.part)}${one.of ? " also" : ""}${drawing.changed.has(one.cell) ? " changed" : ""}`}
            data-fact={one.cell} title={`${one.label} ${one.text}`}>
            {one.of && <span class="sign" aria-hidden="true">{drawing.looking.thing(one.of).icon ?? one.label.slice(0, 1)}</span>}
            <span class="name">{one.name}</span>
            <span class="letters" aria-hidden="true">{[...one.name].slice(0, 3).join("")}</span>
            <b>{one.text}</b>
          </span>
        ))}
        {things.map((one) => (
          <span key={one.id} class={`token seat-${drawing.looking.seat(one.id)}`}>{one.label}</span>
        ))}
      </span>
      {space.zones.map((zone) => (
        <ZoneView key={zone.id} zone={zone} small />
      ))}
    </div>
  );
}
