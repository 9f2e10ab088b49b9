"""Games that begin where somebody wants to look: at a scenario's position, or with a card in hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import cast

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import Layout, ZoneLayout
from rulelang.base.wording import did_you_mean, with_article
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.runtime.decision import normalized_text
from rulelang.runtime.state import State, altered_state
from rulelang.testing.scenarios.arrange import Helpers
from rulelang.testing.scenarios.begin import begin_at
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import Outcome, Scenario


class NotFound(ValueError):
    """What was named is not there; the message says what is."""


class _Played(Runner):
    """A runner whose tables are compiled as those of any game: they are played on."""

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        return Fixture(Compilation(self.where, mods, mode, self.memo))


def at_scenario(
    where: str | Path, name: str, mods: Sequence[str | Path] = (), mode: str | None = None, backend: str = "python"
) -> State:
    """A game in the position of a scenario: of its name, or the only one with that in its name. Its mods, mode and test
    rows are there too. NoSuch; LoadError for mistakes; RuleError if the rules go wrong at once."""
    runner = _Played(where, mods, mode, mods_too=True, backend=backend)
    if runner.diagnostics.failed:
        raise LoadError(runner.diagnostics, runner.sources)
    scenario = _scenario_named(runner.scenarios, name)
    ready = runner.ready(scenario)
    if isinstance(ready, Outcome):
        raise LoadError(Diagnostics(list(ready.mistakes)), runner.sources)
    fixture = runner.fixture_of(scenario)
    out = Diagnostics()
    begun = begin_at(fixture.game, fixture, ready.table, ready.position, ready.dice, out)
    if begun is None:
        raise LoadError(out, runner.sources)
    return begun.state


def _scenario_named(scenarios: Sequence[Scenario], name: str) -> Scenario:
    wanted = normalized_text(name)
    for exact in (
        [one for one in scenarios if wanted in (normalized_text(one.id), normalized_text(one.name))],
        [one for one in scenarios if wanted in normalized_text(one.id)],
    ):
        if len(exact) == 1:
            return exact[0]
        if exact:
            few = ", ".join(f"`{one.id}`" for one in exact[:3])
            raise NotFound(f"{len(exact)} scenarios match `{name}`: {few}{' ...' if len(exact) > 3 else ''}")
    near = did_you_mean(name, [one.name for one in scenarios])
    raise NotFound(f"there is no scenario `{name}`{'; ' + near if near else ''}")


def with_card(state: State, name: str, seat: int = 1, keep: Collection[str] = ()) -> tuple[State, str]:
    """The game with a card of that trait or name in a player's hand, and where it lies in words.

    Another card of the hand takes its place, if there is one; none that is called as `keep` says. NoSuch if no card is
    called so, or players hold no such cards.
    """
    layout = state.table.program.layout
    handles = _cards_named(layout, name)
    zone = _hand_zone(layout, layout.cards[handles[0]].sort)
    words = state.words
    place = zone.first_id + (seat if zone.of else 0)
    where = f"in {state.players[seat - 1]}'s {zone.name}" if zone.of else f"on top of the {zone.name}"
    if any(words[layout.where + card] == place for card in handles):
        return state, where
    free = {zone_id for zone_id, player in enumerate(layout.zone_player) if not player}
    card = next((card for card in handles if words[layout.where + card] in free), handles[0])
    sort = range(layout.sorts[layout.cards[card].sort][0], layout.sorts[layout.cards[card].sort][1] + 1)
    kept = {other for called in keep for other in _cards_named(layout, called)}
    held = [other for other in sort if words[layout.where + other] == place and other not in kept]
    mine = held[0] if held and zone.of else 0

    def lay(S: list[int]) -> None:
        helpers = cast(Helpers, state.table.program)
        left = S[layout.where + card]
        helpers.call_plain(S, "h_lay", (card, place, 0, 0))
        if mine:
            helpers.call_plain(S, "h_lay", (mine, left, 0, 0))

    return altered_state(state, lay), where


def _cards_named(layout: Layout, name: str) -> list[int]:
    """The cards that show a trait, or have that name."""
    wanted = normalized_text(name).replace(" ", "_")
    traits = layout.lists.get("trait", ())
    number = next((n for n, trait in enumerate(traits) if n and normalized_text(trait) == wanted), 0)
    found = [
        handle
        for handle, card in enumerate(layout.cards)
        if handle and (number in card.faces if number else normalized_text(card.row) == wanted)
    ]
    if not found:
        known = [*traits[1:], *dict.fromkeys(card.row for card in layout.cards if card.row)]
        near = did_you_mean(name, known)
        what = "there is no card with the trait" if number else "there is no trait and no card"
        raise NotFound(f"{what} `{name}`{'; ' + near if near else ''}")
    return found


def _hand_zone(layout: Layout, sort: str) -> ZoneLayout:
    """Where players hold such cards: in a zone that only its owner sees, else in another one of his, else a stock."""
    zones = [zone for zone in layout.zones.values() if zone.holds == sort and not zone.slot]
    own = [zone for zone in zones if zone.of == "player"]
    for some in (
        [z for z in own if z.seen_by == "owner"],
        own,
        [z for z in zones if not z.of and z.seen_by == "nobody"],
    ):
        if some:
            return some[0]
    raise NotFound(f"no player holds {with_article(sort)} in hand, and there is no stock of them")
