"""Whether a mod still fits a game that has changed: told where its range of versions, or a lock, says that it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rulelang.base.diagnostics import Diagnostic, Related
from rulelang.base.english import counted
from rulelang.data.history import Change
from rulelang.data.order import Wanted
from rulelang.data.records import Layer, RulesetSource
from rulelang.data.yaml_nodes import YamlNode, YamlScalar

_MOST = 5


def fitted(found: Iterable[Diagnostic], source: RulesetSource) -> list[Diagnostic]:
    """The same mistakes; where a version is out of range, with what of the mod no longer fits."""
    items = list(found)
    unmet = dict(source.unmet)
    return [
        _with_places(item, unmet[item.span], items) if item.code == "Y137" and item.span in unmet else item
        for item in items
    ]


def _with_places(item: Diagnostic, mod: str, items: Sequence[Diagnostic]) -> Diagnostic:
    home = item.span.path.rpartition("/")[0]
    theirs = [d for d in items if d.span.path.startswith(f"{home}/") and d.severity == "error" and d.code != "Y137"]
    hint = item.hint
    if not theirs:
        fit = f"everything that `{mod}` changes exists in this version, so it may work"
        hint = hint or f"test `{mod}` with this version, then widen the range"
    else:
        # Several mistakes may be in one line.
        places = list(dict.fromkeys(f"{d.span.path.removeprefix(home + '/')}:{d.span.line}" for d in theirs))
        more = f" and {len(places) - _MOST} more" if len(places) > _MOST else ""
        fits = "fits" if len(places) == 1 else "fit"
        fit = f"{counted(len(places), 'place')} of `{mod}` no longer {fits}: {', '.join(places[:_MOST])}{more}"
    return replace(item, because=f"{item.because}; {fit}" if item.because else fit, hint=hint)


def met_otherwise(changes: Sequence[Change], layers: Sequence[Layer], wanted: Sequence[Wanted]) -> Iterator[Diagnostic]:
    """Y162 for each patch that meets another value than it did when its mod was locked."""
    held = {item.manifest.id: item.held.map("met") for item in wanted if item.held is not None}
    for change in changes:
        layer = layers[change.layer]
        entry = held.get(layer.id) if layer.kind == "mod" else None
        before = entry.get(change.path) if entry is not None else None
        now = text_of(change.before)
        if isinstance(before, YamlScalar) and before.text != now:
            message = f"`{change.path}` was {before.text} when you locked `{layer.id}`, and is {now} now"
            related = (Related(before.span, "the lock records the former value here"),)
            because = "this patch may no longer do what its author meant"
            hint = "check the patch, then update the lock with `rulelang mods lock`"
            yield Diagnostic("Y162", change.span, message, because, hint, related, "warning")


def text_of(node: YamlNode | None) -> str:
    """What a patch meets, on one line; long things by their beginning."""
    text = "nothing" if node is None else str(node.plain()).replace("\n", " ")
    return text if len(text) <= 60 else f"{text[:57]}..."
