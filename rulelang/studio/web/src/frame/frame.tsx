// What stands around every page: its name, the ways to the others, light and dark.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { saying } from "../table/words";
import { keep, kept } from "./api";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const SIGNS: Record<Theme, string> = { system: "◐", light: "☀", dark: "☾" };

export function Frame(given: { path: string; workshop: boolean; children: ComponentChildren }) {
  const say = saying(kept("rulelang.lang") ?? navigator.language);
  return (
    <div class="frame">
      <header>
        <span class="name">rulelang</span>
        {given.workshop && <Way to="/" path={given.path} name={say("workshop")} />}
        <Way to="/table" path={given.path} name={say("lobby")} />
        <span class="gap" />
        <ThemeButton />
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

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => THEMES.find((name) => name === kept("rulelang.theme")) ?? "system");
  useEffect(() => {
    keep("rulelang.theme", theme);
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <button class="button" type="button" aria-label={`Colours: ${theme}`} title={`Colours: ${theme}`}
      onClick={() => setTheme(next)}>
      {SIGNS[theme]}
    </button>
  );
}
