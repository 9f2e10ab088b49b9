"""A hook after an event is shown what the event has reset by then (L837)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lint.test_rules import looked

TRAIT = "trait: glutton\ntext: {en: It grows.}\ncards: [{weight: 1}]\nrules: |\n  %s\n---\n"
CALLS = """
routine rest(snail s):
  let n = s.eaten
  digest(s, n)
routine digest(snail s, int n):
  require n > 0
  s.eaten -= n
value full(snail s) -> bool: s.eaten > 1
routine night: for snail s: rest(s)
"""
#: Rules after CALLS, each with what the finding must name; nothing for rules that are right.
READS = {
    "each, through calls and a value": ("after night when full(self): self.size += 1", "`full` reads `eaten`"),
    "each, in the body": ("after night:\n    if self.eaten > 1: self.size += 1", "`eaten` is always 0"),
    "the thing that it is about": ("after rest(self) when self.eaten > 1: self.size += 1", "`eaten` is always 0"),
    "the hook that is advised": ("before rest(self) when self.eaten > 1: self.size += 1", ""),
    "another attribute": ("after night when self.size > 1: self.size += 1", ""),
    "a value that the hook writes": ("after night:\n    self.eaten += 1\n    if self.eaten > 1: self.size += 1", ""),
    "another thing": ("after rest(any) when self.eaten > 1: self.size += 1", ""),
}  # fmt: skip


@pytest.mark.parametrize("what", READS)
def test_what_an_event_resets_is_followed_through_its_calls(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook, named = READS[what]
    found = looked(tmp_path, TRAIT % hook + CALLS, monkeypatch, select=["L837"]).advice
    assert len(found) == bool(named)
    assert all(item.diagnostic.message.startswith(named) for item in found)
    assert all("before rest" in item.diagnostic.hint for item in found if "night" in hook)


#: Events after which an attribute may be anything: no hook after them is shown anything.
OPEN = {
    "only some": "routine night: for snail s where s.size > 1: s.eaten = 0",
    "only if": "routine night(bool b): for snail s:\n    if b: s.eaten = 0",
    "written again": "routine night:\n  for snail s: s.eaten = 0\n  for snail s: s.eaten += 1",
    "written again by a call": (
        "routine night:\n  for snail s: s.eaten = 0\n  feed\nroutine feed: for snail s where s.size > 1: s.eaten += 1"
    ),
    "given to another": "routine night: for snail s, snail t:\n    t.eaten += 1\n    s.eaten = 0",
    "another number is taken": "routine night: for snail s: s.eaten -= s.size",
    "refused for another reason": (
        "routine night: for snail s: shed(s)\nroutine shed(snail s):\n  require s.size > 1\n  s.eaten = 0"
    ),
}


@pytest.mark.parametrize("what", OPEN)
def test_what_may_be_anything_is_not_reported(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    event = "night(any)" if "(bool" in OPEN[what] else "night"
    hook = f"after {event} when self.eaten > 1: self.size += 1"
    assert not looked(tmp_path, TRAIT % hook + OPEN[what] + "\n", monkeypatch, select=["L837"]).advice
