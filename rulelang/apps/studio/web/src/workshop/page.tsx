// The page to write on: files left, text or form in the middle, the table right, what was found below.
import { useEffect, useRef, useState } from "preact/hooks";
import { keep, kept } from "../frame/api";
import { useLanguage } from "../frame/speech";
import { Below, type Tab } from "./below";
import { Bench, inOurs } from "./bench";
import { Editor } from "./editor";
import { Files, FirstGame } from "./files";
import { FormView } from "./form";
import { Language } from "./language";
import { Play, type Start } from "./play";
import type { Scenario } from "./types";
import { say, type Word } from "./words";

const PANES = ["files", "write", "play", "found"] as const;
type Pane = (typeof PANES)[number];

const KEYS: [string, Word][] = [
  ["Ctrl S", "k_save"],
  ["Ctrl Enter", "k_run"],
  ["Ctrl Space", "k_complete"],
  ["Ctrl .", "k_mend"],
  ["F8", "k_next"],
  ["F12", "k_declared"],
  ["F2", "k_rename"],
  ["Alt 1", "k_form"],
  ["Alt 2", "k_find"],
  ["Alt 3", "k_card"],
];

export function Workshop(given: { folder: string }) {
  const [bench] = useState(() => new Bench(given.folder));
  const [, redraw] = useState(0);
  const lang = useLanguage(); // all of it is said anew
  const [language, setLanguage] = useState<Language | null>(null);
  const [tab, setTab] = useState<Tab>("problems");
  const [pane, setPane] = useState<Pane>("write");
  const [asForm, setAsForm] = useState(kept("rulelang.form") === "yes");
  const [start, setStart] = useState<Start | null>(null);
  const [keys, setKeys] = useState(false);
  const starts = useRef(0);
  useEffect(() => {
    const stop = bench.listen(() => redraw((n) => n + 1));
    let made: Language | null = null;
    void bench.begin().then(() => {
      made = new Language(bench);
      setLanguage(made);
    });
    const leaving = (event: BeforeUnloadEvent) => {
      if (bench.dirty) {
        void bench.save();
        event.preventDefault();
      }
    };
    const looked = () => void (document.visibilityState === "visible" && bench.list());
    addEventListener("beforeunload", leaving);
    document.addEventListener("visibilitychange", looked);
    return () => {
      stop();
      made?.close();
      removeEventListener("beforeunload", leaving);
      document.removeEventListener("visibilitychange", looked);
    };
  }, [bench]);
  useEffect(() => {
    if (bench.goal) setAsForm(false); // a line is shown where lines are
  }, [bench.goal]);
  useEffect(() => bench.spoken(), [lang]);
  const listing = bench.listing;
  const trait = listing?.traits.find((one) => one.path === bench.path);
  const file = bench.now;
  const formed = !!trait || !!listing?.forms.includes(bench.path);
  const form = asForm && formed;
  const play = (scenario: Scenario) => {
    setStart({ scenario, at: ++starts.current });
    setPane("play");
  };
  const run = () => {
    setTab("scenarios");
    void bench.run(bench.path);
  };
  const change = (to: boolean) => {
    setAsForm(to);
    keep("rulelang.form", to ? "yes" : "no");
  };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const mod = event.ctrlKey || event.metaKey;
      if (event.altKey && event.key === "1") change(!asForm);
      else if (event.altKey && event.key === "2") {
        setPane("files");
        document.getElementById("find-file")?.focus();
      } else if (event.altKey && event.key === "3") {
        setStart({ card: true, scenario: bench.scenarios.find((one) => one.path === bench.path), at: ++starts.current });
        setPane("play");
      } else if (mod && event.key === "s") void bench.save();
      else if (mod && event.key === "Enter" && !(event.target as Element).closest?.(".cm-editor")) run();
      else if (event.key === "Escape" && keys) setKeys(false);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
  const state = !file ? "" : say(file.conflict ? "elsewhere" : file.text === file.saved ? "saved" : "unsaved");
  return (
    <div class="workshop" data-pane={pane}>
      <h1 class="unseen">{listing?.game?.title ?? say("workshop")}</h1>
      <Files bench={bench} opened={() => setPane("write")} made={() => setAsForm(true)} />
      <section class="write" data-keys="own" aria-label={say("text")}>
        <div class="write-head">
          <h1>{trait ? inOurs(trait.title) || trait.id : bench.path || say("workshop")}</h1>
          <span class={`state ${file?.conflict ? "wrong" : ""}`} role="status">{state}</span>
          <span class="gap" />
          {formed && (
            <div class="switch" role="group" aria-label={say("view")}>
              <button type="button" aria-pressed={!form} onClick={() => change(false)}>{say("text")}</button>
              <button type="button" aria-pressed={form} onClick={() => change(true)}>{say("form")}</button>
            </div>
          )}
          <button type="button" class="button" onClick={() => setKeys(!keys)} aria-expanded={keys} aria-label={say("keys")} title={say("keys")}>⌨</button>
          {keys && (
            <dl class="keys">
              {KEYS.map(([key, what]) => [<dt key={key}><kbd>{key}</kbd></dt>, <dd key={what}>{say(what)}</dd>])}
            </dl>
          )}
        </div>
        {file?.conflict && (
          <p class="conflict" role="alert">
            {say("conflict")}
            <button type="button" class="button" onClick={() => void bench.settle(bench.path, false)}>{say("theirs")}</button>
            <button type="button" class="button" onClick={() => void bench.settle(bench.path, true)}>{say("mine")}</button>
          </p>
        )}
        <div class="write-body">
          {listing && !listing.game && !listing.problems.length && <FirstGame bench={bench} />}
          {file && language && <div class="text-side" hidden={form || !listing?.game && !listing?.problems.length}><Editor key={bench.path} bench={bench} language={language} path={bench.path} text={file.text} run={run} /></div>}
          {file && form && <FormView key={bench.path} bench={bench} path={bench.path} text={file.text} trait={!!trait} />}
        </div>
      </section>
      <Below bench={bench} language={language} tab={tab} show={(one) => { setTab(one); setPane("found"); }} play={play} />
      <Play bench={bench} start={start} />
      <p class="foot" role="status">{bench.said}</p>
      <nav class="panes" aria-label={say("parts")}>
        {PANES.map((one) => (
          <button key={one} type="button" aria-current={one === pane ? "true" : undefined} onClick={() => setPane(one)}>{say(one)}</button>
        ))}
      </nav>
    </div>
  );
}
