"""Every kind of hook, brought by whatever may bring one, on every kind of event: it runs, or the checker refuses it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.compiler.compilation import check
from rulelang.runtime.state import State
from tests.hooks.small import play, unoptimised, write
from tests.native.machine import needs_compiler

__all__ = ["unoptimised"]

THINGS = """\
kinds:
  pawn: {of: player, line: true, at_most: 3, names: [a, b, c, d]}
cards:
  card:
    columns: {face: trait, whose: int}
    rows: [{face: mute, whose: 2}, {face: horn, whose: 1}]
zones:
  gear: {of: pawn, holds: card, seen_by: everyone, in_force: true}
state: {first_player: player, hits: number, ran: number, seen: number, weight: number}
"""

RULES = """\
game:
  for player p: create pawn of p
  for pawn x, card c where c.whose == (1 if x.owner == first_player else 2): move c to x.gear
  lay_out
  day
routine lay_out
phase day: turns p from first_player once each: offer any actions to p or pass
value score(player p) -> int: 0
value worth(pawn x) -> int: 1
routine knock(pawn x): happens
routine knell(pawn x) in owner's order: happens
phase night: happens
routine happens:
  ran += 1
  seen = hits
action poke(pawn x of actor) during day: happens
action weigh(pawn x of actor) during day: weight = worth(x)
action do_knock(pawn x of actor) during day: knock(x)
action do_knell(pawn x of actor) during day: knell(x)
action do_night during day: night
"""

MUTE = """\
  after poke: hits += 5
  after knock: hits += 5
  after knell: hits += 5
  after night: hits += 5
  after horn.toot: hits += 5
  modify worth(any): + 5
