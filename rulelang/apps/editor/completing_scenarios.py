"""What a scenario may say at a place: steps with their arguments, claims, positions, numbered rules."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.completing_rules import complete_rules
from rulelang.apps.editor.proposals import Proposal
from rulelang.apps.editor.yaml_place import ITEM, YamlPlace, yaml_place
from rulelang.base.source import Placement
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS
from rulelang.language.semantics.members import members_of
from rulelang.runtime.decision import normalized_text
from rulelang.testing.scenarios.assertions import KEYS
from rulelang.testing.scenarios.lexicon import ENDINGS, NUMBER, Form, step_forms
from rulelang.testing.scenarios.stepper import PLACES
from rulelang.testing.scenarios.steps import DICE, OPTIONS, REFUSED, RUN, THEN

_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(r"\w*")
_LETTERS = f"{string.ascii_letters}{string.digits}_"
_TRAIT = re.compile(r"^trait:[ \t]*([\w\-]+)", re.MULTILINE)
#: A claim is read as a line of rules; where that stands concerns nobody.
_NOWHERE = Placement("")
#: What a step may say but an action and whose it is.
_SAID = (OPTIONS, DICE, RUN, THEN)


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


class _Here:
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
            if place.keyed and above[-1] not in _SAID:
                yield Proposal(REFUSED, "property", "the reason why it is refused", snippet=f"{REFUSED}: ", rank=1)
        else:
            yield from self.step(place.said, whose=not above)
            if place.keyed and _WORD.fullmatch(place.said):
                said = _SAID if not above else (OPTIONS, THEN)
                yield from (Proposal(word, "property", snippet=f"{word}: ", rank=4, again=True) for word in said)

    def step(self, said: str, *, whose: bool) -> Iterator[Proposal]:
        """An action with its arguments, an answer, or whose steps follow."""
        words = said.split(" ")
        for size in range(len(words) - 1, 0, -1):
            forms = self.forms.get(normalized_text(" ".join(words[:size])), ())
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
        yield from (replace(item, rank=4) for item in self.cards())

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
        if keyed and _WORD.fullmatch(said):
            yield from (Proposal(word, "property", snippet=f"{word}: ", rank=4, again=True) for word in KEYS)
        names = [f"player {name}" for name in self.players]
        names += [f"{kind} {name}" for name, kind in self.things.items() if kind]
        trait = self.trait if self.trait in self.model.traits else ""
        origin = tree.Origin("trait", trait) if trait else tree.Origin("core")
        text = f"routine claimed({', '.join(names)}):\n  require {said}"
        column = len(text) - text.rindex("\n")
        for item in complete_rules(self.analysis, origin, text, _NOWHERE, 2, column, outside=True):
            if item.label not in BEARERS:  # nobody bears a scenario
                yield item
        if not said.rstrip(_LETTERS).endswith("."):  # unlike the rules of a core, it may name traits
            yield from (replace(item, rank=9) for item in self.rows("trait"))
