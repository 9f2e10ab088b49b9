// A room: its connection, who sits there, and the table.
import { useEffect, useRef, useState } from "preact/hooks";
import { keep, key, kept } from "../frame/api";
import { NAMES, speak, useLanguage } from "../frame/speech";
import { Connection, type Seen } from "./connection";
import { TableView } from "./table";
import { elsewhere } from "./roving";
import type { RoomInfo } from "./types";
import { saying, type Say } from "./words";
import "./table.css";

const SPEEDS = [0, 0.3, 0.6, 1.5, 4];
/** Names by which a machine reaches itself alone. */
const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;
const TURNS = [0, 30, 60, 180, 600];

/** The key of a room: of the seat that was taken, of an invitation in the address, else the author's. */
function roomKey(room: string): string {
  const given = new URLSearchParams(location.hash.slice(1));
  const said = given.get("seat") ?? given.get("invite") ?? given.get("watch");
  if (said && location.pathname.endsWith(room)) {
    if (given.get("seat") || !kept(seatName(room))) keep(seatName(room), said);
    history.replaceState(history.state, "", location.pathname);
  }
  return kept(seatName(room)) ?? key;
}

export function seatName(room: string): string {
  return `rulelang.room.${room}`;
}

/** `tokens`: the keys to come in with, where they are known already: whoever has those of several seats plays for all of
 * them, and sees the table as the one who is asked. `onPlace`: opens a place in the rules. */
export function RoomView(given: { room: string; tokens?: string[]; onPlace?: (file: string, line: number) => void }) {
  const lang = useLanguage();
  const [all, setAll] = useState<readonly (Seen | null)[]>([]);
  const [showLog, setShowLog] = useState(false);
  const [arranging, setArranging] = useState(false);
  const connections = useRef<Connection[]>([]);
  const seat = useRef(0); // which of the keys the table is seen with
  const next = useRef(-1); // which it will be, once that one is asked again
  useEffect(() => {
    const tokens = given.tokens?.length ? given.tokens : [roomKey(given.room)];
    setAll(tokens.map(() => null));
    seat.current = 0;
    connections.current = tokens.map((token, place) => new Connection(given.room, token, lang,
      (news) => setAll((old) => old.map((one, at) => (at === place ? news : one)))));
    return () => connections.current.forEach((made) => made.close());
  }, [given.room, given.tokens?.join()]);
  const say = saying(lang);
  useEffect(() => connections.current.forEach((made) => made.speak(lang)), [lang]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "l" && !event.ctrlKey && !event.metaKey && !event.altKey && !elsewhere(event)) setShowLog((old) => !old);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
  const isAsked = (one: Seen | null | undefined) => !!one?.table?.question?.options;
  const asked = all.findIndex(isAsked);
  if (isAsked(all[next.current])) {
    seat.current = next.current;
    next.current = -1;
  } else if (asked >= 0 && !isAsked(all[seat.current])) seat.current = asked;
  const seen = all[seat.current];
  if (seen?.trouble) return <div class="notice"><h1>{say("table")}</h1><p>{seen.trouble}</p></div>;
  const made = connections.current[seat.current];
  if (!seen?.room || !made) return <div class="room" aria-busy="true" />;
  const { room, table } = seen;
  // Of several seats that of the last move may take it back, whoever is asked now.
  const mover = room.undo ? seat.current : all.findIndex((one) => one?.room?.undo);
  const back = connections.current[mover];
  const undo = back && (() => {
    next.current = mover;
    return back.say("undo");
  });
  return (
    <div class="room">
      <header class="room-head">
        <div class="what">
          <h1>{table?.title ?? room.title}</h1>
          <span class="where">{table?.summary}</span>
        </div>
        <Clock left={room.left} moves={seen.moves} say={say} />
        {!seen.online && <span class="refusal" role="status">{say("lost")}</span>}
        <span class="gap" />
        {undo && <button type="button" class="button" onClick={() => void undo().catch(() => undefined)}>{`↶ ${say("undo")}`}</button>}
        <button type="button" class="button log-button" aria-pressed={showLog} onClick={() => setShowLog(!showLog)}>{say("log")}</button>
        <button type="button" class="button" aria-expanded={arranging} onClick={() => setArranging(!arranging)}>{`⚙ ${say("settings")}`}</button>
      </header>
      {room.trouble && <p class="refusal" role="alert">{room.trouble}</p>}
      {room.begun && room.away > 0 && !table?.over && room.seats.filter((one) => one.kind === "person" && !one.here).map((one) => (
        <p key={one.seat} class="gone" role="status">{say("away_bot").replace("{name}", one.name).replace("{n}", String(room.away))}</p>
      ))}
      {(arranging || !room.begun) && (
        <Arrange room={room} say={say} connection={made} lang={lang} speak={speak}
          sat={(token) => {
            keep(seatName(room.id), token);
            made.enter(token);
          }} />
      )}
      {table && <TableView connection={made} seen={seen} table={table} say={say} showLog={showLog} undo={undo}
        turnOf={all.length > 1} onPlace={given.onPlace} />}
    </div>
  );
}

