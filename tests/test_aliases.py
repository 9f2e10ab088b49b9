"""Old module names of the public API keep working for one version, and say what the new name is."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from rulelang import aliases


@pytest.mark.parametrize("old", sorted(aliases.MODULES))
def test_an_old_name_leads_to_the_module(old: str) -> None:
    if old.startswith("rulelang.envs"):
        pytest.importorskip("numpy")
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"`{old}` is now `{aliases.MODULES[old]}`"):
        stand_in = importlib.import_module(old)
    new = importlib.import_module(aliases.MODULES[old])
    assert all(getattr(stand_in, name) is value for name, value in vars(new).items() if not name.startswith("_"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_programs_of_the_pages_of_version_0_1_still_run() -> None:
    from rulelang.lab.study import Study
    from rulelang.present import Documents, document
    from rulelang.printing.rulebook import rulebook
    from rulelang.replaying.again import played
    from rulelang.replaying.reading import read

    assert all(callable(name) for name in (Study, Documents, document, rulebook, played, read))


def test_functions_with_new_names_are_found_by_the_old_ones() -> None:
    for (module, old), new in aliases.NAMES.items():
        target = importlib.import_module(aliases.new_name(module) or "")
        sys.modules.pop(module, None)
        with pytest.warns(DeprecationWarning, match=f"`{module}` is now"):
            stand_in = importlib.import_module(module)
        assert getattr(stand_in, old) is getattr(target, new)


def test_what_was_never_there_is_missing_as_before() -> None:
    assert aliases.new_name("rulelang.base") is None
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("rulelang.nonsense")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("rulelang.lab.nonsense")


def test_the_warning_points_at_the_line_that_imports() -> None:
    code = "import rulelang\n\nfrom rulelang.compile import Compilation\nprint(Compilation.__name__)\n"
    done = subprocess.run([sys.executable, "-W", "default", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Compilation\n"
    assert "<string>:3: DeprecationWarning: `rulelang.compile` is now `rulelang.compiler.compilation`" in done.stderr
