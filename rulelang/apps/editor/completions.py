"""Propose completions anywhere in a file: in YAML, in scenarios, in rules and in tables."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.json_schemas import Schema, game_schemas, names_in_mode, schema_of
from rulelang.apps.editor.rule_completions import Proposal, complete_rules
from rulelang.apps.editor.scenario_names import ruleset_at_line
from rulelang.base.source import Placement, Span
from rulelang.data.schema import load_schemas
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS
from rulelang.language.semantics.check.program import origin_of
from rulelang.language.semantics.declare.labels import GAME
from rulelang.language.semantics.members import members_of
from rulelang.runtime.decision import normalized_text
from rulelang.testing.scenarios.assertions import KEYS
from rulelang.testing.scenarios.lexicon import ENDINGS, NUMBER, Form, step_forms
from rulelang.testing.scenarios.stepper import PLACES
from rulelang.testing.scenarios.steps import DICE, OPTIONS, REFUSED, RUN, THEN

# ---- The place of a cursor in YAML

#: A step of a path: an item of a list.
ITEM = "[]"
_LINE_KEY = re.compile(r"""("[^"]*"|'[^']*'|[^\s:#{}\[\],"'&*][^:#{}\[\],]*?)[ \t]*:(?=[ \t]|$)""")
_ANCHOR = re.compile(r"[&!][^\s]*[ \t]*")


@dataclass(frozen=True, slots=True)
class YamlPlace:
    """`path`: keys and items that lead there. `keyed`: a key may stand there; `valued`: a value may. `said`: the scalar
    up to the cursor."""

    path: tuple[str, ...]
    keyed: bool
    valued: bool
    said: str


@dataclass(frozen=True, slots=True)
class _YamlLine:
    """A line: the columns of its dashes, where its content begins, its key, and what stands behind that."""

    dashes: tuple[int, ...]
    column: int
    key: str | None
    rest: str


def _read_line(line: str) -> _YamlLine:
    at, dashes = len(line) - len(line.lstrip(" ")), []
    while line[at : at + 2] == "- " or line[at:] == "-":
        dashes.append(at)
        at += 1
        at += len(line[at:]) - len(line[at:].lstrip(" "))
    match = _LINE_KEY.match(line, at)
    if match is None:
        return _YamlLine(tuple(dashes), at, None, line[at:])
    return _YamlLine(tuple(dashes), at, match[1].strip("\"'"), line[match.end() :])


def yaml_place(text: str, line: int, column: int) -> YamlPlace | None:
    """The place of a cursor (line and column from 1). None in a remark."""
    lines = text.split("\n")
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    if _is_in_comment(before):
        return None
    first = _flow_begin(lines, line, before)
    if first < line - 1:  # brackets are open since a line above
        before = " ".join([*lines[first : line - 1], before.strip()])
    row = _read_line(before)
    path = [*keys_above(lines, first, row), *[ITEM] * len(row.dashes)]
    if row.key is not None:
        return _path_within_line([*path, row.key], row.rest.lstrip())
    return _path_within_line(path, row.rest, bare=True)


def _is_in_comment(before: str) -> bool:
    bare = re.sub(r""""[^"]*"|'[^']*'""", "", before)
    return re.search(r"(^|[ \t])#", bare) is not None


def _flow_begin(lines: list[str], line: int, before: str) -> int:
    """The line (from 0) on which the brackets that are open at the cursor were opened."""
    depth = 0
    for number in range(line - 1, max(line - 40, -1), -1):
        row = before if number == line - 1 else lines[number]
        depth += sum(row.count(sign) for sign in "{[") - sum(row.count(sign) for sign in "}]")
        if depth > 0:
            return number
        if number < line - 1 and (not row.strip() or row.rstrip().endswith(":")) and depth <= 0:
            break
    return line - 1


def keys_above(lines: list[str], number: int, row: _YamlLine) -> list[str]:
    """The keys and items that a line stands in, by indentation."""
    path: list[str] = []
    column, equal = (row.dashes[0], True) if row.dashes else (row.column, False)
    for other in reversed(lines[:number]):
        if column == 0 and not equal:
            break
        if not other.strip() or other.lstrip().startswith("#"):
            continue
        found = _read_line(other)
        if found.dashes and found.dashes[0] < column:
            if found.column < column and found.key is not None:
                path.insert(0, found.key)
            elif found.column != column or equal:
                continue
            path[:0] = [ITEM] * len(found.dashes)
            column, equal = found.dashes[0], True
        elif (
            not found.dashes and found.key is not None and (found.column < column or (equal and found.column == column))
        ):
            path.insert(0, found.key)
            column, equal = found.column, False
    return path


