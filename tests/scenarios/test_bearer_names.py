"""Every name of a bearer, in every place of a rule where an expression may stand: it compiles and means that bearer.

For each way in which a rule can be borne there is a condition that holds only if all its names mean what they should.
Each place asks it in a spot of its own; what does not hold counts as wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.backends.named import BACKENDS
from tests.scenarios.court import failures

#: Triggers and their bodies: `{C}` the condition, `{P}` the spot to hit, `{S}` the bearer as a thing, card or row.
TRIGGERS = [
    "before tick when {C}: hit({P})",
    "after tick when {C}: hit({P})",
    "after tick unless {C}: wrong += 1",
    "after tick once per turn when {C}: hit({P})",
    "after tick:\n  if {C}: hit({P})\n  else: wrong += 1",
    "after tick:\n  let ok = {C}\n  if ok: hit({P})",
    "after tick:\n  for spot x where x == {P} and {C}: hit(x)",
    "after tick:\n  for spot x with most (1 if x == {P} and {C} else 0): hit(x)",
    "after tick:\n  for spot x where x == {P} sorted by least (1 if {C} else x.number): hit(x)",
    "after tick:\n  choose spot x where x == {P} and {C}: hit(x)\n  else: wrong += 1",
    "after tick:\n  choose spot x where {C} with most (1 if x == {P} else 0)\n  hit(x)",
    "after tick:\n  choose spot x where x == {P} and {C} at random: hit(x)",
    "after tick:\n  choose spot x where (x != x or not {C}): wrong += 1\n  else:\n    if {C}: hit({P})",
    "after tick:\n  repeat (1 if {C} else 0) times: hit({P})",
    "after tick:\n  hit({P})\n  repeat until {C}:\n    wrong += 1",
    "after tick:\n  if any(spot x where x == {P} and no(spot y where y == x and not {C})): hit({P})",
    "after tick:\n  if all(imp i: count(spot y where {C}) > 0): hit({P})",
    "after tick:\n  if (sum(spot x where x == {P}: (1 if {C} else 0))) == 1: hit({P})",
    "after tick:\n  if (max(spot x where {C}: x.number) otherwise 0) > 0: hit({P})",
    "after tick:\n  let x = first(spot x where x == {P} and {C}) otherwise amiss\n  hit(x)",
    "after tick:\n  turns q from ana once each:\n    if {C} and q == {A}: hit({P})",
    "after tick:\n  if good: hit({P})",
    "after tick:\n  if can own({P}): own({P})",
    "before tick:\n  own({P})",
    'after tick:\n  tells "{{{S}}}"\n  if {C}: hit({P})',
    "may after tick when {C}: hit({P})",
    "instead of tock when {C} and not {P}.over:\n  {P}.over = true\n  hit({P})\n  proceed",
    "after tick, tock when {C} and not {P}.over:\n  {P}.over = true\n  hit({P})",
]

#: Only where there is an owner.
OWNED = [
    "react to tock when {C}: hit({P})",
    "after tick:\n  for imp i of owner where i.number == 1 and {C}: hit({P})",
    "after tick:\n  choose imp i of owner where i.number == 1 and {C} by owner: hit({P})",
    "after tick:\n  turns q from owner once each:\n    if q == owner and {C}: hit({P})",
    "after tick:\n  if (first(player q from owner) otherwise ana) == owner: hit({P})",
    "after greet(owner) when {C}: hit({P})",
]

#: Only on things.
ON_THINGS = [
    "after tick:\n  for card c on self where c == this and {C}: hit({P})",
    "after tick:\n  for int n from self.number to self.number where {C}: hit({P})",
    "after tick:\n  choose card c on self where c == this and {C}\n  hit({P})",
    "after poke(self) when {C}: hit({P})",
]

#: Only in pairs.
PAIRED = [
    "after tick:\n  for card c on partner where c == this and {C}: hit({P})",
    "after tick:\n  choose card c on partner where c == this and {C}\n  hit({P})",
    "after tick:\n  choose imp i of partner.owner where i == partner and {C}: hit({P})",
    "after tick:\n  if any(card c on partner where c == this): hit({P})",
]

#: Actions, with what follows their bearer as a step.
ACTIONS = [
    ("(spot x where x == {P} and {C}) during acting free: hit(x)", "{P}"),
    ("(spot x with most (1 if x == {P} and {C} else 0)) during acting free: hit(x)", "{P}"),
    ('during acting free:\n  require {C} because "{{{S}}}"\n  hit({P})', ""),
    ("during acting free:\n  compulsory when not {C}\n  hit({P})", ""),
    ("(spot x where x == {P}, spot y where y == x and {C}) during acting free in steps: hit(y)", ""),
    ("during acting free once per round:\n  require good\n  if {C}: hit({P})", ""),
    ("during acting free:\n  hit({P})\n  ensure {C}", ""),
    ('during acting free:\n  tells "{{{S}}}"\n  if {C}: hit({P})\n  else: wrong += 1', ""),
    ("during acting free:\n  require can own({P})\n  own({P})", ""),
]
OWNED_ACTIONS = [("(imp i of owner where i.number == 1 and {C}) during acting free: hit({P})", "{I}")]
THING_ACTIONS = [
    ("(card c on self where c == this and {C}) during acting free: hit({P})", "{T}"),
    ("(int n from self.number to self.number) during acting free:\n  if {C} and n > 0: hit({P})", "1"),
]
PAIRED_ACTIONS = [
    ("(card c on partner where c == this and {C}) during acting free: hit({P})", "{T}"),
    ("(imp i of partner.owner where i == partner and {C}) during acting free: hit({P})", "{O}"),
]

#: What only asks.
STANDING = [
    "modify fault: + 1 when not {C}",
    "modify fault: + (0 if {C} else 1)",
    "modify fault: at least (0 if {C} else 1)",
    "modify truth: and {C}",
    "modify truth: = {C}",
    "modify truth: or {C} when {C}",
    'forbid gone when not {C} because "{{{S}}}"',
    'forbid barred when {C} because "{{{S}}}"',
]
TRAIT_ONLY = ["ignore TRAIT in fault when not {C}", "ignore card c in truth when not {C} and c.number > 0"]


@dataclass(frozen=True)
class Way:
    """How the rules are borne. `ends`: for each bearer its player, its name in options, his imp, and the other end."""

    name: str
    condition: str
    shown: str
    ends: tuple[tuple[str, str, str, str], ...]
    pair: str = ""
    place: str = "thing"
    owned: bool = True


ON = "self == this.on and owner == self.owner"
WAYS = [
    Way("plain", ON, "self", (("ana", "una", "una", ""),)),
    Way("directed", f"{ON} and partner == this.partner", "partner", (("ana", "una", "una", "tri"),), "directed"),
    Way(
        "mutual",
        "owner == self.owner and self != partner and (self == this.on and partner == this.partner"
        " or self == this.partner and partner == this.on)",
        "partner",
        (("ana", "una", "una", "tri"), ("bob", "tri", "tri", "una")),
        "mutual",
    ),
    Way("loose", "self == this and owner == this.owner", "self", (("ana", "knack", "una", ""),), place="hand"),
    Way("mixed", "self is missing and owner == this.owner", "this", (("ana", "none", "una", ""),), place="both"),
    Way("free", "self == this", "self", (("ana", "knack", "una", ""),), place="table", owned=False),
    Way("card", "self == this and owner == this.owner", "self", (("ana", "knack", "una", ""),), place="row"),
    Way("row", "self == onyx", "self", (("ana", "onyx", "una", ""),), place="list", owned=False),
]


def ruleset(way: Way) -> tuple[dict[str, str], str]:
    """The files of a ruleset that asks everywhere, and its scenarios."""
    things = way.place == "thing"
    triggers = [
        *TRIGGERS,
        *(OWNED if way.owned else ()),
        *(ON_THINGS if things else ()),
        *(PAIRED if way.pair else ()),
    ]
    actions = [
        *ACTIONS,
        *(OWNED_ACTIONS if way.owned else ()),
        *(THING_ACTIONS if things else ()),
        *(PAIRED_ACTIONS if way.pair else ()),
    ]
    c = f"({way.condition})"
    rules = [f"value good -> bool: {c}", f'routine own(spot x):\n  require {c} because "{{{way.shown}}}"\n  hit(x)']
    expected: dict[str, int] = {}
    steps: dict[str, list[str]] = {player: [] for player, _, _, _ in way.ends}
    for number, text in enumerate(triggers, 1):
        spot = f"t{number}"
        rules.append(text.format(C=c, P=spot, S=way.shown, A="owner" if way.owned else "ana"))
        if "wrong += 1" not in text or "hit" in text:
            # A flag is the card's, whichever end it works for.
            expected[spot] = 1 if ".over" in text or "once per" in text else len(way.ends)
    for number, (text, step) in enumerate(actions, 1):
        spot, name = f"a{number}", f"act{number}"
        rules.append(f"action {name} {text.format(C=c, P=spot, S=way.shown)}".replace(f"{name} (", f"{name}("))
        ends = way.ends[:1] if "once per" in text else way.ends
        expected[spot] = len(ends)
        for player, bearer, imp, other in ends:
            said = step.format(P=spot, I="una" if player == "ana" else "tri", T="knack", O=other, imp=imp)
            steps[player].append(" ".join(word for word in (name, bearer, said) if word))
    rules += [text.format(C=c, S=way.shown) for text in STANDING]
    if way.place not in ("row", "list"):
        rules += [text.replace("TRAIT", "knack").format(C=c) for text in TRAIT_ONLY]
    return _files(way, rules, expected), _scenario(way, expected, steps)


def _files(way: Way, rules: list[str], expected: dict[str, int]) -> dict[str, str]:
    force = {"thing": "gear", "hand": "hand", "both": "gear hand", "table": "table", "row": "hand", "list": ""}[
        way.place
    ]

    def zone(name: str, what: str) -> str:
        more = ", playable: true" if name == "hand" else ""
        return f"  {name}: {{{what}seen_by: everyone{', in_force: true' + more if name in force.split() else ''}}}\n"

    spots = ", ".join([*expected, "amiss"])
    body = "\n".join(rules)
    files = {
        "ruleset.yaml": f"id: den\nversion: 1.0.0\nlanguage: 1\ntitle: Den\nplayers: {{count: 2, from: start}}\n"
        f"files: [things.yaml, game.rules{', traits/' if way.place not in ('row', 'list') else ''}]\n",
        "game.rules": """\
