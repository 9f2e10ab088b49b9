"""A trait's text that says another number than its rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.uses import declarations

_NUMERAL = re.compile(r"(?<![\w.])\d+(?![\w.]*\d)")


def find(subject: Subject) -> Iterator[Found]:
    rules: dict[str, list[tree.Declared]] = {}
    for declared in declarations(subject.program):
        if declared.origin.what == "trait":
            rules.setdefault(declared.origin.name, []).append(declared)
    for trait in subject.model.traits.values():
        own = rules.get(trait.name, [])
        known = {number for declared in own for number in numbers_in(declared, subject.model)}
        if not known or not subject.owns(trait.span):
            continue
        for language, text in trait.text.items():
            said = [int(word) for word in _NUMERAL.findall(text)]
            strange = [number for number in dict.fromkeys(said) if number not in known]
            if strange:
                has = ", ".join(map(str, sorted(known)))
                message = f"the text of `{trait.name}` ({language}) says {strange[0]}, but its rule has {has}"
                yield Found(trait.span, message, "", "correct the text or the rule")


def numbers_in(declared: tree.Declared, model: Model) -> Iterable[int]:
    """The numbers that a rule writes or reads from `numbers:`, and those one beside, for `> 3` is `4 or more`."""
    for node in walk(declared):
        if isinstance(node, tree.Const) and node.type.tag == "int":
            yield from (abs(node.value), abs(node.value) + 1, abs(node.value) - 1)
        elif isinstance(node, tree.Roll):
            yield node.sides
        elif isinstance(node, tree.NumberRef):
            for value in model.numbers[node.name].by_players.values():
                for number in value if isinstance(value, tuple) else (value,):
                    yield from (abs(number), abs(number) + 1, abs(number) - 1)


RULE = Rule(
    "text-and-number",
    Page(
        "L815",
        "text and rule with different numbers",
        "The number on the card must be the number in the rule. The linter compares the digits in a trait's text "
        "with the numbers in its rules. A difference of one is allowed, because `> 3` may read `4 or more`.",
        "trait: spike\ntext: {en: Pushes harder by 5.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n",
        "trait: spike\ntext: {en: Pushes harder by 2.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n",
    ),
    find,
)
