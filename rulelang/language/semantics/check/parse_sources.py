"""From the rules texts of a source to declarations with their origins; which names were lost in unreadable text."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import partial

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.limits import DECLARATIONS, LETTERS, Limit
from rulelang.base.memo import FORGETFUL, Forgetful
from rulelang.data.patches import Disabled
from rulelang.data.records import RulesetSource, RulesText
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.new_names import look_at_name
from rulelang.language.semantics.check.places import Text
from rulelang.language.semantics.check.rewriting import without_labels
from rulelang.language.semantics.check.rule_patches import RulePatcher
from rulelang.language.semantics.check.signatures import Texts
from rulelang.language.semantics.model import Model
from rulelang.language.syntax import nodes
from rulelang.language.syntax.parse import BOUND, LONGEST_TEXT, parse
from rulelang.language.syntax.renaming import renamed


def read_rules(source: RulesetSource, model: Model, memo: Forgetful = FORGETFUL) -> tuple[Texts, Diagnostics]:
    """Parse every rules text of a source, and carry out the patches. Each comes with the origin of its rules."""
    out = Diagnostics()
    texts: list[tuple[tree.Origin, tuple[nodes.Decl, ...]]] = []
    letters = count = 0
    over: Limit | None = None
    for text in source.rules:
        letters += len(text.text) if len(text.text) <= LONGEST_TEXT else 0  # else `parse` reports it
        declarations: tuple[nodes.Decl, ...] = ()
        if over is None and letters <= LETTERS.most:
            written = text.text, text.placement
            declarations, found = memo.kept("rules", written, partial(parse, *written, memo))
            out.extend(found)
            count += len(declarations)
        if over is None and (letters > LETTERS.most or count > DECLARATIONS.most):
            over = LETTERS if letters > LETTERS.most else DECLARATIONS
            out.error("S220", text.span.head(), f"there are {over.exceeded}", because=BOUND, hint=over.hint)
        texts.append((origin_of(text, model), declarations if over is None else ()))
    read = len(texts)
    texts += [(tree.Origin("core", layer=one.layer), (_disabling(one),)) for one in source.disabled]
    for rename in source.renames:
        if rename.of_rules and source.complete and not look_at_name(rename, texts, source, out):
            continue
        for at, (origin, declarations) in enumerate(texts):
            own = origin.layer == rename.layer and at < read  # what data say is of the layers below
            if not own and rename.layer not in source.layers[origin.layer].after:
                texts[at] = origin, tuple(renamed(node, rename.old, rename.new) for node in declarations)
    return patched(texts, source, out), out


def _disabling(one: Disabled) -> nodes.Rewrite:
    """What data say of a phase, as a patch of rules."""
    step = nodes.Step(one.span, one.name, None, False)
    return nodes.Rewrite(one.span, (), (step,), (nodes.Nothing(one.span),), one.span, disables=True)


_PATCHES = nodes.TakeOut | nodes.Insert | nodes.Rewrite
_LABEL = re.compile(r"\blabel\b")


def patched(texts: Texts, source: RulesetSource | None, out: Diagnostics) -> Texts:
    """The texts with the patches in them carried out, and without labels."""
    labels = source is None or any(_LABEL.search(text.text) for text in source.rules)
    if not labels and not any(isinstance(node, _PATCHES) for _, found in texts for node in found):
        return texts
    owners = [o.name for o, _ in texts]
    if source is not None:
        owners = [*map(_called, source.rules), *(source.layers[one.layer].id for one in source.disabled)]
    layers = source.layers if source is not None else ()
    after = {layer.index: layer.after for layer in layers}
    places = [Text(origin, owner, found) for (origin, found), owner in zip(texts, owners, strict=True)]
    done = RulePatcher(places, after, [layer.id for layer in layers], out).run()
    return [(text.origin, tuple(without_labels(node) for node in text.decls if node is not None)) for text in done]


def _called(text: RulesText) -> str:
    """The name by which places call a trait or row."""
    owner = text.owner
    if owner.kind in ("core", "mod", "trait"):
        return owner.name
    return owner.name or f"{owner.of}_{owner.index + 1}"


_DECLARED = re.compile(
    r"^[ \t]*(?:(?:always|replace)[ \t]+)?(?:(?:phase|routine|value|action|invariant)[ \t]+([A-Za-z_]\w*)|(game)\b)",
    re.MULTILINE,
)


class _Anything:
    """Stands for all names, where a whole file is missing."""

    def __contains__(self, name: object) -> bool:
        return True


ANYTHING = _Anything()


def lost_names(texts: Texts, source: RulesetSource | None) -> Container[str]:
    """Names whose declarations stand in text that could not be parsed, so that they are not reported as unknown."""
    if source is None:
        return frozenset()
    if not source.complete:
        return ANYTHING
    said = {m[1] or m[2] for text in source.rules for m in _DECLARED.finditer(text.text)}
    read = {rename.old for rename in source.renames}
    for _, declarations in texts:
        for node in declarations:
            if isinstance(node, nodes.Game):
                read.add("game")
            elif isinstance(node, nodes.Replace):
                read.add(node.target.name)
            elif isinstance(node, nodes.Patched):
                read.update(node.names)
            elif isinstance(node, nodes.Phase | nodes.Routine | nodes.Action | nodes.Value | nodes.Invariant):
                read.add(node.name)
    return frozenset(said - read)


def origin_of(text: RulesText, model: Model) -> tree.Origin:
    """Whose rules a text holds. Rows are found by name; those without a name by their place."""
    owner = text.owner
    if owner.kind in ("core", "mod"):
        return tree.Origin("core", layer=text.layer)
    if owner.kind == "trait":
        return tree.Origin("trait", owner.name, layer=text.layer)
    if owner.kind == "card":
        rows = model.sorts[owner.of].rows if owner.of in model.sorts else ()
        return tree.Origin("card", owner.of, _number(rows, owner.name, owner.index), text.layer)
    rows = model.lists[owner.of].rows if owner.of in model.lists else ()
    return tree.Origin("row", owner.of, _number(rows, owner.name, owner.index), text.layer)


def _number(rows: Sequence[object], name: str, index: int) -> int:
    for row in rows:
        if name and getattr(row, "name", "") == name:
            number: int = getattr(row, "number", 0)
            return number
    return index + 1
