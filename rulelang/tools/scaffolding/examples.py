"""The scenario that is made together with a trait: an example, which its author may regenerate or remove."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.phrases import phrase
from rulelang.compiler.compilation import Compilation
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.semantics import tree
from rulelang.testing.scenarios.run import Runner
from rulelang.tools.scaffolding.files import CannotStart
from rulelang.tools.scaffolding.hooks import Hookable, example_name, hookables
from rulelang.tools.scaffolding.positions import bearer_of, lay_variations, model_of, seated
from rulelang.tools.scaffolding.showing import showing, tries

#: How many positions are tried for each value or event that the trait hooks.
POSITIONS = 24


def without_example(text: str, path: str, trait: str) -> str:
    """A trait's file without its example. CannotStart if there is none."""
    return _cut(text, path, trait)[0]


def example_again(folder: Path, file: str, trait: str) -> str:
    """Write the example of a trait's file again, by the rules that it has now, and return the text.

    CannotStart, with the file as it was, if the game has mistakes or no scenario is found that shows a rule.
    """
    place = folder / file
    before = place.read_text(encoding="utf-8")
    plain, head, tail = _cut(before, file, trait)
    try:
        compilation = Compilation(folder)
        if compilation.diagnostics.failed:
            raise CannotStart(phrase("the game has errors: fix them first"))
        model = model_of(compilation)
        bearer = bearer_of(model)
        if bearer is not None and trait in model.traits:
            laid = [*islice(lay_variations(str(folder), seated(model), trait), POSITIONS)]
            some = chain.from_iterable(
                tries(hooked, hooked.place_of(bearer.kind or bearer.sort.name), trait, bearer, model, laid, add)
                for hooked, add in _hooked(compilation.program, trait)
            )
            lines = showing(folder, file, _without_scenarios(plain, file), trait, some)
            if lines is not None:
                text = head + "".join(f"{line}\n" for line in lines) + tail
                place.write_text(text, encoding="utf-8")
                if _passes(folder, place, trait):
                    return text
    except BaseException:
        place.write_text(before, encoding="utf-8")
        raise
    place.write_text(before, encoding="utf-8")
    raise CannotStart(phrase("found no scenario in which a rule of this trait has a visible effect: write one by hand"))


def _hooked(program: tree.Program, trait: str) -> Iterator[tuple[Hookable, int]]:
    """What the rules of a trait hook, in the order of their text, with the number that they always add to it, or 0."""
    found = {one.name: one for one in hookables(program)}
    mine = [one for one in program.hooks if one.origin.what == "trait" and one.origin.name == trait]
    added: dict[str, int] = {}
    for hook in sorted(mine, key=lambda one: one.span.line):
        number = hook.value if isinstance(hook, tree.Modify) and hook.guard is None and hook.op in "+-" else None
        sign = -1 if isinstance(hook, tree.Modify) and hook.op == "-" else 1
        added.setdefault(hook.pattern.event, sign * number.value if isinstance(number, tree.Const) else 0)
    yield from ((found[name], add) for name, add in added.items() if name in found)


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
    raise CannotStart(phrase("this scenario no longer exists"))


def _without_scenarios(text: str, path: str) -> str:
    root = read_yaml_text(text, path, Diagnostics()).root
    key = root.key("scenarios") if isinstance(root, YamlMap) else None
    if key is None or not isinstance(root, YamlMap):
        return text
    edits = TextEdits(text)
    later = [other.span.line for other, _ in root if other.span.line > key.span.line]
    edits.drop_lines(key.span.line, min(later) - 1 if later else text.count("\n") + 1)
    return edits.result()


def _passes(folder: Path, place: Path, trait: str) -> bool:
    runner = Runner(folder)
    mine = [
        one for one in runner.scenarios
        if Path(one.path).resolve() == place.resolve() and one.name == example_name(trait)
    ]  # fmt: skip
    return bool(mine) and not runner.diagnostics.failed and runner.run(mine[0]).passed
