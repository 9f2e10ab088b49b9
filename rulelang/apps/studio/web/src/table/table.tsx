// The table: what lies on it, what is asked, and what is done with mouse and keys.
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Asking, choices, digit, type Choice } from "./asking";
import { GridView } from "./board";
import { useChanged } from "./changed";
import type { Connection, Seen } from "./connection";
import { CardFace, Drawn, Groups, ListView, MatrixView, PlayerView, ZoneView, Facts, type Drawing, type Token } from "./drawing";
import { Explain, index, type Explained } from "./explain";
import { Log, useTold } from "./log";
import { Looking } from "./looking";
import { glide, STILL, type Places } from "./motion";
import { lit as litBy, meant, NOTHING_PICKED, type Picked } from "./picking";
import { elsewhere, neighbour } from "./roving";
import type { Document, Reason, Thing, Zone } from "./types";
import type { Say } from "./words";

const NO_LOOKS = { things: {}, rows: {}, cards: {}, members: {}, layout: [] };
/** Milliseconds that something is pointed at before the reasons against it are asked for. */
const PONDER = 200;

export function TableView(given: { connection: Connection; seen: Seen; table: Document; say: Say; showLog: boolean;
  undo?: (() => Promise<unknown>) | undefined; turnOf?: boolean; onPlace?: ((file: string, line: number) => void) | undefined }) {
  const { connection, seen, table, say } = given;
  const root = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState<Picked>(NOTHING_PICKED);
  const [pointed, setPointed] = useState("");
  const [line, setLine] = useState(-1);
  const [why, setWhy] = useState<Explained | null>(null);
  const [notice, setNotice] = useState("");
  const [opened, setOpened] = useState("");
  const [busy, setBusy] = useState(false);

  const question = table.question;
  const options = useMemo(() => (busy ? [] : (question?.options ?? [])), [question, busy]);
  useEffect(() => {
    setPicked(NOTHING_PICKED);
    setWhy(null);
    setBusy(false);
    setNotice("");
  }, [seen.moves, seen.room?.you, table]);

  const lit = useMemo(() => litBy(options, picked), [options, picked]);
  const told = useMemo(() => index(table), [table]);
  const looking = useMemo(() => new Looking(seen.looks ?? NO_LOOKS, connection.room), [seen.looks, connection.room]);
  looking.learn(table);
  const changed = useChanged(table, seen.moves);
  const spread = useMemo(() => spreading(table), [table]);
  const me = table.players.find((player) => player.you);
  const hands = useMemo(() => (me?.zones ?? []).filter((zone) => zone.cards && zone.count && !zone.brief), [me]);
  const drawing: Drawing = {
    table, looking, say, lit, picked: picked.parts, changed, ...spread,
    apart: new Set(hands.map((zone) => zone.id)),
    open: (zone) => setOpened((old) => (old === zone.id ? "" : zone.id)),
  };

  // ---- answering

  const take = useCallback(
    (option: number) => {
      setBusy(true);
      connection.say("play", { at: seen.moves, option }).catch((error: Error) => {
        setBusy(false);
        setNotice(error.message);
      });
    },
    [connection, seen.moves],
  );
  const pick = (part: string) => {
    if (lit.has(part)) {
      const next = { ...picked, parts: [...picked.parts, part] };
      const option = meant(options, next);
      if (option) take(option.index);
      else setPicked(next);
    } else if (picked.parts.includes(part)) {
      setPicked({ ...picked, parts: picked.parts.filter((one) => one !== part) });
    } else ask(part);
  };
  const drop = () =>
    setPicked((old) => (old.parts.length ? { ...old, parts: old.parts.slice(0, -1) } : { ...old, action: null }));
  const choose = (choice: Choice) => {
    if ("option" in choice) take(choice.option.index);
    else setPicked({ ...picked, action: choice.action });
  };
  const undo = () => given.undo?.().catch((error: Error) => setNotice(error.message));

  // ---- pointing, and why not

  const ask = useCallback(
    (part: string) => {
      if (!question?.options || lit.has(part) || picked.parts.includes(part)) return;
      connection.say("why", { part, picked: picked.parts }).then(
        (answer) => setWhy({ part, reasons: (answer.reasons as Reason[] | undefined) ?? [] }),
        () => undefined,
      );
    },
    [connection, question, lit, picked],
  );
  useEffect(() => {
    if (!pointed) return;
    const timer = setTimeout(() => ask(pointed), PONDER);
    return () => clearTimeout(timer);
  }, [pointed, ask]);

  const lastly = useTold(root, connection, seen.log, pointed, line);

  const partOf = (target: EventTarget | null) =>
    (target as Element | null)?.closest?.<HTMLElement>("[data-part]")?.dataset.part ?? "";
  const onKey = (event: KeyboardEvent) => {
    if (elsewhere(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = question?.options && /^[0-9]$/.test(event.key) ? choices({ ...question, options }, picked) : [];
    const choice = shown.find((_, place) => digit(shown, place) === event.key);
    const arrow = ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] } as const)[event.key];
    if (choice) choose(choice);
    else if (arrow && root.current) neighbour(root.current, arrow)?.focus();
    else if (event.key === "Escape") {
      setOpened("");
      drop();
    } else if (event.key === "u" && given.undo) void undo();
    else if (event.key === "w") ask(partOf(document.activeElement));
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  // ---- what moved glides to where it lies now

  const before = useRef<Places>(new Map());
  useLayoutEffect(() => {
    if (!root.current) return;
    before.current = glide(root.current, before.current);
  }, [table]);

  // What is asked about is in sight.
  useEffect(() => {
    const board = root.current?.querySelector(".board");
    const some = [...(board?.querySelectorAll(".lit") ?? [])];
    if (!board || !some.length) return;
    const { top, bottom } = board.getBoundingClientRect();
    const seen_ = some.map((one) => one.getBoundingClientRect()).some((box) => box.bottom > top + 8 && box.top < bottom - 24);
    if (!seen_) some[0]?.scrollIntoView({ block: "center", behavior: STILL.matches ? "auto" : "smooth" });
  }, [question, options.length]);

  const shown = [...table.zones, ...table.players.flatMap((player) => player.zones)].find((zone) => zone.id === opened);
  const asked = (question?.cards ?? []).filter((card) => card.id.startsWith("asked/"));
  const best = Math.max(...table.players.map((player) => player.score ?? -Infinity));
  const names = picked.parts.map((part) => told.get(part)?.title ?? part);
  return (
    <Drawn.Provider value={drawing}>
      <div class={`table${question?.options ? " mine" : ""}`} ref={root} lang={table.lang} data-moves={seen.moves}
        onClick={(event) => {
          const part = partOf(event.target);
          if (part) {
            setPointed(part);
            pick(part);
          }
        }}
        onWheel={sideways}
        onPointerOver={(event) => event.pointerType === "mouse" && partOf(event.target) && setPointed(partOf(event.target))}
        onFocusIn={(event) => partOf(event.target) && setPointed(partOf(event.target))}>
        <div class="board" tabIndex={0} role="region" aria-label={say("board")}>
          <Board table={table} looking={looking} best={best}
            opened={shown && <Opened zone={shown} close={() => setOpened("")} say={say} />} />
        </div>
        <div class="dock">
          {table.over && <p class="prompt over">{`${say("over")}: ${winners(table, best)}`}</p>}
          {notice && <p class="refusal" role="alert">{notice}</p>}
          {seen.room?.answered.includes(seen.room.you) && <p class="prompt" role="status">{say("answered")}</p>}
          {question && (
            <Asking question={{ ...question, ...(question.options ? { options } : {}) }} picked={picked} names={names}
              say={say} choose={choose} drop={drop} who={given.turnOf ? me : undefined} />
          )}
          {(asked.length > 0 || hands.length > 0) && (
            <div class="hand" tabIndex={0} role="group" aria-label={hands[0]?.label ?? say("cards")}>
              {asked.map((card) => (
                <CardFace key={card.id} card={card} />
              ))}
              {hands.flatMap((zone, place) => [
                // What lies beside the hand, as a card that was laid aside, is not taken for a part of it.
                ...(place > 0 ? [<span key={zone.id} class="beside-hand">{zone.label}</span>] : []),
                ...(zone.cards ?? []).map((card) => <CardFace key={card.id} card={card} />),
              ])}
            </div>
          )}
        </div>
        <div class={`side${given.showLog ? " open" : ""}`}>
          <Explain told={told.get(pointed)} why={why?.part === pointed ? why : null} lit={lit.has(pointed)} lastly={lastly && `${say("lastly")}: ${lastly}`}
            can={say("can")} hint={<p class="note"><span class="by-key">{say("keys")}</span><span class="by-touch">{say("tap")}</span></p>} onPlace={given.onPlace} />
          <Log lines={seen.log} asked={!table.viewer || !!question?.options} say={say} point={setLine} />
        </div>
      </div>
    </Drawn.Provider>
  );
}

