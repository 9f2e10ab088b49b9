// Left: traits as cards, then the other files of the game.
import { useEffect, useState } from "preact/hooks";
import { focused, useDoing } from "../frame/doing";
import { inOurs, type Bench } from "./bench";
import type { Trait } from "./types";
import { say } from "./words";

export function Files(given: { bench: Bench; opened: () => void; made: () => void }) {
  const { bench } = given;
  const [sought, setSought] = useState("");
  const [making, setMaking] = useState(false);
  const listing = bench.listing;
  useEffect(() => {
    document.querySelector(".files [aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [bench.path, !listing]);
  if (!listing) return <nav class="files" aria-busy="true" aria-label={say("files")} />;
  const open = (path: string) => {
    void bench.open(path);
    given.opened();
  };
  const fits = (text: string) => text.toLowerCase().includes(sought.trim().toLowerCase());
  const traits = listing.traits.filter((one) => fits(`${one.id} ${Object.values(one.title).join(" ")} ${Object.values(one.text).join(" ")}`));
  const files = listing.files.filter(fits);
  const wrong = (path: string) => bench.findings.get(path)?.filter((one) => one.severity === "error").length ?? 0;
  return (
    <nav class="files" aria-label={say("files")} data-keys="own">
      <div class="files-head">
        <input class="field" type="search" placeholder={say("find")} aria-label={say("find")} value={sought} id="find-file"
          onInput={(event) => setSought(event.currentTarget.value)}
          onKeyDown={(event) => {
            const first = traits[0]?.path ?? files[0];
            if (event.key === "Enter" && first) open(first);
          }} />
        {listing.game && (
          <button type="button" class="button chief" aria-expanded={making} onClick={() => setMaking(!making)}>{say("new_trait")}</button>
        )}
      </div>
      {making && <NewTrait bench={bench} done={() => { setMaking(false); given.made(); given.opened(); }} />}
      <div class="files-list">
        {traits.length > 0 && (
          <ul class="trait-list">
            {traits.map((one) => (
              <li key={one.path}>
                <Card trait={one} here={one.path === bench.path} wrong={Math.max(wrong(one.path), one.problems)} unsaved={unsaved(bench, one.path)} open={open} />
              </li>
            ))}
          </ul>
        )}
        {traits.length === 0 && sought && files.length === 0 && <p class="note">{say("nothing_so")}</p>}
        {files.length > 0 && <h2>{say("files")}</h2>}
        <ul class="paths">
          {files.map((path) => (
            <li key={path}>
              <button type="button" aria-current={path === bench.path ? "true" : undefined} onClick={() => open(path)}>
                <span>{path}</span>
                {unsaved(bench, path) && <span title={say("unsaved")}>•</span>}
                {wrong(path) > 0 && <span class="how-many">{wrong(path)}</span>}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

function unsaved(bench: Bench, path: string): boolean {
  const file = bench.files.get(path);
  return !!file && file.text !== file.saved;
}

function Card(given: { trait: Trait; here: boolean; wrong: number; unsaved: boolean; open: (path: string) => void }) {
  const { trait } = given;
  const title = inOurs(trait.title) || trait.id;
  return (
    <button type="button" class="trait" aria-current={given.here ? "true" : undefined} onClick={() => given.open(trait.path)}>
      <span class="trait-title">
        {title}
        {given.unsaved && <span title={say("unsaved")}> •</span>}
      </span>
      {given.wrong > 0 ? (
        <span class="how-many" title={say("to_mend", { n: given.wrong })}>{given.wrong}</span>
      ) : (
        trait.copies !== null && <span class="copies" title={say("copies", { n: trait.copies })}>{`×${trait.copies}`}</span>
      )}
      <span class="trait-text">{inOurs(trait.text)}</span>
    </button>
  );
}

/** In a folder without a game: one to begin with. */
export function FirstGame(given: { bench: Bench }) {
  const [title, setTitle] = useState("");
  const { busy, trouble, run } = useDoing();
  return (
    <form class="first-game" onSubmit={(event) => { event.preventDefault(); void run(() => given.bench.ruleset(title)); }}>
      <h2>{say("no_game")}</h2>
      <p>{say("no_game_more")}</p>
      <label>
        {say("called_game")}
        <input class="field" value={title} ref={focused} placeholder={say("game_like")} onInput={(event) => setTitle(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button chief" disabled={!title.trim() || busy}>{say(busy ? "being_made" : "first_game")}</button>
      {trouble && <p class="refusal" role="alert">{trouble}</p>}
    </form>
  );
}

function NewTrait(given: { bench: Bench; done: () => void }) {
  const [name, setName] = useState("");
  const { busy, trouble, run } = useDoing();
  const make = async (event: Event) => {
    event.preventDefault();
    if (await run(() => given.bench.trait(name))) given.done();
  };
  return (
    <form class="new-trait" onSubmit={(event) => void make(event)}>
      <label>
        {say("called_trait")}
        <input class="field" value={name} ref={focused} placeholder={say("trait_like")} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button chief" disabled={!name.trim() || busy}>{say(busy ? "being_made" : "make_it")}</button>
      {trouble && <p class="refusal" role="alert">{trouble}</p>}
      <p class="note">{say("trait_gets")}</p>
    </form>
  );
}
