"""Saves are written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rulelang import SaveError
from rulelang.base import files
from rulelang.base.files import why_unwritable, write_atomically
from tests.engine.fake import fake_game


def test_a_file_is_the_old_one_or_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.json"
    write_atomically(file, b"one")
    file.chmod(0o640)
    write_atomically(file, b"two")
    assert file.read_bytes() == b"two"
    assert file.stat().st_mode & 0o777 == 0o640
    kept = []
    monkeypatch.setattr(files.os, "fsync", lambda handle: kept.append(handle))
    write_atomically(file, b"three")
    assert len(kept) == (2 if hasattr(os, "O_DIRECTORY") else 1)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(file, b"four")
    assert file.read_bytes() == b"three"
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"one")
    (tmp_path / "link").symlink_to("there")
    write_atomically(tmp_path / "link", b"two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").read_bytes() == b"two"


def test_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    assert why_unwritable(tmp_path / "new") == ""
    assert "folder" in why_unwritable(tmp_path)
    assert "no folder" in why_unwritable(tmp_path / "missing" / "new")


@pytest.mark.parametrize(("key", "value"), [("format", 1), ("format", None), ("layout", "older"), ("layout", None)])
def test_a_save_of_another_build_is_refused_with_the_reason(key: str, value: object) -> None:
    game = fake_game()
    record = json.loads(game.new(3, 5).save())
    assert game.restore(json.dumps(record)).option_count
    with pytest.raises(SaveError, match="another version of rulelang"):
        game.restore(json.dumps({**record, key: value}))
