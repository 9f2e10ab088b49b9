"""Choose the mods: words, lists and locks that name them, what each needs, and the order of all layers."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean
from rulelang.data.finder import Finder, shipped_ids
from rulelang.data.folders import LOCKED, Folder, Unreadable, display_path, path_kind, read_file, real_path
from rulelang.data.manifest import ANY, MANIFESTS, Manifest, Need, NoRange, read_manifest, version_in_range
from rulelang.data.schema import check_schema
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.data.yaml_reader import read_yaml

# ---- words and lists

LOCK = ".lock"
_ENDINGS = (".yaml", ".yml", LOCK)


@record
class ModWord:
    """A mod that is wanted: the word that names it, where that stands, and what is held of it (`None`: nothing).

    `chain`: the number of the list in which it stands, if that is an order; `held`: its entry in a lock or list.
    """

    word: str | Path
    span: Span
    chain: int | None = None
    held: YamlMap | None = None


@record
class ModLists:
    """Files that list mods: paths and texts; `game`: the entry of the base in a lock; `whole`: the place of a lock,
    next to whose mods there may be no others."""

    texts: dict[str, str]
    game: YamlMap | None = None
    whole: Span | None = None


def read_mod_words(words: Sequence[str | Path], game: str, diagnostics: Diagnostics) -> tuple[list[ModWord], ModLists]:
    """All mods that some words stand for, in the order given. `game`: the id of what they are laid over."""
    wishes: list[ModWord] = []
    texts: dict[str, str] = {}
    base: YamlMap | None = None
    whole: Span | None = None
    for number, word in enumerate(sorted(words, key=lambda word: word != LOCKED)):  # a lock says the order of its mods
        path = Path(word)
        if word == LOCKED:
            found = lock_of(game, Path.cwd())
            if found is None:
                message = f"there is no lock `{game}{LOCK}` here or in a parent folder"
                because, hint = "`--locked` needs a lock", "write one with `rulelang mods lock`"
                diagnostics.error("Y161", Span("--locked", 1, 1, 1, 1), message, because=because, hint=hint)
                continue
            path = found
        if is_list(path):
            shown = display_path(path)
            root = _read(path, shown, texts, diagnostics)
            if root is None:
                continue
            entries = root.seq("mods")
            wishes.extend(_entry(item, number, path.parent) for item in entries)
            if root.get("lock") is not None:
                base, whole = root.map("game"), Span(shown, 1, 1, 1, 1)
        elif isinstance(word, str) and "," in word and not path_kind(word):
            parts = [part.strip() for part in word.split(",")]
            wishes.extend(ModWord(part, Span(word, 1, 1, 1, 1), number) for part in parts if part)
        else:
            wishes.append(ModWord(word, Span(str(word), 1, 1, 1, 1)))
    return wishes, ModLists(texts, base, whole)


def lock_of(name: str, start: Path) -> Path | None:
    """The lock `NAME.lock` in a folder, or the nearest above it."""
    paths = (place / f"{name}{LOCK}" for place in (start, *start.parents))
    return next((path for path in paths if path_kind(str(path)) == "file"), None)


def is_list(path: Path) -> bool:
    """Whether a path is that of a file that lists mods: YAML, and no manifest."""
    return path.suffix in _ENDINGS and path.name not in MANIFESTS and path_kind(str(path)) == "file"


def _read(path: Path, shown: str, texts: dict[str, str], diagnostics: Diagnostics) -> YamlMap | None:
    try:
        data = read_file(path)
    except Unreadable as mistake:
        diagnostics.error("Y132", Span(shown, 1, 1, 1, 1), f"`{path.name}` cannot be read: {mistake}")
        return None
    file = read_yaml(data, shown, diagnostics)
    texts[shown] = file.text
    if file.root is None or not isinstance(file.root, YamlMap) or file.root.get("mods") is None:
        if file.root is not None or not file.text.strip():
            because = "a file named instead of a mod must be a list of mods"
            hint = "name the folder of a mod, or a file with `mods: [one, other]`"
            message = f"`{path.name}` is not a list of mods"
            diagnostics.error("Y130", Span(shown, 1, 1, 1, 1), message, because=because, hint=hint)
        return None
    return file.root if check_schema("modlist", file, diagnostics) else None


def _entry(item: YamlNode, chain: int, home: Path) -> ModWord:
    """An entry: a word, or a map with `id`, `from`, and what is held. Paths are those from the list's own folder."""
    word = item
    held = item if isinstance(item, YamlMap) else None
    if held is not None:
        word = held.get("from") or held.get("id") or item
    text = word.text if isinstance(word, YamlScalar) else ""
    beside = home / text
    return ModWord(str(beside) if text and path_kind(str(beside)) else text, word.span.head(), chain, held)


