"""Read and merge layer after layer: sections, traits, card files, rules texts, and rows that copy others."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import TypeVar

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.limits import CELLS, VALUES
from rulelang.base.memo import NULL_CACHE, IdentityKey, NullCache
from rulelang.base.node import record
from rulelang.base.source import NOWHERE, Placement, Span
from rulelang.base.wording import did_you_mean
from rulelang.data.card_sources import TABLES, CardFile, Source, listing_hint, read_source, sources_of, unparted
from rulelang.data.catalogues import is_catalogue, parse_catalogue
from rulelang.data.deep_merge import deep_merge, leaf_paths, normalize
from rulelang.data.folders import (
    Folder,
    PathEscape,
    TooLarge,
    TooMuch,
    Trail,
    Unreadable,
    add_to_trail,
    check_inside,
    record_trail,
)
from rulelang.data.manifest import MANIFESTS, Manifest, Need
from rulelang.data.patch_paths import cell_text, parse_pick, row_matches
from rulelang.data.patches import ROW_SECTIONS, Change, Patch, Rename, Verb, rename_in_map, renamed_path
from rulelang.data.patching import Patcher
from rulelang.data.pictures import PICTURE_KINDS
from rulelang.data.ruleset_source import Layer, RulesOwner, RulesText, ScenarioFile, TraitFile
from rulelang.data.schema import check_and_fix
from rulelang.data.text import decode, too_large
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, node_kind
from rulelang.data.yaml_reader import Citation, YamlFile, read_yaml

# ---- one file


@record
class LayerFile:
    """`root`: the tree to go on with; None where the file is empty, `broken`, or no map. `is_trait`: of a trait, else
    of sections. `sound`: it fits its schema."""

    file: YamlFile
    root: YamlMap | None
    broken: bool = False
    is_trait: bool = False
    sound: bool = False


def read_layer_file(data: bytes, path: str, layer: int, diagnostics: Diagnostics) -> LayerFile:
    """Read a file of sections or of a trait. It depends on what it is given, and on nothing else."""
    found = Diagnostics()
    file = read_yaml(data, path, found, layer)
    diagnostics.extend(found)
    if file.root is None:
        return LayerFile(file, None, broken=len(found) > 0)
    if not isinstance(file.root, YamlMap):
        because = "a file of a ruleset contains sections (`numbers:`, `cards:`, ...) or a trait"
        hint = "begin it with a section, such as `numbers:`, or with `trait: NAME`; put scenarios in `scenarios/`"
        message = f"expected a map, found {node_kind(file.root)}"
        diagnostics.error("Y106", file.root.span, message, because=because, hint=hint)
        return LayerFile(file, None)
    root = _meant_trait(file.root, diagnostics)
    is_trait = root.get("trait") is not None
    if is_trait:
        root, sound = check_and_fix("trait", replace(file, root=root), diagnostics)
    else:
        root, sound = check_and_fix("components", file, diagnostics)
    return LayerFile(file, root, False, is_trait, sound)


def _meant_trait(root: YamlMap, diagnostics: Diagnostics) -> YamlMap:
    """A file with the key `trait` is a trait's; so is meant to be one with rules whose first key is like it."""
    first = root.items[0][0] if root.items else None
    hint = did_you_mean(first.text, ("trait",)) if first is not None else ""
    if first is None or not hint or root.get("trait") is not None or root.get("rules") is None:
        return root
    diagnostics.error(
        "Y120",
        first.span,
        f"unknown key `{first.text}`",
        because="a file with `rules:` is a trait file, which must begin with `trait: NAME`",
        hint=hint,
    )
    items = ((replace(first, text="trait"), root.items[0][1]), *root.items[1:])
    return YamlMap(items, root.span, root.layer)


# ---- maps as layers want them

#: What a manifest says that is merged as the sections of files are.
MANIFEST_SECTIONS = ("players", "teams", "options")


def sections_of(manifest: Manifest, layer: Layer) -> YamlMap:
    root = _stamped(manifest.root, layer.index)
    return YamlMap(tuple(item for item in root.items if item[0].text in MANIFEST_SECTIONS), root.span, root.layer)


