"""What the data room hands to the rooms above: a ruleset with its mods and mode, merged, with every place kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, Protocol, TypeAlias

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.node import record
from rulelang.base.source import Placement, Span
from rulelang.data.card_sources import CardFile
from rulelang.data.patches import Disabled, History, Removed, Rename
from rulelang.data.yaml_nodes import YamlMap
from rulelang.data.yaml_reader import Citation

LayerKind: TypeAlias = Literal["base", "mod", "mode"]
OwnerKind: TypeAlias = Literal["core", "mod", "trait", "row", "card"]


@record
class Layer:
    """One layer: the base (index 0), a mod, or a mode. `of` is the id of the ruleset or mod that a mode belongs to.

    `id` is the ruleset's or mod's id; for a mode its name. `after` holds the indices of the layers this one is ordered
    after: two layers of which neither stands in the other's `after` must not change the same thing.
    """

    index: int
    kind: LayerKind
    id: str
    of: str
    span: Span
    version: str
    title: str
    after: frozenset[int]


@record
class RulesOwner:
    """Whose a rules text is.

    core: a `.rules` file of the base. mod: a `.rules` file of a mod or mode; `name` is the layer's id in both.
    trait: trait `name`. row: row `name` of the list or ladder `of`. card: row `name` of the card sort `of`; `index` is
    the row's position (from 0) among the merged rows, and `name` is empty for a row without a name.
    """

    kind: OwnerKind
    name: str = ""
    of: str = ""
    index: int = 0


@record
class RulesText:
    """A text to parse, where it stands, the layer that wrote it, and whose it is."""

    text: str
    placement: Placement
    layer: int
    owner: RulesOwner
    span: Span


@record
class TraitFile:
    """One trait: its id and the id's place, its file as a node (patched by later layers), the layer that brought it."""

    id: str
    node: YamlMap
    layer: int
    span: Span
    path: str


@record
class ScenarioFile:
    """A file of a `scenarios/` folder, not parsed yet: give `text` and `path` to `read_yaml_text`."""

    path: str
    text: str
    layer: int


class DeclaredData(Protocol):
    """What of a ruleset is declared in data, and all that declarations are made of: whoever reads more for them adds it
    here and to `said_by`."""

    @property
    def id(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def manifest(self) -> YamlMap: ...
    @property
    def tree(self) -> YamlMap: ...
    @property
    def traits(self) -> tuple[TraitFile, ...]: ...
    @property
    def removed(self) -> tuple[Removed, ...]: ...
    @property
    def odd(self) -> Mapping[Span, Diagnostic]: ...


def data_fingerprint(data: DeclaredData) -> tuple[object, ...]:
    """All of it, to be compared with what was said before."""
    return data.id, data.version, data.manifest, data.tree, data.traits, data.removed, data.odd


@record
class RulesetSource:
    """A ruleset as read. `tree` holds the merged sections, also `players`, `teams` and `options` of the manifests.

    In `tree`, every list, ladder and card sort is a map whose `rows` is a map from name to row (rows without a name
    under keys of value None; rows of CSV files first, then those written in the file, then those of later files).
    Nodes keep their span and the index of the layer that wrote them. `complete` is False if a file could not be read,
    so that a name that seems missing may stand in it. `sources` maps every path in a span to the text of that file.
    `history` tells what each layer changed of those below; `renames` are words that rules of layers which do not
    follow the one that renamed them still use, `disabled` phases that do nothing.
    `content_hash` changes with anything read but the scenarios. `given` are the ids of what was named: a base or a mod,
    whose title is `title`, and mods over it. `unmet` are the places of ranges in which a version is not, each with the
    mod that has the range. `card_files` are the files of rows in the order read; `odd` gives the mistake of each cell
    of style "odd", by its place.
    """

    id: str
    given: tuple[str, ...]
    version: str
    title: str
    manifest: YamlMap
    mods: tuple[YamlMap, ...]
    mode: str | None
    layers: tuple[Layer, ...]
    tree: YamlMap
    rules: tuple[RulesText, ...]
    traits: tuple[TraitFile, ...]
    scenario_files: tuple[ScenarioFile, ...]
    citations: tuple[Citation, ...]
    removed: tuple[Removed, ...]
    history: History
    renames: tuple[Rename, ...]
    disabled: tuple[Disabled, ...]
    sources: dict[str, str]
    content_hash: str
    complete: bool
    unmet: tuple[tuple[Span, str], ...] = ()
    card_files: tuple[CardFile, ...] = ()
    odd: Mapping[Span, Diagnostic] = field(default_factory=dict)

    @property
    def manifests(self) -> tuple[YamlMap, ...]:
        """Those of the base and of the mods, in the order in which they are laid."""
        return (self.manifest, *self.mods)

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that can be chosen, each once."""
        return tuple(dict.fromkeys(key.text for manifest in self.manifests for key, _ in manifest.map("modes")))
