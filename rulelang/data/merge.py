"""Merging the sections of a ruleset, its mods and its mode: maps unite, lists grow, the same leaf twice is an error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.memo import FORGETFUL, Forgetful, Same
from rulelang.base.source import NOWHERE
from rulelang.data.copies import Copier
from rulelang.data.patches import Patch
from rulelang.data.patching import Patcher
from rulelang.data.renaming import Rename, renamed, renamed_path
from rulelang.data.uniting import leaves, normal, unite
from rulelang.data.yaml_nodes import YamlMap

EMPTY = YamlMap((), NOWHERE)


@dataclass(slots=True)
class Merger:
    """Folds one layer after the other into `tree` and `traits` (the files of traits, by id)."""

    diagnostics: Diagnostics
    patcher: Patcher
    tree: YamlMap = EMPTY
    traits: dict[str, YamlMap] = field(default_factory=dict)
    memo: Forgetful = FORGETFUL
    fresh: list[Rename] = field(default_factory=list)  # what the layer that was laid last has renamed

    def lay(
        self, layer: int, patches: Sequence[Patch], sections: Sequence[YamlMap], traits: Sequence[YamlMap]
    ) -> list[YamlMap]:
        """One layer: what it changes of the layers below, then what its files add (their `sections`).

        The files of its own `traits` come back as they are with what they copy; they are not entered yet.
        """
        unknown = [r for r in self.patcher.renames if not self.patcher.ordered(r.layer, layer)]
        if unknown:  # this layer speaks as the layers did before others gave things new names
            sections = [renamed(section, unknown) for section in sections]
            traits = [renamed(trait, unknown) for trait in traits]
            patches = [_translated(patch, unknown) for patch in patches]
        copier = Copier(self.diagnostics, layer, self.tree, self.traits, self.patcher.changes)
        told = partial(self.memo.told, "usual shape", out=self.diagnostics)
        added = copier.sections([told(key=Same(new), make=partial(normal, new)) for new in sections])
        brought = copier.files(traits)
        if patches:
            self.tree, self.traits = self.patcher.carry_out(patches, self.tree, self.traits, sections)
        self.fresh = [r for r in self.patcher.renames if r.layer == layer]
        if self.fresh:
            self.tree = renamed(self.tree, self.fresh)
            names = {r.old: r.new for r in self.fresh}
            self.traits = {names.get(name, name): renamed(node, self.fresh) for name, node in self.traits.items()}
        clashes = self.patcher.clashes
        if added:
            self.tree = unite((self.tree, *added), (), clashes, self.memo)
        for place in (place for new in added for place in leaves(new, ())) if clashes.held else ():
            clashes.settle(layer, place)
        self.patcher.note_rows(self.tree, layer)
        return brought


def _translated(patch: Patch, renames: Sequence[Rename]) -> Patch:
    """A patch of a layer that does not know of new names."""
    value = patch.value
    if isinstance(value, YamlMap):
        value = renamed(value, renames)
    return replace(patch, path=renamed_path(patch.path, renames), value=value)
