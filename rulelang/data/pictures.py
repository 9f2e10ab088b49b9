"""Pictures that `look:` names: files of a ruleset or mod that lie in its folder, for screens that draw."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.wording import did_you_mean
from rulelang.data.folders import Folder, Missing, Unreadable, open_folder
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar

#: By the end of a file's name, what it is as browsers say it.
PICTURE_KINDS = {".svg": "image/svg+xml", ".png": "image/png"}
#: Bytes of a picture.
LARGEST = 512 * 1024
#: The maps of a look in which names have looks of their own.
_PARTS = ("rows", "members", "show")
_FILE = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)*\Z")


def check_pictures(looks: YamlMap, folders: Sequence[Folder], out: Diagnostics) -> None:
    """Y163 for a picture that is in none of the folders of a ruleset and its mods, or is none."""
    for _, look in looks:
        for node in _named(look):
            found, why = _found(reversed(folders), node.text)
            if found is None and not why:
                there = [name for folder in folders for name in folder.files() if Path(name).suffix in PICTURE_KINDS]
                because = "its path must be relative to the folder of the ruleset or of a mod"
                hint = did_you_mean(node.text, there)
                out.error("Y163", node.span, f"there is no picture `{node.text}`", because=because, hint=hint)
            elif why:
                out.error("Y163", node.span, f"`{node.text}` cannot be shown", because=why)


def read_picture(roots: Sequence[str | Path], name: str) -> tuple[bytes, str] | None:
    """A picture of a ruleset, and what it is; that of a later one of these folders or zips over an earlier one's. None
    if there is none, or it is none of these."""
    kind = PICTURE_KINDS.get(Path(name).suffix)
    if kind is None or not _FILE.match(name):
        return None
    found, why = _found((open_folder(Path(root)) for root in reversed(roots)), name)
    return None if found is None or why else (found, kind)


def _found(folders: Iterable[Folder], name: str) -> tuple[bytes | None, str]:
    """A file of the first folder that has it, and why it is no picture that can be shown; "" if it is one."""
    for folder in folders:
        try:
            data = folder.read(name)
        except Missing:
            continue
        except Unreadable as problem:
            return None, str(problem)
        if len(data) > LARGEST:
            return data, f"it has {len(data):,} bytes; a picture may have at most {LARGEST:,}"
        if name.endswith(".png"):
            return data, "" if data.startswith(b"\x89PNG\r\n") else "it is not a PNG file"
        return data, "" if b"<svg" in data[:4096] else "it is not an SVG file"
    return None, ""


def _named(look: YamlNode) -> Iterator[YamlScalar]:
    """The names of pictures in a look."""
    if not isinstance(look, YamlMap):
        return
    own = look.get("picture")
    if isinstance(own, YamlScalar) and isinstance(own.value, str) and Path(own.text).suffix in PICTURE_KINDS:
        yield own  # of any other the schema has told
    for part in _PARTS:
        for _, inner in look.map(part):
            yield from _named(inner)
