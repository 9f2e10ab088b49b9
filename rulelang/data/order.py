"""What is laid over what: the base and all mods that are wanted or needed, whether they fit each other, their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.nearest import did_you_mean
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.folders import real
from rulelang.data.manifest import Manifest, Need
from rulelang.data.sources import Finder, shipped_ids
from rulelang.data.versions import ANY, NoRange, fits
from rulelang.data.yaml_nodes import YamlMap

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
class Wanted:
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


def resolve(first: Manifest, given: Sequence[Wanted], finder: Finder, diagnostics: Diagnostics) -> Stack | None:
    """The base ruleset and all mods in the order of their layers.

    A mod comes after what it extends, what is `optional` for it and what it says `after:` of, if that is there, and
    after what the player puts before it. Else mods are laid as they are given; what one extends and nobody gave is
    looked for, and laid just before it is needed.
    """
    wanted = [*([Wanted(first, first.span)] if first.is_mod else []), *given]
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
    base: Manifest | None, wanted: Sequence[Wanted], finder: Finder, diagnostics: Diagnostics
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
            one, other = ((real(str(m.folder.root)), m.folder.inner) for m in (same, mod))
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


def _link(stack: Stack, wanted: Sequence[Wanted], diagnostics: Diagnostics) -> None:
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
        return anyway or fits(target.version, need.range)
    except NoRange:
        return True


def _check_ranges(stack: Stack, finder: Finder, diagnostics: Diagnostics) -> None:
    known = stack.known
    for mod in stack.mods:
        for word in SECTIONS:
            for need in mod.needs(word).values():
                target = known.get(need.name)
                try:
                    fit = fits(target.version if target else "0", need.range)
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
        m for place in finder.near for m in finder.versions(need.name, place, need.range) if fits(m.version, need.range)
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
