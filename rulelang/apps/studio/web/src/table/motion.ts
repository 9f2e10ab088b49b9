// What lies elsewhere than before glides there; what is new comes in softly. Nothing moves where the system asks so.
/** Whether the system asks that nothing moves. */
export const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const TIMING = { duration: 240, easing: "cubic-bezier(.2,.7,.3,1)" };

export type Places = Map<string, { x: number; y: number }>;

const gliding = new Set<Animation>();

/** Begins what moves, and tells where everything that is in sight lies now. All places are measured before anything
 * moves: each measurement after a change would have the browser lay out the page anew. */
export function glide(root: HTMLElement, before: Places): Places {
  for (const one of gliding) one.cancel();
  gliding.clear();
  const now: Places = new Map();
  const moves: [HTMLElement, Keyframe[]][] = [];
  for (const element of root.querySelectorAll<HTMLElement>(".card[data-part], article[data-part]")) {
    const box = element.getBoundingClientRect();
    const part = element.dataset.part ?? "";
    now.set(part, { x: box.left, y: box.top });
    if (STILL.matches || before.size === 0 || box.bottom < 0 || box.top > innerHeight) continue;
    const old = before.get(part);
    const [x, y] = old ? [old.x - box.left, old.y - box.top] : [0, 0];
    if (!old) moves.push([element, [{ opacity: 0, transform: "translateY(-6px)" }, { opacity: 1, transform: "none" }]]);
    else if (Math.abs(x) + Math.abs(y) > 2) moves.push([element, [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }]]);
  }
  for (const [element, frames] of moves) {
    const made = element.animate(frames, TIMING);
    gliding.add(made);
    made.onfinish = () => gliding.delete(made);
  }
  return now;
}
