// Colours by what a name stands for, as the language server tells it.
import { LSPPlugin } from "@codemirror/lsp-client";
import { RangeSetBuilder, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Language } from "./language";

export const TOKENS = { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] };
const coloured = StateEffect.define<DecorationSet>();
/** Asks for them anew. */
export const wanted = StateEffect.define<null>();
const painted = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, change) {
    let found = old.map(change.changes);
    for (const effect of change.effects) if (effect.is(coloured)) found = effect.value;
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function colours(language: Language): Extension {
  const plugin = ViewPlugin.fromClass(
    class {
      private timer = 0;
      constructor(private readonly view: EditorView) {
        this.soon(40);
      }
      update(update: ViewUpdate) {
        const asked = update.transactions.some((one) => one.effects.some((effect) => effect.is(wanted)));
        if (update.docChanged || asked) this.soon(asked ? 0 : 220);
      }
      destroy() {
        clearTimeout(this.timer);
      }
      private soon(after: number) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.paint(), after);
      }
      private async paint() {
        const at = LSPPlugin.get(this.view);
        const provider = language.client.serverCapabilities?.semanticTokensProvider as { legend?: { tokenTypes: string[] } } | undefined;
        const types = provider?.legend?.tokenTypes;
        if (!at || !types || !language.online) return;
        language.client.sync();
        const doc = this.view.state.doc;
        try {
          const told = await language.client.request<unknown, { data: number[] } | null>("textDocument/semanticTokens/full", { textDocument: { uri: at.uri } });
          if (!told || this.view.state.doc !== doc) return;
          this.view.dispatch({ effects: coloured.of(marks(told.data, types, doc)) });
        } catch {
          /* the next keystroke asks again */
        }
      }
    },
  );
  return [painted, plugin];
}

function marks(data: number[], types: string[], doc: Text): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  let line = 0;
  let character = 0;
  for (let i = 0; i + 4 < data.length; i += 5) {
    const [down = 0, right = 0, length = 0, type = 0] = data.slice(i, i + 4);
    character = down ? right : character + right;
    line += down;
    if (line >= doc.lines) break;
    const row = doc.line(line + 1);
    const from = row.from + character;
    const to = Math.min(from + length, row.to);
    if (from < to) found.add(from, to, Decoration.mark({ class: `tok-${types[type]}` }));
  }
  return found.finish();
}
