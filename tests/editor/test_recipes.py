"""Each diagnostic with a hint has a quick fix, tried on its own case; but where only the author knows what he means."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.editor.fixing import Fix, edited, mending
from rulelang.editor.workspace import Workspace
from tests.diagnostics.cases import HOME, Case, read
from tests.semantics.check_pond import FILES
from tests.spec.pages import lay_out

#: What these hint at is no edit of a text: it asks for another design, for a name that is nowhere yet, for another
#: program; or (S214, S224, T420, Y184) what their cases say is wrong in more than one way.
MEANT = {
    "C716", "N329", "N368", "S214", "S224", "S229", "T405", "T408", "T415", "T418", "T420", "T422", "T423", "T424",
    "W501", "W505", "W507", "W509", "W512", "W516", "W520", "Y111", "Y123", "Y170", "Y173", "Y174", "Y176", "Y184",
}  # fmt: skip
#: The others are as quick, but there are many.
OFTEN = {"C701", "N358", "S201", "S202", "S211", "S227", "T403", "Y105"}
APART = {"mod", "bare", "crowded", "utf-16"}


def lone(case: Case) -> bool:
    """Whether it is the check of one ruleset, and something is hinted at."""
    plain = case.moves is None and not case.command and not any(APART & {*block.words} for block in case.blocks)
    return plain and "= hint:" in case.frame


CODES = [path.stem for path in sorted(HOME.iterdir()) if lone(read(path))]


@pytest.mark.parametrize(
    "code", [code if code in OFTEN else pytest.param(code, marks=pytest.mark.slow) for code in CODES]
)
def test_what_is_hinted_at_is_offered(code: str, tmp_path: Path) -> None:
    found = offered(code, tmp_path)
    assert bool(found) == (code not in MEANT), [fix.title for fix in found]


def offered(code: str, folder: Path) -> list[Fix]:
    where, _ = lay_out(read(HOME / f"{code}.md").blocks, folder.resolve(), FILES)
    workspace = Workspace()
    project = workspace.add(str(where))
    workspace.refresh(project)
    analysis = project.now
    assert analysis is not None
    items = [item for item in (*analysis.diagnostics, *analysis.beyond()) if item.code == code and item.hint]
    assert items
    return list(mending(analysis, items))


def test_a_line_goes_with_its_end(tmp_path: Path) -> None:
    (fix,) = offered("N358", tmp_path)
    ((span, new),) = fix.edits
    assert edited("first\nsecond\nthird\n", [(span._replace(line=2, end_line=3), new)]) == "first\nthird\n"


def test_dice_are_rolled_first(tmp_path: Path) -> None:
    (fix,) = offered("S227", tmp_path)
    text = edited("routine r:\n  base = 2d6\n", fix.edits)
    assert text == "routine r:\n  roll 2d6 as rolled\n  base = rolled\n"
