"""What a trait can hook in a game, and short rules that do so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulelang.semantics import tree
from rulelang.semantics.types import BOOL, INT, Type, ref

#: So many values, and so many events, are named in a comment.
SHOWN = 8


@dataclass(frozen=True, slots=True)
class Hookable:
    """A value or an event of the game's own rules. `type`: of a value; None for what happens. `used`: how many hooks
    there are on it."""

    name: str
    params: tuple[tree.Local, ...]
    type: Type | None
    used: int

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
    found += [Hookable(name, routine.params, None, used[name]) for name, routine in program.routines.items()]
    for name, action in program.actions.items():
        params = tuple(binder.local for binder in action.binders)
        found.append(Hookable(name, params, None, used[name]))
    return sorted((one for one in found if "." not in one.name), key=lambda one: -one.used)


def pattern(hooked: Hookable, place: int | None) -> str:
    """`strength(self)`, `strike(any, self)`; the rest is left off."""
    if place is None:
        return hooked.name
    return f"{hooked.name}({', '.join([*['any'] * place, 'self'])})"


@dataclass(frozen=True, slots=True)
class Rule:
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
        ("Values, which `modify` changes:", [one for one in found if one.type is not None]),
        ("What happens, for `forbid`, `before`, `after`:", [one for one in found if one.type is None]),
    ):
        if some:
            lines += [f"# {head}", *(f"#   {one.signature}" for one in some[:SHOWN])]
        if len(some) > SHOWN:
            lines.append(f"#   and {len(some) - SHOWN} more: `rulelang show` with the game lists them")
    return lines


def rules_for(
    trait: str, bearer: str, found: Sequence[Hookable], wanted: str = "", texts: Iterable[str] = ()
) -> Iterator[Rule]:
    """Rules that a trait may begin with, the likeliest first. `bearer`: the kind or sort that `self` is.

    `wanted`: only those that hook this. `texts`: of the game, so that no rule is written that stands there.
    """
    lines = {line.strip() for text in texts for line in text.splitlines()}
    for hooked in found:
        place = hooked.place_of(bearer)
        if wanted and hooked.name != wanted:
            continue
        if hooked.type == INT and place is not None:
            line = f"modify {pattern(hooked, place)}: + "
            number = next(n for n in range(1, len(lines) + 2) if f"{line}{n}" not in lines)
            yield Rule(f"{line}{number}", f"Its {said(hooked.name)} counts {number} more.", hooked, place, number)
        elif hooked.type == BOOL and place is not None and wanted:
            yield Rule(f"modify {pattern(hooked, place)}: or round > 1", "", hooked, place)
    for hooked in found:
        place = hooked.place_of(bearer)
        if hooked.type is not None or (wanted and hooked.name != wanted) or (place is None and not wanted):
            continue
        line = f'after {pattern(hooked, place)}: tells "{{self}} shows its {said(trait)}"'
        yield Rule(line, f"It shows whenever {said(hooked.name)} happens to it.", hooked, place)


def said(name: str) -> str:
    return name.replace("_", " ")


def example_name(trait: str) -> str:
    """What the scenario is called that is made together with a trait: by this it is known."""
    return f"what {said(trait)} does"
