"""`expect:` of a sort of cards: sums that are known of the deck, held against its rows."""

from __future__ import annotations

import re

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.node import record
from rulelang.base.source import Placement
from rulelang.data.records import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import CardSort, Model
from rulelang.language.semantics.questions import Question, cards_of, read_question
from rulelang.language.semantics.types import BOOL, INT, MISSING_INT

_FORMS = "write `count`, `rows` or `sum of EXPRESSION`, each optionally with `where CONDITION`"
_FORM = re.compile(r"(count|rows)(?:\s+where\s+(.+))?\Z|sum\s+of\s+(.+?)(?:\s+where\s+(.+))?\Z", re.DOTALL)


@record
class Sum:
    """A sum of a sort's cards that is not what is expected: how it is written, the number there, what it came to."""

    word: YamlScalar
    number: YamlScalar
    sort: CardSort
    came: int


def unmet(source: RulesetSource, model: Model, program: tree.Program) -> Diagnostics:
    """Y177 for each sum that the rows do not come to, Y185 for what is no such sum."""
    found = Diagnostics()
    for one in other_sums(source, model, program, found):
        related = [Related(one.sort.span, f"the cards of `{one.sort.name}`")]
        expected = f"`{one.word.text}` of `{one.sort.name}` is {one.came}, but {one.number.value} was expected"
        hint = f"correct the rows, or, if they are right, write `{one.came}`"
        found.error("Y177", one.number.span, expected, hint=hint, related=related)
    return found


def other_sums(source: RulesetSource, model: Model, program: tree.Program, found: Diagnostics) -> list[Sum]:
    """The sums that the rows do not come to.

    What a layer expects is tested where no later layer lies over it: a mod may bring cards of its own.
    """
    sums: list[Sum | None] = []
    last = len(source.layers) - 1
    for key, node in source.tree.map("cards"):
        sort = model.sorts.get(key.text)
        if sort is None or not isinstance(node, YamlMap):
            continue
        for word, number in node.map("expect"):
            if word.layer == last and isinstance(number, YamlScalar) and isinstance(number.value, int):
                sums.append(_held(word, number, sort, model, program, found))
    return [one for one in sums if one is not None]


def _held(
    word: YamlScalar, number: YamlScalar, sort: CardSort, model: Model, program: tree.Program, found: Diagnostics
) -> Sum | None:
    """A sum that is another one; None for what is as expected."""
    form = _FORM.match(word.text.strip())
    if form is None:
        bare = re.match(r"sum\s+(?!of\b)(.+)", word.text, re.DOTALL)
        hint = f"write `sum of {bare[1]}`" if bare else _FORMS
        found.error("Y185", word.span, f"unknown check `{word.text}` in `expect:`", hint=hint)
        return None
    questions: list[Question | None] = []
    for group, want in ((3, INT), (2 if form[1] else 4, BOOL)):
        if form[group] is None:
            questions.append(None)
            continue
        place = word.placement() if word.exact else Placement(word.span.path, word.span.line - 1, 0, word.span.column)
        first = (place.first_column or 0) + form.start(group)
        at = Placement(place.path, place.line, place.column, first)
        question, told = read_question(form[group], sort, model, program, want, at)
        found.extend(told)
        if question is None:
            return None
        questions.append(question)
    value, condition = questions
    total = 0
    rows: set[int] = set()
    for card in cards_of(sort):
        if condition is None or condition.of(card):
            of_one = value.of(card) if value is not None else 1
            total += 0 if of_one == MISSING_INT else of_one * card.copies
            rows.add(card.row.number)
    came = len(rows) if form[1] == "rows" else total
    return Sum(word, number, sort, came) if came != number.value else None
