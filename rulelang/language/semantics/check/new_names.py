"""`rename:` of what rules declare: whether it is there, and whether the new name can be had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.nearest import called_now, did_you_mean
from rulelang.base.source import Span
from rulelang.data.records import RulesetSource
from rulelang.data.renaming import Rename
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.places import name_of, unit_of
from rulelang.language.syntax import nodes

Texts = Sequence[tuple[tree.Origin, tuple[nodes.Decl, ...]]]


def look_at_name(rename: Rename, texts: Texts, source: RulesetSource, out: Diagnostics) -> bool:
    """Whether it can be had. Y141 if the layers below declare no rule of this name, Y149 if the new name is taken, or
    the old one means two."""
    below = source.layers[rename.layer].after | {0}
    there = list(_declared(text for text in texts if text[0].layer in below))
    named = [span for name, span in there if name == rename.old]
    if not named:
        done = next((done for done in source.renames if done.old == rename.old and done.layer in below), None)
        hint = did_you_mean(rename.old, [name for name, _ in there])
        related = []
        if done is not None:
            hint = called_now(done.new)
            related = [Related(done.span, f"`{done.old}` is renamed here")]
        because = "a name without dots is an action, routine, phase or value that rules declare"
        message = f"`{rename.old}` does not exist: no rules of the game or of an earlier mod declare it"
        out.error("Y141", rename.span, message, because=because, hint=hint, related=related)
        return False
    taken = [span for name, span in _declared(texts) if name == rename.new]
    because = "`rename:` changes a name everywhere, so the old name must have only one meaning"
    word, places = (rename.old, named) if len(named) > 1 else (rename.new, taken)
    if len(named) > 1 or taken:
        related = [Related(span, "it is declared here") for span in places]
        message = f"`{word}` is the name of {'two rules' if len(places) > 1 else 'another rule'}"
        out.error("Y149", rename.span, message, because=because, related=related)
        return False
    return True


def _declared(texts: Iterable[tuple[tree.Origin, tuple[nodes.Decl, ...]]]) -> Iterator[tuple[str, Span]]:
    for _, declarations in texts:
        for node in declarations:
            unit = None if isinstance(node, nodes.Replace) else unit_of(node)
            if unit is not None and not isinstance(unit, nodes.Game):
                yield name_of(unit), unit.span.head()