/** What stands on the table, in the order of the game's layout; zones that stand side by side share a line. */
function Board(given: { table: Document; looking: Looking; best: number; opened: ComponentChildren }) {
  const { table, looking } = given;
  const parts: { name: string; zone?: Zone; view?: ComponentChildren }[] = looking.order([
    ...table.zones.map((zone) => ({ name: zone.name, zone })),
    ...table.grids.map((grid) => ({ name: grid.name, view: <GridView key={grid.id} grid={grid} /> })),
    ...table.lists.map((listing) => ({ name: listing.name, view: <ListView key={listing.id} listing={listing} /> })),
    ...table.tables.map((matrix) => ({ name: matrix.name, view: <MatrixView key={matrix.id} matrix={matrix} /> })),
    {
      name: "player",
      view: (
        <div key="players" class="players">
          {seated(table).map((player) => (
            <PlayerView key={player.id} player={player} won={table.over && player.score === given.best} />
          ))}
        </div>
      ),
    },
    ...table.nobody.map((group) => ({ name: group.kind, view: <Groups key={group.kind} groups={[group]} /> })),
  ]);
  const lines: ComponentChildren[] = [];
  let beside: Zone[] = [];
  const flush = () => {
    if (beside.length) lines.push(<div key={`beside ${beside[0]?.id}`} class="common">{beside.map((zone) => <ZoneView key={zone.id} zone={zone} />)}</div>);
    beside = [];
  };
  for (const part of parts) {
    if (part.zone) beside.push(part.zone);
    else {
      flush();
      lines.push(part.view);
    }
  }
  flush();
  return (
    <>
      <Facts facts={table.facts} kind="game" />
      {given.opened}
      {lines}
    </>
  );
}