# ---- order of layers

#: The sections of a manifest that put a mod behind another, in the order in which a reason is given.
FOLLOWING = ("extends", "optional", "after")
SECTIONS = (*FOLLOWING, "conflicts")

#: What can be done where it is not said which of two mods has the last word.
ORDER_MODS = "give the order, `FIRST,LAST`; or, if you write mods, add `after:` to one of them"


@record
class Link:
    """Why one mod comes after another. `word`: the section of its manifest that says so, or "order": the player did."""

    word: str
    span: Span

    def says(self, name: str, other: str) -> str:
        if self.word == "order":
            return f"your order puts `{name}` after `{other}`"
        return f"`{name}` extends `{other}`" if self.word == "extends" else f"`{name}` has `{self.word}: {other}`"


@record
class WantedMod:
    """A mod that was given, and where: `chain` is the list in which it stands, if that is an order; `held`: its entry
    in a lock or list, if that holds more than its name."""

    manifest: Manifest
    span: Span
    chain: int | None = None
    held: YamlMap | None = None


@dataclass(slots=True)
class Stack:
    """The base and its mods in the order of their layers.

    `follows`: by mod, whom it comes after directly, and why. `needed_by`: by mod that nobody gave, who extends it.
    `unmet`: the places of ranges in which a version does not lie, each with the mod that says so.
    """

    base: Manifest
    mods: list[Manifest]
    follows: dict[str, dict[str, Link]] = field(default_factory=dict)
    needed_by: dict[str, str] = field(default_factory=dict)
    unmet: list[tuple[Span, str]] = field(default_factory=list)

    @property
    def known(self) -> dict[str, Manifest]:
        return {manifest.id: manifest for manifest in (self.base, *self.mods)}

    def above(self, name: str, words: Sequence[str] = (*FOLLOWING, "order")) -> set[str]:
        """The ids that a mod comes after, directly or not, for reasons of these kinds."""
        found: set[str] = set()
        queue = [name]
        while queue:
            links = self.follows.get(queue.pop(), {})
            fresh = {other for other, link in links.items() if link.word in words} - found
            found |= fresh
            queue.extend(fresh)
        return found

    def chain(self, name: str) -> list[str]:
        """How a mod came in: the one that was given, what it extends, and so on to the mod itself."""
        found = [name]
        while found[0] in self.needed_by and self.needed_by[found[0]] not in found:
            found.insert(0, self.needed_by[found[0]])
        return found


def resolve_mods(first: Manifest, given: Sequence[WantedMod], finder: Finder, diagnostics: Diagnostics) -> Stack | None:
    """The base ruleset and all mods in the order of their layers.

    A mod comes after what it extends, what is `optional` for it and what it says `after:` of, if that is there, and
    after what the player puts before it. Else mods are laid as they are given; what one extends and nobody gave is
    looked for, and laid just before it is needed.
    """
    wanted = [*([WantedMod(first, first.span)] if first.is_mod else []), *given]
    stack = _gathered(None if first.is_mod else first, wanted, finder, diagnostics)
    if stack is None:
        if not diagnostics.failed:
            message = f"the mod `{first.id}` does not lead to a ruleset"
            diagnostics.error("Y137", first.span, message, hint="name the ruleset that it changes in `extends:`")
        return None
    _link(stack, wanted, diagnostics)
    _check_ranges(stack, finder, diagnostics)
    _check_conflicts(stack, diagnostics)
    stack.mods = _ordered(stack, diagnostics)
    for mod in stack.mods:
        unknown = [name for name in mod.extends if name not in stack.known]  # reported already
        if not unknown and stack.base.id not in stack.above(mod.id, ("extends",)):
            message = f"the mod `{mod.id}` does not extend `{stack.base.id}`"
            hint = f'write `extends: {{{stack.base.id}: ">={stack.base.version}"}}`'
            because = f"it would be applied on top of `{stack.base.id}`"
            diagnostics.error("Y137", mod.span, message, because=because, hint=hint)
    return stack


