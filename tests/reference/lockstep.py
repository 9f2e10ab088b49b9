"""A linked program that is followed by the reference: after each step both have to say the same.

It stands in the place of the program of a table, so whatever plays games or runs scenarios compares them, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulelang.base.errors import RuleError
from rulelang.base.layout import DecisionPoint, Layout
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.game import Game
from tests.reference.laying import lay
from tests.reference.options import Option, Question
from tests.reference.position import Objects, differences, handle, of_reference, of_words, slot_of
from tests.reference.seeking import Seeking
from tests.reference.world import Pile, RuleFailure, Thing

#: What of the bearer of an action is compared: the rest follows from it.
SHOWN = ("this", "self")


#: Beside the end of a game, one position in so many is asked what it comes to.
JUDGED = 8


class Differs(AssertionError):
    pass


class Line:
    """How a position came about: the words a game began with, what was chosen and called since; and the reference
    there, if it has not gone on meanwhile."""

    def __init__(self, origin: Any, steps: tuple[Any, ...], live: Seeking | None) -> None:
        self.origin, self.steps, self.live = origin, steps, live


class Lockstep:
    """Stands for `program`. `compared`: how many positions agreed; `lost`: how many came from elsewhere."""

    def __init__(self, program: Any, compilation: Compilation, players: int, options: Mapping[str, int]) -> None:
        self.program, self.compilation = program, compilation
        self.players, self.options_of = players, options
        self.known: dict[tuple[int, ...], Line] = {}
        self.compared = self.lost = 0
        self.laid: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.program, name)

    @property
    def layout(self) -> Layout:
        return self.program.layout  # type: ignore[no-any-return]

    # ---- steps of both

    def begin(self, S: list[int], host: Any) -> Any:
        origin = list(S), tuple(self.laid)
        self.laid.clear()
        return self.step(Line(origin, (), None), S, host, ("begin",), lambda h: self.program.begin(S, h))

    def call_plain(self, S: list[int], function: str, args: tuple[int, ...]) -> int:
        """Lays a position: which card was laid when is not told by what the layout knows."""
        if function == "h_lay":
            self.laid.append(args[0])
        return self.program.call_plain(S, function, args)  # type: ignore[no-any-return]

    def resume(self, S: list[int], host: Any, option: Sequence[int]) -> Any:
        line = self.known.get(tuple(S))
        keys = self.program.options(S)
        number = [tuple(key) for key in keys].index(tuple(option))
        return self.step(line, S, host, ("take", number), lambda h: self.program.resume(S, h, option))

    def call(self, S: list[int], host: Any, routine: str, args: Sequence[int]) -> Any:
        line = self.known.get(tuple(S))
        step = ("call", routine, tuple(args))
        return self.step(line, S, host, step, lambda h: self.program.call(S, h, routine, args))

    def step(self, line: Line | None, S: list[int], host: Any, step: Any, run: Any) -> Any:
        if line is None:
            self.lost += 1
            return run(host)
        ears = Ears(host, self.program)
        failed = ""
        keys = None
        try:
            keys = run(ears)
        except RuleError as error:
            failed, problem = error.diagnostic.code, error
        game = self.followed(line)
        game.log.clear()
        question, ours = None, ""
        try:
            question = self.go(game, step, ears.dice)
        except RuleFailure as error:
            ours = error.code
        where = f"at decision {game.decisions}, {step}"
        if failed or ours:
            if failed != ours:
                raise Differs(f"{where}: reference {ours or 'goes on'} | compiled {failed or 'goes on'}") from (
                    problem if failed else None
                )
            raise problem
        self.compare(game, question, S, keys, ears, where)
        self.known[tuple(S)] = Line(line.origin, (*line.steps, (step, ears.dice)), game)
        return keys

    def followed(self, line: Line) -> Seeking:
        """The reference at the end of a line."""
        if line.live is not None:
            game, line.live = line.live, None
            return game
        game = self.fresh(line.origin)
        for step, dice in line.steps:
            self.go(game, step, dice)
        return game

    def fresh(self, origin: Any) -> Seeking:
        words, laid = origin
        cells, c = self.layout.cells, self.compilation
        slots = {kind: laid.per_owner for kind, laid in self.layout.kinds.items()}
        seed = words[cells.rng_x], words[cells.rng_c]
        game = Seeking(c.model, c.program, self.players, self.options_of, slots, seed)
        if laid or words[cells.round] or words[cells.seek] or words[cells.stepping]:
            lay(game, words, self.layout, laid)
        game.stepping = words[cells.stepping]
        return game

    def go(self, game: Seeking, step: Any, dice: Sequence[int]) -> Question | None:
        """`dice`: what those show that a scenario has fixed."""
        game.dice = list(dice)
        if step[0] == "begin":
            return game.begin()
        if step[0] == "take":
            return game.answer(step[1])
        objects = Objects(game, self.layout)
        routine = self.compilation.program.routines[step[1]]
        args = [objects.of(p.type.name, a) for p, a in zip(routine.params, step[2], strict=True)]
        return game.enter(game.happen(step[1], args, {}))

    # ---- comparing

    def compare(self, game: Seeking, question: Question | None, S: Any, keys: Any, ears: Ears, where: str) -> None:
        layout = self.layout
        ours, theirs = self.ours(question), self.theirs(S, keys)
        if ours != theirs:
            raise Differs(f"{where}: options\n  reference {ours}\n  compiled  {theirs}")
        found = differences(of_reference(game, layout), of_words(S, layout))
        if found:
            raise Differs("\n  ".join((f"{where}: positions", *found[:20])))
        log = [self.entry(*entry) for entry in game.log]
        if log != ears.told:
            k = next((k for k, (a, b) in enumerate(zip(log, ears.told, strict=False)) if a != b),
                     min(len(log), len(ears.told)))  # fmt: skip
            raise Differs(f"{where}: log entry {k}\n  reference {log[k : k + 3]}\n  compiled  {ears.told[k : k + 3]}")
        if question is None or game.decisions % JUDGED == 0:
            found = differences(self.judged(game), self.judgement(list(S)))
            if found:
                raise Differs("\n  ".join((f"{where}: what it comes to", *found)))
        self.compared += 1

    def judged(self, game: Seeking) -> dict[Any, Any]:
        """Scores, tiebreaks and broken invariants of the reference."""
        found: dict[Any, Any] = {("score", seat): game.score(seat) for seat in range(1, self.players + 1)}
        found |= {("tiebreak", seat): _order(game.tiebreak(seat)) for seat in range(1, self.players + 1)}
        return found | {"broken": {one.span for one in game.broken()}}

    def judgement(self, S: list[int]) -> dict[Any, Any]:
        """The same of what is compiled."""
        program = self.program
        found: dict[Any, Any] = {("score", seat): program.score(S, seat) for seat in range(1, self.players + 1)}
        found |= {("tiebreak", seat): _order(program.tiebreak(S, seat)) for seat in range(1, self.players + 1)}
        return found | {"broken": {span for _, span in program.invariants(S)}}

    def entry(self, what: str, name: str, parts: Sequence[Any]) -> Any:
        """An entry of the reference's log as the words of a template say it."""
        plain = []
        for part in parts:
            if isinstance(part, Pile):
                laid = self.layout.zones[part.zone.name]
                part = laid.first_id + (handle(part.owner, self.layout) if part.owner is not None else 0)
            if isinstance(part, tuple):
                type_, value = part
                # What has gone is still named.
                gone = isinstance(value, Thing) and not value.alive
                part = slot_of(value, self.layout) if gone else handle(value, self.layout)
                part = -(2**31) if type_.tag == "int" and value is None else part
            plain.append(part)
        return what, name, tuple(plain)

    def ours(self, question: Question | None) -> Any:
        if question is None:
            return None
        return question.kind, question.player, [self.plain(option) for option in question.options]

    def plain(self, option: Option) -> Any:
        h = self.layout
        match option.what:
            case "pass":
                return ("pass",)
            case "take":
                borne = [(role, handle(option.bearer.get(role), h)) for role in SHOWN if option.bearer.get(role)]
                return option.of.id, tuple(borne), tuple(handle(arg, h) for arg in option.args)
            case "choose":
                return tuple(handle(arg, h) for arg in option.args)
            case "do":
                card = () if option.entry is None else (handle(option.bearer["this"], h),)
                return option.of.span, option.of.pattern.event, *card
        return (option.what,)

    def theirs(self, S: Sequence[int], keys: Any) -> Any:
        if keys is None:
            return None
        site: DecisionPoint = self.program.sites[S[self.layout.cells.site] - 1]
        player = S[self.layout.cells.decider] if site.kind != "stop" else 0
        asks_one = site.kind in ("order", "react") and len(site.actions[0].types) == 1  # whether a hook happens
        return "consent" if asks_one else site.kind, player, [self.of_key(site, tuple(key)) for key in keys]

    def of_key(self, site: DecisionPoint, key: tuple[int, ...]) -> Any:
        if site.kind == "stop":
            return (site.prompt,)
        if key[0] < 0:
            return ("pass",)
        info = site.actions[key[0]]
        values = key[1 : 1 + len(info.types)]
        if site.kind == "offer":
            borne = [(p, v) for p, v in zip(info.params, values, strict=True) if p in SHOWN and v]
            roles = self.roles(info.id)
            return info.id, tuple(borne), tuple(v for p, v in list(zip(info.params, values, strict=True))[roles:])
        if site.kind == "choose":
            return tuple(values)
        return info.span, info.id.rpartition(".")[2], *values[1:2]

    def roles(self, action: str) -> int:
        declared = self.compilation.program.actions[action]
        info = next(i for s in self.program.sites if s.kind == "offer" for i in s.actions if i.id == action)
        return len(info.types) - (0 if declared.in_steps else len(declared.binders))


