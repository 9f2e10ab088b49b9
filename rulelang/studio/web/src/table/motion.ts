// What lies elsewhere than before glides there; what is new comes in softly. Nothing moves where the system asks so.
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const MILLISECONDS = 240;

export function places(root: HTMLElement): Map<string, DOMRect> {
  const found = new Map<string, DOMRect>();
  for (const element of root.querySelectorAll<HTMLElement>(".card[data-part], article[data-part]"))
    found.set(element.dataset.part ?? "", element.getBoundingClientRect());
  return found;
}

export function glide(root: HTMLElement, before: Map<string, DOMRect>): void {
  if (STILL.matches || before.size === 0) return;
  const timing = { duration: MILLISECONDS, easing: "cubic-bezier(.2,.7,.3,1)" };
  for (const element of root.querySelectorAll<HTMLElement>(".card[data-part], article[data-part]")) {
    const old = before.get(element.dataset.part ?? "");
    if (!old) {
      element.animate([{ opacity: 0, transform: "translateY(-6px)" }, { opacity: 1, transform: "none" }], timing);
      continue;
    }
    const now = element.getBoundingClientRect();
    const [x, y] = [old.left - now.left, old.top - now.top];
    if (Math.abs(x) + Math.abs(y) > 2) element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], timing);
  }
}
