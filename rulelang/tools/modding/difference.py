"""`difference`: two games compared by what they say, not by their files: without and with mods, or two versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.data.finder import Finder
from rulelang.data.manifest import Manifest, read_manifest
from rulelang.data.patches import Rename
from rulelang.tools.modding.facts import HOOK_SECTIONS, NAMED_SECTIONS, Cell, Fact, data_facts, rule_facts
from rulelang.tools.modding.listing import gather_manifests


@dataclass(frozen=True, slots=True)
class Side:
    """What one of the games says: the text, where, and the id and version of who says so."""

    text: str
    span: Span
    by: str

    def as_json(self) -> dict[str, Any]:
        return {"text": self.text, "span": self.span._asdict(), "by": self.by}


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same: its section (`numbers`, `traits`, `value`, `hook`, ...) and name there."""

    section: str
    name: str
    before: Side | None
    after: Side | None

    @property
    def how(self) -> Literal["added", "removed", "changed"]:
        return "added" if self.before is None else "removed" if self.after is None else "changed"

    def as_json(self) -> dict[str, Any]:
        return {
            "section": self.section,
            "name": self.name,
            "how": self.how,
            "before": self.before.as_json() if self.before else None,
            "after": self.after.as_json() if self.after else None,
        }


def find_differences(before: Compilation, after: Compilation) -> tuple[Difference, ...]:
    """What is not the same, data first, each section in the order of the later game. LoadError if one has no source.

    Rows without a name are compared by their cells, so their order does not count; nor does who brings a rule, where
    it stands, how it is laid out, or what it cites. What a mod renamed is told once, and compared by its new name.
    """
    renames = [rename for rename in after.source.renames if rename not in before.source.renames]
    found = [
        *(_rename_difference(after, rename) for rename in renames),
        *_compared_facts(before, after, data_facts(before, renames), data_facts(after)),
        *_compared_facts(before, after, rule_facts(before, renames), rule_facts(after)),
    ]
    sections = list(dict.fromkeys(item.section for item in found))
    rules = [name for name in (*NAMED_SECTIONS, *HOOK_SECTIONS) if name in sections]
    order = [name for name in sections if name not in rules] + rules
    return tuple(sorted(found, key=lambda item: order.index(item.section)))


def two_games(
    where: str | Path, mods: Sequence[str | Path] = (), mode: str | None = None
) -> tuple[Compilation, Compilation]:
    """What is compared: a game without and with mods (without: what a mod extends); or, where two versions of one game
    or mod are named, the first and the second. LoadError if one cannot be understood."""
    first = _manifest_at(where)
    second = _manifest_at(mods[0]) if len(mods) == 1 else None
    if first and second and (first.is_mod, first.id) == (second.is_mod, second.id if first.is_mod else first.id):
        before, after = Compilation(where, (), mode), Compilation(mods[0], (), mode)
    else:
        base = gather_manifests(where, mods).stack.base.folder.root if first is not None and first.is_mod else where
        before, after = Compilation(base, (), mode), Compilation(where, mods, mode)
    for one in (before, after):
        if one.diagnostics.failed:
            raise LoadError(one.diagnostics, one.checked.sources)
    return before, after


def _manifest_at(where: str | Path) -> Manifest | None:
    out = Diagnostics()
    found = Finder().locate(where, out)
    return read_manifest(found.folder, out) if found is not None else None


def _rename_difference(after: Compilation, rename: Rename) -> Difference:
    old, new = (_side_of(after, Fact("", "", word, rename.span, rename.layer)) for word in (rename.old, rename.new))
    return Difference("renamed", rename.old, old, new)


def _compared_facts(
    before: Compilation, after: Compilation, old: Iterable[Fact], new: Iterable[Fact]
) -> Iterator[Difference]:
    first, second = list(old), list(new)
    loose = [[fact for fact in facts if fact.cells or fact.section in HOOK_SECTIONS] for facts in (first, second)]
    known = [
        {(f.section, f.name): f for f in facts if not (f.cells or f.section in HOOK_SECTIONS)}
        for facts in (first, second)
    ]
    gone = [fact for key, fact in known[0].items() if key not in known[1]]
    fresh = [fact for key, fact in known[1].items() if key not in known[0]]
    both = [(known[0][key], fact) for key, fact in known[1].items() if key in known[0]]
    turned = [fact for pair in both if pair[0].text != pair[1].text for fact in pair if not fact.text]
    for key, fact in known[1].items():
        other = known[0].get(key)
        if other is None:
            if not _is_part_of_new(fact, [*fresh, *turned]):
                yield Difference(*key, None, _side_of(after, _with_parts(fact, known[1].values())))
        elif other.text != fact.text:
            sides = (
                _side_of(before, _with_parts(other, known[0].values())),
                _side_of(after, _with_parts(fact, known[1].values())),
            )
            yield Difference(*key, *sides)
    for fact in gone:
        if not _is_part_of_new(fact, [*gone, *turned]):
            yield Difference(fact.section, fact.name, _side_of(before, _with_parts(fact, known[0].values())), None)
    yield from _unnamed_differences(before, after, *loose)


