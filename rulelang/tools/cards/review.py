"""What may be wrong with cards though every cell is well formed: told as warnings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation
from rulelang.data.yaml_nodes import YamlMap, YamlNode, is_blank
from rulelang.language.semantics.cards import CellSpans, face_column
from rulelang.language.semantics.model import MISSING_INT, CardType, Model

#: So many numbers of a column tell what is usual there.
_ENOUGH = 12
#: Numbers that lie so close to the others are not told.
_NEAR = 5
_SHOWN = 5


def review(compilation: Compilation) -> Diagnostics:
    """Y178 for numbers far from all others of their column, Y179 for texts that lack a language, Y180 for traits on no
    card, Y181 for cards whose trait does nothing. Only for a game without mistakes."""
    found = Diagnostics()
    model = compilation.model
    places = CellSpans(compilation.source, model)
    for sort in model.sorts.values():
        _outliers(sort, model, places, found)
        for word in ("name", "text"):
            _languages(f"{sort.name}.{word}", list(_row_texts(compilation, sort, word)), found)
    for word in ("name", "text"):
        _languages(f"trait.{word}", list(_trait_texts(compilation, word)), found)
    if compilation.mode is None:
        _traits(compilation, found)
    return found


# ---- numbers


def _outliers(sort: CardType, model: Model, places: CellSpans, found: Diagnostics) -> None:
    for column in sort.columns.values():
        if column.type.sure().tag != "int" or (column.low is not None and column.high is not None):
            continue  # a range says what may stand there
        rows = [row for row in sort.rows if row.number == row.written]
        parts: dict[object, list[tuple[int, Span, str]]] = {}
        for row in rows:
            value = row.columns.get(column.name)
            values = value if isinstance(value, tuple) else (value,)
            for number, item in enumerate(values):
                if isinstance(item, int) and item != MISSING_INT:
                    part = number if column.by not in (None, "copy") else 0
                    parts.setdefault(part, []).append((item, places.cell(sort.name, row, column.name), row.name))
        for items in parts.values():
            _outlier(column.name, items, found)


def _outlier(column: str, items: list[tuple[int, Span, str]], found: Diagnostics) -> None:
    """A number that lies farther from the next one than all others from each other."""
    items = sorted(items, key=lambda item: item[0])
    if len(items) < _ENOUGH:
        return
    numbers = [item[0] for item in items]
    for (number, span, name), others in ((items[-1], numbers[:-1]), (items[0], numbers[1:])):
        gap = min(abs(number - other) for other in (others[0], others[-1]))
        spread = others[-1] - others[0]
        if gap > max(2 * spread, _NEAR):
            whose = f" of `{name}`" if name else ""
            message = f"the {column}{whose} is {number}, but all others are {others[0]} to {others[-1]}"
            because = "the number may have an extra digit"
            hint = f"if the number is correct, declare the range: `{column}: {min(numbers)}..{max(numbers)}`"
            found.warning("Y178", span, message, because=because, hint=hint)


# ---- languages


def _row_texts(compilation: Compilation, sort: CardType, word: str) -> Iterator[tuple[str, YamlMap, Span]]:
    for key, row in compilation.source.tree.map("cards").map(sort.name).map("rows"):
        node = row.get(word) if isinstance(row, YamlMap) else None
        if isinstance(node, YamlMap):
            yield key.text, node, node.span


def _trait_texts(compilation: Compilation, word: str) -> Iterator[tuple[str, YamlMap, Span]]:
    for trait in compilation.source.traits:
        node = trait.node.get(word)
        if isinstance(node, YamlMap):
            yield trait.id, node, node.span


def _languages(what: str, texts: list[tuple[str, YamlMap, Span]], found: Diagnostics) -> None:
    """One warning for each language that some texts have and others lack."""
    for language in dict.fromkeys(tag for _, node, _ in texts for tag in _tags(node)):
        missing = [(name, span) for name, node, span in texts if language not in _tags(node)]
        if not missing:
            continue
        names = ", ".join(name or str(span) for name, span in missing[:_SHOWN])
        more = " ..." if len(missing) > _SHOWN else ""
        have = "has" if len(missing) == 1 else "have"
        message = f"{len(missing)} of {len(texts)} `{what}` texts {have} no `{language}` translation: {names}{more}"
        found.warning("Y179", missing[0][1], message, hint=f"add a translation to each text: `{language}: ...`")


def _tags(node: Mapping[str, YamlNode] | YamlMap) -> list[str]:
    assert isinstance(node, YamlMap)
    return [key.text for key, text in node if not is_blank(text)]


# ---- traits


def _traits(compilation: Compilation, found: Diagnostics) -> None:
    model, source = compilation.model, compilation.source
    faces = [sort for sort in model.sorts.values() if face_column(sort) is not None]
    if not faces:
        return
    borne = Counter(number for sort in faces for number in _borne(sort))
    rules = {index: text.text for index, text in enumerate(source.rules)}
    own = {index: text.owner.name for index, text in enumerate(source.rules) if text.owner.kind == "trait"}
    for trait in model.traits.values():
        word = re.compile(rf"\b{re.escape(trait.name)}\b")
        named = any(word.search(text) for index, text in rules.items() if own.get(index) != trait.name)
        if not borne[trait.number] and not named:
            because = "no rule names it either, so it never has an effect"
            hint = "add cards with this trait, or delete its file"
            found.warning("Y180", trait.span, f"no card has the trait `{trait.name}`", because=because, hint=hint)
        printed = any(trait.columns.values())
        if borne[trait.number] and not named and not printed and trait.name not in own.values():
            because = "its file has no `rules:`, and no other rule names it"
            message = f"the cards with the trait `{trait.name}` have no effect"
            found.warning("Y181", trait.span, message, because=because, hint="write its rules under `rules: |`")


def _borne(sort: CardType) -> Iterator[int]:
    column = face_column(sort)
    assert column is not None
    for row in sort.rows:
        value = row.columns.get(column.name)
        if row.copies:
            yield from value if isinstance(value, tuple) else (value,) if isinstance(value, int) else ()
