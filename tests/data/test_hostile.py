"""Whatever is done to the files: diagnostics with a page and a frame, never a traceback."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from time import process_time

import pytest

from rulelang.base.codes import CODES
from rulelang.base.codes.data import DATA_PAGES
from rulelang.base.terminal import draw_frame
from rulelang.data.ruleset import load_ruleset

PIECES = (
    b"\t", b"{", b"}", b"[", b"]", b": ", b"&a ", b"*a", b"!x ", b"|\n", b"- ", b"\xff", b"\x00", b"'", b'"', b"\r",
    b"set: {numbers.x: 1}\n", b"remove: [cards]\n", b"rules: 3\n", b"? ", b"---\n", "\u2028".encode(), b"#: r\n",
    b"null", b"1e999", b"cards: 3\n", b"lists: [1]\n", b"from: ../x.csv\n", b"0x", b"-", b"~: ~\n", b".inf",
)  # fmt: skip


def mutate(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        what = chance.randrange(6)
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif what == 2:
            lines[at] = b" " * chance.randint(0, 9) + lines[at].lstrip()
        else:
            place = chance.randint(0, len(lines[at]))
            rest = lines[at][place + chance.randint(0, 3) :]
            lines[at] = lines[at][:place] + chance.choice(PIECES) + rest
        lines = lines or [b""]
    return b"\n".join(lines)


@pytest.mark.parametrize("seed", range(60))
def test_mutated_rulesets(seed: int, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    names = ("darwins_choice", "darwins_choice_colossal", "evolution")
    for name in names:
        shutil.copytree(examples / name, tmp_path / name)
    mods: list[str] = []
    base = chance.choice(("darwins_choice", "evolution"))
    if base == "darwins_choice" and chance.random() < 0.7:
        mods = ["darwins_choice_colossal"]
    files = [f for n in (base, *mods) for f in sorted((tmp_path / n).rglob("*.*")) if f.is_file()]
    for path in chance.sample(files, chance.randint(1, 3)):
        path.write_bytes(mutate(path.read_bytes(), chance))
    source, diagnostics = load_ruleset(tmp_path / base, mods, chance.choice((None, "kids", "epic")))
    for item in diagnostics:
        assert item.code in CODES
        assert draw_frame(item, source.sources if source else {})
        assert item.message


def test_every_code_has_a_page_with_examples_and_is_used() -> None:
    room = Path(__file__).resolve().parents[2] / "rulelang" / "data"
    files = [*room.glob("*.py"), room.parent / "base" / "diagnostics.py"]
    code = "".join(path.read_text(encoding="utf-8") for path in files)
    for page in DATA_PAGES:
        assert f'"{page.code}"' in code, page.code
        assert page.title
        assert page.text
        assert page.bad
        assert page.good
    assert len({page.code for page in DATA_PAGES}) == len(DATA_PAGES)


def test_many_values_of_the_wrong_shape_are_checked_once(tmp_path: Path) -> None:
    """Other shapes are tried where a value stands, not with the whole file each time, which took a minute."""
    manifest = "id: big\nversion: 1.0.0\nlanguage: 1\ntitle: {en: Big}\nplayers: {count: 2}\nfiles: [things.yaml]\n"
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "things.yaml").write_text(f"lists:\n  a:\n    rows: [{','.join(map(str, range(30_000)))}]\n")
    start = process_time()
    _, diagnostics = load_ruleset(tmp_path, (), None)
    assert process_time() - start < 10
    assert diagnostics.failed
