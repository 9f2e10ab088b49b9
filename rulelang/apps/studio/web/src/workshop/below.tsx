// Below: what is wrong, scenarios, what happened, and what the games in the background say.
import { useEffect, useState } from "preact/hooks";
import type { Bench, Finding } from "./bench";
import type { Language } from "./language";
import type { Difference, Outcome, Scenario, Weight } from "./types";
import { say, type Word } from "./words";

export const TABS = ["problems", "scenarios", "log", "balance"] as const;
export type Tab = (typeof TABS)[number];

export function Below(given: { bench: Bench; language: Language | null; tab: Tab; show: (tab: Tab) => void; play: (scenario: Scenario) => void }) {
  const { bench, tab } = given;
  const findings = every(bench);
  const errors = findings.filter((one) => one.severity === "error").length;
  const mine = bench.scenarios.filter((one) => one.path === bench.path);
  const failed = [...bench.outcomes.values()].filter((one) => !one.passed && (!mine.length || one.path === bench.path)).length;
  const counts: Partial<Record<Tab, string>> = { // their place is kept where there is nothing to count
    problems: findings.length ? String(findings.length) : "",
    scenarios: mine.length ? String(mine.length) : "",
  };
  return (
    <section class="below" data-keys="own" aria-label={say("below")}>
      <div class="tabs" role="tablist">
        {TABS.map((one) => (
          <button key={one} type="button" role="tab" id={`tab-${one}`} aria-selected={one === tab} aria-controls="below-panel"
            class={(one === "problems" && errors) || (one === "scenarios" && failed) ? "wrong" : ""} onClick={() => given.show(one)}>
            {say(one)}{one in counts && <span class={`how-many${counts[one] ? "" : " none"}`}>{counts[one] || "0"}</span>}
          </button>
        ))}
        <span class="gap" />
        <Strip bench={bench} open={() => given.show("balance")} />
      </div>
      <div class="panel" role="tabpanel" id="below-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === "problems" && <Problems bench={bench} language={given.language} findings={findings} />}
        {tab === "scenarios" && <Scenarios bench={bench} play={given.play} mine={mine} />}
        {tab === "log" && <Log bench={bench} />}
        {tab === "balance" && <Balance bench={bench} />}
      </div>
    </section>
  );
}

function every(bench: Bench): Finding[] {
  const rank = { error: 0, warning: 1, info: 2 };
  return [...bench.findings.values()].flat().sort((a, b) =>
    Number(b.path === bench.path) - Number(a.path === bench.path) || rank[a.severity] - rank[b.severity] || a.path.localeCompare(b.path) || a.line - b.line);
}

// ---- problems

function Problems(given: { bench: Bench; language: Language | null; findings: Finding[] }) {
  const { bench, findings } = given;
  if (!bench.listing) return null;
  if (!bench.listing.game) {
    const told = bench.listing.problems[0];
    return <p class="note">{told ? told.message : say("no_game_short")}</p>;
  }
  if (!findings.length) {
    const other = bench.listing.problems;
    if (other.length) return <ul class="problems">{other.map((one, at) => <li key={at} class={one.severity}><p class="message">{one.message}</p><p>{one.because}</p></li>)}</ul>;
    return <p class="note">{say("nothing_wrong")}</p>;
  }
  return (
    <ul class="problems">
      {findings.map((one, at) => (
        <li key={`${one.path} ${one.line} ${one.character} ${one.message}`} class={one.severity}><Finding_ bench={bench} language={given.language} one={one} mended={one.path === bench.path || at < FIRST} /></li>
      ))}
    </ul>
  );
}

/** Fixes are asked for in the file at hand, and elsewhere for so many of the first mistakes. */
const FIRST = 5;

