"""The pipeline on one screen: files -> source -> trees -> model -> program -> module of a table -> linked program.

Every phase is computed when it is first wanted and kept; its mistakes travel beside its result. What a whole process
computed is kept on disk: the outcome of a check by the bytes of all files, the code of a table by the rules behind it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.base import disk_cache
from rulelang.base.diagnostics import Diagnostic, Diagnostics, affected_texts, limit_diagnostics, without_follow_ups
from rulelang.base.disk_cache import digest, program_hash
from rulelang.base.errors import as_list, as_text, describe_argument
from rulelang.base.limits import active_limits, garbage_collection_paused
from rulelang.base.memo import NULL_CACHE, IdentityKey, NullCache
from rulelang.base.node import record
from rulelang.data.folders import Trail, add_to_trail, record_trail, root_of, still_holds, trail_fingerprint
from rulelang.runtime.table import GameInfo, TableOption

if TYPE_CHECKING:
    from rulelang.base.layout import DeclaredValue
    from rulelang.compiler.ir import nodes as ir
    from rulelang.compiler.lower.constant_invariants import Reads
    from rulelang.compiler.lower.program_graph import ProgramGraph
    from rulelang.compiler.lower.table import LoweredTable
    from rulelang.compiler.program_cache import Linker
    from rulelang.compiler.static_checks import Broken
    from rulelang.data.ruleset_source import RulesetSource
    from rulelang.language.semantics import tree
    from rulelang.language.semantics.check.symbol_table import Texts
    from rulelang.language.semantics.model import Model
    from rulelang.language.semantics.state_layout import Config
    from rulelang.runtime.program import Backend, LinkedProgram
    from rulelang.runtime.table import Values


class LoadError(Exception):
    """Raised by `rulelang.load` and `Game.position` if the rules or the position contain errors.

    Attributes:
        diagnostics: all errors and warnings. Each has a code, a location, a message and often a hint.
        sources: the contents of the files that the diagnostics refer to, by path.

        try:
            game = rulelang.load("my_game")
        except rulelang.LoadError as error:
            for mistake in error.diagnostics.sorted():
                print(mistake.span, mistake.code, mistake.message)

    """

    def __init__(self, diagnostics: Diagnostics, sources: Mapping[str, str]) -> None:
        errors = [item for item in diagnostics.sorted() if item.severity == "error"]
        first = f"{errors[0].span}: {errors[0].code}: {errors[0].message}" if errors else "nothing could be read"
        super().__init__(first if len(errors) < 2 else f"{first} (and {len(errors) - 1} more)")
        self.diagnostics = diagnostics
        self.sources = sources

    def __reduce__(self) -> tuple[type[LoadError], tuple[object, ...]]:
        return LoadError, (self.diagnostics, dict(self.sources))  # from another process


@record
class Summary:
    """What playing needs to know of a ruleset without its model."""

    info: GameInfo
    players: tuple[int, int]
    options: Mapping[str, TableOption]
    said: Mapping[str, Mapping[str, str]]  # by language and English text: what the rules' own files say in it


@record
class Checked:
    """The outcome of a check. `sources`: the texts in which something is wrong. `roots`: the folders and zips that were
    read; `trail`: all that the check asked the file system, with the answers.

    `sound`: the summary, also of a ruleset whose rules can be compiled although a test of its data fails (`tested`,
    `summed`): its scenarios can be checked. `runs`: they can be run too, since only tests of sums fail."""

    summary: Summary | None
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    roots: tuple[str, ...]
    trail: Trail
    sound: Summary | None = None
    runs: bool = False

    @property
    def fingerprint(self) -> str:
        """Return a hash that changes with each byte that was read, and with each that was refused."""
        return trail_fingerprint(self.trail)


class Compilation:
    """One ruleset with its mods and mode, and every phase of its compilation. `rulelang.check` returns one.

    Each phase is a property, computed when it is first needed and kept: `source` (the files), `model` (what they
    declare), `program` (the typed rules), `summary` (what a game needs). `diagnostics` contains the errors and
    warnings from all phases. Programs that only play use `rulelang.load` instead.

    `where` is the id of a shipped ruleset, or the path of a folder, a zip or a package; `mods` are ids or paths; `mode`
    is the name of a mode. TypeError for arguments of the wrong type; a ruleset that is not found is a diagnostic.

        compilation = Compilation("evolution", mods=["hard_times"])
        compilation.diagnostics.failed          # False
    """

    def __init__(
        self,
        where: str | Path,
        mods: Sequence[str | Path] = (),
        mode: str | None = None,
        memo: NullCache = NULL_CACHE,
    ) -> None:
        if not isinstance(where, (str, os.PathLike)):
            raise TypeError(f"a ruleset must be an id or a path, not {describe_argument(where)}")
        for mod in as_list(mods, "mods"):
            if not isinstance(mod, (str, os.PathLike)):
                raise TypeError(f"each mod must be an id or a path, not {describe_argument(mod)}")
        if mode is not None:
            as_text(mode, "the mode")
        self.where, self.mods, self.mode, self.memo = where, tuple(mods), mode, memo
        self._tables: dict[str, tuple[LoweredTable | None, Diagnostics]] = {}
        self._trail: Trail = {}

    def __reduce__(self) -> tuple[type[Compilation], tuple[object, ...]]:
        # Another process compiles for itself, or finds what is on the disk.
        return Compilation, source_of(self.where, self.mods, self.mode)

    # ---- the phases of a ruleset

    @cached_property
    def read(self) -> tuple[RulesetSource | None, Diagnostics]:
        """The files, merged. No later phase looks at files: the trail ends here."""
        from rulelang.data.ruleset import load_ruleset

        with record_trail() as self._trail:
            return load_ruleset(self.where, self.mods, self.mode, memo=self.memo)

    @cached_property
    def declared(self) -> tuple[Model, Diagnostics]:
        from rulelang.data.ruleset_source import data_fingerprint
        from rulelang.language.semantics.declare import declare

        source = self.source
        model, found = self.memo.revalidate(
            "data", self._place, data_fingerprint(source), lambda: declare(source, self.memo)
        )
        return self.memo.early_cutoff("model", self._place, model), found

    @cached_property
    def parsed(self) -> tuple[Texts, Diagnostics]:
        from rulelang.language.semantics.check.program import read_rules

        return read_rules(self.source, self.model, self.memo)

    @cached_property
    def typed(self) -> tuple[tree.Program, Diagnostics]:
        from rulelang.language.semantics.check.program import check_program

        program, found = check_program(self.model, self.trees, self.source, self.memo, unread=self.parsed[1].failed)
        return self.memo.early_cutoff("program", self._place, program), found

    @cached_property
    def tested(self) -> Diagnostics:
        """Invariants that read only what is printed, tested on every table. Only for a program without mistakes."""
        from rulelang.compiler.lower.constant_invariants import constant_invariants

        found = Diagnostics()
        asked = constant_invariants(self.model, self.program) if self.program.invariants else {}
        if asked:
            from rulelang.compiler.static_checks import violations_of
            from rulelang.language.semantics.cards import CellSpans

            places = CellSpans(self.source, self.model)
            found.extend(violations_of(self.model, self.program, asked, partial(self._broken, asked), places))
        return found

    @cached_property
    def summed(self) -> Diagnostics:
        """Sums that cards `expect:`, held against the rows. Only for a program without mistakes."""
        from rulelang.language.semantics.card_questions import report_unmet_sums

        return report_unmet_sums(self.source, self.model, self.program)

    def _broken(self, asked: Mapping[str, Reads], config: Config, names: Sequence[str]) -> Broken | None:
        """Those of the invariants (by id) that do not hold at a table; None where its state would be too large.

        That they hold is kept by what they stand on, which variants of a ruleset mostly share; anything else by all
        that it is worked out of."""
        from rulelang.compiler.lower.constant_invariants import evidence_of, table_key
        from rulelang.compiler.static_checks import MOST_EVALUATED, surely_holds

        def of() -> Hashable:
            program = self.program
            read = (
                *program.values.values(),
                *program.invariants.values(),
                *program.modifies,
                *program.ignores,
                *program.copies,
            )
            return IdentityKey(self.model), tuple(map(IdentityKey, read)), self.graph.features, repr(config)

        def work() -> tuple[Hashable, Broken | None]:
            plain = (
                asked[name].size <= MOST_EVALUATED
                and surely_holds(self.program.invariants[name], self.program, self.model, config)
                for name in names
            )
            if all(plain):
                return None, ({}, ())
            from rulelang.compiler.counterexamples import counterexamples
            from rulelang.compiler.lower.table import lower_invariants

            lowered = lower_invariants(self.graph, config, names, self.source.sources)
            return of(), None if lowered is None else (counterexamples(lowered), lowered.rows)

        def fits(known: tuple[Hashable, Broken | None]) -> bool:
            made_of, broken = known
            return (broken is not None and not broken[0]) or made_of == of()

        grounds = (self.memo.intern("printed", evidence_of(name, asked[name], self.model)) for name in names)
        key = tuple(
            [(IdentityKey(found), table_key(config, asked[name])) for found, name in zip(grounds, names, strict=True)]
        )
        return self.memo.get_or_compute("tables tested", key, work, fits)[1]

    @cached_property
    def graph(self) -> ProgramGraph:
        """How the rules hang together. Only for a program without mistakes."""
        from rulelang.compiler.lower.program_graph import graph_of

        return graph_of(self.model, self.program, self.memo)

    @property
    def _place(self) -> Hashable:
        """Where results of this ruleset are kept to be compared with later ones.

        By the manifests, as they say in which order files are read: maps that are equal may have other orders."""
        return str(self.where), self.mods, self.mode, self.source.manifests

    @property
    def identity(self) -> tuple[object, ...]:
        """What the code of a table is kept by: the rules, and where they stand, which errors name."""
        return self.content, os.getcwd(), self.checked.roots

    @property
    def content(self) -> str:
        """The hash of all rules, mods and mode included. LoadError."""
        return self.sound.info.content

    # ---- the phases of a table

    def lowered(self, players: int, options: Mapping[str, int]) -> tuple[ir.Module, Diagnostics]:
        """The module of a table, with mistakes that only show there. Call it only for a program without mistakes."""
        from rulelang.compiler.lower.table import module_of_table

        return module_of_table(*self.whole(players, options))

    def whole(self, players: int, options: Mapping[str, int]) -> tuple[LoweredTable | None, Diagnostics]:
        """The same, of which questions can be asked."""
        key = f"{players} {sorted(options.items())}"
        if key not in self._tables:
            from rulelang.compiler.lower.table import Config, lower_table_with_questions

            self._tables[key] = lower_table_with_questions(
                self.graph, Config(players, dict(options)), self.source.sources
            )
        return self._tables[key]

    @cached_property
    def linker(self) -> Linker:
        from rulelang.compiler.program_cache import Linker

        return Linker(self)

    def link(self, players: int, options: Mapping[str, int], backend: Backend) -> LinkedProgram:
        """The linked program of a table, from the disk if it was emitted before: see `Linker.link`."""
        return self.linker.link(players, options, backend)

    def values(self, players: int, options: Mapping[str, int]) -> Values:
        """The declared values of a table, to be read by their names: see `Linker.values`."""
        return self.linker.values(players, options)

    def valued(self, players: int, options: Mapping[str, int]) -> tuple[ir.Module, Mapping[str, DeclaredValue]]:
        """The module that works these values out. Call it only for a table that has been linked."""
        from rulelang.compiler.passes.checked_arithmetic import check_arithmetic

        whole, _ = self.whole(players, options)
        assert whole is not None
        module, found = whole.values()
        check_arithmetic(module)
        return module, found

    def ready(
        self,
        players: int,
        options: Mapping[str, int],
        after: str = "",
        target: str = "",
        watch: Callable[[str, ir.Module], None] | None = None,
        needed: bool = False,
    ) -> ir.Module:
        """Return the module of a table as the backend `target` takes it, or as it is after the pass named `after`.

        `watch` sees it after each pass; `needed`: it need not be fast. LoadError.
        """
        from rulelang.compiler.passes.pipeline import run_passes

        module, found = self.lowered(players, options)
        if found.failed:
            raise LoadError(found, self.source.sources)
        return run_passes(module, after, watch, target, needed)

    # ---- results

    @property
    def source(self) -> RulesetSource:
        """The files of the ruleset, merged with those of its mods. LoadError if they cannot be read."""
        source, found = self.read
        if source is None:
            raise LoadError(found, {})
        return source

    @property
    def trees(self) -> Texts:
        """The parsed rules."""
        return self.parsed[0]

    @property
    def model(self) -> Model:
        """The declarations of the ruleset."""
        return self.declared[0]

    @property
    def program(self) -> tree.Program:
        """The typed rules."""
        return self.typed[0]

    @property
    def summary(self) -> Summary:
        """LoadError if the ruleset has mistakes."""
        if self.checked.summary is None:
            raise LoadError(self.diagnostics, self.checked.sources)
        return self.checked.summary

    @property
    def sound(self) -> Summary:
        """The same, also of a ruleset of which only a test of its data fails. LoadError."""
        if self.checked.sound is None:
            raise LoadError(self.diagnostics, self.checked.sources)
        return self.checked.sound

    @property
    def diagnostics(self) -> Diagnostics:
        """All errors and warnings about the ruleset, from all its phases."""
        return Diagnostics(list(self.checked.diagnostics))

    @cached_property
    def checked(self) -> Checked:
        """The outcome of all phases of the ruleset, from the disk if no byte has changed.

        Whoever keeps a memo asks again before anybody could find it there: then nothing is kept on the disk."""
        if self.memo.again:
            return self._check()
        key = digest(program_hash(), os.getcwd(), self.where, self.mods, self.mode, active_limits())
        known = disk_cache.load("checks", key)
        if isinstance(known, Checked) and still_holds(known.trail):
            return known
        with garbage_collection_paused():
            fresh = self._check()
        if self.read[0] is not None:
            disk_cache.store("checks", key, fresh)
        return fresh

    def _check(self) -> Checked:
        source, found = self.read
        trail = self._trail
        add_to_trail(trail)
        if source is None:
            return Checked(None, tuple(found.sorted()), {}, (), trail)
        roots = tuple(root_of(manifest.span.path) for manifest in (source.manifest, *source.mods))
        whole = Diagnostics([*found])
        phases = [self.declared[1], self.parsed[1], self.typed[1]]
        if not source.complete:
            # What stands in a file that cannot be read is missing everywhere else; only its own mistake is true.
            phases = [self.parsed[1]]
        whole.extend(without_follow_ups((item for phase in phases for item in phase), found, source.sources))
        sound, runs = None, False
        if not whole.failed:
            sound = summary_of(source, self.model)
            whole.extend(self.tested)
            runs = not whole.failed
            whole.extend(self.summed)
        if source.unmet:
            from rulelang.data.ruleset import explain_incompatible

            whole = Diagnostics(explain_incompatible(whole, source))
        summary = None if whole.failed else sound
        whole = Diagnostics(limit_diagnostics(whole))
        texts = affected_texts(whole, source.sources)
        return Checked(summary, tuple(whole), texts, roots, trail, sound, runs)


def source_of(
    where: str | Path, mods: Sequence[str | Path], mode: str | None
) -> tuple[str | Path, tuple[str | Path, ...], str | None]:
    """What another process, which may be in another folder, compiles the same ruleset from."""

    def there(place: str | Path) -> str | Path:
        return os.path.abspath(place) if os.path.exists(place) else place

    return there(where), tuple(map(there, mods)), mode


def check(
    where: str | Path, mods: Sequence[str | Path] = (), mode: str | None = None
) -> tuple[Compilation, Diagnostics]:
    """Check a ruleset: return its compilation and all that is wrong or doubtful, without raising LoadError.

    If no byte has changed since the last check, no phase is computed again. The arguments are those of `Compilation`.

        compilation, found = rulelang.check("my_game")
        [item.message for item in found.sorted()]
    """
    compilation = Compilation(where, mods, mode)
    return compilation, compilation.diagnostics


def summary_of(source: RulesetSource, model: Model) -> Summary:
    from rulelang.data.catalogues import inline_translations

    teams = model.teams
    options = {
        option.name: TableOption(
            option.name,
            option.values,
            option.low,
            option.high,
            option.type.tag == "bool",
            dict(option.default),
            option.text,
            {teams.value: teams.players} if teams and teams.option == option.name else {},
        )
        for option in model.options.values()
    }
    mods = tuple((layer.id, layer.version) for layer in source.layers if layer.kind == "mod")
    info = GameInfo(source.id, source.version, source.title, source.content_hash, mods, source.mode)
    return Summary(info, model.players, options, inline_translations(source))
