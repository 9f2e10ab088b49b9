"""Changes of fields as changes of a file's text: what a field says is cut out, and what it shall say is put in, so that
comments, blank lines and the order of everything else stay as they are, to the letter."""

from __future__ import annotations

import json
import re

from rulelang.apps.studio.workshop.form import Field, NoForm, Place, root_of
from rulelang.base.phrases import phrase
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.testing.scenarios.flow import flow

_NUMBER = re.compile(r"-?[0-9]{1,9}")
#: Characters of a language tag, as `zh-Hant`.
LONGEST_CODE = 11


def changed(text: str, path: str, field: Field, value: object) -> str:
    """The text with another value in a field. NoForm for a value that the field cannot hold."""
    root = root_of(text, path)
    said = written(field, value)
    parent, node, rest = _find(root, field.at)
    edits = TextEdits(text)
    if node is not None and not (isinstance(node, YamlScalar) and node.span.line == 0):
        if isinstance(node, YamlScalar) and node.style in ("literal", "folded"):
            _replace_block(edits, node, said)
        else:
            # Behind a key that says nothing yet there is no blank.
            edits.replace(node.span, said if edits.part(node.span) else f" {said}")
    else:
        _add(edits, root, parent, rest, said)
    return edits.result()


def written(field: Field, value: object) -> str:
    """A value as YAML. NoForm for one that the field cannot hold."""
    if field.kind == "flag":
        return "true" if value else "false"
    if field.kind == "number":
        word = str(value).strip()
        if not _NUMBER.fullmatch(word):
            raise NoForm(phrase("{field}: `{word}` is not a whole number", field=field.label, word=word))
        return word
    if field.kind == "numbers":
        words = re.split(r"[\s,]+", str(value).strip(" ,"))
        wrong = next((word for word in words if not _NUMBER.fullmatch(word)), None)
        if wrong is not None:
            raise NoForm(
                phrase(
                    "{field}: `{word}` is not a whole number; separate the numbers with spaces",
                    field=field.label,
                    word=wrong,
                )
            )
        return f"[{', '.join(words)}]"
    if field.kind == "row":
        if value not in field.choices:
            raise NoForm(phrase("{field}: there is no `{name}`", field=field.label, name=str(value)))
        return str(value)
    if field.kind == "rows":
        chosen = [str(one) for one in value] if isinstance(value, list) else []
        if not set(chosen) <= set(field.choices):
            unknown = sorted(set(chosen) - set(field.choices))[0]
            raise NoForm(phrase("{field}: there is no `{name}`", field=field.label, name=unknown))
        return f"[{', '.join(chosen)}]"
    return texted(str(value))


def texted(text: str) -> str:
    """A text on one line of YAML."""
    said = " ".join(text.split())
    plain = flow(said)
    return plain if plain == said or plain.startswith("'") else json.dumps(said, ensure_ascii=False)


def _find(root: YamlMap, at: Place) -> tuple[YamlNode, YamlNode | None, Place]:
    """The deepest node on the way to a place; what lies at the place, else None and the rest of the way."""
    node: YamlNode = root
    for number, step in enumerate(at):
        inner = _step(node, step)
        if inner is None:
            return node, None, at[number:]
        node, holder = inner, node
    return holder, node, at[-1:]


def _step(node: YamlNode, step: str | int) -> YamlNode | None:
    if isinstance(node, YamlMap) and isinstance(step, str):
        return node.get(step)
    if isinstance(node, YamlSeq) and isinstance(step, int) and step < len(node.items):
        return node.items[step]
    return None


def _add(edits: TextEdits, root: YamlMap, parent: YamlNode, rest: Place, said: str) -> None:
    """What is not there yet, behind the last key of its map; of a trait at the end of its head."""
    key, *inner = rest
    value = "".join(f"{{{step}: " for step in inner) + said + "}" * len(inner)
    if isinstance(parent, YamlScalar) and not inner and len(str(key)) <= LONGEST_CODE:
        edits.replace(parent.span, f"{{en: {texted(parent.text)}, {key}: {said}}}")  # so far it said one language alone
    elif parent is root:
        heads = [name for name in ("text", "name", "trait") if root.get(name) is not None and name != key]
        behind = root.get(heads[0]) if heads else None
        if behind is not None:
            edits.insert_line(last_line(behind), f"{key}: {value}")
        else:
            edits.append_line(f"{key}: {value}")
    elif not isinstance(parent, YamlMap) or not parent.items:
        raise NoForm(phrase("the form does not support this notation for `{key}`; edit the text instead", key=str(key)))
    else:
        last_key, last = parent.items[-1]
        called = texted(str(key))
        if edits.part(parent.span).startswith("{"):
            edits.insert(last.span.end_line, last.span.end_column, f", {called}: {value}")
        else:
            edits.insert_line(last_line(last), f"{' ' * (last_key.span.column - 1)}{called}: {value}")


def last_line(node: YamlNode) -> int:
    """The last line that a value takes: a block's span ends where the next key begins."""
    span = node.span
    return span.end_line - 1 if span.end_column == 1 and span.end_line > span.line else span.end_line


def _replace_block(edits: TextEdits, node: YamlScalar, said: str) -> None:
    """In the place of a text of several lines."""
    last = max(node.span.line, last_line(node))
    while last > node.span.line and not edits.line(last).strip():
        last -= 1
    start = edits.at(node.span.line, node.span.column)
    edits.cut(start, edits.at(last, len(edits.line(last)) + 1), said)
