"""Tables without code: enough to read scenarios by, and to lay their positions where nobody will play them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from rulelang.base.layout import Layout
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.compiler.lower.program_graph import ProgramGraph, StaticLayout, static_layout
from rulelang.language.semantics.state_layout import Config
from rulelang.runtime.program import Backend, LinkedProgram


class Drawn:
    """What a linked program is to whoever only lays positions: places, and the routines that lay (`lay.Helpers`)."""

    sites = templates = reasons = teams = ()

    def __init__(self, drawn: StaticLayout) -> None:
        self.drawn = drawn

    @property
    def layout(self) -> Layout:
        return self.drawn.layout

    @property
    def initial(self) -> list[int]:
        return list(self.drawn.initial)

    def call_plain(self, S: list[int], function: str, args: tuple[int, ...]) -> int:
        """A thing that is made takes the next place of its owner. Cards need not lie where they are laid."""
        kind = self.layout.kinds.get(function.removeprefix("h_create_"))
        if kind is None:
            return 0
        (owner,) = args
        S[kind.count + owner] += 1
        return (owner - 1) * kind.per_owner + S[kind.count + owner]


class _Chosen(Mapping[str, int]):
    """The options of a table, which remember what was asked of them."""

    def __init__(self, options: Mapping[str, int]) -> None:
        self._options = dict(options)
        self._asked: set[str] = set()

    def __getitem__(self, name: str) -> int:
        self._asked.add(name)
        return self._options[name]

    def __iter__(self) -> Iterator[str]:
        self._asked.update(self._options)
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)

    def alike(self, others: Mapping[str, int]) -> bool:
        """Whether others would have answered the same."""
        return all(others.get(name) == self._options.get(name) for name in self._asked)


class Drawer:
    """The blueprints of one ruleset's tables, each drawn once."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self._drawn: dict[str, StaticLayout] = {}
        self._alike: list[tuple[int, _Chosen, StaticLayout]] = []

    @property
    def graph(self) -> ProgramGraph:
        return self.compilation.graph

    def blueprint(self, players: int, options: Mapping[str, int]) -> StaticLayout:
        """LoadError for a table that cannot be."""
        key = f"{players} {sorted(options.items())}"
        if key not in self._drawn:
            self._drawn[key] = self._like_one(players, options) or self._anew(players, options)
        return self._drawn[key]

    def _like_one(self, players: int, options: Mapping[str, int]) -> StaticLayout | None:
        """That of a table that differs only in options which are not asked for where everything lies."""
        return next((made for seats, seen, made in self._alike if seats == players and seen.alike(options)), None)

    def _anew(self, players: int, options: Mapping[str, int]) -> StaticLayout:
        seen = _Chosen(options)
        made, found = static_layout(self.graph, Config(players, seen))
        if made is None:
            raise LoadError(found, self.compilation.source.sources)
        self._alike.append((players, seen, made))
        return made

    def link(self, players: int, options: Mapping[str, int], backend: Backend) -> LinkedProgram:
        """The table as a game takes it, though it cannot be played."""
        return cast(LinkedProgram, Drawn(self.blueprint(players, options)))
