// Right: the table.
import type { Bench } from "./bench";
import type { Scenario } from "./types";

export interface Start {
  scenario?: Scenario;
  at: number;
}

export function Play(given: { bench: Bench; start: Start | null }) {
  const scenario = given.start?.scenario;
  return (
    <section class="play" aria-label="Table">
      <div class="empty">
        <p>
          {scenario ? `rulelang play --scenario "${scenario.name}" ` : "rulelang play "}
          in a terminal plays what you write; its table is not on this page yet.
        </p>
      </div>
    </section>
  );
}
