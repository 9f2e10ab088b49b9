// Tables: the list of them with a form to begin one, and one of them.
import { useEffect, useState } from "preact/hooks";
import { ask, keep, kept } from "../frame/api";
import { useLanguage } from "../frame/speech";
import { go } from "../frame/router";
import { RoomView, seatName } from "./room";
import { saying } from "./words";

interface Offer {
  game: string;
  title: string;
  trouble?: string;
  players?: [number, number];
  languages?: string[];
  agents?: string[];
}

interface Outline {
  room: string;
  title: string;
  seats: { name: string; kind: string }[];
  begun: boolean;
  over: boolean;
  round: number;
}

export function TablePage(given: { path: string }) {
  const room = /^\/table\/([\w-]+)/.exec(given.path)?.[1];
  return room ? <RoomView key={room} room={room} /> : <Lobby />;
}

/** What is said of the bots that come with rulelang. */
const BOTS = { random: "bot_random", first: "bot_first", greedy: "bot_greedy", mc: "bot_mc", ismcts: "bot_ismcts" } as const;

function Lobby() {
  const say = saying(useLanguage());
  const [offers, setOffers] = useState<Offer[] | null>(null);
  const [rooms, setRooms] = useState<Outline[]>([]);
  const [trouble, setTrouble] = useState("");
  const [game, setGame] = useState("");
  const [count, setCount] = useState(0);
  const [seats, setSeats] = useState<string[]>(["you", "greedy", "greedy", "greedy"]);
  const [busy, setBusy] = useState(false);
  const [name, setName] = useState(kept("rulelang.name") ?? "");
  const tell = (error: unknown) => {
    setBusy(false);
    setTrouble(error instanceof Error ? error.message : String(error));
  };
  useEffect(() => {
    ask<Offer[]>("/api/games").then(setOffers, tell);
    ask<Outline[]>("/api/rooms").then(setRooms, () => undefined);
  }, []);
  const offer = offers?.find((one) => one.game === game) ?? offers?.find((one) => !one.trouble);
  const [low, high] = offer?.players ?? [2, 4];
  const number = Math.min(Math.max(count || 4, low), high);
  const sitting = Array.from({ length: number }, (_, place) => seats[place] ?? "greedy");
  const start = () => {
    keep("rulelang.name", name);
    setBusy(true); // a game that was never played here is compiled first
    const names = name.trim() && sitting[0] === "you" ? [name.trim()] : [];
    ask<{ room: string; token: string }>("/api/rooms", { body: { game: offer?.game, seats: sitting, names } }).then((made) => {
      if (made.token) keep(seatName(made.room), made.token);
      go(`/table/${made.room}`);
    }, tell);
  };
  return (
    <div class="lobby">
      {trouble && <p class="refusal" role="alert">{trouble}</p>}
      <section aria-labelledby="begin">
        <h1 id="begin">{say("begin")}</h1>
        <div class="form">
          <label>{say("game")}{" "}
            <select class="field" value={offer?.game ?? ""} onChange={(event) => setGame(event.currentTarget.value)}>
              {!offers && <option value="">…</option>}
              {(offers ?? []).map((one) => (
                <option key={one.game} value={one.game} disabled={!!one.trouble}>{one.title}</option>
              ))}
            </select>
          </label>
          <label>{say("players")}{" "}
            <select class="field" value={number} onChange={(event) => setCount(Number(event.currentTarget.value))}>
              {Array.from({ length: high - low + 1 }, (_, place) => low + place).map((one) => (
                <option key={one} value={one}>{one}</option>
              ))}
            </select>
          </label>
          <label>{say("name")} <input class="field" value={name} maxLength={24} onInput={(event) => setName(event.currentTarget.value)} /></label>
          {sitting.map((who, place) => (
            <label key={place}>{`${say("sitby").replace(/^./, (first) => first.toUpperCase())} ${place + 1}`}{" "}
              <select class="field" value={who}
                onChange={(event) => setSeats(sitting.map((old, at) => (at === place ? event.currentTarget.value : event.currentTarget.value === "you" && old === "you" ? "greedy" : old)))}>
                <option value="you">{say("you")}</option>
                <option value="open">{say("open_to")}</option>
                {(offer?.agents ?? []).map((agent) => (
                  <option key={agent} value={agent}>{`${say("bot")}: ${agent}${agent in BOTS ? ` · ${say(BOTS[agent as keyof typeof BOTS])}` : ""}`}</option>
                ))}
              </select>
            </label>
          ))}
          <button type="button" class="button chief" disabled={!offer || busy} aria-busy={busy} onClick={start}>{`${say("start")}${busy ? " …" : ""}`}</button>
        </div>
        {offers?.filter((one) => one.trouble).map((one) => <p key={one.game} class="refusal">{`${one.title}: ${one.trouble}`}</p>)}
      </section>
      <section aria-labelledby="tables">
        <h2 id="tables">{say("tables")}</h2>
        {rooms.length === 0 && <p class="note">{say("none")}</p>}
        <ul class="rooms">
          {rooms.map((one) => (
            <li key={one.room}>
              <a href={`/table/${one.room}`}>{one.title}</a>
              <span class="note">{one.seats.map((seat) => (seat.kind === "open" ? say("open") : seat.name)).join(", ")}</span>
              <span class="note">{one.over ? say("over") : one.begun ? `${say("round")} ${one.round}` : say("waits")}</span>
              <button type="button" class="button" onClick={() => void ask(`/api/rooms/${one.room}`, { method: "DELETE" })
                .then(() => setRooms(rooms.filter((other) => other.room !== one.room)), tell)}>{say("gone")}</button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
