// The text of a file, in CodeMirror.
import { gotoLine } from "@codemirror/search";
import { nextDiagnostic } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import type { Bench } from "./bench";
import { type Language, usual } from "./language";
import { say } from "./words";

const NONCE = document.querySelector('meta[name="csp-nonce"]')?.getAttribute("content") ?? "";

export function Editor(given: { bench: Bench; language: Language; path: string; text: string; run: () => void }) {
  const { bench, language, path } = given;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const run = useRef(given.run);
  run.current = given.run;
  useEffect(() => {
    if (!place.current) return;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: bench.files.get(path)?.text ?? "",
        extensions: [
          Prec.highest(
            keymap.of([
              { key: "Mod-s", preventDefault: true, run: () => (void bench.save(), true) },
              { key: "Mod-Enter", preventDefault: true, run: () => (run.current(), true) },
              { key: "F8", run: nextDiagnostic },
              { key: "Mod-.", preventDefault: true, run: (view) => (void fix(view), true) },
              { key: "Alt-g", run: gotoLine },
            ]),
          ),
          usual(NONCE),
          language.extensions(path),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) bench.write(path, update.state.doc.toString());
          }),
        ],
      }),
    });
    async function fix(view: EditorView) {
      const line = view.state.doc.lineAt(view.state.selection.main.head).number - 1;
      const found = await language.fixes(path, { start: { line, character: 0 }, end: { line, character: 9999 } });
      if (found[0]) await language.apply(found[0]);
      else bench.say(say("no_mending"));
    }
    view.current = made;
    language.view = made;
    language.mark(made, path);
    return () => {
      if (language.view === made) language.view = null;
      view.current = null;
      made.destroy();
    };
  }, [path, language]);
  useEffect(() => {
    // Was the text changed beside the editor, by the form or on the disk? What this was drawn with may be older than
    // what has been typed since, so the bench is asked, which hears of every keystroke at once.
    const now = view.current;
    const text = bench.files.get(path)?.text;
    if (!now || text === undefined) return;
    const old = now.state.doc.toString();
    if (old === text) return;
    let from = 0;
    while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
    let end = 0;
    while (end < old.length - from && end < text.length - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
    now.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
  }, [given.text]);
  const goal = bench.goal;
  useEffect(() => {
    const now = view.current;
    if (!now || !goal || goal.path !== path) return;
    const row = now.state.doc.line(Math.min(goal.line, now.state.doc.lines));
    const at = Math.min(row.from + goal.column - 1, row.to);
    now.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    now.focus();
    bench.goal = null;
  }, [goal, path]);
  return <div class="text" ref={place} />;
}
