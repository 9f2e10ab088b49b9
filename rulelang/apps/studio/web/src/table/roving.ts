// Arrow keys: from one thing that can be pointed at to the nearest in a direction.
export function neighbour(root: HTMLElement, [dx, dy]: readonly [number, number]): HTMLElement | null {
  const all = [...root.querySelectorAll<HTMLElement>("button[data-part], .choices button, button[data-pile]")].filter(
    (one) => one.offsetParent !== null,
  );
  const here = document.activeElement instanceof HTMLElement && all.includes(document.activeElement) ? document.activeElement : null;
  if (!here) return all.find((one) => one.classList.contains("lit")) ?? all[0] ?? null;
  const from = middle(here);
  let best: HTMLElement | null = null;
  let least = Infinity;
  for (const one of all) {
    if (one === here) continue;
    const to = middle(one);
    const [x, y] = [to.x - from.x, to.y - from.y];
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (along <= 2) continue;
    const far = along + 2.5 * aside;
    if (far < least) [best, least] = [one, far];
  }
  return best;
}

function middle(one: HTMLElement): { x: number; y: number } {
  const box = one.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** Whether a key is meant for something else than the table: somebody types, or is in a part with keys of its own. */
export function elsewhere(event: KeyboardEvent): boolean {
  const own = 'input, select, textarea, [contenteditable="true"], [data-keys="own"]';
  return event.defaultPrevented || (event.target instanceof Element && event.target.closest(own) !== null);
}