def _is_part_of_new(fact: Fact, heads: Iterable[Fact]) -> bool:
    """Whether a fact is part of another that is new, or gone, as a whole."""
    return any(not h.text and h.section == fact.section and fact.name.startswith(f"{h.name}.") for h in heads)


def _with_parts(fact: Fact, facts: Iterable[Fact]) -> Fact:
    """A trait or row with all that it says as its text."""
    if fact.text:
        return fact
    inner = [f for f in facts if f.text and f.section == fact.section and f.name.startswith(f"{fact.name}.")]
    text = ", ".join(f"{f.name[len(fact.name) + 1 :]}: {f.text}" for f in inner)
    return Fact(fact.section, fact.name, text, fact.span, fact.layer)


def _unnamed_differences(
    before: Compilation, after: Compilation, old: Sequence[Fact], new: Sequence[Fact]
) -> Iterator[Difference]:
    """What has no name: hooks, and rows. What is the same is left out; the rest is paired with what is most like it."""
    left, right = _left_over(old, new), _left_over(new, old)
    for fact in right:
        like = max((f for f in left if _similarity(f, fact)), key=lambda f: _similarity(f, fact), default=None)
        if like is None:
            yield Difference(fact.section, _fact_title(fact), None, _side_of(after, fact))
            continue
        left.remove(like)
        if fact.cells:
            yield from _cell_differences(before, after, like, fact)
        else:
            yield Difference(fact.section, _fact_title(fact), _side_of(before, like), _side_of(after, fact))
    for fact in left:
        yield Difference(fact.section, _fact_title(fact), _side_of(before, fact), None)


def _cell_differences(before: Compilation, after: Compilation, old: Fact, new: Fact) -> Iterator[Difference]:
    was, now = ({cell.column: cell for cell in fact.cells} for fact in (old, new))
    same = (cell for cell in new.cells if cell.column in was and was[cell.column].text == cell.text)
    key = next((f"[{cell.column}={cell.text}]" for cell in same), f".{new.name}")
    for column in dict.fromkeys((*was, *now)):
        one, other = was.get(column), now.get(column)
        if (one and one.text) != (other and other.text):
            sides = [_cell_side(where, cell) if cell else None for where, cell in ((before, one), (after, other))]
            yield Difference(new.section, f"{_sort_key(new)}.rows{key}.{column}", *sides)


def _cell_side(compilation: Compilation, cell: Cell) -> Side:
    return _side_of(compilation, Fact("", "", cell.text, cell.span, cell.layer))


def _sort_key(fact: Fact) -> str:
    return fact.name.rpartition(" row ")[0]


def _fact_title(fact: Fact) -> str:
    if fact.cells:
        return f"{_sort_key(fact)} row"
    return fact.name or fact.text.split("\n")[0]


def _fact_identity(fact: Fact) -> tuple[object, ...]:
    return (fact.section, _sort_key(fact) if fact.cells else fact.name, fact.text)


def _left_over(some: Sequence[Fact], others: Sequence[Fact]) -> list[Fact]:
    """Those of which the others have no equal; of equals, as many as they have fewer of."""
    spare = Counter(map(_fact_identity, others))
    kept: list[Fact] = []
    for fact in some:
        key = _fact_identity(fact)
        if spare[key]:
            spare[key] -= 1
        else:
            kept.append(fact)
    return kept


def _similarity(a: Fact, b: Fact) -> int:
    """How much two that differ look like the same one: rows by equal cells, hooks by what they hook. 0: not at all."""
    if a.section != b.section or (a.cells and _sort_key(a) != _sort_key(b)) or (not a.cells and a.name != b.name):
        return 0
    if a.cells:
        both = [{(cell.column, cell.text) for cell in fact.cells} for fact in (a, b)]
        same = len(both[0] & both[1])
        return same if 2 * same >= min(len(a.cells), len(b.cells)) else 0
    return int(a.text.split(":")[0] == b.text.split(":")[0])


def _side_of(compilation: Compilation, fact: Fact) -> Side:
    layer = compilation.source.layers[fact.layer]
    return Side(fact.text, fact.span, f"{layer.of if layer.kind == 'mode' else layer.id} {layer.version}")
