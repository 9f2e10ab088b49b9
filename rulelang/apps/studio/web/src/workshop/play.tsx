// Right: the table, begun anew or where a scenario begins, and the way back: a scenario of what stands there.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, keep, kept, Refused } from "../frame/api";
import { RoomView } from "../table/room";
import { focused, useDoing } from "../frame/doing";
import { inOurs, type Bench } from "./bench";
import type { Scenario } from "./types";
import { say } from "./words";

interface Room {
  room: string;
  tokens: string[]; // of all seats: they are the author's
}

/** So many seats are asked for where a scenario decides how many there are. */
const MOST = 20;

export interface Start {
  scenario?: Scenario | undefined;
  card?: boolean; // with the card that is open
  at: number;
}

export function Play(given: { bench: Bench; start: Start | null }) {
  const { bench, start } = given;
  const name = bench.folder.split("/").filter(Boolean).pop() ?? "";
  const remembered = `rulelang.playing.${bench.folder}`;
  const [room, setRoom] = useState<Room | null>(() => {
    try {
      return JSON.parse(kept(remembered) ?? "null") as Room | null;
    } catch {
      return null;
    }
  });
  const { busy, trouble, run } = useDoing();
  const [naming, setNaming] = useState(false);
  const [from, setFrom] = useState("");
  const old = useRef<Room | null>(room);
  const game = bench.listing?.game;
  const trait = bench.listing?.traits.find((one) => one.path === bench.path);
  const mine = bench.scenarios.filter((one) => one.path === bench.path);
  const begin = async (scenario?: Scenario, card?: string) => {
    if (!game) return;
    await run(async () => {
      await bench.save();
      const count = Math.min(Math.max(game.players[0], 2), game.players[1]);
      const open = (body: object, places = count) =>
        ask<Room & Record<string, unknown>>("/api/rooms", { body: { game: name, seats: Array.from({ length: places }, () => "you"), away: 0, ...body } });
      let shown = card ? undefined : scenario;
      const made = await (card
        ? open({ card }).catch((error: unknown) => {
          if (!(error instanceof Refused) || !scenario) throw error;
          shown = scenario; // nobody can hold it: then where it is shown
          return open({ scenario: scenario.id }, MOST);
        })
        : open(scenario ? { scenario: scenario.id } : {}, scenario ? MOST : count));
      const next = { room: made.room, tokens: made.tokens };
      const last = old.current;
      old.current = next;
      keep(remembered, JSON.stringify(next));
      const called = (trait && inOurs(trait.title)) || card;
      setFrom(shown ? say("begun_where", { name: shown.name }) : called ? say("begun_with", { card: called }) : "");
      setRoom(next);
      if (last) void ask(`/api/rooms/${last.room}`, { method: "DELETE" }).catch(() => undefined);
    });
  };
  useEffect(() => {
    if (start?.card && (trait || mine[0])) void begin(mine[0], trait?.id);
    else if (start?.scenario) void begin(start.scenario);
  }, [start?.at]);
  const place = (file: string, line: number) => {
    const path = known(bench, file);
    if (path) void bench.open(path, line);
    else bench.say(say("no_such_file", { file, line: String(line) }));
  };
  return (
    <section class="play" aria-label={say("table")}>
      <div class="play-head">
        <button type="button" class="button chief" disabled={!game || busy} onClick={() => void begin()}>{say(room ? "new_game" : "play")}</button>
        {(trait || mine[0]) && <button type="button" class="button" disabled={busy} onClick={() => void begin(mine[0], trait?.id)}>{say("with_card")}</button>}
        {room && <button type="button" class="button" disabled={busy} aria-expanded={naming} onClick={() => setNaming(!naming)}>{say("make_scenario")}</button>}
      </div>
      {from && <p class="from">{from}</p>}
      {naming && room && <Naming bench={bench} room={room.room} done={() => setNaming(false)} />}
      {trouble && <p class="refusal" role="alert">{trouble}</p>}
      {room ? <RoomView key={room.room} room={room.room} tokens={room.tokens} onPlace={place} /> : (
        <div class="empty"><p>{say("play_hint")}</p></div>
      )}
    </section>
  );
}

/** A file as a message names it, as a path of this folder. */
function known(bench: Bench, file: string): string | null {
  const every = [...(bench.listing?.traits.map((one) => one.path) ?? []), ...(bench.listing?.files ?? [])];
  return every.find((path) => file === path || file.endsWith(`/${path}`)) ?? null;
}

function Naming(given: { bench: Bench; room: string; done: () => void }) {
  const { bench } = given;
  const ofTrait = bench.listing?.traits.some((one) => one.path === bench.path) || /(^|\/)scenarios\/[^/]+\.yaml$/.test(bench.path);
  const home = bench.listing?.game?.home ? `${bench.listing.game.home}/` : "";
  const [name, setName] = useState("");
  const [last, setLast] = useState(3);
  const [path, setPath] = useState(ofTrait ? bench.path : `${home}scenarios/from_the_table.yaml`);
  const { busy, trouble, run } = useDoing();
  const make = async (event: Event) => {
    event.preventDefault();
    await run(async () => {
      await bench.save();
      const made = await ask<{ path: string; line: number; name: string; left_out: string[] }>("/api/workshop/scenario", {
        body: { room: given.room, name, path, last },
      });
      await bench.again(made.path);
      await bench.open(made.path, made.line);
      bench.say(say("written", { name: made.name, path: made.path }));
      given.done();
    });
  };
  return (
    <form class="naming" onSubmit={(event) => void make(event)}>
      <label>{say("shows")}
        <input class="field" value={name} ref={focused} placeholder={say("shows_like")} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label>{say("with_last")}
        <select class="field" value={last} onChange={(event) => setLast(Number(event.currentTarget.value))}>
          {[0, 1, 3, 6, 12, 1000].map((one) => <option key={one} value={one}>{one === 0 ? say("position") : one === 1000 ? say("all_moves") : say("moves", { n: one })}</option>)}
        </select>
      </label>
      <label>{say("in_file")}
        <input class="field" value={path} onInput={(event) => setPath(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button chief" disabled={busy || !name.trim()}>{say(busy ? "being_written" : "write_it")}</button>
      {trouble && <p class="refusal" role="alert">{trouble}</p>}
    </form>
  );
}
