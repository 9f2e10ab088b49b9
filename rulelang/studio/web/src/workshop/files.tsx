// Left: traits as cards, then the other files of the game.
import { useEffect, useState } from "preact/hooks";
import { useDoing } from "../frame/doing";
import type { Bench } from "./bench";
import type { Trait } from "./types";

export function Files(given: { bench: Bench; opened: () => void }) {
  const { bench } = given;
  const [sought, setSought] = useState("");
  const [making, setMaking] = useState(false);
  const listing = bench.listing;
  useEffect(() => {
    document.querySelector(".files [aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [bench.path, !listing]);
  if (!listing) return <nav class="files" aria-busy="true" aria-label="Files" />;
  const open = (path: string) => {
    void bench.open(path);
    given.opened();
  };
  const fits = (text: string) => text.toLowerCase().includes(sought.trim().toLowerCase());
  const traits = listing.traits.filter((one) => fits(`${one.id} ${Object.values(one.title).join(" ")} ${Object.values(one.text).join(" ")}`));
  const files = listing.files.filter(fits);
  const wrong = (path: string) => bench.findings.get(path)?.filter((one) => one.severity === "error").length ?? 0;
  return (
    <nav class="files" aria-label="Files" data-keys="own">
      <div class="files-head">
        <input class="field" type="search" placeholder="Find a card or file" aria-label="Find a card or file" value={sought} id="find-file"
          onInput={(event) => setSought(event.currentTarget.value)}
          onKeyDown={(event) => {
            const first = traits[0]?.path ?? files[0];
            if (event.key === "Enter" && first) open(first);
          }} />
        {listing.game && (
          <button type="button" class="button chief" aria-expanded={making} onClick={() => setMaking(!making)}>+ Trait</button>
        )}
      </div>
      {making && <NewTrait bench={bench} done={() => { setMaking(false); given.opened(); }} />}
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
        {traits.length === 0 && sought && files.length === 0 && <p class="note">Nothing is called so.</p>}
        {files.length > 0 && <h2>Files</h2>}
        <ul class="paths">
          {files.map((path) => (
            <li key={path}>
              <button type="button" aria-current={path === bench.path ? "true" : undefined} onClick={() => open(path)}>
                <span>{path}</span>
                {unsaved(bench, path) && <span title="not saved yet">•</span>}
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
  const title = trait.title.en ?? Object.values(trait.title)[0] ?? trait.id;
  return (
    <button type="button" class="trait" aria-current={given.here ? "true" : undefined} onClick={() => given.open(trait.path)}>
      <span class="trait-title">
        {title}
        {given.unsaved && <span title="not saved yet"> •</span>}
      </span>
      {given.wrong > 0 ? (
        <span class="how-many" title={`${given.wrong} to mend`}>{given.wrong}</span>
      ) : (
        trait.copies !== null && <span class="copies" title={`${trait.copies} copies`}>{`×${trait.copies}`}</span>
      )}
      <span class="trait-text">{trait.text.en ?? Object.values(trait.text)[0] ?? ""}</span>
    </button>
  );
}

/** In a folder without a game: one to begin with. */
export function FirstGame(given: { bench: Bench }) {
  const [title, setTitle] = useState("");
  const { busy, trouble, run } = useDoing();
  return (
    <form class="first-game" onSubmit={(event) => { event.preventDefault(); void run(() => given.bench.ruleset(title)); }}>
      <h2>There is no game in this folder yet</h2>
      <p>A small whole game can be written into it, with two traits and a few scenarios, to be changed into your own.</p>
      <label>
        What is your game called?
        <input class="field" value={title} autoFocus placeholder="Tide pools" onInput={(event) => setTitle(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button chief" disabled={!title.trim() || busy}>{busy ? "It is being made ..." : "Make a first game"}</button>
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
        What is it called?
        <input class="field" value={name} autoFocus placeholder="Thick fur" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button chief" disabled={!name.trim() || busy}>{busy ? "It is being made ..." : "Make it"}</button>
      {trouble && <p class="refusal" role="alert">{trouble}</p>}
      <p class="note">It gets a file with cards, a rule to begin with, and a scenario that shows it.</p>
    </form>
  );
}
