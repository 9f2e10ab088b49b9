// The language of the pages: one for all of them, chosen at a table or at the head of the page, and kept.
import { useEffect, useState } from "preact/hooks";
import { keep, kept } from "./api";

const KEPT = "rulelang.lang";
const CHOSEN = "rulelang-lang";

/** Languages in which the pages have their own words, with what they are called. */
export const SPOKEN = { en: "English", zh: "中文", ja: "日本語" } as const;
export type Spoken = keyof typeof SPOKEN;
export const NAMES: Record<string, string> = { ...SPOKEN, de: "Deutsch", fr: "Français", es: "Español", it: "Italiano", ko: "한국어", pl: "Polski", ru: "Русский" };

let chosen = kept(KEPT) ?? navigator.language;

/** The code of the language that is chosen, without its region. */
export function heard(): string {
  return chosen.split("-")[0] || "en";
}

/** The server is asked in the language of the document, and answers in it. */
document.documentElement.lang = heard();

export function speak(code: string): void {
  chosen = code;
  document.documentElement.lang = heard();
  keep(KEPT, code);
  dispatchEvent(new Event(CHOSEN));
}

/** The language now; whoever asks is drawn again when another is chosen. */
export function useLanguage(): string {
  const [lang, setLang] = useState(heard);
  useEffect(() => {
    const listen = () => setLang(heard());
    addEventListener(CHOSEN, listen);
    return () => removeEventListener(CHOSEN, listen);
  }, []);
  return lang;
}
