"""Whole small rulesets: a table of snails, cards and food, with rules, traits and hooks as they come.

What is declared is much the same each time, so that rules have something to speak of; what the rules say is drawn. A
routine only calls those behind it, and hooks on a routine call what comes behind that: no chain of effects is endless.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.generated.words import Env, Words

Lines = list[str]
Files = dict[str, str]

MANIFEST = """\
id: made
version: 1.0.0
language: 1
title: {{en: Made}}
players: {{count: [2, 3], play: {way}, from: start}}
options:
  dew: {{is: bool, default: {dew}, text: it is wet}}
files: [things.yaml, made.rules, traits/]
"""

THINGS = """\
numbers: {{limit: {limit}}}
lists:
  food: {{columns: {{worth: int}}, attributes: {{days: {{is: 0..9, clamp: true}}}},
         rows: {{leaf: {{worth: 1}}, mushroom: {{worth: 2}}, berry: {{worth: 3}}}}}}
ladders: {{mood: [calm, alert, angry]}}
kinds:
  snail:
    of: player
    line: true
    at_most: {at_most}
    names: [ada, ben, cleo, dan, eve, fay, gus, hal]
    attributes:
      size: {{is: int, start: {size}}}
      luck: maybe int
      mood: mood
      friend: {{is: maybe snail}}
      likes: {{is: maybe food}}
      tired: {{is: bool, resets: {resets}}}
  player: {{attributes: {{points: {{is: int, start: {points}}}}}}}
cards:
  card:
    columns: {{face: trait, weight: {{is: int, by: copy}}, kind: {{is: food, default: leaf}}}}
    rows: []
  charm: {{columns: {{face: trait, weight: {{is: int, default: 1}}}}, rows: []}}
zones:
  deck: {{holds: card, seen_by: nobody, refilled_from: discards}}
  discards: {{holds: card, seen_by: everyone}}
  hand: {{of: player, holds: card, seen_by: owner}}
  gear: {{of: snail, holds: card, seen_by: everyone, in_force: true}}
  pouch: {{of: player, holds: charm, seen_by: owner, in_force: true, playable: true, played_to: lost}}
  lost: {{holds: charm, seen_by: everyone}}
state:
  start: player
  pool: {{is: int, start: {pool}}}
  die: {{is: 1..6, start: 1}}
  leader: {{is: maybe snail}}