def _path_within_line(path: list[str], said: str, *, bare: bool = False) -> YamlPlace:
    """What stands on the line itself: a scalar, or brackets with more of the path in them."""
    said = _ANCHOR.sub("", said, count=1) if said[:1] in ("&", "!") else said
    if said[:1] not in ("{", "["):
        return YamlPlace(tuple(path), bare, not bare or ITEM in path[-1:], said)
    stack: list[tuple[str, list[str]]] = []
    here, word, keyed = list(path), "", False
    for char in said:
        if char in "{[":
            stack.append((char, list(here)))
            here = [*here, *([ITEM] if char == "[" else [])]
            word, keyed = "", char == "{"
        elif char in "}]":
            if not stack:
                break
            _, here = stack.pop()
            word, keyed = "", False
        elif char == ",":
            here = [*stack[-1][1], *([ITEM] if stack[-1][0] == "[" else [])] if stack else here
            word, keyed = "", bool(stack) and stack[-1][0] == "{"
        elif char == ":" and word.strip() and stack:
            # `[wolf: carnivore]` is a map of one key in a list
            here, word, keyed = [*here, word.strip()], "", False
        else:
            word += char
    in_list = bool(stack) and stack[-1][0] == "[" and here[-1:] == [ITEM]
    return YamlPlace(tuple(here), keyed or in_list, not keyed, word.lstrip())


# ---- Completion in scenarios

_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD_START = re.compile(r"\w*")
_NAME_LETTERS = f"{string.ascii_letters}{string.digits}_"
_TRAIT = re.compile(r"^trait:[ \t]*([\w\-]+)", re.MULTILINE)
#: A claim is read as a line of rules; where that stands concerns nobody.
_NO_PLACEMENT = Placement("")
#: What a step may say but an action and whose it is.
_STEP_KEYS = (OPTIONS, DICE, RUN, THEN)


def complete_scenario(analysis: Analysis, path: str, text: str, line: int, place: YamlPlace) -> list[Proposal] | None:
    """The proposals at a place of a scenario that schemas know nothing of; None elsewhere."""
    steps = place.path
    if "scenarios" not in steps and "/scenarios/" not in path.replace("\\", "/"):
        return None
    inside = steps[steps.index("scenarios") + 1 :] if "scenarios" in steps else steps
    inside = inside[1:] if inside[:1] == (ITEM,) else inside
    if not inside:
        return None
    here = _ScenarioHere(analysis, text, line)
    if inside[0] == "rule":
        return [Proposal(r.id, "rule", r.text, r.document, rank=1) for r in analysis.rules.values()]
    if inside[0] == "when" and len(inside) > 1:
        return list(here.steps(inside[1:], place))
    if inside[0] == "then" and len(inside) > 1:
        return list(here.claims(inside, place))
    if inside[-1] == "with":
        return [Proposal(name, "variable", kind, rank=1) for name, kind in here.things.items()]
    if inside[:2] == ("given", "players") and len(inside) > 2 and (len(inside) > 3 or place.valued):
        joined = [Proposal("with", "property", "the other bearer of a pair", snippet="with: ", rank=4, again=True)]
        return [*here.thing(), *(joined if place.keyed and len(inside) > 3 else [])]
    if inside[:2] == ("given", "zones") and len(inside) > 2 and place.valued:
        return list(here.cards())
    if inside == ("given", "turn") or inside[-1] == "by":
        return [Proposal(name, "variable", "player", rank=1) for name in here.players]
    return None