def without_sources(root: YamlMap) -> YamlMap:
    """The sections without the `from:` of sorts of cards."""
    cards = root.get("cards")
    if not isinstance(cards, YamlMap):
        return root
    sorts = tuple(
        (key, without_keys(sort, ("from",)) if isinstance(sort, YamlMap) else sort) for key, sort in cards.items
    )
    changed = YamlMap(sorts, cards.span, cards.layer)
    return YamlMap(tuple((k, changed if k.text == "cards" else v) for k, v in root.items), root.span, root.layer)


def without_keys(root: YamlMap, names: tuple[str, ...]) -> YamlMap:
    return YamlMap(tuple(item for item in root.items if item[0].text not in names), root.span, root.layer)


def nest_value(path: tuple[str, ...], last: str, value: YamlNode) -> YamlMap:
    """`{a: {b: {last: value}}}` for path (a, b), all standing where `value` stands."""
    key = YamlScalar(last, value.span, last, "plain", value.layer)
    node = YamlMap(((key, value),), value.span, value.layer)
    for word in reversed(path):
        key = YamlScalar(word, value.span, word, "plain", value.layer)
        node = YamlMap(((key, node),), value.span, value.layer)
    return node


def _stamped(node: YamlMap, layer: int) -> YamlMap:
    """The same map with the index of the layer in every node (manifests are read before layers have numbers)."""
    if layer == 0:
        return node
    return YamlMap(tuple((_stamp_key(k, layer), _stamp(v, layer)) for k, v in node.items), node.span, layer)


def _stamp_key(key: YamlScalar, layer: int) -> YamlScalar:
    return YamlScalar(key.value, key.span, key.text, key.style, layer, key.indent)


def _stamp(node: YamlNode, layer: int) -> YamlNode:
    if isinstance(node, YamlMap):
        return _stamped(node, layer)
    if isinstance(node, YamlSeq):
        return YamlSeq(tuple(_stamp(item, layer) for item in node.items), node.span, layer)
    return _stamp_key(node, layer)


# ---- rows that copy others

LIKE = "like"
#: What a trait does not take over: what it is called, and what tests or prints the other.
_OWN_KEYS = ("trait", "name", "cards", "scenarios", LIKE)

Item = tuple[YamlScalar, YamlNode]