tables: {{trail: {{of: [snail, food], is: int}}}}
"""


class Maker(Words):
    """Draws a ruleset."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        super().__init__(draw, st)

    def files(self) -> Files:
        number = self.number
        found = {
            "ruleset.yaml": MANIFEST.format(
                way=self.pick(("clockwise", "counterclockwise")), dew=self.pick(("true", "false"))
            ),
            "things.yaml": THINGS.format(
                limit=number(1, 4), at_most=number(2, 4), size=number(0, 3), points=number(0, 2), pool=number(0, 6),
                resets=self.pick(("turn", "round", "phase", "graze")),
            ),
        }  # fmt: skip
        shapes = (("snail",), ("snail", "snail"), ("player",), ("snail", "int"), ("snail", "food"), (), ("card",))
        routines = [(f"r{k}", self.pick(shapes)) for k in range(1, number(3, 6))]
        results = ("int", "int", "bool", "maybe int", "mood", "maybe snail", "order")
        values = [(f"v{k}", self.pick((("snail",), ("snail", "snail"), ("player",), ())), self.pick(results))
                  for k in range(1, number(2, 5))]  # fmt: skip
        traits = [f"t{k}" for k in range(1, number(4, 5))]
        self.routines, self.values = tuple(routines), tuple(values)
        found["made.rules"] = "\n".join(self.core()) + "\n"
        for k, trait in enumerate(traits):
            found[f"traits/{trait}.yaml"] = self.trait(trait, "charm" if k == 2 else "card")
        return found

    # ---- the core

    def core(self) -> Lines:
        lines = [
            "game:", "  set_up", f"  rounds until round >= {self.number(1, 2)}:", "    dawn", "    graze",
            "    start = next(start)",
            "routine set_up:", "  for card c: move c to deck", "  shuffle deck",
            "  choose player q at random: start = q",
            "  for player q:", f"    repeat {self.number(1, 2)} times: create snail of q",
            f"    draw {self.number(1, 3)} from deck to q.hand",
            "  for charm c in box: give(c)",
            "routine give(charm c):",
            "  choose player q at random",
            "  move c to q.pouch",
            "routine lay(snail s, card c):",
            "  require count(card d on s) < 4",
            "  move c to s.gear",
        ]  # fmt: skip
        env = Env(values=(), routines=self.routines)
        for k, (name, params, result) in enumerate(self.values):
            names = {self.fresh("a"): (p, False) for p in params}
            here = Env(names=names, values=self.values[k + 1 :])
            head = ", ".join(f"{kind} {n}" for n, (kind, _) in names.items())
            lines.append(f"value {name}{f'({head})' if head else ''} -> {result}: "
                         + self.body(result, here))  # fmt: skip
        self.all_values = tuple((n, p, r) for n, p, r in self.values)
        for k, (name, params) in enumerate(self.routines):
            lines += self.routine(name, params, k)
        lines += ["phase dawn:", *self.indented(self.block(self.env(len(self.routines) - 2), 2, False))]
        lines += ["phase graze:"]
        mode = self.pick(("once each", "once each", "until all pass", "until all pass in a row"))
        lines.append(f"  turns p from start {mode}:")
        offer = self.pick(("one action", "any actions"))
        turn = [f"offer {offer} to p or pass"]
        if self.chance(2):
            here = replace(self.env(0), acting=True, turn=True).with_(p=("player", False))
            turn += self.block(here, 1, False)
        lines += self.indented(turn, 2)
        for _ in range(self.number(2, 4)):
            lines += self.action(self.fresh("act"), "graze", self.env(0))
        for name in ("after dawn", "before graze"):
            if self.chance(3):
                lines += [f"{name}:", *self.indented(self.block(self.env(0), 1, False))]
        for k, (name, params) in enumerate(self.routines):
            if self.chance(3):
                lines += self.hook(name, params, k, Env(), "")
        lines += [
            "value score(player p) -> int: p.points + count(snail s of p)",
            f"value tiebreak(player p) -> order: {self.sure('int', env.with_(p=('player', False)), 1)} then p.points",
        ]
        return lines

    def env(self, k: int, trait: str = "") -> Env:
        """Where routines from number k on may be called."""
        return Env(values=self.values, routines=self.routines[max(0, k) :], trait=trait, statement=True)

    def body(self, kind: str, env: Env) -> str:
        if kind == "bool":
            return self.cond(env, 2)
        if kind == "order":
            return f"{self.sure('int', env, 1)} then {self.sure('int', env, 1)}"
        if kind.startswith("maybe "):
            return self.of(kind.removeprefix("maybe "), env, 2)[0]
        return self.sure(kind, env, 2)

    def routine(self, name: str, params: tuple[str, ...], k: int) -> Lines:
        env = self.env(k + 1)
        names = {self.fresh("a"): (p, False) for p in params}
        env = env.with_(**names)
        head = ", ".join(f"{kind} {n}" for n, (kind, _) in names.items())
        order = " in owner's order" if self.chance(4) else ""
        lines = []
        if self.chance(2):
            lines.append(f"require {self.cond(env, 2)}" + (' because "no"' if self.chance(2) else ""))
        lines += self.block(env, 2, False)
        return [f"routine {name}{f'({head})' if head else ''}{order}:", *self.indented(lines)]

    def action(self, name: str, phase: str, env: Env, bearer: str = "") -> Lines:
        env = Env(
            values=env.values, routines=env.routines, trait=env.trait, acting=True, names=env.names, statement=True
        )
        binders: list[str] = []
        for _ in range(self.number(0, 2)):
            kind = self.pick(("snail", "card", "snail", "food", "int"))
            n = self.fresh({"snail": "s", "card": "c", "food": "f", "int": "n"}[kind])
            text = {"snail": f"snail {n}{self.pick((' of actor', ''))}", "card": f"card {n} in actor.hand",
                    "food": f"food {n}", "int": f"int {n} from 0 to 2"}[kind]  # fmt: skip
            env = env.with_(**{n: (kind, False)})
            binders.append(text + (f" where {self.atom(env, 1)}" if self.chance(3) else ""))
        flags = " free" if self.chance(4) else ""
        flags += f" once per {self.pick(('turn', 'round', 'phase', 'game'))}" if self.chance(3) else ""
        flags += " in steps" if binders and self.chance(5) else ""
        lines = [f"require {self.cond(env, 2)}"] if self.chance(2) else []
        lines += self.block(env, 2, False)
        head = f"({', '.join(binders)})" if binders else ""
        return [f"action {name}{head} during {phase}{flags}:", *self.indented(lines)]

    # ---- traits

    def trait(self, name: str, sort: str) -> str:
        weights = [self.number(1, 2) for _ in range(self.number(1, 4))]
        rules: Lines = []
        things = sort == "card"
        bearer = Env(
            names={"self": ("snail", False), "owner": ("player", False)} if things else {"owner": ("player", False)}
        )
        for k, (routine, params) in enumerate(self.routines):
            for _ in range(self.number(0, 2)):
                if self.chance(6):
                    rules += [f"always {line}" if not line.startswith(" ") else line
                              for line in self.hook(routine, params, k, Env(), name, always=True)]  # fmt: skip
                else:
                    rules += self.hook(routine, params, k, bearer, name)
        needs = ""
        if name != "t1" and self.chance(2):
            needs = "needs: [t1]\n"
            for routine, params in self.routines[:2]:
                slots = ["self" if things and p == "snail" and self.chance(2) else "any" for p in params]
                pattern = f"({', '.join(slots)})" if slots else ""
                env = replace(self.env(0), routines=(), names=bearer.names)
                rules.append(f"ignore t1 in {routine}{pattern} when {self.atom(env, 1)}")
        for value, params, result in self.values:
            if self.chance(2):
                rules += self.modify(value, params, result, bearer, name)
        if things and self.chance(4):
            env = replace(self.env(0), routines=(), names=bearer.names)
            other = self.pick(("right_of(self)", "left_of(self)", "self.friend"))
            rules.append(f"copy cards on {other}" + (f" when {self.atom(env, 1)}" if self.chance(2) else ""))
        if self.chance(3):
            env = self.env(0, name if things else "").with_(**bearer.names)
            rules += self.action(f"do_{name}", "graze", env)
        if not rules:
            rules = ["value idle -> int: 0"]
        cards = f"{{card: [{{weight: {weights}}}]}}" if things else f"{{charm: [{{copies: {len(weights)}}}]}}"
        pair = "pair: mutual\n" if things and name == "t4" else ""
        state = "state: {used: {is: bool, resets: round}}\n" if self.chance(3) else ""
        return (
            f"trait: {name}\ntext: {{en: It does something.}}\n{needs}{state}{pair}cards: {cards}\nrules: |\n"
            + "\n".join(self.indented(rules))
            + "\n"
        )

    def pattern(self, params: tuple[str, ...], bearer: Env) -> tuple[str, dict[str, tuple[str, bool]]]:
        """Slots for the arguments of an event, and the names that they bind. A new name has to be used."""
        slots, names = [], {}
        for kind in params:
            ways = ["any"]
            if "self" in bearer.names and kind == "snail":
                ways += ["self", "self"]
            if "owner" in bearer.names and kind == "player":
                ways += ["owner"]
            if kind == "food":
                ways.append("leaf")
            way = self.pick((*ways, "new"))
            if way == "new":
                way = self.fresh("x")
                names[way] = (kind, False)
            slots.append(way)
        return f"({', '.join(slots)})" if slots else "", names

    def hook(
        self, event: str, params: tuple[str, ...], k: int, bearer: Env, trait: str, *, always: bool = False
    ) -> Lines:
        pattern, names = self.pattern(params, bearer)
        things = "self" in bearer.names
        env = self.env(k + 1, trait if things else "").with_(**bearer.names).with_(**names)
        kind = self.pick(("before", "after", "after", "instead of", "react to", "forbid"))
        uses = [f'tells "{{{n}}}"' for n in names]
        when = f" when {self.cond(env, 2)}" if self.chance(2) else ""
        if kind == "forbid":
            guards = [f"{n} == {n}" if names[n][0] != "card" else f"{n} in deck" for n in names]
            whole = " and ".join([self.cond(env, 1), *guards])
            return [f"forbid {event}{pattern} when {whole}"]
        once = f" once per {self.pick(('turn', 'round', 'game'))}" if self.chance(3) else ""
        may = "may " if self.chance(3) else ""
        body = self.block(env, 1, False)
        if kind == "instead of" and self.chance(2):
            body = ["proceed", *body] if self.chance(2) else [*body, "proceed"]
        if kind == "react to" and self.chance(2):
            snails = {"snail": "self"} if things else {}
            args = [snails.get(p) or self.sure(p, env, 0) for p in params if self.can_be_sure(p, env) or p in snails]
            again = len(args) == len(params)
            call = f"redirect {event}({', '.join(args)})" if params else f"redirect {event}"
            body.append(call if again and self.chance(2) else "stop")
        may = "" if always else may
        return [f"{may}{kind} {event}{pattern}{once}{when}:", *self.indented([*uses, *body])]

    def modify(self, value: str, params: tuple[str, ...], result: str, bearer: Env, trait: str) -> Lines:
        pattern, names = self.pattern(params, bearer)
        used = all(n in pattern for n in names)
        later = self.values[[n for n, _, _ in self.values].index(value) + 1 :]
        env = Env(values=later, trait=trait if "self" in bearer.names else "").with_(**bearer.names).with_(**names)
        guard = " and ".join([self.atom(env, 1), *(f"{n} == {n}" for n in names)])
        if result == "int":
            op = self.pick(("+", "-", "*", "at least", "at most", "=", "+", "%"))
            amount = str(self.number(1, 3)) if op == "%" else self.of("int", env, 1)[0]
        elif result == "bool":
            op, amount = self.pick(("or", "and", "=")), self.cond(env, 1)
        elif result == "order":
            op, amount = "=", self.pick((self.sure("int", env, 1), self.body("order", env)))
        elif result == "mood":
            op, amount = "=", self.sure(result, env, 1)
        else:
            op, amount = "=", self.pick(("none", self.of(result.removeprefix("maybe "), env, 1)[0]))
        assert used
        return [f"modify {value}{pattern}: {op} {amount} when {guard}"]

    # ---- statements

    def block(self, env: Env, depth: int, loop: bool) -> Lines:
        lines: Lines = []
        for _ in range(self.number(1, 3)):
            lines += self.statement(env, depth)
        return lines

    def indented(self, lines: Lines, by: int = 1) -> Lines:
        return ["  " * by + line for line in lines]

    def statement(self, env: Env, depth: int) -> Lines:
        simple = [self.write, self.write, self.call, self.call, self.told, self.shift, self.deal]
        more = [
            self.branch,
            self.loop,
            self.choose,
            self.choose,
            self.made,
            self.gone,
            self.rolled,
            self.silenced,
            self.named,
        ]
        return self.pick([*simple, *(more if depth > 0 else [])])(env, depth)  # type: ignore[no-any-return]

    def write(self, env: Env, depth: int) -> Lines:
        op = self.pick(("=", "+=", "-=", "+="))
        amount = self.of("int", env, 1)[0]
        snail, player = self.of("snail", env, 1)[0], self.of("player", env, 1)[0]
        return [self.pick((
            f"pool {op} {amount}", f"{player}.points {op} {amount}", f"{snail}.size {op} {amount}",
            f"{snail}.mood = {self.of('mood', env, 1)[0]}", f"{snail}.friend = {self.of('snail', env, 1)[0]}",
            f"{snail}.luck = {amount}", f"{snail}.tired = {self.atom(env, 1)}",
            f"leader = {self.of('snail', env, 1)[0]}", f"{snail}.likes = {self.of('food', env, 1)[0]}",
            f"leaf.days += {self.number(1, 2)}",
            f"trail[{snail}, {self.sure('food', env, 1)}] += {self.number(1, 2)}",
        ))]  # fmt: skip

    def call(self, env: Env, depth: int) -> Lines:
        able = [(n, ps) for n, ps in env.routines if all(self.can_be_sure(p, env) for p in ps)]
        if not able:
            return self.told(env, depth)
        name, params = self.pick(able)
        return [f"{name}({self.args(params, env, 1)[0]})" if params else name]

    def told(self, env: Env, depth: int) -> Lines:
        kind = self.pick(("int", "snail", "player", "mood"))
        return [f'tells "so {{{self.of(kind, env, 1)[0]}}}"']

    def shift(self, env: Env, depth: int) -> Lines:
        card = self.of("card", env, 1)[0]
        snails = [n for n, (k, _) in env.names.items() if k == "snail"]
        if len(snails) > 1 and self.chance(2):
            return [f"move {card} to {snails[0]}.gear with {snails[1]}"]
        to = self.pick(("discards", "bottom of deck", "start.hand", *(f"{s}.gear" for s in snails)))
        return [f"move {card} to {to}"]

    def deal(self, env: Env, depth: int) -> Lines:
        if self.chance(4):
            return [self.pick(("shuffle deck", "move all discards to deck", "move all hand to discards",
                               "move all hand to bottom of deck", "clear trail"))]  # fmt: skip
        return [f"draw {self.number(1, 2)} from deck to {self.sure('player', env, 0)}.hand"]

    def branch(self, env: Env, depth: int) -> Lines:
        lines = [f"if {self.cond(env, 2)}:", *self.indented(self.block(env, depth - 1, False))]
        if self.chance(2):
            lines += ["else:", *self.indented(self.block(env, depth - 1, False))]
        return lines

    def loop(self, env: Env, depth: int) -> Lines:
        if self.chance(4):
            return [f"repeat {self.number(1, 2)} times:", *self.indented(self.block(env, depth - 1, True))]
        binder, inner = self.binder(env, 1)
        name = next(n for n in inner.names if n not in env.names)
        return [f"for {binder}:", f'  tells "for {{{name}}}"', *self.indented(self.block(inner, depth - 1, True))]

    def choose(self, env: Env, depth: int) -> Lines:
        binder, inner = self.binder(env, 1)
        name = next(n for n in inner.names if n not in env.names)
        who = self.pick(("", "", f" by {self.of('player', env, 1)[0]}", " at random"))
        may = "may " if self.chance(3) and who != " at random" else ""
        if who == " at random":
            return [f"choose {binder}{who}", f'tells "chosen {{{name}}}"', *self.statement(inner, 0)]
        lines = [f"{may}choose {binder}{who}:", f'  tells "chosen {{{name}}}"']
        lines += self.indented(self.block(inner, depth - 1, False))
        if self.chance(3):
            lines += ["else:", *self.indented(self.block(env, depth - 1, False))]
        return lines

    def made(self, env: Env, depth: int) -> Lines:
        name = self.fresh("new")
        inner = env.with_(**{name: ("snail", True)})
        at = self.pick(("", " at left", " at right"))
        like = f" like {self.of('snail', env, 1)[0]}" if self.chance(3) else ""
        lines = [f"create snail {name} of {self.of('player', env, 1)[0]}{at}{like}", f'tells "made {{{name}}}"']
        return [*lines, *self.statement(inner, 0)]

    def gone(self, env: Env, depth: int) -> Lines:
        return [f"remove {self.of('snail', env, 1)[0]}"]

    def rolled(self, env: Env, depth: int) -> Lines:
        if self.chance(2):
            return ["roll 1d6 as die"]
        name = self.fresh("n")
        inner = env.with_(**{name: ("int", False)})
        return [f"roll {self.number(1, 3)}d6 as {name}", f"pool += {name}", *self.statement(inner, 0)]

    def silenced(self, env: Env, depth: int) -> Lines:
        snails = [n for n, (k, _) in env.names.items() if k == "snail"]
        if not snails:
            return self.told(env, depth)
        until = self.pick(("", " until end of turn", " until end of round", " until end of phase"))
        what = self.pick((f"silence c0{until}", f"silence c0{until}", "restore c0"))
        return [f"for card c0 on {self.pick(snails)}: {what}"]

    def named(self, env: Env, depth: int) -> Lines:
        kind = self.pick(("int", "snail", "mood", "player"))
        name = self.fresh("m")
        said = self.of(kind, env, 2)[0] if kind == "snail" else self.sure(kind, env, 2)
        inner = env.with_(**{name: (kind, kind == "snail")})
        return [f"let {name} = {said}", f'tells "let {{{name}}}"', *self.statement(inner, 0)]


@st.composite
def rulesets(draw: Callable[[Any], Any]) -> Files:
    """The files of a ruleset."""
    return Maker(draw).files()


def written(files: Files, folder: Path) -> Path:
    """The files in a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
