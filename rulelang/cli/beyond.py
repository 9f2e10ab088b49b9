"""What `check` says beyond the rules: how much there is, what is wrong with scenarios and citations. Kept on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.base.node import record

if TYPE_CHECKING:
    from rulelang.base.diagnostics import Diagnostic
    from rulelang.compile import Compilation


@record
class Beyond:
    """`sources` are the texts of the mistakes. `roots`: mods that scenarios name themselves, as their bytes were."""

    counts: Mapping[str, int]
    mistakes: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    roots: tuple[str, ...]
    fingerprint: str


def beyond(compilation: Compilation) -> Beyond:
    """From the disk, if no byte has changed that it depends on."""
    from rulelang.base import disk_cache
    from rulelang.base.collecting import uncollected
    from rulelang.base.identity import digest, own_hash
    from rulelang.data.fingerprint import fingerprint
    from rulelang.data.paths import seeds_of

    homes = [Path(root).resolve() for root in compilation.checked.roots]
    seeds = [str(folder) for folder in seeds_of(homes) if folder.is_dir()]
    whole = compilation.checked.fingerprint + fingerprint(seeds)
    key = digest("beyond", own_hash(), compilation.where, compilation.mods, compilation.mode, whole)
    known = disk_cache.recall("beyond", key)
    if isinstance(known, Beyond) and known.fingerprint == fingerprint(known.roots):
        return known
    from rulelang.cli.counting import count_parts

    complete = True
    with uncollected():
        fresh = Beyond(count_parts(compilation.source, compilation.model, compilation.memo), (), {}, (), "")
        if fresh.counts["scenario"] or compilation.source.scenario_files or seeds:
            # Imported late: it takes longer than to check a small ruleset.
            from rulelang.scenarios.checking import check_scenarios

            found = check_scenarios(compilation)
            complete = found.complete
            fresh = Beyond(fresh.counts, found.diagnostics, found.sources, found.roots, "")
    fresh = replace(fresh, fingerprint=fingerprint(fresh.roots))
    if complete:
        disk_cache.keep("beyond", key, fresh)
    return fresh
