// The form beside the text: fields and phrases that change the same file.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../frame/api";
import { reason } from "../frame/doing";
import { NAMES, useLanguage } from "../frame/speech";
import type { Bench } from "./bench";
import type { Field, Form, Phrase } from "./types";
import { say } from "./words";

export function FormView(given: { bench: Bench; path: string; text: string; trait: boolean }) {
  const { bench, path, text } = given;
  const [form, setForm] = useState<Form | null>(null);
  const [trouble, setTrouble] = useState("");
  const languages = bench.listing?.languages ?? ["en"];
  const lang = useLanguage(); // fields are called as it has them
  const latest = useRef("");
  latest.current = text;
  const ask_ = (more: object, of = path, said = latest.current) =>
    ask<Form>("/api/workshop/form", { body: { path: of, text: said, languages, ...more } });
  const show = (found: Form) => {
    setForm(found);
    setTrouble("");
  };
  // What stands in other files too: drawn anew when any of them was saved.
  // The file's own version only where a rule is not told in words yet: the saved file is what is told.
  const untold = form?.rules.some((rule) => !rule.said.length);
  const others = [lang, ...[...bench.files].map(([name, file]) => (name === path && !untold ? "" : file.version))].join();
  const drawn = useRef("");
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      if (form?.text === text && form.fields.length && drawn.current === others) return;
      drawn.current = others;
      ask_({}).then((found) => !gone && show(found), (error: unknown) => !gone && setTrouble(reason(error)));
    }, form ? 300 : 0);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [path, text, others]);
  const change = async (more: object, of = "") => {
    try {
      const asked = { ...more, unsaved: bench.unsaved };
      const found = of ? await ask_(asked, of, await bench.read(of)) : await ask_(asked);
      for (const other of found.also) await bench.read(other.path);
      bench.write(of || path, found.text);
      for (const other of found.also) bench.write(other.path, other.text); // what these files expect of the cards
      if (found.notes.length) bench.say(found.notes.join(" · "));
      if (!of) show(found);
      return true;
    } catch (error) {
      setTrouble(reason(error));
      return false;
    }
  };
  if (!form) return <div class="write-form">{trouble ? <p class="notice-line">{trouble}</p> : null}</div>;
  const [first = "en"] = languages;
  const groups = [...new Set(form.fields.map((field) => field.group))];
  const spoken = given.trait ? groups.filter((group) => form.fields.some((field) => field.group === group && field.kind === "text")) : [];
  const drawn_ = (group: string) => (
    <Group key={group} name={NAMES[group] ?? group} lang={spoken.includes(group) ? group : undefined}
      fields={form.fields.filter((field) => field.group === group)} change={change} />
  );
  const foreign = spoken.filter((group) => group !== first);
  return (
    <div class="write-form">
      {trouble && <p class="refusal" role="alert">{trouble}</p>}
      {spoken.includes(first) && drawn_(first)}
      {given.trait && (
        <fieldset>
          <legend>{say("its_rules")}</legend>
          {form.rules.length === 0 && <p class="note">{say("none_yet")}</p>}
          <ul class="rules">
            {form.rules.map((rule, number) => (
              <li key={`${number} ${rule.text}`}>
                <div class="rule">
                  {rule.said.map((line) => <p key={line}>{line}</p>)}
                  <pre>{rule.text}</pre>
                  {rule.notes.map((line) => <p key={line} class="notice-line">{line}</p>)}
                </div>
                <button type="button" class="button small" aria-label={say("remove_rule", { rule: rule.text })} onClick={() => void change({ drop: number })}>{say("remove")}</button>
              </li>
            ))}
          </ul>
          <Sentences add={(phrase, holes) => change({ phrase, holes })} version={bench.listing?.problems.length === 0} />
        </fieldset>
      )}
      {groups.filter((group) => !spoken.includes(group)).map(drawn_)}
      {foreign.length > 0 && (
        <details>
          <summary>{say("in_others", { names: foreign.map((code) => NAMES[code] ?? code).join(", ") })}</summary>
          {foreign.map(drawn_)}
        </details>
      )}
    </div>
  );
}

function Group(given: { name: string; lang: string | undefined; fields: Field[]; change: (more: object, of?: string) => Promise<boolean> }) {
  return (
    <fieldset lang={given.lang}>
      <legend>{given.name}</legend>
      {given.fields.map((field) => <One key={`${field.path} ${field.at.join("/")}`} field={field} change={given.change} />)}
    </fieldset>
  );
}

