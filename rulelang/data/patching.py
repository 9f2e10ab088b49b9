"""Carry out `set:`, `add:`, `multiply:`, `extend:`, `remove:` and `disable:` on the layers below."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.source import NOWHERE, Span
from rulelang.data.deep_merge import Clash, Clashes, deep_merge, items_of, normalize_at, same_value
from rulelang.data.mods import ORDER_MODS
from rulelang.data.patch_paths import FoundRow, LayersBelow, PatchSearch
from rulelang.data.patches import (
    NAME,
    ROW_SECTIONS,
    Change,
    Disabled,
    History,
    LocatedPatch,
    Patch,
    Place,
    Removed,
    Rename,
    Verb,
    declared_places,
    rebuild,
)
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank, node_kind

# ---- arithmetic patches

_FRACTION = re.compile(r"(-?[0-9]{1,9})\s*/\s*([1-9][0-9]{0,8})\Z")


#: What is above the line and what is below it, not shortened. (To import `fractions` takes 2.5 ms.)
Fraction: TypeAlias = tuple[int, int]


def read_operand(verb: Verb, value: YamlNode) -> Fraction | None:
    """What is added, or with what is multiplied: a whole number, to multiply with also `3/2`. None if it is none."""
    if not isinstance(value, YamlScalar):
        return None
    if type(value.value) is int:
        return value.value, 1
    found = _FRACTION.match(value.text) if verb == "multiply" else None
    return (int(found[1]), int(found[2])) if found else None


def apply_arithmetic(verb: Verb, node: YamlNode, by: Fraction, span: Span, layer: int) -> YamlNode | None:
    """A whole number, or each of a list or map, with what is added to it or multiplied with it, rounded down: it stands
    where the layer says so. None if it is none."""
    if isinstance(node, YamlSeq):
        items = [apply_arithmetic(verb, item, by, span, layer) for item in node.items]
        known = tuple(item for item in items if item is not None)
        return YamlSeq(known, span, layer) if items and len(known) == len(items) else None
    if isinstance(node, YamlMap):
        pairs = [(key, apply_arithmetic(verb, value, by, span, layer)) for key, value in node.items]
        whole = tuple((key, value) for key, value in pairs if isinstance(value, YamlScalar))
        return YamlMap(whole, span, layer) if pairs and len(whole) == len(pairs) else None
    if type(node.value) is not int:
        return None
    above, below = by
    new = (node.value * below + above if verb == "add" else node.value * above) // below
    return YamlScalar(new, span, str(new), "plain", layer)


def commutes(first: Verb, one: YamlNode | None, second: Verb, other: YamlNode | None) -> bool:
    """Whether two such patches come to the same in either order: sums do, and products of whole numbers."""
    if first != second or first not in ("add", "multiply") or one is None or other is None:
        return False
    parts = read_operand(first, one), read_operand(second, other)
    return all(part is not None and part[0] % part[1] == 0 for part in parts)


# ---- applying patches

_DOES: Mapping[Verb, str] = {
    "set": "sets",
    "add": "adds to",
    "multiply": "multiplies",
    "extend": "extends",
    "remove": "removes",
    "disable": "disables",
    "rename": "renames",
}


@dataclass(slots=True)
class Patcher:
    """Carries out the patches of one layer after the other.

    `ordered(a, b)` says whether layer b is meant to come after layer a (it depends on it, or says `after:`).
    """

    diagnostics: Diagnostics
    ordered: Callable[[int, int], bool]
    clashes: Clashes
    removed: list[Removed] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    renames: list[Rename] = field(default_factory=list)
    disabled: list[Disabled] = field(default_factory=list)
    _done: list[LocatedPatch] = field(default_factory=list)
    _rows: dict[tuple[str, str], list[FoundRow]] = field(default_factory=dict)

    def carry_out(
        self, patches: Sequence[Patch], tree: YamlMap, traits: Mapping[str, YamlMap], adds: Sequence[YamlMap]
    ) -> tuple[YamlMap, dict[str, YamlMap]]:
        """The tree and the trait files with the patches of one layer; `adds` is what the layer adds itself."""
        # What patches call `traits.NAME` is a trait's file, or else a column of the section `traits:`.
        files = tuple((YamlScalar(name, NOWHERE, name), node) for name, node in traits.items())
        columns = tuple(item for item in tree.map("traits").items if item[0].text not in traits)
        others = [item for item in tree.items if item[0].text != "traits"]
        word = tree.key("traits") or YamlScalar("traits", NOWHERE, "traits")
        root = YamlMap((*others, (word, YamlMap((*files, *columns), NOWHERE))), tree.span, tree.layer)
        fitting: list[LocatedPatch] = []
        for patch in patches:
            below = LayersBelow(
                root,
                traits,
                [tree, *adds],
                partial(self.numbered, patch.layer),
                self.remover,
                self.remover_in,
                self.renamer,
                self._clash,
                self._always_held,
                self._removed_already,
            )
            found = _of_rules(patch) or PatchSearch(below, patch, self.diagnostics).run()
            if found is not None and not self._clashes(found):
                settled = self.clashes.settle(patch.layer, found.place)
                if patch.verb == "rename":
                    found = self._named(found, tree, traits)
                elif not found.steps:
                    self.disabled.append(Disabled(patch.path, patch.span, patch.layer))
                else:
                    found = self._finished(found, settled)
                if found is not None:
                    self._done.append(found)
                    fitting.append(found)
        for found in fitting:
            patch, place = found.patch, found.place
            if patch.value is None and found.steps:
                self.removed.append(Removed(patch.path, patch.span, patch.layer, place))
            if found.steps or patch.verb == "rename":  # who checks the rules tells of a phase
                self.changes.append(
                    Change(patch.layer, patch.verb, patch.path, place, patch.span, found.before, found.after)
                )
        root = rebuild(
            root, [(found.steps, found) for found in fitting if found.steps and found.patch.verb != "rename"]
        )
        left = root.map("traits")
        new = {key.text: node for key, node in left.items if key.text in traits and isinstance(node, YamlMap)}
        columns = tuple(item for item in left.items if item[0].text not in traits)
        hidden = tuple(item for item in tree.map("traits").items if item[0].text in traits)
        items = [(key, node) for key, node in root.items if key.text != "traits"]
        section = tree.get("traits")
        if section is not None:
            items.append((word, YamlMap((*columns, *hidden), section.span, section.layer)))
        return YamlMap(tuple(items), tree.span, tree.layer), new

    # ---- rows and who removed them

    def note_rows(self, tree: YamlMap, layer: int) -> None:
        """Enter the rows that are new, and note which ones are gone since the last time."""
        for section in ROW_SECTIONS:
            names = tree.map(section).keys()
            for name in {*names, *(other for room, other in self._rows if room == section)}:
                rows = self._rows.setdefault((section, name), [])
                now = [key for key, _ in tree.map(section).map(name).map("rows").items]
                left = {id(key) for key in now}
                for row in rows:
                    if row.gone is None and id(row.key) not in left:
                        row.gone = layer
                known = {id(row.key) for row in rows if row.gone is None}
                rows.extend(FoundRow(key) for key in now if id(key) not in known)

    def history(self) -> History:
        """What all layers changed."""
        return History(self.changes, {room: [row.key for row in rows] for room, rows in self._rows.items()})

    def numbered(self, layer: int, section: str, name: str) -> list[tuple[int, FoundRow]]:
        """The rows as this layer counts them, each with its number among all that ever were."""

        def knows(other: int) -> bool:
            return other == 0 or self.ordered(other, layer)

        return [
            (number, row)
            for number, row in enumerate(self._rows.get((section, name), ()))
            if knows(row.key.layer) and (row.gone is None or not knows(row.gone))
        ]

    def remover(self, place: Place) -> Patch | None:
        """The patch that removed what a path leads through."""
        return next((f.patch for f in self._done if f.after is None and f.place == place[: len(f.place)]), None)

    def remover_in(self, rows: Place) -> Patch | None:
        """A patch that removed one of these rows, or an item of this list."""
        return next((f.patch for f in self._done if f.after is None and f.place[:-1] == rows), None)

    def renamer(self, place: Place) -> Patch | None:
        """The patch that gave this another name."""
        return next((f.patch for f in reversed(self._done) if f.patch.verb == "rename" and f.place == place), None)

    # ---- what a patch comes to

    def _finished(self, found: LocatedPatch, settled: bool) -> LocatedPatch | None:
        """The patch with what will stand in its place; None where that is a mistake, or what stands there anyway: but
        who has settled what two others want may side with one of them."""
        patch = found.patch
        if patch.value is None:
            return found
        if patch.verb in ("add", "multiply"):
            return self._reckoned(found, patch.value)
        value = normalize_at(found.place, patch.value, self.diagnostics)
        if patch.verb == "extend":
            return self._extended(found, value)
        if found.before is not None and same_value(found.before, value) and not settled:
            if not patch.quiet:
                self._unchanged(patch, f"`{patch.path}` is already {_value_text(value)}", found.before)
            return None
        return replace(found, after=value)

    def _reckoned(self, found: LocatedPatch, value: YamlNode) -> LocatedPatch | None:
        """The patch of a number, or of each number of a list, with what they come to; Y152 if there is none."""
        patch, before = found.patch, found.before
        by = read_operand(patch.verb, value)
        if by is None:
            because = "`add:` needs a whole number, and `multiply:` a whole number or a fraction"
            message = f"cannot {'add' if patch.verb == 'add' else 'multiply by'} {_value_text(value)}"
            self.diagnostics.error("Y152", patch.span, message, because=because, hint="write `3`, or `-1`, or `3/2`")
            return None
        after = apply_arithmetic(patch.verb, before, by, value.span, patch.layer) if before is not None else None
        if before is None or after is None:
            what = "nothing yet" if before is None or is_blank(before) else _value_text(before)
            because = "`add:` and `multiply:` change only a whole number, or a list or map of whole numbers"
            message, hint = f"`{patch.path}` is {what}", f"write `set: {{{patch.path}: ...}}`"
            self.diagnostics.error("Y152", patch.span, message, because=because, hint=hint)
            return None
        if same_value(before, after):
            self._unchanged(patch, f"`{patch.path}` is still {_value_text(before)}", before)
            return None
        return replace(found, after=after)

    def _extended(self, found: LocatedPatch, value: YamlNode) -> LocatedPatch | None:
        before, patch = found.before, found.patch
        rules = found.place[-1] == "rules" and (found.place[0] == "traits" or "rows" in found.place)
        if before is None or is_blank(before):
            return replace(found, after=value)
        if isinstance(before, YamlMap) and isinstance(value, YamlMap):
            after: YamlNode = deep_merge((before, value), found.place, self.clashes)
            if len(after.items if isinstance(after, YamlMap) else ()) == len(before) and not value.items:
                self._unchanged(patch, f"`{patch.path}` is extended with nothing", before)
                return None
            return replace(found, after=after)
        cell = len(found.place) > 4 and found.place[0] in ROW_SECTIONS and found.place[2] == "rows"
        grows = isinstance(before, YamlSeq) or (isinstance(before, YamlScalar) and (cell or rules))
        if not grows or isinstance(value, YamlMap):
            what = node_kind(before) if not isinstance(before, YamlScalar) or rules else f"`{before.text[:40]}`"
            because = "only a list can be extended with items, and only a map with keys"
            hint = f"write `set: {{{patch.path}: ...}}`" if isinstance(before, YamlScalar) else ""
            if isinstance(before, YamlMap):
                hint = f"write `extend: {{{patch.path}: {{NAME: ...}}}}`"
            message = f"`{patch.path}` is {what} and cannot be extended with {node_kind(value)}"
            self.diagnostics.error("Y148", patch.span, message, because=because, hint=hint)
            return None
        old = items_of(before)
        words = {item.text for item in old if isinstance(item, YamlScalar) and isinstance(item.value, str)}
        new = [item for item in items_of(value) if not (isinstance(item, YamlScalar) and item.text in words)]
        if len(new) < len(items_of(value)) or not new:
            there = [item.text for item in items_of(value) if item not in new and isinstance(item, YamlScalar)]
            said = ", ".join(f"`{_short(word)}`" for word in there)
            message = f"`{patch.path}` already has {said}" if there else f"`{patch.path}` is extended with nothing"
            self._unchanged(patch, message, before)
        return replace(found, after=YamlSeq((*old, *new), before.span, before.layer)) if new else None

    def _named(self, found: LocatedPatch, tree: YamlMap, traits: Mapping[str, YamlMap]) -> LocatedPatch | None:
        """A rename whose new name can be had; Y149 if not."""
        patch, place = found.patch, found.place
        old, value = place[-1], patch.value
        new = value.text if isinstance(value, YamlScalar) else ""
        of_rules = not found.steps
        message = because = hint = ""
        twice = next((r for r in self.renames if r.new == old and self._unaware(r, patch)), None)
        if twice is not None and new != old:
            self._named_twice(twice, found)
            return None
        here = [other for other in declared_places(tree, list(traits), old) if other != place]
        there = declared_places(tree, list(traits), new)
        if not NAME.match(new):
            message, because = f"`{new}` is not a valid name", "a name consists of letters, digits and `_`"
        elif old == new:
            self._unchanged(patch, f"`{patch.path}` is already called `{new}`", found.before or patch.value or tree)
            return None
        elif not of_rules and place not in declared_places(tree, list(traits), old):
            message = f"`{patch.path}` cannot be renamed"
            because = "you can rename a trait, a row, a column, an attribute or an entry of a section"
        elif here or there:
            word, other = (old, here[0]) if here else (new, there[0])
            message = f"`{word}` is also the name of `{'.'.join(other)}`"
            because = "`rename:` changes a name everywhere, so the old name must have only one meaning"
            if of_rules and here:
                message, hint = (
                    f"`{old}` is declared in YAML, so its path is needed",
                    f"write `{'.'.join(here[0])}: {new}`",
                )
                because = "a name without dots is an action, routine, phase or value that rules declare"
        if message:
            self.diagnostics.error("Y149", patch.span, message, because=because, hint=hint)
            return None
        self.renames.append(Rename(patch.layer, old, new, patch.span, of_rules))
        return replace(found, after=value)

    def _unaware(self, rename: Rename, patch: Patch) -> bool:
        return rename.layer != patch.layer and not self.ordered(rename.layer, patch.layer)

    def _named_twice(self, old: Rename, new: LocatedPatch) -> None:
        """Y142: another mod, of which this one knows nothing, gave it another name."""
        first = next(done for done in self._done if done.patch.verb == "rename" and done.patch.span == old.span)
        self._clash(first.patch, replace(new.patch, path=first.patch.path), new.place)

    # ---- two patches of one place

    def _clashes(self, new: LocatedPatch) -> bool:
        for old in self._done:
            same_layer = old.patch.layer == new.patch.layer
            if not same_layer and self.ordered(old.patch.layer, new.patch.layer):
                continue
            shifted = not same_layer and (
                (old.patch.value is None and old.place[:-1] == new.counted)
                or (new.patch.value is None and new.place[:-1] == old.counted)
            )
            if not shifted and not _collide(old, new, same_layer=same_layer):
                continue
            if not same_layer and (self._set_to_the_same(old, new) or self._disabled_already(old, new)):
                return True
            self._clash(old.patch, new.patch, max(old.place, new.place, key=len))
            return True
        return False

    def _set_to_the_same(self, old: LocatedPatch, new: LocatedPatch) -> bool:
        """Y147 if two mods that know nothing of each other want the same."""
        value = new.patch.value
        both = old.patch.verb == new.patch.verb == "set" and old.place == new.place
        if not both or value is None or old.after is None or not same_value(old.after, value):
            return False
        because = "another mod sets it to the same value, so one of the two patches is enough"
        message = f"`{new.patch.path}` is already {_value_text(value)}"
        related = [Related(old.patch.span, "the other mod sets it here")]
        self.diagnostics.warning("Y147", new.patch.span, message, because=because, related=related)
        return True

    def _disabled_already(self, old: LocatedPatch, new: LocatedPatch) -> bool:
        """Y147 if two mods that know nothing of each other disable the same."""
        both = old.patch.verb == new.patch.verb == "disable" and old.place == new.place
        return both and self._removed_already(old.patch, new.patch)

    def _clash(self, old: Patch, new: Patch, place: Place) -> None:
        because = "neither mod has to come after the other, so the result would depend on their order"
        hint = ORDER_MODS
        if old.layer == new.layer:
            because = "a mod can change each path only once, and row numbers refer to the rows before any change"
            hint = "delete one of the two patches"
        related = (
            Related(old.span, f"this patch {_DOES[old.verb]} it" if old.value is None else "it is also changed here"),
        )
        message = f"this patch {_DOES[new.verb]} `{new.path}`, which another patch also changes"
        mistake = Diagnostic("Y142", new.span, message, because, hint, related)
        self.clashes.add(place, (old.layer, new.layer), mistake)

    def _always_held(self, place: Place, layers: tuple[int, int], mistake: Diagnostic) -> None:
        """Of what another layer removed, a third may settle it, in whatever order the two are."""
        if layers[0] == layers[1]:
            self.diagnostics.add(mistake)
        else:
            self.clashes.held.append(Clash(place, layers, mistake))

    def _removed_already(self, old: Patch, new: Patch) -> bool:
        """Y147 if a patch of another layer takes out what is gone."""
        if new.value is not None or old.layer == new.layer:
            return False
        related = [Related(old.span, f"`{old.path}` is {old.verb}d here")]
        message = f"`{new.path}` is already {old.verb}d"
        because = f"an earlier mod {_DOES[old.verb]} it"
        self.diagnostics.warning("Y147", new.span, message, because=because, related=related)
        return True

    def _unchanged(self, patch: Patch, message: str, before: YamlNode) -> None:
        because = "the patch has no effect: it may be a mistake, or the game may have adopted the change"
        related = [Related(before.span.head(), "it is here")]
        self.diagnostics.warning("Y147", patch.span, message, because=because, hint="delete the patch", related=related)


def _collide(a: LocatedPatch, b: LocatedPatch, *, same_layer: bool) -> bool:
    """Whether it would make a difference which of the two comes first: extending leaves alone what is there."""
    short = min(len(a.place), len(b.place))
    if a.place[:short] != b.place[:short]:
        return False
    if "rename" in (a.patch.verb, b.patch.verb):  # what lies in it is changed under either name
        named, other = (a, b) if a.patch.verb == "rename" else (b, a)
        above = len(other.place) < len(named.place) or other.patch.verb in ("remove", "rename")
        return above and len(other.place) <= len(named.place) and other.patch.verb != "extend"
    if same_layer:
        return True
    if commutes(a.patch.verb, a.patch.value, b.patch.verb, b.patch.value):
        return False
    outer, inner = (a, b) if len(a.place) <= len(b.place) else (b, a)
    return outer.patch.verb != "extend" or (len(a.place) == len(b.place) and inner.patch.verb != "extend")


def _of_rules(patch: Patch) -> LocatedPatch | None:
    """A patch of what rules declare, which has a name and no path."""
    if patch.verb not in ("rename", "disable") or not NAME.match(patch.path):
        return None
    return LocatedPatch(patch, (), ("rules", patch.path), before=YamlScalar(patch.path, patch.span, patch.path))


def _value_text(value: YamlNode) -> str:
    return f"`{_short(value.text)}`" if isinstance(value, YamlScalar) and value.text else node_kind(value)


def _short(text: str) -> str:
    first = text.strip().split("\n", 1)[0]
    return first if len(first) <= 40 and first == text.strip() else f"{first[:37]}..."
