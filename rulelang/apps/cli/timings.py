"""Where the time of compiling a table goes, stage by stage."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from rulelang.apps.cli.code_stages import code_stage
from rulelang.compiler.ir import nodes as ir


def timings(
    where: str, mods: Sequence[str], mode: str | None, stage: str, players: int, options: Mapping[str, int]
) -> list[tuple[str, float]]:
    """Seconds of each stage up to the text of a table, in their order: reading, checking, lowering, every pass, and
    printing. Tables are compiled anew; the grammar and the schemas are read from the cache as ever."""
    from rulelang.compiler.compilation import Compilation

    found: list[tuple[str, float]] = []
    compilation = Compilation(where, mods, mode)
    begun = time.perf_counter()

    def note(name: str) -> None:
        nonlocal begun
        now = time.perf_counter()
        found.append((name, now - begun))
        begun = time.perf_counter()

    phases: dict[str, Callable[[], object]] = {
        "read": lambda: compilation.read,
        "declare": lambda: compilation.declared,
        "parse": lambda: compilation.parsed,
        "check": lambda: compilation.typed,
        "lower": lambda: compilation.lowered(players, options),
    }
    for name, phase in phases.items():
        phase()
        note(name)

    def watch(name: str, module: ir.Module) -> None:
        note(f"pass {name}")

    if stage == "ir":
        compilation.ready(players, options, watch=watch)
    else:
        code = code_stage(stage)
        module = compilation.ready(players, options, target=code.target, watch=watch)
        code.text(module)
        note(f"emit {stage}")
    return found


def lines(found: Sequence[tuple[str, float]]) -> list[str]:
    """The same as a table, in milliseconds, with the sum."""
    whole = sum(seconds for _, seconds in found)
    rows = [*found, ("all", whole)]
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {seconds * 1000:8.1f} ms  {seconds / whole:4.0%}" for name, seconds in rows]
