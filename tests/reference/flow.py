"""The flow of a game: rounds, phases, turns and what ends with them, offers (statements.md, rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from rulelang.language.semantics import tree
from tests.reference.hooks import Roles
from tests.reference.options import Option, Run
from tests.reference.running import Statements
from tests.reference.world import Scope


class Passed(Exception):
    """A player did nothing in an offer: his turn is over."""


class Flow(Statements):
    """Turn after turn, offer after offer."""

    def run_phase(self, declared: tree.Routine, s: Scope) -> Run:
        before, self.phase = self.phase, declared.number
        self.end_of(declared.name)
        yield from self.block(declared.body, s)
        yield from self.stop_at("phase ends")
        self.end_of("phase")
        self.phase = before

    def do_Rounds(self, st: tree.Rounds, s: Scope) -> Run:
        over = False
        while not over:
            self.round += 1
            yield from self.block(st.body, s)
            over = yield from self.round_over(st, s)

    def round_over(self, st: tree.Rounds, s: Scope) -> Run:
        """Whether it was the last one."""
        yield from self.stop_at("round ends")
        self.end_of("round")
        yield from self.stop_at("round")
        return self.cond(st.until, s)

    def starting(self, st: tree.Turns, s: Scope) -> int:
        return self.seated(self.through(st.start, s))

    def do_Turns(self, st: tree.Turns, s: Scope) -> Run:
        player: Any = self.starting(st, s)
        actor, active = self.actor, self.active
        out: set[int] = set()
        turns = quiet = 0
        while {"once each": turns, "until all pass": len(out)}.get(st.mode, quiet) < self.players:
            if player not in out:
                passed = yield from self.turn(st, s, player, active)
                turns += 1
                quiet = quiet + 1 if passed else 0
                out |= {player} if passed and st.mode == "until all pass" else set()
            player = self.following(player)
        self.actor, self.active = actor, active

    def turn(self, st: tree.Turns, s: Scope, player: int, active: int | None) -> Run:
        """Whether it was a pass."""
        self.actor = player
        if active is None:
            self.active = player
            if self.removing:
                yield from self.stop_at("turn begins")
            self.release()
        passed = False
        try:
            inner = s.inner([st.local], [player], turn=player, outermost=active is None, game=False)
            yield from self.block(st.body, inner)
        except Passed:
            passed = True
        if active is None:
            yield from self.stop_at("turn ends")
            self.end_of("turn")
            yield from self.stop_at("turn")
        return passed

    removing: bool  # whether any rule has things go

    def do_Offer(self, st: tree.Offer, s: Scope) -> Run:
        player = self.through(st.to, s)
        if player > self.players:
            return
        actor, self.actor = self.actor, player
        done = main = False
        free_too = st.one and any(a.free and st.phase in a.during for a in self.program.actions.values())
        while not (done and st.one and not free_too):

            def listed(main: bool = main) -> list[Option]:
                return self.pass_or(self.offered(st.phase, player, main), st.or_pass or main)

            taken = yield from self.ask("offer", player, listed)
            if taken is None or taken.what == "pass":
                break
            done = True
            yield from self.take(taken, player)
            main = main or (free_too and not taken.of.free)
            yield from self.stop_at("action")
            if s.turn == player and s.outermost and not s.roles and s.kinds.isdisjoint(self.model.made):
                self.release()
        self.actor = actor
        if s.turn is not None and not done:
            raise Passed

    def take(self, option: Option, player: int) -> Run:
        """An action with what comes before it: in steps, its arguments one by one."""
        for k in range(len(option.of.binders) if option.of.in_steps else 0):
            listed = partial(self.step, option.of, k, option.bearer, option.args, player)
            taken = yield from self.ask("choose", player, listed)
            option = Option("take", option.of, option.bearer, (*option.args, taken.args[0]))
        yield from self.perform(option)

    def step(self, action: tree.Action, k: int, bearer: Roles, args: Sequence[Any], me: int) -> list[Option]:
        """The values of one argument with which the action can be completed; of equal cards the first."""
        b = action.binders[k]
        found: dict[Any, Option] = {}
        for item in self.bound_by(b, self.scope_of(action, args, bearer)):
            like = self.look(item) if isinstance(b.domain, tree.InZones) and item is not None else (item,)
            completed = self.arguments(action, bearer, me, (*args, item), distinct=False)
            if like not in found and next(completed, None) is not None:
                found[like] = Option("choose", args=(item,))
        return list(found.values())

    def perform(self, option: Option) -> Run:
        """Its flag, the card that is played with it, its event."""
        action, bearer, card = option.of, option.bearer, option.bearer.get("this")
        if action.once_per is not None:
            self.flags.add(self.action_flag(action, bearer, self.actor))
        if card is not None and card.pile.zone.playable and card.pile.zone.played_to:
            zone = self.model.zones[card.pile.zone.played_to]
            own = card.pile.owner if zone.of == card.pile.zone.of else self.actor
            self.move(card, self.pile(zone, own if zone.of is not None else None))
        yield from self.happen(action.id, option.args, bearer)
