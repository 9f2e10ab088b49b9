"""The numbered rules of a ruleset's rulebooks: the documents in `seeds/`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.folders import Unreadable, display_path, list_names, read_file, real_path, seeds_of
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.data.yaml_reader import read_yaml


@record
class Rule:
    """One rule of a document, in the words of whoever numbered it. `enforced` False: no program can hold one to it, for
    the reason `because`. `ruling`: how an open text is read.

    `ruleset`: the ruleset or mod whose rule it is: its document's, if it does not say another itself.
    """

    id: str
    text: str
    section: str
    document: str
    ruleset: str
    enforced: bool
    span: Span
    ruling: str = ""
    because: str = ""


def documents_of(source: RulesetSource, out: Diagnostics) -> tuple[dict[str, Rule], dict[str, str]]:
    """The documents of a ruleset and its mods: those that are shipped, and those in `seeds/` above their folders."""
    homes = [Path(real_path(root.span.path)).parent for root in source.manifests]
    return read_documents(seeds_of(homes), {layer.id for layer in source.layers}, out)


def read_documents(
    folders: Iterable[Path], rulesets: Collection[str], out: Diagnostics
) -> tuple[dict[str, Rule], dict[str, str]]:
    """All rules of documents that name one of these rulesets, by id, and the texts of the files they stand in.

    A document may hold the rules of a ruleset and of mods for it.
    """
    rules: dict[str, Rule] = {}
    sources: dict[str, str] = {}
    for folder in dict.fromkeys(Path(real_path(str(folder))) for folder in folders):
        for path in (folder / name for name in list_names(str(folder)) if name.endswith(".yaml")):
            told = Diagnostics()
            try:
                file = read_yaml(read_file(path), display_path(path), told)
            except Unreadable:
                continue
            root = file.root
            if not isinstance(root, YamlMap) or root.text("ruleset") not in rulesets:
                continue
            out.extend(told)
            sources[file.path] = file.text
            _rules(root, rules, out)
    return rules, sources


def _rules(root: YamlMap, rules: dict[str, Rule], out: Diagnostics) -> None:
    listed = root.get("rules")
    if not isinstance(listed, YamlMap):
        place = (listed.span if listed is not None else root.span).head()
        out.error("C712", place, "a document needs `rules:`, a map from ids to rules")
        return
    for key, node in listed:
        text = node.text("text") if isinstance(node, YamlMap) else None
        if not isinstance(node, YamlMap) or text is None:
            out.error("C712", key.span, f"the rule `{key.text}` has no `text`")
            continue
        enforced = node.get("enforced")
        kept = not (isinstance(enforced, YamlScalar) and enforced.value is False)
        if not kept and node.text("because") is None:
            out.error("C712", key.span, f"the rule `{key.text}` is not enforced, and its `because` is missing")
        whose = node.text("ruleset") or root.text("ruleset") or ""
        section, document = node.text("section") or "", root.text("document") or ""
        ruling, because = node.text("ruling") or "", "" if kept else node.text("because") or ""
        rule = Rule(key.text, text, section, document, whose, kept, key.span, ruling, because)
        other = rules.setdefault(rule.id, rule)
        if other is not rule:
            related = [Related(other.span, "the first one is here")]
            out.error("C711", key.span, f"the rule id `{key.text}` is used twice", related=related)