class _ScenarioHere:
    """The scenario in which a line stands: who plays, and what is called how."""

    def __init__(self, analysis: Analysis, text: str, line: int) -> None:
        self.analysis = analysis
        self.model = analysis.model
        self.forms: Mapping[str, list[Form]] = step_forms(analysis.program)
        self.players: dict[str, None] = {}
        self.things: dict[str, str] = {}  # with their kinds
        trait = _TRAIT.search(text)
        self.trait = trait[1] if trait else ""
        self._gather(text, line)

    def _gather(self, text: str, line: int) -> None:
        """Names of players and things, from the lines of the scenario: those below `players:`."""
        lines = text.split("\n")
        begin = end = line - 1
        while begin > 0 and not re.match(r"[ \t]*- name:", lines[begin]):
            begin -= 1
        while end + 1 < len(lines) and not re.match(r"[ \t]*- name:", lines[end + 1]):
            end += 1
        kinds = self.analysis.symbols.kinds()
        known = {name for kind in kinds for name in members_of(self.model, kind)}
        known |= {"players", *self.model.made, *self.model.traits}
        for number in range(begin, min(end + 1, len(lines))):
            row = lines[number]
            place = yaml_place("\n".join(lines[: number + 1]), number + 1, len(row) + 1)
            if place is None or "players" not in place.path:
                continue
            at = place.path.index("players")
            if len(place.path) > at + 1 and place.path[at + 1] != ITEM:
                self.players[place.path[at + 1]] = None
            kind = next((step for step in place.path[at:] if step in self.model.made), next(iter(self.model.made), ""))
            keyed = not row.lstrip().startswith("-") and ("[" in row or "{" in row)
            said = row.partition(":")[2] if keyed else row
            for part in re.split(r"[\[\]{},]", said.replace("- ", ",")):
                first = _NAME.match(part.strip())
                if first is not None and first[0] not in known and first[0] not in self.players:
                    self.things[first[0]] = kind

    # ---- steps

    def steps(self, inside: tuple[str, ...], place: YamlPlace) -> Iterator[Proposal]:
        """What stands below `when:`; `inside`: the way there from it."""
        above = [step for step in inside if step != ITEM]
        if THEN in above:
            yield from self.claims(inside[inside.index(THEN) :], place)
        elif above and above[-1] == RUN:
            begun = place.said.rpartition(" ")[0]
            ways = [f"to {form}" for form in PLACES.values() if f"to {form}".startswith(begun)]
            for way in ways:
                rest = way.removeprefix(begun).lstrip()
                yield Proposal(way, "keyword", snippet=rest, filter=rest, rank=1)
        elif above and above[-1] == OPTIONS:
            yield from self.step(place.said, whose=False)
        elif above and above[-1] not in self.players:
            if place.keyed and above[-1] not in _STEP_KEYS:
                yield Proposal(REFUSED, "property", "the reason why it is refused", snippet=f"{REFUSED}: ", rank=1)
        else:
            yield from self.step(place.said, whose=not above)
            if place.keyed and _WORD_START.fullmatch(place.said):
                said = _STEP_KEYS if not above else (OPTIONS, THEN)
                yield from (Proposal(word, "property", snippet=f"{word}: ", rank=4, again=True) for word in said)

    def step(self, said: str, *, whose: bool) -> Iterator[Proposal]:
        """An action with its arguments, an answer, or whose steps follow."""
        words = said.split(" ")
        for size in range(len(words) - 1, 0, -1):
            forms = self.forms.get(normalized_text(" ".join(words[:size])), ())
            if forms:
                given = len(words) - 1 - size
                for kind in dict.fromkeys(way[given] for form in forms for way in form.ways if given < len(way)):
                    yield from self.proposed_names(kind)
                return
        for name, forms in self.forms.items():
            kinds = ", ".join(forms[0].ways[0]) if forms and forms[0].ways else ""
            what = "routine" if forms[0].whole else "action"
            written = f"{name} " if kinds else name
            yield Proposal(name, "event", kinds, snippet=written, rank=1 if what == "action" else 3, again=bool(kinds))
        yield from (Proposal(word, "keyword", rank=2) for word in ENDINGS)
        for name in self.players:
            yield Proposal(name, "variable", "player", snippet=f"{name}:" if whose else name, rank=2)
        yield from (Proposal(name, "variable", "thing", rank=3) for name in self.things)
        yield from (replace(item, rank=4) for item in self.cards())

    def proposed_names(self, kind: str) -> Iterator[Proposal]:
        """What a value of a kind is called here."""
        if kind == NUMBER:
            return
        if kind == "player":
            yield from (Proposal(name, "variable", kind, rank=1) for name in self.players)
        elif kind in self.model.made:
            yield from (Proposal(name, "variable", kind, rank=1) for name in self.things)
        elif kind == "bool":
            yield from (Proposal(word, "keyword", kind, rank=1) for word in ("true", "false"))
        else:
            yield from self.rows(kind)

    def rows(self, kind: str) -> Iterator[Proposal]:
        if kind in self.model.sorts:
            yield from self.cards(kind)
        for name in self.analysis.symbols.rows_of(kind):
            yield Proposal(name, "row", kind, rank=1)

    def cards(self, kind: str = "") -> Iterator[Proposal]:
        """The cards of a sort, or of all, by their names and traits."""
        for sort in self.model.sorts.values():
            if not kind or sort.name == kind:
                yield from (Proposal(row.name, "row", sort.name, row.text, rank=2) for row in sort.rows if row.name)
        if not kind or any(sort.name == kind for sort in self.analysis.symbols.trait_sorts()):
            for trait in self.model.traits.values():
                yield Proposal(trait.name, "row", trait.titles.get("en", ""), trait.text.get("en", ""), rank=1)

    def thing(self) -> Iterator[Proposal]:
        """What is said of a player or a thing: its cards with what is kept of them, attributes and zones."""
        yield from self.cards()
        for trait in self.model.traits.values():
            for name, state in trait.state.items():
                yield Proposal(name, "field", f"{trait.name}: {state.type}", rank=4)
        for sort in self.model.sorts:
            for name, column in self.analysis.symbols.printed(sort).items():
                yield Proposal(name, "field", f"{sort}: {column.type}", rank=4)
        for kind in ("player", *self.model.made):
            for member in members_of(self.model, kind, outside=True).values():
                if member.what in ("attribute", "zone", "slot"):
                    yield Proposal(member.name, "field", f"{kind}: {member.type or 'zone'}", member.doc, rank=3)

    # ---- claims

    def claims(self, inside: tuple[str, ...], place: YamlPlace) -> Iterator[Proposal]:
        """What stands below `then:`; `inside`: the way there, from it."""
        above = next((step for step in reversed(inside) if step != ITEM), THEN)
        if above == OPTIONS:
            yield from self.step(place.said, whose=False)
        elif above == "over":
            yield from (Proposal(word, "keyword", "bool", rank=1) for word in ("true", "false"))
        elif above in ("decision", "winners", "scores", "sees"):
            yield from (Proposal(name, "variable", "player", rank=1) for name in self.players)
        elif above == THEN:
            yield from self.claim(place.said, keyed=place.keyed)

    def claim(self, said: str, *, keyed: bool) -> Iterator[Proposal]:
        """A claim about the position: an expression of its names. `keyed`: or a key of what else can be said."""
        if keyed and _WORD_START.fullmatch(said):
            yield from (Proposal(word, "property", snippet=f"{word}: ", rank=4, again=True) for word in KEYS)
        names = [f"player {name}" for name in self.players]
        names += [f"{kind} {name}" for name, kind in self.things.items() if kind]
        trait = self.trait if self.trait in self.model.traits else ""
        origin = tree.Origin("trait", trait) if trait else tree.Origin("core")
        text = f"routine claimed({', '.join(names)}):\n  require {said}"
        column = len(text) - text.rindex("\n")
        for item in complete_rules(self.analysis, origin, text, _NO_PLACEMENT, 2, column, outside=True):
            if item.label not in BEARERS:  # nobody bears a scenario
                yield item
        if not said.rstrip(_NAME_LETTERS).endswith("."):  # unlike the rules of a core, it may name traits
            yield from (replace(item, rank=9) for item in self.rows("trait"))