game: acting
phase acting:
  turns p from start once each: offer any actions to p or pass
action idle during acting: nothing
routine tick: greetings
routine greetings:
  for player p: greet(p)
  for imp i: poke(i)
routine greet(player p)
routine poke(imp i)
routine tock
routine gone
routine barred
routine hit(spot x): x.seen += 1
value fault -> int: 0
value truth -> bool: true
value ana -> player: first(player p where p.number == 1) otherwise start
value score(player p) -> int: p.points
""",
        "things.yaml": f"lists:\n  spot: {{attributes: {{seen: number, over: bool}}, rows: [{spots}]}}\n"
        "  stone:\n    rows:\n      onyx:\n"
        + (f"        rules: |\n{_deeper(body, 10)}" if way.place == "list" else "        {}\n")
        + "kinds: {player: {attributes: {points: int}}, imp: {of: player, line: true, at_most: 3}}\n"
        "state: {start: player, wrong: number}\n"
        + (
            f"cards:\n  card:\n    rows:\n      knack:\n        rules: |\n{_deeper(body, 10)}"
            if way.place == "row"
            else "cards: {card: {columns: {"
            + ("" if way.place == "list" else "face: trait")
            + "}, rows: "
            + ("{blank: {}}" if way.place == "list" else "[]")
            + "}}\n"
        )
        + "zones:\n"
        + zone("gear", "of: imp, holds: card, ")
        + zone("hand", "of: player, holds: card, ")
        + zone("table", "holds: card, "),
    }
    if way.place not in ("row", "list"):
        pair = f"pair: {way.pair}\n" if way.pair else ""
        files["traits/knack.yaml"] = f"trait: knack\n{pair}cards: [{{copies: 2}}]\nrules: |\n{_deeper(body, 2)}"
    return files


def _deeper(text: str, by: int) -> str:
    return "".join(" " * by + line + "\n" for line in text.splitlines())


def _scenario(way: Way, expected: dict[str, int], steps: dict[str, list[str]]) -> str:
    card = "knack: {with: tri}" if way.pair else "knack"
    borne = f"una: [{card}]" if way.place == "thing" else "una"
    hand = ", hand: [knack]" if way.place in ("hand", "both", "row") else ""
    table = "  zones: {table: [knack]}\n  " if way.place == "table" else ""
    brings = "onyx" if way.place == "list" else "knack"
    uses = [f"    - {player}: {brings}\n" for player, _, _, _ in way.ends]
    lines = ["    - tick\n", *uses, "    - tock\n"]
    for player in ("ana", "bob"):
        lines += [f"    - {player}: {step}\n" for step in steps.get(player, ())]
        lines += [f"    - {player}: pass\n"] if player == "ana" else []
    then = ["wrong == 0", "fault == 0", "truth", "can gone", "not can barred", "amiss.seen == 0"]
    then += [f"{spot}.seen == {count}" for spot, count in expected.items()]
    return (
        "- name: all names everywhere\n  given:\n    phase: acting\n    turn: ana\n"
        f"    players:\n      ana: {{imp: [{borne}, duo]{hand}}}\n      bob: {{imp: [tri]}}\n  {table}"
        f"when:\n{''.join(lines)}  then:\n" + "".join(f'    - "{line}"\n' for line in then)
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("way", WAYS, ids=[way.name for way in WAYS])
def test_every_name_in_every_place(way: Way, backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, scenarios = ruleset(way)
    assert failures(files, scenarios, tmp_path, backend, monkeypatch) == []
