"""Files of rulesets are looked at under `record_answer` only, so that no answer is missing in the trail of a check."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOMS = ("data", "syntax", "semantics", "lower", "static_checks")
#: These look at files of rulelang itself, by which the cache is kept anyway (`program_hash`).
OWN = {"data/schema.py", "data/catalogues.py", "syntax/grammar.py"}
#: One reads the list of members of a zip whose bytes `_archived` put into the trail; one finds our own folders.
BEHIND = {"_check_member_list", "_beside"}
LOOKS = {
    "exists", "isfile", "isdir", "islink", "listdir", "scandir", "walk", "stat", "lstat", "realpath", "access",
    "is_file", "is_dir", "is_symlink", "iterdir", "glob", "rglob", "read_bytes", "read_text", "samefile",
}  # fmt: skip
#: What has methods of these names and is neither a path nor a file.
NO_FILES = {"queries", "info"}
HOLDERS = {"os", "os.path", "path", "place", "folder", "root", "self.root", "file"}


def unasked(tree: ast.Module) -> list[str]:
    """The calls that look at files outside of functions under `record_answer`."""
    allowed = {
        inner
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        and (function.name in BEHIND or any(ast.unparse(one) == "record_answer" for one in function.decorator_list))
        for inner in ast.walk(function)
    }
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node not in allowed]
    calls = [node for node in calls if "__file__" not in ast.unparse(node)]  # our own folders
    found = []
    for call in calls:
        named = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        holder = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        resolved = named == "resolve" and (holder.startswith("Path(") or holder in HOLDERS)
        if (
            (named in LOOKS and holder and holder not in NO_FILES)
            or (named == "open" and holder in ("", "os"))
            or resolved
        ):
            found.append(f"line {call.lineno}: {ast.unparse(call)}")
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_files_are_looked_at_under_asked(room: str, root: Path) -> None:
    package = root / "rulelang"
    found = {}
    for path in sorted((package / room).rglob("*.py")):
        name = path.relative_to(package).as_posix()
        calls = unasked(ast.parse(path.read_text("utf-8")))
        if calls and name not in OWN:
            found[name] = calls
    assert found == {}


def test_what_is_found() -> None:
    code = "@record_answer\n"
    code += "def a(p): return os.listdir(p)\ndef b(p): return Path(p).is_file() or open(p) or os.path.exists(p)"
    assert len(unasked(ast.parse(code))) == 3
