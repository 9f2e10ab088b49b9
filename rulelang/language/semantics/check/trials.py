"""Trials: an action that comes to an `ensure` is tried on a copy first, so nothing before that may ask or draw lots.

What happens in an event is boiled down to steps; then, from the end of each action backwards, it is worked out which
`ensure` can still be reached. `rulelang.compiler.lower.routines.performing` ends trials by the same rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.node import node
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.symbol_table import Symbols
from rulelang.language.semantics.tree import Program, walk

#: An event with its `instead of` hooks from the given one on; "" is the pool of what comes in owner's order.
Key = tuple[str, int]
_POOL: Key = ("", 0)


@node
class Noise:
    """Something that no trial can do."""

    span: Span
    what: str


@node
class Ensured:
    span: Span


@node
class Call:
    key: Key


@node
class Either:
    """One of these goes on."""

    ways: tuple[Steps, ...]


@node
class Again:
    """These may happen over and over, or not at all. `why` one of them may come after each, in words."""

    steps: Steps
    why: str


Step = Noise | Ensured | Call | Either | Again
Steps = tuple[Step, ...]

_LOOP = "in a loop, the first statement can run again"
_HOOKS = "several hooks of one kind on one event can run in any order"
_AGAIN = "a `redirect` to the same event begins it again"

_T = TypeVar("_T", "Noise", "Ensured")

_NOISE = {
    tree.Choose: "a choice",
    tree.Offer: "an offer",
    tree.Roll: "a roll of dice",
    tree.Draw: "a draw",
    tree.Shuffle: "a shuffle",
    tree.Turns: "turns of players",
}


def report_noisy_trials(program: Program, symbols: Symbols, out: Diagnostics) -> None:
    """W506 for each action that may choose or leave something to chance while an `ensure` can still be reached."""
    events = _Events(program)
    for action in program.actions.values():
        found = events.unquiet(action.id)
        if found is None:
            continue
        noise, ensure, why = found
        if ensure.path == noise.span.path and ensure.line > noise.span.line:
            why = ""  # that is how one would read it
        because = (
            "rulelang tries the action on a copy of the game up to its last `ensure`, and a "
            "trial cannot ask players or "
            f"use chance{f'; {why}' if why else ''}"
        )
        related = (
            Related(noise.span, f"{noise.what} is here"),
            Related(ensure, "this `ensure` can come after it"),
        )
        message = f"the action `{action.name}` has a choice or chance before an `ensure`"
        hint = "put the `ensure` first, or test the condition with a `require` at the top of the action"
        out.error("W506", symbols.signatures[action.id].span, message, because=because, hint=hint, related=related)


def report_untried_ensures(program: Program, out: Diagnostics) -> None:
    """W520 for each `ensure` that may be reached outside of actions, where nothing is tried before it happens."""
    if program.game is None:
        return
    events = _Events(program)
    for ensure in events.by_itself(program.game):
        because = "only an action can be refused, but this statement can run without an action"
        hint = "use an `if`, or a `require` at the top of the routine"
        out.error("W520", ensure, "this `ensure` can run outside an action", because=because, hint=hint)


class _Events:
    """The steps of all events, and what they come to."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.hooks: dict[str, list[tree.Trigger]] = {}
        for trigger in program.triggers:
            self.hooks.setdefault(trigger.pattern.event, []).append(trigger)
        self.instead = {event: tree.outermost_first(hooks) for event, hooks in self.hooks.items()}
        owners = [event for event, routine in program.routines.items() if routine.owners_order]
        self.pool = [h for event in owners for h in self.hooks.get(event, ()) if h.kind == "after"]
        self.known: dict[Key, Steps] = {}
        self.nearest: dict[type, dict[Key, Any]] = {}

    # ---- what an event comes to

    def unquiet(self, action: str) -> tuple[Noise, Span, str] | None:
        """The first noise found from which an `ensure` can be reached, that `ensure`, and why where that may look as
        if it came before."""
        if self.first((action, 0), Ensured) is None:
            return None
        waiting, seen = [(action, 0)], {(action, 0)}
        while waiting:
            found = _Backwards(self)
            found.start(self.steps(waiting.pop(0)), None)
            if found.unquiet is not None:
                return found.unquiet
            more = [key for key in found.ends if key not in seen]
            seen.update(more)
            waiting += more
        return None

    def by_itself(self, game: tree.Game) -> list[Span]:
        """Each `ensure` that the flow of the game may come to without an action."""
        found: dict[Span, None] = {}
        seen: set[Key] = set()
        waiting = [self._block(game.body)]
        for steps in waiting:
            for step in _inside(steps):
                if isinstance(step, Ensured):
                    found[step.span] = None
                elif isinstance(step, Call) and step.key not in seen:
                    seen.add(step.key)
                    waiting.append(self.steps(step.key))
        return list(found)

    def first(self, key: Key, kind: type[_T]) -> _T | None:
        """A step of a kind that an event may come to, the nearest."""
        return self._nearest(kind).get(key)

    def _nearest(self, kind: type[_T]) -> dict[Key, _T]:
        known = self.nearest.get(kind)
        if known is None:
            known = self.nearest[kind] = {}
            callers: dict[Key, list[Key]] = {}
            for key in self._keys():
                for step in _inside(self.steps(key)):
                    if isinstance(step, kind):
                        known.setdefault(key, step)
                    elif isinstance(step, Call):
                        callers.setdefault(step.key, []).append(key)
            waiting = list(known)
            for key in waiting:
                for caller in callers.get(key, ()):
                    if caller not in known:
                        known[caller] = known[key]
                        waiting.append(caller)
        return known

    def _keys(self) -> Iterator[Key]:
        yield _POOL
        for event in (*self.program.routines, *self.program.actions):
            for k in range(len(self.instead.get(event, ())) + 1):
                yield event, k

    # ---- the steps of an event

    def steps(self, key: Key) -> Steps:
        if key not in self.known:
            self.known[key] = self._pool() if key == _POOL else self._event(*key)
        return self.known[key]

    def _event(self, event: str, k: int) -> Steps:
        instead = self.instead.get(event, [])
        if k == len(instead):
            return self._core(event)
        hook, following = instead[k], (event, k + 1)
        return (*_asked(hook), Either((self._block(hook.body, following), (Call(following),))))

    def _core(self, event: str) -> Steps:
        declared: tree.Routine | tree.Action | None = self.program.routines.get(event)
        declared = declared if declared is not None else self.program.actions[event]
        hooks = self.hooks.get(event, ())
        before, react, after = ([h for h in hooks if h.kind == kind] for kind in ("before", "react to", "after"))
        pooled = isinstance(declared, tree.Routine) and declared.owners_order
        opening = self._group(before, picked="a choice of order (`in owner's order`)" if pooled else "")
        reactions = self._group(react, picked="a choice")
        again = any(isinstance(n, tree.Redirect) and n.routine == event for n in walk(tuple(h.body for h in react)))
        head: Steps = (Again((*opening, *reactions), _AGAIN),) if again else (*opening, *reactions)
        tail: Steps = ((Call(_POOL),) if self.pool else ()) if pooled else self._group(after)
        return (*head, *self._block(declared.body), *tail)

    def _pool(self) -> Steps:
        return self._group(self.pool, picked="a choice of order (`in owner's order`)", joining=True)

    def _group(self, hooks: Sequence[tree.Trigger], picked: str = "", joining: bool = False) -> Steps:
        """Hooks that come one after the other, in an order of their own; `picked`: what it is if their owners pick."""
        if not hooks:
            return ()
        ways: list[Steps] = []
        for hook in hooks:
            noise = (Noise(hook.span, picked),) if picked and tree.is_borne(hook) else _asked(hook)
            ways.append((*noise, *self._block(hook.body)))
        one = Either((*ways, ()))
        return (one,) if tree.happens_at_most_once(hooks) and not joining else (Again((one,), _HOOKS),)

    def _block(self, block: Iterable[tree.Stmt], proceed: Key | None = None) -> Steps:
        return tuple(step for stmt in block for step in self._statement(stmt, proceed))

    def _statement(self, s: tree.Stmt, proceed: Key | None) -> Iterator[Step]:
        if type(s) in _NOISE:
            yield Noise(s.span, _NOISE[type(s)])
        match s:
            case tree.Ensure():
                yield Ensured(s.span)
            case tree.CallRoutine() | tree.Redirect():
                yield Call((s.routine, 0))
            case tree.Proceed() if proceed is not None:
                yield Call(proceed)
            case tree.If():
                yield Either((self._block(s.then, proceed), self._block(s.otherwise, proceed)))
            case tree.Choose():
                yield Either((self._block(s.body, proceed), self._block(s.otherwise, proceed)))
            case tree.For() | tree.RepeatTimes() | tree.RepeatUntil() | tree.Turns() | tree.Rounds():
                yield Again(self._block(s.body, proceed), _LOOP)


