"""`rulelang export wasm`: in Node, the wrapper plays the games of the Python backend, with the same words."""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

import rulelang
from rulelang.compiler.backends.wasm import export
from rulelang.runtime.state import State
from tests.cli.helpers import run
from tests.native.test_same_games import RULESETS

NODE = shutil.which("node")
SEEDS, PLAYOUTS = (1, 2, 3), 20
QUICK = ("evolution", "origin_of_species")  # the others take half a minute to a minute each
TSC = Path(__file__).resolve().parents[2] / "rulelang" / "studio" / "web" / "node_modules" / ".bin" / "tsc"
#: Plays games by a fixed rule, and answers hashes of all words, options, labels and scores.
DRIVER = """
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
const [folder, seeds, playouts] = [process.argv[2], JSON.parse(process.argv[3]), Number(process.argv[4])];
const { load } = await import(pathToFileURL(folder + "/rulelang.mjs"));
const table = await load();
const games = seeds.map((seed) => {
  let state = table.start(seed);
  const hash = createHash("sha256");
  const asked = [];
  for (let n = 0; !state.over; n++) {
    hash.update(Buffer.from(state.words.buffer, state.words.byteOffset, state.words.byteLength));
    asked.push([state.player, state.options.map((o) => [o.key, o.action, o.label])]);
    if (n % 50 === 7) state = table.restore(state.words);
    state.play((n * 7919 + 13) % state.options.length);
  }
  return { hash: hash.digest("hex"), asked, scores: state.scores, round: state.round };
});
const ends = Array.from({ length: playouts }, (_, seed) => {
  const state = table.start(seed);
  state.playout(seed);
  return state.over && state.scores;
});
let refused = "";
try { table.start(1).play(1e6); } catch (error) { refused = error.name; }
console.log(JSON.stringify({ games, ends, refused }));
"""

needs_zig = pytest.mark.skipif(
    find_spec("ziglang") is None, reason="the package ziglang, which builds for WebAssembly, is not installed"
)
needs_node = pytest.mark.skipif(NODE is None, reason="node, which runs WebAssembly, is not installed")


def played(state: State) -> dict[str, object]:
    """Play a game by the rule of the driver, and return the same record of it."""
    hashed, asked, number = hashlib.sha256(), [], 0
    while not state.over:
        words = state.words
        hashed.update(struct.pack(f"<{len(words)}i", *words))
        decision = state.decision
        asked.append([decision.player, [[[*o.key], o.action] for o in decision.options]])
        state.play((number * 7919 + 13) % len(decision.options))
        number += 1
    return {"hash": hashed.hexdigest(), "asked": asked, "scores": [*state.scores], "round": state.round}


@needs_zig
@needs_node
@pytest.mark.parametrize(
    "ruleset", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in RULESETS]
)
def test_the_wrapper_plays_the_games_of_python(ruleset: str, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    result = run("export", "wasm", ruleset, "-o", str(folder), "--players", "2")
    assert result.exit_code == 0, result.output
    assert {path.name for path in folder.iterdir()} == {"rules.wasm", "table.json", *export.WRAPPER}
    (tmp_path / "driver.mjs").write_text(DRIVER)
    done = subprocess.run(
        [str(NODE), str(tmp_path / "driver.mjs"), str(folder), json.dumps(SEEDS), str(PLAYOUTS)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    game = rulelang.load(ruleset)
    for seed, there in zip(SEEDS, found["games"], strict=True):
        labels = [label for _, options in there["asked"] for *_, label in options]
        assert all(label.strip() for label in labels)
        there["asked"] = [[player, [option[:2] for option in options]] for player, options in there["asked"]]
        assert there == played(game.new(2, seed))
    assert all(len(scores) == 2 for scores in found["ends"])
    assert found["refused"] == "RangeError"


@pytest.mark.skipif(not TSC.exists(), reason="TypeScript is not installed (`make studio` installs it)")
def test_the_types_describe_the_wrapper(tmp_path: Path) -> None:
    """A program that uses every member compiles, and one that misuses them does not."""
    for name in export.WRAPPER:
        shutil.copy(Path(export.__file__).with_name(name), tmp_path / name)
    program = """
import { load, RuleError, type Option } from "./rulelang.mjs";
const table = await load("x/");
const state = table.start(7n).clone();
const option: Option = state.options[0]!;
state.play(option); state.play(0); state.playout(3);
const numbers: number[] = [...state.scores, ...state.rank(1), ...state.cards("deck"), state.read("", "pile")];
console.log(numbers, table.restore(state.words).prompt, state.site?.kind, table.data.title, new RuleError().code);
"""
    flags = ("--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom")

    def compiles(text: str) -> str:
        (tmp_path / "use.mts").write_text(text)
        (tmp_path / "rulelang.d.mts").write_text((tmp_path / "rulelang.d.ts").read_text())
        return subprocess.run(
            [str(TSC), *flags, "use.mts"], cwd=tmp_path, capture_output=True, text=True, check=False
        ).stdout

    assert compiles(program) == ""
    assert "error TS" in compiles('import { load } from "./rulelang.mjs"; (await load()).begin();')


def test_a_missing_compiler_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(export, "installed", lambda name: False)
    result = run("export", "wasm", "evolution", "-o", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert "pip install 'rulelang[zig]'" in result.output
    assert not (tmp_path / "out").exists()
