// What stands around every page: its name, the ways to the others, light and dark.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { saying, type Say } from "../table/words";
import { keep, kept } from "./api";
import { NAMES, SPOKEN, speak, useLanguage } from "./speech";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const SIGNS: Record<Theme, string> = { system: "◐", light: "☀", dark: "☾" };

export function Frame(given: { path: string; workshop: boolean; children: ComponentChildren }) {
  const lang = useLanguage();
  const say = saying(lang);
  return (
    <div class="frame">
      <header>
        <span class="name">rulelang</span>
        {given.workshop && <Way to="/" path={given.path} name={say("workshop")} />}
        <Way to="/table" path={given.path} name={say("lobby")} />
        <span class="gap" />
        <select class="field tongue" aria-label={say("language")} value={lang} onChange={(event) => speak(event.currentTarget.value)}>
          {[...new Set([...Object.keys(SPOKEN), lang])].map((code) => <option key={code} value={code} lang={code}>{NAMES[code] ?? code}</option>)}
        </select>
        <ThemeButton say={say} />
      </header>
      <main>{given.children}</main>
    </div>
  );
}

function Way(given: { to: string; path: string; name: string }) {
  const here = given.to === "/" ? given.path === "/" : given.path.startsWith(given.to);
  return (
    <a href={given.to} aria-current={here ? "page" : undefined}>
      {given.name}
    </a>
  );
}

function ThemeButton(given: { say: Say }) {
  const [theme, setTheme] = useState<Theme>(() => THEMES.find((name) => name === kept("rulelang.theme")) ?? "system");
  useEffect(() => {
    keep("rulelang.theme", theme);
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const named = `${given.say("colours")}: ${given.say(theme)}`;
  // What is seen changes with the first click: the other of both, then that of the system's own, then as the system has it.
  const own = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const other = own === "dark" ? "light" : "dark";
  const next = theme === "system" ? other : theme === other ? own : "system";
  return (
    <button class="button" type="button" aria-label={named} title={named}
      onClick={() => setTheme(next)}>
      {SIGNS[theme]}
    </button>
  );
}
