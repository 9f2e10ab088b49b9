"""What a file expects of its cards (`expect:`) follows what a form changes of them, so that no mistake comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulelang.apps.studio.inside import Outside
from rulelang.apps.studio.workshop import files
from rulelang.apps.studio.workshop.desk import Desk
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.phrases import Phrase, phrase
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.data.text import TextEdits
from rulelang.language.semantics.card_questions import Sum, other_sums


@dataclass(slots=True)
class Followed:
    """The texts in which other numbers are expected now, by file as the page names it; what is said of each number."""

    texts: dict[str, str] = field(default_factory=dict)
    notes: list[Phrase] = field(default_factory=list)


def followed(desk: Desk, path: str, before: str, after: str, unsaved: Mapping[str, str]) -> Followed:
    """What is expected otherwise where one text becomes another. `unsaved`: what other files say on the page.

    Only numbers that were right follow: what was wrong before the change is its author's to say.
    """
    found = Followed()
    others = {name: text for name, text in unsaved.items() if name != path}
    wrong = {one.number.span for one in _sums(desk.as_if({**others, path: before}))}
    edits: dict[str, TextEdits] = {}
    for one in _sums(desk.as_if({**others, path: after})):
        name = desk.relative(one.number.span.path)
        if one.number.span in wrong or name is None:
            continue
        if name not in edits:
            text = after if name == path else others.get(name)
            try:
                edits[name] = TextEdits(files.read(desk.folder, name).text if text is None else text)
            except (Outside, files.Unreadable):
                continue
        edits[name].replace(one.number.span, str(one.came))
        found.notes.append(
            phrase(
                "`{sum}` of `{sort}` must now be {n}, in {file}",
                sum=one.word.text, sort=one.sort.name, n=one.came, file=name,
            )
        )  # fmt: skip
    found.texts = {name: edit.result() for name, edit in edits.items()}
    return found


def _sums(compilation: Compilation | None) -> list[Sum]:
    """Those that the cards do not come to; none where that cannot be said."""
    if compilation is None:
        return []
    try:
        return other_sums(compilation.source, compilation.model, compilation.program, Diagnostics())
    except LoadError:
        return []