def _order(parts: Sequence[int]) -> tuple[int, ...]:
    """An order without the noughts that it lacks behind."""
    return _order(parts[:-1]) if parts and not parts[-1] else tuple(parts)


class Ears:
    """Hears what a program tells, and hands it on."""

    def __init__(self, host: Any, program: Any) -> None:
        self.host, self.program = host, program
        self.told: list[Any] = []
        self.dice: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.host, name)

    def note(self, template: int, args: tuple[int, ...]) -> None:
        t = self.program.templates[template]
        parts: list[Any] = [part if isinstance(part, str) else args[part[0]] for part in t.parts]
        name = "" if t.what == "tells" else t.name
        if t.what == "hook":
            name = name.partition(": ")[2]
        elif t.what != "tells" and not t.parts:
            parts = list(args)
        self.told.append((t.what, name, tuple(parts)))

    def open(self, template: int, args: tuple[int, ...]) -> None:
        self.note(template, args)
        self.host.open(template, args)

    def line(self, template: int, args: tuple[int, ...]) -> None:
        self.note(template, args)
        self.host.line(template, args)

    def die(self, bound: int) -> int:
        found: int = self.host.die(bound)
        if found >= 0:
            self.dice.append(found)
        return found


def followed(game: Game, compilation: Compilation) -> Game:
    """A game whose tables are followed by the reference."""
    link = game._link

    def linked(players: int, options: Mapping[str, int], backend: str) -> Any:
        return Lockstep(link(players, options, backend), compilation, players, options)

    game._link = linked  # type: ignore[assignment]
    return game
