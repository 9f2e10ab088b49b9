"""The extension of VS Code: what is in it, and that its colours are those of the scanner. Most of it needs what
`make vsix` fetches and builds."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rulelang.apps.editor.server import LIST_COMMAND, TEST_COMMAND
from rulelang.tools.docs_gen.highlighting import language_words, rules_blocks, rules_tokens
from rulelang.tools.docs_gen.vscode import FOLDER, SCOPES, rules_snippets, vscode_files, yaml_snippets
from tests.cli.helpers import SCENARIOS, tiny

ROOT = Path(__file__).parents[2]
HOME = ROOT / FOLDER
VSIX = ROOT / "build" / "rulelang.vsix"
MANIFEST = json.loads((HOME / "package.json").read_text(encoding="utf-8"))
RULES = sorted(ROOT.glob("rulesets/*/*.rules"))
YAML = [path for path in sorted(ROOT.glob("rulesets/**/*.yaml")) if "rules: |" in path.read_text(encoding="utf-8")]

needs_npm = pytest.mark.skipif(
    shutil.which("node") is None or not (HOME / "node_modules").is_dir() or not VSIX.is_file(),
    reason="the extension is not built here: `make vsix` does it, with npm",
)


def test_what_it_names_is_there() -> None:
    files = [manifest["path"] for room in ("grammars", "snippets") for manifest in MANIFEST["contributes"][room]]
    files += [language["configuration"] for language in MANIFEST["contributes"]["languages"]]
    assert [name for name in files if not (HOME / name).is_file()] == []
    assert {f"{FOLDER}/{name}" for name in files} >= set(vscode_files())


def test_it_is_of_this_version() -> None:
    written = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert written is not None
    assert MANIFEST["version"] == written[1]


def test_every_word_of_the_language_has_a_colour() -> None:
    assert set(language_words().values()) <= set(SCOPES)


def test_snippets_begin_with_words_of_the_language() -> None:
    found = dict(rules_snippets())
    assert len(found) > 30
    for snippet in found.values():
        assert snippet["body"][0].split()[0].rstrip(":") in language_words()
        assert snippet["body"][0].startswith(snippet["prefix"])
    assert [snippet["prefix"] for _, snippet in yaml_snippets()] == ["rulelang trait", "rulelang scenario"]


# ---- with npm


def scopes(*texts: tuple[str, str]) -> list[list[tuple[int, int, list[str]]]]:
    """What VS Code colours in texts, each with the scope of its grammar: where, and by which scopes."""
    asked = json.dumps([{"scope": scope, "text": text} for scope, text in texts])
    command = ["node", str(HOME / "test" / "scopes.mjs")]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: list[list[tuple[int, int, list[str]]]] = json.loads(done.stdout)
    return found


def by_scanner(text: str, at: int = 0) -> dict[int, tuple[int, str]]:
    """What has a colour by the scanner: where it begins and ends, and its scope."""
    return {
        at + start: (at + start + len(part), SCOPES[kind]) for start, kind, part in rules_tokens(text) if kind in SCOPES
    }


def by_grammar(tokens: list[tuple[int, int, list[str]]]) -> dict[int, tuple[int, str]]:
    return {a: (b, found[-1]) for a, b, found in tokens if found[-1] in SCOPES.values()}


NASTY = """\
value a2 -> int: 3abc + 12 - 2d6 # so
owner's x owners_x owner modify_it "text {hole} {" "" 'single' "open
é modify(x):+-1 a..b 1..9 ->x>=2
#: c-1 c-2
"""
NESTED = """\
a:
  - rules: |
      modify x(self): + 1

      forbid y
    text: modify
  - modify: |
      forbid
b: 1
"""


@needs_npm
@pytest.mark.slow
def test_rules_have_the_colours_of_the_scanner() -> None:
    texts = [NASTY, *(path.read_text(encoding="utf-8") for path in RULES)]
    for text, found in zip(texts, scopes(*(("source.rulelang", text) for text in texts)), strict=True):
        assert by_grammar(found) == by_scanner(text)


@needs_npm
@pytest.mark.slow
def test_rules_in_yaml_have_their_colours_and_nothing_else_has() -> None:
    texts = [NESTED, *(path.read_text(encoding="utf-8") for path in YAML)]
    assert len(texts) > 30
    for text, found in zip(texts, scopes(*(("source.yaml", text) for text in texts)), strict=True):
        wanted: dict[int, tuple[int, str]] = {}
        for start, end in rules_blocks(text):
            wanted |= by_scanner(text[start:end], start)
        assert by_grammar(found) == wanted


@needs_npm
@pytest.mark.slow
def test_the_package_holds_all_that_it_names_and_nothing_else() -> None:
    with zipfile.ZipFile(VSIX) as package:
        names = {name.removeprefix("extension/") for name in package.namelist() if name.startswith("extension/")}
        manifest = json.loads(package.read("extension/package.json"))
        code = package.read("extension/dist/extension.js").decode()
    made = {name.removeprefix(f"{FOLDER}/") for name in vscode_files()}
    assert names == {"package.json", "readme.md", "language-configuration.json", "dist/extension.js"} | made
    assert (manifest["version"], manifest["main"]) == (MANIFEST["version"], "dist/extension.js")
    declared = {command["command"] for command in manifest["contributes"]["commands"]}
    assert all(f'"{command}"' in code for command in declared | {"rulelang.terminal", TEST_COMMAND, LIST_COMMAND})
    assert sorted(set(re.findall(r'require\("(vscode[^"]*)"\)', code))) == ["vscode"]  # all else is bundled


TWO = """\
  - name: rest pays nothing
    given: {phase: earning, turn: ana, players: {ana: {coins: 1}, bob: []}}
    when: [rest]
    then: [ana.coins == 2]
"""


@needs_npm
@pytest.mark.slow
def test_the_explorer_lists_and_runs_scenarios_over_a_real_server(tmp_path: Path) -> None:
    """`explorer.mjs` stands for VS Code; server and extension are the real ones."""
    folder = tiny(tmp_path / "tiny", tests=SCENARIOS + TWO)
    command = ["node", str(HOME / "test" / "explorer.mjs"), str(folder), sys.executable, "-m", "rulelang"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert (shown["root"], shown["label"]) == ("tiny", "tiny")
    assert shown["tree"] == {"scenarios/work.yaml": [["work pays a coin", 1], ["rest pays nothing", 5]]}
    wrong = ["this is false", "2", "1", 8]
    seen = {
        "work pays a coin": ["enqueued", "started", "passed"],
        "rest pays nothing": ["enqueued", "started", "failed", [wrong]],
    }
    assert shown["all"] == {"seen": seen, "ended": True}
    typed = ["this is false", "7", "1", 4]  # as the open document says, which is not saved
    assert shown["changed"]["seen"] == {"work pays a coin": ["enqueued", "started", "failed", [typed]]}
    assert shown["changed"]["output"] == ["earning", "  ana works"]
    assert shown["without"] == ["work pays a coin"], "what is left out is not run"
    assert shown["cancelled"] == {name: ["enqueued"] for name in seen}, "what is stopped begins nothing more"
