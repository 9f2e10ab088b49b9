"""The example rulesets, and a way to write a small one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "fixtures" / "examples"
MANIFEST = "id: tiny\nversion: 1.0.0\nlanguage: 1\ntitle: Tiny\nplayers: {count: [2, 4]}\n"
MOD = "id: NAME\nversion: 1.0.0\nlanguage: 1\nextends: {tiny: '>=1.0'}\n"

Write = Callable[..., Path]


@pytest.fixture
def examples() -> Path:
    """The folder of the example rulesets and mods."""
    return EXAMPLES


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """`write("tiny", {"things.yaml": "..."})` makes a folder with a manifest that lists the files, and returns it."""
    monkeypatch.chdir(tmp_path)

    def make(name: str, files: dict[str, str | bytes], manifest: str | None = None, extra: str = "") -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        if manifest is None:
            listed = ", ".join(file for file in files if file.endswith((".yaml", ".rules", ".csv")))
            head = MANIFEST if name == "tiny" else MOD.replace("NAME", name)
            manifest = f"{head}{extra}files: [{listed}]\n"
        (folder / ("ruleset.yaml" if name == "tiny" else "mod.yaml")).write_text(manifest, encoding="utf-8")
        for file, content in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            data = content if isinstance(content, bytes) else content.encode()
            (folder / file).write_bytes(data)
        return folder

    return make
