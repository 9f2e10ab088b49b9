"""Lint rules about likely mix-ups: similar names, swapped arguments, equal traits, wrong numbers in texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.rule import Finding, Rule, Subject
from rulelang.tools.lint.uses import all_attributes, all_declarations, local_name, parameters_of

# ---- similar-names

#: Shorter names differ in a letter for good reasons.
SHORTEST_NAME = 6


def find_similar_names(subject: Subject) -> Iterator[Finding]:
    for group in _name_groups(subject):
        names = sorted((name, span) for name, span in group.items() if len(name) >= SHORTEST_NAME)
        for place, (name, span) in enumerate(names):
            for other, at in names[place + 1 :]:
                if not differ_in_one_letter(name, other) or not _is_likely_typo(name, other):
                    continue
                (new, here), (old, where) = (
                    ((other, at), (name, span)) if subject.owns(at) else ((name, span), (other, at))
                )
                if subject.owns(here):
                    message = f"`{new}` and `{old}` differ in one letter"
                    because = "rulelang cannot detect a typo that turns one into the other"
                    yield Finding(here, message, because, "", (Related(where, f"`{old}` is declared here"),))


def _name_groups(subject: Subject) -> Iterator[dict[str, Span]]:
    """Names that could stand for each other, by what they are."""
    model, program = subject.model, subject.program
    yield {item.name: item.span.head() for item in (*program.routines.values(), *program.actions.values())}
    yield {item.name: item.span.head() for item in program.values.values()} | {
        attribute.name: attribute.span for attribute in all_attributes(model)
    }
    yield {name: number.span for name, number in model.numbers.items()}
    yield {name: option.span for name, option in model.options.items()}
    yield {name: zone.span for name, zone in model.zones.items()}
    yield {name: trait.span for name, trait in model.traits.items()}


def _is_likely_typo(name: str, other: str) -> bool:
    """Words with another beginning or end, and numbered ones, are told apart by everyone."""
    return name[0] == other[0] and name[-1] == other[-1]


def differ_in_one_letter(a: str, b: str) -> bool:
    """Whether one letter more, less, other or two in another order make one of the other."""
    if a == b:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    x, y = a[start:], b[start:]
    return x[1:] == y[1:] or x[1:] == y or x == y[1:] or (x[:2] == y[:2][::-1] and x[2:] == y[2:])


SIMILAR_NAMES = Rule(
    "similar-names",
    Page(
        "L821",
        "names that differ in one letter",
        "`feeding` and `feeting` are both declared. If you type one name instead of the other, rulelang cannot "
        "detect the mistake. The linter skips short names, and names that differ in the first or last letter.",
        "value strenngth(snail s) -> int: s.size\nmodify hunger(s): + strenngth(s)\n",
        "value weight_of(snail s) -> int: s.size\nmodify hunger(s): + weight_of(s)\n",
    ),
    find_similar_names,
)


# ---- near-duplicate

_COMMENT_OR_TEXT = re.compile(r"#.*|\"[^\"]*\"")
_RULE_WORD = re.compile(r"\w+|[^\w\s]")


def find_near_duplicate(subject: Subject) -> Iterator[Finding]:
    seen: dict[tuple[str, ...], str] = {}
    spans = {trait.id: trait.span for trait in subject.source.traits}
    for text in subject.source.rules:
        if text.owner.kind != "trait" or text.owner.name not in spans:
            continue
        # Remarks and texts do not count, nor do the trait's own name and its numbers' names.
        words = [word for word in _RULE_WORD.findall(_COMMENT_OR_TEXT.sub("", text.text)) if word != text.owner.name]
        key = tuple(words)
        first = seen.setdefault(key, text.owner.name)
        if first != text.owner.name and key and subject.owns(spans[text.owner.name]):
            yield Finding(
                spans[text.owner.name],
                f"`{text.owner.name}` does the same as `{first}`",
                "their rules are equal, except for comments and log texts",
                "change one of them, or use one trait for both cards",
                (Related(spans[first], f"`{first}` is declared here"),),
            )


NEAR_DUPLICATE = Rule(
    "near-duplicate",
    Page(
        "L820",
        "two traits with equal rules",
        "The rules of two traits are identical. Either you copied one trait and did not change its rules, or you "
        "need only one of the traits.",
        "trait: spike\ntext: {en: Pushes harder by 1.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 1\n",
        "trait: spike\ntext: {en: Pushes harder by 2.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n",
    ),
    find_near_duplicate,
)


# ---- text-and-number

_NUMERAL = re.compile(r"(?<![\w.])\d+(?![\w.]*\d)")


def find_text_and_number(subject: Subject) -> Iterator[Finding]:
    rules: dict[str, list[tree.Declared]] = {}
    for declared in all_declarations(subject.program):
        if declared.origin.what == "trait":
            rules.setdefault(declared.origin.name, []).append(declared)
    for trait in subject.model.traits.values():
        own = rules.get(trait.name, [])
        known = {number for declared in own for number in numbers_in_rule(declared, subject.model)}
        if not known or not subject.owns(trait.span):
            continue
        for language, text in trait.text.items():
            said = [int(word) for word in _NUMERAL.findall(text)]
            strange = [number for number in dict.fromkeys(said) if number not in known]
            if strange:
                has = ", ".join(map(str, sorted(known)))
                message = f"the text of `{trait.name}` ({language}) says {strange[0]}, but its rule has {has}"
                yield Finding(trait.span, message, "", "correct the text or the rule")


def numbers_in_rule(declared: tree.Declared, model: Model) -> Iterable[int]:
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


TEXT_AND_NUMBER = Rule(
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
    find_text_and_number,
)


# ---- symmetric values

#: Functions whose arguments may come in any order.
_COMMUTATIVE = ("adjacent", "count", "max", "min")
_MIRRORED = {">": "<", ">=": "<="}

SymmetryForm = tuple[object, ...]


class Symmetry:
    """Proves from bodies that values are symmetric. A value that hooks modify is not taken for one."""

    def __init__(self, program: tree.Program) -> None:
        self.program = program
        self._modified = {modify.pattern.event for modify in program.modifies}
        self._known: dict[tuple[str, int, int], bool] = {}

    def holds(self, value: str, first: int, second: int) -> bool:
        """Return True if exchanging these two arguments (from 0) changes nothing, whatever they are."""
        low, high = sorted((first, second))
        key = (value, low, high)
        if key not in self._known:
            self._known[key] = False  # also while it is being worked out
            self._known[key] = self._proved(value, low, high)
        return self._known[key]

    def _proved(self, value: str, first: int, second: int) -> bool:
        declared = self.program.values.get(value)
        if declared is None or value in self._modified or second >= len(declared.params):
            return False
        a, b = declared.params[first], declared.params[second]
        if a.type != b.type:
            return False
        return self._form(declared.body, {}) == self._form(declared.body, {a.name: b.name, b.name: a.name})

    def _form(self, item: object, names: Mapping[str, str]) -> SymmetryForm:
        """Return the same for trees that differ only in places and in the order of commutative operands."""
        match item:
            case tree.LocalRef(local=local):
                return ("local", names.get(local.name, local.name))
            case tree.Logic(op=op):
                return (op, *_sorted_forms([self._form(part, names) for part in _logic_operands(item)]))
            case tree.Arith(op="+" | "*" as op, left=left, right=right):
                return (op, *_sorted_forms([self._form(left, names), self._form(right, names)]))
            case tree.Compare(op=op, left=left, right=right):
                sides = [self._form(left, names), self._form(right, names)]
                if op in ("==", "!="):
                    return (op, *_sorted_forms(sides))
                return (_MIRRORED[op], sides[1], sides[0]) if op in _MIRRORED else (op, *sides)
            case tree.IfElse(test=tree.Compare() as test, then=then, otherwise=otherwise) if test.op in ("<", ">"):
                # Which side of a comparison comes first says nothing if the branches change places with them. Where
                # the sides are equal, so are the branches of a distance: `a - b if a > b else b - a`.
                _, low, high = self._form(test, names)
                branches = [self._form(then, names), self._form(otherwise, names)]
                ordered = repr(low) <= repr(high)
                return ("if", *((low, high, *branches) if ordered else (high, low, *branches[::-1])))
            case tree.BuiltinCall(name=name, args=args, zones=()) if name in _COMMUTATIVE:
                return (name, *_sorted_forms([self._form(arg, names) for arg in args]))
            case tree.ValueCall(value=value, args=args):
                return ("value", value, *self._arguments(value, [self._form(arg, names) for arg in args]))
            case tuple():
                return tuple([self._form(part, names) for part in item])
        if type(item).__module__ == tree.__name__ and is_dataclass(item):
            parts = [getattr(item, field.name) for field in fields(item)]
            return (type(item).__name__, *(self._form(part, names) for part in parts if not isinstance(part, Span)))
        return (item,)

    def _arguments(self, value: str, args: list[SymmetryForm]) -> list[SymmetryForm]:
        """Put arguments that the called value lets be exchanged into one order."""
        for _ in args:
            for first in range(len(args) - 1):
                second = first + 1
                if repr(args[first]) > repr(args[second]) and self.holds(value, first, second):
                    args[first], args[second] = args[second], args[first]
        return args


def _logic_operands(node: tree.Logic) -> list[tree.Expr]:
    """Return the operands of nested `and`, or of nested `or`."""
    found: list[tree.Expr] = []
    for side in (node.left, node.right):
        found += _logic_operands(side) if isinstance(side, tree.Logic) and side.op == node.op else [side]
    return found


def _sorted_forms(forms: list[SymmetryForm]) -> list[SymmetryForm]:
    return sorted(forms, key=repr)


# ---- swapped-arguments


def find_swapped_arguments(subject: Subject) -> Iterator[Finding]:
    program = subject.program
    symmetry = Symmetry(program)
    declared: dict[str, tree.Declared] = {**program.values, **program.actions, **program.routines}
    for where in all_declarations(program):
        if not subject.owns(where.span):
            continue
        for name, given, span, is_call in _given_arguments(where):
            target = declared.get(name)
            if target is None or target is where:  # one that calls itself the other way round means it
                continue
            called = [local.name for local in parameters_of(target)]
            for first, second in _swapped_places(_unnumbered_names(given), called):
                if is_call and symmetry.holds(name, first, second):
                    continue
                if _unnumbered_names(given)[second] == called[first]:
                    message = f"`{given[first]}` and `{given[second]}` seem to be swapped"
                else:
                    message = f"`{given[first]}` is passed as `{called[first]}`"
                low, high = sorted((first, second))
                own = f"{_ordinal(low)} argument `{called[low]}` and its {_ordinal(high)} `{called[high]}`"
                because = f"`{target.name}` calls its {own}"
                yield Finding(
                    span,
                    message,
                    because,
                    "swap the arguments, or rename them if the order is right",
                    (Related(target.span.head(), f"`{target.name}` is declared here"),),
                )


def _given_arguments(where: tree.Declared) -> Iterator[tuple[str, tuple[str, ...], Span, bool]]:
    """Yield what is called or listened to, the names given for its parameters ("" for none), and if it is a call."""
    for node in walk(where):
        match node:
            case tree.ValueCall(value=name, args=args) | tree.Can(event=name, args=args):
                yield name, tuple(local_name(arg) for arg in args), node.span, True
            case tree.CallRoutine(routine=name, args=args):
                yield name, tuple(local_name(arg) for arg in args), node.span, True
            case tree.EventPattern(event=name, slots=slots):
                bound = (slot.local.name if isinstance(slot, tree.BindSlot) else "" for slot in slots)
                yield name, tuple(bound), node.span, False


def _unnumbered_names(given: Sequence[str]) -> Sequence[str]:
    """Names without the number at their end, `old_2` as `old`, where they still tell one from the other."""
    plain = [re.sub(r"_?[0-9]+\Z", "", name) for name in given]
    return plain if len(set(plain)) == len(set(given)) else given


def _swapped_places(given: Sequence[str], called: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The place of a name that is that of another parameter, and the place of that one, which stands for something
    else. Of two that are each other's, once."""
    for first, name in enumerate(given[: len(called)]):
        if not name or name == called[first] or name not in called[: len(given)]:
            continue
        second = called.index(name)
        if second < first and given[second] == called[first]:
            continue
        yield first, second


def _ordinal(place: int) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth")[place] if place < 6 else f"{place + 1}th"


SWAPPED_ARGUMENTS = Rule(
    "swapped-arguments",
    Page(
        "L830",
        "arguments in the wrong order",
        "A call, or the pattern of a hook, uses the name of one parameter in the place of another. If both "
        "parameters have the same type, rulelang cannot detect the mistake. The linter skips values whose arguments "
        "can be exchanged, such as a distance.",
        "routine trample(snail strong, snail weak): weak.size = max(1, weak.size - strong.size)\n"
        "always after push(strong, weak): trample(weak, strong)\n",
        "routine trample(snail strong, snail weak): weak.size = max(1, weak.size - strong.size)\n"
        "always after push(strong, weak): trample(strong, weak)\n",
    ),
    find_swapped_arguments,
)