function Finding_(given: { bench: Bench; language: Language | null; one: Finding; mended: boolean }) {
  const { bench, language, one, mended } = given;
  const [fixes, setFixes] = useState<{ title: string; apply: () => void }[]>([]);
  const lines = one.message.split("\n");
  useEffect(() => {
    let gone = false;
    if (!language || !mended || one.severity === "info") return setFixes([]);
    const range = { start: { line: one.line, character: one.character }, end: { line: one.endLine, character: one.endCharacter } };
    const timer = setTimeout(() => void language.fixes(one.path, range).then((found) => {
      if (!gone) setFixes(found.slice(0, 3).map((action) => ({ title: action.title, apply: () => void language.apply(action) })));
    }), 250);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [one.path, one.message, one.line, mended, language?.online]);
  return (
    <>
      <button type="button" class="place" onClick={() => void bench.open(one.path, one.line + 1, one.character + 1)}>
        {one.path.split("/").pop()}:{one.line + 1}
      </button>
      <div>
        <p class="message">{lines[0]} {one.code && <span class="page-code">{one.code}</span>}</p>
        {lines.slice(1).map((line, at) => <p key={at}>{line}</p>)}
        {fixes.map((fix) => <button key={fix.title} type="button" class="button fix" onClick={fix.apply}>{`⚒ ${fix.title}`}</button>)}
      </div>
    </>
  );
}

// ---- scenarios

function Scenarios(given: { bench: Bench; play: (scenario: Scenario) => void; mine: Scenario[] }) {
  const { bench } = given;
  const [all, setAll] = useState(false);
  const shown = all || !given.mine.length ? bench.scenarios : given.mine;
  const files = [...new Set(shown.map((one) => one.path))];
  return (
    <div class="scenarios">
      <p class="bar">
        {given.mine.length > 0 && <button type="button" class="button" disabled={!!bench.running} onClick={() => void bench.run(bench.path)}>{say("run_all", { n: given.mine.length })}</button>}
        {given.mine.length > 0 && <label class="flag"><input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> {say("others_too")}</label>}
      </p>
      {!shown.length && <p class="note">{say("no_scenarios")}</p>}
      {files.map((path) => (
        <ul key={path}>
          {files.length > 1 && <li class="file">{path}</li>}
          {shown.filter((one) => one.path === path).map((one) => (
            <li key={one.id}><One bench={bench} one={one} play={given.play} outcome={bench.outcomes.get(`${one.path}: ${one.name}`)} /></li>
          ))}
        </ul>
      ))}
    </div>
  );
}

function One(given: { bench: Bench; one: Scenario; play: (scenario: Scenario) => void; outcome: Outcome | undefined }) {
  const { bench, one, outcome } = given;
  const running = bench.running === `${one.path}: ${one.name}` || bench.running === `${one.path}: `;
  const sign = running ? "…" : !outcome ? "○" : outcome.passed ? "✓" : "✗";
  const state = say(running ? "running" : !outcome ? "not_run" : outcome.passed ? "passed" : "failed");
  return (
    <>
      <div class={`scenario ${outcome ? (outcome.passed ? "passed" : "failed") : ""}`}>
        <span class="mark" role="img" aria-label={state} title={state}>{sign}</span>
        <button type="button" class="name" onClick={() => void bench.open(one.path, one.line)}>{one.name}</button>
        <button type="button" class="button small" onClick={() => void bench.run(one.path, one.name)}>{say("run")}</button>
        <button type="button" class="button small" onClick={() => given.play(one)}>{say("from_here")}</button>
      </div>
      {outcome && !outcome.passed && (
        <div class="failures">
          {one.example && (
            <p class="bar">
              <span>{say("example")}</span>
              <button type="button" class="button small" onClick={() => void bench.example(one.path, false)}>{say("make_anew")}</button>
              <button type="button" class="button small" onClick={() => void bench.example(one.path, true)}>{say("drop_it")}</button>
            </p>
          )}
          {outcome.failures.map((failure, at) => (
            <div key={at}>
              <button type="button" class="place" onClick={() => failure.path && void bench.open(failure.path, failure.line)}>{say("line", { n: String(failure.line) })}</button>
              <p class="message">{failure.message}: <code>{failure.what}</code></p>
              {failure.expected.length > 0 && <p>{say("expected")} <code>{failure.expected.join(", ")}</code></p>}
              {failure.found.length > 0 && <p>{say("got")} <code>{failure.found.join(", ")}</code></p>}
              {failure.because && <p>{failure.because}</p>}
              {failure.notes.map((note, n) => <p key={n}>{note}</p>)}
            </div>
          ))}
          {outcome.problems.map((problem, at) => (
            <div key={at}>
              <button type="button" class="place" onClick={() => problem.path && void bench.open(problem.path, problem.line)}>{say("line", { n: String(problem.line) })}</button>
              <p class="message">{problem.message}</p>
              {problem.because && <p>{problem.because}</p>}
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function Log(given: { bench: Bench }) {
  const run = [...given.bench.outcomes.values()].filter((one) => one.log.length);
  if (!run.length) return <p class="note">{say("log_hint")}</p>;
  return (
    <div class="story">
      {run.map((one) => (
        <section key={`${one.path}: ${one.name}`}>
          <h3>{one.name}</h3>
          <pre>{one.log.join("\n")}</pre>
        </section>
      ))}
    </div>
  );
}

// ---- balance

/** One line that is always in sight. */
function Strip(given: { bench: Bench; open: () => void }) {
  const { weight, weighing, judged, openTrait } = given.bench;
  const about = judged?.traits[openTrait];
  const changed = weight?.change?.filter(matters) ?? [];
  const said = weighing ? weighed(weighing) : !weight ? "" : told(weight, about?.short ?? "", changed);
  return <button type="button" class={`strip ${(about ? about.sure : changed.length) && !weighing ? "changed" : ""}`} onClick={given.open} aria-live="polite" title={`${say("balance")}: ${said}`}>{`⚖ ${said}`}</button>;
}

function told(weight: Weight, about: string, changed: Difference[]): string {
  const games = say("games", { n: weight.games });
  if (about) return changed[0] ? say("since", { about, said: sentence(changed[0]) }) : about;
  if (changed.length) return say("changed", { games, said: changed.slice(0, 2).map(sentence).join("; ") });
  if (weight.change) return say("unnoticed", { games });
  return say("at_random", { games, said: weight.wins.map((share) => `${Math.round(share * 100)} %`).join(" · ") });
}

/** Why there is nothing to tell yet. */
function weighed(weighing: string): string {
  return weighing === "playing" ? say("playing") : weighing === "mend" ? say("mend_first") : weighing;
}

/** Whether a difference is one, and large enough that somebody at the table would notice it. */
function matters(one: Difference): boolean {
  const by = Math.abs(one.difference.value);
  return one.differs && (one.what === "wins" ? by >= 0.01 : by >= 0.02 * Math.max(1, Math.abs(one.base.value)));
}

function sentence(one: Difference): string {
  const by = one.difference.value;
  const number = one.what === "wins" ? percent(Math.abs(by)) : Math.abs(by) < 0.1 ? Math.abs(by).toFixed(2) : Math.abs(by).toFixed(1);
  const word: Word = `${by > 0 ? "more" : "less"}_${one.what}`;
  return say(word, { seat: one.seat, by: number });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function Balance(given: { bench: Bench }) {
  const { bench } = given;
  const { weight, weighing, judged, openTrait } = bench;
  const about = judged?.traits[openTrait];
  const [since, setSince] = useState<"change" | "since_opened">("change");
  if (!weight) return <p class="note">{weighing === "playing" ? say("being_played") : weighed(weighing) || say("not_played")}</p>;
  const rows = weight[since];
  const value = (one: Difference, which: "base" | "against") => (one.what === "wins" ? percent(one[which].value) : one[which].value.toFixed(1));
  return (
    <div class="balance">
      <p>
        {say("by_chance", { games: say("games", { n: weight.games }), players: weight.players, seconds: weight.seconds })}{" "}
        {weighing === "playing" ? say("since_played") : weighed(weighing)}
      </p>
      {about && (
        <div class="about">
          {about.said.map((one) => <p key={one}>{one}</p>)}
          <p class="note">{say("about_expected")}</p>
          {!about.sure && <button type="button" class="button small" onClick={() => bench.surer()}>{say("surer")}</button>}
        </div>
      )}
      {!about && openTrait && !weighing && <p class="note">{bench.unjudged || say(judged ? "no_card" : "finding_out")}</p>}
      <div class="bar" role="group" aria-label={say("compared_with")}>
        <span>{say("compared")}</span>
        <button type="button" class="button small" aria-pressed={since === "change"} onClick={() => setSince("change")}>{say("before_change")}</button>
        <button type="button" class="button small" aria-pressed={since === "since_opened"} onClick={() => setSince("since_opened")}>{say("as_found")}</button>
      </div>
      {!rows && <p class="note">{say("nothing_else")}</p>}
      <table>
        <thead><tr><th />{rows ? <><th>{say("before")}</th><th>{say("now")}</th><th>{say("difference")}</th></> : <><th>{say("wins")}</th><th>{say("points")}</th></>}</tr></thead>
        <tbody>
          {rows?.map((one) => (
            <tr key={`${one.what} ${one.seat}`} class={one.differs ? "differs" : ""}>
              <th>{one.seat ? say("seat_what", { seat: one.seat, what: say(one.what) }) : say(one.what)}</th>
              <td>{value(one, "base")}</td>
              <td>{value(one, "against")}</td>
              <td>{one.differs ? sentence(one) : say("chance")}</td>
            </tr>
          ))}
          {!rows && weight.wins.map((share, seat) => (
            <tr key={seat}><th>{say("seat", { seat: seat + 1 })}</th><td>{percent(share)}</td><td>{weight.points[seat]?.toFixed(1)}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
