"""Every pass leaves every shipped module well formed; what runs can be looked at."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from rulelang.apps.cli.main import main
from rulelang.compiler.backends.native.shared import NativeUnit
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import mark_recursive
from rulelang.compiler.ir.verify import verify
from rulelang.compiler.passes.choice.strategy import plan_sampling
from rulelang.compiler.passes.pipeline import LOWERED, PASSES, STAGES, run_passes
from rulelang.compiler.passes.suspension import mark_pausing

RULESETS = Path(__file__).parents[2] / "rulesets"


def modes(folder: Path) -> list[str | None]:
    """None, then those that its manifest names."""
    manifest = next(path for name in ("ruleset.yaml", "mod.yaml") if (path := folder / name).exists())
    return [None, *yaml.safe_load(manifest.read_text("utf-8")).get("modes", ())]


TABLES = [(folder.name, mode) for folder in sorted(RULESETS.iterdir()) for mode in modes(folder)]


@pytest.mark.parametrize(("ruleset", "mode"), TABLES)
def test_modules_are_well_formed_after_every_pass(ruleset: str, mode: str | None) -> None:
    compilation = Compilation(RULESETS / ruleset, (), mode)
    players = compilation.summary.players[1]
    options = {name: option.default[players] for name, option in compilation.summary.options.items()}
    seen: list[str] = []

    def look(name: str, module: ir.Module) -> None:
        seen.append(name)
        assert verify(module) == [], f"after {name}"

    lowered, _ = compilation.lowered(players, options)
    look(LOWERED, lowered)
    module = run_passes(lowered, watch=look, target="python")
    assert seen == list(STAGES)
    mark_pausing(module)
    mark_recursive(module)
    look("sampling", plan_sampling(module)[0])
    unit = NativeUnit(run_passes(lowered, target="native"))
    for form in ("direct", "drawn", "waiting", "hearing"):
        made = replace(unit.module, functions={**unit.module.functions, **getattr(unit, form)})
        assert [text for text in verify(made) if not _led_by_guards(text, form)] == [], form


def _led_by_guards(text: str, form: str) -> bool:
    """What `verify` says of locals for which it does not see that they have values: what waits gets them from its
    frame, behind a guard, and what finds an option again from what counted them."""
    return text.partition(":")[0].endswith("#take") or (
        form == "waiting" and ("has no value yet" in text or "is no list here" in text)
    )


def test_dump_shows_every_form_of_a_routine() -> None:
    shown = CliRunner().invoke(main, ["dump", "evolution", "--stage", "ir", "--after", "forms"]).output
    heads = [line.partition("(")[0] for line in shown.splitlines() if line[:1].strip()]
    for prefix in "dsr":
        assert any(head.endswith(f"routine {prefix}_main") for head in heads), prefix
    assert any(line.strip().startswith("enter do_") and "frame" in line for line in shown.splitlines())
    assert not any(" = pick at " in line for line in shown.splitlines())  # decisions are plain


def test_a_pass_is_found_out_that_breaks_a_module() -> None:
    compilation = Compilation(RULESETS / "evolution")
    module = run_passes(compilation.lowered(2, _defaults(compilation, 2))[0])
    name = module.score
    module.functions[name] = ir.Function(
        name, "pure", ("p",), (ir.Return(ir.Local("nobody_set_it")),), "", module.functions[name].span
    )
    assert any("nobody_set_it" in text for text in verify(module))


def test_dump_shows_the_ir_after_each_pass() -> None:
    run = CliRunner()
    shown = {
        stage: run.invoke(main, ["dump", "evolution", "--stage", "ir", "--after", stage]).output
        for stage in (LOWERED, *(step.name for step in PASSES))
    }
    assert shown[LOWERED] != shown["inline"] != shown[STAGES[-1]]
    assert (
        run.invoke(main, ["dump", "evolution", "--stage", "ir"]).output == shown["control_stack"] != shown["specialise"]
    )
    unknown = run.invoke(main, ["dump", "evolution", "--stage", "ir", "--after", "nonsense"])
    assert unknown.exit_code == 2
    assert "lowering, checked_arithmetic, scalar_lists" in unknown.output


def _defaults(compilation: Compilation, players: int) -> dict[str, int]:
    return {name: option.default[players] for name, option in compilation.summary.options.items()}


@pytest.mark.parametrize("stage", ["python", "c"])
def test_what_is_emitted_does_not_depend_on_hashes(stage: str) -> None:
    texts = {
        subprocess.run(
            [sys.executable, "-m", "rulelang", "dump", str(RULESETS / "darwins_choice"), "--stage", stage],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "4711")
    }
    assert len(texts) == 1


def test_passes_are_run_for_the_targets_that_want_them() -> None:
    compilation = Compilation(RULESETS / "evolution")
    lowered, _ = compilation.lowered(2, _defaults(compilation, 2))
    ran: dict[str, list[str]] = {}
    for target in ("", "python", "native"):
        seen = ran[target] = []
        run_passes(lowered, watch=lambda name, _, seen=seen: seen.append(name), target=target)  # type: ignore[misc]
    general = [step.name for step in PASSES if not step.targets]
    assert ran[""] == ran["native"] == general
    assert ran["python"] == [*general, "specialise"]


@pytest.mark.parametrize("stage", ["ir", "python", "c"])
def test_timings_name_every_stage(stage: str) -> None:
    shown = CliRunner().invoke(main, ["dump", "evolution", "--stage", stage, "--timings"])
    names = [line.rsplit("ms", 1)[0].rsplit(None, 1)[0].strip() for line in shown.output.splitlines()]
    passes = [f"pass {step.name}" for step in PASSES if not step.targets or stage in step.targets]
    emitted = [] if stage == "ir" else [f"emit {stage}"]
    assert names == ["read", "declare", "parse", "check", "lower", *passes, *emitted, "all"]
    assert CliRunner().invoke(main, ["dump", "evolution", "--timings"]).exit_code == 2
