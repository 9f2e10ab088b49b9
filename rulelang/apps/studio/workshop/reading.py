"""The rules of a trait in words, as a rulebook has them, for whoever does not read rules."""

from __future__ import annotations

from itertools import groupby

from rulelang.apps.studio.inside import Outside
from rulelang.apps.studio.workshop import files
from rulelang.apps.studio.workshop.desk import Desk, understood
from rulelang.apps.studio.workshop.form import NoForm
from rulelang.apps.studio.workshop.rules import rules_of
from rulelang.base.languages import Language
from rulelang.language.semantics import tree
from rulelang.tools.printing.flow import Flow
from rulelang.tools.printing.hooks import declared_in, in_short
from rulelang.tools.printing.names import Names


def in_words(desk: Desk, trait: str, path: str, language: Language) -> dict[str, list[str]]:
    """By each rule that stands in the file of a trait, as it was saved last: what it says, a line for each thing that
    it hooks. Nothing while data or rules are mistaken, and for what is no hook."""
    with desk.lock:
        made = desk.checked()
        if made is None or not understood(made[1], rules=True):
            return {}
        names = Names(made[1], language)
        flow = Flow(names)
        own = [
            item
            for item in declared_in(names.program)
            if item.origin.what == "trait" and item.origin.name == trait and desk.relative(item.span.path) == path
        ]
        own.sort(key=lambda item: item.span.line)
        said = [[*some] for _, some in groupby(own, lambda item: item.span.line)]
        try:
            rules = rules_of(files.read(desk.folder, path).text, path)
        except (NoForm, Outside, files.Unreadable):
            return {}
        if len(rules) != len(said):  # then nobody knows which is which
            return {}
        return {
            rule: [
                f"{hook.event}: {hook.says}{f' – {hook.when}' if hook.when else ''}"
                for hook in in_short(names, flow, [item for item in items if isinstance(item, tree.Hook)])
            ]
            for rule, items in zip(rules, said, strict=True)
        }
