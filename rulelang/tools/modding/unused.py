"""`unused`: which patches and hooks of mods made no difference in a series of games: each is left out, and it is seen
whether any game goes another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.errors import RuleError
from rulelang.base.source import Span
from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import compile_source, link
from rulelang.compiler.compilation import Checked, Compilation, LoadError
from rulelang.data.ruleset import load_ruleset
from rulelang.data.ruleset_source import RulesetSource, RulesText
from rulelang.language.syntax import nodes
from rulelang.runtime.game import Game
from rulelang.runtime.program import Backend, LinkedProgram
from rulelang.runtime.simulate import Result
from rulelang.tools.modding.facts import declaration_text, section_of

_PART_NODES = (
    nodes.Replace, nodes.Modify, nodes.Forbid, nodes.Ignore, nodes.Trigger, nodes.CopyCards, nodes.Patched,
)  # fmt: skip
#: Parts of paths under which only what is read by people stands.
_TEXT_KEYS = ("text", "name", "title")
#: Games after which it is seen whether anything has changed already.
_FIRST_GAMES = 8


@dataclass(frozen=True, slots=True)
class Part:
    """A patch or hook of a mod: `kind` ("set", "remove", "modify", "hook", "replace", ...), its path or text, and its
    place in the file; `place`: of a patch, where it leads.
    """

    mod: str
    kind: str
    text: str
    span: Span
    place: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartUse:
    """What became of a part: "used" (a game went another way without it), "needed" (without it the game is no longer
    sound), "unused" (all games went the same way), or "text" (only for people, so no game can tell)."""

    part: Part
    state: Literal["used", "needed", "unused", "text"]

    def as_json(self) -> dict[str, Any]:
        part = self.part
        return {
            "mod": part.mod,
            "kind": part.kind,
            "text": part.text,
            "span": part.span._asdict(),
            "state": self.state,
        }


class _GameWithout(Compilation):
    """The game without what stands at one place. Nothing of it is kept on the disk."""

    def __init__(self, whole: Compilation, part: Span) -> None:
        super().__init__(whole.where, whole.mods, whole.mode)
        self.part = part

    @cached_property
    def read(self) -> tuple[RulesetSource | None, Diagnostics]:
        source, found = load_ruleset(self.where, self.mods, self.mode, without=frozenset({self.part}))
        if source is None:
            return None, found
        return replace(source, rules=tuple(_blank_part(text, self.part) for text in source.rules)), found

    @cached_property
    def checked(self) -> Checked:
        return self._check()

    def link(self, players: int, options: Mapping[str, int], backend: Backend) -> LinkedProgram:
        module = self.ready(players, options, target="python")
        return link(
            compile_source(emit(module).source, "<rules without a part>"),
            module,
            lambda: self.linker.possible(players, options),
        )


def _blank_part(text: RulesText, part: Span) -> RulesText:
    """A text of rules with blanks where a part of it stands."""
    whole, lines = text.span, text.text.split("\n")
    if whole.path != part.path or not whole.line <= part.line <= part.end_line <= whole.end_line:
        return text
    for number in range(len(lines)):
        here = text.placement.span(number + 1, 1, number + 1, len(lines[number]) + 1)
        if part.line <= here.line <= part.end_line:
            first = part.column - here.column if here.line == part.line else 0
            last = part.end_column - here.column if here.line == part.end_line else len(lines[number])
            line = lines[number]
            lines[number] = line[:first] + " " * (max(first, last) - first) + line[max(first, last) :]
    return replace(text, text="\n".join(lines))


def mod_parts(compilation: Compilation) -> tuple[Part, ...]:
    """The patches and hooks of all mods and modes, in the order of their layers."""
    source = compilation.source
    found: list[tuple[int, Part]] = []
    for change in source.history.changes:
        if source.layers[change.layer].kind != "base":
            found.append(
                (
                    change.layer,
                    Part(source.layers[change.layer].of, change.verb, change.path, change.span, change.place),
                )
            )
    for origin, declarations in compilation.trees:
        for node in declarations:
            if source.layers[origin.layer].kind == "base" or not isinstance(node, _PART_NODES):
                continue
            kind, text = section_of(node), ""
            if isinstance(node, nodes.Patched):
                kind, text = node.verb, node.place
            found.append(
                (origin.layer, Part(source.layers[origin.layer].of, kind, text or declaration_text(node), node.span))
            )
    unique = {part.span: (layer, part) for layer, part in found}
    return tuple(part for _, part in sorted(unique.values(), key=lambda item: (item[0], item[1].span)))


def find_unused_parts(
    compilation: Compilation,
    games: int = 200,
    players: int = 4,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[PartUse]:
    """What became of every part, in the order of `parts`. LoadError if the game is not sound; ValueError for a table
    that cannot be."""
    first = min(games, _FIRST_GAMES)
    whole = _play_series(compilation, first, players, seed, options)
    many: Result | None = None
    for part in mod_parts(compilation):
        if set(part.place[2:]) & set(_TEXT_KEYS):
            yield PartUse(part, "text")
            continue
        other = _GameWithout(compilation, part.span)
        try:
            same = _went_the_same_way(_play_series(other, first, players, seed, options), whole)
            if same and games > first:
                many = many or _play_series(compilation, games, players, seed, options)
                same = _went_the_same_way(_play_series(other, games, players, seed, options), many)
        except LoadError:
            yield PartUse(part, "needed")
            continue
        except RuleError:  # a rule goes wrong without it
            same = False
        yield PartUse(part, "unused" if same else "used")


def _play_series(
    compilation: Compilation, games: int, players: int, seed: int, options: Mapping[str, object] | None
) -> Result:
    summary = compilation.summary
    game = Game(summary.info, summary.players, summary.options, compilation.link)
    return game.simulate(games, players, seed, None, options, "python")


def _went_the_same_way(one: Result, other: Result) -> bool:
    """Whether two series went the same way, game by game: points, wins, rounds and decisions."""
    keys: list[Sequence[object]] = [(r.points, r.wins, r.rounds_each, r.decisions_each, r.forced) for r in (one, other)]
    return keys[0] == keys[1]
