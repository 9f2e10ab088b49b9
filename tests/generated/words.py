"""Expressions of the language, directed by types: what is written has the type that is wanted, or nearly always.

An `Env` knows the variables that may be named. Each form gives a text and whether it may be missing: where that is not
allowed, `otherwise` follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

#: (text, whether it may be missing)
Said = tuple[str, bool]
KINDS = ("snail", "player", "food", "mood", "card", "int")


@dataclass(frozen=True)
class Env:
    """`names`: variable -> (kind, whether it may be missing). `trait`: the rules of one. `action`: somebody acts."""

    names: dict[str, tuple[str, bool]] = field(default_factory=dict)
    trait: str = ""
    acting: bool = False
    turn: bool = False  # the block of a turn loop
    values: tuple[Any, ...] = ()  # (name, parameter kinds, result)
    routines: tuple[Any, ...] = ()  # (name, parameter kinds): those that may be called here
    statement: bool = False  # what is missing only keeps a statement from happening

    def with_(self, /, **names: tuple[str, bool]) -> Env:
        return replace(self, names={**self.names, **names})


class Words:
    """Draws texts. `pick` chooses one of several, `number` a number between two."""

    def __init__(self, draw: Callable[[Any], Any], st: Any) -> None:
        self.draw, self.st = draw, st
        self.count = 0

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.draw(self.st.integers(0, len(options) - 1))]

    def number(self, low: int, high: int) -> int:
        return int(self.draw(self.st.integers(low, high)))

    def chance(self, of: int) -> bool:
        """Once in so many times."""
        return self.number(1, of) == of

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    # ---- what is sure

    def sure(self, kind: str, env: Env, depth: int) -> str:
        """An expression that cannot be missing."""
        text, missing = self.of(kind, env, depth)
        if not missing:
            return text
        return f"({text} otherwise {self.plain(kind, env)})"

    def plain(self, kind: str, env: Env) -> str:
        """A constant or sure variable of a kind."""
        if kind == "int":
            return str(self.number(0, 3))
        if kind == "food":
            return str(self.pick(("leaf", "mushroom", "berry")))
        if kind == "mood":
            return str(self.pick(("calm", "alert", "angry")))
        if kind == "bool":
            return str(self.pick(("true", "false")))
        named = [name for name, (k, missing) in env.names.items() if k == kind and not missing]
        return str(self.pick(named)) if named else "start"

    def can_be_sure(self, kind: str, env: Env) -> bool:
        return kind not in ("snail", "card") or any(k == kind and not m for k, m in env.names.values())

    # ---- by kind

    def of(self, kind: str, env: Env, depth: int) -> Said:
        forms: list[Callable[[], Said]] = []
        for name, (of, missing) in env.names.items():
            if of == kind:
                forms += [lambda name=name, missing=missing: (name, missing)] * 3  # type: ignore[misc]
        forms += getattr(self, f"_{kind}")(env, depth)
        if depth > 0:
            for name, params, result in env.values:
                if result.removeprefix("maybe ") == kind and all(self.can_be_sure(p, env) for p in params):
                    call = partial(self.called, name, params, env, depth, result.startswith("maybe "))
                    forms += [call] * 2
        return self.pick(forms)()  # type: ignore[no-any-return]

    def called(self, name: str, params: Sequence[str], env: Env, depth: int, maybe: bool = False) -> Said:
        args, lacks = self.args(params, env, depth - 1)
        return f"{name}({args})" if params else name, lacks or maybe

    def args(self, params: Sequence[str], env: Env, depth: int) -> Said:
        said = [self.of(p, env, depth) if self.chance(3) else (self.sure(p, env, depth), False) for p in params]
        return ", ".join(text for text, _ in said), any(missing for _, missing in said)

    def _int(self, env: Env, depth: int) -> list[Callable[[], Said]]:
        forms: list[Callable[[], Said]] = [
            lambda: (str(self.number(0, 4)), False), lambda: ("pool", False), lambda: ("limit", False),
            lambda: ("die", False), lambda: ("round", False), lambda: ("players", False),
        ]  # fmt: skip
        if depth <= 0:
            return forms

        def member(kind: str, name: str) -> Callable[[], Said]:
            def said() -> Said:
                text, missing = self.of(kind, env, depth - 1)
                return f"{self.bracketed(text)}.{name}", missing

            return said

        def pair(pattern: str) -> Callable[[], Said]:
            def said() -> Said:
                (a, m), (b, n) = self.of("int", env, depth - 1), self.of("int", env, depth - 1)
                return pattern.format(a=self.bracketed(a), b=self.bracketed(b)), m or (n and "{b}" in pattern)

            return said

        def chosen() -> Said:
            (a, m), (b, n) = self.of("int", env, depth - 1), self.of("int", env, depth - 1)
            return f"({a} if {self.cond(env, depth - 1)} else {b})", m or n

        def counted() -> Said:
            binder, _ = self.binder(env, depth - 1)
            return f"count({binder})", False

        def summed() -> Said:
            binder, inner = self.binder(env, depth - 1)
            return f"sum({binder}: {self.sure('int', inner, depth - 1)})", False

        def extreme() -> Said:
            binder, inner = self.binder(env, depth - 1)
            return f"{self.pick(('min', 'max'))}({binder}: {self.sure('int', inner, depth - 1)})", True

        def days() -> Said:
            return f"{self.sure('food', env, depth - 1)}.days", False

        def trail() -> Said:
            snail, missing = self.of("snail", env, depth - 1)
            return f"trail[{snail}, {self.sure('food', env, depth - 1)}]", missing

        def place() -> Said:
            snail, missing = self.of("snail", env, depth - 1)
            return f"position({snail})", missing

        def top() -> Said:
            return f"{self.pick(('top', 'bottom'))}({self.zone(env)[0]}).weight", True

        forms += [
            member("snail", "size"), member("snail", "size"), member("player", "points"), member("card", "weight"),
            lambda: (member("snail", "luck")()[0], True), pair("{a} + {b}"), pair("{a} - {b}"), pair("{a} * {b}"),
            pair("min({a}, {b})"), pair("max({a}, {b})"), chosen, counted, summed, extreme, days, trail, place, top,
            pair("{a} / 2"), pair("{a} % 3"), pair("{a} / {b}") if self.chance(4) else pair("{a} + {b}"),
        ]  # fmt: skip
        return forms

    @staticmethod
    def bracketed(text: str) -> str:
        return f"({text})" if " " in text and not (text.startswith("(") and text.endswith(")")) else text

    def _food(self, env: Env, depth: int) -> list[Callable[[], Said]]:
        forms: list[Callable[[], Said]] = [lambda: (self.plain("food", env), False)] * 2
        if depth > 0:
            forms += [
                lambda: self.member("card", "kind", env, depth),
                lambda: (self.member("snail", "likes", env, depth)[0], True),
            ]
        return forms

    def _mood(self, env: Env, depth: int) -> list[Callable[[], Said]]:
        forms: list[Callable[[], Said]] = [lambda: (self.plain("mood", env), False)]
        if depth > 0:
            forms += [lambda: self.member("snail", "mood", env, depth)] * 2
            forms += [lambda: (f"step({self.sure('mood', env, depth - 1)}, {self.pick((1, -1))})", True)]
        return forms

    def member(self, kind: str, name: str, env: Env, depth: int) -> Said:
        text, missing = self.of(kind, env, depth - 1)
        return f"{self.bracketed(text)}.{name}", missing

    def _snail(self, env: Env, depth: int) -> list[Callable[[], Said]]:
        forms: list[Callable[[], Said]] = [lambda: ("first(snail x)", True)]
        if depth > 0:

            def beside() -> Said:
                return f"{self.pick(('left_of', 'right_of'))}({self.of('snail', env, depth - 1)[0]})", True

            def first() -> Said:
                binder, _ = self.binder(env, depth - 1, "snail")
                return f"first({binder})", True

            forms += [
                beside,
                first,
                lambda: (self.member("snail", "friend", env, depth)[0], True),
                lambda: ("leader", True),
            ]
        return forms

    def _player(self, env: Env, depth: int) -> list[Callable[[], Said]]:
        forms: list[Callable[[], Said]] = [lambda: ("start", False)]
        forms += [lambda: ("actor", not env.acting), lambda: ("active", not env.turn)]
        if depth > 0:
            forms += [
                lambda: self.member("snail", "owner", env, depth),
                lambda: (f"next({self.sure('player', env, depth - 1)})", False),
                lambda: (self.member("card", "owner", env, depth)[0], True),
            ]
        return forms

    def _card(self, env: Env, depth: int) -> list[Callable[[], Said]]:
        return [
            lambda: (f"top({self.zone(env)[0]})", True),
            lambda: (f"first(card x in {self.zone(env)[0]})", True),
        ]

    def zone(self, env: Env) -> Said:
        """A zone of cards."""
        zones: list[Said] = [("deck", False), ("discards", False)]
        zones += [(f"{n}.hand", m) for n, (k, m) in env.names.items() if k == "player"]
        zones += [(f"{n}.gear", m) for n, (k, m) in env.names.items() if k == "snail"]
        return self.pick(zones)  # type: ignore[no-any-return]

    # ---- binders

    def binder(self, env: Env, depth: int, kind: str = "") -> tuple[str, Env]:
        """A binder, and what may be named behind it."""
        kind = kind or self.pick(("snail", "snail", "card", "player", "food", "int"))
        name = self.fresh({"snail": "s", "card": "c", "player": "p", "food": "f", "int": "n"}[kind])
        text = f"{kind} {name}"
        if kind == "snail":
            way = self.number(0, 3)
            snails = [n for n, (k, _) in env.names.items() if k == "snail"]
            if way == 1:
                text += f" of {self.bracketed(self.sure('player', env, 0))}"
            elif way == 2 and snails:
                text += f" in neighbours({self.pick(snails)})"
        elif kind == "card":
            snails = [n for n, (k, _) in env.names.items() if k == "snail"]
            text += f" on {self.pick(snails)}" if snails and self.chance(2) else f" in {self.bare_zone(env)}"
        elif kind == "int":
            text += f" from {self.number(0, 2)} to {self.sure('int', env, 0)}"
        elif kind == "player" and self.chance(3):
            text += f" from {self.sure('player', env, 0)}"
        inner = env.with_(**{name: (kind, False)})
        if self.chance(2):
            text += f" where {self.atom(inner, depth - 1)}"
        if kind in ("snail", "card", "player") and self.chance(4):
            text += f" with {self.pick(('most', 'least'))} {self.key(inner, name, kind)}"
        if kind in ("snail", "card", "player") and self.chance(4):
            text += f" sorted by {self.pick(('most', 'least'))} {self.key(inner, name, kind)}"
        return text, inner

    def bare_zone(self, env: Env) -> str:
        return str(self.pick((self.zone(env)[0], "hand", "gear"))) if self.chance(3) else str(self.zone(env)[0])

    def key(self, env: Env, name: str, kind: str) -> str:
        return name + {"snail": ".size", "card": ".weight", "player": ".points"}[kind]

    # ---- conditions

    def cond(self, env: Env, depth: int) -> str:
        if depth > 0 and self.chance(3):
            a, b = self.cond(env, depth - 1), self.cond(env, depth - 1)
            return str(self.pick((f"({a} and {b})", f"({a} or {b})", f"not ({a})")))
        return self.atom(env, depth)

    def atom(self, env: Env, depth: int) -> str:
        def compared() -> str:
            a, b = self.of("int", env, depth - 1)[0], self.of("int", env, depth - 1)[0]
            return f"{a} {self.pick(('==', '!=', '<', '<=', '>', '>='))} {b}"

        def moods() -> str:
            return (
                f"{self.of('mood', env, depth - 1)[0]} {self.pick(('==', '!=', '<', '>='))} {self.plain('mood', env)}"
            )

        def same() -> str:
            kind = self.pick(("snail", "player", "food"))
            return f"{self.of(kind, env, depth - 1)[0]} {self.pick(('==', '!='))} {self.of(kind, env, depth - 1)[0]}"

        def some() -> str:
            binder, inner = self.binder(env, depth - 1)
            if self.chance(3):
                return f"all({binder}: {self.cond(inner, depth - 1)})"
            return f"{self.pick(('any', 'no'))}({binder})"

        def missing() -> str:
            return f"{self.pick(('leader', 'leader' if env.turn else 'active'))} is {self.pick(('missing', 'present'))}"

        def near() -> str:
            return f"{self.of('snail', env, depth - 1)[0]} in neighbours({self.of('snail', env, depth - 1)[0]})"

        def empty() -> str:
            return f"{self.zone(env)[0]} is empty"

        def tired() -> str:
            return f"{self.bracketed(self.of('snail', env, depth - 1)[0])}.tired"

        def can() -> str:
            name, params = self.pick(env.routines)
            args = self.args(params, env, depth - 1)[0]
            return f"can {name}({args})" if params else f"can {name}"

        def has() -> str:
            return f"{self.of('snail', env, depth - 1)[0]} has {env.trait}"

        if depth <= 0:
            return str(self.pick(("option.dew", "pool > 2", "true", "round == 1", "die < 3")))
        forms = [compared, compared, compared, moods, same, some, missing, near, empty, tired]
        if any(all(self.can_be_sure(p, env) for p in params) for _, params in env.routines):
            env = replace(env, routines=tuple(r for r in env.routines if all(self.can_be_sure(p, env) for p in r[1])))
            forms += [can] * 2
        if env.trait:
            forms.append(has)
        asked = [(n, ps) for n, ps, r in env.values if r == "bool" and all(self.can_be_sure(p, env) for p in ps)]
        forms += [lambda n=n, ps=ps: self.called(n, ps, env, depth)[0] for n, ps in asked]  # type: ignore[misc]
        return self.pick(forms)()  # type: ignore[no-any-return]
