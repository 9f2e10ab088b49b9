"""A trait that forbids something, and no scenario in which it is refused."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlSeq
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    forbids = {hook.origin.name: hook for hook in subject.program.forbids if hook.origin.what == "trait"}
    for trait in subject.source.traits:
        hook = forbids.get(trait.id)
        scenarios = trait.node.get("scenarios")
        if hook is None or scenarios is None or not subject.owns(trait.span) or _refuses(scenarios):
            continue
        because = "only a refused step proves that something is not possible"
        hint = "add a step `STEP: {refused: REASON}`"
        yield Found(
            trait.span,
            f"no scenario of `{trait.id}` has a refused step",
            because,
            hint,
            (Related(hook.span.head(), "the trait forbids this"),),
        )


def _refuses(node: YamlNode) -> bool:
    if isinstance(node, YamlMap):
        return any(key.text in ("refused", "not") or _refuses(value) for key, value in node)
    return isinstance(node, YamlSeq) and any(_refuses(item) for item in node)


_TRAIT = (
    "trait: sticky\ntext: {en: Nobody pushes it.}\ncards: [{weight: [1]}]\n"
    'rules: |\n  forbid push(any, self) because "it sticks"\nscenarios:\n  - name: it sticks\n'
    "    given: {phase: dawn, state: {start: ana}, players: {ana: [ada size 3], bob: [ben: sticky]}}\n"
)
RULE = Rule(
    "missing-refusal",
    Page(
        "L818",
        "trait that forbids, without a refused step",
        "If a trait forbids something, one of its scenarios needs a refused step with its reason. Scenarios in "
        "which every step is possible pass without the trait, too.",
        _TRAIT + "    when: [nibble ada]\n    then: [ada.eaten == 1]\n",
        _TRAIT + "    when: [shove ada ben: {refused: it sticks}]\n",
    ),
    find,
)
