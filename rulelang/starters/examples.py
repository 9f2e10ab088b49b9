"""The scenario that is made together with a trait: an example, which its author may have made anew or taken out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.phrases import phrase
from rulelang.compile import Compilation
from rulelang.data.text_edits import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.scenarios.run import Runner
from rulelang.semantics import tree
from rulelang.starters.files import CannotStart
from rulelang.starters.hooks import Rule, example_name, hookables
from rulelang.starters.positions import bearer_of, lay, model_of, seated
from rulelang.starters.showing import shown


def without_example(text: str, path: str, trait: str) -> str:
    """A trait's file without its example. CannotStart if there is none."""
    return _cut(text, path, trait)[0]


def example_again(folder: Path, file: str, trait: str) -> str:
    """Write the example of a trait's file anew, by the rules that it has now, and give the text. CannotStart, with the
    file as it was, if none passes: the game has mistakes."""
    place = folder / file
    before = place.read_text(encoding="utf-8")
    _, head, tail = _cut(before, file, trait)
    try:
        compilation = Compilation(folder)
        model = model_of(compilation)
        bearer = bearer_of(model)
        if bearer is not None and trait in model.traits:
            for laid in lay(str(folder), seated(model), borne=trait):
                for rule in (*_rules(compilation.program, trait, bearer.kind or bearer.sort.name), None):
                    for lines in shown(trait, rule, bearer, model, laid):
                        text = head + "".join(f"{line}\n" for line in lines[1:]) + tail
                        place.write_text(text, encoding="utf-8")
                        if _passes(folder, place, trait):
                            return text
    except BaseException:
        place.write_text(before, encoding="utf-8")
        raise
    place.write_text(before, encoding="utf-8")
    raise CannotStart(phrase("there are mistakes in the game: mend them first"))


def _rules(program: tree.Program, trait: str, kind: str) -> Iterator[Rule]:
    """Those rules of a trait whose effect a scenario can show: what they add to a value."""
    found = {one.name: one for one in hookables(program)}
    for hook in program.modifies:
        mine = hook.origin.what == "trait" and hook.origin.name == trait and hook.guard is None
        hooked = found.get(hook.pattern.event)
        place = hooked.place_of(kind) if hooked is not None else None
        if mine and hooked is not None and place is not None and hook.op in "+-" and isinstance(hook.value, tree.Const):
            yield Rule("", "", hooked, place, hook.value.value if hook.op == "+" else -hook.value.value)


def _passes(folder: Path, place: Path, trait: str) -> bool:
    runner = Runner(folder)
    mine = [
        one for one in runner.scenarios
        if Path(one.path).resolve() == place.resolve() and one.name == example_name(trait)
    ]  # fmt: skip
    return bool(mine) and not runner.diagnostics.failed and runner.run(mine[0]).passed


def _cut(text: str, path: str, trait: str) -> tuple[str, str, str]:
    """The text without the example; what stands before it and behind it. CannotStart if there is none."""
    root = read_yaml_text(text, path, Diagnostics()).root
    node = root.get("scenarios") if isinstance(root, YamlMap) else None
    items = node.items if isinstance(node, YamlSeq) else ()
    for at, item in enumerate(items):
        name = item.get("name") if isinstance(item, YamlMap) else None
        if isinstance(name, YamlScalar) and name.text == example_name(trait):
            lines = text.splitlines(keepends=True)
            last = len(lines) if at + 1 == len(items) else items[at + 1].span.line - 1
            if at + 1 == len(items):
                last = next((n for n in range(item.span.line, len(lines)) if lines[n][:1].strip(" \n#")), len(lines))
            head, tail = "".join(lines[: item.span.line - 1]), "".join(lines[last:])
            edits = TextEdits(text)
            key = root.key("scenarios") if isinstance(root, YamlMap) else None
            edits.drop_lines(key.span.line if len(items) == 1 and key is not None else item.span.line, last)
            return edits.result(), head, tail
    raise CannotStart(phrase("there is no such scenario any more"))