function Clock(given: { left: number | undefined; moves: number; say: Say }) {
  const [now, setNow] = useState(0);
  const since = useRef(performance.now());
  useEffect(() => {
    since.current = performance.now();
    if (given.left === undefined) return;
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, [given.left, given.moves]);
  if (given.left === undefined) return null;
  const left = Math.max(0, Math.ceil(given.left - Math.max(0, now - since.current) / 1000));
  return <span class="clock">{`${given.say("rest")} ${left} ${given.say("seconds")}`}</span>;
}

function Arrange(given: { room: RoomInfo; say: Say; connection: Connection; lang: string; speak: (code: string) => void;
  sat: (token: string) => void }) {
  const { room, say, connection } = given;
  const [name, setName] = useState(kept("rulelang.name") ?? "");
  const [trouble, setTrouble] = useState("");
  const tell = (error: Error) => setTrouble(error.message);
  const sit = (seat: number) => {
    keep("rulelang.name", name);
    connection.say("sit", { seat, name }).then((answer) => given.sat(String(answer.token)), tell);
  };
  const others = room.watching - (room.you ? 0 : 1);
  const number = (event: Event) => Number((event.target as HTMLSelectElement).value);
  return (
    <section class={`arrange${room.begun ? "" : " waiting"}`} aria-label={say("settings")}>
      {!room.begun && <p>{say("wait")}</p>}
      {!room.begun && room.host && room.invite && (
        <div class="links">
          <Link name={say("send")} at={`#invite=${room.invite}`} room={room.id} say={say} />
          {LOOPBACK.test(location.hostname) && <p class="note">{say("only_here")}</p>}
        </div>
      )}
      {trouble && <p class="refusal" role="alert">{trouble}</p>}
      {room.may_sit && !room.you && !room.begun && (
        <label>{say("name")} <input class="field" value={name} maxLength={24} onInput={(event) => setName(event.currentTarget.value)} /></label>
      )}
      <ul class="seats">
        {room.seats.map((seat) => (
          <li key={seat.seat} class={`seat-${((seat.seat - 1) % 6) + 1}`}>
            <b>{seat.kind === "open" ? `${say("sitby")} ${seat.seat}` : seat.name}</b>
            <span class="note">
              {seat.kind === "open" ? say("open") : seat.kind === "bot" ? `${say("bot")}: ${seat.agent}` : seat.here ? say("here") : say("away")}
            </span>
            {seat.kind === "open" && room.may_sit && !room.you && (
              <button type="button" class="button chief" disabled={!name.trim()} onClick={() => sit(seat.seat)}>{say("sit")}</button>
            )}
            {room.host && seat.kind === "open" && (
              <button type="button" class="button" onClick={() => void connection.say("arrange", { seat: seat.seat, kind: "bot", agent: "greedy" }).catch(tell)}>
                {say("fill")}
              </button>
            )}
          </li>
        ))}
        {others > 0 && <li class="note">{`${others} ${say("watching")}`}</li>}
      </ul>
      <div class="settings">
        <label>{say("language")}{" "}
          <select class="field" value={room.languages.includes(given.lang) ? given.lang : "en"} onChange={(event) => given.speak(event.currentTarget.value)}>
            {room.languages.map((code) => (
              <option key={code} value={code} lang={code}>{NAMES[code] ?? code}</option>
            ))}
          </select>
        </label>
        {room.host && (
          <>
            <label>{say("speed")}{" "}
              <select class="field" value={room.speed} onChange={(event) => void connection.say("pace", { speed: number(event) }).catch(tell)}>
                {[...new Set([...SPEEDS, room.speed])].sort((a, b) => a - b).map((one) => (
                  <option key={one} value={one}>{one ? `${one} ${say("seconds")}` : say("atonce")}</option>
                ))}
              </select>
            </label>
            <label>{say("turn")}{" "}
              <select class="field" value={room.turn} onChange={(event) => void connection.say("pace", { turn: number(event) }).catch(tell)}>
                {[...new Set([...TURNS, room.turn])].sort((a, b) => a - b).map((one) => (
                  <option key={one} value={one}>{one ? `${one} ${say("seconds")}` : say("nolimit")}</option>
                ))}
              </select>
            </label>
          </>
        )}
      </div>
      {room.host && room.invite && (
        <div class="links">
          {room.begun && <Link name={say("invite")} at={`#invite=${room.invite}`} room={room.id} say={say} />}
          <Link name={say("watch")} at={`#watch=${room.watch ?? ""}`} room={room.id} say={say} />
        </div>
      )}
    </section>
  );
}

function Link(given: { name: string; at: string; room: string; say: Say }) {
  const [copied, setCopied] = useState(false);
  const address = `${location.origin}/table/${given.room}${given.at}`;
  return (
    <label>{given.name}{" "}
      <input class="field" readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" class="button" onClick={() => void navigator.clipboard.writeText(address).then(() => setCopied(true), () => undefined)}>
        {given.say(copied ? "copied" : "copy")}
      </button>
    </label>
  );
}