# ---- Completion in YAML

_TYPED_KEY = re.compile(r"[\w.\-]*\Z")
_KEY_AT = re.compile(r"[A-Za-z_][\w\-]*(?=[ \t]*:(?:[ \t]|$))")
_GENERAL = "../"
#: What `this` of `look:` is called in a routine, where it is a word of the language.
_ITS = "its_thing"
_THIS = re.compile(r"\bthis\b")


class _SchemaNode(NamedTuple):
    """A schema, and the file it stands in: `trait.schema.json` of the game, `../trait.schema.json` of all games."""

    file: str
    schema: Schema


def complete_yaml(analysis: Analysis, path: str, text: str, line: int, column: int) -> list[Proposal]:
    """The proposals at a place of a YAML document."""
    place = yaml_place(text, line, column)
    if place is None:
        return []
    match = _TYPED_KEY.search(place.said)
    begun = len(match[0]) if match else 0
    found: list[Proposal] = []
    said = complete_scenario(analysis, path, text, line, place)
    if said is None:
        said = _manifest_proposals(analysis, path, place.path) or _shown_proposals(analysis, place)
    if said is not None:
        return [item.replacing(begun) for item in said]
    known = _GameSchemas(analysis)
    nodes = known.at(schema_of(Path(path), text), place.path)
    if place.keyed:
        found += known.keys(nodes)
    if place.valued:
        found += known.values(nodes)
    return [item.replacing(begun) for item in found]


