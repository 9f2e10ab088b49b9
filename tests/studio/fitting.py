"""What runs out of its box on a page: texts that stand over the edge of whatever is drawn around them, or are cut off.

`python -m tests.studio.fitting [RULESET ...]` tells it of tables in the midst of a game, in three sizes and
all languages.
"""

from __future__ import annotations

import sys

from playwright.sync_api import Page

from rulelang.apps.studio.tables.hub import shipped_games
from tests.studio.browsing import browser, playing, served

SIZES = ((1280, 800), (1920, 1080), (390, 844))
LANGUAGES = ("en", "zh", "ja")

#: Texts that stand over an edge. What can be scrolled to, and what ends in dots, is whole; so is what only a screen
#: reader hears. Said of each: the classes of the box and of the text, and the text.
RUNS_OUT = """
() => {
  const found = new Map();
  const called = (one) => [one.nodeName.toLowerCase(), ...one.classList].join(".");
  const say = (how, box, text) => {
    const key = `${how} ${called(box)} > ${called(text.parentElement)}`;
    if (!found.has(key)) found.set(key, `${key}: ${text.data.trim().slice(0, 60)}`);
  };
  const drawn = (style) => style.borderTopWidth !== "0px" || style.borderLeftWidth !== "0px" ||
    !/^rgba\\(.*, 0\\)$|^transparent$/.test(style.backgroundColor);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!text.data.trim() || !parent.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
    if (parent.closest("script, style, select, .unseen, .cm-editor")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const {left, right, top, bottom} = range.getBoundingClientRect();
    if (right <= left) continue;
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      const edge = box.getBoundingClientRect();
      const dots = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      const wide = right > edge.right + 1 || left < edge.left - 1;
      const high = bottom > edge.bottom + 2 || top < edge.top - 2;
      if (style.display === "inline" && !drawn(style)) continue;
      if (/auto|scroll/.test(style.overflowX) || /auto|scroll/.test(style.overflowY)) {
        if (wide && !/auto|scroll/.test(style.overflowX)) say("cut off by", box, text);
        break;
      }
      if (dots && style.overflowX !== "visible") break;
      if (/hidden|clip/.test(style.overflowX) ? wide || high : drawn(style) && (wide || high)) {
        say(/hidden|clip/.test(style.overflowX) ? "cut off by" : "over the edge of", box, text);
        break;
      }
    }
  }
  const page = document.documentElement;
  const wide = `the page is ${page.scrollWidth} wide, of ${page.clientWidth}`;
  if (page.scrollWidth > page.clientWidth) found.set("page", wide);
  return [...found.values()];
}
"""


#: Whether nothing moves to its place any more; what beats without end may.
AT_REST = """
() => document.getAnimations().every((one) =>
  one.playState !== "running" || one.effect.getComputedTiming().iterations === Infinity)
"""


def runs_out(page: Page) -> list[str]:
    """What runs out of its box, each class of it once."""
    return list(page.evaluate(RUNS_OUT))


def sizes(page: Page) -> list[str]:
    """The same in all sizes."""
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        page.wait_for_function(AT_REST)
        found += [f"{width}x{height}: {one}" for one in runs_out(page)]
    return found


def main(only: list[str]) -> None:
    with served() as where, browser() as opened:
        for game in only or shipped_games():
            for lang in LANGUAGES:
                with playing(opened, where, game, lang=lang) as table:
                    for moves in (6, 12, 12):
                        table.play(moves)
                        for one in sizes(table.page):
                            print(game, lang, one)
                        table.page.set_viewport_size({"width": 1280, "height": 800})


if __name__ == "__main__":
    main(sys.argv[1:])