def _asked(hook: tree.Trigger) -> Steps:
    return (Noise(hook.span, "a choice"),) if hook.may else ()


def _inside(steps: Steps) -> Iterator[Step]:
    for step in steps:
        yield step
        if isinstance(step, Either):
            for way in step.ways:
                yield from _inside(way)
        elif isinstance(step, Again):
            yield from _inside(step.steps)


class _Backwards:
    """Goes through the steps of an event upon which no `ensure` follows, from their end."""

    def __init__(self, events: _Events) -> None:
        self.events = events
        self.unquiet: tuple[Noise, Span, str] | None = None
        self.why = ""  # one may be reached from where we stand although it stands before
        self.ends: list[Key] = []  # called where no `ensure` follows any more

    def start(self, steps: Steps, ahead: Span | None) -> Span | None:
        """The `ensure` that can be reached from the start of steps; `ahead`: the one that can be from their end."""
        for step in reversed(steps):
            match step:
                case Ensured(span):
                    ahead = span
                case Noise():
                    self._noise(step, ahead)
                case Either(ways):
                    found = [self.start(way, ahead) for way in ways]
                    ahead = next((span for span in found if span is not None), None)
                case Again(again, why):
                    outer = self.why
                    within = self._ensured(again)
                    self.why = why if within is not None and ahead is None else outer
                    ahead = within or ahead
                    self.start(again, ahead)
                    self.why = outer
                case Call(key):
                    ensured = self._ensured((step,))
                    if ahead is not None:
                        self._noise(self.events.first(key, Noise), ahead)
                    elif ensured is not None:
                        self.ends.append(key)
                    ahead = ensured or ahead
        return ahead

    def _noise(self, noise: Noise | None, ahead: Span | None) -> None:
        if noise is not None and ahead is not None:
            self.unquiet = (noise, ahead, self.why)  # going backwards, the last one found comes first

    def _ensured(self, steps: Steps) -> Span | None:
        """The first `ensure` that may come in the steps."""
        for step in _inside(steps):
            found = self.events.first(step.key, Ensured) if isinstance(step, Call) else step
            if isinstance(found, Ensured):
                return found.span
        return None
