"""The generated C under the sanitizers of the compiler, and with every address checked, over random games."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rulelang.compiler.backends.native.emit import emit
from rulelang.compiler.compilation import Compilation
from rulelang.data.folders import shipped_rulesets_dir
from rulelang.runtime.table import choose_options

COMPILER = shutil.which("gcc") or shutil.which("clang")
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
GAMES = 60
RULESETS = sorted(path.name for path in shipped_rulesets_dir().iterdir() if path.is_dir())
#: Plays games in each mode, paused ones with a buffer that is too small at first; answers 0 if all goes well.
MAIN = """
#include <stdio.h>
static const i32 INITIAL[] = {%s};
static i32 S_[%d];
static i64 ROWS_[%d * %d + 1];
static i32 OUT_[1 << 20];
static context CONTEXT_;
int main(void) {
    context *C = &CONTEXT_;
    i64 mode;
    rl_context(C);
    rl_buffer(C, OUT_, 1 << 20);
    for (mode = 0; mode < 3; mode++) {
        i64 done = rl_play_many(C, S_, INITIAL, 7, 0, %d, mode, ROWS_);
        if (done < %d) {
            printf("mode %%lld game %%lld error %%lld %%lld\\n", mode, done, C->error, C->number);
            return 1;
        }
    }
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="there is no gcc and no clang here")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_random_games(ruleset: str, tmp_path: Path) -> None:
    compilation = Compilation(ruleset)
    players = min(4, compilation.summary.players[1])
    module = compilation.ready(players, choose_options(compilation.summary.options, players, None))
    size, width = module.layout.size, 3 + (1 + len(module.tiebreak)) * players
    words = ", ".join(map(str, module.initial))
    text = emit(module).source + MAIN % (words, size, GAMES, width, GAMES, GAMES)
    source, program = tmp_path / "rules.c", tmp_path / "rules"
    source.write_text(text, encoding="ascii")
    command = [str(COMPILER), "-std=c99", "-w", "-O1", "-DCHECKED"]
    trial = tmp_path / "trial.c"
    trial.write_text("int main(void) { return 0; }", encoding="ascii")
    if subprocess.run(
        [*command, *SANITIZE, "-o", str(program), str(trial)], capture_output=True, check=False
    ).returncode:
        pytest.skip("this compiler has no sanitizers")
    subprocess.run([*command, *SANITIZE, "-o", str(program), str(source)], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[:3000]
    assert not done.stderr
