"""The flow of a game: rounds, phases, turns and what ends with them, offers (statements.md, rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from rulelang.semantics import tree
from tests.reference.options import Option, Run
from tests.reference.running import Statements
from tests.reference.scope import Scope
from tests.reference.seeking import TURN


class Passed(Exception):
    """A player did nothing in an offer: his turn is over."""


class Flow(Statements):
    """Turn after turn, offer after offer."""

    def end_of(self, scope: str) -> None:
        """What ends with a turn, phase or round, or begins with a phase by name: flags, resets, silences."""
        w, m = self.world, self.world.model
        w.flags[scope].clear()
        for card in w.cards:
            card.silences.discard(scope)
        kept = [("", {"": m.state}), ("player", {"player": m.player_attributes})]
        kept += [(x.name, {x.name: x.attributes}) for x in (*m.lists.values(), *m.grids.values(), *m.sorts.values())]
        kept += [(t.name, {t.name: t.state}) for t in m.traits.values()]
        gone = {
            (kind, a.name) for kind, of in kept for attrs in of.values() for a in attrs.values() if a.resets == scope
        }
        for key in [key for key in w.values if (key[0], key[2][0] if isinstance(key[2], tuple) else key[2]) in gone]:
            del w.values[key]
        for kind, made in m.made.items():
            names = {a.name for a in made.attributes.values() if a.resets == scope}
            for thing in w.things[kind] if names else ():
                for name in [n for n in thing.values if (n[0] if isinstance(n, tuple) else n) in names]:
                    del thing.values[name]
        cleared = {table.name for table in m.tables.values() if table.resets == scope}
        for table in [key for key in w.tables if key[0] in cleared]:
            del w.tables[table]

    def phase(self, declared: tree.Routine, s: Scope) -> Run:
        w, before = self.world, self.world.phase
        w.phase = declared.number
        if w.sought in (None, TURN):
            self.end_of(declared.name)
        yield from self.block(declared.body, s)
        yield from self.stop_at("phase ends")
        self.end_of("phase")
        w.phase = before

    def rounds(self, st: tree.Rounds, s: Scope) -> Run:
        while True:
            self.world.round += self.world.sought is None
            yield from self.block(st.body, s)
            if self.world.sought is not None:
                return
            yield from self.stop_at("round ends")
            self.end_of("round")
            yield from self.stop_at("round")
            if self.cond(st.until, s):
                return

    def turns(self, st: tree.Turns, s: Scope) -> Run:
        w = self.world
        player = self.first_turn(st, s.around) or w.seated(self.through(st.start, s))
        actor, active = w.actor, w.active
        out: set[int] = set()
        turns = quiet = 0
        while True:
            if player not in out:
                passed = yield from self.one_turn(st, s, player, active)
                turns += 1
                if w.sought is not None:
                    break
                quiet = quiet + 1 if passed else 0
                if passed and st.mode == "until all pass":
                    out.add(player)
            following = w.following(player)
            assert following is not None
            player = following
            over = {"once each": turns, "until all pass": len(out)}.get(st.mode, quiet)
            if over >= w.players:
                break
        w.actor, w.active = actor, active

    def one_turn(self, st: tree.Turns, s: Scope, player: int, active: int | None) -> Run:
        """Whether it was a pass."""
        w = self.world
        w.actor = player
        if active is None:
            w.active = player
            if any(self.removes):
                yield from self.stop_at("turn begins")
            w.release()
        inner = s.inner(turn=player, outermost=active is None, game=False)
        inner.names[st.local.name] = player
        passed = False
        try:
            yield from self.block(st.body, inner)
        except Passed:
            passed = True
        if active is None:
            yield from self.stop_at("turn ends")
            self.end_of("turn")
            yield from self.stop_at("turn")
        return passed

    removes: set[str]

    def offer(self, st: tree.Offer, s: Scope) -> Run:
        w = self.world
        player = self.through(st.to, s)
        if player > w.players:
            return
        actor = w.actor
        w.actor = player
        done = main = False
        free_too = st.one and any(a.free and st.phase in a.during for a in self.program.actions.values())
        while True:
            may_pass = st.or_pass or (main and free_too)

            def listed(main: bool = main, may_pass: bool = may_pass) -> list[Option]:
                return self.pass_or(self.offered(st.phase, player, main), may_pass)

            taken = yield from self.ask("offer", player, listed)
            if taken is None or taken.what == "pass":
                break
            done = True
            yield from self.take(taken, player)
            main = main or (free_too and not taken.of.free)
            yield from self.stop_at("action")
            if s.turn == player and s.outermost and not s.speaks and not s.roles:
                w.release()
            if st.one and not free_too:
                break
        w.actor = actor
        if s.turn is not None and not done:
            raise Passed

    def take(self, option: Option, player: int) -> Run:
        """An action with what comes before it: in steps, its arguments one by one."""
        action = option.of
        if action.in_steps:
            args: tuple[Any, ...] = ()
            for k in range(len(action.binders)):
                listed = partial(self.step, action, k, option.bearer, args, player)
                taken = yield from self.ask("choose", player, listed)
                args = (*args, taken.args[0])
            option = Option("take", action, option.bearer, args)
        yield from self.perform(action, option)

    def step(self, action: tree.Action, k: int, bearer: dict[str, Any], args: Sequence[Any], me: int) -> list[Option]:
        """The values of one argument with which the action can be completed; of equal cards the first."""
        b = action.binders[k]
        scope = self.given(action.bearer, Scope(), bearer)
        scope.names.update({x.local.name: arg for x, arg in zip(action.binders, args, strict=False)})
        alike = isinstance(b.domain, tree.InZones) and not self.world.model.sorts[b.domain.sort].attributes
        found: list[Option] = []
        looks: set[int] = set()
        for item in self.bound(b, scope):
            fresh = self.given(action.bearer, Scope(), bearer)
            if alike and item is not None and item.info.look in looks:
                continue
            if next(self.arguments(action, fresh, bearer, me, (*args, item), distinct=False), None) is not None:
                found.append(Option("choose", args=(item,)))
                if alike and item is not None:
                    looks.add(item.info.look)
        return found

    def perform(self, action: tree.Action, option: Option) -> Run:
        """Its flag, the card that is played with it, its event."""
        w, bearer = self.world, option.bearer
        if action.once_per is not None:
            w.flags[action.once_per].add(self.action_flag(action, bearer, w.actor))
        card = bearer.get("this")
        if card is not None and card.pile.zone.playable and card.pile.zone.played_to:
            zone = w.model.zones[card.pile.zone.played_to]
            owner: Any = None
            if zone.of is not None:
                owner = card.pile.owner if zone.of == card.pile.zone.of else w.actor
            w.move(card, w.pile(zone, owner))
        yield from self.happen(action.id, option.args, bearer)