function One(given: { field: Field; change: (more: object, of?: string) => Promise<boolean> }) {
  const { field } = given;
  const [said, setSaid] = useState(field.value);
  useEffect(() => setSaid(field.value), [JSON.stringify(field.value)]);
  const tell = (value: Field["value"]) => {
    setSaid(value);
    if (JSON.stringify(value) !== JSON.stringify(field.value)) void given.change({ at: field.at, value }, field.path);
  };
  const id = `field-${field.path}-${field.at.join("-")}`.replaceAll(/\s/g, "_");
  if (field.kind === "flag") {
    return (
      <label class="flag"><input type="checkbox" checked={said === true} onChange={(event) => tell(event.currentTarget.checked)} /> {field.label}</label>
    );
  }
  if (field.kind === "row") {
    return (
      <label for={id}>{field.label}
        <select id={id} class="field" value={String(said)} onChange={(event) => tell(event.currentTarget.value)}>
          {!field.choices.includes(String(said)) && <option value={String(said)}>{String(said)}</option>}
          {field.choices.map((one) => <option key={one} value={one}>{one.replaceAll("_", " ")}</option>)}
        </select>
      </label>
    );
  }
  if (field.kind === "rows") {
    const chosen = Array.isArray(said) ? said : [];
    return (
      <div class="several" role="group" aria-label={field.label}>
        <span>{field.label}</span>
        {field.choices.map((one) => (
          <label key={one} class="flag">
            <input type="checkbox" checked={chosen.includes(one)}
              onChange={(event) => tell(event.currentTarget.checked ? [...chosen, one] : chosen.filter((other) => other !== one))} />
            {one.replaceAll("_", " ")}
          </label>
        ))}
      </div>
    );
  }
  const long = field.kind === "text" && field.at.includes("text");
  const shared = {
    id,
    class: "field",
    value: String(said),
    onInput: (event: { currentTarget: { value: string } }) => setSaid(event.currentTarget.value),
    onChange: (event: { currentTarget: { value: string } }) => tell(event.currentTarget.value),
  };
  return (
    <label for={id}>{field.label}
      {long ? <textarea {...shared} rows={2} /> : <input {...shared} inputMode={field.kind === "number" ? "numeric" : "text"} />}
    </label>
  );
}

/** Phrases with holes: the sentence is chosen, then what stands in its holes. */
function Sentences(given: { add: (phrase: string, holes: Record<string, string>) => Promise<boolean>; version: boolean }) {
  const [phrases, setPhrases] = useState<Phrase[]>([]);
  const [id, setId] = useState("");
  const [holes, setHoles] = useState<Record<string, string>>({});
  const lang = useLanguage();
  useEffect(() => {
    ask<Phrase[]>("/api/workshop/phrases").then((found) => found.length && setPhrases(found), () => undefined);
  }, [given.version, lang]);
  const phrase = phrases.find((one) => one.id === id);
  if (!phrases.length) return given.version ? null : <p class="note">{say("no_sentences")}</p>;
  const value = (name: string) => {
    const hole = phrase?.holes.find((one) => one.name === name);
    return holes[name] ?? (hole?.usual || hole?.choices[0]?.value || "");
  };
  const add = async () => {
    if (!phrase) return;
    const said = Object.fromEntries(phrase.holes.map((hole) => [hole.name, value(hole.name)]));
    if (await given.add(phrase.id, said)) setId("");
  };
  return (
    <div class="sentences">
      <label>{say("add_sentence")}
        <select class="field" value={id} onChange={(event) => { setId(event.currentTarget.value); setHoles({}); }}>
          <option value="">{say("choose")}</option>
          {phrases.map((one) => <option key={one.id} value={one.id}>{one.parts.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === "number" ? "N" : "…"))}</option>)}
        </select>
      </label>
      {phrase && (
        <p class="sentence">
          {phrase.parts.split(/(\{\w+\})/).map((part, at) => {
            const hole = phrase.holes.find((one) => part === `{${one.name}}`);
            if (!hole) return <span key={at}>{part}</span>;
            const set = (said: string) => setHoles({ ...holes, [hole.name]: said });
            if (hole.kind === "choice") {
              return (
                <select key={at} class="field" aria-label={hole.name} value={value(hole.name)} onChange={(event) => set(event.currentTarget.value)}>
                  {hole.choices.map((one) => <option key={one.value} value={one.value}>{one.label}</option>)}
                </select>
              );
            }
            return (
              <input key={at} class={`field hole-${hole.kind}`} aria-label={hole.name} value={value(hole.name)}
                inputMode={hole.kind === "number" ? "numeric" : "text"} onInput={(event) => set(event.currentTarget.value)} />
            );
          })}
          <button type="button" class="button chief" onClick={() => void add()}>{say("add_it")}</button>
        </p>
      )}
    </div>
  );
}