"""

#: What a player plays to set an event off, by event.
EVENTS = {
    "knock": "do_knock a",
    "knell": "do_knell a",
    "night": "do_night",
    "poke": "poke a",
    "horn.toot": "toot a",
}


@dataclass(frozen=True)
class Bearer:
    """Where a hook stands. `things` and `rules` go beside those above; `file` takes the hook, behind `head`."""

    file: str
    head: str
    things: str = ""
    rules: str = ""
    owned: bool = False
    always: bool = False
    mod: bool = False


TRAIT = "trait: probe\ntext: probe\n"
TOKEN = "cards: {token: {columns: {face: trait}, rows: [{face: probe}]}}\n"
TO_BOB = "before lay_out: for player p, %s k where p != first_player: move k to p.%s\n"
TO_ALL = "before lay_out: for %s k: move k to %s\n"

BEARERS = {
    "a card of a trait on a thing": Bearer(
        "traits/probe.yaml", TRAIT + "cards: [{whose: 2}]\nrules: |\n", owned=True),
    "a card of a trait in a zone of a player": Bearer(
        "traits/probe.yaml", TRAIT + "rules: |\n",
        TOKEN + "zones: {purse: {of: player, holds: token, seen_by: everyone, in_force: true}}\n",
        TO_BOB % ("token", "purse"), owned=True),
    "a card of a trait in a zone of the game": Bearer(
        "traits/probe.yaml", TRAIT + "rules: |\n",
        TOKEN + "zones: {chest: {holds: token, seen_by: everyone, in_force: true}}\n", TO_ALL % ("token", "chest")),
    "a card row in a zone of a player": Bearer(
        "hook.yaml", "cards:\n  charm:\n    rows:\n      trinket:\n        rules: |\n",
        "zones: {pouch: {of: player, holds: charm, seen_by: everyone, in_force: true}}\n",
        TO_BOB % ("charm", "pouch"), owned=True),
    "a card row in a zone of the game": Bearer(
        "hook.yaml", "cards:\n  charm:\n    rows:\n      trinket:\n        rules: |\n",
        "zones: {table: {holds: charm, seen_by: everyone, in_force: true}}\n", TO_ALL % ("charm", "table")),
    "a list row": Bearer("hook.yaml", "lists:\n  omen:\n    rows:\n      bad:\n        rules: |\n"),
    "always, by a trait": Bearer("traits/probe.yaml", TRAIT + "rules: |\n", always=True),
    "always, by a card row": Bearer(
        "hook.yaml", "cards:\n  charm:\n    rows:\n      trinket:\n        rules: |\n",
        "zones: {table: {holds: charm, seen_by: everyone, in_force: true}}\n", always=True),
    "always, by a list row": Bearer(
        "hook.yaml", "lists:\n  omen:\n    rows:\n      bad:\n        rules: |\n", always=True),
    "the game's rules": Bearer("hook.rules", ""),
    "a mod's rules": Bearer("hook.rules", "", mod=True),
}  # fmt: skip

BODIES = {"before": "hits += 1", "after": "hits += 1", "instead of": "hits += 1", "react to": "hits += 1\n  stop"}
#: After an event: how often the hook has run, how often the body, and what that has seen of the hook.
DONE = {"before": (1, 1, 1), "after": (1, 1, 0), "instead of": (1, 0, 0), "react to": (1, 0, 0)}
UNHEARD = (0, 1, 0)


def lay_out(folder: Path, bearer: Bearer, hooks: str, mute: str = "  modify worth(self): + 0\n") -> list[Path]:
    """The folders of the game, and of the mod if that brings the hooks. `mute`: the rules of that trait."""
    last = bearer.head.rstrip("\n").rpartition("\n")[2]
    indent = " " * (len(last) - len(last.lstrip()) + 2) if bearer.head else ""
    if bearer.always:
        hooks = "".join(f"always {line}\n" if line[0] != " " else f"{line}\n" for line in hooks.splitlines())
    text = bearer.head + "".join(f"{indent}{line}\n" for line in hooks.splitlines())
    files = {
        "things.yaml": THINGS,
        "game.rules": RULES,
        "traits/mute.yaml": "trait: mute\ntext: mute\nrules: |\n" + mute,
        "traits/horn.yaml": "trait: horn\ntext: horn\nrules: |\n  action toot during day: happens\n",
    }
    if bearer.things:
        files["more.yaml"] = bearer.things
    if bearer.rules:
        files["more.rules"] = bearer.rules
    if bearer.mod:
        return [write(folder / "game", files), write(folder / "patch", {bearer.file: text}, extends="game")]
    return [write(folder / "game", {**files, bearer.file: text})]


def mistakes(folders: list[Path]) -> list[str]:
    return [f"{item.code} {item.message}" for item in check(folders[0], folders[1:])[1]]


def words(state: State) -> tuple[int, int, int]:
    values = state.view()["state"]
    return values["hits"], values["ran"], values["seen"]


def fire(state: State, event: str, bearer: Bearer, may: str) -> None:
    """Sets an event off; `may`: what is answered to a hook that may happen ("" where none may)."""
    play(state, EVENTS[event])
    if may:
        texts = [option.text for option in state.decision.options]
        assert len(texts) == 2, texts
        assert texts[1] == "none"
        assert state.players[state.decider - 1] == ("bob" if bearer.owned else "ana")
        play(state, texts[0] if may == "yes" else "none")
    assert {option.text for option in state.decision.options} >= {"pass"}


def events(bearer: Bearer) -> list[str]:
    """The game's own rules name no trait."""
    return [event for event in EVENTS if "." not in event or bearer.file != "hook.rules" or bearer.mod]


def triggers(bearer: Bearer, kind: str, may: bool, once: bool) -> str:
    head = f"{'may ' if may else ''}{kind}"
    tail = " once per turn" if once else ""
    return "".join(f"{head} {event}{tail}:\n  {BODIES[kind]}\n" for event in events(bearer))


def runs(folder: Path, bearer: Bearer, kind: str, may: bool, once: bool, backend: str) -> None:
    folders = lay_out(folder, bearer, triggers(bearer, kind, may, once))
    assert mistakes(folders) == []
    game = load(folders[0], folders[1:])
    for event in events(bearer):
        for answer in ("yes", "none") if may else ("",):
            state = game.new(2, 1, backend=backend)
            fire(state, event, bearer, answer)
            assert words(state) == (UNHEARD if answer == "none" else DONE[kind]), (event, answer)
            if answer == "none":
                continue
            fire(state, event, bearer, "" if once else answer)
            body = DONE[kind][1]
            assert words(state)[:2] == ((1, body + 1) if once else (2, 2 * body)), event


@pytest.mark.parametrize(("may", "once"), [(False, False), (True, True)])
@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("bearer", BEARERS)
def test_triggers(tmp_path: Path, bearer: str, kind: str, may: bool, once: bool) -> None:
    runs(tmp_path, BEARERS[bearer], kind, may, once, "python")


@needs_compiler
@pytest.mark.usefixtures("unoptimised")
@pytest.mark.parametrize("bearer", [name for name in BEARERS if "always" not in name or "trait" in name])
def test_triggers_of_native_games(tmp_path: Path, bearer: str) -> None:
    kinds = list(BODIES)
    kind = kinds[list(BEARERS).index(bearer) % len(kinds)]
    runs(tmp_path, BEARERS[bearer], kind, True, True, "native")