def _gathered(
    base: Manifest | None, wanted: Sequence[WantedMod], finder: Finder, diagnostics: Diagnostics
) -> Stack | None:
    """Everything that is given, and what it extends; mods as they are given, before them what is needed for them."""
    mods: dict[str, Manifest] = {}
    needed_by: dict[str, str] = {}
    queue = [item.manifest for item in wanted]
    asked = {item.id for item in queue}
    rank: dict[str, tuple[int, int]] = {}
    while queue:
        mod = queue.pop(0)
        if not mod.is_mod:
            message = f"`{mod.id}` is a ruleset, not a mod"
            diagnostics.error("Y131", mod.span, message, because="only mods can be applied on top of a ruleset")
            continue
        same = mods.get(mod.id)
        if same is not None:
            one, other = ((real_path(str(m.folder.root)), m.folder.inner) for m in (same, mod))
            if one != other:
                related = [Related(same.span, "and this one")]
                diagnostics.error("Y131", mod.span, f"two mods have the id `{mod.id}`", related=related)
            continue
        mods[mod.id] = mod
        if mod.id in asked:
            rank[mod.id] = (len(rank), 0)
        else:  # before the one that needs it
            at, depth = rank[needed_by[mod.id]]
            rank[mod.id] = (at, depth - 1)
        for need in mod.extends.values():
            known = {m.id: m for m in (*mods.values(), *queue, *([base] if base else []))}
            if need.name in known:
                continue
            finder.beside(mod.folder)
            found = finder.by_id(need.name, wanted=need.range)
            if found is None:
                _not_found(mod, need, known, Stack(mod, [], {}, needed_by).chain(mod.id), diagnostics)
            elif found.is_mod:
                needed_by[found.id] = mod.id
                queue.append(found)
            elif base is None:
                base = found
            else:
                message = f"`{mod.id}` extends `{need.name}`, but the loaded ruleset is `{base.id}`"
                diagnostics.error("Y137", need.span, message)
    if base is None:
        return None
    return Stack(base, sorted(mods.values(), key=lambda m: rank[m.id]), {}, needed_by)


def _not_found(
    mod: Manifest, need: Need, known: Mapping[str, Manifest], chain: Sequence[str], diagnostics: Diagnostics
) -> None:
    message = f"`{mod.id}` extends `{need.name}`, which was not found"
    because = (
        "rulelang looked among the mods that you named, near those mods and the game, "
        "and among installed and included mods"
    )
    if len(chain) > 1:
        because = f"it is needed because {_needs([*chain, need.name])}; {because}"
    hint = did_you_mean(need.name, [name for name in (*known, *shipped_ids()) if name != mod.id])
    diagnostics.error("Y137", need.span, message, because=because, hint=hint)


def _needs(chain: Sequence[str]) -> str:
    """`wet` (given) extends `rain`, which extends `garden`."""
    first, second, *rest = chain
    return f"`{first}` (given) extends `{second}`" + "".join(f", which extends `{name}`" for name in rest)


def _link(stack: Stack, wanted: Sequence[WantedMod], diagnostics: Diagnostics) -> None:
    """Enter who comes after whom."""
    known = stack.known
    for mod in stack.mods:
        links = stack.follows.setdefault(mod.id, {})
        for word in FOLLOWING:
            for need in mod.needs(word).values():
                target = known.get(need.name)
                if word == "extends" or (target is not None and _in_range(need, target, word != "after")):
                    links.setdefault(need.name, Link(word, need.span))
    last: dict[int, str] = {}
    for item in wanted:
        name = item.manifest.id
        if item.chain is None:
            continue
        if item.chain in last and last[item.chain] != name:
            stack.follows.setdefault(name, {}).setdefault(last[item.chain], Link("order", item.span))
        last[item.chain] = name