def _manifest_proposals(analysis: Analysis, path: str, steps: tuple[str, ...]) -> list[Proposal]:
    """What its values name that is declared elsewhere, or beside them."""
    if Path(path).name not in ("ruleset.yaml", "mod.yaml"):
        return []
    if steps == ("players", "from"):
        players = (state for state in analysis.model.state.values() if state.type.name == "player")
        return [Proposal(state.name, "field", str(state.type), rank=1) for state in players]
    if len(steps) == 3 and steps[0] == "options" and steps[2] == "default" and steps[1] in analysis.model.options:
        option = analysis.model.options[steps[1]]
        return [Proposal(value, "row", f"option {option.name}", rank=1) for value in option.values]
    return []


def _shown_proposals(analysis: Analysis, place: YamlPlace) -> list[Proposal] | None:
    """What `look:` works out of a kind, as an expression of rules; None elsewhere."""
    steps = place.path[:-1] if place.path[-1:] == ("is",) else place.path
    if not place.valued or len(steps) != 4 or (steps[0], steps[2]) != ("look", "show"):
        return None
    kind = "" if steps[1] == GAME else f"{steps[1]} {_ITS}"
    text = f"routine shown{f'({kind})' if kind else ''}:\n  let what = {_THIS.sub(_ITS, place.said)}"
    column = len(text) - text.rindex("\n")
    found = complete_rules(analysis, tree.Origin("core"), text, _NO_PLACEMENT, 2, column, outside=True)
    named = (replace(item, label="this") if item.label == _ITS else item for item in found if item.label not in BEARERS)
    return list(named)


def described_key(analysis: Analysis, path: str, text: str, line: int, column: int) -> tuple[str, Span] | None:
    """What the schemas say of the key at a place, as Markdown, and the place of the key."""
    rows = text.split("\n")
    row = rows[line - 1] if line <= len(rows) else ""
    key = next((m for m in _KEY_AT.finditer(row) if m.start() < column <= m.end() + 1), None)
    place = yaml_place(text, line, key.end() + 1) if key is not None else None
    if key is None or place is None:
        return None
    known = _GameSchemas(analysis)
    nodes = known.at(schema_of(Path(path), text), place.path)
    found = next((p for p in known.keys(nodes) if p.label == key[0] and (p.detail or p.doc)), None)
    if found is None:
        return None
    said = "\n\n".join(part for part in (f"`{key[0]}`: {found.detail}" if found.detail else "", found.doc) if part)
    return said, Span(path, line, key.start() + 1, line, key.end() + 1)


