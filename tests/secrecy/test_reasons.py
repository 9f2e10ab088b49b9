"""Why something cannot be done is worked out from what the asker sees: in Python, in the terminal and on the page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.apps.studio.tables.play import Play
from rulelang.apps.studio.tables.room import Guest, Room
from rulelang.apps.studio.tables.routes import Visit
from rulelang.apps.studio.tables.setup import Seat, Setup, Spec
from rulelang.apps.studio.tables.store import Store
from rulelang.presentation.console import Match, Session
from rulelang.presentation.view.events import handles_by_id
from rulelang.runtime.game import Game
from rulelang.runtime.hidden_information import Secrets
from rulelang.runtime.state import State
from tests.backends.named import BACKENDS
from tests.secrecy.den import den

#: Reasons that depend on what the other player holds and hides, and on what nobody sees.
RULES = """
action tame(cub b) during day:
  require b.owner == actor because "{b} is not yours"
  require not any(card c in b.owner.sealed where c.hue == red) because "{b.owner} has sealed a red one"
  require b.fear < 3 because "{b} fears {b.fear}"
  require weather > 9 because "the weather is {weather}"
action scare(cub b) during day:
  require b.fear > 3 because "{b} fears nothing"
  require b.owner.gold > 90 because "{b.owner} has {b.owner.gold} gold"
  b.fear -= 1
"""


def api(state: State, seat: int, action: str, cub: int) -> str:
    return str([refusal.text for refusal in state.why_not(f"{action} {state.names.text('cub', cub)}")])


def terminal(state: State, seat: int, action: str, cub: int) -> str:
    said: list[str] = []
    session = Session(Match(state, frozenset({seat}), []), said.append, lambda _: None, 80)
    session.why_not(f"{action} {state.names.text('cub', cub)}")
    return str(said)


def page(state: State, seat: int, action: str, cub: int) -> str:
    """All that the server answers to a guest who points at the cub."""

    async def asked() -> str:
        store = Store(None)
        setup = Setup((Seat("person", "A"), Seat("person", "B")), begun=True)
        room = Room("room", GAMES[state.table.info.id], Spec("den", players=2), setup, store)
        room.play = Play(state)
        visit = Visit(None, room, None, Guest(room, setup.seats[seat - 1].token, "en"))  # type: ignore[arg-type]
        part = next(part for part, thing in handles_by_id(state, seat).items() if thing == ("cub", cub))
        found = json.dumps(visit.why({"part": part, "picked": []}))
        store.close()
        return found

    return asyncio.run(asked())


#: By id: the games whose tables are opened.
GAMES: dict[str, Game] = {}
WAYS = [api, terminal, page]


def positions(folder: Path, rules: str) -> tuple[State, State, int]:
    """The same position twice for the one who is asked: what they do not see is different."""
    game = load(den(folder / "den", rules))
    GAMES[game.new(2, 1).table.info.id] = game
    state = game.new(2, 1)
    seat, layout = state.decider, state.table.program.layout
    words = [*state.words]
    hidden = {(a.kind, a.name): a for a in layout.attributes if a.seen_by != "everyone"}
    theirs = [h for h in state.names.handles("cub", words) if (h - 1) // layout.kinds["cub"].per_owner + 1 != seat]
    for handle in theirs:
        words[hidden["cub", "fear"].base + handle] = 7
    words[hidden["player", "gold"].base + 3 - seat] = 19
    words[hidden["", "weather"].base] = 8
    zones = layout.zones
    sealed, deck = zones["sealed"], zones["deck"]
    lies = {zone: [c for c in range(1, len(layout.cards)) if words[layout.where + c] == zone]
            for zone in (sealed.first_id + 3 - seat, deck.first_id)}  # fmt: skip
    (old,) = lies[sealed.first_id + 3 - seat]
    hue = layout.cards[old].columns["hue"]
    new = next(card for card in lies[deck.first_id] if layout.cards[card].columns["hue"] != hue)
    swap(state, words, old, new)
    return state, state.altered(words), theirs[0]


def swap(state: State, words: list[int], one: int, other: int) -> None:
    """Exchange two hidden cards, as a determinization does."""
    secrets = state.table.secrets
    hidden = secrets.hidden(words, state.decider, state.table.program.frames_end(words))
    cards = [{one: other, other: one}.get(place.card, place.card) for place in hidden]
    secrets.lay(words, hidden, cards)


@pytest.mark.parametrize("blind", [True, False], ids=["as it is", "if reasons knew everything"])
@pytest.mark.parametrize("action", ["tame", "scare"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_reasons_do_not_depend_on_secrets(
    way: Callable[[State, int, str, int], str], action: str, blind: bool, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The control answers from the real table: then the answers differ."""
    one, other, cub = positions(tmp_path, RULES)
    if not blind:
        monkeypatch.setattr(Secrets, "observe", lambda _, words, seat: list(words))
    said = [way(state, state.decider, action, cub) for state in (one, other)]
    assert (said[0] == said[1]) == blind, said
    assert "gold" in said[0] or "not yours" in said[0], "there are reasons at all"


#: Both do something unseen, one after the other.
UNSEEN = """
action earn during dusk: actor.coins += 9
action lend(player p) during dusk: require p.coins > 90 because "{p} has {p.coins} coins"
phase dusk:
  secretly for player p: offer any actions to p or pass
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("earns", [True, False])
def test_reasons_do_not_tell_what_others_did_behind_the_curtain(earns: bool, backend: str, tmp_path: Path) -> None:
    folder = den(tmp_path / "den", UNSEEN)
    rules = folder / "game.rules"
    rules.write_text(rules.read_text("utf-8").replace("rounds until round == 5: day", "dusk"), "utf-8")
    state = load(folder).new(2, 1, backend=backend)
    first = state.decider
    state.play("earn" if earns else "pass")
    if earns:
        state.play("pass")
    assert state.decider == 3 - first
    own, others = (state.names.text("player", seat) for seat in (3 - first, first))
    assert state.why_not(f"lend {others}")[0].text == f"{others} has 3 coins"
    state.play("earn")
    assert state.why_not(f"lend {own}")[0].text == f"{own} has 12 coins", "one's own are known"