def _in_range(need: Need, target: Manifest, anyway: bool) -> bool:
    try:
        return anyway or version_in_range(target.version, need.range)
    except NoRange:
        return True


def _check_ranges(stack: Stack, finder: Finder, diagnostics: Diagnostics) -> None:
    known = stack.known
    for mod in stack.mods:
        for word in SECTIONS:
            for need in mod.needs(word).values():
                target = known.get(need.name)
                try:
                    fit = version_in_range(target.version if target else "0", need.range)
                except NoRange:
                    message, hint = f"`{need.range}` is not a range of versions", 'write it like `">=1.0, <2"`'
                    diagnostics.error("Y136", need.place, message, hint=hint)
                    continue
                if target is not None and not fit and word in ("extends", "optional"):
                    _unmet(stack, mod, need, target, finder, diagnostics)


def _unmet(stack: Stack, mod: Manifest, need: Need, target: Manifest, finder: Finder, diagnostics: Diagnostics) -> None:
    """Y137: a version is out of range. Told with how the mod came in, who else wants which, and what is near."""
    because = ""
    chain = stack.chain(mod.id)
    if len(chain) > 1:
        because = f"`{mod.id}` is needed because {_needs(chain)}"
    if need.word == "optional":
        because = f"`{mod.id}` works without `{need.name}`, but not with a version outside this range"
    stack.unmet.append((need.place, mod.id))
    related = [Related(target.span, f"`{need.name}` is version {target.version}")]
    others: list[Need] = []
    for other in stack.mods:
        theirs = other.extends.get(need.name)
        if other is not mod and theirs is not None and theirs.range.strip() not in ANY:
            others.append(theirs)
            related.append(Related(theirs.place, f"`{other.id}` needs {theirs.range}"))
    near = [
        m
        for place in finder.near
        for m in finder.versions(need.name, place, need.range)
        if version_in_range(m.version, need.range)
    ]
    hint = f"version {near[0].version} is in `{near[0].folder.display('').rstrip('/')}`" if near else ""
    message = f"`{mod.id}` requires `{need.name}` {need.range}, but found version {target.version}"
    diagnostics.error("Y137", need.place, message, because=because, hint=hint, related=related)


def _check_conflicts(stack: Stack, diagnostics: Diagnostics) -> None:
    """Y160: two that cannot be together; told once, where the first of them says so."""
    known = stack.known
    told: set[frozenset[str]] = set()
    for mod in stack.mods:
        for need in mod.needs("conflicts").values():
            target = known.get(need.name)
            pair = frozenset((mod.id, need.name))
            if target is None or pair in told or not _in_range(need, target, False):
                continue
            told.add(pair)
            related = [Related(target.span, f"`{target.id}` {target.version} is also applied")]
            back = target.needs("conflicts").get(mod.id)
            if back is not None:
                related.append(Related(back.span, "it declares the same conflict"))
            chains = [stack.chain(name) for name in (mod.id, target.id)]
            brought = " and ".join(_needs(chain) for chain in chains if len(chain) > 1)
            because = f"the manifest of `{mod.id}` lists `{need.name}` under `conflicts:`" + (
                f"; {brought}" if brought else ""
            )
            versions = "" if need.range.strip() in ANY else f" {need.range}"
            message = f"`{mod.id}` cannot be combined with `{need.name}`{versions}"
            diagnostics.error(
                "Y160", need.span, message, because=because, hint="leave out one of the two mods", related=related
            )


