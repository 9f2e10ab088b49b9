"""What a scenario may say at a place: steps with their arguments, claims, positions, numbered rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulelang.editor.analysis import Analysis
from rulelang.editor.proposals import Proposal
from rulelang.editor.yaml_place import ITEM, YamlPlace, yaml_place
from rulelang.engine.decision import normal
from rulelang.scenarios.phrases import ENDINGS, NUMBER, Form, forms_of
from rulelang.semantics.members import members_of

_NAME = re.compile(r"[A-Za-z_]\w*")
_MEMBER = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\.(\w*)\Z")
_IS = re.compile(r"\bis (?:not )?\w*\Z")


def complete_scenario(analysis: Analysis, path: str, text: str, line: int, place: YamlPlace) -> list[Proposal] | None:
    """The proposals at a place of a scenario that schemas know nothing of; None elsewhere."""
    steps = place.path
    if "scenarios" not in steps and "/scenarios/" not in path.replace("\\", "/"):
        return None
    inside = steps[steps.index("scenarios") + 1 :] if "scenarios" in steps else steps
    inside = inside[1:] if inside[:1] == (ITEM,) else inside
    if not inside:
        return None
    here = _Here(analysis, text, line)
    if inside[0] == "rule":
        return [Proposal(r.id, "rule", r.text, r.document, rank=1) for r in analysis.rules.values()]
    if inside[0] == "when" and len(inside) > 1:
        return list(here.step(place.said, whose=not inside[2:] or inside[-1] == ITEM))
    if inside[0] == "then" and len(inside) > 1:
        return list(here.claim(place.said))
    if inside[:2] == ("given", "players") and len(inside) > 2 and (len(inside) > 3 or place.valued):
        return list(here.thing())
    if inside[:2] == ("given", "zones") and len(inside) > 2 and place.valued:
        return list(here.cards())
    if inside == ("given", "turn") or inside[-1] == "by":
        return [Proposal(name, "variable", "player", rank=1) for name in here.players]
    return None


class _Here:
    """The scenario in which a line stands: who plays, and what is called how."""

    def __init__(self, analysis: Analysis, text: str, line: int) -> None:
        self.analysis = analysis
        self.model = analysis.model
        self.forms: Mapping[str, list[Form]] = forms_of(analysis.program)
        self.players: dict[str, None] = {}
        self.things: dict[str, None] = {}
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
        known = {*self.model.traits, *(name for kind in kinds for name in members_of(self.model, kind))}
        for number in range(begin, min(end + 1, len(lines))):
            row = lines[number]
            place = yaml_place("\n".join(lines[: number + 1]), number + 1, len(row) + 1)
            if place is None or "players" not in place.path:
                continue
            at = place.path.index("players")
            if len(place.path) > at + 1 and place.path[at + 1] != ITEM:
                self.players[place.path[at + 1]] = None
            said = row.partition(":")[2] if "[" in row or "{" in row else row
            for part in re.split(r"[\[\]{},]", said.replace("- ", ",")):
                first = _NAME.match(part.strip())
                if first is not None and first[0] not in known and first[0] not in self.players:
                    self.things[first[0]] = None

    # ---- steps

    def step(self, said: str, *, whose: bool) -> Iterator[Proposal]:
        """An action with its arguments, an answer, or whose steps follow."""
        words = said.split(" ")
        for size in range(len(words) - 1, 0, -1):
            forms = self.forms.get(normal(" ".join(words[:size])), ())
            if forms:
                given = len(words) - 1 - size
                for kind in dict.fromkeys(way[given] for form in forms for way in form.ways if given < len(way)):
                    yield from self.named(kind)
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

    def named(self, kind: str) -> Iterator[Proposal]:
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
        """What is said of a player or a thing: its cards, attributes and zones."""
        yield from self.cards()
        for kind in ("player", *self.model.made):
            for member in members_of(self.model, kind, outside=True).values():
                if member.what in ("attribute", "zone", "slot"):
                    yield Proposal(member.name, "field", f"{kind}: {member.type or 'zone'}", member.doc, rank=3)

    # ---- claims

    def claim(self, said: str) -> Iterator[Proposal]:
        """A claim about the position: its names, the members of things, and what they may be."""
        member = _MEMBER.search(said)
        if member is not None:
            for kind in self._kinds(member[1]):
                for item in members_of(self.model, kind, outside=True).values():
                    yield Proposal(item.name, "field", str(item.type or "zone"), item.doc, rank=1)
            return
        if _IS.search(said):
            yield from (Proposal(word, "keyword", rank=2) for word in ("present", "missing", "empty", "working"))
            for value in self.analysis.program.values.values():
                if value.type.tag == "bool" and len(value.params) == 1:
                    yield Proposal(value.name, "function", "bool", rank=1)
            return
        yield from (Proposal(name, "variable", "thing", rank=1) for name in self.things)
        yield from (Proposal(name, "variable", "player", rank=1) for name in self.players)
        yield from (Proposal(n, "field", str(s.type), rank=2) for n, s in self.model.state.items())
        yield from (Proposal(v.name, "function", str(v.type), rank=3) for v in self.analysis.program.values.values())
        yield from (Proposal(z.short_name, "zone", z.holds, rank=3) for z in self.model.zones.values())

    def _kinds(self, name: str) -> list[str]:
        if name in self.players:
            return ["player"]
        return list(self.model.made) if name in self.things else []
