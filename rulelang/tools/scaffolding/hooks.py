"""What a trait can hook in a game, and short rules that do so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from rulelang.base.labels import name_in_words
from rulelang.language.semantics import tree
from rulelang.language.semantics.dataflow import Fates
from rulelang.language.semantics.model import BOOL, INT, PLAYER, Model, Type, ref

#: So many values, and so many events, are named in a comment.
MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Hookable:
    """A value or an event of the game's own rules.

    `type`: of a value; None for what happens. `used`: how many hooks there are on it. `gone`: which of its parts have
    left play when it has happened.
    """

    name: str
    params: tuple[tree.Local, ...]
    type: Type | None
    used: int
    gone: frozenset[int] = frozenset()

    @property
    def signature(self) -> str:
        """`strength(species s) -> int`."""
        params = ", ".join(f"{param.type} {param.text}" for param in self.params)
        return f"{self.name}{f'({params})' if params else ''}{f' -> {self.type}' if self.type else ''}"

    def place_of(self, kind: str) -> int | None:
        """Which of its parts may be a thing of this kind: the first; None if none is."""
        return next((n for n, param in enumerate(self.params) if param.type.sure() == ref(kind)), None)


def hookables(program: tree.Program) -> list[Hookable]:
    """Values and events of the game's own rules, those with most hooks first, else as declared."""
    used = Counter(hook.pattern.event for hook in program.hooks)
    found = [Hookable(name, value.params, value.type, used[name]) for name, value in program.values.items()]
    fates = Fates(program)
    events: dict[str, tree.Routine | tree.Action] = {**program.routines, **program.actions}
    for name, event in events.items():
        params = event.params if isinstance(event, tree.Routine) else tuple(binder.local for binder in event.binders)
        lost = fates.of(name)
        gone = frozenset(at for at, one in enumerate(params) if one.name in lost and lost[one.name].always)
        found.append(Hookable(name, params, None, used[name], gone))
    return sorted((one for one in found if "." not in one.name), key=lambda one: -one.used)


def hook_pattern(hooked: Hookable, place: int | None) -> str:
    """`strength(self)`, `strike(any, self)`; the rest is left off."""
    if place is None:
        return hooked.name
    return f"{hooked.name}({', '.join([*['any'] * place, 'self'])})"


@dataclass(frozen=True, slots=True)
class TraitRule:
    """A rule for a trait: its line, what it does in words, what it hooks, and at which place with `self`.

    `number`: what it adds to a value.
    """

    line: str
    text: str
    hooked: Hookable
    place: int | None
    number: int = 0


def hooked_comment(found: Sequence[Hookable]) -> list[str]:
    """Comments that name what can be hooked, the most used first, a line each."""
    lines = []
    for head, some in (
        ("Values (change them with `modify`):", [one for one in found if one.type is not None]),
        ("Events (use `forbid`, `before` or `after`):", [one for one in found if one.type is None]),
    ):
        if some:
            lines += [f"# {head}", *(f"#   {one.signature}" for one in some[:MOST_SHOWN])]
        if len(some) > MOST_SHOWN:
            lines.append(f"#   and {len(some) - MOST_SHOWN} more: list them with `rulelang show GAME`")
    return lines


def rules_for(
    trait: str,
    bearer: str,
    model: Model,
    found: Sequence[Hookable],
    wanted: str = "",
    texts: Iterable[str] = (),
) -> Iterator[TraitRule]:
    """Yield rules that a trait may begin with, the likeliest first. `bearer`: the kind or sort that `self` is.

    `wanted`: only those that hook this. `texts`: of the game, so that no rule repeats one of them.
    """
    lines = {line.strip() for text in texts for line in text.splitlines()}
    some = [one for one in found if not wanted or one.name == wanted]
    for hooked in some:
        if hooked.type is not None and (wanted or (hooked.type == INT and hooked.place_of(bearer) is not None)):
            yield from _value_rules(hooked, bearer, model, lines)
    for hooked in some:
        place = hooked.place_of(bearer)
        if hooked.type is not None or (place is None and not wanted):
            continue
        text = f"The log shows when {name_in_words(hooked.name)} happens{' to it' if place is not None else ''}."
        body = f'{hook_pattern(hooked, place)}: tells "{{self}} shows its {name_in_words(trait)}"'
        for when in ("before",) if place in hooked.gone else ("after", "before"):
            yield TraitRule(f"{when} {body}", text, hooked, place)


def _value_rules(hooked: Hookable, bearer: str, model: Model, lines: Container[str]) -> Iterator[TraitRule]:
    """Rules that modify a value, that of the bearer or its owner if a value has one."""
    place, called = hooked.place_of(bearer), name_in_words(hooked.name)
    hook = hook_pattern(hooked, place)
    owner = next((at for at, param in enumerate(hooked.params) if param.type.sure() == PLAYER), None)
    if place is None and owner is not None:
        hook = f"{hooked.name}({', '.join([*['any'] * owner, 'owner'])})"
    whose = "Its" if place is not None else "Its owner's" if owner is not None else "The"
    if hooked.type == INT:
        line = f"modify {hook}: + "
        number = next(n for n in count(1) if f"{line}{n}" not in lines)
        yield TraitRule(f"{line}{number}", f"{whose} {called} counts {number} more.", hooked, place, number)
    elif hooked.type == BOOL:
        yield TraitRule(
            f"modify {hook}: and round > 1", f"In the first round it does not count as {called}.", hooked, place
        )
        yield TraitRule(f"modify {hook}: or round == 1", f"In the first round it counts as {called}.", hooked, place)
    elif hooked.type is not None and hooked.type.tag == "ref" and hooked.type.name in model.lists:
        for row in model.lists[hooked.type.name].rows[:MOST_SHOWN]:
            yield TraitRule(
                f"modify {hook}: = {row.name}", f"{whose} {called} is {name_in_words(row.name)}.", hooked, place
            )


def example_name(trait: str) -> str:
    """What the scenario is called that is made together with a trait: by this it is known."""
    return f"what {name_in_words(trait)} does"
