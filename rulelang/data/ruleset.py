"""Load a ruleset: from its name, mods and a mode to one merged, checked source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.limits import garbage_collection_paused
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import counted, did_you_mean, quoted_list
from rulelang.data.deep_merge import Clashes
from rulelang.data.folders import Unreadable, read_file
from rulelang.data.layers import LayerReader, Merger
from rulelang.data.manifest import Manifest, check_versions
from rulelang.data.mods import Stack, WantedMod, gather_mods
from rulelang.data.patches import Change
from rulelang.data.patching import Patcher
from rulelang.data.pictures import check_pictures
from rulelang.data.ruleset_source import Layer, LayerKind, RulesetSource, RulesOwner, RulesText, TraitFile
from rulelang.data.schema import check_schema
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq

# ---- compatibility of mods

_MOST = 5


def explain_incompatible(found: Iterable[Diagnostic], source: RulesetSource) -> list[Diagnostic]:
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


def report_changed_targets(
    changes: Sequence[Change], layers: Sequence[Layer], wanted: Sequence[WantedMod]
) -> Iterator[Diagnostic]:
    """Y162 for each patch that meets another value than it did when its mod was locked."""
    held = {item.manifest.id: item.held.map("met") for item in wanted if item.held is not None}
    for change in changes:
        layer = layers[change.layer]
        entry = held.get(layer.id) if layer.kind == "mod" else None
        before = entry.get(change.path) if entry is not None else None
        now = short_value_text(change.before)
        if isinstance(before, YamlScalar) and before.text != now:
            message = f"`{change.path}` was {before.text} when you locked `{layer.id}`, and is {now} now"
            related = (Related(before.span, "the lock records the former value here"),)
            because = "this patch may no longer do what its author meant"
            hint = "check the patch, then update the lock with `rulelang mods lock`"
            yield Diagnostic("Y162", change.span, message, because, hint, related, "warning")


def short_value_text(node: YamlNode | None) -> str:
    """What a patch meets, on one line; long things by their beginning."""
    text = "nothing" if node is None else str(node.plain()).replace("\n", " ")
    return text if len(text) <= 60 else f"{text[:57]}..."


# ---- loading

# What must be said somewhere: in one file or another, so a single file cannot be asked for it.
_NEEDED = (("options", "default"), ("zones", "holds"), ("tables", "of"), ("grids", "maps"))
_TRAIT_KEYS = ("trait", "name", "text", "rules", "pair", "state", "cards", "needs", "knows", "scenarios")


def load_ruleset(
    where: str | Path,
    mods: Sequence[str | Path] = (),
    mode: str | None = None,
    *,
    without: frozenset[Span] = frozenset(),
    memo: NullCache = NULL_CACHE,
) -> tuple[RulesetSource | None, Diagnostics]:
    """Find, read, check and merge a ruleset (a shipped id, a folder, a zip or a package), mods over it, and a mode.

    `where` may itself be a mod: what it extends is found beside it. All independent mistakes are reported in one run;
    the source is None only if no manifest of a base ruleset could be used. `without`: patches that are left out, by
    their places. `memo` keeps what is read of single files.
    """
    with garbage_collection_paused():
        return _load(where, mods, mode, without, memo)


def _load(
    where: str | Path, mods: Sequence[str | Path], mode: str | None, without: frozenset[Span], memo: NullCache
) -> tuple[RulesetSource | None, Diagnostics]:
    diagnostics = Diagnostics()
    given = gather_mods(where, mods, diagnostics)
    if given is None:
        return None, diagnostics
    stack = given.stack
    base, ordered = stack.base, stack.mods
    plan = _layers(stack, mode, diagnostics)
    clashes = Clashes(diagnostics, lambda a, b: a in plan[b][0].after)
    patcher = Patcher(diagnostics, clashes.ordered, clashes)
    merger = Merger(diagnostics, patcher, memo=memo)
    reader = LayerReader(diagnostics, merger, frozenset(stack.known), without, memo, sources=dict(given.lists.texts))
    for manifest in (base, *ordered):
        check_versions(manifest, diagnostics)
        _check_manifest(manifest, diagnostics, memo)
    for layer, manifest in plan:
        reader.read(layer, manifest)
    clashes.tell()
    history = patcher.history()
    diagnostics.extend(report_changed_targets(history.changes, [layer for layer, _ in plan], given.wanted))
    for manifest in (base, *ordered):
        reader.unread(manifest)
    traits = tuple(replace(trait, node=merger.traits[trait.id]) for trait in reader.traits)
    _check_trait_keys(traits, merger.tree.map("traits"), diagnostics)
    rules = (*reader.rules, *_embedded(merger.tree, traits, diagnostics))
    reader.sources.update((text.placement.path, text.text) for text in rules if text.span.is_cell)
    if reader.complete:
        _check_needed(merger.tree, diagnostics)
        check_pictures(merger.tree.map("look"), [manifest.folder for _, manifest in plan], diagnostics)
    source = RulesetSource(
        id=base.id,
        given=given.ids,
        version=base.version,
        title=title_of(given.first.root),
        manifest=base.root,
        mods=tuple(m.root for m in ordered),
        mode=mode,
        layers=tuple(layer for layer, _ in plan),
        tree=merger.tree,
        rules=rules,
        traits=traits,
        scenario_files=tuple(reader.scenario_files),
        citations=tuple(reader.citations),
        removed=tuple(patcher.removed),
        history=history,
        renames=tuple(patcher.renames),
        disabled=tuple(patcher.disabled),
        sources=reader.sources,
        content_hash=reader.digest(),
        complete=reader.complete,
        unmet=tuple(stack.unmet),
        card_files=tuple(reader.card_files),
        odd=reader.odd,
    )
    return source, diagnostics


def _check_manifest(manifest: Manifest, diagnostics: Diagnostics, memo: NullCache) -> None:
    schema, file = "mod" if manifest.is_mod else "ruleset", manifest.file
    memo.with_diagnostics(
        "manifest", (schema, file.path, file.text), diagnostics, lambda out: check_schema(schema, file, out)
    )


def read_affected_texts(diagnostics: Diagnostics) -> dict[str, str]:
    """The texts of the files that diagnostics point into, read anew: for drawing when there is no source."""
    found: dict[str, str] = {}
    for path in {item.span.path for item in diagnostics}:
        try:
            text = read_file(Path(path)).decode("utf-8-sig")
        except (Unreadable, ValueError):
            continue
        found[path] = text.replace("\r\n", "\n")
    return found


def title_of(root: YamlMap) -> str:
    """The title, in English if it is given in several languages; the id if there is none."""
    title = root.get("title")
    if isinstance(title, YamlMap) and title.items:
        return title.text("en") or title.text(title.items[0][0].text) or ""
    return root.text("title") or root.text("id") or ""


def _layers(stack: Stack, mode: str | None, diagnostics: Diagnostics) -> list[tuple[Layer, Manifest]]:
    """Base, mods, the base's mode, the mods' modes, each knowing which layers it is ordered after."""
    base, mods = stack.base, stack.mods
    plan: list[tuple[Layer, Manifest]] = []

    def put(kind: LayerKind, name: str, manifest: Manifest, span: Span, after: frozenset[int]) -> None:
        version, title = manifest.version, title_of(manifest.root)
        plan.append((Layer(len(plan), kind, name, manifest.id, span, version, title, after), manifest))

    def behind(manifest: Manifest, kind: LayerKind) -> frozenset[int]:
        """Every layer of another kind that stands before, and those of mods that this one builds on or follows."""
        above = stack.above(manifest.id)
        return frozenset(layer.index for layer, m in plan if layer.kind != kind or m is base or m.id in above)

    put("base", base.id, base, base.span, frozenset())
    for mod in mods:
        put("mod", mod.id, mod, mod.span, behind(mod, "mod"))
    if mode is None:
        return plan
    names: list[str] = []
    for manifest in (base, *mods):
        modes = manifest.root.map("modes")
        names.extend(modes.keys())
        key = modes.key(mode)
        if key is not None:
            put("mode", mode, manifest, key.span, behind(manifest, "mode"))
    if mode not in names:
        key = base.root.key("modes")
        because = (
            f"the modes are {quoted_list(sorted(set(names)))}"
            if len(set(names)) > 1
            else f"the only mode is `{names[0]}`"
            if names
            else "this ruleset has no modes"
        )
        hint = did_you_mean(mode, names)
        diagnostics.error(
            "Y139", key.span if key else base.span, f"there is no mode `{mode}`", because=because, hint=hint
        )
    return plan


def _check_needed(tree: YamlMap, diagnostics: Diagnostics) -> None:
    """After merging, every zone says what it holds, and so on."""
    for section, word in _NEEDED:
        for key, node in tree.map(section).items:
            if isinstance(node, YamlMap) and node.get(word) is None:
                because = f"each entry of `{section}:` needs `{word}:`"
                message = f"missing key `{word}` in `{key.text}`"
                diagnostics.error("Y122", key.span, message, because=because, hint=f"add `{word}: ...`")


def _check_trait_keys(traits: Sequence[TraitFile], columns: YamlMap, diagnostics: Diagnostics) -> None:
    """A trait file says what every trait file may say, and what the ruleset's `traits:` declares. Of a key that is not
    known, nothing is said of the value."""
    for trait in traits:
        for key, value in trait.node.items:
            if key.text in _TRAIT_KEYS or columns.get(key.text) is not None:
                continue
            place = value.span if isinstance(value, YamlScalar) else value.span.head()
            diagnostics.items[:] = [item for item in diagnostics if (item.code, item.span) != ("Y121", place)]
            known = (*_TRAIT_KEYS, *columns.keys())
            because = "a trait file can have only the standard keys and the columns in `traits:` of the ruleset"
            hint = did_you_mean(key.text, known)
            diagnostics.error("Y120", key.span, f"unknown key `{key.text}`", because=because, hint=hint)


def _embedded(tree: YamlMap, traits: Sequence[TraitFile], diagnostics: Diagnostics) -> list[RulesText]:
    """The rules texts inside YAML: of rows of lists, ladders and cards, then of traits."""
    found: list[RulesText] = []

    def take(node: YamlNode | None, owner: RulesOwner) -> None:
        if isinstance(node, YamlSeq):  # the rules of one layer after the other
            for item in node.items:
                take(item, owner)
            return
        if not isinstance(node, YamlScalar) or not isinstance(node.value, str):
            return
        if not node.exact and not node.span.is_cell:
            message = "rules cannot be written as folded or escaped text"
            because = "its lines differ from those in the file, so messages could not show the right place"
            diagnostics.error(
                "Y123",
                node.span,
                message,
                because=because,
                hint="write `rules: |` and put the rules on the next lines, indented",
            )
            return
        found.append(RulesText(node.text, node.placement(), node.layer, owner, node.span))

    for section, kind in (("lists", "row"), ("ladders", "row"), ("cards", "card")):
        for name, node in tree.map(section).items:
            rows = node.map("rows") if isinstance(node, YamlMap) else YamlMap((), NOWHERE)
            for index, (key, row) in enumerate(rows.items):
                rules = row.get("rules") if isinstance(row, YamlMap) else None
                if rules is not None:
                    take(rules, RulesOwner("card" if kind == "card" else "row", key.text, name.text, index))
    for trait in traits:
        take(trait.node.get("rules"), RulesOwner("trait", trait.id))
    return found
