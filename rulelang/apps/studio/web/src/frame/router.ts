// The address as state: pages are drawn from its path, links change it without loading anything.
import { useEffect, useState } from "preact/hooks";

export function go(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

export function usePath(): string {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const moved = () => setPath(location.pathname);
    const clicked = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.("a[href]");
      const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!(link instanceof HTMLAnchorElement) || !plain || link.target || link.download) return;
      if (event.defaultPrevented || link.origin !== location.origin || link.pathname.startsWith("/static/")) return;
      event.preventDefault();
      go(link.pathname + link.search + link.hash);
    };
    addEventListener("popstate", moved);
    document.addEventListener("click", clicked);
    return () => {
      removeEventListener("popstate", moved);
      document.removeEventListener("click", clicked);
    };
  }, []);
  return path;
}