@dataclass(slots=True)
class Copier:
    """Fills in what rows and traits of one layer copy: of the layers below, as they are before this one changes them,
    or of the same layer."""

    diagnostics: Diagnostics
    layer: int
    tree: YamlMap
    traits: Mapping[str, YamlMap]
    changes: list[Change]
    _open: set[int] = field(default_factory=set)  # whose originals are being looked for

    def sections(self, sections: Sequence[YamlMap]) -> list[YamlMap]:
        """The sections of a layer, in their usual shape, with all rows whole."""
        if not any(_copies(section) for section in sections):
            return list(sections)
        return [self._section(section, sections) for section in sections]

    def _section(self, section: YamlMap, own: Sequence[YamlMap]) -> YamlMap:
        items: list[Item] = []
        for key, node in section.items:
            if key.text in ROW_SECTIONS and isinstance(node, YamlMap):
                lists = tuple((name, self._list(key.text, name.text, part, own)) for name, part in node.items)
                node = YamlMap(lists, node.span, node.layer)
            items.append((key, node))
        return YamlMap(tuple(items), section.span, section.layer)

    def _list(self, section: str, name: str, node: YamlNode, own: Sequence[YamlMap]) -> YamlNode:
        if not isinstance(node, YamlMap) or not isinstance(node.get("rows"), YamlMap):
            return node
        layers = [self.tree, *own]
        if any(tree.map(section).map(name).map("columns").get(LIKE) is not None for tree in layers):
            return node  # a column of that name
        rows = [item for tree in layers for item in tree.map(section).map(name).map("rows").items]
        known = [key.text for key, _ in rows if key.text]

        def original(word: YamlScalar, but: YamlNode) -> YamlMap | None:
            pick = parse_pick(word.text)
            found = [
                row
                for key, row in rows
                if row is not but
                and isinstance(row, YamlMap)
                and (row_matches(row, pick) if pick.cells else key.text == word.text)
            ]
            if len(found) == 1:
                return found[0]
            many = f"{len(found)} rows of `{name}`" if found else f"no row of `{name}`"
            what = f"{many} {'are' if found else 'is'} called `{word.text}`"
            hint = did_you_mean(word.text, known)
            if pick.cells:
                what = f"{many} {'have' if found else 'has'} `{word.text}`"
                column, value = pick.cells[0]
                said = [text for _, row in rows if row is not but and (text := cell_text(row, column))]
                hint = did_you_mean(value, said)
                if found:
                    hint = "add another cell: `like: COLUMN=VALUE, COLUMN=VALUE`"
            because = "`like:` must identify exactly one row, by name or by cell values"
            self.diagnostics.error("Y150", word.span, what, because=because, hint=hint)
            # Any row will do, so that no cell is missed besides.
            return next((row for _, row in rows if isinstance(row, YamlMap) and row.get(LIKE) is None), None)

        inner = tuple(
            (key, self._rows(value, original, (section, name)) if key.text == "rows" else value)
            for key, value in node.items
        )
        return YamlMap(inner, node.span, node.layer)

    def _rows(
        self, rows: YamlNode, original: Callable[[YamlScalar, YamlNode], YamlMap | None], of: tuple[str, str]
    ) -> YamlNode:
        if not isinstance(rows, YamlMap):
            return rows
        whole = []
        for key, row in rows.items:
            place = (*of, "rows", key.text)
            whole.append((key, self._whole(row, original, (LIKE,), place) if isinstance(row, YamlMap) else row))
        return YamlMap(tuple(whole), rows.span, rows.layer)

    def files(self, traits: Sequence[YamlMap]) -> list[YamlMap]:
        """The files of a layer's traits with what they copy."""
        if not any(file.get(LIKE) is not None for file in traits):
            return list(traits)
        own = {file.text("trait") or "": file for file in traits}

        def original(word: YamlScalar, but: YamlNode) -> YamlMap | None:
            found = own.get(word.text)
            found = found if found is not None and found is not but else self.traits.get(word.text)
            if found is None:
                because = "`like:` names the trait to copy"
                hint = did_you_mean(word.text, [name for name in (*self.traits, *own) if own.get(name) is not but])
                message = f"there is no trait `{word.text}`"
                self.diagnostics.error("Y150", word.span, message, because=because, hint=hint)
            return found

        return [self._whole(file, original, _OWN_KEYS, ("traits", file.text("trait") or "")) for file in traits]

    def _whole(
        self,
        node: YamlMap,
        original: Callable[[YamlScalar, YamlNode], YamlMap | None],
        own: tuple[str, ...],
        place: tuple[str, ...],
    ) -> YamlMap:
        """The row or file with what it takes over from its original; its own keys come first, and stay."""
        word = node.get(LIKE)
        if word is None:
            return node
        kept = tuple(item for item in node.items if item[0].text != LIKE)
        bare = YamlMap(kept, node.span, node.layer)
        if not isinstance(word, YamlScalar):
            return bare
        if id(node) in self._open:
            because = "each of them would be a copy of another one"
            self.diagnostics.error("Y150", word.span, "`like:` forms a cycle", because=because)
            return bare
        self._open.add(id(node))
        found = original(word, node)
        if found is None:
            self._open.discard(id(node))
            return bare
        found = self._whole(found, original, own, place)
        self._open.discard(id(node))
        said = {key.text for key, _ in kept}
        taken = tuple(item for item in found.items if item[0].text not in said and item[0].text not in own)
        whole = YamlMap((*kept, *taken), node.span, node.layer)
        path = ".".join(part for part in place if part)
        self.changes.append(Change(self.layer, "like", path, place, word.span, found, whole))
        return whole


def _copies(section: YamlMap) -> bool:
    return any(
        isinstance(row, YamlMap) and row.get(LIKE) is not None
        for name in ROW_SECTIONS
        for _, part in section.map(name).items
        if isinstance(part, YamlMap)
        for _, row in part.map("rows").items
    )


# ---- merging

EMPTY = YamlMap((), NOWHERE)


