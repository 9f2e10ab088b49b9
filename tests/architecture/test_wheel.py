"""What is in the wheel: the package wholly, with all that it reads, and nothing that was only made or fetched here."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Folders of the repository, and where an installed package has them.
LAID = {"rulesets": "_rulesets", "schemas": "_schemas", "seeds": "_seeds", "docs": "_docs"}


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of its files, but for what says who made it."""
    from hatchling.builders.wheel import WheelBuilder

    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    with zipfile.ZipFile(wheel) as opened:
        return {name for name in opened.namelist() if ".dist-info/" not in name}


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }


def test_the_package_is_there_wholly_and_nothing_else_is(inside: set[str]) -> None:
    package = {name for name in files(ROOT / "rulelang") if not name.startswith("rulelang/apps/studio/web/")}
    laid = tuple(f"rulelang/{name}/" for name in LAID.values())
    assert {name for name in inside if not name.startswith(laid)} == package


@pytest.mark.parametrize("folder", LAID)
def test_what_the_package_reads_is_there(inside: set[str], folder: str) -> None:
    found = {name for name in inside if name.startswith(f"rulelang/{LAID[folder]}/")}
    assert found == {f"rulelang/{LAID[folder]}{name.removeprefix(folder)}" for name in files(ROOT / folder)}


def test_the_studio_is_there_if_it_was_made(inside: set[str]) -> None:
    made = (ROOT / "rulelang" / "apps" / "studio" / "static" / "index.html").is_file()
    assert ("rulelang/apps/studio/static/index.html" in inside) == made
    assert not [name for name in inside if "node_modules" in name or "/web/" in name]