class _GameSchemas:
    """The schemas of a game and those of all games."""

    def __init__(self, analysis: Analysis) -> None:
        made = analysis.kept.get("schemas")
        if not isinstance(made, dict):
            made = game_schemas(names_in_mode(analysis.source, analysis.model, analysis.program))
            analysis.kept["schemas"] = made
        self.files: dict[str, Schema] = {**{f"{_GENERAL}{n}.schema.json": s for n, s in load_schemas().items()}, **made}

    def at(self, file: str, path: Sequence[str]) -> list[_SchemaNode]:
        """All schemas that speak of the value at a path."""
        top = [_SchemaNode(name, self.files[name]) for name in (file, _GENERAL + file) if name in self.files]
        nodes = list(self.with_referred(top))
        for step in path:
            nodes = list(self.with_referred(self._step(nodes, step)))
        return nodes

    def with_referred(self, nodes: Iterable[_SchemaNode]) -> Iterator[_SchemaNode]:
        """Schemas with those they refer to and are made of."""
        waiting, seen = list(nodes), set()
        while waiting:
            node = waiting.pop()
            if id(node.schema) in seen or not isinstance(node.schema, dict):
                continue
            seen.add(id(node.schema))
            yield node
            if "$ref" in node.schema:
                waiting += self._referred(node.file, node.schema["$ref"])
            for word in ("allOf", "anyOf", "oneOf"):
                waiting += [_SchemaNode(node.file, part) for part in node.schema.get(word, ())]
            waiting += [_SchemaNode(node.file, node.schema[word]) for word in ("then", "else") if word in node.schema]

    def _referred(self, file: str, reference: str) -> Iterator[_SchemaNode]:
        name, _, inner = reference.partition("#")
        target = (
            file
            if not name
            else name
            if name.startswith(_GENERAL) or not file.startswith(_GENERAL)
            else _GENERAL + name
        )
        found: Any = self.files.get(target)
        for step in inner.strip("/").split("/") if inner else ():
            found = found.get(step) if isinstance(found, dict) else None
        if isinstance(found, dict):
            yield _SchemaNode(target, found)

    def _step(self, nodes: Iterable[_SchemaNode], step: str) -> Iterator[_SchemaNode]:
        for file, schema in nodes:
            if step == ITEM:
                items = schema.get("items")
                if isinstance(items, dict):
                    yield _SchemaNode(file, items)
                continue
            below = schema.get("properties", {}).get(step)
            if below is None:
                below = schema.get("additionalProperties")
            if isinstance(below, dict):
                yield _SchemaNode(file, below)

    def keys(self, nodes: Iterable[_SchemaNode]) -> Iterator[Proposal]:
        for file, schema in nodes:
            for name, below in schema.get("properties", {}).items():
                told = (
                    [node.schema for node in self.with_referred([_SchemaNode(file, below)])]
                    if isinstance(below, dict)
                    else []
                )
                doc = next((s["description"] for s in told if "description" in s), "")
                title = next((s["title"] for s in told if "title" in s), "")
                yield Proposal(name, "property", title, doc, snippet=f"{name}: ", rank=1, again=True)
            for one in self.with_referred(
                [_SchemaNode(file, schema["propertyNames"])] if "propertyNames" in schema else []
            ):
                for name in one.schema.get("enum", ()):
                    yield Proposal(str(name), "property", snippet=f"{name}: ", rank=2, again=True)

    def values(self, nodes: Iterable[_SchemaNode]) -> Iterator[Proposal]:
        for _, schema in nodes:
            said = schema.get("enumDescriptions", ())
            for number, value in enumerate(schema.get("enum", [schema["const"]] if "const" in schema else ())):
                if value is not None:
                    word = str(value).lower() if isinstance(value, bool) else str(value)
                    yield Proposal(word, "row", said[number] if number < len(said) else "", rank=1)
            if schema.get("type") == "boolean":
                yield from (Proposal(word, "row", rank=2) for word in ("true", "false"))


# ---- Completion in any file

_CITE = re.compile(r"^[ \t]*#:.*?([\w.\-]*)$")
_BLOCK = re.compile(r"^([ \t]*(?:-[ \t]+)?)rules:[ \t]*\|")
_RULES_LINE = re.compile(r"^[ \t]*(?:-[ \t]+)?rules:[ \t]+(?=[^|>\s])")
_QUOTED = re.compile(r"""[{,][ \t]*rules:[ \t]*(["'])(.*?)\1""")
_TYPED_WORD = re.compile(r"[\w\-]*\Z")
#: So many proposals are told at once.
MOST_PROPOSALS = 400


def complete(analysis: Analysis, path: str, text: str, line: int, column: int) -> list[Proposal]:
    """The proposals at a place (from 1) of a document as it stands now, the best first."""
    lines = text.split("\n")
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    analysis = ruleset_at_line(analysis, path, line)
    cited = _CITE.match(before)
    found: list[Proposal]
    if cited is not None:
        found = [item.replacing(len(cited[1])) for item in rule_id_proposals(analysis)]
    elif (part := rules_part(path, text, line, column)) is not None:
        rules, placement = part
        found = complete_rules(analysis, origin_at(analysis, path, text, line), rules, placement, line, column)
    elif path.endswith((".yaml", ".yml")):
        found = complete_yaml(analysis, path, text, line, column)
    elif path.endswith(".csv"):
        found = list(_cell_proposals(analysis, path, lines, line, before))
    else:
        found = []
    unique = {(item.label, item.snippet): item for item in sorted(found, key=lambda p: -p.rank)}
    best = sorted(unique.values(), key=lambda p: (p.rank, p.label))
    if len(best) > MOST_PROPOSALS:
        begun = _TYPED_WORD.search(before)
        letters = begun[0].casefold() if begun else ""
        best.sort(key=lambda p: not (p.filter or p.label).casefold().startswith(letters))
    return best[:MOST_PROPOSALS]