@dataclass(slots=True)
class Merger:
    """Folds one layer after the other into `tree` and `traits` (the files of traits, by id)."""

    diagnostics: Diagnostics
    patcher: Patcher
    tree: YamlMap = EMPTY
    traits: dict[str, YamlMap] = field(default_factory=dict)
    memo: NullCache = NULL_CACHE
    fresh: list[Rename] = field(default_factory=list)  # what the layer that was laid last has renamed

    def lay(
        self, layer: int, patches: Sequence[Patch], sections: Sequence[YamlMap], traits: Sequence[YamlMap]
    ) -> list[YamlMap]:
        """One layer: what it changes of the layers below, then what its files add (their `sections`).

        The files of its own `traits` come back as they are with what they copy; they are not entered yet.
        """
        unknown = [r for r in self.patcher.renames if not self.patcher.ordered(r.layer, layer)]
        if unknown:  # this layer speaks as the layers did before others gave things new names
            sections = [rename_in_map(section, unknown) for section in sections]
            traits = [rename_in_map(trait, unknown) for trait in traits]
            patches = [_translated(patch, unknown) for patch in patches]
        copier = Copier(self.diagnostics, layer, self.tree, self.traits, self.patcher.changes)
        told = partial(self.memo.with_diagnostics, "usual shape", out=self.diagnostics)
        added = copier.sections([told(key=IdentityKey(new), make=partial(normalize, new)) for new in sections])
        brought = copier.files(traits)
        if patches:
            self.tree, self.traits = self.patcher.carry_out(patches, self.tree, self.traits, sections)
        self.fresh = [r for r in self.patcher.renames if r.layer == layer]
        if self.fresh:
            self.tree = rename_in_map(self.tree, self.fresh)
            names = {r.old: r.new for r in self.fresh}
            self.traits = {names.get(name, name): rename_in_map(node, self.fresh) for name, node in self.traits.items()}
        clashes = self.patcher.clashes
        if added:
            self.tree = deep_merge((self.tree, *added), (), clashes, self.memo)
        for place in (place for new in added for place in leaf_paths(new, ())) if clashes.held else ():
            clashes.settle(layer, place)
        self.patcher.note_rows(self.tree, layer)
        return brought


def _translated(patch: Patch, renames: Sequence[Rename]) -> Patch:
    """A patch of a layer that does not know of new names."""
    value = patch.value
    if isinstance(value, YamlMap):
        value = rename_in_map(value, renames)
    return replace(patch, path=renamed_path(patch.path, renames), value=value)


# ---- reading layers

T = TypeVar("T")

_IGNORED = ("readme", "license", "licence", "changelog", "credits")
_OF_PATHS: tuple[Verb, ...] = ("set", "add", "multiply", "extend", "rename")
_LISTED: tuple[Verb, ...] = ("remove", "disable")
_OWN = "a ruleset can read only files in its own folder"
_COPY = "copy the file into this folder, and give its path there"
_BOUND = "this limit keeps a malicious ruleset from exhausting memory"
VERBS = (*_OF_PATHS, *_LISTED)
_PICTURE = re.compile(r"[\w-][\w./-]*\.(?:svg|png)")
_KINDS = (".yaml", ".rules", *TABLES)


