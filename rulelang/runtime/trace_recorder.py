"""Games noted while they are played, on any backend: what `native_agents.program` does inside of the library."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulelang.base.trace_plan import ON_BEARER, HandArrangement, Trace, TracePlan, empty_trace
from rulelang.runtime.display_names import Names, player_names
from rulelang.runtime.hidden_information import HiddenCard, Secrets
from rulelang.runtime.program import ROLL, OptionTuple
from rulelang.runtime.recorder import Recorder
from rulelang.runtime.rng import Generator, game_seed, splitmix64
from rulelang.runtime.running import MOST_DECISIONS, broken_invariant, endless_game_error
from rulelang.runtime.seating import Agent, ask_agent, begin_agent
from rulelang.runtime.state import State
from rulelang.runtime.table import Table

#: Moments of a game at which it is noted who leads.
MOMENTS = 16


class SilentHost:
    """A host that hears nothing, for those that hear a part to begin with. Dice fall as the generator has them."""

    __slots__ = ()

    def open(self, template: int, args: tuple[int, ...]) -> None:
        pass

    def line(self, template: int, args: tuple[int, ...]) -> None:
        pass

    def close(self) -> None:
        pass

    def settle(self) -> None:
        pass

    def curtain(self) -> None:
        pass

    def curtain_end(self) -> None:
        pass

    def die(self, bound: int) -> int:
        return ROLL


class TraceRecorder(SilentHost):
    """The host of one game: it notes what it is told, and what is so meanwhile."""

    enabled = True

    def __init__(self, table: Table, plan: TracePlan, words: list[int], made: Trace, game: int, written: bool) -> None:
        self.program, self.plan, self.words, self.made, self.game, self.written = (
            table.program, plan, words, made, game, written,
        )  # fmt: skip
        self.lay = [0] * plan.cards
        self.row = [0] * plan.width
        self.asked = self.events = 0
        self.opened: list[tuple[int, int]] = []  # events that have not ended: number and template
        self.led: list[int] = []
        self.step = 1

    # ---- what a running program calls

    def open(self, template: int, args: tuple[int, ...]) -> None:
        self._event(template, args)
        self.opened.append((self.events - 1, template))

    def line(self, template: int, args: tuple[int, ...]) -> None:
        self._event(template, args)

    def close(self) -> None:
        self.look()
        if self.opened:
            self.opened.pop()

    def settle(self) -> None:
        self.look()

    # ---- noting

    @property
    def cause(self) -> int:
        return self.opened[-1][0] if self.opened else -1

    def _event(self, template: int, args: tuple[int, ...]) -> None:
        self.look()
        self.made.reached[template] += 1
        if self.written:
            padded = (*args, *([0] * (self.plan.arguments - len(args))))[: self.plan.arguments]
            head = (self.game, self.events, self.asked, self.cause, len(self.opened), template)
            self.made.events.extend((*head, *padded))
        self.events += 1

    def look(self) -> None:
        """Note the cards that lie elsewhere than before."""
        plan, layout, S = self.plan, self.plan.layout, self.words
        if [*S[layout.where : layout.where + plan.cards]] == self.lay:
            return
        for card in range(1, plan.cards):
            zone = S[layout.where + card]
            if zone == self.lay[card]:
                continue
            player = layout.zone_player[zone]
            if plan.hand[self.lay[card]]:
                self._left(card, layout.zone_player[self.lay[card]])
            face = S[layout.card_face + card] if layout.card_face else plan.printed[card]
            if player and plan.place[zone] >= 0:
                self.row[plan.place[zone] * plan.cards + card] |= 1 << player
            if player and plan.force[zone] and face:
                self.row[(len(plan.places) + 1) * plan.cards + face] |= 1 << player
                if plan.force[zone] == ON_BEARER:
                    self._beside(zone, card, face, player)
            if self.written and self.lay[card]:
                self.made.moves.extend((self.game, self.asked, self.cause, card, self.lay[card], zone, face))
            self.lay[card] = zone

    def _beside(self, zone: int, card: int, face: int, player: int) -> None:
        """A trait has come to a bearer: it is there with all others that he has."""
        plan, layout, S = self.plan, self.plan.layout, self.words
        first = (len(plan.places) + 2) * plan.cards + plan.traits + 1
        for other in range(1, plan.cards):
            if S[layout.where + other] == zone and other != card:
                known = S[layout.card_face + other] if layout.card_face else plan.printed[other]
                low, high = min(face, known), max(face, known)
                if low and low != high:
                    self.row[first + (high - 1) * (high - 2) // 2 + low - 1] |= 1 << player

    def _left(self, card: int, player: int) -> None:
        """A card has left a hand: in the innermost action, or else in the innermost event."""
        if not self.opened:
            return
        plan = self.plan
        acting = [template for _, template in self.opened if plan.acts[template]]
        if acting and self.words[plan.layout.cells.actor] == player:
            self.row[len(plan.places) * plan.cards + card] |= 1 << player
        self.made.used[(acting[-1] if acting else self.opened[-1][1]) * plan.cards + card] += 1

    def lead(self) -> None:
        """Note who leads, at every `step`-th decision."""
        if self.asked % self.step:
            return
        if len(self.led) == MOMENTS:
            self.led, self.step = self.led[::2], 2 * self.step
            if self.asked % self.step:
                return
        seats = range(1, self.plan.layout.players + 1)
        teams = self.program.teams or tuple((seat,) for seat in seats)
        totals = [sum(self.program.score(self.words, seat) for seat in team) for team in teams]
        leading = [team for team, total in zip(teams, totals, strict=True) if total == max(totals)]
        self.led.append(sum(1 << seat for team in leading for seat in team))

    def choose(self, keys: Sequence[OptionTuple], k: int) -> None:
        """Of the options one is taken."""
        plan, S, cells, made = self.plan, self.words, self.plan.layout.cells, self.made
        site, seat = S[cells.site] - 1, S[cells.decider]
        first = plan.choice_at[site] + 1
        for choice in {first + key[0] for key in keys}:
            made.offered[choice] += 1
        tag, *values = keys[k]
        made.taken[first + tag] += 1
        for i, card in enumerate(values):
            of_card = plan.card_args[first + tag] >> i & 1 and 0 < card < plan.cards
            if of_card and plan.layout.zone_player[S[plan.layout.where + card]] == seat:
                self.row[len(plan.places) * plan.cards + card] |= 1 << seat
        if self.written:
            padded = (*values, *([0] * (plan.values - len(values))))[: plan.values]
            head = (self.game, self.asked, S[cells.round], seat, site, len(keys), k, tag)
            made.decisions.extend((*head, *padded))
        self.asked += 1

    def finish(self, arranged: bool) -> list[int]:
        """The words of the game."""
        plan = self.plan
        at = (len(plan.places) + 1) * plan.cards + plan.traits + 1
        self.row[at : at + plan.cards] = self.words[plan.layout.where : plan.layout.where + plan.cards]
        self.row[-2] = self.led[min(self.asked // 2 // self.step, len(self.led) - 1)] if self.led else 0
        self.row[-1] = int(arranged)
        return self.row


def traced_games(
    table: Table,
    plan: TracePlan,
    series: int,
    indices: range,
    agents: Sequence[Agent],
    arranged: HandArrangement | None = None,
    *,
    written: bool = False,
    invariants: bool = True,
    max_decisions: int = MOST_DECISIONS,
) -> Trace:
    """The games of a series with these indices, between agents by seat (repeated if fewer), and what is noted of them.

    The same as the native library notes of games with the same agents. RuleError as `play_series`.
    """
    made = empty_trace(plan, 0, 0)
    rows, notes = array("q"), array("i")
    names = Names(table.program.layout, player_names(table.players, None))
    for index in indices:
        own = game_seed(series, index)
        tape, ready = _traced_game(
            table, plan, names, made, index, own, agents, arranged, written, invariants, max_decisions
        )
        S, cells, program = tape.words, plan.layout.cells, table.program
        seats = range(1, table.players + 1)
        rows.extend((S[cells.decisions], S[cells.forced], S[cells.round], *(program.score(S, seat) for seat in seats)))
        ties = [program.tiebreak(S, seat) for seat in seats]
        rows.extend(part for by_seat in zip(*ties, strict=True) for part in by_seat)
        notes.extend(tape.finish(ready))
    made.games, made.rows, made.notes = len(indices), rows, notes
    return made


def _traced_game(
    table: Table, plan: TracePlan, names: Names, made: Trace, index: int, own: int, agents: Sequence[Agent],
    arranged: HandArrangement | None, written: bool, invariants: bool, most: int,
) -> tuple[TraceRecorder, bool]:  # fmt: skip
    program, cells = table.program, plan.layout.cells
    words = program.initial
    table.seed_game(words, own)
    seats = [agents[i % len(agents)] for i in range(table.players)]
    for agent in dict.fromkeys(seats):
        begin_agent(agent, own)
    tape = TraceRecorder(table, plan, words, made, index, written)
    keys = program.begin(words, tape)
    ready = False
    if arranged is not None and keys is not None:
        ready = arrange_cards(
            table.secrets, plan, words, program.frames_end(words), index % table.players + 1, own, arranged
        )
        keys = program.options(words)
    while keys is not None:
        found = broken_invariant(program, words, names) if invariants else None
        if found is None and words[cells.decisions] > most:
            found = endless_game_error(program, words, most, words[cells.site], words[cells.decider])
        if found is not None:
            raise found
        tape.look()
        tape.lead()
        state = State(table, names, list(words), Recorder(table, list(words), False), keys, None).without_invariants()
        k = ask_agent(seats[words[cells.decider] - 1], state)
        tape.choose(keys, k)
        keys = program.resume(words, tape, keys[k])
    tape.look()
    found = broken_invariant(program, words, names) if invariants else None
    if found is not None:
        raise found
    return tape, ready


def arrange_cards(
    secrets: Secrets, plan: TracePlan, S: list[int], end: int, seat: int, own: int, arranged: HandArrangement
) -> bool:  # fmt: skip
    """See `Arranged`: whether both arrangements can be had. `own`: the seed of the game."""
    chance = Generator(splitmix64(own ^ 0x617272616E6765))
    hidden = secrets.hidden(S, 0, end, plan.hand)
    cards = [place.card for place in hidden]
    group = max((secrets.groups[card] for card in arranged.wanted), default=0)
    if not group:
        return False

    def hand(place: HiddenCard) -> bool:
        zone = secrets.zones[place.zone].first_id + place.instance
        return bool(plan.hand[zone]) and secrets.layout.zone_player[zone] == seat

    def some(own_hand: bool, wanted: bool) -> int:
        free = [
            i
            for i, place in enumerate(hidden)
            if not place.stays
            and hand(place) == own_hand
            and (cards[i] in arranged.wanted) == wanted
            and secrets.groups[cards[i]] == group
        ]
        return free[chance.below(len(free))] if free else -1

    while (mine := some(True, True)) >= 0:
        other = some(False, False)
        if other < 0:
            return False
        cards[mine], cards[other] = cards[other], cards[mine]
    mine, other = some(True, False), some(False, True)
    if mine < 0 or other < 0:
        return False
    if arranged.given:
        cards[mine], cards[other] = cards[other], cards[mine]
    secrets.lay(S, hidden, cards)
    return True
