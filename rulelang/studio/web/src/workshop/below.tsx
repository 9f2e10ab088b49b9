// Below: what is wrong, scenarios, what happened, and what the games in the background say.
import { useEffect, useState } from "preact/hooks";
import { type Bench, type Finding, many } from "./bench";
import type { Language } from "./language";
import type { Difference, Outcome, Scenario } from "./types";

export const TABS = ["problems", "scenarios", "log", "balance"] as const;
export type Tab = (typeof TABS)[number];

export function Below(given: { bench: Bench; language: Language | null; tab: Tab; show: (tab: Tab) => void; play: (scenario: Scenario) => void }) {
  const { bench, tab } = given;
  const findings = every(bench);
  const errors = findings.filter((one) => one.severity === "error").length;
  const mine = bench.scenarios.filter((one) => one.path === bench.path);
  const failed = [...bench.outcomes.values()].filter((one) => !one.passed).length;
  const counts: Partial<Record<Tab, string>> = { // their place is kept where there is nothing to count
    problems: findings.length ? String(findings.length) : "",
    scenarios: mine.length ? String(mine.length) : "",
  };
  return (
    <section class="below" data-keys="own" aria-label="What was found">
      <div class="tabs" role="tablist">
        {TABS.map((one) => (
          <button key={one} type="button" role="tab" id={`tab-${one}`} aria-selected={one === tab} aria-controls="below-panel"
            class={(one === "problems" && errors) || (one === "scenarios" && failed) ? "wrong" : ""} onClick={() => given.show(one)}>
            {one[0]?.toUpperCase()}{one.slice(1)}{one in counts && <span class={`how-many${counts[one] ? "" : " none"}`}>{counts[one] || "0"}</span>}
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
    return <p class="note">{told ? told.message : "There is no game in this folder yet."}</p>;
  }
  if (!findings.length) {
    const other = bench.listing.problems;
    if (other.length) return <ul class="problems">{other.map((one, at) => <li key={at} class={one.severity}><p class="message">{one.message}</p><p>{one.because}</p></li>)}</ul>;
    return <p class="note">Nothing is wrong.</p>;
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
        {given.mine.length > 0 && <button type="button" class="button" disabled={!!bench.running} onClick={() => void bench.run(bench.path)}>{`▶ Run all ${given.mine.length} of this file`}</button>}
        {given.mine.length > 0 && <label class="flag"><input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> those of other files too</label>}
      </p>
      {!shown.length && <p class="note">There are no scenarios yet. Play at the table, then “Make a scenario of this”.</p>}
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
  const state = running ? "running" : !outcome ? "not run" : outcome.passed ? "passed" : "failed";
  return (
    <>
      <div class={`scenario ${outcome ? (outcome.passed ? "passed" : "failed") : ""}`}>
        <span class="mark" role="img" aria-label={state} title={state}>{sign}</span>
        <button type="button" class="name" onClick={() => void bench.open(one.path, one.line)}>{one.name}</button>
        <button type="button" class="button small" onClick={() => void bench.run(one.path, one.name)}>▶ Run</button>
        <button type="button" class="button small" onClick={() => given.play(one)}>Play from here</button>
      </div>
      {outcome && !outcome.passed && (
        <div class="failures">
          {outcome.failures.map((failure, at) => (
            <div key={at}>
              <button type="button" class="place" onClick={() => failure.path && void bench.open(failure.path, failure.line)}>line {failure.line}</button>
              <p class="message">{failure.message}: <code>{failure.what}</code></p>
              {failure.expected.length > 0 && <p>expected: <code>{failure.expected.join(", ")}</code></p>}
              {failure.found.length > 0 && <p>found: <code>{failure.found.join(", ")}</code></p>}
              {failure.because && <p>{failure.because}</p>}
              {failure.notes.map((note, n) => <p key={n}>{note}</p>)}
            </div>
          ))}
          {outcome.problems.map((problem, at) => (
            <div key={at}>
              <button type="button" class="place" onClick={() => problem.path && void bench.open(problem.path, problem.line)}>line {problem.line}</button>
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
  if (!run.length) return <p class="note">What happened in a scenario that failed stands here. What happens at the table stands there, under Log.</p>;
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
  const said = weighing === "playing"
    ? "games are being played …"
    : weighing
      ? weighing
      : !weight
        ? ""
        : about
          ? about.short + (changed.length ? ` Since the last change, ${changed.slice(0, 1).map(sentence).join("")}.` : "")
        : weight.change
          ? changed.length
            ? `${many(weight.games, "game")}: ${changed.slice(0, 2).map(sentence).join("; ")}`
            : `${many(weight.games, "game")}: nothing that one would notice is otherwise`
          : `${many(weight.games, "game")} played at random: ${weight.wins.map((share) => `${Math.round(share * 100)} %`).join(" · ")}`;
  return <button type="button" class={`strip ${(about ? about.sure : changed.length) && !weighing ? "changed" : ""}`} onClick={given.open} aria-live="polite" title={`Balance. ${said}`}>{`⚖ ${said}`}</button>;
}

const NAMES = { wins: "wins", points: "points", rounds: "rounds of a game", decisions: "decisions of a game" };

/** Whether a difference is one, and large enough that somebody at the table would notice it. */
function matters(one: Difference): boolean {
  const by = Math.abs(one.difference.value);
  return one.differs && (one.what === "wins" ? by >= 0.01 : by >= 0.02 * Math.max(1, Math.abs(one.base.value)));
}

function sentence(one: Difference): string {
  const by = one.difference.value;
  if (one.what === "wins") return `seat ${one.seat} wins ${percent(Math.abs(by))} ${by > 0 ? "more" : "less"} often`;
  const number = Math.abs(by) < 0.1 ? Math.abs(by).toFixed(2) : Math.abs(by).toFixed(1);
  if (one.what === "points") return `seat ${one.seat} has ${number} points ${by > 0 ? "more" : "fewer"}`;
  return `a game has ${number} ${one.what} ${by > 0 ? "more" : "fewer"}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function Balance(given: { bench: Bench }) {
  const { bench } = given;
  const { weight, weighing, judged, openTrait } = bench;
  const about = judged?.traits[openTrait];
  const [since, setSince] = useState<"change" | "since_opened">("change");
  if (!weight) return <p class="note">{weighing === "playing" ? "A few thousand games are being played by chance, to see how the game stands now." : weighing || "No game has been played yet."}</p>;
  const rows = weight[since];
  const value = (one: Difference, which: "base" | "against") => (one.what === "wins" ? percent(one[which].value) : one[which].value.toFixed(1));
  return (
    <div class="balance">
      <p>
        {`${many(weight.games, "game")} of ${weight.players} players who move by chance, in ${weight.seconds} s. `}
        {weighing === "playing" && "What you have changed since is being played …"}
        {weighing && weighing !== "playing" && weighing}
      </p>
      {about && (
        <div class="about">
          {about.said.map((one) => <p key={one}>{one}</p>)}
          <p class="note">“Expected” is what those won who sat in the same seat and had as many cards, or traits, without this one.</p>
        </div>
      )}
      {!about && openTrait && !weighing && <p class="note">{bench.unjudged || (judged ? "No card of this game bears the trait that is open." : "What the trait that is open does to winning is being found out …")}</p>}
      <div class="bar" role="group" aria-label="Compared with">
        <span>Compared with the game</span>
        <button type="button" class="button small" aria-pressed={since === "change"} onClick={() => setSince("change")}>before the last change</button>
        <button type="button" class="button small" aria-pressed={since === "since_opened"} onClick={() => setSince("since_opened")}>as you found it</button>
      </div>
      {!rows && <p class="note">Nothing has been changed yet that plays otherwise.</p>}
      <table>
        <thead><tr><th />{rows ? <><th>before</th><th>now</th><th>difference</th></> : <><th>wins</th><th>points</th></>}</tr></thead>
        <tbody>
          {rows?.map((one) => (
            <tr key={`${one.what} ${one.seat}`} class={one.differs ? "differs" : ""}>
              <th>{one.seat ? `seat ${one.seat}: ${NAMES[one.what]}` : NAMES[one.what]}</th>
              <td>{value(one, "base")}</td>
              <td>{value(one, "against")}</td>
              <td>{one.differs ? sentence(one) : "no more than chance"}</td>
            </tr>
          ))}
          {!rows && weight.wins.map((share, seat) => (
            <tr key={seat}><th>{`seat ${seat + 1}`}</th><td>{percent(share)}</td><td>{weight.points[seat]?.toFixed(1)}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
