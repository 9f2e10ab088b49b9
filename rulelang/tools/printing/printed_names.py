"""Names of things in print, in one language: what is labelled, and which mod added or changed it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulelang.base.labels import NO_LABEL, Label, Texts, in_english, name_in_words
from rulelang.base.languages import ENGLISH, Language
from rulelang.base.phrases import Filling, Phrase, RuleName, inflect
from rulelang.base.source import Span
from rulelang.base.wording import capitalized, plural
from rulelang.compiler.compilation import Compilation
from rulelang.data.ruleset_source import Layer
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics import tree
from rulelang.language.semantics.cards import face_column
from rulelang.language.semantics.declare.labels import texts_of
from rulelang.language.semantics.model import MISSING_INT, Condition, Row, Type
from rulelang.tools.printing.document import Mark, Marks

# ---- words of templates


def template_words(language: Language) -> dict[str, str]:
    """By the keys under which templates know them."""
    say = language.say
    return {
        "rulebook": say("Rulebook"),
        "sheet": say("Reference sheet"),
        "contents": say("Contents"),
        "the_game": say("The game"),
        "flow": say("Flow of the game"),
        "phases": say("The phases"),
        "rules": say("The rules"),
        "tables": say("The cards"),
        "changes": say("Changes"),
        "index": say("Index"),
        "actions": say("What players may do"),
        "needs": say("Only if"),
        "ruling": say("Ruling"),
        "not_held": say("Not enforced by the program"),
        "done_by": say("Implemented by"),
        "copies": say("Copies"),
        "name": say("Name"),
        "text": say("Text"),
        "new": say("new"),
        "changed": say("changed"),
        "added": say("added"),
        "removed": say("removed"),
        "hooks": say("What changes each rule"),
        "traits_hook": say("What each trait and card changes"),
    }


# ---- names

#: The section of the merged data in which each kind of thing with rows stands.
_SECTIONS = ("lists", "ladders", "cards")
_OPERATORS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥", "<": "<", ">": ">"}


class Names:
    """The names, texts and marks of one game in one language."""

    def __init__(self, compilation: Compilation, language: Language = ENGLISH) -> None:
        self.compilation = compilation
        self.language = language
        self.model, self.program, self.source = compilation.model, compilation.program, compilation.source
        self.labels = self.model.labels
        self.by_name: dict[str, None] = {}  # what had no words of its own, and was called as the rules call it

    # ---- words

    def told(self, texts: Texts) -> str:
        """A text that a game has by language; where the language is not among them, as the catalogue has it."""
        code = self.language.code
        own = next((texts[tag] for tag in (code, code.partition("-")[0]) if texts.get(tag)), "")
        usual = own or in_english(texts)
        return own or (self.language.word(usual) if usual else "")

    def word(self, name: str) -> str:
        """A name of the rules in the language, as words."""
        self.by_name[name] = None
        texts = self.language.texts
        return texts.get(name) or texts.get(name_in_words(name)) or name_in_words(name)

    def named(self, name: str) -> str:
        """What a kind, list, sort, zone, table, action, phase, routine or value is called."""
        return self.told(self.labels.things.get(name, NO_LABEL).name) or self.word(name)

    def several(self, name: str) -> str:
        """What several of a kind or sort are called."""
        own = self.told(self.labels.things.get(name, NO_LABEL).plural)
        one = self.named(name)
        return own or (plural(one) if self.language.code == "en" or one == name_in_words(name) else one)

    def mention(self, called: RuleName) -> str:
        """A name of the rules in a sentence."""
        if called.form == "several":
            return self.several(called.name)
        match called.room:
            case "member":
                said = self.member_name(called.of, called.name)
            case "thing":
                said = self.named(called.name)
            case "row":
                said = self.told(self.labels.rows.get(called.of, {}).get(called.name, NO_LABEL).name) or self.word(
                    called.name
                )
            case _:
                said = self.word(called.name)
        return inflect(said, called) if self.language.code == "en" else said

    def say(self, said: Filling) -> str:
        """A phrase of the program, and what may fill its holes."""
        match said:
            case Phrase():
                return self.language.render(said, self.say)
            case RuleName():
                return self.mention(said)
        return str(said)

    def member(self, kind: str, name: str) -> Label:
        """How an attribute, a column or a state value (kind "") is labelled."""
        return self.labels.member(kind, name)

    def member_name(self, kind: str, name: str) -> str:
        return self.told(self.member(kind, name).name) or self.word(name)

    def member_text(self, kind: str, name: str) -> str:
        return self.told(self.member(kind, name).text)

    def text(self, name: str) -> str:
        """What a kind, zone, table ... is, in words."""
        return self.told(self.labels.things.get(name, NO_LABEL).text)

    # ---- rows, traits, values

    def trait(self, name: str) -> str:
        return capitalized(self.told(self.model.traits[name].titles) or self.word(name))

    def trait_text(self, name: str) -> str:
        return self.told(self.model.traits[name].text)

    def row(self, kind: str, number: int) -> str:
        """The name of a row of a list, ladder, sort of cards or of the traits, by its number; empty for none."""
        room = self.model.lists.get(kind) or self.model.sorts.get(kind)
        if room is None or not 0 < number <= len(room.rows):
            return str(number) if number else ""
        row = room.rows[number - 1]
        return self.trait(row.name) if kind == "trait" else self.row_name(kind, row)

    def row_name(self, kind: str, row: Row) -> str:
        """What a row is called: by its name in the language, its id, or the traits on it."""
        if row.name:
            own = self.told(self.labels.rows.get(kind, {}).get(row.name, NO_LABEL).name)
            return capitalized(own or self.word(row.name))
        node = self.row_node(kind, row)
        own = self.told(texts_of(node.get("name"))) if node is not None else ""
        faces = " / ".join(self.row("trait", face) for face in self.faces(kind, row))
        return capitalized(own) or faces or f"{capitalized(self.named(kind))} {row.number}"

    def row_text(self, kind: str, row: Row) -> str:
        node = self.row_node(kind, row)
        own = texts_of(node.get("text")) if node is not None else {}
        return self.told(own or ({"en": row.text} if row.text else {}))

    def faces(self, sort: str, row: Row) -> tuple[int, ...]:
        """The numbers of the traits that a card of this row can be laid as."""
        column = face_column(self.model.sorts[sort]) if sort in self.model.sorts else None
        value = row.columns.get(column.name, column.default) if column is not None else None
        if isinstance(value, tuple):
            return value
        return (value,) if isinstance(value, int) and value else ()

    def row_node(self, kind: str, row: Row) -> YamlMap | None:
        """What the data say of a row; None for one that a trait's file brings."""
        rows = self._row_nodes.get(kind, ())
        at = (row.written or row.number) - 1
        return rows[at] if at < len(rows) else None

    @cached_property
    def _row_nodes(self) -> dict[str, list[YamlMap]]:
        found = {}
        for section in _SECTIONS:
            for key, node in self.source.tree.map(section):
                rows = node.map("rows") if isinstance(node, YamlMap) else YamlMap((), node.span)
                found[key.text] = [row if isinstance(row, YamlMap) else YamlMap((), row.span) for _, row in rows]
        return found

    def value(self, type_: Type, value: object) -> str:
        """A printed value in words: rows by their names, sums and comparisons of conditions; empty for none."""
        if isinstance(value, Condition):
            return ", ".join(
                f"{' + '.join(self.row(type_.name, measure) for measure in term.measures)}"
                f" {_OPERATORS[term.op]} {term.number}"
                for term in value.terms
            )
        if isinstance(value, tuple):
            return ", ".join(self.value(type_, item) for item in value)
        if not isinstance(value, int) or value == MISSING_INT:
            return ""
        if type_.tag == "bool":
            return self.language.say("yes") if value else ""
        if type_.tag in ("ref", "set"):
            return self.row(type_.name, value) if value else ""
        return str(value).replace("-", "−")

    def node(self, *path: str) -> YamlNode | None:
        """A piece of the merged data."""
        node: YamlNode | None = self.source.tree
        for step in path:
            node = node.get(step) if isinstance(node, YamlMap) else None
        return node

    # ---- who

    def layer(self, index: int) -> str:
        """The title of a mod or mode."""
        return self.language.word(layer_title(self.source.layers[index]))

    def owner(self, origin: tree.Origin) -> str:
        """The trait, row or card that brings a rule; nothing for rules of the game or of a mod itself."""
        if origin.what == "core":
            return ""
        return self.trait(origin.name) if origin.what == "trait" else self.row(origin.name, origin.row)

    def marks(self, layer: int, changed: Iterator[int] | tuple[int, ...] = ()) -> Marks:
        """The marks of what layer `layer` brought, and others have changed."""
        new = (Mark("new", self.layer(layer)),) if layer else ()
        by = dict.fromkeys(self.layer(index) for index in sorted(changed) if index > layer)
        return (*new, *(Mark("changed", title) for title in by))

    def declared_marks(self, item: tree.Declared) -> Marks:
        return self.marks(item.origin.layer, tuple(self._changes_in(item)))

    def _changes_in(self, item: tree.Declared) -> Iterator[int]:
        for change in self.program.changes:
            if _inside(change.declared, item.span) or any(_inside(s, item.span) for s in (change.after,) if s):
                yield change.layer

    def node_marks(self, node: YamlNode | None) -> Marks:
        """The marks of a piece of data."""
        return self.marks(node.layer, tuple(layers_in(node))) if node is not None else ()


def layer_title(layer: Layer) -> str:
    return (
        capitalized(name_in_words(layer.id))
        if layer.kind == "mode"
        else layer.title or capitalized(name_in_words(layer.id))
    )


def layers_in(node: YamlNode) -> Iterator[int]:
    """The layers that wrote some part of a piece of data, but for its scenarios."""
    yield node.layer
    if isinstance(node, YamlMap):
        for key, value in node:
            if key.text != "scenarios":
                yield from layers_in(value)
    elif not isinstance(node, YamlScalar):
        for item in node:
            yield from layers_in(item)


def _inside(part: Span, whole: Span) -> bool:
    return (
        part.path == whole.path
        and (whole.line, whole.column) <= (part.line, part.column)
        and (part.end_line, part.end_column) <= (whole.end_line, whole.end_column)
    )