@pytest.mark.parametrize("bearer", BEARERS)
def test_bans(tmp_path: Path, bearer: str) -> None:
    """What is forbidden does not happen; an action is not offered."""
    names = events(BEARERS[bearer])
    folders = lay_out(tmp_path, BEARERS[bearer], "".join(f"forbid {event}\n" for event in names))
    assert mistakes(folders) == []
    state = load(folders[0], folders[1:]).new(2, 1)
    offered = {option.text for option in state.decision.options}
    assert offered == {"weigh a", "pass"} | ({"toot a"} if "horn.toot" not in names else set())
    assert words(state) == (0, 0, 0)


@pytest.mark.parametrize("bearer", BEARERS)
def test_values_are_modified(tmp_path: Path, bearer: str) -> None:
    folders = lay_out(tmp_path, BEARERS[bearer], "modify worth(any): + 2\n")
    assert mistakes(folders) == []
    state = load(folders[0], folders[1:]).new(2, 1)
    play(state, "weigh a")
    assert state.view()["state"]["weight"] == 3


@pytest.mark.parametrize("what", ["mute", "card k"])
@pytest.mark.parametrize("bearer", BEARERS)
def test_rules_are_ignored(tmp_path: Path, bearer: str, what: str) -> None:
    """A trait's rules are none for an event; card by card, those of its cards."""
    names = events(BEARERS[bearer])
    guard = "" if what == "mute" else " when k.whose == 2"
    hooks = "".join(f"ignore {what} in {event}{guard}\n" for event in [*names, "worth"])
    if bearer == "the game's rules" and what == "mute":
        assert {line.split()[0] for line in mistakes(lay_out(tmp_path, BEARERS[bearer], hooks, MUTE))} == {"W505"}
        return
    heard = lay_out(tmp_path / "heard", BEARERS[bearer], "", MUTE)
    ignored = lay_out(tmp_path / "ignored", BEARERS[bearer], hooks, MUTE)
    for folders, hits, weight in ((heard, 5, 6), (ignored, 0, 1)):
        assert mistakes(folders) == []
        game = load(folders[0], folders[1:])
        for event in names:
            state = game.new(2, 1)
            play(state, EVENTS[event])
            assert words(state) == (hits, 1, 0), event
        play(state, "weigh a")
        assert state.view()["state"]["weight"] == weight


@pytest.mark.parametrize("bearer", BEARERS)
def test_cards_are_copied_by_things_alone(tmp_path: Path, bearer: str) -> None:
    folders = lay_out(tmp_path, BEARERS[bearer], "copy cards on first(pawn x where x.owner == first_player)\n", MUTE)
    on_a_thing = bearer == "a card of a trait on a thing"
    assert [line.split()[0] for line in mistakes(folders)] == ([] if on_a_thing else ["W513"])


def test_what_is_always_has_no_card_to_ignore(tmp_path: Path) -> None:
    always = MUTE.replace("  after", "  always after").replace("  modify", "  always modify")
    for what, hits, weight in (("mute", 0, 1), ("card k", 5, 6)):
        guard = " when k.whose == 2" if what == "card k" else ""
        hooks = "".join(f"ignore {what} in {event}{guard}\n" for event in [*EVENTS, "worth"])
        folders = lay_out(tmp_path / what, BEARERS["a mod's rules"], hooks, always)
        assert mistakes(folders) == []
        game = load(folders[0], folders[1:])
        for event in EVENTS:
            state = game.new(2, 1)
            play(state, EVENTS[event])
            assert words(state) == (hits, 1, 0), event
        play(state, "weigh a")
        assert state.view()["state"]["weight"] == weight


def test_hooks_of_cards_that_never_lie_in_force_are_refused(tmp_path: Path) -> None:
    for number, bearer in enumerate(BEARERS.values()):
        for kind in ("before knock: nothing", "modify worth(any): + 1", "forbid knock", "ignore mute in knock"):
            if bearer.file == "hook.rules" or "zones" not in bearer.things:
                continue
            idle = Bearer(**{**vars(bearer), "things": bearer.things.replace("in_force: true", "in_force: false")})
            found = mistakes(lay_out(tmp_path / f"{number} {kind[:3]}", idle, kind + "\n"))
            assert [line.split()[0] for line in found] == ([] if bearer.always else ["W514"]), found
