// What is asked, and the options that fit what was picked: by name of the action first, where there are many.
import { family, fitting, type Picked } from "./picking";
import type { Option, Player, Question } from "./types";
import type { Say } from "./words";

/** More options than these are gathered under their actions. */
const MANY = 8;

export type Choice = { key: string; label: string; source: string; option: Option } | { key: string; label: string; source: string; action: string; count: number };

/** What stands to be chosen by name, in order: the digits choose it too. */
export function choices(question: Question, picked: Picked): Choice[] {
  const options = fitting(question.options ?? [], picked);
  const one = (option: Option): Choice => ({ key: option.id, label: option.sentence, source: option.source, option });
  if (options.length <= MANY || picked.action !== null || question.kind === "choose") return options.map(one);
  const families = new Map<string, Option[]>();
  for (const option of options) families.set(family(option), [...(families.get(family(option)) ?? []), option]);
  if (families.size < 2) return options.map(one);
  return [...families].map(([name, some]) => {
    const first = some[0];
    return some.length === 1 && first ? one(first)
      : { key: name, label: first?.label ?? name, source: first?.source ?? "", action: name, count: some.length };
  });
}

/** The key that takes what stands there: its place from 1; where numbers are to be chosen, the number that it is. */
export function digit(shown: Choice[], place: number): string {
  const number = (one: Choice) => "option" in one && one.option.kind === "choice" && one.option.parameters.length === 1
    && one.option.parameters[0]?.kind === "int";
  const passes = (one: Choice) => "option" in one && one.option.kind === "pass";
  const numbers = shown.some(number) && shown.every((one) => number(one) || passes(one));
  const one = shown[place];
  if (!numbers || !one) return place < 9 ? String(place + 1) : "";
  return number(one) && one.label.length === 1 ? one.label : "";
}

export function Asking(given: { question: Question; picked: Picked; names: string[]; say: Say;
  choose: (choice: Choice) => void; drop: () => void; who: Player | undefined }) {
  const { question, picked } = given;
  const begun = picked.parts.length > 0 || picked.action !== null;
  return (
    <div class="asking">
      <p class="prompt" role="status">
        {given.who && question.options && <span class={`turn-of seat-${((given.who.seat - 1) % 6) + 1}`}>{given.who.label}</span>}
        <strong>{question.prompt ?? question.sentence}</strong>
        {begun && (
          <button type="button" class="button small" onClick={given.drop}>
            {`✕ ${given.names.join(", ") || given.say("back")}`}
          </button>
        )}
      </p>
      {question.options && (
        <ul class="choices">
          {choices(question, picked).map((choice, place, shown) => (
            <li key={choice.key} class={"option" in choice && choice.option.kind === "pass" ? "passing" : ""}>
              <button type="button" class={`button${"option" in choice && choice.option.kind === "pass" ? "" : " choice"}`}
                onClick={() => given.choose(choice)} data-choice={"option" in choice ? choice.option.typed : choice.action}>
                {digit(shown, place) !== "" && digit(shown, place) !== choice.label && <kbd>{digit(shown, place)}</kbd>}
                {choice.label}
                {choice.source && <span class="note">{choice.source}</span>}
                {"count" in choice && <span class="note">{choice.count} …</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