def rule_id_proposals(analysis: Analysis) -> Iterator[Proposal]:
    """The numbered rules, with their text."""
    for rule in analysis.rules.values():
        yield Proposal(rule.id, "rule", rule.text, f"{rule.document} {rule.section}".strip(), rank=1)


def rules_part(path: str, text: str, line: int, column: int = 0) -> tuple[str, Placement] | None:
    """The rules text in which a line stands, and where it stands: a whole file, or a block of YAML, however broken the
    rest is. `column`: where in the line, for rules in quotes between other things."""
    shown = path
    if path.endswith(".rules"):
        return text, Placement(shown)
    if not path.endswith((".yaml", ".yml")):
        return None
    lines = text.split("\n")
    if line > len(lines):
        return None
    one = _RULES_LINE.match(lines[line - 1])
    if one is not None:
        return lines[line - 1][one.end() :], Placement(shown, line - 1, 0, one.end())
    for quoted in _QUOTED.finditer(lines[line - 1]):
        if quoted.start(2) < column <= quoted.end(2) + 1:
            return quoted[2], Placement(shown, line - 1, 0, quoted.start(2))
    for number in range(line - 1, 0, -1):
        head = _BLOCK.match(lines[number - 1])
        if head is not None:
            return _rules_block(lines, number, len(head[1]), line, shown)
        above = lines[number - 1]
        if above.strip() and not above[0].isspace():
            return None
    return None


def _rules_block(lines: list[str], head: int, depth: int, line: int, path: str) -> tuple[str, Placement] | None:
    """The block below a line `rules: |` that is indented by `depth`, if a line is one of it."""
    end = head
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > depth):
        end += 1
    # What is just begun, on an empty line behind the block, belongs to it while it is indented as it is.
    body = lines[head:end]
    if line > end:
        return None
    margin = min((_indent(row) for row in body if row.strip()), default=_indent(lines[line - 1]) or depth + 2)
    return "\n".join(row[margin:] for row in body), Placement(path, head, margin)


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))


def origin_at(analysis: Analysis, path: str, text: str, line: int) -> tree.Origin:
    """Whose rules stand at a line of a file."""
    own = [rules for rules in analysis.source.rules if absolute(rules.span.path) == path]
    above = [rules for rules in own if rules.span.line <= line]
    if above:
        return origin_of(max(above, key=lambda rules: rules.span.line), analysis.model)
    trait = _TRAIT.search(text)
    if trait is not None:
        layer = next((t.layer for t in analysis.source.traits if t.id == trait[1]), 0)
        return tree.Origin("trait", trait[1], layer=layer)
    return tree.Origin("core", layer=own[0].layer if own else 0)


def _cell_proposals(analysis: Analysis, path: str, lines: list[str], line: int, before: str) -> Iterator[Proposal]:
    """What a cell may say, where its column names rows of a list."""
    begun = re.search(r"[\w.\-]*\Z", before)
    letters = len(begun[0]) if begun else 0
    for file in analysis.source.card_files:
        if absolute(file.table.path) != path:
            continue
        columns = analysis.symbols.printed(file.sort)
        if line == 1:
            for name, column in columns.items():
                yield Proposal(name, "property", str(column.type), rank=1, begun=letters)
            return
        names = [cell.text for cell in file.table.columns]
        at = before.count(",")
        known = columns.get(names[at].rpartition(".")[0] or names[at]) if at < len(names) else None
        if known is not None and known.type.tag in ("ref", "set"):
            for row in analysis.symbols.rows_of(known.type.name):
                yield Proposal(row, "row", known.type.name, rank=1, begun=letters)
        elif known is not None and known.type.tag == "bool":
            yield from (Proposal(word, "keyword", "bool", rank=1, begun=letters) for word in ("true", "false"))