function Opened(given: { zone: Zone; close: () => void; say: Say }) {
  const { zone } = given;
  return (
    <section class="opened" aria-label={zone.label}>
      <header>
        <h2>{zone.label}</h2>
        <span class="note">{zone.about ?? ""}</span>
        <button type="button" class="button" onClick={given.close}>{given.say("close")}</button>
      </header>
      <div class="cards">
        {[...(zone.cards ?? [])].reverse().map((card) => (
          <CardFace key={card.id} card={card} small />
        ))}
        {!zone.cards && <span class="note">{`${zone.count} ${given.say(zone.count === 1 ? "card" : "cards")}`}</span>}
      </div>
    </section>
  );
}

/** A wheel that turns one way moves what lies side by side, too. */
function sideways(event: WheelEvent) {
  const row = (event.target as Element | null)?.closest?.(".hand, .choices");
  if (!row || event.deltaX || event.shiftKey || row.scrollWidth <= row.clientWidth || row.scrollHeight > row.clientHeight + 1) return;
  row.scrollLeft += event.deltaY;
  event.preventDefault();
}

/** The viewer last, next to his hand; before him the others in the order of turns from him on. */
function seated(table: Document) {
  const place = table.players.findIndex((player) => player.you);
  return place < 0 ? table.players : [...table.players.slice(place + 1), ...table.players.slice(0, place + 1)];
}

function winners(table: Document, best: number): string {
  return table.players.filter((player) => player.score === best).map((player) => `${player.label} (${best})`).join(", ");
}

function spreading(table: Document) {
  const here = new Map<string, Thing[]>();
  const counted = new Map<string, Token[]>();
  for (const group of [...table.nobody, ...table.players.flatMap((player) => player.groups)])
    for (const thing of group.things) if (thing.place) here.set(thing.place, [...(here.get(thing.place) ?? []), thing]);
  const grids = new Set(table.grids.map((grid) => grid.name));
  for (const matrix of table.tables) {
    const at = matrix.of.findIndex((kind) => grids.has(kind));
    if (at < 0) continue;
    for (const cell of matrix.cells) {
      const space = cell.at[at] ?? "";
      const others = cell.labels.filter((_, place) => place !== at);
      const part = cell.at.find((_, place) => place !== at) ?? matrix.id;
      const first = matrix === table.tables.find((one) => one.of.some((kind) => grids.has(kind)));
      const label = first ? others.join(" ") : `${matrix.label} ${others.join(" ")}`;
      counted.set(space, [...(counted.get(space) ?? []), { part, name: others.join(" "), of: first ? "" : matrix.name, label, text: cell.text, cell: cell.id }]);
    }
  }
  return { here, counted };
}