@dataclass(slots=True)
class LayerReader:
    """Reads layers in order into `merger` and gathers all that is not merged."""

    diagnostics: Diagnostics
    merger: Merger
    present: frozenset[str] = frozenset()  # the ids of all that is laid
    without: frozenset[Span] = frozenset()  # patches that are left out
    memo: NullCache = NULL_CACHE
    rules: list[RulesText] = field(default_factory=list)
    traits: list[TraitFile] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    scenario_files: list[ScenarioFile] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    card_files: list[CardFile] = field(default_factory=list)
    odd: dict[Span, Diagnostic] = field(default_factory=dict)
    complete: bool = True
    _read: dict[str, set[str]] = field(default_factory=dict)
    _values: int = 0
    _cells: int = 0
    _listed: dict[str, list[str]] = field(default_factory=dict)
    _hash: list[tuple[str, bytes]] = field(default_factory=list)
    _sections: list[YamlMap] = field(default_factory=list)  # of the layer that is being read
    _traits: list[TraitFile] = field(default_factory=list)

    def digest(self) -> str:
        """SHA-256 over the names and bytes of what was read, in order (scenarios left out)."""
        whole = hashlib.sha256()
        for name, data in self._hash:
            whole.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
            whole.update(data)
        return whole.hexdigest()

    def _files(self, manifest: Manifest) -> list[str]:
        if manifest.file.path not in self._listed:
            try:
                self._listed[manifest.file.path] = self._of_folder(manifest.folder, "", manifest.folder.files)
            except TooMuch as mistake:
                self._listed[manifest.file.path] = []
                self.complete = False
                self._too_much(manifest.folder, mistake)
        return self._listed[manifest.file.path]

    def read(self, layer: Layer, manifest: Manifest) -> None:
        """Read all files of a layer; then take out and set what it says of those below, and add what it brings."""
        self._hash.append((f"{layer.kind} {layer.of} {layer.id} {manifest.name}", manifest.data))
        self._read.setdefault(manifest.file.path, set()).add(manifest.name)
        patches: list[Patch] = []
        if layer.kind == "mode":
            entry = manifest.root.map("modes").map(layer.id)
            players = entry.get("players")
            if players is not None:
                patches.append(Patch("set", "players.count", players.span, layer.index, players, quiet=True))
            files = entry.get("files")
        else:
            self.sources[manifest.file.path] = manifest.file.text
            self.citations.extend(Citation(c.rule_id, c.span, layer.index) for c in manifest.file.citations)
            key = manifest.file.path, manifest.file.text, layer.index
            self._sections.append(
                self.memo.get_or_compute("sections of manifests", key, partial(sections_of, manifest, layer))
            )
            files = manifest.root.get("files")
        lists = [files]
        if layer.kind != "mode":
            optional = manifest.needs("optional").values()
            self._listed_twice(manifest, files, optional)
            lists += [need.files for need in optional if need.name in self.present and need.files is not None]
        tables: dict[str, Span] = {}
        used: set[str] = set()
        for name, span in dict(item for listed in lists for item in self._expand(manifest, listed)).items():
            if name.endswith(TABLES):
                tables[name] = span
            elif name.endswith(".rules"):
                self._rules(layer, manifest, name, span)
            else:
                patches.extend(self._yaml(layer, manifest, name, span, used))
        for name, span in tables.items():
            self._read[manifest.file.path].add(name)
            if name not in used and self.complete:
                hint = listing_hint(PurePosixPath(name))
                self.diagnostics.error("Y134", span, f"no card type reads `{name}`", hint=hint)
        patches = [patch for patch in patches if patch.span not in self.without]
        whole = self.merger.lay(layer.index, patches, self._sections, [trait.node for trait in self._traits])
        names = {rename.old: rename.new for rename in self.merger.fresh}
        self.traits = [replace(trait, id=names.get(trait.id, trait.id)) for trait in self.traits]
        self.traits = [trait for trait in self.traits if trait.id in self.merger.traits]
        for trait, node in zip(self._traits, whole, strict=True):
            self._bring(replace(trait, id=node.text("trait") or trait.id, node=node))
        self._sections, self._traits = [], []
        if layer.kind != "mode":
            self._scenarios(layer, manifest)

    def unread(self, manifest: Manifest) -> None:
        """Report files in the folder that nothing reads, and files that other modes list and that are missing."""
        read = self._read.setdefault(manifest.file.path, set())
        for _, mode in manifest.root.map("modes").items:
            if isinstance(mode, YamlMap):
                read.update(name for name, _ in self._expand(manifest, mode.get("files")))
        for need in manifest.needs("optional").values():  # what is read only beside another mod
            read.update(name for name, _ in self._expand(manifest, need.files))
        files = self._files(manifest)
        nested = {str(PurePosixPath(f).parent) for f in files if PurePosixPath(f).name in MANIFESTS and "/" in f}
        if self.diagnostics.full:
            return
        lost = read.difference(files)
        near = [c for c in files if c.endswith(TABLES)]
        homes = {str(PurePosixPath(f).parent): f for f in read if f.endswith(".yaml")} if near else {}
        tables = {self._beside(f, c) for f in homes.values() for c in near}
        pictures = self._pictures() if any(f.endswith(tuple(PICTURE_KINDS)) for f in files) else set()
        for name in files:
            path = PurePosixPath(name)
            if name in read or path.parts[0] in ("scenarios", "mods") or path.name.lower().startswith(_IGNORED):
                continue
            if is_catalogue(name):
                self._catalogue(manifest, name)
                continue
            if name in pictures:
                continue  # a picture, which a layer above may have put another one over
            if path.suffix in (".py", ".lock", ".zip") or any(str(p) in nested for p in path.parents):
                continue
            if name in tables and not self.complete:
                continue
            hint = did_you_mean(name, lost) or f"{listing_hint(path)}, or delete the file"
            span = Span(manifest.folder.display(name), 1, 1, 1, 1)
            because = f"the folder contains it, but `files:` in `{manifest.name}` does not list it"
            self.diagnostics.error("Y134", span, f"nothing reads `{name}`", because=because, hint=hint)

    def _listed_twice(self, manifest: Manifest, files: YamlNode | None, optional: Iterable[Need]) -> None:
        """Y186 for a file that `files:` lists, and `optional:` only if another mod is there."""
        always = dict(self._expand(manifest, files))
        for need in optional:
            for name, span in self._expand(manifest, need.files) if need.files is not None else ():
                if name in always:
                    message = f"`{name}` is also listed under `files:`, so rulelang always reads it"
                    because = f"a file under `optional:` must be read only together with its mod, `{need.name}`"
                    related = [Related(always[name], "it is listed here")]
                    hint = "delete it from one of the two lists"
                    self.diagnostics.error("Y186", span, message, because=because, hint=hint, related=related)

    def _catalogue(self, manifest: Manifest, name: str) -> None:
        """Report what is wrong with the form of a catalogue: without a word it would say nothing at all."""
        data = self._bytes(manifest.folder, name, manifest.span, hashed=False)
        if data is None:
            return
        path = manifest.folder.display(name)
        own = Diagnostics()
        self.memo.with_diagnostics(
            "catalogue", (data, path), own, lambda out: parse_catalogue(data, path, out) is not None
        )
        if own:
            self.sources[path] = decode(data, path, Diagnostics()) or ""
            self.diagnostics.extend(own)

    def _pictures(self) -> set[str]:
        """The names of pictures in all texts."""
        return {name for text in self.sources.values() for name in _PICTURE.findall(text)}

    @staticmethod
    def _beside(yaml: str, table: str) -> str:
        return str(PurePosixPath(yaml).parent / table)

    def _expand(self, manifest: Manifest, files: YamlNode | None) -> list[tuple[str, Span]]:
        """The files an include list names: each entry a file, or a folder (with `/` at its end) of YAML files."""
        found: dict[str, Span] = {}
        everything = self._files(manifest)
        there = frozenset(everything)
        homes: dict[str, list[str]] = {}
        for inner in everything:
            if inner.endswith(".yaml"):
                homes.setdefault(str(PurePosixPath(inner).parent), []).append(inner)
        report = self.diagnostics
        for item in files.items if isinstance(files, YamlSeq) else ():
            if not isinstance(item, YamlScalar):
                continue
            name = item.text
            try:
                check_inside(name)
            except PathEscape as mistake:
                report.error("Y133", item.span, f"`{name}` cannot be read: {mistake}", because=_OWN, hint=_COPY)
                continue
            folder = name.endswith("/")
            name = str(PurePosixPath(name))
            if PurePosixPath(name).parts[:1] == ("scenarios",):
                because = "rulelang always reads this folder, and tests are not part of the rules"
                message = "the folder `scenarios/` cannot be listed"
                report.error("Y106", item.span, message, because=because, hint="leave it out")
                continue
            if folder:
                within = homes.get(name, [])
                if not within:
                    self._missing(report, item, f"the folder `{name}/` contains no .yaml file", everything)
                for inner in within:
                    found.setdefault(inner, item.span)
                continue
            if name in MANIFESTS:
                report.error("Y138", item.span, "a manifest cannot list itself", hint="delete this entry")
            elif PurePosixPath(name).suffix not in _KINDS:
                because = "a ruleset consists of .yaml and .rules files, and of .csv, .tsv and .xlsx files with rows"
                message = f"`{name}` has an unsupported file type"
                report.error("Y145", item.span, message, because=because, hint="delete it from `files:`")
            elif name in found:
                related = [Related(found[name], "it is listed here first")]
                report.error("Y103", item.span, f"`{name}` is listed twice", related=related)
            elif name not in there:
                self._missing(report, item, f"there is no file `{name}`", everything)
                if unparted(name, everything):
                    found.update(dict.fromkeys(name.split(), item.span))
            else:
                found[name] = item.span
        return list(found.items())

    def _missing(self, report: Diagnostics, item: YamlScalar, message: str, everything: list[str]) -> None:
        self.complete = False
        if not everything or report.full:
            return  # too many to be listed, as was told
        folders = {f"{f.rpartition('/')[0]}/" for f in everything if "/" in f}
        hint = unparted(item.text, everything) or did_you_mean(item.text, [*everything, *folders])
        report.error("Y132", item.span, message, hint=hint)

    def _too_much(self, folder: Folder, mistake: TooMuch) -> None:
        place = Span(folder.display(""), 1, 1, 1, 1)
        self.diagnostics.error(
            "Y107", place, f"this folder or zip contains {mistake}", because=_BOUND, hint=mistake.hint
        )

    def _of_folder(self, folder: Folder, name: str, look: Callable[[], T]) -> T:
        """Return what is in a folder. Variants checked one after the other have it from the first; a check that comes
        after a change looks again."""
        if self.memo.again:
            return look()

        def looked() -> tuple[T, Trail]:
            with record_trail() as trail:
                return look(), trail

        found, trail = self.memo.get_or_compute("files", (str(folder.root), folder.inner, name), looked)
        add_to_trail(trail)
        return found

    def _bytes(self, folder: Folder, name: str, span: Span, *, hashed: bool = True) -> bytes | None:
        try:
            data = self._of_folder(folder, name, lambda: folder.read(name))
        except PathEscape as mistake:
            self.diagnostics.error("Y133", span, f"`{name}` cannot be read: {mistake}", because=_OWN, hint=_COPY)
        except TooLarge as mistake:
            too_large(Span(folder.display(name), 1, 1, 1, 2), mistake.size, self.diagnostics)
        except TooMuch as mistake:
            self._too_much(folder, mistake)
        except Unreadable as mistake:
            self.diagnostics.error("Y132", span, f"`{name}` cannot be read: {mistake}")
        else:
            if hashed:
                self._hash.append((name, data))
            return data
        self.complete = False
        return None

    def _text(self, data: bytes, path: str) -> str | None:
        return self.memo.with_diagnostics("text", (data, path), self.diagnostics, lambda out: decode(data, path, out))

    def _rules(self, layer: Layer, manifest: Manifest, name: str, span: Span) -> None:
        self._read[manifest.file.path].add(name)
        data = self._bytes(manifest.folder, name, span)
        if data is None:
            return
        path = manifest.folder.display(name)
        text = self._text(data, path)
        if text is None:
            self.complete = False
            return
        self.sources[path] = text
        lines = text.split("\n")
        whole = Span(path, 1, 1, len(lines), len(lines[-1]) + 1)
        owner = RulesOwner("core" if layer.kind == "base" else "mod", layer.id)
        self.rules.append(RulesText(text, Placement(path), layer.index, owner, whole))

    def _within(self, values: int, cells: int, span: Span) -> bool:
        """Count what was read. False once there is too much, after one Y107: no more is read then."""
        for limit, before, more in ((VALUES, self._values, values), (CELLS, self._cells, cells)):
            if before <= limit.most < before + more:
                message = f"the ruleset has {limit.exceeded}"
                self.diagnostics.error("Y107", span, message, because=_BOUND, hint=limit.hint)
        self._values += values
        self._cells += cells
        within = self._values <= VALUES.most and self._cells <= CELLS.most
        self.complete = self.complete and within
        return within

    def _yaml(self, layer: Layer, manifest: Manifest, name: str, span: Span, used: set[str]) -> list[Patch]:
        self._read[manifest.file.path].add(name)
        if not self._within(0, 0, span):
            return []
        data = self._bytes(manifest.folder, name, span)
        if data is None:
            return []
        path = manifest.folder.display(name)
        part = self.memo.with_diagnostics(
            "yaml",
            (data, path, layer.index),
            self.diagnostics,
            lambda out: read_layer_file(data, path, layer.index, out),
        )
        self.sources[path] = part.file.text
        self.citations.extend(part.file.citations)
        self.complete = self.complete and not part.broken
        if part.root is None or not self._within(part.file.values, 0, span):
            return []
        if part.is_trait:
            self._trait(layer, part.root, path)
            return []
        root = part.root
        self._cards(layer, manifest, name, root, used)
        self._sections.append(
            self.memo.get_or_compute("sections", IdentityKey(root), lambda: without_sources(without_keys(root, VERBS)))
        )
        return list(self._patches(root, layer)) if part.sound else []

    def _trait(self, layer: Layer, root: YamlMap, path: str) -> None:
        name = root.get("trait")
        if not isinstance(name, YamlScalar) or not name.text:
            return
        self._traits.append(TraitFile(name.text, root, layer.index, name.span, path))

    def _bring(self, trait: TraitFile) -> None:
        """Add a trait to those that are there."""
        first = next((t for t in self.traits if t.id == trait.id), None)
        if first is not None:
            mistake = Diagnostic(
                "Y143",
                trait.span,
                f"the trait `{trait.id}` already exists",
                "a trait can be declared only once",
                f"to change the trait, write `set: {{traits.{trait.id}.text: ...}}` in a mod; "
                "to replace it, first remove it in the mod",
                (Related(first.span, "it is declared here"),),
            )
            # Two mods that know nothing of each other; a third may remove it and bring its own.
            self.merger.patcher.clashes.add(("traits", trait.id), (first.layer, trait.layer), mistake)
            return
        self.traits.append(trait)
        self.merger.traits[trait.id] = trait.node

    def _cards(self, layer: Layer, manifest: Manifest, name: str, root: YamlMap, used: set[str]) -> None:
        """Read the card files that `from:` names."""
        for key, sort in root.map("cards").items:
            if isinstance(sort, YamlMap) and sort.get("from") is not None:
                for source in sources_of(sort, self.diagnostics):
                    self._table(layer, manifest, name, key.text, source, used)

    def _table(self, layer: Layer, manifest: Manifest, name: str, sort: str, source: Source, used: set[str]) -> None:
        """Read the rows of a file that the YAML file `name` gives to a sort of cards."""
        item = source.file
        try:
            check_inside(item.text)
        except PathEscape as mistake:
            message = f"`{item.text}` cannot be read: {mistake}"
            self.diagnostics.error("Y133", item.span, message, because=_OWN, hint=_COPY)
            return
        target = self._beside(name, item.text)
        used.add(target)
        self._read[manifest.file.path].add(target)
        everything = self._files(manifest)
        if target not in everything:
            self._missing(self.diagnostics, item, f"there is no file `{target}`", everything)
            return
        if not source.readable:
            self.complete = False
            return
        if not self._within(0, 0, item.span):
            return
        data = self._bytes(manifest.folder, target, item.span)
        if data is None:
            return
        path = manifest.folder.display(target)
        table = self.memo.with_diagnostics(
            "table",
            (source, data, path, layer.index),
            self.diagnostics,
            lambda out: read_source(source, data, path, out, layer.index),
        )
        self.complete = self.complete and table.whole
        if not self._within(table.values, table.cells, item.span):
            return
        self.sources[table.path] = table.text
        self.citations.extend(table.citations)
        self.odd.update(table.odd)
        self.card_files.append(CardFile(sort, source, table, layer.index))
        rows = table.rows
        nested = self.memo.get_or_compute(
            "rows of files", (sort, IdentityKey(rows)), lambda: nest_value(("cards", sort), "rows", rows)
        )
        self._sections.append(nested)

    def _patches(self, root: YamlMap, layer: Layer) -> list[Patch]:
        found: list[Patch] = []
        for verb in _LISTED:
            for item in root.seq(verb):
                if isinstance(item, YamlScalar):
                    found.append(Patch(verb, item.text, item.span, layer.index, None))
        for verb in _OF_PATHS:
            for key, value in root.map(verb).items:
                found.append(Patch(verb, key.text, key.span, layer.index, value))
        return found

    def _scenarios(self, layer: Layer, manifest: Manifest) -> None:
        for name in self._files(manifest):
            if name.startswith("scenarios/") and name.endswith(".yaml"):
                path = manifest.folder.display(name)
                data = self._bytes(manifest.folder, name, Span(path, 1, 1, 1, 1), hashed=False)
                if data is None:
                    continue
                text = self._text(data, path)
                if text is not None:
                    self.sources[path] = text
                    self.scenario_files.append(ScenarioFile(path, text, layer.index))
