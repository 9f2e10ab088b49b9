"""A table with two hundred cards face up, and how quickly a browser draws it: frames, layout shifts, readiness.

`python -m tests.studio.crowded` tells the figures of this machine.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from dataclasses import dataclass
from os import getloadavg
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page

from tests.studio.browsing import PATIENCE, asked, browser, served

STALLS, EACH = 20, 11

FILES = {
    "ruleset.yaml": """\
id: bazaar
version: 1.0.0
language: 1
title: {en: Bazaar}
players: {count: 2, from: start}
files: [things.yaml, game.rules]
""",
    "things.yaml": f"""\
lists:
  stall: [{", ".join(f"stall_{n}" for n in range(1, STALLS + 1))}]
cards:
  ware:
    columns: {{price: {{is: int, by: copy}}, stand: stall}}
    rows:
"""
    + "".join(
        f"      ware_{n}: {{price: [{', '.join(str(k) for k in range(1, EACH + 1))}], stand: stall_{n}, "
        f"text: What is sold at the stall of number {n} is worth its price.}}\n"
        for n in range(1, STALLS + 1)
    )
    + """\
zones:
  goods: {of: stall, holds: ware, seen_by: everyone}
  hand: {of: player, holds: ware, seen_by: owner}
state:
  start: player
""",
    "game.rules": """\
game:
  for ware w: move w to w.stand.goods
  rounds until round == 30: trading

phase trading:
  turns p from start once each: offer one action to p

action carry(ware w in stall_1.goods, stall s) during trading:
  move w to s.goods

action bring(ware w in stall_2.goods) during trading:
  move w to stall_1.goods

action rest during trading:
  tells "{actor} rests"

value score(player p) -> int: 0
""",
}

#: Before anything else runs: what shifts without anybody having done something, how long frames take, when a table is
#: there.
WATCH = """
window.watched = {shift: 0, shifted: [], frames: [], ready: 0, long: 0};
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) {
    window.watched.shift += one.value;
    for (const {node} of one.sources) {
      const whole = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
      window.watched.shifted.push(`${whole?.nodeName}.${whole?.className} in ${whole?.parentElement?.className}`);
    }
  }
}).observe({type: "layout-shift", buffered: true});
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.watched.long = Math.max(window.watched.long, one.duration);
}).observe({type: "longtask", buffered: true});
let last = performance.now();
const tick = (now) => {
  window.watched.frames.push(now - last);
  last = now;
  if (!window.watched.ready && document.querySelector(".table .card")) window.watched.ready = now;
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """`ready`: milliseconds from the address to the table. `frames`: of each frame while cards move, in milliseconds.
    `shift`: what the page moved before any card did, as browsers count it, with the classes of what was moved. `long`:
    the longest that the page did not listen. `layouts`: so often the page was laid out for each move, on a machine
    that is busy as on one that is not."""

    cards: int
    ready: float
    frames: tuple[float, ...]
    shift: float
    shifted: tuple[str, ...]
    long: float
    layouts: float

    @property
    def usual(self) -> float:
        return statistics.median(self.frames)

    @property
    def slow(self) -> float:
        """19 of 20 frames take no longer."""
        return sorted(self.frames)[int(len(self.frames) * 0.95)]


def bazaar(folder: Path) -> Path:
    home = folder / "bazaar"
    home.mkdir()
    for name, text in FILES.items():
        (home / name).write_text(text, encoding="utf-8")
    return home


def measured(opened: Browser, folder: Path, moves: int = 30) -> Measured:
    """A game that is opened; somebody points here and there, which moves nothing; then cards are carried about."""
    with served(folder=bazaar(folder)) as where:
        seats = ["you", "random"]
        made = asked(where, "/api/rooms", {"game": "bazaar", "seats": seats, "seed": 3, "speed": 0.1})
        context = opened.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(WATCH)
        page.goto(f"{where}/table/{made['room']}#seat={made['token']}")
        page.wait_for_selector(".table .card")
        page.wait_for_timeout(500)
        point(page)
        still = page.evaluate("window.watched")
        page.evaluate("window.watched.frames.length = 0, window.watched.long = 0")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        before, begun = laid_out(session), int(page.get_attribute(".table", "data-moves") or 0)
        carry(page, moves)
        made_moves = int(page.get_attribute(".table", "data-moves") or 0) - begun
        layouts = (laid_out(session) - before) / made_moves
        found = page.evaluate("window.watched")
        cards = page.locator(".table .card").count()
        context.close()
    return Measured(
        cards, found["ready"], tuple(found["frames"]), still["shift"], tuple(still["shifted"]), found["long"], layouts
    )


def laid_out(session: CDPSession) -> float:
    """How often the page was laid out so far."""
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return float(found["LayoutCount"])


def point(page: Page) -> None:
    """The mouse goes over the table, and what is told of things comes and goes."""
    for step in range(12):
        page.mouse.move(100 + 60 * step, 150 + 30 * step)
        page.wait_for_timeout(350)


def carry(page: Page, moves: int) -> None:
    """So many moves, each by keys, with the mouse on its way over the table."""
    for turn in range(moves):
        page.wait_for_selector(".table.mine .choices button, .prompt.over")
        before = page.get_attribute(".table", "data-moves")
        page.mouse.move(100 + 29 * (turn % 20), 150 + 11 * (turn % 20))
        page.keyboard.press("2")  # carried, or brought: whatever is asked next is answered by the next turns
        for _ in range(60):
            page.wait_for_timeout(15)
            if page.get_attribute(".table", "data-moves") != before or page.locator(".asking .prompt button").count():
                break


def main(times: int) -> None:
    """Measure so often; where other programs are busy, the best says most."""
    every = []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder, browser() as opened:
            found = measured(opened, Path(folder))
        every.append(found)
        print(
            f"cards {found.cards}, ready after {found.ready:.0f} ms; frames: median {found.usual:.1f} ms, 19 of 20 "
            f"within {found.slow:.1f} ms, of {len(found.frames)}; laid out {found.layouts:.1f} times a move; longest "
            f"task {found.long:.0f} ms; layout shift {found.shift:.4f} {sorted(set(found.shifted))}; "
            f"load {getloadavg()[0]:.1f}"
        )
    for name in ("ready", "usual", "slow", "long"):
        figures = [getattr(one, name) for one in every]
        print(f"{name}: best {min(figures):.1f} ms, median {statistics.median(figures):.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
