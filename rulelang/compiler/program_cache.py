"""A table's linked program on one of the backends: from the disk, if its code was emitted before."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from threading import Thread, Timer
from types import CodeType
from typing import TYPE_CHECKING, Protocol

from rulelang.base import disk_cache
from rulelang.base.disk_cache import digest, program_hash, say_once
from rulelang.base.errors import BadArgument, BuildError, NotYet
from rulelang.base.limits import garbage_collection_paused
from rulelang.base.node import record

if TYPE_CHECKING:
    from rulelang.base.layout import DeclaredValue
    from rulelang.compiler.backends.native.emit import Emitted as NativeEmitted
    from rulelang.compiler.ir import nodes as ir
    from rulelang.compiler.passes.possible_values import PossibleValues
    from rulelang.runtime.program import Backend, LinkedProgram
    from rulelang.runtime.table import Values

BACKENDS = ("python", "native", "auto")
#: After how many seconds a table that is written as it is called is written as a whole, for the next time.
FULL_BUILD_AFTER = 2.0


@record
class Linkable:
    """The code of a table, and what else linking needs of its module."""

    code: bytes
    module: ir.Module


@record
class ValuesLinkable:
    """The code that works out the declared values of a table, by their names."""

    code: Linkable
    known: Mapping[str, DeclaredValue]


@record
class NativeLinkable:
    """The same for the native backend: its C text, from which the library is made or found."""

    emitted: NativeEmitted
    module: ir.Module


class Rules(Protocol):
    """What is linked: `identity` is what code is kept by, `content` the rules alone."""

    @property
    def identity(self) -> tuple[object, ...]: ...
    @property
    def content(self) -> str: ...
    def ready(self, players: int, options: Mapping[str, int], *, target: str = "") -> ir.Module: ...
    def valued(self, players: int, options: Mapping[str, int]) -> tuple[ir.Module, Mapping[str, DeclaredValue]]: ...


class Linker:
    """Links the tables of one ruleset. `making`: the threads that build libraries."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.making: dict[str, Thread] = {}

    def link(self, players: int, options: Mapping[str, int], backend: Backend) -> LinkedProgram:
        """The linked program of a table. ValueError, LoadError; BuildError where a backend is asked for by name and
        cannot be had; NotYet where nobody wants to wait for it."""
        from rulelang.runtime.program import GUARDED, NATIVE_OR_PYTHON, NATIVE_SOON, PYTHON_SOON, Extended

        extended = isinstance(backend, Extended)
        if not extended and backend not in (*BACKENDS, *GUARDED.values(), NATIVE_OR_PYTHON, NATIVE_SOON, PYTHON_SOON):
            raise BadArgument(f"there is no backend `{backend}`; there are {', '.join(BACKENDS)}")
        if extended or backend in ("native", GUARDED["native"], NATIVE_OR_PYTHON, NATIVE_SOON):
            try:
                return self._native(players, options, backend)
            except BuildError as problem:
                if backend not in (NATIVE_OR_PYTHON, NATIVE_SOON):
                    raise
                say_once(f"rulelang: {problem.why}; using the Python backend instead")
        return self._python(players, options, backend == PYTHON_SOON)

    def _python(self, players: int, options: Mapping[str, int], soon: bool) -> LinkedProgram:
        """The same on the Python backend. `soon`: where nothing is on the disk, a program that is written as it is
        called; a thread writes all of it for the next time, when whoever waits for it has something to look at."""
        from rulelang.compiler.backends.python.link import link

        key = digest(program_hash(), *self.rules.identity, players, sorted(options.items()))
        known = partial(self.possible, players, options)
        kept = disk_cache.load("tables", key)
        if isinstance(kept, Linkable):
            return link(marshal.loads(kept.code), kept.module, known)
        with garbage_collection_paused():
            module = self.rules.ready(players, options, target="python")
        if soon:
            from rulelang.compiler.backends.python.on_demand import OnDemandProgram

            later = Timer(FULL_BUILD_AFTER, _emitted, (key, module))
            later.daemon = True  # who ends before has nothing of it, nor has to wait
            later.start()
            return OnDemandProgram(module, known)
        return link(*_emitted(key, module), known)

    def _native(self, players: int, options: Mapping[str, int], backend: Backend) -> LinkedProgram:
        """The same on the native backend. BuildError if no library can be made; NotYet if it is wanted `soon` and being
        made, which a thread sees to."""
        from rulelang.compiler.backends.native.build import (
            is_library_made,
            library_path,
            prepare_library,
            require_compiler,
            text_for,
        )
        from rulelang.compiler.backends.native_agents.program import NativeAgents, with_agents
        from rulelang.runtime.program import NATIVE_SOON

        soon = backend == NATIVE_SOON
        key = digest("native", program_hash(), *self.rules.identity, players, sorted(options.items()))
        if soon and key in self.making and self.making[key].is_alive():
            raise NotYet
        kept = disk_cache.load("native-tables", key)
        if not isinstance(kept, NativeLinkable):
            require_compiler()
            with garbage_collection_paused():
                module = self.rules.ready(players, options, target="native")
                emitted = with_agents(module)
            kept = NativeLinkable(emitted, replace(module, functions={}, tables={}, rows={}))
            disk_cache.store("native-tables", key, kept)
        try:
            source = text_for(backend, kept.emitted.source)
            folder = disk_cache.cache_dir() / "native"
            if soon and key not in self.making and not is_library_made(source, folder):
                # No daemon: a process that ends leaves no half of a library, and the next one finds it.
                self.making[key] = Thread(target=prepare_library, args=(source, folder))
                self.making[key].start()
                raise NotYet
            path = library_path(source, folder)
            known = partial(self.possible, players, options)
            return NativeAgents(path, kept.emitted.link_info, kept.module, known, backend)
        except OSError as problem:
            raise BuildError(f"cannot load the compiled library: {problem}") from None

    def values(self, players: int, options: Mapping[str, int]) -> Values:
        """The declared values of a table, to be read by their names: in Python, whatever its games run on."""
        from rulelang.compiler.backends.python.emit import emit
        from rulelang.compiler.backends.python.link import link, with_constants
        from rulelang.runtime.table import Values

        key = digest("values", program_hash(), *self.rules.identity, players, sorted(options.items()))
        kept = disk_cache.load("values", key)
        if not isinstance(kept, ValuesLinkable):
            with garbage_collection_paused():
                module, known = self.rules.valued(players, options)
                code = with_constants(emit(module).source, f"<values {key[:16]}>")
            module = replace(module, functions={}, tables={}, rows={})
            kept = ValuesLinkable(Linkable(marshal.dumps(code), module), known)
            disk_cache.store("values", key, kept)
        return Values(link(marshal.loads(kept.code.code), kept.code.module), kept.known)

    def possible(self, players: int, options: Mapping[str, int]) -> PossibleValues:
        """What the words of a table's states can be: worked out when a saved game is first restored, and kept."""
        from rulelang.compiler.passes.possible_values import PossibleValues, possible_values

        key = digest("possible", program_hash(), self.rules.content, players, sorted(options.items()))
        kept = disk_cache.load("possible", key)
        if not isinstance(kept, PossibleValues):
            kept = possible_values(self.rules.ready(players, options))
            disk_cache.store("possible", key, kept)
        return kept


def _emitted(key: str, module: ir.Module) -> tuple[CodeType, ir.Module]:
    """The code of a module for the Python backend, and what else linking needs of it, kept on the disk."""
    from rulelang.compiler.backends.python.emit import emit
    from rulelang.compiler.backends.python.link import with_constants

    with garbage_collection_paused():
        code = with_constants(emit(module).source, f"<rules {key[:16]}>")
    # What was emitted needs nothing of the functions any more.
    module = replace(module, functions={}, tables={}, rows={})
    disk_cache.store("tables", key, Linkable(marshal.dumps(code), module))
    return code, module