def _ordered(stack: Stack, diagnostics: Diagnostics) -> list[Manifest]:
    """As given, but nobody before those that he comes after."""
    mods = {mod.id: mod for mod in stack.mods}
    before = {name: set(stack.follows.get(name, {})) & mods.keys() for name in mods}
    ordered: list[Manifest] = []
    while before:
        name = next((name for name, others in before.items() if not others), None)
        if name is None:
            cycle = _cycle(before)
            _circle(stack, cycle, diagnostics)
            name = cycle[0]
        ordered.append(mods[name])
        del before[name]
        for others in before.values():
            others.discard(name)
    return ordered


def _circle(stack: Stack, cycle: Sequence[str], diagnostics: Diagnostics) -> None:
    """Y138, with each step of the circle and where it is said."""
    steps = [(a, b, stack.follows[a][b]) for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
    words = {link.word for _, _, link in steps}
    does = "extend" if words == {"extends"} else "follow"
    hint = "" if does == "extend" else "remove one of the `after:` entries"
    if "order" in words:
        hint = "give the mods in another order"
    because = f"each mod must come after the next one: {' -> '.join([*cycle, cycle[0]])}"
    first, *rest = steps
    related = [Related(link.span, link.says(a, b)) for a, b, link in rest if link.word != "order"]
    if "order" in words:
        because += "; " + "; ".join(link.says(a, b) for a, b, link in steps if link.word == "order")
    place = next((link.span for _, _, link in steps if link.word != "order"), first[2].span)
    related = [item for item in related if item.span != place]
    diagnostics.error(
        "Y138", place, f"these mods {does} each other in a cycle", because=because, hint=hint, related=related
    )


def _cycle(before: Mapping[str, set[str]]) -> list[str]:
    walk = [sorted(before)[0]]
    while True:
        step = sorted(before[walk[-1]])[0]
        if step in walk:
            return walk[walk.index(step) :]
        walk.append(step)


# ---- locks


def locked_files(folder: Folder) -> list[str]:
    """The files that make up a ruleset or mod, sorted: without those of others inside it, Python, locks and lists.

    They are the same for a folder, for the zip that `pack` makes of it, and for a package that holds it. Unreadable.
    """
    files = folder.files()
    nested = {PurePosixPath("mods")} | {
        PurePosixPath(f).parent for f in files if PurePosixPath(f).name in MANIFESTS and "/" in f
    }
    return [
        name
        for name in files
        if not name.endswith((".py", LOCK, ".zip")) and not nested & set(PurePosixPath(name).parents)
    ]


def contents_digest(folder: Folder) -> str:
    """SHA-256 over the names and bytes of its contents: the same for a folder and for its zip. Unreadable."""
    whole = hashlib.sha256()
    fresh = Folder(folder.root, folder.archive, folder.inner)  # what was read before does not count for its limit
    for name in locked_files(fresh):
        data = fresh.read(name)
        whole.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        whole.update(data)
    return whole.hexdigest()


def lock_text(stack: Stack, met: Mapping[str, Mapping[str, str]], home: Path) -> str:
    """A lock of what is laid, in its order, as a file in the folder `home` holds it. Unreadable.

    `met`: by mod, what each of its patches found in its place, by the path.
    """

    def entry(manifest: Manifest) -> str:
        parts = {"id": manifest.id, "version": manifest.version, "from": _locked_source(manifest, home)}
        parts["sha256"] = contents_digest(manifest.folder)
        return ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in parts.items())

    lines = [
        "# Written by `rulelang mods lock`: what is laid over the game, in this order, and what it was.",
        "lock: 1",
        f"game: {{{entry(stack.base)}}}",
        "mods:" if stack.mods else "mods: []",
    ]
    for mod in stack.mods:
        patches = [
            f"      {json.dumps(p)}: {json.dumps(t, ensure_ascii=False)}" for p, t in met.get(mod.id, {}).items()
        ]
        first, *rest = entry(mod).split(", ")
        lines += [f"  - {first}", *(f"    {part}" for part in rest), *(["    met:", *patches] if patches else [])]
    return "\n".join(lines) + "\n"


def _locked_source(manifest: Manifest, home: Path) -> str:
    """How a lock finds it again: a path from its folder; the id of what is shipped or installed."""
    if manifest.found in ("shipped", "package"):
        return manifest.id
    path = os.path.relpath(os.path.abspath(manifest.folder.root), os.path.abspath(home))
    return PurePosixPath(Path(path)).as_posix()


