"""How soon the studio's pages are there, and how soon the balance strip answers: `python -m benchmarks.pages`.

In a real browser, without anything that it has kept: the list of tables, a table of each ruleset, and the page to write
on. For each: milliseconds from the address until there is something to do (best and median), milliseconds that the
page's own thread has computed until then, the longest that it did not listen, and how much of the page moved by itself
meanwhile (as browsers count it: 0 is nothing). Then numbers in the rules are changed in the editor; told are the
seconds from when a file is saved until the strip says what is otherwise.

It takes Playwright and Chromium, as tests with a browser do; where other programs are busy, the least counts.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.balance import NUMBER
from rulelang.data.folders import shipped_rulesets_dir
from tests.studio.browsing import asked, browser

#: Before anything else runs. `READY`: the selector of what there is to be, when it is there.
WATCH = """
window.watched = {ready: 0, shift: 0, shifted: [], long: 0, saved: 0, told: 0, said: ""};
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) {
    window.watched.shift += one.value;
    for (const {node} of one.sources) window.watched.shifted.push((node?.parentElement ?? node)?.className);
  }
}).observe({type: "layout-shift", buffered: true});
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.watched.long = Math.max(window.watched.long, one.duration);
}).observe({type: "longtask", buffered: true});
const tick = (now) => {
  if (READY.every((one) => document.querySelector(one))) {
    window.watched.ready = now;
    document.documentElement.dataset.ready = "yes";
  }
  else requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
const fetched = window.fetch;
window.fetch = async (...asked) => {
  const answer = await fetched(...asked);
  if (asked[1]?.method === "PUT") Object.assign(window.watched, {saved: performance.now(), told: 0});
  return answer;
};
setInterval(() => {
  const said = document.querySelector(".strip")?.textContent ?? "";
  const {watched} = window;
  if (said.includes("…")) watched.since = true;
  else if (watched.saved && watched.since && !watched.told) {
    Object.assign(watched, {told: performance.now(), said});
    document.documentElement.dataset.told = "yes";
  }
}, 10);
"""


@dataclass(frozen=True, slots=True)
class Opened:
    """One page that was opened: milliseconds until it was there, computed by its thread, not listening; what moved."""

    ready: float
    computed: float
    long: float
    shift: float
    shifted: frozenset[str]


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, str]]:
    """A studio in a process of its own: its address and its key."""
    program = [sys.executable, "-m", "rulelang", "studio", str(folder), "--no-browser", "--port", "0"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                found = re.search(r"(http://\S+?)/?#key=(\S+)", line)
                if found:
                    yield found[1], found[2]
                    break
        finally:
            process.terminate()


def opened(started: Browser, address: str, ready: list[str]) -> Opened:
    """A page as somebody sees it who was never here."""
    context = started.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(f"const READY = {ready};{WATCH}")
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address)
    page.wait_for_selector("html[data-ready]", timeout=60_000)
    computed = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
    page.wait_for_timeout(1500)  # what moves afterwards counts, too
    found = page.evaluate("window.watched")
    context.close()
    return Opened(found["ready"], 1000 * computed, found["long"], found["shift"], frozenset(found["shifted"]))


def tell(name: str, found: list[Opened]) -> None:
    ready = [one.ready for one in found]
    moved = sorted({what for one in found for what in one.shifted})
    print(
        f"{name}: there after {min(ready):.0f} ms (median {statistics.median(ready):.0f}), computed "
        f"{min(one.computed for one in found):.0f} ms, did not listen for {min(one.long for one in found):.0f} ms, "
        f"moved {max(one.shift for one in found):.4f} {', '.join(moved)}; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def pages(started: Browser, home: Path, repeats: int) -> None:
    """Every kind of page, one after the other, so often."""
    with server(home) as (where, key):
        tell(
            "tables",
            [opened(started, f"{where}/table#key={key}", [".lobby option:nth-child(3)"]) for _ in range(repeats)],
        )
        for game in asked(where, "/api/games", key=key):
            seats = ["you", "random"]
            room = asked(where, "/api/rooms", {"game": game["game"], "seats": seats, "seed": 3, "speed": 0}, key)
            address = f"{where}/table/{room['room']}#seat={room['token']}"
            tell(
                f"table of {game['game']}",
                [opened(started, address, [".board > *", ".prompt"]) for _ in range(repeats)],
            )
        there = [".trait, .paths li", ".cm-content .cm-line"]
        tell(f"{home.name} to write on", [opened(started, f"{where}/#key={key}", there) for _ in range(repeats)])


#: The editor, as its package keeps it at its element.
EDITOR = "const {view} = document.querySelector('.cm-content').cmTile; "


def numbers(page: Page) -> Iterator[None]:
    """One number of the rules in the editor after the other becomes one more."""
    text = page.evaluate(f"() => {{ {EDITOR} return view.state.doc.toString(); }}")
    for found in NUMBER.finditer(text):
        page.evaluate(
            "() => { window.watched.saved = window.watched.told = 0; window.watched.since = false;"
            "delete document.documentElement.dataset.told; }"
        )
        changes = {"from": found.start(), "to": found.end(), "insert": str(int(found[0]) + 1)}
        page.evaluate(f"(changes) => {{ {EDITOR} view.dispatch({{changes}}); }}", changes)
        yield


def strip(started: Browser, home: Path, changes: int) -> None:
    """The strip after changes of the rules that are saved."""
    with server(home) as (where, key):
        context = started.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.add_init_script(f"const READY = ['.cm-line'];{WATCH}")
        page.goto(f"{where}/#key={key}")
        page.get_by_role("button", name="game.rules").first.click()
        page.wait_for_selector(".strip:has-text('%')", timeout=120_000)
        page.wait_for_timeout(8000)
        seconds = []
        for _, _ in zip(range(changes), numbers(page), strict=False):
            page.wait_for_selector("html[data-told]", timeout=120_000)
            found = page.evaluate("window.watched")
            seconds.append((found["told"] - found["saved"]) / 1000)
            print(f"  {seconds[-1]:.2f} s: {found['said']}", flush=True)
            page.wait_for_timeout(6000)
        context.close()
    print(
        f"{home.name}: the strip answers after {min(seconds):.2f} s (median {statistics.median(seconds):.2f}) of "
        f"{len(seconds)} changes; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("rulesets", nargs="*", default=["evolution", "darwins_choice", "evolved"])
    given.add_argument("--repeats", type=int, default=5)
    given.add_argument("--changes", type=int, default=3)
    said = given.parse_args()
    with tempfile.TemporaryDirectory() as folder, browser() as started:
        home = Path(shutil.copytree(shipped_rulesets_dir(), Path(folder) / "rulesets"))
        if said.repeats:
            for name in said.rulesets[:1]:
                pages(started, home / name, said.repeats)
        if said.changes:
            for name in said.rulesets:
                strip(started, home / name, said.changes)


if __name__ == "__main__":
    main()
