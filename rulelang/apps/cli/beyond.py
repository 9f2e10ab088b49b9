"""What `check` says beyond the rules: how much there is, what is wrong with scenarios and citations. Kept on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.base.node import record

if TYPE_CHECKING:
    from rulelang.base.diagnostics import Diagnostic
    from rulelang.compiler.compilation import Compilation
    from rulelang.data.folders import Trail


@record
class Beyond:
    """`sources` are the texts of the mistakes; `trail`: all that was asked of the file system, with the answers."""

    counts: Mapping[str, int]
    mistakes: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    trail: Trail


def beyond(compilation: Compilation) -> Beyond:
    """Return it from the disk if no byte has changed that it depends on."""
    from rulelang.base import disk_cache
    from rulelang.base.disk_cache import digest, program_hash
    from rulelang.base.limits import garbage_collection_paused
    from rulelang.data.folders import record_trail, still_holds

    key = digest(
        "beyond",
        program_hash(),
        compilation.where,
        compilation.mods,
        compilation.mode,
        compilation.checked.fingerprint,
    )
    known = disk_cache.load("beyond", key)
    if isinstance(known, Beyond) and still_holds(known.trail):
        return known
    with garbage_collection_paused(), record_trail() as trail:
        fresh = _fresh(compilation)
    fresh = replace(fresh, trail=dict(trail))
    disk_cache.store("beyond", key, fresh)
    return fresh


def _fresh(compilation: Compilation) -> Beyond:
    from rulelang.apps.cli.counting import count_parts
    from rulelang.data.folders import path_kind, real_path, seeds_of

    counts = count_parts(compilation.source, compilation.model, compilation.memo)
    homes = [Path(real_path(root)) for root in compilation.checked.roots]
    seeds = any(path_kind(str(folder)) == "folder" for folder in seeds_of(homes))
    mistakes, sources = _unused_translations(compilation)
    if not (counts["scenario"] or compilation.source.scenario_files or seeds):
        return Beyond(counts, mistakes, sources, {})
    # Imported late: it takes longer than to check a small ruleset.
    from rulelang.testing.scenarios.checking import check_scenarios

    found = check_scenarios(compilation)
    return Beyond(counts, (*mistakes, *found.diagnostics), {**sources, **found.sources}, {})


def _unused_translations(compilation: Compilation) -> tuple[tuple[Diagnostic, ...], Mapping[str, str]]:
    """Report entries of catalogs that no text uses (N401), for the usual mode of a game whose rules compile."""
    from rulelang.data.catalogues import catalogue_languages

    checked = compilation.checked
    if checked.sound is None or compilation.mode is not None or not catalogue_languages(checked.roots[-1:]):
        return (), {}
    from rulelang.tools.i18n import check_unused_entries, existing_works

    works = list(existing_works(compilation))
    mistakes = tuple(item for one in works for item in check_unused_entries(one))
    return mistakes, {path: text for one in works for path, text in one.sources.items()}