def check_lock(stack: Stack, wanted: Sequence[WantedMod], lists: ModLists, diagnostics: Diagnostics) -> None:
    """Y161 for whatever is not as a lock, or the entry of a list, says."""
    if lists.game is not None and lists.game.items:
        _check_entry(stack.base, lists.game, diagnostics)
    for item in wanted:
        if item.held is not None:
            _check_entry(item.manifest, item.held, diagnostics)
    if lists.whole is None:
        return
    locked = {item.held.text("id") for item in wanted if item.held is not None}
    for mod in stack.mods:
        if mod.id not in locked:
            message = f"the lock does not list `{mod.id}`, which is also applied"
            related = [Related(lists.whole, "this is the lock")]
            diagnostics.error("Y161", mod.span, message, because=_HELD, hint=_HINT, related=related)


_HELD = "a lock records which mods are applied, their versions and their exact contents"
_HINT = "if you want this change, update the lock with `rulelang mods lock`"


def _check_entry(manifest: Manifest, entry: YamlMap, diagnostics: Diagnostics) -> None:
    """Of one mod, the first thing that differs: its id, its version, or else what its files hold."""
    related = [Related(manifest.span, "this is what was found")]
    for word, now in (("id", manifest.id), ("version", manifest.version)):
        said = entry.get(word)
        if isinstance(said, YamlScalar) and said.text != now:
            what = f"`{now}`" if word == "id" else f"`{manifest.id}` {now}"
            before = f"`{said.text}`" if word == "id" else said.text
            message = f"found {what}, but the lock records {before}"
            diagnostics.error("Y161", said.span, message, because=_HELD, hint=_HINT, related=related)
            return
    said = entry.get("sha256")
    if not isinstance(said, YamlScalar):
        return
    try:
        same = contents_digest(manifest.folder) == said.text
    except Unreadable as problem:
        message = f"the files of `{manifest.id}` cannot be read: {problem}"
        diagnostics.error("Y161", said.span, message, because=_HELD, related=related)
        return
    if not same:
        message = f"the files of `{manifest.id}` have changed since they were locked, but its version has not"
        diagnostics.error("Y161", said.span, message, because=_HELD, hint=_HINT, related=related)


# ---- from names to a stack


@record
class GivenMods:
    """`ids`: of what was named; `first`: the game, or the mod that was named in its place; `wanted`: mods over it."""

    first: Manifest
    ids: tuple[str, ...]
    wanted: tuple[WantedMod, ...]
    stack: Stack
    lists: ModLists


def gather_mods(where: str | Path, mods: Sequence[str | Path], diagnostics: Diagnostics) -> GivenMods | None:
    """Find everything and put it in order. None after a diagnostic if there is no base to lay anything over."""
    finder = Finder()
    first = _manifest(finder, ModWord(where, Span(str(where), 1, 1, 1, 1)), diagnostics)
    if first is None:
        return None
    finder.beside(first.folder)
    for need in first.extends.values():  # mods may also lie beside the game that a mod extends
        below = finder.by_id(need.name, wanted=need.range)
        if below is not None:
            finder.beside(below.folder)
    wishes, lists = read_mod_words(mods, first.id, diagnostics)
    found = [(wish, _manifest(finder, wish, diagnostics)) for wish in wishes]
    wanted = tuple(WantedMod(manifest, wish.span, wish.chain, wish.held) for wish, manifest in found if manifest)
    stack = resolve_mods(first, wanted, finder, diagnostics)
    if stack is None:
        return None
    check_lock(stack, wanted, lists, diagnostics)
    ids = (first.id, *(item.manifest.id for item in wanted))
    return GivenMods(first, ids, wanted, stack, lists)


def _manifest(finder: Finder, wish: ModWord, diagnostics: Diagnostics) -> Manifest | None:
    found = finder.locate(wish.word, diagnostics, wish.span)
    return read_manifest(found.folder, diagnostics, found.as_) if found is not None else None
